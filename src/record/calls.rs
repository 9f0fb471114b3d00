//! `calls.json`: calls that a function was given during a run, and how they ended.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

use super::VERSION;

/// What a function did on inputs that were drawn from its domain.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CallsFile {
    /// The version of the file.
    #[schemars(extend("const" = VERSION))]
    pub version: u32,
    /// The name of the function.
    pub function: String,
    /// Its type, as in report.json.
    pub signature: String,
    /// The calls.
    pub calls: Vec<RecordedCall>,
}

/// A call, and how it ended.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RecordedCall {
    /// The arguments, in the order of the parameters.
    pub inputs: Vec<Json>,
    /// What it threw; nothing if it returned.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub threw: Option<String>,
    /// The outputs, if it returned: the result, then the parameters that it changes in place.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub outputs: Vec<Json>,
}

impl CallsFile {
    /// Reads a file of calls.
    ///
    /// # Errors
    /// When it is none.
    pub fn read(text: &str) -> Result<CallsFile, String> {
        let file: CallsFile = serde_json::from_str(text).map_err(|error| error.to_string())?;
        match file.version {
            VERSION => Ok(file),
            other => {
                Err(format!("it has version {other}, and this program reads version {VERSION}"))
            }
        }
    }
}
