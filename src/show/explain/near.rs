//! Finds the refuted relations that have the most parts in common with a relation.

use genmorph_jit::{Predicate, Schema, subtree};

use crate::claims::relation;
use crate::show::report::RefutedRelation;

/// The most near misses that are shown.
pub const NEAR: usize = 5;

/// A relation that was refuted, and how near it is.
#[derive(Clone, Debug)]
pub struct NearMiss {
    /// The relation, with its counterexample.
    pub refuted: RefutedRelation,
    /// How many parts, from single variables to the whole, both relations have.
    pub shared: usize,
    /// How many parts this relation has.
    pub parts: usize,
}

/// The refuted relations that are nearest to a relation, the nearest first; without those that have no part in common
/// with it or cannot be parsed.
pub(super) fn nearest<'r>(
    to: &Predicate,
    refuted: impl Iterator<Item = &'r RefutedRelation>,
    schema: &Schema,
) -> Vec<NearMiss> {
    let own = parts(to);
    let near = refuted.filter_map(|refuted| {
        let other = parts(&relation::read(&refuted.relation, schema).ok()?);
        let shared = shared(&own, &other);
        let miss = NearMiss { refuted: refuted.clone(), shared, parts: other.len() };
        (shared > 0 && shared < own.len().max(other.len())).then_some(miss)
    });
    let mut near: Vec<NearMiss> = near.collect();
    // The share of parts of both that are in both (Dice); of equally near ones those that were refuted earlier.
    let likeness = |miss: &NearMiss| 2.0 * miss.shared as f64 / (own.len() + miss.parts) as f64;
    near.sort_by(|one, other| likeness(other).total_cmp(&likeness(one)));
    near.truncate(NEAR);
    near
}

/// All parts of a relation, in an order.
fn parts(relation: &Predicate) -> Vec<String> {
    let nodes = relation.nodes();
    // Any text that tells nodes apart will do; they have no order of their own.
    let mut parts: Vec<String> =
        (0..nodes.len()).map(|root| format!("{:?}", &nodes[subtree(nodes, root)])).collect();
    parts.sort_unstable();
    parts
}

/// How many are in both of two ordered lists.
fn shared(one: &[String], other: &[String]) -> usize {
    let (mut i, mut j, mut shared) = (0, 0, 0);
    while i < one.len() && j < other.len() {
        match one[i].cmp(&other[j]) {
            std::cmp::Ordering::Less => i += 1,
            std::cmp::Ordering::Greater => j += 1,
            std::cmp::Ordering::Equal => (i, j, shared) = (i + 1, j + 1, shared + 1),
        }
    }
    shared
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::executions::power;

    #[test]
    fn what_shares_the_most_parts_is_nearest() {
        let refuted = |relation: &str| RefutedRelation {
            transformation: String::new(),
            functional: None,
            relation: relation.to_owned(),
            sentence: None,
            counterexample: None,
            by: None,
            is_shrunk: false,
        };
        let all = [
            "true",
            "out_f < 3",
            "out_f == out_s * k_s + 1",
            "out_f <= out_s * k_s",
            "no relation",
        ];
        let all: Vec<RefutedRelation> = all.into_iter().map(refuted).collect();
        let schema = power::schema();
        let to = relation::read("out_f == out_s * k_s", &schema).unwrap();
        let near = nearest(&to, all.iter(), &schema);
        let told: Vec<(&str, usize, usize)> = near
            .iter()
            .map(|near| (near.refuted.relation.as_str(), near.shared, near.parts))
            .collect();
        let expected = [
            ("out_f <= out_s * k_s", 4, 5),
            ("out_f == out_s * k_s + 1", 4, 7),
            ("out_f < 3", 1, 3),
        ];
        assert_eq!(told, expected);
        let many: Vec<RefutedRelation> =
            (0..9).map(|i| refuted(&format!("out_f == {i}"))).collect();
        assert_eq!(nearest(&to, many.iter(), &schema).len(), NEAR);
    }
}
