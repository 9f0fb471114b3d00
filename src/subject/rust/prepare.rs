//! From a package and some of its functions to the files of a copy: mutants, probes, and the code that calls.
//!
//! All that is read off the syntax is read here; what comes out is text and numbers.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use super::build::ChangedFile;
use super::call;
use super::callee::Callee;
use super::copy::Copy;
use super::entry;
use super::error::RustError;
use super::mutate::{self, Changes, Insert, InsertOf, Inventory, Survey};
use super::package::Package;
use super::sandbox;
use super::scope;
use super::source::Sources;
use super::subject::Confinement;
use crate::subject::Signature;

/// What the root of a copy has in every case. The crate may do without the standard library; we do not.
const BEGIN: &str = "\nextern crate std as __gm_std;\n#[allow(warnings)]\nmod __genmorph;\n";

/// Files that a copy has besides those of the package.
const SWITCH: &str = include_str!("harness/switch.rs.in");
const WORKER: &str = include_str!("harness/worker.rs.in");
const GUEST: &str = include_str!("../wasm/guest/genmorph.rs");

/// A function that is to be called, with what is known of it.
pub(super) struct Asked {
    /// Its number among those of the sources.
    pub(super) function: usize,
    pub(super) callee: Callee,
    pub(super) signature: Signature,
}

/// A function that the copy calls.
pub(super) struct Call {
    pub(super) callee: Callee,
    pub(super) signature: Signature,
    /// The numbers of the functions that are mutated for it.
    pub(super) scope: BTreeSet<usize>,
    /// Their names, its own first.
    pub(super) names: Vec<String>,
    /// The numbers of the mutants that nobody needs.
    pub(super) surplus: BTreeSet<u32>,
    /// Where the code that calls goes: the file, and the byte.
    place: (usize, usize),
    /// The module of the function, as a path.
    module: String,
}

/// What there is to build and to know.
pub(super) struct Preparation {
    pub(super) calls: Vec<Call>,
    /// The files of the copy that differ from those of the package.
    pub(super) files: Vec<ChangedFile>,
    pub(super) inventory: Inventory,
    /// The file that the crate begins with, and where it ends.
    root: (usize, usize),
}

/// Surveys the sources of a package for functions that are asked for.
pub(super) fn prepare(
    package: &Package,
    sources: Sources,
    asked: Vec<Asked>,
) -> Result<Preparation, RustError> {
    if let Some(file) = sources.files.iter().find(|file| !package.has(&file.path)) {
        return Err(RustError::Package(format!(
            "{} belongs to {} but is not in its folder, so it would not be in a copy of it",
            file.path.display(),
            package.name
        )));
    }
    let is_alone = asked.len() == 1;
    let firsts: BTreeSet<usize> = asked.iter().map(|asked| asked.function).collect();
    let mut calls: Vec<Call> = Vec::new();
    for Asked { function, callee, signature } in asked {
        let numbers = scope::functions(&sources, function).into_iter().filter(|&number| {
            scope::can_change(&sources.functions[number], firsts.contains(&number))
        });
        let numbers: Vec<usize> = numbers.collect();
        let home = &sources.modules[sources.functions[function].module];
        calls.push(Call {
            names: numbers.iter().map(|&n| sources.path(&sources.functions[n])).collect(),
            scope: numbers.into_iter().collect(),
            surplus: BTreeSet::new(),
            place: (home.file, home.end),
            module: home.path.iter().map(|name| format!("{name}::")).collect(),
            callee,
            signature,
        });
    }
    let mut inventory = Inventory::default();
    let mut changes: Vec<Changes> = sources.files.iter().map(|_| Changes::default()).collect();
    let mutated: BTreeSet<usize> = calls.iter().flat_map(|call| call.scope.clone()).collect();
    for number in mutated {
        let function = &sources.functions[number];
        let file = sources.modules[function.module].file;
        let name = sources.path(function);
        let mut survey = Survey::new(&sources.files[file].text, file, &mut inventory);
        survey.changes = std::mem::take(&mut changes[file]);
        survey.numbered(number, &name, &function.sig, &function.block);
        changes[file] = survey.changes;
    }
    for call in &mut calls {
        let candidates = inventory.candidates.iter().filter(|c| call.scope.contains(&c.home));
        let surplus = mutate::surplus(&candidates.collect::<Vec<_>>(), is_alone);
        call.surplus = surplus.into_iter().collect();
    }
    open(&sources, &calls, &mut changes);
    let root = &sources.modules[0];
    for at in &sources.crate_names {
        changes[root.file].inserts.push(insert(at.clone(), ""));
    }
    if package.is_program() {
        let main = sources
            .functions
            .iter()
            .find(|f| f.module == 0 && f.owner.is_none() && f.name() == "main");
        if let Some(main) = main {
            let at = main.sig.ident.span().byte_range();
            changes[root.file].inserts.push(insert(at, "__genmorph_main_of_the_program"));
        }
    }
    let root = (root.file, root.end);
    let files = sources.files.into_iter().zip(changes);
    let files = files.map(|(file, changes)| ChangedFile {
        path: package.relative(&file.path).to_owned(),
        text: file.text,
        changes,
    });
    let files = files.collect();
    Ok(Preparation { calls, files, inventory, root })
}

