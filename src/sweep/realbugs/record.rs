//! What came of one fault.

use serde::{Deserialize, Serialize};

use crate::record::relations::RelationKind;
use crate::support::named::named;

named! {
    /// What came of a fault.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
    #[serde(rename_all = "snake_case")]
    pub enum BugVerdict {
        /// A relation that people would say is violated.
        Law = "caught by a law",
        /// Calls do not end as they did, or a law of outcomes is violated.
        Outcome = "caught by an outcome",
        /// Another relation is violated.
        Detector = "caught by a detector",
        /// There are relations, and the release with the fault satisfies them.
        Missed = "missed",
        /// No relation was found, and all calls end as they did.
        Nothing = "nothing found",
        /// The method cannot be a subject in one of the releases.
        Refused = "refused",
        /// A relation is false on the release without the fault too.
        FalseAlarm = "false alarm",
        /// A jar cannot be had.
        Unresolved = "not resolved",
        /// The line of the list is malformed.
        Malformed = "malformed line",
    }
}

impl BugVerdict {
    /// Whether the fault was caught.
    pub fn is_caught(self) -> bool {
        match self {
            BugVerdict::Law | BugVerdict::Outcome | BugVerdict::Detector => true,
            BugVerdict::Missed
            | BugVerdict::Nothing
            | BugVerdict::Refused
            | BugVerdict::FalseAlarm
            | BugVerdict::Unresolved
            | BugVerdict::Malformed => false,
        }
    }
}

/// A relation, or a change of calls, that the release with the fault shows.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Catch {
    /// Which kind of relation; none for calls that do not end as they did.
    pub kind: Option<RelationKind>,
    /// The relation with its transformation, or how calls end now.
    pub what: String,
    /// An input on which the two releases differ.
    pub input: String,
}

impl Catch {
    /// The verdict that this alone would be.
    pub fn verdict(&self) -> BugVerdict {
        match self.kind {
            Some(RelationKind::Law | RelationKind::Postcondition) => BugVerdict::Law,
            Some(RelationKind::Outcome | RelationKind::Precondition) | None => BugVerdict::Outcome,
            Some(RelationKind::Detector) => BugVerdict::Detector,
        }
    }
}

/// What came of one fault with one seed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BugRecord {
    /// The name of the fault.
    pub id: String,
    /// The method.
    pub method: String,
    /// The release in which it was fixed.
    pub fixed: String,
    /// The release that has it.
    pub buggy: String,
    /// The seed of the run.
    pub seed: u64,
    /// The time that the run was given.
    pub budget: f64,
    /// What came of it.
    pub verdict: BugVerdict,
    /// Relations that the run reported.
    pub relations: usize,
    /// How many of these people would say.
    pub laws: usize,
    /// What caught it: laws first.
    pub catches: Vec<Catch>,
    /// Control: whether any test would do, since a call throws or runs away that did not.
    pub any_test: bool,
    /// Control: whether assertions of the results of the same calls fail.
    pub assertions: bool,
    /// Why it was not caught, in words.
    pub note: String,
}

impl BugRecord {
    /// Sorts what caught it, and takes the best for the verdict.
    #[must_use]
    pub fn caught_by(mut self, mut catches: Vec<Catch>) -> BugRecord {
        catches.sort_by_key(Catch::verdict);
        if let Some(best) = catches.first() {
            self.verdict = best.verdict();
        }
        self.catches = catches;
        self
    }
}
