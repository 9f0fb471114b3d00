//! What the original and some mutants did on the same inputs.

use genmorph_jit::{Column, Tolerance};

use crate::subject::{Inputs, MachineFailure, Outcomes, Subject, Version};
use crate::support::threads::Jobs;

/// Outcomes of the original and of mutants, row by row on the same inputs.
#[derive(Clone, Debug)]
pub struct Runs {
    /// The inputs.
    pub inputs: Inputs,
    /// What the original did.
    pub original: Outcomes,
    /// What each mutant did, in the order in which they were asked for.
    pub mutants: Vec<Outcomes>,
}

/// How a mutant did on a row, seen from the original.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Difference {
    /// The original does not return: nothing is known.
    Unknown,
    /// It returns the same.
    Same,
    /// It returns something else.
    Value,
    /// It does not return.
    Crash,
}

impl Runs {
    /// Runs the original and these mutants.
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

    /// Only the runs of some of the mutants that were asked for; both are given by their numbers.
    #[must_use]
    pub fn only(mut self, asked: &[usize], kept: &[usize]) -> Runs {
        let mut numbers = asked.iter();
        self.mutants.retain(|_| numbers.next().is_some_and(|number| kept.contains(number)));
        self
    }

    /// How a mutant did on a row, by its place among the mutants of these runs.
    pub fn difference(&self, mutant: usize, row: usize, tolerance: &Tolerance) -> Difference {
        difference(&self.original, &self.mutants[mutant], row, tolerance)
    }
}

/// How a mutant did on a row, seen from the original.
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

/// Whether two versions that returned gave the same, as relations see it.
fn same(a: &Outcomes, b: &Outcomes, row: usize, tolerance: &Tolerance) -> bool {
    a.columns().iter().zip(b.columns()).all(|columns| match columns {
        (Column::Num(a), Column::Num(b)) => tolerance.eq(a[row], b[row]),
        (Column::Bool(a), Column::Bool(b)) => a[row] == b[row],
        (Column::Seq(a), Column::Seq(b)) => tolerance.seq_eq(a.get(row), b.get(row)),
        (a, b) => unreachable!("a {} and a {} of one output", a.ty(), b.ty()),
    })
}
