//! Candidates for laws: bodies and guarded bodies that hold on all correct rows.

use std::sync::Arc;

use genmorph_jit::{Evaluator, Node, Op, Policy, Predicate, Table, Var};

use super::Law;
use super::bits::Bits;
use super::bodies::{Bodies, Body, Form};
use super::cost::guarded;
use super::guards::Guard;
use super::scene::Scene;
use super::terms::joined;
use super::words::{DEAREST, Vocabulary};
use crate::executions::{CORRECT, Executions, INCORRECT};

/// A relation that holds on all correct rows.
#[derive(Clone, Debug)]
pub(super) struct Candidate {
    pub(super) law: Law,
    pub(super) form: Form,
    /// The sides of its body, if it has sides.
    pub(super) sides: Option<[Vec<Node>; 2]>,
    pub(super) guard: Option<Vec<Node>>,
}

/// Rows of mutants from which on it says something that none of them violates a relation.
const MANY: usize = 100;
/// Guards that are kept for an equation, at most; an order has one.
const GUARDS: usize = 2;

/// The correct rows, and what evaluates relations on them.
pub(super) struct Evidence {
    table: Arc<Table>,
    evaluator: Evaluator,
}

impl Evidence {
    pub(super) fn new(executions: &Executions) -> Evidence {
        let table = Arc::clone(&executions.table);
        Evidence { table, evaluator: Evaluator::new(Policy::Auto) }
    }

    /// The correct rows on which a relation is true.
    pub(super) fn correct(&mut self, relation: &Predicate) -> Bits {
        let mask = self.evaluator.mask(relation, &self.table);
        let rows = self.table.layout().groups()[CORRECT].rows;
        Bits::of_words(rows, mask.group_words(CORRECT))
    }

    /// The correct rows whose follow-up input differs from the source input.
    pub(super) fn moved(&mut self, scene: &Scene<'_>) -> Bits {
        let mut same = Bits::all(scene.correct());
        for unchanged in scene.unchanged() {
            same.intersect(&self.correct(&unchanged));
        }
        same.complement()
    }

    /// Whether a relation is false on no row of a mutant, though there are many.
    fn is_idle(&mut self, relation: &Predicate) -> bool {
        let mask = self.evaluator.mask(relation, &self.table);
        let rows = self.table.layout().groups()[INCORRECT].rows;
        rows >= MANY && mask.count_ones_in(INCORRECT) == rows
    }

    /// Postconditions that hold of both executions on all correct rows, some under a guard of inputs.
    pub(super) fn postconditions(
        &mut self,
        scene: &Scene<'_>,
        bodies: &Bodies,
        guards: &[Guard],
    ) -> Vec<Candidate> {
        let mut found = Vec::new();
        let mut said = Said::default();
        let of_inputs: Vec<&Guard> =
            guards.iter().filter(|guard| !guard.is_of_output && !guard.is_single()).collect();
        for body in plainest(&bodies.list) {
            if body.holds.is_full() {
                let relation = predicate(scene, body.nodes.clone());
                if self.holds_of_both(scene, &relation) && self.is_met(scene, body) {
                    found.push(candidate(relation, body, None, 1.0));
                    continue;
                }
            }
            if !body.is_guardable || body.form == Form::Order {
                continue;
            }
            let guards = of_inputs.iter().copied();
            for guard in self.fitting(scene, body, guards, &mut said) {
                let relation = predicate(scene, joined(Op::Implies, &guard.nodes, &body.nodes));
                if self.holds_of_both(scene, &relation) && !self.is_idle(&relation) {
                    found.push(candidate(relation, body, Some(&guard.nodes), guard.share()));
                }
            }
        }
        found.retain(|candidate| candidate.law.cost <= DEAREST);
        found
    }

