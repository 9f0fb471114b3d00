//! The flags of commands that run the real PIT, and how its verdicts are shown.

use std::fmt::Write;
use std::fs;
use std::path::PathBuf;

use genmorph::assess::pit::{self, Isolation, Judge, Verdicts};
use genmorph::claims::Claims;
use genmorph::export::java::Part;
use genmorph::export::{RunEvidence, Selection, SelectionOptions};
use genmorph::inputs::{self, Watch};
use genmorph::jit::Tolerance;
use genmorph::subject::jvm::{Jdk, JvmSubject};
use genmorph::support::seed::Seed;
use genmorph::support::threads::Jobs;

use super::subject::LoadedSubject;
use super::{Failure, OrFailure, doctor, warn, whole};

/// Whether and how PIT is run.
#[derive(Debug, clap::Args)]
pub(super) struct Pit {
    /// Have the real PIT judge the tests, and compare its verdicts with ours; it is fetched by Maven
    #[arg(long)]
    pit: bool,

    /// The jars of PIT 1.7.4 (pitest, pitest-entry, pitest-command-line), JUnit 4 and Hamcrest, instead of Maven's
    #[arg(long, value_name = "PATH", requires = "pit", value_delimiter = ':')]
    pit_classpath: Vec<PathBuf>,

    /// A JVM of its own for each mutant, for methods that keep something in static fields; slow
    #[arg(long, requires = "pit")]
    pit_fresh: bool,
}

/// The tests that PIT runs: relations and inputs.
pub(super) struct Question<'q> {
    pub(super) claims: &'q Claims,
    /// Source inputs of the tests, at most.
    pub(super) inputs: usize,
    pub(super) seed: Seed,
    pub(super) tolerance: Tolerance,
}

/// What a test may take longer on a mutant, in milliseconds.
const PATIENCE: u32 = 1_000;

impl Pit {
    /// Whether the user asked for PIT.
    pub(super) fn is_asked(&self) -> bool {
        self.pit
    }

    /// What PIT says of relations as a JUnit class on inputs that reach the branches of the method, and where we say otherwise.
    pub(super) fn judge_claims(
        &self,
        chosen: &LoadedSubject,
        jdk: &Jdk,
        question: &Question<'_>,
        jobs: &Jobs,
    ) -> Result<String, Failure> {
        let Some(subject) = chosen.java() else {
            return Err(Failure::Input(format!(
                "{} is no Java method: PIT judges Java methods only; leave out --pit",
                chosen.name
            )));
        };
        let Question { claims, inputs: most, seed, tolerance } = *question;
        let settings = inputs::Settings::default();
        let sources = inputs::generate(subject, &settings, seed, jobs, &Watch::NOBODY)?;
        let choice = SelectionOptions { evidence: &RunEvidence::default(), most, tolerance };
        let selection = Selection::of_subject(subject, claims, &sources.inputs, choice)?;
        selection.left_out.iter().for_each(warn);
        let said = self.judge(subject, jdk, &selection.parts(), tolerance)?;
        Ok(format!(
            "\nthe real PIT on {} pairs of inputs, one test class:\n{}",
            selection.pairs(),
            said.unwrap_or_default()
        ))
    }

    /// What PIT says of tests, and where we say otherwise; nothing if it is not asked.
    pub(super) fn judge(
        &self,
        subject: &JvmSubject,
        jdk: &Jdk,
        parts: &[Part<'_>],
        tolerance: Tolerance,
    ) -> Result<Option<String>, Failure> {
        if !self.pit {
            return Ok(None);
        }
        let cache = doctor::cache()?;
        let coordinates = [&pit::PIT[..], &[pit::JUNIT_4, pit::HAMCREST]].concat();
        let jars = match self.pit_classpath.is_empty() {
            false => self.pit_classpath.clone(),
            true => pit::fetch(&coordinates, &doctor::repositories(&cache)).or_input()?,
        };
        let folder = cache.join(format!("pit-{}", std::process::id()));
        fs::create_dir_all(&folder).map_err(|error| whole::cannot("create", &folder, &error))?;
        let judge = Judge {
            jdk,
            jars: &jars,
            folder: &folder,
            isolation: if self.pit_fresh { Isolation::Fresh } else { Isolation::Shared },
            patience: PATIENCE,
            jobs: Jobs::cores(),
            tolerance,
        };
        let judged = pit::judge(subject, parts, &judge);
        // What is left of it does no harm.
        let _ = fs::remove_dir_all(&folder);
        let judged = judged.or_input()?;
        let mut each: Vec<Verdicts> = Vec::new();
        for part in parts {
            each.extend(pit::fates(subject, part.pairs, part.relations, tolerance)?);
        }
        let ours = pit::together(&each);
        let different = pit::disagreements(&ours, &judged.verdicts);
        let mut said = format!("{judged}\n");
        let same = ours.len().saturating_sub(different.len());
        let _ = writeln!(said, "we say the same of {same} of {}", ours.len());
        for ((operator, line, index), ours, pits) in different {
            let _ = writeln!(
                said,
                "  {operator} at line {line} (index {index}): {} by us, {} by PIT",
                ours.map_or("not known", |fate| fate.words()),
                pits.map_or("not known", |fate| fate.words())
            );
        }
        Ok(Some(said))
    }
}
