//! The folder with the results of units, which any number of tasks write into at the same time.
//!
//! ```text
//!  sweep.json          which sweep the results are of
//!  units/a/ab….json    the result of a unit, by the first digit of its id
//!  journal/            which task tried what, and how long it took
//!  unfinished/         what tasks are writing just now, or were when they were killed
//! ```
//! A result is written beside, synced, and renamed to its place: it is there whole or not at all, whatever is
//! killed, and whoever writes it a second time writes the same. Folders are synced when a task ends: what a power cut
//! takes before that is a result that nobody has been promised.

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

/// What ids begin with: with a folder each, none gets too full.
const DIGITS: &str = "0123456789abcdef";

/// The version of the form of results.
const VERSION: u32 = 1;

/// The folder with the results of one sweep.
#[derive(Clone, Debug)]
pub struct Folder {
    path: PathBuf,
}

/// What there is of a unit.
#[derive(Clone, Debug, PartialEq)]
pub enum Stored {
    /// Nothing.
    Missing,
    /// A file that is not what was written, for this reason: the unit has to be done again.
    Damaged(String),
    /// Its result.
    Result(Record),
}

/// The result of a unit.
#[derive(Clone, Debug, PartialEq)]
pub struct Record {
    /// What it came to.
    pub outcome: Outcome,
    /// What the result is known by.
    pub digest: Digest,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Owner {
    version: u32,
    sweep: String,
}

/// A result as it is written: the digest is of the very text of the outcome.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Written<'w> {
    version: u32,
    unit: Digest,
    digest: Digest,
    #[serde(borrow)]
    outcome: &'w RawValue,
}

impl Folder {
    /// Where results are unless something else is said, in the folder of a sweep.
    pub const NAME: &str = "results";

    /// The results of a sweep, to be read. A folder that is not there yet has none.
    ///
    /// # Errors
    /// When the folder has results of another sweep.
    pub fn open(path: &Path, manifest: &Manifest) -> Result<Folder, SweepError> {
        let file = path.join(SWEEP);
        let owner = match fs::read_to_string(&file) {
            Ok(text) => {
                let owner = serde_json::from_str(&text).ok();
                owner.filter(|owner: &Owner| owner.version == VERSION).map(|owner| owner.sweep)
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                // Without results there is nothing to be mistaken about.
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

    /// The same, to be written into.
    ///
    /// # Errors
    /// When the folder has results of another sweep, or cannot be made.
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
        // Last, so that a folder with units always says whose they are.
        for digit in DIGITS.chars() {
            let units = folder.units(digit);
            fs::create_dir_all(&units).map_err(writing(&units))?;
        }
        // Again, in case that two sweeps have just begun in the same place.
        Folder::open(path, manifest)
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
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

    /// What there is of a unit.
    ///
    /// # Errors
    /// When a file is there and cannot be read.
    pub fn stored(&self, id: Digest) -> Result<Stored, SweepError> {
        let file = self.unit(id);
        match fs::read(&file) {
            Ok(bytes) => Ok(match Record::parse(&bytes, id) {
                Ok(record) => Stored::Result(record),
                Err(problem) => Stored::Damaged(format!("{}: {problem}", file.display())),
            }),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Stored::Missing),
            Err(error) => Err(reading(&file)(error)),
        }
    }

    /// Puts the result of a unit to its place, in one step: there is never half of it.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn publish(
        &self,
        id: Digest,
        outcome: &Outcome,
        worker: &Worker,
    ) -> Result<(), SweepError> {
        self.put(&self.unit(id), Record::text(outcome, id).as_bytes(), worker)
    }

    /// Makes all that was put to its place last, whatever happens next.
    ///
    /// # Errors
    /// When the system cannot promise that.
    pub fn settle(&self) -> Result<(), SweepError> {
        DIGITS.chars().try_for_each(|digit| sync(&self.units(digit)))?;
        sync(&self.path.join(UNITS))?;
        sync(&self.path)
    }

    /// Writes a file beside its place, under a name that no other task has, syncs and moves it.
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

/// Makes what was done in a folder last.
pub(super) fn sync(folder: &Path) -> Result<(), SweepError> {
    match File::open(folder).and_then(|folder| folder.sync_all()) {
        // Some network file systems have no such thing.
        Err(error) if is_unsupported(&error) => Ok(()),
        result => result.map_err(writing(folder)),
    }
}

fn is_unsupported(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::InvalidInput | io::ErrorKind::Unsupported)
}

impl Record {
    fn text(outcome: &Outcome, unit: Digest) -> String {
        let text = serde_json::to_string(outcome).expect("numbers, names and texts");
        let digest = Record::digest(&text);
        let outcome = RawValue::from_string(text).expect("it was just written");
        let written = Written { version: VERSION, unit, digest, outcome: &outcome };
        serde_json::to_string(&written).expect("it is JSON already") + "\n"
    }

    fn digest(outcome: &str) -> Digest {
        Fields::of("genmorph result 1").and(outcome).digest()
    }

    fn parse(bytes: &[u8], unit: Digest) -> Result<Record, String> {
        let written: Written<'_> = serde_json::from_slice(bytes).map_err(|e| e.to_string())?;
        if written.version != VERSION {
            return Err(format!("a result of version {}", written.version));
        }
        if written.unit != unit {
            return Err(format!("the result of another unit, {}", written.unit));
        }
        let digest = Record::digest(written.outcome.get());
        if digest != written.digest {
            return Err("its digest is not that of its contents".to_owned());
        }
        let outcome = serde_json::from_str(written.outcome.get()).map_err(|e| e.to_string())?;
        Ok(Record { outcome, digest })
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
        let text = Record::text(&outcome, unit());
        let record = Record::parse(text.as_bytes(), unit()).unwrap();
        assert_eq!(record.outcome, outcome);
        assert_eq!(text, Record::text(&record.outcome, unit()));
    }

    #[test]
    fn a_damaged_result_is_known_as_such() {
        let text = Record::text(&Outcome::Failed("no mutants".to_owned()), unit());
        let problem = |text: &str| Record::parse(text.as_bytes(), unit()).unwrap_err();
        assert!(problem(&text.replace("no mutants", "no mutantS")).contains("digest"));
        assert!(problem(&text[..text.len() / 2]).contains("EOF"));
        assert!(problem("").contains("EOF"));
        assert!(problem(&text.replace("\"version\":1", "\"version\":3")).contains("version 3"));
        let other = Fields::of("other").digest();
        assert!(Record::parse(text.as_bytes(), other).unwrap_err().contains("another unit"));
    }
}
