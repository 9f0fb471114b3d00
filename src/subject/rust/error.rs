//! What keeps a Rust function from being a subject, said so that the user knows what to do.
//!
//! Knows nothing of what calls do: that is never an error.

use std::io;
use std::path::PathBuf;

use crate::subject::MachineFailure;

/// A Rust function that cannot be run, or a crate that cannot be built.
#[derive(Debug, thiserror::Error)]
pub enum RustError {
    /// Cargo is not there, or fails.
    #[error("`{command}` failed: {message}")]
    Cargo {
        /// The command that was run.
        command: String,
        /// What the command printed.
        message: String,
    },
    /// The package is not one of the workspace, or there are several.
    #[error("{0}")]
    Package(String),
    /// A file of the crate, or of the copy.
    #[error("cannot {what} {}: {source}", path.display())]
    File {
        /// What was to be done.
        what: &'static str,
        /// The file that could not be read or written.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// A file that is no Rust.
    #[error("{}:{line}:{column}: {message}", path.display())]
    Syntax {
        /// The file with the mistake.
        path: PathBuf,
        /// The line, counted from 1.
        line: usize,
        /// The column, counted from 1.
        column: usize,
        /// What the parser says.
        message: String,
    },
    /// The crate has no such function.
    #[error("there is no function `{asked}` in the crate {package}{}", Near(near))]
    NoFunction {
        /// What was asked for.
        asked: String,
        /// The name of the crate.
        package: String,
        /// Functions with similar names.
        near: Vec<String>,
    },
    /// The function is there, but not compiled.
    #[error("`{function}` is not compiled: {why}")]
    NotCompiled {
        /// The path of the function.
        function: String,
        /// What leaves it out.
        why: String,
    },
    /// Several functions have that name.
    #[error("`{asked}` may be any of these; name one of them:\n  {}", all.join("\n  "))]
    Ambiguous {
        /// What was asked for.
        asked: String,
        /// The paths of these functions.
        all: Vec<String>,
    },
    /// A function that relations cannot be about.
    #[error("{function} at {place} cannot be a subject: {reason}")]
    Unsupported {
        /// The path of the function.
        function: String,
        /// Its file and line.
        place: String,
        /// Why relations cannot be about it.
        reason: String,
    },
    /// The compiler refuses the code that calls a function.
    #[error("{function} cannot be a subject: its call does not compile: {reason}")]
    Uncallable {
        /// The path of the function.
        function: String,
        /// What the compiler says.
        reason: String,
    },
    /// A domain or a type argument that does not fit.
    #[error("{0}")]
    Parameter(String),
    /// The compiler does not like the crate, with or without mutants.
    #[error("{package} cannot be built for genmorph:\n{message}\ndoes `cargo build` work? the copy is in {}", copy.display())]
    Build {
        /// The name of the crate.
        package: String,
        /// What the compiler says.
        message: String,
        /// Where the copy is.
        copy: PathBuf,
    },
    /// A worker did not come up.
    #[error("the worker did not start: {command}: {message}")]
    Worker {
        /// The program that was started.
        command: String,
        /// What it said, and how it ended.
        message: String,
    },
}

/// Names to choose from, if there are any.
struct Near<'n>(&'n [String]);

impl std::fmt::Display for Near<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.0 {
            [] => f.write_str("; name it by its path, such as my_module::my_function"),
            near => write!(f, "; did you mean\n  {}", near.join("\n  ")),
        }
    }
}

/// For `map_err`: what could not be done with a file.
pub(super) fn file(
    what: &'static str,
    path: &std::path::Path,
) -> impl FnOnce(io::Error) -> RustError {
    let path = path.to_owned();
    move |source| RustError::File { what, path, source }
}

/// For a subject that is being made: its first worker does not start.
impl From<MachineFailure> for RustError {
    fn from(failure: MachineFailure) -> RustError {
        match failure {
            MachineFailure::Worker { command, message } => RustError::Worker { command, message },
            // Rust is linked before it runs.
            MachineFailure::MissingClass { .. } => {
                RustError::Worker { command: "cargo".to_owned(), message: failure.to_string() }
            }
        }
    }
}
