//! `genmorph evolve`.

mod folder;
mod progress;

use std::io;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use genmorph::evolve::config::Config;
use genmorph::evolve::{Evolution, Machine, Outcome, Stop, StopReason, run as evolve};
use genmorph::executions::power;
use genmorph::executions::{CORRECT, Executions, INCORRECT};
use genmorph::record::VERSION;
use genmorph::record::checksum::seal;
use genmorph::record::evolution::EvolutionSettings;
use genmorph::record::relations::{Presentation, RelationsFile, SearchRun};
use genmorph::support::seed::Seed;

use self::folder::{Folder, InterruptedRun};
use self::progress::Progress;
use super::budget;
use super::flags::{ConfigArgs, MachineArgs, RowArgs};
use super::format::Format;
use super::interrupt::on_interrupt;
use super::output::existing;
use super::{Ending, Failure, OrFailure, print, warn, whole};

const MORE: &str = "\
Output folder:
  relations.json      the relations, with the seed and the settings that found them
  generations.ndjson  a record per generation
  checkpoint.bin      the state of the search, for --resume
  run.json            what the run was started with, for --resume

Equal executions, seed, settings and generations give equal relations, whatever --jobs and --tier.
A run that a time has ended says how many generations it did: --generations repeats it.

Examples:
  genmorph evolve --example --budget 5s
  genmorph evolve pow.parquet -o pow.out
  genmorph evolve pow.parquet -o pow.out --resume --budget 2m
  genmorph evolve pow.parquet --paper --budget 30m

Exit codes:
  0    relations were found
  1    a result could not be written, or a bug in genmorph showed
  2    wrong usage or bad input
  3    no relation without false positives was found
  130  interrupted by Ctrl-C; what was found until then is written";

/// The least time between two checkpoints, which is what kill -9 can lose.
const CHECKPOINT_EVERY: Duration = Duration::from_secs(3);
/// Writing checkpoints takes at most one part in this many of the time: those of a million individuals have a hundred megabytes.
const CHECKPOINT_SHARE: u32 = 20;

/// Find relations that hold for a function and fail for its mutants
///
/// Evolves two populations of relations over recorded executions, and prints those without false
/// positives that together kill the most mutants.
#[derive(Debug, clap::Args)]
#[command(after_long_help = MORE)]
pub(super) struct Args {
    /// The executions file, as `genmorph collect` writes it
    #[arg(required_unless_present = "example")]
    executions: Option<PathBuf>,

    /// Use the built-in executions of pow(k, e) and a mutant of it instead of a file
    #[arg(long, conflicts_with = "executions")]
    example: bool,

    /// The folder for the results
    #[arg(short, long, value_name = "DIR", default_value = "genmorph.out")]
    output: PathBuf,

    /// Stop after this time: 500ms, 30s, 2m, 1h [default: 20s, or 30m with --paper, if there is no
    /// other limit]
    #[arg(long, value_name = "TIME", value_parser = budget::parse)]
    budget: Option<Duration>,

    /// Stop after this many generations
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    generations: Option<u64>,

    /// Stop after this many evaluations of relations
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    evaluations: Option<u64>,

    #[command(flatten)]
    config: ConfigArgs,

    /// The seed: equal seeds find equal relations
    #[arg(long, value_name = "N")]
    seed: Option<u64>,

    #[command(flatten)]
    rows: RowArgs,

    #[command(flatten)]
    machine: MachineArgs,

    /// How results are printed
    #[arg(long, default_value = "human")]
    format: Format,

    /// Go on with the run in the output folder, with its seed and settings
    #[arg(long, conflicts_with_all = ["population", "max_size", "seed", "paper", "force"])]
    resume: bool,

    /// Replace a run that the output folder holds
    #[arg(long)]
    force: bool,
}

/// The seed unless another is given.
const SEED: u64 = 1;

/// Reads the executions that are asked for, and samples them if there are too many.
fn executions(args: &Args) -> Result<Executions, Failure> {
    let Some(path) = &args.executions else { return Ok(power::executions()) };
    let reading = Executions::read(path).or_input()?;
    reading.warnings.iter().for_each(warn);
    let all = reading.executions;
    // The same rows in every run over a file, whatever the seed of the search.
    let executions = all.sampled(args.rows.limits(), all.seed);
    for (group, kind) in [(CORRECT, "correct"), (INCORRECT, "incorrect")] {
        let (kept, there) = (executions.count(group), all.count(group));
        if kept < there {
            warn(&format_args!("{kept} of {there} {kind} rows are used; --max-{kind} takes more"));
        }
    }
    Ok(executions)
}

