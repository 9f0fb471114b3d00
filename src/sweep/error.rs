//! Errors of a sweep, with advice on what to do.

use std::io;
use std::path::{Path, PathBuf};

use crate::support::digest::Digest;

/// Reasons why a sweep cannot go on.
#[derive(Debug, thiserror::Error)]
pub enum SweepError {
    /// An axis of the sweep is empty.
    #[error("there is nothing to sweep over: no {0}")]
    Empty(&'static str),
    /// Two units of the sweep are the same.
    #[error("{0} occurs twice: name each subject, seed and value once")]
    Twice(String),
    /// The folder has no manifest.
    #[error("there is no sweep in {}: `genmorph sweep plan -o` makes one", .0.display())]
    NoManifest(PathBuf),
    /// The manifest is malformed, or was edited after planning.
    #[error("{}: {problem}", file.display())]
    Manifest {
        /// Path of the manifest.
        file: PathBuf,
        /// The problem with the manifest.
        problem: String,
    },
    /// The folder contains results of another sweep.
    #[error(
        "{} contains results of another sweep ({found}, not {expected}): its manifest was replaced, or this is not its folder; \
         plan into a folder of its own, or put the manifest back",
        folder.display()
    )]
    Foreign {
        /// Path of the folder with the results.
        folder: PathBuf,
        /// Digest of the sweep that the results belong to.
        found: String,
        /// Digest of the sweep that is being run.
        expected: Digest,
    },
    /// Some units have no result yet.
    #[error(
        "{missing} of {units} units have no result: run them (`genmorph sweep status` lists them), \
         or merge the results that exist with --partial"
    )]
    Missing {
        /// Number of units without a result.
        missing: usize,
        /// Number of all units.
        units: usize,
    },
    /// The output exists and has other content.
    #[error("{} exists with other content: use --force to replace it, or -o for another place", .0.display())]
    Exists(PathBuf),
    /// The system refuses to read a file.
    #[error("cannot read {}: {source}", file.display())]
    Read {
        /// Path of the file.
        file: PathBuf,
        /// The error that the system reported.
        source: io::Error,
    },
    /// The system refuses to write a file.
    #[error("cannot write {}: {source}", file.display())]
    Write {
        /// Path of the file.
        file: PathBuf,
        /// The error that the system reported.
        source: io::Error,
    },
}

impl SweepError {
    /// Whether writing failed; all other errors are for the user to correct.
    pub fn is_write(&self) -> bool {
        matches!(self, SweepError::Write { .. })
    }
}

/// Turns a failure to read this file into an error.
pub(super) fn reading(file: &Path) -> impl Fn(io::Error) -> SweepError {
    |source| SweepError::Read { file: file.to_owned(), source }
}

/// Turns a failure to write this file into an error.
pub(super) fn writing(file: &Path) -> impl Fn(io::Error) -> SweepError {
    |source| SweepError::Write { file: file.to_owned(), source }
}
