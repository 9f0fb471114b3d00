//! What can be wrong with the definition of a subject.

use std::io;
use std::path::PathBuf;

use crate::subject::wasm::{ChoiceError, Mismatch, ModuleError};
use crate::subject::wit::BadSignature;
use crate::support::pointer::Pointer;

/// A definition that cannot be used.
#[derive(Debug, thiserror::Error)]
#[error("{}: {problem}", file.display())]
pub struct WasmDefinitionError {
    /// The file.
    pub file: PathBuf,
    /// What is wrong with it.
    pub problem: Problem,
}

/// What is wrong with a definition.
#[derive(Debug, thiserror::Error)]
pub enum Problem {
    /// It cannot be read.
    #[error("cannot read the definition of a subject: {0}")]
    Io(#[from] io::Error),
    /// Something at a place in it.
    #[error("line {line}, column {column}: {message}\n\n{pointer}")]
    Text {
        /// Counted from 1.
        line: usize,
        /// In characters, counted from 1.
        column: usize,
        /// What, and what to write instead.
        message: String,
        /// The line with a mark under the place.
        pointer: Pointer,
    },
    /// The signature in it cannot be read.
    #[error("line {line}, in the signature, {error}")]
    Signature {
        /// Counted from 1.
        line: usize,
        /// What is wrong.
        error: BadSignature,
    },
    /// The module says a signature that cannot be read.
    #[error("the export `{export}` says a signature that cannot be read; in it, {error}")]
    Described {
        /// The name of the export.
        export: String,
        /// What is wrong.
        error: BadSignature,
    },
    /// No signature is known.
    #[error(
        "nothing says what the arguments of `{function}` mean, which is {core} in the module: \
         add `signature = \"func(…) -> …\"`"
    )]
    Undescribed {
        /// The function.
        function: String,
        /// Its core types.
        core: String,
    },
    /// The module cannot be run.
    #[error(transparent)]
    Module(#[from] ModuleError),
    /// The function is not clear.
    #[error(transparent)]
    Choice(#[from] ChoiceError),
    /// The signature that the module says is not that of its code.
    #[error(transparent)]
    Mismatch(#[from] Mismatch),
    /// There is nothing to transform.
    #[error("`{0}` takes nothing, so it has no inputs that could be related")]
    NoInputs(String),
    /// There is nothing to look at.
    #[error(
        "`{0}` returns nothing and changes nothing: if it changes a list in place, \
         say so with `changed = [\"NAME\"]`"
    )]
    NoOutputs(String),
}
