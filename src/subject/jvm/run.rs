//! How versions are loaded and rows of them tried in a JVM. `worker/progress.rs` says what becomes of deaths.
//!
//! Knows nothing of where versions come from.

use std::ops::Range;

use genmorph_jit::Value;

use super::classes::Library;
use super::method::Method;
use super::protocol::{self, BatchReply, Define, Failure, RowEnd, Run, Stop, Values, is_half};
use super::types::{Element, Form, JavaType};
use super::worker::{Launch, Reply, Worker};
use crate::subject::worker::{
    self, Attempt, Care, Death, End, Job as _, Narrowing, Pool, Record, Suspect, Task,
};
use crate::subject::{Deadline, Inputs, MachineFailure, Outcome, Signature, Thrown};

/// What a call of the original may spend, and any call at most.
pub(super) const MOST_FUEL: u32 = 10_000_000;
/// What static initialisers may spend.
const INITIALISERS: u32 = 100_000_000;

/// A version, and what it needs.
pub(super) struct Job<'j> {
    pub(super) pool: &'j Pool<Launch>,
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
    /// The parameters that are null, for each row; empty if none is.
    pub(super) nulls: &'j [Vec<usize>],
    /// What each row may spend.
    pub(super) fuel: &'j dyn Fn(usize) -> u32,
    /// Rows that are left when it is over are not run.
    pub(super) deadline: &'j Deadline,
    /// Whether it is the original, perhaps with hooks at its branches.
    pub(super) is_original: bool,
}

/// Whether a worker may have the version from before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Keep {
    /// It is defined once per worker, by this number.
    As(u32),
    /// It is defined anew, and forgotten afterwards.
    Fresh,
}

/// Workers that are killed while they load a version, one after the other, before the machine is given up.
const MOST_LOADS: usize = 30;

/// The number of versions that are forgotten.
const FRESH: u32 = u32::MAX - 1;

/// Why a version cannot be loaded.
#[derive(Clone, Debug)]
pub(super) enum LoadFailure {
    /// Loading ends with an exception.
    Throws(Failure),
    /// Loading kills the worker.
    Dies(Death),
}

impl LoadFailure {
    fn outcome(&self) -> Outcome {
        match self {
            LoadFailure::Throws(failure) => match failure.stop {
                Some(Stop::Fuel) => Outcome::OutOfFuel,
                Some(Stop::Exit) => Outcome::Exited,
                Some(Stop::Memory) => Outcome::OutOfMemory,
                None => Outcome::Threw(Thrown::new(&failure.class)),
            },
            LoadFailure::Dies(death) => death.outcome(),
        }
    }
}

impl Job<'_> {
    /// Loads the version, and says why it cannot be if it cannot.
    ///
    /// # Errors
    /// When no worker can be started.
    pub(super) fn load(&self) -> Result<Result<(), LoadFailure>, MachineFailure> {
        for _ in 0..MOST_LOADS {
            let mut worker = self.pool.take()?;
            let loaded = self.define(&mut worker);
            match loaded {
                Ok(()) | Err(LoadFailure::Throws(_)) => self.put_away(worker),
                Err(LoadFailure::Dies(Death::Killed)) => continue,
                Err(LoadFailure::Dies(_)) => {}
            }
            return Ok(loaded);
        }
        Err(self.pool.killed(MOST_LOADS))
    }

    fn number(&self) -> u32 {
        match self.keep {
            Keep::As(number) => number,
            Keep::Fresh => FRESH,
        }
    }

    fn define(&self, worker: &mut Worker) -> Result<(), LoadFailure> {
        let number = self.number();
        if worker.defined.contains(&number) {
            return Ok(());
        }
        let Job { own, method, sides, texts, .. } = *self;
        let changed = &self.signature.changed;
        let frame =
            Define { number, fuel: INITIALISERS, sides, own, method, texts, changed }.frame();
        worker.loaders += 1;
        match worker.ask(&frame, self.library, self.deadline) {
            Ok(Reply::Done(_)) => {
                worker.defined.insert(number);
                Ok(())
            }
            Ok(Reply::Failed(failure)) => Err(LoadFailure::Throws(failure)),
            Err(death) => Err(LoadFailure::Dies(death)),
        }
    }
}

