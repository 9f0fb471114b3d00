//! Functions of WebAssembly modules as users define them: a `subject.toml` next to a module.
//!
//! ```toml
//! module = "pad_start.wat"      # .wasm or .wat, from the folder of this file
//! export = "pad_start"          # not needed if the module has only one function to offer
//! signature = "func(s: string, n: s32, c: char) -> string"   # not needed if the module says it
//! changed = []                  # lists that the function changes in place
//! scope = ["pad_start", "src/pad.c"]   # functions and source files that mutants are made in
//!
//! [domain]                      # which inputs make sense; whatever is left out is not bounded
//! n = { range = [-5, 20] }
//! s = { min_len = 0, max_len = 12, alphabet = ["a-z", "A-Z", " ,.é"] }
//! c = { alphabet = "*0 " }
//! where = "n <= length(s)"      # what all inputs satisfy, over the parameters
//! ```
//!
//! An alphabet is a string of characters, or a list of strings, in which those of the form `a-z` are ranges.
//! Reads files; runs nothing, and knows nothing of mutants.

mod domain;
mod draft;
mod error;
mod file;

use std::fs;
use std::path::Path;

pub use self::draft::draft;
pub use self::error::{Problem, WasmDefinitionError};
use self::file::{DefinitionFile, Place};
use super::inspect::{self, Export, Inspection};
use crate::subject::definition::SecondName;
use crate::subject::definition::given::GivenCondition;
use crate::subject::signature::{Signature, Type};
use crate::subject::{Identity, IdentityBuilder};

/// Stands for the text of a definition without a file.
const BUILT_IN: &str = "built-in";

/// A function of a module, with everything needed to run it.
#[derive(Clone, Debug, PartialEq)]
pub struct WasmDefinition {
    /// The text of the definition file.
    pub text: String,
    /// The module, in binary form.
    pub module: Vec<u8>,
    /// The exact name of the export.
    pub export: String,
    /// The function's signature, with the domains of its parameters.
    pub signature: Signature,
    /// The functions and source files that are mutated; if empty, genmorph chooses.
    pub scope: Vec<String>,
    /// The second function, if it names one.
    pub second: Option<SecondName>,
    /// What all inputs satisfy.
    pub condition: Option<GivenCondition>,
}

impl WasmDefinition {
    /// Reads a definition, and the module that it names.
    ///
    /// # Errors
    /// When a file cannot be read, or has a problem; the error names the place.
    pub fn read(path: impl AsRef<Path>) -> Result<WasmDefinition, WasmDefinitionError> {
        let path = path.as_ref();
        let failed = |problem| WasmDefinitionError { file: path.to_owned(), problem };
        let text = fs::read_to_string(path).map_err(|error| failed(Problem::Io(error)))?;
        let written = DefinitionFile::parse(&text).map_err(failed)?;
        let name = written.module.get_ref();
        let module = path.parent().unwrap_or(Path::new("")).join(name);
        let bytes = fs::read(&module).map_err(|error| {
            let message = format!("cannot read the module {}: {error}", module.display());
            failed(Place::of(&text, written.module.span()).problem(message))
        })?;
        let in_module =
            |error| WasmDefinitionError { file: module.clone(), problem: Problem::Module(error) };
        let bytes = inspect::binary(&module, bytes).map_err(in_module)?;
        let inspection = inspect::inspect(&bytes).map_err(in_module)?;
        build(&text, &written, bytes, &inspection).map_err(failed)
    }

    /// The definition of another export of the module, whose signature the module tells.
    ///
    /// # Errors
    /// When the module has no such export, or says too little of it.
    pub fn other(&self, export: &str) -> Result<WasmDefinition, String> {
        let text = format!("module = \"\"\nexport = {export:?}\n");
        let written = DefinitionFile::parse(&text).map_err(|error| error.to_string())?;
        let inspection = inspect::inspect(&self.module).map_err(|error| error.to_string())?;
        let found = build(&text, &written, self.module.clone(), &inspection);
        found.map_err(|error| {
            format!("{error}\nwrite a definition of the second function, and name that file: `decode.toml`")
        })
    }

