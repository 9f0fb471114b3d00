//! What a version of a function did on many inputs, by columns.

use std::fmt;

use genmorph_jit::{Column, Value};

use super::batch::value;
use super::signature::Signature;
use super::thrown::Thrown;

/// How a call ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// It returned; the values are in the columns.
    Returned,
    /// It trapped, or panicked in Rust.
    Trapped(Trap),
    /// It threw an exception.
    Threw(Thrown),
    /// It used more fuel than it was given: it loops, or nearly so.
    OutOfFuel,
    /// It asked for more memory than it may have.
    OutOfMemory,
    /// It called too deeply.
    OutOfStack,
    /// It returned something that is not a value of its type: a pointer out of bounds, a text that is not UTF-8, a number
    /// that is not a character.
    BadOutput,
    /// It ended the process that it ran in, or wanted to.
    Exited,
    /// It got nowhere, in code that takes no fuel, and was stopped by the clock.
    Hung,
    /// It brought down the process that it ran in, or left threads behind.
    Crashed,
    /// It was not called, or not to its end, because the time was up: nothing is known of it.
    NotRun,
}

/// Why a call trapped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Trap {
    /// `unreachable`: an assertion, a panic or an abort.
    Unreachable,
    /// Memory out of bounds.
    Memory,
    /// An integer divided by zero.
    DivisionByZero,
    /// An integer division or conversion that overflows.
    Overflow,
    /// A NaN converted to an integer.
    NotANumber,
    /// An indirect call or table access that is not possible.
    Table,
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Outcome::Threw(exception) => return write!(f, "threw {exception}"),
            Outcome::Returned => "returned",
            Outcome::Trapped(Trap::Unreachable) => "reached unreachable code (a panic or an abort)",
            Outcome::Trapped(Trap::Memory) => "accessed memory out of bounds",
            Outcome::Trapped(Trap::DivisionByZero) => "divided an integer by zero",
            Outcome::Trapped(Trap::Overflow) => "overflowed an integer",
            Outcome::Trapped(Trap::NotANumber) => "converted NaN to an integer",
            Outcome::Trapped(Trap::Table) => "called through a table what is not there",
            Outcome::OutOfFuel => "ran out of fuel (an endless loop?)",
            Outcome::OutOfMemory => "ran out of memory",
            Outcome::OutOfStack => "called too deeply",
            Outcome::BadOutput => "returned what is no value of its type",
            Outcome::Exited => "ended the process",
            Outcome::Hung => "got nowhere and was stopped",
            Outcome::Crashed => "brought down the process, or left threads behind",
            Outcome::NotRun => "was not run: the time was up",
        })
    }
}

/// 2^53: from here on an f64 may stand for several integers.
const BEYOND: f64 = 9_007_199_254_740_992.0;

/// The outcomes of a run: one per row of its inputs.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcomes {
    outcomes: Vec<Outcome>,
    /// A column per output; rows that did not return have 0, false or nothing.
    columns: Vec<Column>,
    /// The fuel that each call used.
    fuel: Vec<u64>,
    /// The columns of 64-bit integers.
    wide: Vec<usize>,
}

impl Outcomes {
    /// Without rows, for the outputs of a function.
    pub fn new(signature: &Signature) -> Outcomes {
        let outputs = signature.outputs();
        let columns = outputs.iter().map(|(_, ty)| Column::empty(ty.kind().ty())).collect();
        let is_wide = |&i: &usize| outputs[i].1.scalar().is_wide();
        let wide = (0..outputs.len()).filter(is_wide).collect();
        Outcomes { outcomes: Vec::new(), columns, fuel: Vec::new(), wide }
    }

    /// With this many rows that were not run.
    pub fn not_run(signature: &Signature, rows: usize) -> Outcomes {
        let mut outcomes = Outcomes::new(signature);
        outcomes.skip(rows);
        outcomes
    }

    /// Appends rows that were not run.
    pub fn skip(&mut self, rows: usize) {
        (0..rows).for_each(|_| self.failed(Outcome::NotRun, 0));
    }

    /// Appends a call that returned.
    ///
    /// # Panics
    /// If the values are not of the types of the outputs.
    pub fn returned(&mut self, values: &[Value<'_>], fuel: u64) {
        assert_eq!(values.len(), self.columns.len(), "a value for every output");
        for (column, value) in self.columns.iter_mut().zip(values) {
            column.push(value);
        }
        self.outcomes.push(Outcome::Returned);
        self.fuel.push(fuel);
    }

    /// Appends a call that did not return.
    pub fn failed(&mut self, outcome: Outcome, fuel: u64) {
        debug_assert_ne!(outcome, Outcome::Returned);
        for column in &mut self.columns {
            match column {
                Column::Num(values) => values.push(0.0),
                Column::Bool(values) => values.push(false),
                Column::Seq(values) => values.push([]),
            }
        }
        self.outcomes.push(outcome);
        self.fuel.push(fuel);
    }

    /// Appends the rows of other calls of the same function.
    pub fn extend(&mut self, other: &Outcomes) {
        (0..other.len()).for_each(|row| self.push(other, row));
    }

    /// Appends a row of other calls of the same function.
    pub fn push(&mut self, other: &Outcomes, row: usize) {
        let fuel = other.fuel[row];
        match other.outcomes[row] {
            Outcome::Returned => self.returned(&other.row(row).collect::<Vec<_>>(), fuel),
            failure => self.failed(failure, fuel),
        }
    }

    /// The number of rows.
    pub fn len(&self) -> usize {
        self.outcomes.len()
    }

    /// Whether it has no rows.
    pub fn is_empty(&self) -> bool {
        self.outcomes.is_empty()
    }

    /// How each call ended.
    pub fn outcomes(&self) -> &[Outcome] {
        &self.outcomes
    }

    /// Whether the call of a row returned.
    pub fn is_returned(&self, row: usize) -> bool {
        self.outcomes[row] == Outcome::Returned
    }

    /// Whether a row was run, and to its end.
    pub fn is_run(&self, row: usize) -> bool {
        self.outcomes[row] != Outcome::NotRun
    }

    /// Whether the call of a row returned, and every 64-bit integer that it returned is below 2^53 in magnitude: relations
    /// compute with 64-bit floats, and larger ones are rounded on the way.
    pub fn is_exact(&self, row: usize) -> bool {
        let is_small = |number: f64| number.abs() < BEYOND;
        self.is_returned(row)
            && self.wide.iter().all(|&i| match &self.columns[i] {
                Column::Num(values) => is_small(values[row]),
                Column::Bool(_) => true,
                Column::Seq(values) => values.get(row).iter().all(|&element| is_small(element)),
            })
    }

    /// The fuel of every call.
    pub fn fuel(&self) -> &[u64] {
        &self.fuel
    }

    /// The columns, in the order of the outputs.
    pub fn columns(&self) -> &[Column] {
        &self.columns
    }

    /// The outputs of a row.
    pub fn row(&self, row: usize) -> impl Iterator<Item = Value<'_>> {
        self.columns.iter().map(move |column| value(column, row))
    }
}
