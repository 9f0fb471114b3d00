//! Crossover and mutation. A subtree is a slice, so both are splices.
//!
//! Offspring are written into a buffer; whoever keeps one makes a predicate of it.

use genmorph_jit::{Node, Op, subtree};

use super::fit::Fit;
use super::grammar::Grammar;
use super::grow;
use super::score::Order;
use crate::evolve::config::{Config, Variation};
use crate::support::seed::Rng;

/// How often a place for a change is looked for before a relation is left as it is.
const ATTEMPTS: usize = 8;
/// The most nodes that subtree mutation grows. A guess: larger ones rarely survive.
const GROWN: usize = 7;

/// What variation needs to know besides the parents.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Vary<'a> {
    pub(crate) grammar: &'a Grammar,
    pub(crate) config: &'a Config,
    pub(crate) fit: &'a Fit,
    /// What the population of the parents asks for first.
    pub(crate) order: Order,
}

impl Vary<'_> {
    fn eager(&self) -> bool {
        self.config.variation == Variation::Eager
    }

    /// Two offspring of two parents, into two buffers.
    pub(crate) fn offspring(
        &self,
        rng: &mut Rng,
        parents: [&[Node]; 2],
        children: &mut [Vec<Node>; 2],
    ) {
        let [a, b] = parents;
        if self.config.joining > 0.0 && rng.chance(self.config.joining) {
            return self.join(rng, parents, children);
        }
        let crossed = rng.chance(self.config.crossover) && self.crossover(rng, parents, children);
        if !crossed {
            copy(a, &mut children[0]);
            copy(b, &mut children[1]);
        }
        for child in children {
            let mutated = rng.chance(self.config.mutation) && self.mutate(rng, child);
            if !mutated && !crossed && self.eager() {
                self.mutate(rng, child);
            }
        }
    }

    /// Both parents as one offspring, and a mutant of the second. What does not fit is mutated instead.
    fn join(&self, rng: &mut Rng, [a, b]: [&[Node]; 2], children: &mut [Vec<Node>; 2]) {
        let [joined, mutant] = children;
        copy(a, joined);
        copy(b, mutant);
        self.mutate(rng, mutant);
        if a.len() + b.len() < self.config.max_size && !Node::are_same(a, b) {
            joined.extend_from_slice(b);
            joined.push(Node::Op(match self.order {
                Order::Fp => Op::And,
                Order::Fn => Op::Or,
            }));
        } else {
            self.mutate(rng, joined);
        }
    }

    /// Exchanges two random subtrees of one type. An offspring above the bound is dropped: its first
    /// parent takes its place, and crossover fails if that happens to both.
    fn crossover(
        &self,
        rng: &mut Rng,
        [a, b]: [&[Node]; 2],
        children: &mut [Vec<Node>; 2],
    ) -> bool {
        for _ in 0..ATTEMPTS {
            let at = rng.below(a.len());
            let ty = self.grammar.type_of(a[at]);
            let Some(from) = self.place(rng, b, |node| self.grammar.type_of(node) == ty) else {
                continue;
            };
            let (gone, come) = (subtree(a, at), subtree(b, from));
            let fits = [
                a.len() - gone.len() + come.len() <= self.config.max_size,
                b.len() - come.len() + gone.len() <= self.config.max_size,
            ];
            let (gone_nodes, come_nodes) = (&a[gone.clone()], &b[come.clone()]);
            if self.eager() && (fits == [false; 2] || Node::are_same(gone_nodes, come_nodes)) {
                continue;
            }
            for (child, fits, host, hole, graft) in [
                (0, fits[0], a, gone.clone(), come_nodes),
                (1, fits[1], b, come.clone(), gone_nodes),
            ] {
                let child = &mut children[child];
                if fits {
                    child.clear();
                    child.extend_from_slice(&host[..hole.start]);
                    child.extend_from_slice(graft);
                    child.extend_from_slice(&host[hole.end..]);
                } else {
                    copy(host, child);
                    if self.eager() {
                        self.mutate(rng, child);
                    }
                }
            }
            return fits != [false; 2];
        }
        false
    }

    /// One of the three mutations; false if nothing was changed.
    pub(crate) fn mutate(&self, rng: &mut Rng, nodes: &mut Vec<Node>) -> bool {
        let attempts = if self.eager() { ATTEMPTS } else { 1 };
        for _ in 0..attempts {
            let changed = match rng.below(3) {
                0 => self.mutate_node(rng, nodes),
                1 => self.mutate_subtree(rng, nodes),
                _ => self.mutate_constant(rng, nodes),
            };
            if changed {
                return true;
            }
        }
        false
    }

    /// A leaf, or with eager variation also an operator, becomes another of its type.
    fn mutate_node(&self, rng: &mut Rng, nodes: &mut [Node]) -> bool {
        let eager = self.eager();
        let place = self.place(rng, nodes, |node| eager || node.arity() == 0);
        let Some(at) = place else { return false };
        let new = match nodes[at] {
            Node::Op(op) => self.other_operator(rng, op).map(Node::Op),
            node => Some(grow::leaf_like(rng, self.grammar, node)),
        };
        let Some(new) = new.filter(|new| !new.same(nodes[at])) else { return false };
        nodes[at] = new;
        true
    }

    /// Another operator for the same operands.
    fn other_operator(&self, rng: &mut Rng, op: Op) -> Option<Op> {
        let fits = |other: &&Op| **other != op && other.signature() == op.signature();
        let ops = self.grammar.ops(op.result());
        let count = ops.iter().filter(fits).count();
        (count > 0).then(|| *ops.iter().filter(fits).nth(rng.below(count)).expect("one of those"))
    }

    /// The subtree at an inner node, or anywhere with eager variation, becomes a random one.
    fn mutate_subtree(&self, rng: &mut Rng, nodes: &mut Vec<Node>) -> bool {
        let eager = self.eager();
        let place = self.place(rng, nodes, |node| eager || node.arity() > 0);
        let Some(at) = place else { return false };
        let gone = subtree(nodes, at);
        let ty = self.grammar.type_of(nodes[at]);
        let room = self.config.max_size - (nodes.len() - gone.len());
        if room < self.grammar.least(ty) {
            return false;
        }
        let mut grown = Vec::with_capacity(GROWN);
        let most = room.min(GROWN.max(self.grammar.least(ty)));
        let wanted = 1 + rng.below(most);
        grow::subtree(rng, self.grammar, ty, wanted, &mut grown);
        if grown.len() > room || Node::are_same(&grown, &nodes[gone.clone()]) {
            return false;
        }
        nodes.splice(gone, grown);
        true
    }

    /// A constant takes a step.
    fn mutate_constant(&self, rng: &mut Rng, nodes: &mut [Node]) -> bool {
        let place = self.place(rng, nodes, |node| matches!(node, Node::Num(_)));
        let Some(at) = place else { return false };
        let Node::Num(value) = nodes[at] else { return false };
        if self.config.fitting > 0.0
            && rng.chance(self.config.fitting)
            && self.fit.fit(rng, nodes, at)
        {
            return true;
        }
        let step = self.config.constant_step;
        let sign = if rng.chance(0.5) { 1.0 } else { -1.0 };
        let new = if self.eager() {
            match rng.below(5) {
                0 => readable(value + sign * step),
                1 | 2 => readable(value + sign),
                3 => -value,
                _ => value * if rng.chance(0.5) { 2.0 } else { 0.5 },
            }
        } else {
            value + sign * step
        };
        let new = Node::Num(new);
        if new.same(nodes[at]) {
            return false;
        }
        nodes[at] = new;
        true
    }

    /// A random node for which `wanted` is true.
    fn place(&self, rng: &mut Rng, nodes: &[Node], wanted: impl Fn(Node) -> bool) -> Option<usize> {
        let first = rng.below(nodes.len());
        // Most nodes are wanted mostly; otherwise count them.
        if wanted(nodes[first]) {
            return Some(first);
        }
        let count = nodes.iter().filter(|node| wanted(**node)).count();
        if count == 0 {
            return None;
        }
        let chosen = rng.below(count);
        nodes.iter().enumerate().filter(|(_, node)| wanted(**node)).nth(chosen).map(|(at, _)| at)
    }
}

