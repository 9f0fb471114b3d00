//! The effort of reading a relation, as a number: less is plainer.
//!
//! A sum over nodes, so that replacing a part by a plainer one makes the whole plainer. The weights are
//! guesses from reading some hundred evolved relations: an equality says the most, nested logic the least; a
//! number that nobody can explain is worse than one more variable.

use genmorph_jit::{
    ArithmeticOp, Class, ComparisonOp, LogicOp, MeasureOp, Node, Op, Predicate, SequenceOp,
};

use super::setting::Setting;

/// The weight of any node.
const NODE: u32 = 10;

/// The effort of reading a relation.
pub fn readability(relation: &Predicate, setting: &Setting) -> u32 {
    let nodes = relation.nodes();
    let kinds = Op::ALL.into_iter().filter(|op| nodes.contains(&Node::Op(*op))).count() as u32;
    // Every further kind of operator is a further idea.
    nodes.iter().map(|&node| weight(node, setting)).sum::<u32>() + 2 * kinds
}

/// The weight that a node adds to [`NODE`].
pub(super) fn weight(node: Node, setting: &Setting) -> u32 {
    NODE + match node {
        Node::Op(op) => of_operator(op),
        // An input that is unchanged or tied is best written once, as the source variable.
        Node::Var(var) => u32::from(setting.is_follow_up(var) && !setting.is_output(var)),
        Node::Num(value) => of_constant(value),
        Node::Bool(_) => 2,
    }
}

/// What an operator adds. A sequence operator of which nothing is said costs as much as most.
fn of_operator(op: Op) -> u32 {
    match op.class() {
        Class::Comparison(op) => match op {
            ComparisonOp::NumEq | ComparisonOp::SeqEq => 0,
            ComparisonOp::Lt | ComparisonOp::Gt | ComparisonOp::Le | ComparisonOp::Ge => 3,
            // What is never so is rarely what a function is about.
            ComparisonOp::NumNe | ComparisonOp::SeqNe => 8,
        },
        Class::Logic(op) => match op {
            LogicOp::And => 2,
            LogicOp::Iff => 3,
            LogicOp::Not => 4,
            LogicOp::Or | LogicOp::Implies => 6,
            LogicOp::Xor => 9,
        },
        Class::Arithmetic(op) => match op {
            ArithmeticOp::Add | ArithmeticOp::Sub => 0,
            ArithmeticOp::Mul => 1,
            ArithmeticOp::Abs => 2,
            ArithmeticOp::Div => 4,
            ArithmeticOp::Min | ArithmeticOp::Max | ArithmeticOp::Floor => 3,
            ArithmeticOp::Mod => 4,
        },
        Class::Measure(
            MeasureOp::First | MeasureOp::Last | MeasureOp::Least | MeasureOp::Greatest,
        ) => 1,
        Class::Lookup(_) => 3,
        Class::Test(_) => 2,
        Class::Measure(MeasureOp::Length) => 0,
        Class::Measure(MeasureOp::Sum) => 1,
        Class::Sequence(SequenceOp::Flip) => 0,
        Class::Sequence(SequenceOp::ToString) => 6,
        Class::Sequence(_) => 3,
    }
}

fn of_constant(value: f64) -> u32 {
    let sign = u32::from(value < 0.0);
    let digits = format!("{}", value.abs()).len() as u32;
    let size = match value.abs() {
        0.0 | 1.0 | 2.0 => 0,
        whole if whole.fract() == 0.0 && whole <= 10.0 => 3,
        whole if whole.fract() == 0.0 => 5 + digits.min(20),
        half if (2.0 * half).fract() == 0.0 => 5,
        _ => 6 + digits.min(20),
    };
    sign + size
}
