//! Runs a version on rows, whatever the version does to its workers.
//!
//! When a worker dies, the row to blame is found by running fewer rows at a time, or by having every row answered at once: its
//! outcome is how the worker died. After a few such rows the others are taken to do the same. Knows nothing of languages
//! and of where versions come from.

use std::ops::Range;

use super::batches::batches;
use super::{Backend, Death, Pool};
use crate::subject::{Inputs, MachineFailure, Outcome, Outcomes, Signature};

/// After this many rows that killed a worker, the rest is taken to do the same.
const MOST_DEATHS: usize = 3;

/// What a version did on all rows.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::subject) struct Record {
    pub(in crate::subject) outcomes: Outcomes,
    /// For each row and side of a branch, how often it was taken.
    pub(in crate::subject) hits: Vec<u32>,
    /// For each row and side of a branch, how near the call came to it.
    pub(in crate::subject) distances: Vec<f64>,
}

impl Record {
    pub(in crate::subject) fn new(signature: &Signature) -> Record {
        Record { outcomes: Outcomes::new(signature), hits: Vec::new(), distances: Vec::new() }
    }
}

/// A version of a function, and how batches of rows are tried on it.
pub(in crate::subject) trait Job {
    /// What starts its workers.
    type Backend: Backend;
    /// How the row is found that kills a worker.
    const NARROWING: Narrowing;
    /// Bytes of a row in a frame, besides its inputs and its branches.
    const ROW: usize;

    fn pool(&self) -> &Pool<Self::Backend>;
    fn signature(&self) -> &Signature;
    /// How many sides of branches are recorded.
    fn sides(&self) -> usize;

    /// Whether a worker is needed that has run nothing yet.
    fn is_fresh(&self) -> bool {
        false
    }

    /// Runs rows in a worker, and appends those that were answered to the record.
    fn attempt(
        &self,
        worker: Worker<Self>,
        inputs: &Inputs,
        rows: Range<usize>,
        care: Care,
        record: &mut Record,
    ) -> Attempt<Worker<Self>>;

    /// Gives a worker back that is alive.
    fn put_away(&self, worker: Worker<Self>) {
        self.pool().give_back(worker);
    }
}

/// The worker of a job.
pub(in crate::subject) type Worker<J> = <<J as Job>::Backend as Backend>::Worker;

/// How the row is found that kills a worker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::subject) enum Narrowing {
    /// By running half of the rows at a time.
    Halves,
    /// By having every row answered at once.
    RowByRow,
}

/// When rows are answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::subject) enum Care {
    /// Together, at the end.
    Together,
    /// Each at once.
    RowByRow,
}

/// What came of an attempt to run rows.
pub(in crate::subject) struct Attempt<W> {
    /// The worker, if it is alive.
    pub(in crate::subject) worker: Option<W>,
    /// How many rows were answered, from the first on.
    pub(in crate::subject) done: usize,
    pub(in crate::subject) end: End,
}

/// How an attempt ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::subject) enum End {
    /// The worker lives; rows that are not done are asked for again.
    Alive,
    /// All rows that are not done have this outcome: the version cannot even be loaded.
    Same(Outcome),
    /// The worker died.
    Died(Death, Suspect),
}

/// The row that killed a worker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::subject) enum Suspect {
    /// Certainly the first one that was not answered.
    First,
    /// Perhaps this one of those that were not answered.
    Perhaps(usize),
    Unknown,
}

/// Runs all rows of a job.
///
/// # Errors
/// When no worker can be started.
pub(in crate::subject) fn run<J: Job>(job: &J, inputs: &Inputs) -> Result<Record, MachineFailure> {
    let record = Record::new(job.signature());
    let mut progress =
        Progress { job, inputs, worker: None, record, deaths: 0, last: Outcome::Crashed };
    for batch in batches(inputs, J::ROW + 12 * job.sides()) {
        progress.rows(batch)?;
    }
    if let Some(worker) = progress.worker.take() {
        job.put_away(worker);
    }
    Ok(progress.record)
}

struct Progress<'p, J: Job> {
    job: &'p J,
    inputs: &'p Inputs,
    worker: Option<Worker<J>>,
    record: Record,
    /// How many rows have killed a worker.
    deaths: usize,
    /// The outcome of the last of them.
    last: Outcome,
}

impl<J: Job> Progress<'_, J> {
    /// Runs rows that come next, in their order.
    fn rows(&mut self, mut rows: Range<usize>) -> Result<(), MachineFailure> {
        let mut care = Care::Together;
        while !rows.is_empty() {
            if self.deaths >= MOST_DEATHS {
                rows.for_each(|_| self.fail(self.last));
                return Ok(());
            }
            let worker = match self.worker.take() {
                Some(worker) => worker,
                None if self.job.is_fresh() => self.job.pool().fresh()?,
                None => self.job.pool().take()?,
            };
            let (inputs, record) = (self.inputs, &mut self.record);
            let attempt = self.job.attempt(worker, inputs, rows.clone(), care, record);
            self.worker = attempt.worker;
            rows.start += attempt.done;
            match attempt.end {
                End::Alive => {}
                End::Same(outcome) => {
                    rows.for_each(|_| self.fail(outcome));
                    return Ok(());
                }
                End::Died(death, suspect) => match (suspect, J::NARROWING) {
                    (Suspect::First, _) => {
                        self.deadly(death);
                        rows.start += 1;
                    }
                    (_, Narrowing::RowByRow) => care = Care::RowByRow,
                    (_, Narrowing::Halves) if rows.len() == 1 => {
                        self.deadly(death);
                        return Ok(());
                    }
                    (Suspect::Perhaps(place), Narrowing::Halves) if place < rows.len() => {
                        let culprit = rows.start + place;
                        self.rows(rows.start..culprit)?;
                        // It may have been another's fault: alone, it has to do it again.
                        self.rows(culprit..culprit + 1)?;
                        rows.start = culprit + 1;
                    }
                    (Suspect::Perhaps(_) | Suspect::Unknown, Narrowing::Halves) => {
                        let middle = rows.start + rows.len() / 2;
                        self.rows(rows.start..middle)?;
                        rows.start = middle;
                    }
                },
            }
        }
        Ok(())
    }

    /// A row that killed its worker.
    fn deadly(&mut self, death: Death) {
        self.deaths += 1;
        self.last = death.outcome();
        self.fail(self.last);
    }

    fn fail(&mut self, outcome: Outcome) {
        self.record.outcomes.failed(outcome, 0);
        let sides = self.job.sides();
        self.record.hits.resize(self.record.hits.len() + sides, 0);
        self.record.distances.resize(self.record.distances.len() + sides, f64::INFINITY);
    }
}
