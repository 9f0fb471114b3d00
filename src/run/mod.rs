//! From a function to relations: all six steps, one after the other.
//!
//! ```text
//!  subject ─► inputs ─► mutants' census ─► transformations ─► for each: pairs ─► Executions
//!                                                               ▲                    │ evolve
//!                                            counterexamples ───┘◄──── filter ◄──────┘
//!                                                                        │ what stands
//!                                                          judge ◄───────┘
//! ```
//! The result depends on the subject, the [`Plan`] and the seed. A time budget is the only thing that may vary; the
//! report says how many generations it allowed. Prints and writes nothing: an observer is told what happens.

mod budget;
mod detectors;
mod judge;
mod laws;
mod material;
mod minimal;
mod order;
mod outcomes;
mod plainly;
mod plan;
mod precondition;
mod prepared;
mod prospect;
mod report;
mod review;
mod search;
mod together;
mod unseen;
mod withdrawal;

use std::cmp::Reverse;
use std::sync::Arc;

use genmorph_jit::Predicate;

use crate::assess;
use crate::evolve::{Evolution, EvolveError, Generation, Stop};
use crate::executions::live::Census;
use crate::filter::drift::{self, Drift};
use crate::inputs::{InputsError, Sources};
use crate::record::checksum;
use crate::record::refuted::Refutation;
use crate::record::report::Report;
use crate::subject::kinds::Observed;
use crate::subject::{
    Group, Inside, MachineFailure, Signature, Subject, Throwing, Unsteady, Within,
};
use crate::support::threads::{Jobs, NoThreads};
use crate::transform::{self, Instance, Transform, TransformError};

pub use self::plan::{Plan, Transformations};
pub use self::precondition::learned as learned_domain;
pub use self::prepared::Preparation;
pub use self::report::mutants;
pub use self::review::Rejection;
pub use self::search::SearchResult;

use self::budget::{Clock, Share};
use self::prospect::Prospect;
use self::together::{Compositions, Wanted};

