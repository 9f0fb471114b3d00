//! The relations of a test file under one transformation, with their inputs and evidence.

use genmorph_jit::Predicate;

use super::Pairs;
use crate::transform::{Instance, Transform};

/// Relations under one transformation, with the pairs of inputs that test them.
#[derive(Clone, Copy, Debug)]
pub struct Part<'p> {
    /// The transformation that makes follow-up inputs.
    pub transform: &'p Transform,
    /// The relations, each of which becomes a test.
    pub relations: &'p [Predicate],
    /// The evidence for each relation, as lines of a comment.
    pub evidence: &'p [Vec<String>],
    /// The pairs of inputs that every relation is tested on.
    pub pairs: &'p Pairs,
}

impl Part<'_> {
    /// The transformation with its template.
    pub(super) fn instance(&self) -> Instance {
        self.transform.describe().name.parse().expect("a transformation reads back from its name")
    }

    /// The evidence for a relation.
    pub(super) fn evidence_of(&self, relation: usize) -> &[String] {
        self.evidence.get(relation).map(Vec::as_slice).unwrap_or_default()
    }

    /// Whether it gives no test.
    pub(super) fn is_empty(&self) -> bool {
        self.pairs.is_empty() || self.relations.is_empty()
    }
}
