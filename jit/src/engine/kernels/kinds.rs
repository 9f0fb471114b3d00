//! What kernels are there for: operations, comparisons and logic, and the terms that they work on.

/// A side of an operation or comparison: an operand, or an operation on two that never leaves the registers.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Term<T> {
    Leaf(T),
    Pair(Operation, T, T),
}

/// Arithmetic on two numbers, as the bytecode has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Arith {
    Add,
    Sub,
    Mul,
    Div,
}

/// An operation that can be part of another instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Operation {
    Add,
    Sub,
    Mul,
    Div,
    /// Of its first operand; the second is not read.
    Abs,
}

impl From<Arith> for Operation {
    fn from(op: Arith) -> Self {
        match op {
            Arith::Add => Operation::Add,
            Arith::Sub => Operation::Sub,
            Arith::Mul => Operation::Mul,
            Arith::Div => Operation::Div,
        }
    }
}

/// The comparisons that remain when `>` and `>=` are swapped and `!=` is a negated `==`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Relation {
    Eq,
    Lt,
    Le,
}

/// What is known of the operands of a comparison, and so how little it has to compute.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Domain {
    /// Integers that the tolerance keeps apart: the IEEE comparison has the same answer.
    Integer,
    /// Finite numbers with a finite difference.
    Finite,
    /// Anything, NaN and infinities included.
    Any,
}

/// A logical operator on words of 64 rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Logic {
    And,
    Or,
    Xor,
    Iff,
    Implies,
    Not,
}

/// A comparison of numbers, specialised to what is known of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Comparison {
    pub(crate) relation: Relation,
    pub(crate) domain: Domain,
    pub(crate) negate: bool,
}

/// Not an operation: the term is its first operand.
pub(super) const LEAF: u8 = 5;

impl<T: Copy> Term<T> {
    /// The term with its operands replaced.
    #[inline]
    pub(crate) fn map<U>(self, f: impl Fn(T) -> U) -> Term<U> {
        match self {
            Term::Leaf(a) => Term::Leaf(f(a)),
            Term::Pair(op, a, b) => Term::Pair(op, f(a), f(b)),
        }
    }

    /// The first operand.
    pub(crate) fn first(self) -> T {
        match self {
            Term::Leaf(a) | Term::Pair(_, a, _) => a,
        }
    }

    /// The index of the term's entries, and its operands. A leaf is its own, unread, second operand.
    #[inline]
    pub(super) fn split(self) -> (usize, T, T) {
        match self {
            Term::Leaf(a) => (usize::from(LEAF), a, a),
            Term::Pair(op, a, b) => (op as usize, a, b),
        }
    }
}
