//! Errors about recorded executions, with the place of the problem, for the person who recorded them.

use std::fmt;
use std::io;
use std::path::PathBuf;

use genmorph_jit::{SchemaError, TableError};

use crate::transform::TransformError;

/// A line of a recorded file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// Path of the file.
    pub file: PathBuf,
    /// The line, counted from 1.
    pub line: usize,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, line {}", self.file.display(), self.line)
    }
}

/// Reasons why recorded executions cannot be collected.
#[derive(Debug, thiserror::Error)]
pub enum CollectError {
    /// A file or folder cannot be read.
    #[error("cannot read {}: {source}", path.display())]
    Io {
        /// Path of the file or folder.
        path: PathBuf,
        /// The error that the system reported.
        source: io::Error,
    },
    /// The folder has no file with a known ending.
    #[error("{}: no recorded executions; there must be files named *.ndjson, *.jsonl or *.json", .0.display())]
    NoFiles(PathBuf),
    /// No file contains a record.
    #[error("{}: empty; it contains no recorded execution", .0.display())]
    Empty(PathBuf),
    /// A record is malformed, or contradicts another one.
    #[error("{place}: {problem}")]
    Record {
        /// File and line of the record.
        place: Place,
        /// The problem with the record.
        problem: Problem,
    },
    /// Recorded names are not valid variables.
    #[error("recorded names are not usable as variables: {0}")]
    Schema(#[from] SchemaError),
    /// The transformation does not fit the function.
    #[error("{0}")]
    Transform(#[from] TransformError),
    /// The original was not recorded.
    #[error(
        "no execution of the original: records of it have the systemId `{function}@original`; recorded are {}",
        listed(versions)
    )]
    NoOriginal {
        /// Name of the function.
        function: String,
        /// Names of the versions that were recorded.
        versions: Vec<String>,
    },
    /// The original threw in every execution.
    #[error(
        "no execution of `{0}@original` has outputs: nothing can be learnt from exceptions alone"
    )]
    NoOutputs(String),
    /// The function returns nothing and changes no argument.
    #[error("`{0}` returns nothing and never changes its arguments: there is no output to relate")]
    NothingChanges(String),
    /// No pair of recorded inputs satisfies the transformation.
    #[error(
        "no pair of executions of the original satisfies {input_relation}\nrecord the follow-up of each source: its inputs must be those of the source after {transformation}"
    )]
    NoPairs {
        /// The transformation, as text.
        transformation: String,
        /// The relation between source and follow-up inputs.
        input_relation: String,
    },
    /// Every mutant gives the same outputs as the original on all pairs.
    #[error(
        "no mutant differs from the original on any of the {pairs} pairs of executions: record more inputs or other mutants"
    )]
    NoDifference {
        /// Number of pairs that were compared.
        pairs: usize,
    },
    /// There are too many rows or elements for a table.
    #[error("{0}")]
    Table(#[from] TableError),
}

/// Problems that a record can have.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Problem {
    /// The text is not JSON, or not a record.
    #[error(
        "column {column}: {message}\na record looks like \
         {{\"systemId\": \"pow@original\", \"testId\": \"test100\", \"variables\": {{\"inputs\": {{\"k\": -128.0, \"e\": 2.0}}, \"outputs\": {{\"return\": 16384.0}}}}}}"
    )]
    Json {
        /// The column, counted from 1.
        column: usize,
        /// The JSON reader's message.
        message: String,
    },
    /// An execution that threw and returned.
    #[error(
        "the execution has \"threw\": {0:?} and outputs; a call that throws returns nothing: leave out one of them"
    )]
    ThrewAndReturned(String),
    /// The file is not UTF-8 text.
    #[error("not UTF-8; record texts as UTF-8")]
    NotUtf8,
    /// The systemId has no function or no version.
    #[error(
        "the systemId `{0}` must be a function and a version, such as `pow@original` or `pow@mutant7`"
    )]
    SystemId(String),
    /// A mutant has the name of the original's label.
    #[error(
        "the systemId `{0}` calls a mutant `correct`, the label of the original; rename the mutant"
    )]
    Label(String),
    /// The recording contains several functions.
    #[error("this is of `{found}`, but {first} is of `{expected}`; collect one function at a time")]
    Function {
        /// The function of the first record.
        expected: String,
        /// The function of this record.
        found: String,
        /// Place of the first record.
        first: Place,
    },
    /// A variable is missing that another record has.
    #[error(
        "there is no {side} `{name}`, but {first} has one; all records need the same variables"
    )]
    Missing {
        /// Which side the variable is on: `input` or `output`.
        side: &'static str,
        /// Name of the variable.
        name: String,
        /// Place of the record that has it.
        first: Place,
    },
    /// A variable is present that another record lacks.
    #[error(
        "there is an {side} `{name}`, but {first} has none; all records need the same variables"
    )]
    Extra {
        /// Which side the variable is on: `input` or `output`.
        side: &'static str,
        /// Name of the variable.
        name: String,
        /// Place of the record that lacks it.
        first: Place,
    },
    /// A value of a type that relations cannot use.
    #[error(
        "`{name}` is {found}; values are numbers, booleans, texts, and lists of numbers or of booleans{advice}"
    )]
    Value {
        /// Name of the variable.
        name: String,
        /// Type of the value, in words.
        found: &'static str,
        /// Advice for the user, or nothing.
        advice: &'static str,
    },
    /// A variable has values of two kinds.
    #[error(
        "`{name}` is {found}, but {expected} at {first}; all values of a variable must be of one kind"
    )]
    Mixed {
        /// Name of the variable.
        name: String,
        /// The kind of the value in this record.
        found: &'static str,
        /// The kind of the value in the other record.
        expected: &'static str,
        /// Place of the other record.
        first: Place,
    },
    /// Two calls of a version with the same inputs gave different results.
    #[error(
        "`{version}` gives another result here than at {first}, with the same inputs; record a deterministic function, or leave `{version}` out"
    )]
    Nondeterministic {
        /// Name of the version.
        version: String,
        /// Place of the other execution.
        first: Place,
    },
}

/// The first five names, and the number of the others.
fn listed(names: &[String]) -> String {
    let shown: Vec<String> = names.iter().take(5).map(|name| format!("`{name}`")).collect();
    match names.len() {
        0..=5 => shown.join(", "),
        all => format!("{} and {} more", shown.join(", "), all - 5),
    }
}
