//! The result of a unit, short enough to keep thousands of them.
//!
//! Contains no times: equal units have equal bytes, wherever and however often they run.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::evolve::StopReason;
use crate::record::relations::{RelationKind, ReportedRelation};
use crate::record::report::{MutantCounts, Report, ScoreTotals};
use crate::record::search::Search as SearchRecord;

/// The outcome of a unit.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// The unit has run to its end.
    Done(Box<UnitReport>),
    /// It cannot be done, for this reason. Running it again gives the same, unless something else changes.
    Failed(String),
}

/// The report of a unit that has run to its end.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct UnitReport {
    /// The relations that were found, and numbers about the search.
    pub found: UnitFindings,
    /// Further results by name, for work that does more than find relations.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub more: BTreeMap<String, serde_json::Value>,
}

/// The relations of a unit, and numbers about the search.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct UnitFindings {
    /// Name of the function.
    pub function: String,
    /// Signature of the function, in WIT.
    pub signature: String,
    /// The relation between source and follow-up inputs.
    pub input_relation: String,
    /// The reason why nothing could be learnt, if that is so.
    pub problem: Option<String>,
    /// Number of source inputs, and on how many the function returns.
    pub sources: [usize; 2],
    /// Number of branch sides that some source input takes, and of all sides.
    pub sides: [usize; 2],
    /// Number of pairs of inputs; on how many the function does not return for both; on how many a mutant crashes.
    pub pairs: [usize; 3],
    /// Counts of the mutants on which relations were trained.
    pub training: MutantCounts,
    /// How far the search went; null if there was none.
    pub search: Option<Search>,
    /// Number of times that counterexamples were fed back into the search.
    pub lessons: usize,
    /// Number of relations that were refuted.
    pub refuted: usize,
    /// Number of relations that nothing refuted but that were evaluated on too few pairs to be reported.
    pub doubtful: usize,
    /// Scores by the mutants of the other group.
    pub judged: JudgingScores,
    /// The relations that stand.
    pub relations: Vec<Relation>,
}

/// How far a search went.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Search {
    /// Number of generations that were done.
    pub generations: u64,
    /// Number of individuals that were scored.
    pub evaluations: u64,
    /// Why the search ended.
    pub stop: StopReason,
    /// Number of rows of the original, and of mutants.
    pub rows: [usize; 2],
}

/// How relations do on mutants that they were not trained on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct JudgingScores {
    /// Number of unseen pairs.
    pub pairs: usize,
    /// On how many of them a relation is false for the function itself.
    pub false_alarms: u64,
    /// Number of mutants of the judging group.
    pub mutants: usize,
    /// Mutants that any test kills.
    pub floor: usize,
    /// Mutants that a relation or a crash kills.
    pub killed: usize,
    /// Mutants that a relation kills by being false.
    pub asserted: usize,
    /// Mutants that laws and postconditions kill, without detectors.
    #[serde(default)]
    pub by_laws: usize,
    /// Mutants that an oracle that knows every output kills.
    pub ceiling: usize,
    /// Mutants that behave like no training mutant, and how many of those a relation kills.
    pub novel: [usize; 2],
}

/// A relation that stands.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Relation {
    /// The relation, as text.
    pub relation: String,
    /// Whether it is a law, a postcondition or a detector.
    #[serde(default)]
    pub kind: RelationKind,
    /// Number of its nodes.
    pub size: usize,
    /// Share of incorrect rows on which it is true.
    pub fn_rate: f64,
    /// Number of fresh pairs on which it was evaluated.
    pub tried: usize,
    /// Number of hunted pairs on which it was evaluated.
    pub hunted: usize,
    /// Upper bound of the share of fresh pairs on which it fails, with 95 % confidence.
    pub bound: Option<f64>,
    /// Whether it belongs to the few relations that kill all training mutants that any relation kills.
    pub needed: bool,
    /// Names of the training mutants that it kills.
    pub training: Vec<String>,
    /// Names of the judging mutants that it kills.
    pub judging: Vec<String>,
}

impl UnitFindings {
    /// The findings of a run with one transformation; `None` if the run was ended before it searched.
    pub fn of(report: &Report) -> Option<UnitFindings> {
        let claimed = report.transformations.first()?;
        let ScoreTotals { pairs, false_alarms, mutants, floor, killed, asserted, ceiling } =
            report.judged.totals;
        Some(UnitFindings {
            function: report.function.clone(),
            signature: report.signature.clone(),
            input_relation: claimed.input_relation.clone(),
            problem: claimed.problem.clone(),
            sources: [report.sources.inputs, report.sources.returned],
            sides: [report.sources.covered, report.sources.sides],
            pairs: claimed.pairs,
            training: report.training,
            search: claimed.results.as_ref().map(|results| Search {
                generations: results.run.generations,
                evaluations: results.run.evaluations,
                stop: results.run.stop,
                rows: [results.rows.correct, results.rows.incorrect],
            }),
            lessons: claimed.lessons,
            refuted: claimed.refuted.len(),
            doubtful: claimed.doubtful,
            judged: JudgingScores {
                pairs,
                false_alarms,
                mutants,
                floor,
                killed,
                asserted,
                by_laws: report.judged.by_laws,
                ceiling,
                novel: [report.judged.novel, report.judged.novel_asserted],
            },
            relations: relations(report, claimed),
        })
    }
}

fn relations(report: &Report, claimed: &SearchRecord) -> Vec<Relation> {
    // Only transformations with relations are judged, so the first judgement belongs to this one.
    let judged = report.judged.kills.first();
    let results = claimed.results.iter().flat_map(|results| &results.relations);
    let relation = |(place, found): (usize, &ReportedRelation)| {
        let evidence = claimed.evidence.get(place);
        Relation {
            relation: found.relation.clone(),
            kind: found.kind,
            size: found.size,
            fn_rate: found.fn_rate,
            tried: claimed.tried.get(place).copied().unwrap_or(0),
            hunted: evidence.map_or(0, |evidence| evidence.hunted),
            bound: evidence.map(|evidence| evidence.bound),
            needed: claimed.needed == 0 || place < claimed.needed,
            training: found.killed.clone(),
            judging: judged.and_then(|kills| kills.get(place)).cloned().unwrap_or_default(),
        }
    };
    results.enumerate().map(relation).collect()
}
