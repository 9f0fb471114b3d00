//! What may be said more simply without changing a single row's answer.
//!
//! Rules hold for every f64 that the operands can be on this table, rounding, NaN and tolerance included;
//! rules that only hold over the reals are no rules. The sign of a zero and the payload of a NaN
//! cannot be observed in the language, so they may differ.

use super::graph::{Graph, Ref, Term, TermId, Truth};
use super::known::{Known, Shape};
use crate::interval::Interval;
use crate::op::{ArithmeticOp, Class, LookupOp, MeasureOp, Op, SequenceOp, TestOp, Value};

impl Graph {
    /// The term of an operator on terms that was not applied to them before.
    pub(super) fn simplify_term(&mut self, op: Op, a: TermId, b: TermId) -> TermId {
        let unary = op.arity() == 1;
        if self.is_ground(a) && (unary || self.is_ground(b)) {
            return match self.ground_value(op, a, b) {
                Value::Num(value) => self.constant(value),
                Value::Seq(value) => {
                    self.add_term(Term::Op(op, a, b), Known::Seq(Shape::of(&value)), true)
                }
                Value::Bool(_) => unreachable!("comparisons are atoms"),
            };
        }
        if let Some(simpler) = self.simpler(op, a, b) {
            return simpler;
        }
        let known = self.known_of(op, a, b);
        self.add_term(Term::Op(op, a, b), known, false)
    }

    fn interval(&self, id: TermId) -> Interval {
        self.known(id).num()
    }

    fn shape(&self, id: TermId) -> Shape {
        self.known(id).seq()
    }

    fn constant_of(&self, id: TermId) -> Option<f64> {
        match self.term(id) {
            Term::Constant(value) => Some(value),
            Term::Column(_) | Term::Op(..) => None,
        }
    }

    /// Another term that has the same value on every row.
    fn simpler(&mut self, op: Op, a: TermId, b: TermId) -> Option<TermId> {
        match op.class() {
            Class::Arithmetic(ArithmeticOp::Add) => {
                match (self.constant_of(a), self.constant_of(b)) {
                    (Some(0.0), _) => Some(b),
                    (_, Some(0.0)) => Some(a),
                    _ => (a > b).then(|| self.compute(op, b, a)),
                }
            }
            Class::Arithmetic(ArithmeticOp::Sub) => self.simpler_difference(a, b),
            Class::Arithmetic(ArithmeticOp::Mul) => {
                match (self.constant_of(a), self.constant_of(b)) {
                    (Some(factor), None) => self.simpler_multiple(factor, b),
                    (None, Some(factor)) => self.simpler_multiple(factor, a),
                    _ => None,
                }
                .or_else(|| (a > b).then(|| self.compute(op, b, a)))
            }
            Class::Arithmetic(ArithmeticOp::Div) => self.simpler_quotient(a, b),
            Class::Arithmetic(ArithmeticOp::Abs) => self.simpler_magnitude(a),
            Class::Arithmetic(ArithmeticOp::Min | ArithmeticOp::Max) => {
                if a == b {
                    return Some(a);
                }
                (a > b).then(|| self.compute(op, b, a))
            }
            Class::Arithmetic(ArithmeticOp::Floor) => self.interval(a).integer.then_some(a),
            Class::Arithmetic(ArithmeticOp::Mod) => None,
            Class::Measure(MeasureOp::Length) => match self.term(a) {
                Term::Op(Op::Flip | Op::Sort | Op::Upper | Op::Lower, s, _) => {
                    Some(self.compute(op, s, 0))
                }
                Term::Op(..) | Term::Column(_) | Term::Constant(_) => None,
            },
            Class::Measure(MeasureOp::Sum) => match self.term(a) {
                Term::Op(Op::Flip | Op::Sort, s, _) if self.shape(s).sums_exactly() => {
                    Some(self.compute(op, s, 0))
                }
                Term::Op(..) | Term::Column(_) | Term::Constant(_) => None,
            },
            Class::Measure(MeasureOp::Least | MeasureOp::Greatest) => match self.term(a) {
                Term::Op(Op::Flip | Op::Sort, s, _) => Some(self.compute(op, s, 0)),
                Term::Op(..) | Term::Column(_) | Term::Constant(_) => None,
            },
            Class::Measure(MeasureOp::First | MeasureOp::Last) | Class::Lookup(_) => None,
            Class::Sequence(SequenceOp::Sort) => match self.term(a) {
                Term::Op(Op::Flip, s, _) => Some(self.compute(op, s, 0)),
                Term::Op(Op::Sort, ..) => Some(a),
                _ => (self.shape(a).longest <= 1.0).then_some(a),
            },
            Class::Sequence(SequenceOp::Join) => match () {
                () if self.shape(a).longest == 0.0 => Some(b),
                () if self.shape(b).longest == 0.0 => Some(a),
                () => None,
            },
            Class::Sequence(SequenceOp::Upper | SequenceOp::Lower) => match self.term(a) {
                Term::Op(Op::Upper | Op::Lower, s, _) => Some(self.compute(op, s, 0)),
                Term::Op(..) | Term::Column(_) | Term::Constant(_) => None,
            },
            Class::Sequence(SequenceOp::Flip) => match self.term(a) {
                Term::Op(Op::Flip, s, _) => Some(s),
                _ => (self.shape(a).longest <= 1.0).then_some(a),
            },
            Class::Sequence(SequenceOp::Remove) => {
                self.shape(a).is_never_removed_from(self.interval(b)).then_some(a)
            }
            Class::Sequence(SequenceOp::Truncate) => {
                self.shape(a).is_never_cut(self.interval(b)).then_some(a)
            }
            Class::Sequence(SequenceOp::ToString) => None,
            Class::Comparison(_) | Class::Logic(_) | Class::Test(_) => unreachable!("no term"),
        }
    }

