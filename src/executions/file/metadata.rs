//! The metadata of an executions file: one JSON text in the file's key-value metadata.

use genmorph_jit::{Tolerance, parse};
use serde::{Deserialize, Serialize};

use super::error::Problem;
use crate::executions::Executions;
use crate::subject::kinds::{Interface, Kind, Parameter};
use crate::transform::{Instance, Transformation};

/// The key of the metadata in the file.
pub(super) const KEY: &str = "genmorph";

/// The version of the format that is written, and the only one that is read.
pub(super) const FORMAT: u64 = 1;

/// Name of the column of labels.
pub(super) const LABEL: &str = "label";

/// The label of rows of the original.
pub(super) const CORRECT_LABEL: &str = "correct";

/// What the metadata says about all rows.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Metadata {
    pub(super) signature: Interface,
    pub(super) transformation: Transformation,
    pub(super) tolerance: Tolerance,
    pub(super) seed: u64,
}

/// The JSON text, as `FORMAT.md` documents it.
#[derive(Debug, Serialize, Deserialize)]
struct Json {
    format: u64,
    #[serde(default)]
    tool: String,
    function: String,
    inputs: Vec<JsonParameter>,
    outputs: Vec<JsonParameter>,
    transformation: String,
    input_relation: String,
    #[serde(default = "default_tolerance")]
    tolerance: String,
    #[serde(default)]
    seed: u64,
}

#[derive(Debug, Serialize, Deserialize)]
struct JsonParameter {
    name: String,
    kind: JsonKind,
}

#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum JsonKind {
    Number,
    Boolean,
    Text,
    Numbers,
}

/// The format version alone: the other members depend on it.
#[derive(Deserialize)]
struct Version {
    format: u64,
}

fn default_tolerance() -> String {
    Tolerance::default().to_string()
}

impl Metadata {
    /// Reads the JSON text and checks that its parts agree.
    pub(super) fn read(text: &str) -> Result<Metadata, Problem> {
        let Version { format } = serde_json::from_str(text)?;
        if format != FORMAT {
            return Err(Problem::Format(format));
        }
        let json: Json = serde_json::from_str(text)?;
        let signature = Interface {
            function: json.function,
            inputs: json.inputs.into_iter().map(Parameter::from).collect(),
            outputs: json.outputs.into_iter().map(Parameter::from).collect(),
            ..Interface::default()
        };
        if signature.outputs.is_empty() {
            return Err(Problem::NoOutputs);
        }
        let parsed = parse(&json.input_relation, &signature.schema()?);
        // The input relations of some transformations are read by people only.
        if !is_of_template(&json.transformation, &json.input_relation, &signature) {
            parsed?;
        }
        Ok(Metadata {
            signature,
            transformation: Transformation {
                name: json.transformation,
                input_relation: json.input_relation,
            },
            tolerance: json.tolerance.parse()?,
            seed: json.seed,
        })
    }

    /// Writes the JSON text for these executions.
    pub(super) fn write(executions: &Executions) -> String {
        let parameters = |list: &[Parameter]| list.iter().map(JsonParameter::from).collect();
        let json = Json {
            format: FORMAT,
            tool: format!("genmorph {}", crate::VERSION),
            function: executions.signature.function.clone(),
            inputs: parameters(&executions.signature.inputs),
            outputs: parameters(&executions.signature.outputs),
            transformation: executions.transformation.name.clone(),
            input_relation: executions.transformation.input_relation.clone(),
            tolerance: executions.table.tolerance().to_string(),
            seed: executions.seed,
        };
        serde_json::to_string(&json).expect("texts and numbers are JSON")
    }
}

/// Whether an input relation is what a transformation that fits the function states.
fn is_of_template(transformation: &str, input_relation: &str, signature: &Interface) -> bool {
    let instance = transformation.parse::<Instance>();
    let bound = instance.and_then(|instance| instance.bind(signature));
    bound.is_ok_and(|transform| transform.input_relation() == input_relation)
}

impl From<JsonParameter> for Parameter {
    fn from(JsonParameter { name, kind }: JsonParameter) -> Parameter {
        let kind = match kind {
            JsonKind::Number => Kind::Number,
            JsonKind::Boolean => Kind::Boolean,
            JsonKind::Text => Kind::Text,
            JsonKind::Numbers => Kind::Numbers,
        };
        Parameter { name, kind }
    }
}

impl From<&Parameter> for JsonParameter {
    fn from(Parameter { name, kind }: &Parameter) -> JsonParameter {
        let kind = match kind {
            Kind::Number => JsonKind::Number,
            Kind::Boolean => JsonKind::Boolean,
            Kind::Text => JsonKind::Text,
            Kind::Numbers => JsonKind::Numbers,
        };
        JsonParameter { name: name.clone(), kind }
    }
}
