//! Judges relations with PIT, using two test classes: one asserts the relations, the other asserts nothing.

use std::fmt;
use std::path::{Path, PathBuf};

use genmorph_jit::Tolerance;

use super::ours::{Fate, Verdicts, of_pit};
use super::{Isolation, PitError, PitRequest, PitVerdict, compile, run};
use crate::export::java::{self, Assertion, Junit, Part, Style};
use crate::subject::jvm::{Jdk, JvmSubject};

/// What PIT needs besides the relations.
#[derive(Clone, Debug)]
pub struct Judge<'j> {
    /// The JDK that compiles and runs the tests.
    pub jdk: &'j Jdk,
    /// Jars of PIT, its command line, and JUnit 4 with its dependencies.
    pub jars: &'j [PathBuf],
    /// A folder for sources, classes and reports.
    pub folder: &'j Path,
    /// Whether mutants share a JVM, and so its static fields.
    pub isolation: Isolation,
    /// Milliseconds that a test may take longer on a mutant, on top of a quarter of its time.
    pub patience: u32,
    /// Number of JVMs at a time.
    pub jobs: usize,
    /// Tolerance up to which two numbers are equal.
    pub tolerance: Tolerance,
}

/// PIT's verdicts on the mutants of a method.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PitJudgement {
    /// The fate of each mutant, from both test classes.
    pub verdicts: Verdicts,
    /// PIT's report for the class that asserts the relations.
    pub asserting: Vec<PitVerdict>,
    /// PIT's report for the class that asserts nothing.
    pub vacuous: Vec<PitVerdict>,
}

/// Exports relations as tests, compiles them, and runs PIT on them.
///
/// # Errors
/// When no relation can be exported, or compiling or PIT fails.
pub fn judge(
    subject: &JvmSubject,
    parts: &[Part<'_>],
    judge: &Judge<'_>,
) -> Result<PitJudgement, PitError> {
    let verdicts = |assertion: Assertion, name: &str| {
        let style = Style {
            junit: Junit::Four,
            assertion,
            package: None,
            name: Some(name),
            tolerance: judge.tolerance,
            origin: Vec::new(),
        };
        let suite = java::suite(subject, parts, &style)?;
        let folder = judge.folder.join(name);
        let tests = folder.join("tests");
        let classpath = [subject.classpath(), judge.jars].concat();
        compile(judge.jdk, &[&suite], &classpath, &tests)?;
        run(&PitRequest {
            jdk: judge.jdk,
            jars: judge.jars,
            classpath: subject.classpath(),
            tests: &tests,
            test_classes: &[suite.class],
            method: subject.method(),
            folder: &folder.join("report"),
            isolation: judge.isolation,
            patience: judge.patience,
            jobs: judge.jobs,
        })
    };
    let asserting = verdicts(Assertion::Relation, "GenmorphAsserting")?;
    let vacuous = verdicts(Assertion::Nothing, "GenmorphVacuous")?;
    Ok(PitJudgement { verdicts: of_pit(&asserting, &vacuous), asserting, vacuous })
}

impl PitJudgement {
    /// Number of mutants with this fate.
    pub fn count(&self, fate: Fate) -> usize {
        self.verdicts.values().filter(|known| **known == fate).count()
    }
}

/// A one-line summary for people.
impl fmt::Display for PitJudgement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "PIT: {} mutants, {} killed by an assertion, {} by a crash or a time-out, {} survived, {} not covered",
            self.verdicts.len(),
            self.count(Fate::Asserted),
            self.count(Fate::Crashed),
            self.count(Fate::Survived),
            self.count(Fate::NotCovered)
        )
    }
}
