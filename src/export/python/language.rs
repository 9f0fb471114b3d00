//! Python as data: its spellings, literals, types and statements.

use crate::export::expression::{Spelling, Syntax};
use crate::export::follow_up::{Checks, Conversions, FollowUps};
use crate::export::helpers::HelperFile;
use crate::export::language::Language;
use crate::export::literal::{Floats, Literals, character};
use crate::export::types::NamedType;
use crate::subject::{Scalar, ScalarClass, Type};

const FLOATS: Floats = Floats {
    nan: "math.nan",
    infinity: "math.inf",
    negative_infinity: "-math.inf",
    is_single: false,
    suffix: "",
};

/// How Python writes tests.
pub static PYTHON: Language = Language {
    name: "Python",
    syntax: Syntax {
        abs: "abs",
        and: ("and", 2),
        or: ("or", 1),
        // Python reads `a == b == c` as `a == b and b == c`.
        xor: Spelling::Between("!=", 4),
        iff: Spelling::Between("==", 4),
        not: ("not ", 3),
        sign: 7,
        widening: "",
        reference: "",
    },
    literals: Literals {
        truths: ["False", "True"],
        double: FLOATS,
        single: FLOATS,
        integer: |number, _, _| format!("{}", number as i64),
        character: |code| text(&[code]),
        text,
        list: |_, elements| format!("[{elements}]"),
        are_alone: |_| true,
    },
    follow_ups: FollowUps {
        source: "source.{x}",
        copy: None,
        opposite: "{x}_f = not source.{x}",
        reversed: |_| "{x}_f = source.{x}[::-1]",
        without: |_| "{x}_f = @remove(source.{x}, {c})",
        arithmetic: |ty, _, constant| match ty.ty.scalar() {
            Scalar::S8 | Scalar::U8 | Scalar::S16 | Scalar::U16 | Scalar::S32 | Scalar::U32
                if Scalar::S32.admits(constant) =>
            {
                ("{x}_f = source.{x} {symbol} {c}", format!("{constant}"))
            }
            Scalar::F64 => ("{x}_s = {number}\n{x}_f = {converted}", FLOATS.write(constant)),
            // Sums beyond 2^53 are rounded by the evaluator.
            _ => {
                let template = "{x}_s = {number}\n{x}_f = {converted}\n\
                                if {x}_f is None:\n    return None";
                (template, FLOATS.write(constant))
            }
        },
        changed: "{x}_s {symbol} {c}",
        exchange: |from, to| {
            Some(match (from.ty, to.ty) {
                (from, to) if from == to => "{x}_f = {source}",
                (Type::Scalar(_), _) | (_, Type::Scalar(_)) => {
                    "{x}_f = {one}\nif {x}_f is None:\n    return None"
                }
                (Type::String, _) => "{x}_f = list({source})",
                (Type::List(_), Type::String) => "{x}_f = \"\".join({source})",
                // Numbers that are truth values are 0 and 1, and these are equal to them.
                (Type::List(_), Type::List(_)) => {
                    "{x}_f = [{each} for x in {source}]\nif None in {x}_f:\n    return None"
                }
            })
        },
        conversions: Conversions {
            number: |ty| match ty.element {
                "str" => "float(ord({v}))",
                _ => "@num({v})",
            },
            value: |ty| match ty.ty.scalar() {
                Scalar::F64 => "{n}",
                Scalar::F32 => "@single({n})",
                Scalar::Char => "@character({n})",
                _ => "@whole({n})",
            },
        },
        checks: Some(Checks {
            unless: "if {test}:\n    return None",
            not: |test| format!("not ({test})"),
            and: " and ",
            alphabet: "{v} in {all}",
            range: "{least} <= {v} <= {most}",
            or_number: " or {v} == {n}",
            or_nan: " or math.isnan({v})",
            are_integers_bounded: false,
            last_character: 1_114_111.0,
            count: |_| "len({v})",
            every: |_| ("x", "all({test} for x in {v})"),
            at_least: "{count} >= {least}",
            at_most: "0 <= {count} <= {most}",
            between: "{least} <= {count} <= {most}",
            result: |names, _| {
                let values: Vec<String> =
                    names.iter().map(|name| format!("{name}={name}_f")).collect();
                format!("return replace(source, {})", values.join(", "))
            },
        }),
    },
    helpers: HelperFile { source: include_str!("helpers.py"), comment: "#", gap: "\n\n" },
};

/// A type, as annotations have it.
pub(super) fn named(ty: Type) -> NamedType {
    let element = match ty.scalar().class() {
        ScalarClass::Bool => "bool",
        ScalarClass::Char => "str",
        ScalarClass::Float => "float",
        ScalarClass::Integer => "int",
    };
    let name = match ty {
        Type::Scalar(_) | Type::String => element.to_owned(),
        Type::List(_) => format!("list[{element}]"),
    };
    NamedType { ty, name, element }
}

/// A text of characters with these codes.
fn text(codes: &[f64]) -> String {
    let mut literal = String::from('"');
    for &code in codes {
        match character(code) {
            c @ ('"' | '\\') => literal.extend(['\\', c]),
            '\n' => literal += "\\n",
            '\r' => literal += "\\r",
            '\t' => literal += "\\t",
            '\'' => literal.push('\''),
            // Rust escapes characters that cannot be seen.
            c if c.escape_debug().len() == 1 => literal.push(c),
            c => literal += &format!("\\U{:08x}", u32::from(c)),
        }
    }
    literal + "\""
}