    /// Whether both sides of a bound of single executions are equal on a correct row, of the source or of the follow-up. All else is
    /// no bound, and nothing that has to be met.
    fn is_met(&mut self, scene: &Scene<'_>, body: &Body) -> bool {
        let Some([left, right]) = body.sides.as_ref().filter(|_| body.form == Form::Order) else {
            return true;
        };
        let equal = joined(Op::NumEq, left, right);
        let mirrored = predicate(scene, of_follow_up(&equal, scene.setting.sources));
        let is_strict = matches!(body.nodes.last(), Some(Node::Op(Op::Lt | Op::Gt)));
        is_strict
            || self.correct(&predicate(scene, equal)).count() > 0
            || self.correct(&mirrored).count() > 0
    }

    /// Whether a relation of single executions holds of the source and of the follow-up on all correct rows.
    fn holds_of_both(&mut self, scene: &Scene<'_>, relation: &Predicate) -> bool {
        let mirrored = predicate(scene, of_follow_up(relation.nodes(), scene.setting.sources));
        self.correct(relation).is_full() && self.correct(&mirrored).is_full()
    }

    /// All bodies that hold on all correct rows, and the others under the guards that make them hold; and how many guarded
    /// bodies were tried.
    pub(super) fn candidates(
        &mut self,
        scene: &Scene<'_>,
        bodies: &Bodies,
        guards: &[Guard],
        words: &Vocabulary,
    ) -> (Vec<Candidate>, u64) {
        let mut candidates = Vec::new();
        let mut said = Said::default();
        // One that holds on too few rows for any guard is decided with all of them.
        let tried = bodies.guardable * guards.len() as u64;
        for body in plainest(&bodies.list) {
            let relation = predicate(scene, body.nodes.clone());
            if body.holds.is_full() {
                let holds = self.correct(&relation);
                if holds.is_full() {
                    // A bound of several quantities that not one faulty execution violates is too wide to be one.
                    let is_bound = body.form == Form::Order && body.nodes.len() > 3;
                    if body.is_of_both && !(is_bound && self.is_idle(&relation)) {
                        candidates.push(candidate(relation, body, None, 1.0));
                    }
                    continue;
                }
            }
            let guards = if body.is_guardable { guards } else { &[] };
            let may_be_said = |guard: &&Guard| may_be_said(guard, body);
            for guard in self.fitting(scene, body, guards.iter().filter(may_be_said), &mut said) {
                let nodes = joined(Op::Implies, &guard.nodes, &body.nodes);
                let relation = predicate(scene, nodes);
                // A special case that not one faulty execution violates is mostly a coincidence.
                if !self.is_idle(&relation) {
                    candidates.push(candidate(relation, body, Some(&guard.nodes), guard.share()));
                }
            }
            if let Some(nodes) = overflow(body, words) {
                let holds = self.correct(&relation);
                let fits = self.correct(&predicate(scene, nodes.clone()));
                let share = fits.count() as f64 / fits.rows().max(1) as f64;
                if fits.is_within(&holds) && !holds.is_full() && share >= 0.5 {
                    let relation = predicate(scene, joined(Op::Implies, &nodes, &body.nodes));
                    candidates.push(candidate(relation, body, Some(&nodes), share));
                }
            }
        }
        candidates.retain(|candidate| candidate.law.cost <= DEAREST);
        (candidates, tried)
    }

    /// The guards under which a body holds on all correct rows: the plainest, none narrower than another. What an equation says
    /// of a quantity under a guard is not said again in other words.
    fn fitting<'g>(
        &mut self,
        scene: &Scene<'_>,
        body: &Body,
        guards: impl Iterator<Item = &'g Guard>,
        said: &mut Said,
    ) -> Vec<&'g Guard> {
        let mut fitting: Vec<&Guard> =
            guards.filter(|guard| guard.sample.is_within(&body.holds)).collect();
        if fitting.is_empty() {
            return fitting;
        }
        let holds = self.correct(&predicate(scene, body.nodes.clone()));
        fitting.retain(|guard| guard.holds.is_within(&holds));
        fitting.retain(|guard| guarded(&guard.nodes, body.cost, guard.share()) <= DEAREST);
        fitting.retain(|guard| said.is_new(guard, body));
        fitting.sort_by_key(|guard| guarded(&guard.nodes, body.cost, guard.share()));
        let mut kept: Vec<&Guard> = Vec::new();
        let most = if body.form == Form::Order { 1 } else { GUARDS };
        for guard in fitting {
            let is_narrower = |other: &&Guard| guard.holds.is_within(&other.holds);
            if kept.len() < most && !kept.iter().any(is_narrower) {
                kept.push(guard);
            }
        }
        kept
    }
}

