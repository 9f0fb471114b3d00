//! `genmorph generate`.

mod folder;
mod job;
mod progress;
mod resume;
mod reviewed;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use genmorph::executions::ExistingFile;
use genmorph::inputs;
use genmorph::record::VERSION;
use genmorph::record::report::Report;
use genmorph::record::run::RunSettings;
use genmorph::record::search::Search;
use genmorph::run::{Plan, Rejection, Transformations};
use genmorph::show::report::{Format, Model};
use genmorph::show::terminal::{LawTable, MinimalTable, folded};
use genmorph::subject::kinds::Observed;
use genmorph::subject::{Signature, Subject};
use genmorph::support::seed::Seed;
use genmorph::transform::{self, Instance};
use schemars::JsonSchema;
use serde::Serialize;

use self::folder::Folder;
use self::job::Job;
pub(super) use self::progress::Progress;
use self::reviewed::{Rejections, ReviewArgs};
use super::flags::{MachineArgs, SearchArgs};
use super::format::Format as Printed;
use super::interrupt::on_interrupt;
use super::output::existing;
use super::subject::{LoadedSubject, SubjectArgs};
use super::{Ending, Failure, OrFailure, budget, print, talk, warn, whole};

const MORE: &str = "\
A subject is a WebAssembly function, described by a small file,
  module = \"pow.wasm\"                            # or .wat, next to the file
  export = \"pow\"
  signature = \"func(k: s32, e: s32) -> s32\"      # WIT types
  [domain]
  e = { range = [0, 20] }
