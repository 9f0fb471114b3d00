//! The preparation of a run: source inputs, and what the training mutants do on them.

use std::sync::{Arc, OnceLock};

use super::budget::Clock;
use super::outcomes::OutcomeRuns;
use super::plan::Plan;
use super::{GenerateError, precondition, unseen};
use crate::executions::live::{Census, Runs};
use crate::inputs::{self, Hunt, InputsError, Sources, Watch};
use crate::subject::{Deadline, Group, Inputs, Inside, MachineFailure, Signature, Subject, Within};
use crate::support::threads::Jobs;

/// On how many inputs a function is run several times, to see whether its results depend on anything else.
const CHECKED: usize = 200;

/// The part of the time for inputs in which it is seen whether calls fail. A guess.
const SCOUTED: f64 = 0.25;
/// The part of the time that is left after the preparation in which mutants are run on inputs that throw. A guess.
const OUTCOMES: f64 = 0.1;

/// What a run makes before it looks for relations. It depends on the subject and on the plan but for its
/// transformations and its generations, so runs that differ in these only can share it: what they find is the same.
#[derive(Debug)]
pub struct Preparation {
    pub(super) sources: Sources,
    pub(super) census: Census,
    /// The numbers of the mutants that differ from the function and from each other.
    pub(super) distinct: Vec<usize>,
    /// The outcomes of these mutants on the sources.
    pub(super) runs: Arc<Runs>,
    /// What there was no time for.
    pub(super) cut: Vec<String>,
    /// The signature on the inputs on which the function does not fail, if many calls failed and a condition tells which.
    pub(super) inside: Option<Signature>,
    /// Inputs some of which throw, with the outcomes of mutants.
    pub(super) outcomes: Option<OutcomeRuns>,
    /// The inputs that relations are judged on; made when they are first needed.
    unseen: OnceLock<Inputs>,
}

impl Preparation {
    /// Prepares runs of a subject.
    ///
    /// # Errors
    /// When there is nothing to start from.
    pub fn new(subject: &dyn Subject, plan: &Plan) -> Result<Preparation, GenerateError> {
        let jobs = Jobs::new(plan.machine.jobs)?;
        Preparation::within(subject, plan, &mut Clock::start(plan), &jobs)
    }

