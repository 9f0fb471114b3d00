//! Which individuals become parents: by tournament, or by best match.
//!
//! A match is right where the first parent is wrong. That needs bits of both, so couples are planned
//! before they are bred, and bits are computed for those individuals only that some plan asks for.

use std::cmp::Ordering;

use genmorph_jit::Predicate;

use super::score::{Order, Score};
use super::scorer::Scorer;
use crate::evolve::config::Config;
use crate::support::seed::{Rng, Stream};

/// A population with its scores and the order that it is judged by.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ranking<'a> {
    pub(crate) order: Order,
    pub(crate) members: &'a [Predicate],
    pub(crate) scores: &'a [Score],
}

impl Ranking<'_> {
    /// Compares two members: the better one is less; of equal ones, the first.
    #[inline]
    pub(crate) fn compare(&self, a: usize, b: usize) -> Ordering {
        self.order.compare(&self.scores[a], &self.scores[b]).then(a.cmp(&b))
    }
}

/// Where the sampled rows of some members are right.
#[derive(Debug, Default)]
pub(crate) struct Matches {
    /// For every member its place among those that have bits, or `NONE`.
    places: Vec<u32>,
    bits: Vec<u64>,
    words: usize,
}

const NONE: u32 = u32::MAX;

/// The stream of a couple's plan: whether it is by best match, and between whom.
fn plan(couple: Stream) -> Rng {
    couple.at(0).rng()
}

impl Matches {
    /// The bits that the couples of a generation will ask for.
    pub(crate) fn of_couples(
        scored: &Ranking<'_>,
        couples: impl Iterator<Item = Stream>,
        config: &Config,
        scorer: &Scorer,
    ) -> Matches {
        let words = scorer.rows.sample.layout().words();
        let mut matches = Matches { places: Vec::new(), bits: Vec::new(), words };
        if config.best_match == 0.0 {
            return matches;
        }
        matches.places = vec![NONE; scored.members.len()];
        let mut asked: Vec<&Predicate> = Vec::new();
        for couple in couples {
            let mut rng = plan(couple);
            if !rng.chance(config.best_match) {
                continue;
            }
            for _ in 0..=config.match_candidates {
                let member = rng.below(scored.members.len());
                if matches.places[member] == NONE {
                    matches.places[member] = asked.len() as u32;
                    asked.push(&scored.members[member]);
                }
            }
        }
        matches.bits = scorer.right_on_sample(&asked);
        matches
    }

    fn of(&self, member: usize) -> &[u64] {
        &self.bits[self.places[member] as usize * self.words..][..self.words]
    }

    /// On how many sampled rows at least one of two members is right.
    fn together(&self, a: usize, b: usize) -> u32 {
        self.of(a).iter().zip(self.of(b)).map(|(a, b)| (a | b).count_ones()).sum()
    }
}

/// The parents of a couple.
pub(crate) fn parents(
    scored: &Ranking<'_>,
    matches: &Matches,
    couple: Stream,
    config: &Config,
) -> [usize; 2] {
    let all = scored.members.len();
    let mut rng = plan(couple);
    if config.best_match > 0.0 && rng.chance(config.best_match) {
        let first = rng.below(all);
        let candidates = (0..config.match_candidates).map(|_| rng.below(all));
        let better = |a: &usize, b: &usize| {
            let [a_right, b_right] = [a, b].map(|mate| matches.together(first, *mate));
            b_right.cmp(&a_right).then(scored.compare(*a, *b))
        };
        return [first, candidates.min_by(better).unwrap_or(first)];
    }
    [(); 2].map(|()| tournament(scored, &mut rng, config.tournament))
}

/// The best of some random members.
fn tournament(scored: &Ranking<'_>, rng: &mut Rng, rivals: usize) -> usize {
    let mut best = rng.below(scored.members.len());
    for _ in 1..rivals {
        let rival = rng.below(scored.members.len());
        if scored.compare(rival, best) == Ordering::Less {
            best = rival;
        }
    }
    best
}

