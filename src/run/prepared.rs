//! What a run makes before it looks for relations: source inputs, and what the training mutants do on them.

use std::sync::{Arc, OnceLock};

use super::budget::Clock;
use super::plan::Plan;
use super::{GenerateError, unseen};
use crate::executions::live::{Census, Runs};
use crate::inputs::{self, Hunt, Sources, Watch};
use crate::subject::{Group, Inputs, MachineFailure, Subject};
use crate::support::threads::Jobs;

/// What a run makes before it looks for relations. It depends on the subject and on the plan but for its
/// transformations and its generations, so runs that differ in these only can share it: what they find is the same.
#[derive(Debug)]
pub struct Prepared {
    pub(super) sources: Sources,
    pub(super) census: Census,
    /// The mutants that do something of their own…
    pub(super) distinct: Vec<usize>,
    /// …and what they do on the sources.
    pub(super) runs: Arc<Runs>,
    /// What relations are judged on, once somebody has asked for it.
    unseen: OnceLock<Inputs>,
}

impl Prepared {
    /// Prepares runs of a subject.
    ///
    /// # Errors
    /// When there is nothing to start from.
    pub fn new(subject: &dyn Subject, plan: &Plan) -> Result<Prepared, GenerateError> {
        let jobs = Jobs::new(plan.machine.jobs)?;
        Prepared::within(subject, plan, &mut Clock::start(plan), &jobs)
    }

    /// The same, as far as the time of a run allows.
    pub(super) fn within(
        subject: &dyn Subject,
        plan: &Plan,
        clock: &mut Clock,
        jobs: &Jobs,
    ) -> Result<Prepared, GenerateError> {
        let watch = Watch { stop: &|| clock.is_late(), progress: &|_| () };
        let mut sources = inputs::generate(subject, &plan.inputs, plan.seed, jobs, &watch)?;
        let training = subject.mutants_of(Group::A);
        let run_all =
            |sources: &Sources| Runs::of(subject, &training, sources.inputs.clone(), jobs);
        let calls = (1 + training.len()) * sources.inputs.len();
        let mut runs = clock.measured(calls, || run_all(&sources))?;
        let watch = Watch { stop: &|| clock.is_late(), progress: &|_| () };
        let mut census = Census::of(&runs, &training, &plan.tolerance);
        let unshown = census.unshown();
        let hunt = Hunt { mutants: &unshown, effort: plan.hunt, jobs, watch: &watch };
        if inputs::enrich(subject, &mut sources, &hunt, plan.seed)?.added > 0 {
            runs = run_all(&sources)?;
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
        Ok(Prepared { sources, census, distinct, runs, unseen: OnceLock::new() })
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
        let inputs = unseen::inputs(subject, plan, jobs, &clock.unseen())?;
        // What was cut short is not for others.
        if plan.time.is_none() && !clock.is_cancelled() {
            return Ok(self.unseen.get_or_init(|| inputs).clone());
        }
        Ok(inputs)
    }
}
