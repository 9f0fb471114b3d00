//! Java 8 as data: its spellings, literals, types and statements.
//!
//! A test class is only given inputs with a follow-up, so that nothing is checked where follow-ups are made.

use genmorph_jit as jit;

use super::sequence::{CODE_POINT, IN_ARRAY, IN_LIST, converted, sequence};
use crate::export::expression::{Spelling, Syntax};
use crate::export::follow_up::{Checks, Conversions, FollowUps, Operation};
use crate::export::helpers::HelperFile;
use crate::export::language::Language;
use crate::export::literal::{Floats, Literals, character};
use crate::export::types::NamedType;
use crate::subject::jvm::JavaType;
use crate::subject::{Scalar, Type};

/// How Java writes tests.
pub static JAVA: Language = PLAIN;

/// How Java writes tests of laws, which are given inputs without a follow-up, too: these get `null`, or what `Math` throws.
pub(super) static JAVA_LAWS: Language = Language {
    literals: Literals {
        character: |code| match code > 65_535.0 {
            true => format!("{code}"),
            false => format!("'{}'", escaped(code as u16)),
        },
        ..PLAIN.literals
    },
    follow_ups: FollowUps {
        source: "source.{x}",
        copy: None,
        opposite: "boolean {x}_f = !source.{x};",
        reversed: |_| "{ty} {x}_f = @reversed(source.{x});",
        without: |_| "{ty} {x}_f = @without(source.{x}, {c});",
        sequence: |ty, template| sequence(ty, template, true),
        arithmetic: checked_arithmetic,
        term: "source.{x}",
        element: |ty| match ty.ty {
            Type::String => (
                "if (@place({source}.codePointCount(0, {source}.length()), {i}) < 0) { return null; }",
                CODE_POINT,
            ),
            _ if ty.name.ends_with("[]") => {
                ("if (@place({source}.length, {i}) < 0) { return null; }", IN_ARRAY)
            }
            Type::Scalar(_) | Type::List(_) => {
                ("if (@place({source}.size(), {i}) < 0) { return null; }", IN_LIST)
            }
        },
        converted: |ty| converted(ty, true),
        never: "{ty} {x}_f = null;\nif ({x}_f == null) { return null; }",
        exchange: |from, to| match (from == to, (PLAIN.follow_ups.exchange)(from, to)) {
            (true, same) => same,
            (false, other) => other.map(|_| match to.ty.scalar() {
                Scalar::Char => {
                    "char {x}_f = (char) {source};\n\
                     if ({x}_f != {source} || Character.isSurrogate({x}_f)) { return null; }"
                }
                // NaN stays NaN.
                _ => {
                    "{ty} {x}_f = ({ty}) {source};\n\
                     if ((double) {x}_f != (double) {source} && {x}_f == {x}_f) { return null; }"
                }
            }),
        },
        checks: Some(Checks {
            unless: "if ({test}) { return null; }",
            not: |test| format!("!({test})"),
            and: " && ",
            alphabet: "{all}.indexOf({v}) >= 0",
            range: "{v} >= {least} && {v} <= {most}",
            or_number: " || {v} == {n}",
            or_nan: " || Double.isNaN({v})",
            are_integers_bounded: true,
            last_character: 65_535.0,
            count: |ty| match &*ty.name {
                "String" => "{v}.codePointCount(0, {v}.length())",
                name if name.ends_with("[]") => "{v}.length",
                _ => "{v}.size()",
            },
            every: |ty| match &*ty.name {
                "String" => ("c", "{v}.codePoints().allMatch(c -> {test})"),
                name if name.ends_with("[]") => (
                    "x",
                    "IntStream.range(0, {v}.length).mapToObj(i -> {v}[i]).allMatch(x -> {test})",
                ),
                _ => ("x", "{v}.stream().allMatch(x -> {test})"),
            },
            at_least: "{count} >= {least}",
            at_most: "{count} <= {most}",
            between: "{count} >= {least} && {count} <= {most}",
            result: |changed, all| {
                let value = |name: &&str| match changed.contains(name) {
                    true => format!("{name}_f"),
                    false => format!("source.{name}"),
                };
                let values: Vec<String> = all.iter().map(value).collect();
                format!("return new Call({});", values.join(", "))
            },
        }),
        ..PLAIN.follow_ups
    },
    ..PLAIN
};