`genmorph init MODULE` writes one. Without a subject, a built-in pow is used.
Or a static Java method, by --java or by a file:
  java = \"org.apache.commons.math3.util.ArithmeticUtils#gcd(int,int)\"
  maven = [\"org.apache.commons:commons-math3:3.6.1\"]        # or classpath = [\"lib/my.jar\"]
It needs a JDK 17 or newer; `genmorph doctor` says what is found.
Or a Rust function, by --rust; `cargo genmorph FUNCTION` does that and writes a test file.
Or a Python function, by --python package.module:function, or by a file with python = \"package.module:function\".

A second function is named by --inverse, --same-as or --then, or by `inverse`, `same_as` or `then` in the file: a method of the
same classes, an export of the same module, a function of the same crate, or a file that defines it (decode.toml). Laws then
relate both: decode(encode(s)) == s, sort(a) == other_sort(a), sorted(sort(a)). With one function alone two inputs are related
to what is made of both: f(s ++ t), f(a + b), f(f(a, b), c), and f(a, c) beside f(a, b) and f(b, c); --transformation
'Concat on s', 'Sum on x', 'Associate on a, b' and 'Triangle on a, b' ask for these by name.

Output folder:
  run.json          what the run was started with, for --resume
  report.html       all of it, to be read
  report.json       the relations of all transformations, what speaks for each, how they were judged
  refuted.json      relations that were refuted, each with a simplest counterexample
  mutants.json      every mutant: where it is, what it changes, what the source inputs show of it
  sources.ndjson    the source inputs
  NN_*/             for each transformation: executions.parquet, relations.json, generations.ndjson,
                    search.json (what was found and refuted)

Equal subjects, seeds, settings and --generations give equal files, whatever --jobs, --tier and --engine.

Examples:
  genmorph generate
  genmorph generate my/subject.toml --budget 60s
  genmorph generate my/subject.toml --budget 60s --resume
  genmorph generate my/subject.toml --list-transformations
  genmorph generate my/subject.toml --transformation 'NumericAddition(-1) on e' --generations 500

Exit codes:
  0    relations were found
  1    a result could not be written, no worker process could be started any more, or a bug in genmorph showed
  2    wrong usage or bad input: no subject, a bad module, inputs that all fail, …
  3    no trustworthy relation found: what was found is refuted, or was tried on too few pairs
  130  interrupted by Ctrl-C; what was found until then is written";

/// Find relations of a function: inputs, mutants, transformations, search and filter in one go
#[derive(Debug, clap::Args)]
#[command(after_long_help = MORE)]
pub(super) struct Args {
    #[command(flatten)]
    pub(super) subject: SubjectArgs,

    /// The folder for the results
    #[arg(short, long, value_name = "DIR", default_value = "genmorph.out")]
    pub(super) output: PathBuf,

    /// Stop after this time, all in all: 500ms, 30s, 2m, 1h [default: 20s, 8s for the built-in
    /// subject, if there is no --generations]
    #[arg(long, value_name = "TIME", value_parser = budget::parse)]
    pub(super) budget: Option<Duration>,

    /// Stop each search after N generations
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    generations: Option<u64>,

    /// Search under this transformation, such as 'NumericAddition(-1) on e'; may be repeated
    #[arg(long, value_name = "TEXT")]
    transformation: Vec<Instance>,

    /// Search under at most N transformations, the plainest first; a sample of them with --paper
    #[arg(long, value_name = "N", default_value_t = Plan::TRANSFORMATIONS, conflicts_with = "transformation")]
    transformations: usize,

    /// Show the transformations that fit the function, and end
    #[arg(long)]
    list_transformations: bool,

    /// A file of further inputs: JSON, NDJSON or CSV; may be repeated
    #[arg(long, value_name = "FILE")]
    inputs: Vec<PathBuf>,

    /// The seed: equal seeds find equal relations
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,

    #[command(flatten)]
    search: SearchArgs,

    #[command(flatten)]
    review: ReviewArgs,

    #[command(flatten)]
    pub(super) machine: MachineArgs,

    /// How results are printed
    #[arg(long, default_value = "human")]
    pub(super) format: Printed,

    /// Go on with the run in the output folder: finished searches are not repeated, those that were cut short are done anew.
    /// Refused if the subject, its inputs or the settings have changed
    #[arg(long, conflicts_with = "force")]
    pub(super) resume: bool,

    /// Replace the run in the output folder
    #[arg(long)]
    pub(super) force: bool,
}

impl Args {
    /// Whether only transformations are shown.
    pub(super) fn lists(&self) -> bool {
        self.list_transformations
    }
}

/// The time of a run without --budget and --generations.
const BUDGET: Duration = Duration::from_secs(20);
/// The same for the built-in subject, which is for trying genmorph out.
const DEMO_BUDGET: Duration = Duration::from_secs(8);

pub(super) fn run(args: &Args) -> Result<Ending, Failure> {
    run_on(args, &args.subject.load(args.machine.jobs.count())?)
}

/// The same, of a function that is ready.
pub(super) fn run_on(args: &Args, loaded: &LoadedSubject) -> Result<Ending, Failure> {
    let subject = loaded.subject();
    if args.list_transformations {
        return list(subject, args.format);
    }
    let rejections = args.review.read(subject.signature())?;
    let mut plan = plan(args, subject.signature(), &rejections)?;
    plan.config.check().or_input()?;
    let started = started(&plan, loaded, &rejections);
    let folder = if args.resume {
        let (folder, done) = Folder::resume(&args.output, &started)?;
        plan.done = done;
        folder
    } else {
        Folder::new(&args.output, existing(args.force))?
    };
    loaded.remarks().iter().for_each(warn);
    on_interrupt(&plan.cancelled)?;
    let is_new = !args.resume;
    let job = Job { subject, plan, started, folder, is_new, shown: Some(args.format) };
    let Some((report, is_interrupted)) = job.run()? else {
        warn(&"interrupted before there was anything to write");
        return Ok(Ending::Interrupted);
    };
    let model = Model::read(&args.output).or_bug()?;
    match args.format {
        Printed::Human => conclude(&report, subject.signature(), &args.output)?,
        Printed::Json => print(&whole::json(&report))?,
        Printed::Ndjson => print(&whole::lines(&model.relations))?,
    }
    if args.subject.is_demo() {
        talk::say(
            &"\nthat was the built-in pow; for a function of yours: `cargo genmorph FUNCTION` in a crate,\n`genmorph generate --java METHOD`, `genmorph generate --python MODULE:FUNCTION`,\nor `genmorph init MODULE.wasm` and `genmorph generate subject.toml`",
        );
    }
    let is_lost =
        |search: &Search| search.observed == Observed::Together && search.problem.is_some();
    Ok(match report.relations() {
        _ if is_interrupted => Ending::Interrupted,
        0 => Ending::Nothing,
        // The second function was asked for, and nothing is known of it.
        _ if report.transformations.iter().any(is_lost) => Ending::Nothing,
        _ => Ending::Done,
    })
}

/// A function that is one of several: nothing of its run is printed. Without a report, the run was interrupted.
pub(super) fn run_one_of_many(
    args: &Args,
    loaded: &LoadedSubject,
    output: &Path,
    time: Duration,
    cancelled: &Arc<AtomicBool>,
) -> Result<Option<Report>, Failure> {
    let subject = loaded.subject();
    let rejections = args.review.read(subject.signature())?;
    let mut plan = plan(args, subject.signature(), &rejections)?;
    plan.config.check().or_input()?;
    plan.time = args.generations.is_none().then_some(time);
    plan.cancelled = Arc::clone(cancelled);
    let started = started(&plan, loaded, &rejections);
    let mut is_new = true;
    let mut folder = Folder::new(output, ExistingFile::Replace)?;
    if args.resume
        && let Ok((resumed, done)) = Folder::resume(output, &started)
    {
        if let Some(report) = resumed.whole_report() {
            return Ok(Some(report));
        }
        (folder, is_new) = (resumed, false);
        plan.done = done;
    }
    let ran = Job { subject, plan, started, folder, is_new, shown: None }.run()?;
    Ok(ran.filter(|(_, is_interrupted)| !is_interrupted).map(|(report, _)| report))
}

/// What people read at the end.
fn conclude(report: &Report, signature: &Signature, folder: &Path) -> Result<(), Failure> {
    if report.relations() > 0 {
        let signature = &signature.of_executions();
        if report.minimal.killed > 0 {
            print(&format_args!("{}\n", MinimalTable { report, signature }))?;
        }
        print(&report.judged)?;
        print(&format_args!("\n{}\n", LawTable { report, signature }))?;
    } else {
        print(
            &"no trustworthy relation found: more time (--budget), other transformations or a narrower domain may help\n",
        )?;
    }
    if let Some(cut) = &report.cut {
        print(&format_args!("{}\n", folded(cut, 2)))?;
    }
    let page = folder.join(Format::Html.file());
    print(&format_args!("results in {}; to read: {}\n", folder.display(), page.display()))
}

fn plan(args: &Args, signature: &Signature, rejections: &Rejections) -> Result<Plan, Failure> {
    let mut supplied = Vec::new();
    for path in &args.inputs {
        let rows = inputs::read(path, signature);
        supplied.extend(rows.or_input()?);
    }
    supplied.extend(rejections.inputs.iter().cloned());
    let usual = if args.subject.is_demo() { DEMO_BUDGET } else { BUDGET };
    Ok(Plan {
        config: args.search.config.config(),
        seed: Seed(args.seed),
        inputs: inputs::Settings {
            count: args.search.sources,
            supplied,
            ..inputs::Settings::default()
        },
        hunt: Plan::HUNT,
        transformations: if args.transformation.is_empty() {
            Transformations::Sampled(args.transformations)
        } else {
            Transformations::Named(args.transformation.clone())
        },
        tolerance: args.search.tolerance.get(),
        limits: args.search.rows.limits(),
        fresh: args.search.fresh,
        hunted: args.search.hunt,
        feedback: !args.search.no_feedback,
        time: args.budget.or(args.generations.is_none().then_some(usual)),
        generations: args.generations,
        rejected: rejections.rejected.clone(),
        done: Vec::new(),
        cancelled: Arc::new(AtomicBool::new(false)),
        machine: args.machine.machine(),
    })
}

/// What the run is known by when it is resumed.
fn started(plan: &Plan, loaded: &LoadedSubject, rejections: &Rejections) -> RunSettings {
    let transformations = match &plan.transformations {
        Transformations::Named(instances) => instances.iter().map(ToString::to_string).collect(),
        Transformations::Sampled(count) => vec![format!("{count} sampled")],
    };
    let signature = loaded.subject().signature().of_executions();
    let rejected = plan.rejected.iter().map(|rejection| {
        let Rejection { transformation, observed, relation } = rejection;
        let interface = transform::interface(&signature, transformation, "").observing(*observed);
        let schema = interface.schema().expect("it was read with this one");
        format!("{transformation} => {}", relation.display(&schema))
    });
    RunSettings {
        version: VERSION,
        subject: loaded.name.clone(),
        signature: loaded.subject().signature().to_string(),
        identity: Some(*loaded.subject().identity()),
        inputs: Some(inputs::digest(&plan.inputs.supplied)),
        seed: plan.seed.0,
        sources: plan.inputs.count,
        supplied: plan.inputs.supplied.len() - rejections.inputs.len(),
        fresh: plan.fresh,
        hunted: Some(plan.hunted),
        feedback: plan.feedback,
        generations: plan.generations,
        transformations,
        rows: [plan.limits.correct, plan.limits.incorrect],
        tolerance: plan.tolerance.to_string(),
        reviewed: rejections.file.as_ref().map(|file| file.display().to_string()),
        rejected: rejected.collect(),
        config: (&plan.config).into(),
    }
}

/// A transformation that fits the function.
#[derive(Serialize, JsonSchema)]
pub(super) struct FittingTransformation {
    /// The transformation, as --transformation takes it.
    transformation: String,
    /// What source and follow-up inputs satisfy.
    input_relation: String,
}

/// Prints the transformations that fit.
fn list(subject: &dyn Subject, format: Printed) -> Result<Ending, Failure> {
    let signature = subject.signature().of_executions();
    let all = transform::fitting(subject.signature(), subject.constants());
    if all.is_empty() {
        return Ok(Ending::Nothing);
    }
    let mut fitting = Vec::new();
    for candidate in &all {
        let transform = candidate.instance.bind(&signature);
        let transform = transform.or_bug()?;
        fitting.push(FittingTransformation {
            transformation: candidate.instance.to_string(),
            input_relation: transform.input_relation(),
        });
    }
    let width = fitting.iter().map(|fitting| fitting.transformation.len()).max().unwrap_or(0);
    let line =
        |FittingTransformation { transformation, input_relation }: &FittingTransformation| {
            format!("{transformation:width$}  {input_relation}\n")
        };
    print(&match format {
        Printed::Human => fitting.iter().map(line).collect(),
        Printed::Json => whole::json(&fitting),
        Printed::Ndjson => whole::lines(&fitting),
    })?;
    Ok(Ending::Done)
}
