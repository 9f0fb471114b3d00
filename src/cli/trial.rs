//! Tries relations on a function: what `filter` and `check` have in common.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use genmorph::filter::recheck::{self, CheckedRelation, Entry, Means, Standing};
use genmorph::inputs::{self, Sources, Watch};
use genmorph::jit::Tolerance;
use genmorph::subject::kinds::Interface;
use genmorph::support::seed::Seed;
use genmorph::support::threads::Jobs;

use super::flags::{JobsArgs, OwnToleranceArgs};
use super::interrupt::on_interrupt;
use super::subject::{LoadedSubject, SubjectArgs};
use super::talk::{Tone, toned};
use super::{Failure, claims};

/// Which relations, which function, and how they are tried.
#[derive(Debug, clap::Args)]
pub(super) struct TrialArgs {
    /// The relations: a file, the folder of a run, `-`, or a text with `=>`
    pub(super) relations: String,

    #[command(flatten)]
    asked: SubjectArgs,

    /// The subject, as it can also be given after the relations
    #[arg(long = "subject", value_name = "FILE", conflicts_with_all = ["subject", "java"])]
    about: Option<PathBuf>,

    /// How many calls the hunt may make for each transformation: equal seeds then find the same
    #[arg(long, value_name = "N")]
    hunt: Option<usize>,

    /// The seed of the fresh inputs and the hunt
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,

    #[command(flatten)]
    tolerance: OwnToleranceArgs,

    #[command(flatten)]
    jobs: JobsArgs,
}

/// How much is tried.
pub(super) struct Effort {
    /// The fresh pairs of each relation.
    pub(super) fresh: usize,
    /// The time of the hunt, if one was asked for.
    pub(super) budget: Option<Duration>,
    /// The time of the hunt, if neither a time nor a number of calls was asked for.
    pub(super) usual: Duration,
}

/// The results of a trial.
pub(super) struct TrialResult {
    /// The name of the source of the relations: a file, or how messages call it.
    pub(super) name: String,
    /// Whether the relations are from a file.
    pub(super) is_file: bool,
    /// The text of the relations.
    pub(super) text: String,
    pub(super) signature: Interface,
    pub(super) tolerance: Tolerance,
    /// In the order of the file.
    pub(super) judged: Vec<CheckedRelation>,
    pub(super) is_interrupted: bool,
    /// The function and its inputs, as people read them.
    about: String,
}

/// Calls to find inputs that take all branches, from which the hunt begins.
const EFFORT: usize = 60_000;

impl TrialArgs {
    /// Tries the relations on fresh pairs and hunts for counterexamples.
    pub(super) fn run(mut self, effort: &Effort) -> Result<TrialResult, Failure> {
        if let Some(about) = self.about.take() {
            self.asked.about(about);
        }
        let (name, text) = claims::text(&self.relations)?;
        let chosen = self.asked.load(self.jobs.count())?;
        let subject = chosen.subject();
        let signature = subject.signature().of_executions();
        let claims = claims::read(&name, &text, &signature, &self.asked)?;
        let cancelled = Arc::new(AtomicBool::new(false));
        on_interrupt(&cancelled)?;
        let is_cancelled = || cancelled.load(Ordering::Relaxed);
        let jobs = self.jobs.start()?;
        let sources = self.sources(&chosen, &jobs, &is_cancelled)?;
        let tolerance = self.tolerance.given().or(claims.tolerance).unwrap_or_default();
        let seed = Seed(self.seed);
        let means = Means { subject, sources: &sources, tolerance, seed, jobs: &jobs };
        let effort = recheck::Effort {
            fresh: effort.fresh,
            calls: self.hunt.unwrap_or(usize::MAX),
            time: effort.budget.or(self.hunt.is_none().then_some(effort.usual)),
        };
        let start = Instant::now();
        let clock = || start.elapsed();
        let judged = recheck::run(means, &claims.groups, effort, &clock, &is_cancelled)?;
        let about =
            format!("{}: {}\ninputs     {sources}\n", signature.function, subject.signature());
        let is_interrupted = is_cancelled();
        let is_file = Path::new(&name).is_file();
        Ok(TrialResult { name, is_file, text, signature, tolerance, judged, is_interrupted, about })
    }

    /// Inputs that take all branches that can be reached; a function that is not deterministic is refused.
    fn sources(
        &self,
        chosen: &LoadedSubject,
        jobs: &Jobs,
        stop: &dyn Fn() -> bool,
    ) -> Result<Sources, Failure> {
        let settings =
            inputs::Settings { count: 1_000, effort: EFFORT, ..inputs::Settings::default() };
        let watch = Watch { stop, progress: &|_| () };
        let sources = inputs::generate(chosen.subject(), &settings, Seed(self.seed), jobs, &watch)?;
        chosen.check_steadiness(&sources.inputs)?;
        Ok(sources)
    }
}

impl TrialResult {
    pub(super) fn count(&self, standing: Standing) -> usize {
        self.judged.iter().filter(|judged| judged.standing() == standing).count()
    }

    /// All relations as JSON has them.
    pub(super) fn entries(&self) -> impl Iterator<Item = Entry<'_>> {
        self.judged.iter().map(|judged| judged.entry(&self.signature))
    }

    /// How many relations have each standing.
    pub(super) fn summary(&self) -> String {
        format!(
            "{} of {} stand, {} refuted, {} unknown\n",
            self.count(Standing::Stands),
            self.judged.len(),
            self.count(Standing::Refuted),
            self.count(Standing::Unknown)
        )
    }

    /// The table for people, with the counterexamples below the relations.
    pub(super) fn table(&self) -> String {
        let mut text = self.about.clone();
        let _ = writeln!(
            text,
            "\n{:<8} {:>9} {:>9} {:>9} {:>8}  relation",
            "", "pairs", "hunted", "bound", "branches"
        );
        for judged in &self.judged {
            let verdict = &judged.verdict;
            let bound = match judged.standing() {
                Standing::Refuted => "-".to_owned(),
                Standing::Stands | Standing::Unknown
                    if verdict.is_exhausted && verdict.tried > 0 =>
                {
                    "all".to_owned()
                }
                Standing::Stands | Standing::Unknown => format!("{:.1e}", verdict.bound()),
            };
            let branches = match (verdict.hunted, judged.branches) {
                (0, _) => "-".to_owned(),
                (_, [covered, all]) => format!("{covered}/{all}"),
            };
            let _ = writeln!(
                text,
                "{} {:>9} {:>9} {bound:>9} {branches:>8}  {} => {}",
                toned(&format!("{:<8}", judged.standing().name()), tone(judged.standing())),
                verdict.tried,
                verdict.hunted,
                judged.transformation,
                judged.relation
            );
            if let Some([source, follow_up]) = judged.executions(&self.signature) {
                let by = verdict.by.map_or("", |by| by.name());
                let _ = writeln!(
                    text,
                    "         source     {source}\n         follow-up  {follow_up}\n         found by {by}"
                );
            }
        }
        let _ = write!(text, "\n{}", self.summary());
        text
    }
}

fn tone(standing: Standing) -> Tone {
    match standing {
        Standing::Stands => Tone::Good,
        Standing::Refuted => Tone::Bad,
        Standing::Unknown => Tone::Doubtful,
    }
}
