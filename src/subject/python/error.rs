//! What keeps a Python function from being a subject, said so that the user knows what to do.

use super::interpreter::InterpreterError;
use crate::subject::MachineFailure;

/// A Python function that cannot be run.
#[derive(Debug, thiserror::Error)]
pub enum PythonError {
    /// There is no interpreter that can be used.
    #[error(transparent)]
    Interpreter(#[from] InterpreterError),
    /// What the harness says of the function, or of its module.
    #[error("{0}")]
    Refused(String),
    /// The module does not get imported.
    #[error(
        "the module `{module}` {what} while it is imported or tried: is that meant for a script?"
    )]
    Import {
        /// The name of the module.
        module: String,
        /// What it does.
        what: &'static str,
    },
    /// A domain that does not fit.
    #[error("{0}")]
    Parameter(String),
    /// A file that belongs to the function cannot be read.
    #[error("cannot read {}: {source}", path.display())]
    File {
        /// The path of the file.
        path: std::path::PathBuf,
        /// What the system says.
        source: std::io::Error,
    },
    /// The worker did not come up, or speaks another language.
    #[error("the worker did not start: {command}: {message}")]
    Worker {
        /// The program that was started.
        command: String,
        /// What it said, and how it ended.
        message: String,
    },
}

/// For a subject that is being made: its first worker does not start.
impl From<MachineFailure> for PythonError {
    fn from(failure: MachineFailure) -> PythonError {
        match failure {
            MachineFailure::Worker { command, message } => PythonError::Worker { command, message },
            // Modules are imported before anything is run.
            MachineFailure::MissingClass { .. } => PythonError::Refused(failure.to_string()),
        }
    }
}
