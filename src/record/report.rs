//! `report.json`: what a run found under all transformations, and how its relations do on other mutants.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::checksum::Checked;
use super::config::ConfigEntries;
use super::refuted::ListedRefutation;
use super::relations::{ReportedRelation, Tolerance};
use super::search::Search;
use crate::support::digest::Digest;

/// What a run found: the file, and what `genmorph generate --format json` prints; a line of NDJSON is a relation that
/// stands.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Report {
    /// The version of the file.
    #[serde(default)]
    #[schemars(extend("const" = super::VERSION))]
    pub version: u32,
    /// The program that wrote the file, and its version.
    #[serde(default)]
    pub tool: String,
    /// The name of the function.
    pub function: String,
    /// What the function takes and gives, in WIT.
    #[serde(default)]
    pub signature: String,
    /// The second function, whose calls are related to those of the function.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub second: Option<SecondFunction>,
    /// The seed of the run.
    #[serde(default)]
    pub seed: u64,
    /// When two numbers are equal.
    pub tolerance: Tolerance,
    /// On how many fresh pairs a relation had to hold, if there were as many.
    #[serde(default)]
    pub fresh_pairs: usize,
    /// The settings of the search.
    #[serde(default)]
    pub config: ConfigEntries,
    /// The number of source inputs, and the branches that they reach.
    #[serde(default)]
    pub sources: Coverage,
    /// The mutants that relations were trained on.
    #[serde(default)]
    pub training: MutantCounts,
    /// The condition on inputs under which laws of values were sought, if it was learned from calls that throw or need too much; as
    /// `where` in `[domain]` has it.
    #[serde(default)]
    pub learned: Option<String>,
    /// What was found, by transformation.
    pub transformations: Vec<Search>,
    /// The numbers of the laws, counted from 1 over the relations of all transformations: what a person should read first comes first.
    #[serde(default)]
    pub laws: Vec<usize>,
    /// The relations of all transformations that are enough to kill what all of them kill.
    #[serde(default)]
    pub minimal: MinimalSet,
    /// How the relations do on mutants and inputs that no search has seen.
    #[serde(default)]
    pub judged: MutationScores,
    /// What there was no time for, in a sentence; null if there was time for all.
    #[serde(default)]
    pub cut: Option<String>,
    /// A digest of all other members.
    #[serde(default)]
    #[schemars(with = "Option<String>")]
    pub checksum: Option<Digest>,
}

impl Checked for Report {
    fn checksum(&mut self) -> &mut Option<Digest> {
        &mut self.checksum
    }
}

/// How many source inputs there are, and which branches they take.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Coverage {
    /// How many source inputs there are.
    pub inputs: usize,
    /// On how many of them the function returns.
    pub returned: usize,
    /// How many sides of branches some input takes.
    pub covered: usize,
    /// How many sides the branches have together.
    pub sides: usize,
    /// The sides that no input takes, in words.
    pub uncovered: Vec<String>,
}

/// How many training mutants there are of each kind, on the source inputs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct MutantCounts {
    /// The number of training mutants.
    pub all: usize,
    /// Mutants that return what neither the function nor another mutant returns.
    pub distinct: usize,
    /// Mutants that do the same as another.
    pub same: usize,
    /// Mutants that never differ from the function.
    pub alike: usize,
    /// Mutants that crash wherever they differ from the function.
    pub crash_only: usize,
}

/// Relations that together kill every training mutant that all relations of the run kill, the most important first.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct MinimalSet {
    /// The relations of the set.
    pub needed: Vec<NeededRelation>,
    /// How many training mutants they kill.
    pub killed: usize,
    /// How many relations the run has.
    pub of: usize,
}

/// A relation of the minimal set.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct NeededRelation {
    /// The transformation under which it holds.
    pub transformation: String,
    /// The relation as text.
    pub relation: String,
    /// The training mutants that it kills and that no simpler relation of the set kills.
    pub unique: Vec<String>,
}

/// How relations do on mutants of operators that they were not trained on (group B), on unseen inputs.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct MutationScores {
    /// How many mutants are killed, by what.
    #[serde(flatten)]
    pub totals: ScoreTotals,
    /// Mutants that laws and postconditions kill by being false, without detectors.
    pub by_laws: usize,
    /// Mutants that laws of outcomes kill by being false: they throw where the function does not, or the other way round.
    pub by_outcomes: usize,
    /// Mutants that a relation kills by being false, laws of outcomes included; `asserted` counts relations of values alone.
    pub with_outcomes: usize,
    /// Mutants that do what no training mutant does.
    pub novel: usize,
    /// The novel mutants that a relation kills.
    pub novel_asserted: usize,
    /// Mutants that differ and are not killed: what each changes, and where.
    pub survivors: Vec<String>,
    /// The names of the mutants, as in `mutants.json`.
    pub names: Vec<String>,
    /// The names of the mutants that any test kills.
    pub crashed: Vec<String>,
    /// The names of the mutants that each relation kills by being false, by transformation that has relations.
    pub kills: Vec<Vec<Vec<String>>>,
}

/// How many judging mutants are killed, by what.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct ScoreTotals {
    /// Unseen pairs, over all transformations that have relations.
    pub pairs: usize,
    /// On how many of these pairs a relation is false for the function itself.
    pub false_alarms: u64,
    /// How many mutants there are, not counting those that do the same as another.
    pub mutants: usize,
    /// Killed by any test, because they crash.
    pub floor: usize,
    /// Killed by a relation or a crash.
    pub killed: usize,
    /// Killed by a relation that is false.
    pub asserted: usize,
    /// Killed by an oracle that knows every output.
    pub ceiling: usize,
}

impl Report {
    /// All relations that stand, with their searches: the first has number 1.
    pub fn numbered(&self) -> impl Iterator<Item = (&Search, &ReportedRelation)> {
        self.transformations
            .iter()
            .flat_map(|search| search.relations().iter().map(move |found| (search, found)))
    }

    /// How many relations stand.
    pub fn relations(&self) -> usize {
        self.transformations.iter().map(|search| search.relations().len()).sum()
    }

    /// What `refuted.json` says: all refuted relations, each with its transformation.
    pub fn refuted(&self) -> Vec<ListedRefutation> {
        let listed = self.transformations.iter().flat_map(|search| {
            search.refuted.iter().map(|refutation| ListedRefutation {
                transformation: search.transformation.clone(),
                input_relation: search.input_relation.clone(),
                refutation: refutation.clone(),
            })
        });
        listed.collect()
    }
}

/// A second function, whose calls are related to those of the first.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct SecondFunction {
    /// What it is to the first: `Inverse`, `SameAs` or `Then`.
    pub role: String,
    /// Its name in relations.
    pub name: String,
    /// The name of the function.
    pub function: String,
    /// What it takes and gives, in WIT.
    pub signature: String,
}
