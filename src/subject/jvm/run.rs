//! Runs a version on rows, whatever the version does to the worker.
//!
//! A worker's death is found out about by running fewer rows at a time, until one row is left: that is the row's
//! outcome. Knows nothing of where versions come from.

use std::ops::Range;

use genmorph_jit::Value;

use super::classes::Library;
use super::method::Method;
use super::pool::Pool;
use super::protocol::{self, Define, End, Failure, Ran, Run, Stop, Values};
use super::types::{Element, Form, JavaType};
use super::worker::{Death, Reply, Worker};
use crate::subject::frame::frames;
use crate::subject::{Inputs, MachineFailure, Outcome, Outcomes, Signature, Thrown};

/// What a call of the original may spend, and any call at most.
pub(super) const MOST_FUEL: u32 = 10_000_000;
/// What static initialisers may spend.
const INITIALISERS: u32 = 100_000_000;
/// After so many rows that killed a worker, the others are taken to do the same.
const MOST_DEATHS: usize = 3;

/// A version, and what it needs.
pub(super) struct Job<'j> {
    pub(super) pool: &'j Pool,
    pub(super) library: &'j Library,
    pub(super) method: &'j Method,
    pub(super) signature: &'j Signature,
    /// Classes of its own, by name with slashes.
    pub(super) own: &'j [(&'j str, &'j [u8])],
    pub(super) keep: Keep,
    /// The texts that elements are the numbers of.
    pub(super) texts: &'j [String],
    /// How many sides of branches are recorded.
    pub(super) sides: usize,
}

/// Whether a worker may have the version from before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Keep {
    /// It is defined once per worker, by this number.
    As(u32),
    /// It is defined anew, and forgotten afterwards.
    Fresh,
}

/// The number of versions that are forgotten.
const FRESH: u32 = u32::MAX - 1;

/// What a version did.
pub(super) struct Record {
    pub(super) outcomes: Outcomes,
    pub(super) hits: Vec<u32>,
    pub(super) distances: Vec<f64>,
}

/// Why a version cannot be loaded.
#[derive(Clone, Debug)]
pub(super) enum Unloadable {
    /// Something is thrown.
    Throws(Failure),
    /// The worker dies.
    Dies(Death),
}

impl Unloadable {
    fn outcome(&self) -> Outcome {
        match self {
            Unloadable::Throws(failure) => match failure.stop {
                Some(Stop::Fuel) => Outcome::OutOfFuel,
                Some(Stop::Exit) => Outcome::Exited,
                Some(Stop::Memory) => Outcome::OutOfMemory,
                None => Outcome::Threw(Thrown::new(&failure.class)),
            },
            Unloadable::Dies(death) => outcome(*death),
        }
    }
}

fn outcome(death: Death) -> Outcome {
    match death {
        Death::Exited => Outcome::Exited,
        Death::Crashed => Outcome::Crashed,
        Death::Hung(_) => Outcome::Hung,
    }
}

