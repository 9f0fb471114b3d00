//! The package that a function is in, as Cargo knows it.
//!
//! Asks `cargo metadata` once, and says what a copy of the package needs: its manifest without the workspace around
//! it, with all paths absolute. Reads no sources.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::{Component, Path, PathBuf};
use std::process::Command;

use serde::Deserialize;

use super::cfg::Cfg;
use super::error::RustError;

/// Where to look for a package.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Place {
    /// The manifest, or nothing for the one that Cargo finds from here.
    pub manifest: Option<PathBuf>,
    /// The package, if the workspace has several.
    pub package: Option<String>,
    /// Features to switch on, besides the default ones.
    pub features: Vec<String>,
    /// Whether the default features stay off.
    pub no_default_features: bool,
    /// Whether to use what is there already, without asking the network.
    pub offline: bool,
}

/// A package, and the target of it that has the functions.
#[derive(Clone, Debug)]
pub struct Package {
    /// The name of the package.
    pub name: String,
    /// What tests call the library, if there is one.
    pub library: Option<String>,
    /// The folder of its manifest.
    pub folder: PathBuf,
    /// The first file of the library, or of the program.
    pub root: PathBuf,
    /// Where builds of the workspace go.
    pub target: PathBuf,
    /// The packages that tests may use, by the names that they have there.
    pub test_dependencies: Vec<String>,
    /// The lock file of the workspace, if it has one.
    pub(super) lock: PathBuf,
    /// The folders of packages that it depends on by their path, directly or through others of the workspace.
    local_dependencies: Vec<PathBuf>,
    /// The features that are asked for.
    pub(super) features: Vec<String>,
    pub(super) no_default_features: bool,
    offline: bool,
    read: Read,
    /// What the workspace says of the profile that tests have.
    pub(super) profile: Profile,
    /// Which packages the workspace has in place of others, as a manifest says it.
    pub(super) patches: String,
}

#[derive(Clone, Debug, Deserialize)]
struct Metadata {
    packages: Vec<Read>,
    workspace_members: Vec<String>,
    workspace_root: PathBuf,
    target_directory: PathBuf,
}

/// A package in Cargo's words.
#[derive(Clone, Debug, Deserialize)]
struct Read {
    id: String,
    name: String,
    version: String,
    edition: String,
    rust_version: Option<String>,
    links: Option<String>,
    manifest_path: PathBuf,
    dependencies: Vec<Dependency>,
    features: std::collections::BTreeMap<String, Vec<String>>,
    targets: Vec<Target>,
}

#[derive(Clone, Debug, Deserialize)]
struct Dependency {
    name: String,
    req: String,
    kind: Option<String>,
    rename: Option<String>,
    optional: bool,
    uses_default_features: bool,
    features: Vec<String>,
    target: Option<String>,
    path: Option<PathBuf>,
    source: Option<String>,
}

#[derive(Clone, Debug, Deserialize)]
struct Target {
    name: String,
    kind: Vec<String>,
    src_path: PathBuf,
}

#[derive(Clone, Debug, Default)]
pub(super) struct Profile {
    pub(super) overflow_checks: Option<bool>,
    pub(super) debug_assertions: Option<bool>,
}

impl Package {
    /// Asks Cargo.
    ///
    /// # Errors
    /// When Cargo fails, or it is not clear which package is meant.
    pub fn find(place: &Place) -> Result<Package, RustError> {
        let mut command = Command::new("cargo");
        command.args(["metadata", "--format-version=1", "--no-deps"]);
        if let Some(manifest) = &place.manifest {
            command.arg("--manifest-path").arg(manifest);
        }
        let shown = "cargo metadata".to_owned();
        let failed = |message| RustError::Cargo { command: shown.clone(), message };
        let output = command
            .output()
            .map_err(|error| failed(format!("{error}; is Cargo installed and on the path?")))?;
        if !output.status.success() {
            return Err(failed(String::from_utf8_lossy(&output.stderr).trim().to_owned()));
        }
        let metadata: Metadata =
            serde_json::from_slice(&output.stdout).map_err(|error| failed(error.to_string()))?;
        Package::choose(metadata, place)
    }

