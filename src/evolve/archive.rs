//! The relations worth reporting: without false positives, and together killing the most mutants.
//!
//! Of all relations that a run meets, the archive keeps the best one, and for each mutant the one that
//! alarms on most of its rows: so its size is bounded by the number of mutants. What is kept
//! does not depend on the order in which relations are met, nor on meeting them twice.

use std::cmp::{Ordering, Reverse};
use std::sync::Arc;

use genmorph_jit::Predicate;

use super::fingerprint::{Fingerprints, fingerprint};
use super::score::Score;
use super::scorer::Scorer;

/// Relations remembered to have been considered, at most. Considering one again only costs time.
const REMEMBERED: usize = 1 << 20;

/// A relation without false positives.
#[derive(Clone, Debug)]
pub(crate) struct Entry {
    pub(crate) relation: Predicate,
    pub(crate) score: Score,
    /// On how many rows of each mutant it is false.
    pub(crate) killed: Vec<u32>,
    fingerprint: u64,
}

impl Entry {
    pub(crate) fn new(relation: Predicate, score: Score, scorer: &mut Scorer) -> Entry {
        let (rows, mask) = scorer.mask(&relation);
        let killed = (0..rows.mutants()).map(|mutant| rows.killed(mutant, mask)).collect();
        Entry { fingerprint: fingerprint(relation.nodes()), relation, score, killed }
    }

    /// Compares two entries: the better one is less.
    pub(crate) fn compare(&self, other: &Entry) -> Ordering {
        let key = |e: &Entry| (e.score.missed, e.score.size, e.fingerprint);
        key(self).cmp(&key(other))
    }
}

/// The best relations of a run.
#[derive(Debug, Default)]
pub(crate) struct Archive {
    best: Option<Arc<Entry>>,
    champions: Vec<Option<Arc<Entry>>>,
    considered: Fingerprints,
}

impl Archive {
    pub(crate) fn new(mutants: usize) -> Archive {
        Archive { champions: vec![None; mutants], ..Archive::default() }
    }

    /// Takes what is worth keeping from relations that were scored; true if one is the new best.
    pub(crate) fn consider(
        &mut self,
        relations: &[Predicate],
        scores: &[Score],
        scorer: &mut Scorer,
    ) -> bool {
        let mut is_better = false;
        if self.considered.len() > REMEMBERED {
            self.considered.clear();
        }
        let missing_all = scorer.rows.incorrect as u32;
        for (relation, score) in relations.iter().zip(scores) {
            // What raises no alarm anywhere is true, but worth nothing.
            let apt = score.fp == 0 && score.related && score.fn_ < missing_all;
            if apt && self.considered.insert(fingerprint(relation.nodes())) {
                is_better |= self.add(Entry::new(relation.clone(), *score, scorer));
            }
        }
        is_better
    }

    fn add(&mut self, entry: Entry) -> bool {
        let entry = Arc::new(entry);
        let is_best = self.best.as_ref().is_none_or(|best| entry.compare(best) == Ordering::Less);
        if is_best {
            self.best = Some(Arc::clone(&entry));
        }
        for (mutant, champion) in self.champions.iter_mut().enumerate() {
            let rows = entry.killed[mutant];
            let better = |champion: &Arc<Entry>| {
                let order = champion.killed[mutant].cmp(&rows).then(entry.compare(champion));
                order == Ordering::Less
            };
            if rows > 0 && champion.as_ref().is_none_or(better) {
                *champion = Some(Arc::clone(&entry));
            }
        }
        is_best
    }

    /// The best relation so far.
    pub(crate) fn best(&self) -> Option<&Entry> {
        self.best.as_deref()
    }

    /// How many mutants some relation kills.
    pub(crate) fn killed(&self) -> usize {
        self.champions.iter().flatten().count()
    }

