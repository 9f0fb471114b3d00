//! Chooses the minimal set: relations of all transformations that together kill every training mutant that all kill.

use genmorph_jit::Tolerance;

use super::search::SearchResult;
use crate::record::report::{MinimalSet, NeededRelation};
use crate::simplify::{Candidate, Setting, fold, readability};
use crate::subject::kinds::{Interface, Observed};

/// The minimal set of all relations that searches found.
pub(super) fn set(
    searched: &[SearchResult],
    signature: &Interface,
    tolerance: Tolerance,
) -> MinimalSet {
    let setting = Setting::plain(signature, tolerance);
    let (mut mutants, mut found, mut candidates) = (Vec::new(), Vec::new(), Vec::new());
    // Laws of outcomes are scored apart.
    for search in searched.iter().filter(|search| search.claimed.observed == Observed::Values) {
        let written = search.claimed.results.iter().flat_map(|results| &results.relations);
        let each = search.relations.iter().zip(written).zip(&search.claimed.tried);
        for ((relation, written), &tried) in each {
            let mut number = |name: &String| {
                mutants.iter().position(|known| known == name).unwrap_or_else(|| {
                    mutants.push(name.clone());
                    mutants.len() - 1
                })
            };
            candidates.push(Candidate {
                killed: written.killed.iter().map(&mut number).collect(),
                cost: readability(relation, &setting),
                evidence: tried,
            });
            found.push((&search.claimed.transformation, &written.relation));
        }
    }
    let needed = fold(&candidates).kept.into_iter().map(|kept| {
        let (transformation, relation) = found[kept.candidate];
        NeededRelation {
            transformation: transformation.clone(),
            relation: relation.clone(),
            unique: kept.unique.iter().map(|&mutant| mutants[mutant].clone()).collect(),
        }
    });
    MinimalSet { needed: needed.collect(), killed: mutants.len(), of: found.len() }
}
