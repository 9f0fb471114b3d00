//! Our own verdicts on PIT's mutants, on the pairs of an exported test; and how they compare with PIT's.

use std::collections::BTreeMap;

use genmorph_jit::engine::reference;
use genmorph_jit::{Predicate, Tolerance};

use super::report::{PitVerdict, Status};
use crate::export::Pairs;
use crate::subject::jvm::JvmSubject;
use crate::subject::{Group, MachineFailure, Subject, Version};

/// How a mutant fares under a test.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Fate {
    /// The relation is false on a pair, and the mutant returns on all pairs.
    Asserted,
    /// It crashes or does not end on a pair: any test would kill it.
    Crashed,
    /// No test noticed the mutant.
    Survived,
    /// It survived, and no test reaches its code.
    NotCovered,
}

impl Fate {
    /// The fate in words, for people.
    pub fn words(self) -> &'static str {
        match self {
            Fate::Asserted => "killed by an assertion",
            Fate::Crashed => "killed by a crash or a time-out",
            Fate::Survived => "survived",
            Fate::NotCovered => "not covered",
        }
    }
}

/// Identifies a mutant of a method for PIT and for us: operator, line, index.
pub type Key = (String, u32, usize);

/// The fates of the mutants of a method under one relation.
pub type Verdicts = BTreeMap<Key, Fate>;

/// Our verdicts: runs each judging mutant on all pairs, and evaluates each relation where the mutant returns.
///
/// # Errors
/// When the machine fails.
pub fn fates(
    subject: &JvmSubject,
    pairs: &Pairs,
    relations: &[Predicate],
    tolerance: Tolerance,
) -> Result<Vec<Verdicts>, MachineFailure> {
    let mut all = vec![Verdicts::new(); relations.len()];
    for number in subject.mutants_of(Group::B) {
        let version = |original| Version::Mutant { number, original };
        let at_source = subject.run(version(&pairs.at_source), &pairs.sources)?;
        let at_follow_up = subject.run(version(&pairs.at_follow_up), &pairs.follow_ups)?;
        let returned: Vec<usize> = (0..pairs.len())
            .filter(|&row| at_source.is_returned(row) && at_follow_up.is_returned(row))
            .collect();
        let table =
            pairs.table_of(subject.signature(), tolerance, (&at_source, &at_follow_up), &returned);
        let mutant = subject.pit_mutant(number).expect("PIT has all mutants of group B");
        let key = (mutant.operator.to_owned(), mutant.line, mutant.index);
        for (relation, verdicts) in relations.iter().zip(&mut all) {
            let holds = (0..returned.len()).all(|row| reference::holds(relation, &table, row));
            let fate = match returned.len() == pairs.len() {
                false => Fate::Crashed,
                true if holds => Fate::Survived,
                true => Fate::Asserted,
            };
            verdicts.insert(key.clone(), fate);
        }
    }
    Ok(all)
}

/// The verdicts of several relations in one test class: a crash under one of them crashes the class.
pub fn together(each: &[Verdicts]) -> Verdicts {
    let rank = |fate: Fate| match fate {
        Fate::Crashed => 3,
        Fate::Asserted => 2,
        Fate::Survived => 1,
        Fate::NotCovered => 0,
    };
    let mut all = Verdicts::new();
    for (key, &fate) in each.iter().flatten() {
        let known = all.entry(key.clone()).or_insert(fate);
        if rank(fate) > rank(*known) {
            *known = fate;
        }
    }
    all
}

/// PIT's verdicts in the same form: mutants that the class without assertions kills have crashed.
pub fn of_pit(verdicts: &[PitVerdict], vacuous: &[PitVerdict]) -> Verdicts {
    let key = |verdict: &PitVerdict| (verdict.operator.clone(), verdict.line, verdict.index);
    let crashed: Vec<Key> =
        vacuous.iter().filter(|verdict| verdict.status.is_detected()).map(key).collect();
    let fate = |verdict: &PitVerdict| match verdict.status {
        Status::NoCoverage => Fate::NotCovered,
        Status::Survived => Fate::Survived,
        Status::Killed if !crashed.contains(&key(verdict)) => Fate::Asserted,
        Status::Killed
        | Status::TimedOut
        | Status::MemoryError
        | Status::RunError
        | Status::NonViable => Fate::Crashed,
    };
    verdicts.iter().map(|verdict| (key(verdict), fate(verdict))).collect()
}

/// The mutants whose fates differ: detected by one side only, or for another reason. Survivors may be covered or not.
pub fn disagreements(ours: &Verdicts, pits: &Verdicts) -> Vec<(Key, Option<Fate>, Option<Fate>)> {
    let same = |a: Option<Fate>, b: Option<Fate>| match (a, b) {
        (Some(Fate::Survived), Some(Fate::NotCovered)) => true,
        (a, b) => a == b,
    };
    let mut keys: Vec<&Key> = ours.keys().chain(pits.keys()).collect();
    keys.sort();
    keys.dedup();
    let both = keys.into_iter().map(|key| (key, ours.get(key).copied(), pits.get(key).copied()));
    both.filter(|(_, a, b)| !same(*a, *b)).map(|(key, a, b)| (key.clone(), a, b)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn verdict(index: usize, status: Status) -> PitVerdict {
        PitVerdict {
            class: "a.A".to_owned(),
            method: "f".to_owned(),
            descriptor: "(I)I".to_owned(),
            operator: "MATH".to_owned(),
            line: 1,
            index,
            block: 0,
            status,
            killed_by: Vec::new(),
        }
    }

    #[test]
    fn what_the_test_that_asserts_nothing_kills_has_crashed() {
        use Status::{Killed, NoCoverage, Survived, TimedOut};
        let suite = [Killed, Killed, TimedOut, Survived, NoCoverage];
        let suite: Vec<_> = (0..).zip(suite).map(|(i, status)| verdict(i, status)).collect();
        let vacuous = [Survived, Killed, TimedOut, Survived, NoCoverage];
        let vacuous: Vec<_> = (0..).zip(vacuous).map(|(i, status)| verdict(i, status)).collect();
        let fates: Vec<Fate> = of_pit(&suite, &vacuous).into_values().collect();
        use Fate::{Asserted, Crashed, NotCovered};
        assert_eq!(fates, [Asserted, Crashed, Crashed, Fate::Survived, NotCovered]);
    }

    #[test]
    fn a_crash_under_one_relation_is_a_crash_of_all() {
        let key = |index| ("MATH".to_owned(), 1, index);
        let of = |fates: [Fate; 3]| Verdicts::from_iter((0..).map(key).zip(fates));
        use Fate::{Asserted, Crashed, Survived};
        let first = of([Survived, Asserted, Asserted]);
        let all = together(&[first, of([Survived, Crashed, Survived])]);
        assert_eq!(all, of([Survived, Crashed, Asserted]));
    }

    #[test]
    fn disagreements_are_found_from_both_sides() {
        let key = |index| ("MATH".to_owned(), 1, index);
        let ours = Verdicts::from([(key(0), Fate::Survived), (key(1), Fate::Asserted)]);
        let pits = Verdicts::from([(key(0), Fate::NotCovered), (key(2), Fate::Crashed)]);
        let found = disagreements(&ours, &pits);
        let expected = [(key(1), Some(Fate::Asserted), None), (key(2), None, Some(Fate::Crashed))];
        assert_eq!(found, expected);
    }
}
