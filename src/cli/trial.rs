//! Tries relations on a function: what `filter` and `check` have in common.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use genmorph::filter::drift;
use genmorph::filter::recheck::{self, CheckedRelation, Entry, Means, Standing};
use genmorph::inputs::{self, InputsError, Sources, Watch};
use genmorph::jit::Tolerance;
use genmorph::record::search::presupposed;
use genmorph::run;
use genmorph::subject::kinds::Interface;
use genmorph::subject::{Deadline, Inside, Subject, Within};
use genmorph::support::seed::Seed;
use genmorph::support::threads::Jobs;

use super::flags::{JobsArgs, OwnToleranceArgs};
use super::interrupt::on_interrupt;
use super::subject::SubjectArgs;
use super::talk::{Tone, toned};
use super::{Failure, OrFailure, claims};

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
    /// The time of all of it, if one was asked for.
    pub(super) budget: Option<Duration>,
    /// The time of the hunt, if neither a time nor a number of calls was asked for.
    pub(super) usual: Duration,
}

/// The time of all of it, if none was asked for: code that takes this long does not end.
const LIMIT: Duration = Duration::from_secs(60);
/// The same for a hunt with a number of calls.
const LONG_LIMIT: Duration = Duration::from_secs(600);
/// The part of the time in which inputs are sought.
const SOUGHT: f64 = 0.25;

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
    /// Whether the time was up before all was tried.
    is_late: bool,
    /// The function and its inputs, as people read them.
    about: String,
}

/// On how many inputs the function is run several times, to see whether its results depend on anything else.
const CHECKED: usize = 200;
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
        let signature = chosen.subject().signature().of_executions();
        let claims = claims::read(&name, &text, &signature, &self.asked)?;
        let cancelled = Arc::new(AtomicBool::new(false));
        on_interrupt(&cancelled)?;
        let jobs = self.jobs.start()?;
        let limit = if self.hunt.is_some() { LONG_LIMIT } else { LIMIT };
        let whole = effort.budget.unwrap_or(limit);
        let deadline = Deadline::new(Some(whole), &cancelled);
        let within = Within::new(chosen.subject(), deadline.clone());
        let subject: &dyn Subject = &within;
        let start = Instant::now();
        let tolerance = self.tolerance.given().or(claims.tolerance).unwrap_or_default();
        let hunted = if effort.budget.is_some() { whole } else { effort.usual };
        let effort = recheck::Effort {
            fresh: effort.fresh,
            calls: self.hunt.unwrap_or(usize::MAX),
            time: (effort.budget.is_some() || self.hunt.is_none()).then_some(hunted),
            whole,
        };
        let clock = || start.elapsed();
        let everywhere = subject;
        let found = self.sources(everywhere, &jobs);
        // Where many calls fail, a condition may tell which: relations of values are tried on the others.
        let inside = match &found {
            Ok(sources) => {
                let deadline = &subject.deadline().after(SOUGHT);
                run::learned_domain(everywhere, Seed(self.seed), sources, deadline)?
            }
            Err(_) => None,
        };
        let inside = inside.map(|signature| Inside::new(everywhere, signature));
        let again = inside.as_ref().and_then(|inside| {
            let sources = self.sources(inside, &jobs).ok()?;
            Some((inside, sources))
        });
        let (subject, found): (&dyn Subject, _) = match again {
            Some((inside, sources)) => (inside, Ok(sources)),
            None => (everywhere, found),
        };
        let (judged, found) = match found {
            Ok(sources) => {
                let some = sources.inputs.len().min(CHECKED);
                let some = sources.inputs.only(subject.signature(), 0..some);
                subject.steadiness(&some, subject.deadline())?.check().or_input()?;
                let seed = Seed(self.seed);
                let sources = &sources;
                let means = Means { subject, everywhere, sources, tolerance, seed, jobs: &jobs };
                let judged =
                    recheck::run(means, &claims.groups, effort, &clock, &|| deadline.is_over())?;
                if let Some(drift) = drift::of(subject, &sources.inputs, &sources.outcomes)? {
                    return Err(Failure::Input(drift.to_string()));
                }
                (judged, format!("inputs     {sources}"))
            }
            // Nothing is known of relations of a function that does not return.
            Err(error @ (InputsError::TimeUp { .. } | InputsError::NeverReturns { .. })) => {
                let why = match cancelled.load(Ordering::Relaxed) {
                    true => "interrupted before there were inputs".to_owned(),
                    false => error.to_string(),
                };
                (recheck::untried(subject, &claims.groups), why)
            }
            Err(error) => return Err(error.into()),
        };
        let about = format!("{}: {}\n{found}\n", signature.function, subject.signature());
        let is_interrupted = cancelled.load(Ordering::Relaxed);
        let is_late = deadline.is_over() && !is_interrupted;
        let is_file = Path::new(&name).is_file();
        Ok(TrialResult {
            name,
            is_file,
            text,
            signature,
            tolerance,
            judged,
            is_interrupted,
            is_late,
            about,
        })
    }

    /// Inputs that take all branches that can be reached; a function that is not deterministic is refused.
    fn sources(&self, subject: &dyn Subject, jobs: &Jobs) -> Result<Sources, InputsError> {
        let settings =
            inputs::Settings { count: 1_000, effort: EFFORT, ..inputs::Settings::default() };
        let deadline = &subject.deadline().after(SOUGHT);
        let watch = Watch { stop: &|| deadline.is_over(), deadline, progress: &|_| () };
        inputs::generate(subject, &settings, Seed(self.seed), jobs, &watch)
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
            "{} of {} stand, {} refuted, {} not tried enough\n",
            self.count(Standing::Stands),
            self.judged.len(),
            self.count(Standing::Refuted),
            self.count(Standing::Unknown)
        ) + self.doubt()
    }

    /// Why relations are unknown, if some are.
    fn doubt(&self) -> &'static str {
        match (self.count(Standing::Unknown), self.is_late) {
            (0, _) => "",
            _ if self.is_interrupted => "interrupted before all were tried on enough pairs\n",
            (_, true) => {
                "the time was up before the unknown ones were tried on enough pairs: \
                 give more (--budget), or see whether the function still ends\n"
            }
            (_, false) => {
                "the function returns on too few pairs of inputs to judge the unknown ones\n"
            }
        }
    }

    /// The table for people, with the counterexamples below the relations.
    pub(super) fn table(&self) -> String {
        let mut text = self.about.clone();
        let _ = writeln!(
            text,
            "\n{:<8} {:>9} {:>9} {:>9} {:>8}  relation",
            "", "pairs", "hunted", "bound", "branches"
        );
        let mut last = String::new();
        for judged in &self.judged {
            let verdict = &judged.verdict;
            // Mostly the same for all relations of a transformation: said once, before the first of those that it is about.
            let inputs = verdict.evidence().tried_inputs();
            if !inputs.is_empty() && inputs != last {
                let presupposed = presupposed(&inputs, &judged.premise);
                let _ = writeln!(text, "         tried with {presupposed}");
                last = inputs;
            }
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
