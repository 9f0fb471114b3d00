//! `genmorph export`: relations as tests, one file per language.

mod file;
mod java;
mod language;
mod recorded;

use std::fs;
use std::path::{Path, PathBuf};

use genmorph::claims::Claims;
use genmorph::export::java::{Junit, has_texts};
use genmorph::export::python;
use genmorph::export::{Properties, RunEvidence, Selection, SelectionOptions, TestForm};
use genmorph::filter::fresh;
use genmorph::inputs::{self, Watch};
use genmorph::subject::jvm::JvmSubject;
use genmorph::subject::python::PythonSubject;
use genmorph::subject::{Inputs, Subject, Throwing};
use genmorph::support::seed::Seed;

use self::file::TestFile;
use self::language::Language;
use super::flags::{JobsArgs, OwnToleranceArgs};
use super::output::not_written;
use super::pit::Pit;
use super::subject::SubjectArgs;
use super::{Ending, Failure, OrFailure, claims, talk, warn, whole};

const EXAMPLES: &str = "\
RELATIONS is the folder of a run, its report.json, the relations.json of a search, or a text file with lines such as
  PermuteParameters on p, q => out_f == out_s        # a comment
The source inputs are those of the run, if RELATIONS is in the folder of one; others are made from the seed. Only pairs of
inputs on which the function returns twice are used. A relation that is false on one of them is left out, with a warning.

Java: a class in Java 8. It needs JUnit 4.13, or JUnit 5 with junit-jupiter-params, and the classes of the method.
Rust: a file for the folder tests/ of a crate, with proptest. --call is a path, whose texts are passed as &str and lists as
  slices, or a closure that captures nothing and gets all by value; lists that are changed in place are passed as &mut.
Python: a module for pytest and Hypothesis. --call is a module and what it has, such as package.module:Class.function; a function
  that --python names is imported from its module.
Of a run with laws only these become tests, each named after what it says, with a few examples; --detectors adds the other relations.
Laws, and in Rust and Python all relations, are tested on inputs of the run, and on inputs drawn from the domain of the subject.
With --detectors a class in Java has inputs of the run only.
Where SUBJECT is an executions file (.parquet), the recorded inputs are replayed, and none are drawn.

Examples:
  genmorph export genmorph.out gcd.toml -o src/test/java
  genmorph export relations.txt gcd.toml --junit 4 --inputs 20 -o tests
  genmorph export relations.txt gcd.toml -o tests --pit        and run PIT on the class
  genmorph export relations.txt --java 'org.example.Maths#gcd(int,int)' --classpath classes -o tests
  genmorph export genmorph.out gcd.toml --to rust --call my_crate::gcd -o tests/genmorph_gcd.rs
  genmorph export genmorph.out pad.toml --to rust --call '|s, n, c| my_crate::pad(&s, n as usize, c)' -o tests
  genmorph export genmorph.out gcd.toml --to python --call maths.numbers:gcd -o tests
  genmorph export genmorph.out --python maths.numbers:gcd -o tests
  genmorph export relations.json executions.parquet --to python --call maths.numbers:gcd -o tests

Exit codes:
  0  the test is written
  1  it could not be written, or no worker process could be started any more
  2  wrong usage or bad input: no such function, no such relation, a file that is there already, …
  3  no relation is left to write";

/// Write relations of a function as tests in Java, Rust or Python
#[derive(Debug, clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub(super) struct Args {
    /// The relations: the folder of a run, one of its files, or lines of text
    relations: PathBuf,

    #[command(flatten)]
    asked: SubjectArgs,

    /// Java: the root folder of the tests, below which the class goes into the folder of its package.
    /// Rust and Python: the file, or the folder that it goes into
    #[arg(short, long, value_name = "PATH")]
    output: PathBuf,

    /// The language [default: by the extension of -o; else java for Java methods, rust for WebAssembly functions]
    #[arg(long, value_name = "LANGUAGE", value_enum)]
    to: Option<Language>,

    /// Rust and Python: the function to call: my_crate::gcd, a closure, or package.module:gcd
    #[arg(long, value_name = "FUNCTION")]
    call: Option<String>,

    /// Java: the version of JUnit [default: 5]
    #[arg(long, value_name = "4|5", value_parser = junit)]
    junit: Option<Junit>,

    /// Java: the package of the class [default: that of the method]
    #[arg(long, value_name = "PACKAGE")]
    package: Option<String>,

    /// Java: the name of the class [default: that of the method, with GenmorphTest]
    #[arg(long, value_name = "NAME")]
    name: Option<String>,

    /// Write detectors too, not only the laws of a run
    #[arg(long)]
    detectors: bool,

    /// The greatest number of pairs of inputs per transformation [default: 5 for laws, else 100]
    #[arg(long, value_name = "N", value_parser = pairs)]
    inputs: Option<usize>,

    #[command(flatten)]
    tolerance: OwnToleranceArgs,

    /// The seed of source inputs, if RELATIONS is not in the folder of a run
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,

    #[command(flatten)]
    pit: Pit,

    /// Replace an existing file
    #[arg(long)]
    force: bool,

    #[command(flatten)]
    jobs: JobsArgs,
}

