//! From a package and the name of a function to the files of a copy: mutants, probes, and the code that calls.
//!
//! All that is read off the syntax is read here; what comes out is text and numbers.

use std::path::{Path, PathBuf};

use super::build::ChangedFile;
use super::call;
use super::callee::Callee;
use super::copy::Copy;
use super::entry;
use super::error::RustError;
use super::mutate::{Changes, Insert, Inventory, Survey};
use super::package::Package;
use super::sandbox;
use super::scope;
use super::source::Sources;
use super::subject::Confinement;
use super::types::Arguments;
use crate::subject::Signature;

/// What the root of a copy has in every case. The crate may do without the standard library; we do not.
const BEGIN: &str = "\nextern crate std as __gm_std;\n#[allow(warnings)]\nmod __genmorph;\n";

/// Files that a copy has besides those of the package.
const SWITCH: &str = include_str!("harness/switch.rs.in");
const WORKER: &str = include_str!("harness/worker.rs.in");
const GUEST: &str = include_str!("../wasm/guest/genmorph.rs");

/// What there is to build and to know.
pub(super) struct Preparation {
    pub(super) callee: Callee,
    /// The files of the copy that differ from those of the package.
    pub(super) files: Vec<ChangedFile>,
    pub(super) inventory: Inventory,
    /// The functions that are mutated.
    pub(super) scope: Vec<String>,
    /// Where the code that calls goes: the file, and the byte.
    place: (usize, usize),
    /// The file that the crate begins with, and where it ends.
    root: (usize, usize),
    /// The module of the function, as a path.
    module: String,
}

/// Reads the sources of a package.
pub(super) fn prepare(
    package: &Package,
    function: &str,
    with: &Arguments,
) -> Result<Preparation, RustError> {
    let sources = Sources::read(&package.root)?;
    if let Some(file) = sources.files.iter().find(|file| !package.has(&file.path)) {
        return Err(RustError::Package(format!(
            "{} belongs to {} but is not in its folder, so it would not be in a copy of it",
            file.path.display(),
            package.name
        )));
    }
    let first = sources.find(function, &package.name)?;
    let callee = Callee::read(&sources, &sources.functions[first], with)?;
    let mut inventory = Inventory::default();
    let mut changes: Vec<Changes> = sources.files.iter().map(|_| Changes::default()).collect();
    let mut names = Vec::new();
    for number in scope::functions(&sources, first) {
        let function = &sources.functions[number];
        if !scope::can_change(function, number == first) {
            continue;
        }
        let file = sources.modules[function.module].file;
        let name = sources.path(function);
        let mut survey = Survey::new(&sources.files[file].text, file, &mut inventory);
        survey.changes = std::mem::take(&mut changes[file]);
        survey.function(&name, &function.sig, &function.block);
        changes[file] = survey.changes;
        if let Some(constant) = &function.sig.constness {
            // A switch is no constant.
            let insert = Insert { at: constant.span.byte_range(), text: String::new(), arm: None };
            changes[file].inserts.push(insert);
        }
        names.push(name);
    }
    let home = &sources.modules[sources.functions[first].module];
    for module in &sources.modules {
        // The code that starts everything is in the root, and has to see the function.
        if let Some((file, at)) = module.private.filter(|_| home.path.starts_with(&module.path)) {
            changes[file].inserts.push(Insert {
                at: at..at,
                text: "pub(crate) ".to_owned(),
                arm: None,
            });
        }
    }
    let root = &sources.modules[0];
    if package.is_program() {
        let main = sources
            .functions
            .iter()
            .find(|f| f.module == 0 && f.owner.is_none() && f.name() == "main");
        if let Some(main) = main {
            let at = main.sig.ident.span().byte_range();
            let text = "__genmorph_main_of_the_program".to_owned();
            changes[root.file].inserts.push(Insert { at, text, arm: None });
        }
    }
    let (place, root) = ((home.file, home.end), (root.file, root.end));
    let module: String = home.path.iter().map(|name| format!("{name}::")).collect();
    let files = sources.files.into_iter().zip(changes);
    let files = files.map(|(file, changes)| ChangedFile {
        path: package.relative(&file.path).to_owned(),
        text: file.text,
        changes,
    });
    let files = files.collect();
    Ok(Preparation { callee, files, inventory, scope: names, place, root, module })
}

