//! Inputs that no search has seen, to judge relations on.

use std::collections::HashSet;

use super::plan::Plan;
use crate::filter::fresh;
use crate::inputs::{self, InputsError, Settings, Watch, key};
use crate::subject::{Deadline, Inputs, MachineFailure, Subject};
use crate::support::seed::Seed;
use crate::support::threads::Jobs;

/// Inputs of each kind.
pub(super) const EACH: usize = 1_000;

/// Inputs that reach all branches, made from another seed, and fresh ones. The search for them ends at the deadline.
pub(super) fn inputs(
    subject: &dyn Subject,
    plan: &Plan,
    jobs: &Jobs,
    deadline: &Deadline,
) -> Result<Inputs, MachineFailure> {
    let mut rng = plan.seed.stream("judge").rng();
    let settings = Settings { count: EACH, supplied: Vec::new(), ..plan.inputs.clone() };
    let other = Seed(rng.next());
    let watch = Watch { stop: &|| deadline.is_over(), deadline, progress: &|_| () };
    let mut all = match inputs::generate(subject, &settings, other, jobs, &watch) {
        Ok(sources) => sources.inputs,
        Err(InputsError::Machine(failure)) => return Err(failure),
        Err(_) => Inputs::new(subject.signature()),
    };
    let seen = all.clone();
    let signature = subject.signature();
    let fresh = fresh::inputs(signature, subject.constants(), &seen, Seed(rng.next()), EACH);
    // Small domains are soon exhausted, and to run a row again shows nothing.
    let mut known: HashSet<u64> =
        (0..seen.len()).map(|row| key(&seen.row(row).collect::<Vec<_>>())).collect();
    for row in 0..fresh.len() {
        let values: Vec<_> = fresh.row(row).collect();
        if known.insert(key(&values)) {
            all.push(&values);
        }
    }
    Ok(all)
}

/// The given number of inputs, half of each kind.
pub(super) fn some(subject: &dyn Subject, inputs: Inputs, count: usize) -> Inputs {
    let all = inputs.len();
    if count >= all {
        return inputs;
    }
    let mut some = Inputs::new(subject.signature());
    for i in 0..count {
        some.push(&inputs.row(i * all / count).collect::<Vec<_>>());
    }
    some
}
