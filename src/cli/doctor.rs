//! `genmorph doctor`: what is found on this machine, and what to install.

use std::env;
use std::path::PathBuf;

use genmorph::subject::jvm::{self, Coordinates, Jdk, Report, Repositories, Search};
use schemars::JsonSchema;
use serde::Serialize;

use super::format::Format;
use super::{Ending, Failure, isolation, print, whole};

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

/// Says whether Java methods can be run here: JDK, compiler, Maven, jars, cache; and what to install.
///
/// Exit code 0 if they can, 3 if not.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// The JDK to be used, instead of $JAVA_HOME, the `java` on the PATH, or the newest that is installed.
    #[arg(long, value_name = "DIR")]
    java_home: Option<PathBuf>,

    /// How the result is printed
    #[arg(long, default_value = "human")]
    format: Format,
}

/// Whether Java methods can be run here.
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
    match args.format {
        Format::Human => print(&report)?,
        Format::Json => print(&whole::json(&facts(&report)))?,
        Format::Ndjson => print(&whole::line(&facts(&report)))?,
    }
    Ok(if report.can_run() { Ending::Done } else { Ending::Nothing })
}

fn facts(report: &Report) -> Diagnosis {
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

fn path() -> Vec<PathBuf> {
    env::var_os("PATH").map(|path| env::split_paths(&path).collect()).unwrap_or_default()
}

fn home() -> Option<PathBuf> {
    env::var_os("HOME").filter(|home| !home.is_empty()).map(PathBuf::from)
}
