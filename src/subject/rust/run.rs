//! How rows of a version are tried in a worker. `worker/progress.rs` says what becomes of deaths.

use std::ops::Range;
use std::time::Duration;

use genmorph_jit::Value;

use super::protocol::{Reply, Request, RowEnd};
use super::worker::{Program, Worker};
use crate::subject::batch::value;
use crate::subject::worker::{
    self, Attempt, Care, Death, End, Narrowing, Pool, Record, Suspect, Task,
};
use crate::subject::{Deadline, Inputs, Outcome, Signature, Thrown, Trap};

/// What a call of the original may spend, and any call at most.
pub(super) const MOST_FUEL: u64 = 10_000_000;

/// How long a row may get nowhere, in code that takes no fuel.
const PATIENCE: Duration = Duration::from_secs(2);

/// A version, and what it needs.
pub(super) struct Job<'j> {
    pub(super) pool: &'j Pool<Program>,
    pub(super) signature: &'j Signature,
    /// The kinds of the parameters, and of the outputs.
    pub(super) kinds: (&'j [u8], &'j [u8]),
    /// 0 is the original.
    pub(super) mutant: u32,
    /// How many sides of branches are recorded.
    pub(super) sides: usize,
    /// The optional parameters that are `None`, a bit each.
    pub(super) absent: u32,
    /// Whether a worker is needed that has run nothing yet.
    pub(super) is_fresh: bool,
    /// What each row may spend.
    pub(super) fuel: &'j dyn Fn(usize) -> u64,
    /// Rows that are left when it is over are not run.
    pub(super) deadline: &'j Deadline,
}

impl worker::Job for Job<'_> {
    type Backend = Program;
    const NARROWING: Narrowing = Narrowing::RowByRow;
    const ROW: usize = 8;

    fn task(&self) -> Task<'_, Program> {
        let Job { pool, signature, sides, deadline, is_fresh, .. } = *self;
        Task { pool, signature, sides, deadline, is_original: self.mutant == 0, is_fresh }
    }

    fn attempt(
        &self,
        mut worker: Worker,
        inputs: &Inputs,
        rows: Range<usize>,
        care: Care,
        record: &mut Record,
    ) -> Attempt<Worker> {
        let request = Request {
            mutant: self.mutant,
            is_careful: care == Care::RowByRow,
            sides: self.sides,
            absent: self.absent,
            patience: self.deadline.patience(PATIENCE),
            kinds: self.kinds.0,
            columns: inputs.columns(),
            rows: rows.clone(),
        };
        let mut done = 0;
        let mut answered = worker.send(&request.frame(self.fuel));
        while answered.is_ok() && done < rows.len() {
            let reply = worker.receive(self.deadline).and_then(|body| {
                Reply::parse(&body, self.kinds.1, self.sides).map_err(|_| Death::Crashed)
            });
            answered = match reply {
                Ok(reply) if !reply.ends.is_empty() && done + reply.ends.len() <= rows.len() => {
                    done += reply.ends.len();
                    append(record, &reply);
                    Ok(())
                }
                Ok(_) => Err(Death::Crashed),
                Err(death) => Err(death),
            };
        }
        match (answered, care) {
            (Ok(()), _) => Attempt { worker: Some(worker), done, end: End::Alive },
            (Err(death), Care::Together) => {
                Attempt { worker: None, done, end: End::Died(death, Suspect::Unknown) }
            }
            (Err(death), Care::RowByRow) => {
                Attempt { worker: None, done, end: End::Died(death, Suspect::First) }
            }
        }
    }
}

fn append(record: &mut Record, reply: &Reply) {
    let mut values: Vec<Value<'_>> = Vec::with_capacity(reply.columns.len());
    for (row, end) in reply.ends.iter().enumerate() {
        let spent = reply.spent[row];
        let outcome = match end {
            RowEnd::Returned => {
                values.clear();
                values.extend(reply.columns.iter().map(|column| value(column, row)));
                record.outcomes.returned(&values, spent);
                continue;
            }
            // WebAssembly has this outcome for a panic.
            RowEnd::Panicked => Outcome::Trapped(Trap::Unreachable),
            RowEnd::Fuel => Outcome::OutOfFuel,
            RowEnd::Stack => Outcome::OutOfStack,
            RowEnd::None => Outcome::Threw(Thrown::new("None")),
            RowEnd::Err => Outcome::Threw(Thrown::new("Err")),
        };
        record.outcomes.failed(outcome, spent);
    }
    record.hits.extend_from_slice(&reply.hits);
    record.distances.extend_from_slice(&reply.distances);
}
