//! The operators: signature, spelling and, with `class`, scalar meaning. THE definition.
//!
//! Every engine, the printer, the parser and every exporter answers to this file. It knows nothing of
//! rows, columns or programs. The set of operators is closed on purpose: matches on [`Op`], [`Class`] and
//! the operators of a class have no `_` arm, so that a new operator fails to compile until every tier
//! has answered.

mod class;
mod sequence;

use std::borrow::Cow;
use std::fmt;

pub use self::class::{
    ArithmeticOp, Class, ComparisonOp, LogicOp, LookupOp, MeasureOp, SequenceOp, TestOp,
};
pub use self::sequence::{
    at, greatest, in_order, is_sorted, least, lower, occurrence, sorted, upper,
};
use crate::tolerance::Tolerance;

/// The static type of an expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Type {
    /// An IEEE f64: every integer, float, char (its code) and enum-like number.
    Num,
    /// A truth value: true or false.
    Bool,
    /// An ordered sequence of numbers: arrays, lists and strings.
    Seq,
}

impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Type::Num => "Num",
            Type::Bool => "Bool",
            Type::Seq => "Seq",
        })
    }
}

/// An operator of the relation language.
///
/// `==` and `!=` are one spelling for three pairs of operators; the types of the operands choose.
/// On `Bool` they are [`Op::Iff`] and [`Op::Xor`]: one operator each, printed as `iff` and `xor`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum Op {
    /// `a + b`, IEEE.
    Add,
    /// `a - b`, IEEE.
    Sub,
    /// `a * b`, IEEE.
    Mul,
    /// `a / b`, protected: 1 where `b == 0` by [`Tolerance::eq`], else IEEE.
    Div,
    /// `abs(a)`: IEEE `fabs`, which clears the sign.
    Abs,
    /// `a == b` on numbers, by [`Tolerance::eq`].
    NumEq,
    /// `a != b` on numbers: the negation of [`Op::NumEq`].
    NumNe,
    /// `a < b`: IEEE `a < b`, and not `a == b`.
    Lt,
    /// `a > b`: `b < a`.
    Gt,
    /// `a <= b`: `a < b` or `a == b`. True when both are NaN.
    Le,
    /// `a >= b`: `b <= a`.
    Ge,
    /// `a and b`, strict like all the logical operators.
    And,
    /// `a or b`: at least one holds.
    Or,
    /// `a xor b`; `!=` on `Bool`.
    Xor,
    /// `a iff b`; `==` on `Bool`.
    Iff,
    /// `a implies b`: `b` or not `a`.
    Implies,
    /// `not a`: the negation.
    Not,
    /// `length(s)`: the number of elements.
    Length,
    /// `sum(s)`: the elements added left to right, starting from 0.
    Sum,
    /// `s == t` on sequences: the same length, and every element equal by [`Tolerance::eq`].
    SeqEq,
    /// `s != t` on sequences: the negation of [`Op::SeqEq`].
    SeqNe,
    /// `flip(s)`: the elements in reverse order.
    Flip,
    /// `remove(s, n)`: without the element at index [`index`]`(n)`; negative indices count from the
    /// end; unchanged when the index is out of bounds.
    Remove,
    /// `truncate(s, n)`: for `n >= 0` the first `min(n, len)` elements; for `n < 0` all but the
    /// first `min(-n, len)`.
    Truncate,
    /// `toString(n)`: the decimal text of [`index`]`(n)`, one number per character.
    ToString,
    /// `min(a, b)`: the smaller number by IEEE `<`, whatever the tolerance; NaN if either is NaN.
    Min,
    /// `max(a, b)`: the larger number by IEEE `<`, whatever the tolerance; NaN if either is NaN.
    Max,
    /// `a mod b`: what is left of `a` after the largest multiple of `b` below it, with the sign of `b`; 0
    /// where `b == 0` by [`Tolerance::eq`]. See [`modulo`].
    Mod,
    /// `floor(a)`: the largest integer that is not more; NaN and the infinities stay as they are.
    Floor,
    /// `s ++ t`: the elements of `s`, then those of `t`.
    Join,
    /// `sort(s)`: the elements in ascending order, NaN last.
    Sort,
    /// `upper(s)`: ASCII letters `a` to `z` replaced by `A` to `Z`; all other elements stay.
    Upper,
    /// `lower(s)`: ASCII letters `A` to `Z` replaced by `a` to `z`; all other elements stay.
    Lower,
    /// `first(s)`: `at(s, 0)`.
    First,
    /// `last(s)`: `at(s, -1)`.
    Last,
    /// `least(s)`: the first element of `sort(s)`; 0 of no elements.
    Least,
    /// `greatest(s)`: the last element of `sort(s)`, so NaN if there is one; 0 of no elements.
    Greatest,
    /// `at(s, n)`: the element at [`index`]`(n)`; negative indices count from the end; 0 where there is no
    /// such element.
    At,
    /// `count(s, n)`: how many elements are equal to `n` by [`Tolerance::eq`].
    Count,
    /// `indexOf(s, t)`: the first place from which on `s` has the elements of `t`, by [`Tolerance::eq`]; -1 if
    /// there is none. The empty sequence is at 0.
    IndexOf,
    /// `contains(s, t)`: `indexOf(s, t)` is not -1.
    Contains,
    /// `startsWith(s, t)`: the first `length(t)` elements of `s` are those of `t`, by [`Tolerance::eq`].
    StartsWith,
    /// `endsWith(s, t)`: the last `length(t)` elements of `s` are those of `t`, by [`Tolerance::eq`].
    EndsWith,
    /// `sameElements(s, t)`: `sort(s) == sort(t)`.
    SameElements,
    /// `sorted(s)`: no element is less than the one before it, by [`Tolerance::lt`], where NaN is more than
    /// every number.
    Sorted,
}

