//! Refuted relations, each with a counterexample: parts of `search.json` and `report.json`, and `refuted.json`.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// A relation that is false on a pair of executions of the function.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Refutation {
    /// The relation as text.
    pub relation: String,
    /// What found the counterexample: `fresh` inputs or the `hunt`.
    #[serde(default)]
    #[schemars(extend("enum" = ["fresh", "hunt"]))]
    pub by: String,
    /// After which round of the search it was found; 0 for the last trial of what was to be reported.
    #[serde(default)]
    pub round: usize,
    /// Whether the counterexample is simpler than the one that was found first.
    #[serde(default)]
    pub is_shrunk: bool,
    /// The source inputs and outputs of the counterexample, by their names.
    #[serde(default)]
    pub source: Map<String, Value>,
    /// The follow-up inputs and outputs of the counterexample, by their names.
    #[serde(default)]
    pub follow_up: Map<String, Value>,
}

/// An entry of `refuted.json`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ListedRefutation {
    /// The transformation that makes follow-up inputs.
    #[serde(default)]
    pub transformation: String,
    /// What source and follow-up inputs satisfy.
    #[serde(default)]
    pub input_relation: String,
    /// The relation and its counterexample.
    #[serde(flatten)]
    pub refutation: Refutation,
}
