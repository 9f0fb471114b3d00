//! Reads the user's inputs: JSON, one JSON value per line, or CSV.
//!
//! An input is an object with a member per parameter, or a list of values in the order of the parameters. NaN
//! and infinities are the strings `NaN`, `Infinity` and `-Infinity`. The first line of CSV names the
//! parameters; lists are JSON in a cell, strings are not quoted further.

use std::fs;
use std::path::Path;

use genmorph_jit::Value;
use serde_json::Value as Json;

use super::error::{Bounds, InputsError};
use super::row::Row;
use crate::subject::{Domain, Parameter, Scalar, Signature, Type};
use crate::support::numbers::NOT_IN_JSON;

/// Reads the inputs of a function from a file.
///
/// # Errors
/// When the file cannot be read, or does not contain inputs of the function; the error names the place.
pub fn read(path: &Path, signature: &Signature) -> Result<Vec<Row>, InputsError> {
    let bytes = fs::read(path).map_err(|error| InputsError::Unreadable {
        path: path.to_owned(),
        reason: error.to_string(),
    })?;
    let extension = path.extension().unwrap_or_default().to_string_lossy().to_lowercase();
    let text = String::from_utf8(bytes).map_err(|_| InputsError::Unreadable {
        path: path.to_owned(),
        reason: "it is not UTF-8 text; save it as such".to_owned(),
    })?;
    let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
    let read = match extension.as_str() {
        "csv" => csv(text, signature),
        "ndjson" | "jsonl" => lines(text, signature),
        _ => json(text, signature),
    };
    read.map_err(|(place, problem)| InputsError::Content { path: path.to_owned(), place, problem })
}

/// Reads an input from an object that may have further members, such as outputs.
///
/// # Errors
/// When a parameter is missing, or its value is not allowed; the error names the parameter.
pub fn of_object(
    members: &serde_json::Map<String, Json>,
    signature: &Signature,
) -> Result<Row, String> {
    let is_input = |name: &String| signature.parameters.iter().any(|p| p.name == *name);
    let inputs = members.iter().filter(|(name, _)| is_input(name));
    row(
        &Json::Object(inputs.map(|(name, value)| (name.clone(), value.clone())).collect()),
        signature,
    )
}

/// The place of a problem, and the problem.
type Problem = (String, String);

/// Reads a JSON list of inputs, or one input per line.
fn json(text: &str, signature: &Signature) -> Result<Vec<Row>, Problem> {
    match serde_json::from_str::<Json>(text) {
        Ok(Json::Array(inputs)) => inputs
            .iter()
            .enumerate()
            .map(|(i, input)| {
                row(input, signature).map_err(|problem| (format!(", input {}", i + 1), problem))
            })
            .collect(),
        // A single object is the same as one input per line.
        Ok(Json::Object(_)) => lines(text.trim(), signature),
        Ok(other) => Err((String::new(), format!("expected a list of inputs, found {other}"))),
        Err(error) => {
            let first = text.lines().find(|line| !line.trim().is_empty());
            let by_line = text.trim().lines().count() > 1
                && first.is_some_and(|line| serde_json::from_str::<Json>(line).is_ok());
            if by_line {
                return lines(text, signature);
            }
            Err((format!(", line {}", error.line()), format!("not JSON: {error}")))
        }
    }
}

/// Reads one input per line.
fn lines(text: &str, signature: &Signature) -> Result<Vec<Row>, Problem> {
    // An object that spans several lines is one input.
    if let Ok(input @ Json::Object(_)) = serde_json::from_str(text) {
        return row(&input, signature).map(|row| vec![row]).map_err(|p| (String::new(), p));
    }
    let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    lines
        .map(|(i, line)| {
            let input = serde_json::from_str(line).map_err(|error| format!("not JSON: {error}"));
            let row = input.and_then(|input| row(&input, signature));
            row.map_err(|problem| (format!(", line {}", i + 1), problem))
        })
        .collect()
}

