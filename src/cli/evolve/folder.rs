//! The folder that a run writes into.
//!
//! | file | is |
//! |---|---|
//! | `run.json` | the settings of the run, so that it can be resumed |
//! | `generations.ndjson` | a record per generation |
//! | `checkpoint.bin` | the state after some generation |
//! | `relations.json` | the results |
//!
//! Whole files are written under another name and renamed, so that a reader never sees half of one. The folder is locked as
//! long as the run goes on.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufRead, BufReader, BufWriter, Write};
use std::path::{Path, PathBuf};

use genmorph::evolve::Generation;
use genmorph::executions::ExistingFile;
use genmorph::record::evolution::EvolutionSettings;
use genmorph::record::relations::RelationsFile;

use super::super::Failure;
use super::super::lock::{LOCK, Lock};
use super::super::whole::{self, cannot, json};

const RUN: &str = "run.json";
const GENERATIONS: &str = "generations.ndjson";
const CHECKPOINT: &str = "checkpoint.bin";
const RELATIONS: &str = "relations.json";
const ALL: [&str; 4] = [RUN, GENERATIONS, CHECKPOINT, RELATIONS];

/// The folder of a running evolution.
#[derive(Debug)]
pub(super) struct Folder {
    path: PathBuf,
    generations: BufWriter<File>,
    lock: Lock,
}

/// A run that was interrupted, and can be resumed.
#[derive(Debug)]
pub(super) struct InterruptedRun {
    pub(super) started: EvolutionSettings,
    pub(super) checkpoint: Option<Vec<u8>>,
    lock: Lock,
}

impl Folder {
    /// Creates a folder for a new run.
    pub(super) fn create(
        path: &Path,
        existing: ExistingFile,
        started: &EvolutionSettings,
    ) -> Result<Folder, Failure> {
        let refuse_other = || match is_used(path)? && existing == ExistingFile::Refuse {
            false => Ok(()),
            true => Err(Failure::Input(format!(
                "{} is there already and is not empty\nuse --resume to go on with its run, --force to replace it, or -o for another folder",
                path.display()
            ))),
        };
        // A folder that may not be used is left alone; and another run may have ended here until it is locked.
        refuse_other()?;
        fs::create_dir_all(path).map_err(|error| cannot("create", path, &error))?;
        let lock = Lock::of(path)?;
        refuse_other()?;
        // Remove only files of a run: the user may keep other things in the folder.
        for name in ALL {
            let file = path.join(name);
            match fs::remove_file(&file) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => {
                    return Err(cannot("replace", &file, &error));
                }
                Ok(()) | Err(_) => {}
            }
        }
        let file = path.join(GENERATIONS);
        let generations = File::create(&file).map_err(|error| cannot("create", &file, &error))?;
        let generations = BufWriter::new(generations);
        let folder = Folder { path: path.to_owned(), generations, lock };
        folder.put(RUN, &json(started))?;
        Ok(folder)
    }

    /// Reads the state of an interrupted run.
    pub(super) fn interrupted(path: &Path) -> Result<InterruptedRun, Failure> {
        let file = path.join(RUN);
        if !file.exists() {
            let message = format!("there is no run to resume in {}", path.display());
            return Err(Failure::Input(message));
        }
        let lock = Lock::of(path)?;
        let text = fs::read_to_string(&file).map_err(|error| cannot("read", &file, &error))?;
        let started: EvolutionSettings =
            serde_json::from_str(&text).map_err(|error| damaged(path, &error))?;
        let file = path.join(CHECKPOINT);
        let checkpoint = match fs::read(&file) {
            Ok(bytes) => Some(bytes),
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => return Err(cannot("read", &file, &error)),
        };
        Ok(InterruptedRun { started, checkpoint, lock })
    }

    /// Writes a file of the folder, unless the folder is gone.
    fn write(&self, name: &str, bytes: &[u8]) -> io::Result<()> {
        self.lock.check()?;
        whole::write(&self.path.join(name), bytes)
    }
}

impl InterruptedRun {
    /// The folder of a run that continues after a generation: later records are dropped.
    pub(super) fn reopen(self, path: &Path, generation: u64) -> Result<Folder, Failure> {
        let file = path.join(GENERATIONS);
        let failed = |error: io::Error| cannot("read", &file, &error);
        let mut options = OpenOptions::new();
        let open = options.read(true).write(true).create(true).truncate(false).open(&file);
        let mut reader = BufReader::new(open.map_err(failed)?);
        let (mut lines, mut length) = (0, 0);
        let mut line = Vec::new();
        while lines < generation {
            line.clear();
            reader.read_until(b'\n', &mut line).map_err(failed)?;
            if !line.ends_with(b"\n") {
                return Err(Failure::Input(format!(
                    "{} has {lines} of {generation} records: start anew with --force",
                    file.display()
                )));
            }
            lines += 1;
            length += line.len() as u64;
        }
        let file = reader.into_inner();
        file.set_len(length).map_err(failed)?;
        let mut generations = BufWriter::new(file);
        io::Seek::seek(&mut generations, io::SeekFrom::End(0)).map_err(failed)?;
        Ok(Folder { path: path.to_owned(), generations, lock: self.lock })
    }
}

impl Folder {
    /// Appends the record of a generation.
    pub(super) fn record(&mut self, generation: &Generation) -> io::Result<()> {
        serde_json::to_writer(&mut self.generations, generation)?;
        self.generations.write_all(b"\n")
    }

    /// Writes a checkpoint, after all records up to it.
    pub(super) fn checkpoint(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.generations.flush()?;
        self.write(CHECKPOINT, bytes)
    }

    /// Writes the results of the run.
    pub(super) fn results(&mut self, results: &RelationsFile) -> io::Result<()> {
        self.generations.flush()?;
        self.write(RELATIONS, json(results).as_bytes())
    }

    fn put(&self, name: &str, text: &str) -> Result<(), Failure> {
        let failed = |error| cannot("write", &self.path.join(name), &error);
        self.write(name, text.as_bytes()).map_err(failed)
    }
}

/// Whether there is something in a folder besides its lock.
fn is_used(path: &Path) -> Result<bool, Failure> {
    match fs::read_dir(path) {
        Ok(mut entries) => {
            Ok(entries.any(|entry| entry.is_ok_and(|entry| entry.file_name() != LOCK)))
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
        Err(error) => Err(cannot("use", path, &error)),
    }
}

/// The error about a `run.json` that cannot be read.
pub(super) fn damaged(folder: &Path, error: &serde_json::Error) -> Failure {
    let file = folder.join(RUN);
    Failure::Input(format!("{} is damaged: {error}\nstart anew with --force", file.display()))
}
