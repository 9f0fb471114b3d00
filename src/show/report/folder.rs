//! Reads the folder of a run: its records, the executions of its searches, and sources next to the subject.
//!
//! Only `report.json` must be there. Alone in this room in opening files.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use serde::de::DeserializeOwned;

use crate::executions::Executions;
use crate::record::checksum;
use crate::record::mutants::MutantEntry;
use crate::record::refuted::ListedRefutation;
use crate::record::report::Report;
use crate::record::run::RunSettings;
use crate::record::search::Search;
use crate::record::{Generation, VERSION};
use crate::subject::kinds::Observed;

/// Why no report can be made of a folder.
#[derive(Debug, thiserror::Error)]
pub enum ModelError {
    /// It is not the folder of a run, or the run has not ended.
    #[error(
        "there is no report.json in {}\ngive the folder that `genmorph generate -o` has written; an interrupted run has one after it is resumed",
        .0.display()
    )]
    NoRun(PathBuf),
    /// A file cannot be read.
    #[error("cannot read {}: {source}", path.display())]
    Unreadable {
        /// The file that cannot be used.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// A file is not what a run writes.
    #[error("{} is damaged: {problem}\nrun `genmorph generate` again", path.display())]
    Damaged {
        /// The file that cannot be used.
        path: PathBuf,
        /// What is wrong with it.
        problem: String,
    },
    /// A later version wrote the file.
    #[error(
        "{} has version {found}, and this genmorph reads up to {VERSION}: make the report with the genmorph that made the run",
        path.display()
    )]
    Version {
        /// The file that cannot be used.
        path: PathBuf,
        /// The version of the file.
        found: u32,
    },
}

/// The files of a run.
#[derive(Debug)]
pub(super) struct RunFolder {
    pub(super) report: Report,
    pub(super) run: Option<RunSettings>,
    pub(super) mutants: Vec<MutantEntry>,
    /// `refuted.json`; the first versions did not write it.
    pub(super) refuted: Option<Vec<ListedRefutation>>,
    /// The folders of searches, by transformation and by what their relations speak of.
    pub(super) searches: BTreeMap<(String, Observed), SearchFolder>,
    /// Source files next to the subject, by the name that mutants give them.
    pub(super) sources: BTreeMap<String, String>,
}

/// What the folder of a search has besides `search.json`, which is a part of the report too.
#[derive(Debug, Default)]
pub(super) struct SearchFolder {
    pub(super) generations: Vec<Generation>,
    pub(super) executions: Option<Executions>,
}

/// The largest source file that is shown.
const LARGEST_SOURCE: u64 = 1 << 20;

impl RunFolder {
    /// Reads the folder of a run.
    pub(super) fn read(folder: &Path) -> Result<RunFolder, ModelError> {
        let path = folder.join("report.json");
        if !path.is_file() {
            return Err(ModelError::NoRun(folder.to_owned()));
        }
        let report: Report = json(&path)?;
        if report.version == 0 {
            return Err(damaged(&path, &"it has no version"));
        }
        if report.version > VERSION {
            return Err(ModelError::Version { path, found: report.version });
        }
        let run: Option<RunSettings> = optional(&folder.join("run.json"))?;
        let mutants: Vec<MutantEntry> = optional(&folder.join("mutants.json"))?.unwrap_or_default();
        let sources = match &run {
            Some(run) => sources(Path::new(&run.subject), &mutants),
            None => BTreeMap::new(),
        };
        Ok(RunFolder {
            report,
            run,
            mutants,
            refuted: optional(&folder.join("refuted.json"))?,
            searches: searches(folder)?,
            sources,
        })
    }
}

fn searches(folder: &Path) -> Result<BTreeMap<(String, Observed), SearchFolder>, ModelError> {
    let unreadable = |source| ModelError::Unreadable { path: folder.to_owned(), source };
    let mut searches = BTreeMap::new();
    for entry in fs::read_dir(folder).map_err(unreadable)? {
        let path = entry.map_err(unreadable)?.path();
        let search: Option<Search> = optional(&path.join("search.json"))?;
        let Some(Search { transformation, observed, .. }) = search else { continue };
        let executions = path.join("executions.parquet");
        let executions = if executions.is_file() {
            let reading = Executions::read(&executions);
            Some(reading.map_err(|error| damaged(&executions, &error))?.executions)
        } else {
            None
        };
        let generations = lines(&path.join("generations.ndjson"))?;
        searches.insert((transformation, observed), SearchFolder { generations, executions });
    }
    Ok(searches)
}

