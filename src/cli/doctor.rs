//! `genmorph doctor`: what is found on this machine, and what to install.

use std::env;
use std::path::PathBuf;

use genmorph::subject::jvm::{self, Coordinates, Jdk, Report, Repositories, Search};
use genmorph::subject::python::{self, PythonReport};
use schemars::JsonSchema;
use serde::Serialize;

use super::format::Format;
use super::{Ending, Failure, isolation, print, python as flags, whole};

const EXAMPLES: &str = "\
Examples:
  genmorph doctor
  genmorph doctor --java-home /usr/lib/jvm/java-21-openjdk
  genmorph doctor --format json";

/// The artifacts of the paper's subjects.
const ARTIFACTS: [&str; 3] = [
    "org.apache.commons:commons-math3:3.6.1",
    "org.apache.commons:commons-lang3:3.12.0",
    "com.google.guava:guava:31.1-jre",
];

/// Says whether Java methods and Python functions can be run here: JDK, compiler, Maven, jars, cache, interpreter; and what to
/// install.
///
/// Exit code 0 if Java methods can, 3 if not; with --python-home, 0 if Python functions can.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// The JDK to be used, instead of $JAVA_HOME, the `java` on the PATH, or the newest that is installed.
    #[arg(long, value_name = "DIR")]
    java_home: Option<PathBuf>,

    /// The Python to be used, an environment or a program, instead of the active environment, .venv, or `python3` on the PATH.
    #[arg(long, value_name = "PATH", conflicts_with = "java_home")]
    python_home: Option<PathBuf>,

    /// How the result is printed
    #[arg(long, default_value = "human")]
    format: Format,
}

/// Whether Java methods and Python functions can be run here.
#[derive(Serialize, JsonSchema)]
pub(super) struct Diagnosis {
    /// Whether Java methods can be run.
    can_run: bool,
    /// The JDK that is used; null if none is recent enough.
    jdk: Option<JdkFacts>,
    /// How many milliseconds a worker takes to its first answer; null if it does not answer.
    worker_ms: Option<u64>,
    /// What is wrong, and what to install.
    problems: Vec<String>,
    /// The folder that is kept between runs.
    cache: PathBuf,
    /// Maven's command; null if it is not on the path.
    mvn: Option<PathBuf>,
    /// The jars that examples and exported tests use.
    jars: Vec<Jar>,
    /// What runs Python functions.
    python: PythonFacts,
}

/// A Python of this machine.
#[derive(Serialize, JsonSchema)]
struct PythonFacts {
    /// Whether Python functions can be run.
    can_run: bool,
    /// The program of the interpreter; null if there is none.
    program: Option<PathBuf>,
    /// Its version; null if there is none.
    version: Option<String>,
    /// How many milliseconds a worker takes to its first answer; null if it does not answer.
    worker_ms: Option<u64>,
    /// What is wrong, and what to do about it; null if nothing is.
    problem: Option<String>,
}

/// A JDK of this machine.
#[derive(Serialize, JsonSchema)]
struct JdkFacts {
    /// The folder of the JDK.
    home: PathBuf,
    /// The command that runs classes.
    java: PathBuf,
    /// The command that compiles the harness.
    javac: PathBuf,
    /// The version of the JDK.
    version: String,
    /// Who built the JDK.
    vendor: String,
}

/// A jar that may be needed.
#[derive(Serialize, JsonSchema)]
struct Jar {
    /// The Maven coordinates of the jar.
    artifact: String,
    /// The file; null if it is not here.
    jar: Option<PathBuf>,
}

