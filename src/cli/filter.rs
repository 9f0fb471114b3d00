//! `genmorph filter`.

use std::fmt::Write as _;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use clap::ValueEnum;
use genmorph::claims::{Claims, Stated};
use genmorph::executions::{Parameter, Signature};
use genmorph::filter::{Filter, Pair, Verdict};
use genmorph::generate::{Plan, Refuted, json};
use genmorph::inputs::{self, Sources, Watch};
use genmorph::jit::{Tolerance, Value};
use genmorph::seed::Seed;
use genmorph::subject::Subject;
use genmorph::threads::Jobs;
use serde::Serialize;

use super::interrupt::on_interrupt;
use super::subject::{Asked, Chosen};
use super::{Ending, Failure, budget, claims, print, whole};

const MORE: &str = "\
RELATIONS is a file of lines such as
  NumericAddition(-1) on e => out_f * k_s == out_s       # a transformation, and what must hold under it
or the report.json or relations.json of a run, the folder of a run, one such line itself, or `-` for standard input.

Each relation is tried on fresh pairs of inputs (all of them, where a domain is small), then a hunt looks for inputs on which it
comes ever nearer to being false. A relation
  stands    if nothing refutes it, and at least 1,000 fresh pairs (or --fresh, or all there are) speak for it;
  refuted   if there is a counterexample, which is shown in its simplest form;
  unknown   if nothing refutes it, but too little speaks for it: the function returns on too few pairs.
With n fresh pairs and no failure, a relation fails on at most 3/n of such pairs with 95 % confidence: the bound.

Examples:
  genmorph filter 'NumericAddition(1) on n => out_f >= out_s' my/subject.toml
  genmorph filter properties.txt my/subject.toml --budget 60s
  genmorph filter genmorph.out my/subject.toml --seed 2
  genmorph filter properties.txt --java 'java.lang.Math#floorMod(int,int)' --format json

Exit codes:
  0    all relations stand
  1    a result could not be written, or it shows a bug in genmorph
  2    wrong usage or bad input: another function, an unknown variable, a function that is not deterministic, …
  3    no relation stands
  4    some relations stand, and others do not
  130  interrupted by Ctrl-C; what was decided until then is shown";

/// Try to refute relations: fresh inputs, then a hunt for counterexamples
#[derive(Debug, clap::Args)]
#[command(after_long_help = MORE)]
pub(super) struct Args {
    /// The relations: a file, the folder of a run, `-`, or a text with `=>`
    relations: String,

    #[command(flatten)]
    asked: Asked,

    /// The subject, as it can also be given after the relations
    #[arg(long = "subject", value_name = "FILE", conflicts_with_all = ["subject", "java"])]
    about: Option<PathBuf>,

    /// On how many fresh pairs each relation is tried
    #[arg(long, value_name = "N", default_value_t = Plan::FRESH)]
    fresh: usize,

    /// How long the hunt may take, for all relations together [default: 10s, if there is no --hunt]
    #[arg(long, value_name = "TIME", value_parser = budget::parse)]
    budget: Option<Duration>,

    /// How many calls the hunt may make for each transformation: equal seeds then find the same
    #[arg(long, value_name = "N")]
    hunt: Option<usize>,

    /// The seed
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,

    /// When two numbers are equal: `paper` (|a - b| < 1e-4), or |a - b| <= ABS + REL * max(|a|, |b|); as the
    /// file says, if it does
    #[arg(long, value_name = "paper|ABS,REL")]
    tolerance: Option<Tolerance>,

    /// How results are printed
    #[arg(long, default_value = "human")]
    format: Format,

    /// Also write the refuted relations with their counterexamples into this file
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,

    /// Replace the file of -o
    #[arg(long, requires = "output")]
    force: bool,

    /// Threads; 0 is one per processor
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = clap::value_parser!(u16).range(..=512))]
    jobs: u16,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    Human,
    Json,
}

/// The time of the hunt unless something else is said.
const BUDGET: Duration = Duration::from_secs(10);
/// Calls to find inputs that take all branches, from which the hunt begins.
const EFFORT: usize = 60_000;

/// What is said of one relation.
struct Line {
    transformation: String,
    input_relation: String,
    relation: String,
    place: usize,
    verdict: Verdict,
    /// A simplest counterexample.
    shrunk: Option<Pair>,
}

