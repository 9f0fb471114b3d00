//! The sides of an operation or comparison.

use crate::op::ArithmeticOp;

/// A side of an operation or comparison: an operand, or an operation on two that never leaves the registers.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Side<T> {
    Leaf(T),
    /// Of `abs` the second operand is not read.
    Pair(ArithmeticOp, T, T),
}

/// Not an operation: the side is its first operand.
pub(super) const LEAF: u8 = 5;

impl<T: Copy> Side<T> {
    /// The side with its operands replaced.
    #[inline]
    pub(crate) fn map<U>(self, f: impl Fn(T) -> U) -> Side<U> {
        match self {
            Side::Leaf(a) => Side::Leaf(f(a)),
            Side::Pair(op, a, b) => Side::Pair(op, f(a), f(b)),
        }
    }

    /// The operand, or the first operand of a pair.
    pub(crate) fn first(self) -> T {
        match self {
            Side::Leaf(a) | Side::Pair(_, a, _) => a,
        }
    }

    /// The index of the side's entries, and its operands. A leaf is its own, unread, second operand.
    #[inline]
    pub(super) fn split(self) -> (usize, T, T) {
        match self {
            Side::Leaf(a) => (usize::from(LEAF), a, a),
            Side::Pair(op, a, b) => (op as usize, a, b),
        }
    }
}
