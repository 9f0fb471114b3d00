//! Runs a version on rows, whatever the version does to its workers.
//!
//! When a worker dies, the row to blame is found by running fewer rows at a time, or by having every row answered at once: its
//! outcome is how the worker died. After a few such rows the others are taken to do the same.
//!
//! A worker that others kill (the system that is short of memory, a person) says nothing of its rows: they are run again in
//! another one. Only a row that alone gets several workers killed, each of which was left in peace before, is taken to do
//! that itself. If workers are killed again and again without an answer in between, the machine is given up: results are those
//! of the function, or there are none. Knows nothing of languages and of where versions come from.

use std::ops::Range;
use std::time::{Duration, Instant};

use super::batches::batches;
use super::{Backend, Death, Pool};
use crate::subject::{Deadline, Inputs, MachineFailure, Outcome, Outcomes, Signature};

/// After this many rows that killed a worker, the rest is taken to do the same.
const MOST_DEATHS: usize = 3;
/// How often rows are run again, all of them, after their worker was killed.
const RETRIES: usize = 3;
/// How many workers a row alone has to get killed to be taken for the reason.
const PROOFS: usize = 3;
/// How many workers are killed in a row, without an answer in between, before the machine is given up: more than are needed
/// to find the one of a whole batch of rows that does it.
const MOST_KILLS: usize = 40;
/// How long a worker is left in peace before it runs such a row, at least and at most; else as long as the one before lived
/// with the row. Long enough for someone who kills all workers to kill it meanwhile. A guess.
const PAUSE: [Duration; 2] = [Duration::from_millis(300), Duration::from_secs(10)];

/// Rows that are run together first, if time is limited.
const FIRST: usize = 32;
/// How long rows that are run together may take, about, if time is limited.
const MOMENT: Duration = Duration::from_millis(100);

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

/// What a job is about, in any language.
pub(in crate::subject) struct Task<'t, B: Backend> {
    pub(in crate::subject) pool: &'t Pool<B>,
    pub(in crate::subject) signature: &'t Signature,
    /// How many sides of branches are recorded.
    pub(in crate::subject) sides: usize,
    /// Rows that are left when it is over are not run.
    pub(in crate::subject) deadline: &'t Deadline,
    /// Whether calls that run out of fuel are those of the original, which could do with less.
    pub(in crate::subject) is_original: bool,
    /// Whether a worker is needed that has run nothing yet.
    pub(in crate::subject) is_fresh: bool,
}

/// A version of a function, and how batches of rows are tried on it.
pub(in crate::subject) trait Job {
    /// What starts its workers.
    type Backend: Backend;
    /// How the row is found that kills a worker.
    const NARROWING: Narrowing;
    /// Bytes of a row in a frame, besides its inputs and its branches.
    const ROW: usize;

    /// What it is about.
    fn task(&self) -> Task<'_, Self::Backend>;

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
        self.task().pool.give_back(worker);
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
    /// Each as soon as it is done.
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
    /// The worker died, probably of this row.
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
/// When no worker can be started, or workers are killed from outside again and again.
pub(in crate::subject) fn run<J: Job>(job: &J, inputs: &Inputs) -> Result<Record, MachineFailure> {
    let task = job.task();
    let (sides, is_timed) = (task.sides, task.deadline.is_timed());
    let record = Record::new(task.signature);
    let (deaths, last, kills) = (0, Outcome::Crashed, 0);
    let mut progress = Progress { job, task, inputs, worker: None, record, deaths, last, kills };
    let mut most = if is_timed { FIRST } else { usize::MAX };
    for mut batch in batches(inputs, J::ROW + 12 * sides) {
        while !batch.is_empty() {
            let part = batch.start..batch.end.min(batch.start.saturating_add(most));
            batch.start = part.end;
            let time = progress.part(part)?;
            most = match time {
                _ if !is_timed => most,
                time if time < MOMENT / 4 => most.saturating_mul(4),
                time if time < MOMENT => most,
                _ => (most / 4).max(1),
            };
        }
    }
    if let Some(worker) = progress.worker.take() {
        job.put_away(worker);
    }
    Ok(progress.record)
}

struct Progress<'p, J: Job> {
    job: &'p J,
    task: Task<'p, J::Backend>,
    inputs: &'p Inputs,
    worker: Option<Worker<J>>,
    record: Record,
    /// How many rows have killed a worker.
    deaths: usize,
    /// The outcome of the last of them.
    last: Outcome,
    /// How many workers were killed from outside since the last answer.
    kills: usize,
}

