//! Bodies of truth values: what the truth of one execution says of the other's.
//!
//! A body is only made where both executions are now true, now false: else it holds because nothing happens.

use genmorph_jit::{Class, Node, Op};

use super::bits::Bits;
use super::bodies::{Bodies, Body, Form, Maker};
use super::terms::{Term, joined};
use super::words::{LOGIC, WIDE};

/// One in this many rows must have the rarer truth value.
const RARE: usize = 100;

impl Maker<'_> {
    /// Relations of the truth values of both executions.
    pub(super) fn truths(&self, bodies: &mut Bodies) {
        let truths = &self.bank.truths;
        for f in truths.iter().filter(|term| term.uses.follow_up) {
            if !self.varies(f) {
                self.constant_truth(f, bodies);
                continue;
            }
            for s in truths.iter().filter(|term| term.uses.source && self.varies(term)) {
                self.of_both(s, f, bodies);
            }
        }
    }

    /// Whether a truth value is now true, now false.
    fn varies(&self, term: &Term) -> bool {
        let count = self.truth_of(term).map_or(0, |truth| truth.count());
        count.min(self.rows - count) * RARE >= self.rows
    }

    /// What the follow-up always is, where the transformation gives an input one value.
    fn constant_truth(&self, f: &Term, bodies: &mut Bodies) {
        let Some(truth) = self.truth_of(f).filter(|_| self.is_fixing) else { return };
        for (is_true, nodes) in
            [(true, f.nodes.clone()), (false, [&f.nodes[..], &[Node::Op(Op::Not)]].concat())]
        {
            bodies.tried += 1;
            let holds = Bits::of(self.rows, |row| truth.has(row) == is_true);
            if holds.is_full() {
                bodies.list.push(Body::of(nodes, Form::Truth, None, holds));
            }
        }
    }

    fn of_both(&self, s: &Term, f: &Term, bodies: &mut Bodies) {
        let (Some(p), Some(q)) = (self.truth_of(s), self.truth_of(f)) else { return };
        let mut keep = |nodes: Vec<Node>, holds: Bits| {
            bodies.tried += 1;
            bodies.guardable += 1;
            if holds.count() as f64 >= WIDE * self.rows as f64 {
                bodies.list.push(Body::of(nodes, Form::Truth, None, holds));
            }
        };
        // Of two truth values together people say what they are equal to.
        let operators = if s.size > 1 { &LOGIC[..1] } else { &LOGIC[..] };
        for &op in operators {
            let (first, second) = if op == Op::Iff { (f, s) } else { (s, f) };
            let Class::Logic(logic) = op.class() else { continue };
            let holds = Bits::of(self.rows, |row| logic.apply(p.has(row), q.has(row)));
            keep(joined(op, &first.nodes, &second.nodes), holds);
        }
        if s.size > 1 {
            return;
        }
        let back = Bits::of(self.rows, |row| !q.has(row) || p.has(row));
        keep(joined(Op::Implies, &f.nodes, &s.nodes), back);
        let both = [joined(Op::And, &s.nodes, &f.nodes), vec![Node::Op(Op::Not)]].concat();
        keep(both, Bits::of(self.rows, |row| !(p.has(row) && q.has(row))));
    }
}
