//! The operators: signature, spelling and, with `class`, scalar meaning. THE definition.
//!
//! Every engine, the printer, the parser and every exporter answers to this file. It knows nothing of
//! rows, columns or programs. The set of operators is closed on purpose: matches on [`Op`], [`Class`] and
//! the operators of a class have no `_` arm, so that a new operator fails to compile until every tier
//! has answered.

mod class;

use std::borrow::Cow;
use std::fmt;

pub use self::class::{ArithmeticOp, Class, ComparisonOp, LogicOp, MeasureOp, SequenceOp};
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
    pub const ALL: [Op; 25] = [
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
    ];

    /// The operand types and the result type.
    pub const fn signature(self) -> Signature {
        use Type::{Bool, Num, Seq};
        let (operands, result): (&'static [Type], Type) = match self {
            Op::Add | Op::Sub | Op::Mul | Op::Div => (&[Num, Num], Num),
            Op::Abs => (&[Num], Num),
            Op::NumEq | Op::NumNe | Op::Lt | Op::Gt | Op::Le | Op::Ge => (&[Num, Num], Bool),
            Op::And | Op::Or | Op::Xor | Op::Iff | Op::Implies => (&[Bool, Bool], Bool),
            Op::Not => (&[Bool], Bool),
            Op::Length | Op::Sum => (&[Seq], Num),
            Op::SeqEq | Op::SeqNe => (&[Seq, Seq], Bool),
            Op::Flip => (&[Seq], Seq),
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
            Op::Add | Op::Sub => Fixity::Infix(8, Left),
            Op::Mul | Op::Div => Fixity::Infix(9, Left),
            Op::Abs
            | Op::Length
            | Op::Sum
            | Op::Flip
            | Op::Remove
            | Op::Truncate
            | Op::ToString => Fixity::Call,
        }
    }

    /// The operator that gives the same answer when its operands change places: `>` for `<`, and `+` for
    /// itself. `None` if there is no such operator, or only one operand.
    #[inline]
    pub const fn mirrored(self) -> Option<Op> {
        match self.class() {
            Class::Arithmetic(op) => match op {
                ArithmeticOp::Add | ArithmeticOp::Mul => Some(self),
                ArithmeticOp::Sub | ArithmeticOp::Div | ArithmeticOp::Abs => None,
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
            Class::Measure(_) | Class::Sequence(_) => None,
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
            (Class::Sequence(op), operands) => op.apply(operands).map(Seq),
            (
                Class::Arithmetic(_) | Class::Comparison(_) | Class::Logic(_) | Class::Measure(_),
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
