//! What a test file brings along: the operators of relations, as far as Rust has others, and what follow-ups need.

use crate::export::Calls;

/// A function of the test file; in the order in which they are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[expect(missing_docs, reason = "the doc comments that they are written with say what they are")]
pub enum Helper {
    Codes,
    Eq,
    EqSeq,
    Lt,
    Gt,
    Le,
    Ge,
    Div,
    Length,
    Sum,
    Flip,
    Remove,
    Truncate,
    ToText,
    Place,
    Changed,
    Same,
    Whole,
    Character,
    Single,
}

/// The helpers that a file needs.
pub type Helpers = crate::export::Helpers<Helper>;

impl Calls for Helper {
    const EQ: Helper = Helper::Eq;

    fn calls(&self) -> Option<Helper> {
        match self {
            Helper::EqSeq | Helper::Lt | Helper::Le | Helper::Div => Some(Helper::Eq),
            Helper::Gt => Some(Helper::Lt),
            Helper::Ge => Some(Helper::Le),
            Helper::Character => Some(Helper::Whole),
            Helper::Codes
            | Helper::Eq
            | Helper::Length
            | Helper::Sum
            | Helper::Flip
            | Helper::Remove
            | Helper::Truncate
            | Helper::ToText
            | Helper::Place
            | Helper::Changed
            | Helper::Same
            | Helper::Whole
            | Helper::Single => None,
        }
    }
}

impl Helpers {
    /// Their source, in a fixed order, a blank line before each.
    pub fn source(&self) -> String {
        self.iter().map(|helper| helper.source()).collect()
    }
}

impl Helper {
    /// The name of the function.
    pub fn name(self) -> &'static str {
        match self {
            Helper::Codes => "codes",
            Helper::Eq => "eq",
            Helper::EqSeq => "eq_seq",
            Helper::Lt => "lt",
            Helper::Gt => "gt",
            Helper::Le => "le",
            Helper::Ge => "ge",
            Helper::Div => "div",
            Helper::Length => "length",
            Helper::Sum => "sum",
            Helper::Flip => "flip",
            Helper::Remove => "remove",
            Helper::Truncate => "truncate",
            Helper::ToText => "to_text",
            Helper::Place => "place",
            Helper::Changed => "changed",
            Helper::Same => "same",
            Helper::Whole => "whole",
            Helper::Character => "character",
            Helper::Single => "single",
        }
    }

    fn source(self) -> &'static str {
        match self {
            Helper::Codes => CODES,
            Helper::Eq => EQ,
            Helper::EqSeq => EQ_SEQ,
            Helper::Lt => LT,
            Helper::Gt => GT,
            Helper::Le => LE,
            Helper::Ge => GE,
            Helper::Div => DIV,
            Helper::Length => LENGTH,
            Helper::Sum => SUM,
            Helper::Flip => FLIP,
            Helper::Remove => REMOVE,
            Helper::Truncate => TRUNCATE,
            Helper::ToText => TO_TEXT,
            Helper::Place => PLACE,
            Helper::Changed => CHANGED,
            Helper::Same => SAME,
            Helper::Whole => WHOLE,
            Helper::Character => CHARACTER,
            Helper::Single => SINGLE,
        }
    }
}

const CODES: &str = "
/// The characters of a text, as their Unicode code points.
fn codes(text: &str) -> Vec<f64> {
    text.chars().map(|c| f64::from(u32::from(c))).collect()
}
";

const EQ: &str = "
/// The same number, both NaN, or both finite and within the tolerance.
fn eq(a: f64, b: f64) -> bool {
    if a.is_nan() || b.is_nan() {
        return a.is_nan() && b.is_nan();
    }
    let finite = a.is_finite() && b.is_finite();
    a == b || finite && (a - b).abs() <= ABS + REL * a.abs().max(b.abs())
}
";

const EQ_SEQ: &str = "
/// As long as each other, and equal element by element.
fn eq_seq(a: &[f64], b: &[f64]) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(&a, &b)| eq(a, b))
}
";

const LT: &str = "
/// Less, and not within the tolerance.
fn lt(a: f64, b: f64) -> bool {
    a < b && !eq(a, b)
}
";