fn junit(text: &str) -> Result<Junit, String> {
    match text {
        "4" => Ok(Junit::Four),
        "5" => Ok(Junit::Five),
        _ => Err("write 4 or 5".to_owned()),
    }
}

fn pairs(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(count) if (1..=10_000).contains(&count) => Ok(count),
        _ => Err("write a number from 1 to 10000".to_owned()),
    }
}

impl Args {
    /// The most pairs of inputs of a transformation.
    fn most(&self, form: TestForm) -> usize {
        self.inputs.unwrap_or(match form {
            TestForm::Laws => 5,
            TestForm::Relations => 100,
        })
    }
}

/// Fresh inputs that tests of outcomes are chosen from, besides the sources.
const THROWN: usize = 300;
/// The pairs of inputs of a transformation that laws of outcomes are tested on, at least.
const FEWEST_OUTCOMES: usize = 20;

/// The claims that are written, and how.
fn tested(args: &Args, known: &RunEvidence, claims: Claims) -> (Claims, TestForm) {
    if known.is_without_laws() {
        talk::say(&"the run has no laws: all of its relations are written, each with its evidence");
    }
    known.tested(claims, args.detectors)
}

pub(super) fn run(args: &Args) -> Result<Ending, Failure> {
    let file = claims::file(&args.relations)?;
    let text = fs::read_to_string(&file).map_err(|error| whole::cannot("read", &file, &error))?;
    if args.asked.is_demo() {
        return Err(Failure::Input(
            "of which function are the relations? name its subject.toml after them, or use --java and --classpath"
                .to_owned(),
        ));
    }
    let name = file.display().to_string();
    let known = RunEvidence::of(&text);
    if let Some(recording) = args.asked.file().filter(|path| recorded::is_one(path)) {
        return recorded::export(args, recording, &name, &text, &known);
    }
    let chosen = args.asked.load(args.jobs.count())?;
    let subject = chosen.subject();
    let own = match (chosen.java(), chosen.python()) {
        (Some(_), _) => Language::Java,
        (_, Some(_)) => Language::Python,
        (None, None) => Language::Rust,
    };
    let language = args.to.or(Language::of(&args.output)).unwrap_or(own);
    suit(args, language, chosen.java())?;
    let claims = claims::read(&name, &text, &subject.signature().of_executions(), &args.asked)?;
    let (claims, form) = tested(args, &known, claims);
    let (claims, outcomes) = claims.by_observed();
    let tolerance = args.tolerance.given().or(claims.tolerance).unwrap_or_default();
    let (sources, origin) = sources(args, &file, subject)?;
    let choice = SelectionOptions { evidence: &known, most: args.most(form), tolerance };
    let selection = Selection::of_subject(subject, &claims, &sources, choice)?;
    selection.left_out.iter().for_each(warn);
    let origin: Vec<String> = known.origin().into_iter().chain([origin]).collect();
    let throwing = Throwing::of(subject).filter(|_| outcomes.count() > 0);
    let of_outcomes = match &throwing {
        Some(throwing) => {
            // Most inputs of a run are some on which the function returns.
            let mut inputs = sources.clone();
            let fresh = fresh::inputs(
                throwing.signature(),
                subject.constants(),
                &sources,
                Seed(args.seed),
                THROWN,
            );
            (0..fresh.len()).for_each(|row| inputs.push(&fresh.row(row).collect::<Vec<_>>()));
            let choice = SelectionOptions { most: choice.most.max(FEWEST_OUTCOMES), ..choice };
            let selection = Selection::of_subject(throwing, &outcomes, &inputs, choice)?;
            selection.left_out.iter().for_each(warn);
            (!selection.is_empty()).then_some((throwing.signature(), selection))
        }
        None => None,
    };
    if selection.is_empty() && of_outcomes.is_none() {
        talk::say(&"no relation is left to write");
        return Ok(Ending::Nothing);
    }
    if let Some((signature, selection)) = &of_outcomes {
        let origin = origin.clone();
        match (language, chosen.java()) {
            (Language::Java, Some(method)) => {
                java::outcomes(args, method, (signature, selection), tolerance, origin)?;
            }
            (Language::Java | Language::Rust | Language::Python, _) => {
                // Whether drawn inputs take too much time or memory is not known, so there are examples only.
                let (properties, form) = (Properties::None, TestForm::Laws);
                let callee = chosen.python().map(callee).transpose()?;
                let file =
                    TestFile { signature, selection, form, properties, tolerance, origin, callee };
                file::export(args, language, file)?;
            }
        }
    }
    if selection.is_empty() {
        return Ok(Ending::Done);
    }
    match (language, chosen.java()) {
        (Language::Java, Some(method)) => {
            java::export(args, method, &selection, form, tolerance, origin)?;
        }
        (Language::Java | Language::Rust | Language::Python, _) => {
            let (signature, properties) = (subject.signature(), Properties::Drawn);
            let selection = &selection;
            let callee = chosen.python().map(callee).transpose()?;
            let file =
                TestFile { signature, selection, form, properties, tolerance, origin, callee };
            file::export(args, language, file)?;
        }
    }
    Ok(Ending::Done)
}