impl<J: Job> Progress<'_, J> {
    /// Runs rows that come next, and measures the time: how much of it went to calls that came to nothing is noted.
    fn part(&mut self, rows: Range<usize>) -> Result<Duration, MachineFailure> {
        let (start, first) = (Instant::now(), rows.start);
        self.rows(rows)?;
        let (time, deadline) = (start.elapsed(), self.task.deadline);
        let outcomes = &self.record.outcomes;
        let ended = &outcomes.outcomes()[first..];
        if ended.iter().any(|outcome| matches!(outcome, Outcome::Hung | Outcome::OutOfMemory)) {
            deadline.wasted_patience(time);
        } else if self.task.is_original {
            let all: u64 = outcomes.fuel()[first..].iter().sum();
            let fuel = ended.iter().zip(&outcomes.fuel()[first..]);
            let fuel = fuel.filter(|(outcome, _)| **outcome == Outcome::OutOfFuel);
            let wasted: u64 = fuel.map(|(_, fuel)| fuel).sum();
            if wasted > 0 {
                deadline.wasted_fuel(time.mul_f64(wasted as f64 / all.max(1) as f64));
            }
        }
        Ok(time)
    }

    /// Runs rows that come next, in their order.
    fn rows(&mut self, mut rows: Range<usize>) -> Result<(), MachineFailure> {
        let mut care = Care::Together;
        while !rows.is_empty() {
            if self.task.deadline.is_over() {
                rows.for_each(|_| self.fail(Outcome::NotRun));
                return Ok(());
            }
            if self.deaths >= MOST_DEATHS {
                rows.for_each(|_| self.fail(self.last));
                return Ok(());
            }
            let worker = match self.worker.take() {
                Some(worker) => worker,
                None if self.task.is_fresh => self.task.pool.fresh()?,
                None => self.task.pool.take()?,
            };
            let (inputs, record) = (self.inputs, &mut self.record);
            let attempt = self.job.attempt(worker, inputs, rows.clone(), care, record);
            self.worker = attempt.worker;
            rows.start += attempt.done;
            if attempt.done > 0 {
                self.kills = 0;
            }
            match attempt.end {
                End::Alive => {}
                End::Same(outcome) => {
                    rows.for_each(|_| self.fail(outcome));
                    return Ok(());
                }
                // The rows that are left are not run: the deadline is over.
                End::Died(Death::Late, _) => {}
                End::Died(Death::Killed, suspect) => {
                    self.killed()?;
                    let is_alone = suspect == Suspect::First || rows.len() == 1;
                    match J::NARROWING {
                        _ if self.kills < RETRIES => {}
                        _ if is_alone => {
                            self.accused(rows.start)?;
                            rows.start += 1;
                        }
                        Narrowing::RowByRow => care = Care::RowByRow,
                        Narrowing::Halves => {
                            let middle = rows.start + rows.len() / 2;
                            self.rows(rows.start..middle)?;
                            rows.start = middle;
                        }
                    }
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

    /// A worker was killed from outside.
    fn killed(&mut self) -> Result<(), MachineFailure> {
        self.kills += 1;
        if self.kills < MOST_KILLS { Ok(()) } else { Err(self.task.pool.killed(self.kills)) }
    }

    /// Runs a row alone, whose workers were killed: to see whether it does that itself, each worker is left in peace before.
    fn accused(&mut self, row: usize) -> Result<(), MachineFailure> {
        let mut pause = PAUSE[0];
        let mut proofs = 0;
        while proofs < PROOFS {
            if self.task.deadline.is_over() {
                self.fail(Outcome::NotRun);
                return Ok(());
            }
            let mut worker = self.task.pool.fresh()?;
            if !J::Backend::is_left_alive(&mut worker, pause) {
                self.killed()?;
                continue;
            }
            let start = Instant::now();
            let (inputs, record) = (self.inputs, &mut self.record);
            let attempt = self.job.attempt(worker, inputs, row..row + 1, Care::RowByRow, record);
            pause = start.elapsed().clamp(PAUSE[0], PAUSE[1]);
            self.worker = attempt.worker;
            if attempt.done > 0 {
                self.kills = 0;
                return Ok(());
            }
            match attempt.end {
                End::Died(Death::Late, _) => {}
                End::Died(Death::Killed, _) => {
                    proofs += 1;
                    self.killed()?;
                }
                End::Died(death, _) => {
                    self.deadly(death);
                    return Ok(());
                }
                End::Same(outcome) => {
                    self.fail(outcome);
                    return Ok(());
                }
                End::Alive => {}
            }
        }
        self.kills = 0;
        self.deadly(Death::Killed);
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
        let sides = self.task.sides;
        self.record.hits.resize(self.record.hits.len() + sides, 0);
        self.record.distances.resize(self.record.distances.len() + sides, f64::INFINITY);
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;
    use std::path::Path;

    use genmorph_jit::Value;

    use super::*;
    use crate::subject::{Domain, Parameter, Scalar, Type};

    /// A worker that is nothing but a number.
    struct Numbers {
        started: Cell<usize>,
        /// How many of the first workers die before they are ready, and how many while they wait.
        stillborn: usize,
        restless: usize,
    }

    struct Numbered {
        number: usize,
        restless: usize,
    }

    impl Backend for Numbers {
        type Worker = Numbered;

        fn program(&self) -> &Path {
            Path::new("numbers")
        }

        fn start(&self) -> Result<Option<Numbered>, MachineFailure> {
            let number = self.started.get();
            self.started.set(number + 1);
            let worker = Numbered { number, restless: self.restless };
            Ok((number >= self.stillborn).then_some(worker))
        }

        fn is_left_alive(worker: &mut Numbered, pause: Duration) -> bool {
            assert!(pause >= PAUSE[0] && pause <= PAUSE[1]);
            worker.number >= worker.restless
        }
    }

    /// A row is answered by its square; `kills` says whether a worker is killed at a batch.
    struct Squares<'s> {
        pool: Pool<Numbers>,
        signature: Signature,
        kills: &'s dyn Fn(usize, Range<usize>) -> bool,
    }

    impl Job for Squares<'_> {
        type Backend = Numbers;
        const NARROWING: Narrowing = Narrowing::Halves;
        const ROW: usize = 8;

        fn task(&self) -> Task<'_, Numbers> {
            Task {
                pool: &self.pool,
                signature: &self.signature,
                sides: 0,
                deadline: Deadline::never(),
                is_original: true,
                is_fresh: false,
            }
        }

        fn attempt(
            &self,
            worker: Numbered,
            _inputs: &Inputs,
            rows: Range<usize>,
            _care: Care,
            record: &mut Record,
        ) -> Attempt<Numbered> {
            if (self.kills)(worker.number, rows.clone()) {
                let end = End::Died(Death::Killed, Suspect::Unknown);
                return Attempt { worker: None, done: 0, end };
            }
            for row in rows.clone() {
                record.outcomes.returned(&[Value::Num((row * row) as f64)], 1);
            }
            Attempt { worker: Some(worker), done: rows.len(), end: End::Alive }
        }
    }

    const ROWS: usize = 20;

    /// What comes of rows when workers are killed, and how many workers that took.
    fn run_with(
        [stillborn, restless]: [usize; 2],
        kills: &dyn Fn(usize, Range<usize>) -> bool,
    ) -> (Result<Vec<Outcome>, MachineFailure>, usize) {
        let number = Type::Scalar(Scalar::F64);
        let signature = Signature {
            function: "square".to_owned(),
            parameters: vec![Parameter {
                name: "x".to_owned(),
                ty: number,
                domain: Domain::default(),
            }],
            result: Some(number),
            changed: Vec::new(),
            ..Signature::default()
        };
        let mut inputs = Inputs::new(&signature);
        (0..ROWS).for_each(|row| inputs.push(&[Value::Num(row as f64)]));
        let backend = Numbers { started: Cell::new(0), stillborn, restless };
        let pool = Pool::new(backend, 1);
        let job = Squares { pool, signature, kills };
        let outcomes = run(&job, &inputs).map(|record| record.outcomes.outcomes().to_vec());
        let last = job.pool.fresh().map_or(0, |worker| worker.number);
        (outcomes, last)
    }

    #[test]
    fn workers_that_others_kill_change_nothing() {
        // Some while they start, two of three at whatever they do, and all that take long.
        let kills = |worker: usize, rows: Range<usize>| !worker.is_multiple_of(3) || rows.len() > 2;
        let (outcomes, workers) = run_with([7, 9], &kills);
        assert_eq!(outcomes, Ok(vec![Outcome::Returned; ROWS]));
        assert!(workers >= 20, "{workers}");
    }

    #[test]
    fn a_row_that_kills_its_worker_every_time_is_a_crash() {
        let (outcomes, _) = run_with([0, 0], &|_, rows| rows.contains(&13));
        let mut expected = vec![Outcome::Returned; ROWS];
        expected[13] = Outcome::Crashed;
        assert_eq!(outcomes, Ok(expected));
    }

    #[test]
    fn a_machine_that_kills_all_workers_is_given_up() {
        for kinds in [[usize::MAX, 0], [0, usize::MAX]] {
            let (outcomes, _) = run_with(kinds, &|_, _| true);
            let message = outcomes.unwrap_err().to_string();
            assert!(message.contains("killed again and again"), "{message}");
        }
    }
}
