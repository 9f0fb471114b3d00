//! `genmorph check`.

use std::path::PathBuf;
use std::time::Duration;

use clap::ValueEnum;
use genmorph::filter::recheck::calls::CallChanges;
use genmorph::filter::recheck::{Entry, Standing};
use genmorph::record::VERSION;
use genmorph::record::relations::Tolerance;
use genmorph::record::reviewed::ReviewedSet;
use genmorph::show::check::{CheckReport, Places};
use schemars::JsonSchema;
use serde::Serialize;

use super::output::{self, spare};
use super::trial::{Effort, TrialArgs, TrialResult};
use super::{Ending, Failure, budget, counts, print, whole};

const MORE: &str = "\
RELATIONS is a reviewed set (see `genmorph accept`), whose accepted relations are checked; the folder, report.json or relations.json
of a run; or a file of lines such as
  NumericAddition(-1) on e => out_f * k_s == out_s       # a transformation, and what must hold under it

Where RELATIONS is the folder of a run, its calls (calls.json) are made again too: one that returned and now throws, that threw and now
returns, or that does not end any more, is a violation like that of a relation. Other values are no violation: relations say which
are right. With --calls this works for a reviewed set as well.

Parameters are taken by their position: a function whose parameters were renamed is checked as before.

Each relation is tried on fresh pairs of inputs, then a short hunt looks for inputs on which it is false. A violation is
shown with its simplest counterexample. `genmorph filter` asks the same with more effort, and of relations that nobody has accepted.

Examples:
  genmorph check genmorph.reviewed.json my/subject.toml
  genmorph check genmorph.reviewed.json my/subject.toml --junit junit.xml --sarif genmorph.sarif
  genmorph check genmorph.reviewed.json my/subject.toml --format github        # in a workflow: annotations
  genmorph check genmorph.reviewed.json my/subject.toml --calls genmorph.out   # and the calls of the run end as they did
  genmorph check properties.txt --java 'my.Numbers#gcd(int,int)' --classpath target/classes

Exit codes:
  0    all relations hold
  1    a result could not be written, no worker process could be started any more, or a bug in genmorph showed
  2    wrong usage or bad input: another function, an unknown variable, a function that is not deterministic, …
  3    no relation is violated, but one cannot be judged: the function returns on too few pairs of inputs, or not in time
  4    a relation is violated, or a call does not end as it did
  130  interrupted by Ctrl-C; what was decided until then is shown";

/// Check that accepted relations hold for today's code: for build servers
#[derive(Debug, clap::Args)]
#[command(after_long_help = MORE)]
pub(super) struct Args {
    #[command(flatten)]
    asking: TrialArgs,

    /// On how many fresh pairs each relation is tried
    #[arg(long, value_name = "N", default_value_t = 20_000, value_parser = counts::calls)]
    fresh: usize,

    /// Stop after this time, all in all [default: 60s, of which 5s for the hunt; with --hunt, 10m]
    #[arg(long, value_name = "TIME", value_parser = budget::parse)]
    budget: Option<Duration>,

    /// How results are printed
    #[arg(long, default_value = "human")]
    format: Format,

    /// Also write JUnit XML into this file: a test case for each relation
    #[arg(long, value_name = "FILE")]
    junit: Option<PathBuf>,

    /// Also write SARIF 2.1.0 into this file: a result for each relation that does not hold
    #[arg(long, value_name = "FILE")]
    sarif: Option<PathBuf>,

    /// Replace the files of --junit and --sarif
    #[arg(long)]
    force: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// A table for people
    Human,
    /// An object with all verdicts and counterexamples
    Json,
    /// An object per relation, on a line each
    Ndjson,
    /// Annotations of a GitHub workflow
    Github,
}

/// The time of the hunt unless something else is said.
const BUDGET: Duration = Duration::from_secs(5);

/// What a check says of every relation; a line of NDJSON is one of them.
#[derive(Serialize, JsonSchema)]
pub(super) struct CheckResults<'r> {
    /// The version of the document.
    #[schemars(extend("const" = VERSION))]
    version: u32,
    /// The name of the function.
    function: &'r str,
    /// The file with the relations; null if they are from elsewhere.
    file: Option<&'r str>,
    /// When two numbers are equal.
    tolerance: Tolerance,
    /// How many relations stand.
    stand: usize,
    /// How many relations are refuted.
    refuted: usize,
    /// How many relations could not be tried enough.
    unknown: usize,
    /// The relations, in the order of the file.
    relations: Vec<Entry<'r>>,
    /// What became of the calls of the run; null if none were made again.
    calls: Option<&'r CallChanges>,
}

pub(super) fn run(args: Args) -> Result<Ending, Failure> {
    let Args { asking, fresh, budget, format, junit, sarif, force } = args;
    for (file, flag) in [(&junit, "--junit"), (&sarif, "--sarif")] {
        if let Some(file) = file {
            spare(file, flag, force)?;
        }
    }
    if junit.is_some() && junit == sarif {
        let error = "--junit and --sarif name the same file; give each its own";
        return Err(Failure::Input(error.to_owned()));
    }
    let tried = asking.run(&Effort { fresh, budget, usual: BUDGET })?;
    let lines = ReviewedSet::lines(&tried.text);
    let is_json = tried.text.trim_start().starts_with('{');
    let checked = CheckReport {
        signature: &tried.signature,
        file: tried.is_file.then_some(tried.name.as_str()),
        places: if is_json { Places::Numbers(&lines) } else { Places::Lines },
        judged: &tried.judged,
        changes: tried.changes.as_ref(),
    };
    match format {
        Format::Human => print(&tried.table())?,
        Format::Json => print(&whole::json(&results(&tried, &checked)))?,
        Format::Ndjson => print(&whole::lines(tried.entries()))?,
        Format::Github => print(&(checked.annotations() + &tried.summary()))?,
    }
    let write = |file: &Option<PathBuf>, text: &dyn Fn() -> String| match file {
        None => Ok(()),
        Some(file) => output::write(file, &text()),
    };
    write(&junit, &|| checked.junit())?;
    write(&sarif, &|| whole::json(&checked.sarif()))?;
    Ok(match () {
        () if tried.is_interrupted => Ending::Interrupted,
        () if tried.count(Standing::Refuted) > 0 || tried.is_changed() => Ending::Partly,
        () if tried.count(Standing::Unknown) > 0 => Ending::Nothing,
        () => Ending::Done,
    })
}

fn results<'r>(tried: &'r TrialResult, checked: &CheckReport<'r>) -> CheckResults<'r> {
    CheckResults {
        version: VERSION,
        function: &tried.signature.function,
        file: checked.file,
        tolerance: tried.tolerance.into(),
        stand: tried.count(Standing::Stands),
        refuted: tried.count(Standing::Refuted),
        unknown: tried.count(Standing::Unknown),
        relations: tried.entries().collect(),
        calls: tried.changes.as_ref(),
    }
}
