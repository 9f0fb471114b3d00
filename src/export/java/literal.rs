//! Values as Java literals, in ASCII.

use genmorph_jit::Value;

use crate::subject::jvm::{Element, Form, JavaType};

/// A double.
pub fn double(value: f64) -> String {
    match value {
        _ if value.is_nan() => "Double.NaN".to_owned(),
        f64::INFINITY => "Double.POSITIVE_INFINITY".to_owned(),
        f64::NEG_INFINITY => "Double.NEGATIVE_INFINITY".to_owned(),
        // The shortest text that reads back; Java reads it as Rust does.
        _ => format!("{value:?}"),
    }
}

/// A value of a type, as an argument of a method of that type. Elements that are texts are places among `texts`.
///
/// # Panics
/// If the value is not of the type.
pub fn literal(value: &Value<'_>, ty: JavaType, texts: &[String]) -> String {
    match (ty.form, value) {
        (Form::Single, Value::Bool(truth)) => truth.to_string(),
        (Form::Single, Value::Num(number)) => match ty.element {
            Element::Byte => format!("(byte) {number}"),
            Element::Short => format!("(short) {number}"),
            Element::Boolean
            | Element::Char
            | Element::Int
            | Element::Long
            | Element::Float
            | Element::Double
            | Element::Text => element(*number, ty.element, texts),
        },
        (Form::Text, Value::Seq(codes)) => {
            let c =
                |&code: &f64| char::from_u32(code as u32).unwrap_or(char::REPLACEMENT_CHARACTER);
            text(&codes.iter().map(c).collect::<String>())
        }
        (Form::Array, Value::Seq(elements)) => {
            let elements: Vec<String> =
                elements.iter().map(|&e| element(e, ty.element, texts)).collect();
            format!("new {ty} {{{}}}", elements.join(", "))
        }
        (Form::List, Value::Seq(elements)) => {
            let single = JavaType { form: Form::Single, element: ty.element };
            let one = |&e: &f64| match ty.element {
                Element::Boolean => (e != 0.0).to_string(),
                _ => literal(&Value::Num(e), single, texts),
            };
            let elements: Vec<String> = elements.iter().map(one).collect();
            let wrapper = ty.to_string();
            let wrapper = wrapper.trim_start_matches("List");
            format!("Arrays.{wrapper}asList({})", elements.join(", "))
        }
        (form, value) => unreachable!("a {} as {form:?}", value.ty()),
    }
}

/// A text.
pub(super) fn text(text: &str) -> String {
    format!("\"{}\"", text.encode_utf16().map(escaped).collect::<String>())
}

/// An element of an array.
fn element(number: f64, element: Element, texts: &[String]) -> String {
    match element {
        Element::Boolean => (number != 0.0).to_string(),
        Element::Byte | Element::Short => format!("{number}"),
        Element::Char => format!("'{}'", escaped(number as u16)),
        Element::Int if number == f64::from(i32::MIN) => "Integer.MIN_VALUE".to_owned(),
        Element::Int if number == f64::from(i32::MAX) => "Integer.MAX_VALUE".to_owned(),
        Element::Int => format!("{}", number as i32),
        Element::Long => format!("{}L", number as i64),
        Element::Double => double(number),
        // Inputs are within the domain, which has a number for each of them.
        Element::Text => text(&texts[number as usize]),
        Element::Float => match number as f32 {
            value if value.is_nan() => "Float.NaN".to_owned(),
            f32::INFINITY => "Float.POSITIVE_INFINITY".to_owned(),
            f32::NEG_INFINITY => "Float.NEGATIVE_INFINITY".to_owned(),
            value => format!("{value:?}f"),
        },
    }
}

/// A UTF-16 unit within quotes. A line end must not be written as `\u000a`: it would end the line.
fn escaped(unit: u16) -> String {
    match u8::try_from(unit).map(char::from) {
        Ok('\n') => "\\n".to_owned(),
        Ok('\r') => "\\r".to_owned(),
        Ok('\t') => "\\t".to_owned(),
        Ok(c @ ('"' | '\'' | '\\')) => format!("\\{c}"),
        Ok(c @ ' '..='~') => c.to_string(),
        _ => format!("\\u{unit:04x}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(value: &Value<'_>, form: Form, element: Element) -> String {
        literal(value, JavaType { form, element }, &["".to_owned(), "a\"".to_owned()])
    }

    fn num(value: f64, element: Element) -> String {
        of(&Value::Num(value), Form::Single, element)
    }

    #[test]
    fn numbers_are_literals_of_their_type() {
        assert_eq!(num(-2_147_483_648.0, Element::Int), "Integer.MIN_VALUE");
        assert_eq!(num(-7.0, Element::Int), "-7");
        assert_eq!(num(9_007_199_254_740_992.0, Element::Long), "9007199254740992L");
        assert_eq!(num(-128.0, Element::Byte), "(byte) -128");
        assert_eq!(num(-0.0, Element::Double), "-0.0");
        assert_eq!(num(5e-324, Element::Double), "5e-324");
        assert_eq!(num(f64::NAN, Element::Double), "Double.NaN");
        assert_eq!(num(f64::from(0.1_f32), Element::Float), "0.1f");
        assert_eq!(num(f64::NEG_INFINITY, Element::Float), "Float.NEGATIVE_INFINITY");
        assert_eq!(num(39.0, Element::Char), "'\\''");
        assert_eq!(num(8364.0, Element::Char), "'\\u20ac'");
    }

    #[test]
    fn texts_and_lists_are_ascii() {
        let text = |text: &str| {
            let codes: Vec<f64> = text.chars().map(|c| f64::from(u32::from(c))).collect();
            of(&Value::Seq(codes.into()), Form::Text, Element::Char)
        };
        assert_eq!(text("a\"\n\\\0"), "\"a\\\"\\n\\\\\\u0000\"");
        assert_eq!(text("\u{1f600}"), "\"\\ud83d\\ude00\"");
        let seq = || Value::Seq(vec![1.0, 0.0].into());
        assert_eq!(of(&seq(), Form::Array, Element::Boolean), "new boolean[] {true, false}");
        assert_eq!(of(&seq(), Form::Array, Element::Byte), "new byte[] {1, 0}");
        assert_eq!(of(&seq(), Form::List, Element::Long), "Arrays.<Long>asList(1L, 0L)");
        assert_eq!(of(&seq(), Form::List, Element::Boolean), "Arrays.<Boolean>asList(true, false)");
        let none = Value::Seq(Vec::new().into());
        assert_eq!(of(&none, Form::List, Element::Int), "Arrays.<Integer>asList()");
        assert_eq!(of(&seq(), Form::Array, Element::Text), "new String[] {\"a\\\"\", \"\"}");
    }
}
