//! What is wrong with an executions file, and where: written for the person who made it.
//!
//! Rows are counted from 0, as pandas, polars and DuckDB do.

use std::io;
use std::path::PathBuf;

use genmorph_jit::text::ParseError;
use genmorph_jit::{SchemaError, TableError, ToleranceError};

use super::metadata::{FORMAT, KEY};

/// A file that holds no executions.
#[derive(Debug, thiserror::Error)]
#[error("{}: {problem}", file.display())]
pub struct ReadError {
    /// The file.
    pub file: PathBuf,
    /// What is wrong with it.
    pub problem: Problem,
}

/// What can be wrong with an executions file.
#[derive(Debug, thiserror::Error)]
pub enum Problem {
    /// It cannot be opened or read.
    #[error("cannot read the executions: {0}")]
    Io(#[from] io::Error),
    /// It is no Parquet file, or a damaged one.
    #[error("not a readable Parquet file: {0}\n`genmorph collect` makes executions files")]
    Parquet(String),
    /// Its metadata is no JSON or lacks something.
    #[error("the metadata `{KEY}` is not what it should be: {0}")]
    Metadata(#[from] serde_json::Error),
    /// It has the format of another version.
    #[error("format {0} of executions files; this genmorph reads format {FORMAT}: update it")]
    Format(u64),
    /// No metadata, and columns that do not say what the function takes and gives.
    #[error(
        "no metadata `{KEY}`, and the columns do not say what is an output: \
         name the columns of outputs `out_s`, `out_f` (or `x_after_s`, `x_after_f`), or write the metadata"
    )]
    NoOutputs,
    /// The names of inputs and outputs are no variables.
    #[error("the signature is not usable: {0}")]
    Schema(#[from] SchemaError),
    /// The tolerance is none.
    #[error("the metadata `{KEY}` has a bad tolerance: {0}")]
    Tolerance(#[from] ToleranceError),
    /// The input relation is none.
    #[error("the metadata `{KEY}` has a bad input relation: {0}")]
    InputRelation(#[from] ParseError),
    /// A column is not there.
    #[error("there is no column `{column}`; the columns are {}", columns.join(", "))]
    MissingColumn {
        /// Its name.
        column: String,
        /// Those that are there.
        columns: Vec<String>,
    },
    /// A column of the wrong type.
    #[error("column `{column}` has the type {found}; it must be {expected}")]
    Type {
        /// Its name.
        column: String,
        /// What it should be.
        expected: &'static str,
        /// What it is.
        found: String,
    },
    /// No value.
    #[error(
        "column `{column}`, row {row}: null; every cell needs a value \
         (if this was a NaN in pandas: it became null on writing; write the column with pyarrow)"
    )]
    Null {
        /// The column.
        column: String,
        /// The row, counted from 0.
        row: usize,
    },
    /// No value in a list.
    #[error("column `{column}`, row {row}: a null within the list; every element needs a value")]
    NullElement {
        /// The column.
        column: String,
        /// The row, counted from 0.
        row: usize,
    },
    /// A label without a name.
    #[error("column `label`, row {0}: empty; write `correct`, or the name of the mutant")]
    EmptyLabel(usize),
    /// Only mutants.
    #[error("no row is labelled `correct`: there are no executions of the original")]
    NoCorrect,
    /// Only the original.
    #[error("all rows are labelled `correct`: there are no executions of mutants")]
    NoIncorrect,
    /// A row of a mutant that is the original's.
    #[error(
        "row {row}, labelled `{mutant}`, is the same as a row labelled `correct`: \
         leave out executions of mutants whose outputs are the original's"
    )]
    CorrectAsIncorrect {
        /// The row, counted from 0.
        row: usize,
        /// Its mutant.
        mutant: String,
    },
    /// Too many rows or elements.
    #[error("{0}")]
    Table(#[from] TableError),
}

/// Executions that cannot be written.
#[derive(Debug, thiserror::Error)]
pub enum WriteError {
    /// There is a file already.
    #[error("{} exists already; choose another file, or say --force to replace it", .0.display())]
    Exists(PathBuf),
    /// The target is a folder.
    #[error("{} is a folder; name a file in it", .0.display())]
    Folder(PathBuf),
    /// Writing fails.
    #[error("cannot write {}: {source}", file.display())]
    Io {
        /// The target.
        file: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// A column of text with numbers that are no characters.
    #[error("column `{column}`, row {row}: {number} is not the code of a character")]
    NotText {
        /// The column.
        column: String,
        /// The row, counted from 0.
        row: usize,
        /// The element.
        number: f64,
    },
}

/// What a user should know about executions that were read all the same.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Warning {
    /// An integer that is not an f64.
    #[error(
        "{place}: {integer} is beyond 2^53; relations compute with 64-bit floats, so such integers lose their last digits (said once)"
    )]
    Inexact {
        /// Where the first one is.
        place: String,
        /// The integer.
        integer: String,
    },
    /// A file without metadata.
    #[error(
        "{file}: no metadata `{KEY}`; by the names of the columns, the inputs are {inputs} and the outputs {outputs}"
    )]
    Inferred {
        /// The file.
        file: String,
        /// The names of the inputs.
        inputs: String,
        /// The names of the outputs.
        outputs: String,
    },
}