/// The code that starts everything is in the root, and has to see the functions: their modules are no longer private.
fn open(sources: &Sources, calls: &[Call], changes: &mut [Changes]) {
    for module in &sources.modules {
        let path: String = module.path.iter().map(|name| format!("{name}::")).collect();
        let is_on_the_way = calls.iter().any(|call| call.module.starts_with(&path));
        if let Some((file, at)) = module.private.as_ref().filter(|_| is_on_the_way) {
            changes[*file].inserts.push(insert(at.clone(), "pub(crate) "));
        }
    }
}

fn insert(at: std::ops::Range<usize>, text: &str) -> Insert {
    Insert { at, text: text.to_owned(), of: InsertOf::Copy }
}

impl Preparation {
    /// Puts the code that calls the functions into the files.
    pub(super) fn add_calls(&mut self, confinement: Confinement) -> Result<(), RustError> {
        match confinement {
            Confinement::Process => {
                self.add_worker();
                Ok(())
            }
            Confinement::Sandbox => {
                sandbox::check()?;
                self.add_exports()
            }
        }
    }

    /// The mutants that no function needs.
    pub(super) fn surplus(&self) -> BTreeSet<u32> {
        let candidates = self.inventory.candidates.iter();
        let needed = |number: u32, home: usize| {
            let mut calls = self.calls.iter().filter(|call| call.scope.contains(&home));
            calls.any(|call| !call.surplus.contains(&number))
        };
        candidates.filter(|c| !needed(c.number, c.home)).map(|c| c.number).collect()
    }

    /// The branches that a function has, by their numbers in the copy.
    pub(super) fn forks(&self, call: usize) -> Vec<u32> {
        let scope = &self.calls[call].scope;
        let forks = self.inventory.forks.iter().zip(0..);
        forks.filter(|(fork, _)| scope.contains(&fork.home)).map(|(_, number)| number).collect()
    }

    /// Puts the code that calls into the files, and a program around it.
    fn add_worker(&mut self) {
        let root = self.root;
        let begin = format!(
            "{BEGIN}#[allow(warnings)]\nmod __genmorph_worker;\n#[allow(warnings)]\n\
             fn main() {{ match __genmorph_worker::chosen() {{\n"
        );
        let mut items: Vec<_> = Vec::new();
        let mut arms: Vec<_> = Vec::new();
        for (number, Call { callee, signature, place, module, .. }) in self.calls.iter().enumerate()
        {
            let name = call::name(number);
            items.push((*place, call::item(&name, callee, signature), InsertOf::Call(number)));
            let (inputs, outputs) = call::kinds(signature);
            let forks = self.forks(number);
            let arm = format!(
                "{number} => __genmorph_worker::serve({module}{name}, &{inputs:?}, &{outputs:?}, &{forks:?}),\n"
            );
            arms.push((root, arm, InsertOf::Call(number)));
        }
        items.into_iter().for_each(|(place, text, of)| self.append(place, text, of));
        self.append(root, begin, InsertOf::Copy);
        arms.into_iter().for_each(|(place, text, of)| self.append(place, text, of));
        let end = "_ => __gm_std::process::exit(96),\n} }\n".to_owned();
        self.append(root, end, InsertOf::Copy);
    }

    /// Puts the code that calls into the files, as functions that a sandbox knows by their names.
    fn add_exports(&mut self) -> Result<(), RustError> {
        let [Call { callee, signature, place, module, .. }] = self.calls.as_slice() else {
            return Err(RustError::Package("a sandbox runs one function at a time".to_owned()));
        };
        let item = entry::item(callee, signature).map_err(RustError::Parameter)?;
        let exports = entry::exports(module, signature);
        self.append(*place, item, InsertOf::Copy);
        self.append(self.root, format!("{BEGIN}{exports}"), InsertOf::Copy);
        Ok(())
    }

    /// The copy of the package, with all but its changed sources.
    pub(super) fn copy(
        &self,
        package: &Package,
        confinement: Confinement,
    ) -> Result<Copy, RustError> {
        let functions = match self.calls.as_slice() {
            [call] => plain(&format!("{}{}", call.callee.path, call.callee.turbofish)),
            _ => "several".to_owned(),
        };
        // What is built of different copies has different names, or one would replace the other.
        let kind = match confinement {
            Confinement::Process => "",
            Confinement::Sandbox => "-sandbox",
        };
        let name = format!("{}-{functions}{kind}", package.name);
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

    fn append(&mut self, (file, at): (usize, usize), text: String, of: InsertOf) {
        self.files[file].changes.inserts.push(Insert { at: at..at, text, of });
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
