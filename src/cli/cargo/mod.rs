//! `cargo genmorph FUNCTION`: from a Rust function to a test file.
//!
//! The search is that of `genmorph generate`, with its flags. What it finds becomes an integration test of the crate, which
//! is run; if asked for, cargo-mutants judges it.

mod callee;
mod judge;
mod several;
mod test;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use clap::builder::BoolishValueParser;
use clap::{CommandFactory, FromArgMatches, Parser};
use genmorph::subject::rust::{Arguments, Confinement, Place, Runtime, RustSpec, RustSubject};
use genmorph::subject::{Domain, Group, Subject, domain};
use genmorph::support::threads::Jobs;

use super::{Ending, Failure, OrFailure, generate, isolation, talk, whole};

/// Which Rust function, and how its crate is built.
#[derive(Clone, Debug, Default, clap::Args)]
pub(super) struct CrateArgs {
    /// A Rust function of the crate in this folder, by its path, such as my_module::pad_start
    #[arg(long = "rust", id = "rust", value_name = "FUNCTION", conflicts_with = "java")]
    function: Option<String>,

    /// What a type parameter of the Rust function stands for, such as T=i32, or the type of a parameter of the Python
    /// function, such as x=int; may be repeated
    #[arg(long, value_name = "T=TYPE", value_parser = argument)]
    with: Vec<(String, String)>,

    /// Which values a parameter may have, as in subject.toml: 'n = { range = [0, 20] }'; may be repeated
    #[arg(long, value_name = "NAME = {…}", value_parser = domain)]
    domain: Vec<(String, Domain)>,

    /// The Cargo.toml of the crate [default: that of this folder, or of the nearest one above]
    #[arg(long, value_name = "PATH")]
    manifest_path: Option<PathBuf>,

    /// The package of the Rust function, if the workspace has several
    #[arg(long, value_name = "NAME")]
    cargo_package: Option<String>,

    /// Features of the crate to switch on
    #[arg(long, value_name = "FEATURES", value_delimiter = ',')]
    features: Vec<String>,

    /// Without the default features of the crate
    #[arg(long)]
    no_default_features: bool,

    /// Run the Rust function in the embedded WebAssembly engine, not in a process: slower, and nothing gets out
    #[arg(long)]
    sandbox: bool,

    /// Build the crate without the network
    #[arg(long)]
    offline: bool,
}

fn argument(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((name, ty)) if !name.trim().is_empty() && !ty.trim().is_empty() => {
            Ok((name.trim().to_owned(), ty.trim().to_owned()))
        }
        _ => Err("write what a type parameter stands for, such as T=i32, or the type of a parameter, such as x=int".to_owned()),
    }
}

impl CrateArgs {
    /// The function that was asked for.
    pub(super) fn function(&self) -> Option<&str> {
        self.function.as_deref()
    }

    /// Another function of the same crate.
    pub(super) fn other(&self, function: &str) -> CrateArgs {
        let function = Some(function.to_owned());
        CrateArgs { function, domain: Vec::new(), ..self.clone() }
    }

    /// A function of the crate with this manifest.
    pub(super) fn of(manifest: PathBuf, function: &str) -> CrateArgs {
        let function = Some(function.to_owned());
        CrateArgs { function, manifest_path: Some(manifest), ..CrateArgs::default() }
    }

    /// The same, about this function.
    pub(super) fn about(&mut self, function: Option<String>) {
        self.function = function;
    }

    /// The types of parameters that are named, in order.
    pub(super) fn types(&self) -> &[(String, String)] {
        &self.with
    }

    /// The domains of parameters, by name.
    pub(super) fn domains(&self) -> BTreeMap<String, Domain> {
        self.domain.iter().cloned().collect()
    }

    /// Where the crate is, and what type parameters stand for.
    pub(super) fn place(&self) -> (Place, Arguments) {
        let place = Place {
            manifest: self.manifest_path.clone(),
            package: self.cargo_package.clone(),
            features: self.features.clone(),
            no_default_features: self.no_default_features,
            offline: self.offline,
        };
        (place, self.with.iter().cloned().collect())
    }

