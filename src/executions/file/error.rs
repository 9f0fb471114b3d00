//! Errors about executions files, with the place of the problem, for the person who made the file.
//!
//! Rows are counted from 0, as pandas, polars and DuckDB do.

use std::io;
use std::path::PathBuf;

use genmorph_jit::text::ParseError;
use genmorph_jit::{SchemaError, TableError, ToleranceError};

use super::checksum::CHECKSUM;
use super::metadata::{FORMAT, KEY};

/// A file that cannot be read as executions.
#[derive(Debug, thiserror::Error)]
#[error("{}: {problem}", file.display())]
pub struct ReadError {
    /// Path of the file.
    pub file: PathBuf,
    /// The problem, with its place.
    pub problem: Problem,
}

/// Problems that an executions file can have.
#[derive(Debug, thiserror::Error)]
pub enum Problem {
    /// It cannot be opened or read.
    #[error("cannot read the executions: {0}")]
    Io(#[from] io::Error),
    /// It is not a Parquet file, or a damaged one.
    #[error("not a readable Parquet file: {0}\n`genmorph collect` makes executions files")]
    Parquet(String),
    /// Its metadata is not JSON, or incomplete.
    #[error("the metadata `{KEY}` cannot be read: {0}")]
    Metadata(#[from] serde_json::Error),
    /// It was written in the format of another version.
    #[error("the file has format {0}, but this genmorph reads format {FORMAT}: update genmorph")]
    Format(u64),
    /// There is no metadata, and no column name marks an output.
    #[error(
        "no metadata `{KEY}`, and no column has the name of an output: \
         name the columns of outputs `out_s`, `out_f` (or `x_after_s`, `x_after_f`), or write the metadata"
    )]
    NoOutputs,
    /// Names of inputs or outputs are not valid variables.
    #[error("the signature is not usable: {0}")]
    Schema(#[from] SchemaError),
    /// The tolerance in the metadata is not valid.
    #[error("the metadata `{KEY}` has a bad tolerance: {0}")]
    Tolerance(#[from] ToleranceError),
    /// The input relation in the metadata is not valid.
    #[error("the metadata `{KEY}` has a bad input relation: {0}")]
    InputRelation(#[from] ParseError),
    /// A part of the file is not what was written.
    #[error(
        "{0} does not match its checksum: the file was damaged, or rows were changed by a program that kept the checksums\n\
         take another copy or make the file again; who changes rows on purpose drops the metadata `{CHECKSUM}`"
    )]
    Checksum(String),
    /// A column for a variable is missing.
    #[error("there is no column `{column}`; the columns are {}", columns.join(", "))]
    MissingColumn {
        /// Name of the missing column.
        column: String,
        /// Names of the columns that the file has.
        columns: Vec<String>,
    },
    /// A column has a type that its variable cannot have.
    #[error("column `{column}` has the type {found}; it must be {expected}")]
    Type {
        /// Name of the column.
        column: String,
        /// Types that are accepted, in words.
        expected: &'static str,
        /// The type that the file has.
        found: String,
    },
    /// A cell without a value.
    #[error(
        "column `{column}`, row {row}: null; every cell needs a value \
         (if this was a NaN in pandas: it became null on writing; write the column with pyarrow)"
    )]
    Null {
        /// Name of the column.
        column: String,
        /// The row, counted from 0.
        row: usize,
    },
    /// An element of a list is null.
    #[error("column `{column}`, row {row}: a null within the list; every element needs a value")]
    NullElement {
        /// Name of the column.
        column: String,
        /// The row, counted from 0.
        row: usize,
    },
    /// A label is an empty string.
    #[error("column `label`, row {0}: empty; write `correct`, or the name of the mutant")]
    EmptyLabel(usize),
    /// There are rows of mutants only.
    #[error("no row is labelled `correct`: there are no executions of the original")]
    NoCorrect,
    /// A mutant's row is identical to one of the original.
    #[error(
        "row {row}, labelled `{mutant}`, is the same as a row labelled `correct`: \
         leave out executions of mutants whose outputs are the original's"
    )]
    CorrectAsIncorrect {
        /// The row, counted from 0.
        row: usize,
        /// Label of the row: the mutant's name.
        mutant: String,
    },
    /// There are too many rows or elements for a table.
    #[error("{0}")]
    Table(#[from] TableError),
}

/// Reasons why executions cannot be written.
#[derive(Debug, thiserror::Error)]
pub enum WriteError {
    /// The file exists and may not be replaced.
    #[error("{} exists already; choose another file, or use --force to replace it", .0.display())]
    Exists(PathBuf),
    /// The target is a folder.
    #[error("{} is a folder; name a file in it", .0.display())]
    Folder(PathBuf),
    /// The system refuses to write the file.
    #[error("cannot write {}: {source}", file.display())]
    Io {
        /// Path of the file to write.
        file: PathBuf,
        /// The error that the system reported.
        source: io::Error,
    },
    /// A string column contains a number that is not the code of a character.
    #[error("column `{column}`, row {row}: {number} is not the code of a character")]
    NotText {
        /// Name of the column.
        column: String,
        /// The row, counted from 0.
        row: usize,
        /// The number that is not a character code.
        number: f64,
    },
}

/// A warning about executions that were read and can be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Warning {
    /// An integer that an f64 cannot represent.
    #[error(
        "{place}: {integer} is beyond 2^53; relations compute with 64-bit floats, so such integers lose their last digits (reported once)"
    )]
    Inexact {
        /// File, column and row of the first such integer.
        place: String,
        /// The integer, in decimal.
        integer: String,
    },
    /// A recording without mutants.
    #[error(
        "no execution of a mutant (with a systemId such as `{0}@mutant1`): laws can be found (`genmorph laws`), but not scored"
    )]
    NoMutants(String),
    /// A file without metadata, whose signature was inferred.
    #[error(
        "{file}: no metadata `{KEY}`; by the names of the columns, the inputs are {inputs} and the outputs {outputs}"
    )]
    Inferred {
        /// Path of the file.
        file: String,
        /// Names of the inferred inputs.
        inputs: String,
        /// Names of the inferred outputs.
        outputs: String,
    },
}
