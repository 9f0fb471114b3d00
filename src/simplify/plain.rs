//! The relations that a person would think of first: a few nodes that relate an output pair.
//!
//! There are some thousands over a signature, so all of them can be tried on all rows. What a long evolved relation says is
//! often said better by one of these.

use std::collections::BTreeSet;

use genmorph_jit::{Expr, Node, Op, Predicate, Type};

use super::forms::is_tied;
use super::orient::orient;
use super::readability::readability;
use super::setting::Setting;

/// Relations that are tried, at most: the plainest.
const MOST: usize = 30_000;

/// All plain relations of a setting, the plainest first.
pub(super) fn all(setting: &Setting) -> Vec<Predicate> {
    let mut relations: Vec<Vec<Node>> = Vec::new();
    let atoms = atoms(setting);
    let related = |nodes: &[Node]| setting.relates_outputs(nodes);
    relations.extend(atoms.iter().filter(|atom| related(atom)).cloned());
    // A condition on inputs, or on one output, of a comparison of outputs.
    let plain: Vec<&Vec<Node>> = atoms.iter().filter(|atom| atom.len() <= 3).collect();
    for (i, condition) in plain.iter().enumerate() {
        for (j, claim) in plain.iter().enumerate() {
            for op in [Op::Implies, Op::Or, Op::And, Op::Iff] {
                let is_new = i != j && (op == Op::Implies || i < j);
                // What relates outputs under a condition, or one output to the other.
                let both = [condition, claim];
                // What `and` joins is said apart, if both relate outputs.
                let useful = op != Op::And && both.iter().any(|part| related(part));
                let outputs = both.iter().all(|part| is_of_outputs(part, setting));
                let joined = || [&condition[..], claim, &[Node::Op(op)]].concat();
                if is_new && (useful || outputs) {
                    relations.extend(Some(joined()).filter(|joined| related(joined)));
                }
            }
        }
    }
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
    relations.truncate(MOST);
    relations.into_iter().map(|(_, _, relation)| relation).collect()
}

/// Whether it mentions outputs only, and constants.
fn is_of_outputs(nodes: &[Node], setting: &Setting) -> bool {
    nodes.iter().all(|node| match node {
        Node::Var(var) => setting.is_output(*var),
        Node::Op(_) | Node::Num(_) | Node::Bool(_) => true,
    })
}

/// Comparisons of plain terms, and truths.
fn atoms(setting: &Setting) -> Vec<Vec<Node>> {
    let vars = |ty: Type| -> Vec<Vec<Node>> {
        let of_type = setting.schema.iter().filter(move |(_, _, of)| *of == ty);
        let free = of_type.filter(|(var, _, _)| !is_tied(*var, setting));
        free.map(|(var, _, _)| vec![Node::Var(var)]).collect()
    };
    let apply = |op: Op, operands: &[&[Node]]| [operands.concat(), vec![Node::Op(op)]].concat();
    let sequences = vars(Type::Seq);
    let mut numbers = vars(Type::Num);
    for s in &sequences {
        numbers.extend([Op::Length, Op::Sum].map(|op| apply(op, &[s])));
    }
    let constants: Vec<Vec<Node>> = [0.0, 1.0, 2.0].map(|value| vec![Node::Num(value)]).into();
    let mut terms: Vec<Vec<Node>> = numbers.iter().map(|x| apply(Op::Abs, &[x])).collect();
    for x in numbers.iter().chain(&constants) {
        for y in numbers.iter().chain(&constants) {
            for op in [Op::Add, Op::Sub, Op::Mul, Op::Div] {
                let is_known = |x: &[Node]| matches!(x, [Node::Num(_)]);
                if !(is_known(x) && is_known(y)) {
                    terms.push(apply(op, &[x, y]));
                }
            }
        }
    }
    let mut atoms: Vec<Vec<Node>> = Vec::new();
    // Nobody thinks of `!=` first, and what is never equal is mostly so by coincidence.
    let comparisons = [Op::NumEq, Op::Le, Op::Ge, Op::Lt, Op::Gt];
    for x in &numbers {
        for y in numbers.iter().chain(&constants).chain(&terms).filter(|y| *y != x) {
            atoms.extend(comparisons.map(|op| apply(op, &[x, y])));
        }
    }
    for x in &terms {
        for y in &constants {
            atoms.extend(comparisons.map(|op| apply(op, &[x, y])));
        }
    }
    for s in &sequences {
        for t in sequences.iter().filter(|t| *t != s) {
            let mut others = vec![t.clone(), apply(Op::Flip, &[t])];
            for op in [Op::Truncate, Op::Remove] {
                others.extend(numbers.iter().map(|n| apply(op, &[t, n])));
            }
            atoms.extend(others.iter().map(|other| apply(Op::SeqEq, &[s, other])));
        }
    }
    let truths = vars(Type::Bool);
    for p in &truths {
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
