//! Suites of source inputs that the search has not seen, drawn in another way than the inputs of the search.
//!
//! They use neither values nor branches of the source inputs, only chance, special values and constants of
//! the function. The counterpart of Randoop in the paper.

use std::collections::HashSet;
use std::ops::Range;

use crate::filter::fresh;
use crate::inputs::key;
use crate::subject::{Inputs, MachineFailure, Outcome, Outcomes, Subject, Version};
use crate::support::seed::Seed;

/// Largest fuel of a call in a test. A guess: people do not keep tests that take longer, and mutants may use
/// many times as much.
const MOST_FUEL: u64 = 200_000;
/// Attempts to draw a suite, counted in batches that would suffice if every input were good.
const TRIES: usize = 8;

/// The inputs of several suites.
#[derive(Clone, Debug)]
pub(super) struct Suites {
    /// All inputs, one suite after the other.
    pub(super) inputs: Inputs,
    /// The rows of each suite.
    pub(super) rows: Vec<Range<usize>>,
}

impl Suites {
    /// Draws suites of inputs on which the function returns; a suite is smaller if not enough can be found.
    /// No input occurs twice in a suite.
    pub(super) fn draw(
        subject: &dyn Subject,
        seed: Seed,
        suites: usize,
        size: usize,
    ) -> Result<Suites, MachineFailure> {
        let signature = subject.signature();
        let nothing = Inputs::new(signature);
        let mut inputs = Inputs::new(signature);
        let mut rows = Vec::new();
        for suite in 0..suites {
            let seed = Seed(seed.stream("suite").at(suite as u64).rng().next());
            let first = inputs.len();
            let mut known = HashSet::new();
            for index in 0..TRIES * size.div_ceil(fresh::BATCH) {
                if inputs.len() - first == size {
                    break;
                }
                let batch = fresh::batch(signature, subject.constants(), &nothing, seed, index);
                let outcomes = subject.run(Version::Original, &batch)?;
                for row in 0..batch.len() {
                    let is_good = outcomes.is_returned(row) && outcomes.fuel()[row] <= MOST_FUEL;
                    let values: Vec<_> = batch.row(row).collect();
                    if inputs.len() - first < size && is_good && known.insert(key(&values)) {
                        inputs.push(&values);
                    }
                }
            }
            rows.push(first..inputs.len());
        }
        Ok(Suites { inputs, rows })
    }
}

/// The inputs on which the function ends by itself soon enough, and its outcomes on them.
pub(super) fn affordable(
    subject: &dyn Subject,
    inputs: &Inputs,
) -> Result<(Inputs, Outcomes), MachineFailure> {
    let outcomes = subject.run(Version::Original, inputs)?;
    let mut kept = Inputs::new(subject.signature());
    for row in 0..inputs.len() {
        if ends(outcomes.outcomes()[row]) && outcomes.fuel()[row] <= MOST_FUEL {
            kept.push(&inputs.row(row).collect::<Vec<_>>());
        }
    }
    if kept.len() == inputs.len() {
        return Ok((kept, outcomes));
    }
    let outcomes = subject.run(Version::Original, &kept)?;
    Ok((kept, outcomes))
}

/// Whether a call ended by itself, and would do so on any machine.
fn ends(outcome: Outcome) -> bool {
    match outcome {
        Outcome::Returned | Outcome::Trapped(_) | Outcome::Threw(_) | Outcome::BadOutput => true,
        Outcome::OutOfFuel
        | Outcome::OutOfMemory
        | Outcome::OutOfStack
        | Outcome::Exited
        | Outcome::Hung
        | Outcome::Crashed
        | Outcome::NotRun => false,
    }
}
