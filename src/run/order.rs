//! The laws of all transformations in one list: what a person should read first comes first.
//!
//! The plainest law of the plainest transformation is read first. What says once more what stands before it, of another parameter,
//! comes later; so does a law that no training mutant violates.

use genmorph_jit::{Node, Op, Predicate};

use super::search::SearchResult;
use crate::record::relations::{RelationKind, ReportedRelation};
use crate::transform::{Transform, plainness};

/// How much later a law stands for each step away from the plainest transformations. A guess, as are the others.
const STEP: u32 = 6;
/// For each law before it with the same words; and with the same kind of template on the same parameters, such as a step back after a
/// step ahead.
const REPEATED: u32 = 12;
const ALIKE: u32 = 14;
/// If no training mutant violates it.
const IDLE: u32 = 12;
/// If it is an order: an equation under another transformation says more.
const ORDER: u32 = 10;

/// A law, where it stands among all relations of a run, and how soon it is read.
struct Place<'l> {
    number: usize,
    cost: u32,
    transform: &'l Transform,
    law: &'l ReportedRelation,
}

/// The numbers of the laws, from 1 over all relations in the order of the searches.
pub(super) fn laws(searched: &[SearchResult]) -> Vec<usize> {
    let all = searched.iter().flat_map(|search| {
        let found = search.relations.iter().zip(search.claimed.relations());
        found.map(move |(relation, found)| (&search.transform, relation, found))
    });
    let mut left: Vec<Place<'_>> = (1..)
        .zip(all)
        .filter(|(_, (_, _, found))| found.kind == RelationKind::Law)
        .map(|(number, (transform, relation, law))| {
            let idle = if law.killed.is_empty() { IDLE } else { 0 };
            let order = if is_order(relation) { ORDER } else { 0 };
            let later = STEP * u32::from(plainness(transform.instance())) + idle + order;
            let cost = law.cost + later;
            Place { number, cost, transform, law }
        })
        .collect();
    let mut order = Vec::with_capacity(left.len());
    while let Some(first) = (0..left.len()).min_by_key(|&at| (left[at].cost, left[at].number)) {
        let Place { number, transform, law, .. } = left.swap_remove(first);
        order.push(number);
        for other in &mut left {
            let [a, b] = [transform, other.transform].map(Transform::instance);
            let is_same = a.template.name() == b.template.name() && a.parameters == b.parameters;
            let is_alike = is_same || a.inverse().as_ref() == Some(b);
            other.cost += if other.law.relation == law.relation { REPEATED } else { 0 };
            other.cost += if is_alike && transform != other.transform { ALIKE } else { 0 };
        }
    }
    order
}

fn is_order(relation: &Predicate) -> bool {
    matches!(relation.nodes().last(), Some(Node::Op(Op::Lt | Op::Le | Op::Gt | Op::Ge)))
}
