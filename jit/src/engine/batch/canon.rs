//! One form for relations that cannot differ, so that they are evaluated once.
//!
//! A relation is written as a string of u32 tokens in postfix order. Only rules that hold for every
//! f64, NaN included: operands of `+`, `*` and `==` in one order, `>` as swapped `<`,
//! `>=` as swapped `<=`, `!=` as `not ==`, `x == x` and `x <= x` true, `x < x` false. The sign of a zero
//! and the payload of a NaN cannot be observed in the language, so they may differ.

use std::ops::Range;

use crate::engine::kernels::Logic;
use crate::expr::Node;
use crate::hash::Mixer;
use crate::op::{Op, Type};
use crate::schema::{Schema, Var};

// A token is a tag in the top two bits and a value; a number takes two more tokens.
const VAR: u32 = 0;
const OP: u32 = 1 << 30;
const NUM: u32 = 2 << 30;
const BOOL: u32 = 3 << 30;
const TAG: u32 = 3 << 30;

/// A node of the boolean structure, in postfix order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Skeleton {
    /// The relation's atom of this number.
    Atom(u16),
    Column(Var),
    Constant(bool),
    Logic(Logic),
}

/// A comparison of a relation: its tokens and their hash.
#[derive(Clone, Debug)]
pub(crate) struct Atom {
    pub(crate) tokens: Range<usize>,
    pub(crate) hash: u64,
}

/// A relation in canonical form, as ranges of a [`Canon`].
#[derive(Clone, Debug)]
pub(crate) struct Relation {
    pub(crate) tokens: Range<usize>,
    pub(crate) hash: u64,
    pub(crate) atoms: Range<usize>,
    pub(crate) skeleton: Range<usize>,
}

/// Relations in canonical form, in buffers that are reused.
#[derive(Debug, Default)]
pub(crate) struct Canon {
    tokens: Vec<u32>,
    atoms: Vec<Atom>,
    skeletons: Vec<Skeleton>,
    relations: Vec<Relation>,
    stack: Vec<Subtree>,
}

/// A number or sequence subtree on its way into an atom.
#[derive(Clone, Copy, Debug)]
struct Subtree {
    start: usize,
    hash: u64,
}

impl Canon {
    pub(crate) fn clear(&mut self) {
        self.tokens.clear();
        self.atoms.clear();
        self.skeletons.clear();
        self.relations.clear();
    }

    pub(crate) fn relations(&self) -> &[Relation] {
        &self.relations
    }

    pub(crate) fn atoms(&self, relation: &Relation) -> &[Atom] {
        &self.atoms[relation.atoms.clone()]
    }

    pub(crate) fn skeleton(&self, relation: &Relation) -> &[Skeleton] {
        &self.skeletons[relation.skeleton.clone()]
    }

    pub(crate) fn tokens(&self, range: &Range<usize>) -> &[u32] {
        &self.tokens[range.clone()]
    }

    /// Appends a relation.
    pub(crate) fn push(&mut self, nodes: &[Node], schema: &Schema) {
        let first_token = self.tokens.len();
        let first_atom = self.atoms.len();
        let first_skeleton = self.skeletons.len();
        self.stack.clear();
        for &node in nodes {
            match node {
                Node::Op(op) => self.push_op(op, first_atom),
                Node::Num(value) => {
                    // 0 and -0 are one number.
                    let bits = (value + 0.0).to_bits();
                    self.push_leaf(&[NUM, bits as u32, (bits >> 32) as u32]);
                }
                Node::Bool(value) => self.push_truth(Skeleton::Constant(value)),
                Node::Var(var) => match schema.type_of(var) {
                    Some(Type::Bool) => self.push_truth(Skeleton::Column(var)),
                    Some(Type::Num | Type::Seq) | None => {
                        self.push_leaf(&[VAR | u32::from(var.0)]);
                    }
                },
            }
        }
        let tokens = first_token..self.tokens.len();
        let mut mixer = Mixer::new(tokens.len() as u64);
        for &token in &self.tokens[tokens.clone()] {
            mixer.add(u64::from(token));
        }
        self.relations.push(Relation {
            tokens,
            hash: mixer.finish(),
            atoms: first_atom..self.atoms.len(),
            skeleton: first_skeleton..self.skeletons.len(),
        });
    }

    fn push_leaf(&mut self, tokens: &[u32]) {
        let start = self.tokens.len();
        self.tokens.extend_from_slice(tokens);
        let mut mixer = Mixer::new(0);
        for &token in tokens {
            mixer.add(u64::from(token));
        }
        self.stack.push(Subtree { start, hash: mixer.finish() });
    }

    /// Appends a node of the boolean structure, also to the tokens: they are the relation's key.
    fn push_truth(&mut self, node: Skeleton) {
        self.skeletons.push(node);
        match node {
            Skeleton::Atom(_) => {}
            Skeleton::Column(var) => self.tokens.push(VAR | u32::from(var.0)),
            Skeleton::Constant(value) => self.tokens.push(BOOL | u32::from(value)),
            Skeleton::Logic(logic) => self.tokens.push(BOOL | (2 + logic as u32)),
        }
    }