const PLAIN: Language = Language {
    name: "Java",
    syntax: Syntax {
        abs: "Math.abs",
        and: ("&&", 2),
        or: ("||", 1),
        xor: Spelling::Infix("^", 3),
        iff: Spelling::Infix("==", 4),
        not: ("!", 7),
        sign: 7,
        widening: "(double) ",
        reference: "",
    },
    literals: Literals {
        truths: ["false", "true"],
        double: Floats {
            nan: "Double.NaN",
            infinity: "Double.POSITIVE_INFINITY",
            negative_infinity: "Double.NEGATIVE_INFINITY",
            is_single: false,
            suffix: "",
        },
        single: Floats {
            nan: "Float.NaN",
            infinity: "Float.POSITIVE_INFINITY",
            negative_infinity: "Float.NEGATIVE_INFINITY",
            is_single: true,
            suffix: "f",
        },
        integer,
        character: |code| format!("'{}'", escaped(code as u16)),
        text: |codes| text(&codes.iter().map(|&code| character(code)).collect::<String>()),
        list,
        are_alone: |ty| ty.name.starts_with("List<"),
    },
    follow_ups: FollowUps {
        source: "{x}_s",
        copy: Some(copy),
        opposite: "{ty} {x}_f = !{x}_s;",
        reversed: |_| "{ty} {x}_f = @reversed({x}_s);",
        without: |_| "{ty} {x}_f = @without({x}_s, {c});",
        sequence: |ty, template| sequence(ty, template, false),
        arithmetic,
        term: "{x}_s",
        element: |ty| match ty.ty {
            Type::String => ("", CODE_POINT),
            _ if ty.name.ends_with("[]") => ("", IN_ARRAY),
            Type::Scalar(_) | Type::List(_) => ("", IN_LIST),
        },
        converted: |ty| converted(ty, false),
        single: |ty| match ty.ty {
            Type::String => "new String(Character.toChars({v}))",
            _ if ty.name.ends_with("[]") => "new {ty} {{v}}",
            Type::Scalar(_) | Type::List(_) => "Collections.singletonList({v})",
        },
        never: "{ty} {x}_f = {source};",
        exchange: |from, to| {
            let is_number = |ty: Type| matches!(ty, Type::Scalar(s) if s != Scalar::Bool);
            match (from == to, is_number(from.ty) && is_number(to.ty)) {
                (true, _) => Some(copy(to)),
                (false, true) => Some("{ty} {x}_f = ({ty}) {source};"),
                (false, false) => None,
            }
        },
        conversions: Conversions {
            number: |ty| if ty.ty.scalar() == Scalar::F64 { "{v}" } else { "(double) {v}" },
            value: |_| "{n}",
        },
        checks: None,
    },
    helpers: HelperFile { source: include_str!("Helpers.java"), comment: "//", gap: "\n" },
};

/// A Java type under its own name.
pub(super) fn named(ty: JavaType) -> NamedType {
    NamedType { ty: ty.ty(), name: ty.to_string(), element: "" }
}

/// An integer. Java takes a literal on its own for an `int`.
fn integer(number: f64, scalar: Scalar, is_alone: bool) -> String {
    match scalar {
        Scalar::S8 if is_alone => format!("(byte) {number}"),
        Scalar::S16 if is_alone => format!("(short) {number}"),
        Scalar::S32 if number == f64::from(i32::MIN) => "Integer.MIN_VALUE".to_owned(),
        Scalar::S32 if number == f64::from(i32::MAX) => "Integer.MAX_VALUE".to_owned(),
        Scalar::S64 => format!("{}L", number as i64),
        _ => format!("{}", number as i64),
    }
}

