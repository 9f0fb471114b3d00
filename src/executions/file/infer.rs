//! The signature of a file without metadata, from the names and types of its columns.
//!
//! `x_s` and `x_f` are an input, unless `x` is `out`, begins with `out_` or with `out` and a digit, or ends
//! with `_after`: then they are an output.

use genmorph_jit::Tolerance;

use super::columns::Shape;
use super::error::Problem;
use super::metadata::Metadata;
use crate::subject::kinds::{Interface, Parameter};
use crate::transform::Transformation;

/// Infers the metadata. Columns without a suffix are the user's own and are ignored.
pub(super) fn metadata(function: &str, columns: &[Shape]) -> Result<Metadata, Problem> {
    let mut signature = Interface {
        function: function.to_owned(),
        inputs: Vec::new(),
        outputs: Vec::new(),
        ..Interface::default()
    };
    for column in columns {
        let Some(name) = column.name.strip_suffix("_s") else { continue };
        let kind = column.kind.ok_or_else(|| Problem::Type {
            column: column.name.clone(),
            expected: "numbers, booleans, texts or lists of numbers",
            found: column.described.clone(),
        })?;
        let side = if is_output(name) { &mut signature.outputs } else { &mut signature.inputs };
        side.push(Parameter { name: name.to_owned(), kind });
    }
    if signature.outputs.is_empty() {
        return Err(Problem::NoOutputs);
    }
    signature.schema()?;
    let transformation =
        Transformation { name: "unknown".to_owned(), input_relation: "true".to_owned() };
    Ok(Metadata { signature, transformation, tolerance: Tolerance::default(), seed: 0 })
}

fn is_output(name: &str) -> bool {
    let numbered = |rest: &str| rest.starts_with(|c: char| c == '_' || c.is_ascii_digit());
    name.ends_with("_after")
        || name.strip_prefix("out").is_some_and(|rest| rest.is_empty() || numbered(rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outputs_are_told_by_their_names() {
        for name in ["out", "out2", "out_low", "array_after"] {
            assert!(is_output(name), "{name}");
        }
        for name in ["outer", "x", "after", "about", "_out"] {
            assert!(!is_output(name), "{name}");
        }
    }
}