    fn push_op(&mut self, op: Op, first_atom: usize) {
        match op {
            Op::And => self.push_truth(Skeleton::Logic(Logic::And)),
            Op::Or => self.push_truth(Skeleton::Logic(Logic::Or)),
            Op::Xor => self.push_truth(Skeleton::Logic(Logic::Xor)),
            Op::Iff => self.push_truth(Skeleton::Logic(Logic::Iff)),
            Op::Implies => self.push_truth(Skeleton::Logic(Logic::Implies)),
            Op::Not => self.push_truth(Skeleton::Logic(Logic::Not)),
            Op::Abs | Op::Length | Op::Sum | Op::Flip | Op::ToString => {
                let operand = self.stack.pop().expect(CHECKED);
                self.push_subtree(op, operand.start, [operand.hash, 0]);
            }
            Op::Add | Op::Mul => self.push_binary(op, Order::Any),
            Op::Sub | Op::Div | Op::Remove | Op::Truncate => self.push_binary(op, Order::Kept),
            Op::NumEq => self.push_atom(Op::NumEq, Order::Any, true, first_atom),
            Op::SeqEq => self.push_atom(Op::SeqEq, Order::Any, true, first_atom),
            Op::Lt => self.push_atom(Op::Lt, Order::Kept, false, first_atom),
            Op::Gt => self.push_atom(Op::Lt, Order::Swapped, false, first_atom),
            Op::Le => self.push_atom(Op::Le, Order::Kept, true, first_atom),
            Op::Ge => self.push_atom(Op::Le, Order::Swapped, true, first_atom),
            Op::NumNe => {
                self.push_atom(Op::NumEq, Order::Any, true, first_atom);
                self.push_truth(Skeleton::Logic(Logic::Not));
            }
            Op::SeqNe => {
                self.push_atom(Op::SeqEq, Order::Any, true, first_atom);
                self.push_truth(Skeleton::Logic(Logic::Not));
            }
        }
    }

    /// Puts the two topmost subtrees in order and returns them, with where the second starts now.
    fn pop_ordered(&mut self, order: Order) -> (Subtree, Subtree) {
        let b = self.stack.pop().expect(CHECKED);
        let a = self.stack.pop().expect(CHECKED);
        let swap = match order {
            Order::Kept => false,
            Order::Swapped => true,
            Order::Any => b.hash < a.hash,
        };
        if !swap {
            return (a, b);
        }
        let b_len = self.tokens.len() - b.start;
        self.tokens[a.start..].rotate_right(b_len);
        let first = Subtree { start: a.start, hash: b.hash };
        (first, Subtree { start: a.start + b_len, hash: a.hash })
    }

    fn push_binary(&mut self, op: Op, order: Order) {
        let (a, b) = self.pop_ordered(order);
        self.push_subtree(op, a.start, [a.hash, b.hash]);
    }

    fn push_subtree(&mut self, op: Op, start: usize, operands: [u64; 2]) {
        self.tokens.push(OP | op as u32);
        let hash = hash_op(op, operands);
        self.stack.push(Subtree { start, hash });
    }

    /// Ends an atom; `x op x` is known to be `reflexive`.
    fn push_atom(&mut self, op: Op, order: Order, reflexive: bool, first_atom: usize) {
        let (a, b) = self.pop_ordered(order);
        if a.hash == b.hash && self.tokens[a.start..b.start] == self.tokens[b.start..] {
            self.tokens.truncate(a.start);
            return self.push_truth(Skeleton::Constant(reflexive));
        }
        self.tokens.push(OP | op as u32);
        let atom = (self.atoms.len() - first_atom) as u16;
        let tokens = a.start..self.tokens.len();
        self.atoms.push(Atom { tokens, hash: hash_op(op, [a.hash, b.hash]) });
        self.push_truth(Skeleton::Atom(atom));
    }
}

const CHECKED: &str = "a predicate is well-typed";

/// In which order two operands go into the canonical form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Order {
    Kept,
    Swapped,
    /// They can be exchanged: the one with the smaller hash comes first.
    Any,
}

fn hash_op(op: Op, operands: [u64; 2]) -> u64 {
    let mut mixer = Mixer::new(op as u64 + 1);
    mixer.add(operands[0]);
    mixer.add(operands[1]);
    mixer.finish()
}

/// The nodes that an atom's tokens stand for.
pub(crate) fn decode(tokens: &[u32], nodes: &mut Vec<Node>) {
    nodes.clear();
    let mut tokens = tokens.iter().copied();
    while let Some(token) = tokens.next() {
        let value = token & !TAG;
        nodes.push(match token & TAG {
            VAR => Node::Var(Var(value as u16)),
            OP => Node::Op(Op::ALL[value as usize]),
            NUM => {
                let low = tokens.next().expect("a number has two more tokens");
                let high = tokens.next().expect("a number has two more tokens");
                Node::Num(f64::from_bits(u64::from(high) << 32 | u64::from(low)))
            }
            _ => unreachable!("truth values are no part of an atom"),
        });
    }
}
