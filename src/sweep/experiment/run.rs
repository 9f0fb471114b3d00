//! One run: finds relations of one function from one seed, and judges them on inputs and mutants that the
//! search did not use.

use serde::{Deserialize, Serialize};

use super::protocol::{Protocol, Search};
use genmorph_jit::Predicate;

use crate::assess::{self, AssessError, Assessment, Claim, Scores};
use crate::evolve::Machine;
use crate::record::relations::RelationKind;
use crate::run::{self as pipeline, Event, GenerateError, Plan, SearchResult};
use crate::subject::kinds::Observed;
use crate::subject::{Group, Subject};
use crate::support::seed::Seed;
use crate::support::threads::Jobs;

/// The result of a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RunRecord {
    /// The program that made the record, with its version.
    pub tool: String,
    /// The protocol that was followed.
    pub protocol: Protocol,
    /// The method, by its name in the paper's table.
    pub method: String,
    /// The search that found the relations.
    pub search: Search,
    /// Seed of the run.
    pub seed: u64,
    /// Duration of the search in seconds, without judging.
    pub seconds: f64,
    /// Number of transformations that were searched.
    pub transformations: usize,
    /// Number of relations that the search found and its filter refuted in the last round.
    pub refuted: usize,
    /// Number of mutants by which relations were judged.
    pub mutants: usize,
    /// How many of them never differed from the method.
    pub equivalent: usize,
    /// The relations, with their scores.
    pub relations: Vec<RelationRecord>,
    /// The share of relations that stand; `None` if there are no relations.
    pub pz: Option<f64>,
    /// Of the relations that no suite refutes, the share that no hunted input refutes.
    pub pzo: Option<f64>,
    /// Mean scores over the suites.
    pub scores: Scores,
    /// The mutation score of laws and postconditions alone, without detectors; `None` for a search that does not tell them apart.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub laws: Option<f64>,
}

/// A relation of a run, with its score.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RelationRecord {
    /// The transformation of the relation.
    pub transformation: String,
    /// The relation, as text.
    pub relation: String,
    /// What it is reported as.
    #[serde(default)]
    pub kind: RelationKind,
    /// Whether no input refutes it.
    pub stands: bool,
    /// Its mutation score alone.
    pub ms: Option<f64>,
}

/// Reasons why a run has no record.
#[derive(Debug, thiserror::Error)]
pub enum ExperimentError {
    /// The search could not start.
    #[error(transparent)]
    Generate(#[from] GenerateError),
    /// The relations cannot be judged.
    #[error(transparent)]
    Assess(#[from] AssessError),
    /// The user interrupted the run.
    #[error("interrupted")]
    Interrupted,
}

/// Runs the protocol for one seed. Calls `found` when the relations have been found, before they are judged;
/// `found` returns the duration of the search.
///
/// # Errors
/// When there are no inputs, no mutants or no transformations.
pub fn run(
    (method, subject): (&str, &dyn Subject),
    protocol: &Protocol,
    (search, seed): (Search, Seed),
    plan: &dyn Fn(Plan) -> Plan,
    observe: &mut dyn FnMut(Event<'_>),
    found: &mut dyn FnMut() -> f64,
) -> Result<RunRecord, ExperimentError> {
    let plan = plan(protocol.plan(search, seed));
    let Machine { jobs, .. } = plan.machine;
    let generated = pipeline::run(subject, &plan, observe)?;
    if generated.is_interrupted {
        return Err(ExperimentError::Interrupted);
    }
    let seconds = found();
    // The paper's scores are of relations of values.
    let of_values = |found: &&SearchResult| found.claimed.observed == Observed::Values;
    let searched: Vec<&SearchResult> = generated.searched.iter().filter(of_values).collect();
    let refuted = searched.iter().flat_map(|searched| &searched.claimed.refuted);
    let mut record = RunRecord {
        tool: format!("genmorph {}", crate::VERSION),
        protocol: *protocol,
        method: method.to_owned(),
        search,
        seed: seed.0,
        seconds,
        transformations: searched.len(),
        refuted: refuted.filter(|refuted| refuted.round == 0).count(),
        mutants: subject.mutants_of(Group::B).len(),
        equivalent: 0,
        relations: Vec::new(),
        pz: None,
        pzo: None,
        scores: Scores::default(),
        laws: None,
    };
    let settings = assess::Settings {
        suites: protocol.suites,
        inputs: protocol.inputs,
        seed,
        tolerance: plan.tolerance,
        ..assess::Settings::default()
    };
    let threads = Jobs::new(jobs).map_err(GenerateError::from)?;
    let judged = |claims: &[Claim<'_>]| assess::run(subject, claims, &settings, &threads);
    // Even without a relation: the floor and the ceiling belong to the transformations.
    let claims: Vec<Claim<'_>> = searched
        .iter()
        .map(|searched| Claim { transform: &searched.transform, relations: &searched.relations })
        .collect();
    let assessed = judged(&claims)?;
    record.equivalent = assessed.equivalent.len();
    record.laws = match search {
        Search::Ours => Some(by_laws(&searched, assessed.mean.ms, &judged)?),
        Search::Paper => None,
    };
    record.scores = assessed.mean;
    if !assessed.relations.is_empty() {
        (record.pz, record.pzo) = (Some(assessed.pz), assessed.pzo);
    }
    let kinds = searched.iter().flat_map(|searched| searched.claimed.relations());
    let relations =
        assessed.relations.into_iter().zip(kinds).map(|(relation, found)| RelationRecord {
            transformation: relation.transformation,
            relation: relation.relation,
            kind: found.kind,
            stands: relation.stands,
            ms: relation.ms,
        });
    record.relations = relations.collect();
    Ok(record)
}

/// The mutation score of laws and postconditions alone; `all` is that of all relations.
fn by_laws(
    searched: &[&SearchResult],
    all: Option<f64>,
    judged: &dyn Fn(&[Claim<'_>]) -> Result<Assessment, AssessError>,
) -> Result<f64, ExperimentError> {
    let laws: Vec<Vec<Predicate>> = searched
        .iter()
        .map(|searched| {
            let found = searched.relations.iter().zip(searched.claimed.relations());
            found
                .filter(|(_, found)| found.kind.is_law_like())
                .map(|(law, _)| law.clone())
                .collect()
        })
        .collect();
    if laws.iter().zip(searched).all(|(laws, searched)| laws.len() == searched.relations.len()) {
        return Ok(all.unwrap_or(0.0));
    }
    let claims = searched.iter().zip(&laws);
    let claims: Vec<Claim<'_>> = claims
        .map(|(searched, laws)| Claim { transform: &searched.transform, relations: laws })
        .collect();
    Ok(judged(&claims)?.mean.ms.unwrap_or(0.0))
}
