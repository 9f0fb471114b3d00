//! The folder with the results of units, into which any number of tasks write at the same time.
//!
//! ```text
//!  sweep.json          the sweep that the results belong to
//!  units/a/ab….json    the result of a unit, by the first digit of its id
//!  journal/            which task tried which unit, and for how long
//!  unfinished/         files that tasks are writing, or were writing when they were killed
//! ```
//! A result is written under another name, synced, and renamed: it is complete or absent, whatever is killed,
//! and a task that writes it a second time writes the same bytes. Folders are synced when a task ends; a
//! power cut before that may lose results, but no task has reported them yet.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use super::error::{SweepError, reading, writing};
use super::found::Outcome;
use super::journal::Worker;
use super::manifest::Manifest;
use crate::support::digest::{Digest, Fields};

const SWEEP: &str = "sweep.json";
const UNITS: &str = "units";
const JOURNAL: &str = "journal";
const UNFINISHED: &str = "unfinished";

/// Results are spread over a folder for each first digit, so that no folder gets too full.
const DIGITS: &str = "0123456789abcdef";

/// The version of the result format.
const VERSION: u32 = 1;

/// The folder with the results of one sweep.
#[derive(Clone, Debug)]
pub struct Folder {
    path: PathBuf,
}

/// What the folder contains for a unit.
#[derive(Clone, Debug, PartialEq)]
pub enum UnitState {
    /// There is no result.
    Missing,
    /// The file is not what was written, for this reason: the unit has to run again.
    Damaged(String),
    /// The unit's result, complete and with a correct digest.
    Result(UnitResult),
}

/// The result of a unit.
#[derive(Clone, Debug, PartialEq)]
pub struct UnitResult {
    /// The relations of the unit, or the reason why it failed.
    pub outcome: Outcome,
    /// Identifies the result by its content.
    pub digest: Digest,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Owner {
    version: u32,
    sweep: String,
}

/// A result file. The digest is computed over the exact text of the outcome.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct ResultFile<'w> {
    version: u32,
    unit: Digest,
    digest: Digest,
    #[serde(borrow)]
    outcome: &'w RawValue,
}

impl Folder {
    /// The default name of the results folder within the folder of a sweep.
    pub const NAME: &str = "results";

    /// Opens the results of a sweep for reading. A folder that does not exist yet has no results.
    ///
    /// # Errors
    /// When the folder contains results of another sweep.
    pub fn open(path: &Path, manifest: &Manifest) -> Result<Folder, SweepError> {
        let file = path.join(SWEEP);
        let owner = match fs::read_to_string(&file) {
            Ok(text) => {
                let owner = serde_json::from_str(&text).ok();
                owner.filter(|owner: &Owner| owner.version == VERSION).map(|owner| owner.sweep)
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                // A folder without results cannot be mistaken for another sweep's.
                let is_empty = !path.join(UNITS).exists();
                is_empty.then(|| manifest.digest.to_string())
            }
            Err(error) => return Err(reading(&file)(error)),
        };
        let found = owner.unwrap_or_else(|| "an unknown one".to_owned());
        if found != manifest.digest.to_string() {
            let folder = path.to_owned();
            return Err(SweepError::Foreign { folder, found, expected: manifest.digest });
        }
        Ok(Folder { path: path.to_owned() })
    }

    /// Opens the results of a sweep for writing, and creates the folder if necessary.
    ///
    /// # Errors
    /// When the folder contains results of another sweep, or cannot be created.
    pub fn create(path: &Path, manifest: &Manifest, worker: &Worker) -> Result<Folder, SweepError> {
        let folder = Folder::open(path, manifest)?;
        for name in [JOURNAL, UNFINISHED] {
            let path = path.join(name);
            fs::create_dir_all(&path).map_err(writing(&path))?;
        }
        let owner = path.join(SWEEP);
        if !owner.exists() {
            let sweep = manifest.digest.to_string();
            let text = serde_json::to_string(&Owner { version: VERSION, sweep });
            let text = text.expect("a number and a text") + "\n";
            folder.put(&owner, text.as_bytes(), worker)?;
        }
        // The unit folders come last, so that a folder with units always names its sweep.
        for digit in DIGITS.chars() {
            let units = folder.units(digit);
            fs::create_dir_all(&units).map_err(writing(&units))?;
        }
        // Check again, in case two sweeps started in the same folder at the same time.
        Folder::open(path, manifest)
    }

    pub(super) fn journal(&self) -> PathBuf {
        self.path.join(JOURNAL)
    }

    fn units(&self, digit: char) -> PathBuf {
        self.path.join(UNITS).join(digit.to_string())
    }

    fn unit(&self, id: Digest) -> PathBuf {
        let name = id.to_string();
        let digit = name.chars().next().expect("it has digits");
        self.units(digit).join(format!("{name}.json"))
    }