pub(super) fn run(args: &Args) -> Result<Ending, Failure> {
    let executions = executions(args)?;
    let machine = args.machine.machine();
    let (mut evolution, mut folder) = if args.resume {
        resume(args, &executions, machine)?
    } else {
        start(args, &executions, machine)?
    };
    let cancelled = Arc::new(AtomicBool::new(false));
    let stop = stop(args, evolution.config(), &cancelled);
    on_interrupt(&cancelled)?;
    let mut progress = Progress::new(&evolution, &stop);
    let (mut written, mut pause) = (Instant::now(), CHECKPOINT_EVERY);
    let mut failed: Option<io::Error> = None;
    let reason = evolve(&mut evolution, &stop, |evolution, generation| {
        progress.show(evolution, generation);
        let mut keep = folder.record(generation);
        if keep.is_ok() && written.elapsed() >= pause {
            let start = Instant::now();
            keep = folder.checkpoint(&evolution.checkpoint());
            written = Instant::now();
            pause = CHECKPOINT_EVERY.max(CHECKPOINT_SHARE * (written - start));
        }
        match keep {
            Ok(()) => ControlFlow::Continue(()),
            Err(error) => {
                failed = Some(error);
                ControlFlow::Break(())
            }
        }
    });
    progress.finish();
    if let Some(error) = failed {
        return Err(error.into());
    }
    folder.checkpoint(&evolution.checkpoint())?;
    let outcome = evolution.outcome();
    let found = outcome.relations.iter().map(|found| (found, Presentation::default()));
    let results = seal(RelationsFile::new(&executions, SearchRun::of(&evolution, reason), found));
    folder.results(&results)?;
    match args.format {
        Format::Human => {
            print(&format_args!("{results}results in {}\n", args.output.display()))?;
        }
        Format::Json => print(&whole::json(&results))?,
        Format::Ndjson => print(&whole::lines(&results.relations))?,
    }
    ending(&outcome, reason, &evolution)
}

fn ending(outcome: &Outcome, reason: StopReason, evolution: &Evolution) -> Result<Ending, Failure> {
    if let Some(relation) = outcome.refuted.first() {
        let text = relation.display(evolution.schema());
        let message = format!("the tiers disagree; please report this relation: {text}");
        return Err(Failure::Bug(message));
    }
    Ok(match reason {
        StopReason::Cancelled => Ending::Interrupted,
        _ if outcome.relations.is_empty() => Ending::Nothing,
        StopReason::Generations
        | StopReason::Evaluations
        | StopReason::Time
        | StopReason::Settled => Ending::Done,
    })
}

/// A search that begins, and a folder for it.
fn start(
    args: &Args,
    executions: &Executions,
    machine: Machine,
) -> Result<(Evolution, Folder), Failure> {
    let config = args.config.config();
    let seed = Seed(args.seed.unwrap_or(SEED));
    let evolution = Evolution::new(executions, &config, seed, machine).or_input()?;
    let started = EvolutionSettings {
        version: VERSION,
        executions: name(args),
        seed: seed.0,
        config: (&config).into(),
    };
    let folder = Folder::create(&args.output, existing(args.force), &started)?;
    Ok((evolution, folder))
}

/// A search that goes on, and the folder it has.
fn resume(
    args: &Args,
    executions: &Executions,
    machine: Machine,
) -> Result<(Evolution, Folder), Failure> {
    let interrupted = Folder::interrupted(&args.output)?;
    let InterruptedRun { started, checkpoint, .. } = &interrupted;
    if started.version != VERSION {
        let message = format!(
            "the run in {} was written by another version of genmorph: start anew with --force",
            args.output.display()
        );
        return Err(Failure::Input(message));
    }
    let seed = Seed(started.seed);
    let config = started.config.config().map_err(|error| folder::damaged(&args.output, &error))?;
    let evolution = match checkpoint {
        // Interrupted before its first checkpoint.
        None => Evolution::new(executions, &config, seed, machine),
        Some(bytes) => Evolution::resume(executions, &config, seed, machine, bytes),
    };
    let evolution = evolution.or_input()?;
    let folder = interrupted.reopen(&args.output, evolution.generation())?;
    Ok((evolution, folder))
}

fn name(args: &Args) -> String {
    args.executions.as_ref().map_or_else(|| "example".to_owned(), |path| path.display().to_string())
}

fn stop(args: &Args, config: &Config, cancelled: &Arc<AtomicBool>) -> Stop {
    let is_paper = *config
        == Config { population: config.population, max_size: config.max_size, ..Config::paper() };
    let is_limited = args.generations.is_some() || args.evaluations.is_some();
    // 30 minutes: paper, Table 3.
    let usual = Duration::from_secs(if is_paper { 30 * 60 } else { 20 });
    Stop {
        time: args.budget.or((!is_limited).then_some(usual)),
        generations: args.generations,
        evaluations: args.evaluations,
        settled: (!is_paper).then_some(SETTLED),
        cancelled: Some(Arc::clone(cancelled)),
    }
}

/// For how many generations a perfect relation must stay the smallest. A guess.
const SETTLED: u64 = 300;
