//! `genmorph doctor`: what is found on this machine, and what to install.

use std::env;
use std::path::PathBuf;

use genmorph::subject::jvm::{self, Repositories, Search};

use super::{Ending, Failure, print};

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
pub(super) struct Args {
    /// The JDK to be used, instead of $JAVA_HOME, the `java` on the PATH, or the newest that is installed.
    #[arg(long, value_name = "DIR")]
    java_home: Option<PathBuf>,
}

pub(super) fn run(args: &Args) -> Result<Ending, Failure> {
    let cache = cache()?;
    let repositories = repositories(&cache);
    let artifacts: Vec<_> =
        ARTIFACTS.iter().map(|text| text.parse().expect("three plain parts")).collect();
    let report = jvm::examine(&search(args.java_home.clone()), &cache, &repositories, &artifacts);
    print(&report)?;
    Ok(if report.can_run() { Ending::Done } else { Ending::Nothing })
}

/// Where a JDK is looked for.
pub(super) fn search(asked: Option<PathBuf>) -> Search {
    let java_home = env::var_os("JAVA_HOME").filter(|home| !home.is_empty()).map(PathBuf::from);
    Search { asked, java_home, path: path(), installed: None }
}

/// Where jars are looked for.
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