/// The best members for which `wanted` is true, best first.
pub(crate) fn best(
    scored: &Ranking<'_>,
    count: usize,
    wanted: impl Fn(usize) -> bool,
) -> Vec<usize> {
    let ranked = (0..scored.members.len()).filter(|member| wanted(*member)).collect();
    least(ranked, count, |a, b| scored.compare(*a, *b))
}

/// The worst members, worst first.
pub(crate) fn worst(scored: &Ranking<'_>, count: usize) -> Vec<usize> {
    least((0..scored.members.len()).collect(), count, |a, b| scored.compare(*b, *a))
}

fn least(
    mut all: Vec<usize>,
    count: usize,
    compare: impl Fn(&usize, &usize) -> Ordering,
) -> Vec<usize> {
    if count < all.len() {
        all.select_nth_unstable_by(count, &compare);
        all.truncate(count);
    }
    all.sort_unstable_by(compare);
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evolve::config::Weights;
    use crate::evolve::example;
    use crate::evolve::rows::Rows;
    use crate::evolve::scorer::Machine;
    use crate::support::seed::Seed;
    use genmorph_jit::parse;

    fn with_fp(fp: &[u32]) -> Vec<Score> {
        fp.iter().map(|&fp| Score { fp, fn_: 0, missed: 0, size: 1, related: true }).collect()
    }

    fn example_scorer() -> Scorer {
        let rows = Rows::new(&example::power(), Weights::Rows, Some(128), Seed(1).stream("sample"));
        Scorer::new(rows, Machine { jobs: 1, ..Machine::default() }, 10).unwrap()
    }

    #[test]
    fn a_match_is_right_where_the_first_is_wrong() {
        let mut scorer = example_scorer();
        let schema = scorer.rows.table.schema().clone();
        // The first never raises an alarm; only the relation that does on incorrect rows helps it.
        let texts = ["out_s == out_s", "k_s == k_s", "out_f * k_s == out_s"];
        let members: Vec<Predicate> =
            texts.iter().map(|text| parse(text, &schema).unwrap()).collect();
        let grammar = example::grammar(&Config::default());
        let scores = scorer.scores(&members, &grammar);
        let scored = Ranking { order: Order::Fp, members: &members, scores: &scores };
        let config = Config { best_match: 1.0, match_candidates: 40, ..Config::default() };
        let couple = Seed(1).stream("test");
        let matches = Matches::of_couples(&scored, (0..50).map(|c| couple.at(c)), &config, &scorer);
        for c in 0..50 {
            let [first, second] = parents(&scored, &matches, couple.at(c), &config);
            assert!(first == 2 || second == 2, "{first} {second}");
        }
    }

    #[test]
    fn tournaments_prefer_the_better_and_give_everyone_a_chance() {
        let scores = with_fp(&[0, 1, 2, 3]);
        let schema = example::power().table.schema().clone();
        let members = vec![parse("out_s == out_f", &schema).unwrap(); 4];
        let scored = Ranking { order: Order::Fp, members: &members, scores: &scores };
        let config = Config { best_match: 0.0, ..Config::default() };
        let mut won = [0; 4];
        for couple in 0..2_000 {
            let couple = Seed(1).stream("test").at(couple);
            for winner in parents(&scored, &Matches::default(), couple, &config) {
                won[winner] += 1;
            }
        }
        // Of 16 ordered pairs, member i wins 2 (3 - i) + 1.
        for (i, won) in won.into_iter().enumerate() {
            let expected = 250 * (2 * (3 - i as i32) + 1);
            assert!((won - expected).abs() < 150, "{i}: {won}, not {expected}");
        }
    }

    #[test]
    fn the_best_and_the_worst_are_found_in_order() {
        let scores = with_fp(&[5, 1, 4, 1, 3]);
        let schema = example::power().table.schema().clone();
        let members = vec![parse("out_s == out_f", &schema).unwrap(); 5];
        let scored = Ranking { order: Order::Fp, members: &members, scores: &scores };
        assert_eq!(best(&scored, 3, |_| true), [1, 3, 4]);
        assert_eq!(best(&scored, 9, |member| member != 1), [3, 4, 2, 0]);
        assert_eq!(worst(&scored, 2), [0, 2]);
    }
}
