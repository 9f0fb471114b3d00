//! What mutants do on some inputs, as keys that can be compared and looked up.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};

use genmorph_jit::Column;

use crate::executions::identity;
use crate::subject::Outcomes;

/// What a mutant does where the original returns. How it fails does not matter.
///
/// Mutants with equal behaviours do the same: the whole behaviour is kept and compared, not only its hash.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Behaviour(Box<[u64]>);

impl Behaviour {
    /// The behaviour of a mutant on the inputs that the original was run on.
    pub(super) fn of(original: &Outcomes, mutant: &Outcomes) -> Behaviour {
        let mut words = Vec::new();
        for row in (0..original.len()).filter(|&row| original.is_returned(row)) {
            words.push(u64::from(mutant.is_returned(row)) + 2 * u64::from(!mutant.is_run(row)));
            for column in mutant.columns() {
                match column {
                    Column::Num(values) => words.push(identity(values[row])),
                    Column::Bool(values) => words.push(u64::from(values[row])),
                    Column::Seq(values) => {
                        let elements = values.get(row);
                        words.push(elements.len() as u64);
                        words.extend(elements.iter().map(|&element| identity(element)));
                    }
                }
            }
        }
        Behaviour(words.into())
    }
}

/// The behaviours of mutants, in the order of the mutants; each is kept once.
#[derive(Clone, Debug)]
pub(super) struct Behaviours {
    /// Different behaviours, each with the place of the first mutant that has it.
    kinds: Vec<(Behaviour, usize)>,
    /// For each mutant, its behaviour in `kinds`.
    of_mutants: Vec<usize>,
    /// Places in `kinds`, by hash. Behaviours with equal hashes need not be equal.
    by_hash: HashMap<u64, Vec<usize>>,
    hash: fn(&Behaviour) -> u64,
}

impl Behaviours {
    pub(super) fn new() -> Behaviours {
        Behaviours::hashed_by(|behaviour| {
            let mut hasher = DefaultHasher::new();
            behaviour.hash(&mut hasher);
            hasher.finish()
        })
    }

    /// The same with another hash function.
    fn hashed_by(hash: fn(&Behaviour) -> u64) -> Behaviours {
        let (kinds, of_mutants, by_hash) = Default::default();
        Behaviours { kinds, of_mutants, by_hash, hash }
    }

    fn kind(&self, behaviour: &Behaviour) -> Option<usize> {
        let alike = self.by_hash.get(&(self.hash)(behaviour))?;
        alike.iter().copied().find(|&kind| self.kinds[kind].0 == *behaviour)
    }

    /// The place of the first mutant that behaves so.
    pub(super) fn first(&self, behaviour: &Behaviour) -> Option<usize> {
        self.kind(behaviour).map(|kind| self.kinds[kind].1)
    }

    /// Adds the next mutant; returns the place of the first mutant that behaves as it does, if there is an earlier one.
    pub(super) fn add(&mut self, behaviour: Behaviour) -> Option<usize> {
        let place = self.of_mutants.len();
        if let Some(kind) = self.kind(&behaviour) {
            self.of_mutants.push(kind);
            return Some(self.kinds[kind].1);
        }
        self.of_mutants.push(self.kinds.len());
        self.by_hash.entry((self.hash)(&behaviour)).or_default().push(self.kinds.len());
        self.kinds.push((behaviour, place));
        None
    }

    /// The behaviour of each mutant.
    pub(super) fn iter(&self) -> impl Iterator<Item = &Behaviour> {
        self.of_mutants.iter().map(|&kind| &self.kinds[kind].0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn behaviour(words: &[u64]) -> Behaviour {
        Behaviour(words.into())
    }

    #[test]
    fn behaviours_with_equal_hashes_are_told_apart() {
        let all_collide: fn(&Behaviour) -> u64 = |_| 0;
        let some_collide: fn(&Behaviour) -> u64 = |behaviour| behaviour.0.len() as u64;
        for hash in [all_collide, some_collide] {
            let mut behaviours = Behaviours::hashed_by(hash);
            let all = [&[1, 2][..], &[1, 3], &[1, 2], &[2], &[1, 3]];
            let earlier = all.map(|words| behaviours.add(behaviour(words)));
            assert_eq!(earlier, [None, None, Some(0), None, Some(1)]);
            let first = all.map(|words| behaviours.first(&behaviour(words)));
            assert_eq!(first, [Some(0), Some(1), Some(0), Some(3), Some(1)]);
            assert_eq!(behaviours.first(&behaviour(&[9, 9])), None);
            assert!(behaviours.iter().eq(all.map(behaviour).iter()));
        }
    }
}