/// How a test in Python calls a function.
fn callee(subject: &PythonSubject) -> Result<python::Callee, Failure> {
    let callee = python::Callee::read(&subject.name().to_string()).or_input()?;
    Ok(match subject.call() {
        Some(lines) => callee.around(lines),
        None => callee,
    })
}

/// Refuses subjects that cannot be tested in a language, and flags of other languages.
fn suit(args: &Args, language: Language, method: Option<&JvmSubject>) -> Result<(), Failure> {
    let of_java = [
        ("--junit", args.junit.is_some()),
        ("--package", args.package.is_some()),
        ("--name", args.name.is_some()),
        ("--pit", args.pit.is_asked()),
    ];
    let of_others = [("--call", args.call.is_some())];
    let (foreign, of) = match language {
        Language::Java => (&of_others[..], "Rust and Python"),
        Language::Rust | Language::Python => (&of_java[..], "Java"),
    };
    if let Some((flag, _)) = foreign.iter().find(|(_, is_given)| *is_given) {
        return Err(Failure::Input(format!(
            "{flag} is for tests in {of}: leave it out, or choose another language with --to"
        )));
    }
    match (language, method) {
        (Language::Java, None) => Err(file::no_java()),
        (Language::Rust | Language::Python, Some(subject)) if has_texts(subject) => {
            Err(Failure::Input(format!(
                "{} has arrays or lists of String, whose elements are numbers in relations: \
                 such relations can be written in Java only",
                subject.method()
            )))
        }
        (Language::Java | Language::Rust | Language::Python, _) => Ok(()),
    }
}

/// The source inputs, and a line on their origin.
fn sources(args: &Args, file: &Path, subject: &dyn Subject) -> Result<(Inputs, String), Failure> {
    let signature = subject.signature();
    // The folder of a run, or that of one of its searches.
    let folders = file.parent().into_iter().flat_map(|folder| [Some(folder), folder.parent()]);
    let found = folders.flatten().map(|folder| folder.join("sources.ndjson")).find(|p| p.is_file());
    if let Some(path) = found {
        let rows = inputs::read(&path, signature).or_input()?;
        let inputs = Inputs::from_rows(signature, rows.iter().map(Vec::as_slice));
        return Ok((inputs, "The inputs are those of the run.".to_owned()));
    }
    let jobs = args.jobs.start()?;
    let settings = inputs::Settings::default();
    let found = inputs::generate(subject, &settings, Seed(args.seed), &jobs, &Watch::NOBODY)?;
    Ok((found.inputs, format!("The inputs were made from seed {}.", args.seed)))
}

/// Writes a file. An existing one is replaced only with `--force`.
fn write(args: &Args, path: &Path, source: &str, instead: &str) -> Result<(), Failure> {
    if path.exists() && !args.force {
        return Err(Failure::Input(format!(
            "{} is there already\nuse --force to replace it, {instead}",
            path.display()
        )));
    }
    let failed = |error| not_written(path, &error);
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).map_err(failed)?;
    }
    whole::write(path, source.as_bytes()).map_err(failed)
}
