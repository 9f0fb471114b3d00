//! The formats in which results are printed.

use clap::ValueEnum;

/// The format of a command's result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Format {
    /// Text for people, whose form may change
    #[value(alias = "table")]
    Human,
    /// One JSON document for the whole result
    Json,
    /// A JSON object per line, one for each relation
    Ndjson,
}
