//! Postfix nodes to text: one line with the fewest parentheses, or a tree.
//!
//! Never recursive: an expression may be as deep as it has nodes.

use std::borrow::Cow;
use std::fmt;

use crate::expr::{Node, Predicate};
use crate::op::{Assoc, Fixity, Op};
use crate::schema::Schema;
use crate::term::Term;

/// An expression with the names of its variables; displays as infix text.
#[derive(Clone, Copy, Debug)]
pub struct Text<'a> {
    nodes: &'a [Node],
    schema: &'a Schema,
}

impl Predicate {
    /// The relation as text, which [`parse`](fn@super::parse) reads back to the same relation.
    pub fn display<'a>(&'a self, schema: &'a Schema) -> Text<'a> {
        Text { nodes: self.nodes(), schema }
    }
}

impl Term {
    /// The term as text, which [`parse_expr`](fn@super::parse_expr) reads back to the same nodes.
    pub fn display<'a>(&'a self, schema: &'a Schema) -> Text<'a> {
        Text { nodes: self.nodes(), schema }
    }
}

/// An expression of any type as infix text; no nodes are no text. A variable that the schema lacks
/// prints as `?` and its number.
///
/// # Panics
/// If the nodes do not form expressions.
pub fn print(nodes: &[Node], schema: &Schema) -> String {
    Text { nodes, schema }.to_string()
}

/// An expression of any type as a tree: a line per node, the root first, operators with the type
/// of their result. Every line ends in a newline.
///
/// ```text
/// and → Bool
/// ├── < → Bool
/// │   ├── x_s
/// │   └── 1
/// └── p_s
/// ```
///
/// # Panics
/// If the nodes do not form expressions.
pub fn tree(nodes: &[Node], schema: &Schema) -> String {
    struct Branch {
        root: usize,
        depth: usize,
        last: bool,
    }
    let operands = operand_roots(nodes);
    let mut out = String::new();
    // For every level below the root on the way to the current node: do siblings follow there?
    let mut rails: Vec<bool> = Vec::new();
    let mut todo: Vec<Branch> =
        root_of(nodes).map(|root| Branch { root, depth: 0, last: true }).into_iter().collect();
    while let Some(Branch { root, depth, last }) = todo.pop() {
        if depth > 0 {
            rails.truncate(depth - 1);
            rails.iter().for_each(|&goes_on| out.push_str(if goes_on { "│   " } else { "    " }));
            out.push_str(if last { "└── " } else { "├── " });
            rails.push(!last);
        }
        out.push_str(&node_text(nodes[root], schema));
        if let Node::Op(op) = nodes[root] {
            out.push_str(&format!(" → {}", op.result()));
        }
        out.push('\n');
        let below = &operands[root][..nodes[root].arity()];
        let branches = below.iter().rev().enumerate();
        todo.extend(branches.map(|(i, &root)| Branch { root, depth: depth + 1, last: i == 0 }));
    }
    out
}

impl fmt::Display for Text<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let operands = operand_roots(self.nodes);
        let mut pieces: Vec<Piece> = root_of(self.nodes).map(Piece::Subtree).into_iter().collect();
        while let Some(piece) = pieces.pop() {
            match piece {
                Piece::Word(word) => f.write_str(word)?,
                Piece::Subtree(root) => match self.nodes[root] {
                    Node::Op(op) => {
                        let bottom = pieces.len();
                        unfold(op, &operands[root][..op.arity()], self.nodes, &mut pieces);
                        pieces[bottom..].reverse();
                    }
                    leaf => f.write_str(&node_text(leaf, self.schema))?,
                },
            }
        }
        Ok(())
    }
}

/// A piece of the text that is still to be written.
enum Piece {
    Word(&'static str),
    /// The subtree with this root.
    Subtree(usize),
}

/// Adds the pieces of an operator's text in reading order.
fn unfold(op: Op, operands: &[usize], nodes: &[Node], pieces: &mut Vec<Piece>) {
    let (before, between, after) = match op.fixity() {
        Fixity::Call => ([op.spelling(), "("], [",", " ", ""], ")"),
        Fixity::Prefix(_) => ([op.spelling(), " "], [""; 3], ""),
        Fixity::Infix(..) => ([""; 2], [" ", op.spelling(), " "], ""),
    };
    for (side, &root) in operands.iter().enumerate() {
        let words: &[&str] = if side == 0 { &before } else { &between };
        pieces.extend(words.iter().copied().map(Piece::Word));
        if needs_parentheses(op.fixity(), side, nodes[root]) {
            pieces.extend([Piece::Word("("), Piece::Subtree(root), Piece::Word(")")]);
        } else {
            pieces.push(Piece::Subtree(root));
        }
    }
    pieces.push(Piece::Word(after));
}

/// Whether the operand on a side (0 is left) of an operator would read differently without them.
fn needs_parentheses(operator: Fixity, side: usize, operand: Node) -> bool {
    match operator {
        Fixity::Call => false,
        Fixity::Prefix(binding) => binding_of(operand) < binding,
        Fixity::Infix(binding, assoc) => {
            let groups_itself = match assoc {
                Assoc::Left => side == 0,
                Assoc::Right => side == 1,
                Assoc::None => false,
            };
            let held = binding_of(operand);
            held < binding || (held == binding && !groups_itself)
        }
    }
}

/// How tightly the text of a subtree with this root holds together.
fn binding_of(root: Node) -> u8 {
    match root {
        Node::Op(op) => match op.fixity() {
            Fixity::Infix(binding, _) | Fixity::Prefix(binding) => binding,
            Fixity::Call => u8::MAX,
        },
        Node::Var(_) | Node::Num(_) | Node::Bool(_) => u8::MAX,
    }
}

fn root_of(nodes: &[Node]) -> Option<usize> {
    nodes.len().checked_sub(1)
}

/// For every node the roots of its operands; only as many as its arity mean anything.
fn operand_roots(nodes: &[Node]) -> Vec<[usize; 2]> {
    let mut roots: Vec<usize> = Vec::new();
    let operands_of = |(at, node): (usize, &Node)| {
        let mut operands = [0; 2];
        for operand in operands[..node.arity()].iter_mut().rev() {
            *operand = roots.pop().expect("the nodes before an operator are its operands");
        }
        roots.push(at);
        operands
    };
    nodes.iter().enumerate().map(operands_of).collect()
}

/// The text of one node without its operands.
fn node_text(node: Node, schema: &Schema) -> Cow<'_, str> {
    match node {
        Node::Op(op) => op.spelling().into(),
        Node::Var(var) => schema.name(var).map_or_else(|| format!("?{}", var.0).into(), Cow::from),
        Node::Num(value) => number_text(value).into(),
        Node::Bool(value) => if value { "true" } else { "false" }.into(),
    }
}

/// The fewest digits that read back to the same f64; with an exponent only where that spares a row of
/// zeros (`1000`, but `1e300`).
fn number_text(value: f64) -> String {
    const READABLE: usize = 12;
    let plain = format!("{value}");
    let scientific = format!("{value:e}");
    let long = plain.len() > READABLE && scientific.len() < plain.len();
    if long { scientific } else { plain }
}
