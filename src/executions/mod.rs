//! Executions of a function and of its mutants, paired and labelled: what evolution works on.
//!
//! The waist of genmorph. Left of it everything touches the world; right of it everything is pure,
//! and can be repeated from a file: `file/FORMAT.md` says what is in one.

pub mod file;
mod kills;
pub mod live;
pub mod power;
pub mod recorded;
mod rows;
mod sample;

use std::sync::Arc;

use genmorph_jit::{Column, Table, Tolerance};

pub use self::file::{Existing, Problem, ReadError, Reading, Warning, WriteError, check_target};
pub use self::kills::Kills;
pub(crate) use self::rows::identity;
pub use self::rows::{CorrectAsIncorrect, Rows};
pub use self::sample::Limits;

use crate::subject::kinds::Signature;
use crate::transform::Transformation;

/// The group of the table that holds executions of the original.
pub const CORRECT: usize = 0;

/// The group of the table that holds executions of mutants.
pub const INCORRECT: usize = 1;

/// Pairs of executions, source and follow-up, of the original and of mutants.
#[derive(Clone, Debug)]
pub struct Executions {
    /// What the function takes and gives.
    pub signature: Signature,
    /// How follow-up inputs are made.
    pub transformation: Transformation,
    /// One row per pair, in the groups [`CORRECT`] and [`INCORRECT`], over [`Signature::schema`].
    pub table: Arc<Table>,
    /// The names of the mutants that have rows.
    pub mutants: Vec<String>,
    /// For every row of the group [`INCORRECT`]: the index of its mutant.
    pub row_mutants: Vec<u32>,
    /// Where several mutants show the same row, those besides the one in `row_mutants`: row of the
    /// group [`INCORRECT`] and mutant, in order.
    pub also: Vec<(u32, u32)>,
    /// The seed with which the rows were sampled.
    pub seed: u64,
}

impl Executions {
    /// At most so many rows of each group, chosen by a seed: the same ones every time.
    pub fn sampled(&self, limits: Limits, seed: u64) -> Executions {
        let rows = |group: usize| self.table.layout().groups()[group].rows;
        if rows(CORRECT) <= limits.correct && rows(INCORRECT) <= limits.incorrect {
            return Executions { seed, ..self.clone() };
        }
        self.rows()
            .sampled(limits, seed)
            .into_executions(&self.signature, &self.transformation, *self.table.tolerance(), seed)
            .expect("fewer rows of the same columns are a table")
    }

    /// The same rows under another equality of numbers.
    pub fn with_tolerance(&self, tolerance: Tolerance) -> Executions {
        if tolerance == *self.table.tolerance() {
            return self.clone();
        }
        self.rows()
            .into_executions(&self.signature, &self.transformation, tolerance, self.seed)
            .expect("the same rows are a table")
    }

    /// How many rows a group has.
    pub fn count(&self, group: usize) -> usize {
        self.table.layout().groups()[group].rows
    }

    /// The rows, taken out of the table.
    fn rows(&self) -> Rows {
        let columns = self.table.schema().iter().map(|(var, _, ty)| {
            let mut column = Column::empty(ty);
            for row in 0..self.table.rows() {
                column.push(&self.table.value(var, row));
            }
            column
        });
        Rows::from_parts(columns.collect(), self)
    }
}
