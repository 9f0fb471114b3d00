//! What is wrong with recorded executions, and where: written for the person who recorded them.

use std::fmt;
use std::io;
use std::path::PathBuf;

use genmorph_jit::{SchemaError, TableError};

use crate::transform::TransformError;

/// A line of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The file.
    pub file: PathBuf,
    /// The line, counted from 1.
    pub line: usize,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, line {}", self.file.display(), self.line)
    }
}

/// Recorded executions that cannot be collected.
#[derive(Debug, thiserror::Error)]
pub enum CollectError {
    /// A file or folder cannot be read.
    #[error("cannot read {}: {source}", path.display())]
    Io {
        /// Which.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// No recordings in a folder.
    #[error("{}: no recorded executions; there must be files named *.ndjson, *.jsonl or *.json", .0.display())]
    NoFiles(PathBuf),
    /// No records in any file.
    #[error("{}: empty; there is no recorded execution in it", .0.display())]
    Empty(PathBuf),
    /// A record that is none.
    #[error("{place}: {problem}")]
    Record {
        /// Where it is.
        place: Place,
        /// What is wrong with it.
        problem: Problem,
    },
    /// Names that relations cannot use.
    #[error("the recorded names cannot be used: {0}")]
    Schema(#[from] SchemaError),
    /// The transformation does not fit the function.
    #[error("{0}")]
    Transform(#[from] TransformError),
    /// The original was not recorded.
    #[error(
        "no execution of the original: records of it have the systemId `{function}@original`; those here are of {}",
        listed(versions)
    )]
    NoOriginal {
        /// The function.
        function: String,
        /// The versions that were recorded.
        versions: Vec<String>,
    },
    /// No mutant was recorded.
    #[error(
        "no execution of a mutant: records of mutants have a systemId such as `{0}@mutant1`; all here are of `{0}@original`"
    )]
    NoMutants(String),
    /// The original never returned.
    #[error(
        "no execution of `{0}@original` has outputs: nothing can be learnt from exceptions alone"
    )]
    NoOutputs(String),
    /// The function gives nothing.
    #[error("`{0}` returns nothing and never changes its arguments: there is no output to relate")]
    NothingChanges(String),
    /// No source has a follow-up.
    #[error(
        "no pair of executions of the original satisfies {input_relation}\nrecord the follow-up of each source: its inputs must be those of the source after {transformation}"
    )]
    NoPairs {
        /// The transformation.
        transformation: String,
        /// What a pair must satisfy.
        input_relation: String,
    },
    /// No mutant differs from the original.
    #[error(
        "no mutant differs from the original on any of the {pairs} pairs of executions: record more inputs or other mutants"
    )]
    NoDifference {
        /// How many pairs.
        pairs: usize,
    },
    /// Too many rows or elements.
    #[error("{0}")]
    Table(#[from] TableError),
}

/// What can be wrong with a record.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Problem {
    /// Not JSON, or not of the form.
    #[error(
        "column {column}: {message}\na record looks like \
         {{\"systemId\": \"pow@original\", \"testId\": \"test100\", \"variables\": {{\"inputs\": {{\"k\": -128.0, \"e\": 2.0}}, \"outputs\": {{\"return\": 16384.0}}}}}}"
    )]
    Json {
        /// The column, counted from 1.
        column: usize,
        /// What the reader says.
        message: String,
    },
    /// Not UTF-8.
    #[error("not UTF-8; record texts as UTF-8")]
    NotUtf8,
    /// A system without a function or version.
    #[error(
        "the systemId `{0}` must be a function and a version, such as `pow@original` or `pow@mutant7`"
    )]
    SystemId(String),
    /// A mutant with the name of a label.
    #[error(
        "the systemId `{0}` calls a mutant `correct`, the label of the original; rename the mutant"
    )]
    Label(String),
    /// Several functions in one recording.
    #[error("this is of `{found}`, but {first} is of `{expected}`; collect one function at a time")]
    Function {
        /// The function so far.
        expected: String,
        /// The function here.
        found: String,
        /// Where it was first.
        first: Place,
    },
    /// A variable that is not there.
    #[error(
        "there is no {side} `{name}`, but {first} has one; all records need the same variables"
    )]
    Missing {
        /// `input` or `output`.
        side: &'static str,
        /// The variable.
        name: String,
        /// The record that has it.
        first: Place,
    },
    /// A variable that the others lack.
    #[error(
        "there is an {side} `{name}`, but {first} has none; all records need the same variables"
    )]
    Extra {
        /// `input` or `output`.
        side: &'static str,
        /// The variable.
        name: String,
        /// The record that lacks it.
        first: Place,
    },
    /// A value that relations do not speak about.
    #[error(
        "`{name}` is {found}; values are numbers, booleans, texts, and lists of numbers or of booleans{advice}"
    )]
    Value {
        /// The variable.
        name: String,
        /// What it is.
        found: &'static str,
        /// What to do.
        advice: &'static str,
    },
    /// Two kinds of values for one variable.
    #[error(
        "`{name}` is {found}, but {expected} at {first}; all values of a variable must be of one kind"
    )]
    Mixed {
        /// The variable.
        name: String,
        /// What it is here.
        found: &'static str,
        /// What it is elsewhere.
        expected: &'static str,
        /// Where.
        first: Place,
    },
    /// A version that behaves in two ways.
    #[error(
        "`{version}` does not do here what it did at {first}, with the same inputs; record a deterministic function, or leave `{version}` out"
    )]
    Nondeterministic {
        /// The version.
        version: String,
        /// The other execution.
        first: Place,
    },
}

/// A few names, and how many more there are.
fn listed(names: &[String]) -> String {
    let shown: Vec<String> = names.iter().take(5).map(|name| format!("`{name}`")).collect();
    match names.len() {
        0..=5 => shown.join(", "),
        all => format!("{} and {} more", shown.join(", "), all - 5),
    }
}
