//! Values as literals of a language.

use genmorph_jit::Value;

use super::types::NamedType;
use crate::subject::{Scalar, ScalarClass, Type};

/// How a language writes values.
#[derive(Clone, Copy, Debug)]
pub(super) struct Literals {
    /// The words for false and true, in this order.
    pub(super) truths: [&'static str; 2],
    /// How floats of 64 bits are written.
    pub(super) double: Floats,
    /// How floats of 32 bits are written.
    pub(super) single: Floats,
    /// An integer; whether it stands on its own, where the language takes it for one of another type.
    pub(super) integer: fn(f64, Scalar, bool) -> String,
    /// A character with this code.
    pub(super) character: fn(f64) -> String,
    /// A text of characters with these codes.
    pub(super) text: fn(&[f64]) -> String,
    /// A list of elements.
    pub(super) list: fn(&NamedType, &str) -> String,
    /// Whether elements of a list are written as values that stand on their own.
    pub(super) are_alone: fn(&NamedType) -> bool,
}

/// How a language writes floats.
#[derive(Clone, Copy, Debug)]
pub(super) struct Floats {
    pub(super) nan: &'static str,
    pub(super) infinity: &'static str,
    pub(super) negative_infinity: &'static str,
    /// Whether the digits are those of a 32-bit float.
    pub(super) is_single: bool,
    /// Written after the digits.
    pub(super) suffix: &'static str,
}

impl Floats {
    /// The shortest text that reads back: Java, Rust and Python read it alike.
    pub(super) fn write(&self, value: f64) -> String {
        let value = if self.is_single { f64::from(value as f32) } else { value };
        match value {
            _ if value.is_nan() => self.nan.to_owned(),
            f64::INFINITY => self.infinity.to_owned(),
            f64::NEG_INFINITY => self.negative_infinity.to_owned(),
            _ if self.is_single => format!("{:?}{}", value as f32, self.suffix),
            _ => format!("{value:?}{}", self.suffix),
        }
    }
}

impl Literals {
    pub(super) fn truth(&self, value: bool) -> &'static str {
        self.truths[usize::from(value)]
    }

    /// A single value, on its own or among others.
    pub(super) fn element(&self, number: f64, scalar: Scalar, is_alone: bool) -> String {
        match scalar.class() {
            ScalarClass::Bool => self.truth(number != 0.0).to_owned(),
            ScalarClass::Char => (self.character)(number),
            ScalarClass::Float if scalar == Scalar::F32 => self.single.write(number),
            ScalarClass::Float => self.double.write(number),
            ScalarClass::Integer => (self.integer)(number, scalar, is_alone),
        }
    }

    /// A value of a type.
    ///
    /// # Panics
    /// If the value is not of the type.
    pub(super) fn write(&self, value: &Value<'_>, ty: &NamedType) -> String {
        match (ty.ty, value) {
            (Type::Scalar(_), Value::Bool(truth)) => self.truth(*truth).to_owned(),
            (Type::Scalar(scalar), Value::Num(number)) => self.element(*number, scalar, true),
            (Type::String, Value::Seq(codes)) => (self.text)(codes),
            (Type::List(scalar), Value::Seq(elements)) => {
                let is_alone = (self.are_alone)(ty);
                let elements = elements.iter().map(|&e| self.element(e, scalar, is_alone));
                (self.list)(ty, &elements.collect::<Vec<_>>().join(", "))
            }
            (ty, value) => unreachable!("a {} as {ty}", value.ty()),
        }
    }
}

/// The character with a code.
pub(super) fn character(code: f64) -> char {
    char::from_u32(code as u32).unwrap_or(char::REPLACEMENT_CHARACTER)
}

#[cfg(test)]
mod tests {
    use super::super::language::Language;
    use super::super::{java, python, rust};
    use super::*;

    fn num(language: &Language, value: f64, scalar: Scalar) -> String {
        language.literals.element(value, scalar, true)
    }

    fn seq(language: &Language, values: &[f64], ty: Type, name: &str) -> String {
        let ty = NamedType { ty, name: name.to_owned(), element: "" };
        language.literals.write(&Value::Seq(values.to_vec().into()), &ty)
    }

