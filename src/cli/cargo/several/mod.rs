//! `cargo genmorph` about many functions: which can be taken, one build for all of them, a run for each, and a page.
//!
//! A function that hangs, crashes or cannot be called has its line in the table; the others go on.

mod choice;
mod diff;
mod tests;

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use genmorph::record::VERSION;
use genmorph::record::overview::{Fate, FunctionLine, Overview};
use genmorph::record::report::Report;
use genmorph::show::overview::{OverviewTable, page};
use genmorph::show::terminal::first_laws;
use genmorph::subject::Signature;
use genmorph::subject::rust::{
    BuiltFunctions, CrateListing, ListedFunction, RustError, RustSubject,
};

pub(super) use self::choice::Choice;
use self::tests::TestFiles;
use super::super::format::Format as Printed;
use super::super::generate::run_one_of_many;
use super::super::interrupt::on_interrupt;
use super::super::subject::LoadedSubject;
use super::super::{Ending, Failure, OrFailure, print, talk, whole};
use super::{CargoArgs, ignored};

/// How long each function has, where nobody says how long all have together.
const EACH: Duration = Duration::from_secs(10);
/// Laws of a function that the overview has.
const FIRST: usize = 3;

/// Lists the functions of a crate, and which of them cannot be taken.
pub(super) fn list(args: &CargoArgs) -> Result<Ending, Failure> {
    let listing = listing(args)?;
    let functions = listing.functions();
    let (refused, taken): (Vec<&ListedFunction>, Vec<_>) =
        functions.into_iter().partition(|function| function.refusal.is_some());
    for function in &taken {
        let mark = if function.is_public { "" } else { "  (private)" };
        print(&format_args!("{}{mark}\n", function.path))?;
    }
    if !refused.is_empty() {
        print(&"\nnot possible:\n")?;
    }
    for function in &refused {
        let ListedFunction { path, file, lines, .. } = function;
        let reason = function.refusal.as_deref().unwrap_or_default();
        print(&format_args!("  {path} at {file}:{}: {reason}\n", lines.0))?;
    }
    talk::say(&format_args!(
        "{} functions of {}; `cargo genmorph FUNCTION` takes one, --all, --public, a module or --in-diff FILE several",
        taken.len(),
        listing.package().name
    ));
    Ok(if taken.is_empty() { Ending::Nothing } else { Ending::Done })
}

/// Runs the functions that were chosen.
pub(super) fn run(args: &CargoArgs, choice: &Choice) -> Result<Ending, Failure> {
    let listing = listing(args)?;
    let chosen = choice.of(&listing)?;
    let (refused, taken): (Vec<ListedFunction>, Vec<_>) =
        chosen.into_iter().partition(|function| function.refusal.is_some());
    let package = listing.package().clone();
    let mut overview =
        Overview { version: VERSION, name: package.name.clone(), functions: Vec::new() };
    let output = &args.generate.output;
    let tests = TestFiles::of(args, &package, &taken)?;
    prepare(output, args)?;
    let cancelled = Arc::new(AtomicBool::new(false));
    on_interrupt(&cancelled)?;
    if !taken.is_empty() {
        talk::say(&format_args!(
            "building {} with the mutants of {} functions",
            package.name,
            taken.len()
        ));
        let runtime = args.generate.subject.rust_runtime(args.generate.machine.jobs.count());
        let built = listing.build(&taken, &runtime).or_input()?;
        let many = Many { args, output, tests, cancelled: &cancelled };
        many.run(&built, &taken, &mut overview)?;
    }
    for function in &refused {
        let mut line = started(function);
        line.fate = Fate::Refused.name().to_owned();
        line.reason = function.refusal.clone().unwrap_or_default();
        overview.functions.push(line);
    }
    write(output, &overview)?;
    match args.generate.format {
        Printed::Human => {
            print(&OverviewTable(&overview))?;
            let page = output.join("index.html");
            print(&format_args!("results in {}; to read: {}\n", output.display(), page.display()))?;
        }
        Printed::Json => print(&whole::json(&overview))?,
        Printed::Ndjson => print(&whole::lines(&overview.functions))?,
    }
    Ok(match overview.count(Fate::Laws) + overview.count(Fate::Relations) {
        _ if cancelled.load(Ordering::Relaxed) => Ending::Interrupted,
        0 => Ending::Nothing,
        _ => Ending::Done,
    })
}

/// Whether a path names a module or a type, and no function.
pub(super) fn is_group(args: &CargoArgs, path: &str) -> Result<bool, Failure> {
    Ok(choice::is_group(&listing(args)?, path))
}

fn listing(args: &CargoArgs) -> Result<CrateListing, Failure> {
    let (place, with) = args.generate.subject.rust_place();
    CrateListing::read(&place, &with).or_input()
}

