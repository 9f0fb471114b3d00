//! Bodies of laws: comparisons of an output of the follow-up with a term, tried on a sample of the correct rows.

use genmorph_jit::{Comparator, ComparisonOp, Node, Op, TestOp, Tolerance, subtree};

use super::NODES;
use super::bits::Bits;
use super::cost::cost;
use super::terms::{Bank, Term, joined};
use super::words::{TESTS, TIGHT, WIDE, is_special};

/// A comparison, and on which rows of the sample it is true.
#[derive(Clone, Debug)]
pub(super) struct Body {
    pub(super) nodes: Vec<Node>,
    /// The left and the right side of an equality or order, which tell rows apart on which it holds.
    pub(super) sides: Option<[Vec<Node>; 2]>,
    pub(super) cost: u32,
    pub(super) form: Form,
    /// Whether it has an output of the source, or needs none; if not, its guard must have one.
    pub(super) is_of_both: bool,
    /// Whether it is plain enough to be said under a guard.
    pub(super) is_guardable: bool,
    pub(super) holds: Bits,
}

impl Body {
    /// An equation of an output of the follow-up, with one of the source or without need of one.
    pub(super) fn equation([left, right]: [Vec<Node>; 2], holds: Bits) -> Body {
        let nodes = joined(Op::NumEq, &left, &right);
        Body::of(nodes, equation_form(&left), Some([left, right]), holds)
    }

    /// A body of any form.
    pub(super) fn of(
        nodes: Vec<Node>,
        form: Form,
        sides: Option<[Vec<Node>; 2]>,
        holds: Bits,
    ) -> Body {
        let is_guardable = form == Form::Truth;
        Body { cost: cost(&nodes), nodes, sides, form, is_of_both: true, is_guardable, holds }
    }
}

/// The form of an equation with this left side.
pub(super) fn equation_form(left: &[Node]) -> Form {
    match left {
        [Node::Var(_)] => Form::Definition,
        _ => Form::Equation,
    }
}

/// What kind of body it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// An equation whose left side is an output of the follow-up: nothing is left to say of that output.
    Definition,
    /// Another equation.
    Equation,
    /// An order of numbers.
    Order,
    /// A relation of truth values.
    Truth,
}

/// How many bodies were tried, and those that hold on enough rows.
#[derive(Debug, Default)]
pub(super) struct Bodies {
    pub(super) list: Vec<Body>,
    /// Bodies whose truth on the sample was decided.
    pub(super) tried: u64,
    /// Of these, those that may be said under a guard.
    pub(super) guardable: u64,
}

/// One in this many rows must have the rarer sign, for magnitudes to be compared.
const SIGNS: usize = 10;

/// What bodies are made of.
pub(super) struct Maker<'b> {
    pub(super) bank: &'b Bank<'b>,
    /// How many rows of the bank are of the original: the first ones.
    pub(super) rows: usize,
    /// Whether the transformation gives an input one value; then what the follow-up returns is worth saying without the source's output.
    pub(super) is_fixing: bool,
    pub(super) tolerance: Tolerance,
    equal: Comparator,
    at_most: Comparator,
    at_least: Comparator,
}

/// Which side of a pair of executions bodies speak of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum About {
    /// Of both executions: laws.
    Pairs,
    /// Of the source alone: postconditions.
    Source,
}

