//! `genmorph score`.

use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter, Write};
use std::path::{Path, PathBuf};

use clap::ValueEnum;
use genmorph::claims::Place;
use genmorph::claims::list::{RelationText, RelationsError, read_all, read_lines, read_results};
use genmorph::evolve::scoring::{KilledBy, Score, Scorer};
use genmorph::executions::{CORRECT, Executions, INCORRECT};
use genmorph::jit::text::print;
use genmorph::jit::{Policy, Predicate};
use schemars::JsonSchema;
use serde::Serialize;

use super::Failure;
use super::flags::{JobsArgs, OwnToleranceArgs};
use super::format::Format;

const EXAMPLES: &str = "\
FP are the correct rows on which a relation is false, FN the incorrect rows on which it is true. A
mutant is killed if the relation is false on one of its rows.

Examples:
  genmorph score executions.parquet 'out_f == out_s / k_s' 'e_f < e_s'
  genmorph score executions.parquet relations.txt        one per line, # begins a comment
  genmorph score executions.parquet relations.json       results: {\"relations\": [{\"relation\": …}]}
  generate | genmorph score executions.parquet - --format ndjson

Exit codes:
  0  done
  1  the result could not be written
  2  wrong usage, executions that cannot be read, or a text that is no relation";

/// Show false positives, false negatives, size and killed mutants of relations
#[derive(Debug, clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub(super) struct Args {
    /// The executions file, as `genmorph collect` writes it
    executions: PathBuf,

    /// Relations, files of relations, or `-` for standard input
    #[arg(required = true)]
    relations: Vec<String>,

    /// How relations are evaluated; the verdict is the same
    #[arg(long, value_name = "auto|reference|bytecode|native", default_value_t)]
    tier: Policy,

    #[command(flatten)]
    tolerance: OwnToleranceArgs,

    /// For which relations killed mutants are found: those without false positives, all, or none
    #[arg(long, default_value = "valid")]
    killed: KillListing,

    /// How results are printed
    #[arg(long, default_value = "human")]
    format: Format,

    #[command(flatten)]
    jobs: JobsArgs,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum KillListing {
    Valid,
    All,
    None,
}

/// Relations that are read, scored and printed at once.
const CHUNK: usize = 4096;

pub(super) fn run(args: &Args) -> Result<(), Failure> {
    let executions = args.tolerance.executions(&args.executions)?;
    let jobs = args.jobs.start()?;
    let killed_by = match args.killed {
        KillListing::Valid => KilledBy::Valid,
        KillListing::All => KilledBy::All,
        KillListing::None => KilledBy::Nobody,
    };
    let mut scorer = Scorer::new(&executions, args.tier, killed_by);
    let mut output = Output {
        executions: &executions,
        format: args.format,
        begun: false,
        to: BufWriter::new(io::stdout().lock()),
    };
    let result = each_chunk(&args.relations, |texts| {
        let relations = read_all(texts, executions.table.schema(), &jobs)
            .map_err(|error| Stop::Input(hint(&error)))?;
        let scores = scorer.score(&relations, &jobs);
        if scores.is_empty() { Ok(()) } else { Ok(output.write(&relations, &scores)?) }
    });
    // Verdicts before a bad relation stay: they may have been printed already.
    let ended = if result.is_ok() { output.end() } else { Ok(()) };
    match (result, ended.and_then(|()| output.to.flush())) {
        (Err(Stop::Input(message)), _) => Err(Failure::Input(message)),
        (Err(Stop::Output(error)), _) | (Ok(()), Err(error)) => match error.kind() {
            io::ErrorKind::BrokenPipe => Ok(()),
            _ => Err(error.into()),
        },
        (Ok(()), Ok(())) => Ok(()),
    }
}

/// Why scoring stops early.
enum Stop {
    Input(String),
    Output(io::Error),
}

impl From<io::Error> for Stop {
    fn from(error: io::Error) -> Stop {
        Stop::Output(error)
    }
}

/// The message; for an argument that looks like a path, also that there is no such file.
fn hint(error: &RelationsError) -> String {
    match error {
        RelationsError::Bad { text, .. } if text.file.is_none() => {
            let text = &text.text;
            let file = !text.contains(char::is_whitespace) && text.contains(['.', '/']);
            let hint =
                if file { format!("\nthere is no file `{text}` either") } else { String::new() };
            format!("{error}{hint}")
        }
        _ => error.to_string(),
    }
}

/// Whether there is a file of this name, or a pipe.
fn is_readable(path: &Path) -> bool {
    path.metadata().is_ok_and(|there| !there.is_dir())
}

/// Calls `each` with all relations that the arguments stand for, in order, not too many at once.
fn each_chunk(
    arguments: &[String],
    mut each: impl FnMut(&[RelationText]) -> Result<(), Stop>,
) -> Result<(), Stop> {
    let mut chunk: Vec<RelationText> = Vec::new();
    let mut found = false;
    let mut add = |read: Result<RelationText, RelationsError>| {
        found = true;
        let bad = match read {
            Ok(text) => {
                chunk.push(text);
                None
            }
            Err(error) => Some(error),
        };
        if chunk.len() >= CHUNK || bad.is_some() {
            each(&std::mem::take(&mut chunk))?;
        }
        bad.map_or(Ok(()), |error| Err(Stop::Input(error.to_string())))
    };
    for argument in arguments {
        let name = if argument == "-" { "standard input" } else { argument };
        let mut text: Box<dyn BufRead> = if argument == "-" {
            Box::new(io::stdin().lock())
        } else if is_readable(Path::new(argument)) {
            let failed = |error| Stop::Input(format!("cannot read {argument}: {error}"));
            Box::new(BufReader::with_capacity(1 << 16, File::open(argument).map_err(failed)?))
        } else {
            let place = Place::Number(1);
            add(Ok(RelationText { text: argument.clone(), file: None, place }))?;
            continue;
        };
        let failed = |error| Stop::Input(format!("cannot read {name}: {error}"));
        // No relation begins with a brace; a results file does.
        let begins = text.fill_buf().map_err(failed)?.trim_ascii_start().first().copied();
        if begins == Some(b'{') {
            let results = read_results(name, text);
            let results = results.map_err(|error| Stop::Input(error.to_string()))?;
            results.into_iter().try_for_each(|text| add(Ok(text)))?;
        } else {
            read_lines(name, text).try_for_each(&mut add)?;
        }
    }
    if !found {
        return Err(Stop::Input("there is no relation to score; write one per line".to_owned()));
    }
    each(&chunk)
}

/// Where verdicts are printed, and how.
struct Output<'e, W> {
    executions: &'e Executions,
    format: Format,
    /// The titles are printed, or the first verdict.
    begun: bool,
    to: W,
}

