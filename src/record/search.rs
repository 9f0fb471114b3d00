//! `search.json`: what a search under one transformation found. `report.json` has one for each transformation.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::checksum::Checked;
use super::refuted::Refutation;
use super::relations::{RelationsFile, ReportedRelation};
use crate::evolve::StopReason;
use crate::subject::kinds::Observed;
use crate::support::digest::Digest;
use crate::support::digits::grouped;

/// What was found under one transformation.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Search {
    /// How follow-up inputs are made.
    pub transformation: String,
    /// Whether its relations speak of the values that calls return, or of whether calls throw.
    #[serde(default)]
    pub observed: Observed,
    /// What source and follow-up inputs satisfy.
    #[serde(default)]
    pub input_relation: String,
    /// What inputs and outputs satisfy besides, as far as relations were tried: `|n|, |out| < 2^53` where there are 64-bit
    /// integers, else empty.
    #[serde(default)]
    pub premise: String,
    /// Pairs of source inputs, and of fresh ones, that were left out because an output is a 64-bit integer of 2^53 or more in
    /// magnitude.
    #[serde(default)]
    pub beyond: [usize; 2],
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
    /// How many candidates for laws were tried.
    #[serde(default)]
    pub explored: Option<Exploration>,
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
    /// What everybody expects of the second function, and is false of it; with a simplest counterexample.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unexpected: Option<Refutation>,
    /// A digest of all other members, in a file of its own; not where it is a part of another.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub checksum: Option<Digest>,
}

/// How complete the exploration of laws is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Exploration {
    /// The most nodes of a law without its guard; a quantity such as `length(s_s)` counts for one.
    pub nodes: usize,
    /// Candidates whose truth on the correct rows was decided.
    pub tried: u64,
    /// Candidates that hold on all correct rows.
    pub hold: usize,
    /// Of these, how many say nothing or follow from the laws that are shown.
    pub implied: usize,
    /// Quantities and terms that were left out because there are too many.
    pub left_out: usize,
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
    /// The values that the inputs of fresh pairs had.
    pub domain: Vec<TriedInput>,
}

/// The values of an input on which a relation was tried.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct TriedInput {
    /// The name of the input.
    pub name: String,
    /// The least finite number, or element of a list; none for texts and truth values.
    pub least: Option<f64>,
    /// The greatest finite number, or element of a list.
    pub most: Option<f64>,
    /// The most elements of a text or list.
    pub longest: Option<usize>,
}

/// `n from -2 to 3`, `s up to 400 long`, `a up to 400 long, elements from 0 to 9`; nothing for truth values.
impl fmt::Display for TriedInput {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let TriedInput { name, least, most, longest } = self;
        let range = |least: f64, most: f64| format!("from {} to {}", short(least), short(most));
        match (longest, least.zip(*most)) {
            (None, None) => Ok(()),
            (None, Some((least, most))) => write!(f, "{name} {}", range(least, most)),
            (Some(longest), None) => write!(f, "{name} up to {} long", grouped(*longest as u64)),
            (Some(longest), Some((least, most))) => {
                let elements = range(least, most);
                write!(f, "{name} up to {} long, elements {elements}", grouped(*longest as u64))
            }
        }
    }
}

/// A number as people read it in a range: not to the last digit.
fn short(number: f64) -> String {
    // Nobody writes the sign of zero: -0 + 0 is 0.
    let plain = (number + 0.0).to_string();
    match plain.len() {
        ..=10 => plain,
        _ => format!("{number:.1e}").replace(".0e", "e"),
    }
}

impl Evidence {
    /// The values that were tried, in one line; empty if that is not recorded.
    pub fn tried_inputs(&self) -> String {
        let inputs = self.domain.iter().map(ToString::to_string).filter(|text| !text.is_empty());
        inputs.collect::<Vec<_>>().join("; ")
    }
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

    /// The input relation with the premise: all that is presupposed of two calls.
    pub fn presupposed(&self) -> String {
        presupposed(&self.input_relation, &self.premise)
    }

    /// The relations that stand.
    pub fn relations(&self) -> &[ReportedRelation] {
        self.results.as_ref().map_or(&[], |results| &results.relations)
    }
}

/// An input relation with a premise, which may be empty: `n_f == n_s + 1, where |n|, |out| < 2^53`.
pub fn presupposed(input_relation: &str, premise: &str) -> String {
    match premise {
        "" => input_relation.to_owned(),
        premise => format!("{input_relation}, where {premise}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_that_were_tried_are_said_as_people_write_them() {
        let n =
            TriedInput { name: "n".to_owned(), least: Some(-0.0), most: Some(12.0), longest: None };
        let list = TriedInput { longest: Some(5_000), most: Some(1e300), ..n.clone() };
        let flag = TriedInput { least: None, most: None, ..n.clone() };
        let evidence = Evidence { domain: vec![n, flag, list], ..Evidence::default() };
        assert_eq!(
            evidence.tried_inputs(),
            "n from 0 to 12; n up to 5,000 long, elements from 0 to 1e300"
        );
    }
}
