//! Explanations of relations as JSON.

use genmorph::record::VERSION;
use genmorph::show::explain::{Explanation, NearMiss, Outcome, RunExplanation, RunFinding};
use genmorph::show::report::{RefutedRelation, Relation};
use schemars::JsonSchema;
use serde::Serialize;

/// A relation taken apart.
#[derive(Serialize, JsonSchema)]
pub(in crate::cli) struct ExplanationJson<'e> {
    /// The version of the document.
    #[schemars(extend("const" = VERSION))]
    version: u32,
    /// The relation as text.
    relation: &'e str,
    /// The relation as a tree, drawn with lines.
    tree: &'e str,
    /// What a run says of the relation; left out for a relation of the built-in example.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "InRun<'e>")]
    of_run: Option<InRun<'e>>,
    /// Null if the run has not kept its executions.
    evaluation: Option<Evaluation<'e>>,
}

/// What a run says of a relation: that it stands, or that it is refuted.
#[derive(Serialize, JsonSchema)]
#[schemars(extend("oneOf" = [{ "required": ["stands"] }, { "required": ["refuted"] }]))]
struct InRun<'e> {
    /// The transformation that makes follow-up inputs.
    transformation: &'e str,
    /// The transformation in words.
    words: &'e str,
    /// What source and follow-up inputs satisfy.
    input_relation: &'e str,
    /// The evidence for the relation, if it stands.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Relation")]
    stands: Option<&'e Relation>,
    /// The counterexample, if the relation is refuted.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "RefutedRelation")]
    refuted: Option<&'e RefutedRelation>,
    /// Refuted relations of the same transformation, the most alike first.
    #[schemars(length(max = 5))]
    near_misses: Vec<Near<'e>>,
}

/// A refuted relation that has parts in common with another.
#[derive(Serialize, JsonSchema)]
struct Near<'e> {
    /// How many parts both relations have.
    #[schemars(range(min = 1))]
    shared_parts: usize,
    /// How many parts this one has.
    #[schemars(range(min = 1))]
    parts: usize,
    /// The refuted relation, with its counterexample.
    #[serde(flatten)]
    refuted: &'e RefutedRelation,
}

/// The compiled forms of a relation, and where each tier says that it holds.
#[derive(Serialize, JsonSchema)]
struct Evaluation<'e> {
    /// The listing of its bytecode.
    bytecode: &'e str,
    /// Its Cranelift IR; null with --no-ir, or if the native tier declines the relation.
    ir: Option<&'e str>,
    /// When two numbers are equal.
    tolerance: String,
    /// How many correct and incorrect rows there are.
    rows: [usize; 2],
    /// The answers of the tiers, the reference first.
    #[schemars(length(min = 1))]
    tiers: Vec<Tier<'e>>,
    /// Whether all tiers give the same answer.
    tiers_agree: bool,
}

/// The answer of a tier.
#[derive(Serialize, JsonSchema)]
struct Tier<'e> {
    /// The name of the tier.
    tier: &'e str,
    /// On how many correct and incorrect rows it holds; null if the tier declines the relation.
    holds: Option<[usize; 2]>,
    /// Why the tier declines the relation.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "&'e str")]
    declines: Option<&'e str>,
}

/// The explanation of a relation of the built-in example.
pub(super) fn of_text(explanation: &Explanation) -> ExplanationJson<'_> {
    let Explanation { relation, tree, .. } = explanation;
    ExplanationJson {
        version: VERSION,
        relation,
        tree,
        of_run: None,
        evaluation: Some(evaluation(explanation)),
    }
}

/// The explanation of a relation of a run.
pub(super) fn of_run(explained: &RunExplanation) -> ExplanationJson<'_> {
    let RunExplanation { finding, words, input_relation, tree, explanation, near } = explained;
    let (stands, refuted) = match finding {
        RunFinding::Stands(relation) => (Some(&**relation), None),
        RunFinding::Refuted(refuted) => (None, Some(&**refuted)),
    };
    let near_misses = near.iter().map(|NearMiss { refuted, shared, parts }| Near {
        shared_parts: *shared,
        parts: *parts,
        refuted,
    });
    let in_run = InRun {
        transformation: finding.transformation(),
        words,
        input_relation,
        stands,
        refuted,
        near_misses: near_misses.collect(),
    };
    ExplanationJson {
        version: VERSION,
        relation: finding.relation(),
        tree,
        of_run: Some(in_run),
        evaluation: explanation.as_ref().map(evaluation),
    }
}

fn evaluation(explanation: &Explanation) -> Evaluation<'_> {
    let tiers = explanation.answers.iter().map(|answer| {
        let (holds, declines) = match &answer.outcome {
            Outcome::Counted { holds, .. } => (Some(two(holds)), None),
            Outcome::Declined(reason) => (None, Some(reason.as_str())),
        };
        Tier { tier: &answer.tier, holds, declines }
    });
    Evaluation {
        bytecode: &explanation.bytecode,
        ir: explanation.ir.as_ref().and_then(|ir| ir.as_ref().ok()).map(String::as_str),
        tolerance: explanation.tolerance.to_string(),
        rows: two(&explanation.rows),
        tiers: tiers.collect(),
        tiers_agree: explanation.tiers_agree(),
    }
}

/// The counts of both groups of rows.
fn two(counts: &[usize]) -> [usize; 2] {
    [0, 1].map(|group| counts.get(group).copied().unwrap_or(0))
}
