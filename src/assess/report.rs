//! What an assessment says, in the form that is written. Equal assessments give equal bytes.

use genmorph_jit::Value;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::scores::{Counts, Scores};
use super::verdicts::Verdict;
use crate::filter::Pair;
use crate::record::relations::Tolerance;
use crate::subject::kinds::{Kind, Parameter, Signature};

/// How relations do on mutants and inputs that they were not found on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Assessment {
    /// The version of the document.
    #[schemars(extend("const" = crate::record::VERSION))]
    pub version: u32,
    /// The program that wrote it, and its version.
    pub tool: String,
    /// The function.
    pub function: String,
    /// What it takes and gives, in WIT.
    pub signature: String,
    /// The seed.
    pub seed: u64,
    /// When two numbers are equal.
    pub tolerance: Tolerance,
    /// The share of relations that stand: false on no suite and on no hunted input.
    #[schemars(range(min = 0, max = 1))]
    pub pz: f64,
    /// Of the relations that are false on no suite, the share that are false on no hunted input. None if there are none.
    #[schemars(range(min = 0, max = 1))]
    pub pzo: Option<f64>,
    /// Means over the suites.
    pub mean: Scores,
    /// By suite.
    pub suites: Vec<SuiteScores>,
    /// By relation, in the order of the claims.
    pub relations: Vec<RelationScores>,
    /// By mutant.
    pub mutants: Vec<MutantVerdicts>,
    /// Inputs on which mutants that no suite told from the function were compared with it; 0 if there was no such mutant.
    pub compared_on: usize,
    /// The names of mutants that never did anything else than the function: equivalent, as far as is known.
    pub equivalent: Vec<String>,
    /// Those of mutants that return other numbers, none of which differ by more than the tolerance.
    pub within_tolerance: Vec<String>,
    /// Those of mutants that differ where the function does not return, and nowhere else by more than the tolerance.
    pub fail_otherwise: Vec<String>,
    /// Those of mutants that are not equivalent, and that no suite kills.
    pub never_killed: Vec<String>,
}

/// One suite.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SuiteScores {
    /// Source inputs, on all of which the function returns.
    pub inputs: usize,
    /// Pairs on which it returns twice, over all transformations.
    pub pairs: usize,
    /// Relations that are false on none of them.
    pub valid: usize,
    /// How many mutants are what.
    pub counts: Counts,
    /// What shares of them.
    pub scores: Scores,
}

/// One relation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RelationScores {
    /// How follow-up inputs are made.
    pub transformation: String,
    /// The relation.
    pub relation: String,
    /// Whether it is false nowhere: otherwise its kills do not count.
    pub stands: bool,
    /// Pairs of all suites on which the function returns twice.
    pub pairs: usize,
    /// On how many of them it is false for the function.
    pub false_alarms: usize,
    /// On how many suites it is false on none.
    pub valid_on: usize,
    /// Hunted pairs that it was tried on…
    pub hunted: usize,
    /// …and one of them on which it is false.
    pub counterexample: Option<Counterexample>,
    /// Its own mutation score, crashes and time-outs included: the mean over suites. 0 if it does not stand.
    #[schemars(range(min = 0, max = 1))]
    pub ms: Option<f64>,
    /// The names of the mutants that it kills by being false, on any suite. None if it does not stand.
    pub kills: Vec<String>,
    /// On how many suites it kills each of those.
    pub kills_on: Vec<usize>,
}

/// A pair of executions of the function on which a relation is false.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Counterexample {
    /// Inputs and outputs at the source.
    pub source: String,
    /// The same at the follow-up.
    pub follow_up: String,
}

/// One mutant.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MutantVerdicts {
    /// Its name.
    pub name: String,
    /// The mutation operator.
    pub operator: String,
    /// What is changed, and where.
    pub change: String,
    /// A training mutant that does the same on all source inputs, by name.
    pub same_as: Option<String>,
    /// On each suite: `assertion`, `crash`, `time-out` or `survived`.
    #[schemars(with = "Vec<Verdict>")]
    pub verdicts: Vec<String>,
    /// On each suite, whether it differs from the function on any pair.
    pub differs: Vec<bool>,
    /// On each suite, whether regression assertions kill it.
    pub regression: Vec<bool>,
}

impl Assessment {
    /// How many relations stand.
    pub fn standing(&self) -> usize {
        self.relations.iter().filter(|relation| relation.stands).count()
    }
}

impl Counterexample {
    pub(super) fn new(pair: &Pair, signature: &Signature) -> Counterexample {
        let side = |inputs: &[Value<'_>], outputs: &[Value<'_>]| {
            let inputs = signature.inputs.iter().zip(inputs);
            let all = inputs.chain(signature.outputs.iter().zip(outputs));
            all.map(|(parameter, value)| shown(parameter, value)).collect::<Vec<_>>().join(", ")
        };
        let Pair { source, source_outputs, follow_up, follow_up_outputs } = pair;
        Counterexample {
            source: side(source, source_outputs),
            follow_up: side(follow_up, follow_up_outputs),
        }
    }
}

/// A value with its name, as people read it.
fn shown(parameter: &Parameter, value: &Value<'_>) -> String {
    let value = match value {
        Value::Num(number) => number.to_string(),
        Value::Bool(truth) => truth.to_string(),
        Value::Seq(elements) if parameter.kind == Kind::Text => {
            let char =
                |&code: &f64| char::from_u32(code as u32).unwrap_or(char::REPLACEMENT_CHARACTER);
            format!("{:?}", elements.iter().map(char).collect::<String>())
        }
        Value::Seq(elements) => {
            let each: Vec<String> = elements.iter().map(f64::to_string).collect();
            format!("[{}]", each.join(", "))
        }
    };
    format!("{} = {value}", parameter.name)
}
