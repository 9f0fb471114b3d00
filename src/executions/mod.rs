//! Executions of a function and of its mutants, paired and labelled: what evolution works on.
//!
//! The waist of genmorph. Left of it everything touches the world; right of it everything is pure,
//! and can be repeated from a file.

use std::sync::Arc;

use genmorph_jit::{Schema, SchemaError, Table, Type, Var};

/// The group of the table that holds executions of the original.
pub const CORRECT: usize = 0;

/// The group of the table that holds executions of mutants.
pub const INCORRECT: usize = 1;

/// Pairs of executions, source and follow-up, of the original and of mutants.
#[derive(Clone, Debug)]
pub struct Executions {
    /// What the function takes and gives.
    pub signature: Signature,
    /// How follow-up inputs are made.
    pub transformation: Transformation,
    /// One row per pair, in the groups [`CORRECT`] and [`INCORRECT`], over [`Signature::schema`].
    pub table: Arc<Table>,
    /// The names of the mutants that have rows.
    pub mutants: Vec<String>,
    /// For every row of the group [`INCORRECT`]: the index of its mutant.
    pub row_mutants: Vec<u32>,
    /// The seed with which the rows were sampled.
    pub seed: u64,
}

/// What a function takes and gives.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Signature {
    /// The name of the function.
    pub function: String,
    /// Its parameters.
    pub inputs: Vec<Parameter>,
    /// What it returns (`out`), and the arguments that it changes in place (`x_after`).
    pub outputs: Vec<Parameter>,
}

/// An input or output of a function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parameter {
    /// Its name, without `_s` and `_f`.
    pub name: String,
    /// Its values.
    pub kind: Kind,
}

/// The values of a parameter, as a user sees them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// A number.
    Number,
    /// A truth value.
    Boolean,
    /// A text: a sequence of characters' codes.
    Text,
    /// A list or array of numbers.
    Numbers,
}

/// How follow-up inputs are made from source inputs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Transformation {
    /// The instance of a template, such as `NumericAddition(-1) on e`.
    pub name: String,
    /// Its canonical input relation, such as `k_f == k_s and e_f == e_s - 1`.
    pub input_relation: String,
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

impl Signature {
    /// The variables of relations: all inputs and outputs of the source, then those of the follow-up.
    ///
    /// # Errors
    /// When names collide or are no names.
    pub fn schema(&self) -> Result<Schema, SchemaError> {
        let parameters = || self.inputs.iter().chain(&self.outputs);
        let side = |suffix: &'static str| {
            parameters().map(move |p| (format!("{}_{suffix}", p.name), p.kind.ty()))
        };
        Schema::new(side("s").chain(side("f")))
    }

    /// The source and the follow-up variable of every output.
    pub fn output_pairs(&self) -> Vec<(Var, Var)> {
        let all = self.inputs.len() + self.outputs.len();
        let var = |i: usize| Var(i as u16);
        (self.inputs.len()..all).map(|i| (var(i), var(all + i))).collect()
    }
}
