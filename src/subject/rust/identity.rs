//! The identity of a Rust function: what flags say of it, the sources of its package, and the versions of what that
//! depends on.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use super::callee::Callee;
use super::copy::Copy;
use super::error::{self, RustError};
use super::package::Package;
use super::prepare::Preparation;
use super::subject::{Confinement, Runtime, RustSpec};
use crate::subject::{Identity, IdentityBuilder};

/// The identity of a function whose copy has been built, so that its lock file is there.
pub(super) fn of(
    spec: &RustSpec,
    runtime: &Runtime,
    package: &Package,
    prepared: &Preparation,
    callee: &Callee,
    copy: &Copy,
) -> Result<Identity, RustError> {
    let mut identity =
        IdentityBuilder::new(&definition(spec, runtime, callee)).domains(&spec.domains);
    for file in &prepared.files {
        identity = identity.code(name(&file.path)).code(&file.text);
    }
    let read = |path: &Path| fs::read(path).map_err(error::file("read", path));
    if let Some(script) = package.build_script() {
        identity = identity.code("build script").code(read(script)?);
    }
    for folder in package.local_dependencies() {
        for path in sources(folder)? {
            let file = path.strip_prefix(folder).unwrap_or(&path);
            identity = identity.code(name(file)).code(read(&path)?);
        }
    }
    // The copy always has one, the workspace may have none before its first build.
    let lock = copy.folder.join("Cargo.lock");
    let lock = if lock.is_file() { read(&lock)? } else { Vec::new() };
    Ok(identity
        .code("Cargo.toml")
        .code(package.manifest(""))
        .code("Cargo.lock")
        .code(lock)
        .finish())
}

/// What a definition file would say: which function, and how it is built.
fn definition(spec: &RustSpec, runtime: &Runtime, callee: &Callee) -> String {
    let RustSpec { place, function: _, with: _, domains } = spec;
    let Runtime { jobs: _, flags, confinement, isolation: _ } = runtime;
    let (path, turbofish) = (&callee.path, &callee.turbofish);
    let mut text = format!("rust = \"{path}{turbofish}\"\n");
    let _ = writeln!(text, "features = {:?}", place.features);
    let _ = writeln!(text, "no-default-features = {}", place.no_default_features);
    let _ = writeln!(text, "flags = {flags:?}");
    let sandbox = match confinement {
        Confinement::Process => false,
        Confinement::Sandbox => true,
    };
    let _ = writeln!(text, "sandbox = {sandbox}");
    for (name, domain) in domains {
        let _ = writeln!(text, "domain.{name} = {domain:?}");
    }
    text
}

/// The Rust files in the folder of a package, in order.
fn sources(folder: &Path) -> Result<Vec<PathBuf>, RustError> {
    let mut files = Vec::new();
    let mut todo = vec![folder.to_owned()];
    while let Some(folder) = todo.pop() {
        for entry in fs::read_dir(&folder).map_err(error::file("read", &folder))? {
            let entry = entry.map_err(error::file("read", &folder))?;
            let (path, name) = (entry.path(), entry.file_name().to_string_lossy().into_owned());
            // Links to folders may lead in circles.
            let is_folder = entry.file_type().is_ok_and(|ty| ty.is_dir());
            if is_folder && name != "target" && !name.starts_with('.') {
                todo.push(path);
            } else if !is_folder && name.ends_with(".rs") {
                files.push(path);
            }
        }
    }
    files.sort();
    Ok(files)
}

/// A path in the same words on every system.
fn name(path: &Path) -> String {
    path.to_string_lossy().replace('\\', "/")
}
