//! The inputs and outputs of a function, by the kinds of values that relations tell apart.

use genmorph_jit::{Schema, SchemaError, Type, Var};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::together::Second;
use crate::support::named::named;

/// The inputs and outputs of a function, as relations see them; [`Signature`](super::Signature) has their types in WIT.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Interface {
    /// The name of the function.
    pub function: String,
    /// The parameters, in order.
    pub inputs: Vec<Parameter>,
    /// What it returns (`out`), and the arguments that it changes in place (`x_after`).
    pub outputs: Vec<Parameter>,
    /// For calls that are made together, each output's call as people write it; else nothing.
    pub calls: Vec<String>,
    /// The second function, if there is one.
    pub second: Option<Box<Second<Interface>>>,
}

/// An input or output of a function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parameter {
    /// Its name, without `_s` and `_f`.
    pub name: String,
    /// Which values it has.
    pub kind: Kind,
}

named! {
    /// The values of a parameter, as a user sees them.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub enum Kind {
        /// An integer or a float.
        Number = "number",
        /// A truth value: true or false.
        Boolean = "boolean",
        /// A text: a sequence of characters' codes.
        Text = "text",
        /// A list or array of numbers.
        Numbers = "numbers",
    }
}

/// What relations say something of: the values that calls return, or whether calls return at all.
#[derive(
    Clone,
    Copy,
    Debug,
    Default,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    Serialize,
    Deserialize,
    JsonSchema,
)]
#[serde(rename_all = "lowercase")]
pub enum Observed {
    /// What calls return, where they return: `out_s`, `out_f`.
    #[default]
    Values,
    /// Whether calls throw: `throws_s`, `throws_f`.
    Outcomes,
    /// What several calls return that are made together: `out_s`, `out_g_s`.
    Together,
}

impl Observed {
    /// The name of what a call gives.
    pub fn output(self) -> &'static str {
        match self {
            Observed::Values | Observed::Together => "out",
            Observed::Outcomes => "throws",
        }
    }

    /// What a relation of one function and one source speaks of, by the variables that its text has.
    pub fn of(relation: &str) -> Observed {
        let is_part = |c: char| c.is_alphanumeric() || c == '_';
        let mut words = relation.split(|c: char| !is_part(c));
        match words.any(|word| word == "throws_s" || word == "throws_f") {
            true => Observed::Outcomes,
            false => Observed::Values,
        }
    }
}

impl Kind {
    /// The type of its values in the relation language.
    pub fn ty(self) -> Type {
        match self {
            Kind::Number => Type::Num,
            Kind::Boolean => Type::Bool,
            Kind::Text | Kind::Numbers => Type::Seq,
        }
    }
}

impl Interface {
    /// The variables of relations: all inputs and outputs of the source, then those of the follow-up.
    ///
    /// # Errors
    /// When two names are the same, or one cannot be the name of a variable.
    pub fn schema(&self) -> Result<Schema, SchemaError> {
        let parameters = || self.inputs.iter().chain(&self.outputs);
        let side = |suffix: &'static str| {
            parameters().map(move |p| (format!("{}_{suffix}", p.name), p.kind.ty()))
        };
        Schema::new(side("s").chain(side("f")))
    }

    /// The interface of what is observed: the function itself, or whether it throws.
    #[must_use]
    pub fn observing(&self, observed: Observed) -> Interface {
        if self.observed() == observed {
            return self.clone();
        }
        let name = observed.output().to_owned();
        let outputs = match observed {
            // What it returns is not known from its outcomes.
            Observed::Values | Observed::Together => Vec::new(),
            Observed::Outcomes => vec![Parameter { name, kind: Kind::Boolean }],
        };
        Interface { outputs, ..self.clone() }
    }

    /// What relations over its variables speak of.
    pub fn observed(&self) -> Observed {
        let is_outcome = |output: &Parameter| output.name == Observed::Outcomes.output();
        match self.outputs.iter().any(is_outcome) {
            true => Observed::Outcomes,
            false if !self.calls.is_empty() => Observed::Together,
            false => Observed::Values,
        }
    }

    /// The source and the follow-up variable of every output.
    pub fn output_pairs(&self) -> Vec<(Var, Var)> {
        let all = self.inputs.len() + self.outputs.len();
        let var = |i: usize| Var(i as u16);
        (self.inputs.len()..all).map(|i| (var(i), var(all + i))).collect()
    }
}

/// The name of a function as it stands in a call: the last part of a path, without what cannot be part of a name.
pub fn plain_name(function: &str) -> String {
    let path = function.split('(').next().unwrap_or_default();
    let last = path.rsplit(['#', '.', ':', '/']).find(|part| !part.is_empty()).unwrap_or("f");
    let letter = |c: char| if c.is_alphanumeric() || c == '_' || c == '$' { c } else { '_' };
    last.chars().map(letter).collect()
}
