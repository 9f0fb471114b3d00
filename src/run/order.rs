//! The laws of all transformations in one list: what a person should read first comes first.
//!
//! The plainest law of the plainest transformation is read first. What says once more what stands before it, of another parameter,
//! comes later; so does a law that no training mutant violates.

use super::search::SearchResult;
use crate::record::relations::{RelationKind, ReportedRelation};
use crate::transform::{Template, plainness};

/// How much later a law stands for each step away from the plainest transformations. A guess, as are the others.
const STEP: u32 = 4;
/// For each law before it with the same words; and under the same template.
const REPEATED: u32 = 12;
const ALIKE: u32 = 6;
/// If no training mutant violates it.
const IDLE: u32 = 12;

/// A law, where it stands among all relations of a run, and how soon it is read.
struct Place<'l> {
    number: usize,
    cost: u32,
    template: Template,
    law: &'l ReportedRelation,
}

/// The numbers of the laws, from 1 over all relations in the order of the searches.
pub(super) fn laws(searched: &[SearchResult]) -> Vec<usize> {
    let all = searched.iter().flat_map(|search| {
        search.claimed.relations().iter().map(move |found| (search.transform.template(), found))
    });
    let mut left: Vec<Place<'_>> = (1..)
        .zip(all)
        .filter(|(_, (_, found))| found.kind == RelationKind::Law)
        .map(|(number, (template, law))| {
            let idle = if law.killed.is_empty() { IDLE } else { 0 };
            let cost = law.cost + STEP * u32::from(plainness(template)) + idle;
            Place { number, cost, template, law }
        })
        .collect();
    let mut order = Vec::with_capacity(left.len());
    while let Some(first) = (0..left.len()).min_by_key(|&at| (left[at].cost, left[at].number)) {
        let Place { number, template, law, .. } = left.swap_remove(first);
        order.push(number);
        for other in &mut left {
            if other.law.relation == law.relation {
                other.cost += REPEATED + if other.template == template { ALIKE } else { 0 };
            }
        }
    }
    order
}
