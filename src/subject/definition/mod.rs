//! Subjects as users define them in a `subject.toml`: a function of a WebAssembly module, a Java method, or a Python function.
//!
//! The file says which by a key at its top: `module`, `java` or `python`. Each kind is defined in its own room; what all have in
//! common, the domains of parameters, is here. Reads files; runs nothing, and knows nothing of mutants.

pub(super) mod alphabet;
mod domain;
pub(super) mod given;
pub(super) mod limits;
mod second;

pub use self::second::SecondName;

use std::fs;
use std::path::Path;

pub use self::given::{BadCondition, GivenCondition};
use super::jvm::{BadDefinition, JavaDefinition};
use super::python::{BadPythonDefinition, PythonDefinition};
use super::wasm::{WasmDefinition, WasmDefinitionError};

pub use self::domain::domain;

/// The most elements of a text or list: thousands of inputs are kept in memory.
const MOST_ELEMENTS: usize = 20_000;

/// Refuses a length that no machine has room for.
pub(super) fn check_length(name: &str, length: usize) -> Result<(), String> {
    if length > MOST_ELEMENTS {
        return Err(format!(
            "`{name}` cannot have {length} elements: at most {MOST_ELEMENTS} are possible"
        ));
    }
    Ok(())
}

/// The definition of a subject.
#[derive(Clone, Debug, PartialEq)]
pub enum Definition {
    /// A function of a WebAssembly module.
    Wasm(WasmDefinition),
    /// A static Java method.
    Java(JavaDefinition),
    /// A Python function.
    Python(PythonDefinition),
}

/// A definition that cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum DefinitionError {
    /// That of a function of a WebAssembly module.
    #[error(transparent)]
    Wasm(#[from] WasmDefinitionError),
    /// That of a Java method.
    #[error(transparent)]
    Java(#[from] BadDefinition),
    /// That of a Python function.
    #[error(transparent)]
    Python(#[from] BadPythonDefinition),
}

impl Definition {
    /// Reads a definition, and the module that it is about if it is of one.
    ///
    /// # Errors
    /// When a file cannot be read, or something in it makes no sense; the error says where.
    pub fn read(path: impl AsRef<Path>) -> Result<Definition, DefinitionError> {
        let path = path.as_ref();
        if is_of("java", path) {
            return Ok(Definition::Java(JavaDefinition::read(path)?));
        }
        if is_of("python", path) {
            return Ok(Definition::Python(PythonDefinition::read(path)?));
        }
        Ok(Definition::Wasm(WasmDefinition::read(path)?))
    }

    /// The second function that it names.
    pub fn second(&self) -> Option<&SecondName> {
        match self {
            Definition::Wasm(definition) => definition.second.as_ref(),
            Definition::Java(definition) => definition.second.as_ref(),
            Definition::Python(_) => None,
        }
    }

    /// The condition on inputs, if it has one.
    pub fn condition(&self) -> Option<&GivenCondition> {
        match self {
            Definition::Wasm(definition) => definition.condition.as_ref(),
            Definition::Java(definition) => definition.condition.as_ref(),
            Definition::Python(definition) => definition.condition.as_ref(),
        }
    }

    /// The definition of the built-in subject, `pow`.
    pub fn demo() -> Definition {
        Definition::Wasm(WasmDefinition::demo())
    }
}

/// Whether a definition has this key. A file that is no TOML is left to the reader of modules, whose error says
/// where the mistake is.
fn is_of(key: &str, path: &Path) -> bool {
    let text = fs::read_to_string(path).unwrap_or_default();
    toml::from_str::<toml::Table>(&text).is_ok_and(|table| table.contains_key(key))
}