    /// How its functions are run.
    pub(super) fn runtime(&self, jobs: usize) -> Runtime {
        let jobs = if jobs == 0 { Jobs::cores() } else { jobs };
        let flags = std::env::var("RUSTFLAGS").unwrap_or_default();
        let confinement = if self.sandbox { Confinement::Sandbox } else { Confinement::Process };
        Runtime { jobs, flags, confinement, isolation: isolation::get() }
    }

    /// Builds the crate with the mutants of the function.
    pub(super) fn subject(&self, jobs: usize) -> Result<RustSubject, Failure> {
        let (place, with) = self.place();
        let spec = RustSpec {
            place,
            function: self.function.clone().unwrap_or_default(),
            with,
            domains: self.domains(),
        };
        RustSubject::new(&spec, &self.runtime(jobs)).or_input()
    }
}

/// Warnings about code of a function that has no mutants.
pub(super) fn remarks(subject: &RustSubject) -> Vec<String> {
    let mut remarks = Vec::new();
    let opaque = subject.not_mutated();
    if !opaque.is_empty() {
        let shown: Vec<String> =
            opaque.iter().take(5).map(|o| format!("{} at {}", o.what, o.line)).collect();
        let more = opaque.len().saturating_sub(shown.len());
        let more = if more > 0 { format!(", and {more} more") } else { String::new() };
        remarks.push(format!("not mutated: {}{more}", shown.join(", ")));
    }
    remarks
}

/// Finds relations of a Rust function, and writes them as a test file
#[derive(Debug, Parser)]
#[command(name = "cargo genmorph", bin_name = "cargo genmorph", version)]
#[command(after_long_help = MORE)]
struct CargoArgs {
    #[command(flatten)]
    generate: generate::Args,

    #[command(flatten)]
    choice: several::Choice,

    /// On how many pairs of inputs each test tries its relation, at most
    #[arg(long, value_name = "N", default_value_t = 30, value_parser = clap::value_parser!(u16).range(1..=1000))]
    examples: u16,

    /// Find relations only: write no test file
    #[arg(long)]
    no_test: bool,

    /// Let another tool judge the test file: its mutants are not ours
    #[arg(long, value_name = "TOOL", conflicts_with = "no_test")]
    judge: Option<judge::Judge>,

    /// Run the function without the sandbox that Linux has for it: its mutants may do whatever you may
    #[arg(long, env = "GENMORPH_NO_SANDBOX", hide_env_values = true)]
    #[arg(value_parser = BoolishValueParser::new())]
    no_sandbox: bool,
}

const MORE: &str = "\
The function may be private, and needs no annotation. Its parameters may be integers, floats, bool, char, &str, String, slices,
Vecs and arrays of these, Options of them, and tuples of numbers; it may return these, or an Option or Result of one. A
result None or Err is as if the function had panicked; an optional parameter is always Some. A usize is at most 1000, unless
--domain says something else. Of generic functions --with says what type parameters are. Methods, async functions and
functions that take functions are refused.

A copy of the crate, with all mutants, is built and kept in target/genmorph; the crate itself stays as it is, but for the test
file. Mutants run in processes of their own, with little memory; on Linux they can neither read your files nor write any, and have no
network. Build scripts and macros of the crate run as always. With --sandbox mutants run in the embedded WebAssembly engine, if the compiler's target wasm32-unknown-unknown is installed; usize has 32 bits there.

The test file is tests/genmorph_FUNCTION.rs, with a test per relation, and a property too where proptest is among the
dev-dependencies. Each test fails on at least one mutant. It is run at the end. A private function cannot be called from there:
its tests are a module, in the output folder, for the crate to take in.

Without FUNCTION the functions of the crate are listed, with those that cannot be taken and the reason. --all, --public, a module
and --in-diff run several within one --budget (10 s for each, if none is given): one build, a folder for each function, a page
index.html and overview.json in the output folder, and a test file tests/genmorph_MODULE.rs per module. Type parameters that
--with does not name are i64, f64, String, Vec<u8> or char there, whichever compiles first.

Examples:
  cargo genmorph
  cargo genmorph --public --budget 5m
  git diff main > changes.diff && cargo genmorph --in-diff changes.diff
  cargo genmorph my_module::pad_start
  cargo genmorph gcd --with T=i64 --budget 60s
  cargo genmorph repeat --domain 'n = { range = [0, 20] }' --domain 's = { max_len = 5 }'
  cargo genmorph pad_start --judge cargo-mutants

