//! Errors in the definition of a subject.

use std::io;
use std::path::PathBuf;

use crate::subject::wasm::{ChoiceError, Mismatch, ModuleError};
use crate::subject::wit::BadSignature;
use crate::support::pointer::Pointer;

/// A definition that cannot be used.
#[derive(Debug, thiserror::Error)]
#[error("{}: {problem}", file.display())]
pub struct WasmDefinitionError {
    /// Path of the definition.
    pub file: PathBuf,
    /// The problem, with its place.
    pub problem: Problem,
}

/// Problems that a definition can have.
#[derive(Debug, thiserror::Error)]
pub enum Problem {
    /// The file cannot be read.
    #[error("cannot read the definition of a subject: {0}")]
    Io(#[from] io::Error),
    /// A problem at a place of the file.
    #[error("line {line}, column {column}: {message}\n\n{pointer}")]
    Text {
        /// The line, counted from 1.
        line: usize,
        /// The column in characters, counted from 1.
        column: usize,
        /// The problem, and what to write instead.
        message: String,
        /// The line with a mark under the place.
        pointer: Pointer,
    },
    /// The signature in the definition cannot be parsed.
    #[error("line {line}, in the signature, {error}")]
    Signature {
        /// The line of the signature, counted from 1.
        line: usize,
        /// The error within the signature.
        error: BadSignature,
    },
    /// The signature in the module cannot be parsed.
    #[error("the signature in the module for the export `{export}` cannot be read: {error}")]
    Described {
        /// Name of the export.
        export: String,
        /// The error within the signature.
        error: BadSignature,
    },
    /// Neither the definition nor the module has a signature.
    #[error(
        "the signature of `{function}` is not known (it is {core} in the module): \
         add `signature = \"func(…) -> …\"`"
    )]
    Undescribed {
        /// Name of the function.
        function: String,
        /// Core type of the function.
        core: String,
    },
    /// The module cannot be run.
    #[error(transparent)]
    Module(#[from] ModuleError),
    /// No export can be chosen.
    #[error(transparent)]
    Choice(#[from] ChoiceError),
    /// The signature does not fit the code.
    #[error(transparent)]
    Mismatch(#[from] Mismatch),
    /// The function has no parameters.
    #[error("`{0}` takes nothing, so it has no inputs that could be related")]
    NoInputs(String),
    /// The function has no outputs.
    #[error(
        "`{0}` returns nothing and changes nothing: if it changes a list in place, \
         say so with `changed = [\"NAME\"]`"
    )]
    NoOutputs(String),
}