impl worker::Job for Job<'_> {
    type Backend = Launch;
    const NARROWING: Narrowing = Narrowing::Halves;
    const ROW: usize = 4;

    fn task(&self) -> Task<'_, Launch> {
        let Job { pool, signature, sides, deadline, is_original, .. } = *self;
        Task { pool, signature, sides, deadline, is_original, is_fresh: false }
    }

    fn attempt(
        &self,
        mut worker: Worker,
        inputs: &Inputs,
        rows: Range<usize>,
        _care: Care,
        record: &mut Record,
    ) -> Attempt<Worker> {
        if let Err(load_failure) = self.define(&mut worker) {
            if let LoadFailure::Dies(death @ (Death::Killed | Death::Late)) = load_failure {
                let end = End::Died(death, Suspect::Unknown);
                return Attempt { worker: None, done: 0, end };
            }
            let worker = matches!(load_failure, LoadFailure::Throws(_)).then_some(worker);
            return Attempt { worker, done: 0, end: End::Same(load_failure.outcome()) };
        }
        let died = |death: Death, suspect: Suspect| Attempt {
            worker: None,
            done: 0,
            end: End::Died(death, suspect),
        };
        let run = Run {
            number: self.number(),
            sides: self.sides,
            types: &self.method.parameters,
            columns: inputs.columns(),
            nulls: self.nulls,
            rows: rows.clone(),
        };
        let frame = run.frame(self.fuel);
        let ran = self.ask(&mut worker, &frame).and_then(|ran| {
            // Initialisers ran on the fuel of some rows. What the rows themselves need shows when they run again.
            match ran.loaded > 0 && self.keep != Keep::Fresh && !ran.threads {
                true => self.ask(&mut worker, &frame),
                false => Ok(ran),
            }
        });
        let ran = match ran {
            Ok(ran) => ran,
            Err(Death::Hung(Some(row))) => {
                return died(Death::Hung(Some(row)), Suspect::Perhaps(row as usize));
            }
            Err(death) => return died(death, Suspect::Unknown),
        };
        if ran.threads {
            // The worker is of no use any more, and what ran beside the rows may have changed what they did.
            return died(Death::Crashed, Suspect::Unknown);
        }
        let done = ran.ends.len();
        if done == 0 || done > rows.len() {
            // It is for the worker to get on; one that does not is broken.
            return died(Death::Crashed, Suspect::First);
        }
        self.append(record, &ran);
        let is_kept = done == rows.len() || self.renew(&mut worker, &ran).is_ok();
        Attempt { worker: is_kept.then_some(worker), done, end: End::Alive }
    }

    /// Without what only this job needed.
    fn put_away(&self, mut worker: Worker) {
        if self.keep == Keep::Fresh
            && worker.defined.contains(&FRESH)
            && worker.forget(FRESH, self.library, self.deadline).is_err()
        {
            return;
        }
        self.pool.give_back(worker);
    }
}

impl Job<'_> {
    fn ask(&self, worker: &mut Worker, frame: &[u8]) -> Result<BatchReply, Death> {
        match worker.ask(frame, self.library, self.deadline)? {
            Reply::Done(body) => {
                BatchReply::parse(&body, &outputs(self), self.sides).map_err(|_| Death::Crashed)
            }
            // The harness catches what rows do; this is the end of its memory, or a mistake in it.
            Reply::Failed(_) => Err(Death::Crashed),
        }
    }

    /// After a batch that ended early: a row that was stopped in an initialiser leaves a broken class behind.
    fn renew(&self, worker: &mut Worker, ran: &BatchReply) -> Result<(), Death> {
        match ran.ends.last() {
            Some(RowEnd::Returned | RowEnd::Threw(_) | RowEnd::Bad) | None => Ok(()),
            Some(RowEnd::Fuel | RowEnd::Memory | RowEnd::Stack | RowEnd::Exit) => {
                worker.forget(self.number(), self.library, self.deadline)
            }
        }
    }

    fn append(&self, record: &mut Record, ran: &BatchReply) {
        let outputs = outputs(self);
        let mut place = 0;
        for (row, end) in ran.ends.iter().enumerate() {
            let spent = u64::from(ran.spent[row]);
            let outcome = match end {
                RowEnd::Returned => {
                    let here = place;
                    place += 1;
                    let pairs = ran.columns.iter().zip(&outputs);
                    let values: Option<Vec<Value<'_>>> =
                        pairs.map(|(values, ty)| value(values, *ty, here)).collect();
                    match values {
                        Some(values) => {
                            record.outcomes.returned(&values, spent);
                            continue;
                        }
                        None => Outcome::BadOutput,
                    }
                }
                RowEnd::Threw(number) => {
                    let name = ran.thrown[*number as usize].as_str();
                    // The worker says which class was not found.
                    let (name, missing) = match name.split_once(": ") {
                        Some((name, missing)) => (name, Some(missing)),
                        None => (name, None),
                    };
                    if let (true, Some(class)) = (self.is_original, missing) {
                        self.library.miss(class);
                    }
                    Outcome::Threw(Thrown::new(name))
                }
                RowEnd::Fuel => Outcome::OutOfFuel,
                RowEnd::Memory => Outcome::OutOfMemory,
                RowEnd::Stack => Outcome::OutOfStack,
                RowEnd::Exit => Outcome::Exited,
                RowEnd::Bad => Outcome::BadOutput,
            };
            record.outcomes.failed(outcome, spent);
        }
        record.hits.extend_from_slice(&ran.hits);
        record.distances.extend_from_slice(&ran.distances);
    }
}

fn outputs(job: &Job<'_>) -> Vec<JavaType> {
    protocol::outputs(job.method, &job.signature.changed).iter().map(|(ty, _)| *ty).collect()
}

/// The value of an output; none if it is not a value of its type.
fn value(values: &Values, ty: JavaType, row: usize) -> Option<Value<'_>> {
    match values {
        Values::Numbers(values) => {
            let is_char = (ty.form, ty.element) == (Form::Single, Element::Char);
            (!(is_char && is_half(values[row]))).then(|| Value::Num(values[row]))
        }
        Values::Truths(values) => Some(Value::Bool(values[row])),
        Values::Sequences(values, proper) => {
            proper[row].then(|| Value::Seq(values.get(row).into()))
        }
    }
}
