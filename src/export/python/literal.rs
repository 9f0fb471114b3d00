//! Values as Python literals.

use genmorph_jit::Value;

use crate::subject::{Scalar, Type};

/// A float.
pub(super) fn float(value: f64) -> String {
    match value {
        _ if value.is_nan() => "math.nan".to_owned(),
        f64::INFINITY => "math.inf".to_owned(),
        f64::NEG_INFINITY => "-math.inf".to_owned(),
        // The shortest text that reads back; Python reads it as Rust does.
        _ => format!("{value:?}"),
    }
}

/// A single value.
pub(super) fn element(number: f64, scalar: Scalar) -> String {
    match scalar {
        Scalar::Bool if number != 0.0 => "True".to_owned(),
        Scalar::Bool => "False".to_owned(),
        Scalar::Char => text([number]),
        Scalar::F32 | Scalar::F64 => float(number),
        Scalar::S8
        | Scalar::U8
        | Scalar::S16
        | Scalar::U16
        | Scalar::S32
        | Scalar::U32
        | Scalar::S64
        | Scalar::U64 => format!("{}", number as i64),
    }
}

/// A text of characters with these codes.
pub(super) fn text(codes: impl IntoIterator<Item = f64>) -> String {
    let mut literal = String::from('"');
    for code in codes {
        match char::from_u32(code as u32).unwrap_or(char::REPLACEMENT_CHARACTER) {
            c @ ('"' | '\\') => literal.extend(['\\', c]),
            '\n' => literal += "\\n",
            '\r' => literal += "\\r",
            '\t' => literal += "\\t",
            '\'' => literal.push('\''),
            // What Rust shows as it is can be seen.
            c if c.escape_debug().len() == 1 => literal.push(c),
            c => literal += &format!("\\U{:08x}", u32::from(c)),
        }
    }
    literal + "\""
}

/// A value of a type.
///
/// # Panics
/// If the value is not of the type.
pub(super) fn literal(value: &Value<'_>, ty: Type) -> String {
    match (ty, value) {
        (Type::Scalar(scalar), Value::Bool(truth)) => element(f64::from(u8::from(*truth)), scalar),
        (Type::Scalar(scalar), Value::Num(number)) => element(*number, scalar),
        (Type::String, Value::Seq(codes)) => text(codes.iter().copied()),
        (Type::List(scalar), Value::Seq(elements)) => {
            let elements: Vec<String> = elements.iter().map(|&e| element(e, scalar)).collect();
            format!("[{}]", elements.join(", "))
        }
        (ty, value) => unreachable!("a {} as {ty}", value.ty()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_literals_of_their_type() {
        let num = |value, scalar| literal(&Value::Num(value), Type::Scalar(scalar));
        assert_eq!(num(-9_007_199_254_740_992.0, Scalar::S64), "-9007199254740992");
        assert_eq!(num(-0.0, Scalar::F64), "-0.0");
        assert_eq!(num(f64::NEG_INFINITY, Scalar::F64), "-math.inf");
        assert_eq!(num(34.0, Scalar::Char), "\"\\\"\"");
        assert_eq!(literal(&Value::Bool(true), Type::Scalar(Scalar::Bool)), "True");
        let seq = |values: &[f64]| Value::Seq(values.to_vec().into());
        let text = literal(&seq(&[97.0, 39.0, 92.0, 0.0, 233.0, 8238.0, 129_408.0]), Type::String);
        assert_eq!(text, "\"a'\\\\\\U00000000é\\U0000202e🦀\"");
        assert_eq!(literal(&seq(&[1.0, 0.5]), Type::List(Scalar::F64)), "[1.0, 0.5]");
    }
}
