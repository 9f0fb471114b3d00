//! `search.json`: what a search under one transformation found. `report.json` has one for each transformation.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::checksum::Checked;
use super::refuted::Refutation;
use super::relations::{RelationsFile, ReportedRelation};
use crate::evolve::StopReason;
use crate::support::digest::Digest;

/// What was found under one transformation.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Search {
    /// How follow-up inputs are made.
    pub transformation: String,
    /// What source and follow-up inputs satisfy.
    #[serde(default)]
    pub input_relation: String,
    /// Pairs of inputs; those on which the function does not return twice; those on which a mutant crashes.
    #[serde(default)]
    pub pairs: [usize; 3],
    /// How often counterexamples became rows and the search went on.
    #[serde(default)]
    pub lessons: usize,
    /// Why the search could not begin, if so.
    pub problem: Option<String>,
    /// The relations that stand, and the search that found them.
    pub results: Option<RelationsFile>,
    /// On how many fresh pairs each relation was tried.
    #[serde(default)]
    pub tried: Vec<usize>,
    /// Further evidence for each relation.
    #[serde(default)]
    pub evidence: Vec<Evidence>,
    /// Sides of branches that the hunt for counterexamples took, in sources and follow-ups; and all sides.
    #[serde(default)]
    pub branches: [usize; 2],
    /// Length of the prefix of the relations that kills every training mutant the whole list kills; 0 = not computed.
    #[serde(default)]
    pub needed: usize,
    /// Relations that nothing refuted, and that are not reported because they were tried on too few pairs.
    #[serde(default)]
    pub doubtful: usize,
    /// Relations that were found, and that are not reported because people have rejected them.
    #[serde(default)]
    pub left_out: usize,
    /// How many judging mutants each relation kills by being false.
    #[serde(default)]
    pub judging_kills: Vec<usize>,
    /// Relations that fresh inputs or the hunt refuted.
    #[serde(default)]
    pub refuted: Vec<Refutation>,
    /// A digest of all other members, in a file of its own; not where it is a part of another.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub checksum: Option<Digest>,
}

/// Evidence for a relation, besides the fresh pairs on which it holds.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Evidence {
    /// Pairs on which the hunt tried to refute the relation.
    pub hunted: usize,
    /// The share of fresh pairs on which the relation may fail after all, with 95 % confidence.
    #[schemars(range(min = 0, max = 1))]
    pub bound: f64,
    /// Whether it was tried on nearly all inputs that there are.
    pub exhausted: bool,
}

impl Checked for Search {
    fn checksum(&mut self) -> &mut Option<Digest> {
        &mut self.checksum
    }
}

impl Search {
    /// Whether the user ended the search early: its relations stand, but the whole search finds others.
    pub fn is_cut_short(&self) -> bool {
        self.results.as_ref().is_some_and(|results| results.run.stop == StopReason::Cancelled)
    }

    /// The relations that stand.
    pub fn relations(&self) -> &[ReportedRelation] {
        self.results.as_ref().map_or(&[], |results| &results.relations)
    }
}
