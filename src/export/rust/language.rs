//! Rust as data: its spellings, literals, types and statements.

use crate::export::expression::{Spelling, Syntax};
use crate::export::follow_up::{Checks, Conversions, FollowUps, Operation};
use crate::export::helpers::HelperFile;
use crate::export::language::Language;
use crate::export::literal::{Floats, Literals, character};
use crate::export::types::NamedType;
use crate::subject::rust::rust_name;
use crate::subject::{Scalar, Type};
use crate::transform::Template;

/// How Rust writes tests.
pub static RUST: Language = Language {
    name: "Rust",
    syntax: Syntax {
        abs: "f64::abs",
        and: ("&&", 2),
        or: ("||", 1),
        xor: Spelling::Infix("^", 4),
        iff: Spelling::Between("==", 3),
        not: ("!", 7),
        sign: 7,
        widening: "",
        reference: "&",
    },
    literals: Literals {
        truths: ["false", "true"],
        double: Floats {
            nan: "f64::NAN",
            infinity: "f64::INFINITY",
            negative_infinity: "f64::NEG_INFINITY",
            is_single: false,
            suffix: "",
        },
        single: Floats {
            nan: "f32::NAN",
            infinity: "f32::INFINITY",
            negative_infinity: "f32::NEG_INFINITY",
            is_single: true,
            suffix: "",
        },
        integer: |number, _, _| format!("{}", number as i64),
        character: |code| format!("{:?}", character(code)),
        text: |codes| {
            format!("{:?}", codes.iter().map(|&code| character(code)).collect::<String>())
        },
        list: |_, elements| format!("&[{elements}]"),
        are_alone: |_| true,
    },
    follow_ups: FollowUps {
        source: "source.{x}",
        copy: None,
        opposite: "let {x}_f = !source.{x};",
        reversed: |ty| match ty {
            Type::String => "let {x}_f: {ty} = source.{x}.chars().rev().collect();",
            Type::Scalar(_) | Type::List(_) => {
                "let {x}_f: {ty} = source.{x}.iter().rev().copied().collect();"
            }
        },
        without: |ty| match ty {
            Type::String => {
                "let mut {x}_f: Vec<char> = source.{x}.chars().collect();\n\
                 if let Some(at) = @place({x}_f.len(), {c}) { {x}_f.remove(at); }\n\
                 let {x}_f: String = {x}_f.into_iter().collect();"
            }
            Type::Scalar(_) | Type::List(_) => {
                "let mut {x}_f = source.{x}.clone();\n\
                 if let Some(at) = @place({x}_f.len(), {c}) { {x}_f.remove(at); }"
            }
        },
        sequence,
        arithmetic,
        term: "{x}_s",
        element: |ty| match ty.ty {
            Type::String => ("", "{source}.chars().nth(@place({source}.chars().count(), {i})?)?"),
            Type::Scalar(_) | Type::List(_) => ("", "{source}[@place({source}.len(), {i})?]"),
        },
        converted: |_| Some((String::new(), "{value}".to_owned())),
        single: |ty| match ty.ty {
            Type::String => "{v}",
            Type::Scalar(_) | Type::List(_) => "[{v}]",
        },
        never: "let {x}_f: {ty} = None?;",
        exchange: |from, to| {
            Some(match (from.ty, to.ty) {
                (Type::Scalar(_), _) if from == to => "let {x}_f: {ty} = {source};",
                _ if from == to => "let {x}_f: {ty} = {source}.clone();",
                (Type::Scalar(_), _) | (_, Type::Scalar(_)) => "let {x}_f: {ty} = {one};",
                (Type::String, _) => "let {x}_f: {ty} = {source}.chars().collect();",
                (Type::List(_), Type::String) => "let {x}_f: {ty} = {source}.iter().collect();",
                (Type::List(_), Type::List(_)) => {
                    "let {x}_f: {ty} = {source}.iter().map(|&x| Some({each}))\
                     .collect::<Option<Vec<{element}>>>()?;"
                }
            })
        },
        conversions: Conversions { number, value },
        checks: Some(Checks {
            unless: "if {test} { return None; }",
            not: |test| match [" && ", " || ", "= "].iter().any(|part| test.contains(part)) {
                true => format!("!({test})"),
                false => format!("!{test}"),
            },
            and: " && ",
            alphabet: "{all}.contains({v})",
            range: "({least}..={most}).contains(&{v})",
            or_number: " || {v} == {n}",
            or_nan: " || {v}.is_nan()",
            are_integers_bounded: true,
            last_character: 1_114_111.0,
            count: |ty| match ty.ty {
                Type::String => "{v}.chars().count()",
                Type::Scalar(_) | Type::List(_) => "{v}.len()",
            },
            every: |ty| match ty.ty {
                Type::String => ("c", "{v}.chars().all(|c| {test})"),
                Type::Scalar(_) | Type::List(_) => ("x", "{v}.iter().all(|&x| {test})"),
            },
            at_least: "{count} >= {least}",
            at_most: "{count} <= {most}",
            between: "({least}..={most}).contains(&{count})",
            result: |names, all| {
                let values: Vec<String> =
                    names.iter().map(|name| format!("{name}: {name}_f")).collect();
                let rest = if names.len() == all.len() { "" } else { ", ..source.clone()" };
                format!("Some(Inputs {{ {}{rest} }})", values.join(", "))
            },
        }),
    },
    helpers: HelperFile { source: include_str!("helpers.rs"), comment: "//", gap: "\n" },
};

