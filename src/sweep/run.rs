//! Runs units one after the other, skips those that are done, and saves each result immediately.
//!
//! The caller supplies the work: `genmorph sweep run` finds relations; an experiment may do more.

use super::error::SweepError;
use super::folder::{Folder, UnitState};
use super::found::{Outcome, UnitReport};
use super::journal::{End, Journal, Worker};
use super::unit::Unit;

/// The units that a task runs, and where it saves their results.
#[derive(Clone, Copy, Debug)]
pub struct Task<'t> {
    /// The folder in which results are saved.
    pub folder: &'t Folder,
    /// The units, in the order in which they run.
    pub units: &'t [&'t Unit],
    /// The identity of this task in journals.
    pub worker: &'t Worker,
    /// What to do with units that failed before.
    pub failed: FailedUnits,
}

/// What to do with units that failed before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FailedUnits {
    /// Treat them as done.
    Skip,
    /// Run them once more.
    Retry,
}

/// The result of the work on a unit.
#[derive(Clone, Debug)]
pub enum WorkOutcome {
    /// The unit has relations.
    Done(Box<UnitReport>),
    /// The unit cannot be done, for this reason.
    Failed(String),
    /// The work was interrupted: nothing is known, and nothing is saved.
    Left,
}

/// Events that an observer sees.
#[derive(Clone, Copy, Debug)]
pub enum Event<'e> {
    /// A unit is skipped because it has a result.
    Skipped(&'e Unit, &'e Outcome),
    /// The result of a unit is damaged, for this reason: the unit runs again.
    Damaged(&'e Unit, &'e str),
    /// A unit begins to run.
    Began(&'e Unit),
    /// The result of a unit is saved.
    Ended(&'e Unit, &'e Outcome),
}

/// Number of units per state, at the end of a task.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Units done by this task.
    pub done: usize,
    /// Units that failed in this task.
    pub failed: usize,
    /// Units that were done before.
    pub done_before: usize,
    /// Units that had failed before.
    pub failed_before: usize,
    /// Units that are not done because the task was ended.
    pub left: usize,
}

/// Runs units until all have results, or until `stop` returns true between two units.
///
/// # Errors
/// When a result cannot be read or written, or when the work reports that no unit can be done here.
pub fn run<E: From<SweepError>>(
    task: &Task<'_>,
    stop: &dyn Fn() -> bool,
    work: &mut dyn FnMut(&Unit) -> Result<WorkOutcome, E>,
    observe: &mut dyn FnMut(Event<'_>),
) -> Result<Tally, E> {
    let Task { folder, units, worker, failed } = *task;
    let mut tally = Tally::default();
    // Created with the first unit, so that a task without units leaves nothing behind.
    let mut journal = None;
    for (place, &unit) in units.iter().enumerate() {
        // Look now, not at the start: another task may have done the unit in the meantime.
        match folder.stored(unit.id)? {
            UnitState::Missing => {}
            UnitState::Damaged(problem) => observe(Event::Damaged(unit, &problem)),
            UnitState::Result(record) => {
                let before = match &record.outcome {
                    Outcome::Done(_) => Some(&mut tally.done_before),
                    Outcome::Failed(_) if failed == FailedUnits::Skip => {
                        Some(&mut tally.failed_before)
                    }
                    Outcome::Failed(_) => None,
                };
                if let Some(before) = before {
                    *before += 1;
                    observe(Event::Skipped(unit, &record.outcome));
                    continue;
                }
            }
        }
        if stop() {
            tally.left = units.len() - place;
            break;
        }
        let journal = match &mut journal {
            Some(journal) => journal,
            None => journal.insert(Journal::begin(&folder.journal(), worker)?),
        };
        observe(Event::Began(unit));
        let stopwatch = journal.began(unit.id)?;
        let (outcome, end) = match work(unit)? {
            WorkOutcome::Done(done) => (Outcome::Done(done), End::Done),
            WorkOutcome::Failed(why) => (Outcome::Failed(why), End::Failed),
            WorkOutcome::Left => {
                journal.ended(unit.id, stopwatch.ended(End::Left))?;
                tally.left = units.len() - place;
                break;
            }
        };
        // The duration does not include saving the result.
        let ended = stopwatch.ended(end);
        folder.publish(unit.id, &outcome, worker)?;
        journal.ended(unit.id, ended)?;
        match &outcome {
            Outcome::Done(_) => tally.done += 1,
            Outcome::Failed(_) => tally.failed += 1,
        }
        observe(Event::Ended(unit, &outcome));
    }
    // Once per task and not for every unit: results are guaranteed when the task reports its end.
    if tally.done + tally.failed > 0 {
        folder.settle()?;
    }
    Ok(tally)
}
