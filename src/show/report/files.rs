//! The files of a run, as far as a report needs them.
//!
//! Only what is shown is asked for, and what newer or older runs have besides is passed over: a report can be had
//! of either. Alone here in opening files.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use crate::executions::Executions;
use crate::record::relations::{Tolerance, VERSION};

/// A folder that no report can be made of.
#[derive(Debug, thiserror::Error)]
pub enum ModelError {
    /// It is no folder of a run, or the run is not done.
    #[error(
        "there is no report.json in {}\ngive the folder that `genmorph generate -o` has written; an interrupted run has one after it is resumed",
        .0.display()
    )]
    NoRun(PathBuf),
    /// A file cannot be read.
    #[error("cannot read {}: {source}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// A file says something else than it should.
    #[error("{} is damaged: {problem}\nrun `genmorph generate` again", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        problem: String,
    },
    /// The file is of another time.
    #[error(
        "{} has version {found}, and this genmorph reads up to {VERSION}: make the report with the genmorph that made the run",
        path.display()
    )]
    Version {
        /// The file.
        path: PathBuf,
        /// What it has.
        found: u32,
    },
}

/// All that is known of a run.
#[derive(Debug)]
pub(super) struct Files {
    pub(super) report: Report,
    pub(super) run: Option<Run>,
    pub(super) mutants: Vec<Mutant>,
    pub(super) refuted: Option<Vec<Refuted>>,
    /// By transformation.
    pub(super) searches: BTreeMap<String, Search>,
    /// Source files next to the subject, by the name that mutants have them under.
    pub(super) sources: BTreeMap<String, String>,
}

/// The folder of a search.
#[derive(Debug, Default)]
pub(super) struct Search {
    pub(super) generations: Vec<Generation>,
    pub(super) executions: Option<Executions>,
}