/// A type, with integers of the size of a pointer if WIT has none of its own for them.
pub(super) fn named(ty: Type, is_size: bool) -> NamedType {
    let element = match ty.scalar() {
        Scalar::U8 | Scalar::U16 | Scalar::U32 | Scalar::U64 if is_size => "usize",
        Scalar::S8 | Scalar::S16 | Scalar::S32 | Scalar::S64 if is_size => "isize",
        scalar => rust_name(scalar),
    };
    let name = match ty {
        Type::Scalar(_) => element.to_owned(),
        Type::String => "String".to_owned(),
        Type::List(_) => format!("Vec<{element}>"),
    };
    NamedType { ty, name, element }
}

fn number(ty: &NamedType) -> &'static str {
    match ty.element {
        "f64" => "{v}",
        "char" => "f64::from(u32::from({v}))",
        "bool" => "f64::from(u8::from({v}))",
        // They may have more bits than are exact in an f64.
        "i64" | "u64" | "isize" | "usize" => "{v} as f64",
        _ => "f64::from({v})",
    }
}

fn value(ty: &NamedType) -> &'static str {
    match ty.element {
        "f64" => "{n}",
        "f32" => "@single({n})?",
        "char" => "@character({n})?",
        "bool" => "@whole({n}, {least}, {most})? != 0.0",
        _ => "@whole({n}, {least}, {most})? as {element}",
    }
}

/// A change of a sequence: of its elements in a vector, which becomes a text again.
fn sequence(ty: &NamedType, template: &Template) -> Option<String> {
    let is_text = ty.ty == Type::String;
    let is_float = matches!(ty.ty.scalar(), Scalar::F32 | Scalar::F64);
    let change = match template {
        Template::SequenceSort if is_float => {
            "{x}_f.sort_by(|a, b| a.is_nan().cmp(&b.is_nan()).then(a.total_cmp(b)));"
        }
        Template::SequenceSort => "{x}_f.sort_unstable();",
        Template::SequenceRotate(_) => "@rotate(&mut {x}_f, {a});",
        Template::SequenceSwap(..) => {
            "let places = (@place({x}_f.len(), {a}), @place({x}_f.len(), {b}));\n\
             if let (Some(a), Some(b)) = places { {x}_f.swap(a, b); }"
        }
        Template::SequenceAppend(_) if is_text => {
            return Some("let {x}_f = format!(\"{}{}\", {source}, {values});".to_owned());
        }
        Template::SequencePrepend(_) if is_text => {
            return Some("let {x}_f = format!(\"{}{}\", {values}, {source});".to_owned());
        }
        Template::SequenceAppend(_) => "{x}_f.extend_from_slice(&{values});",
        Template::SequencePrepend(_) => {
            return Some("let {x}_f: {ty} = [&{values}[..], &{source}[..]].concat();".to_owned());
        }
        Template::SequenceAdd(_) | Template::SequenceMultiply(_) => {
            let each = "let {x}_f: {ty} = {source}.iter().map(|&x| Some({each}))\
                        .collect::<Option<Vec<{element}>>>()?;";
            return Some(each.to_owned());
        }
        Template::SequenceDouble => "{x}_f.extend_from_within(..);",
        Template::SequenceTruncate(count) => {
            let kept = count.unsigned_abs();
            let change = match *count < 0 {
                true => format!("{{x}}_f.drain(..{{x}}_f.len().min({kept}));"),
                false => format!("{{x}}_f.truncate({kept});"),
            };
            return Some(in_vector(is_text, &change));
        }
        Template::SequenceReplace(..) => "let at = @place({x}_f.len(), {a})?;\n{x}_f[at] = {v};",
        Template::TextUpper | Template::TextLower | Template::TextSwapCase => {
            let letters = if is_text { "{source}.chars()" } else { "{source}.iter().copied()" };
            let spelled = match template {
                Template::TextUpper => ".flat_map(char::to_uppercase)",
                Template::TextLower => ".flat_map(char::to_lowercase)",
                _ => ".flat_map(@swap_case)",
            };
            return Some(format!("let {{x}}_f: {{ty}} = {letters}{spelled}.collect();"));
        }
        Template::PermuteParameters
        | Template::BooleanFlip
        | Template::NumericAddition(_)
        | Template::NumericMultiplication(_)
        | Template::NumericComplement(_)
        | Template::SequenceRemove(_)
        | Template::SequenceFlip
        | Template::Together(_) => return None,
    };
    Some(in_vector(is_text, change))
}

/// A change of the vector `{x}_f`.
fn in_vector(is_text: bool, change: &str) -> String {
    match is_text {
        true => format!(
            "let mut {{x}}_f: Vec<char> = {{source}}.chars().collect();\n{change}\n\
             let {{x}}_f: String = {{x}}_f.into_iter().collect();"
        ),
        false => format!("let mut {{x}}_f = {{source}}.clone();\n{change}"),
    }
}

/// Integers of at most 32 bits are computed with as such; sums of others beyond 2^53 would be rounded by the evaluator.
fn arithmetic(
    ty: &NamedType,
    operation: Operation,
    constant: Option<f64>,
) -> (&'static str, String) {
    let scalar = ty.ty.scalar();
    let is_own = matches!(ty.element, "i8" | "u8" | "i16" | "u16" | "i32" | "u32");
    let general = "let {x}_s = {number};\nlet {x}_f = {converted};";
    let Some(constant) = constant else { return (general, String::new()) };
    let template = match operation {
        Operation::Add => "let {x}_f = source.{x}.checked_add({c})?;",
        Operation::Subtract => "let {x}_f = source.{x}.checked_sub({c})?;",
        Operation::Multiply => "let {x}_f = source.{x}.checked_mul({c})?;",
        Operation::Complement => general,
    };
    if !is_own || !scalar.admits(constant) || template == general {
        return (general, RUST.literals.double.write(constant));
    }
    (template, RUST.literals.element(constant, scalar, true))
}
