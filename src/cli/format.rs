//! How results are printed.

use clap::ValueEnum;

/// For whom.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Format {
    Human,
    Json,
}
