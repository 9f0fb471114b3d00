//! `genmorph experiment`: what was published, measured again, and faults of real releases.

mod realbugs;

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use genmorph::evolve::Machine;
use genmorph::jit::Policy;
use genmorph::run::Plan;
use genmorph::support::seed::Seed;
use genmorph::sweep::Shard;
use genmorph::sweep::experiment::{
    self, EMBEDDED, Example, METHODS, Protocol, RunRecord, Search, Table,
};

use super::flags::JobsArgs;
use super::generate::Progress;
use super::interrupt::on_interrupt;
use super::pit::{Pit, Question};
use super::subject::SubjectArgs;
use super::sweep::share;
use super::{Ending, Failure, OrFailure, budget, claims, output, print, talk, warn, whole};

const MORE: &str = "\
For each method: inputs, mutants, relations under 4 transformations, then their verdict on suites of 100 unseen inputs by
PIT's mutants. `ours` is the search of genmorph, `paper` that of the paper, both with its limits on rows.

Columns of the table (src/assess/README.md has the exact definitions):
  floor      killed by any test, since they crash or time out       ceiling  killed by an oracle that knows every output
  paper MS   as published                                           MS       killed by the relations of a run together
  assert     MS by relations that are false, not by crashes         strict   MS without equivalent mutants, and without
  single     the mean of single relations, as in the paper                   those that do what a training mutant does
  PZ, PZO    relations without false alarms                         ΔMS      of what regression assertions miss
  s          seconds for a transformation, everything in them

The folder has a record for each run, table.md, table.csv, plot.svg, and the definitions of the methods in subjects/.
What is there already is not run again: an interrupted experiment goes on where it was, and more seeds can be added.

Examples:
  genmorph experiment paper
  genmorph experiment paper --seeds 3 --budget 60s --search ours,paper -o paper.out
  genmorph experiment paper --methods gcd,pow --pit
  genmorph experiment paper --embedded

Exit codes:
  0    done
  1    a result could not be written, or no worker process could be started any more
  2    wrong usage or bad input: no JDK (--embedded needs none), records of another protocol, …
  4    done, but some runs failed; each is named
  130  interrupted; runs that are done are kept";

const EXAMPLES: &str = "\
Examples:
  genmorph experiment paper
  genmorph experiment paper --embedded --methods gcd,pow";

/// Repeat an experiment that was published, or try real faults
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    #[command(subcommand)]
    experiment: Experiment,
}

#[derive(Debug, clap::Subcommand)]
enum Experiment {
    /// The table of the GenMorph paper: 23 methods, mutation scores, false alarms
    #[command(after_long_help = MORE)]
    Paper(PaperArgs),
    /// Faults of real releases: relations found on the release in which one was fixed must be violated by the one that has it
    #[command(after_long_help = realbugs::MORE)]
    Realbugs(realbugs::BugArgs),
}

#[derive(Debug, clap::Args)]
struct PaperArgs {
    /// The folder for the records
    #[arg(short, long, value_name = "DIR", default_value = "genmorph.paper")]
    output: PathBuf,

    /// The methods, by their names in the table [default: all]
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    methods: Vec<String>,

    /// Which search: `ours`, `paper`, or both
    #[arg(long, value_name = "SEARCH", value_delimiter = ',', default_value = "ours")]
    search: Vec<Search>,

    /// Runs of each method, with the seeds 1, 2, 3, …
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1000))]
    seeds: u16,

    /// Transformations of each run
    #[arg(long, value_name = "N", default_value_t = Protocol::default().transformations as u16, value_parser = clap::value_parser!(u16).range(1..=100))]
    transformations: u16,

    /// Suites that relations are judged on, of 100 inputs each
    #[arg(long, value_name = "N", default_value_t = Protocol::default().suites as u16, value_parser = clap::value_parser!(u16).range(1..=1000))]
    suites: u16,

    /// Time for each transformation, everything but judging in it
    #[arg(long, value_name = "TIME", default_value = "15s", value_parser = budget::parse)]
    budget: Duration,

    /// Generations of each search, instead of a time: equal seeds give equal results
    #[arg(long, value_name = "N", conflicts_with = "budget", value_parser = clap::value_parser!(u64).range(1..))]
    generations: Option<u64>,

    /// Functions in WebAssembly that are near to 16 of the methods, for machines without a JVM
    #[arg(long)]
    embedded: bool,

    /// Only the K-th of N parts of the runs, on machines that see one folder; a Slurm array or an indexed Kubernetes job
    /// says it by itself
    #[arg(long, value_name = "K/N")]
    shard: Option<Shard>,

    /// How many parts there are, where the job scheduler does not say
    #[arg(long, value_name = "N", conflicts_with = "shard")]
    shards: Option<usize>,

    #[command(flatten)]
    pit: Pit,

    #[command(flatten)]
    jobs: JobsArgs,
}