    fn choose(metadata: Metadata, place: &Place) -> Result<Package, RustError> {
        let Metadata { packages, workspace_members, workspace_root, target_directory } = metadata;
        let mut members: Vec<Read> =
            packages.into_iter().filter(|p| workspace_members.contains(&p.id)).collect();
        let names = || members.iter().map(|p| p.name.as_str()).collect::<Vec<_>>().join(", ");
        let here = |read: &Read| match &place.manifest {
            Some(manifest) => same_file(manifest, &read.manifest_path),
            None => std::path::absolute(".").is_ok_and(|here| {
                read.manifest_path.parent().is_some_and(|folder| here.starts_with(folder))
            }),
        };
        let chosen = match &place.package {
            Some(name) => members.iter().position(|p| p.name == *name).ok_or_else(|| {
                RustError::Package(format!("there is no package {name}; there are {}", names()))
            })?,
            None if members.len() == 1 => 0,
            None => {
                // The innermost folder that we are in.
                let depth = |i: &usize| members[*i].manifest_path.components().count();
                (0..members.len()).filter(|&i| here(&members[i])).max_by_key(depth).ok_or_else(
                    || {
                        RustError::Package(format!(
                            "which package? say it with --package: {}",
                            names()
                        ))
                    },
                )?
            }
        };
        let local_dependencies = local_dependencies(&members, chosen);
        let read = members.swap_remove(chosen);
        let is = |target: &&Target, kinds: &[&str]| {
            target.kind.iter().any(|kind| kinds.contains(&kind.as_str()))
        };
        if read.targets.iter().any(|target| is(&target, &["proc-macro"])) {
            let message =
                format!("{} is a procedural macro, which runs in the compiler only", read.name);
            return Err(RustError::Package(message));
        }
        let library =
            read.targets.iter().find(|t| is(t, &["lib", "rlib", "cdylib", "dylib", "staticlib"]));
        let program = read.targets.iter().find(|target| is(target, &["bin"]));
        let Some(target) = library.or(program) else {
            let message = format!("{} has neither a library nor a program", read.name);
            return Err(RustError::Package(message));
        };
        let folder = read.manifest_path.parent().unwrap_or(Path::new("")).to_owned();
        let usable = read.dependencies.iter().filter(|d| {
            d.target.is_none()
                && (d.kind.as_deref() == Some("dev") || d.kind.is_none() && !d.optional)
        });
        let used = |d: &Dependency| d.rename.as_ref().unwrap_or(&d.name).replace('-', "_");
        Ok(Package {
            name: read.name.clone(),
            library: library.map(|target| target.name.replace('-', "_")),
            root: target.src_path.clone(),
            target: target_directory,
            test_dependencies: usable.map(used).collect(),
            lock: workspace_root.join("Cargo.lock"),
            local_dependencies,
            features: place.features.clone(),
            no_default_features: place.no_default_features,
            offline: place.offline,
            profile: Profile::read(&workspace_root.join("Cargo.toml")),
            patches: patches(&workspace_root),
            folder,
            read,
        })
    }

    /// Cargo's flags for features and for the network.
    pub fn flags(&self) -> Vec<String> {
        let mut flags = Vec::new();
        if self.no_default_features {
            flags.push("--no-default-features".to_owned());
        }
        if !self.features.is_empty() {
            flags.push(format!("--features={}", self.features.join(",")));
        }
        if self.offline {
            flags.push("--offline".to_owned());
        }
        flags
    }

    /// What conditional compilation goes by.
    pub(super) fn cfg(&self) -> Cfg {
        let default = (!self.no_default_features).then(|| "default".to_owned());
        let asked: Vec<String> = self.features.iter().cloned().chain(default).collect();
        Cfg::new(&self.read.features, &asked)
    }

    /// Whether its crates have to be declared, as they had to be in 2015.
    pub fn declares_crates(&self) -> bool {
        self.read.edition == "2015"
    }

    /// Whether the functions are those of a program.
    pub(super) fn is_program(&self) -> bool {
        self.library.is_none()
    }

    /// The program that Cargo runs before it builds the package.
    pub(super) fn build_script(&self) -> Option<&Path> {
        let is_script = |target: &&Target| target.kind.iter().any(|kind| kind == "custom-build");
        self.read.targets.iter().find(is_script).map(|target| target.src_path.as_path())
    }

