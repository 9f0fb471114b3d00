//! Counts which branch sides a set of inputs takes.

use std::fmt;

use crate::subject::{Branch, Inputs, MachineFailure, Subject, Traces};

/// The branches of a function, and which sides of them were taken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Coverage {
    /// All branches of the function.
    pub branches: Vec<Branch>,
    /// For each branch, how many inputs took its false and its true side.
    pub taken: Vec<[usize; 2]>,
    /// Number of sides that only calls with null take.
    pub by_null: usize,
}

impl Coverage {
    /// Counts the sides taken by the calls that were traced, and by calls with null in place of one value.
    pub(super) fn of(
        subject: &dyn Subject,
        inputs: &Inputs,
        traces: &Traces,
    ) -> Result<Coverage, MachineFailure> {
        let branches = subject.branches();
        let blank = vec![[0; 2]; branches.len()];
        let mut coverage = Coverage { branches: branches.to_vec(), taken: blank, by_null: 0 };
        coverage.count(traces);
        if let Some(asides) = subject.asides(inputs, subject.deadline())? {
            let before = coverage.covered();
            coverage.count(&asides);
            coverage.by_null = coverage.covered() - before;
        }
        Ok(coverage)
    }

    fn count(&mut self, traces: &Traces) {
        for row in 0..traces.outcomes.len() {
            let sides = self.taken.iter_mut().flatten();
            for (inputs, &hits) in sides.zip(traces.hits(row)) {
                *inputs += usize::from(hits > 0);
            }
        }
    }

    /// Number of branch sides: two per branch.
    pub fn sides(&self) -> usize {
        2 * self.branches.len()
    }

    /// Number of sides that at least one input takes.
    pub fn covered(&self) -> usize {
        self.taken.iter().flatten().filter(|&&inputs| inputs > 0).count()
    }

    /// Sides that no input takes: the branch, and the value of its condition.
    pub fn missing(&self) -> impl Iterator<Item = (&Branch, bool)> {
        let sides = |(branch, taken): (_, &[usize; 2])| {
            let [never_false, never_true] = taken.map(|inputs| inputs == 0);
            [(never_false, (branch, false)), (never_true, (branch, true))]
        };
        self.branches
            .iter()
            .zip(&self.taken)
            .flat_map(sides)
            .filter_map(|(never, side)| never.then_some(side))
    }
}

/// How many missing sides a summary lists by name.
const NAMED: usize = 8;

impl fmt::Display for Coverage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.branches.is_empty() {
            return f.write_str("the function has no branches");
        }
        write!(f, "{} of {} branch sides covered", self.covered(), self.sides())?;
        if self.by_null > 0 {
            write!(f, " ({} by null only)", self.by_null)?;
        }
        let missing: Vec<_> = self.missing().collect();
        for (i, (branch, side)) in missing.iter().take(NAMED).enumerate() {
            f.write_str(if i == 0 { "; not covered: " } else { ", " })?;
            write!(f, "{side} in {}", branch.function)?;
            match &branch.line {
                Some(line) => write!(f, " at {line}")?,
                None => write!(f, " at offset {:#x}", branch.offset)?,
            }
        }
        match missing.len().saturating_sub(NAMED) {
            0 => Ok(()),
            more => write!(f, ", and {more} more"),
        }
    }
}
