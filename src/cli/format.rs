//! The formats in which results are printed.

use clap::ValueEnum;

/// The format of a command's result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Format {
    /// For people
    #[value(alias = "table")]
    Human,
    /// One JSON document
    Json,
    /// A JSON object per line, one for each relation
    Ndjson,
}
