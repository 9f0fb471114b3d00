//! Reduces a set of relations: drops those that add nothing, so that every mutant that the set kills is still killed.
//!
//! Works with numbers of mutants and reading costs, and does not look at the relations themselves. The relations
//! of all transformations of a function form one set, because a mutant is killed whichever relation kills it.

use std::cmp::Ordering;

/// A relation, as far as its role in a set is concerned.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Candidate {
    /// Numbers of the mutants that it kills; the same numbers for all relations of the function.
    pub killed: Vec<usize>,
    /// The cost of reading it; see [`readability`](fn@super::readability).
    pub cost: u32,
    /// Number of pairs of inputs on which it was evaluated and held.
    pub evidence: usize,
}

/// The result of reducing a set of relations.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Fold {
    /// The relations that are needed, the most important first.
    pub kept: Vec<KeptRelation>,
    /// The relations that are not needed.
    pub folded: Vec<FoldedRelation>,
}

/// A relation that is needed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeptRelation {
    /// Its position among the candidates.
    pub candidate: usize,
    /// The mutants that it kills and no plainer kept relation kills; at least one.
    pub unique: Vec<usize>,
}

/// A relation that is not needed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FoldedRelation {
    /// Its position among the candidates.
    pub candidate: usize,
    /// Positions of kept relations that together kill what it kills; empty if it kills nothing.
    pub by: Vec<usize>,
}

/// Chooses relations that together kill everything that the candidates kill and that are easy to read.
///
/// Greedy: always takes the one that kills the most new mutants for its cost. Then it drops those whose kills
/// plainer ones cover; a plain relation stays even if a costly one that is needed kills the same mutants.
/// Ordered by unique kills, cost and evidence.
pub fn fold(candidates: &[Candidate]) -> Fold {
    let mutants = candidates.iter().flat_map(|c| &c.killed).max().map_or(0, |most| most + 1);
    let mut covered = vec![false; mutants];
    let mut kept: Vec<usize> = Vec::new();
    let gain = |covered: &[bool], i: usize| {
        distinct(&candidates[i].killed).into_iter().filter(|&mutant| !covered[mutant]).count()
    };
    loop {
        let better = |&a: &usize, &b: &usize| {
            let worth = |i: usize, j: usize| {
                gain(&covered, i) as u64 * u64::from(candidates[j].cost.max(1))
            };
            worth(b, a).cmp(&worth(a, b)).then(prefer(candidates, a, b))
        };
        let best = (0..candidates.len()).filter(|&i| gain(&covered, i) > 0).min_by(better);
        let Some(best) = best else { break };
        distinct(&candidates[best].killed).into_iter().for_each(|mutant| covered[mutant] = true);
        kept.push(best);
    }
    // The plainest first: a relation needs kills beyond those of plainer ones.
    kept.sort_by(|&a, &b| prefer(candidates, a, b));
    covered.fill(false);
    let mut kept: Vec<KeptRelation> = (kept.into_iter())
        .map(|candidate| {
            let mut unique = distinct(&candidates[candidate].killed);
            unique.retain(|&mutant| !std::mem::replace(&mut covered[mutant], true));
            KeptRelation { candidate, unique }
        })
        .filter(|kept| !kept.unique.is_empty())
        .collect();
    kept.sort_by(|a, b| {
        let order = b.unique.len().cmp(&a.unique.len());
        order.then(prefer(candidates, a.candidate, b.candidate))
    });
    let is_kept = |i: usize| kept.iter().any(|kept| kept.candidate == i);
    let folded = (0..candidates.len())
        .filter(|&i| !is_kept(i))
        .map(|candidate| FoldedRelation { candidate, by: cover(candidate, &kept, candidates) })
        .collect();
    Fold { kept, folded }
}

/// Orders candidates: cheaper to read first, then more evidence, then the earlier one.
fn prefer(candidates: &[Candidate], a: usize, b: usize) -> Ordering {
    let key = |i: usize| (candidates[i].cost, std::cmp::Reverse(candidates[i].evidence), i);
    key(a).cmp(&key(b))
}

