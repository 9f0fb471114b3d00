//! Relations of a function as an integration test of a Rust crate.
//!
//! ```text
//!  relations, pairs ─► file ─┬─ callee       the function that is called
//!                            ├─ language     spellings, literals, types and statements
//!                            └─ strategy     where proptest draws inputs from
//! ```
//!
//! Each relation has a `#[test]` on inputs of the run, and a property on inputs drawn from the domain. The test fails if the
//! function panics; the property skips inputs on which it panics, as the search did. Knows no files and no processes.

mod callee;
mod file;
mod language;
mod laws;
mod strategy;

pub use self::callee::{Argument, ArgumentMode, Callee, Function, ReturnStyle};
pub use self::language::RUST;
use super::Part;
use crate::subject::Signature;

/// What a test file should look like.
pub type Style<'s> = super::style::Style<'s, Callee>;

/// Why relations cannot become a test file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RustError {
    /// The text is neither a path nor a closure.
    #[error(
        "`{0}` is not a Rust function: write a path, such as 'my_crate::gcd', or a closure, such as '|s, n| my_crate::pad(s, n as usize)'"
    )]
    Call(String),
    /// No relation has a pair of inputs.
    #[error("there is no relation with a pair of inputs to try it on")]
    Nothing,
    /// The callee has another number of parameters than the signature.
    #[error("the function that is called has {found} parameters, and the subject {wanted}")]
    Parameters {
        /// The number of parameters of the callee.
        found: usize,
        /// The number of parameters of the signature.
        wanted: usize,
    },
}

/// Writes laws of a function as a test file: a short test for each, named after it. Parts without pairs or relations are left out.
///
/// # Errors
/// When no test is left, or the callee does not fit the signature.
pub fn laws(
    signature: &Signature,
    parts: &[Part<'_>],
    style: &Style<'_>,
) -> Result<String, RustError> {
    fitting(signature, style)?;
    laws::write(signature, parts, style)
}

fn fitting(signature: &Signature, style: &Style<'_>) -> Result<(), RustError> {
    let (found, wanted) = (style.callee.parameters.len(), signature.parameters.len());
    if found == wanted { Ok(()) } else { Err(RustError::Parameters { found, wanted }) }
}

/// Writes relations of a function as a test file. Parts without pairs or relations are left out.
///
/// # Errors
/// When no test is left, or the callee does not fit the signature.
pub fn suite(
    signature: &Signature,
    parts: &[Part<'_>],
    style: &Style<'_>,
) -> Result<String, RustError> {
    fitting(signature, style)?;
    file::write(signature, parts, style)
}
