//! Whether `generate` finds what people write: relations of a list, under the transformation that they belong to.
//!
//! `cargo bench --bench laws` (three seeds, 20 s each), or `-- --quick` (one seed, 8 s); `--seeds N`, `--budget TIME`, `--list FILE` for
//! another list of the same form, and words that the name of a subject must contain. A relation counts as found if one of the first
//! three of its transformation has at most two nodes more and refutes every row that it refutes and whose outputs are numbers. Lines without Java where there is no
//! JDK are misses with that reason.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use genmorph::executions::Executions;
use genmorph::jit::{Evaluator, Policy, Predicate, Value, parse};
use genmorph::record::report::Report;

/// How many relations of a transformation a person reads.
const READ: usize = 3;
/// How many more nodes than the textbook's relation one may have.
const LONGER: usize = 2;

/// A relation that a person would write.
struct Entry {
    transformation: String,
    relation: String,
}

/// What became of an entry.
enum Verdict {
    /// Its place among the relations of its transformation, from 1, and the relation that says it.
    Found(usize, String),
    /// The reason why not.
    Missed(String),
}

/// How many seeds, how long each, and which entries of which list.
struct Options {
    seeds: u64,
    budget: String,
    list: PathBuf,
    words: Vec<String>,
}

impl Options {
    fn read() -> Options {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let list = root.join("benches/laws/textbook.psv");
        let mut options = Options { seeds: 3, budget: "20s".to_owned(), list, words: Vec::new() };
        let mut arguments = std::env::args().skip(1);
        while let Some(argument) = arguments.next() {
            let mut value = || arguments.next().expect("a value after the flag");
            match &*argument {
                "--quick" => (options.seeds, options.budget) = (1, "8s".to_owned()),
                "--seeds" => options.seeds = value().parse().expect("a number of seeds"),
                "--budget" => options.budget = value(),
                "--list" => options.list = value().into(),
                "--bench" => {}
                word => options.words.push(word.to_owned()),
            }
        }
        options
    }
}

fn main() {
    let options = Options::read();
    let subjects = entries(&options);
    let (mut found, mut all) = (0, 0);
    for seed in 1..=options.seeds {
        for (subject, entries) in &subjects {
            let run = Run::of(subject, seed, &options.budget);
            for entry in entries {
                let verdict = run.as_ref().map_or_else(
                    |problem| Verdict::Missed(problem.clone()),
                    |run| run.verdict(entry),
                );
                all += 1;
                let Entry { transformation, relation } = entry;
                match verdict {
                    Verdict::Found(place, by) => {
                        found += 1;
                        println!("{seed} {subject:<16} {transformation:<32} {place} {by}");
                    }
                    Verdict::Missed(why) => {
                        println!("{seed} {subject:<16} {transformation:<32} - {relation}: {why}");
                    }
                }
            }
        }
    }
    println!(
        "RESULT laws found={found} of={all} seeds={} budget={}",
        options.seeds, options.budget
    );
}

/// The entries of the list, by subject.
fn entries(options: &Options) -> BTreeMap<String, Vec<Entry>> {
    let text = fs::read_to_string(&options.list).expect("the list can be read");
    let mut subjects: BTreeMap<String, Vec<Entry>> = BTreeMap::new();
    for line in text.lines().skip(1) {
        let mut parts = line.splitn(3, '|').map(str::trim);
        let (Some(subject), Some(transformation), Some(relation)) =
            (parts.next(), parts.next(), parts.next())
        else {
            continue;
        };
        if options.words.is_empty() || options.words.iter().any(|word| subject.contains(word)) {
            let (transformation, relation) = (transformation.to_owned(), relation.to_owned());
            subjects
                .entry(subject.to_owned())
                .or_default()
                .push(Entry { transformation, relation });
        }
    }
    subjects
}

/// A run of `generate`, as its folder has it.
struct Run {
    folder: PathBuf,
    report: Report,
}

impl Run {
    /// Runs the program on a subject of tests/subjects, as a user would.
    fn of(subject: &str, seed: u64, budget: &str) -> Result<Run, String> {
        let subjects = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/subjects");
        let file = match subject.split_once('/') {
            Some((group, name)) => subjects.join(group).join(format!("{name}.toml")),
            None => subjects.join(subject).join("subject.toml"),
        };
        let folder = std::env::temp_dir().join(format!("genmorph-laws-{}", std::process::id()));
        let output = Command::new(env!("CARGO_BIN_EXE_genmorph"))
            .args(["generate", "-q", "--force", "--no-config", "--no-reviewed", "--budget", budget])
            .args(["--seed", &seed.to_string(), "-o"])
            .arg(&folder)
            .arg(&file)
            .output()
            .map_err(|error| error.to_string())?;
        let text = fs::read_to_string(folder.join("report.json")).map_err(|_| {
            String::from_utf8_lossy(&output.stderr).lines().next().unwrap_or("no report").to_owned()
        })?;
        let report = serde_json::from_str(&text).map_err(|error| error.to_string())?;
        Ok(Run { folder, report })
    }

    fn verdict(&self, entry: &Entry) -> Verdict {
        let searches = &self.report.transformations;
        let place = searches.iter().position(|s| s.transformation == entry.transformation);
        let Some(place) = place else {
            return Verdict::Missed("the transformation was not searched".to_owned());
        };
        let search = &searches[place];
        let relations: Vec<&str> =
            search.relations().iter().map(|found| found.relation.as_str()).take(READ).collect();
        match self.said(entry, &relations) {
            Ok(Some(at)) => Verdict::Found(at + 1, relations[at].to_owned()),
            Ok(None) if relations.is_empty() => Verdict::Missed("nothing is reported".to_owned()),
            Ok(None) => Verdict::Missed(format!("instead: {}", relations.join("; "))),
            Err(problem) => Verdict::Missed(problem),
        }
    }

    /// The first of the relations that says what an entry says.
    fn said(&self, entry: &Entry, relations: &[&str]) -> Result<Option<usize>, String> {
        let executions = self.executions(&entry.transformation)?;
        let table = &executions.table;
        let schema = table.schema();
        let read = |text: &str| parse(text, schema).map_err(|error| error.to_string());
        let textbook: Predicate = read(&entry.relation)?;
        let mut evaluator = Evaluator::new(Policy::Auto);
        let meant = evaluator.mask(&textbook, table);
        // A sum of what is no number is equal to nothing, a difference of such is equal to itself: people mean neither.
        let is_number = |row: usize| {
            let outputs = executions.signature.output_pairs();
            let is_nan = |var| matches!(table.value(var, row), Value::Num(x) if x.is_nan());
            !outputs.into_iter().any(|(source, follow_up)| is_nan(source) || is_nan(follow_up))
        };
        for (at, text) in relations.iter().enumerate() {
            let relation = read(text)?;
            let mask = evaluator.mask(&relation, table);
            let says =
                (0..table.rows()).all(|row| !mask.get(row) || meant.get(row) || !is_number(row));
            if says && relation.size() <= textbook.size() + LONGER {
                return Ok(Some(at));
            }
        }
        Ok(None)
    }

    /// The executions of a transformation.
    fn executions(&self, transformation: &str) -> Result<Executions, String> {
        let entries = fs::read_dir(&self.folder).map_err(|error| error.to_string())?;
        for entry in entries.flatten() {
            let file = entry.path().join("executions.parquet");
            if let Ok(reading) = Executions::read(&file)
                && reading.executions.transformation.name == transformation
            {
                return Ok(reading.executions);
            }
        }
        Err("its executions were not written".to_owned())
    }
}