/// Reads one input: an object or a list.
fn row(input: &Json, signature: &Signature) -> Result<Row, String> {
    let parameters = &signature.parameters;
    match input {
        Json::Object(members) => {
            if let Some(other) = members.keys().find(|k| parameters.iter().all(|p| p.name != **k)) {
                return Err(unknown(other, signature));
            }
            let each = parameters.iter().map(|parameter| match members.get(&parameter.name) {
                Some(value) => checked(parameter, of_json(parameter.ty, value), &value.to_string()),
                None => Err(missing(parameter)),
            });
            each.collect::<Result<Row, _>>().and_then(|row| meant(row, signature))
        }
        Json::Array(values) if values.len() == parameters.len() => {
            let each = parameters.iter().zip(values).map(|(parameter, value)| {
                checked(parameter, of_json(parameter.ty, value), &value.to_string())
            });
            each.collect::<Result<Row, _>>().and_then(|row| meant(row, signature))
        }
        Json::Array(values) => Err(format!(
            "{} values for the {} parameters of {signature}",
            values.len(),
            parameters.len()
        )),
        other => Err(format!(
            "expected an object such as {} or a list of values, found {other}",
            example(signature)
        )),
    }
}

fn csv(text: &str, signature: &Signature) -> Result<Vec<Row>, Problem> {
    let mut reader = csv::ReaderBuilder::new().from_reader(text.as_bytes());
    let broken = |error: csv::Error| {
        let line = error.position().map_or(1, csv::Position::line);
        let problem = match error.kind() {
            csv::ErrorKind::UnequalLengths { expected_len, len, .. } => {
                format!("{len} cells, but the first line has {expected_len}")
            }
            _ => error.to_string(),
        };
        (format!(", line {line}"), problem)
    };
    let header = reader.headers().map_err(broken)?.clone();
    let names: Vec<&str> = header.iter().map(str::trim).collect();
    let first = |problem| (", line 1".to_owned(), problem);
    let parameters = &signature.parameters;
    if let Some(other) = names.iter().find(|name| parameters.iter().all(|p| p.name != **name)) {
        return Err(first(unknown(other, signature)));
    }
    let mut places = Vec::new();
    for parameter in parameters {
        let mut found = (0..names.len()).filter(|&i| names[i] == parameter.name);
        let place = found.next().ok_or_else(|| first(missing(parameter)))?;
        if found.next().is_some() {
            return Err(first(format!("there are two columns `{}`", parameter.name)));
        }
        places.push(place);
    }
    let mut rows = Vec::new();
    for record in reader.records() {
        let record = record.map_err(broken)?;
        let line = record.position().map_or(0, csv::Position::line);
        let each = parameters.iter().zip(&places).map(|(parameter, &place)| {
            let cell = &record[place];
            checked(parameter, of_cell(parameter.ty, cell), &format!("{cell:?}"))
        });
        let row = each.collect::<Result<Row, _>>().and_then(|row| meant(row, signature));
        rows.push(row.map_err(|p| (format!(", line {line}"), p))?);
    }
    Ok(rows)
}

/// Refuses an input outside of the condition of the function.
fn meant(row: Row, signature: &Signature) -> Result<Row, String> {
    match &signature.condition {
        Some(condition) if !condition.holds(&row) => {
            Err(format!("the input does not satisfy the condition on inputs, {}", condition.text()))
        }
        Some(_) | None => Ok(row),
    }
}

fn unknown(name: &str, signature: &Signature) -> String {
    let names: Vec<&str> = signature.parameters.iter().map(|p| p.name.as_str()).collect();
    format!("there is no parameter `{name}`; the parameters are {}", names.join(", "))
}

fn missing(parameter: &Parameter) -> String {
    format!("parameter `{}` ({}) is missing", parameter.name, parameter.ty)
}

fn example(signature: &Signature) -> String {
    let members = signature.parameters.iter().map(|parameter| {
        let value = match parameter.ty {
            Type::Scalar(Scalar::Bool) => "true",
            Type::Scalar(Scalar::Char) => "\"a\"",
            Type::Scalar(_) => "1",
            Type::String => "\"abc\"",
            Type::List(Scalar::Bool) => "[true, false]",
            Type::List(Scalar::Char) => "[\"a\", \"b\"]",
            Type::List(_) => "[1, 2]",
        };
        format!("\"{}\": {value}", parameter.name)
    });
    format!("{{{}}}", members.collect::<Vec<_>>().join(", "))
}

/// Returns the value if it has the type of the parameter and is within its domain.
fn checked(
    parameter: &Parameter,
    value: Option<Value<'static>>,
    written: &str,
) -> Result<Value<'static>, String> {
    let Parameter { name, ty, .. } = parameter;
    let free = Parameter { domain: Domain::default(), ..parameter.clone() };
    match value.filter(|value| free.admits(value)) {
        None => Err(format!("parameter `{name}`: expected {}, found {written}", wanted(*ty))),
        Some(value) if parameter.admits(&value) => Ok(value),
        Some(_) => Err(format!(
            "parameter `{name}`: {written} is not within its domain ({})",
            Bounds(parameter)
        )),
    }
}

