//! Why a sweep cannot go on, and what to do.

use std::io;
use std::path::{Path, PathBuf};

use crate::support::digest::Digest;

/// Why a sweep cannot go on.
#[derive(Debug, thiserror::Error)]
pub enum SweepError {
    /// Nothing to do.
    #[error("there is nothing to sweep over: no {0}")]
    Empty(&'static str),
    /// A unit that is another one, too.
    #[error("{0} is there twice: name each subject, seed and value once")]
    Twice(String),
    /// There is no manifest.
    #[error("there is no sweep in {}: `genmorph sweep plan -o` makes one", .0.display())]
    NoManifest(PathBuf),
    /// A manifest that is none, or not as it was written.
    #[error("{}: {problem}", file.display())]
    Manifest {
        /// The file.
        file: PathBuf,
        /// What is wrong with it.
        problem: String,
    },
    /// Results of another sweep.
    #[error(
        "{} holds results of another sweep ({found}, not {expected}): its manifest was replaced, or this is not its folder; \
         plan into a folder of its own, or put the manifest back",
        folder.display()
    )]
    Foreign {
        /// The folder with the results.
        folder: PathBuf,
        /// Whose results they are.
        found: String,
        /// Whose they ought to be.
        expected: Digest,
    },
    /// Units without results.
    #[error(
        "{missing} of {units} units have no result: run them (`genmorph sweep status` says which), \
         or merge what there is with --partial"
    )]
    Missing {
        /// How many.
        missing: usize,
        /// Of how many.
        units: usize,
    },
    /// Something is there already, and is something else.
    #[error("{} is there already and is not what would be written: use --force to replace it, or -o for another place", .0.display())]
    Exists(PathBuf),
    /// A file that cannot be read.
    #[error("cannot read {}: {source}", file.display())]
    Read {
        /// The file.
        file: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// A file that cannot be written.
    #[error("cannot write {}: {source}", file.display())]
    Write {
        /// The file.
        file: PathBuf,
        /// Why.
        source: io::Error,
    },
}

impl SweepError {
    /// Whether a result could not be written; anything else is for the user to change.
    pub fn is_write(&self) -> bool {
        matches!(self, SweepError::Write { .. })
    }
}

/// What to make of an error when a file is read.
pub(super) fn reading(file: &Path) -> impl Fn(io::Error) -> SweepError {
    |source| SweepError::Read { file: file.to_owned(), source }
}

/// What to make of an error when a file is written.
pub(super) fn writing(file: &Path) -> impl Fn(io::Error) -> SweepError {
    |source| SweepError::Write { file: file.to_owned(), source }
}
