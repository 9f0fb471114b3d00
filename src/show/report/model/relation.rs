//! The relations of a report: those that stand, and those that were refuted.

use schemars::JsonSchema;
use serde::Serialize;

use crate::record::relations::RelationKind;
use crate::show::report::example::Example;

/// A relation that stands.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Relation {
    /// Counted from 1, over all transformations.
    #[schemars(range(min = 1))]
    pub number: usize,
    /// The transformation under which it holds.
    pub transformation: String,
    /// Whether it is a law or a detector.
    pub kind: RelationKind,
    /// The relation in functional form, `gcd(q, p) == gcd(p, q)`; null if its variables are not known.
    pub functional: Option<String>,
    /// The relation as a formula over the variables of both executions.
    pub relation: String,
    /// The relation as a sentence; null if its variables are not known.
    pub sentence: Option<String>,
    /// The relation on an execution; null if the run has not kept its executions.
    pub example: Option<Example>,
    /// How many nodes it has, leaves included.
    pub size: usize,
    /// The share of mutants' executions that it does not notice.
    #[schemars(range(min = 0, max = 1))]
    pub fn_rate: f64,
    /// The training mutants that it kills.
    pub killed: Vec<String>,
    /// How many training mutants there are.
    pub mutants: usize,
    /// On how many fresh pairs it was tried; null if that is not recorded.
    pub tried: Option<usize>,
    /// On how many pairs a hunt tried to refute it; null if that is not recorded.
    pub hunted: Option<usize>,
    /// Whether it was tried on nearly all inputs that there are.
    pub is_exhausted: bool,
    /// What inputs and outputs satisfy besides the input relation, as far as it was tried: `|n|, |out| < 2^53`; may be empty.
    pub premise: String,
    /// The values that the inputs of fresh pairs had; empty if that is not recorded.
    pub tried_inputs: String,
    /// How many judging mutants it kills; null if that is not recorded.
    pub judging_kills: Option<usize>,
    /// The judging mutants that it kills; null if that is not recorded.
    pub judging_killed: Option<Vec<String>>,
}

impl Relation {
    /// The name that links have: `relation-3`.
    pub(in crate::show::report) fn anchor(&self) -> String {
        format!("relation-{}", self.number)
    }

    /// What is read first: the functional form, or else the relation.
    pub fn headline(&self) -> &str {
        self.functional.as_deref().unwrap_or(&self.relation)
    }

    /// The mutants of both groups that it kills.
    pub(in crate::show::report) fn kills(&self) -> impl Iterator<Item = &str> {
        self.killed.iter().chain(self.judging_killed.iter().flatten()).map(String::as_str)
    }

    /// With 95 % confidence, it is false on at most this share of such pairs: the rule of three.
    pub fn bound(&self) -> Option<f64> {
        self.tried.filter(|&tried| tried > 0).map(|tried| (3.0 / tried as f64).min(1.0))
    }
}

/// A relation that has a counterexample.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct RefutedRelation {
    /// The transformation that makes follow-up inputs.
    pub transformation: String,
    /// The relation in functional form; null if its variables are not known.
    pub functional: Option<String>,
    /// The relation as a formula over the variables of both executions.
    pub relation: String,
    /// The relation as a sentence; null if its variables are not known.
    pub sentence: Option<String>,
    /// An execution on which it is false; null if its values cannot be read.
    pub counterexample: Option<Example>,
    /// What found the counterexample; null if that is not recorded.
    pub by: Option<String>,
    /// Whether the counterexample is simpler than the one that was found first.
    pub is_shrunk: bool,
}

impl RefutedRelation {
    /// What is read first: the functional form, or else the relation.
    pub fn headline(&self) -> &str {
        self.functional.as_deref().unwrap_or(&self.relation)
    }
}
