//! The real PIT as a judge of exported tests.
//!
//! PIT runs the tests of a class on each of its own mutants, in JVMs of its own. It does not say why a test failed, so
//! a second class that asserts nothing is run as well: what that kills, any test kills. Starts processes and writes
//! files, all of them in a folder that it is given.

mod compile;
mod jars;
mod judge;
mod ours;
mod report;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

pub use self::compile::compile;
pub use self::jars::{HAMCREST, JUNIT_4, JUNIT_5, PIT, fetch};
pub use self::judge::{Judge, Judged, judge};
pub use self::ours::{Fate, Key, Verdicts, disagreements, fates, of_pit, together};
pub use self::report::{BadReport, PitVerdict, Status};
use crate::export::java::JavaError;
use crate::subject::jvm::{Jdk, Method};

/// What PIT is asked to judge.
#[derive(Clone, Debug)]
pub struct PitRequest<'r> {
    /// The JDK.
    pub jdk: &'r Jdk,
    /// PIT, its command line, and JUnit 4 with what it needs.
    pub jars: &'r [PathBuf],
    /// The jars and folders of the method.
    pub classpath: &'r [PathBuf],
    /// The folder with the compiled tests.
    pub tests: &'r Path,
    /// The test classes, with their packages.
    pub test_classes: &'r [String],
    /// The method.
    pub method: &'r Method,
    /// An empty folder for what PIT writes.
    pub folder: &'r Path,
    /// Whether mutants may meet what others left in static fields.
    pub isolation: Isolation,
    /// What a test may take longer on a mutant, in milliseconds, besides a quarter of its time.
    pub patience: u32,
    /// JVMs at a time.
    pub jobs: usize,
}

/// Which mutants share a JVM.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Isolation {
    /// As PIT likes it: static fields keep what tests before have put there.
    #[default]
    Shared,
    /// None; slow, and the only fair way for methods that keep something.
    Fresh,
}

/// Why there is no verdict.
#[derive(Debug, thiserror::Error)]
pub enum PitError {
    /// Files cannot be written or read.
    #[error("cannot use {}: {source}", path.display())]
    File {
        /// Which.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// Paths that Java could not tell apart.
    #[error("{0} cannot be part of a class path")]
    ClassPath(String),
    /// There is nothing to be judged.
    #[error(transparent)]
    Export(#[from] JavaError),
    /// The compiler refuses the tests.
    #[error("{} does not compile the tests:\n{message}", javac.display())]
    Compiler {
        /// The compiler.
        javac: PathBuf,
        /// What it says.
        message: String,
    },
    /// PIT ended without a report.
    #[error("PIT did not finish:\n{0}")]
    Failed(String),
    /// The report makes no sense.
    #[error("the report of PIT is no such: {0}")]
    Report(#[from] BadReport),
}

/// The verdicts on all mutants of the method.
///
/// # Errors
/// When PIT does not run, finds the tests failing without a mutant, or writes something else than expected.
pub fn run(request: &PitRequest<'_>) -> Result<Vec<PitVerdict>, PitError> {
    let method = request.method;
    let own = [request.tests.to_owned()];
    let all: Vec<&PathBuf> = request.jars.iter().chain(request.classpath).chain(&own).collect();
    let classpath = joined(&all)?;
    fs::create_dir_all(request.folder).map_err(at(request.folder))?;
    // Without it, PIT takes only folders for code that can be mutated.
    let mutable: Vec<String> = request.classpath.iter().map(|path| code_path(path)).collect();
    let mut command = Command::new(&request.jdk.java);
    command
        .arg("-cp")
        .arg(&classpath)
        .arg("org.pitest.mutationtest.commandline.MutationCoverageReport")
        .args(["--targetClasses", &method.class.replace('/', ".")])
        .args(["--targetTests", &request.test_classes.join(",")])
        .args(["--sourceDirs", ".", "--reportDir", ".", "--outputFormats", "XML"])
        .args(["--timestampedReports", "false", "--failWhenNoMutations", "false"])
        .args(["--mutableCodePaths", &mutable.join(",")])
        .args(["--threads", &request.jobs.max(1).to_string()])
        .args(["--timeoutConst", &request.patience.to_string()]);
    if !method.others.is_empty() {
        command.args(["--excludedMethods", &method.others.join(",")]);
    }
    if request.isolation == Isolation::Fresh {
        command.args(["--mutationUnitSize", "1"]);
    }
    let output = command
        .current_dir(request.folder)
        .stdin(Stdio::null())
        .output()
        .map_err(at(&request.jdk.java))?;
    let report = request.folder.join("mutations.xml");
    let Ok(text) = fs::read_to_string(&report) else {
        let said = [output.stderr, output.stdout].concat();
        return Err(PitError::Failed(tail(&String::from_utf8_lossy(&said))));
    };
    let verdicts = report::read(&text)?;
    let class = method.class.replace('/', ".");
    let is_its = |verdict: &PitVerdict| {
        (&verdict.class, &verdict.method, &verdict.descriptor)
            == (&class, &method.name, &method.descriptor)
    };
    Ok(verdicts.into_iter().filter(is_its).collect())
}

fn at(path: &Path) -> impl FnOnce(std::io::Error) -> PitError {
    let path = path.to_owned();
    |source| PitError::File { path, source }
}

/// A class path; relative paths are made absolute, because PIT runs elsewhere.
fn joined(paths: &[&PathBuf]) -> Result<std::ffi::OsString, PitError> {
    let mut absolute = Vec::new();
    for path in paths {
        absolute.push(fs::canonicalize(path).map_err(at(path))?);
    }
    std::env::join_paths(absolute).map_err(|error| PitError::ClassPath(error.to_string()))
}

/// The pattern by which PIT knows an entry of the class path.
fn code_path(path: &Path) -> String {
    format!("*{}", path.file_name().unwrap_or_default().to_string_lossy())
}

/// The last lines of what a program says.
fn tail(text: &str) -> String {
    let lines: Vec<&str> = text.lines().filter(|line| !line.trim().is_empty()).collect();
    lines[lines.len().saturating_sub(30)..].join("\n")
}
