//! Runs units, one after the other: what is done already is skipped, what is done is safe at once.
//!
//! What a unit's work is, the caller says; `genmorph sweep run` finds relations, and an experiment may do more.

use super::error::SweepError;
use super::folder::{Folder, Stored};
use super::found::{Done, Outcome};
use super::journal::{End, Journal, Worker};
use super::unit::Unit;

/// Units to run, and where.
#[derive(Clone, Copy, Debug)]
pub struct Task<'t> {
    /// Where results go.
    pub folder: &'t Folder,
    /// The units, in the order in which they are run.
    pub units: &'t [&'t Unit],
    /// Who runs them.
    pub worker: &'t Worker,
    /// What to do about units that failed.
    pub failed: Failed,
}

/// What to do about units that failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Failed {
    /// They are as good as done.
    Skip,
    /// They are tried again.
    Retry,
}

/// What became of the work on a unit.
#[derive(Clone, Debug)]
pub enum Worked {
    /// It is done.
    Done(Box<Done>),
    /// It cannot be done, for this reason.
    Failed(String),
    /// Somebody ended it: nothing is known, and nothing is written.
    Left,
}

/// What happens.
#[derive(Clone, Copy, Debug)]
pub enum Event<'e> {
    /// A unit has a result already.
    Skipped(&'e Unit, &'e Outcome),
    /// The result of a unit is damaged, for this reason: it is done again.
    Damaged(&'e Unit, &'e str),
    /// A unit begins.
    Began(&'e Unit),
    /// A unit has a result, which is safe.
    Ended(&'e Unit, &'e Outcome),
}

/// How many units became what.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Done now.
    pub done: usize,
    /// Failed now.
    pub failed: usize,
    /// Done before.
    pub done_before: usize,
    /// Failed before.
    pub failed_before: usize,
    /// Not done, or not even looked at, because somebody ended the task.
    pub left: usize,
}

/// Runs units until all have results, or `stop` says so between two of them.
///
/// # Errors
/// When a result cannot be read or written, or when the work says that no unit can be done here.
pub fn run<E: From<SweepError>>(
    task: &Task<'_>,
    stop: &dyn Fn() -> bool,
    work: &mut dyn FnMut(&Unit) -> Result<Worked, E>,
    observe: &mut dyn FnMut(Event<'_>),
) -> Result<Tally, E> {
    let Task { folder, units, worker, failed } = *task;
    let mut tally = Tally::default();
    // Begun with the first unit, so that a task without any leaves nothing behind.
    let mut journal = None;
    for (place, &unit) in units.iter().enumerate() {
        // Now and not at the start: another task may have done it meanwhile.
        match folder.stored(unit.id)? {
            Stored::Missing => {}
            Stored::Damaged(problem) => observe(Event::Damaged(unit, &problem)),
            Stored::Result(record) => {
                let before = match &record.outcome {
                    Outcome::Done(_) => Some(&mut tally.done_before),
                    Outcome::Failed(_) if failed == Failed::Skip => Some(&mut tally.failed_before),
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
            Worked::Done(done) => (Outcome::Done(done), End::Done),
            Worked::Failed(why) => (Outcome::Failed(why), End::Failed),
            Worked::Left => {
                journal.ended(unit.id, stopwatch.ended(End::Left))?;
                tally.left = units.len() - place;
                break;
            }
        };
        // Without what it takes to keep the result.
        let ended = stopwatch.ended(end);
        folder.publish(unit.id, &outcome, worker)?;
        journal.ended(unit.id, ended)?;
        match &outcome {
            Outcome::Done(_) => tally.done += 1,
            Outcome::Failed(_) => tally.failed += 1,
        }
        observe(Event::Ended(unit, &outcome));
    }
    // Once, and not for every unit: whoever is told that a task has ended can rely on it.
    if tally.done + tally.failed > 0 {
        folder.settle()?;
    }
    Ok(tally)
}
