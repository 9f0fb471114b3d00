//! Relations of a function as a test module for pytest and Hypothesis.
//!
//! ```text
//!  relations, pairs ─► file ─┬─ callee       the function that is called
//!                            ├─ language     spellings, literals, types and statements
//!                            └─ strategy     where Hypothesis draws inputs from
//! ```
//!
//! Each relation has a parametrised test on inputs of the run, and a property on inputs drawn from the domain. The
//! test fails if the function raises; the property skips inputs on which it raises, as the search did. Knows no files and no
//! processes.

mod callee;
mod file;
mod language;
mod laws;
mod strategy;

pub use self::callee::Callee;
pub use self::file::write as suite;
pub use self::language::PYTHON;
pub use self::laws::write as laws;

/// What a test module should look like.
pub type Style<'s> = super::style::Style<'s, Callee>;

/// Why relations cannot become a test module.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PythonError {
    /// The text is not a module and a function.
    #[error(
        "`{0}` is not a Python function: write its module and its name, such as 'package.module:gcd'"
    )]
    Call(String),
    /// No relation has a pair of inputs.
    #[error("there is no relation with a pair of inputs to try it on")]
    Nothing,
}
