//! `run.json` of `genmorph generate`: what the run was started with. `--resume` compares it, and the report makes a
//! command line of it.

use serde::{Deserialize, Serialize};

use serde_json::{Map, Value};

use super::config::ConfigEntries;
use crate::subject::Identity;
use crate::support::digest::Digest;

/// What a run was started with, as far as its results depend on it. The time that it may take is not part of it: a
/// resumed run may have more.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RunSettings {
    /// The version of the format, [`VERSION`](super::VERSION).
    pub version: u32,
    /// The file of the subject, its Java or Rust name, or `demo`.
    #[serde(default)]
    pub subject: String,
    /// What the function takes and gives, in WIT.
    #[serde(default)]
    pub signature: String,
    /// The definition, domain, scope and code of the subject. Older versions did not record it.
    #[serde(default)]
    pub identity: Option<Identity>,
    /// The inputs that were supplied. Older versions did not record them.
    #[serde(default)]
    pub inputs: Option<Digest>,
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

impl RunSettings {
    /// What has changed since an earlier start of the run, in words; nothing if it can be resumed.
    pub fn changes_since(&self, before: &RunSettings) -> Vec<String> {
        let mut changes = Vec::new();
        if let (Some(before), Some(now)) = (&before.identity, &self.identity) {
            changes.extend(now.changes_since(before).into_iter().map(str::to_owned));
        }
        if before.inputs != self.inputs {
            changes.push("the supplied inputs".to_owned());
        }
        let (before, now) = (before.settings(), self.settings());
        let other = now.iter().filter(|(name, value)| before.get(*name) != Some(value));
        changes.extend(other.map(|(name, _)| format!("`{name}`")));
        changes
    }

    /// The settings by their names in `run.json`, without the digests.
    fn settings(&self) -> Map<String, Value> {
        let value = serde_json::to_value(self).expect("numbers, names and texts");
        let Value::Object(mut settings) = value else { return Map::new() };
        settings.remove("identity");
        settings.remove("inputs");
        settings
    }
}

fn yes() -> bool {
    true
}
