//! The operators by class, each class with its scalar meaning.
//!
//! Code that treats a whole class alike matches on [`Class`]; code that treats every operator of a
//! class on its own matches on the enum of that class. Neither needs the operators of other classes, so
//! a new operator is entered only where its class is taken apart.

use std::borrow::Cow;

use super::{
    Op, Value, at, greatest, index, is_sorted, least, lower, modulo, occurrence, removed_index,
    sorted, sum, truncated_span, upper,
};
use crate::tolerance::Tolerance;

/// Declares [`Class`], an enum of the operators of every class, and the conversions both ways.
macro_rules! classes {
    ($($(#[$doc:meta])* $class:ident($name:ident): $($op:ident),+;)+) => {
        /// A class of operators, with the operator.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Class {
            $($(#[$doc])* $class($name),)+
        }

        $(
            $(#[$doc])*
            #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
            #[repr(u8)]
            pub enum $name {
                $(#[doc = concat!("[`Op::", stringify!($op), "`].")] $op,)+
            }

            impl $name {
                /// Every operator of the class, in the order of [`Op::ALL`].
                pub const ALL: &[$name] = &[$($name::$op),+];
            }

            impl From<$name> for Op {
                fn from(op: $name) -> Op {
                    match op {
                        $($name::$op => Op::$op,)+
                    }
                }
            }
        )+

        impl Op {
            /// The class of the operator.
            #[inline]
            pub const fn class(self) -> Class {
                match self {
                    $($(Op::$op => Class::$class($name::$op),)+)+
                }
            }
        }
    };
}

classes! {
    /// Numbers to a number.
    Arithmetic(ArithmeticOp): Add, Sub, Mul, Div, Abs, Min, Max, Mod, Floor;
    /// Two numbers, or two sequences, to a truth value.
    Comparison(ComparisonOp): NumEq, NumNe, Lt, Gt, Le, Ge, SeqEq, SeqNe;
    /// Truth values to a truth value.
    Logic(LogicOp): And, Or, Xor, Iff, Implies, Not;
    /// A sequence to a number.
    Measure(MeasureOp): Length, Sum, First, Last, Least, Greatest;
    /// A sequence and a number, or two sequences, to a number.
    Lookup(LookupOp): At, Count, IndexOf;
    /// One sequence or two to a truth value.
    Test(TestOp): Contains, StartsWith, EndsWith, SameElements, Sorted;
    /// Sequences, numbers or both to a sequence.
    Sequence(SequenceOp): Flip, Remove, Truncate, ToString, Join, Sort, Upper, Lower;
}

impl ArithmeticOp {
    /// The result on two numbers; `abs` and `floor` do not read the second.
    #[inline]
    pub fn apply(self, a: f64, b: f64, tolerance: &Tolerance) -> f64 {
        match self {
            ArithmeticOp::Add => a + b,
            ArithmeticOp::Sub => a - b,
            ArithmeticOp::Mul => a * b,
            ArithmeticOp::Div => tolerance.divide(a, b),
            ArithmeticOp::Abs => a.abs(),
            ArithmeticOp::Min => {
                if a < b || a.is_nan() {
                    a
                } else {
                    b
                }
            }
            ArithmeticOp::Max => {
                if a > b || a.is_nan() {
                    a
                } else {
                    b
                }
            }
            ArithmeticOp::Mod => modulo(a, b, tolerance),
            ArithmeticOp::Floor => a.floor(),
        }
    }
}

impl ComparisonOp {
    /// The result on two numbers or two sequences; `None` if the values are of other types.
    #[inline]
    pub fn apply(self, a: &Value<'_>, b: &Value<'_>, tolerance: &Tolerance) -> Option<bool> {
        use ComparisonOp::{Ge, Gt, Le, Lt, NumEq, NumNe, SeqEq, SeqNe};
        match (a, b) {
            (&Value::Num(a), &Value::Num(b)) => match self {
                NumEq => Some(tolerance.eq(a, b)),
                NumNe => Some(!tolerance.eq(a, b)),
                Lt => Some(tolerance.lt(a, b)),
                Gt => Some(tolerance.lt(b, a)),
                Le => Some(tolerance.le(a, b)),
                Ge => Some(tolerance.le(b, a)),
                SeqEq | SeqNe => None,
            },
            (Value::Seq(s), Value::Seq(t)) => match self {
                SeqEq => Some(tolerance.seq_eq(s, t)),
                SeqNe => Some(!tolerance.seq_eq(s, t)),
                NumEq | NumNe | Lt | Gt | Le | Ge => None,
            },
            (Value::Num(_) | Value::Bool(_) | Value::Seq(_), _) => None,
        }
    }
}

impl LogicOp {
    /// The result on two truth values; `not` does not read the second.
    #[inline]
    pub const fn apply(self, a: bool, b: bool) -> bool {
        match self {
            LogicOp::And => a & b,
            LogicOp::Or => a | b,
            LogicOp::Xor => a ^ b,
            LogicOp::Iff => a == b,
            LogicOp::Implies => !a | b,
            LogicOp::Not => !a,
        }
    }
}

impl MeasureOp {
    /// The result on a sequence.
    #[inline]
    pub fn apply(self, s: &[f64]) -> f64 {
        match self {
            MeasureOp::Length => s.len() as f64,
            MeasureOp::Sum => sum(s),
            MeasureOp::First => at(s, 0.0),
            MeasureOp::Last => at(s, -1.0),
            MeasureOp::Least => least(s),
            MeasureOp::Greatest => greatest(s),
        }
    }
}

impl LookupOp {
    /// The result; `None` if the operands are not those of the operator's signature.
    pub fn apply(self, operands: &[Value<'_>], tolerance: &Tolerance) -> Option<f64> {
        use Value::{Num, Seq};
        match (self, operands) {
            (LookupOp::At, [Seq(s), Num(n)]) => Some(at(s, *n)),
            (LookupOp::Count, [Seq(s), Num(n)]) => {
                Some(s.iter().filter(|element| tolerance.eq(**element, *n)).count() as f64)
            }
            (LookupOp::IndexOf, [Seq(s), Seq(t)]) => {
                Some(occurrence(s, t, tolerance).map_or(-1.0, |place| place as f64))
            }
            (LookupOp::At | LookupOp::Count | LookupOp::IndexOf, _) => None,
        }
    }
}

impl TestOp {
    /// The result on two sequences; `sorted` does not read the second.
    pub fn apply(self, s: &[f64], t: &[f64], tolerance: &Tolerance) -> bool {
        match self {
            TestOp::Contains => occurrence(s, t, tolerance).is_some(),
            TestOp::StartsWith => s.get(..t.len()).is_some_and(|start| tolerance.seq_eq(start, t)),
            TestOp::EndsWith => {
                let before = s.len().checked_sub(t.len());
                before.is_some_and(|before| tolerance.seq_eq(&s[before..], t))
            }
            TestOp::SameElements => s.len() == t.len() && tolerance.seq_eq(&sorted(s), &sorted(t)),
            TestOp::Sorted => is_sorted(s, tolerance),
        }
    }
}

impl SequenceOp {
    /// The result; `None` if the operands are not those of the operator's signature.
    pub fn apply<'a>(self, operands: &[Value<'a>]) -> Option<Cow<'a, [f64]>> {
        use Value::{Num, Seq};
        match (self, operands) {
            (SequenceOp::Flip, [Seq(s)]) => Some(s.iter().rev().copied().collect()),
            (SequenceOp::Remove, [Seq(s), Num(n)]) => Some(match removed_index(s.len(), *n) {
                Some(i) => [&s[..i], &s[i + 1..]].concat().into(),
                None => s.clone(),
            }),
            (SequenceOp::Truncate, [Seq(s), Num(n)]) => {
                Some(s[truncated_span(s.len(), *n)].to_vec().into())
            }
            (SequenceOp::ToString, &[Num(n)]) => {
                Some(index(n).to_string().bytes().map(f64::from).collect())
            }
            (SequenceOp::Join, [Seq(s), Seq(t)]) => Some([&s[..], &t[..]].concat().into()),
            (SequenceOp::Sort, [Seq(s)]) => Some(sorted(s).into()),
            (SequenceOp::Upper, [Seq(s)]) => Some(s.iter().map(|&c| upper(c)).collect()),
            (SequenceOp::Lower, [Seq(s)]) => Some(s.iter().map(|&c| lower(c)).collect()),
            (
                SequenceOp::Flip
                | SequenceOp::Remove
                | SequenceOp::Truncate
                | SequenceOp::ToString
                | SequenceOp::Join
                | SequenceOp::Sort
                | SequenceOp::Upper
                | SequenceOp::Lower,
                _,
            ) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_operator_is_in_one_class_and_comes_back_from_it() {
        let mut seen = 0;
        for op in Op::ALL {
            let back: Op = match op.class() {
                Class::Arithmetic(op) => op.into(),
                Class::Comparison(op) => op.into(),
                Class::Logic(op) => op.into(),
                Class::Measure(op) => op.into(),
                Class::Lookup(op) => op.into(),
                Class::Test(op) => op.into(),
                Class::Sequence(op) => op.into(),
            };
            assert_eq!(back, op);
            seen += 1;
        }
        let classes = ArithmeticOp::ALL.len()
            + ComparisonOp::ALL.len()
            + LogicOp::ALL.len()
            + MeasureOp::ALL.len()
            + LookupOp::ALL.len()
            + TestOp::ALL.len()
            + SequenceOp::ALL.len();
        assert_eq!(classes, seen);
    }
}
