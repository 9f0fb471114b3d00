//! Equations beyond two plain terms: with one fitted constant, with coefficients, and with terms of three leaves.

use genmorph_jit::{ArithmeticOp, Class, Node, Op, Values};

use super::NODES;
use super::bits::Bits;
use super::bodies::{Bodies, Body, Maker, equation_form};
use super::equations::{Equation, Quantity, Role, equations};
use super::terms::{Term, joined};
use super::words::{NUMERIC, is_special};
use crate::support::numbers::recognised;

/// Rows on which the longest terms are tried first.
const FIRST: usize = 8;

impl Maker<'_> {
    /// Equations with one constant that is read off the rows and that a person would recognise.
    pub(super) fn fitted(&self, bodies: &mut Bodies) {
        let numbers = &self.bank.numbers;
        let plain = |term: &&Term| term.size == 1 && !is_special(&term.nodes);
        for f in numbers.iter().filter(plain).filter(|term| term.uses.follow_up) {
            for s in numbers.iter().filter(plain).filter(|term| term.uses.source) {
                let (Some(y), Some(x)) = (f.values.numbers(), s.values.numbers()) else { continue };
                let pairs = || x[..self.rows].iter().zip(&y[..self.rows]);
                // Two constants have a sum, a difference and a quotient.
                if x[..self.rows].iter().all(|value| *value == x[0]) {
                    continue;
                }
                for (op, inverse) in FITTED {
                    bodies.tried += 1;
                    let read = |(x, y): (&f64, &f64)| inverse(*x, *y);
                    let first = pairs().map(read).find(|c| c.is_finite() && *c != 0.0);
                    let Some(c) = first.and_then(recognised) else { continue };
                    let holds = Bits::of(self.rows, |row| {
                        let right = match op {
                            Op::Add => x[row] + c,
                            Op::Mul => x[row] * c,
                            _ => c - x[row],
                        };
                        self.tolerance.eq(y[row], right)
                    });
                    if !holds.is_full() {
                        continue;
                    }
                    let constant = [Node::Num(c)];
                    let (left, right) = match op {
                        Op::Sub => (joined(Op::Add, &f.nodes, &s.nodes), constant.to_vec()),
                        Op::Add if c < 0.0 => {
                            (f.nodes.clone(), joined(Op::Sub, &s.nodes, &[Node::Num(-c)]))
                        }
                        op => (f.nodes.clone(), joined(op, &s.nodes, &constant)),
                    };
                    // A sum that is constant says as much of the output.
                    let form = equation_form(&f.nodes);
                    bodies.list.push(Body { form, ..Body::equation([left, right], holds) });
                }
            }
        }
    }

    /// Equations with coefficients.
    pub(super) fn equations(&self, bodies: &mut Bodies) {
        let is_quantity =
            |term: &&Term| term.size == 1 && !term.uses.is_constant() && !is_special(&term.nodes);
        let mut quantities = Vec::new();
        for term in self.bank.numbers.iter().filter(is_quantity) {
            let role = match (term.uses.follow_up, term.uses.source) {
                (true, _) => Role::FollowUp,
                (false, true) => Role::Source,
                (false, false) => Role::Input,
            };
            let Some(values) = term.values.numbers() else { continue };
            let (nodes, values) = (term.nodes.clone(), values[..self.rows].to_vec());
            quantities.push(Quantity { nodes, values, role });
        }
        let found = equations(&quantities, &self.tolerance);
        bodies.tried += found.tried;
        // `out_f == c - out_s` is said as a sum.
        let is_sum = |right: &[Node]| matches!(right, [Node::Num(_), .., Node::Op(Op::Sub)]);
        let is_new = |equation: &Equation| equation.has_source && !is_sum(&equation.right);
        for equation in found.list.into_iter().filter(is_new) {
            let sides = [equation.left, equation.right];
            bodies.list.push(Body::equation(sides, Bits::all(self.rows)));
        }
    }

    /// Equations of an output of the follow-up with a term of three leaves. These are many, and are not kept: each is computed on a
    /// few rows, and on all only if it is still equal there.
    pub(super) fn long_terms(&self, bodies: &mut Bodies) {
        let numbers = &self.bank.numbers;
        let lefts: Vec<(&Term, &[f64])> = numbers
            .iter()
            .filter(|term| term.uses.follow_up && term.size == 1 && !is_special(&term.nodes))
            .filter_map(|term| Some((term, &term.values.numbers()?[..self.rows])))
            .collect();
        let right = |term: &&Term| !term.uses.follow_up && !is_special(&term.nodes);
        let short: Vec<&Term> =
            numbers.iter().filter(right).filter(|term| term.size <= 2).collect();
        let pairs: Vec<&Term> =
            numbers.iter().filter(right).filter(|term| term.size == 3).collect();
        let first = FIRST.min(self.rows);
        for a in &pairs {
            for b in short.iter().filter(|b| a.size + b.size + 1 < NODES) {
                if !(a.uses.source || b.uses.source) {
                    continue;
                }
                for op in NUMERIC {
                    let Class::Arithmetic(arithmetic) = op.class() else { continue };
                    let orders: &[bool] =
                        if op.mirrored() == Some(op) { &[false] } else { &[false, true] };
                    for &is_swapped in orders {
                        let (a, b): (&Term, &Term) = if is_swapped { (b, a) } else { (a, b) };
                        if is_disguise(op, a, b) {
                            continue;
                        }
                        bodies.tried += lefts.len() as u64;
                        self.long_term(&lefts, (op, arithmetic), (a, b), first, bodies);
                    }
                }
            }
        }
    }

    fn long_term(
        &self,
        lefts: &[(&Term, &[f64])],
        (op, arithmetic): (Op, ArithmeticOp),
        (a, b): (&Term, &Term),
        first: usize,
        bodies: &mut Bodies,
    ) {
        let (Some(x), Some(y)) = (a.values.numbers(), b.values.numbers()) else { return };
        let tolerance = &self.tolerance;
        let mut start = [0.0; FIRST];
        for row in 0..first {
            start[row] = arithmetic.apply(x[row], y[row], tolerance);
        }
        for (left, values) in lefts {
            if !(0..first).all(|row| tolerance.eq(values[row], start[row])) {
                continue;
            }
            let equal =
                |row: usize| tolerance.eq(values[row], arithmetic.apply(x[row], y[row], tolerance));
            // A term that is equal to a shorter one on all rows, made-up outputs included, is that one in other words.
            let is_said = || {
                let all = x.iter().zip(y).map(|(x, y)| arithmetic.apply(*x, *y, tolerance));
                self.bank.has(&Values::Num(all.collect()))
            };
            if (first..self.rows).all(equal) && !is_said() {
                let sides = [left.nodes.clone(), joined(op, &a.nodes, &b.nodes)];
                bodies.list.push(Body::equation(sides, Bits::all(self.rows)));
            }
        }
    }
}

/// The constant that leads from one value to another.
type Inverse = fn(f64, f64) -> f64;

/// Ways in which an output of the follow-up may be made of one of the source and a constant, and the constant of two values.
const FITTED: [(Op, Inverse); 3] = [
    (Op::Add, |x, y| y - x),
    (Op::Mul, |x, y| if x == 0.0 { f64::NAN } else { y / x }),
    (Op::Sub, |x, y| x + y),
];

/// Whether an operator mostly takes back what a term did: `x * y / x` is `y`, and `y / x * x` is `y` but where x is 0. Nor does anybody
/// write a quotient of a constant.
fn is_disguise(op: Op, a: &Term, b: &Term) -> bool {
    let is_quotient = |term: &Term| matches!(term.nodes.last(), Some(Node::Op(Op::Div)));
    op == Op::Div && (a.uses.is_constant() || share_a_variable(a, b))
        || op == Op::Mul && (is_quotient(a) || is_quotient(b)) && share_a_variable(a, b)
}

/// Whether two terms have a variable in common.
fn share_a_variable(a: &Term, b: &Term) -> bool {
    let is_variable = |node: &&Node| matches!(node, Node::Var(_));
    a.nodes.iter().filter(is_variable).any(|node| b.nodes.contains(node))
}