/// What equations say under guards: of which quantity, and where.
#[derive(Default)]
struct Said {
    list: Vec<(Vec<Node>, Bits)>,
}

impl Said {
    /// Whether nothing plainer equals the left side of an equation wherever the guard holds. All that equals it there is equal to
    /// each other: `out_f == out_s * 2` where both are 0.
    fn is_new(&mut self, guard: &Guard, body: &Body) -> bool {
        let Some([left, _]) = body.sides.as_ref().filter(|_| body.form != Form::Order) else {
            return true;
        };
        let is_said = |(of, rows): &(Vec<Node>, Bits)| of == left && guard.holds.is_within(rows);
        if self.list.iter().any(is_said) {
            return false;
        }
        self.list.push((left.clone(), guard.holds.clone()));
        true
    }
}

/// Bodies in the order of their reading cost.
fn plainest(bodies: &[Body]) -> Vec<&Body> {
    let mut plainest: Vec<&Body> = bodies.iter().collect();
    plainest.sort_by_key(|body| body.cost);
    plainest
}

/// Whether a person would say a body under a guard.
fn may_be_said(guard: &Guard, body: &Body) -> bool {
    let is_related = body.is_of_both || guard.is_of_output && !guard.is_single();
    // A condition of a condition is hardly ever met.
    let is_conditional = body.nodes.last() == Some(&Node::Op(Op::Implies));
    // A bound of some results is no bound, and where two inputs are equal more can be said than a bound.
    let is_narrow = guard.is_tie() || guard.is_of_output && !guard.is_of_number();
    let is_of_some = body.form == Form::Order && is_narrow;
    is_related && !is_conditional && !is_of_some && !guard.fixes_part_of(&body.nodes)
}

/// That the right side of an equation is within the integers of the result's type: where it is not, the function's arithmetic wraps around.
fn overflow(body: &Body, words: &Vocabulary) -> Option<Vec<Node>> {
    let (_, most) = words.wraps?;
    let [_, right] = body.sides.as_ref().filter(|_| body.form == Form::Definition)?;
    let is_computed =
        right.iter().any(|node| matches!(node, Node::Op(Op::Add | Op::Sub | Op::Mul)));
    is_computed
        .then(|| [&right[..], &[Node::Op(Op::Abs), Node::Num(most), Node::Op(Op::Le)]].concat())
}

fn candidate(relation: Predicate, body: &Body, guard: Option<&Vec<Node>>, share: f64) -> Candidate {
    let cost = match guard {
        Some(guard) => guarded(guard, body.cost, share),
        None => body.cost,
    };
    Candidate {
        law: Law { relation, cost, share },
        form: body.form,
        sides: body.sides.clone(),
        guard: guard.cloned(),
    }
}

fn predicate(scene: &Scene<'_>, nodes: Vec<Node>) -> Predicate {
    Predicate::new(nodes.into(), &scene.setting.schema).expect("laws are built by the signatures")
}

/// A relation of the source's variables, said of the follow-up's.
pub(super) fn of_follow_up(nodes: &[Node], sources: usize) -> Vec<Node> {
    let moved = |node: &Node| match *node {
        Node::Var(var) => Node::Var(Var((var.index() + sources) as u16)),
        node => node,
    };
    nodes.iter().map(moved).collect()
}
