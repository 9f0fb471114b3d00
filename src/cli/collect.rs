//! `genmorph collect`.

use std::path::PathBuf;

use genmorph::executions::check_target;
use genmorph::executions::recorded::{self, Settings};
use genmorph::subject::kinds::Observed;
use genmorph::transform::Instance;

use super::flags::{RowArgs, ToleranceArgs};
use super::format::Format;
use super::output::existing;
use super::{Ending, Failure, OrFailure, print, talk, warn, whole};

const FORMAT: &str = "\
Recorded executions, one JSON object each, in the paper's format:
  {\"systemId\": \"pow@original\", \"testId\": \"test100\",
   \"variables\": {\"inputs\": {\"k\": -128.0, \"e\": 2.0}, \"outputs\": {\"return\": 16384.0}}}
  - systemId is the function and its version: `original`, or the name of a mutant
  - one per line (*.ndjson, *.jsonl), or any number in a *.json; a folder is all of these in it
  - values are numbers, booleans, texts, and lists of numbers; NaN and Infinity are as Python writes them
  - an execution that throws has \"threw\": \"its kind of error\" (or \"exception\": …) instead of outputs
  - the follow-up of a source is the execution with the transformed inputs

Transformations:
  PermuteParameters on a, b         a_f == b_s and b_f == a_s
  BooleanFlip on p                  p_f != p_s
  NumericAddition(-1) on x          x_f == x_s - 1
  NumericMultiplication(2) on x     x_f == x_s * 2
  SequenceRemove(0) on s            s_f == remove(s_s, 0)
  SequenceFlip on s                 s_f == flip(s_s)
and all others that `genmorph generate --list-transformations` shows of functions.

Examples:
  genmorph collect --from recorded.ndjson --transformation 'NumericAddition(-1) on e' -o pow.parquet
  genmorph collect --from recordings/ --transformation 'PermuteParameters on a, b' --format json
  genmorph collect --from recordings/ --transformation 'NumericAddition(1) on e' --outcomes -o outcomes.parquet

Exit codes:
  0  the executions file is written
  1  it could not be written
  2  wrong usage or bad input; nothing is written";

/// Pair recorded executions of a function and its mutants, and write them as an executions file
///
/// The file is Parquet, which pandas, polars, DuckDB and R read: one row per pair of a source and a
/// follow-up execution, with the label `correct` or the name of the mutant.
#[derive(Debug, clap::Args)]
#[command(after_long_help = FORMAT)]
pub(super) struct Args {
    /// The recorded executions: a file, or a folder of files
    #[arg(long, value_name = "FILE|FOLDER")]
    from: PathBuf,

    /// How follow-up inputs are made, such as 'NumericAddition(-1) on e'
    #[arg(long)]
    transformation: Instance,

    /// Pair executions that throw, too: relations of the file are over `throws_s` and `throws_f`, not over outputs
    #[arg(long)]
    outcomes: bool,

    /// The file to write
    #[arg(short, long, value_name = "FILE", default_value = "executions.parquet")]
    output: PathBuf,

    /// Replace the file if there is one
    #[arg(long)]
    force: bool,

    /// How the summary is printed: for people, on standard error
    #[arg(long, default_value = "human")]
    format: Format,

    #[command(flatten)]
    limits: RowArgs,

    /// Chooses which executions are kept when there are more
    #[arg(long, default_value_t = 0)]
    seed: u64,

    #[command(flatten)]
    tolerance: ToleranceArgs,
}

pub(super) fn run(args: &Args) -> Result<Ending, Failure> {
    let existing = existing(args.force);
    check_target(&args.output, existing).or_input()?;
    let settings = Settings {
        transformation: args.transformation.clone(),
        observed: if args.outcomes { Observed::Outcomes } else { Observed::Values },
        tolerance: args.tolerance.get(),
        limits: args.limits.limits(),
        seed: args.seed,
    };
    let collected = recorded::run(&args.from, &settings).or_input()?;
    collected.warnings.iter().for_each(warn);
    collected.executions.write(&args.output, existing).or_file()?;
    let summary = &collected.summary;
    match args.format {
        Format::Human => talk::say(&summary.to_string().trim_end()),
        Format::Json => print(&whole::json(summary))?,
        Format::Ndjson => print(&whole::line(summary))?,
    }
    talk::say(&format_args!("wrote {}", args.output.display()));
    Ok(Ending::Done)
}
