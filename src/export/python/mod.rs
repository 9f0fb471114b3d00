//! Relations of a function as a test module for pytest and Hypothesis.
//!
//! ```text
//!  relations, pairs ─► file ─┬─ callee       the function that is called
//!                            ├─ language     spellings, literals, types and statements
//!                            └─ strategy     where Hypothesis draws inputs from
//! ```
//!
//! Each relation has a parametrised test on inputs of the run, and a property on whatever inputs the domain has. The first
//! fails if the function raises, as it does on a wrong value; the second passes over inputs on which it raises, as the
//! search did. Knows no files and no processes.

mod callee;
mod file;
mod language;
mod strategy;

use genmorph_jit::Tolerance;

pub use self::callee::Callee;
pub use self::language::PYTHON;
use super::{Part, Properties};
use crate::subject::Signature;

/// What is wanted.
#[derive(Clone, Debug)]
pub struct Style<'s> {
    /// The function that is called.
    pub callee: &'s Callee,
    /// Whether there are properties.
    pub properties: Properties,
    /// When two numbers are equal.
    pub tolerance: Tolerance,
    /// Where relations and inputs come from, for the head of the file; a line each.
    pub origin: Vec<String>,
}

/// Relations that cannot be a test module.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PythonError {
    /// A text that names no function.
    #[error(
        "`{0}` is no Python function; write its module and its name, such as 'package.module:gcd'"
    )]
    Call(String),
    /// Nothing to be tested.
    #[error("there is no relation with a pair of inputs to try it on")]
    Nothing,
}

/// The test module of relations of a function. Parts without pairs or relations are left out.
///
/// # Errors
/// When nothing is left.
pub fn suite(
    signature: &Signature,
    parts: &[Part<'_>],
    style: &Style<'_>,
) -> Result<String, PythonError> {
    file::write(signature, parts, style)
}
