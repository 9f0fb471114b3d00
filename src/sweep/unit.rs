//! A unit of work: one subject, one transformation, one seed, one set of settings.

use serde::{Deserialize, Serialize};

use super::settings::Settings;
use crate::support::digest::{Digest, Fields};

/// A unit of work. Subject and settings are positions in the lists of the manifest.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Unit {
    /// Digest of everything that the result depends on.
    pub id: Digest,
    /// Position of the subject in the manifest.
    pub subject: usize,
    /// Position of the settings in the manifest.
    pub settings: usize,
    /// The transformation, such as `NumericAddition(-1) on e`.
    pub transformation: String,
    /// Seed of the search.
    pub seed: u64,
}

impl Unit {
    /// Whether another unit of the manifest differs in its transformation only: then both have the
    /// same inputs and mutants.
    pub fn is_prepared_like(&self, other: &Unit) -> bool {
        (self.subject, self.settings, self.seed) == (other.subject, other.settings, other.seed)
    }
}

/// Everything that the result of a unit depends on.
#[derive(Clone, Copy, Debug)]
pub(super) struct Identity<'i> {
    /// The kind of work, such as `generate`.
    pub(super) work: &'i str,
    /// The version of genmorph that does the work.
    pub(super) tool: &'i str,
    /// Digest of the subject.
    pub(super) content: Digest,
    pub(super) settings: &'i Settings,
    pub(super) transformation: &'i str,
    pub(super) seed: u64,
}

impl Identity<'_> {
    pub(super) fn digest(&self) -> Digest {
        let settings =
            serde_json::to_string(self.settings).expect("numbers, names and truth values");
        Fields::of("genmorph unit 1")
            .and(self.work)
            .and(self.tool)
            .and(self.content.to_string())
            .and(settings)
            .and(self.transformation)
            .and(self.seed.to_string())
            .digest()
    }
}