    fn simpler_difference(&mut self, a: TermId, b: TermId) -> Option<TermId> {
        if a == b && self.interval(a).is_finite() {
            return Some(self.constant(0.0));
        }
        // x - c is x + -c, to the last bit.
        let negative = -self.constant_of(b)?;
        let negative = self.constant(negative);
        Some(self.compute(Op::Add, a, negative))
    }

    /// A simpler term than `factor * x`, if there is one.
    fn simpler_multiple(&mut self, factor: f64, x: TermId) -> Option<TermId> {
        if factor == 1.0 {
            return Some(x);
        }
        if factor == 0.0 && self.interval(x).is_finite() {
            return Some(self.constant(0.0));
        }
        (factor == -1.0).then(|| self.negative(x))
    }

    fn negative(&mut self, x: TermId) -> TermId {
        let zero = self.constant(0.0);
        self.compute(Op::Sub, zero, x)
    }

    fn simpler_quotient(&mut self, a: TermId, b: TermId) -> Option<TermId> {
        if a == b && self.interval(a).is_finite() {
            // Where it is 0 the quotient is 1 as well.
            return Some(self.constant(1.0));
        }
        let divisor = self.constant_of(b)?;
        if self.tolerance.eq(divisor, 0.0) {
            return Some(self.constant(1.0));
        }
        if divisor == 1.0 {
            return Some(a);
        }
        if divisor == -1.0 {
            return Some(self.negative(a));
        }
        // By a power of two both round the same real number.
        let inverse = 1.0 / divisor;
        let is_power_of_two = |x: f64| x.is_normal() && x.to_bits() & ((1 << 52) - 1) == 0;
        (is_power_of_two(divisor) && is_power_of_two(inverse)).then(|| {
            let inverse = self.constant(inverse);
            self.compute(Op::Mul, a, inverse)
        })
    }

    fn simpler_magnitude(&mut self, a: TermId) -> Option<TermId> {
        if self.interval(a).lo >= 0.0 {
            return Some(a);
        }
        match self.term(a) {
            Term::Op(Op::Sub, x, y) if self.constant_of(x) == Some(0.0) => {
                Some(self.compute(Op::Abs, y, 0))
            }
            // |x - y| is |y - x|.
            Term::Op(Op::Sub, x, y) if x > y => {
                let swapped = self.compute(Op::Sub, y, x);
                Some(self.compute(Op::Abs, swapped, 0))
            }
            Term::Op(..) | Term::Column(_) | Term::Constant(_) => None,
        }
    }

