//! Trees as text for other tools: every operator in parentheses, so that nobody's precedence matters.
//!
//! Knows only what the generator draws: numbers, and one comparison at the root.

use genmorph_jit::{Node, Op, Predicate, subtree};

/// The postfix tokens of a tree.
pub(crate) fn tokens(nodes: &[Node]) -> Vec<String> {
    nodes.iter().map(|node| token(*node)).collect()
}

/// The two sides of a comparison.
pub(crate) fn sides(relation: &Predicate) -> (&[Node], &[Node]) {
    let nodes = relation.nodes();
    let (_, operands) = nodes.split_last().expect("a predicate has a root");
    let right = subtree(operands, operands.len() - 1);
    operands.split_at(right.start)
}

/// A numeric expression as infix text. `abs` is how the reader spells the function.
pub(crate) fn numeric(nodes: &[Node], abs: &str) -> String {
    let mut stack: Vec<String> = Vec::new();
    let pop = |stack: &mut Vec<String>| stack.pop().expect("operands stand before operators");
    for &node in nodes {
        let text = match node {
            Node::Op(Op::Abs) => format!("{abs}({})", pop(&mut stack)),
            Node::Op(op) => {
                let (b, a) = (pop(&mut stack), pop(&mut stack));
                format!("({a} {} {b})", op.spelling())
            }
            Node::Var(_) | Node::Num(_) | Node::Bool(_) => token(node),
        };
        stack.push(text);
    }
    pop(&mut stack)
}

/// Left side minus right side: what tools without a tolerant comparison evaluate.
pub(crate) fn difference(relation: &Predicate, abs: &str) -> String {
    let (left, right) = sides(relation);
    format!("({} - {})", numeric(left, abs), numeric(right, abs))
}

fn token(node: Node) -> String {
    match node {
        Node::Op(op) => op.spelling().to_owned(),
        Node::Var(var) => format!("x{}", var.0),
        // With a point or an exponent: some readers would take 2 for an integer.
        Node::Num(value) => format!("{value:?}"),
        Node::Bool(value) => value.to_string(),
    }
}