pub(super) fn run(args: &Args) -> Result<Ending, Failure> {
    match &args.experiment {
        Experiment::Paper(args) => paper(args),
        Experiment::Realbugs(args) => realbugs::run(args),
    }
}

/// One run that is to be done.
struct Unit {
    example: Example,
    search: Search,
    seed: u64,
    /// Where its record is.
    record: PathBuf,
}

fn paper(args: &PaperArgs) -> Result<Ending, Failure> {
    let protocol = Protocol {
        transformations: usize::from(args.transformations),
        suites: usize::from(args.suites),
        seconds: args.budget.as_secs_f64(),
        generations: args.generations,
        ..Protocol::default()
    };
    let units = units(args)?;
    let mut records: Vec<RunRecord> = Vec::new();
    let mut open = Vec::new();
    for unit in units {
        match read(&unit.record, &protocol)? {
            Some(record) => records.push(record),
            None => open.push(unit),
        }
    }
    let cancelled = Arc::new(AtomicBool::new(false));
    on_interrupt(&cancelled)?;
    if !records.is_empty() {
        talk::say(&format_args!("{} runs are done already, {} to do", records.len(), open.len()));
    }
    let shard = share::find(args.shard, args.shards, &|name| std::env::var(name).ok())?;
    let mut place = 0..;
    open.retain(|_| place.next().is_some_and(|place| shard.has(place)));
    let mut failed = 0;
    for (number, unit) in open.iter().enumerate() {
        let name = format!("{} {} seed {}", unit.example.method, unit.search, unit.seed);
        match one(args, unit, &protocol, &cancelled) {
            Ok(record) => {
                talk::say(&format_args!(
                    "{:>4}/{}  {name}: {}",
                    number + 1,
                    open.len(),
                    brief(&record)
                ));
                output::write(&unit.record, &whole::json(&record))?;
                records.push(record);
            }
            Err(_) if cancelled.load(Ordering::Relaxed) => break,
            Err(failure) => {
                warn(&format_args!("{name}: {failure}"));
                failed += 1;
            }
        }
    }
    let table = Table::of(&records);
    for (name, text) in [
        ("table.md", table.text()),
        ("table.csv", table.csv()),
        ("plot.svg", experiment::svg(&table)),
    ] {
        output::write(&args.output.join(name), &text)?;
    }
    print(&table.text())?;
    if args.pit.is_asked() {
        spot_check(args, &records)?;
    }
    Ok(match cancelled.load(Ordering::Relaxed) {
        true => Ending::Interrupted,
        false if failed > 0 => Ending::Partly,
        false => Ending::Done,
    })
}

/// All runs that were asked for, with the definitions of their functions in the folder.
fn units(args: &PaperArgs) -> Result<Vec<Unit>, Failure> {
    let all = if args.embedded { EMBEDDED } else { METHODS };
    let known = |name: &String| all.iter().any(|example| example.method == name);
    if let Some(name) = args.methods.iter().find(|name| !known(name)) {
        let names: Vec<&str> = all.iter().map(|example| example.method).collect();
        return Err(Failure::Input(format!(
            "there is no method `{name}`; there are {}",
            names.join(", ")
        )));
    }
    let is_asked = |example: &&Example| {
        args.methods.is_empty() || args.methods.iter().any(|name| name == example.method)
    };
    let runs = args.output.join("runs");
    fs::create_dir_all(&runs).map_err(|error| whole::cannot("create", &runs, &error))?;
    let mut units = Vec::new();
    for seed in 1..=u64::from(args.seeds) {
        for &search in &args.search {
            for example in all.iter().filter(is_asked) {
                for (name, text) in example.files {
                    let path = args.output.join("subjects").join(name);
                    let folder = path.parent().expect("it is in a folder");
                    fs::create_dir_all(folder)
                        .and_then(|()| whole::write(&path, text.as_bytes()))
                        .map_err(|error| whole::cannot("write", &path, &error))?;
                }
                let kind = if args.embedded { "wasm-" } else { "" };
                let record = runs.join(format!("{kind}{}-{search}-{seed}.json", example.method));
                units.push(Unit { example: *example, search, seed, record });
            }
        }
    }
    Ok(units)
}

