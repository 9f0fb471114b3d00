//! How follow-up inputs are made from source inputs: the paper's six templates, and others that people write down.
//!
//! Each instance of a template is a function on inputs and, as text, the strictest relation that it
//! satisfies: given the source inputs, only one follow-up satisfies it. Knows nothing of executions.

mod apply;
mod bind;
mod error;
mod follow_ups;
mod list;
mod relation;
mod template;
mod text;

pub use self::bind::{Instance, Transform, interface, observed};
pub use self::error::TransformError;
pub use self::list::{Candidate, check, fitting, list, plainest, plainness, sample};
pub use self::template::{Operand, Template};

/// How follow-up inputs are made from source inputs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Transformation {
    /// The instance of a template, such as `NumericAddition(-1) on e`.
    pub name: String,
    /// Its canonical input relation, such as `k_f == k_s and e_f == e_s - 1`.
    pub input_relation: String,
}

#[cfg(test)]
mod tests;
