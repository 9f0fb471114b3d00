//! What a unit found, short enough to keep thousands of them.
//!
//! Has no clock in it: equal units have equal bytes, wherever and however often they run.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::evolve::StopReason;
use crate::record::relations::ReportedRelation;
use crate::record::report::{MutantCounts, Report, ScoreTotals};
use crate::record::search::Search as SearchRecord;

/// What a unit came to.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// It was done.
    Done(Box<Done>),
    /// It cannot be done, for this reason. Trying again gives the same, unless something else changes.
    Failed(String),
}

/// A unit that is done.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Done {
    /// What was found.
    pub found: Found,
    /// What else there is to say, by name: for work that goes further than to find relations.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub more: BTreeMap<String, serde_json::Value>,
}

/// What was found.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Found {
    /// The function.
    pub function: String,
    /// What it takes and gives, in WIT.
    pub signature: String,
    /// What source and follow-up inputs satisfy.
    pub input_relation: String,
    /// Why there was nothing to learn from, if so.
    pub problem: Option<String>,
    /// The source inputs, and on how many the function returns.
    pub sources: [usize; 2],
    /// Sides of branches that some source input takes, and all sides.
    pub sides: [usize; 2],
    /// Pairs of inputs; those on which the function does not return twice; those on which a mutant crashes.
    pub pairs: [usize; 3],
    /// The mutants that relations were trained on.
    pub training: MutantCounts,
    /// Generations and evaluations of the search, and why it ended.
    pub search: Option<Search>,
    /// How often counterexamples were taught.
    pub lessons: usize,
    /// Relations that were refuted.
    pub refuted: usize,
    /// Relations that nothing refuted, and that were tried on too few pairs to be reported.
    pub doubtful: usize,
    /// What mutants of the other group say.
    pub judged: Judging,
    /// The relations that stand.
    pub relations: Vec<Relation>,
}

/// How far a search went.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Search {
    /// The generations done.
    pub generations: u64,
    /// The individuals scored.
    pub evaluations: u64,
    /// Why it ended.
    pub stop: StopReason,
    /// Rows of the original, and of mutants.
    pub rows: [usize; 2],
}

/// How relations do on mutants that they were not trained on: its scores in numbers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Judging {
    /// Unseen pairs.
    pub pairs: usize,
    /// On how many of them a relation is false for the function itself.
    pub false_alarms: u64,
    /// The mutants.
    pub mutants: usize,
    /// Killed by any test.
    pub floor: usize,
    /// Killed by a relation or a crash.
    pub killed: usize,
    /// Killed by a relation that is false.
    pub asserted: usize,
    /// Killed by an oracle that knows every output.
    pub ceiling: usize,
    /// Mutants that do what no training mutant does, and those of them that a relation kills.
    pub novel: [usize; 2],
}

/// A relation that stands.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Relation {
    /// The relation.
    pub relation: String,
    /// Its nodes.
    pub size: usize,
    /// The share of incorrect rows on which it is true.
    pub fn_rate: f64,
    /// On how many fresh pairs it was tried…
    pub tried: usize,
    /// …and on how many hunted ones.
    pub hunted: usize,
    /// The share of fresh pairs on which it may fail after all, with 95 % confidence.
    pub bound: Option<f64>,
    /// Whether it is one of those that are enough to kill all training mutants that are killed.
    pub needed: bool,
    /// The training mutants that it kills.
    pub training: Vec<String>,
    /// The judging mutants that it kills.
    pub judging: Vec<String>,
}

impl Found {
    /// What a run with one transformation found; none if it has searched under none, because it was ended.
    pub fn of(report: &Report) -> Option<Found> {
        let claimed = report.transformations.first()?;
        let ScoreTotals { pairs, false_alarms, mutants, floor, killed, asserted, ceiling } =
            report.judged.totals;
        Some(Found {
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
            judged: Judging {
                pairs,
                false_alarms,
                mutants,
                floor,
                killed,
                asserted,
                ceiling,
                novel: [report.judged.novel, report.judged.novel_asserted],
            },
            relations: relations(report, claimed),
        })
    }
}

fn relations(report: &Report, claimed: &SearchRecord) -> Vec<Relation> {
    // Only transformations that have relations are judged, so the first judgement is of this one.
    let judged = report.judged.kills.first();
    let results = claimed.results.iter().flat_map(|results| &results.relations);
    let relation = |(place, found): (usize, &ReportedRelation)| {
        let evidence = claimed.evidence.get(place);
        Relation {
            relation: found.relation.clone(),
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