const GT: &str = "
/// Greater, and not within the tolerance.
fn gt(a: f64, b: f64) -> bool {
    lt(b, a)
}
";

const LE: &str = "
/// Less, or equal within the tolerance.
fn le(a: f64, b: f64) -> bool {
    a < b || eq(a, b)
}
";

const GE: &str = "
/// Greater, or equal within the tolerance.
fn ge(a: f64, b: f64) -> bool {
    le(b, a)
}
";

const DIV: &str = "
/// The quotient; 1 where the divisor equals 0.
fn div(a: f64, b: f64) -> f64 {
    if eq(b, 0.0) { 1.0 } else { a / b }
}
";

const LENGTH: &str = "
/// The number of elements.
fn length(s: &[f64]) -> f64 {
    s.len() as f64
}
";

// `Iterator::sum` begins with -0, of which no relation can tell; it is written out all the same.
const SUM: &str = "
/// The elements added from left to right.
fn sum(s: &[f64]) -> f64 {
    s.iter().fold(0.0, |total, element| total + element)
}
";

const FLIP: &str = "
/// The elements in reverse order.
fn flip(s: &[f64]) -> Vec<f64> {
    s.iter().rev().copied().collect()
}
";

const REMOVE: &str = "
/// Without the element at an index, cut to an integer; negative ones count from the end, others change nothing.
fn remove(s: &[f64], n: f64) -> Vec<f64> {
    let (n, len) = (n as i64, s.len() as i64);
    let index = if n < 0 { n + len } else { n };
    let mut rest = s.to_vec();
    if 0 <= index && index < len {
        rest.remove(index as usize);
    }
    rest
}
";

const TRUNCATE: &str = "
/// The first n elements; if n is negative, all but the first -n.
fn truncate(s: &[f64], n: f64) -> Vec<f64> {
    let count = (n as i64).unsigned_abs().min(s.len() as u64) as usize;
    if (n as i64) < 0 { s[count..].to_vec() } else { s[..count].to_vec() }
}
";

const TO_TEXT: &str = "
/// The decimal digits of a number, cut to a 64-bit integer, as a sequence of characters.
fn to_text(n: f64) -> Vec<f64> {
    (n as i64).to_string().bytes().map(f64::from).collect()
}
";

const PLACE: &str = "
/// The place of an index in a sequence; negative ones count from the end.
fn place(len: usize, index: i64) -> Option<usize> {
    let place = if index < 0 { index + len as i64 } else { index };
    (0 <= place && place < len as i64).then_some(place as usize)
}
";

const CHANGED: &str = "
/// What became of a number, unless that is the same, no number, or an infinity that comes of rounding.
fn changed(from: f64, to: f64) -> Option<f64> {
    let is_new = to != from && !to.is_nan() && (to.is_finite() || from.is_infinite());
    is_new.then_some(to)
}
";

const SAME: &str = "
/// The same number, to the last bit but for the sign of 0; NaN is the same as itself.
fn same(a: f64, b: f64) -> bool {
    a == b || a.is_nan() && b.is_nan()
}
";

const WHOLE: &str = "
/// A number that is an integer within bounds.
fn whole(x: f64, least: f64, most: f64) -> Option<f64> {
    (x.fract() == 0.0 && least <= x && x <= most).then_some(x)
}
";

const CHARACTER: &str = "
/// The character with a code.
fn character(code: f64) -> Option<char> {
    char::from_u32(whole(code, 0.0, 1114111.0)? as u32)
}
";

const SINGLE: &str = "
/// A number that is one of single precision.
fn single(x: f64) -> Option<f32> {
    (x.is_nan() || f64::from(x as f32) == x).then_some(x as f32)
}
";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_helper_brings_those_that_it_calls() {
        let mut helpers = Helpers::default();
        helpers.need(Helper::Ge);
        let source = helpers.source();
        for name in ["fn eq(a: f64", "fn le(", "fn ge("] {
            assert!(source.contains(name), "{name}\n{source}");
        }
        assert!(!source.contains("fn lt("));
    }
}
