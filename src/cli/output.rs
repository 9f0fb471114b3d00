//! Files that commands write: whether they may be replaced, and how failures are told.

use std::path::{Path, PathBuf};

use genmorph::executions::ExistingFile;

use super::{Failure, whole};

/// The file that a command writes beside what it prints, or instead of it.
#[derive(Debug, clap::Args)]
pub(super) struct OutputArgs {
    /// Write the result to this file
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,

    /// Replace the file if there is one
    #[arg(long, requires = "output")]
    force: bool,
}

impl OutputArgs {
    /// The file, if one is to be written.
    ///
    /// # Errors
    /// If it must not be replaced. To be called before any work is done.
    pub(super) fn file(&self) -> Result<Option<&Path>, Failure> {
        if let Some(file) = &self.output {
            spare(file, "-o", self.force)?;
        }
        Ok(self.output.as_deref())
    }
}

/// What `--force` says of files that are there already.
pub(super) fn existing(force: bool) -> ExistingFile {
    if force { ExistingFile::Replace } else { ExistingFile::Refuse }
}

/// Refuses a folder, and a file that is there already unless `--force` was given. To be called before any work is done.
pub(super) fn spare(file: &Path, flag: &str, force: bool) -> Result<(), Failure> {
    if file.is_dir() {
        let message = format!("{} is a folder; name a file in it", file.display());
        return Err(Failure::Input(message));
    }
    if force || !file.exists() {
        return Ok(());
    }
    Err(Failure::Input(format!(
        "{} is there already\nuse --force to replace it, or {flag} for another file",
        file.display()
    )))
}

/// Writes a result, whole or not at all.
pub(super) fn write(path: &Path, text: &str) -> Result<(), Failure> {
    whole::write(path, text.as_bytes()).map_err(|error| not_written(path, &error))
}

/// The failure of a result that cannot be written.
pub(super) fn not_written(path: &Path, error: &std::io::Error) -> Failure {
    Failure::File(format!("cannot write {}: {error}", path.display()))
}
