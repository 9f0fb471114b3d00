//! What a test module brings along: the operators of relations, as far as Python has others, and what follow-ups need.

use crate::export::Calls;

/// A function of the test module; in the order in which they are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[expect(missing_docs, reason = "the texts that they are written with say what they are")]
pub enum Helper {
    Num,
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
    Index,
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

/// The helpers that a module needs.
pub type Helpers = crate::export::Helpers<Helper>;

impl Calls for Helper {
    const EQ: Helper = Helper::Eq;

    fn calls(&self) -> Option<Helper> {
        match self {
            Helper::EqSeq | Helper::Lt | Helper::Le | Helper::Div => Some(Helper::Eq),
            Helper::Gt => Some(Helper::Lt),
            Helper::Ge => Some(Helper::Le),
            Helper::Remove | Helper::Truncate | Helper::ToText => Some(Helper::Index),
            Helper::Character => Some(Helper::Whole),
            Helper::Num
            | Helper::Eq
            | Helper::Length
            | Helper::Sum
            | Helper::Flip
            | Helper::Index
            | Helper::Place
            | Helper::Changed
            | Helper::Same
            | Helper::Whole
            | Helper::Single => None,
        }
    }
}

impl Helpers {
    /// Their source, in a fixed order, two blank lines before each.
    pub fn source(&self) -> String {
        self.iter().map(|helper| format!("\n{}", helper.source())).collect()
    }
}

impl Helper {
    /// The name of the function.
    pub fn name(self) -> &'static str {
        match self {
            Helper::Num => "num",
            Helper::Eq => "eq",
            Helper::EqSeq => "eq_seq",
            Helper::Lt => "lt",
            Helper::Gt => "gt",
            Helper::Le => "le",
            Helper::Ge => "ge",
            Helper::Div => "div",
            Helper::Length => "length",
            Helper::Sum => "total",
            Helper::Flip => "flip",
            Helper::Index => "index",
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
            Helper::Num => NUM,
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
            Helper::Index => INDEX,
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

const NUM: &str = r#"
def num(x):
    """A number as a float; what is too large for one is infinite."""
    try:
        return float(x)
    except OverflowError:
        return math.inf if x > 0 else -math.inf
"#;

const EQ: &str = r#"
def eq(a, b):
    """The same number, both NaN, or both finite and within the tolerance."""
    if math.isnan(a) or math.isnan(b):
        return math.isnan(a) and math.isnan(b)
    finite = math.isfinite(a) and math.isfinite(b)
    return a == b or (finite and abs(a - b) <= ABS + REL * max(abs(a), abs(b)))
"#;

const EQ_SEQ: &str = r#"
def eq_seq(a, b):
    """As long as each other, and equal element by element."""
    return len(a) == len(b) and all(eq(x, y) for x, y in zip(a, b))
"#;

const LT: &str = r#"
def lt(a, b):
    """Less, and not within the tolerance."""
    return a < b and not eq(a, b)
"#;

const GT: &str = r#"
def gt(a, b):
    """Greater, and not within the tolerance."""
    return lt(b, a)
"#;

const LE: &str = r#"
def le(a, b):
    """Less, or equal within the tolerance."""
    return a < b or eq(a, b)
"#;

const GE: &str = r#"
def ge(a, b):
    """Greater, or equal within the tolerance."""
    return le(b, a)
"#;

const DIV: &str = r#"
def div(a, b):
    """The quotient; 1 where the divisor equals 0."""
    return 1.0 if eq(b, 0.0) else a / b
"#;

const LENGTH: &str = r#"
def length(s):
    """The number of elements."""
    return float(len(s))
"#;

// From Python 3.12 on, `sum` of floats is exacter than one addition after the other.
const SUM: &str = r#"
def total(s):
    """The elements added from left to right."""
    result = 0.0
    for element in s:
        result += element
    return result
"#;

const FLIP: &str = r#"
def flip(s):
    """The elements in reverse order."""
    return s[::-1]
"#;

const INDEX: &str = r#"
def index(n):
    """A number cut to a 64-bit integer; NaN gives 0, and what is too large the nearest."""
    if math.isnan(n):
        return 0
    return int(max(-(2.0**63), n)) if n < 2.0**63 else 2**63 - 1
"#;

const REMOVE: &str = r#"
def remove(s, n):
    """Without the element at an index; negative ones count from the end, others change nothing."""
    i = index(n)
    at = i + len(s) if i < 0 else i
    return s[:at] + s[at + 1 :] if 0 <= at < len(s) else s
"#;

const TRUNCATE: &str = r#"
def truncate(s, n):
    """The first n elements; if n is negative, all but the first -n."""
    i = index(n)
    return s[-i:] if i < 0 else s[:i]
"#;

const TO_TEXT: &str = r#"
def to_text(n):
    """The decimal digits of a number, cut to a 64-bit integer, as a sequence of characters."""
    return [float(ord(c)) for c in str(index(n))]
"#;

const PLACE: &str = r#"
def place(length, i):
    """The place of an index in a sequence, if it has it; negative ones count from the end."""
    at = i + length if i < 0 else i
    return at if 0 <= at < length else None
"#;

const CHANGED: &str = r#"
def changed(before, after):
    """What became of a number, unless that is the same, no number, or an infinity that comes of rounding."""
    is_new = after != before and not math.isnan(after)
    return after if is_new and (math.isfinite(after) or math.isinf(before)) else None
"#;

const SAME: &str = r#"
def same(a, b):
    """The same number, to the last bit but for the sign of 0; NaN is the same as itself."""
    return a == b or (math.isnan(a) and math.isnan(b))
"#;

const WHOLE: &str = r#"
def whole(x):
    """A number that is an integer, as one."""
    return int(x) if x is not None and math.isfinite(x) and x == int(x) else None
"#;

const CHARACTER: &str = r#"
def character(code):
    """The character with a code."""
    code = whole(code)
    is_one = code is not None and 0 <= code <= 0x10FFFF and not 0xD800 <= code <= 0xDFFF
    return chr(code) if is_one else None
"#;

const SINGLE: &str = r#"
def single(x):
    """A number that is one of single precision."""
    is_one = x is not None and (math.isnan(x) or ctypes.c_float(x).value == x)
    return x if is_one else None
"#;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_helper_brings_those_that_it_calls() {
        let mut helpers = Helpers::default();
        helpers.need(Helper::ToText);
        let source = helpers.source();
        assert!(source.starts_with("\n\ndef index(n):"), "{source}");
        assert!(source.contains("\n\n\ndef to_text(n):"), "{source}");
        assert!(!helpers.compare());
    }
}
