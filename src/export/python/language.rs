//! Python as data: its spellings, literals, types and statements.

use crate::export::expression::{Spelling, Syntax};
use crate::export::follow_up::{Checks, Conversions, FollowUps, Operation};
use crate::export::helpers::HelperFile;
use crate::export::language::Language;
use crate::export::literal::{Floats, Literals, character};
use crate::export::types::NamedType;
use crate::subject::{Scalar, ScalarClass, Type};
use crate::transform::Template;

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
        sequence,
        arithmetic: |ty, operation, constant| {
            // Sums beyond 2^53 are rounded by the evaluator.
            let checked = "{x}_s = {number}\n{x}_f = {converted}\n\
                           if {x}_f is None:\n    return None";
            let text = constant.map(|constant| FLOATS.write(constant)).unwrap_or_default();
            match (ty.ty.scalar(), constant) {
                (
                    Scalar::S8 | Scalar::U8 | Scalar::S16 | Scalar::U16 | Scalar::S32 | Scalar::U32,
                    Some(constant),
                ) if Scalar::S32.admits(constant) => match operation {
                    Operation::Add => ("{x}_f = source.{x} + {c}", format!("{constant}")),
                    Operation::Subtract => ("{x}_f = source.{x} - {c}", format!("{constant}")),
                    Operation::Multiply => ("{x}_f = source.{x} * {c}", format!("{constant}")),
                    Operation::Complement => ("{x}_f = {c} - source.{x}", format!("{constant}")),
                },
                (Scalar::F64, _) => ("{x}_s = {number}\n{x}_f = {converted}", text),
                _ => (checked, text),
            }
        },
        term: "{x}_s",
        element: |_| {
            ("if not -len({source}) <= {i} < len({source}):\n    return None", "{source}[{i}]")
        },
        converted: |_| {
            let checked = "{x}_v = {value}\nif {x}_v is None:\n    return None";
            Some((checked.to_owned(), "{x}_v".to_owned()))
        },
        single: |ty| match ty.ty {
            Type::String => "{v}",
            Type::Scalar(_) | Type::List(_) => "[{v}]",
        },
        never: "{x}_f = None\nif {x}_f is None:\n    return None",
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

/// A change of a sequence: most are the same for texts and lists.
fn sequence(ty: &NamedType, template: &Template) -> Option<String> {
    let is_text = ty.ty == Type::String;
    let is_float = ty.ty.scalar().class() == ScalarClass::Float;
    let statement = match template {
        Template::SequenceSort if is_text => "{x}_f = \"\".join(sorted({source}))",
        Template::SequenceSort if is_float => "{x}_f = @ascending({source})",
        Template::SequenceSort => "{x}_f = sorted({source})",
        Template::SequenceRotate(_) => "{x}_f = @rotated({source}, {a})",
        Template::SequenceSwap(..) => "{x}_f = @swapped({source}, {a}, {b})",
        Template::SequenceAppend(_) => "{x}_f = {source} + {values}",
        Template::SequencePrepend(_) => "{x}_f = {values} + {source}",
        Template::SequenceAdd(_) | Template::SequenceMultiply(_) => {
            "{x}_f = [{each} for x in {source}]\nif None in {x}_f:\n    return None"
        }
        Template::SequenceDouble => "{x}_f = {source} + {source}",
        Template::SequenceTruncate(count) => {
            let kept = count.unsigned_abs();
            return Some(match *count < 0 {
                true => format!("{{x}}_f = {{source}}[{kept}:]"),
                false => format!("{{x}}_f = {{source}}[:{kept}]"),
            });
        }
        Template::SequenceReplace(..) => {
            "if not -len({source}) <= {a} < len({source}):\n    return None\n\
             {x}_f = @replaced({source}, {a}, {values})"
        }
        Template::TextUpper if is_text => "{x}_f = \"\".join(c.upper() for c in {source})",
        Template::TextLower if is_text => "{x}_f = \"\".join(c.lower() for c in {source})",
        Template::TextSwapCase if is_text => "{x}_f = \"\".join(@swap_case(c) for c in {source})",
        Template::TextUpper => "{x}_f = [d for c in {source} for d in c.upper()]",
        Template::TextLower => "{x}_f = [d for c in {source} for d in c.lower()]",
        Template::TextSwapCase => "{x}_f = [d for c in {source} for d in @swap_case(c)]",
        Template::PermuteParameters
        | Template::BooleanFlip
        | Template::NumericAddition(_)
        | Template::NumericMultiplication(_)
        | Template::NumericComplement(_)
        | Template::SequenceRemove(_)
        | Template::SequenceFlip
        | Template::Together(_) => return None,
    };
    Some(statement.to_owned())
}

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
