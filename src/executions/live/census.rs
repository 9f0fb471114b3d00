//! Sorts out mutants that are not worth training on or judging by: those that behave like the original or
//! like an earlier mutant.

use genmorph_jit::Tolerance;

use super::behaviour::{Behaviour, Behaviours};
use super::runs::{Difference, Runs};

/// How a mutant behaves on some inputs, compared with the original and with earlier mutants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MutantStanding {
    /// It returns other values than the original, and behaves like no earlier mutant.
    Distinct,
    /// It behaves like an earlier mutant on every input.
    SameAs(usize),
    /// It behaves like the original on every input.
    Alike,
    /// Wherever it differs from the original, it does not return: any test kills it, without a relation.
    CrashOnly,
}

/// The standing of each mutant of a list.
#[derive(Clone, Debug)]
pub struct Census {
    /// Each mutant's number in the subject, with its standing.
    pub standings: Vec<(usize, MutantStanding)>,
    /// What each mutant does on the source inputs.
    behaviours: Behaviours,
}

/// Number of mutants per standing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Number of all mutants.
    pub all: usize,
    /// Number of mutants that are [`MutantStanding::Distinct`].
    pub distinct: usize,
    /// Number of mutants that are [`MutantStanding::SameAs`] an earlier one.
    pub same: usize,
    /// Number of mutants that are [`MutantStanding::Alike`] with the original.
    pub alike: usize,
    /// Number of mutants that are [`MutantStanding::CrashOnly`].
    pub crash_only: usize,
}

impl Census {
    /// Classifies mutants by their runs; `numbers` are their numbers in the subject.
    pub fn of(runs: &Runs, numbers: &[usize], tolerance: &Tolerance) -> Census {
        let mut census = Census { standings: Vec::new(), behaviours: Behaviours::new() };
        for (place, &number) in numbers.iter().enumerate() {
            let (mut value, mut crash) = (false, false);
            for row in 0..runs.original.len() {
                let difference = runs.difference(place, row, tolerance);
                value |= difference == Difference::Value;
                crash |= difference == Difference::Crash;
            }
            let behaviour = Behaviour::of(&runs.original, &runs.mutants[place]);
            let earlier = census.behaviours.add(behaviour);
            let standing = match (value, crash) {
                (false, false) => MutantStanding::Alike,
                (false, true) => MutantStanding::CrashOnly,
                (true, _) => match earlier {
                    Some(earlier) => MutantStanding::SameAs(numbers[earlier]),
                    None => MutantStanding::Distinct,
                },
            };
            census.standings.push((number, standing));
        }
        census
    }

    /// The numbers of the distinct mutants.
    pub fn distinct(&self) -> Vec<usize> {
        let distinct = self.standings.iter().filter(|(_, s)| *s == MutantStanding::Distinct);
        distinct.map(|(number, _)| *number).collect()
    }

    /// The numbers of the mutants that never return another value than the original.
    pub fn unshown(&self) -> Vec<usize> {
        let unshown = (self.standings.iter())
            .filter(|(_, s)| matches!(s, MutantStanding::Alike | MutantStanding::CrashOnly));
        unshown.map(|(number, _)| *number).collect()
    }

    /// The numbers of all mutants that do not behave like an earlier one.
    pub fn unique(&self) -> Vec<usize> {
        let unique = self.standings.iter().filter(|(_, s)| !matches!(s, MutantStanding::SameAs(_)));
        unique.map(|(number, _)| *number).collect()
    }

    /// Mutants of another census on the same inputs that behave like no mutant of this one.
    pub fn novel<'c>(&'c self, other: &'c Census) -> impl Iterator<Item = usize> + 'c {
        let seen = other.standings.iter().zip(other.behaviours.iter());
        let new = seen.filter(|((_, standing), behaviour)| {
            *standing == MutantStanding::Distinct && self.behaviours.first(behaviour).is_none()
        });
        new.map(|((number, _), _)| *number)
    }

    /// For each mutant of another census on the same inputs: a mutant of this census that behaves like it, if
    /// there is one and both differ from the original.
    pub fn twins(&self, other: &Census) -> Vec<Option<usize>> {
        let twin = |(standing, behaviour): (&(usize, MutantStanding), &Behaviour)| {
            let place = self.behaviours.first(behaviour)?;
            (standing.1 != MutantStanding::Alike).then(|| self.standings[place].0)
        };
        other.standings.iter().zip(other.behaviours.iter()).map(twin).collect()
    }

    /// Counts the mutants of each standing.
    pub fn tally(&self) -> Tally {
        let mut tally = Tally { all: self.standings.len(), ..Tally::default() };
        for (_, standing) in &self.standings {
            match standing {
                MutantStanding::Distinct => tally.distinct += 1,
                MutantStanding::SameAs(_) => tally.same += 1,
                MutantStanding::Alike => tally.alike += 1,
                MutantStanding::CrashOnly => tally.crash_only += 1,
            }
        }
        tally
    }
}
