//! A transformation in Rust: how follow-up inputs are computed from source inputs.
//!
//! A source has a follow-up here where it has one in `transform/follow_ups.rs`: within the types and domains, and other
//! than itself.

use super::helper::{Helper, Helpers};
use super::literal::{double, element};
use super::types::RustType;
use crate::export::bounds::{Bounds, are_alike};
use crate::subject::{Parameter, Scalar, Type};
use crate::transform::{Instance, Template};

/// A parameter as a test file has it.
#[derive(Clone, Debug)]
pub(super) struct Field<'f> {
    pub(super) name: String,
    pub(super) ty: RustType,
    pub(super) parameter: &'f Parameter,
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
                lines.push(exchanged(to, from, helpers));
            }
            lines.push(unless(&unchanged(a, helpers)));
            if !are_alike(a.parameter, b.parameter) {
                lines.extend([a, b].into_iter().filter_map(within).map(|test| unless_not(&test)));
            }
        }
        _ => {
            let field = changed[0];
            lines.extend(computed(instance.template, field, helpers));
            let test = match instance.template {
                Template::NumericAddition(_) | Template::NumericMultiplication(_) => within(field),
                Template::SequenceRemove(_) => long_enough(field),
                Template::PermuteParameters | Template::BooleanFlip | Template::SequenceFlip => {
                    None
                }
            };
            lines.extend(test.map(|test| unless_not(&test)));
        }
    }
    let values = changed.iter().map(|field| format!("{}: {0}_f", field.name));
    let rest = if changed.len() < fields.len() { ", ..source.clone()" } else { "" };
    lines.push(format!("Some(Inputs {{ {}{rest} }})", values.collect::<Vec<_>>().join(", ")));
    lines
}

fn unless(test: &str) -> String {
    format!("if {test} {{ return None; }}")
}

/// A test that is no single call needs parentheses.
fn unless_not(test: &str) -> String {
    match [" && ", " || ", "= "].iter().any(|operator| test.contains(operator)) {
        true => unless(&format!("!({test})")),
        false => unless(&format!("!{test}")),
    }
}

/// The value of a parameter in the place of another, of whatever type.
fn exchanged(to: &Field<'_>, from: &Field<'_>, helpers: &mut Helpers) -> String {
    let (name, source) = (&to.name, format!("source.{}", from.name));
    let value = match (from.ty.ty, to.ty.ty) {
        _ if from.ty == to.ty && matches!(to.ty.ty, Type::Scalar(_)) => source,
        _ if from.ty == to.ty => format!("{source}.clone()"),
        (Type::Scalar(_), _) | (_, Type::Scalar(_)) => {
            of_number(&from.ty.number(&source), to.ty, helpers)
        }
        (Type::String, _) => format!("{source}.chars().collect()"),
        (Type::List(_), Type::String) => format!("{source}.iter().collect()"),
        (Type::List(_), Type::List(_)) => {
            let one = of_number(&from.ty.number("x"), to.ty, helpers);
            let collected = format!("collect::<Option<Vec<{}>>>()?", to.ty.element());
            format!("{source}.iter().map(|&x| Some({one})).{collected}")
        }
    };
    format!("let {name}_f: {} = {value};", to.ty.owned())
}

/// A number as a single value of a type; the function returns if it is none.
fn of_number(number: &str, ty: RustType, helpers: &mut Helpers) -> String {
    let scalar = ty.ty.scalar();
    match (scalar, scalar.integers()) {
        (Scalar::F64, _) => number.to_owned(),
        (Scalar::F32, _) => {
            helpers.need(Helper::Single);
            format!("single({number})?")
        }
        (Scalar::Char, _) => {
            helpers.need(Helper::Character);
            format!("character({number})?")
        }
        (_, None) => unreachable!("all others are integers"),
        (scalar, Some((least, most))) => {
            helpers.need(Helper::Whole);
            let (least, most) = (double(least), double(most));
            match scalar {
                Scalar::Bool => format!("whole({number}, {least}, {most})? != 0.0"),
                _ => format!("whole({number}, {least}, {most})? as {}", ty.element()),
            }
        }
    }
}

/// Whether the value of a parameter has stayed what it was.
fn unchanged(field: &Field<'_>, helpers: &mut Helpers) -> String {
    let name = &field.name;
    let is_float = matches!(field.ty.ty.scalar(), Scalar::F32 | Scalar::F64);
    if !is_float {
        return format!("{name}_f == source.{name}");
    }
    helpers.need(Helper::Same);
    let number = |value: &str| field.ty.number(value);
    match field.ty.ty {
        Type::Scalar(_) => {
            format!("same({}, {})", number(&format!("{name}_f")), number(&format!("source.{name}")))
        }
        Type::String | Type::List(_) => format!(
            "{name}_f.len() == source.{name}.len() && \
             {name}_f.iter().zip(&source.{name}).all(|(&a, &b)| same({}, {}))",
            number("a"),
            number("b")
        ),
    }
}

