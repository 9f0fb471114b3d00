//! Executions of a function and of its mutants, paired and labelled: what evolution works on.
//!
//! The waist of genmorph. Left of it everything touches the world; right of it everything is pure,
//! and can be repeated from a file: `FORMAT.md` says what is in one.

mod columns;
mod error;
mod infer;
mod kills;
mod metadata;
mod read;
mod rows;
mod sample;
mod write;

use std::sync::Arc;

use genmorph_jit::{Column, Schema, SchemaError, Table, Tolerance, Type, Value, Var};

pub use self::error::{Problem, ReadError, Warning, WriteError};
pub use self::kills::Kills;
pub use self::read::Reading;
pub(crate) use self::rows::identity;
pub use self::rows::{CorrectAsIncorrect, Rows};
pub use self::sample::Limits;
pub use self::write::{Existing, check_target};

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
    /// Where several mutants show the same row, those besides the one in `row_mutants`: row of the
    /// group [`INCORRECT`] and mutant, in order.
    pub also: Vec<(u32, u32)>,
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

impl Executions {
    /// At most so many rows of each group, chosen by a seed: the same ones every time.
    pub fn sampled(&self, limits: Limits, seed: u64) -> Executions {
        let rows = |group: usize| self.table.layout().groups()[group].rows;
        if rows(CORRECT) <= limits.correct && rows(INCORRECT) <= limits.incorrect {
            return Executions { seed, ..self.clone() };
        }
        self.rows()
            .sampled(limits, seed)
            .into_executions(&self.signature, &self.transformation, *self.table.tolerance(), seed)
            .expect("fewer rows of the same columns are a table")
    }

    /// The same rows under another equality of numbers.
    pub fn with_tolerance(&self, tolerance: Tolerance) -> Executions {
        if tolerance == *self.table.tolerance() {
            return self.clone();
        }
        self.rows()
            .into_executions(&self.signature, &self.transformation, tolerance, self.seed)
            .expect("the same rows are a table")
    }

    /// How many rows a group has.
    pub fn count(&self, group: usize) -> usize {
        self.table.layout().groups()[group].rows
    }

    /// The rows, taken out of the table.
    fn rows(&self) -> Rows {
        let columns = self.table.schema().iter().map(|(var, _, ty)| {
            let mut column = Column::empty(ty);
            for row in 0..self.table.rows() {
                push(&mut column, &self.table.value(var, row));
            }
            column
        });
        Rows::from_parts(columns.collect(), self)
    }
}

/// Appends a value to a column of its type.
///
/// # Panics
/// If it has another type.
pub(crate) fn push(column: &mut Column, value: &Value<'_>) {
    match (column, value) {
        (Column::Num(column), Value::Num(value)) => column.push(*value),
        (Column::Bool(column), Value::Bool(value)) => column.push(*value),
        (Column::Seq(column), Value::Seq(value)) => column.push(value.iter().copied()),
        (column, value) => panic!("a {} among {}s", value.ty(), column.ty()),
    }
}

impl Kind {
    /// All kinds.
    pub const ALL: [Kind; 4] = [Kind::Number, Kind::Boolean, Kind::Text, Kind::Numbers];

    /// Its name, in files and messages.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Number => "number",
            Kind::Boolean => "boolean",
            Kind::Text => "text",
            Kind::Numbers => "numbers",
        }
    }

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