impl<'b> Maker<'b> {
    pub(super) fn new(
        bank: &'b Bank<'b>,
        rows: usize,
        is_fixing: bool,
        tolerance: Tolerance,
    ) -> Maker<'b> {
        let [equal, at_most, at_least] = [ComparisonOp::NumEq, ComparisonOp::Le, ComparisonOp::Ge]
            .map(|op| Comparator::new(op, &tolerance).expect("it compares numbers"));
        Maker { bank, rows, is_fixing, tolerance, equal, at_most, at_least }
    }

    /// The numbers that a term is on the rows of the original.
    pub(super) fn numbers_of<'t>(&self, term: &'t Term) -> Option<&'t [f64]> {
        Some(&term.values.numbers()?[..self.rows])
    }

    /// The rows of the original on which a term is true.
    pub(super) fn truth_of(&self, term: &Term) -> Option<Bits> {
        Some(Bits::of_words(self.rows, term.values.bits()?))
    }

    /// The rows of the original on which a comparison holds.
    fn holds(&self, comparator: &Comparator, [l, r]: [&[f64]; 2]) -> Bits {
        let mut words = vec![0; self.rows.div_ceil(64)];
        comparator.compare(l, r, &mut words);
        Bits::of_words(self.rows, &words)
    }

    /// The same, or nothing if it has to hold on all of them and does not.
    fn holds_if(
        &self,
        comparator: &Comparator,
        sides: [&[f64]; 2],
        is_partial: bool,
    ) -> Option<Bits> {
        let [l, r] = sides;
        match is_partial {
            true => Some(self.holds(comparator, sides)),
            false => comparator.first_failure(l, r).is_none().then(|| Bits::all(self.rows)),
        }
    }

    /// All bodies that hold on enough rows of the sample.
    pub(super) fn bodies(&self, about: About) -> Bodies {
        let mut bodies = Bodies::default();
        self.numbers(about, &mut bodies);
        self.sequences(about, &mut bodies);
        if about == About::Pairs {
            self.truths(&mut bodies);
            self.fitted(&mut bodies);
            self.long_terms(&mut bodies);
            self.equations(&mut bodies);
        }
        bodies
    }

    /// Whether two terms may be the sides of a body.
    fn fit(&self, about: About, left: &Term, right: &Term) -> bool {
        match about {
            About::Pairs => left.uses.follow_up && !right.uses.follow_up,
            About::Source => {
                let left_fits = left.uses.source && left.uses.is_of_source() && left.size == 1;
                left_fits && !left.uses.input && !right.uses.source && right.uses.is_of_source()
            }
        }
    }

    fn numbers(&self, about: About, bodies: &mut Bodies) {
        let numbers = &self.bank.numbers;
        for left in numbers.iter().filter(|term| term.uses.follow_up || about == About::Source) {
            for right in numbers.iter().filter(|right| self.fit(about, left, right)) {
                if left.size + right.size < NODES && is_oriented(left, right) {
                    self.compare(about, left, right, bodies);
                }
            }
        }
    }

    /// An equation and the orders of two numbers. Each is decided before anybody asks whether a person would say it.
    fn compare(&self, about: About, left: &Term, right: &Term, bodies: &mut Bodies) {
        let (Some(l), Some(r)) = (self.numbers_of(left), self.numbers_of(right)) else { return };
        let is_plain_equation = left.size == 1 && is_plain(right);
        bodies.tried += 1;
        if let Some(holds) = self.holds_if(&self.equal, [l, r], is_plain_equation) {
            // That a product is 0 says of neither factor that it is.
            let is_nothing = matches!(
                (left.nodes.last(), &right.nodes[..]),
                (Some(Node::Op(Op::Mul)), [Node::Num(0.0)])
            );
            if !is_nothing {
                self.keep(Op::NumEq, left, right, holds, bodies);
            }
        }
        if right.size > 3 {
            return;
        }
        if !is_comparable(about, left, right) {
            return;
        }
        let is_plain_order = left.size == 1 && right.size == 1;
        let orders = [(Op::Le, Op::Lt, &self.at_most), (Op::Ge, Op::Gt, &self.at_least)];
        bodies.tried += 2 * orders.len() as u64;
        for (weak, strict, comparator) in orders {
            if let Some(holds) = self.holds_if(comparator, [l, r], is_plain_order) {
                self.order(about, [weak, strict], [left, right], holds, bodies);
            }
        }
    }

    /// Keeps an order that a person would say: its weak form where both sides are equal now and then, else its strict form.
    fn order(
        &self,
        about: About,
        [weak, strict]: [Op; 2],
        [left, right]: [&Term; 2],
        holds: Bits,
        bodies: &mut Bodies,
    ) {
        // A sum of elements is bounded by another one only.
        let [sums, others] = [left, right].map(|side| side.nodes.contains(&Node::Op(Op::Sum)));
        let is_distance = is_distance(left);
        // A magnitude is compared with another one.
        let is_bounded = left.size == 1
            || is_distance && right.uses.is_constant()
            || is_magnitude(left) && is_magnitude(right) && self.has_signs(left);
        // That outputs are at least so far apart is nothing that people say.
        let is_gap = is_distance && weak == Op::Ge;
        if !is_bounded || sums != others || is_gap || !is_bound(right) {
            return;
        }
        let (Some(l), Some(r)) = (self.numbers_of(left), self.numbers_of(right)) else { return };
        // Two results that are no numbers do not meet.
        let equal = self.holds(&self.equal, [l, r]);
        let met = Bits::of(self.rows, |row| equal.has(row) && l[row].is_finite());
        if about == About::Pairs && !self.is_tight(right, &met) {
            return;
        }
        let attained = met.count_with(&holds);
        // Of single executions, that a quantity is a bound now and then is enough.
        let is_plain = about == About::Source && right.size == 1;
        let least = if is_plain { 0.0 } else { TIGHT * holds.count() as f64 };
        // On all rows a rare bound may be met that the sample does not meet: the greatest common divisor of 0 and 0.
        let may_be_met = is_plain && right.uses.is_constant();
        if attained as f64 >= least && attained > 0 || attained == 0 && may_be_met {
            self.keep(weak, left, right, holds, bodies);
        } else if attained == 0 && self.is_strict(about, left, right) {
            // Never equal: only worth saying of two quantities.
            self.keep(strict, left, right, holds, bodies);
        }
    }

    /// Whether a bound that adds an input to an output is met where the input is more than next to nothing. How much less than an
    /// output another one may be is nothing that people say, nor how much both come to together.
    fn is_tight(&self, bound: &Term, met: &Bits) -> bool {
        let [operands @ .., Node::Op(op @ (Op::Add | Op::Sub))] = &bound.nodes[..] else {
            return true;
        };
        let (a, b) = operands.split_at(subtree(operands, operands.len() - 1).start);
        let of = |nodes: &[Node]| self.bank.numbers.iter().find(|term| term.nodes == nodes);
        let (Some(a), Some(b)) = (of(a), of(b)) else { return true };
        if a.uses.is_constant() || b.uses.is_constant() {
            return true;
        }
        let other = if a.uses.source { b } else { a };
        let Some(values) = other.values.numbers() else { return true };
        let met = Bits::of(self.rows, |row| met.has(row) && values[row].abs() >= 2.0);
        *op == Op::Add && met.count() as f64 >= TIGHT * self.rows as f64
    }

    /// Whether the quantity of a magnitude has both signs now and then.
    fn has_signs(&self, magnitude: &Term) -> bool {
        let [quantity @ .., _] = &magnitude.nodes[..] else { return false };
        let is_quantity = |term: &&Term| term.nodes == quantity;
        let values = self.bank.numbers.iter().find(is_quantity).and_then(|t| t.values.numbers());
        let Some(values) = values.map(|values| &values[..self.rows]) else { return false };
        let share = |test: fn(&f64) -> bool| values.iter().filter(|value| test(value)).count();
        share(|x| *x < 0.0).min(share(|x| *x > 0.0)) * SIGNS >= self.rows
    }

    /// Whether that two terms are never equal is worth saying: of two quantities.
    fn is_strict(&self, about: About, left: &Term, right: &Term) -> bool {
        let is_variable = about == About::Pairs || !right.uses.is_constant();
        left.size == 1 && right.size == 1 && is_variable
    }

    /// Keeps a comparison that holds on enough rows.
    fn keep(&self, op: Op, left: &Term, right: &Term, holds: Bits, bodies: &mut Bodies) {
        let is_order = !matches!(op, Op::NumEq | Op::SeqEq);
        // Under a guard only plain sides are worth reading.
        let is_plain = match is_order {
            true => left.size == 1 && right.size == 1,
            false => left.size == 1 && is_plain(right),
        };
        bodies.guardable += u64::from(is_plain);
        let needed = if is_plain { WIDE } else { 1.0 };
        let is_of_both = left.uses.source || right.uses.source;
        let is_narrow = (holds.count() as f64) < needed * self.rows as f64;
        let is_whole = self.is_fixing && !is_order && holds.is_full();
        if is_narrow || !is_of_both && !is_whole && (is_order || right.size > 1) {
            return;
        }
        let form = if is_order { Form::Order } else { equation_form(&left.nodes) };
        let nodes = joined(op, &left.nodes, &right.nodes);
        let sides = Some([left.nodes.clone(), right.nodes.clone()]);
        let is_of_both = is_of_both || is_whole;
        let body = Body::of(nodes, form, sides, holds);
        bodies.list.push(Body { is_of_both, is_guardable: is_plain, ..body });
    }

    fn sequences(&self, about: About, bodies: &mut Bodies) {
        let sequences = &self.bank.sequences;
        for left in sequences.iter().filter(|term| term.uses.follow_up || about == About::Source) {
            for right in sequences.iter().filter(|right| self.fit(about, left, right)) {
                if left.size > 1 && right.size > 1 {
                    continue;
                }
                let equal = self.bank.equal_sequences(left, right, self.rows);
                bodies.tried += 1;
                if let Some(equal) = equal {
                    self.tests(left, right, &equal, bodies);
                    self.keep(Op::SeqEq, left, right, equal, bodies);
                }
            }
            let is_result = left.size == 1 && left.uses.source && left.uses.is_of_source();
            if about == About::Source && is_result {
                self.is_sorted(left, bodies);
            }
        }
    }

    /// What else is said of two sequences that are not always equal: that one has the elements of the other, in any
    /// order, at its beginning, at its end or somewhere. Each must hold on all rows.
    fn tests(&self, left: &Term, right: &Term, equal: &Bits, bodies: &mut Bodies) {
        let is_plain = left.size == 1 && right.size == 1 && !right.uses.is_constant();
        let differ = self.rows - equal.count();
        // Of sequences that hardly ever differ, or are mostly empty, something odd is always true.
        let least = (WIDE * self.rows as f64) as usize;
        let is_of_both = left.uses.source || right.uses.source;
        if !is_plain || differ <= least || !is_of_both {
            return;
        }
        for op in TESTS {
            let is_mirrored = op == TestOp::SameElements;
            let orders: &[bool] = if is_mirrored { &[false] } else { &[false, true] };
            for &is_exchanged in orders {
                let [whole, part] = if is_exchanged { [right, left] } else { [left, right] };
                if self.bank.with_elements(part, self.rows) < self.rows / 2 {
                    continue;
                }
                bodies.tried += 1;
                let holds = self.bank.tested(op, whole, part, self.rows);
                let Some(holds) = holds.filter(Bits::is_full) else { continue };
                let nodes = joined(op.into(), &whole.nodes, &part.nodes);
                let form = if is_mirrored { Form::Truth } else { Form::Order };
                let body = Body::of(nodes, form, None, holds);
                bodies.list.push(Body { is_guardable: false, ..body });
                // What stands at the beginning or at the end stands somewhere.
                if !is_mirrored {
                    return;
                }
            }
        }
    }

    /// That a result is always in ascending order.
    fn is_sorted(&self, term: &Term, bodies: &mut Bodies) {
        bodies.tried += 1;
        let holds = self.bank.tested(TestOp::Sorted, term, term, self.rows);
        if let Some(holds) = holds.filter(Bits::is_full) {
            let nodes = [&term.nodes[..], &[Node::Op(Op::Sorted)]].concat();
            let body = Body::of(nodes, Form::Truth, None, holds);
            bodies.list.push(Body { is_guardable: false, ..body });
        }
    }
}