/// The statements that make the follow-up of one parameter.
fn computed(template: Template, field: &Field<'_>, helpers: &mut Helpers) -> Vec<String> {
    let (name, ty) = (&field.name, field.ty);
    match template {
        Template::BooleanFlip => vec![format!("let {name}_f = !source.{name};")],
        Template::NumericAddition(c) if c < 0.0 => number(field, "-", -c, helpers),
        Template::NumericAddition(c) => number(field, "+", c, helpers),
        Template::NumericMultiplication(c) => number(field, "*", c, helpers),
        Template::SequenceRemove(index) => {
            helpers.need(Helper::Place);
            let removal = format!("{name}_f.remove(place({name}_f.len(), {index})?);");
            match ty.ty {
                Type::String => vec![
                    format!("let mut {name}_f: Vec<char> = source.{name}.chars().collect();"),
                    removal,
                    format!("let {name}_f: String = {name}_f.into_iter().collect();"),
                ],
                Type::Scalar(_) | Type::List(_) => {
                    vec![format!("let mut {name}_f = source.{name}.clone();"), removal]
                }
            }
        }
        Template::SequenceFlip => {
            let elements = match ty.ty {
                Type::String => "chars().rev()",
                Type::Scalar(_) | Type::List(_) => "iter().rev().copied()",
            };
            vec![
                format!("let {name}_f: {} = source.{name}.{elements}.collect();", ty.owned()),
                unless(&unchanged(field, helpers)),
            ]
        }
        Template::PermuteParameters => unreachable!("it has two parameters"),
    }
}

/// The evaluator computes with f64. On integers whose result is one that is the type's own arithmetic.
fn number(field: &Field<'_>, symbol: &str, constant: f64, helpers: &mut Helpers) -> Vec<String> {
    let (name, ty) = (&field.name, field.ty);
    let own = match ty.ty.scalar() {
        Scalar::S8 | Scalar::U8 | Scalar::S16 | Scalar::U16 | Scalar::S32 | Scalar::U32 => {
            !ty.is_size && ty.ty.scalar().admits(constant)
        }
        // Sums beyond 2^53 are rounded.
        Scalar::S64 | Scalar::U64 => false,
        Scalar::Bool | Scalar::F32 | Scalar::F64 | Scalar::Char => false,
    };
    if own {
        let operation = match symbol {
            "+" => "checked_add",
            "-" => "checked_sub",
            _ => "checked_mul",
        };
        let constant = element(constant, ty.ty.scalar());
        return vec![
            format!("let {name}_f = source.{name}.{operation}({constant})?;"),
            unless(&unchanged(field, helpers)),
        ];
    }
    helpers.need(Helper::Changed);
    let from = ty.number(&format!("source.{name}"));
    let to = format!("changed({name}_s, {name}_s {symbol} {})?", double(constant));
    vec![
        format!("let {name}_s = {from};"),
        format!("let {name}_f = {};", of_number(&to, ty, helpers)),
    ]
}

/// Whether a value is within the domain; nothing if all are that the type has.
fn within(field: &Field<'_>) -> Option<String> {
    let (name, bounds) = (format!("{}_f", field.name), Bounds::of(field.parameter));
    let one = |value: &str| {
        let literal = |number: f64| element(number, bounds.scalar);
        let alphabet = bounds.alphabet.as_ref().map(|characters| {
            format!("{:?}.contains({value})", characters.iter().collect::<String>())
        });
        let range = bounds.range.filter(|_| bounds.is_narrow).map(|(least, most)| {
            let mut text = format!("({}..={}).contains(&{value})", literal(least), literal(most));
            for &number in &bounds.also {
                text += &match number.is_nan() {
                    true => format!(" || {value}.is_nan()"),
                    false => format!(" || {value} == {}", literal(number)),
                };
            }
            text
        });
        alphabet.or(range)
    };
    match field.ty.ty {
        Type::Scalar(_) => one(&name),
        Type::String => {
            let characters = one("c").map(|test| format!("{name}.chars().all(|c| {test})"));
            all([length(&format!("{name}.chars().count()"), &bounds), characters])
        }
        Type::List(_) => {
            let elements = one("x").map(|test| format!("{name}.iter().all(|&x| {test})"));
            all([length(&format!("{name}.len()"), &bounds), elements])
        }
    }
}

fn all(tests: [Option<String>; 2]) -> Option<String> {
    let tests: Vec<String> = tests.into_iter().flatten().collect();
    (!tests.is_empty()).then(|| tests.join(" && "))
}

fn length(count: &str, bounds: &Bounds) -> Option<String> {
    match (bounds.shortest, bounds.longest) {
        (0, None) => None,
        (least, None) => Some(format!("{count} >= {least}")),
        (0, Some(most)) => Some(format!("{count} <= {most}")),
        (least, Some(most)) => Some(format!("({least}..={most}).contains(&{count})")),
    }
}

/// Whether a sequence that became shorter is within the domain.
fn long_enough(field: &Field<'_>) -> Option<String> {
    let bounds = Bounds { longest: None, ..Bounds::of(field.parameter) };
    let count = match field.ty.ty {
        Type::String => "chars().count()",
        Type::Scalar(_) | Type::List(_) => "len()",
    };
    length(&format!("{}_f.{count}", field.name), &bounds)
}
