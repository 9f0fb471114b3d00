//! The exchange of the best between the populations.

use genmorph_jit::Predicate;

use super::fingerprint::{Fingerprints, fingerprint};
use super::score::{Order, Score};
use super::select::{Ranking, best, worst};

/// Both populations get the best of the other in place of their own worst. Those who leave also
/// stay: they are copied. They relate an output pair, and are different relations.
pub(crate) fn exchange(members: &mut [Predicate], scores: &mut [Score], migrants: usize) {
    let each = members.len() / 2;
    let plans: Vec<(usize, usize)> = {
        let islands = [0, 1].map(|island| Ranking {
            order: Order::BOTH[island],
            members: &members[island * each..][..each],
            scores: &scores[island * each..][..each],
        });
        let leaving = islands.map(|island| leaving(&island, migrants));
        let making_room = islands.map(|island| worst(&island, migrants));
        let moves = |from: usize, to: usize| {
            let pairs = leaving[from].iter().zip(&making_room[to]);
            pairs.map(move |(a, b)| (from * each + a, to * each + b)).collect::<Vec<_>>()
        };
        [moves(0, 1), moves(1, 0)].concat()
    };
    // All leave before any arrives: the best of a tiny population may also be among its worst.
    let arriving: Vec<(Predicate, Score)> =
        plans.iter().map(|&(from, _)| (members[from].clone(), scores[from])).collect();
    for ((_, to), (member, score)) in plans.into_iter().zip(arriving) {
        members[to] = member;
        scores[to] = score;
    }
}

fn leaving(scored: &Ranking<'_>, migrants: usize) -> Vec<usize> {
    let mut seen = Fingerprints::default();
    let ranked = best(scored, migrants * 2, |member| scored.scores[member].related);
    ranked
        .into_iter()
        .filter(|&member| seen.insert(fingerprint(scored.members[member].nodes())))
        .take(migrants)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evolve::example;
    use genmorph_jit::parse;

    #[test]
    fn each_population_gets_the_best_of_the_other_for_its_worst() {
        let schema = example::power().table.schema().clone();
        let mut members: Vec<Predicate> =
            (0..8).map(|i| parse(&format!("out_s == out_f + {i}"), &schema).unwrap()).collect();
        let original = members.clone();
        // fp, fn: the first population is best at 1, worst at 3; the second best at 6, worst at 4.
        let mut scores: Vec<Score> =
            [(5, 0), (0, 5), (6, 5), (9, 1), (0, 9), (1, 5), (9, 0), (0, 8)]
                .map(|(fp, fn_)| Score { fp, fn_, missed: fn_.into(), size: 5, related: true })
                .into();
        let before = scores.clone();
        exchange(&mut members, &mut scores, 1);
        let moved = |from: usize, to: usize| {
            assert_eq!(members[to], original[from]);
            assert_eq!(scores[to], before[from]);
        };
        moved(6, 3);
        moved(1, 4);
        for same in [0, 1, 2, 5, 6, 7] {
            moved(same, same);
        }
    }
}
