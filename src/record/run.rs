//! `run.json` of `genmorph generate`: what the run was started with. `--resume` compares it, and the report makes a
//! command line of it.

use serde::{Deserialize, Serialize};

use super::config::ConfigEntries;

/// What a run was started with, as far as its results depend on it. The time that it may take is not part of it: a
/// resumed run may have more.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RunSettings {
    /// [`VERSION`](super::VERSION).
    pub version: u32,
    /// The file of the subject, its Java or Rust name, or `demo`.
    #[serde(default)]
    pub subject: String,
    /// What the function takes and gives, in WIT.
    #[serde(default)]
    pub signature: String,
    /// A fingerprint of the code.
    #[serde(default)]
    pub module: String,
    /// The seed of the run.
    #[serde(default)]
    pub seed: u64,
    /// How many source inputs are made.
    #[serde(default)]
    pub sources: usize,
    /// How many inputs the user supplied.
    #[serde(default)]
    pub supplied: usize,
    /// On how many fresh pairs a relation must hold.
    #[serde(default)]
    pub fresh: usize,
    /// How many calls hunt for counterexamples; the first versions had no hunt.
    #[serde(default)]
    pub hunted: Option<usize>,
    /// Whether counterexamples become rows of the search.
    #[serde(default = "yes")]
    pub feedback: bool,
    /// How many generations each search has; none if the run is bounded by time.
    #[serde(default)]
    pub generations: Option<u64>,
    /// The transformations that are searched, or how many are sampled.
    #[serde(default)]
    pub transformations: Vec<String>,
    /// The most correct and incorrect rows of a search.
    #[serde(default)]
    pub rows: [usize; 2],
    /// When two numbers are equal, as `--tolerance` has it.
    #[serde(default)]
    pub tolerance: String,
    /// The file of the reviewed set whose rejected relations are left out.
    #[serde(default)]
    pub reviewed: Option<String>,
    /// The relations that the reviewed set rejects, with their transformations.
    #[serde(default)]
    pub rejected: Vec<String>,
    /// The settings of the search.
    #[serde(default)]
    pub config: ConfigEntries,
}

fn yes() -> bool {
    true
}