/// A type in words, with a hint where its values are not obvious.
fn wanted(ty: Type) -> String {
    let scalar = |scalar: Scalar| match (scalar, scalar.integers()) {
        (Scalar::Bool, _) => " (true or false)".to_owned(),
        (Scalar::Char, _) => " (a text of one character)".to_owned(),
        (_, Some((least, most))) => format!(" (an integer from {least} to {most})"),
        (_, None) => String::new(),
    };
    format!("{ty}{}", if ty == Type::String { String::new() } else { scalar(ty.scalar()) })
}

fn of_json(ty: Type, json: &Json) -> Option<Value<'static>> {
    match (ty, json) {
        (Type::Scalar(Scalar::Bool), Json::Bool(truth)) => Some(Value::Bool(*truth)),
        (Type::Scalar(scalar), json) => element(scalar, json).map(Value::Num),
        (Type::String | Type::List(Scalar::Char), Json::String(text)) => Some(codes(text)),
        (Type::List(scalar), Json::Array(elements)) => {
            let elements = elements.iter().map(|json| element(scalar, json));
            elements.collect::<Option<Vec<f64>>>().map(|elements| Value::Seq(elements.into()))
        }
        (Type::String | Type::List(_), _) => None,
    }
}

fn of_cell(ty: Type, cell: &str) -> Option<Value<'static>> {
    match ty {
        Type::String => Some(codes(cell)),
        Type::Scalar(Scalar::Char) => {
            element(Scalar::Char, &Json::String(cell.to_owned())).map(Value::Num)
        }
        Type::Scalar(_) | Type::List(_) => {
            let cell = cell.trim();
            let json = match ty {
                _ if NOT_IN_JSON.iter().any(|(name, _)| *name == cell) => {
                    Json::String(cell.to_owned())
                }
                // Accepts what spreadsheets write: TRUE, .5, +3.
                Type::Scalar(Scalar::Bool) => Json::Bool(cell.to_lowercase().parse().ok()?),
                Type::Scalar(_) if serde_json::from_str::<Json>(cell).is_err() => {
                    Json::Number(serde_json::Number::from_f64(cell.parse().ok()?)?)
                }
                _ => serde_json::from_str(cell).ok()?,
            };
            of_json(ty, &json)
        }
    }
}

/// Reads a single value as a number.
fn element(scalar: Scalar, json: &Json) -> Option<f64> {
    match (scalar, json) {
        (Scalar::Bool, Json::Bool(truth)) => Some(f64::from(u8::from(*truth))),
        (Scalar::Bool, _) => None,
        (Scalar::Char, Json::String(text)) => {
            let mut characters = text.chars();
            let first = characters.next()?;
            characters.next().is_none().then(|| f64::from(u32::from(first)))
        }
        (Scalar::F32 | Scalar::F64, Json::String(text)) => {
            NOT_IN_JSON.iter().find(|(name, _)| name == text).map(|(_, number)| *number)
        }
        // 0.1 is not an f32: take the nearest.
        (Scalar::F32, Json::Number(number)) => number.as_f64().map(|n| f64::from(n as f32)),
        (Scalar::F64, Json::Number(number)) => number.as_f64(),
        (_, Json::Number(number)) => {
            let exact = number.as_i64().map(i128::from).or(number.as_u64().map(i128::from));
            let value = number.as_f64()?;
            exact.is_none_or(|exact| value as i128 == exact).then_some(value)
        }
        _ => None,
    }
}

