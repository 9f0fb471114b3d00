//! The kinds of instructions that the bytecode tells apart, and every engine with it.

use crate::table::Extreme;

/// Arithmetic on two numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Arith {
    Add,
    Sub,
    Mul,
    Div,
}

/// The comparisons of numbers that remain when `>` and `>=` are swapped and `!=` is a negated `==`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Comparison {
    Eq,
    Lt,
    Le,
}

/// What is known of the operands of a comparison, and so how little it has to compute.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Domain {
    /// Integers that the tolerance keeps apart: the IEEE comparison has the same answer.
    Integer,
    /// Finite numbers with a finite difference.
    Finite,
    /// Any numbers, NaN and infinities included.
    Any,
}

/// A comparison of numbers, specialised to what is known of them, and whether its bits are negated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ComparisonKernel {
    pub(crate) comparison: Comparison,
    pub(crate) domain: Domain,
    pub(crate) negate: bool,
}

/// A length or sum of a computed sequence that is computed without the sequence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum DirectMeasure {
    /// `length(truncate(s, n))`, of `length(s)` and n.
    TruncatedLength,
    /// `length(remove(s, n))`, of `length(s)` and n.
    RemovedLength,
    /// `length(toString(n))`; the second operand is not read.
    TextLength,
    /// `sum(toString(n))`; the second operand is not read.
    TextSum,
}

/// Arithmetic that is never fused with its neighbours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Extra {
    Min,
    Max,
    Mod,
    /// The second operand is not read.
    Floor,
}

/// A number that is looked up in a sequence, row by row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Look {
    /// Of a sequence that was made: its elements are not needed.
    Length,
    Extreme(Extreme),
    At,
    Count,
    IndexOf,
}

/// A way to make a sequence that is no slice of the dictionary.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Making {
    Join,
    Sort,
    Upper,
    Lower,
}
