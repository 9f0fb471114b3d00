//! Runs a version on rows, whatever the version does to the worker.
//!
//! When a worker dies, its rows are run once more, one by one as far as replies go: the row without a reply is the one that
//! kills. Knows nothing of where versions come from.

use std::ops::Range;

use genmorph_jit::Value;

use super::pool::Pool;
use super::protocol::{End, Reply, Request, Values};
use super::worker::{Death, Worker};
use crate::subject::frame::frames;
use crate::subject::{Inputs, MachineFailure, Outcome, Outcomes, Signature, Thrown, Trap};

/// What a call of the original may spend, and any call at most.
pub(super) const MOST_FUEL: u64 = 10_000_000;
/// After so many rows that killed a worker, the others are taken to do the same.
const MOST_DEATHS: usize = 3;

/// A version, and what it needs.
pub(super) struct Job<'j> {
    pub(super) pool: &'j Pool,
    pub(super) signature: &'j Signature,
    /// The kinds of the parameters, and of the outputs.
    pub(super) kinds: (&'j [u8], &'j [u8]),
    /// 0 is the original.
    pub(super) mutant: u32,
    /// How many sides of branches are recorded.
    pub(super) sides: usize,
    /// The optional parameters that are `None`.
    pub(super) absent: u32,
    /// Whether a worker is needed that has run nothing yet.
    pub(super) is_fresh: bool,
}

/// What a version did.
pub(super) struct Record {
    pub(super) outcomes: Outcomes,
    pub(super) hits: Vec<u32>,
    pub(super) distances: Vec<f64>,
}

impl Job<'_> {
    /// Runs all rows, each with its own fuel.
    ///
    /// # Errors
    /// When no worker can be started any more.
    pub(super) fn run(
        &self,
        inputs: &Inputs,
        fuel: &dyn Fn(usize) -> u64,
    ) -> Result<Record, MachineFailure> {
        let record = Record {
            outcomes: Outcomes::new(self.signature),
            hits: Vec::new(),
            distances: Vec::new(),
        };
        let mut progress = Progress {
            job: self,
            inputs,
            fuel,
            worker: None,
            record,
            deaths: 0,
            last: Outcome::Crashed,
        };
        for batch in frames(inputs, 8 + 12 * self.sides) {
            progress.rows(batch)?;
        }
        if let Some(worker) = progress.worker.take() {
            self.pool.give_back(worker);
        }
        Ok(progress.record)
    }
}

struct Progress<'p> {
    job: &'p Job<'p>,
    inputs: &'p Inputs,
    fuel: &'p dyn Fn(usize) -> u64,
    worker: Option<Worker>,
    record: Record,
    /// How many rows have killed a worker.
    deaths: usize,
    /// What the last of them did.
    last: Outcome,
}

impl Progress<'_> {
    /// Runs rows that come next, in their order.
    fn rows(&mut self, mut rows: Range<usize>) -> Result<(), MachineFailure> {
        let mut is_careful = false;
        while !rows.is_empty() {
            if self.deaths >= MOST_DEATHS {
                rows.clone().for_each(|_| self.fail(self.last, 0));
                return Ok(());
            }
            let (done, death) = self.attempt(rows.clone(), is_careful)?;
            rows.start += done;
            if let Some(death) = death {
                if is_careful {
                    self.deaths += 1;
                    self.last = outcome(death);
                    self.fail(self.last, 0);
                    rows.start += 1;
                }
                is_careful = true;
            }
        }
        Ok(())
    }

    /// How many rows are done, and how the worker died if it did.
    fn attempt(
        &mut self,
        rows: Range<usize>,
        is_careful: bool,
    ) -> Result<(usize, Option<Death>), MachineFailure> {
        let job = self.job;
        let mut worker = match self.worker.take() {
            Some(worker) => worker,
            None if job.is_fresh => job.pool.fresh()?,
            None => job.pool.take()?,
        };
        let request = Request {
            mutant: job.mutant,
            is_careful,
            sides: job.sides,
            absent: job.absent,
            kinds: job.kinds.0,
            columns: self.inputs.columns(),
            rows: rows.clone(),
        };
        if let Err(death) = worker.send(&request.frame(self.fuel)) {
            return Ok((0, Some(death)));
        }
        let mut done = 0;
        while done < rows.len() {
            let reply = worker.receive().and_then(|body| {
                Reply::parse(&body, job.kinds.1, job.sides).map_err(|_| Death::Crashed)
            });
            match reply {
                Ok(reply) if !reply.ends.is_empty() && done + reply.ends.len() <= rows.len() => {
                    done += reply.ends.len();
                    self.append(&reply);
                }
                Ok(_) => return Ok((done, Some(Death::Crashed))),
                Err(death) => return Ok((done, Some(death))),
            }
        }
        self.worker = Some(worker);
        Ok((done, None))
    }

    fn append(&mut self, reply: &Reply) {
        let mut values: Vec<Value<'_>> = Vec::with_capacity(reply.columns.len());
        for (row, end) in reply.ends.iter().enumerate() {
            let spent = reply.spent[row];
            let outcome = match end {
                End::Returned => {
                    values.clear();
                    values.extend(reply.columns.iter().map(|column| value(column, row)));
                    self.record.outcomes.returned(&values, spent);
                    continue;
                }
                // What WebAssembly has for it.
                End::Panicked => Outcome::Trapped(Trap::Unreachable),
                End::Fuel => Outcome::OutOfFuel,
                End::Stack => Outcome::OutOfStack,
                End::None => Outcome::Threw(Thrown::new("None")),
                End::Err => Outcome::Threw(Thrown::new("Err")),
            };
            self.record.outcomes.failed(outcome, spent);
        }
        self.record.hits.extend_from_slice(&reply.hits);
        self.record.distances.extend_from_slice(&reply.distances);
    }

    fn fail(&mut self, outcome: Outcome, spent: u64) {
        self.record.outcomes.failed(outcome, spent);
        let sides = self.job.sides;
        self.record.hits.resize(self.record.hits.len() + sides, 0);
        self.record.distances.resize(self.record.distances.len() + sides, f64::INFINITY);
    }
}

fn value(column: &Values, row: usize) -> Value<'_> {
    match column {
        Values::Numbers(values) => Value::Num(values[row]),
        Values::Truths(values) => Value::Bool(values[row]),
        Values::Sequences(ends, elements) => {
            let start = if row == 0 { 0 } else { ends[row - 1] };
            Value::Seq((&elements[start..ends[row]]).into())
        }
    }
}

fn outcome(death: Death) -> Outcome {
    match death {
        Death::Exited => Outcome::Exited,
        Death::Crashed => Outcome::Crashed,
        Death::Memory => Outcome::OutOfMemory,
        Death::Stack => Outcome::OutOfStack,
        Death::Hung => Outcome::Hung,
    }
}