/// Whether an order of two numbers may be one that people say, as far as extremes of sequences go: results of single
/// executions lie between them, and an extreme of one result is compared with the same one of another.
fn is_comparable(about: About, left: &Term, right: &Term) -> bool {
    let [is_special_left, is_special_right] = [left, right].map(|term| is_special(&term.nodes));
    match about {
        _ if !is_special_left && !is_special_right => true,
        _ if left.size != 1 || right.size != 1 => false,
        About::Source => {
            let is_bound = matches!(right.nodes.last(), Some(Node::Op(Op::Least | Op::Greatest)));
            !is_special_left && is_bound || is_special_left && right.uses.is_constant()
        }
        About::Pairs => left.nodes.last() == right.nodes.last() && right.uses.source,
    }
}

/// Whether a term may be a side under a guard: with a magnitude it would be about signs, and with a quotient or what is left of a
/// constant it is mostly a special case in disguise.
fn is_plain(term: &Term) -> bool {
    let is_odd = |node: &Node| matches!(node, Node::Op(Op::Abs | Op::Div));
    let is_rest = term.size > 1 && matches!(term.nodes.first(), Some(Node::Num(_)));
    !is_rest && !term.nodes.iter().any(is_odd)
}

/// Whether a term may be a bound: a quantity, or one that is a little more or less than another.
fn is_bound(term: &Term) -> bool {
    match (term.nodes.first(), term.nodes.last()) {
        _ if term.size == 1 => true,
        // `1 - x`, the opposite of a quantity, and sums of elements with something else are bounds that hold by coincidence.
        (Some(Node::Num(_)), _) => false,
        _ if term.nodes.contains(&Node::Op(Op::Sum)) => false,
        (_, Some(Node::Op(Op::Add | Op::Sub | Op::Abs))) => term.size <= 3,
        _ => false,
    }
}

/// Whether a term is the magnitude of a quantity.
fn is_magnitude(term: &Term) -> bool {
    matches!(term.nodes.last(), Some(Node::Op(Op::Abs))) && term.size == 2
}

/// Whether a term is `abs(a - b)` of outputs.
fn is_distance(term: &Term) -> bool {
    matches!(term.nodes.last(), Some(Node::Op(Op::Abs))) && term.size == 4
}

/// Whether these two terms are the plain way round: a sum on the left only against a quantity, a distance against a plain bound.
fn is_oriented(left: &Term, right: &Term) -> bool {
    match left.nodes.last() {
        Some(Node::Op(Op::Add)) => right.size == 1 && !right.uses.source,
        Some(Node::Op(Op::Abs)) if left.size == 4 => right.size == 1 && !right.uses.source,
        Some(Node::Op(Op::Mul)) => right.size <= 3,
        _ => true,
    }
}
