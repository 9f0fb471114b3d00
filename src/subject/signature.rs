//! What a function takes and gives, in the types of WIT.

use std::fmt;

use genmorph_jit::Value;

use super::condition::Condition;
use super::kinds::{self, Kind, Observed};
use super::together::Second;
use crate::support::named::named;

named! {
    /// A type of single values.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    #[expect(missing_docs, reason = "the names are those of WIT")]
    pub enum Scalar {
        Bool = "bool",
        S8 = "s8",
        U8 = "u8",
        S16 = "s16",
        U16 = "u16",
        S32 = "s32",
        U32 = "u32",
        S64 = "s64",
        U64 = "u64",
        F32 = "f32",
        F64 = "f64",
        Char = "char",
    }
}

/// The type of a parameter or result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Type {
    /// A number, a character or a truth value.
    Scalar(Scalar),
    /// A text of Unicode characters.
    String,
    /// A list of single values.
    List(Scalar),
}

/// Single values of one sort, whatever their width.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ScalarClass {
    /// The truth values, false and true.
    Bool,
    /// Unicode characters, without surrogates.
    Char,
    /// Floats of 32 or 64 bits.
    Float,
    /// Integers of 8 to 64 bits, signed or not.
    Integer,
}

/// What a function takes and gives.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Signature {
    /// The name of the function, for people.
    pub function: String,
    /// The parameters, in order.
    pub parameters: Vec<Parameter>,
    /// The type of what it returns, if it returns something.
    pub result: Option<Type>,
    /// The parameters that it changes in place, by index: lists, whose elements after the call are outputs.
    pub changed: Vec<usize>,
    /// Whether the result is what calls return, or whether they throw.
    pub observed: Observed,
    /// What all inputs satisfy besides the domains of the parameters.
    pub condition: Option<Condition>,
    /// The results of several calls, if it is calls that are made together; then there is no other result.
    pub results: Vec<CallResult>,
    /// The second function, if there is one.
    pub second: Option<Box<Second<Signature>>>,
}

/// The result of one of several calls.
#[derive(Clone, Debug, PartialEq)]
pub struct CallResult {
    /// Its name, as relations have it.
    pub name: String,
    /// The type of its values.
    pub ty: Type,
    /// The call, as people write it: `decode(encode(s))`.
    pub call: String,
}

/// A parameter of a function.
#[derive(Clone, Debug, PartialEq)]
pub struct Parameter {
    /// The name, as relations have it.
    pub name: String,
    /// The type of its values.
    pub ty: Type,
    /// Which values it may have, within its type.
    pub domain: Domain,
}

/// Bounds on the values of a parameter. Nothing outside is ever generated; a follow-up input that a
/// transformation makes may leave it only if the type can represent it and nothing here forbids it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Domain {
    /// The least and the greatest number, or element of a list.
    pub range: Option<(f64, f64)>,
    /// Numbers outside of the range that are allowed too, such as NaN.
    pub also: Vec<f64>,
    /// The most elements of a text or list.
    pub max_len: Option<usize>,
    /// The fewest elements of a text or list.
    pub min_len: Option<usize>,
    /// The characters of a text, or what a character may be; in order, each once.
    pub alphabet: Option<Vec<char>>,
}

impl Domain {
    /// Whether a number is one of those that are allowed besides the range.
    pub fn names(&self, number: f64) -> bool {
        self.also.iter().any(|&named| named == number || named.is_nan() && number.is_nan())
    }
}

impl Scalar {
    /// The least and the greatest value that relations can speak of, for integers, booleans and characters. They compute with
    /// f64s: a 64-bit integer is below 2^53 in magnitude, so that whatever is rounded is out of these bounds.
    pub fn integers(self) -> Option<(f64, f64)> {
        /// The greatest integer such that no other becomes the same f64.
        const EXACT: f64 = 9_007_199_254_740_991.0;
        match self {
            Scalar::Bool => Some((0.0, 1.0)),
            Scalar::S8 => Some((-128.0, 127.0)),
            Scalar::U8 => Some((0.0, 255.0)),
            Scalar::S16 => Some((-32_768.0, 32_767.0)),
            Scalar::U16 => Some((0.0, 65_535.0)),
            Scalar::S32 => Some((f64::from(i32::MIN), f64::from(i32::MAX))),
            Scalar::U32 => Some((0.0, f64::from(u32::MAX))),
            Scalar::S64 => Some((-EXACT, EXACT)),
            Scalar::U64 => Some((0.0, EXACT)),
            Scalar::Char => Some((0.0, 1_114_111.0)),
            Scalar::F32 | Scalar::F64 => None,
        }
    }

