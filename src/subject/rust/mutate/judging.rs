//! Group B: the operators whose mutants relations are judged by, in the manner of PIT. None makes what an operator of
//! group A makes at the same place.

use std::ops::Range;

use super::known::KnownType;
use super::site::Piece;
use super::survey::Survey;
use super::syntax::{comparison, unparenthesised};
use super::training::{float_text, may_be_negative};
use crate::subject::rule::Rule;
use crate::subject::rust::source::bytes;
use crate::subject::rust::types::Primitive;

/// Methods that are mistaken for each other, either way.
const METHODS: [(&str, &str); 30] = [
    ("min", "max"),
    ("first", "last"),
    ("wrapping_add", "wrapping_sub"),
    ("saturating_add", "saturating_sub"),
    ("checked_add", "checked_sub"),
    ("overflowing_add", "overflowing_sub"),
    ("wrapping_shl", "wrapping_shr"),
    ("rotate_left", "rotate_right"),
    ("leading_zeros", "trailing_zeros"),
    ("trim_start", "trim_end"),
    ("trim_start_matches", "trim_end_matches"),
    ("strip_prefix", "strip_suffix"),
    ("starts_with", "ends_with"),
    ("find", "rfind"),
    ("to_uppercase", "to_lowercase"),
    ("to_ascii_uppercase", "to_ascii_lowercase"),
    ("make_ascii_uppercase", "make_ascii_lowercase"),
    ("is_uppercase", "is_lowercase"),
    ("is_ascii_uppercase", "is_ascii_lowercase"),
    ("is_alphabetic", "is_alphanumeric"),
    ("is_ascii_alphabetic", "is_ascii_alphanumeric"),
    ("is_some", "is_none"),
    ("is_ok", "is_err"),
    ("any", "all"),
    ("floor", "ceil"),
    ("sin", "cos"),
    ("exp", "ln"),
    ("round", "trunc"),
    ("push_front", "push_back"),
    ("pop_front", "pop_back"),
];

/// CBM, NEG of a comparison, AOD.
pub(super) fn binary(survey: &mut Survey<'_>, binary: &syn::ExprBinary, range: &Range<usize>) {
    let (left, right) = (bytes(&*binary.left), bytes(&*binary.right));
    if let Some(op) = comparison(&binary.op) {
        let with = |other: &str| {
            let middle = Piece::Text(format!(" {other} "));
            vec![Piece::Source(left.clone()), middle, Piece::Source(right.clone())]
        };
        let (boundary, negated) = match op {
            "<" => (Some("<="), ">="),
            "<=" => (Some("<"), ">"),
            ">" => (Some(">="), "<="),
            ">=" => (Some(">"), "<"),
            "==" => (None, "!="),
            _ => (None, "=="),
        };
        if let Some(boundary) = boundary {
            survey.replace(range, Rule::Cbm, with(boundary));
        }
        survey.replace(range, Rule::Neg, with(negated));
        return;
    }
    let both = match binary.op {
        syn::BinOp::Add(_)
        | syn::BinOp::Sub(_)
        | syn::BinOp::Mul(_)
        | syn::BinOp::Div(_)
        | syn::BinOp::Rem(_) => true,
        syn::BinOp::BitAnd(_) | syn::BinOp::BitOr(_) | syn::BinOp::BitXor(_) => true,
        // The other operand may be of another type.
        syn::BinOp::Shl(_) | syn::BinOp::Shr(_) => false,
        _ => return,
    };
    survey.replace(range, Rule::Aod, vec![Piece::Source(left)]);
    if both {
        survey.replace(range, Rule::Aod, vec![Piece::Source(right)]);
    }
}

/// NEG of a condition that is no comparison.
pub(super) fn condition(survey: &mut Survey<'_>, expr: &syn::Expr, range: &Range<usize>) {
    let is_simple = match expr {
        syn::Expr::Binary(binary) => comparison(&binary.op).is_some(),
        // Without its `!` it is a mutant of group A.
        syn::Expr::Unary(unary) => matches!(unary.op, syn::UnOp::Not(_)),
        syn::Expr::Lit(_) => true,
        _ => false,
    };
    if !is_simple {
        let pieces = vec![
            Piece::Text("!(".to_owned()),
            Piece::Source(range.clone()),
            Piece::Text(")".to_owned()),
        ];
        survey.replace(range, Rule::Neg, pieces);
    }
}