    /// Prepares a run, as far as its time allows.
    pub(super) fn within(
        subject: &dyn Subject,
        plan: &Plan,
        clock: &mut Clock,
        jobs: &Jobs,
    ) -> Result<Preparation, GenerateError> {
        let within = Within::new(subject, clock.deadline().clone());
        let subject: &dyn Subject = &within;
        let late = clock.late();
        let watch = Watch { stop: &|| late.is_over(), deadline: &late, progress: &|_| () };
        let everywhere = subject;
        let generate = |subject: &dyn Subject| {
            inputs::generate(subject, &plan.inputs, plan.seed, jobs, &watch)
        };
        let scouted = match plan.explores() {
            true => precondition::scout(everywhere, plan, &late.after(SCOUTED), jobs)?,
            false => None,
        };
        let inside = scouted.map(|(signature, first)| (Inside::new(everywhere, signature), first));
        let drawn = inside.as_ref().map(|(inside, first)| (inside, first, generate(inside)));
        let (subject, mut sources, first): (&dyn Subject, _, _) = match drawn {
            Some((inside, first, Ok(sources))) => (inside, sources, Some(first.clone())),
            Some((_, _, Err(InputsError::Machine(failure)))) => return Err(failure.into()),
            Some((_, _, Err(_))) | None => (everywhere, generate(everywhere)?, None),
        };
        // Outcomes are of interest on all inputs.
        let first = first.or_else(|| plan.explores().then(|| sources.clone()));
        let signature = subject.signature();
        let some = sources.inputs.only(signature, 0..sources.inputs.len().min(CHECKED));
        subject.steadiness(&some, &clock.counted())?.check()?;
        let training = subject.mutants_of(Group::A);
        let run_all = |mutants: &[usize], inputs: &Inputs, deadline: Deadline| {
            Runs::of(&Within::new(subject, deadline), mutants, inputs.clone(), jobs)
        };
        let calls = (1 + training.len()) * sources.inputs.len();
        let counted = clock.counted();
        let mut runs = clock.measured(calls, || run_all(&training, &sources.inputs, counted))?;
        let (all, found) = (training.len(), sources.inputs.len());
        let training = reduce(subject, &mut runs, &mut sources, &training);
        let mut cut = Vec::new();
        if training.len() < all {
            cut.push(format!("{} of {all} training mutants were run", training.len()));
        }
        if sources.inputs.len() < found {
            cut.push(format!("{} of {found} source inputs were used", sources.inputs.len()));
        }
        let mutants = subject.mutants_of(Group::A).len();
        let returns = (0..runs.original.len()).any(|row| runs.original.is_returned(row));
        // A function without mutants may have laws all the same.
        if training.is_empty() && mutants > 0 || !returns {
            return Err(GenerateError::TimeUp { mutants, calls });
        }
        let watch = Watch { stop: &|| late.is_over(), deadline: &late, progress: &|_| () };
        let mut census = Census::of(&runs, &training, &plan.tolerance);
        let unshown = census.unshown();
        let hunt = Hunt { mutants: &unshown, effort: plan.hunt, jobs, watch: &watch };
        let before = sources.inputs.len();
        if inputs::enrich(subject, &mut sources, &hunt, plan.seed)?.added > 0 {
            let added = sources.inputs.only(signature, before..sources.inputs.len());
            // Added inputs that some mutants were not run on are left out again.
            let more = run_all(&training, &added, clock.counted())?;
            let (kept, rows) = more.whole();
            let rows = if kept.len() == training.len() { rows } else { Vec::new() };
            runs.append(&more.rows(signature, &rows));
            let all: Vec<usize> = (0..before).chain(rows.iter().map(|row| before + row)).collect();
            sources = sources.rows(signature, &all);
            census = Census::of(&runs, &training, &plan.tolerance);
        }
        let distinct = census.distinct();
        // Laws need no mutants.
        if distinct.is_empty() && !plan.explores() {
            let tally = census.tally();
            return Err(GenerateError::NoMutants {
                function: subject.signature().function.clone(),
                all: tally.all,
                crash_only: tally.crash_only,
                inputs: sources.inputs.len(),
            });
        }
        let runs = Arc::new(runs.only(&training, &distinct));
        let outcomes = match &first {
            Some(first) => {
                let within = Within::new(everywhere, clock.deadline().after(OUTCOMES));
                OutcomeRuns::of(&within, plan, first, &training, jobs)?
            }
            None => None,
        };
        let inside = signature.condition.is_some().then(|| signature.clone());
        let unseen = OnceLock::new();
        Ok(Preparation { sources, census, distinct, runs, cut, inside, outcomes, unseen })
    }

    /// Inputs that no search has seen, as many as the time allows.
    pub(super) fn unseen(
        &self,
        subject: &dyn Subject,
        plan: &Plan,
        clock: &Clock,
        jobs: &Jobs,
    ) -> Result<Inputs, MachineFailure> {
        if let Some(inputs) = self.unseen.get() {
            return Ok(inputs.clone());
        }
        let within = Within::new(subject, clock.deadline().clone());
        let inputs = unseen::inputs(&within, plan, jobs, &clock.unseen())?;
        // Other runs that share the preparation must not get inputs that were cut short by time.
        if plan.time.is_none() && !clock.is_cancelled() {
            return Ok(self.unseen.get_or_init(|| inputs).clone());
        }
        Ok(inputs)
    }
}

/// Leaves out mutants and inputs that there was no time to run; returns the mutants that stay.
fn reduce(
    subject: &dyn Subject,
    runs: &mut Runs,
    sources: &mut Sources,
    mutants: &[usize],
) -> Vec<usize> {
    let (kept, rows) = runs.whole();
    let stay: Vec<usize> = kept.iter().map(|&place| mutants[place]).collect();
    if stay.len() < mutants.len() {
        *runs = runs.clone().only(mutants, &stay);
    }
    if rows.len() < runs.inputs.len() {
        *runs = runs.rows(subject.signature(), &rows);
        *sources = sources.rows(subject.signature(), &rows);
    }
    stay
}