/// A record that is there already.
fn read(path: &Path, protocol: &Protocol) -> Result<Option<RunRecord>, Failure> {
    let Ok(text) = fs::read_to_string(path) else { return Ok(None) };
    let record: RunRecord = serde_json::from_str(&text).map_err(|error| {
        Failure::Input(format!(
            "{} is no record of a run: {error}\nremove it, or choose another folder with -o",
            path.display()
        ))
    })?;
    if record.protocol == *protocol {
        return Ok(Some(record));
    }
    let bound = match record.protocol.generations {
        Some(generations) => format!("{generations} generations"),
        None => format!("{} s", record.protocol.seconds),
    };
    Err(Failure::Input(format!(
        "{} was made with {} transformations, {} suites and {bound} for each transformation\n\
         ask for the same, or choose another folder with -o",
        path.display(),
        record.protocol.transformations,
        record.protocol.suites,
    )))
}

fn one(
    args: &PaperArgs,
    unit: &Unit,
    protocol: &Protocol,
    cancelled: &Arc<AtomicBool>,
) -> Result<RunRecord, Failure> {
    let definition = args.output.join("subjects").join(unit.example.definition);
    let start = Instant::now();
    let chosen = SubjectArgs::of(Some(definition)).load(args.jobs.count())?;
    let machine = Machine { jobs: args.jobs.count(), policy: Policy::Auto };
    let mine = |plan: Plan| Plan { cancelled: Arc::clone(cancelled), machine, ..plan };
    let mut progress = Progress::new(protocol.time());
    let what = (unit.search, Seed(unit.seed));
    let record = experiment::run(
        (unit.example.method, chosen.subject()),
        protocol,
        what,
        &mine,
        &mut |event| progress.show(&event),
        &mut || start.elapsed().as_secs_f64(),
    );
    progress.finish();
    record.or_input()
}

/// Has the real PIT judge the relations of the first run of each method, and says where we said otherwise.
fn spot_check(args: &PaperArgs, records: &[RunRecord]) -> Result<(), Failure> {
    let jobs = args.jobs.start()?;
    let first = records.iter().filter(|record| record.search == Search::Ours && record.seed == 1);
    for record in first {
        let standing = record.relations.iter().filter(|relation| relation.stands);
        let lines: Vec<String> =
            standing.map(|r| format!("{} => {}\n", r.transformation, r.relation)).collect();
        let Some(example) = METHODS.iter().find(|example| example.method == record.method) else {
            continue;
        };
        if lines.is_empty() {
            continue;
        }
        let asked = SubjectArgs::of(Some(args.output.join("subjects").join(example.definition)));
        let chosen = asked.load(args.jobs.count())?;
        let signature = chosen.subject().signature().of_executions();
        let claims = claims::read(&record.method, &lines.concat(), &signature, &asked)?;
        let question = Question {
            claims: &claims,
            inputs: record.protocol.inputs,
            seed: Seed(record.seed),
            tolerance: claims.tolerance.unwrap_or_default(),
        };
        let said = args.pit.judge_claims(&chosen, &asked.jdk()?, &question, &jobs)?;
        print(&format_args!("\n{}{said}", record.method))?;
    }
    Ok(())
}

/// A run in a line.
fn brief(record: &RunRecord) -> String {
    let two = |score: Option<f64>| score.map_or("-".to_owned(), |score| format!("{score:.2}"));
    let scores = &record.scores;
    format!(
        "{} relations, {} stand; MS {} (floor {}, ceiling {}) in {:.1} s",
        record.relations.len(),
        record.relations.iter().filter(|relation| relation.stands).count(),
        two(scores.ms),
        two(scores.floor),
        two(scores.ceiling),
        record.seconds
    )
}
