//! What a run of cases was worth: a fuzzer that tests nothing is noticed here.

use std::fmt;
use std::ops::AddAssign;

use crate::mask::Mask;

/// Where a relation held, by the word of the reference engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Verdict {
    /// There was no row to hold on.
    NoRows,
    /// The relation holds on no row.
    Never,
    /// On some rows and not on others: the cases that tell engines apart.
    Sometimes,
    /// The relation holds on every row.
    Always,
}

impl Verdict {
    /// The verdict of a mask.
    pub fn of(mask: &Mask) -> Verdict {
        match (mask.count_ones(), mask.layout().rows()) {
            (_, 0) => Verdict::NoRows,
            (0, _) => Verdict::Never,
            (held, rows) if held == rows => Verdict::Always,
            (_, _) => Verdict::Sometimes,
        }
    }
}

/// How many cases came to which verdict.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// The number of all cases.
    pub cases: u64,
    /// Cases that were [`Verdict::NoRows`].
    pub no_rows: u64,
    /// Cases that were [`Verdict::Never`].
    pub never: u64,
    /// Cases that were [`Verdict::Sometimes`].
    pub sometimes: u64,
    /// Cases that were [`Verdict::Always`].
    pub always: u64,
}

impl Tally {
    /// Counts one case with its verdict.
    pub fn add(&mut self, verdict: Verdict) {
        self.cases += 1;
        match verdict {
            Verdict::NoRows => self.no_rows += 1,
            Verdict::Never => self.never += 1,
            Verdict::Sometimes => self.sometimes += 1,
            Verdict::Always => self.always += 1,
        }
    }

    /// The share of cases that held on some rows and not on others.
    pub fn share_sometimes(&self) -> f64 {
        self.sometimes as f64 / self.cases.max(1) as f64
    }
}

impl AddAssign for Tally {
    fn add_assign(&mut self, other: Tally) {
        self.cases += other.cases;
        self.no_rows += other.no_rows;
        self.never += other.never;
        self.sometimes += other.sometimes;
        self.always += other.always;
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Tally { cases, no_rows, never, sometimes, always } = self;
        let share = 100.0 * self.share_sometimes();
        write!(
            f,
            "{cases} cases: {share:.1} % held on some rows ({sometimes} sometimes, {always} always, \
             {never} never, {no_rows} without rows)"
        )
    }
}
