//! Executions in a Parquet file, written and read. `FORMAT.md` says what is in one.

mod checksum;
mod columns;
mod error;
mod infer;
mod metadata;
mod read;
mod write;

pub use self::error::{Problem, ReadError, Warning, WriteError};
pub use self::read::ExecutionsFile;
#[cfg(feature = "sweep")]
pub(crate) use self::write::TemporaryFile;
pub use self::write::{ExistingFile, check_target};
