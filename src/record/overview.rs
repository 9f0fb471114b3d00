//! `overview.json`: the functions of a crate that were asked for, and what came of each.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::support::named::named;

/// The functions of a run over many, in the order in which they were run; those that cannot be run are last.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Overview {
    /// The version of the file.
    #[serde(default)]
    #[schemars(extend("const" = super::VERSION))]
    pub version: u32,
    /// The name of the crate.
    #[serde(default)]
    pub name: String,
    /// A line for each function.
    pub functions: Vec<FunctionLine>,
}

/// What came of a function.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct FunctionLine {
    /// The path of the function.
    pub function: String,
    /// Where it stands: file and line.
    pub place: String,
    /// Whether others can call it.
    pub is_public: bool,
    /// What came of it: `laws`, `relations`, `nothing`, `refused` or `failed`.
    #[schemars(extend("enum" = Fate::NAMES))]
    pub fate: String,
    /// Why it was refused, or how its run failed.
    pub reason: String,
    /// How many laws were found.
    pub laws: usize,
    /// The laws to be read first.
    pub first: Vec<String>,
    /// How many judging mutants the relations kill, of how many.
    pub killed: usize,
    /// How many judging mutants differ from the function and from each other.
    pub mutants: usize,
    /// How long the run took, in seconds.
    pub seconds: f64,
    /// The folder of its run, from that of the overview; empty if there is none.
    pub folder: String,
}

named! {
    /// What came of a function.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Fate {
        /// There are laws for people to read.
        Laws = "laws",
        /// There are relations, but no law.
        Relations = "relations",
        /// No trustworthy relation was found.
        Nothing = "nothing",
        /// It cannot be a subject.
        Refused = "refused",
        /// Its run ended with an error.
        Failed = "failed",
    }
}

impl Fate {
    const NAMES: [&str; 5] = ["laws", "relations", "nothing", "refused", "failed"];
}

impl Overview {
    /// How many functions ended like this.
    pub fn count(&self, fate: Fate) -> usize {
        self.functions.iter().filter(|line| line.fate == fate.name()).count()
    }
}
