//! The relations that a person would think of first: a few nodes that relate an output pair.
//!
//! A signature has some thousands of them, so all can be evaluated on all rows. One of them often expresses a
//! long evolved relation better.

use std::collections::BTreeSet;

use genmorph_jit::{Expr, Node, Op, Predicate, Type, subtree};

use super::forms::{is_tied, type_of};
use super::orient::orient;
use super::readability::readability;
use super::setting::Setting;

/// Largest number of relations that are tried: the plainest.
const MOST: usize = 30_000;
/// Largest number of relations that are made from the parts of a given one.
const MOST_NEAR: usize = 6_000;
/// The longest part of a relation that is reused. A guess.
const PART: usize = 3;

/// All plain relations of a setting, the plainest first.
pub(super) fn all(setting: &Setting) -> Vec<Predicate> {
    let words = Vocabulary::of(setting);
    let mut relations: Vec<Vec<Node>> = Vec::new();
    let atoms = words.atoms();
    let related = |nodes: &[Node]| setting.relates_outputs(nodes);
    relations.extend(atoms.iter().filter(|atom| related(atom)).cloned());
    // A comparison of outputs under a condition on inputs or on one output.
    let plain: Vec<&Vec<Node>> = atoms.iter().filter(|atom| atom.len() <= 3).collect();
    for (i, condition) in plain.iter().enumerate() {
        for (j, claim) in plain.iter().enumerate() {
            for op in JOINED {
                let is_new = i != j && (op == Op::Implies || i < j);
                // A condition joined with a relation between outputs, or two of one output each.
                let both = [condition, claim];
                // The operands of `and` are reported separately if both relate outputs.
                let useful = op != Op::And && both.iter().any(|part| related(part));
                let outputs = both.iter().all(|part| is_of_outputs(part, setting));
                if is_new && (useful || outputs) {
                    let joined = apply(op, &[condition, claim]);
                    relations.extend(Some(joined).filter(|joined| related(joined)));
                }
            }
        }
    }
    plainest(relations, setting, MOST)
}

/// Relations made from the parts of a given one that have fewer nodes, the plainest first.
pub(super) fn near(relation: &Predicate, setting: &Setting) -> Vec<Predicate> {
    let (words, size) = (Vocabulary::near(relation, setting), relation.size());
    let atoms = words.atoms();
    let mut relations: Vec<Vec<Node>> = Vec::new();
    let mut add = |nodes: Vec<Node>| {
        if nodes.len() < size && setting.relates_outputs(&nodes) {
            relations.push(nodes);
        }
    };
    for own in words.claims.iter().filter(|own| own.len() < size) {
        add(own.clone());
        for atom in atoms.iter().filter(|atom| atom.len() <= 3 && *atom != own) {
            for op in JOINED {
                add(apply(op, &[atom, own]));
            }
            add(apply(Op::Implies, &[own, atom]));
        }
    }
    atoms.into_iter().for_each(add);
    plainest(relations, setting, MOST_NEAR)
}

/// The operators that join two truth values.
const JOINED: [Op; 4] = [Op::Implies, Op::Or, Op::And, Op::Iff];

fn apply(op: Op, operands: &[&[Node]]) -> Vec<Node> {
    [operands.concat(), vec![Node::Op(op)]].concat()
}

/// Removes duplicates and orients the relations; returns the plainest ones, at most `most`.
fn plainest(relations: Vec<Vec<Node>>, setting: &Setting, most: usize) -> Vec<Predicate> {
    let mut seen = BTreeSet::new();
    let mut relations: Vec<(u32, String, Predicate)> = (relations.into_iter())
        .map(|nodes| {
            let relation = Predicate::new(Expr(nodes), &setting.schema);
            orient(&relation.expect("built by the signatures"), setting)
        })
        .map(|relation| {
            let text = relation.display(&setting.schema).to_string();
            (readability(&relation, setting), text, relation)
        })
        .filter(|(_, text, _)| seen.insert(text.clone()))
        .collect();
    relations.sort_by(|a, b| (a.0, &a.1).cmp(&(b.0, &b.1)));
    relations.truncate(most);
    relations.into_iter().map(|(_, _, relation)| relation).collect()
}

/// Whether an expression has no variables but outputs.
fn is_of_outputs(nodes: &[Node], setting: &Setting) -> bool {
    nodes.iter().all(|node| match node {
        Node::Var(var) => setting.is_output(*var),
        Node::Op(_) | Node::Num(_) | Node::Bool(_) => true,
    })
}

/// The building blocks of plain relations.
struct Vocabulary {
    numbers: Vec<Vec<Node>>,
    sequences: Vec<Vec<Node>>,
    truths: Vec<Vec<Node>>,
    constants: Vec<Vec<Node>>,
    /// Operators that join two numbers.
    operators: Vec<Op>,
    comparisons: Vec<Op>,
    /// Truth-valued expressions longer than a variable.
    claims: Vec<Vec<Node>>,
}