    /// All relations that are kept, best first.
    pub(crate) fn entries(&self) -> Vec<Arc<Entry>> {
        let mut all: Vec<Arc<Entry>> =
            self.best.iter().chain(self.champions.iter().flatten()).map(Arc::clone).collect();
        all.sort_by(|a, b| a.compare(b));
        all.dedup_by_key(|entry| entry.fingerprint);
        all
    }
}

/// The best relation, and then always the one that kills most mutants that none before it kills.
pub(crate) fn cover(mut entries: Vec<Arc<Entry>>) -> Vec<Arc<Entry>> {
    entries.sort_by(|a, b| a.compare(b));
    let best = if entries.is_empty() { Vec::new() } else { vec![entries.remove(0)] };
    cover_after(best, entries)
}

/// Some relations, and then always the one that kills most mutants that none before it kills.
pub(crate) fn cover_after(
    mut chosen: Vec<Arc<Entry>>,
    mut entries: Vec<Arc<Entry>>,
) -> Vec<Arc<Entry>> {
    entries.sort_by(|a, b| a.compare(b));
    let mut covered = vec![false; chosen.first().map_or(0, |entry| entry.killed.len())];
    let cover = |covered: &mut [bool], entry: &Entry| {
        for (covered, rows) in covered.iter_mut().zip(&entry.killed) {
            *covered |= *rows > 0;
        }
    };
    chosen.iter().for_each(|entry| cover(&mut covered, entry));
    while !entries.is_empty() {
        let gain = |entry: &Entry| {
            entry
                .killed
                .iter()
                .zip(&covered)
                .filter(|(rows, covered)| **rows > 0 && !**covered)
                .count()
        };
        let best = (0..entries.len()).min_by_key(|&i| (Reverse(gain(&entries[i])), i));
        let next = best.expect("there are entries");
        if gain(&entries[next]) == 0 {
            break;
        }
        let entry = entries.remove(next);
        cover(&mut covered, &entry);
        chosen.push(entry);
    }
    chosen
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evolve::example;
    use genmorph_jit::parse;

    fn entry(text: &str, missed: u32, killed: &[u32]) -> Entry {
        let relation = parse(text, example::power().table.schema()).unwrap();
        let size = relation.size() as u16;
        let score = Score { fp: 0, fn_: missed, missed: missed.into(), size, related: true };
        let fingerprint = fingerprint(relation.nodes());
        Entry { relation, score, killed: killed.to_vec(), fingerprint }
    }

    fn sizes(entries: &[Arc<Entry>]) -> Vec<u16> {
        entries.iter().map(|entry| entry.score.size).collect()
    }

    #[test]
    fn the_order_of_meeting_does_not_matter() {
        let met = [
            entry("out_s == out_f", 5, &[1, 0, 0]),
            entry("out_s == out_f + 1", 4, &[0, 2, 0]),
            entry("out_s == out_f + 1 + 1", 4, &[0, 2, 1]),
            entry("out_s == out_f + 1 + 1 + 1", 9, &[3, 0, 0]),
        ];
        let kept = |order: [usize; 5]| {
            let mut archive = Archive::new(3);
            for i in order {
                archive.add(met[i].clone());
            }
            sizes(&archive.entries())
        };
        assert_eq!(kept([0, 1, 2, 3, 1]), [5, 7, 9]);
        assert_eq!(kept([3, 2, 1, 0, 2]), [5, 7, 9]);
        assert_eq!(kept([2, 0, 3, 1, 3]), [5, 7, 9]);
    }

    #[test]
    fn the_cover_begins_with_the_best_and_ends_when_nothing_is_gained() {
        let entries = [
            entry("out_s == out_f + 1", 9, &[0, 1, 1, 1, 0]),
            entry("out_s == out_f", 1, &[5, 5, 0, 0, 0]),
            entry("out_s == out_f + 1 + 1", 9, &[0, 0, 1, 0, 0]),
        ];
        let chosen = cover(entries.map(Arc::new).into());
        assert_eq!(sizes(&chosen), [3, 5]);
        assert!(cover(Vec::new()).is_empty());
    }
}
