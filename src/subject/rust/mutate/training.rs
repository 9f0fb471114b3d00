//! Group A: the operators whose mutants relations are found with, in the manner of Major.

use std::ops::Range;

use super::known::KnownType;
use super::site::Piece;
use super::survey::Survey;
use super::syntax::{comparison, has_let_between, is_assignment};
use crate::subject::rule::Rule;
use crate::subject::rust::source::bytes;

/// AOR, LOR, SOR, ROR, and COR of `&&` and `||`.
pub(super) fn binary(survey: &mut Survey<'_>, binary: &syn::ExprBinary, range: &Range<usize>) {
    let (left, right) = (bytes(&*binary.left), bytes(&*binary.right));
    let operator = bytes(&binary.op);
    let op = survey.source(&operator).to_owned();
    let plain = op.trim_end_matches('=').to_owned();
    let with = |other: &str| {
        let assign = if is_assignment(&binary.op) { "=" } else { "" };
        let middle = Piece::Text(format!(" {other}{assign} "));
        vec![Piece::Source(left.clone()), middle, Piece::Source(right.clone())]
    };
    if comparison(&binary.op).is_some() {
        let others: &[&str] = match op.as_str() {
            "<" => &[">", "==", "!="],
            "<=" => &[">=", "==", "!="],
            ">" => &["<", "==", "!="],
            ">=" => &["<=", "==", "!="],
            _ => &["<=", ">="],
        };
        let known = survey.variables.of(&binary.left).or(survey.variables.of(&binary.right));
        for other in others {
            // What can only be equal or not has no order; a truth value has, but nobody confuses these.
            let is_ordered = known != KnownType::Nothing || !matches!(op.as_str(), "==" | "!=");
            if is_ordered || known.is_number() {
                survey.replace(range, Rule::Ror, with(other));
            }
        }
        return;
    }
    match plain.as_str() {
        "+" | "-" | "*" | "/" | "%" => {
            for other in ["+", "-", "*", "/", "%"].iter().filter(|other| **other != plain) {
                survey.replace(range, Rule::Aor, with(other));
            }
        }
        "&" | "|" | "^" => {
            for other in ["&", "|", "^"].iter().filter(|other| **other != plain) {
                survey.replace(range, Rule::Lor, with(other));
            }
        }
        "<<" => survey.replace(range, Rule::Sor, with(">>")),
        ">>" => survey.replace(range, Rule::Sor, with("<<")),
        "&&" | "||" if !has_let_between(binary) => {
            survey.replace(range, Rule::Cor, with(if plain == "&&" { "||" } else { "&&" }));
            survey.replace(range, Rule::Cor, vec![Piece::Source(left.clone())]);
            survey.replace(range, Rule::Cor, vec![Piece::Source(right.clone())]);
        }
        _ => {}
    }
}

/// COR of a whole condition. Every test notices a loop that never ends, so there is no such mutant.
pub(super) fn condition(survey: &mut Survey<'_>, range: &Range<usize>, is_loop: bool) {
    if !is_loop {
        survey.replace(range, Rule::Cor, vec![Piece::Text("true".to_owned())]);
    }
    survey.replace(range, Rule::Cor, vec![Piece::Text("false".to_owned())]);
}

/// ORU: a negation left out.
pub(super) fn negation(survey: &mut Survey<'_>, unary: &syn::ExprUnary, range: &Range<usize>) {
    survey.replace(range, Rule::Oru, vec![Piece::Source(bytes(&*unary.expr))]);
}

/// LVR: 0, 1, -1 and the negated constant.
pub(super) fn literal(
    survey: &mut Survey<'_>,
    literal: &syn::Lit,
    range: &Range<usize>,
    is_negative: bool,
    other: KnownType,
) {
    for text in others(survey, literal, is_negative, other) {
        survey.replace(range, Rule::Lvr, vec![Piece::Text(text)]);
    }
}

/// What stands in place of a literal.
fn others(
    survey: &Survey<'_>,
    literal: &syn::Lit,
    is_negative: bool,
    other: KnownType,
) -> Vec<String> {
    match literal {
        syn::Lit::Int(int) => {
            let suffix = int.suffix();
            let Ok(value) = int.base10_parse::<i128>() else { return Vec::new() };
            let value = if is_negative { -value } else { value };
            near(value, may_be_negative(survey, suffix, is_negative, other))
                .into_iter()
                .map(|value| format!("{value}{suffix}"))
                .collect()
        }
        syn::Lit::Float(float) => {
            let Ok(value) = float.base10_parse::<f64>() else { return Vec::new() };
            let value = if is_negative { -value } else { value };
            let mut values = vec![0.0, 1.0, -1.0, -value];
            values.retain(|other| *other != value);
            values.dedup();
            values.into_iter().map(|value| float_text(value, float.suffix())).collect()
        }
        syn::Lit::Byte(byte) => {
            let values = [0, 1].into_iter().filter(|value| *value != byte.value());
            values.map(|value| format!("{value}u8")).collect()
        }
        syn::Lit::Bool(truth) => vec![(!truth.value).to_string()],
        syn::Lit::Str(text) if !text.value().is_empty() => vec!["\"\"".to_owned()],
        _ => Vec::new(),
    }
}

/// 0, 1, -1 and -c, each once and none as it was.
fn near(value: i128, may_be_negative: bool) -> Vec<i128> {
    let mut values: Vec<i128> = Vec::new();
    for other in [0, 1, -1, -value] {
        if other != value && !values.contains(&other) && (may_be_negative || other >= 0) {
            values.push(other);
        }
    }
    values
}

/// Whether an integer literal may get a minus, as far as we see.
pub(super) fn may_be_negative(
    survey: &Survey<'_>,
    suffix: &str,
    is_negative: bool,
    other: KnownType,
) -> bool {
    if is_negative || suffix.starts_with('i') {
        return true;
    }
    let is_unsigned = suffix.starts_with('u') || other.is_unsigned();
    !is_unsigned && (other.is_signed() || survey.has_signed)
}

/// A float as Rust writes it.
pub(super) fn float_text(value: f64, suffix: &str) -> String {
    format!("{value:?}{suffix}")
}
