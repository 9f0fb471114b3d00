//! `genmorph sweep plan`.

use std::fs;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::time::Duration;

use genmorph::subject::Subject;
use genmorph::support::seed::Seed;
use genmorph::sweep::{Axes, Manifest, Settings, SweepError, SweepSubject, Variation};
use genmorph::transform::{self, Instance};

use super::super::flags::SearchArgs;
use super::super::subject::SubjectArgs;
use super::super::whole::cannot;
use super::super::{Ending, Failure, OrFailure, budget, output, print, warn};
use super::seeds::{self, Seeds};
use super::subjects;
use super::work::GENERATE;

/// Plan a sweep: write the list of its units, which depends on nothing but what is given here
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The subjects: TOML files that name WebAssembly modules or Java methods [default: a built-in pow]
    subjects: Vec<PathBuf>,

    /// The folder for the sweep
    #[arg(short, long, value_name = "DIR", default_value = "sweep")]
    output: PathBuf,

    /// The seeds: numbers and ranges
    #[arg(long, value_name = "1-10,42", default_value = "1", value_parser = seeds::parse)]
    seeds: Seeds,

    /// The most transformations of each subject, chosen as `generate` does with the first seed; or `all`
    #[arg(long, value_name = "N|all", default_value = "4", conflicts_with = "transformation")]
    transformations: Count,

    /// Under this transformation, such as 'NumericAddition(-1) on e', of the subjects that it fits; may be repeated
    #[arg(long, value_name = "TEXT")]
    transformation: Vec<Instance>,

    /// Every unit under each of these values, too: KEY=VALUE,VALUE,…; may be repeated for other keys
    /// (algorithm, generations, population, max-size, sources, fresh, hunt, feedback, max-correct, max-incorrect, tolerance)
    #[arg(long, value_name = "KEY=VALUES")]
    vary: Vec<Variation>,

    /// Stop each search after N generations [default: 60, if there is no --budget]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    generations: Option<u64>,

    /// Stop each unit after this time: 500ms, 30s, 2m, 1h. Results then depend on the machine
    #[arg(long, value_name = "TIME", value_parser = budget::parse)]
    budget: Option<Duration>,

    #[command(flatten)]
    search: SearchArgs,
}

/// How many transformations of each subject are searched under.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Count {
    All,
    AtMost(usize),
}

impl FromStr for Count {
    type Err = String;

    fn from_str(text: &str) -> Result<Count, String> {
        match (text, text.parse()) {
            ("all", _) => Ok(Count::All),
            (_, Ok(count)) if count > 0 => Ok(Count::AtMost(count)),
            _ => Err("a number from 1, or `all`".to_owned()),
        }
    }
}

pub(super) fn run(args: &Args) -> Result<Ending, Failure> {
    let settings = settings(args).vary(&args.vary).or_input()?;
    let files = files(args)?;
    let mut found = Vec::new();
    for (file, name) in files.iter().zip(subjects::names(&files)) {
        let content = subjects::content(file.as_deref())?;
        let loaded = SubjectArgs::of(file.clone()).load(0)?;
        loaded.remarks().iter().for_each(|remark| warn(&format_args!("{name}: {remark}")));
        let transformations = transformations(args, &name, loaded.subject())?;
        found.push((SweepSubject { name, file: file.clone(), content }, transformations));
    }
    // Only now, so that a plan that fails leaves nothing behind.
    fs::create_dir_all(&args.output).map_err(|error| cannot("create", &args.output, &error))?;
    let output = args.output.canonicalize();
    let output = output.map_err(|error| cannot("use", &args.output, &error))?;
    for (planned, _) in &mut found {
        planned.file = planned.file.as_deref().map(|file| subjects::way(&output, file));
    }
    let axes =
        Axes { work: GENERATE.to_owned(), subjects: found, settings, seeds: args.seeds.0.clone() };
    let manifest = Manifest::new(axes)?;
    write(&args.output, &manifest)?;
    if args.budget.is_some() {
        warn(
            &"with --budget results depend on the machine; with --generations alone they are the same everywhere",
        );
    }
    print(&format_args!(
        "{} units: {} subjects, {} seeds, {} settings\nplanned in {}\n",
        manifest.units.len(),
        manifest.subjects.len(),
        args.seeds.0.len(),
        manifest.settings.len(),
        args.output.display()
    ))?;
    Ok(Ending::Done)
}

/// The absolute paths of the subjects; `None` is the built-in one.
fn files(args: &Args) -> Result<Vec<Option<PathBuf>>, Failure> {
    if args.subjects.is_empty() {
        return Ok(vec![None]);
    }
    let mut files: Vec<Option<PathBuf>> = Vec::new();
    for path in &args.subjects {
        let file = path.canonicalize().map_err(|error| cannot("read", path, &error))?;
        if files.contains(&Some(file.clone())) {
            return Err(Failure::Input(format!("{} occurs twice", path.display())));
        }
        files.push(Some(file));
    }
    Ok(files)
}

fn settings(args: &Args) -> Settings {
    let search = &args.search;
    let limits = search.rows.limits();
    let usual = args.budget.is_none().then_some(Settings::GENERATIONS);
    Settings {
        generations: args.generations.or(usual),
        milliseconds: args.budget.map(|time| time.as_millis().max(1) as u64),
        sources: search.sources,
        fresh: search.fresh,
        hunt: search.hunt,
        feedback: !search.no_feedback,
        max_correct: limits.correct,
        max_incorrect: limits.incorrect,
        config: search.config.config(),
        ..Settings::default()
    }
    .with_tolerance(search.tolerance.get())
}

/// The transformations that a subject is searched under.
fn transformations(args: &Args, name: &str, subject: &dyn Subject) -> Result<Vec<String>, Failure> {
    if args.transformation.is_empty() {
        let (signature, constants) = (subject.signature(), subject.constants());
        let chosen = match args.transformations {
            Count::All => transform::fitting(signature, constants),
            // The same for all seeds, so that seeds can be compared.
            Count::AtMost(count) => {
                let all = transform::list(signature, constants);
                transform::sample(&all, count, Seed(args.seeds.0[0]))
            }
        };
        if chosen.is_empty() {
            return Err(Failure::Input(format!("no transformation fits {name}")));
        }
        return Ok(chosen.iter().map(|candidate| candidate.instance.to_string()).collect());
    }
    let signature = subject.signature().of_executions();
    let fits = |instance: &&Instance| instance.bind(&signature).is_ok();
    let fitting: Vec<String> =
        args.transformation.iter().filter(fits).map(ToString::to_string).collect();
    match args.transformation.first().map(|instance| instance.bind(&signature)) {
        Some(Err(error)) if fitting.is_empty() => {
            Err(Failure::Input(format!("no transformation fits {name}: {error}")))
        }
        _ => Ok(fitting),
    }
}

/// Writes the manifest, unless it is there already.
fn write(folder: &Path, manifest: &Manifest) -> Result<(), Failure> {
    match Manifest::read(folder) {
        Ok(there) if there == *manifest => return Ok(()),
        Err(SweepError::NoManifest(_)) => {}
        Ok(_) | Err(_) => {
            return Err(Failure::Input(format!(
                "{} has a manifest already, of another sweep: use -o for another folder",
                folder.display()
            )));
        }
    }
    output::write(&folder.join(Manifest::FILE), &manifest.text())
}
