//! `genmorph sweep merge`.

use std::path::PathBuf;

use genmorph::sweep::{
    Manifest, MergeCounts, MergeSettings, MissingUnits, Timings, timings_to_sqlite, to_parquet,
    to_sqlite,
};

use super::super::output::existing;
use super::super::{Ending, Failure, print, warn};

/// The database, in the folder of a sweep.
const DATABASE: &str = "sweep.sqlite";
/// What the name of the other one, beside it, ends with.
const TIMINGS: &str = "timings.sqlite";

/// Merge the results of all units into an SQLite database, and Parquet files if asked to
///
/// The database has the tables provenance, subjects, settings, units, relations, kills and more. Its bytes depend on the
/// results alone: not on shards, machines, order or clocks. When, where and how long is in
/// sweep.timings.sqlite, beside it.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The folder of the sweep
    sweep: PathBuf,

    /// Folders with results; may be repeated [default: `results` in the folder of the sweep]
    #[arg(long, value_name = "DIR")]
    results: Vec<PathBuf>,

    /// The database [default: sweep.sqlite in the folder of the sweep]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,

    /// A folder for Parquet files, one per table
    #[arg(long, value_name = "DIR")]
    parquet: Option<PathBuf>,

    /// Put the table `timings` into the same database: its bytes then depend on when and where units ran
    #[arg(long)]
    with_timings: bool,

    /// Merge the results that exist, though units are missing
    #[arg(long)]
    partial: bool,

    /// Replace what was merged before
    #[arg(long)]
    force: bool,
}

pub(super) fn run(args: &Args) -> Result<Ending, Failure> {
    let manifest = Manifest::read(&args.sweep)?;
    let folders = super::results(&args.sweep, &args.results, &manifest)?;
    let merging = MergeSettings {
        missing: if args.partial { MissingUnits::Allow } else { MissingUnits::Refuse },
        timings: if args.with_timings { Timings::Within } else { Timings::Apart },
        existing: existing(args.force),
    };
    let database = args.output.clone().unwrap_or_else(|| args.sweep.join(DATABASE));
    let merged = to_sqlite(&manifest, &folders, &database, &merging)?;
    if !args.with_timings {
        timings_to_sqlite(&manifest, &folders, &database.with_extension(TIMINGS))?;
    }
    if let Some(folder) = &args.parquet {
        to_parquet(&manifest, &folders, folder, &merging)?;
    }
    let MergeCounts { done, failed, missing, relations } = merged;
    if missing > 0 {
        warn(&format_args!("{missing} units have no result"));
    }
    if failed > 0 {
        warn(&format_args!("{failed} units failed; the table `units` says why"));
    }
    print(&format_args!("{relations} relations of {done} units in {}\n", database.display()))?;
    Ok(if missing + failed > 0 { Ending::Partly } else { Ending::Done })
}
