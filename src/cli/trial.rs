//! Tries relations on a function: what `filter` and `check` have in common.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use genmorph::claims::ClaimTexts;
use genmorph::filter::drift;
use genmorph::filter::recheck::calls::{self, CallChanges};
use genmorph::filter::recheck::{self, CheckedRelation, Entry, Means, Standing};
use genmorph::inputs::{self, InputsError, Sources, Watch};
use genmorph::jit::Tolerance;
use genmorph::record::calls::CallsFile;
use genmorph::record::search::presupposed;
use genmorph::run;
use genmorph::subject::kinds::Interface;
use genmorph::subject::{Deadline, Inside, Signature, Subject, Within};
use genmorph::support::digits::grouped;
use genmorph::support::seed::Seed;
use genmorph::support::threads::Jobs;

use super::flags::{JobsArgs, OwnToleranceArgs};
use super::interrupt::on_interrupt;
use super::subject::SubjectArgs;
use super::talk::{Tone, toned};
use super::whole::cannot;
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

    /// Calls that a run recorded, which must end as they did: the folder of the run, or its calls.json [default: those of the run whose
    /// folder RELATIONS is]
    #[arg(long, value_name = "PATH", conflicts_with = "no_calls")]
    calls: Option<PathBuf>,

    /// Look at the relations alone, and not at how the calls of the run end
    #[arg(long)]
    no_calls: bool,

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

/// The file with the calls of a run, in its folder.
pub(super) const CALLS: &str = "calls.json";

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
    /// What became of the calls of a run, if they were made again.
    pub(super) changes: Option<CallChanges>,
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
        let recorded = self.recorded()?;
        let texts = genmorph::claims::read_texts(&name, &text).or_input()?;
        let renamed = renamed(chosen.subject().signature(), &texts)?;
        let now = renamed.as_ref().map(|_| chosen.subject().signature().to_string());
        let renamed = renamed.map(|signature| Inside::new(chosen.subject(), signature));
        let chosen_subject: &dyn Subject = match &renamed {
            Some(renamed) => renamed,
            None => chosen.subject(),
        };
        let signature = chosen_subject.signature().of_executions();
        let claims = claims::bind(&name, &texts, &signature, &self.asked)?;
        let cancelled = Arc::new(AtomicBool::new(false));
        on_interrupt(&cancelled)?;
        let jobs = self.jobs.start()?;
        let limit = if self.hunt.is_some() { LONG_LIMIT } else { LIMIT };
        let whole = effort.budget.unwrap_or(limit);
        let deadline = Deadline::new(Some(whole), &cancelled);
        let within = Within::new(chosen_subject, deadline.clone());
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
        let changes = match &recorded {
            Some((path, recorded)) => {
                check_types(path, recorded, chosen_subject.signature())?;
                let deadline = &deadline.after(SOUGHT);
                Some(calls::replay(subject, recorded, tolerance, deadline)?)
            }
            None => None,
        };
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
        let now =
            now.map(|now| format!("now        {now}; parameters are taken by their position\n"));
        let now = now.unwrap_or_default();
        let about = format!("{}: {}\n{now}{found}\n", signature.function, subject.signature());
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
            changes,
            is_late,
            about,
        })
    }

    /// The calls of a run that are to end as they did, and the file that they are in.
    fn recorded(&self) -> Result<Option<(PathBuf, CallsFile)>, Failure> {
        let inside = |path: &Path| path.join(CALLS);
        let path = match &self.calls {
            _ if self.no_calls => return Ok(None),
            Some(path) if path.is_dir() => inside(path),
            Some(path) => path.clone(),
            None => match inside(Path::new(&self.relations)) {
                file if file.is_file() => file,
                _ => return Ok(None),
            },
        };
        let text = fs::read_to_string(&path).map_err(|error| cannot("read", &path, &error))?;
        let wrong = |message| Failure::Input(format!("{}: {message}", path.display()));
        let recorded = CallsFile::read(&text).map_err(wrong)?;
        Ok(Some((path, recorded)))
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

    /// Whether a call of the run ends otherwise than it did.
    pub(super) fn is_changed(&self) -> bool {
        self.changes.as_ref().is_some_and(|changes| !changes.is_unchanged())
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
        if let Some(changes) = &self.changes {
            let _ = writeln!(text, "\n{}", told(changes));
        }
        let _ = write!(text, "\n{}", self.summary());
        text
    }
}