fn codes(text: &str) -> Value<'static> {
    Value::Seq(text.chars().map(|c| f64::from(u32::from(c))).collect::<Vec<f64>>().into())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn signature() -> Signature {
        let parameter = |(name, ty): (&str, Type)| Parameter {
            name: name.to_owned(),
            ty,
            domain: Domain::default(),
        };
        let mut parameters = [
            ("n", Type::Scalar(Scalar::S32)),
            ("x", Type::Scalar(Scalar::F64)),
            ("s", Type::String),
            ("a", Type::List(Scalar::U8)),
        ]
        .map(parameter)
        .to_vec();
        parameters[0].domain.range = Some((0.0, 100.0));
        Signature { function: "f".to_owned(), parameters, result: None, ..Signature::default() }
    }

    fn expected() -> Row {
        vec![
            Value::Num(7.0),
            Value::Num(f64::NEG_INFINITY),
            Value::Seq(vec![104.0, 233.0].into()),
            Value::Seq(vec![1.0, 255.0].into()),
        ]
    }

    #[test]
    fn all_forms_say_the_same() {
        let object = r#"{"s": "hé", "n": 7, "a": [1, 255], "x": "-Infinity"}"#;
        let list = r#"[7, "-Infinity", "hé", [1, 255]]"#;
        let rows = |count| Ok(vec![expected(); count]);
        assert_eq!(json(&format!("[{object},\n {list}]"), &signature()), rows(2));
        assert_eq!(json(&format!("{object}\n\n{list}\n"), &signature()), rows(2));
        assert_eq!(json(&format!("{list}\n{object}\n"), &signature()), rows(2));
        assert_eq!(json(object, &signature()), rows(1));
        assert_eq!(lines(list, &signature()), rows(1));
        let table = "x, n,s,a\n-Infinity,7,hé,\"[1, 255]\"\n-Infinity,+7,hé,\"[1, 255]\"\n";
        assert_eq!(csv(table, &signature()), rows(2));
        assert_eq!(json("[]", &signature()), rows(0));
    }

    #[test]
    fn what_is_wrong_is_named_with_its_place() {
        let wrong = |text: &str| {
            let (place, problem) = json(text, &signature()).unwrap_err();
            format!("{place}: {problem}")
        };
        let good = r#"[7, 1, "", []]"#;
        assert_eq!(
            wrong(&format!("[{good}, [7.5, 1, \"\", []]]")),
            ", input 2: parameter `n`: expected s32 (an integer from -2147483648 to 2147483647), \
             found 7.5"
        );
        assert_eq!(
            wrong(&format!("{good}\n[101, 1, \"\", []]")),
            ", line 2: parameter `n`: 101 is not within its domain (range 0 to 100)"
        );
        assert_eq!(
            wrong(r#"[[7, 1, "", [256]]]"#),
            ", input 1: parameter `a`: expected list<u8> (an integer from 0 to 255), found [256]"
        );
        assert_eq!(
            wrong(r#"[{"n": 1, "y": 2}]"#),
            ", input 1: there is no parameter `y`; the parameters are n, x, s, a"
        );
        assert_eq!(wrong(r#"[{"n": 1}]"#), ", input 1: parameter `x` (f64) is missing");
        assert_eq!(
            wrong("[[1]]"),
            ", input 1: 1 values for the 4 parameters of func(n: s32, x: f64, s: string, a: list<u8>)"
        );
        assert_eq!(
            wrong("[1]"),
            ", input 1: expected an object such as {\"n\": 1, \"x\": 1, \"s\": \"abc\", \"a\": [1, 2]} \
             or a list of values, found 1"
        );
        assert!(wrong("[\n[7,").starts_with(", line 2: not JSON: EOF"));
        assert!(wrong("hello").contains("not JSON"));
    }

    #[test]
    fn tables_are_checked_line_by_line() {
        let wrong = |text: &str| {
            let (place, problem) = csv(text, &signature()).unwrap_err();
            format!("{place}: {problem}")
        };
        assert_eq!(wrong("n,x,s\n"), ", line 1: parameter `a` (list<u8>) is missing");
        assert_eq!(wrong("n,x,s,a,n\n"), ", line 1: there are two columns `n`");
        assert_eq!(
            wrong("n,x,s,a,b\n"),
            ", line 1: there is no parameter `b`; the parameters are n, x, s, a"
        );
        assert_eq!(
            wrong("n,x,s,a\n1,2,t,[]\n1,two,t,[]\n"),
            ", line 3: parameter `x`: expected f64, found \"two\""
        );
        assert_eq!(wrong("n,x,s,a\n1,2\n"), ", line 2: 2 cells, but the first line has 4");
    }

    #[test]
    fn an_integer_that_is_no_f64_is_refused() {
        let element = |text: &str| element(Scalar::S64, &serde_json::from_str(text).unwrap());
        assert_eq!(element("9007199254740992"), Some(9_007_199_254_740_992.0));
        assert_eq!(element("9007199254740993"), None);
    }
}
