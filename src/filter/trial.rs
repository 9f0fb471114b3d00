//! Source inputs run together with their follow-ups: a row for every pair on which the function returns twice.
//!
//! Rows are spread over threads and come back in their order. Knows nothing of where inputs come from.

use std::borrow::Cow;

use genmorph_jit::{Column, Predicate, Schema, Table, Tolerance, Value, Var};

use super::drawn::numbers;
use super::tried;
use crate::inputs::{Row, key};
use crate::record::search::TriedInput;
use crate::subject::kinds::Interface;
use crate::subject::{Inputs, MachineFailure, Outcomes, Signature, Subject, Traces, Version};
use crate::support::threads::Jobs;
use crate::transform::Transform;

/// Parts that go to threads.
const PARTS: usize = 8;
/// The fewest rows of a part: fewer are not worth a thread.
const SMALLEST: usize = 64;
/// The fuel of a call that counts for one. A guess; a dear call must count for many.
const FUEL: u64 = 1_024;

/// A function, a transformation, and when numbers are equal: what relations are tried on.
#[derive(Clone)]
pub(super) struct Ground<'g> {
    pub(super) subject: &'g dyn Subject,
    pub(super) transform: &'g Transform,
    pub(super) tolerance: Tolerance,
    pub(super) jobs: &'g Jobs,
    pub(super) signature: Interface,
    pub(super) schema: Schema,
}

/// A source input and its follow-up, with the outputs. Two are equal if all values are; NaN is equal to itself.
#[derive(Clone, Debug)]
pub struct Pair {
    /// The inputs of the source execution.
    pub source: Vec<Value<'static>>,
    /// What the function returns on the source inputs.
    pub source_outputs: Vec<Value<'static>>,
    /// The inputs of the follow-up execution.
    pub follow_up: Vec<Value<'static>>,
    /// What the function returns on the follow-up inputs.
    pub follow_up_outputs: Vec<Value<'static>>,
}

impl PartialEq for Pair {
    fn eq(&self, other: &Pair) -> bool {
        let sides = |pair: &Pair| {
            let Pair { source, source_outputs, follow_up, follow_up_outputs } = pair;
            [source, source_outputs, follow_up, follow_up_outputs].map(|values| key(values))
        };
        sides(self) == sides(other)
    }
}

/// What the function did on some source inputs and their follow-ups.
pub(super) struct Trial {
    /// A row for each pair on which it returns twice, over the variables of relations.
    columns: Vec<Column>,
    /// How many pairs on which it returns twice have no row: an output is a 64-bit integer of 2^53 or more in magnitude.
    pub(super) beyond: usize,
    /// The values of the inputs of these rows.
    pub(super) tried: Vec<TriedInput>,
    /// For each of these rows, the row of its source input.
    pub(super) sources: Vec<usize>,
    /// What the calls cost: one for each, more for one that uses much fuel.
    pub(super) effort: usize,
    /// Whether the time was up before all rows were run.
    pub(super) is_cut: bool,
    /// How often sources and follow-ups took each side of a branch, for each of the source inputs; empty unless it was
    /// asked for.
    pub(super) hits: Vec<Vec<bool>>,
}

/// Whether branches are watched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Watched {
    No,
    Yes,
}

/// What one part of the inputs did.
struct Part {
    follow_ups: Inputs,
    source_rows: Vec<usize>,
    at_source: Outcomes,
    at_follow_up: Outcomes,
    hits: Vec<Vec<bool>>,
}

