//! Guards: under which a body that does not always hold does.

use genmorph_jit::{Node, Op, Predicate};

use super::bits::Bits;
use super::cost::cost;
use super::scene::Scene;
use super::terms::{Bank, Term, joined};
use super::words::{DISTINCT, GUARDS, WIDE};

/// A condition on the source, and on which correct rows it is true.
#[derive(Clone, Debug)]
pub(super) struct Guard {
    pub(super) nodes: Vec<Node>,
    pub(super) cost: u32,
    /// Whether it has an output of the source.
    pub(super) is_of_output: bool,
    /// On all correct rows.
    pub(super) holds: Bits,
    /// On the rows of the sample.
    pub(super) sample: Bits,
}

impl Guard {
    /// Whether it fixes a quantity: what holds under it is an example, unless it ties both outputs.
    pub(super) fn is_single(&self) -> bool {
        matches!(self.nodes[..], [.., Node::Num(_), Node::Op(Op::NumEq)])
    }

    /// The share of correct rows on which it holds.
    pub(super) fn share(&self) -> f64 {
        self.holds.count() as f64 / self.holds.rows().max(1) as f64
    }
}

/// All guards that hold on enough rows and not on all, the widest first; of guards that hold on the same rows, the plainest. `holds`
/// says on which correct rows a condition is true, `sample` which correct rows are in the sample.
pub(super) fn guards(
    scene: &Scene<'_>,
    bank: &Bank,
    sample: &[usize],
    mut holds: impl FnMut(&Predicate) -> Bits,
) -> (Vec<Guard>, u64) {
    let mut tried = 0;
    let mut guards: Vec<Guard> = Vec::new();
    for nodes in conditions(bank) {
        let predicate = Predicate::new(nodes.clone().into(), &scene.setting.schema);
        let bits = holds(&predicate.expect("conditions are built by the signatures"));
        tried += 1;
        let count = bits.count();
        if count < DISTINCT || (count as f64) < WIDE * bits.rows() as f64 || count == bits.rows() {
            continue;
        }
        let sample = Bits::of(sample.len(), |place| bits.has(sample[place]));
        let is_output = |node: &Node| match node {
            Node::Var(var) => scene.setting.outputs.iter().any(|(source, _)| source == var),
            Node::Op(_) | Node::Num(_) | Node::Bool(_) => false,
        };
        let is_of_output = nodes.iter().any(is_output);
        guards.push(Guard { cost: cost(&nodes), nodes, is_of_output, holds: bits, sample });
    }
    guards.sort_by_key(|guard| (std::cmp::Reverse(guard.holds.count()), guard.cost));
    let mut distinct: Vec<Guard> = Vec::new();
    for guard in guards {
        let is_known =
            |known: &Guard| known.holds == guard.holds && known.is_of_output == guard.is_of_output;
        if !distinct.iter().any(is_known) {
            distinct.push(guard);
        }
    }
    (distinct, tried)
}

/// Comparisons of quantities of the source with each other and with constants, truth values, and equal sequences.
fn conditions(bank: &Bank) -> Vec<Vec<Node>> {
    let mut conditions = Vec::new();
    let quantities: Vec<&Term> =
        bank.numbers.iter().filter(|term| term.size == 1 && term.uses.is_of_source()).collect();
    for (i, a) in quantities.iter().enumerate() {
        for b in &quantities[i + 1..] {
            // Constants come after all others.
            if a.uses.is_constant() {
                continue;
            }
            conditions.extend(GUARDS.map(|op| joined(op, &a.nodes, &b.nodes)));
        }
    }
    let negated = |nodes: &[Node]| [nodes, &[Node::Op(Op::Not)]].concat();
    for p in bank.truths.iter().filter(|term| term.size == 1 && term.uses.is_of_source()) {
        conditions.extend([p.nodes.clone(), negated(&p.nodes)]);
    }
    let plain: Vec<&Term> =
        bank.sequences.iter().filter(|term| term.size == 1 && term.uses.is_of_source()).collect();
    for (i, a) in plain.iter().enumerate() {
        for b in &plain[i + 1..] {
            conditions.push(joined(Op::SeqEq, &a.nodes, &b.nodes));
            conditions.push(joined(Op::SeqNe, &a.nodes, &b.nodes));
        }
    }
    conditions
}