/// The operand types and the result type of an operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Signature {
    /// One type per operand, in order; one or two of them.
    pub operands: &'static [Type],
    /// The type of the result.
    pub result: Type,
}

impl Op {
    /// Every operator, in the order of declaration.
    pub const ALL: [Op; 45] = [
        Op::Add,
        Op::Sub,
        Op::Mul,
        Op::Div,
        Op::Abs,
        Op::NumEq,
        Op::NumNe,
        Op::Lt,
        Op::Gt,
        Op::Le,
        Op::Ge,
        Op::And,
        Op::Or,
        Op::Xor,
        Op::Iff,
        Op::Implies,
        Op::Not,
        Op::Length,
        Op::Sum,
        Op::SeqEq,
        Op::SeqNe,
        Op::Flip,
        Op::Remove,
        Op::Truncate,
        Op::ToString,
        Op::Min,
        Op::Max,
        Op::Mod,
        Op::Floor,
        Op::Join,
        Op::Sort,
        Op::Upper,
        Op::Lower,
        Op::First,
        Op::Last,
        Op::Least,
        Op::Greatest,
        Op::At,
        Op::Count,
        Op::IndexOf,
        Op::Contains,
        Op::StartsWith,
        Op::EndsWith,
        Op::SameElements,
        Op::Sorted,
    ];

    /// Whether the operator is one of the paper's, which are all that `--paper` searches with.
    #[inline]
    pub const fn is_papers(self) -> bool {
        (self as u8) <= Op::ToString as u8
    }

    /// The operand types and the result type.
    pub const fn signature(self) -> Signature {
        use Type::{Bool, Num, Seq};
        let (operands, result): (&'static [Type], Type) = match self {
            Op::Add | Op::Sub | Op::Mul | Op::Div | Op::Min | Op::Max | Op::Mod => {
                (&[Num, Num], Num)
            }
            Op::Abs | Op::Floor => (&[Num], Num),
            Op::NumEq | Op::NumNe | Op::Lt | Op::Gt | Op::Le | Op::Ge => (&[Num, Num], Bool),
            Op::And | Op::Or | Op::Xor | Op::Iff | Op::Implies => (&[Bool, Bool], Bool),
            Op::Not => (&[Bool], Bool),
            Op::Length | Op::Sum | Op::First | Op::Last | Op::Least | Op::Greatest => (&[Seq], Num),
            Op::At | Op::Count => (&[Seq, Num], Num),
            Op::IndexOf => (&[Seq, Seq], Num),
            Op::SeqEq
            | Op::SeqNe
            | Op::Contains
            | Op::StartsWith
            | Op::EndsWith
            | Op::SameElements => (&[Seq, Seq], Bool),
            Op::Sorted => (&[Seq], Bool),
            Op::Flip | Op::Sort | Op::Upper | Op::Lower => (&[Seq], Seq),
            Op::Join => (&[Seq, Seq], Seq),
            Op::Remove | Op::Truncate => (&[Seq, Num], Seq),
            Op::ToString => (&[Num], Seq),
        };
        Signature { operands, result }
    }

