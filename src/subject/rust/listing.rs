//! The functions of a crate: which of them can be subjects, why others cannot, and one build for those that are chosen.
//!
//! A function whose types nobody has named gets usual ones: the first of [`USUAL`] that the compiler takes.

use std::collections::BTreeMap;
use std::path::Path;

use super::built::BuiltCrate;
use super::callee::Callee;
use super::error::RustError;
use super::package::{Package, Place};
use super::prepare::Asked;
use super::source::{Function, OwnerKind, Sources, bytes, one_line};
use super::subject::{Runtime, RustSpec, RustSubject};
use super::types::Arguments;

/// What type parameters stand for, where nobody says: the first that compiles.
const USUAL: [&str; 5] = ["i64", "f64", "String", "Vec<u8>", "char"];

/// A function of a crate.
#[derive(Clone, Debug, PartialEq)]
pub struct ListedFunction {
    /// Its path from the root of the crate.
    pub path: String,
    /// The modules that it is in, as a path; empty for the root.
    pub module: String,
    /// Whether other crates can call it.
    pub is_public: bool,
    /// Its file, from the folder of the package.
    pub file: String,
    /// Its first and its last line.
    pub lines: (usize, usize),
    /// Why it cannot be a subject, if it cannot.
    pub refusal: Option<String>,
    /// Its number among the functions of the sources.
    number: usize,
    /// How it may be called.
    ways: Vec<Callee>,
}

/// The functions of a crate.
pub struct CrateListing {
    package: Package,
    sources: Sources,
    place: Place,
    functions: Vec<ListedFunction>,
}

impl CrateListing {
    /// Reads the sources of a package.
    ///
    /// # Errors
    /// When there is no such package, or a file of it is no Rust.
    pub fn read(place: &Place, with: &Arguments) -> Result<CrateListing, RustError> {
        let package = Package::find(place)?;
        let sources = Sources::read(&package.root, package.cfg())?;
        let functions = sources.functions.iter().enumerate();
        let listed = |(number, function)| listed(&package, &sources, number, function, with);
        let functions = functions.filter_map(listed).collect();
        Ok(CrateListing { functions, package, sources, place: place.clone() })
    }

    /// The functions, public ones first, each group in the order of the sources.
    pub fn functions(&self) -> Vec<&ListedFunction> {
        let mut all: Vec<&ListedFunction> = self.functions.iter().collect();
        all.sort_by_key(|function| !function.is_public);
        all
    }

    /// The package.
    pub fn package(&self) -> &Package {
        &self.package
    }

    /// Builds the crate once, with the mutants of functions that can be subjects, by their paths.
    ///
    /// # Errors
    /// When the crate cannot be built.
    pub fn build(
        self,
        chosen: &[ListedFunction],
        runtime: &Runtime,
    ) -> Result<BuiltFunctions, RustError> {
        let mut asked = Vec::new();
        let mut calls = Vec::new();
        for function in chosen {
            let mut own = Vec::new();
            for callee in &function.ways {
                own.push(asked.len());
                let signature = callee.signature(&BTreeMap::new())?;
                let (callee, function) = (callee.clone(), function.number);
                asked.push(Asked { function, callee, signature });
            }
            calls.push((function.path.clone(), own));
        }
        let built = BuiltCrate::new(self.package, self.sources, asked, runtime)?;
        Ok(BuiltFunctions { built, calls, place: self.place, runtime: runtime.clone() })
    }
}

/// A crate with the mutants of several functions, each of which can be made a subject.
pub struct BuiltFunctions {
    built: BuiltCrate,
    /// The functions by their paths, with the numbers of the ways to call them.
    calls: Vec<(String, Vec<usize>)>,
    place: Place,
    runtime: Runtime,
}

impl BuiltFunctions {
    /// How many times the crate was compiled.
    pub fn rounds(&self) -> usize {
        self.built.rounds()
    }

    /// A function by its number among those that were chosen, called in the first way that the compiler takes.
    ///
    /// # Errors
    /// When the compiler takes none, or no worker starts.
    pub fn subject(&self, number: usize) -> Result<RustSubject, RustError> {
        let (path, ways) = &self.calls[number];
        let possible = ways.iter().find(|&&way| self.built.refusal(way).is_none());
        let Some(&way) = possible.or(ways.first()) else {
            let (function, reason) = (path.clone(), "there is no way to call it".to_owned());
            return Err(RustError::Uncallable { function, reason });
        };
        let (place, function) = (self.place.clone(), path.clone());
        let spec = RustSpec { place, function, ..RustSpec::default() };
        self.built.subject(way, &spec, &self.runtime)
    }
}

fn listed(
    package: &Package,
    sources: &Sources,
    number: usize,
    function: &Function,
    with: &Arguments,
) -> Option<ListedFunction> {
    let module = &sources.modules[function.module];
    // What starts a program is no function of values.
    if function.name() == "main" && module.path.is_empty() && function.owner.is_none() {
        return None;
    }
    let (ways, refusal) = match ways(sources, function, with) {
        Ok(ways) => (ways, None),
        Err(RustError::Unsupported { reason, .. }) => (Vec::new(), Some(reason)),
        Err(error) => (Vec::new(), Some(error.to_string())),
    };
    let path: &Path = package.relative(&sources.files[module.file].path);
    let text = &sources.files[module.file].text;
    let line = |at: usize| text[..at].matches('\n').count() + 1;
    let is_asked_for =
        |kind: &OwnerKind| matches!(kind, OwnerKind::OfTrait(_) | OwnerKind::Default);
    let kind = function.owner.as_ref().map(|owner| &owner.kind);
    Some(ListedFunction {
        path: sources.path(function),
        module: module.path.join("::"),
        is_public: sources.public_path(function).is_some() || kind.is_some_and(is_asked_for),
        file: path.display().to_string(),
        lines: (line(bytes(&function.sig).start), line(bytes(&function.block).end)),
        refusal,
        number,
        ways,
    })
}

/// The ways to call a function: one, or one for each usual type.
fn ways(
    sources: &Sources,
    function: &Function,
    with: &Arguments,
) -> Result<Vec<Callee>, RustError> {
    let generics = &function.sig.generics;
    let types: Vec<String> = generics.type_params().map(|p| p.ident.to_string()).collect();
    let missing: Vec<&String> = types.iter().filter(|name| !with.contains_key(*name)).collect();
    let own: Arguments = with
        .iter()
        .filter(|(name, _)| types.contains(name))
        .map(|(n, t)| (n.clone(), t.clone()))
        .collect();
    if missing.is_empty() || generics.const_params().next().is_some() {
        return Ok(vec![Callee::read(sources, function, &own)?]);
    }
    let mut ways = Vec::new();
    let mut refused = None;
    for usual in USUAL {
        let mut given = own.clone();
        // What no parameter is of, the compiler finds out: the elements of a collection, for instance.
        let type_of = |name: &str| if is_named(function, name) { usual } else { "_" };
        given.extend(missing.iter().map(|name| ((*name).clone(), type_of(name).to_owned())));
        match Callee::read(sources, function, &given) {
            Ok(callee) => ways.push(callee),
            Err(error) => refused = refused.or(Some(error)),
        }
    }
    match refused {
        Some(refused) if ways.is_empty() => Err(refused),
        _ => Ok(ways),
    }
}

/// Whether a parameter or the result of a function is of a type parameter.
fn is_named(function: &Function, name: &str) -> bool {
    let inputs = one_line(&function.sig.inputs);
    let text = format!("{inputs} {}", one_line(&function.sig.output));
    text.split(|c: char| !c.is_alphanumeric() && c != '_').any(|word| word == name)
}