/// CRCR: constants that are a little larger, smaller, or twice as large.
pub(super) fn literal(
    survey: &mut Survey<'_>,
    literal: &syn::Lit,
    range: &Range<usize>,
    is_negative: bool,
    other: KnownType,
) {
    let texts: Vec<String> = match literal {
        syn::Lit::Int(int) => {
            let suffix = int.suffix();
            let Ok(value) = int.base10_parse::<i128>() else { return };
            let value = if is_negative { -value } else { value };
            let may_be_negative = may_be_negative(survey, suffix, is_negative, other);
            let mut values: Vec<i128> = Vec::new();
            for near in [value + 1, value - 1, value.saturating_mul(2)] {
                let is_of_the_others = [0, 1, -1, -value, value].contains(&near);
                if !is_of_the_others && !values.contains(&near) && (near >= 0 || may_be_negative) {
                    values.push(near);
                }
            }
            values.into_iter().map(|value| format!("{value}{suffix}")).collect()
        }
        syn::Lit::Float(float) => {
            let Ok(value) = float.base10_parse::<f64>() else { return };
            let value = if is_negative { -value } else { value };
            let mut values: Vec<f64> = Vec::new();
            for near in [value + 1.0, value - 1.0, value * 2.0] {
                if ![0.0, 1.0, -1.0, -value, value].contains(&near) && !values.contains(&near) {
                    values.push(near);
                }
            }
            values.into_iter().map(|value| float_text(value, float.suffix())).collect()
        }
        syn::Lit::Byte(byte) => {
            let value = byte.value();
            let near = [value.checked_add(1), value.checked_sub(1)].into_iter().flatten();
            near.filter(|near| *near > 1).map(|near| format!("{near}u8")).collect()
        }
        syn::Lit::Char(c) => {
            let code = u32::from(c.value());
            let near = [code.checked_add(1), code.checked_sub(1)].into_iter().flatten();
            near.filter_map(char::from_u32).map(|near| format!("{near:?}")).collect()
        }
        _ => return,
    };
    for text in texts {
        survey.replace(range, Rule::Crcr, vec![Piece::Text(text)]);
    }
}

/// UOI and VRR: a variable changed by one or negated, and another variable of its type.
pub(super) fn variable(survey: &mut Survey<'_>, name: &str, range: &Range<usize>) {
    let Some(known) = survey.variables.get(name) else { return };
    if known.is_number() {
        let one = if known.is_float() { "1.0" } else { "1" };
        for op in ["+", "-"] {
            survey.replace(range, Rule::Uoi, vec![Piece::Text(format!("({name} {op} {one})"))]);
        }
        if known.is_signed() {
            survey.replace(range, Rule::Uoi, vec![Piece::Text(format!("(-{name})"))]);
        }
    }
    if let KnownType::Exactly(primitive) = known {
        for other in survey.variables.like(name, primitive) {
            survey.replace(range, Rule::Vrr, vec![Piece::Text(other)]);
        }
    }
}

/// MCR of a method.
pub(super) fn method(survey: &mut Survey<'_>, call: &syn::ExprMethodCall, range: &Range<usize>) {
    let name = call.method.to_string();
    let method = bytes(&call.method);
    for (one, other) in METHODS {
        let swapped = match name.as_str() {
            name if name == one => other,
            name if name == other => one,
            _ => continue,
        };
        survey.replace_part(range, &method, Rule::Mcr, swapped);
    }
    // Of two numbers, the first is left.
    if ["min", "max"].contains(&name.as_str()) && call.args.len() == 1 {
        survey.replace(range, Rule::Mcr, vec![Piece::Source(bytes(&*call.receiver))]);
        survey.replace(range, Rule::Mcr, vec![Piece::Source(bytes(&call.args[0]))]);
    }
    // An iterator without a step has another type; one with a step that changes nothing has the same.
    let neutral = match name.as_str() {
        "skip" => "0",
        "step_by" => "1",
        _ => return,
    };
    if let [argument] = call.args.iter().collect::<Vec<_>>().as_slice() {
        survey.replace_part(range, &bytes(*argument), Rule::Mcr, neutral);
    }
}

