//! The individuals that survive unchanged.
//!
//! The best of those that relate an output pair, no two the same relation, and no two with the
//! same false negatives. Only those that relate outputs are looked at, so that others do not take
//! the place of a relation.

use genmorph_jit::Predicate;

use super::fingerprint::{ByFingerprint, fingerprint, of_words};
use super::score::Score;
use super::scorer::Scorer;
use super::select::{Ranking, best};

/// How many members are looked at per place. Populations converge: all good ones may miss the same.
const LOOKED_AT: usize = 64;
/// Remembered sets of false negatives, at most.
const REMEMBERED: usize = 1 << 17;

/// Finds the elite, and remembers which rows relations miss from one generation to the next.
#[derive(Debug, Default)]
pub(crate) struct Elite {
    missed: ByFingerprint<u64>,
}

impl Elite {
    /// The elite of a population, best first.
    pub(crate) fn of(
        &mut self,
        scored: &Ranking<'_>,
        size: usize,
        scorer: &mut Scorer,
    ) -> Vec<usize> {
        if self.missed.len() > REMEMBERED {
            self.missed.clear();
        }
        let ranked = best(scored, size * LOOKED_AT, |member| scored.scores[member].related);
        let mut elite: Vec<usize> = Vec::with_capacity(size);
        for member in ranked {
            if elite.len() == size {
                break;
            }
            let relation = &scored.members[member];
            let Score { fn_, .. } = scored.scores[member];
            // As many false negatives may be the same ones; other numbers cannot be.
            let unique = elite.iter().all(|&other| {
                scored.scores[other].fn_ != fn_
                    || self.missed_by(&scored.members[other], scorer)
                        != self.missed_by(relation, scorer)
            });
            if unique {
                elite.push(member);
            }
        }
        elite
    }

    /// A hash of the rows that a relation misses. Equal relations miss the same rows, so this makes
    /// relations unique too.
    fn missed_by(&mut self, relation: &Predicate, scorer: &mut Scorer) -> u64 {
        *self.missed.entry(fingerprint(relation.nodes())).or_insert_with(|| {
            let (rows, mask) = scorer.mask(relation);
            of_words(rows.incorrect_words(mask))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evolve::config::{Config, Weights};
    use crate::evolve::example;
    use crate::evolve::rows::Rows;
    use crate::evolve::score::Order;
    use crate::evolve::scorer::Machine;
    use crate::support::seed::Seed;
    use genmorph_jit::parse;

    #[test]
    fn the_elite_relates_outputs_and_misses_different_rows() {
        let rows = Rows::new(&example::power(), Weights::Rows, Some(8), Seed(1).stream("sample"));
        let mut scorer = Scorer::new(rows, Machine::default(), 10).unwrap();
        let schema = scorer.rows.table.schema().clone();
        let texts = [
            "k_s == k_s",
            "out_f * k_s == out_s",
            "out_s == k_s * out_f",
            "not (out_s != k_s * out_f)",
            "abs(out_f) <= abs(out_s) + 1",
            "out_f == out_f",
        ];
        let members: Vec<Predicate> =
            texts.iter().map(|text| parse(text, &schema).unwrap()).collect();
        let scores = scorer.scores(&members, &example::grammar(&Config::default()));
        let scored = Ranking { order: Order::Fp, members: &members, scores: &scores };
        let elite = Elite::default().of(&scored, 10, &mut scorer);
        assert_eq!(elite, [1, 4]);
    }
}
