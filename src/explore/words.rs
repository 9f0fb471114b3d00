//! The grammar of laws as data: what terms, bodies and guards are made of.
//!
//! An operator joins the grammar by an entry in one of these lists.

use genmorph_jit::{Node, Op, TestOp};

/// Operators on two numbers that terms are made with.
pub(super) const NUMERIC: [Op; 4] = [Op::Add, Op::Sub, Op::Mul, Op::Div];

/// Further operators on two quantities, of which nothing else is made.
pub(super) const SELECTED: [Op; 3] = [Op::Min, Op::Max, Op::Mod];

/// Numbers that are read off a sequence.
pub(super) const MEASURES: [Op; 2] = [Op::Length, Op::Sum];

/// Numbers that are read off a sequence of numbers; nobody computes with the codes of characters.
pub(super) const EXTREMES: [Op; 4] = [Op::Least, Op::Greatest, Op::First, Op::Last];

/// Operators from one sequence to another that need nothing else.
pub(super) const RESHAPED: [Op; 2] = [Op::Flip, Op::Sort];

/// Operators from one text to another.
pub(super) const RESPELLED: [Op; 2] = [Op::Upper, Op::Lower];

/// What is said of two sequences besides that they are equal.
pub(super) const TESTS: [TestOp; 4] =
    [TestOp::SameElements, TestOp::StartsWith, TestOp::EndsWith, TestOp::Contains];

/// An operator from a sequence and a number to a sequence.
pub(super) struct Cut {
    pub(super) op: Op,
    /// The constants that people use with it.
    pub(super) constants: &'static [f64],
    /// Whether the number may also be an input, or the length of another sequence.
    pub(super) is_by_quantity: bool,
}

/// Operators from a sequence and a number to a sequence.
pub(super) const CUTS: [Cut; 2] = [
    Cut { op: Op::Remove, constants: &[0.0, -1.0], is_by_quantity: false },
    Cut { op: Op::Truncate, constants: &[1.0], is_by_quantity: true },
];

/// Constants that quantities are compared with, and computed with if they are not negative: `x - 1` is no sum, and negation has a form
/// of its own.
pub(super) const CONSTANTS: [f64; 4] = [0.0, 1.0, 2.0, -1.0];

/// Comparisons of guards.
pub(super) const GUARDS: [Op; 6] = [Op::NumEq, Op::NumNe, Op::Lt, Op::Gt, Op::Le, Op::Ge];

/// Operators between the truth values of both executions.
pub(super) const LOGIC: [Op; 4] = [Op::Iff, Op::Implies, Op::Xor, Op::Or];

/// Whether an expression has operators of which few laws are made: guards and longer terms do without them.
pub(super) fn is_special(nodes: &[Node]) -> bool {
    nodes.iter().any(|node| matches!(node, Node::Op(op) if !op.is_papers()))
}

/// What an exploration may look at, beyond what executions show.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Vocabulary {
    /// Constants that guards and terms may use besides 0, 1, 2 and -1: of the transformation, of the code, ends of the domain.
    pub constants: Vec<f64>,
    /// Inputs that are characters, by name: nobody computes with their codes.
    pub characters: Vec<String>,
    /// The least and the greatest integer of the type of the result, where arithmetic wraps around.
    pub wraps: Option<(f64, f64)>,
    /// Of calls that are made together: what laws are about.
    pub calls: Option<CallWords>,
}

/// What laws of calls that are made together are about.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CallWords {
    /// The output that every law has.
    pub principal: String,
    /// Outputs or inputs of which a law has one, unless it says that the principal output is a constant.
    pub others: Vec<String>,
    /// Whether bodies may have inputs; guards always may.
    pub has_inputs: bool,
    /// Whether a law may say what the principal output always is.
    pub is_fixed: bool,
}

/// Further constants that are used, at most.
pub(super) const MOST_CONSTANTS: usize = 6;
/// Numeric quantities of the executions that are used, at most: outputs first, then inputs, then lengths and sums.
pub(super) const MOST_QUANTITIES: usize = 12;
/// Extremes of sequences that are used besides, at most.
pub(super) const MOST_EXTREMES: usize = 8;
/// Numeric terms that are kept, at most.
pub(super) const MOST_TERMS: usize = 4_000;
/// Correct rows that every candidate is tried on first.
pub(super) const PROBED: usize = 512;
/// Rows with made-up outputs on which terms are told apart.
pub(super) const MIXED: usize = 256;
/// Rows with made-up outputs on which the meaning of laws is compared.
pub(super) const GARBAGE: usize = 2_048;
/// The share of correct rows that a guard must leave.
pub(super) const WIDE: f64 = 0.05;
/// Correct rows that a guard must leave, at least.
pub(super) const DISTINCT: usize = 30;
/// The share of correct rows on which the sides of an order must be equal.
pub(super) const TIGHT: f64 = 0.02;
/// Laws of a transformation that are reported, at most.
pub(super) const MOST_LAWS: usize = 4;
/// The reading cost beyond which a law is not worth reading. A guess from reading some hundred.
pub(super) const DEAREST: u32 = 112;
