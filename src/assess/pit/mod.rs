//! Judges exported tests with the real PIT.
//!
//! PIT runs the tests of a class on each of its own mutants, in its own JVMs. It does not report why a test
//! failed, so a second class that asserts nothing is run as well: the mutants that it kills would be killed
//! by any test. Starts processes and writes files, all of them in a folder that it is given.

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
pub use self::judge::{Judge, PitJudgement, judge};
pub use self::ours::{Fate, Key, Verdicts, disagreements, fates, of_pit, together};
pub use self::report::{BadReport, PitVerdict, Status};
use crate::export::java::JavaError;
use crate::subject::jvm::{Jdk, Method};

/// Input of one run of PIT.
#[derive(Clone, Debug)]
pub struct PitRequest<'r> {
    /// The JDK that runs PIT.
    pub jdk: &'r Jdk,
    /// Jars of PIT, its command line, and JUnit 4 with its dependencies.
    pub jars: &'r [PathBuf],
    /// Jars and folders with the classes of the method.
    pub classpath: &'r [PathBuf],
    /// Folder with the compiled tests.
    pub tests: &'r Path,
    /// Full names of the test classes, with their packages.
    pub test_classes: &'r [String],
    /// The method whose class is mutated.
    pub method: &'r Method,
    /// An empty folder for PIT's files.
    pub folder: &'r Path,
    /// Whether mutants share a JVM, and so its static fields.
    pub isolation: Isolation,
    /// Milliseconds that a test may take longer on a mutant, on top of a quarter of its time.
    pub patience: u32,
    /// Number of JVMs at a time.
    pub jobs: usize,
}

/// Which mutants share a JVM.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Isolation {
    /// PIT's default: mutants share a JVM, and static fields keep values of earlier tests.
    #[default]
    Shared,
    /// Every mutant gets its own JVM: slow, but the only fair way for methods that keep state.
    Fresh,
}

/// Reasons why PIT gave no verdicts.
#[derive(Debug, thiserror::Error)]
pub enum PitError {
    /// A file cannot be written or read.
    #[error("cannot use {}: {source}", path.display())]
    File {
        /// Path of the file.
        path: PathBuf,
        /// The error that the system reported.
        source: std::io::Error,
    },
    /// A path contains the separator of class paths.
    #[error("{0} cannot be part of a class path")]
    ClassPath(String),
    /// No relation can be exported as a test.
    #[error(transparent)]
    Export(#[from] JavaError),
    /// The compiler refuses the tests.
    #[error("{} does not compile the tests:\n{message}", javac.display())]
    Compiler {
        /// Path of the compiler.
        javac: PathBuf,
        /// The messages of the compiler.
        message: String,
    },
    /// PIT ended without a report.
    #[error("PIT did not finish:\n{0}")]
    Failed(String),
    /// PIT's report cannot be read.
    #[error("PIT's report cannot be read: {0}")]
    Report(#[from] BadReport),
}

/// Runs PIT and returns its verdicts on all mutants of the method.
///
/// # Errors
/// When PIT does not run, when the tests fail without a mutant, or when the report cannot be read.
pub fn run(request: &PitRequest<'_>) -> Result<Vec<PitVerdict>, PitError> {
    let method = request.method;
    let own = [request.tests.to_owned()];
    let all: Vec<&PathBuf> = request.jars.iter().chain(request.classpath).chain(&own).collect();
    let classpath = joined(&all)?;
    fs::create_dir_all(request.folder).map_err(at(request.folder))?;
    // Without this, PIT only mutates classes in folders, not in jars.
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
        let messages = [output.stderr, output.stdout].concat();
        return Err(PitError::Failed(tail(&String::from_utf8_lossy(&messages))));
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

/// Joins paths into a class path; relative paths become absolute, because PIT runs elsewhere.
fn joined(paths: &[&PathBuf]) -> Result<std::ffi::OsString, PitError> {
    let mut absolute = Vec::new();
    for path in paths {
        absolute.push(fs::canonicalize(path).map_err(at(path))?);
    }
    std::env::join_paths(absolute).map_err(|error| PitError::ClassPath(error.to_string()))
}

/// The pattern by which PIT matches an entry of the class path.
fn code_path(path: &Path) -> String {
    format!("*{}", path.file_name().unwrap_or_default().to_string_lossy())
}

/// The last lines of a program's output.
fn tail(text: &str) -> String {
    let lines: Vec<&str> = text.lines().filter(|line| !line.trim().is_empty()).collect();
    lines[lines.len().saturating_sub(30)..].join("\n")
}
