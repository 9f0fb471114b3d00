//! The preparation of a run: source inputs, and what the training mutants do on them.

use std::sync::{Arc, OnceLock};

use super::budget::Clock;
use super::plan::Plan;
use super::{GenerateError, unseen};
use crate::executions::live::{Census, Runs};
use crate::inputs::{self, Hunt, Sources, Watch};
use crate::subject::{Deadline, Group, Inputs, MachineFailure, Subject, Within};
use crate::support::threads::Jobs;

/// On how many inputs a function is run several times, to see whether its results depend on anything else.
const CHECKED: usize = 200;

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
        let signature = subject.signature();
        let late = clock.late();
        let watch = Watch { stop: &|| late.is_over(), deadline: &late, progress: &|_| () };
        let mut sources = inputs::generate(subject, &plan.inputs, plan.seed, jobs, &watch)?;
        let some = sources.inputs.only(signature, 0..sources.inputs.len().min(CHECKED));
        subject.steadiness(&some, &clock.counted())?.check()?;
        let training = subject.mutants_of(Group::A);
        let run_all = |inputs: &Inputs, deadline: Deadline| {
            Runs::of(&Within::new(subject, deadline), &training, inputs.clone(), jobs)
        };
        let calls = (1 + training.len()) * sources.inputs.len();
        let counted = clock.counted();
        let mut runs = clock.measured(calls, || run_all(&sources.inputs, counted))?;
        let whole = runs.whole();
        if whole.len() < runs.inputs.len() {
            // What only some mutants were run on says nothing of the others.
            runs = runs.rows(signature, &whole);
            sources = sources.rows(signature, &whole);
        }
        if !(0..runs.original.len()).any(|row| runs.original.is_returned(row)) {
            return Err(GenerateError::TimeUp { mutants: training.len(), calls });
        }
        let watch = Watch { stop: &|| late.is_over(), deadline: &late, progress: &|_| () };
        let mut census = Census::of(&runs, &training, &plan.tolerance);
        let unshown = census.unshown();
        let hunt = Hunt { mutants: &unshown, effort: plan.hunt, jobs, watch: &watch };
        let before = sources.inputs.len();
        if inputs::enrich(subject, &mut sources, &hunt, plan.seed)?.added > 0 {
            let added = sources.inputs.only(signature, before..sources.inputs.len());
            runs.append(&run_all(&added, clock.counted())?);
            let whole = runs.whole();
            if whole.len() < runs.inputs.len() {
                runs = runs.rows(signature, &whole);
                sources = sources.rows(signature, &whole);
            }
            census = Census::of(&runs, &training, &plan.tolerance);
        }
        let distinct = census.distinct();
        if distinct.is_empty() {
            let tally = census.tally();
            return Err(GenerateError::NoMutants {
                function: subject.signature().function.clone(),
                all: tally.all,
                crash_only: tally.crash_only,
                inputs: sources.inputs.len(),
            });
        }
        let runs = Arc::new(runs.only(&training, &distinct));
        Ok(Preparation { sources, census, distinct, runs, unseen: OnceLock::new() })
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