impl Vocabulary {
    /// The variables of a setting, and well-known numbers.
    fn of(setting: &Setting) -> Vocabulary {
        let vars = |ty: Type| -> Vec<Vec<Node>> {
            let of_type = setting.schema.iter().filter(move |(_, _, of)| *of == ty);
            let free = of_type.filter(|(var, _, _)| !is_tied(*var, setting));
            free.map(|(var, _, _)| vec![Node::Var(var)]).collect()
        };
        let sequences = vars(Type::Seq);
        let mut numbers = vars(Type::Num);
        for s in &sequences {
            numbers.extend([Op::Length, Op::Sum].map(|op| apply(op, &[s])));
        }
        Vocabulary {
            numbers,
            sequences,
            truths: vars(Type::Bool),
            constants: [0.0, 1.0, 2.0].map(|value| vec![Node::Num(value)]).into(),
            operators: vec![Op::Add, Op::Sub, Op::Mul, Op::Div],
            // Nobody thinks of `!=` first, and values that are never equal are mostly so by coincidence.
            comparisons: vec![Op::NumEq, Op::Le, Op::Ge, Op::Lt, Op::Gt],
            claims: Vec::new(),
        }
    }

    /// The building blocks of a relation: its variables, short parts, constants and operators.
    fn near(relation: &Predicate, setting: &Setting) -> Vocabulary {
        let nodes = relation.nodes();
        let mut words = Vocabulary {
            numbers: Vec::new(),
            sequences: Vec::new(),
            truths: Vec::new(),
            constants: [0.0, 1.0].map(|value| vec![Node::Num(value)]).into(),
            operators: Vec::new(),
            comparisons: vec![Op::NumEq, Op::Le, Op::Ge, Op::Lt, Op::Gt, Op::NumNe],
            claims: Vec::new(),
        };
        for (root, &node) in nodes.iter().enumerate() {
            let part = nodes[subtree(nodes, root)].to_vec();
            let (ty, len) = (type_of(node, setting), part.len());
            let kind = match (node, ty) {
                (Node::Num(_), _) => &mut words.constants,
                (_, Type::Num) if len <= PART => &mut words.numbers,
                (_, Type::Seq) if len <= PART => &mut words.sequences,
                (Node::Var(_), Type::Bool) => &mut words.truths,
                (Node::Op(_), Type::Bool) => &mut words.claims,
                _ => continue,
            };
            if !kind.contains(&part) {
                kind.push(part);
            }
        }
        let joins = [Op::Add, Op::Sub, Op::Mul, Op::Div];
        words.operators.extend(joins.into_iter().filter(|op| nodes.contains(&Node::Op(*op))));
        words
    }

    /// Comparisons of plain terms, and truth values.
    fn atoms(&self) -> Vec<Vec<Node>> {
        let Vocabulary { numbers, sequences, truths, constants, .. } = self;
        let mut terms: Vec<Vec<Node>> = numbers.iter().map(|x| apply(Op::Abs, &[x])).collect();
        for x in numbers.iter().chain(constants) {
            for y in numbers.iter().chain(constants) {
                let is_known = |x: &[Node]| matches!(x, [Node::Num(_)]);
                if !(is_known(x) && is_known(y)) {
                    terms.extend(self.operators.iter().map(|&op| apply(op, &[x, y])));
                }
            }
        }
        let mut atoms: Vec<Vec<Node>> = Vec::new();
        for x in numbers {
            for y in numbers.iter().chain(constants).chain(&terms).filter(|y| *y != x) {
                atoms.extend(self.comparisons.iter().map(|&op| apply(op, &[x, y])));
            }
        }
        for x in &terms {
            for y in constants {
                atoms.extend(self.comparisons.iter().map(|&op| apply(op, &[x, y])));
            }
        }
        for s in sequences {
            for t in sequences.iter().filter(|t| *t != s) {
                let mut others = vec![t.clone(), apply(Op::Flip, &[t])];
                // Whatever makes a sequence of a sequence and a number.
                for op in Op::ALL.into_iter().filter(|op| op.signature() == Op::Remove.signature())
                {
                    others.extend(numbers.iter().map(|n| apply(op, &[t, n])));
                }
                atoms.extend(others.iter().map(|other| apply(Op::SeqEq, &[s, other])));
            }
        }
        for p in truths {
            for q in truths.iter().filter(|q| *q != p) {
                let not = apply(Op::Not, &[q]);
                atoms.push(apply(Op::Implies, &[p, &not]));
                for op in [Op::Iff, Op::Implies, Op::Or, Op::Xor, Op::And] {
                    atoms.push(apply(op, &[p, q]));
                }
            }
            atoms.push(apply(Op::Not, &[p]));
            atoms.push(p.clone());
        }
        atoms
    }
}