    /// The number of operands: one or two.
    #[inline]
    pub const fn arity(self) -> usize {
        self.signature().operands.len()
    }

    /// The type of the result.
    #[inline]
    pub const fn result(self) -> Type {
        self.signature().result
    }

    /// How the operator is written.
    pub const fn spelling(self) -> &'static str {
        match self {
            Op::Add => "+",
            Op::Sub => "-",
            Op::Mul => "*",
            Op::Div => "/",
            Op::Abs => "abs",
            Op::NumEq | Op::SeqEq => "==",
            Op::NumNe | Op::SeqNe => "!=",
            Op::Lt => "<",
            Op::Gt => ">",
            Op::Le => "<=",
            Op::Ge => ">=",
            Op::And => "and",
            Op::Or => "or",
            Op::Xor => "xor",
            Op::Iff => "iff",
            Op::Implies => "implies",
            Op::Not => "not",
            Op::Length => "length",
            Op::Sum => "sum",
            Op::Flip => "flip",
            Op::Remove => "remove",
            Op::Truncate => "truncate",
            Op::ToString => "toString",
            Op::Min => "min",
            Op::Max => "max",
            Op::Mod => "mod",
            Op::Floor => "floor",
            Op::Join => "++",
            Op::Sort => "sort",
            Op::Upper => "upper",
            Op::Lower => "lower",
            Op::First => "first",
            Op::Last => "last",
            Op::Least => "least",
            Op::Greatest => "greatest",
            Op::At => "at",
            Op::Count => "count",
            Op::IndexOf => "indexOf",
            Op::Contains => "contains",
            Op::StartsWith => "startsWith",
            Op::EndsWith => "endsWith",
            Op::SameElements => "sameElements",
            Op::Sorted => "sorted",
        }
    }

    /// The place of the operator in the text form.
    pub const fn fixity(self) -> Fixity {
        use Assoc::{Left, None, Right};
        match self {
            Op::Iff => Fixity::Infix(1, Left),
            Op::Implies => Fixity::Infix(2, Right),
            Op::Or => Fixity::Infix(3, Left),
            Op::Xor => Fixity::Infix(4, Left),
            Op::And => Fixity::Infix(5, Left),
            Op::Not => Fixity::Prefix(6),
            Op::NumEq | Op::NumNe | Op::Lt | Op::Gt | Op::Le | Op::Ge | Op::SeqEq | Op::SeqNe => {
                Fixity::Infix(7, None)
            }
            Op::Add | Op::Sub | Op::Join => Fixity::Infix(8, Left),
            Op::Mul | Op::Div | Op::Mod => Fixity::Infix(9, Left),
            Op::Abs
            | Op::Length
            | Op::Sum
            | Op::Flip
            | Op::Remove
            | Op::Truncate
            | Op::ToString
            | Op::Min
            | Op::Max
            | Op::Floor
            | Op::Sort
            | Op::Upper
            | Op::Lower
            | Op::First
            | Op::Last
            | Op::Least
            | Op::Greatest
            | Op::At
            | Op::Count
            | Op::IndexOf
            | Op::Contains
            | Op::StartsWith
            | Op::EndsWith
            | Op::SameElements
            | Op::Sorted => Fixity::Call,
        }
    }

    /// The operator that gives the same answer when its operands change places: `>` for `<`, and `+` for
    /// itself. `None` if there is no such operator, or only one operand.
    #[inline]
    pub const fn mirrored(self) -> Option<Op> {
        match self.class() {
            Class::Arithmetic(op) => match op {
                ArithmeticOp::Add | ArithmeticOp::Mul | ArithmeticOp::Min | ArithmeticOp::Max => {
                    Some(self)
                }
                ArithmeticOp::Sub
                | ArithmeticOp::Div
                | ArithmeticOp::Abs
                | ArithmeticOp::Mod
                | ArithmeticOp::Floor => None,
            },
            Class::Comparison(op) => Some(match op {
                ComparisonOp::Lt => Op::Gt,
                ComparisonOp::Gt => Op::Lt,
                ComparisonOp::Le => Op::Ge,
                ComparisonOp::Ge => Op::Le,
                ComparisonOp::NumEq
                | ComparisonOp::NumNe
                | ComparisonOp::SeqEq
                | ComparisonOp::SeqNe => self,
            }),
            Class::Logic(op) => match op {
                LogicOp::And | LogicOp::Or | LogicOp::Xor | LogicOp::Iff => Some(self),
                LogicOp::Implies | LogicOp::Not => None,
            },
            Class::Test(op) => match op {
                TestOp::SameElements => Some(self),
                TestOp::Contains | TestOp::StartsWith | TestOp::EndsWith | TestOp::Sorted => None,
            },
            Class::Measure(_) | Class::Lookup(_) | Class::Sequence(_) => None,
        }
    }

    /// The meaning of the operator on one row.
    ///
    /// # Panics
    /// If the operands do not have the types of [`Op::signature`].
    pub fn apply<'a>(self, operands: &[Value<'a>], tolerance: &Tolerance) -> Value<'a> {
        use Value::{Bool, Num, Seq};
        let result = match (self.class(), operands) {
            _ if operands.len() != self.arity() => None,
            (Class::Arithmetic(op), &[Num(a)]) => Some(Num(op.apply(a, a, tolerance))),
            (Class::Arithmetic(op), &[Num(a), Num(b)]) => Some(Num(op.apply(a, b, tolerance))),
            (Class::Comparison(op), [a, b]) => op.apply(a, b, tolerance).map(Bool),
            (Class::Logic(op), &[Bool(a)]) => Some(Bool(op.apply(a, a))),
            (Class::Logic(op), &[Bool(a), Bool(b)]) => Some(Bool(op.apply(a, b))),
            (Class::Measure(op), [Seq(s)]) => Some(Num(op.apply(s))),
            (Class::Lookup(op), operands) => op.apply(operands, tolerance).map(Num),
            (Class::Test(op), [Seq(s)]) => Some(Bool(op.apply(s, s, tolerance))),
            (Class::Test(op), [Seq(s), Seq(t)]) => Some(Bool(op.apply(s, t, tolerance))),
            (Class::Sequence(op), operands) => op.apply(operands).map(Seq),
            (
                Class::Arithmetic(_)
                | Class::Comparison(_)
                | Class::Logic(_)
                | Class::Measure(_)
                | Class::Test(_),
                _,
            ) => None,
        };
        result.unwrap_or_else(|| panic!("{self:?} applied to {operands:?}"))
    }
}

