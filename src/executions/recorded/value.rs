//! Values of recorded JSON, and the kinds of the variables that have them.

use genmorph_jit::Value;

use super::error::{Place, Problem};
use crate::subject::kinds::{Kind, Parameter};
use crate::support::numbers::NOT_IN_JSON;

/// The form of a JSON value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Class {
    Number,
    Boolean,
    Text,
    /// A string such as `NaN`: a number among numbers, a string among strings.
    NamedNumber,
    Numbers,
}

impl Class {
    const ALL: [Class; 5] =
        [Class::Number, Class::Boolean, Class::Text, Class::NamedNumber, Class::Numbers];

    fn name(self) -> &'static str {
        match self {
            Class::Number => "a number",
            Class::Boolean => "a boolean",
            Class::Text | Class::NamedNumber => "a text",
            Class::Numbers => "a list",
        }
    }

    /// Whether one variable may have values of both classes.
    fn goes_with(self, other: Class) -> bool {
        let named = |a, b| a == Class::NamedNumber && matches!(b, Class::Number | Class::Text);
        self == other || named(self, other) || named(other, self)
    }
}

/// A JSON value as a value of a variable.
pub(super) struct ParsedValue {
    pub(super) value: Value<'static>,
    pub(super) class: Class,
    /// An integer in it that an f64 cannot represent.
    pub(super) inexact: Option<String>,
}

/// Reads the value of a variable.
pub(super) fn read_value(name: &str, json: serde_json::Value) -> Result<ParsedValue, Problem> {
    let wrong = |found, advice| Problem::Value { name: name.to_owned(), found, advice };
    let mut inexact = None;
    let (value, class) = match json {
        serde_json::Value::Number(n) => (Value::Num(number(&n, &mut inexact)), Class::Number),
        serde_json::Value::Bool(b) => (Value::Bool(b), Class::Boolean),
        serde_json::Value::String(text) => {
            let named = NOT_IN_JSON.iter().any(|(name, _)| *name == text);
            let codes: Vec<f64> = text.chars().map(|c| f64::from(u32::from(c))).collect();
            (Value::Seq(codes.into()), if named { Class::NamedNumber } else { Class::Text })
        }
        serde_json::Value::Array(elements) => {
            let mixed = elements.iter().any(serde_json::Value::is_boolean)
                && !elements.iter().all(serde_json::Value::is_boolean);
            if mixed {
                return Err(wrong("a list of numbers and booleans", ""));
            }
            let element = |json: serde_json::Value| match json {
                serde_json::Value::Number(n) => Ok(number(&n, &mut inexact)),
                serde_json::Value::Bool(b) => Ok(f64::from(u8::from(b))),
                serde_json::Value::String(text) => NOT_IN_JSON
                    .iter()
                    .find(|(name, _)| *name == text)
                    .map(|(_, number)| *number)
                    .ok_or_else(|| wrong("a list with a text", "; record each text by itself")),
                serde_json::Value::Null => Err(wrong("a list with a null", "")),
                serde_json::Value::Array(_) => Err(wrong("a list of lists", "")),
                serde_json::Value::Object(_) => Err(wrong("a list of objects", "")),
            };
            let numbers = elements.into_iter().map(element).collect::<Result<Vec<f64>, _>>()?;
            (Value::Seq(numbers.into()), Class::Numbers)
        }
        serde_json::Value::Null => {
            let advice = "; record an execution that gave nothing without outputs";
            return Err(wrong("null", advice));
        }
        serde_json::Value::Object(_) => {
            return Err(wrong("an object", "; record its members as variables of their own"));
        }
    };
    Ok(ParsedValue { value, class, inexact })
}

/// A number as f64; stores an integer in `inexact` if an f64 cannot represent it.
fn number(n: &serde_json::Number, inexact: &mut Option<String>) -> f64 {
    let magnitude = n.as_u64().or_else(|| n.as_i64().map(i64::unsigned_abs));
    if magnitude.is_some_and(|magnitude| magnitude > 1 << 53) && inexact.is_none() {
        *inexact = Some(n.to_string());
    }
    n.as_f64().expect("without arbitrary precision every number is an f64")
}

/// The inputs or the outputs of a function, with the classes of their values.
#[derive(Debug)]
pub(super) struct Kinds {
    side: &'static str,
    names: Vec<String>,
    /// For each variable and class, the place of the first such value.
    seen: Vec<[Option<Place>; Class::ALL.len()]>,
    first: Place,
}

impl Kinds {
    pub(super) fn new(
        side: &'static str,
        names: impl Iterator<Item = String>,
        first: &Place,
    ) -> Kinds {
        let names: Vec<String> = names.collect();
        let seen = vec![[const { None }; Class::ALL.len()]; names.len()];
        Kinds { side, names, seen, first: first.clone() }
    }

    pub(super) fn len(&self) -> usize {
        self.names.len()
    }

    pub(super) fn index(&self, name: &str) -> Result<usize, Problem> {
        let extra =
            || Problem::Extra { side: self.side, name: name.to_owned(), first: self.first.clone() };
        self.names.iter().position(|other| other == name).ok_or_else(extra)
    }

    pub(super) fn missing(&self, index: usize) -> Problem {
        let name = self.names[index].clone();
        Problem::Missing { side: self.side, name, first: self.first.clone() }
    }

    /// Whether a variable has a value of this class.
    pub(super) fn has(&self, index: usize, class: Class) -> bool {
        self.seen[index][class as usize].is_some()
    }

    /// Records a value's class; fails if it does not go with the variable's other values.
    pub(super) fn note(
        &mut self,
        index: usize,
        class: Class,
        place: &Place,
    ) -> Result<(), Problem> {
        if self.has(index, class) {
            return Ok(());
        }
        for other in Class::ALL.into_iter().filter(|other| !other.goes_with(class)) {
            if let Some(first) = &self.seen[index][other as usize] {
                return Err(Problem::Mixed {
                    name: self.names[index].clone(),
                    found: class.name(),
                    expected: other.name(),
                    first: first.clone(),
                });
            }
        }
        self.seen[index][class as usize] = Some(place.clone());
        Ok(())
    }

    /// The variables with their kinds.
    pub(super) fn parameters(&self) -> Vec<Parameter> {
        let kind = |index: usize| {
            if self.has(index, Class::Text) {
                Kind::Text
            } else if self.has(index, Class::Boolean) {
                Kind::Boolean
            } else if self.has(index, Class::Numbers) {
                Kind::Numbers
            } else {
                Kind::Number
            }
        };
        let names = self.names.iter().cloned().enumerate();
        names.map(|(index, name)| Parameter { name, kind: kind(index) }).collect()
    }
}
