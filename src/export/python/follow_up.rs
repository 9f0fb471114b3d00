//! A transformation in Python: how follow-up inputs are computed from source inputs.
//!
//! A source has a follow-up here where it has one in `transform/follow_ups.rs`: within the types and domains, and other
//! than itself.

use super::helper::{Helper, Helpers};
use super::literal::{element, float, text};
use crate::export::bounds::{Bounds, are_alike};
use crate::subject::{Parameter, Scalar, Type};
use crate::transform::{Instance, Template};

/// A parameter as a test module has it.
#[derive(Clone, Debug)]
pub(super) struct Field<'f> {
    pub(super) name: String,
    pub(super) parameter: &'f Parameter,
}

impl Field<'_> {
    fn ty(&self) -> Type {
        self.parameter.ty
    }
}

/// The statements of a function from `source` to its follow-up, if it has one.
pub(super) fn statements(
    instance: &Instance,
    fields: &[Field<'_>],
    helpers: &mut Helpers,
) -> Vec<String> {
    let is_changed = |field: &&Field<'_>| instance.parameters.contains(&field.parameter.name);
    let changed: Vec<&Field<'_>> = fields.iter().filter(is_changed).collect();
    let mut lines = Vec::new();
    match changed[..] {
        [a, b] => {
            for (to, from) in [(a, b), (b, a)] {
                lines.extend(exchanged(to, from, helpers));
            }
            lines.extend(unless(&unchanged(a, helpers)));
            if !are_alike(a.parameter, b.parameter) {
                let tests = [a, b].into_iter().filter_map(within);
                lines.extend(tests.flat_map(|test| unless(&format!("not ({test})"))));
            }
        }
        _ => {
            let field = changed[0];
            lines.extend(computed(instance.template, field, helpers));
            let test = match instance.template {
                Template::NumericAddition(_) | Template::NumericMultiplication(_) => within(field),
                Template::SequenceRemove(_) => {
                    let bounds = Bounds { longest: None, ..Bounds::of(field.parameter) };
                    length(&format!("{}_f", field.name), &bounds)
                }
                Template::PermuteParameters | Template::BooleanFlip | Template::SequenceFlip => {
                    None
                }
            };
            lines.extend(test.into_iter().flat_map(|test| unless(&format!("not ({test})"))));
        }
    }
    let values = changed.iter().map(|field| format!("{}={0}_f", field.name));
    lines.push(format!("return replace(source, {})", values.collect::<Vec<_>>().join(", ")));
    lines
}

fn unless(test: &str) -> [String; 2] {
    [format!("if {test}:"), "    return None".to_owned()]
}

/// A single value as a number.
pub(super) fn number(value: &str, scalar: Scalar, helpers: &mut Helpers) -> String {
    match scalar {
        Scalar::Char => format!("float(ord({value}))"),
        Scalar::Bool
        | Scalar::S8
        | Scalar::U8
        | Scalar::S16
        | Scalar::U16
        | Scalar::S32
        | Scalar::U32
        | Scalar::S64
        | Scalar::U64
        | Scalar::F32
        | Scalar::F64 => {
            helpers.need(Helper::Num);
            format!("num({value})")
        }
    }
}

/// A number as a single value of a type; `None` if it is none of it, where that may be.
fn of_number(number: &str, scalar: Scalar, helpers: &mut Helpers) -> String {
    let helper = match scalar {
        Scalar::F64 => return number.to_owned(),
        Scalar::F32 => Helper::Single,
        Scalar::Char => Helper::Character,
        Scalar::Bool
        | Scalar::S8
        | Scalar::U8
        | Scalar::S16
        | Scalar::U16
        | Scalar::S32
        | Scalar::U32
        | Scalar::S64
        | Scalar::U64 => Helper::Whole,
    };
    helpers.need(helper);
    format!("{}({number})", helper.name())
}

/// The value of a parameter in the place of another, of whatever type.
fn exchanged(to: &Field<'_>, from: &Field<'_>, helpers: &mut Helpers) -> Vec<String> {
    let (name, source) = (&to.name, format!("source.{}", from.name));
    let (to_one, from_one) = (to.ty().scalar(), from.ty().scalar());
    let (value, none) = match (from.ty(), to.ty()) {
        (from, to) if from == to => (source, None),
        (Type::Scalar(_), _) | (_, Type::Scalar(_)) => {
            let value = of_number(&number(&source, from_one, helpers), to_one, helpers);
            (value, Some(format!("{name}_f is None")))
        }
        (Type::String, _) => (format!("list({source})"), None),
        (Type::List(_), Type::String) => (format!("\"\".join({source})"), None),
        (Type::List(_), Type::List(_)) => {
            let one = of_number(&number("x", from_one, helpers), to_one, helpers);
            // Numbers that are truth values are 0 and 1, and these are equal to them.
            (format!("[{one} for x in {source}]"), Some(format!("None in {name}_f")))
        }
    };
    let mut lines = vec![format!("{name}_f = {value}")];
    lines.extend(none.into_iter().flat_map(|test| unless(&test)));
    lines
}

/// Whether the value of a parameter has stayed what it was.
fn unchanged(field: &Field<'_>, helpers: &mut Helpers) -> String {
    let name = &field.name;
    if !matches!(field.ty().scalar(), Scalar::F32 | Scalar::F64) {
        return format!("{name}_f == source.{name}");
    }
    helpers.need(Helper::Same);
    match field.ty() {
        Type::Scalar(_) => format!("same({name}_f, source.{name})"),
        Type::String | Type::List(_) => format!(
            "len({name}_f) == len(source.{name}) and all(same(a, b) for a, b in zip({name}_f, source.{name}))"
        ),
    }
}

/// The statements that make the follow-up of one parameter.
fn computed(template: Template, field: &Field<'_>, helpers: &mut Helpers) -> Vec<String> {
    let name = &field.name;
    match template {
        Template::BooleanFlip => vec![format!("{name}_f = not source.{name}")],
        Template::NumericAddition(c) if c < 0.0 => arithmetic(field, "-", -c, helpers),
        Template::NumericAddition(c) => arithmetic(field, "+", c, helpers),
        Template::NumericMultiplication(c) => arithmetic(field, "*", c, helpers),
        Template::SequenceRemove(index) => {
            helpers.need(Helper::Place);
            let mut lines = vec![format!("at = place(len(source.{name}), {index})")];
            lines.extend(unless("at is None"));
            lines.push(format!("{name}_f = source.{name}[:at] + source.{name}[at + 1 :]"));
            lines
        }
        Template::SequenceFlip => {
            let mut lines = vec![format!("{name}_f = source.{name}[::-1]")];
            lines.extend(unless(&unchanged(field, helpers)));
            lines
        }
        Template::PermuteParameters => unreachable!("it has two parameters"),
    }
}

/// The evaluator computes with floats. On integers whose result is one that is Python's own arithmetic.
fn arithmetic(
    field: &Field<'_>,
    symbol: &str,
    constant: f64,
    helpers: &mut Helpers,
) -> Vec<String> {
    let (name, scalar) = (&field.name, field.ty().scalar());
    let own = match scalar {
        Scalar::S8 | Scalar::U8 | Scalar::S16 | Scalar::U16 | Scalar::S32 | Scalar::U32 => {
            Scalar::S32.admits(constant)
        }
        // Sums beyond 2^53 are rounded.
        Scalar::S64 | Scalar::U64 => false,
        Scalar::Bool | Scalar::F32 | Scalar::F64 | Scalar::Char => false,
    };
    if own {
        let mut lines = vec![format!("{name}_f = source.{name} {symbol} {constant}")];
        lines.extend(unless(&unchanged(field, helpers)));
        return lines;
    }
    helpers.need(Helper::Changed);
    let from = number(&format!("source.{name}"), scalar, helpers);
    let to = format!("changed({name}_s, {name}_s {symbol} {})", float(constant));
    let mut lines = vec![
        format!("{name}_s = {from}"),
        format!("{name}_f = {}", of_number(&to, scalar, helpers)),
    ];
    lines.extend(unless(&format!("{name}_f is None")));
    lines
}

/// Whether a value is within the type and the domain; nothing if all are that Python has.
fn within(field: &Field<'_>) -> Option<String> {
    let (name, bounds) = (format!("{}_f", field.name), Bounds::of(field.parameter));
    let one = |value: &str| {
        let literal = |number: f64| match bounds.scalar {
            Scalar::Bool => format!("{number}"),
            scalar => element(number, scalar),
        };
        let alphabet = bounds.alphabet.as_ref().map(|characters| {
            let all = text(characters.iter().map(|&c| f64::from(u32::from(c))));
            format!("{value} in {all}")
        });
        // Every character is one, and Python's floats are ours; its integers have no bounds.
        let is_bounded =
            bounds.is_narrow || !matches!(bounds.scalar, Scalar::Char | Scalar::F32 | Scalar::F64);
        let range = bounds.range.filter(|_| is_bounded).map(|(least, most)| {
            let mut test = format!("{} <= {value} <= {}", literal(least), literal(most));
            for &number in &bounds.also {
                test += &match number.is_nan() {
                    true => format!(" or math.isnan({value})"),
                    false => format!(" or {value} == {}", literal(number)),
                };
            }
            test
        });
        alphabet.or(range)
    };
    let elements = || one("x").map(|test| format!("all({test} for x in {name})"));
    match field.ty() {
        Type::Scalar(_) => one(&name),
        Type::String | Type::List(_) => {
            let tests = length(&name, &bounds).into_iter().chain(elements());
            let tests: Vec<String> = tests.collect();
            (!tests.is_empty()).then(|| tests.join(" and "))
        }
    }
}

fn length(name: &str, bounds: &Bounds) -> Option<String> {
    match (bounds.shortest, bounds.longest) {
        (0, None) => None,
        (least, None) => Some(format!("len({name}) >= {least}")),
        (least, Some(most)) => Some(format!("{least} <= len({name}) <= {most}")),
    }
}