/// Why a run cannot find relations.
#[derive(Debug, thiserror::Error)]
pub enum GenerateError {
    /// There are no inputs to start from.
    #[error(transparent)]
    Inputs(#[from] InputsError),
    /// The machine cannot run the function any more.
    #[error(transparent)]
    Machine(#[from] MachineFailure),
    /// A transformation that the function has no parameter for.
    #[error(transparent)]
    Transform(#[from] TransformError),
    /// The function has nothing that can be transformed.
    #[error(
        "no transformation fits `{0}`: its parameters leave nothing to change; \
         --list-transformations shows the choice"
    )]
    NoTransformation(String),
    /// No mutant returns anything else than the function.
    #[error(
        "none of {all} training mutants differs from `{function}` on {inputs} inputs in what it returns; \
         there is nothing to learn from{}", if *crash_only > 0 {
            format!(" ({crash_only} only crash, which any test notices)") } else { String::new() }
    )]
    NoMutants {
        /// The name of the function.
        function: String,
        /// How many mutants there are.
        all: usize,
        /// How many of them crash wherever they differ.
        crash_only: usize,
        /// How many inputs were tried.
        inputs: usize,
    },
    /// The time was up before the mutants could be compared with the function.
    #[error(
        "the time was up before the {mutants} training mutants were run on any of the source inputs; \
         give it more time (--budget), or its parameters domains on which calls are quick"
    )]
    TimeUp {
        /// How many mutants there are.
        mutants: usize,
        /// How many calls that would have been.
        calls: usize,
    },
    /// The function gives different results for equal inputs.
    #[error(transparent)]
    Unsteady(#[from] Unsteady),
    /// The function does not answer as it did at the beginning of the run.
    #[error(transparent)]
    Drift(#[from] Drift),
    /// A relation that the engines took to be true of all correct rows, and the reference evaluator did not.
    #[error("the tiers disagree; please report this relation: {0}")]
    Tiers(String),
    /// Settings that are out of range.
    #[error(transparent)]
    Evolve(#[from] EvolveError),
    /// The system gives no threads.
    #[error(transparent)]
    Threads(#[from] NoThreads),
}

impl GenerateError {
    /// Whether more time might have helped.
    pub fn is_of_time(&self) -> bool {
        match self {
            GenerateError::Inputs(
                InputsError::TimeUp { .. } | InputsError::NeverReturns { .. },
            )
            | GenerateError::NoMutants { .. }
            | GenerateError::TimeUp { .. } => true,
            GenerateError::Inputs(_)
            | GenerateError::Machine(_)
            | GenerateError::Transform(_)
            | GenerateError::NoTransformation(_)
            | GenerateError::Unsteady(_)
            | GenerateError::Drift(_)
            | GenerateError::Tiers(_)
            | GenerateError::Evolve(_)
            | GenerateError::Threads(_) => false,
        }
    }
}

/// What happens during a run.
#[derive(Debug)]
pub enum Event<'e> {
    /// Source inputs are being made.
    Inputs,
    /// The source inputs are there, and all mutants have been run on them.
    Sources {
        /// The source inputs, and the branches that they reach.
        sources: &'e Sources,
        /// The training mutants, and what the sources show of each.
        census: &'e Census,
        /// The transformations that are going to be searched.
        transformations: &'e [Transform],
    },
    /// A search begins: its number, of how many.
    Search(usize, usize, &'e Transform),
    /// A generation is done.
    Generation(&'e Evolution, &'e Stop, &'e Generation),
    /// This many relations were refuted; the search goes on with the counterexamples.
    Refuted(usize),
    /// A search has ended.
    Found(&'e SearchResult),
    /// Relations are being judged.
    Judging,
    /// These relations of a search are false on unseen inputs, and are not reported.
    Withdrawn(&'e SearchResult, &'e [Refutation]),
}

/// What a run found.
#[derive(Debug)]
pub struct RunResult {
    /// The source inputs of the run.
    pub sources: Sources,
    /// The training mutants, and what the sources show of each.
    pub census: Census,
    /// A search per transformation.
    pub searched: Vec<SearchResult>,
    /// The signature on the inputs on which relations of values were sought: inside of a precondition, if one was learned.
    pub signature: Signature,
    /// The content of `report.json`.
    pub report: Report,
    /// Whether it was ended early.
    pub is_interrupted: bool,
}

/// Finds relations of a subject.
///
/// # Errors
/// When there is nothing to start from.
pub fn run(
    subject: &dyn Subject,
    plan: &Plan,
    observe: &mut dyn FnMut(Event<'_>),
) -> Result<RunResult, GenerateError> {
    let mut clock = Clock::start(plan);
    let jobs = Jobs::new(plan.machine.jobs)?;
    observe(Event::Inputs);
    let prepared = Preparation::within(subject, plan, &mut clock, &jobs)?;
    search(subject, plan, &prepared, (clock, &jobs), observe)
}

/// Finds relations of a subject with the inputs and census of another run; [`Preparation`] says in what they may differ.
///
/// # Errors
/// When there is nothing to start from.
pub fn run_prepared(
    subject: &dyn Subject,
    plan: &Plan,
    prepared: &Preparation,
    observe: &mut dyn FnMut(Event<'_>),
) -> Result<RunResult, GenerateError> {
    let jobs = Jobs::new(plan.machine.jobs)?;
    search(subject, plan, prepared, (Clock::start(plan), &jobs), observe)
}

/// After this many transformations postconditions are looked for: each of the first ones may see only some inputs.
const SOUGHT_AFTER: usize = 3;

/// Searches under all transformations, and judges what is found.
fn search(
    subject: &dyn Subject,
    plan: &Plan,
    prepared: &Preparation,
    (mut clock, jobs): (Clock, &Jobs),
    observe: &mut dyn FnMut(Event<'_>),
) -> Result<RunResult, GenerateError> {
    let Preparation { sources, census, distinct, runs, .. } = prepared;
    let everywhere = subject;
    let inside = prepared.inside.clone().map(|signature| Inside::new(everywhere, signature));
    let subject: &dyn Subject = match &inside {
        Some(inside) => inside,
        None => everywhere,
    };
    let transformations = transformations(subject, plan)?;
    let together = Compositions::of(subject, plan, 2 * transformations.len())?;
    if transformations.is_empty() && together.count() == 0 {
        return Err(GenerateError::NoTransformation(subject.signature().function.clone()));
    }
    observe(Event::Sources { sources, census, transformations: &transformations });

    // What judging runs on an input: all mutants on it, and the judging ones on its follow-ups.
    let [training, judging] = [Group::A, Group::B].map(|group| subject.mutants_of(group).len());
    let judged = |claims: usize| training + judging * (1 + claims);
    clock.prepared(2 * unseen::EACH * judged(transformations.len()));
    let schema = subject.signature().of_executions().schema().expect("names were checked");
    let mut searched = Vec::new();
    let mut prospects = Vec::new();
    let within = Within::new(subject, clock.searching());
    let drawn = Arc::default();
    let campaign = search::Campaign {
        subject: &within,
        plan,
        distinct,
        sources: runs,
        drawn,
        jobs,
        calls: None,
    };
    // A second function was asked for; it cannot wait.
    let parts = transformations.len() + usize::from(prepared.outcomes.is_some());
    let mut of_calls =
        together.search(Wanted::SecondFunction, &campaign, prepared, &clock, parts, observe)?;
    // Laws under every transformation first: they are what people read, and they are found in no time.
    let mut sought = false;
    let mut of_outcomes: Option<Vec<SearchResult>> = None;
    for (number, transform) in transformations.iter().enumerate() {
        let done = plan.done(&transform.describe().name, Observed::Values);
        let later = usize::from(prepared.outcomes.is_some() && of_outcomes.is_none());
        let share = clock.share(transformations.len() - number + later + together.count());
        if let Some(done) =
            done.and_then(|done| SearchResult::done(number, transform, done, &schema))
        {
            observe(Event::Found(&done));
            searched.push(done);
        } else if !clock.is_over() {
            observe(Event::Search(number, transformations.len(), transform));
            match search::begin(&campaign, number, transform, &share, observe)? {
                Ok(prospect) => prospects.push(prospect),
                // With all of its pairs it might have begun; its record has no place to say so.
                Err(_) if clock.is_cancelled() => {}
                Err(without_rows) => {
                    observe(Event::Found(&without_rows));
                    searched.push(without_rows);
                }
            }
        }
        let has_rows = !prospects.is_empty() || searched.iter().any(|done| done.returned() > 0);
        let is_time = number + 1 >= SOUGHT_AFTER.min(transformations.len());
        if plan.explores() && has_rows && is_time && !sought {
            sought = true;
            postconditions(&searched, &mut prospects, &share, observe)?;
        }
        // Then laws of outcomes: under the last transformations there may be no time for them.
        if let Some(outcomes) = prepared.outcomes.as_ref().filter(|_| is_time)
            && of_outcomes.is_none()
        {
            let about = (everywhere, plan);
            let found = outcomes.search(about, &transformations, (&clock, jobs), observe)?;
            of_outcomes = Some(found);
        }
    }
    let wanted = Wanted::SecondSource;
    of_calls.extend(together.search(wanted, &campaign, prepared, &clock, 1, observe)?);
    // Then detectors, with the time that is left.
    let count = prospects.len();
    withdraw_postconditions(&mut prospects);
    let of_done = searched.iter().flat_map(SearchResult::postconditions);
    let postconditions = of_done.chain(prospects.iter().flat_map(Prospect::postconditions));
    let postconditions: Vec<Predicate> = postconditions.cloned().collect();
    for (place, prospect) in prospects.into_iter().enumerate() {
        let share = clock.share(count - place);
        let number = prospect.searched.number;
        observe(Event::Search(number, transformations.len(), &transformations[number]));
        let found = prospect.finish(&postconditions, &share, observe)?;
        clock.done(&share);
        observe(Event::Found(&found));
        searched.push(found);
    }
    searched.extend(of_outcomes.into_iter().flatten());
    searched.extend(of_calls);
    searched.sort_by_key(|found| found.number);
    observe(Event::Judging);
    let everywhere = Within::new(everywhere, clock.deadline().clone());
    let within = Within::new(subject, clock.deadline().clone());
    let subject: &dyn Subject = &within;
    let drift = Within::new(subject, clock.unseen());
    if let Some(drift) = drift::of(&drift, &runs.inputs, &runs.original)? {
        return Err(drift.into());
    }
    let unseen = prepared.unseen(subject, plan, &clock, jobs)?;
    let found = searched.iter().filter(|searched| !searched.relations.is_empty()).count();
    let count = clock.affords(judged(found), unseen.len());
    let mut cut = prepared.cut.clone();
    let is_missing = |at: &usize| searched.iter().all(|search| search.number != *at);
    let missing = (0..transformations.len()).filter(is_missing);
    let missing: Vec<String> = missing.map(|at| transformations[at].describe().name).collect();
    if !missing.is_empty() {
        cut.push(format!("not reached: {}", missing.join(", ")));
    }
    if count < unseen.len() {
        cut.push(format!("relations were judged on {count} of {} unseen inputs", unseen.len()));
    }
    let unseen = unseen::some(subject, unseen, count);
    withdrawal::withdraw(subject, plan, (&sources.inputs, &unseen), &mut searched, jobs, observe)?;
    let outcomes = prepared.outcomes.as_ref().zip(Throwing::of(&everywhere));
    let throwing = match &outcomes {
        Some((outcomes, throwing)) => {
            let throwing_unseen = outcomes.unseen(&everywhere, plan);
            let inputs = (&outcomes.runs.inputs, &throwing_unseen);
            withdrawal::withdraw(throwing, plan, inputs, &mut searched, jobs, observe)?;
            Some(throwing_unseen)
        }
        None => None,
    };
    together.withdraw(subject, plan, &mut searched, jobs, observe)?;
    let claims = outcomes::claims(&searched, Observed::Values);
    let mut judgement = assess::judge(subject, &claims, Group::B, &unseen, plan.tolerance, jobs)?;
    if let Some(unseen) = throwing {
        outcomes::judge(&mut judgement, &everywhere, plan, &searched, &unseen, jobs)?;
    }
    together.judge(&mut judgement, subject, plan, &searched, jobs)?;
    let mut report = report::report(subject, plan, sources, census, &searched, &judgement);
    let given = everywhere.signature().condition.as_ref();
    let kept_to = subject.signature().condition.as_ref();
    if let Some(learned) = kept_to.filter(|condition| given != Some(*condition)) {
        report.learned = Some(learned.text().to_owned());
        report = checksum::seal(report);
    }
    if plan.time.is_some() && !cut.is_empty() {
        report.cut = Some(format!("time was short: {}", cut.join("; ")));
        report = checksum::seal(report);
    }
    let (sources, census) = (sources.clone(), census.clone());
    let (signature, is_interrupted) = (subject.signature().clone(), clock.is_cancelled());
    Ok(RunResult { sources, census, searched, signature, report, is_interrupted })
}

/// Looks for what holds of every single execution, with the transformation under which the function returns most often: others
/// may see only some inputs.
fn postconditions(
    done: &[SearchResult],
    prospects: &mut [Prospect<'_>],
    share: &Share,
    observe: &mut dyn FnMut(Event<'_>),
) -> Result<(), MachineFailure> {
    let rank = |returned: usize, number: usize| (returned, Reverse(number));
    let of = |prospect: &Prospect<'_>| rank(prospect.returned(), prospect.searched.number);
    let Some(best) = prospects.iter_mut().max_by_key(|prospect| of(prospect)) else {
        return Ok(());
    };
    // An earlier run has looked for them with another one.
    if done.iter().any(|search| rank(search.returned(), search.number) > of(best)) {
        return Ok(());
    }
    best.find_postconditions(share, observe)
}

/// Withdraws postconditions that are false on a pair of another search.
fn withdraw_postconditions(prospects: &mut [Prospect<'_>]) {
    let all = prospects.iter().flat_map(|prospect| prospect.postconditions().cloned());
    let all: Vec<Predicate> = all.collect();
    let is_false = |post: &Predicate| !prospects.iter().all(|other| other.satisfies(post));
    let wrong: Vec<Predicate> = all.into_iter().filter(is_false).collect();
    for prospect in prospects {
        prospect.drop_postconditions(&wrong);
    }
}

/// The transformations that are searched.
fn transformations(subject: &dyn Subject, plan: &Plan) -> Result<Vec<Transform>, GenerateError> {
    let signature = subject.signature().of_executions();
    let instances: Vec<Instance> = match &plan.transformations {
        Transformations::Named(instances) => {
            for instance in instances {
                transform::check(instance, subject.signature())?;
            }
            instances.iter().filter(|instance| instance.together().is_none()).cloned().collect()
        }
        Transformations::Sampled(count) if plan.explores() => {
            let plainest = transform::plainest(subject.signature(), subject.constants(), *count);
            plainest.into_iter().map(|candidate| candidate.instance).collect()
        }
        Transformations::Sampled(count) => {
            let all = transform::list(subject.signature(), subject.constants());
            let sampled = transform::sample(&all, *count, plan.seed);
            sampled.into_iter().map(|candidate| candidate.instance).collect()
        }
    };
    instances.iter().map(|instance| Ok(instance.bind(&signature)?)).collect()
}