/// The source files next to the file of a subject. Debug information has paths of the machine that compiled: only their
/// last part counts.
fn sources(subject: &Path, mutants: &[MutantEntry]) -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    if subject == Path::new("demo") {
        let text = include_str!("../../../tests/subjects/pow/pow.wat");
        found.insert("pow.wat".to_owned(), text.to_owned());
        return found;
    }
    let Some(folder) = subject.parent().filter(|_| subject.is_file()) else { return found };
    let places = mutants.iter().filter_map(|mutant| mutant.line.as_deref()).map(place);
    for file in places.map(|place| place.file).collect::<BTreeSet<_>>() {
        let Some(name) = Path::new(&file).file_name() else { continue };
        let path = folder.join(name);
        let is_small = fs::metadata(&path).is_ok_and(|data| data.len() <= LARGEST_SOURCE);
        if let Some(text) = is_small.then(|| fs::read_to_string(&path).ok()).flatten() {
            found.insert(file, text);
        }
    }
    found
}

/// A place in a source: `pow.wat:8:20`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Place {
    pub(super) file: String,
    pub(super) line: Option<usize>,
    pub(super) column: Option<usize>,
}

/// Splits a place into file, line and column.
pub(super) fn place(text: &str) -> Place {
    let number = |text: &str| text.parse::<usize>().ok().filter(|&number| number > 0);
    let mut parts: Vec<&str> = text.rsplitn(3, ':').collect();
    parts.reverse();
    let (file, line, column) = match parts[..] {
        [file, line, column] if number(line).is_some() && number(column).is_some() => {
            (file.to_owned(), number(line), number(column))
        }
        [.., line] if parts.len() > 1 && number(line).is_some() => {
            (parts[..parts.len() - 1].join(":"), number(line), None)
        }
        _ => (text.to_owned(), None, None),
    };
    Place { file, line, column }
}

fn damaged(path: &Path, problem: &dyn std::fmt::Display) -> ModelError {
    ModelError::Damaged { path: path.to_owned(), problem: problem.to_string() }
}

fn text(path: &Path) -> Result<String, ModelError> {
    let bytes = fs::read(path)
        .map_err(|source| ModelError::Unreadable { path: path.to_owned(), source })?;
    String::from_utf8(bytes).map_err(|_| damaged(path, &"it is not UTF-8"))
}

fn json<T: DeserializeOwned>(path: &Path) -> Result<T, ModelError> {
    let text = text(path)?;
    checksum::check(&text).map_err(|error| damaged(path, &error))?;
    serde_json::from_str(&text).map_err(|error| damaged(path, &error))
}

/// Reads a file that need not be there.
fn optional<T: DeserializeOwned>(path: &Path) -> Result<Option<T>, ModelError> {
    if path.is_file() { json(path).map(Some) } else { Ok(None) }
}

/// Reads a value per line; nothing if there is no such file.
fn lines<T: DeserializeOwned>(path: &Path) -> Result<Vec<T>, ModelError> {
    if !path.is_file() {
        return Ok(Vec::new());
    }
    let text = text(path)?;
    let values = (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty());
    values
        .map(|(number, line)| {
            let damage = |error| damaged(path, &format!("line {number}: {error}"));
            serde_json::from_str(line).map_err(damage)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_taken_apart() {
        let of = |text: &str| {
            let Place { file, line, column } = place(text);
            (file, line, column)
        };
        assert_eq!(of("pow.wat:8:20"), ("pow.wat".to_owned(), Some(8), Some(20)));
        assert_eq!(of("Gcd.java:31"), ("Gcd.java".to_owned(), Some(31), None));
        assert_eq!(of("C:\\x.c:4"), ("C:\\x.c".to_owned(), Some(4), None));
        assert_eq!(of("nowhere"), ("nowhere".to_owned(), None, None));
    }
}
