//! Which candidates are said: the plainest first, each only if it excludes something that those before it leave.

use genmorph_jit::engine::scalar;
use genmorph_jit::{Evaluator, Node, Op, Policy, Predicate, Table, Value};

use super::bits::Bits;
use super::bodies::Form;
use super::candidates::Candidate;
use super::scene::{Row, Scene};
use super::words::{GARBAGE, MOST_LAWS};
use super::{Law, of_follow_up};

/// Laws and postconditions that are worth saying.
pub(super) struct Choice {
    pub(super) laws: Vec<Law>,
    pub(super) postconditions: Vec<Law>,
}

/// Candidates whose meaning is compared, at most: the plainest.
const COMPARED: usize = 4_000;
/// Candidates for which rows are made on which they hold.
const SOLVED: usize = 160;
/// Such rows for each.
const EACH: usize = 10;
/// Postconditions for which such rows are made, and rows for each: outputs of other rows break no bound of all outputs.
const BOUNDS: usize = 40;
const EACH_BOUND: usize = 40;
/// A law must exclude one in this many of the rows, at least.
const SHARE: usize = 400;
/// Orders, and laws under a guard, that are said at most.
const MOST_ORDERS: usize = 3;
const MOST_GUARDED: usize = 3;
/// The reading cost beyond which a bound is not said after an equation without a guard. A guess.
const AFTERTHOUGHT: u32 = 40;
/// The reading cost up to which a law without a guard may be a consequence of postconditions: `length(out_f) == length(out_s)` is worth
/// saying, though each length follows from the input.
const PLAIN: u32 = 42;
/// How much later such a law is read.
const DERIVED: u32 = 20;
/// How much later a bound of several quantities stands than its reading cost says: a special case in which it is an equation says more.
const LOOSE: u32 = 40;
/// How much dearer than others a law may be that leaves nothing to say of an output.
const WHOLE: u32 = 20;
/// Postconditions that are said at most.
const MOST_POSTCONDITIONS: usize = 4;

/// Chooses what is said.
pub(super) fn choose(
    scene: &mut Scene<'_>,
    mut candidates: Vec<Candidate>,
    mut postconditions: Vec<Candidate>,
) -> Choice {
    candidates.sort_by_key(place);
    candidates.truncate(COMPARED);
    postconditions.sort_by_key(place);
    postconditions.truncate(COMPARED);
    let mut rows = scene.mixed(GARBAGE);
    let mixed = rows.len();
    if mixed > 0 {
        for (at, candidate) in candidates.iter().take(SOLVED).enumerate() {
            solve(scene, candidate, at, (mixed, EACH), &mut rows);
        }
        for (at, candidate) in postconditions.iter().take(BOUNDS).enumerate() {
            solve(scene, candidate, at, (mixed, EACH_BOUND), &mut rows);
        }
    }
    let mut garbage =
        Garbage { table: scene.table(&rows), evaluator: Evaluator::new(Policy::Auto) };
    let postconditions = garbage.postconditions(scene, postconditions);
    let mut alive = Alive { bounded: Bits::all(rows.len()), possible: Bits::all(rows.len()) };
    // What special cases come to is worth saying of pairs, too.
    for candidate in postconditions.iter().filter(|candidate| candidate.guard.is_none()) {
        let mut holds = garbage.holds(&candidate.law.relation);
        holds.intersect(
            &garbage.holds(&of_follow_up(&candidate.law.relation, &scene.setting.schema)),
        );
        if candidate.form == Form::Order {
            alive.bounded.intersect(&holds);
        }
        alive.possible.intersect(&holds);
    }
    let laws = garbage.laws(scene, candidates, alive);
    let postconditions = postconditions.into_iter().map(|candidate| candidate.law).collect();
    Choice { laws, postconditions }
}

