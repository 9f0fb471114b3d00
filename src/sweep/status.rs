//! How far a sweep has come: which units are done, missing or failed, and why.

use std::fmt;

use serde::Serialize;

use super::error::SweepError;
use super::folder::{Folder, UnitResult, UnitState};
use super::found::Outcome;
use super::journal::{self, Attempt, End};
use super::manifest::Manifest;
use super::unit::Unit;
use crate::support::digest::Digest;
use crate::support::digits::grouped;

/// How far a sweep has come.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Status {
    /// Digest that identifies the sweep.
    pub sweep: Digest,
    /// Number of all units.
    pub units: usize,
    /// Number of units that are done.
    pub done: usize,
    /// Units that failed, with the reason.
    pub failed: Vec<UnitNote>,
    /// Units that have no result.
    pub missing: Vec<UnitNote>,
    /// Units whose result is damaged; they count as missing.
    pub damaged: Vec<UnitNote>,
    /// Number of relations of all units.
    pub relations: usize,
    /// Progress of each subject.
    pub subjects: Vec<Progress>,
    /// Time that all units with a result took, in seconds.
    pub seconds: f64,
    /// Attempts that began and never ended: the task was killed, or is still running.
    pub open: usize,
}

/// A unit with a remark about its state.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct UnitNote {
    /// Digest that identifies the unit.
    pub unit: Digest,
    /// A description of the unit: subject, transformation, seed and settings.
    pub what: String,
    /// Why it failed, or what is wrong with its result.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub why: String,
}

/// How far one subject has come.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Progress {
    /// Name of the subject.
    pub name: String,
    /// Number of its units.
    pub units: usize,
    /// Number of its units that are done.
    pub done: usize,
    /// Number of its units that failed.
    pub failed: usize,
}

impl Status {
    /// Looks up all units in all folders.
    ///
    /// # Errors
    /// When a result or a journal cannot be read.
    pub fn of(manifest: &Manifest, folders: &[Folder]) -> Result<Status, SweepError> {
        let mut status = Status {
            sweep: manifest.digest,
            units: manifest.units.len(),
            done: 0,
            failed: Vec::new(),
            missing: Vec::new(),
            damaged: Vec::new(),
            relations: 0,
            subjects: Vec::new(),
            seconds: 0.0,
            open: 0,
        };
        status.subjects.extend(manifest.subjects.iter().map(|subject| Progress {
            name: subject.name.clone(),
            units: 0,
            done: 0,
            failed: 0,
        }));
        for unit in &manifest.units {
            status.look_at(manifest, folders, unit)?;
        }
        let attempts = attempts(manifest, folders)?;
        for (_, Attempt { ended, .. }) in &attempts {
            match ended {
                Some(ended) if ended.end != End::Left => status.seconds += ended.seconds,
                Some(_) => {}
                None => status.open += 1,
            }
        }
        Ok(status)
    }

    fn look_at(
        &mut self,
        manifest: &Manifest,
        folders: &[Folder],
        unit: &Unit,
    ) -> Result<(), SweepError> {
        let note = |why: String| UnitNote { unit: unit.id, what: manifest.describe(unit), why };
        let subject = &mut self.subjects[unit.subject];
        subject.units += 1;
        match best(folders, unit)? {
            UnitState::Missing => self.missing.push(note(String::new())),
            UnitState::Damaged(problem) => self.damaged.push(note(problem)),
            UnitState::Result(UnitResult { outcome: Outcome::Failed(why), .. }) => {
                subject.failed += 1;
                self.failed.push(note(why));
            }
            UnitState::Result(UnitResult { outcome: Outcome::Done(done), .. }) => {
                subject.done += 1;
                self.done += 1;
                self.relations += done.found.relations.len();
            }
        }
        Ok(())
    }

    /// Whether every unit is done.
    pub fn is_complete(&self) -> bool {
        self.done == self.units
    }
}

/// The best result of a unit in any folder: done rather than failed, any result rather than none; among
/// results that differ, the one with the smallest digest.
pub(super) fn best(folders: &[Folder], unit: &Unit) -> Result<UnitState, SweepError> {
    let rank = |stored: &UnitState| match stored {
        UnitState::Result(UnitResult { outcome: Outcome::Done(_), digest }) => (0, Some(*digest)),
        UnitState::Result(UnitResult { outcome: Outcome::Failed(_), digest }) => (1, Some(*digest)),
        UnitState::Damaged(_) => (2, None),
        UnitState::Missing => (3, None),
    };
    let mut best = UnitState::Missing;
    for folder in folders {
        let stored = folder.stored(unit.id)?;
        if rank(&stored) < rank(&best) {
            best = stored;
        }
    }
    Ok(best)
}

/// All attempts to run units of this sweep, in the order of the units, then by time.
pub(super) fn attempts(
    manifest: &Manifest,
    folders: &[Folder],
) -> Result<Vec<(usize, Attempt)>, SweepError> {
    let mut by_unit: std::collections::BTreeMap<Digest, Vec<Attempt>> = Default::default();
    for folder in folders {
        for attempt in journal::attempts(&folder.journal())? {
            by_unit.entry(attempt.unit).or_default().push(attempt);
        }
    }
    let mut all = Vec::new();
    for (place, unit) in manifest.units.iter().enumerate() {
        let mut attempts = by_unit.remove(&unit.id).unwrap_or_default();
        journal::sort(&mut attempts);
        all.extend(attempts.into_iter().map(|attempt| (place, attempt)));
    }
    Ok(all)
}

/// How many units of each state are listed by name.
const NAMED: usize = 10;

impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Status {
            units,
            done,
            failed,
            missing,
            damaged,
            relations,
            subjects,
            seconds,
            open,
            ..
        } = self;
        writeln!(
            f,
            "{} units: {} done, {} failed, {} missing",
            units,
            done,
            failed.len(),
            missing.len() + damaged.len()
        )?;
        let width = subjects.iter().map(|subject| subject.name.chars().count()).max().unwrap_or(0);
        for Progress { name, units, done, failed } in subjects {
            write!(f, "  {name:width$}  {done:>6} of {units} done")?;
            writeln!(
                f,
                "{}",
                if *failed > 0 { format!(", {failed} failed") } else { String::new() }
            )?;
        }
        writeln!(f, "{} relations in {seconds:.1} s of work", grouped(*relations as u64))?;
        if *open > 0 {
            writeln!(
                f,
                "{open} attempts began and have not ended: their tasks are still running, or were killed"
            )?;
        }
        for (title, notes) in [("failed", failed), ("damaged", damaged), ("missing", missing)] {
            for UnitNote { unit, what, why } in notes.iter().take(NAMED) {
                let why = if why.is_empty() { String::new() } else { format!(": {why}") };
                writeln!(f, "{title}  {unit}  {what}{why}")?;
            }
            if notes.len() > NAMED {
                writeln!(f, "{title}  and {} more (--format json has all)", notes.len() - NAMED)?;
            }
        }
        Ok(())
    }
}
