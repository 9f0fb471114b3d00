//! The assessment as it is written to files. Equal assessments give equal bytes.

use genmorph_jit::Value;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::scores::{Counts, Scores};
use super::verdicts::Verdict;
use crate::filter::Pair;
use crate::record::relations::Tolerance;
use crate::subject::kinds::{Interface, Kind, Parameter};

/// How relations do on mutants and inputs that the search did not use.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Assessment {
    /// The version of the document.
    #[schemars(extend("const" = crate::record::VERSION))]
    pub version: u32,
    /// The program that wrote it, with its version.
    pub tool: String,
    /// Name of the function.
    pub function: String,
    /// Signature of the function, in WIT.
    pub signature: String,
    /// Seed of all random choices.
    pub seed: u64,
    /// Tolerance up to which two numbers are equal.
    pub tolerance: Tolerance,
    /// Share of relations that stand: no suite and no hunted input refutes them.
    #[schemars(range(min = 0, max = 1))]
    pub pz: f64,
    /// Of the relations that no suite refutes, the share that no hunted input refutes; null if there are none.
    #[schemars(range(min = 0, max = 1))]
    pub pzo: Option<f64>,
    /// Mean scores over the suites.
    pub mean: Scores,
    /// Scores of each suite.
    pub suites: Vec<SuiteScores>,
    /// Scores of each relation, in the order of the claims.
    pub relations: Vec<RelationScores>,
    /// Verdicts on each mutant.
    pub mutants: Vec<MutantVerdicts>,
    /// Number of inputs on which mutants that differ on no suite were compared with the function; 0 if there
    /// are no such mutants.
    pub compared_on: usize,
    /// Names of mutants that never differed from the function: equivalent, as far as is known.
    pub equivalent: Vec<String>,
    /// Names of mutants that return other numbers, all within the tolerance.
    pub within_tolerance: Vec<String>,
    /// Names of mutants that differ only where the function does not return, or within the tolerance.
    pub fail_otherwise: Vec<String>,
    /// Names of mutants that are not equivalent and that no suite kills.
    pub never_killed: Vec<String>,
}

/// The scores on one suite.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SuiteScores {
    /// Number of source inputs; the function returns on all of them.
    pub inputs: usize,
    /// Number of pairs on which the function returns for both inputs, over all transformations.
    pub pairs: usize,
    /// Number of relations that are true on all these pairs.
    pub valid: usize,
    /// Numbers of mutants killed in each way.
    pub counts: Counts,
    /// Shares of mutants killed in each way.
    pub scores: Scores,
}

/// The scores of one relation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RelationScores {
    /// The transformation of the relation.
    pub transformation: String,
    /// The relation, as text.
    pub relation: String,
    /// Whether nothing refutes it; if something does, its kills do not count.
    pub stands: bool,
    /// Number of pairs of all suites on which the function returns for both inputs.
    pub pairs: usize,
    /// Number of these pairs on which the relation is false for the function.
    pub false_alarms: usize,
    /// Number of suites that do not refute it.
    pub valid_on: usize,
    /// Number of hunted pairs on which it was evaluated.
    pub hunted: usize,
    /// A hunted pair on which it is false, if there is one.
    pub counterexample: Option<Counterexample>,
    /// Its mutation score alone, with crashes and time-outs: the mean over suites. 0 if it does not stand.
    #[schemars(range(min = 0, max = 1))]
    pub ms: Option<f64>,
    /// Names of the mutants that it kills by being false, on any suite; empty if it does not stand.
    pub kills: Vec<String>,
    /// For each of `kills`, the number of suites on which it is killed.
    pub kills_on: Vec<usize>,
}

/// A pair of executions of the function on which a relation is false.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Counterexample {
    /// Inputs and outputs at the source.
    pub source: String,
    /// Inputs and outputs at the follow-up.
    pub follow_up: String,
}

/// The verdicts on one mutant.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MutantVerdicts {
    /// Name of the mutant.
    pub name: String,
    /// Name of the mutation operator.
    pub operator: String,
    /// The change and its place in the code.
    pub change: String,
    /// Name of a training mutant that behaves the same on all source inputs.
    pub same_as: Option<String>,
    /// Verdict of each suite: `assertion`, `crash`, `time-out` or `survived`.
    #[schemars(with = "Vec<Verdict>")]
    pub verdicts: Vec<String>,
    /// For each suite, whether it differs from the function on any pair.
    pub differs: Vec<bool>,
    /// For each suite, whether regression assertions kill it.
    pub regression: Vec<bool>,
}

impl Assessment {
    /// Number of relations that stand.
    pub fn standing(&self) -> usize {
        self.relations.iter().filter(|relation| relation.stands).count()
    }
}

impl Counterexample {
    pub(super) fn new(pair: &Pair, signature: &Interface) -> Counterexample {
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

/// A value with its name, in readable form.
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
