//! Executions of a function and of its mutants, paired and labelled: what evolution works on.
//!
//! The waist of genmorph. The rooms before it run subjects and read files; the rooms after it are pure and
//! can be repeated from a file: `file/FORMAT.md` says what is in one.

pub mod file;
mod kills;
pub mod live;
pub mod power;
pub mod recorded;
mod rows;
mod sample;

use std::sync::Arc;

use genmorph_jit::{Column, Table, Tolerance};

pub use self::file::{
    ExecutionsFile, ExistingFile, Problem, ReadError, Warning, WriteError, check_target,
};
pub use self::kills::Kills;
pub(crate) use self::rows::identity;
pub use self::rows::{CorrectAsIncorrect, Rows};
pub use self::sample::Limits;

use crate::subject::kinds::Interface;
use crate::transform::Transformation;

/// The group of the table that holds executions of the original.
pub const CORRECT: usize = 0;

/// The group of the table that holds executions of mutants.
pub const INCORRECT: usize = 1;

/// Pairs of executions, source and follow-up, of the original and of mutants.
#[derive(Clone, Debug)]
pub struct Executions {
    /// Name, inputs and outputs of the function.
    pub signature: Interface,
    /// The transformation that makes follow-up inputs from source inputs.
    pub transformation: Transformation,
    /// One row per pair, in the groups [`CORRECT`] and [`INCORRECT`], over [`Interface::schema`].
    pub table: Arc<Table>,
    /// The names of the mutants that have rows.
    pub mutants: Vec<String>,
    /// For every row of the group [`INCORRECT`]: the index of its mutant.
    pub row_mutants: Vec<u32>,
    /// Where several mutants give the same row: the mutants besides the one in `row_mutants`, as pairs of the
    /// row in the group [`INCORRECT`] and the mutant, sorted.
    pub also: Vec<(u32, u32)>,
    /// The seed with which the rows were sampled.
    pub seed: u64,
}

impl Executions {
    /// A sample with at most as many rows of each group as the limits say. The same seed gives the same rows.
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

    /// The same rows, with another tolerance for equal numbers.
    pub fn with_tolerance(&self, tolerance: Tolerance) -> Executions {
        if tolerance == *self.table.tolerance() {
            return self.clone();
        }
        self.rows()
            .into_executions(&self.signature, &self.transformation, tolerance, self.seed)
            .expect("the same rows are a table")
    }

    /// The same rows without the mutants' rows on which a test is false, by their place in the group [`INCORRECT`].
    pub fn retaining(&self, keeps: impl Fn(usize) -> bool) -> Executions {
        self.rows()
            .retaining(keeps)
            .into_executions(
                &self.signature,
                &self.transformation,
                *self.table.tolerance(),
                self.seed,
            )
            .expect("fewer rows of the same columns are a table")
    }

    /// Number of rows in a group.
    pub fn count(&self, group: usize) -> usize {
        self.table.layout().groups()[group].rows
    }

    /// Copies the rows out of the table.
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