/// Where an operator stands in the text form; a higher precedence binds tighter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fixity {
    /// Between its operands, with this precedence and associativity.
    Infix(u8, Assoc),
    /// Before its only operand.
    Prefix(u8),
    /// A name followed by its operands in parentheses.
    Call,
}

/// How operators of one precedence group without parentheses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Assoc {
    /// `a - b - c` is `(a - b) - c`.
    Left,
    /// `a implies b implies c` is `a implies (b implies c)`.
    Right,
    /// `a < b < c` is an error.
    None,
}

/// A value of one row, as the reference evaluator sees it.
#[derive(Clone, Debug, PartialEq)]
pub enum Value<'a> {
    /// A value of [`Type::Num`].
    Num(f64),
    /// A value of [`Type::Bool`].
    Bool(bool),
    /// A value of [`Type::Seq`].
    Seq(Cow<'a, [f64]>),
}

impl Value<'_> {
    /// The type of the value.
    pub fn ty(&self) -> Type {
        match self {
            Value::Num(_) => Type::Num,
            Value::Bool(_) => Type::Bool,
            Value::Seq(_) => Type::Seq,
        }
    }

    /// Equality up to the sign of a zero and the payload of a NaN, which no operator can observe.
    pub fn is_same(&self, other: &Value<'_>) -> bool {
        self.agrees(other, |a, b| a == b || (a.is_nan() && b.is_nan()))
    }

    /// Whether two values are of one type and all their numbers are equal in the given sense.
    pub fn agrees(&self, other: &Value<'_>, equal: impl Fn(f64, f64) -> bool) -> bool {
        match (self, other) {
            (Value::Num(a), Value::Num(b)) => equal(*a, *b),
            (Value::Bool(a), Value::Bool(b)) => a == b,
            (Value::Seq(a), Value::Seq(b)) => {
                a.len() == b.len() && a.iter().zip(b.iter()).all(|(a, b)| equal(*a, *b))
            }
            (Value::Num(_) | Value::Bool(_) | Value::Seq(_), _) => false,
        }
    }
}

