//! Inputs that no search has seen, to judge relations on.

use std::collections::HashSet;

use super::plan::Plan;
use crate::filter::fresh;
use crate::inputs::{self, Settings, Watch, key};
use crate::seed::Seed;
use crate::subject::{Inputs, Subject};
use crate::threads::Jobs;

/// Inputs of each kind.
const EACH: usize = 1_000;

/// Inputs that reach all branches, made from another seed, and fresh ones.
pub(super) fn inputs(subject: &dyn Subject, plan: &Plan, jobs: &Jobs) -> Inputs {
    let mut rng = plan.seed.stream("judge").rng();
    let settings = Settings { count: EACH, supplied: Vec::new(), ..plan.inputs.clone() };
    let other = Seed(rng.next());
    let mut all = match inputs::generate(subject, &settings, other, jobs, &Watch::NOBODY) {
        Ok(sources) => sources.inputs,
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
    all
}