    /// Whether it has integers of 64 bits, of which relations can speak up to 2^53 only.
    pub fn is_wide(self) -> bool {
        matches!(self, Scalar::S64 | Scalar::U64)
    }

    /// Whether it holds truth values, characters, floats or integers.
    pub fn class(self) -> ScalarClass {
        match self {
            Scalar::Bool => ScalarClass::Bool,
            Scalar::Char => ScalarClass::Char,
            Scalar::F32 | Scalar::F64 => ScalarClass::Float,
            Scalar::S8
            | Scalar::U8
            | Scalar::S16
            | Scalar::U16
            | Scalar::S32
            | Scalar::U32
            | Scalar::S64
            | Scalar::U64 => ScalarClass::Integer,
        }
    }

    /// Whether a number is a value of this type, exactly.
    pub fn admits(self, number: f64) -> bool {
        match (self, self.integers()) {
            (Scalar::F64, _) => true,
            (Scalar::F32, _) => number.is_nan() || f64::from(number as f32) == number,
            (_, None) => unreachable!("all others are integers"),
            (Scalar::Char, Some((least, greatest))) => {
                number.fract() == 0.0
                    && (least..=greatest).contains(&number)
                    && char::from_u32(number as u32).is_some()
            }
            (_, Some((least, greatest))) => {
                number.fract() == 0.0 && (least..=greatest).contains(&number)
            }
        }
    }
}

impl Type {
    /// What its values are in the relation language.
    pub fn kind(self) -> Kind {
        match self {
            Type::Scalar(Scalar::Bool) => Kind::Boolean,
            Type::Scalar(_) => Kind::Number,
            Type::String | Type::List(Scalar::Char) => Kind::Text,
            Type::List(_) => Kind::Numbers,
        }
    }

    /// The type of its elements, or its own.
    pub fn scalar(self) -> Scalar {
        match self {
            Type::Scalar(scalar) | Type::List(scalar) => scalar,
            Type::String => Scalar::Char,
        }
    }
}

impl Parameter {
    /// Whether a value is of the type and within the domain.
    pub fn admits(&self, value: &Value<'_>) -> bool {
        let scalar = self.ty.scalar();
        let in_range = |number: f64| {
            self.domain.range.is_none_or(|(least, most)| (least..=most).contains(&number))
                || self.domain.names(number)
        };
        let spelled = |code: f64| match &self.domain.alphabet {
            Some(alphabet) => alphabet.iter().any(|&c| f64::from(u32::from(c)) == code),
            None => true,
        };
        match (self.ty, value) {
            (Type::Scalar(Scalar::Bool), value) => matches!(value, Value::Bool(_)),
            (Type::Scalar(_), Value::Num(number)) => {
                // A number that is no character has no alphabet.
                let spelled = scalar != Scalar::Char || spelled(*number);
                scalar.admits(*number) && in_range(*number) && spelled
            }
            (Type::String | Type::List(_), Value::Seq(elements)) => {
                let Domain { max_len, min_len, .. } = &self.domain;
                max_len.is_none_or(|most| elements.len() <= most)
                    && min_len.is_none_or(|least| elements.len() >= least)
                    && elements.iter().all(|&e| scalar.admits(e) && in_range(e) && spelled(e))
            }
            _ => false,
        }
    }
}

