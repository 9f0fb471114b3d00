//! Which evolved relations are worth reporting as detectors.
//!
//! A detector catches mutants that no law catches. It is not reported if it is a coincidence by its looks: that two numbers
//! differ, a constant that comes from nowhere or is written as `x - x`, a condition that next to nothing satisfies.

use genmorph_jit::{Evaluator, Node, Op, Policy, Predicate, Var, subtree};

use crate::executions::{CORRECT, Executions};
use crate::explore::Vocabulary;

/// Constants that need no explanation.
const KNOWN: [f64; 4] = [0.0, 1.0, 2.0, -1.0];
/// The share of correct rows on which a condition must hold.
const WIDE: f64 = 0.02;

/// Whether a relation is worth reporting.
pub(super) fn is_reportable(
    relation: &Predicate,
    executions: &Executions,
    words: &Vocabulary,
) -> bool {
    let nodes = relation.nodes();
    let outputs = executions.signature.output_pairs();
    nodes.iter().enumerate().all(|(at, node)| match *node {
        Node::Num(value) => KNOWN.contains(&value) || words.constants.contains(&value),
        Node::Op(Op::NumNe | Op::SeqNe) => is_of_outputs(nodes, at, &outputs),
        Node::Op(Op::Implies) => is_wide(nodes, at, executions),
        Node::Op(Op::Sub | Op::Div | Op::Mul) => !is_disguised(nodes, at),
        Node::Op(_) | Node::Var(_) | Node::Bool(_) => true,
    })
}

/// Whether a comparison is between the two values of one output.
fn is_of_outputs(nodes: &[Node], root: usize, outputs: &[(Var, Var)]) -> bool {
    let [Node::Var(a), Node::Var(b), _] = nodes[subtree(nodes, root)] else { return false };
    outputs.iter().any(|&(s, f)| (a, b) == (s, f) || (a, b) == (f, s))
}

/// Whether a term is a constant but for what is no number: `x - x`, `x / x`, `x * 0`.
fn is_disguised(nodes: &[Node], root: usize) -> bool {
    let right = subtree(nodes, root - 1);
    let left = subtree(nodes, right.start - 1);
    let (left, right) = (&nodes[left], &nodes[right]);
    let is_zero = |side: &[Node]| matches!(side, [Node::Num(0.0)]);
    match nodes[root] {
        Node::Op(Op::Mul) => is_zero(left) || is_zero(right),
        _ => left == right,
    }
}

/// Whether the condition of an implication holds on more than next to nothing.
fn is_wide(nodes: &[Node], root: usize, executions: &Executions) -> bool {
    let claim = subtree(nodes, root - 1);
    let condition = nodes[subtree(nodes, claim.start - 1)].to_vec();
    let table = &executions.table;
    let condition = Predicate::new(condition.into(), table.schema());
    let condition = condition.expect("a part of a relation that is a truth value is one");
    let mask = Evaluator::new(Policy::Auto).mask(&condition, table);
    mask.count_ones_in(CORRECT) as f64 >= WIDE * executions.count(CORRECT) as f64
}
