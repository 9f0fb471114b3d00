//! Writes files that are complete or absent.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;

use serde::Serialize;

use super::Failure;

/// Writes a file under another name and renames it.
pub(super) fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut beside = path.as_os_str().to_owned();
    beside.push(".new");
    let mut file = File::create(&beside)?;
    file.write_all(bytes)?;
    file.sync_data()?;
    fs::rename(&beside, path)
}

/// A value as JSON for files that people may read.
pub(super) fn json(value: &impl Serialize) -> String {
    let text = serde_json::to_string_pretty(value).expect("numbers, names and texts");
    text + "\n"
}

/// A value as a line of NDJSON.
pub(super) fn line(value: &impl Serialize) -> String {
    serde_json::to_string(value).expect("numbers, names and texts") + "\n"
}

/// Values as lines of NDJSON.
pub(super) fn lines<T: Serialize>(values: impl IntoIterator<Item = T>) -> String {
    values.into_iter().map(|value| line(&value)).collect()
}

/// The error about a file that cannot be used.
pub(super) fn cannot(what: &str, path: &Path, error: &io::Error) -> Failure {
    Failure::Input(format!("cannot {what} {}: {error}", path.display()))
}
