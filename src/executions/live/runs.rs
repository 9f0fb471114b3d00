//! Outcomes of the original and of some mutants on the same inputs.

use genmorph_jit::{Column, Tolerance};

use crate::subject::{Inputs, MachineFailure, Outcomes, Subject, Version};
use crate::support::threads::Jobs;

/// Outcomes of the original and of mutants, row by row on the same inputs.
#[derive(Clone, Debug)]
pub struct Runs {
    /// The inputs of all runs.
    pub inputs: Inputs,
    /// Outcomes of the original function.
    pub original: Outcomes,
    /// Each mutant's outcomes, in the order in which the mutants were listed.
    pub mutants: Vec<Outcomes>,
}

/// How a mutant's outcome compares with the original's for one input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Difference {
    /// The original does not return, so there is nothing to compare with.
    Unknown,
    /// The mutant returns the same value.
    Same,
    /// The mutant returns another value.
    Value,
    /// The mutant does not return, but the original does.
    Crash,
}

impl Runs {
    /// Runs the original and the listed mutants.
    ///
    /// # Errors
    /// When the machine fails.
    pub fn of(
        subject: &dyn Subject,
        mutants: &[usize],
        inputs: Inputs,
        jobs: &Jobs,
    ) -> Result<Runs, MachineFailure> {
        let original = subject.run(Version::Original, &inputs)?;
        let mutants = jobs.try_map(
            mutants,
            1,
            || (),
            |(), &number| subject.run(Version::Mutant { number, original: &original }, &inputs),
        )?;
        Ok(Runs { inputs, original, mutants })
    }

    /// Keeps only some mutants of these runs: `mutants` are the numbers that were run, `kept` those to keep.
    #[must_use]
    pub fn only(mut self, mutants: &[usize], kept: &[usize]) -> Runs {
        let mut numbers = mutants.iter();
        self.mutants.retain(|_| numbers.next().is_some_and(|number| kept.contains(number)));
        self
    }

    /// Compares a mutant with the original for one input; `mutant` is its position in these runs.
    pub fn difference(&self, mutant: usize, row: usize, tolerance: &Tolerance) -> Difference {
        difference(&self.original, &self.mutants[mutant], row, tolerance)
    }
}

/// Compares a mutant's outcome with the original's for one input.
pub fn difference(
    original: &Outcomes,
    mutant: &Outcomes,
    row: usize,
    tolerance: &Tolerance,
) -> Difference {
    if !original.is_returned(row) {
        Difference::Unknown
    } else if !mutant.is_returned(row) {
        Difference::Crash
    } else if same(original, mutant, row, tolerance) {
        Difference::Same
    } else {
        Difference::Value
    }
}

/// Whether two versions that returned gave outputs that are equal to a relation.
fn same(a: &Outcomes, b: &Outcomes, row: usize, tolerance: &Tolerance) -> bool {
    a.columns().iter().zip(b.columns()).all(|columns| match columns {
        (Column::Num(a), Column::Num(b)) => tolerance.eq(a[row], b[row]),
        (Column::Bool(a), Column::Bool(b)) => a[row] == b[row],
        (Column::Seq(a), Column::Seq(b)) => tolerance.seq_eq(a.get(row), b.get(row)),
        (a, b) => unreachable!("a {} and a {} of one output", a.ty(), b.ty()),
    })
}
