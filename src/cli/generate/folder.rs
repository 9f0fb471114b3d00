//! The folder that a run of `genmorph generate` writes into.
//!
//! Whole files are written beside their place and moved there, so that there is never half of one.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use genmorph::executions::ExistingFile;
use genmorph::executions::live::Census;
use genmorph::record::report::Report;
use genmorph::record::run::RunSettings;
use genmorph::record::search::Search;
use genmorph::record::value::to_json;
use genmorph::run::{SearchResult, mutants};
use genmorph::subject::{Inputs, Signature, Subject};

use super::super::output::not_written;
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
}

impl Folder {
    /// A folder for a new run. Nothing is changed in it until the run [begins](Folder::begin).
    pub(super) fn new(path: &Path, existing: ExistingFile) -> Result<Folder, Failure> {
        let folder = Folder { path: path.to_owned() };
        if !folder.entries()?.is_empty() && existing == ExistingFile::Refuse {
            return Err(Failure::Input(format!(
                "{} is there already and is not empty\nuse --resume to go on with its run, --force to replace it, or -o for another folder",
                path.display()
            )));
        }
        Ok(folder)
    }

    /// Takes away what an earlier run has written, and says what this one was started with.
    pub(super) fn begin(&self, started: &RunSettings) -> Result<(), Failure> {
        fs::create_dir_all(&self.path).map_err(|error| cannot("create", &self.path, &error))?;
        // Only what a run writes: the folder may be one that the user keeps other things in.
        for name in self.entries()? {
            let file = self.path.join(&name);
            let removed = if [REPORT, PAGE, REFUTED, MUTANTS, SOURCES, RUN].contains(&&*name) {
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

    /// The names of what is in the folder, in order.
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
        names.sort();
        Ok(names)
    }

    /// The folder of a run that is gone on with, and the searches that it has done; some may have been cut short.
    pub(super) fn resume(
        path: &Path,
        started: &RunSettings,
    ) -> Result<(Folder, Vec<Search>), Failure> {
        let file = path.join(RUN);
        let text = fs::read_to_string(&file).map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => {
                Failure::Input(format!("there is no run to resume in {}", path.display()))
            }
            _ => cannot("read", &file, &error),
        })?;
        let before: RunSettings = damaged(&file, serde_json::from_str(&text))?;
        resume::check(path, &before, started)?;
        let folder = Folder { path: path.to_owned() };
        let mut done = Vec::new();
        for name in folder.entries()?.iter().filter(|name| is_search(name)) {
            let file = path.join(name).join(SEARCH);
            match fs::read_to_string(&file) {
                Ok(text) => done.push(damaged(&file, serde_json::from_str(&text))?),
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
            put("relations.json", whole::json(results))?;
        }
        // At last: a search that has this file is done.
        put(SEARCH, whole::json(&searched.claimed))
    }

    /// Writes `mutants.json`.
    pub(super) fn mutants(&self, subject: &dyn Subject, census: &Census) -> Result<(), Failure> {
        self.write(MUTANTS, whole::json(&mutants(subject, census)).as_bytes())
    }

    /// Writes `report.json`.
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
        let path = self.path.join(name);
        whole::write(&path, bytes).map_err(|error| not_written(&path, &error))
    }
}

fn damaged<T>(file: &Path, read: serde_json::Result<T>) -> Result<T, Failure> {
    read.map_err(|error| {
        Failure::Input(format!("{} is damaged: {error}\nstart anew with --force", file.display()))
    })
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
