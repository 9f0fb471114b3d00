//! The result of checking one relation.

use genmorph_jit::Value;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Map;

use crate::filter::{Pair, Verdict};
use crate::record::refuted::Refutation;
use crate::record::search::TriedInput;
use crate::record::value::to_json;
use crate::subject::kinds::{Interface, Parameter};
use crate::transform;

/// A relation that was tried.
#[derive(Clone, Debug, PartialEq)]
pub struct CheckedRelation {
    /// How follow-up inputs are made.
    pub transformation: String,
    /// The same, as a relation of inputs.
    pub input_relation: String,
    /// What inputs and outputs satisfy besides, as far as it was tried; see `Signature::premise`.
    pub premise: String,
    /// The relation as text.
    pub relation: String,
    /// Its line or number in the file.
    pub place: usize,
    /// What speaks for it and against it.
    pub verdict: Verdict,
    /// Sides of branches that the hunt took, and all of them.
    pub branches: [usize; 2],
    /// The simplest counterexample that was found.
    pub shrunk: Option<Pair>,
}

/// What a verdict comes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Standing {
    /// Nothing speaks against it, and enough for it.
    Stands,
    /// There is a counterexample.
    Refuted,
    /// Nothing speaks against it, and too little for it.
    Unknown,
}

impl Standing {
    /// All standings, in the order in which they are listed.
    pub const ALL: [Standing; 3] = [Standing::Stands, Standing::Refuted, Standing::Unknown];

    /// Its name, in files and tables.
    pub fn name(self) -> &'static str {
        match self {
            Standing::Stands => "stands",
            Standing::Refuted => "refuted",
            Standing::Unknown => "unknown",
        }
    }
}

/// A relation that was tried, and its verdict.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(extend(
    "if" = { "properties": { "verdict": { "const": "refuted" } } },
    "then" = { "required": ["by", "source", "follow_up"] },
))]
pub struct Entry<'j> {
    /// The transformation that makes follow-up inputs.
    transformation: &'j str,
    /// What source and follow-up inputs satisfy.
    input_relation: &'j str,
    /// What inputs and outputs satisfy besides, as far as it was tried: `|n|, |out| < 2^53` where there are 64-bit integers.
    premise: &'j str,
    /// Whether the relation stands.
    verdict: Standing,
    /// The fresh pairs on which it was tried.
    pairs: usize,
    /// The pairs on which the hunt tried to refute it.
    hunted: usize,
    /// The share of fresh pairs on which it fails at most if it stands, with 95 % confidence.
    #[schemars(range(min = 0, max = 1))]
    bound: f64,
    /// Whether it was tried on nearly all inputs that there are.
    exhausted: bool,
    /// The values that the inputs of fresh pairs had.
    domain: &'j [TriedInput],
    /// Sides of branches that the hunt took, and all of them.
    branches: [usize; 2],
    /// The relation as text.
    relation: &'j str,
    /// The counterexample; its fields are left out if there is none.
    #[serde(flatten)]
    counterexample: Option<Counterexample>,
}

/// The counterexample of a refuted relation.
#[derive(Clone, Debug, Serialize, JsonSchema)]
struct Counterexample {
    /// What found the counterexample: `fresh` inputs or the `hunt`.
    #[schemars(extend("enum" = ["fresh", "hunt"]))]
    by: String,
    /// Always 0: there is one trial.
    round: usize,
    /// Whether the counterexample is simpler than the one that was found first.
    is_shrunk: bool,
    /// The source inputs and outputs, by their names.
    source: Map<String, serde_json::Value>,
    /// The follow-up inputs and outputs, by their names.
    follow_up: Map<String, serde_json::Value>,
}

impl CheckedRelation {
    /// Whether the relation stands, is refuted, or cannot be judged.
    pub fn standing(&self) -> Standing {
        match &self.verdict {
            verdict if verdict.is_refuted() => Standing::Refuted,
            verdict if verdict.stands() => Standing::Stands,
            _ => Standing::Unknown,
        }
    }

    /// The relation as JSON has it.
    pub fn entry(&self, signature: &Interface) -> Entry<'_> {
        let CheckedRelation { transformation, input_relation, premise, relation, .. } = self;
        let CheckedRelation { verdict, shrunk, .. } = self;
        let signature = &transform::interface(signature, transformation, relation);
        let counterexample = shrunk.as_ref().map(|pair| {
            let Refutation { source, follow_up, round, .. } =
                pair.refutation(relation.clone(), signature);
            Counterexample {
                by: verdict.by.map_or_else(String::new, |by| by.name().to_owned()),
                round,
                is_shrunk: verdict.counterexamples.first() != Some(pair),
                source,
                follow_up,
            }
        });
        Entry {
            transformation,
            input_relation,
            premise,
            verdict: self.standing(),
            pairs: verdict.tried,
            hunted: verdict.hunted,
            bound: verdict.bound(),
            exhausted: verdict.is_exhausted,
            domain: &verdict.domain,
            branches: self.branches,
            relation,
            counterexample,
        }
    }

    /// The two executions of the counterexample, as people read them.
    pub fn executions(&self, signature: &Interface) -> Option<[String; 2]> {
        let signature = transform::interface(signature, &self.transformation, &self.relation);
        self.shrunk.as_ref().map(|pair| sides(pair, &signature))
    }
}

/// The executions of a pair.
pub(crate) fn sides(pair: &Pair, signature: &Interface) -> [String; 2] {
    let side = |inputs: &[Value<'_>], outputs: &[Value<'_>]| {
        let given = named(&signature.inputs, inputs);
        format!("{given}  ->  {}", named(&signature.outputs, outputs))
    };
    [side(&pair.source, &pair.source_outputs), side(&pair.follow_up, &pair.follow_up_outputs)]
}

/// Values with the names of their parameters.
fn named(parameters: &[Parameter], values: &[Value<'_>]) -> String {
    let named = parameters.iter().zip(values);
    let named = named.map(|(p, value)| format!("{} = {}", p.name, to_json(p, value)));
    named.collect::<Vec<_>>().join(", ")
}