/// A number as an index: truncated toward zero, NaN to 0, saturating at the ends of i64.
#[inline]
pub fn index(n: f64) -> i64 {
    // Rust's `as` is defined as exactly this.
    n as i64
}

/// The element that `remove(s, n)` drops from a sequence of `len` elements, if there is one.
#[inline]
pub fn removed_index(len: usize, n: f64) -> Option<usize> {
    let n = index(n);
    let i = if n < 0 { n + len as i64 } else { n };
    (0..len as i64).contains(&i).then_some(i as usize)
}

/// The elements that `truncate(s, n)` keeps of a sequence of `len` elements.
#[inline]
pub fn truncated_span(len: usize, n: f64) -> std::ops::Range<usize> {
    let n = index(n);
    let k = (len as u64).min(n.unsigned_abs()) as usize;
    if n < 0 { k..len } else { 0..k }
}

/// `sum(s)`: the elements added from the first to the last, beginning with 0.
#[inline]
pub fn sum(s: &[f64]) -> f64 {
    s.iter().fold(0.0, |total, x| total + x)
}

/// `a mod b`: IEEE `fmod`, which is exact, and `b` added where its sign is not that of `b`. NaN where `a` is not
/// finite or either is NaN.
#[inline]
pub fn modulo(a: f64, b: f64, tolerance: &Tolerance) -> f64 {
    /// Below this the quotient of integers is rounded to no other integer than the one it is.
    const EXACT: f64 = 4_503_599_627_370_496.0;
    if tolerance.eq(b, 0.0) {
        return 0.0;
    }
    let quotient = (a / b).floor();
    if a.abs() < EXACT && b.abs() < EXACT && a.floor() == a && b.floor() == b {
        // The same number without `fmod`, which is slow. Never -0.
        return a - quotient * b + 0.0;
    }
    let rest = a % b;
    if rest == 0.0 {
        0.0
    } else if (rest < 0.0) == (b < 0.0) {
        rest
    } else {
        rest + b
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_lists_every_operator_in_order() {
        for (i, op) in Op::ALL.iter().enumerate() {
            assert_eq!(*op as usize, i);
        }
    }

    #[test]
    fn removal_counts_from_both_ends_and_ignores_what_is_outside() {
        assert_eq!(removed_index(3, 0.0), Some(0));
        assert_eq!(removed_index(3, 2.9), Some(2));
        assert_eq!(removed_index(3, 3.0), None);
        assert_eq!(removed_index(3, -0.9), Some(0));
        assert_eq!(removed_index(3, -1.0), Some(2));
        assert_eq!(removed_index(3, -3.0), Some(0));
        assert_eq!(removed_index(3, -4.0), None);
        assert_eq!(removed_index(3, f64::NAN), Some(0));
        assert_eq!(removed_index(0, 0.0), None);
        assert_eq!(removed_index(3, f64::NEG_INFINITY), None);
    }

    #[test]
    fn truncation_keeps_a_prefix_or_drops_one() {
        assert_eq!(truncated_span(3, 2.0), 0..2);
        assert_eq!(truncated_span(3, 9.0), 0..3);
        assert_eq!(truncated_span(3, -1.0), 1..3);
        assert_eq!(truncated_span(3, -9.0), 3..3);
        assert_eq!(truncated_span(3, -0.5), 0..0);
        assert_eq!(truncated_span(3, f64::NAN), 0..0);
        assert_eq!(truncated_span(3, f64::INFINITY), 0..3);
        assert_eq!(truncated_span(3, f64::NEG_INFINITY), 3..3);
    }
}
