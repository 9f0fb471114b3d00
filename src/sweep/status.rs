//! How far a sweep is: what is done, what is missing, and what failed and why.

use std::fmt;

use serde::Serialize;

use super::error::SweepError;
use super::folder::{Folder, Record, Stored};
use super::found::Outcome;
use super::journal::{self, Attempt, End};
use super::manifest::Manifest;
use super::unit::Unit;
use crate::support::digest::Digest;
use crate::support::digits::grouped;

/// How far a sweep is.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Status {
    /// What the sweep is known by.
    pub sweep: Digest,
    /// All units.
    pub units: usize,
    /// Those that are done.
    pub done: usize,
    /// Those that cannot be done.
    pub failed: Vec<Told>,
    /// Those that have no result.
    pub missing: Vec<Told>,
    /// Those whose result is damaged: they count as missing.
    pub damaged: Vec<Told>,
    /// The relations of all units.
    pub relations: usize,
    /// By subject.
    pub subjects: Vec<Progress>,
    /// The time that all units took that have a result, in seconds.
    pub seconds: f64,
    /// Trials that began and never ended: the task was killed, or is still at it.
    pub open: usize,
}

/// A unit, and what there is to say about it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Told {
    /// The unit.
    pub unit: Digest,
    /// What it is.
    pub what: String,
    /// Why it failed, or what is wrong with its result.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub why: String,
}

/// How far a subject is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Progress {
    /// The subject.
    pub name: String,
    /// Its units.
    pub units: usize,
    /// Those that are done.
    pub done: usize,
    /// Those that failed.
    pub failed: usize,
}

impl Status {
    /// Looks at all units in all folders.
    ///
    /// # Errors
    /// When something cannot be read.
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
        let told = |why: String| Told { unit: unit.id, what: manifest.describe(unit), why };
        let subject = &mut self.subjects[unit.subject];
        subject.units += 1;
        match best(folders, unit)? {
            Stored::Missing => self.missing.push(told(String::new())),
            Stored::Damaged(problem) => self.damaged.push(told(problem)),
            Stored::Result(Record { outcome: Outcome::Failed(why), .. }) => {
                subject.failed += 1;
                self.failed.push(told(why));
            }
            Stored::Result(Record { outcome: Outcome::Done(done), .. }) => {
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

/// What is known of a unit, whichever folders have it: one that is done rather than one that failed, one with a
/// result rather than none; of several that differ, the one with the smallest digest.
pub(super) fn best(folders: &[Folder], unit: &Unit) -> Result<Stored, SweepError> {
    let rank = |stored: &Stored| match stored {
        Stored::Result(Record { outcome: Outcome::Done(_), digest }) => (0, Some(*digest)),
        Stored::Result(Record { outcome: Outcome::Failed(_), digest }) => (1, Some(*digest)),
        Stored::Damaged(_) => (2, None),
        Stored::Missing => (3, None),
    };
    let mut best = Stored::Missing;
    for folder in folders {
        let stored = folder.stored(unit.id)?;
        if rank(&stored) < rank(&best) {
            best = stored;
        }
    }
    Ok(best)
}

/// All trials of units of a sweep, in the order of the units, then by time.
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

/// Units that are named for people, at most.
const NAMED: usize = 10;

/// For people.
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
            writeln!(f, "{open} began and have not ended: their tasks are at it, or were killed")?;
        }
        for (title, told) in [("failed", failed), ("damaged", damaged), ("missing", missing)] {
            for Told { unit, what, why } in told.iter().take(NAMED) {
                let why = if why.is_empty() { String::new() } else { format!(": {why}") };
                writeln!(f, "{title}  {unit}  {what}{why}")?;
            }
            if told.len() > NAMED {
                writeln!(f, "{title}  and {} more (--format json has all)", told.len() - NAMED)?;
            }
        }
        Ok(())
    }
}
