//! `genmorph pairs`.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use genmorph::record::search::Search;
use genmorph::run::{Plan, RunResult, Transformations, run as generate};
use genmorph::show::terminal::SearchTable;
use genmorph::subject::jvm::{ClassPath, Coordinates, JvmSubject, MethodName};
use genmorph::subject::rust::{self, Place};
use genmorph::subject::together::{ProposedPair, Role, Together, proposed};
use genmorph::subject::{SecondName, Signature};
use genmorph::support::seed::Seed;
use genmorph::transform::{Instance, Template};
use schemars::JsonSchema;
use serde::Serialize;

use super::flags::JobsArgs;
use super::format::Format;
use super::subject::SubjectArgs;
use super::{Ending, Failure, OrFailure, budget, doctor, print, talk, warn, whole};

const MORE: &str = "\
A pair is proposed if the names say that one function undoes the other, or does the same in another way (encode and decode, escape
and unescape, to and from, format and parse, sort and sort_naive, containsAny and containsNone), and if the types fit. Each is then
tried: a law such as decode(encode(s)) == s is reported if fresh inputs and a hunt for counterexamples do not refute it; if the
law that everybody expects is false, the simplest input is shown.

Examples:
  genmorph pairs org.apache.commons.codec.binary.Hex --maven commons-codec:commons-codec:1.15
  genmorph pairs my/crate
  genmorph pairs my/crate --list

Exit codes:
  0    laws were found, or pairs were listed
  2    wrong usage or bad input: no such class or crate
  3    no pairs, or no law of any of them";

/// Find functions of a class or crate that belong together, and the laws that relate them
#[derive(Debug, clap::Args)]
#[command(after_long_help = MORE)]
pub(super) struct Args {
    /// A Java class by its name, or the folder of a Rust crate
    #[arg(value_name = "CLASS|CRATE")]
    place: String,

    /// Jars and folders with the class and what it needs; may be repeated
    #[arg(long, value_name = "PATH", value_delimiter = ':')]
    classpath: Vec<PathBuf>,

    /// A jar by its coordinates, group:artifact:version; may be repeated
    #[arg(long, value_name = "COORDINATES")]
    maven: Vec<Coordinates>,

    /// The JDK for Java methods [default: $JAVA_HOME, the `java` on the PATH, or the newest there is]
    #[arg(long, value_name = "DIR")]
    java_home: Option<PathBuf>,

    /// Propose pairs only
    #[arg(long)]
    list: bool,

    /// The time for each pair
    #[arg(long, value_name = "TIME", value_parser = budget::parse, default_value = "20s")]
    budget: Duration,

    /// The seed: equal seeds find equal laws
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,

    #[command(flatten)]
    jobs: JobsArgs,

    /// How results are printed
    #[arg(long, default_value = "human")]
    format: Format,
}

/// A pair of functions, and what was found of it.
#[derive(Serialize, JsonSchema)]
pub(super) struct PairFound {
    /// The first function.
    first: String,
    /// The second function.
    second: String,
    /// What the second is to the first: `Inverse` or `SameAs`.
    role: String,
    /// Why nothing is known of it, if so.
    problem: Option<String>,
    /// What was found; nothing if pairs are only listed.
    search: Option<Search>,
}

/// A function that may be part of a pair.
struct Function {
    /// Its name, as flags have it.
    name: String,
    signature: Signature,
}

