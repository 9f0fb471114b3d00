//! One run: relations of one function from one seed, judged by what they were not found on.

use serde::{Deserialize, Serialize};

use super::protocol::{Protocol, Search};
use crate::assess::{self, AssessError, Claim, Scores};
use crate::evolve::Machine;
use crate::run::{self as pipeline, Event, GenerateError, Plan};
use crate::subject::{Group, Subject};
use crate::support::seed::Seed;
use crate::support::threads::Jobs;

/// What came of a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Record {
    /// The program that made it, and its version.
    pub tool: String,
    /// What was run.
    pub protocol: Protocol,
    /// The method, by its name in the paper's table.
    pub method: String,
    /// How relations were looked for.
    pub search: Search,
    /// The seed.
    pub seed: u64,
    /// How long finding relations took, in seconds; judging is not in it.
    pub seconds: f64,
    /// Transformations that were searched.
    pub transformations: usize,
    /// Relations that the search found and its filter refuted: those of the last round.
    pub refuted: usize,
    /// Mutants that relations were judged by.
    pub mutants: usize,
    /// Those of them that never did anything else than the method.
    pub equivalent: usize,
    /// The relations.
    pub relations: Vec<Reported>,
    /// The share of relations that stand; none if there are no relations.
    pub pz: Option<f64>,
    /// Of the relations that are false on no suite, the share that are false on no hunted input.
    pub pzo: Option<f64>,
    /// Means over the suites.
    pub scores: Scores,
}

/// A relation, and what became of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Reported {
    /// How follow-up inputs are made.
    pub transformation: String,
    /// The relation.
    pub relation: String,
    /// Whether nothing refutes it.
    pub stands: bool,
    /// Its mutation score alone.
    pub ms: Option<f64>,
}

/// Why a run has no record.
#[derive(Debug, thiserror::Error)]
pub enum ExperimentError {
    /// There are no relations to be had.
    #[error(transparent)]
    Generate(#[from] GenerateError),
    /// They cannot be judged.
    #[error(transparent)]
    Assess(#[from] AssessError),
    /// Somebody did not want to wait.
    #[error("interrupted")]
    Interrupted,
}

/// Runs the protocol for one seed. `found` is called when relations have been found, before they are judged; what it returns is
/// how long that took.
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
) -> Result<Record, ExperimentError> {
    let plan = plan(protocol.plan(search, seed));
    let Machine { jobs, .. } = plan.machine;
    let generated = pipeline::run(subject, &plan, observe)?;
    if generated.is_interrupted {
        return Err(ExperimentError::Interrupted);
    }
    let seconds = found();
    let searched = &generated.searched;
    let refuted = searched.iter().flat_map(|searched| &searched.claimed.refuted);
    let mut record = Record {
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
    };
    let settings = assess::Settings {
        suites: protocol.suites,
        inputs: protocol.inputs,
        seed,
        tolerance: plan.tolerance,
        ..assess::Settings::default()
    };
    // Also without a relation: the floor and the ceiling are those of the transformations.
    let claims: Vec<Claim<'_>> = searched
        .iter()
        .map(|searched| Claim { transform: &searched.transform, relations: &searched.relations })
        .collect();
    let threads = Jobs::new(jobs).map_err(GenerateError::from)?;
    let assessed = assess::run(subject, &claims, &settings, &threads)?;
    record.equivalent = assessed.equivalent.len();
    record.scores = assessed.mean;
    if !assessed.relations.is_empty() {
        (record.pz, record.pzo) = (Some(assessed.pz), assessed.pzo);
    }
    let relations = assessed.relations.into_iter().map(|relation| Reported {
        transformation: relation.transformation,
        relation: relation.relation,
        stands: relation.stands,
        ms: relation.ms,
    });
    record.relations = relations.collect();
    Ok(record)
}
