//! Texts that are no transformation, and transformations that do not fit a function.

use super::text;

/// A text that is not an instance of a template, or an instance that does not fit the function.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TransformError {
    /// The text does not have the form `Template(constant) on parameters`.
    #[error("`{0}` is not a transformation; write one of\n  {examples}", examples = text::examples("\n  "))]
    Text(String),
    /// An argument of a template is not a finite number, not an index or not a value.
    #[error("{template} does not accept `{constant}`: write {expected}")]
    Constant {
        /// The template's name.
        template: &'static str,
        /// The argument as the user wrote it.
        constant: String,
        /// What the template accepts, in words.
        expected: &'static str,
    },
    /// A parameter is named twice.
    #[error("`{0}` cannot be permuted with itself")]
    Same(String),
    /// The same parameter is to be changed twice.
    #[error("`{0}` is named twice")]
    Twice(String),
    /// The function has no such parameter.
    #[error("`{function}` has no parameter `{name}`; its parameters are {}", parameters.join(", "))]
    Unknown {
        /// Name of the function.
        function: String,
        /// The parameter that the user named.
        name: String,
        /// All parameters that the function has.
        parameters: Vec<String>,
    },
    /// The parameter is of a kind that the template does not work on, or with.
    #[error("{template} needs {expected}, but `{name}` is {found}")]
    Kind {
        /// The template's name.
        template: &'static str,
        /// Name of the parameter.
        name: String,
        /// The kind that the template needs, in words.
        expected: &'static str,
        /// The kind of the parameter, in words.
        found: &'static str,
    },
    /// No value of the parameter leads to another one by this constant.
    #[error("{instance} gives no follow-up input: {problem}")]
    Unreachable {
        /// The text of the transformation.
        instance: String,
        /// The type and the range of the parameter, and what the constant would need.
        problem: String,
    },
    /// Calls of the function cannot be put together like that.
    #[error("{0}")]
    Together(String),
    /// The two parameters of a permutation are of different kinds.
    #[error("PermuteParameters needs two parameters of one kind, but {a} and {b} are not")]
    Kinds {
        /// The first parameter, with its kind.
        a: String,
        /// The second parameter, with its kind.
        b: String,
    },
}
