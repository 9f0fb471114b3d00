//! `mutants.json`: every mutant of the function, and what the source inputs show of it.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// An entry of `mutants.json`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct MutantEntry {
    /// The name by which other files refer to the mutant.
    pub name: String,
    /// `A` for training, `B` for judging.
    #[schemars(extend("enum" = ["A", "B"]))]
    pub group: String,
    /// The name of the mutation operator.
    #[serde(default)]
    pub operator: String,
    /// The function that is changed.
    #[serde(default)]
    pub function: String,
    /// Where the change is, in bytes from the start of the module.
    #[serde(default)]
    pub offset: u32,
    /// Where the change is in the source; null if there is no debug information.
    pub line: Option<String>,
    /// What the mutant changes, for people.
    #[serde(default)]
    pub change: String,
    /// What the source inputs show of the mutant; null if it was not run on them.
    pub standing: Option<String>,
}
