//! Relations of a function as an integration test of a Rust crate.
//!
//! ```text
//!  relations, pairs ─► file ─┬─ callee       the function that is called
//!                            ├─ language     spellings, literals, types and statements
//!                            └─ strategy     where proptest draws inputs from
//! ```
//!
//! Each relation has a `#[test]` on inputs of the run, and a property on whatever inputs the domain has. The first fails if
//! the function panics, as it does on a wrong value; the second passes over inputs on which it panics, as the
//! search did. Knows no files and no processes.

mod callee;
mod file;
mod language;
mod strategy;

use genmorph_jit::Tolerance;

pub use self::callee::{Argument, Callee, Function, Passing, Returned};
pub use self::language::RUST;
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

/// Relations that cannot be a test file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RustError {
    /// A text that names no function.
    #[error(
        "`{0}` is no Rust function; write a path, such as 'my_crate::gcd', or a closure, such as '|s, n| my_crate::pad(s, n as usize)'"
    )]
    Call(String),
    /// Nothing to be tested.
    #[error("there is no relation with a pair of inputs to try it on")]
    Nothing,
    /// The callee is of another function.
    #[error("the function that is called has {found} parameters, and the subject {wanted}")]
    Parameters {
        /// Those of the callee.
        found: usize,
        /// Those of the signature.
        wanted: usize,
    },
}

/// The test file of relations of a function. Parts without pairs or relations are left out.
///
/// # Errors
/// When nothing is left, or the callee does not fit the signature.
pub fn suite(
    signature: &Signature,
    parts: &[Part<'_>],
    style: &Style<'_>,
) -> Result<String, RustError> {
    let (found, wanted) = (style.callee.parameters.len(), signature.parameters.len());
    if found != wanted {
        return Err(RustError::Parameters { found, wanted });
    }
    file::write(signature, parts, style)
}
