//! The reading cost of a law: less is plainer. Weights are guesses from reading some hundred laws.

use genmorph_jit::{
    ArithmeticOp, Class, ComparisonOp, LogicOp, MeasureOp, Node, Op, SequenceOp, TestOp, subtree,
};

/// What a leaf costs.
const LEAF: u32 = 10;
/// What each product after the first costs besides.
const FURTHER: u32 = 20;
/// What a guard costs besides its parts, and how much more if it holds on next to nothing.
const GUARD: u32 = 14;
const NARROW: f64 = 24.0;
/// What it costs besides if it fixes an input.
const SINGLE: u32 = 16;

/// The cost of an expression without guard.
pub(super) fn cost(nodes: &[Node]) -> u32 {
    let products = nodes.iter().filter(|node| node.same(Node::Op(Op::Mul))).count() as u32;
    let mut total = FURTHER * products.saturating_sub(1);
    for (place, node) in nodes.iter().enumerate() {
        total += match *node {
            Node::Var(_) => LEAF,
            Node::Bool(_) => LEAF,
            Node::Num(value) => of_constant(value),
            Node::Op(Op::Sub) if is_negation(nodes, place) => 0,
            Node::Op(op) => of_operator(op),
        };
    }
    total
}

/// The cost of a law with a guard that holds on this share of the rows.
pub(super) fn guarded(guard: &[Node], body: u32, share: f64) -> u32 {
    let single = match guard {
        // A law of one value of an input is an example, and so is one of two that are equal.
        [Node::Var(_), Node::Num(_) | Node::Var(_), Node::Op(Op::NumEq | Op::SeqEq)] => SINGLE,
        _ => 0,
    };
    body + cost(guard) + GUARD + single + (NARROW * (1.0 - share)) as u32
}

/// Whether a difference is `0 - x`.
fn is_negation(nodes: &[Node], root: usize) -> bool {
    let right = subtree(nodes, root - 1);
    let left = subtree(nodes, right.start - 1);
    matches!(nodes[left], [Node::Num(0.0)])
}

fn of_operator(op: Op) -> u32 {
    match op.class() {
        Class::Comparison(op) => match op {
            ComparisonOp::NumEq | ComparisonOp::SeqEq => 0,
            ComparisonOp::Le | ComparisonOp::Ge => 7,
            ComparisonOp::Lt | ComparisonOp::Gt => 8,
            // As a condition it leaves more than an order does.
            ComparisonOp::NumNe | ComparisonOp::SeqNe => 7,
        },
        Class::Logic(op) => match op {
            LogicOp::Iff => 0,
            LogicOp::Implies | LogicOp::Not => 2,
            LogicOp::And => 2,
            LogicOp::Or => 6,
            LogicOp::Xor => 6,
        },
        Class::Arithmetic(op) => match op {
            ArithmeticOp::Add | ArithmeticOp::Sub => 4,
            ArithmeticOp::Mul => 6,
            ArithmeticOp::Div => 12,
            ArithmeticOp::Abs => 5,
            // Dear enough to have to say more than what holds of single executions.
            ArithmeticOp::Min | ArithmeticOp::Max => 16,
            ArithmeticOp::Mod => 12,
            ArithmeticOp::Floor => 8,
        },
        Class::Measure(MeasureOp::First | MeasureOp::Last) => 5,
        Class::Measure(MeasureOp::Least | MeasureOp::Greatest) => 4,
        Class::Lookup(_) => 8,
        Class::Test(op) => match op {
            TestOp::SameElements | TestOp::Sorted => 4,
            // They say less than that two sequences are equal, and less than most special cases in which they are.
            TestOp::Contains | TestOp::StartsWith | TestOp::EndsWith => 24,
        },
        Class::Measure(MeasureOp::Length) => 1,
        Class::Measure(MeasureOp::Sum) => 8,
        Class::Sequence(SequenceOp::Flip) => 2,
        Class::Sequence(SequenceOp::ToString) => 20,
        Class::Sequence(SequenceOp::Join | SequenceOp::Sort) => 4,
        Class::Sequence(
            SequenceOp::Remove | SequenceOp::Truncate | SequenceOp::Upper | SequenceOp::Lower,
        ) => 5,
    }
}

fn of_constant(value: f64) -> u32 {
    match value.abs() {
        0.0 | 1.0 => 8,
        2.0 => 9,
        whole if whole.fract() == 0.0 && whole <= 10.0 => 14,
        whole if whole.fract() == 0.0 => 20,
        _ => 22,
    }
}