impl<'g> Ground<'g> {
    pub(super) fn new(
        subject: &'g dyn Subject,
        transform: &'g Transform,
        tolerance: Tolerance,
        jobs: &'g Jobs,
    ) -> Ground<'g> {
        let signature = subject.signature().of_executions();
        let schema = signature.schema().expect("names were checked with the signature");
        Ground { subject, transform, tolerance, jobs, signature, schema }
    }

    /// Runs the function on source inputs and on their follow-ups.
    pub(super) fn run(&self, sources: &Inputs, watched: Watched) -> Result<Trial, MachineFailure> {
        self.run_known(sources, None, watched)
    }

    /// The same, where it may be known what the function does on the source inputs.
    pub(super) fn run_known(
        &self,
        sources: &Inputs,
        known: Option<&Outcomes>,
        watched: Watched,
    ) -> Result<Trial, MachineFailure> {
        let count = sources.len();
        let step = count.div_ceil(PARTS).max(SMALLEST);
        let places: Vec<usize> = (0..count).step_by(step).collect();
        let part = |(): &mut (), &start: &usize| {
            let mut some = Inputs::new(self.subject.signature());
            for row in start..count.min(start + step) {
                some.push(&sources.row(row).collect::<Vec<_>>());
            }
            let known = known.map(|known| {
                let mut outcomes = Outcomes::new(self.subject.signature());
                (start..start + some.len()).for_each(|row| outcomes.push(known, row));
                outcomes
            });
            let part = self.part(&some, known, watched)?;
            Ok((start, some, part))
        };
        let parts = self.jobs.try_map(&places, 1, || (), part)?;
        let empty = self.schema.iter().map(|(_, _, ty)| Column::empty(ty));
        let mut trial = Trial {
            columns: empty.collect(),
            tried: tried::nothing(&self.signature),
            beyond: 0,
            sources: Vec::new(),
            effort: 0,
            is_cut: false,
            hits: Vec::new(),
        };
        for (start, some, part) in parts {
            trial.add(&self.signature, start, &some, part);
        }
        Ok(trial)
    }

    fn part(
        &self,
        sources: &Inputs,
        known: Option<Outcomes>,
        watched: Watched,
    ) -> Result<Part, MachineFailure> {
        let signature = self.subject.signature();
        // What is outside of the condition on inputs makes no pair, however it came about.
        let inside = |&row: &usize| signature.satisfied_by(&sources.row(row).collect::<Vec<_>>());
        let kept: Vec<usize> = match signature.condition {
            Some(_) => (0..sources.len()).filter(inside).collect(),
            None => (0..sources.len()).collect(),
        };
        let (follow_ups, mut source_rows) = match kept.len() == sources.len() {
            true => self.transform.follow_ups(sources, signature),
            false => {
                let some = sources.only(signature, kept.iter().copied());
                self.transform.follow_ups(&some, signature)
            }
        };
        source_rows.iter_mut().for_each(|row| *row = kept[*row]);
        if watched == Watched::No {
            let run = |inputs: &Inputs| self.subject.run(Version::Original, inputs);
            let at_source = known.map_or_else(|| run(sources), Ok)?;
            let at_follow_up = match self.transform.together() {
                Some(_) => some_of(signature, &at_source, &source_rows),
                None => run(&follow_ups)?,
            };
            let hits = Vec::new();
            return Ok(Part { follow_ups, source_rows, at_source, at_follow_up, hits });
        }
        let source = self.subject.trace(sources)?;
        let follow_up = match self.transform.together() {
            Some(_) => source.only(signature, &source_rows),
            None => self.subject.trace(&follow_ups)?,
        };
        let taken = |traces: &Traces, row: usize| -> Vec<bool> {
            traces.hits(row).iter().map(|&hits| hits > 0).collect()
        };
        let mut hits: Vec<Vec<bool>> = (0..sources.len()).map(|row| taken(&source, row)).collect();
        for (row, &from) in source_rows.iter().enumerate() {
            let more = taken(&follow_up, row);
            hits[from].iter_mut().zip(more).for_each(|(hit, more)| *hit |= more);
        }
        let (at_source, at_follow_up) = (source.outcomes, follow_up.outcomes);
        Ok(Part { follow_ups, source_rows, at_source, at_follow_up, hits })
    }

    /// Whether a relation is false on a pair of inputs that begins with this source, and which pairs these are.
    pub(super) fn false_on(
        &self,
        relation: &Predicate,
        rows: &[Row],
    ) -> Result<Vec<Option<Pair>>, MachineFailure> {
        let inputs = Inputs::from_rows(self.subject.signature(), rows.iter().map(Vec::as_slice));
        let trial = self.run(&inputs, Watched::No)?;
        let mut found: Vec<Option<Pair>> = vec![None; rows.len()];
        if let Some(table) = trial.table(self) {
            for (place, &row) in trial.sources.iter().enumerate() {
                if !genmorph_jit::engine::reference::holds(relation, &table, place) {
                    found[row] = Some(self.pair(&trial, place));
                }
            }
        }
        Ok(found)
    }

    /// The pair of a row.
    pub(super) fn pair(&self, trial: &Trial, row: usize) -> Pair {
        let values = (0..trial.columns.len()).map(|var| owned(trial.value(Var(var as u16), row)));
        self.paired(values)
    }

    /// A pair from the values of all variables.
    pub(super) fn paired(&self, mut values: impl Iterator<Item = Value<'static>>) -> Pair {
        let (inputs, outputs) = (self.signature.inputs.len(), self.signature.outputs.len());
        let mut take = |count: usize| values.by_ref().take(count).collect();
        Pair {
            source: take(inputs),
            source_outputs: take(outputs),
            follow_up: take(inputs),
            follow_up_outputs: take(outputs),
        }
    }
}