/// Where a candidate stands in the list: the plainest first, and before them what leaves nothing to say.
fn place(candidate: &Candidate) -> u32 {
    // `out_f == c - out_s` is said as a sum, unless that fails where both are no numbers.
    let is_rest = candidate.sides.as_ref().is_some_and(
        |[_, right]| matches!(right[..], [Node::Num(c), .., Node::Op(Op::Sub)] if c != 0.0),
    );
    let is_whole = candidate.form == Form::Definition && candidate.guard.is_none() && !is_rest;
    let is_variable = |node: &&Node| matches!(node, Node::Var(_));
    let variables = |side: &[Node]| side.iter().filter(is_variable).count();
    let is_of_several = |[left, right]: &[Vec<Node>; 2]| variables(left).max(variables(right)) > 1;
    let is_loose = candidate.form == Form::Order
        && (candidate.guard.is_some() || candidate.sides.as_ref().is_some_and(is_of_several));
    let cost = candidate.law.cost + u32::from(is_rest) + if is_loose { LOOSE } else { 0 };
    cost.saturating_sub(if is_whole { WHOLE } else { 0 })
}

/// Adds rows on which the body of a candidate holds, or nearly holds: so many of them, made of the `mixed` rows.
fn solve(
    scene: &Scene<'_>,
    candidate: &Candidate,
    at: usize,
    (mixed, most): (usize, usize),
    rows: &mut Vec<Row>,
) {
    let Some([left, right]) = &candidate.sides else { return };
    let tolerance = &scene.setting.tolerance;
    let is_guarded = |row: &Row| match &candidate.guard {
        Some(guard) => {
            let value = scalar::value(guard, tolerance, |var| row[var.index()].clone());
            value == Value::Bool(true)
        }
        None => true,
    };
    let apart: &[f64] = match candidate.form {
        Form::Order => &[0.0, 1.0, -1.0, 3.0, -3.0],
        Form::Definition | Form::Equation | Form::Truth => &[0.0],
    };
    let places = (0..mixed).map(|i| (at * 61 + i) % mixed).take(20 * most);
    let mut made = 0;
    for place in places {
        if made == most {
            break;
        }
        if !is_guarded(&rows[place]) {
            continue;
        }
        let apart = apart[made % apart.len()];
        if let Some(solved) = scene.solved(&rows[place], [left, right], apart) {
            rows.push(solved);
            made += 1;
        }
    }
}

/// Rows with made-up outputs that no law excludes yet.
struct Alive {
    /// Those on which the postconditions hold that are bounds.
    bounded: Bits,
    /// Those on which all postconditions hold.
    possible: Bits,
}

impl Alive {
    /// Whether a law excludes more than one in [`SHARE`] of the rows. A long one, or one with a guard, has to exclude rows on
    /// which all postconditions hold: else it only combines them.
    fn is_new(&self, law: &Law, is_guarded: bool, holds: &Bits, least: usize) -> bool {
        let is_plain = !is_guarded && law.cost <= PLAIN;
        self.bounded.count_without(holds) > least
            && (is_plain || self.possible.count_without(holds) > 0)
    }

    fn exclude(&mut self, holds: &Bits) {
        self.bounded.intersect(holds);
        self.possible.intersect(holds);
    }
}

/// Rows with made-up outputs, and what evaluates relations on them.
struct Garbage {
    table: std::sync::Arc<Table>,
    evaluator: Evaluator,
}

impl Garbage {
    fn holds(&mut self, relation: &Predicate) -> Bits {
        let mask = self.evaluator.mask(relation, &self.table);
        Bits::of_words(self.table.rows(), mask.words())
    }

