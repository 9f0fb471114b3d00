//! Which mutants are worth training on or judging by: those that do something of their own.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};

use genmorph_jit::{Column, Tolerance};

use super::runs::{Difference, Runs};
use crate::executions::identity;
use crate::subject::Outcomes;

/// What a mutant is, as far as some inputs show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// It returns other values than the original, and none before it does the same.
    Distinct,
    /// It does what an earlier mutant does on every input.
    SameAs(usize),
    /// It never differs from the original.
    Alike,
    /// Wherever it differs, it does not return: any test kills it, and no relation is needed.
    CrashOnly,
}

/// The standing of each of some mutants.
#[derive(Clone, Debug)]
pub struct Census {
    /// The mutants, by their number in the subject, and what each is.
    pub standings: Vec<(usize, Standing)>,
    /// Fingerprints of what each does; mutants that do the same have the same.
    behaviours: Vec<u64>,
}

/// How many mutants have which standing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// All of them.
    pub all: usize,
    /// [`Standing::Distinct`].
    pub distinct: usize,
    /// [`Standing::SameAs`].
    pub same: usize,
    /// [`Standing::Alike`].
    pub alike: usize,
    /// [`Standing::CrashOnly`].
    pub crash_only: usize,
}

impl Census {
    /// Of mutants that were run, given by their numbers in the subject.
    pub fn of(runs: &Runs, numbers: &[usize], tolerance: &Tolerance) -> Census {
        let mut census = Census { standings: Vec::new(), behaviours: Vec::new() };
        let mut first: HashMap<u64, usize> = HashMap::new();
        for (place, &number) in numbers.iter().enumerate() {
            let (mut value, mut crash) = (false, false);
            for row in 0..runs.original.len() {
                let difference = runs.difference(place, row, tolerance);
                value |= difference == Difference::Value;
                crash |= difference == Difference::Crash;
            }
            let behaviour = behaviour(&runs.original, &runs.mutants[place]);
            let standing = match (value, crash) {
                (false, false) => Standing::Alike,
                (false, true) => Standing::CrashOnly,
                (true, _) => match first.get(&behaviour) {
                    Some(&earlier) => Standing::SameAs(earlier),
                    None => Standing::Distinct,
                },
            };
            first.entry(behaviour).or_insert(number);
            census.standings.push((number, standing));
            census.behaviours.push(behaviour);
        }
        census
    }

    /// The numbers of the mutants that are distinct.
    pub fn distinct(&self) -> Vec<usize> {
        let distinct = self.standings.iter().filter(|(_, s)| *s == Standing::Distinct);
        distinct.map(|(number, _)| *number).collect()
    }

    /// The numbers of the mutants that return nothing else than the function.
    pub fn unshown(&self) -> Vec<usize> {
        let unshown = (self.standings.iter())
            .filter(|(_, s)| matches!(s, Standing::Alike | Standing::CrashOnly));
        unshown.map(|(number, _)| *number).collect()
    }

    /// The numbers of all mutants that do not do what an earlier one does.
    pub fn unique(&self) -> Vec<usize> {
        let unique = self.standings.iter().filter(|(_, s)| !matches!(s, Standing::SameAs(_)));
        unique.map(|(number, _)| *number).collect()
    }

    /// Those of another census on the same inputs that do nothing that a mutant here does.
    pub fn novel<'c>(&'c self, other: &'c Census) -> impl Iterator<Item = usize> + 'c {
        let seen = other.standings.iter().zip(&other.behaviours);
        let new = seen.filter(|((_, standing), behaviour)| {
            *standing == Standing::Distinct && !self.behaviours.contains(behaviour)
        });
        new.map(|((number, _), _)| *number)
    }

    /// For each mutant of another census on the same inputs that differs from the function: one here that does the same.
    pub fn twins(&self, other: &Census) -> Vec<Option<usize>> {
        let twin = |(standing, behaviour): (&(usize, Standing), &u64)| {
            let place = self.behaviours.iter().position(|known| known == behaviour)?;
            (standing.1 != Standing::Alike).then(|| self.standings[place].0)
        };
        other.standings.iter().zip(&other.behaviours).map(twin).collect()
    }

    /// How many are what.
    pub fn tally(&self) -> Tally {
        let mut tally = Tally { all: self.standings.len(), ..Tally::default() };
        for (_, standing) in &self.standings {
            match standing {
                Standing::Distinct => tally.distinct += 1,
                Standing::SameAs(_) => tally.same += 1,
                Standing::Alike => tally.alike += 1,
                Standing::CrashOnly => tally.crash_only += 1,
            }
        }
        tally
    }
}

/// A fingerprint of what a mutant does where the original returns. How it fails does not matter.
fn behaviour(original: &Outcomes, mutant: &Outcomes) -> u64 {
    let mut hasher = DefaultHasher::new();
    for row in (0..original.len()).filter(|&row| original.is_returned(row)) {
        mutant.is_returned(row).hash(&mut hasher);
        for column in mutant.columns() {
            match column {
                Column::Num(values) => identity(values[row]).hash(&mut hasher),
                Column::Bool(values) => values[row].hash(&mut hasher),
                Column::Seq(values) => {
                    let elements = values.get(row);
                    elements.len().hash(&mut hasher);
                    elements.iter().for_each(|&e| identity(e).hash(&mut hasher));
                }
            }
        }
    }
    hasher.finish()
}