/// A number without the dirt that steps of 0.1 leave: at most 12 digits after the point.
pub(crate) fn readable(value: f64) -> f64 {
    let rounded = (value * 1e12).round() / 1e12;
    if rounded.is_finite() && (rounded - value).abs() <= 1e-9 { rounded + 0.0 } else { value }
}

#[inline]
fn copy(from: &[Node], to: &mut Vec<Node>) {
    to.clear();
    to.extend_from_slice(from);
}

#[cfg(test)]
mod tests {
    use genmorph_jit::{Expr, Predicate};

    use super::*;
    use crate::evolve::grammar::tests::mixed;
    use crate::support::seed::Seed;

    fn breed(config: &Config, couples: u64) -> (usize, usize) {
        let grammar = mixed(config);
        let empty = |(_, _, ty)| genmorph_jit::Column::empty(ty);
        let columns = grammar.schema().iter().map(empty).collect();
        let table = genmorph_jit::Table::new(grammar.schema(), columns, Default::default());
        let fit = Fit::new(std::sync::Arc::new(table.unwrap()));
        let vary = Vary { grammar: &grammar, config, fit: &fit, order: Order::Fp };
        let mut children = [Vec::new(), Vec::new()];
        let mut changed = 0;
        for slot in 0..couples {
            let mut rng = Seed(3).stream("test").at(slot).rng();
            let parents =
                [(); 2].map(|()| grow::first(&mut rng, &grammar, config.max_size, config.start));
            vary.offspring(&mut rng, [parents[0].nodes(), parents[1].nodes()], &mut children);
            for (child, parent) in children.iter().zip(&parents) {
                let child = Predicate::new(Expr(child.clone()), grammar.schema()).unwrap();
                assert!(child.size() <= config.max_size);
                changed += usize::from(!Node::are_same(child.nodes(), parent.nodes()));
            }
        }
        (changed, 2 * couples as usize)
    }

    #[test]
    fn offspring_are_well_typed_and_keep_the_bound() {
        for max_size in [3, 5, 16, 40] {
            breed(&Config { max_size, ..Config::paper() }, 3_000);
            breed(&Config { max_size, ..Config::default() }, 3_000);
        }
    }

    #[test]
    fn eager_variation_changes_practically_everything() {
        let (changed, all) = breed(&Config::default(), 3_000);
        assert!(changed * 100 >= all * 99, "{changed} of {all}");
        let (plain, _) = breed(&Config::paper(), 3_000);
        assert!(plain < changed, "{plain}");
    }

    #[test]
    fn steps_leave_no_dirt() {
        assert_eq!(readable(0.1 + 0.2), 0.3);
        assert_eq!(readable(1e300), 1e300);
        assert_eq!(readable(-0.0).to_bits(), 0.0_f64.to_bits());
    }
}
