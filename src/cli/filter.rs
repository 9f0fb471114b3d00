//! `genmorph filter`.

use std::time::Duration;

use genmorph::filter::recheck::{Entry, Standing};
use genmorph::run::Plan;

use super::format::Format;
use super::output::OutputArgs;
use super::trial::{Effort, TrialArgs};
use super::{Ending, Failure, budget, counts, output, print, whole};

const MORE: &str = "\
RELATIONS is a file of lines such as
  NumericAddition(-1) on e => out_f * k_s == out_s       # a transformation, and what must hold under it
or the report.json or relations.json of a run, the folder of a run, one such line itself, or `-` for standard input.

Each relation is tried on fresh pairs of inputs (all of them, where a domain is small), then a hunt looks for inputs on which it
comes ever nearer to being false. A relation
  stands    if nothing refutes it, and at least 10,000 fresh pairs (or a third of --fresh, or all there are) speak for it;
  refuted   if there is a counterexample, which is shown in its simplest form;
  unknown   if nothing refutes it, but it was not tried enough: the function returns on too few pairs.
`branches` are the sides of branches that the hunt took, of all there are.
With n fresh pairs and no failure, a relation fails on at most 3/n of such pairs with 95 % confidence: the bound.

Examples:
  genmorph filter 'NumericAddition(1) on n => out_f >= out_s' my/subject.toml
  genmorph filter properties.txt my/subject.toml --budget 60s
  genmorph filter genmorph.out my/subject.toml --seed 2
  genmorph filter properties.txt --java 'my.Numbers#gcd(int,int)' --classpath target/classes --format json

Exit codes:
  0    all relations stand
  1    a result could not be written, no worker process could be started any more, or a bug in genmorph showed
  2    wrong usage or bad input: another function, an unknown variable, a function that is not deterministic, …
  3    no relation stands
  4    some relations stand, and others do not
  130  interrupted by Ctrl-C; what was decided until then is shown";

/// Try to refute relations: fresh inputs, then a hunt for counterexamples
#[derive(Debug, clap::Args)]
#[command(after_long_help = MORE)]
#[command(mut_arg("output", |arg| arg.help("Also write the refuted relations with their counterexamples into this file")))]
pub(super) struct Args {
    #[command(flatten)]
    asking: TrialArgs,

    /// On how many fresh pairs each relation is tried
    #[arg(long, value_name = "N", default_value_t = Plan::FRESH, value_parser = counts::calls)]
    fresh: usize,

    /// Stop after this time, all in all [default: 60s, of which 10s for the hunt; with --hunt, 10m]
    #[arg(long, value_name = "TIME", value_parser = budget::parse)]
    budget: Option<Duration>,

    /// How results are printed
    #[arg(long, default_value = "human")]
    format: Format,

    #[command(flatten)]
    output: OutputArgs,
}

/// The time of the hunt unless something else is said.
const BUDGET: Duration = Duration::from_secs(10);

pub(super) fn run(args: Args) -> Result<Ending, Failure> {
    let Args { asking, fresh, budget, format, output } = args;
    let file = output.file()?;
    let tried = asking.run(&Effort { fresh, budget, usual: BUDGET })?;
    let entries = |only: &dyn Fn(Standing) -> bool| {
        let judged = tried.judged.iter().filter(|judged| only(judged.standing()));
        let entries: Vec<Entry<'_>> = judged.map(|j| j.entry(&tried.signature)).collect();
        whole::json(&entries)
    };
    match format {
        Format::Human => print(&tried.table())?,
        Format::Json => print(&entries(&|_| true))?,
        Format::Ndjson => print(&whole::lines(tried.entries()))?,
    }
    if let Some(file) = file {
        output::write(file, &entries(&|standing| standing == Standing::Refuted))?;
    }
    let standing = tried.count(Standing::Stands);
    Ok(match standing {
        _ if tried.is_interrupted => Ending::Interrupted,
        0 => Ending::Nothing,
        _ if standing < tried.judged.len() => Ending::Partly,
        _ => Ending::Done,
    })
}