impl Trial {
    fn add(&mut self, signature: &Interface, start: usize, sources: &Inputs, part: Part) {
        let Part { follow_ups, source_rows, at_source, at_follow_up, hits } = part;
        for (follow_up, &source) in source_rows.iter().enumerate() {
            if !at_source.is_returned(source) || !at_follow_up.is_returned(follow_up) {
                continue;
            }
            if !at_source.is_exact(source) || !at_follow_up.is_exact(follow_up) {
                self.beyond += 1;
                continue;
            }
            tried::add(&mut self.tried, signature, sources.row(source));
            tried::add(&mut self.tried, signature, follow_ups.row(follow_up));
            let source_values = sources.row(source).chain(at_source.row(source));
            let values = follow_ups.row(follow_up).chain(at_follow_up.row(follow_up));
            for (column, value) in self.columns.iter_mut().zip(source_values.chain(values)) {
                column.push(&value);
            }
            self.sources.push(start + source);
        }
        let is_run = |outcomes: &Outcomes| (0..outcomes.len()).all(|row| outcomes.is_run(row));
        self.is_cut |= !is_run(&at_source) || !is_run(&at_follow_up);
        let fuel = at_source.fuel().iter().chain(at_follow_up.fuel());
        self.effort += fuel.map(|fuel| 1 + (fuel / FUEL) as usize).sum::<usize>();
        self.hits.extend(hits);
    }

    /// How many pairs there are.
    pub(super) fn rows(&self) -> usize {
        self.sources.len()
    }

    /// How many numbers these are, elements of sequences included.
    pub(super) fn numbers(&self) -> usize {
        numbers(&self.columns)
    }

    /// The value of a variable on a row.
    pub(super) fn value(&self, var: Var, row: usize) -> Value<'_> {
        match &self.columns[var.index()] {
            Column::Num(values) => Value::Num(values[row]),
            Column::Bool(values) => Value::Bool(values[row]),
            Column::Seq(values) => Value::Seq(Cow::Borrowed(values.get(row))),
        }
    }

    /// The rows as the core takes them; none if there are no rows.
    pub(super) fn table(&self, ground: &Ground<'_>) -> Option<Table> {
        (self.rows() > 0).then(|| ground.table(self.columns.clone()))
    }

    /// The same, when the rows are not needed any more.
    pub(super) fn into_table(self, ground: &Ground<'_>) -> Option<Table> {
        (self.rows() > 0).then(|| ground.table(self.columns))
    }
}

impl Ground<'_> {
    fn table(&self, columns: Vec<Column>) -> Table {
        Table::new(&self.schema, columns, self.tolerance)
            .expect("columns of equal length, of the types of the schema")
    }
}

/// The outcomes of some of the rows.
fn some_of(signature: &Signature, outcomes: &Outcomes, rows: &[usize]) -> Outcomes {
    let mut some = Outcomes::new(signature);
    rows.iter().for_each(|&row| some.push(outcomes, row));
    some
}

/// A value that borrows nothing.
pub(super) fn owned(value: Value<'_>) -> Value<'static> {
    match value {
        Value::Num(number) => Value::Num(number),
        Value::Bool(truth) => Value::Bool(truth),
        Value::Seq(elements) => Value::Seq(elements.into_owned().into()),
    }
}