    /// The folders of packages that it depends on by their path, in order.
    pub(super) fn local_dependencies(&self) -> &[PathBuf] {
        &self.local_dependencies
    }

    /// Whether a file is in the folder of the package.
    pub(super) fn has(&self, path: &Path) -> bool {
        let inside = path.strip_prefix(&self.folder);
        inside.is_ok_and(|inside| {
            inside.components().all(|part| matches!(part, Component::Normal(_)))
        })
    }

    /// The edition of its sources.
    pub(super) fn edition(&self) -> &str {
        &self.read.edition
    }

    /// A dependency that its tests have, as a manifest says it.
    pub(super) fn test_dependency(&self, name: &str) -> Option<String> {
        let known = self.read.dependencies.iter().filter(|d| d.name == name);
        let found = known.clone().find(|d| d.kind.as_deref() == Some("dev"));
        let found = found.or_else(|| known.clone().find(|d| d.kind.is_none() && !d.optional))?;
        let plain = Dependency { kind: None, target: None, optional: false, ..found.clone() };
        Some(plain.written())
    }

    /// Whether Cargo finds the files in its folder of tests by itself.
    pub fn finds_tests(&self) -> bool {
        let text = std::fs::read_to_string(&self.read.manifest_path).unwrap_or_default();
        let table: toml::Table = toml::from_str(&text).unwrap_or_default();
        let said = table.get("package").and_then(|package| package.get("autotests"));
        said.and_then(toml::Value::as_bool).unwrap_or(true)
    }

    /// A file of the package, from its folder.
    pub(super) fn relative<'p>(&self, path: &'p Path) -> &'p Path {
        path.strip_prefix(&self.folder).unwrap_or(path)
    }

    /// The manifest of a copy: the same package, alone in the world, with one program and no tests.
    pub(super) fn manifest(&self, target: &str) -> String {
        let Read { name, version, edition, rust_version, links, .. } = &self.read;
        let mut text = format!(
            "[package]\nname = {name:?}\nversion = {version:?}\nedition = {edition:?}\n\
             autobins = false\nautoexamples = false\nautotests = false\nautobenches = false\npublish = false\n"
        );
        if let Some(version) = rust_version {
            let _ = writeln!(text, "rust-version = {version:?}");
        }
        if let Some(links) = links {
            let _ = writeln!(text, "links = {links:?}");
        }
        match self.build_script() {
            Some(script) => {
                let path = self.relative(script).display().to_string();
                let _ = writeln!(text, "build = {path:?}");
            }
            None => text.push_str("build = false\n"),
        }
        text.push_str("\n[workspace]\n\n");
        text.push_str(target);
        text.push_str("\n[features]\n");
        for (feature, needs) in &self.read.features {
            let _ = writeln!(text, "{feature:?} = {needs:?}");
        }
        for dependency in self.read.dependencies.iter().filter(|d| d.kind.as_deref() != Some("dev"))
        {
            text.push_str(&dependency.written());
        }
        // What is slow to run is slow a million times; what is slow to compile, once.
        let checks = self.profile.overflow_checks.unwrap_or(true);
        let assertions = self.profile.debug_assertions.unwrap_or(true);
        let _ = write!(
            text,
            "\n[profile.dev]\nopt-level = 1\ndebug = false\nincremental = false\npanic = \"unwind\"\n\
             overflow-checks = {checks}\ndebug-assertions = {assertions}\n{}",
            self.patches
        );
        text
    }
}

impl Dependency {
    fn written(&self) -> String {
        let table = match self.kind.as_deref() {
            Some("build") => "build-dependencies",
            _ => "dependencies",
        };
        let name = self.rename.as_ref().unwrap_or(&self.name);
        let mut text = match &self.target {
            Some(target) => format!("\n[target.{target:?}.{table}.{name:?}]\n"),
            None => format!("\n[{table}.{name:?}]\n"),
        };
        let Dependency { req, uses_default_features, features, optional, .. } = self;
        let _ = writeln!(text, "version = {req:?}\npackage = {:?}", self.name);
        let _ = writeln!(text, "default-features = {uses_default_features}\noptional = {optional}");
        let _ = writeln!(text, "features = {features:?}");
        if let Some(path) = &self.path {
            let _ = writeln!(text, "path = {:?}", path.display().to_string());
        } else if let Some(git) =
            self.source.as_ref().and_then(|source| source.strip_prefix("git+"))
        {
            let (url, query) = git.split_once('?').unwrap_or((git, ""));
            let _ = writeln!(text, "git = {:?}", url.split('#').next().unwrap_or(url));
            for part in query.split('#').next().unwrap_or("").split('&') {
                if let Some((key @ ("branch" | "tag" | "rev"), value)) = part.split_once('=') {
                    let _ = writeln!(text, "{key} = {value:?}");
                }
            }
        }
        text
    }
}