/// The score of a relation; a line of NDJSON.
#[derive(Serialize, JsonSchema)]
pub(super) struct ScoreLine<'e> {
    /// The relation as text.
    relation: String,
    /// False positives: correct rows on which it is false.
    fp: u32,
    /// The share of correct rows that are false positives.
    #[schemars(range(min = 0, max = 1))]
    fp_rate: f64,
    /// False negatives: incorrect rows on which it is true.
    #[serde(rename = "fn")]
    fn_: u32,
    /// The share of incorrect rows that are false negatives.
    #[schemars(range(min = 0, max = 1))]
    fn_rate: f64,
    /// How many nodes it has, leaves included.
    size: usize,
    /// The mutants that have a row on which it is false; null if --killed leaves them out.
    killed: Option<Vec<&'e str>>,
}

impl<W: Write> Output<'_, W> {
    fn write(&mut self, relations: &[Predicate], scores: &[Score]) -> io::Result<()> {
        let executions = self.executions;
        let rows = [CORRECT, INCORRECT].map(|group| executions.count(group));
        for (relation, score) in relations.iter().zip(scores) {
            let rate = |count: u32, group: usize| f64::from(count) / rows[group].max(1) as f64;
            let line = ScoreLine {
                relation: print(relation.nodes(), executions.table.schema()),
                fp: score.false_positives,
                fp_rate: rate(score.false_positives, CORRECT),
                fn_: score.false_negatives,
                fn_rate: rate(score.false_negatives, INCORRECT),
                size: score.size,
                killed: score.killed.as_ref().map(|killed| {
                    killed.iter().map(|&m| executions.mutants[m as usize].as_str()).collect()
                }),
            };
            match self.format {
                Format::Human => self.row(&line)?,
                Format::Json => {
                    self.to.write_all(if self.begun { b",\n  " } else { b"[\n  " })?;
                    serde_json::to_writer(&mut self.to, &line)?;
                    self.begun = true;
                }
                Format::Ndjson => {
                    serde_json::to_writer(&mut self.to, &line)?;
                    writeln!(self.to)?;
                }
            }
        }
        Ok(())
    }

    /// Ends the output after the last score.
    fn end(&mut self) -> io::Result<()> {
        match (self.format, self.begun) {
            (Format::Json, true) => self.to.write_all(b"\n]\n"),
            (Format::Json, false) => self.to.write_all(b"[]\n"),
            (Format::Human | Format::Ndjson, _) => Ok(()),
        }
    }

    /// The titles of the table say of how many; numbers stand under their right ends.
    fn titles(&self) -> [String; 5] {
        let count = |group: usize| self.executions.count(group);
        [
            format!("FP of {}", count(CORRECT)),
            format!("FN of {}", count(INCORRECT)),
            "size".to_owned(),
            format!("killed of {}", self.executions.mutants.len()),
            "relation".to_owned(),
        ]
    }

    fn row(&mut self, line: &ScoreLine<'_>) -> io::Result<()> {
        let [fp, fn_, size, killed, relation] = self.titles();
        if !self.begun {
            writeln!(self.to, "{fp}           {fn_}           {size}  {killed}  {relation}")?;
            self.begun = true;
        }
        let (fp, fn_, size) = (fp.len(), fn_.len(), size.len());
        let shown = line.killed.as_ref().map_or("-".to_owned(), |killed| killed.len().to_string());
        writeln!(
            self.to,
            "{:>fp$} {:>7.2}%  {:>fn_$} {:>7.2}%  {:>size$}  {shown:>killed$}  {}",
            line.fp,
            100.0 * line.fp_rate,
            line.fn_,
            100.0 * line.fn_rate,
            line.size,
            line.relation,
            killed = killed.len(),
        )
    }
}