/// The same, as it is written.
#[derive(Serialize)]
struct Entry<'l> {
    transformation: &'l str,
    input_relation: &'l str,
    verdict: &'static str,
    pairs: usize,
    hunted: usize,
    bound: f64,
    exhausted: bool,
    #[serde(flatten)]
    refuted: Option<Refuted>,
    #[serde(skip_serializing_if = "Option::is_none")]
    relation: Option<&'l str>,
}

pub(super) fn run(mut args: Args) -> Result<Ending, Failure> {
    let input = |error: &dyn std::fmt::Display| Failure::Input(error.to_string());
    if let Some(about) = args.about.take() {
        args.asked.about(about);
    }
    if let Some(output) = &args.output
        && !args.force
        && output.exists()
    {
        return Err(Failure::Input(format!(
            "{} is there already\nuse --force to replace it, or -o for another file",
            output.display()
        )));
    }
    let (name, text) = claims::written(&args.relations)?;
    let chosen = args.asked.choose(usize::from(args.jobs))?;
    let subject = chosen.subject();
    let signature = subject.signature().of_executions();
    let claims = claims::read(&name, &text, &signature, &args.asked)?;
    let cancelled = Arc::new(AtomicBool::new(false));
    on_interrupt(&cancelled)?;
    let jobs = Jobs::new(usize::from(args.jobs)).map_err(|error| input(&error))?;
    let is_cancelled = || cancelled.load(Ordering::Relaxed);
    let sources = sources(&args, &chosen, &jobs, &is_cancelled)?;
    let tolerance = args.tolerance.or(claims.tolerance).unwrap_or_default();
    let lines = judge(&args, subject, &claims, &sources, (tolerance, &jobs), &is_cancelled);

    let schema_of = &signature;
    match args.format {
        Format::Human => print(&human(&lines, schema_of, subject, &sources))?,
        Format::Json => {
            let entries: Vec<Entry<'_>> = lines.iter().map(|line| line.entry(schema_of)).collect();
            print(&whole::json(&entries))?;
        }
    }
    if let Some(output) = &args.output {
        let refuted = lines.iter().filter(|line| line.verdict.is_refuted());
        let refuted: Vec<Entry<'_>> = refuted.map(|line| line.entry(schema_of)).collect();
        whole::write(output, whole::json(&refuted).as_bytes()).map_err(|error| {
            Failure::File(format!("cannot write {}: {error}", output.display()))
        })?;
    }
    let standing = lines.iter().filter(|line| line.verdict.stands()).count();
    Ok(match standing {
        _ if is_cancelled() => Ending::Interrupted,
        0 => Ending::Nothing,
        _ if standing < lines.len() => Ending::Partly,
        _ => Ending::Done,
    })
}

/// Inputs that take all branches that can be reached; a function that is not deterministic is refused.
fn sources(
    args: &Args,
    chosen: &Chosen,
    jobs: &Jobs,
    stop: &dyn Fn() -> bool,
) -> Result<Sources, Failure> {
    let settings = inputs::Settings { count: 1_000, effort: EFFORT, ..inputs::Settings::default() };
    let watch = Watch { stop, progress: &|_| () };
    let sources = inputs::generate(chosen.subject(), &settings, Seed(args.seed), jobs, &watch)
        .map_err(|error| Failure::Input(error.to_string()))?;
    chosen.check_steadiness(&sources.inputs)?;
    Ok(sources)
}