/// `report.json`.
#[derive(Debug, Deserialize)]
pub(super) struct Report {
    pub(super) version: u32,
    #[serde(default)]
    pub(super) tool: String,
    pub(super) function: String,
    #[serde(default)]
    pub(super) signature: String,
    pub(super) seed: u64,
    pub(super) tolerance: Tolerance,
    #[serde(default)]
    pub(super) fresh_pairs: usize,
    #[serde(default)]
    pub(super) config: Value,
    #[serde(default)]
    pub(super) sources: Coverage,
    #[serde(default)]
    pub(super) training: Counts,
    pub(super) transformations: Vec<Claimed>,
    #[serde(default)]
    pub(super) minimal: Minimal,
    #[serde(default)]
    pub(super) judged: Judged,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Minimal {
    pub(super) needed: Vec<Needed>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Needed {
    pub(super) transformation: String,
    pub(super) relation: String,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Coverage {
    pub(super) inputs: usize,
    pub(super) returned: usize,
    pub(super) covered: usize,
    pub(super) sides: usize,
    pub(super) uncovered: Vec<String>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Counts {
    pub(super) all: usize,
    pub(super) distinct: usize,
    pub(super) same: usize,
    pub(super) alike: usize,
    pub(super) crash_only: usize,
}

#[derive(Debug, Deserialize)]
pub(super) struct Claimed {
    pub(super) transformation: String,
    #[serde(default)]
    pub(super) input_relation: String,
    #[serde(default)]
    pub(super) pairs: [usize; 3],
    #[serde(default)]
    pub(super) lessons: usize,
    pub(super) problem: Option<String>,
    pub(super) results: Option<Results>,
    #[serde(default)]
    pub(super) tried: Vec<usize>,
    /// What else speaks for each relation.
    #[serde(default)]
    pub(super) evidence: Vec<Evidence>,
    /// Relations that were tried on too few pairs to be reported.
    #[serde(default)]
    pub(super) doubtful: usize,
    /// Relations that were found again after people had rejected them.
    #[serde(default)]
    pub(super) left_out: usize,
    #[serde(default)]
    pub(super) judging_kills: Vec<usize>,
    #[serde(default)]
    pub(super) refuted: Vec<Refuted>,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Evidence {
    pub(super) hunted: Option<usize>,
    pub(super) exhausted: bool,
}

#[derive(Debug, Deserialize)]
pub(super) struct Results {
    #[serde(default)]
    pub(super) rows: Rows,
    #[serde(default)]
    pub(super) mutants: Vec<String>,
    pub(super) run: Option<Searched>,
    pub(super) relations: Vec<Relation>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Rows {
    pub(super) correct: usize,
    pub(super) incorrect: usize,
}

#[derive(Debug, Deserialize)]
pub(super) struct Searched {
    pub(super) generations: u64,
    pub(super) evaluations: u64,
}

#[derive(Debug, Deserialize)]
pub(super) struct Relation {
    pub(super) relation: String,
    #[serde(default)]
    pub(super) fn_rate: f64,
    #[serde(default)]
    pub(super) size: usize,
    #[serde(default)]
    pub(super) killed: Vec<String>,
}

/// A relation that is wrong, in `report.json` or `refuted.json`.
#[derive(Debug, Deserialize)]
pub(super) struct Refuted {
    pub(super) transformation: Option<String>,
    pub(super) relation: String,
    #[serde(default)]
    pub(super) source: Map<String, Value>,
    #[serde(default)]
    pub(super) follow_up: Map<String, Value>,
    /// What found the counterexample.
    pub(super) by: Option<String>,
    /// Whether the counterexample is simpler than the one that was found.
    #[serde(default)]
    pub(super) is_shrunk: bool,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Judged {
    pub(super) pairs: usize,
    pub(super) false_alarms: u64,
    pub(super) mutants: usize,
    pub(super) floor: usize,
    pub(super) killed: usize,
    pub(super) asserted: usize,
    pub(super) ceiling: usize,
    pub(super) survivors: Vec<String>,
    /// All of them, by name.
    pub(super) names: Vec<String>,
    /// Those that any test kills.
    pub(super) crashed: Vec<String>,
    /// The names of the judging mutants that each relation kills, in whatever grouping.
    pub(super) kills: Option<Value>,
}

/// One of `mutants.json`.
#[derive(Debug, Deserialize)]
pub(super) struct Mutant {
    pub(super) name: String,
    pub(super) group: String,
    #[serde(default)]
    pub(super) operator: String,
    #[serde(default)]
    pub(super) function: String,
    #[serde(default)]
    pub(super) offset: u32,
    pub(super) line: Option<String>,
    #[serde(default)]
    pub(super) change: String,
    pub(super) standing: Option<String>,
}

/// `run.json`.
#[derive(Debug, Deserialize)]
pub(super) struct Run {
    #[serde(default)]
    pub(super) subject: String,
    pub(super) sources: Option<usize>,
    #[serde(default)]
    pub(super) supplied: usize,
    pub(super) fresh: Option<usize>,
    /// Calls made to hunt for counterexamples; earlier runs had none.
    pub(super) hunted: Option<usize>,
    pub(super) feedback: Option<bool>,
    pub(super) generations: Option<u64>,
    pub(super) rows: Option<[usize; 2]>,
    pub(super) tolerance: Option<String>,
    /// The reviewed set that it respects.
    pub(super) reviewed: Option<String>,
}

/// A line of `generations.ndjson`.
#[derive(Debug, Deserialize)]
pub(super) struct Generation {
    pub(super) generation: u64,
    pub(super) populations: Vec<Population>,
    #[serde(default)]
    pub(super) restarts: u64,
}

#[derive(Debug, Deserialize)]
pub(super) struct Population {
    pub(super) best: Option<Best>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Best {
    pub(super) fp: u32,
    #[serde(rename = "fn")]
    pub(super) fn_: u32,
    pub(super) size: usize,
}

/// What a folder of a search says first.
#[derive(Deserialize)]
struct Named {
    transformation: String,
}

/// The largest source file that is shown.
const LARGEST_SOURCE: u64 = 1 << 20;

impl Files {
    /// Reads the folder of a run.
    pub(super) fn read(folder: &Path) -> Result<Files, ModelError> {
        let path = folder.join("report.json");
        if !path.is_file() {
            return Err(ModelError::NoRun(folder.to_owned()));
        }
        let report: Report = json(&path)?;
        if report.version == 0 || report.version > VERSION {
            return Err(ModelError::Version { path, found: report.version });
        }
        let run: Option<Run> = optional(&folder.join("run.json"))?;
        let mutants: Vec<Mutant> = optional(&folder.join("mutants.json"))?.unwrap_or_default();
        let refuted = refuted(&folder.join("refuted.json"))?;
        let sources = match &run {
            Some(run) => sources(Path::new(&run.subject), &mutants),
            None => BTreeMap::new(),
        };
        let searches = searches(folder)?;
        Ok(Files { report, run, mutants, refuted, searches, sources })
    }
}

/// The refuted relations that a run has written apart: a list, or an object that has it.
fn refuted(path: &Path) -> Result<Option<Vec<Refuted>>, ModelError> {
    let Some(value) = optional::<Value>(path)? else { return Ok(None) };
    let list = match value {
        Value::Object(mut object) => object.remove("refuted").unwrap_or_default(),
        list => list,
    };
    serde_json::from_value(list).map(Some).map_err(|error| damaged(path, &error))
}

fn searches(folder: &Path) -> Result<BTreeMap<String, Search>, ModelError> {
    let unreadable = |source| ModelError::Unreadable { path: folder.to_owned(), source };
    let mut searches = BTreeMap::new();
    for entry in fs::read_dir(folder).map_err(unreadable)? {
        let path = entry.map_err(unreadable)?.path();
        let named: Option<Named> = optional(&path.join("search.json"))?;
        let Some(Named { transformation }) = named else { continue };
        let executions = path.join("executions.parquet");
        let executions = if executions.is_file() {
            let reading = Executions::read(&executions);
            let reading = reading.map_err(|error| ModelError::Damaged {
                path: executions.clone(),
                problem: error.to_string(),
            })?;
            Some(reading.executions)
        } else {
            None
        };
        let generations = lines(&path.join("generations.ndjson"))?;
        searches.insert(transformation, Search { generations, executions });
    }
    Ok(searches)
}

/// The sources that stand next to the file of a subject. Debug information has paths of the machine that compiled:
/// only their last part counts.
fn sources(subject: &Path, mutants: &[Mutant]) -> BTreeMap<String, String> {
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

/// Takes a place apart.
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
    serde_json::from_str(&text(path)?).map_err(|error| damaged(path, &error))
}

/// The same of a file that need not be there.
fn optional<T: DeserializeOwned>(path: &Path) -> Result<Option<T>, ModelError> {
    if path.is_file() { json(path).map(Some) } else { Ok(None) }
}

/// A value per line.
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
