//! Relations as a user writes them: reads one, and shows the place where it goes wrong.
//!
//! The language is `genmorph_jit::text`; this file only knows people and terminals.

use genmorph_jit::text::{self, ParseError, ParseErrorKind};
use genmorph_jit::{Predicate, Schema};

use crate::support::pointer::Pointer;

/// Reads a relation over the variables of a schema.
///
/// # Errors
/// When the text is no such relation; the error displays as several lines, one of them with a mark
/// under the place.
pub fn read(text: &str, schema: &Schema) -> Result<Predicate, BadRelation> {
    text::parse(text, schema).map_err(|error| BadRelation {
        pointer: Pointer::at(text, error.line, error.column),
        variables: schema.iter().map(|(_, name, ty)| format!("{name}: {ty}")).collect(),
        error,
    })
}

/// A text that is no relation.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{error}\n\n{pointer}\n\nvariables: {}", variables.join(", "))]
pub struct BadRelation {
    /// What is wrong, and its line and column.
    pub error: ParseError,
    /// The line with a mark under the place.
    pub pointer: Pointer,
    /// The variables that there are, with their types.
    pub variables: Vec<String>,
}

impl BadRelation {
    /// The variable that does not exist, if that is what is wrong.
    pub fn unknown_variable(&self) -> Option<&str> {
        match &self.error.kind {
            ParseErrorKind::UnknownVariable { name, .. } => Some(name),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use genmorph_jit::Type;

    #[test]
    fn the_mark_stands_under_the_place() {
        let schema = Schema::new([("x", Type::Num), ("s", Type::Seq)]).unwrap();
        let shown = |text| read(text, &schema).unwrap_err().to_string();
        assert_eq!(
            shown("x <\n  y"),
            "line 2, column 3: unknown variable `y`; did you mean `x`?\n\n      y\n      ^\n\nvariables: x: Num, s: Seq"
        );
        assert_eq!(shown("x <").lines().nth(3), Some("       ^"));
    }
}