/// A text, in ASCII.
pub(super) fn text(text: &str) -> String {
    format!("\"{}\"", text.encode_utf16().map(escaped).collect::<String>())
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

/// An array or a list of elements.
pub(super) fn list(ty: &NamedType, elements: &str) -> String {
    match ty.name.strip_prefix("List") {
        Some(wrapper) => format!("Arrays.{wrapper}asList({elements})"),
        None => format!("new {} {{{elements}}}", ty.name),
    }
}

/// The value of a variable of a type, which a call may change without anybody noticing.
pub(super) fn copied(ty: &NamedType) -> &'static str {
    match ty.name.as_str() {
        name if name.starts_with("List<") => "new Array{ty}({source})",
        name if name.ends_with("[]") => "{source}.clone()",
        _ => "{source}",
    }
}

fn copy(ty: &NamedType) -> &'static str {
    match copied(ty) {
        "{source}" => "{ty} {x}_f = {source};",
        "{source}.clone()" => "{ty} {x}_f = {source}.clone();",
        _ => "{ty} {x}_f = new Array{ty}({source});",
    }
}

/// The evaluator computes with doubles. On ints whose result is an int that is Java's own arithmetic.
fn arithmetic(
    ty: &NamedType,
    operation: Operation,
    constant: Option<f64>,
) -> (&'static str, String) {
    let (own, cast) = ("{ty} {x}_f = {sum};", "{ty} {x}_f = ({ty}) ({sum});");
    let scalar = ty.ty.scalar();
    let is_int = |c: f64| c.fract() == 0.0 && c.abs() <= f64::from(i32::MAX);
    match (scalar, constant) {
        (Scalar::F64, None) => (own, String::new()),
        (_, None) => (cast, String::new()),
        (Scalar::S32, Some(c)) if is_int(c) => (own, format!("{c}")),
        (Scalar::S8 | Scalar::S16 | Scalar::Char, Some(c))
            if is_int(c) && operation != Operation::Multiply =>
        {
            (cast, format!("{c}"))
        }
        (Scalar::F64, Some(c)) => (own, format!("{c:?}")),
        (_, Some(c)) => (cast, format!("{c:?}")),
    }
}

/// Arithmetic whose result may be no value of the type: the evaluator computes with doubles.
fn checked_arithmetic(
    ty: &NamedType,
    operation: Operation,
    constant: Option<f64>,
) -> (&'static str, String) {
    let is_int = constant.is_some_and(|c| c.fract() == 0.0 && c.abs() <= f64::from(i32::MAX));
    let template = match (ty.ty.scalar(), operation) {
        (Scalar::S32, Operation::Add) if is_int => "int {x}_f = Math.addExact(source.{x}, {c});",
        (Scalar::S32, Operation::Subtract) if is_int => {
            "int {x}_f = Math.subtractExact(source.{x}, {c});"
        }
        (Scalar::S32, Operation::Multiply) if is_int => {
            "int {x}_f = Math.multiplyExact(source.{x}, {c});"
        }
        (Scalar::S32, Operation::Complement) if is_int => {
            "int {x}_f = Math.subtractExact({c}, source.{x});"
        }
        (Scalar::F64, _) => "double {x}_f = {sum};",
        (Scalar::F32, _) => {
            "double {x}_n = {sum};\nfloat {x}_f = (float) {x}_n;\n\
             if ({x}_f != {x}_n && {x}_f == {x}_f) { return null; }"
        }
        (Scalar::Char, _) => {
            "double {x}_n = {sum};\nchar {x}_f = (char) {x}_n;\n\
             if ({x}_f != {x}_n || Character.isSurrogate({x}_f)) { return null; }"
        }
        (Scalar::S64, _) => {
            "double {x}_n = {sum};\nlong {x}_f = (long) {x}_n;\n\
             if ({x}_f != {x}_n || Math.abs({x}_n) >= 1L << 53) { return null; }"
        }
        _ => {
            "double {x}_n = {sum};\n{ty} {x}_f = ({ty}) {x}_n;\n\
             if ({x}_f != {x}_n) { return null; }"
        }
    };
    let is_exact = ty.ty.scalar() == Scalar::S32 && is_int;
    let text = |c: f64| if is_exact { format!("{c}") } else { format!("{c:?}") };
    (template, constant.map(text).unwrap_or_default())
}

/// The Java type of variables of relations, where these alone are exported.
pub fn plain(ty: jit::Type) -> &'static str {
    match ty {
        jit::Type::Num => "double",
        jit::Type::Bool => "boolean",
        jit::Type::Seq => "double[]",
    }
}
