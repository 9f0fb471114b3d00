//! How rows of a version are tried in a worker. `worker/progress.rs` says what becomes of deaths.

use std::ops::Range;
use std::time::Duration;

use genmorph_jit::Value;

use super::protocol::{Reply, RowEnd, RunRequest};
use super::worker::{Launch, Worker};
use crate::subject::batch::value;
use crate::subject::signature::Type;
use crate::subject::worker::{
    self, Attempt, Care, Death, End, Narrowing, Pool, Record, Suspect, Task,
};
use crate::subject::{Deadline, Inputs, Outcome, Signature, Thrown};

/// What a call of the original may spend, and any call at most: rounds of loops and calls, about a tenth of a second.
pub(super) const MOST_FUEL: u64 = 1_000_000;
/// How long a row may get nowhere, in code that takes no fuel.
const PATIENCE: Duration = Duration::from_secs(2);
/// How much longer than its patience a worker may take to answer, on a machine that does many other things.
const SPARE: Duration = Duration::from_secs(6);
/// After this many rows that got nowhere, the others are taken to do the same.
const MOST_HUNG: usize = 3;

/// A version, and what it needs.
pub(super) struct Job<'j> {
    pub(super) pool: &'j Pool<Launch>,
    pub(super) signature: &'j Signature,
    /// The types of the parameters, and of the outputs.
    pub(super) types: (&'j [Type], &'j [Type]),
    /// 0 is the original.
    pub(super) mutant: u32,
    /// How many sides of branches are recorded.
    pub(super) sides: usize,
    /// Whether a worker is needed that has run nothing yet.
    pub(super) is_fresh: bool,
    /// What each row may spend.
    pub(super) fuel: &'j dyn Fn(usize) -> u64,
    /// Rows that are left when it is over are not run.
    pub(super) deadline: &'j Deadline,
}

impl worker::Job for Job<'_> {
    type Backend = Launch;
    const NARROWING: Narrowing = Narrowing::RowByRow;
    const ROW: usize = 8;

    fn task(&self) -> Task<'_, Launch> {
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
        let patience = self.deadline.patience(PATIENCE);
        // A call that is stopped by the clock may have to be stopped twice.
        let longest = 4 * patience + if self.deadline.is_timed() { patience } else { SPARE };
        let request = RunRequest {
            mutant: self.mutant,
            is_careful: care == Care::RowByRow,
            sides: self.sides,
            patience,
            types: self.types.0,
            columns: inputs.columns(),
            rows: rows.clone(),
        };
        let mut done = 0;
        let mut answered = worker.run(&request.body(self.fuel));
        while answered.is_ok() && done < rows.len() {
            let reply = worker.receive(longest, self.deadline).and_then(|body| {
                Reply::parse(&body, self.types.1, self.sides).map_err(|_| Death::Crashed)
            });
            answered = match reply {
                Ok(reply) if !reply.ends.is_empty() && done + reply.ends.len() <= rows.len() => {
                    self.append(record, &reply, rows.start + done);
                    done += reply.ends.len();
                    if reply.ends.contains(&RowEnd::Hung) && done < rows.len() && has_hung(record) {
                        let end = End::Same(Outcome::Hung);
                        return Attempt { worker: None, done, end };
                    }
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

impl Job<'_> {
    /// Appends the rows of a reply, the first of which is this one of the inputs.
    fn append(&self, record: &mut Record, reply: &Reply, first: usize) {
        let mut values: Vec<Value<'_>> = Vec::with_capacity(reply.columns.len());
        let mut place = 0;
        for (row, end) in reply.ends.iter().enumerate() {
            let limit = (self.fuel)(first + row);
            let spent = reply.spent[row];
            let here = place;
            place += usize::from(*end == RowEnd::Returned);
            let outcome = match end {
                // Fuel is counted for many rows together: what one of them has spent shows afterwards.
                _ if spent > limit => Outcome::OutOfFuel,
                RowEnd::Returned => {
                    values.clear();
                    values.extend(reply.columns.iter().map(|column| value(column, here)));
                    record.outcomes.returned(&values, spent);
                    continue;
                }
                RowEnd::Threw(number) => Outcome::Threw(Thrown::new(&reply.names[*number])),
                RowEnd::Fuel => Outcome::OutOfFuel,
                RowEnd::Memory => Outcome::OutOfMemory,
                RowEnd::Stack => Outcome::OutOfStack,
                RowEnd::Exited => Outcome::Exited,
                RowEnd::Hung => Outcome::Hung,
                RowEnd::Bad => Outcome::BadOutput,
            };
            record.outcomes.failed(outcome, spent.min(limit));
        }
        record.hits.extend_from_slice(&reply.hits);
        record.distances.extend_from_slice(&reply.distances);
    }
}

/// Whether so many rows got nowhere that all others are taken to do the same.
fn has_hung(record: &Record) -> bool {
    let hung = record.outcomes.outcomes().iter().filter(|outcome| **outcome == Outcome::Hung);
    hung.count() >= MOST_HUNG
}
