//! Values as Rust literals.

use genmorph_jit::Value;

use super::types::RustType;
use crate::subject::{Scalar, Type};

/// A double.
pub(super) fn double(value: f64) -> String {
    match value {
        _ if value.is_nan() => "f64::NAN".to_owned(),
        f64::INFINITY => "f64::INFINITY".to_owned(),
        f64::NEG_INFINITY => "f64::NEG_INFINITY".to_owned(),
        _ => format!("{value:?}"),
    }
}

/// A single value.
pub(super) fn element(number: f64, scalar: Scalar) -> String {
    match scalar {
        Scalar::Bool => (number != 0.0).to_string(),
        Scalar::Char => {
            format!("{:?}", char::from_u32(number as u32).unwrap_or(char::REPLACEMENT_CHARACTER))
        }
        Scalar::F64 => double(number),
        Scalar::F32 => match number as f32 {
            value if value.is_nan() => "f32::NAN".to_owned(),
            f32::INFINITY => "f32::INFINITY".to_owned(),
            f32::NEG_INFINITY => "f32::NEG_INFINITY".to_owned(),
            value => format!("{value:?}"),
        },
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

/// A value of a type, in a constant.
///
/// # Panics
/// If the value is not of the type.
pub(super) fn literal(value: &Value<'_>, ty: RustType) -> String {
    let scalar = ty.ty.scalar();
    match (ty.ty, value) {
        (Type::Scalar(_), Value::Bool(truth)) => truth.to_string(),
        (Type::Scalar(_), Value::Num(number)) => element(*number, scalar),
        (Type::String, Value::Seq(codes)) => {
            let text: String = codes
                .iter()
                .map(|&code| char::from_u32(code as u32).unwrap_or(char::REPLACEMENT_CHARACTER))
                .collect();
            format!("{text:?}")
        }
        (Type::List(_), Value::Seq(elements)) => {
            let elements: Vec<String> = elements.iter().map(|&e| element(e, scalar)).collect();
            format!("&[{}]", elements.join(", "))
        }
        (ty, value) => unreachable!("a {} as {ty}", value.ty()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_literals_of_their_type() {
        let of = |value: Value<'_>, ty| literal(&value, RustType { ty, is_size: false });
        let num = |value, scalar| of(Value::Num(value), Type::Scalar(scalar));
        assert_eq!(num(-2_147_483_648.0, Scalar::S32), "-2147483648");
        assert_eq!(num(9_007_199_254_740_992.0, Scalar::U64), "9007199254740992");
        assert_eq!(num(-0.0, Scalar::F64), "-0.0");
        assert_eq!(num(f64::from(0.1_f32), Scalar::F32), "0.1");
        assert_eq!(num(f64::NAN, Scalar::F32), "f32::NAN");
        assert_eq!(num(39.0, Scalar::Char), "'\\''");
        let seq = |values: &[f64]| Value::Seq(values.to_vec().into());
        assert_eq!(of(seq(&[97.0, 34.0, 10.0, 128_512.0]), Type::String), "\"a\\\"\\n😀\"");
        assert_eq!(of(seq(&[1.0, 0.0]), Type::List(Scalar::Bool)), "&[true, false]");
        assert_eq!(of(seq(&[]), Type::List(Scalar::S8)), "&[]");
    }
}