    fn known_of(&self, op: Op, a: TermId, b: TermId) -> Known {
        let num = |id| self.interval(id);
        match op.class() {
            Class::Arithmetic(ArithmeticOp::Add) => Known::Num(num(a).plus(num(b))),
            Class::Arithmetic(ArithmeticOp::Sub) => Known::Num(num(a).minus(num(b))),
            Class::Arithmetic(ArithmeticOp::Mul) => Known::Num(num(a).times(num(b))),
            Class::Arithmetic(ArithmeticOp::Div) => {
                Known::Num(num(a).over(num(b), &self.tolerance))
            }
            Class::Arithmetic(ArithmeticOp::Abs) => Known::Num(num(a).magnitude()),
            Class::Arithmetic(ArithmeticOp::Min) => Known::Num(num(a).smaller(num(b))),
            Class::Arithmetic(ArithmeticOp::Max) => Known::Num(num(a).larger(num(b))),
            Class::Arithmetic(ArithmeticOp::Mod) => Known::Num(num(a).modulo(num(b))),
            Class::Arithmetic(ArithmeticOp::Floor) => Known::Num(num(a).floor()),
            Class::Measure(MeasureOp::Length) => Known::Num(self.shape(a).length()),
            Class::Measure(MeasureOp::Sum) => Known::Num(self.shape(a).sum()),
            Class::Measure(
                MeasureOp::First | MeasureOp::Last | MeasureOp::Least | MeasureOp::Greatest,
            ) => Known::Num(self.shape(a).element(self.shape(a).shortest == 0.0)),
            Class::Lookup(LookupOp::At) => Known::Num(self.shape(a).element(true)),
            Class::Lookup(LookupOp::Count) => {
                Known::Num(Interval::integers(0.0, self.shape(a).longest))
            }
            Class::Lookup(LookupOp::IndexOf) => {
                Known::Num(Interval::integers(-1.0, self.shape(a).longest))
            }
            Class::Sequence(SequenceOp::Join) => Known::Seq(self.shape(a).joined(self.shape(b))),
            Class::Sequence(SequenceOp::Sort) => Known::Seq(self.shape(a)),
            Class::Sequence(SequenceOp::Upper) => Known::Seq(self.shape(a).cased(-32.0, 0.0)),
            Class::Sequence(SequenceOp::Lower) => Known::Seq(self.shape(a).cased(0.0, 32.0)),
            Class::Sequence(SequenceOp::Flip) => Known::Seq(self.shape(a)),
            Class::Sequence(SequenceOp::Remove) => Known::Seq(self.shape(a).without_one()),
            Class::Sequence(SequenceOp::Truncate) => Known::Seq(self.shape(a).cut(num(b))),
            Class::Sequence(SequenceOp::ToString) => Known::Seq(Shape::of_text(num(a))),
            Class::Comparison(_) | Class::Logic(_) | Class::Test(_) => unreachable!("no term"),
        }
    }

    /// The truth of a test that was not made before.
    pub(super) fn simplify_test(&mut self, test: TestOp, op: Op, a: TermId, b: TermId) -> Ref {
        let (unary, ground) = match test {
            TestOp::Sorted => (true, self.is_ground(a)),
            TestOp::Contains | TestOp::StartsWith | TestOp::EndsWith | TestOp::SameElements => {
                (false, self.is_ground(a) && self.is_ground(b))
            }
        };
        if ground {
            return match self.ground_value(op, a, b) {
                Value::Bool(value) => Ref::of(value),
                Value::Num(_) | Value::Seq(_) => unreachable!("tests give truth values"),
            };
        }
        if unary {
            let is_sorted = matches!(self.term(a), Term::Op(Op::Sort, ..));
            return if is_sorted || self.shape(a).longest <= 1.0 {
                Ref::TRUE
            } else {
                self.add_truth(Truth::Atom(op, a, b))
            };
        }
        if a == b { Ref::TRUE } else { self.add_truth(Truth::Atom(op, a, b)) }
    }