impl Preparation {
    /// Puts the code that calls the function into the files.
    pub(super) fn add_calls(
        &mut self,
        signature: &Signature,
        confinement: Confinement,
    ) -> Result<(), RustError> {
        match confinement {
            Confinement::Process => {
                self.add_worker(signature);
                Ok(())
            }
            Confinement::Sandbox => {
                sandbox::check()?;
                self.add_exports(signature)
            }
        }
    }

    /// Puts the code that calls into the files, and a program around it.
    fn add_worker(&mut self, signature: &Signature) {
        let item = call::item(&self.callee, signature);
        self.append(self.place, item);
        let (inputs, outputs) = call::kinds(signature);
        let main = format!(
            "{BEGIN}#[allow(warnings)]\nmod __genmorph_worker;\n#[allow(warnings)]\n\
             fn main() {{ __genmorph_worker::serve({}{}, &{inputs:?}, &{outputs:?}) }}\n",
            self.module,
            call::NAME,
        );
        self.append(self.root, main);
    }

    /// Puts the code that calls into the files, as functions that a sandbox knows by their names.
    fn add_exports(&mut self, signature: &Signature) -> Result<(), RustError> {
        let item = entry::item(&self.callee, signature).map_err(RustError::Parameter)?;
        self.append(self.place, item);
        let exports = entry::exports(&self.module, signature);
        self.append(self.root, format!("{BEGIN}{exports}"));
        Ok(())
    }

    /// The copy of the package, with all but its changed sources.
    pub(super) fn copy(
        &self,
        package: &Package,
        confinement: Confinement,
    ) -> Result<Copy, RustError> {
        let Callee { path, turbofish, .. } = &self.callee;
        // What is built of different copies has different names, or one would replace the other.
        let kind = match confinement {
            Confinement::Process => "",
            Confinement::Sandbox => "-sandbox",
        };
        let name = format!("{}-{}{kind}", package.name, plain(&format!("{path}{turbofish}")));
        let own: Vec<_> = self.files.iter().map(|file| package.folder.join(&file.path)).collect();
        let copy = Copy::new(package, package.target.join("genmorph").join(&name), &own)?;
        let root = self.files[0].path.display().to_string();
        let target = match confinement {
            Confinement::Process => {
                format!("[[bin]]\nname = \"genmorph-{name}\"\npath = {root:?}\n")
            }
            Confinement::Sandbox => format!(
                "[lib]\nname = \"genmorph_{}\"\npath = {root:?}\ncrate-type = [\"cdylib\"]\n",
                name.replace('-', "_")
            ),
        };
        copy.write(Path::new("Cargo.toml"), package.manifest(&target).as_bytes())?;
        let beside = self.beside_root();
        copy.write(&beside.join("__genmorph.rs"), SWITCH.as_bytes())?;
        let (name, text) = match confinement {
            Confinement::Process => ("__genmorph_worker.rs", WORKER),
            Confinement::Sandbox => ("genmorph.rs", GUEST),
        };
        copy.write(&beside.join(name), text.as_bytes())?;
        Ok(copy)
    }

    fn append(&mut self, (file, at): (usize, usize), text: String) {
        self.files[file].changes.inserts.push(Insert { at: at..at, text, arm: None });
    }

    /// The folder of the first file: modules of ours go there.
    fn beside_root(&self) -> PathBuf {
        self.files[self.root.0].path.parent().map(PathBuf::from).unwrap_or_default()
    }
}

/// A name that files and programs may have.
fn plain(path: &str) -> String {
    path.replace("::", "-")
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() || c == '_' { c } else { '-' })
        .collect()
}