impl Job<'_> {
    /// Runs all rows, each with its own fuel, and with null for these parameters of it.
    ///
    /// # Errors
    /// When no worker can be started any more.
    pub(super) fn run(
        &self,
        inputs: &Inputs,
        nulls: &[Vec<usize>],
        fuel: &dyn Fn(usize) -> u32,
    ) -> Result<Record, MachineFailure> {
        let mut progress = Progress {
            job: self,
            inputs,
            nulls,
            fuel,
            worker: None,
            record: Record {
                outcomes: Outcomes::new(self.signature),
                hits: Vec::new(),
                distances: Vec::new(),
            },
            deaths: 0,
            last: Outcome::Crashed,
        };
        for batch in frames(inputs, 4 + 12 * self.sides) {
            progress.rows(batch)?;
        }
        progress.finish();
        Ok(progress.record)
    }

    /// Loads the version, and says why it cannot be if it cannot.
    ///
    /// # Errors
    /// When no worker can be started.
    pub(super) fn load(&self) -> Result<Result<(), Unloadable>, MachineFailure> {
        let mut worker = self.pool.take()?;
        let loaded = self.define(&mut worker);
        if !matches!(loaded, Err(Unloadable::Dies(_))) {
            self.put_away(worker);
        }
        Ok(loaded)
    }

    fn number(&self) -> u32 {
        match self.keep {
            Keep::As(number) => number,
            Keep::Fresh => FRESH,
        }
    }

    fn define(&self, worker: &mut Worker) -> Result<(), Unloadable> {
        let number = self.number();
        if worker.defined.contains(&number) {
            return Ok(());
        }
        let Job { own, method, sides, texts, .. } = *self;
        let changed = &self.signature.changed;
        let frame =
            Define { number, fuel: INITIALISERS, sides, own, method, texts, changed }.frame();
        worker.loaders += 1;
        match worker.ask(&frame, self.library) {
            Ok(Reply::Done(_)) => {
                worker.defined.insert(number);
                Ok(())
            }
            Ok(Reply::Failed(failure)) => Err(Unloadable::Throws(failure)),
            Err(death) => Err(Unloadable::Dies(death)),
        }
    }

    /// Gives a worker back, without what only this job needed.
    fn put_away(&self, mut worker: Worker) {
        if self.keep == Keep::Fresh
            && worker.defined.contains(&FRESH)
            && worker.forget(FRESH, self.library).is_err()
        {
            return;
        }
        self.pool.give_back(worker);
    }
}

struct Progress<'p> {
    job: &'p Job<'p>,
    inputs: &'p Inputs,
    nulls: &'p [Vec<usize>],
    fuel: &'p dyn Fn(usize) -> u32,
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
        while !rows.is_empty() {
            if self.deaths >= MOST_DEATHS {
                rows.clone().for_each(|_| self.fail(self.last, 0));
                return Ok(());
            }
            match self.attempt(rows.clone())? {
                Attempt::Ran(ran) => {
                    if ran.ends.is_empty() {
                        // It is for the worker to get on; one that does not is broken.
                        self.worker = None;
                        self.deadly(Outcome::Crashed);
                        rows.start += 1;
                        continue;
                    }
                    rows.start += ran.ends.len();
                    if !rows.is_empty() {
                        self.renew(&ran);
                    }
                    self.append(&ran);
                }
                Attempt::Unloadable(unloadable) => {
                    rows.clone().for_each(|_| self.fail(unloadable.outcome(), 0));
                    return Ok(());
                }
                Attempt::Died(death) if rows.len() == 1 => {
                    self.deadly(outcome(death));
                    return Ok(());
                }
                Attempt::Died(Death::Hung(Some(row))) if (row as usize) < rows.len() => {
                    let culprit = rows.start + row as usize;
                    self.rows(rows.start..culprit)?;
                    // It may have been another's fault: alone, it has to hang again.
                    self.rows(culprit..culprit + 1)?;
                    rows.start = culprit + 1;
                }
                Attempt::Died(_) => {
                    let middle = rows.start + rows.len() / 2;
                    self.rows(rows.start..middle)?;
                    rows.start = middle;
                }
            }
        }
        Ok(())
    }

    fn attempt(&mut self, rows: Range<usize>) -> Result<Attempt, MachineFailure> {
        let job = self.job;
        let mut worker = match self.worker.take() {
            Some(worker) => worker,
            None => job.pool.take()?,
        };
        match job.define(&mut worker) {
            Ok(()) => {}
            Err(Unloadable::Throws(failure)) => {
                self.worker = Some(worker);
                return Ok(Attempt::Unloadable(Unloadable::Throws(failure)));
            }
            Err(dies) => return Ok(Attempt::Unloadable(dies)),
        }
        let run = Run {
            number: job.number(),
            sides: job.sides,
            types: &job.method.parameters,
            columns: self.inputs.columns(),
            nulls: self.nulls,
            rows: rows.clone(),
        };
        let frame = run.frame(self.fuel);
        let mut ran = match ask(&mut worker, &frame, job) {
            Ok(ran) => ran,
            Err(death) => return Ok(Attempt::Died(death)),
        };
        // Initialisers ran on the fuel of some rows. What the rows themselves need shows when they run again.
        if ran.loaded > 0 && job.keep != Keep::Fresh && !ran.threads {
            ran = match ask(&mut worker, &frame, job) {
                Ok(ran) => ran,
                Err(death) => return Ok(Attempt::Died(death)),
            };
        }
        if ran.threads {
            // The worker is of no use any more, and what ran beside the rows may have changed what they did.
            return Ok(Attempt::Died(Death::Crashed));
        }
        self.worker = Some(worker);
        Ok(Attempt::Ran(ran))
    }

    /// After a batch that ended early: a row that was stopped in an initialiser leaves a broken class behind.
    fn renew(&mut self, ran: &Ran) {
        let stopped = !matches!(ran.ends.last(), Some(End::Returned | End::Threw(_) | End::Bad));
        let Some(mut worker) = self.worker.take().filter(|_| stopped) else {
            return;
        };
        if worker.forget(self.job.number(), self.job.library).is_ok() {
            self.worker = Some(worker);
        }
    }

    fn append(&mut self, ran: &Ran) {
        let outputs = outputs(self.job);
        let mut place = 0;
        for (row, end) in ran.ends.iter().enumerate() {
            let spent = u64::from(ran.spent[row]);
            let outcome = match end {
                End::Returned => {
                    let here = place;
                    place += 1;
                    let pairs = ran.columns.iter().zip(&outputs);
                    let values: Option<Vec<Value<'_>>> =
                        pairs.map(|(values, ty)| value(values, *ty, here)).collect();
                    match values {
                        Some(values) => {
                            self.record.outcomes.returned(&values, spent);
                            continue;
                        }
                        None => Outcome::BadOutput,
                    }
                }
                End::Threw(number) => Outcome::Threw(Thrown::new(&ran.thrown[*number as usize])),
                End::Fuel => Outcome::OutOfFuel,
                End::Memory => Outcome::OutOfMemory,
                End::Stack => Outcome::OutOfStack,
                End::Exit => Outcome::Exited,
                End::Bad => Outcome::BadOutput,
            };
            self.record.outcomes.failed(outcome, spent);
        }
        self.record.hits.extend_from_slice(&ran.hits);
        self.record.distances.extend_from_slice(&ran.distances);
    }

    /// A row that killed a worker.
    fn deadly(&mut self, outcome: Outcome) {
        self.deaths += 1;
        self.last = outcome;
        self.fail(outcome, 0);
    }

    fn fail(&mut self, outcome: Outcome, spent: u64) {
        self.record.outcomes.failed(outcome, spent);
        let sides = self.job.sides;
        self.record.hits.resize(self.record.hits.len() + sides, 0);
        self.record.distances.resize(self.record.distances.len() + sides, f64::INFINITY);
    }

    fn finish(&mut self) {
        if let Some(worker) = self.worker.take() {
            self.job.put_away(worker);
        }
    }
}

