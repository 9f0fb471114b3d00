//! Relations that are to be tests, with all that is said of them.

use genmorph_jit::Predicate;

use super::Pairs;
use crate::transform::{Instance, Transform};

/// Relations under one transformation, with the pairs that they are tried on.
#[derive(Clone, Copy, Debug)]
pub struct Part<'p> {
    /// How follow-up inputs are made.
    pub transform: &'p Transform,
    /// The relations.
    pub relations: &'p [Predicate],
    /// For each relation, what speaks for it; a line each.
    pub evidence: &'p [Vec<String>],
    /// The pairs.
    pub pairs: &'p Pairs,
}

impl Part<'_> {
    /// The transformation with its template.
    pub(super) fn instance(&self) -> Instance {
        self.transform.describe().name.parse().expect("a transformation reads back from its name")
    }

    /// What speaks for a relation.
    pub(super) fn evidence_of(&self, relation: usize) -> &[String] {
        self.evidence.get(relation).map(Vec::as_slice).unwrap_or_default()
    }

    /// Whether there is nothing to be tested.
    pub(super) fn is_empty(&self) -> bool {
        self.pairs.is_empty() || self.relations.is_empty()
    }
}
