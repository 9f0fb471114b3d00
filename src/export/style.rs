//! What all test files can be asked for, whatever their language.

use genmorph_jit::Tolerance;

use super::Properties;

/// What a test file that calls a function (`C` says how) should look like.
#[derive(Clone, Debug)]
pub struct Style<'s, C> {
    /// The function that is called.
    pub callee: &'s C,
    /// Whether the file has properties.
    pub properties: Properties,
    /// The tolerance within which two numbers are equal.
    pub tolerance: Tolerance,
    /// The origin of relations and inputs, as lines at the head of the file.
    pub origin: Vec<String>,
}