Exit codes:
  0    relations were found, and their tests pass
  1    a result could not be written, a test fails, no worker process could be started any more, or a bug in genmorph showed
  2    wrong usage or bad input: no such function, a type that is not supported, a crate that does not compile, …
  3    no trustworthy relation found
  130  interrupted by Ctrl-C; what was found until then is written";

/// Whether `cargo-genmorph`, the program that Cargo starts, has handed over to this one.
pub(super) fn is_asked_for() -> bool {
    std::env::args_os().nth(1).is_some_and(|first| first == "cargo-genmorph")
}

/// Does what `cargo genmorph …` asks for.
pub(super) fn run() -> Result<Ending, Failure> {
    // From `cargo-genmorph` on.
    let arguments = std::env::args_os().skip(1);
    let command = CargoArgs::command().mut_arg("subject", |argument| {
        argument
            .value_name("FUNCTION")
            .help("The function, by its path: my_module::pad_start, or pad_start if only one has that name; a module or a type means all of its functions [default: list the functions]")
    });
    let command = command.mut_arg("rust", |argument| argument.hide(true));
    let hidden = ["java", "classpath", "maven", "java_home", "python", "python_home", "engine"];
    let command =
        hidden.iter().fold(command, |command, name| command.mut_arg(name, |a| a.hide(true)));
    let command = command.mut_arg("cargo_package", |argument| argument.long("package").short('p'));
    let matches = command.get_matches_from(arguments);
    let mut args = CargoArgs::from_arg_matches(&matches).unwrap_or_else(|error| error.exit());
    isolation::set(args.no_sandbox);
    args.generate.subject.as_rust();
    if args.choice.is_made() {
        return several::run(&args, &args.choice);
    }
    match args.generate.subject.rust_function() {
        None => return several::list(&args),
        Some(path) if several::is_group(&args, path)? => {
            return several::run(&args, &several::Choice::within(path));
        }
        Some(_) => {}
    }
    let loaded = args.generate.subject.load(args.generate.machine.jobs.count())?;
    let subject = loaded.rust().expect("a Rust function was asked for");
    tell(subject);
    let place = test::TestPlace::of(subject, &args.generate.output);
    if !args.no_test && !args.generate.lists() {
        // Better now than after the search.
        place.check(args.generate.force)?;
        if args.judge.is_some() {
            judge::check(&place)?;
        }
    }
    let ending = generate::run_on(&args.generate, &loaded)?;
    ignored(&args.generate.output)?;
    if args.no_test || args.generate.lists() || ending != Ending::Done {
        return Ok(ending);
    }
    let written = test::write(&args, subject, &place)?;
    let Some(written) = written else { return Ok(Ending::Nothing) };
    if let Some(judge) = args.judge {
        judge::run(judge, subject, &written)?;
    }
    Ok(ending)
}

/// Results in the folder of a crate are nothing to commit: the folder says so itself, unless it says something already.
fn ignored(output: &Path) -> Result<(), Failure> {
    let path = output.join(".gitignore");
    if !output.is_dir() || path.exists() {
        return Ok(());
    }
    whole::write(&path, b"*\n").map_err(|error| whole::cannot("write", &path, &error))
}

/// Prints how many mutants were built, and why some do not compile.
fn tell(subject: &RustSubject) {
    let (training, judging) =
        (subject.mutants_of(Group::A).len(), subject.mutants_of(Group::B).len());
    let unviable = subject.unviable().len();
    let made = training + judging + unviable;
    talk::say(&format_args!(
        "built {} with {training} mutants for training and {judging} for judging; {unviable} of {made} ({:.1} %) do not compile",
        subject.package().name,
        100.0 * unviable as f64 / made.max(1) as f64
    ));
    let mut reasons: BTreeMap<&str, usize> = BTreeMap::new();
    for unviable in subject.unviable() {
        *reasons.entry(&unviable.reason).or_default() += 1;
    }
    let mut reasons: Vec<(usize, &str)> =
        reasons.into_iter().map(|(reason, count)| (count, reason)).collect();
    reasons.sort_by(|a, b| b.cmp(a));
    for (count, reason) in reasons.iter().take(4) {
        talk::say(&format_args!("  {count} x {reason}"));
    }
}