/// What became of calls, for people.
pub(super) fn told(changes: &CallChanges) -> String {
    let calls = grouped(changes.calls as u64);
    let mut text = match changes.is_unchanged() {
        true => format!("all {calls} calls of the run end as they did"),
        false => String::new(),
    };
    for sentence in changes.sentences() {
        let changed = toned(&format!("{:<8}", "changed"), Tone::Bad);
        let _ = writeln!(text, "{changed} {sentence}");
    }
    if let Some(example) = &changes.value_example {
        let count = grouped(changes.other_values as u64);
        let _ = write!(
            text,
            "{}{count} of them return other values, e.g. {example}",
            if changes.is_unchanged() { "; " } else { "" }
        );
    }
    text.trim_end().to_owned()
}

/// The signature with the names of parameters that relations were written with, if the function has others now. Parameters are taken by
/// their position; names are for people.
fn renamed(now: &Signature, texts: &ClaimTexts) -> Result<Option<Signature>, Failure> {
    let Some(then) = &texts.signature else { return Ok(None) };
    let Ok(then) = Signature::parse(&now.function, then) else { return Ok(None) };
    if then.parameters.is_empty() || texts.function.as_ref() != Some(&now.function) {
        return Ok(None);
    }
    check_signature(&then, now)?;
    let names = |signature: &Signature| -> Vec<String> {
        signature.parameters.iter().map(|p| p.name.clone()).collect()
    };
    if names(&then) == names(now) || now.condition.is_some() {
        return Ok(None);
    }
    let mut renamed = now.clone();
    for (parameter, then) in renamed.parameters.iter_mut().zip(then.parameters) {
        parameter.name = then.name;
    }
    Ok(Some(renamed))
}

/// Refuses calls of a function with other types.
fn check_types(path: &Path, recorded: &CallsFile, now: &Signature) -> Result<(), Failure> {
    let wrong =
        |message: &dyn std::fmt::Display| Failure::Input(format!("{}: {message}", path.display()));
    if recorded.function != now.function {
        let message = format!(
            "it has calls of `{}`, and the subject is `{}`",
            recorded.function, now.function
        );
        return Err(wrong(&message));
    }
    let then = Signature::parse(&recorded.function, &recorded.signature);
    check_signature(&then.map_err(|error| wrong(&error))?, now)
}

/// Refuses a function that takes something else than it did, and says what to do.
fn check_signature(then: &Signature, now: &Signature) -> Result<(), Failure> {
    let types = |signature: &Signature| -> Vec<String> {
        signature.parameters.iter().map(|p| p.ty.to_string()).collect()
    };
    let (before, after) = (types(then), types(now));
    if before == after {
        return Ok(());
    }
    let what = match before.len().cmp(&after.len()) {
        std::cmp::Ordering::Less => "gained a parameter",
        std::cmp::Ordering::Greater => "lost a parameter",
        std::cmp::Ordering::Equal => "has parameters of other types",
    };
    let function = &now.function;
    Err(Failure::Input(format!(
        "`{function}` {what} since its relations were found: it was {then}, and is {now}\n\
         name the overload with the old parameters, if there is one (--java 'Class#{function}(TYPES)'), or find the relations anew \
         with `genmorph generate`"
    )))
}

fn tone(standing: Standing) -> Tone {
    match standing {
        Standing::Stands => Tone::Good,
        Standing::Refuted => Tone::Bad,
        Standing::Unknown => Tone::Doubtful,
    }
}
