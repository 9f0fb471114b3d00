//! The folder that a run of `genmorph generate` writes into.
//!
//! Whole files are written beside their place and moved there, so that there is never half of one. The folder is locked as
//! long as the run goes on.

use std::cell::OnceCell;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use genmorph::executions::ExistingFile;
use genmorph::executions::live::Census;
use genmorph::record::calls::CallsFile;
use genmorph::record::checksum;
use genmorph::record::report::Report;
use genmorph::record::run::RunSettings;
use genmorph::record::search::Search;
use genmorph::record::value::to_json;
use genmorph::run::{SearchResult, mutants};
use genmorph::subject::{Inputs, Signature, Subject};

use super::super::lock::{LOCK, Lock};
use super::super::output::not_written;
use super::super::trial::CALLS;
use super::super::whole::{self, cannot};
use super::super::{Failure, OrFailure};
use super::resume;

const REPORT: &str = "report.json";
const PAGE: &str = "report.html";
const REFUTED: &str = "refuted.json";
const MUTANTS: &str = "mutants.json";
const SOURCES: &str = "sources.ndjson";
const RUN: &str = "run.json";
const EXECUTIONS: &str = "executions.parquet";
const SEARCH: &str = "search.json";

/// The folder of a run.
#[derive(Debug)]
pub(super) struct Folder {
    path: PathBuf,
    /// What to do if an earlier run is in it.
    existing: ExistingFile,
    /// None until the folder is there.
    lock: OnceCell<Lock>,
}

impl Folder {
    /// A folder for a new run. Nothing is changed in it until the run [begins](Folder::begin).
    pub(super) fn new(path: &Path, existing: ExistingFile) -> Result<Folder, Failure> {
        let folder = Folder { path: path.to_owned(), existing, lock: OnceCell::new() };
        // A folder that may not be used is left alone.
        folder.refuse_other()?;
        if path.is_dir() {
            folder.lock()?;
        }
        Ok(folder)
    }

    /// Refuses a folder with other files, unless they may be replaced.
    fn refuse_other(&self) -> Result<(), Failure> {
        if self.existing == ExistingFile::Replace || self.entries()?.is_empty() {
            return Ok(());
        }
        Err(Failure::Input(format!(
            "{} is there already and is not empty\nuse --resume to go on with its run, --force to replace it, or -o for another folder",
            self.path.display()
        )))
    }

    /// Where it is.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// The report of a run that has ended.
    pub(super) fn whole_report(&self) -> Option<Report> {
        let text = fs::read_to_string(self.path.join(REPORT)).ok()?;
        serde_json::from_str(&text).ok()
    }

    /// Locks the folder, unless that is done.
    fn lock(&self) -> Result<(), Failure> {
        if self.lock.get().is_none() {
            let lock = Lock::of(&self.path)?;
            // Another run may have ended here since we looked.
            self.refuse_other()?;
            self.lock.get_or_init(|| lock);
        }
        Ok(())
    }

    /// Fails if the folder is gone.
    fn check(&self) -> Result<(), Failure> {
        let lock = self.lock.get().map_or(Ok(()), Lock::check);
        lock.map_err(|error| Failure::File(error.to_string()))
    }

    /// Takes away what an earlier run has written, and says what this one was started with.
    pub(super) fn begin(&self, started: &RunSettings) -> Result<(), Failure> {
        fs::create_dir_all(&self.path).map_err(|error| cannot("create", &self.path, &error))?;
        self.lock()?;
        // Only what a run writes: the folder may be one that the user keeps other things in.
        for name in self.entries()? {
            let file = self.path.join(&name);
            let removed = if [REPORT, PAGE, REFUTED, MUTANTS, SOURCES, RUN, CALLS].contains(&&*name)
            {
                fs::remove_file(&file)
            } else if is_search(&name) && file.is_dir() {
                fs::remove_dir_all(&file)
            } else {
                Ok(())
            };
            removed.map_err(|error| cannot("replace", &file, &error))?;
        }
        self.write(RUN, whole::json(started).as_bytes())
    }

    /// The names of what is in the folder but for its lock, in order.
    fn entries(&self) -> Result<Vec<String>, Failure> {
        let failed = |error: io::Error| cannot("use", &self.path, &error);
        let entries = match fs::read_dir(&self.path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            entries => entries.map_err(failed)?,
        };
        let mut names = Vec::new();
        for entry in entries {
            names.push(entry.map_err(failed)?.file_name().to_string_lossy().into_owned());
        }
        names.retain(|name| name != LOCK);
        names.sort();
        Ok(names)
    }

    /// The folder of a run that is gone on with, and the searches that it has done; some may have been cut short.
    pub(super) fn resume(
        path: &Path,
        started: &RunSettings,
    ) -> Result<(Folder, Vec<Search>), Failure> {
        let file = path.join(RUN);
        if !file.exists() {
            return Err(Failure::Input(format!("there is no run to resume in {}", path.display())));
        }
        let existing = ExistingFile::Replace;
        let folder = Folder { path: path.to_owned(), existing, lock: OnceCell::new() };
        folder.lock()?;
        let text = fs::read_to_string(&file).map_err(|error| cannot("read", &file, &error))?;
        let before: RunSettings =
            serde_json::from_str(&text).map_err(|error| damaged(&file, &error))?;
        resume::check(path, &before, started)?;
        let mut done = Vec::new();
        for name in folder.entries()?.iter().filter(|name| is_search(name)) {
            let file = path.join(name).join(SEARCH);
            match fs::read_to_string(&file) {
                Ok(text) => {
                    checksum::check(&text).map_err(|error| damaged(&file, &error))?;
                    let search: Search =
                        serde_json::from_str(&text).map_err(|error| damaged(&file, &error))?;
                    // The checksum is of the file, and not of the record.
                    done.push(Search { checksum: None, ..search });
                }
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                Err(error) => return Err(cannot("read", &file, &error)),
            }
        }
        Ok((folder, done))
    }

