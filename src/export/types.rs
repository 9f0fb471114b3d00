//! The type of a parameter or an output: what it is, and how a language writes it.

use crate::subject::{Parameter, Type};

/// A type as a language has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct NamedType {
    /// The type of the subject.
    pub(super) ty: Type,
    /// How the type is written: `Vec<i32>`, `int[]`, `List<Integer>`.
    pub(super) name: String,
    /// How the type of single values is written: `i32`, `int`, `Integer`.
    pub(super) element: &'static str,
}

/// A parameter as a test file has it.
#[derive(Clone, Debug)]
pub(super) struct Field<'f> {
    /// Its name as an identifier of the language.
    pub(super) name: String,
    pub(super) ty: NamedType,
    pub(super) parameter: &'f Parameter,
}