/// The folder has to be new, unless it is said what to do with what is there.
fn prepare(output: &Path, args: &CargoArgs) -> Result<(), Failure> {
    let is_new = std::fs::read_dir(output).map_or(true, |mut entries| entries.next().is_none());
    if !is_new && !args.generate.force && !args.generate.resume {
        return Err(Failure::Input(format!(
            "{} is there already and is not empty\nuse --resume to go on with its run, --force to replace it, or -o for another folder",
            output.display()
        )));
    }
    std::fs::create_dir_all(output).map_err(|error| whole::cannot("create", output, &error))?;
    ignored(output)
}

fn started(function: &ListedFunction) -> FunctionLine {
    FunctionLine {
        function: function.path.clone(),
        place: format!("{}:{}", function.file, function.lines.0),
        is_public: function.is_public,
        ..FunctionLine::default()
    }
}

/// The files of the overview.
fn write(output: &Path, overview: &Overview) -> Result<(), Failure> {
    for (name, text) in [("overview.json", whole::json(overview)), ("index.html", page(overview))] {
        let path = output.join(name);
        whole::write(&path, text.as_bytes())
            .map_err(|error| whole::cannot("write", &path, &error))?;
    }
    Ok(())
}

/// What all runs have in common.
struct Many<'m> {
    args: &'m CargoArgs,
    output: &'m Path,
    tests: TestFiles,
    cancelled: &'m Arc<AtomicBool>,
}

impl Many<'_> {
    fn run(
        mut self,
        built: &BuiltFunctions,
        taken: &[ListedFunction],
        overview: &mut Overview,
    ) -> Result<(), Failure> {
        let begun = Instant::now();
        let all = self.args.generate.budget.unwrap_or(EACH * taken.len() as u32);
        for (number, function) in taken.iter().enumerate() {
            if self.cancelled.load(Ordering::Relaxed) {
                break;
            }
            let left = all.saturating_sub(begun.elapsed());
            talk::say(&format_args!(
                "{} of {}: {}  ({} s left for all)",
                number + 1,
                taken.len(),
                function.path,
                left.as_secs()
            ));
            let each = left / (taken.len() - number) as u32;
            let start = Instant::now();
            let mut line = started(function);
            match built.subject(number) {
                Ok(subject) => self.one(subject, function, each, &mut line)?,
                // The others can still be called.
                Err(error @ RustError::Uncallable { .. }) => {
                    line.fate = Fate::Refused.name().to_owned();
                    line.reason = error.to_string();
                }
                Err(error) => {
                    line.fate = Fate::Failed.name().to_owned();
                    line.reason = error.to_string();
                }
            }
            line.seconds = start.elapsed().as_secs_f64();
            overview.functions.push(line);
            // What is there so far can be read before the end.
            write(self.output, overview)?;
        }
        self.tests.run()
    }

    /// The run of one function; what goes wrong in it stays in its line.
    fn one(
        &mut self,
        subject: RustSubject,
        function: &ListedFunction,
        time: Duration,
        line: &mut FunctionLine,
    ) -> Result<(), Failure> {
        let name: String = function
            .path
            .replace("::", "-")
            .chars()
            .map(|c| if c.is_ascii_alphanumeric() || c == '_' || c == '-' { c } else { '_' })
            .collect();
        let folder = self.output.join(&name);
        let loaded = LoadedSubject::of_rust(subject, function.path.clone());
        let args = &self.args.generate;
        match run_one_of_many(args, &loaded, &folder, time, self.cancelled) {
            Ok(Some(report)) => {
                line.folder = name;
                told(line, &report, loaded.subject().signature());
                if report.relations() > 0 {
                    let subject = loaded.rust().expect("it was made of one");
                    self.tests.add(self.args, subject, function, &folder)?;
                }
            }
            Ok(None) => {
                line.fate = Fate::Failed.name().to_owned();
                line.reason = "interrupted".to_owned();
            }
            Err(failure @ (Failure::File(_) | Failure::Output(_))) => return Err(failure),
            Err(failure) => {
                line.fate = Fate::Failed.name().to_owned();
                line.reason = failure.to_string();
            }
        }
        Ok(())
    }
}

/// What a report says of a function.
fn told(line: &mut FunctionLine, report: &Report, signature: &Signature) {
    line.laws = report.laws.len();
    line.first = first_laws(report, &signature.of_executions(), FIRST);
    (line.killed, line.mutants) = (report.judged.totals.killed, report.judged.totals.mutants);
    let fate = match report.relations() {
        0 => Fate::Nothing,
        _ if line.laws > 0 => Fate::Laws,
        _ => Fate::Relations,
    };
    line.fate = fate.name().to_owned();
}