/// MCR of a range: one more, or one less. `..=` has another type than `..`, so the end moves.
pub(super) fn range(survey: &mut Survey<'_>, ends: &syn::ExprRange, range: &Range<usize>) {
    let Some(end) = &ends.end else { return };
    let known = survey.variables.of(end);
    let is_literal = matches!(unparenthesised(end), syn::Expr::Lit(_));
    // The end of a range of characters cannot move by one, and a literal end has mutants of its own.
    if is_literal || known == KnownType::Exactly(Primitive::Char) {
        return;
    }
    let end = bytes(&**end);
    let op = match ends.limits {
        syn::RangeLimits::HalfOpen(_) => "+",
        syn::RangeLimits::Closed(_) => "-",
    };
    let pieces = vec![
        Piece::Source(range.start..end.start),
        Piece::Text("(".to_owned()),
        Piece::Source(end.clone()),
        Piece::Text(format!(") {op} 1")),
    ];
    survey.replace(range, Rule::Mcr, pieces);
}

/// Other values than `value` of a type, as code and in words.
pub(super) fn results(ty: &syn::Type, value: &str) -> Vec<(String, String)> {
    let other = |code: String, words: &str| (code, words.to_owned());
    let shorter = |nothing: String| {
        vec![
            other(nothing, "returning nothing"),
            other(
                format!("crate::__genmorph::Other::last_dropped({value})"),
                "returning all but the last element",
            ),
            other(format!("crate::__genmorph::Other::turned({value})"), "returning it reversed"),
        ]
    };
    match ty {
        syn::Type::Paren(inner) => results(&inner.elem, value),
        syn::Type::Reference(reference) if reference.mutability.is_none() => match &*reference.elem
        {
            syn::Type::Slice(_) => shorter(format!("&{value}[..0]")),
            syn::Type::Path(path) if path.path.is_ident("str") => shorter(format!("&{value}[..0]")),
            _ => Vec::new(),
        },
        syn::Type::Path(path) => {
            let Some(last) = path.path.segments.last() else { return Vec::new() };
            let name = last.ident.to_string();
            if let Some(primitive) = Primitive::named(&name) {
                return single(primitive, value);
            }
            match name.as_str() {
                "String" => shorter("crate::__gm_std::string::String::new()".to_owned()),
                "Vec" => shorter("crate::__gm_std::vec::Vec::new()".to_owned()),
                "Option" | "Result" => {
                    let syn::PathArguments::AngleBracketed(given) = &last.arguments else {
                        return Vec::new();
                    };
                    let Some(syn::GenericArgument::Type(inner)) = given.args.first() else {
                        return Vec::new();
                    };
                    let mut all = Vec::new();
                    if name == "Option" {
                        all.push(other("core::option::Option::None".to_owned(), "returning None"));
                    }
                    all.extend(
                        results(inner, "gm_w")
                            .into_iter()
                            .map(|(code, words)| (format!("{value}.map(|gm_w| {code})"), words)),
                    );
                    all
                }
                _ => Vec::new(),
            }
        }
        _ => Vec::new(),
    }
}

fn single(primitive: Primitive, value: &str) -> Vec<(String, String)> {
    let other = |code: String, words: &str| (code, words.to_owned());
    match primitive {
        Primitive::Bool => vec![other(format!("!{value}"), "returning the opposite")],
        Primitive::Char => vec![other("'a'".to_owned(), "returning 'a'")],
        number => {
            let (zero, one) = if number.is_integer() { ("0", "1") } else { ("0.0", "1.0") };
            let mut all = vec![
                other(zero.to_owned(), "returning 0"),
                other(format!("{value} + {one}"), "returning one more"),
            ];
            if number.is_signed() {
                all.push(other(format!("-{value}"), "returning the negative"));
            }
            all
        }
    }
}
