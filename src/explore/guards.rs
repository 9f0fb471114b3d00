//! Guards: under which a body that does not always hold does.

use genmorph_jit::{Node, Op, Predicate};

use super::bits::Bits;
use super::cost::cost;
use super::scene::Scene;
use super::terms::{Bank, Term, joined};
use super::words::{DISTINCT, GUARDS, WIDE, is_special};

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
        self.fixed().is_some()
    }

    /// Whether it says that a result is a number.
    pub(super) fn is_of_number(&self) -> bool {
        matches!(self.nodes[..], [.., Node::Op(Op::Abs), Node::Num(0.0), Node::Op(Op::Ge)])
    }

    /// Whether it fixes a quantity that an expression has: there it would be a constant in disguise.
    pub(super) fn fixes_part_of(&self, nodes: &[Node]) -> bool {
        self.fixed().is_some_and(|fixed| nodes.windows(fixed.len()).any(|part| part == fixed))
    }

    /// Whether it says that two inputs are equal.
    pub(super) fn is_tie(&self) -> bool {
        match self.nodes[..] {
            [Node::Var(_), Node::Var(_), Node::Op(op)] => matches!(op, Op::NumEq | Op::SeqEq),
            _ => false,
        }
    }

    /// The quantity that it says to be a constant.
    fn fixed(&self) -> Option<&[Node]> {
        match &self.nodes[..] {
            [quantity @ .., Node::Num(_), Node::Op(Op::NumEq)] => Some(quantity),
            _ => None,
        }
    }

    /// The share of correct rows on which it holds.
    pub(super) fn share(&self) -> f64 {
        self.holds.count() as f64 / self.holds.rows().max(1) as f64
    }
}

/// All guards that hold on enough rows and not on all, the widest first; of guards that hold on the same rows, the plainest. `holds`
/// says on which correct rows a condition is true, `sample` which correct rows are in the sample, `moved` on which of them the transformation
/// changes an input.
pub(super) fn guards(
    scene: &Scene<'_>,
    bank: &Bank<'_>,
    (sample, moved): (&[usize], &Bits),
    mut holds: impl FnMut(&Predicate) -> Bits,
) -> (Vec<Guard>, u64) {
    let mut tried = 0;
    let mut guards: Vec<Guard> = Vec::new();
    for nodes in conditions(bank, sample.len()) {
        let predicate = Predicate::new(nodes.clone().into(), &scene.setting.schema);
        let bits = holds(&predicate.expect("conditions are built by the signatures"));
        tried += 1;
        // Where the transformation changes nothing, nothing can be learned of it.
        let count = bits.count_with(moved);
        let is_narrow = count < DISTINCT || (count as f64) < WIDE * bits.rows() as f64;
        if is_narrow || bits.is_full() {
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

/// Whether a term has integers only, on the first rows.
fn is_whole(term: &Term, rows: usize) -> bool {
    let is_integer = |value: &f64| value.fract() == 0.0;
    term.values.numbers().is_some_and(|values| values[..rows].iter().all(is_integer))
}

/// Comparisons of quantities of the source with each other and with constants, truth values, and equal sequences.
/// `correct` rows of the bank, the first ones, are of the original.
fn conditions(bank: &Bank<'_>, correct: usize) -> Vec<Vec<Node>> {
    let mut conditions = Vec::new();
    let is_quantity = |term: &&Term| {
        // A condition on the sum of elements is one that nobody would look for.
        let is_sum = term.nodes.contains(&Node::Op(Op::Sum));
        term.size == 1 && term.uses.is_of_source() && !is_sum && !is_special(&term.nodes)
    };
    let quantities: Vec<&Term> = bank.numbers.iter().filter(is_quantity).collect();
    for (i, a) in quantities.iter().enumerate() {
        for b in &quantities[i + 1..] {
            // Constants come after all others.
            if a.uses.is_constant() {
                continue;
            }
            // That real numbers are equal holds by rounding, or by special values.
            let is_exact = |op: &Op| {
                !matches!(op, Op::NumEq | Op::NumNe)
                    || [a, b].iter().all(|term| is_whole(term, correct))
            };
            // How a result compares with an input is mostly a special case in disguise; that they differ leaves most.
            let is_tied = !b.uses.is_constant() && a.uses.source != b.uses.source;
            let is_exact = |op: &Op| is_exact(op) && (!is_tied || *op == Op::NumNe);
            // Short texts and lists are special cases of which something odd is always true.
            let is_short = a.nodes.contains(&Node::Op(Op::Length)) && b.uses.is_constant();
            let is_wide = |op: &Op| !is_short || matches!(op, Op::NumNe | Op::Gt | Op::Ge);
            // What real numbers do beyond 1 or 2 is mostly rounded; results are compared with 0 and 1.
            let is_known = match b.nodes[..] {
                [Node::Num(value)] if !is_whole(a, correct) => value == 0.0,
                [Node::Num(value)] if a.uses.source => value != 2.0,
                _ => true,
            };
            let fitting = GUARDS.into_iter().filter(is_exact).filter(is_wide);
            let fitting = fitting.filter(|_| is_known);
            conditions.extend(fitting.map(|op| joined(op, &a.nodes, &b.nodes)));
        }
    }
    // That a result is a number: its magnitude is not negative.
    let may_be_none = |term: &&&Term| {
        let has_nan = |values: &[f64]| values[..correct].iter().any(|value| value.is_nan());
        term.uses.source && term.values.numbers().is_some_and(has_nan)
    };
    for term in quantities.iter().filter(may_be_none) {
        let is_number = [Node::Op(Op::Abs), Node::Num(0.0), Node::Op(Op::Ge)];
        conditions.push([&term.nodes[..], &is_number].concat());
    }
    let negated = |nodes: &[Node]| [nodes, &[Node::Op(Op::Not)]].concat();
    for p in bank.truths.iter().filter(|term| term.size == 1 && term.uses.is_of_source()) {
        conditions.extend([p.nodes.clone(), negated(&p.nodes)]);
    }
    // That a result is one of the inputs is mostly a special case in disguise.
    let is_input = |term: &&Term| term.size == 1 && term.uses.is_of_source() && !term.uses.source;
    let plain: Vec<&Term> = bank.sequences.iter().filter(is_input).collect();
    for (i, a) in plain.iter().enumerate() {
        for b in &plain[i + 1..] {
            conditions.push(joined(Op::SeqEq, &a.nodes, &b.nodes));
            conditions.push(joined(Op::SeqNe, &a.nodes, &b.nodes));
        }
    }
    conditions
}
