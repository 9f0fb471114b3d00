//! Brings every relation into one canonical orientation: follow-up outputs first, constants last.
//!
//! Exchanges operands only where that cannot change the value: of `+`, `*`, equalities and logic; `<` becomes
//! `>` when its sides are exchanged. A chain of `and`, `or`, `xor` or `iff` is sorted as one list.

use std::cmp::Ordering;

use genmorph_jit::{Class, Expr, LogicOp, Node, Op, Operands, Predicate, fold, subtree};

use super::setting::Setting;

/// The relation in its canonical orientation. Orienting twice changes nothing.
pub fn orient(relation: &Predicate, setting: &Setting) -> Predicate {
    let nodes = orient_nodes(relation.nodes(), setting);
    Predicate::new(Expr(nodes), &setting.schema).expect("exchanged operands have the same types")
}

fn orient_nodes(nodes: &[Node], setting: &Setting) -> Vec<Node> {
    fold(
        nodes,
        |leaf| vec![leaf.into()],
        |op, operands| match operands {
            Operands::One([mut nodes]) => {
                nodes.push(Node::Op(op));
                nodes
            }
            Operands::Two([a, b]) => join(op, &a, &b, setting),
        },
    )
}

fn join(op: Op, a: &[Node], b: &[Node], setting: &Setting) -> Vec<Node> {
    // What one of these joins in a row may stand in any order.
    if let Class::Logic(LogicOp::And | LogicOp::Or | LogicOp::Xor | LogicOp::Iff) = op.class() {
        let mut parts = Vec::new();
        flatten(op, a, &mut parts);
        flatten(op, b, &mut parts);
        parts.sort_by(|a, b| compare(a, b, setting));
        let mut nodes = parts[0].to_vec();
        for part in &parts[1..] {
            nodes.extend_from_slice(part);
            nodes.push(Node::Op(op));
        }
        return nodes;
    }
    match op.mirrored() {
        Some(mirrored) if compare(a, b, setting) == Ordering::Greater => {
            [b, a, &[Node::Op(mirrored)]].concat()
        }
        Some(_) | None => [a, b, &[Node::Op(op)]].concat(),
    }
}

/// Collects the operands of a chain of one operator.
fn flatten<'n>(op: Op, nodes: &'n [Node], parts: &mut Vec<&'n [Node]>) {
    match nodes.split_last() {
        Some((root, operands)) if *root == Node::Op(op) => {
            let (a, b) = operands.split_at(subtree(operands, operands.len() - 1).start);
            flatten(op, a, parts);
            flatten(op, b, parts);
        }
        _ => parts.push(nodes),
    }
}

/// Compares operands: by their leaves, then by their structure.
fn compare(a: &[Node], b: &[Node], setting: &Setting) -> Ordering {
    let leaves = |nodes: &[Node]| {
        let mut ranks: Vec<(u8, u16)> =
            nodes.iter().filter_map(|node| rank(*node, setting)).collect();
        ranks.sort_unstable();
        ranks
    };
    let by_nodes = || {
        let key = |node: &Node| match *node {
            Node::Var(var) => (0, u64::from(var.0), 0.0),
            Node::Num(value) => (1, value.to_bits(), value),
            Node::Bool(value) => (2, u64::from(value), 0.0),
            Node::Op(op) => (3, op as u64, 0.0),
        };
        let (a, b) = (a.iter().map(key), b.iter().map(key));
        let mut pairs =
            a.zip(b).map(|(a, b)| a.0.cmp(&b.0).then(a.2.total_cmp(&b.2)).then(a.1.cmp(&b.1)));
        pairs.find(|order| *order != Ordering::Equal).unwrap_or(Ordering::Equal)
    };
    leaves(a).cmp(&leaves(b)).then(a.len().cmp(&b.len())).then_with(by_nodes)
}

/// The rank of a leaf: follow-up outputs, source outputs, source inputs, follow-up inputs, constants;
/// variables of one kind in the order of the signature.
fn rank(node: Node, setting: &Setting) -> Option<(u8, u16)> {
    match node {
        Node::Var(var) => {
            let kind = match (setting.is_follow_up(var), setting.is_output(var)) {
                (true, true) => 0,
                (false, true) => 1,
                (false, false) => 2,
                (true, false) => 3,
            };
            Some((kind, var.0))
        }
        Node::Num(_) | Node::Bool(_) => Some((4, 0)),
        Node::Op(_) => None,
    }
}