impl Signature {
    /// What every pair of inputs that is tried satisfies besides the input relation: 64-bit integers are below 2^53 in magnitude,
    /// in inputs and outputs, because relations compute with 64-bit floats, `|n|, |a[i]|, |out| < 2^53`, unless the domain is
    /// narrower; and the condition on inputs. Empty if there is nothing to say.
    pub fn premise(&self) -> String {
        let is_cut = |parameter: &&Parameter| {
            let scalar = parameter.ty.scalar();
            let within = |(least, most): (f64, f64)| scalar.admits(least) && scalar.admits(most);
            scalar.is_wide() && !parameter.domain.range.is_some_and(within)
        };
        let cut = self.parameters.iter().filter(is_cut).map(|p| (p.name.clone(), p.ty));
        let outputs = self.outputs().into_iter().filter(|(_, ty)| ty.scalar().is_wide());
        let names = cut.chain(outputs).map(|(name, ty)| match ty {
            Type::Scalar(_) | Type::String => format!("|{name}|"),
            Type::List(_) => format!("|{name}[i]|"),
        });
        let wide = match names.collect::<Vec<_>>().join(", ") {
            names if names.is_empty() => None,
            names => Some(format!("{names} < 2^53")),
        };
        let condition = self.condition.as_ref().map(|condition| condition.text().to_owned());
        condition.into_iter().chain(wide).collect::<Vec<_>>().join(" and ")
    }

    /// The names and types of the outputs: `out` or `throws`, and `x_after` of what is changed in place; or those of several calls.
    pub fn outputs(&self) -> Vec<(String, Type)> {
        let result = self.result.map(|ty| (self.observed.output().to_owned(), ty));
        let changed = self.changed.iter().map(|&i| &self.parameters[i]);
        let changed = changed.map(|p| (format!("{}_after", p.name), p.ty));
        let results = self.results.iter().map(|result| (result.name.clone(), result.ty));
        result.into_iter().chain(changed).chain(results).collect()
    }

    /// The signature as executions have it.
    pub fn of_executions(&self) -> kinds::Interface {
        let parameter =
            |name: &str, ty: Type| kinds::Parameter { name: name.to_owned(), kind: ty.kind() };
        kinds::Interface {
            function: self.function.clone(),
            inputs: self.parameters.iter().map(|p| parameter(&p.name, p.ty)).collect(),
            outputs: self.outputs().iter().map(|(name, ty)| parameter(name, *ty)).collect(),
            calls: self.results.iter().map(|result| result.call.clone()).collect(),
            second: self.second.as_deref().map(|second| {
                let Second { role, name, function } = second;
                let function = function.of_executions();
                Box::new(Second { role: *role, name: name.clone(), function })
            }),
        }
    }
}

impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Type::Scalar(scalar) => f.write_str(scalar.name()),
            Type::String => f.write_str("string"),
            Type::List(scalar) => write!(f, "list<{}>", scalar.name()),
        }
    }
}

/// As WIT has it: `func(k: s32, e: s64) -> s32`.
impl fmt::Display for Signature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("func(")?;
        for (i, parameter) in self.parameters.iter().enumerate() {
            let comma = if i == 0 { "" } else { ", " };
            write!(f, "{comma}{}: {}", parameter.name, parameter.ty)?;
        }
        f.write_str(")")?;
        self.result.map_or(Ok(()), |ty| write!(f, " -> {ty}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_premise_names_all_integers_of_64_bits_that_are_tried_in_part_only() {
        let premise = |text| Signature::parse("f", text).unwrap().premise();
        assert_eq!(premise("func(a: s32, x: f64, s: string) -> u32"), "");
        assert_eq!(premise("func(n: s64, s: string) -> s64"), "|n|, |out| < 2^53");
        assert_eq!(premise("func(a: list<u64>) -> bool"), "|a[i]| < 2^53");
        let mut narrow = Signature::parse("f", "func(n: u64) -> bool").unwrap();
        narrow.parameters[0].domain.range = Some((0.0, 1000.0));
        assert_eq!(narrow.premise(), "");
        narrow.parameters[0].domain.range = Some((0.0, 1e18));
        assert_eq!(narrow.premise(), "|n| < 2^53");
    }

    #[test]
    fn integers_that_become_the_same_float_as_another_are_not_admitted() {
        assert!(Scalar::S64.admits(9_007_199_254_740_991.0));
        assert!(!Scalar::S64.admits(9_007_199_254_740_992.0));
        assert!(!Scalar::U64.admits(9_007_199_254_740_992.0));
    }
}