pub(super) fn run(args: &Args) -> Result<Ending, Failure> {
    let cache = cache()?;
    let repositories = repositories(&cache);
    let artifacts: Vec<_> =
        ARTIFACTS.iter().map(|text| text.parse().expect("three plain parts")).collect();
    let report = jvm::examine(
        &search(args.java_home.clone()),
        &cache,
        &repositories,
        &artifacts,
        isolation::get(),
    );
    let of_python = python::examine(&flags::search(args.python_home.clone()), isolation::get());
    match args.format {
        Format::Human => print(&format_args!("{report}\n{of_python}"))?,
        Format::Json => print(&whole::json(&facts(&report, &of_python)))?,
        Format::Ndjson => print(&whole::line(&facts(&report, &of_python)))?,
    }
    let can_run = if args.python_home.is_some() { of_python.can_run() } else { report.can_run() };
    Ok(if can_run { Ending::Done } else { Ending::Nothing })
}

fn python_facts(report: &PythonReport) -> PythonFacts {
    let PythonReport { interpreter, worker } = report;
    let found = interpreter.as_ref().ok();
    let time = worker.as_ref().and_then(|worker| worker.as_ref().ok());
    let no_worker = worker.as_ref().and_then(|worker| worker.as_ref().err().cloned());
    PythonFacts {
        can_run: report.can_run(),
        program: found.map(|found| found.program.clone()),
        version: found.map(|found| found.version.clone()),
        worker_ms: time.map(|time| u64::try_from(time.as_millis()).unwrap_or(u64::MAX)),
        problem: interpreter.as_ref().err().map(ToString::to_string).or(no_worker),
    }
}

fn facts(report: &Report, of_python: &PythonReport) -> Diagnosis {
    let Report { jdk, worker, cache, mvn, jars } = report;
    let jar = |(artifact, jar): &(Coordinates, Option<PathBuf>)| Jar {
        artifact: artifact.to_string(),
        jar: jar.clone(),
    };
    let worker_ms = worker.as_ref().and_then(|worker| worker.as_ref().ok());
    let no_jdk = jdk.as_ref().err().map(ToString::to_string);
    let no_worker = worker.as_ref().and_then(|worker| worker.as_ref().err().cloned());
    Diagnosis {
        can_run: report.can_run(),
        jdk: jdk.as_ref().ok().cloned().map(|Jdk { home, java, javac, version, vendor }| {
            JdkFacts { home, java, javac, version, vendor }
        }),
        worker_ms: worker_ms.map(|time| u64::try_from(time.as_millis()).unwrap_or(u64::MAX)),
        problems: no_jdk.into_iter().chain(no_worker).collect(),
        cache: cache.clone(),
        mvn: mvn.clone(),
        jars: jars.iter().map(jar).collect(),
        python: python_facts(of_python),
    }
}

/// The places where a JDK is looked for.
pub(super) fn search(asked: Option<PathBuf>) -> Search {
    let java_home = env::var_os("JAVA_HOME").filter(|home| !home.is_empty()).map(PathBuf::from);
    Search { asked, java_home, path: path(), installed: None }
}

/// The places where jars are looked for.
pub(super) fn repositories(cache: &std::path::Path) -> Repositories {
    let mvn = path().into_iter().map(|folder| folder.join("mvn")).find(|mvn| mvn.is_file());
    Repositories::usual(home().as_deref(), mvn, cache.join("jars"))
}

/// The folder that is kept between runs.
pub(super) fn cache() -> Result<PathBuf, Failure> {
    let own = env::var_os("XDG_CACHE_HOME").map(PathBuf::from).filter(|path| path.is_absolute());
    own.or_else(|| home().map(|home| home.join(".cache")))
        .map(|folder| folder.join("genmorph"))
        .ok_or_else(|| {
            Failure::Input("there is no place for a cache: set HOME or XDG_CACHE_HOME".to_owned())
        })
}

/// The folders of `PATH`.
pub(super) fn path() -> Vec<PathBuf> {
    env::var_os("PATH").map(|path| env::split_paths(&path).collect()).unwrap_or_default()
}

fn home() -> Option<PathBuf> {
    env::var_os("HOME").filter(|home| !home.is_empty()).map(PathBuf::from)
}