    /// Postconditions that exclude something.
    fn postconditions(&mut self, scene: &Scene<'_>, candidates: Vec<Candidate>) -> Vec<Candidate> {
        let mut alive = Bits::all(self.table.rows());
        let mut chosen: Vec<Candidate> = Vec::new();
        let mut fixed: Vec<Node> = Vec::new();
        for candidate in candidates {
            if chosen.len() == MOST_POSTCONDITIONS {
                break;
            }
            let left = candidate.sides.as_ref().and_then(|[left, _]| left.last().copied());
            if left.is_some_and(|left| fixed.iter().any(|known| known.same(left))) {
                continue;
            }
            let holds = self.holds(&candidate.law.relation);
            if alive.count_without(&holds) > self.table.rows() / SHARE {
                alive.intersect(&holds);
                alive.intersect(
                    &self.holds(&of_follow_up(&candidate.law.relation, &scene.setting.schema)),
                );
                if candidate.form == Form::Definition && candidate.guard.is_none() {
                    fixed.extend(left);
                }
                chosen.push(candidate);
            }
        }
        chosen
    }

    /// Laws that exclude something that is alive.
    fn laws(
        &mut self,
        scene: &Scene<'_>,
        candidates: Vec<Candidate>,
        mut alive: Alive,
    ) -> Vec<Law> {
        let least = alive.bounded.count() / SHARE;
        let mut laws: Vec<Law> = Vec::new();
        let mut defined: Vec<Vec<Node>> = Vec::new();
        let mut known: Vec<Node> = Vec::new();
        let (mut equations, mut orders, mut guarded) = (0, 0, 0);
        let (mut special, mut fixed) = (0, 0);
        let outputs = &scene.setting.outputs;
        let mut open: Vec<Node> =
            outputs.iter().map(|&(_, follow_up)| Node::Var(follow_up)).collect();
        for candidate in candidates {
            let Candidate { law, form, sides, guard } = candidate;
            if laws.len() == MOST_LAWS || open.is_empty() {
                break;
            }
            let (is_order, is_guarded) = (form == Form::Order, guard.is_some());
            if is_order && orders == MOST_ORDERS || is_guarded && guarded == MOST_GUARDED {
                continue;
            }
            // After an equation, bounds have little to add, and bounds of special cases after anything else.
            let is_only_bounds = special + fixed == laws.len();
            if is_order
                && (is_guarded && !is_only_bounds || equations > 0 && law.cost > AFTERTHOUGHT)
            {
                continue;
            }
            let is_known = |output: &Node| match &sides {
                Some([left, _]) => left.len() == 1 && left[0].same(*output),
                None => false,
            };
            if form == Form::Definition && known.iter().any(is_known) {
                continue;
            }
            // Under one condition there is one thing to say of an output.
            let said = guard.clone().filter(|_| form == Form::Definition);
            if said.as_ref().is_some_and(|guard| defined.contains(guard)) {
                continue;
            }
            let holds = self.holds(&law.relation);
            if !alive.is_new(&law, is_guarded, &holds, least) {
                continue;
            }
            let is_consequence = alive.possible.count_without(&holds) == 0;
            alive.exclude(&holds);
            defined.extend(said);
            special += usize::from(is_order && is_guarded);
            orders += usize::from(is_order);
            guarded += usize::from(is_guarded);
            let is_equation = !is_order && !is_guarded && form != Form::Truth;
            let is_definition = form == Form::Definition
                || form == Form::Truth && law.relation.nodes().last() == Some(&Node::Op(Op::Iff));
            equations += usize::from(is_equation);
            if is_definition && !is_guarded {
                let said: &[Node] = match &sides {
                    Some([left, _]) => left,
                    None => law.relation.nodes(),
                };
                let is_said = |output: &Node| said.iter().any(|node| node.same(*output));
                let is_of_source =
                    |node: &Node| outputs.iter().any(|(s, _)| Node::Var(*s).same(*node));
                if law.relation.nodes().iter().any(is_of_source) {
                    // Nothing is left to say of this output.
                    open.retain(|output| !is_said(output));
                } else {
                    // Its value is known; how it compares with the source's output may be worth saying.
                    known.extend(open.iter().copied().filter(is_said));
                    fixed += 1;
                    equations -= usize::from(is_equation);
                }
            }
            let cost = law.cost + if is_consequence { DERIVED } else { 0 };
            laws.push(Law { cost, ..law });
        }
        laws
    }
}
