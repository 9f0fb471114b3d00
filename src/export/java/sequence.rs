//! Changes of texts, arrays and lists in Java.
//!
//! A class of laws is given inputs without a follow-up, too: then `null` is returned, where statements are `is_checked`.

use crate::export::types::NamedType;
use crate::subject::{Scalar, Type};
use crate::transform::Template;

/// The code of a character of a text.
pub(super) const CODE_POINT: &str = "{source}.codePointAt({source}.offsetByCodePoints(0, @place({source}.codePointCount(0, {source}.length()), {i})))";
/// An element of an array.
pub(super) const IN_ARRAY: &str = "{source}[@place({source}.length, {i})]";
/// An element of a list.
pub(super) const IN_LIST: &str = "{source}.get(@place({source}.size(), {i}))";

/// The type of numbers and characters of a type; none for truth values and for texts that stand for numbers.
fn primitive(ty: &NamedType) -> Option<&'static str> {
    if ty.ty != Type::String && ty.name.contains("String") {
        return None;
    }
    match ty.ty.scalar() {
        Scalar::Bool => None,
        Scalar::S8 => Some("byte"),
        Scalar::S16 => Some("short"),
        Scalar::S32 => Some("int"),
        Scalar::S64 => Some("long"),
        Scalar::F32 => Some("float"),
        Scalar::F64 => Some("double"),
        Scalar::Char if ty.ty == Type::String => Some("int"),
        Scalar::Char => Some("char"),
        Scalar::U8 | Scalar::U16 | Scalar::U32 | Scalar::U64 => None,
    }
}

/// Whether the number `{n}` is no value of the type; none if every number is one.
fn is_lost(ty: &NamedType, n: &str) -> Option<String> {
    let to = primitive(ty)?;
    match ty.ty.scalar() {
        Scalar::F64 => None,
        Scalar::F32 => Some(format!("(float) {n} != {n} && {n} == {n}")),
        Scalar::S64 => Some(format!("(long) {n} != {n} || Math.abs({n}) >= 1L << 53")),
        Scalar::Char if ty.ty == Type::String => Some(format!(
            "(int) {n} != {n} || !Character.isValidCodePoint((int) {n}) || {n} >= 0xd800 && {n} <= 0xdfff"
        )),
        Scalar::Char => Some(format!("(char) {n} != {n} || Character.isSurrogate((char) {n})")),
        _ => Some(format!("({to}) {n} != {n}")),
    }
}

/// A number as an element: the statements before, and the value.
pub(super) fn converted(ty: &NamedType, is_checked: bool) -> Option<(String, String)> {
    let to = primitive(ty)?;
    let mut before = "double {x}_v = {number};".to_owned();
    if let Some(test) = is_lost(ty, "{x}_v").filter(|_| is_checked) {
        before += &format!("\nif ({test}) {{ return null; }}");
    }
    Some((before, format!("({to}) {{x}}_v")))
}

/// The statements that change a sequence; none if Java cannot compute with its elements.
pub(super) fn sequence(ty: &NamedType, template: &Template, is_checked: bool) -> Option<String> {
    let is_text = ty.ty == Type::String;
    let is_array = ty.name.ends_with("[]");
    let count = match () {
        () if is_text => "{source}.codePointCount(0, {source}.length())",
        () if is_array => "{source}.length",
        () => "{source}.size()",
    };
    let value = match template {
        Template::SequenceSort => {
            let is_truth = ty.ty.scalar() == Scalar::Bool;
            primitive(ty).filter(|_| !is_truth).or(is_truth.then_some("boolean"))?;
            "@sorted({source})".to_owned()
        }
        Template::SequenceRotate(_) => format!("@picked({{source}}, @rotation({count}, {{a}}))"),
        Template::SequenceSwap(..) => {
            format!("@picked({{source}}, @exchange({count}, {{a}}, {{b}}))")
        }
        Template::SequenceTruncate(_) => format!("@picked({{source}}, @span({count}, {{a}}))"),
        Template::SequenceAppend(_) if is_text => "{source} + {values}".to_owned(),
        Template::SequencePrepend(_) if is_text => "{values} + {source}".to_owned(),
        Template::SequenceDouble if is_text => "{source} + {source}".to_owned(),
        Template::SequenceAppend(_) => "@joined({source}, {values})".to_owned(),
        Template::SequencePrepend(_) => "@joined({values}, {source})".to_owned(),
        Template::SequenceDouble => "@joined({source}, {source})".to_owned(),
        Template::SequenceReplace(..) => {
            let guard = format!("if (@place({count}, {{a}}) < 0) {{ return null; }}\n");
            let guard = if is_checked { guard } else { String::new() };
            let value = format!("@replaced({{source}}, @place({count}, {{a}}), {{values}})");
            return Some(format!("{guard}{{ty}} {{x}}_f = {value};"));
        }
        Template::SequenceAdd(_) | Template::SequenceMultiply(_) => {
            return each(ty, is_array, is_checked);
        }
        Template::TextUpper => return respelled(ty, "@upper"),
        Template::TextLower => return respelled(ty, "@lower"),
        Template::TextSwapCase => return respelled(ty, "@swap_case"),
        Template::PermuteParameters
        | Template::BooleanFlip
        | Template::NumericAddition(_)
        | Template::NumericMultiplication(_)
        | Template::NumericComplement(_)
        | Template::SequenceRemove(_)
        | Template::SequenceFlip
        | Template::Together(_) => return None,
    };
    Some(format!("{{ty}} {{x}}_f = {value};"))
}

/// Arithmetic with every element.
fn each(ty: &NamedType, is_array: bool, is_checked: bool) -> Option<String> {
    let to = primitive(ty)?;
    let check = match is_lost(ty, "n").filter(|_| is_checked) {
        Some(test) => format!("    if ({test}) {{ return null; }}\n"),
        None => String::new(),
    };
    Some(match is_array {
        true => format!(
            "{{ty}} {{x}}_f = {{source}}.clone();\n\
             for (int i = 0; i < {{x}}_f.length; i++) {{\n    double x = {{x}}_f[i];\n    \
             double n = {{sum}};\n{check}    {{x}}_f[i] = ({to}) n;\n}}"
        ),
        false => format!(
            "{{ty}} {{x}}_f = new Array{{ty}}();\nfor (double x : {{source}}) {{\n    \
             double n = {{sum}};\n{check}    {{x}}_f.add(({to}) n);\n}}"
        ),
    })
}

/// Characters that are spelled otherwise.
fn respelled(ty: &NamedType, helper: &str) -> Option<String> {
    match &*ty.name {
        "String" => Some(format!("{{ty}} {{x}}_f = {helper}({{source}});")),
        "char[]" => {
            Some(format!("{{ty}} {{x}}_f = {helper}(new String({{source}})).toCharArray();"))
        }
        "List<Character>" => Some(format!(
            "{{ty}} {{x}}_f = new Array{{ty}}();\nfor (char x : {{source}}) {{\n    \
             for (char c : {helper}(String.valueOf(x)).toCharArray()) {{\n        \
             {{x}}_f.add(c);\n    }}\n}}"
        )),
        _ => None,
    }
}