/// Judges all relations, transformation by transformation: first by fresh pairs, then by a hunt that has an equal share of the time
/// that is left.
fn judge(
    args: &Args,
    subject: &dyn Subject,
    claims: &Claims,
    sources: &Sources,
    (tolerance, jobs): (Tolerance, &Jobs),
    is_cancelled: &dyn Fn() -> bool,
) -> Vec<Line> {
    let seed = Seed(args.seed);
    let mut lines = Vec::new();
    let mut time = args.budget.or(args.hunt.is_none().then_some(BUDGET));
    let schema = subject.signature().of_executions().schema();
    let schema = schema.expect("names were checked with the signature");
    for (number, stated) in claims.stated.iter().enumerate() {
        let Stated { transform, relations, places } = stated;
        let mut filter = Filter::new(subject, transform, &sources.inputs, tolerance, seed, jobs);
        let mut verdicts = filter.judge(relations, args.fresh, is_cancelled);
        let standing: Vec<usize> =
            (0..relations.len()).filter(|&r| !verdicts[r].is_refuted()).collect();
        let hunted: Vec<_> = standing.iter().map(|&r| relations[r].clone()).collect();
        let left = (claims.stated.len() - number) as u32;
        let (start, share) = (Instant::now(), time.map(|time| time / left));
        let stop = || is_cancelled() || share.is_some_and(|share| start.elapsed() >= share);
        let found = filter.hunt(&hunted, args.hunt.unwrap_or(usize::MAX), &stop);
        time = time.map(|time| time.saturating_sub(start.elapsed()));
        for (r, found) in standing.into_iter().zip(found) {
            verdicts[r] = verdicts[r].clone().and(found);
        }
        let described = transform.describe();
        for ((relation, &place), verdict) in relations.iter().zip(places).zip(verdicts) {
            let pair = verdict.counterexamples.first();
            lines.push(Line {
                transformation: described.name.clone(),
                input_relation: described.input_relation.clone(),
                relation: relation.display(&schema).to_string(),
                place,
                shrunk: pair.map(|pair| filter.shrink(relation, pair, is_cancelled)),
                verdict,
            });
        }
    }
    lines.sort_by_key(|line| line.place);
    lines
}

impl Line {
    fn word(&self) -> &'static str {
        match &self.verdict {
            verdict if verdict.is_refuted() => "refuted",
            verdict if verdict.stands() => "stands",
            _ => "unknown",
        }
    }

    fn entry(&self, signature: &Signature) -> Entry<'_> {
        let Line { transformation, input_relation, relation, verdict, shrunk, .. } = self;
        let by = verdict.by.map_or_else(String::new, |by| by.name().to_owned());
        let refuted = shrunk.as_ref().map(|pair| Refuted {
            by,
            is_shrunk: verdict.counterexamples.first() != Some(pair),
            ..Refuted::new(relation.clone(), pair, signature)
        });
        Entry {
            transformation,
            input_relation,
            verdict: self.word(),
            pairs: verdict.tried,
            hunted: verdict.hunted,
            bound: verdict.bound(),
            exhausted: verdict.is_exhausted,
            // It is in what was refuted, too.
            relation: refuted.is_none().then_some(relation),
            refuted,
        }
    }
}

/// The table for people, with the counterexamples below the relations.
fn human(
    lines: &[Line],
    signature: &Signature,
    subject: &dyn Subject,
    sources: &Sources,
) -> String {
    let mut text = format!("{}: {}\n", subject.signature().function, subject.signature());
    let _ = writeln!(text, "inputs     {sources}");
    let _ = writeln!(text, "\n{:<8} {:>9} {:>9} {:>9}  relation", "", "pairs", "hunted", "bound");
    for line in lines {
        let verdict = &line.verdict;
        let bound = match () {
            () if verdict.is_refuted() => "-".to_owned(),
            () if verdict.is_exhausted && verdict.tried > 0 => "all".to_owned(),
            () => format!("{:.1e}", verdict.bound()),
        };
        let _ = writeln!(
            text,
            "{:<8} {:>9} {:>9} {bound:>9}  {} => {}",
            line.word(),
            verdict.tried,
            verdict.hunted,
            line.transformation,
            line.relation
        );
        if let Some(pair) = &line.shrunk {
            let by = verdict.by.map_or("", |by| by.name());
            let side = |inputs: &[Value<'_>], outputs: &[Value<'_>]| {
                let given = shown(&signature.inputs, inputs);
                format!("{given}  ->  {}", shown(&signature.outputs, outputs))
            };
            let _ = writeln!(
                text,
                "         source     {}\n         follow-up  {}\n         found by {by}",
                side(&pair.source, &pair.source_outputs),
                side(&pair.follow_up, &pair.follow_up_outputs),
            );
        }
    }
    let count = |word: &str| lines.iter().filter(|line| line.word() == word).count();
    let _ = writeln!(
        text,
        "\n{} of {} stand, {} refuted, {} unknown",
        count("stands"),
        lines.len(),
        count("refuted"),
        count("unknown")
    );
    text
}

/// Names and values.
fn shown(parameters: &[Parameter], values: &[Value<'_>]) -> String {
    let named = parameters.iter().zip(values);
    let shown = named.map(|(p, value)| format!("{} = {}", p.name, json(p, value)));
    shown.collect::<Vec<_>>().join(", ")
}