impl Profile {
    /// What a manifest says of `profile.dev`; what cannot be read says nothing.
    fn read(manifest: &Path) -> Profile {
        let text = std::fs::read_to_string(manifest).unwrap_or_default();
        let table: toml::Table = toml::from_str(&text).unwrap_or_default();
        let dev = table.get("profile").and_then(|profiles| profiles.get("dev"));
        let truth = |key: &str| dev.and_then(|dev| dev.get(key)).and_then(toml::Value::as_bool);
        Profile {
            overflow_checks: truth("overflow-checks"),
            debug_assertions: truth("debug-assertions"),
        }
    }
}

/// The folders of packages that a member of a workspace depends on by their path, in order. Those that are no members
/// have dependencies that are not known here.
fn local_dependencies(members: &[Read], member: usize) -> Vec<PathBuf> {
    let mut folders = BTreeSet::new();
    let mut todo = vec![&members[member]];
    while let Some(read) = todo.pop() {
        let needed = read.dependencies.iter().filter(|d| d.kind.as_deref() != Some("dev"));
        for folder in needed.filter_map(|dependency| dependency.path.as_ref()) {
            if folders.insert(folder.clone()) {
                let is_it = |other: &&Read| other.manifest_path.parent() == Some(folder);
                todo.extend(members.iter().find(is_it));
            }
        }
    }
    folders.into_iter().collect()
}

/// The tables of a workspace that say which packages stand for others, with all paths absolute.
fn patches(root: &Path) -> String {
    let text = std::fs::read_to_string(root.join("Cargo.toml")).unwrap_or_default();
    let table: toml::Table = toml::from_str(&text).unwrap_or_default();
    let mut text = String::new();
    for key in ["patch", "replace"] {
        for (source, packages) in
            table.get(key).and_then(toml::Value::as_table).into_iter().flatten()
        {
            // In `[replace]` this is the package already.
            let _ = match key {
                "patch" => writeln!(text, "\n[patch.{source:?}]"),
                _ => writeln!(text, "\n[replace]\n{source:?} = {}", inline(packages, root)),
            };
            for (package, value) in
                packages.as_table().filter(|_| key == "patch").into_iter().flatten()
            {
                let _ = writeln!(text, "{package:?} = {}", inline(value, root));
            }
        }
    }
    text
}

/// A value on one line; paths are absolute.
fn inline(value: &toml::Value, root: &Path) -> String {
    match value {
        toml::Value::Table(table) => {
            let parts = table.iter().map(|(key, value)| match (key.as_str(), value) {
                ("path", toml::Value::String(path)) => {
                    format!("path = {:?}", root.join(path).display().to_string())
                }
                _ => format!("{key:?} = {}", inline(value, root)),
            });
            format!("{{ {} }}", parts.collect::<Vec<_>>().join(", "))
        }
        toml::Value::Array(all) => {
            let parts = all.iter().map(|value| inline(value, root));
            format!("[{}]", parts.collect::<Vec<_>>().join(", "))
        }
        toml::Value::String(text) => format!("{text:?}"),
        toml::Value::Boolean(truth) => truth.to_string(),
        toml::Value::Integer(number) => number.to_string(),
        toml::Value::Float(number) => number.to_string(),
        toml::Value::Datetime(time) => time.to_string(),
    }
}

fn same_file(a: &Path, b: &Path) -> bool {
    match (std::fs::canonicalize(a), std::fs::canonicalize(b)) {
        (Ok(a), Ok(b)) => a == b,
        _ => a == b,
    }
}