    /// Reads the result of a unit, if there is one.
    ///
    /// # Errors
    /// When the file exists and cannot be read.
    pub fn stored(&self, id: Digest) -> Result<UnitState, SweepError> {
        let file = self.unit(id);
        match fs::read(&file) {
            Ok(bytes) => Ok(match UnitResult::parse(&bytes, id) {
                Ok(record) => UnitState::Result(record),
                Err(problem) => UnitState::Damaged(format!("{}: {problem}", file.display())),
            }),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(UnitState::Missing),
            Err(error) => Err(reading(&file)(error)),
        }
    }

    /// Writes the result of a unit atomically: readers see the whole file or none.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn publish(
        &self,
        id: Digest,
        outcome: &Outcome,
        worker: &Worker,
    ) -> Result<(), SweepError> {
        self.put(&self.unit(id), UnitResult::text(outcome, id).as_bytes(), worker)
    }

    /// Syncs all folders, so that the results survive a power cut.
    ///
    /// # Errors
    /// When the system cannot sync a folder.
    pub fn settle(&self) -> Result<(), SweepError> {
        DIGITS.chars().try_for_each(|digit| sync(&self.units(digit)))?;
        sync(&self.path.join(UNITS))?;
        sync(&self.path)
    }

    /// Writes a file under a name that no other task uses, syncs it, and renames it.
    fn put(&self, place: &Path, bytes: &[u8], worker: &Worker) -> Result<(), SweepError> {
        let name = place.file_name().expect("it is a file").to_string_lossy();
        let beside = self.path.join(UNFINISHED).join(format!("{}.{name}", worker.name()));
        let write = || -> io::Result<()> {
            let mut file = File::create(&beside)?;
            file.write_all(bytes)?;
            file.sync_all()
        };
        write().map_err(writing(&beside))?;
        fs::rename(&beside, place).map_err(writing(place))
    }
}

/// Syncs a folder, so that renamed files survive a power cut.
pub(super) fn sync(folder: &Path) -> Result<(), SweepError> {
    match File::open(folder).and_then(|folder| folder.sync_all()) {
        // Some network file systems cannot sync folders.
        Err(error) if is_unsupported(&error) => Ok(()),
        result => result.map_err(writing(folder)),
    }
}

fn is_unsupported(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::InvalidInput | io::ErrorKind::Unsupported)
}

impl UnitResult {
    fn text(outcome: &Outcome, unit: Digest) -> String {
        let text = serde_json::to_string(outcome).expect("numbers, names and texts");
        let digest = UnitResult::digest(&text);
        let outcome = RawValue::from_string(text).expect("it was just written");
        let written = ResultFile { version: VERSION, unit, digest, outcome: &outcome };
        serde_json::to_string(&written).expect("it is JSON already") + "\n"
    }

    fn digest(outcome: &str) -> Digest {
        Fields::of("genmorph result 1").and(outcome).digest()
    }

    fn parse(bytes: &[u8], unit: Digest) -> Result<UnitResult, String> {
        let written: ResultFile<'_> = serde_json::from_slice(bytes).map_err(|e| e.to_string())?;
        if written.version != VERSION {
            return Err(format!("the result has version {}", written.version));
        }
        if written.unit != unit {
            return Err(format!("it is the result of another unit, {}", written.unit));
        }
        let digest = UnitResult::digest(written.outcome.get());
        if digest != written.digest {
            return Err("its digest does not match its content".to_owned());
        }
        let outcome = serde_json::from_str(written.outcome.get()).map_err(|e| e.to_string())?;
        Ok(UnitResult { outcome, digest })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn unit() -> Digest {
        Fields::of("test").digest()
    }

    #[test]
    fn a_result_reads_back_as_it_was_written() {
        let outcome = Outcome::Failed("no \"mutants\"".to_owned());
        let text = UnitResult::text(&outcome, unit());
        let record = UnitResult::parse(text.as_bytes(), unit()).unwrap();
        assert_eq!(record.outcome, outcome);
        assert_eq!(text, UnitResult::text(&record.outcome, unit()));
    }

    #[test]
    fn a_damaged_result_is_known_as_such() {
        let text = UnitResult::text(&Outcome::Failed("no mutants".to_owned()), unit());
        let problem = |text: &str| UnitResult::parse(text.as_bytes(), unit()).unwrap_err();
        assert!(problem(&text.replace("no mutants", "no mutantS")).contains("digest"));
        assert!(problem(&text[..text.len() / 2]).contains("EOF"));
        assert!(problem("").contains("EOF"));
        assert!(problem(&text.replace("\"version\":1", "\"version\":3")).contains("version 3"));
        let other = Fields::of("other").digest();
        assert!(UnitResult::parse(text.as_bytes(), other).unwrap_err().contains("another unit"));
    }
}