    /// Writes the source inputs, one JSON object a line.
    pub(super) fn sources(&self, signature: &Signature, inputs: &Inputs) -> Result<(), Failure> {
        let parameters = signature.of_executions().inputs;
        let mut text = String::new();
        for row in 0..inputs.len() {
            let values = parameters.iter().zip(inputs.row(row));
            let object: serde_json::Map<_, _> =
                values.map(|(p, value)| (p.name.clone(), to_json(p, &value))).collect();
            text += &serde_json::Value::Object(object).to_string();
            text.push('\n');
        }
        self.write(SOURCES, text.as_bytes())
    }

    /// Writes what a search found.
    pub(super) fn searched(&self, searched: &SearchResult) -> Result<(), Failure> {
        self.check()?;
        let folder = self.path.join(name(searched));
        // What a search left that was cut short, or killed while it wrote.
        if folder.is_dir() {
            fs::remove_dir_all(&folder).map_err(|error| cannot("replace", &folder, &error))?;
        }
        fs::create_dir(&folder).map_err(|error| not_written(&folder, &error))?;
        if let Some(executions) = &searched.executions {
            executions.write(folder.join(EXECUTIONS), ExistingFile::Replace).or_file()?;
        }
        let put = |name: &str, text: String| {
            let path = folder.join(name);
            whole::write(&path, text.as_bytes()).map_err(|error| not_written(&path, &error))
        };
        let mut records = String::new();
        for generation in &searched.generations {
            records += &serde_json::to_string(generation).expect("numbers and names");
            records.push('\n');
        }
        put("generations.ndjson", records)?;
        if let Some(results) = &searched.claimed.results {
            put("relations.json", whole::json(&checksum::seal(results.clone())))?;
        }
        // At last: a search that has this file is done.
        put(SEARCH, whole::json(&checksum::seal(searched.claimed.clone())))
    }

    /// Fails if something is gone that the run has written before its report.
    pub(super) fn check_whole(&self, searched: &[SearchResult]) -> Result<(), Failure> {
        self.check()?;
        let searches = searched.iter().map(|searched| self.path.join(name(searched)).join(SEARCH));
        match [self.path.join(RUN)].into_iter().chain(searches).find(|file| !file.exists()) {
            None => Ok(()),
            Some(file) => Err(Failure::File(format!(
                "{} was removed during the run: the results are not whole\n\
                 use --resume to search again for what is missing, or start anew with --force",
                file.display()
            ))),
        }
    }

    /// Writes what is left of a search after relations of it were withdrawn.
    pub(super) fn withdrawn(&self, searched: &SearchResult) -> Result<(), Failure> {
        let folder = self.path.join(name(searched));
        let put = |name: &str, text: String| {
            let path = folder.join(name);
            whole::write(&path, text.as_bytes()).map_err(|error| not_written(&path, &error))
        };
        if let Some(results) = &searched.claimed.results {
            put("relations.json", whole::json(results))?;
        }
        put(SEARCH, whole::json(&searched.claimed))
    }

    pub(super) fn mutants(&self, subject: &dyn Subject, census: &Census) -> Result<(), Failure> {
        self.write(MUTANTS, whole::json(&mutants(subject, census)).as_bytes())
    }

    /// Writes calls and how they ended, for `genmorph check`.
    pub(super) fn calls(&self, calls: &CallsFile) -> Result<(), Failure> {
        self.write(CALLS, whole::line(calls).as_bytes())
    }

    pub(super) fn report(&self, report: &Report) -> Result<(), Failure> {
        self.write(REPORT, whole::json(report).as_bytes())
    }

    /// Writes the report as a page.
    pub(super) fn page(&self, page: &str) -> Result<(), Failure> {
        self.write(PAGE, page.as_bytes())
    }

    /// Writes what was refuted, by transformation.
    pub(super) fn refuted(&self, report: &Report) -> Result<(), Failure> {
        self.write(REFUTED, whole::json(&report.refuted()).as_bytes())
    }

    fn write(&self, name: &str, bytes: &[u8]) -> Result<(), Failure> {
        self.check()?;
        let path = self.path.join(name);
        whole::write(&path, bytes).map_err(|error| not_written(&path, &error))
    }
}

fn damaged(file: &Path, error: &dyn std::fmt::Display) -> Failure {
    Failure::Input(format!("{} is damaged: {error}\nstart anew with --force", file.display()))
}

/// The folder of a search: its number and the transformation, in characters that no shell minds.
fn name(searched: &SearchResult) -> String {
    let text = searched.transform.describe().name;
    let plain: String = text
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() || "-.".contains(c) { c } else { '_' })
        .collect();
    let plain = plain.replace("__", "_");
    format!("{:02}_{plain}", searched.number + 1)
}

/// Whether a name is one of these.
fn is_search(name: &str) -> bool {
    let digits = name.bytes().take_while(u8::is_ascii_digit).count();
    digits >= 2 && name[digits..].starts_with('_')
}
