//! Explanations as JSON has them; `explanation.schema.json` says what is what.

use genmorph::show::explain::{Explanation, NearMiss, OfRun, Outcome, Told};
use genmorph::show::report::{Refuted, Relation};
use serde::Serialize;

/// The JSON schema of what `genmorph explain --format json` prints.
pub(crate) const SCHEMA: &str = include_str!("explanation.schema.json");

/// A relation taken apart.
#[derive(Serialize)]
pub(super) struct Explained<'e> {
    version: u32,
    relation: &'e str,
    tree: &'e str,
    #[serde(skip_serializing_if = "Option::is_none")]
    of_run: Option<InRun<'e>>,
    /// Null if the run has not kept its executions.
    evaluation: Option<Evaluation<'e>>,
}

/// What is known of a relation of a run.
#[derive(Serialize)]
struct InRun<'e> {
    transformation: &'e str,
    words: &'e str,
    input_relation: &'e str,
    #[serde(skip_serializing_if = "Option::is_none")]
    stands: Option<&'e Relation>,
    #[serde(skip_serializing_if = "Option::is_none")]
    refuted: Option<&'e Refuted>,
    near_misses: Vec<Near<'e>>,
}

#[derive(Serialize)]
struct Near<'e> {
    shared_parts: usize,
    parts: usize,
    #[serde(flatten)]
    refuted: &'e Refuted,
}

/// Its forms, and what the tiers say.
#[derive(Serialize)]
struct Evaluation<'e> {
    bytecode: &'e str,
    /// Null where it was not asked for, or where the native tier declines the relation.
    ir: Option<&'e str>,
    tolerance: String,
    rows: [usize; 2],
    tiers: Vec<Tier<'e>>,
    tiers_agree: bool,
}

#[derive(Serialize)]
struct Tier<'e> {
    tier: &'e str,
    /// On how many correct and incorrect rows it holds; null if the tier declines the relation.
    holds: Option<[usize; 2]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    declines: Option<&'e str>,
}

/// Of a relation of the built-in example.
pub(super) fn of_text(explanation: &Explanation) -> Explained<'_> {
    let Explanation { relation, tree, .. } = explanation;
    Explained {
        version: 1,
        relation,
        tree,
        of_run: None,
        evaluation: Some(evaluation(explanation)),
    }
}

/// Of a relation of a run.
pub(super) fn of_run(explained: &OfRun) -> Explained<'_> {
    let OfRun { told, words, input_relation, tree, explanation, near } = explained;
    let (stands, refuted) = match told {
        Told::Stands(relation) => (Some(&**relation), None),
        Told::Refuted(refuted) => (None, Some(&**refuted)),
    };
    let near_misses = near.iter().map(|NearMiss { refuted, shared, parts }| Near {
        shared_parts: *shared,
        parts: *parts,
        refuted,
    });
    let in_run = InRun {
        transformation: told.transformation(),
        words,
        input_relation,
        stands,
        refuted,
        near_misses: near_misses.collect(),
    };
    Explained {
        version: 1,
        relation: told.relation(),
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

/// Of the two groups of rows.
fn two(counts: &[usize]) -> [usize; 2] {
    [0, 1].map(|group| counts.get(group).copied().unwrap_or(0))
}