    /// The truth of a comparison that was not made before.
    pub(super) fn simplify_atom(&mut self, op: Op, a: TermId, b: TermId) -> Ref {
        if a == b {
            // NaN equals itself.
            return Ref::of(op != Op::Lt);
        }
        if self.is_ground(a) && self.is_ground(b) {
            return match self.ground_value(op, a, b) {
                Value::Bool(value) => Ref::of(value),
                Value::Num(_) | Value::Seq(_) => unreachable!("comparisons give truth values"),
            };
        }
        if let Some(value) = self.decided(op, a, b) {
            return Ref::of(value);
        }
        match op {
            // Of two numbers exactly one is less, or they are equal.
            Op::Le if !self.interval(a).nan && !self.interval(b).nan => {
                self.compare(Op::Lt, b, a).not()
            }
            Op::NumEq if a > b => self.compare(op, b, a),
            Op::SeqEq => self.simpler_equality(a, b),
            _ => self.add_truth(Truth::Atom(op, a, b)),
        }
    }

    /// `s == t` with at most one flip at its root.
    fn simpler_equality(&mut self, s: TermId, t: TermId) -> Ref {
        let flipped = |term| match term {
            Term::Op(Op::Flip, s, _) => Some(s),
            Term::Op(..) | Term::Column(_) | Term::Constant(_) => None,
        };
        match (flipped(self.term(s)), flipped(self.term(t))) {
            (Some(s), Some(t)) => self.compare(Op::SeqEq, s, t),
            // flip(x) == y is x == flip(y): the flip goes to the one that was there first.
            (Some(x), None) if t < x => {
                let t = self.compute(Op::Flip, t, 0);
                self.compare(Op::SeqEq, x, t)
            }
            (None, Some(y)) if s < y => {
                let s = self.compute(Op::Flip, s, 0);
                self.compare(Op::SeqEq, s, y)
            }
            _ if s > t => self.compare(Op::SeqEq, t, s),
            _ => self.add_truth(Truth::Atom(Op::SeqEq, s, t)),
        }
    }

    /// The answer of a comparison that is the same on all rows.
    fn decided(&self, op: Op, a: TermId, b: TermId) -> Option<bool> {
        if op == Op::SeqEq {
            return self.shape(a).equals(self.shape(b), &self.tolerance);
        }
        let (x, y) = (self.interval(a), self.interval(b));
        let below = x.is_below(y, &self.tolerance);
        let above = y.is_below(x, &self.tolerance);
        let numbers = !x.nan && !y.nan;
        let never_equal = (below || above) && !(x.nan && y.nan);
        match op {
            Op::NumEq => (never_equal || self.is_between_integers(x, y)).then_some(false),
            // Less than NaN is nothing.
            Op::Lt if y.is_at_most(x) => Some(false),
            Op::Lt => (below && numbers).then_some(true),
            Op::Le if x.is_at_most(y) && numbers => Some(true),
            Op::Le => (above && never_equal).then_some(false),
            _ => unreachable!("no atom"),
        }
    }

    /// Whether one is a constant that is near no integer, and the other all integers.
    fn is_between_integers(&self, x: Interval, y: Interval) -> bool {
        let (c, other) = match (x.as_constant(), y.as_constant()) {
            (Some(c), None) => (c, y),
            (None, Some(c)) => (c, x),
            _ => return false,
        };
        let distance = (c - c.round()).abs();
        let allowed = self.tolerance.abs() + self.tolerance.rel() * (c.abs() + 1.0);
        // Farther away than 1 the allowance is no more than at 1, as long as integers are apart.
        other.integer
            && self.tolerance.separates_integers(other.bound().max(c.abs() + 1.0))
            && distance > 2.0 * allowed
    }
}
