//! Outcomes of the original and of some mutants on the same inputs.

use genmorph_jit::{Column, Tolerance};

use crate::subject::{Inputs, MachineFailure, Outcomes, Signature, Subject, Version};
use crate::support::threads::Jobs;

/// Rows of the first part, where time is limited.
const FIRST: usize = 8;

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
    /// The original does not return, so there is nothing to compare with; or the mutant was not run.
    Unknown,
    /// The mutant returns the same value.
    Same,
    /// The mutant returns another value.
    Value,
    /// The mutant does not return, but the original does.
    Crash,
}

impl Runs {
    /// Runs the original, and the listed mutants where it returns: a mutant is compared with nothing elsewhere.
    ///
    /// Where time is limited, all versions run on a few rows before any runs on more, so that the rows that are left when
    /// the time is up are the same for all; see [`Runs::whole`].
    ///
    /// # Errors
    /// When the machine fails.
    pub fn of(
        subject: &dyn Subject,
        mutants: &[usize],
        inputs: Inputs,
        jobs: &Jobs,
    ) -> Result<Runs, MachineFailure> {
        let signature = subject.signature();
        let mut original = Outcomes::new(signature);
        let mut ran = vec![Outcomes::new(signature); mutants.len()];
        let mut step = if subject.deadline().is_timed() { FIRST } else { inputs.len() };
        let mut start = 0;
        while start < inputs.len() {
            let rows = start..inputs.len().min(start + step);
            (start, step) = (rows.end, 4 * step);
            if subject.deadline().is_over() {
                original.skip(rows.len());
                ran.iter_mut().for_each(|mutant| mutant.skip(rows.len()));
                continue;
            }
            let part = inputs.only(signature, rows);
            let outcomes = subject.run(Version::Original, &part)?;
            let returned: Vec<usize> =
                (0..part.len()).filter(|&row| outcomes.is_returned(row)).collect();
            let (part, known) = match returned.len() == part.len() {
                true => (part, outcomes.clone()),
                false => {
                    let mut known = Outcomes::new(signature);
                    returned.iter().for_each(|&row| known.push(&outcomes, row));
                    (part.only(signature, returned.iter().copied()), known)
                }
            };
            let run = |(): &mut (), &number: &usize| {
                subject.run(Version::Mutant { number, original: &known }, &part)
            };
            let runs = jobs.try_map(mutants, 1, || (), run)?;
            for (ran, run) in ran.iter_mut().zip(&runs) {
                let mut place = 0;
                for row in 0..outcomes.len() {
                    if outcomes.is_returned(row) {
                        ran.push(run, place);
                        place += 1;
                    } else {
                        ran.skip(1);
                    }
                }
            }
            original.extend(&outcomes);
        }
        Ok(Runs { inputs, original, mutants: ran })
    }

    /// The rows on which all versions were run that had to be.
    pub fn whole(&self) -> Vec<usize> {
        let is_whole = |row: &usize| {
            let row = *row;
            self.original.is_run(row)
                && (!self.original.is_returned(row) || self.mutants.iter().all(|m| m.is_run(row)))
        };
        (0..self.inputs.len()).filter(is_whole).collect()
    }

    /// Some of the rows.
    #[must_use]
    pub fn rows(&self, signature: &Signature, rows: &[usize]) -> Runs {
        let some = |outcomes: &Outcomes| {
            let mut some = Outcomes::new(signature);
            rows.iter().for_each(|&row| some.push(outcomes, row));
            some
        };
        Runs {
            inputs: self.inputs.only(signature, rows.iter().copied()),
            original: some(&self.original),
            mutants: self.mutants.iter().map(some).collect(),
        }
    }

    /// Appends the runs of the same versions on further inputs.
    pub fn append(&mut self, more: &Runs) {
        for row in 0..more.inputs.len() {
            self.inputs.push(&more.inputs.row(row).collect::<Vec<_>>());
        }
        self.original.extend(&more.original);
        for (mutant, more) in self.mutants.iter_mut().zip(&more.mutants) {
            mutant.extend(more);
        }
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
    if !original.is_returned(row) || !mutant.is_run(row) {
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