enum Attempt {
    Ran(Ran),
    Unloadable(Unloadable),
    Died(Death),
}

fn outputs(job: &Job<'_>) -> Vec<JavaType> {
    protocol::outputs(job.method, &job.signature.changed).iter().map(|(ty, _)| *ty).collect()
}

fn ask(worker: &mut Worker, frame: &[u8], job: &Job<'_>) -> Result<Ran, Death> {
    match worker.ask(frame, job.library)? {
        Reply::Done(body) => {
            Ran::parse(&body, &outputs(job), job.sides).map_err(|_| Death::Crashed)
        }
        // The harness catches what rows do; this is the end of its memory, or a mistake in it.
        Reply::Failed(_) => Err(Death::Crashed),
    }
}

/// The value of an output, unless it is none of its type.
fn value(values: &Values, ty: JavaType, row: usize) -> Option<Value<'_>> {
    match values {
        Values::Numbers(values) => {
            let is_half = (55_296.0..57_344.0).contains(&values[row]);
            let is_char = (ty.form, ty.element) == (Form::Single, Element::Char);
            (!(is_char && is_half)).then(|| Value::Num(values[row]))
        }
        Values::Truths(values) => Some(Value::Bool(values[row])),
        Values::Sequences(values, proper) => {
            proper[row].then(|| Value::Seq(values.get(row).into()))
        }
    }
}