    /// The identity of the subject that it defines.
    pub fn identity(&self) -> Identity {
        let WasmDefinition { text, module, export: _, signature, scope, second: _, condition: _ } =
            self;
        let identity = IdentityBuilder::new(text).domains_of(signature);
        let identity = scope.iter().fold(identity, |identity, item| identity.scope(item));
        identity.code(module).finish()
    }

    /// The built-in demo: `pow` by squaring, the running example of the paper.
    pub fn demo() -> WasmDefinition {
        const TEXT: &str = include_str!("../../../../tests/subjects/pow/subject.toml");
        const MODULE: &str = include_str!("../../../../tests/subjects/pow/pow.wat");
        let written = DefinitionFile::parse(TEXT).expect("a test reads it");
        let bytes = inspect::binary(Path::new("pow.wat"), MODULE.into()).expect("a test reads it");
        let inspection = inspect::inspect(&bytes).expect("a test reads it");
        let built = build(TEXT, &written, bytes, &inspection).expect("a test reads it");
        WasmDefinition { text: BUILT_IN.to_owned(), ..built }
    }
}

fn build(
    text: &str,
    written: &DefinitionFile,
    module: Vec<u8>,
    inspection: &Inspection,
) -> Result<WasmDefinition, Problem> {
    let name = written.export.as_ref().map(|export| export.get_ref().as_str());
    let export = inspection.choose(name).map_err(|error| match &written.export {
        Some(export) => Place::of(text, export.span()).problem(error.to_string()),
        None => Problem::Choice(error),
    })?;
    let (mut signature, place) = signature(text, written, export)?;
    inspection.check(export, &signature).map_err(|error| match &place {
        Some(place) => place.problem(error.to_string()),
        None => Problem::Mismatch(error),
    })?;
    for name in &written.changed {
        let wrong = |message| Err(Place::of(text, name.span()).problem(message));
        let index = signature.parameters.iter().position(|p| p.name == *name.get_ref());
        let Some(index) = index else {
            return wrong(domain::unknown(name.get_ref(), &signature));
        };
        match signature.parameters[index].ty {
            Type::List(_) if signature.changed.contains(&index) => {}
            Type::List(_) => signature.changed.push(index),
            ty => {
                let message = format!("`{}` is a {ty}: only lists can be changed", name.get_ref());
                return wrong(message);
            }
        }
    }
    signature.changed.sort_unstable();
    if signature.parameters.is_empty() {
        return Err(Problem::NoInputs(signature.function));
    }
    if signature.outputs().is_empty() {
        return Err(Problem::NoOutputs(signature.function));
    }
    for (name, bounds) in &written.domain.limits {
        domain::apply(text, name, bounds, &mut signature)?;
    }
    if let Some(empty) = written.scope.iter().find(|item| item.get_ref().trim().is_empty()) {
        let message = "a scope is the name of a function or a source file".to_owned();
        return Err(Place::of(text, empty.span()).problem(message));
    }
    let scope = written.scope.iter().map(|item| item.get_ref().clone()).collect();
    let DefinitionFile { inverse, same_as, then, .. } = written;
    let second = SecondName::only(inverse.as_deref(), same_as.as_deref(), then.as_deref());
    let second = second.map_err(|message| Place::of(text, 0..0).problem(message))?;
    Ok(WasmDefinition {
        text: text.to_owned(),
        module,
        export: export.name.clone(),
        signature,
        scope,
        second,
        condition: written.domain.condition(text),
    })
}

/// The signature, and its place if it is in the definition.
fn signature(
    text: &str,
    written: &DefinitionFile,
    export: &Export,
) -> Result<(Signature, Option<Place>), Problem> {
    if let Some(signature) = &written.signature {
        let place = Place::of(text, signature.span());
        return match Signature::parse(&export.function, signature.get_ref()) {
            Ok(signature) => Ok((signature, Some(place))),
            Err(error) => Err(Problem::Signature { line: place.line, error }),
        };
    }
    match (&export.described, &export.inferred) {
        (Some(Ok(signature)), _) => Ok((signature.clone(), None)),
        (Some(Err(error)), _) => {
            Err(Problem::Described { export: export.name.clone(), error: error.clone() })
        }
        (None, Some(signature)) => Ok((signature.clone(), None)),
        (None, None) => {
            let (function, core) = (export.function.clone(), export.core.clone());
            Err(Problem::Undescribed { function, core })
        }
    }
}