    #[test]
    fn numbers_are_literals_of_their_type_in_java() {
        let num = |value, scalar| num(&java::JAVA, value, scalar);
        assert_eq!(num(-2_147_483_648.0, Scalar::S32), "Integer.MIN_VALUE");
        assert_eq!(num(-7.0, Scalar::S32), "-7");
        assert_eq!(num(9_007_199_254_740_992.0, Scalar::S64), "9007199254740992L");
        assert_eq!(num(-128.0, Scalar::S8), "(byte) -128");
        assert_eq!(num(-0.0, Scalar::F64), "-0.0");
        assert_eq!(num(5e-324, Scalar::F64), "5e-324");
        assert_eq!(num(f64::NAN, Scalar::F64), "Double.NaN");
        assert_eq!(num(f64::from(0.1_f32), Scalar::F32), "0.1f");
        assert_eq!(num(f64::NEG_INFINITY, Scalar::F32), "Float.NEGATIVE_INFINITY");
        assert_eq!(num(39.0, Scalar::Char), "'\\''");
        assert_eq!(num(8364.0, Scalar::Char), "'\\u20ac'");
    }

    #[test]
    fn texts_and_lists_are_ascii_in_java() {
        let seq = |values: &[f64], ty, name| seq(&java::JAVA, values, ty, name);
        let text = |text: &str| {
            let codes: Vec<f64> = text.chars().map(|c| f64::from(u32::from(c))).collect();
            seq(&codes, Type::String, "String")
        };
        assert_eq!(text("a\"\n\\\0"), "\"a\\\"\\n\\\\\\u0000\"");
        assert_eq!(text("\u{1f600}"), "\"\\ud83d\\ude00\"");
        let list = |scalar, name| seq(&[1.0, 0.0], Type::List(scalar), name);
        assert_eq!(list(Scalar::Bool, "boolean[]"), "new boolean[] {true, false}");
        assert_eq!(list(Scalar::S8, "byte[]"), "new byte[] {1, 0}");
        assert_eq!(list(Scalar::S8, "List<Byte>"), "Arrays.<Byte>asList((byte) 1, (byte) 0)");
        assert_eq!(list(Scalar::S64, "List<Long>"), "Arrays.<Long>asList(1L, 0L)");
        assert_eq!(list(Scalar::Bool, "List<Boolean>"), "Arrays.<Boolean>asList(true, false)");
        let none = seq(&[], Type::List(Scalar::S32), "List<Integer>");
        assert_eq!(none, "Arrays.<Integer>asList()");
    }

    #[test]
    fn values_are_literals_of_their_type_in_rust() {
        let num = |value, scalar| num(&rust::RUST, value, scalar);
        assert_eq!(num(-2_147_483_648.0, Scalar::S32), "-2147483648");
        assert_eq!(num(9_007_199_254_740_992.0, Scalar::U64), "9007199254740992");
        assert_eq!(num(-0.0, Scalar::F64), "-0.0");
        assert_eq!(num(f64::from(0.1_f32), Scalar::F32), "0.1");
        assert_eq!(num(f64::NAN, Scalar::F32), "f32::NAN");
        assert_eq!(num(39.0, Scalar::Char), "'\\''");
        let seq = |values: &[f64], ty| seq(&rust::RUST, values, ty, "");
        assert_eq!(seq(&[97.0, 34.0, 10.0, 128_512.0], Type::String), "\"a\\\"\\n😀\"");
        assert_eq!(seq(&[1.0, 0.0], Type::List(Scalar::Bool)), "&[true, false]");
        assert_eq!(seq(&[], Type::List(Scalar::S8)), "&[]");
    }

    #[test]
    fn values_are_literals_of_their_type_in_python() {
        let num = |value, scalar| num(&python::PYTHON, value, scalar);
        assert_eq!(num(-9_007_199_254_740_992.0, Scalar::S64), "-9007199254740992");
        assert_eq!(num(-0.0, Scalar::F64), "-0.0");
        assert_eq!(num(f64::NEG_INFINITY, Scalar::F64), "-math.inf");
        assert_eq!(num(34.0, Scalar::Char), "\"\\\"\"");
        assert_eq!(num(1.0, Scalar::Bool), "True");
        let seq = |values: &[f64], ty| seq(&python::PYTHON, values, ty, "");
        let text = seq(&[97.0, 39.0, 92.0, 0.0, 233.0, 8238.0, 129_408.0], Type::String);
        assert_eq!(text, "\"a'\\\\\\U00000000é\\U0000202e🦀\"");
        assert_eq!(seq(&[1.0, 0.5], Type::List(Scalar::F64)), "[1.0, 0.5]");
    }
}
