//! `run.json` of `genmorph evolve`: what the search was started with, so that it can be resumed.

use serde::{Deserialize, Serialize};

use super::config::ConfigEntries;

/// What a search on a file of executions was started with.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct EvolutionSettings {
    /// The version of the format, [`VERSION`](super::VERSION).
    pub version: u32,
    /// The file of executions; `example` is the built-in one.
    pub executions: String,
    /// The seed of the search.
    pub seed: u64,
    /// The settings of the search.
    pub config: ConfigEntries,
}
