//! Outcomes of the original and of some mutants on the same inputs.

use genmorph_jit::{Column, Tolerance};

use crate::subject::{Inputs, MachineFailure, Outcomes, Signature, Subject, Version};
use crate::support::threads::Jobs;

/// Mutants that show how long one takes.
const PILOTS: usize = 8;
/// The part of the time that is left for which rows are planned: the next mutants may take longer.
const MARGIN: f64 = 0.7;
/// Rows that mutants are run on, at least.
const FEWEST: usize = 100;
/// Rows that tell about as much of a mutant as more would.
const TELLING: usize = 300;

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
    /// Where time is limited, a few mutants show how long one takes; if that is too long for all of them, the others run on fewer
    /// rows. What is not run is told by [`Runs::whole`].
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
        let original = subject.run(Version::Original, &inputs)?;
        let returned: Vec<usize> =
            (0..inputs.len()).filter(|&row| original.is_returned(row)).collect();
        let run = |numbers: &[usize], rows: &[usize]| {
            let part = inputs.only(signature, rows.iter().copied());
            let mut known = Outcomes::new(signature);
            rows.iter().for_each(|&row| known.push(&original, row));
            let each = |(): &mut (), &number: &usize| {
                let ran = subject.run(Version::Mutant { number, original: &known }, &part)?;
                let mut all = Outcomes::new(signature);
                let mut next = 0;
                for row in 0..inputs.len() {
                    if rows.get(next) == Some(&row) {
                        all.push(&ran, next);
                        next += 1;
                    } else {
                        all.skip(1);
                    }
                }
                Ok(all)
            };
            jobs.try_map(numbers, 1, || (), each)
        };
        let left = subject.deadline().left();
        let Some(before) = left.filter(|_| mutants.len() > 2 * PILOTS) else {
            let mutants = run(mutants, &returned)?;
            return Ok(Runs { inputs, original, mutants });
        };
        let step = mutants.len().div_ceil(PILOTS);
        let is_pilot = |place: &usize| place.is_multiple_of(step);
        let (first, rest): (Vec<usize>, Vec<usize>) = (0..mutants.len()).partition(is_pilot);
        let numbers = |places: &[usize]| places.iter().map(|&at| mutants[at]).collect::<Vec<_>>();
        let pilots = run(&numbers(&first), &returned)?;
        let left = subject.deadline().left().unwrap_or_default();
        let taken = before.saturating_sub(left).as_secs_f64();
        let needed = taken * rest.len() as f64 / first.len() as f64;
        let affordable = MARGIN * left.as_secs_f64() / needed.max(1e-9) * returned.len() as f64;
        let rows = (affordable as usize).max(FEWEST).min(returned.len());
        let others = run(&numbers(&rest), &returned[..rows])?;
        let (mut pilots, mut others) = (pilots.into_iter(), others.into_iter());
        let next = |place| if is_pilot(&place) { pilots.next() } else { others.next() };
        let mutants = (0..mutants.len()).filter_map(next).collect();
        Ok(Runs { inputs, original, mutants })
    }

    /// The places of mutants and the rows on which all of them were run where the original returns: all, unless the time was up. Then
    /// mutants are left out that were run on hardly any row, and rows on which one of the others was not.
    pub fn whole(&self) -> (Vec<usize>, Vec<usize>) {
        let runs: Vec<usize> =
            (0..self.inputs.len()).filter(|&row| self.original.is_run(row)).collect();
        let counts: Vec<usize> = self
            .mutants
            .iter()
            .map(|mutant| {
                let ran = |row: &&usize| self.original.is_returned(**row) && mutant.is_run(**row);
                runs.iter().filter(ran).count()
            })
            .collect();
        let worth = |least: usize| {
            let mutants = counts.iter().filter(|&&count| count >= least).count();
            mutants * least.min(TELLING)
        };
        let least = counts.iter().copied().max_by_key(|&least| (worth(least), least)).unwrap_or(0);
        let all = runs.iter().filter(|&&row| self.original.is_returned(row)).count();
        let is_kept = |place: &usize| counts[*place] == all || least > 0 && counts[*place] >= least;
        let kept: Vec<usize> = (0..counts.len()).filter(is_kept).collect();
        let is_whole = |row: &usize| {
            !self.original.is_returned(*row)
                || kept.iter().all(|&place| self.mutants[place].is_run(*row))
        };
        let rows = runs.into_iter().filter(is_whole).collect();
        (kept, rows)
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
