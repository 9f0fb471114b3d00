//! What a search tells of itself: a record per generation, and why it ended.
//!
//! No times: a record is the same whenever and wherever a run is repeated.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::score::Order;

/// What happened in one generation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Generation {
    /// Its number; the first individuals are generation 1.
    pub generation: u64,
    /// The individuals scored so far.
    pub evaluations: u64,
    /// The best relation without false positives so far, of all generations.
    pub best: Option<Best>,
    /// How many mutants the relations without false positives kill together, so far.
    pub killed: usize,
    /// The populations that prefer few false positives and few false negatives.
    pub populations: [Population; 2],
    /// How often the populations have started anew so far; the first versions did not write it.
    #[serde(default)]
    pub restarts: u64,
}

/// A population in one generation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Population {
    /// What it asks for first.
    pub order: Order,
    /// Its best individual that relates an output pair.
    pub best: Option<Best>,
    /// How many of its individuals have no false positives.
    pub without_fp: usize,
    /// How many nodes its individuals have together.
    pub nodes: u64,
}

/// A relation and how good it is.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Best {
    /// The text of the relation.
    pub relation: String,
    /// Its false positives, in rows.
    pub fp: u32,
    /// Its false negatives, in rows.
    #[serde(rename = "fn")]
    pub fn_: u32,
    /// The number of nodes of the relation.
    pub size: usize,
}

/// Why a search ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum StopReason {
    /// The generations asked for are done.
    #[default]
    Generations,
    /// The evaluations asked for are done.
    Evaluations,
    /// The time is up.
    Time,
    /// A relation without false positives and negatives was found, and no smaller one for a while.
    Settled,
    /// The user, or whoever observes the run, wanted it to.
    Cancelled,
}

impl fmt::Display for StopReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            StopReason::Generations => "the generations are done",
            StopReason::Evaluations => "the evaluations are done",
            StopReason::Time => "the time is up",
            StopReason::Settled => "nothing is left to improve",
            StopReason::Cancelled => "cancelled",
        })
    }
}
