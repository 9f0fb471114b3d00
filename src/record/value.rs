//! Values of parameters as JSON: in counterexamples and in files of inputs.

use genmorph_jit::Value;
use serde_json::Value as Json;

use crate::subject::kinds::{Kind, Parameter};

/// A value as JSON. NaN and the infinities are texts, because JSON has no numbers for them.
pub fn to_json(parameter: &Parameter, value: &Value<'_>) -> Json {
    let number = |n: f64| {
        if n.is_nan() {
            "NaN".into()
        } else if n.is_infinite() {
            (if n > 0.0 { "Infinity" } else { "-Infinity" }).into()
        } else if n.fract() == 0.0 && n.abs() < 9e15 {
            (n as i64).into()
        } else {
            n.into()
        }
    };
    match value {
        Value::Num(n) => number(*n),
        Value::Bool(b) => (*b).into(),
        Value::Seq(elements) if parameter.kind == Kind::Text => elements
            .iter()
            .map(|&code| char::from_u32(code as u32).unwrap_or(char::REPLACEMENT_CHARACTER))
            .collect::<String>()
            .into(),
        Value::Seq(elements) => elements.iter().map(|&n| number(n)).collect::<Vec<_>>().into(),
    }
}

/// The value of a kind that [`to_json`] wrote, if it is one.
pub fn from_json(kind: Kind, value: &Json) -> Option<Value<'static>> {
    let number = |value: &Json| match value.as_str() {
        Some("NaN") => Some(f64::NAN),
        Some("Infinity") => Some(f64::INFINITY),
        Some("-Infinity") => Some(f64::NEG_INFINITY),
        Some(_) => None,
        None => value.as_f64(),
    };
    match kind {
        Kind::Number => number(value).map(Value::Num),
        Kind::Boolean => value.as_bool().map(Value::Bool),
        Kind::Text => {
            let codes = value.as_str()?.chars().map(|c| f64::from(c as u32));
            Some(Value::Seq(codes.collect()))
        }
        Kind::Numbers => {
            let numbers: Option<Vec<f64>> = value.as_array()?.iter().map(number).collect();
            Some(Value::Seq(numbers?.into()))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn values_come_back_from_json() {
        let json = json!(["NaN", 1, "-Infinity"]);
        let Some(Value::Seq(numbers)) = from_json(Kind::Numbers, &json) else { panic!("{json}") };
        assert!(numbers[0].is_nan() && numbers[1] == 1.0 && numbers[2] == f64::NEG_INFINITY);
        assert_eq!(from_json(Kind::Number, &json!("one")), None);
    }
}