fn distinct(killed: &[usize]) -> Vec<usize> {
    let mut killed = killed.to_vec();
    killed.sort_unstable();
    killed.dedup();
    killed
}

/// A few kept relations that kill what a candidate kills; only one if one suffices.
fn cover(candidate: usize, kept: &[KeptRelation], candidates: &[Candidate]) -> Vec<usize> {
    let mut left = distinct(&candidates[candidate].killed);
    let mut by = Vec::new();
    while !left.is_empty() {
        let hits = |kept: &KeptRelation| {
            left.iter().filter(|mutant| candidates[kept.candidate].killed.contains(mutant)).count()
        };
        let most = kept.iter().map(hits).max().unwrap_or(0);
        let Some(best) = kept.iter().find(|kept| most > 0 && hits(kept) == most) else { break };
        by.push(best.candidate);
        left.retain(|mutant| !candidates[best.candidate].killed.contains(mutant));
    }
    by
}

#[cfg(test)]
mod tests {
    use super::*;
    use genmorph_jit::oracle::Choices;
    use std::collections::BTreeSet;

    fn candidate(killed: &[usize], cost: u32) -> Candidate {
        Candidate { killed: killed.to_vec(), cost, evidence: 10 }
    }

    #[test]
    fn what_others_kill_is_folded_and_names_them() {
        let all = [
            candidate(&[0, 1], 30),
            candidate(&[0, 1, 2], 30),
            candidate(&[3], 50),
            candidate(&[2, 3], 90),
            candidate(&[], 10),
        ];
        let fold = fold(&all);
        let kept: Vec<usize> = fold.kept.iter().map(|kept| kept.candidate).collect();
        assert_eq!(kept, [1, 2]);
        assert_eq!(fold.kept[0].unique, [0, 1, 2]);
        let by: Vec<(usize, Vec<usize>)> =
            fold.folded.into_iter().map(|folded| (folded.candidate, folded.by)).collect();
        assert_eq!(by, [(0, vec![1]), (3, vec![1, 2]), (4, vec![])]);
    }

    #[test]
    fn of_two_that_kill_the_same_the_plainer_and_then_the_better_tried_stays() {
        let plainer = fold(&[candidate(&[0, 1], 60), candidate(&[1, 0], 50)]);
        assert_eq!(plainer.kept[0].candidate, 1);
        let tried = Candidate { evidence: 11, ..candidate(&[4], 50) };
        assert_eq!(fold(&[candidate(&[4], 50), tried]).kept[0].candidate, 1);
        assert_eq!(fold(&[]), Fold::default());
    }

    #[test]
    fn no_kill_is_lost_and_every_kept_relation_has_one_of_its_own() {
        let mut choices = Choices::from_seed(3);
        for _ in 0..500 {
            let count = choices.below(20);
            let all: Vec<Candidate> = (0..count)
                .map(|_| {
                    let kills = choices.below(8);
                    let killed: Vec<usize> = (0..kills).map(|_| choices.below(25)).collect();
                    candidate(&killed, 30 + choices.below(100) as u32)
                })
                .collect();
            let fold = fold(&all);
            let union = |of: &mut dyn Iterator<Item = usize>| -> BTreeSet<usize> {
                of.flat_map(|i| all[i].killed.clone()).collect()
            };
            let kept = union(&mut fold.kept.iter().map(|kept| kept.candidate));
            assert_eq!(kept, union(&mut (0..all.len())));
            assert_eq!(fold.kept.len() + fold.folded.len(), all.len());
            for one in &fold.kept {
                let plainer = fold.kept.iter().map(|kept| kept.candidate);
                let plainer = plainer.filter(|&other| all[other].cost < all[one.candidate].cost);
                let plainer = union(&mut plainer.into_iter());
                assert!(!one.unique.is_empty());
                assert!(one.unique.iter().all(|mutant| !plainer.contains(mutant)));
            }
            for folded in &fold.folded {
                let by = union(&mut folded.by.iter().copied());
                assert!(all[folded.candidate].killed.iter().all(|mutant| by.contains(mutant)));
            }
        }
    }
}
