//! PIT's judgement on relations: two test classes, one that asserts them and one that asserts nothing.

use std::fmt;
use std::path::{Path, PathBuf};

use genmorph_jit::Tolerance;

use super::ours::{Fate, Verdicts, of_pit};
use super::{Isolation, PitError, PitRequest, PitVerdict, compile, run};
use crate::export::java::{self, Asserted, Junit, Part, Style};
use crate::subject::jvm::{Jdk, JvmSubject};

/// What PIT needs besides the relations.
#[derive(Clone, Debug)]
pub struct Judge<'j> {
    /// The JDK.
    pub jdk: &'j Jdk,
    /// PIT, its command line, and JUnit 4 with what it needs.
    pub jars: &'j [PathBuf],
    /// A folder for sources, classes and reports.
    pub folder: &'j Path,
    /// Whether mutants may meet what others left in static fields.
    pub isolation: Isolation,
    /// What a test may take longer on a mutant, in milliseconds, besides a quarter of its time.
    pub patience: u32,
    /// JVMs at a time.
    pub jobs: usize,
    /// When two numbers are equal.
    pub tolerance: Tolerance,
}

/// What PIT says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Judged {
    /// What becomes of each mutant.
    pub verdicts: Verdicts,
    /// The same in PIT's words, of the class that asserts the relations.
    pub asserting: Vec<PitVerdict>,
    /// And of the class that asserts nothing.
    pub vacuous: Vec<PitVerdict>,
}

/// Exports relations, compiles them, and has PIT judge them.
///
/// # Errors
/// When there is nothing to be judged, or the machine cannot.
pub fn judge(
    subject: &JvmSubject,
    parts: &[Part<'_>],
    judge: &Judge<'_>,
) -> Result<Judged, PitError> {
    let verdicts = |asserted: Asserted, name: &str| {
        let style = Style {
            junit: Junit::Four,
            asserted,
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
    let asserting = verdicts(Asserted::Relation, "GenmorphAsserting")?;
    let vacuous = verdicts(Asserted::Nothing, "GenmorphVacuous")?;
    Ok(Judged { verdicts: of_pit(&asserting, &vacuous), asserting, vacuous })
}

impl Judged {
    /// How many mutants have a fate.
    pub fn count(&self, fate: Fate) -> usize {
        self.verdicts.values().filter(|known| **known == fate).count()
    }
}

/// For people: one line.
impl fmt::Display for Judged {
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