pub(super) fn run(args: &Args) -> Result<Ending, Failure> {
    let is_crate = Path::new(&args.place).exists();
    let functions = if is_crate { args.functions_of_crate()? } else { args.methods()? };
    let signatures: Vec<Signature> = functions.iter().map(|f| f.signature.clone()).collect();
    let pairs = proposed(&signatures);
    if pairs.is_empty() {
        talk::say(&format_args!(
            "{} has no pairs: of {} functions that can be run, no two names and types fit; \
             `genmorph generate` takes a second function by --inverse, --same-as or --then",
            args.place,
            functions.len()
        ));
        return Ok(Ending::Nothing);
    }
    let mut found = Vec::new();
    for pair in pairs {
        let [first, second] = [pair.first, pair.second].map(|at| &functions[at]);
        let mut told = PairFound {
            first: first.name.clone(),
            second: second.name.clone(),
            role: pair.role.name().to_owned(),
            problem: None,
            search: None,
        };
        let mut text = format!("{} and {}: {}\n", first.name, second.name, said(pair.role));
        if !args.list {
            match args.tried(pair, first, second, is_crate) {
                Ok((search, signature)) => {
                    let signature = &signature.of_executions();
                    let _ = write!(text, "{}", SearchTable { search: &search, signature });
                    told.search = Some(search);
                }
                Err(Failure::Input(problem)) => {
                    let _ = writeln!(text, "  {problem}");
                    told.problem = Some(problem);
                }
                Err(other) => return Err(other),
            }
        }
        if args.format == Format::Human {
            print(&text)?;
        }
        found.push(told);
    }
    match args.format {
        Format::Human => {}
        Format::Json => print(&whole::json(&found))?,
        Format::Ndjson => print(&whole::lines(&found))?,
    }
    let has_laws =
        |pair: &PairFound| pair.search.as_ref().is_some_and(|s| !s.relations().is_empty());
    let is_done = args.list || found.iter().any(has_laws);
    Ok(if is_done { Ending::Done } else { Ending::Nothing })
}

/// What the second function may be to the first.
fn said(role: Role) -> &'static str {
    match role {
        Role::Inverse => "the second may undo what the first does",
        Role::SameAs => "both may do the same, or the opposite",
        Role::Then => "the second may follow the first",
    }
}

impl Args {
    /// The static methods of the class that can be run.
    fn methods(&self) -> Result<Vec<Function>, Failure> {
        let cache = doctor::cache()?;
        let repositories = doctor::repositories(&cache);
        let mut classpath = self.classpath.clone();
        for coordinates in &self.maven {
            classpath.push(repositories.jar(coordinates).or_input()?);
        }
        let path = ClassPath::open(&classpath).or_input()?;
        let methods = JvmSubject::methods(&self.place, &path).or_input()?;
        let of = |(name, signature): (MethodName, Signature)| Function {
            name: name.to_string(),
            signature,
        };
        Ok(methods.into_iter().map(of).collect())
    }

    /// The functions of the crate that can be run.
    fn functions_of_crate(&self) -> Result<Vec<Function>, Failure> {
        let place = Place { manifest: Some(self.manifest()), ..Place::default() };
        let functions = rust::functions(&place).or_input()?;
        Ok(functions.into_iter().map(|(name, signature)| Function { name, signature }).collect())
    }

    fn manifest(&self) -> PathBuf {
        let place = Path::new(&self.place);
        if place.is_dir() { place.join("Cargo.toml") } else { place.to_owned() }
    }

    /// What a run finds of a pair, with nothing else to look for; and the signature of both.
    fn tried(
        &self,
        pair: ProposedPair,
        first: &Function,
        second: &Function,
        is_crate: bool,
    ) -> Result<(Search, Signature), Failure> {
        let second = SecondName { role: pair.role, name: second.name.clone() };
        let asked = match is_crate {
            true => SubjectArgs::of_crate(self.manifest(), &first.name, second),
            false => {
                let method: MethodName = first.name.parse().or_input()?;
                let classes = (self.classpath.clone(), self.maven.clone());
                SubjectArgs::of_methods(method, classes, self.java_home.clone(), second)
            }
        };
        let loaded = asked.load(self.jobs.count())?;
        loaded.remarks().iter().for_each(warn);
        let subject = loaded.subject();
        let signature = subject.signature();
        let name = signature.second.as_ref().map(|second| second.name.clone()).unwrap_or_default();
        let template = Template::Together(Together::Second(pair.role, name));
        let parameters = signature.parameters.iter().map(|p| p.name.clone()).collect();
        let plan = Plan {
            seed: Seed(self.seed),
            transformations: Transformations::Named(vec![Instance { template, parameters }]),
            time: Some(self.budget),
            ..Plan::default()
        };
        let RunResult { searched, .. } = generate(subject, &plan, &mut |_| ())?;
        let found = searched.into_iter().next().map(|search| search.claimed);
        let none = || {
            Failure::Input(
                "the time was up before anything was tried; give it more (--budget)".to_owned(),
            )
        };
        Ok((found.ok_or_else(none)?, signature.clone()))
    }
}
