//! How far a relation is from being false on a pair of executions: what guides the hunt.
//!
//! The usual algebra of branch distances. It only guides: whether a relation is false, the core says. Every truth
//! has two distances, to being true and to being false; the one that it has is 0.

use genmorph_jit::engine::scalar::{self, Truths};
use genmorph_jit::op::sorted;
use genmorph_jit::{ComparisonOp, LogicOp, Operands, Predicate, TestOp, Tolerance, Value};

use super::trial::Trial;

/// How far a truth is from being true, and from being false.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Truth {
    to_true: f64,
    to_false: f64,
}

/// How far a relation is from being false on a row: 0 if it is, else more than 0.
pub(super) fn to_false(
    relation: &Predicate,
    trial: &Trial,
    row: usize,
    tolerance: &Tolerance,
) -> f64 {
    let distances = Distances { tolerance };
    scalar::truth(relation, tolerance, &distances, |var| trial.value(var, row)).to_false
}

/// The algebra of distances, under a tolerance.
struct Distances<'t> {
    tolerance: &'t Tolerance,
}

impl Truths for Distances<'_> {
    type Truth = Truth;

    fn known(&self, truth: bool) -> Truth {
        Truth::of(truth)
    }

    fn compare(&self, op: ComparisonOp, a: &Value<'_>, b: &Value<'_>) -> Truth {
        let tolerance = self.tolerance;
        match (op, a, b) {
            (ComparisonOp::SeqEq, Value::Seq(s), Value::Seq(t)) => same(s, t, tolerance),
            (ComparisonOp::SeqNe, Value::Seq(s), Value::Seq(t)) => same(s, t, tolerance).not(),
            (ComparisonOp::NumEq, &Value::Num(a), &Value::Num(b)) => equal(a, b, tolerance),
            (ComparisonOp::NumNe, &Value::Num(a), &Value::Num(b)) => equal(a, b, tolerance).not(),
            (ComparisonOp::Lt, &Value::Num(a), &Value::Num(b)) => less(a, b, tolerance),
            (ComparisonOp::Gt, &Value::Num(a), &Value::Num(b)) => less(b, a, tolerance),
            (ComparisonOp::Le, &Value::Num(a), &Value::Num(b)) => {
                less(b, a, tolerance).not_or_nan(a, b)
            }
            (ComparisonOp::Ge, &Value::Num(a), &Value::Num(b)) => {
                less(a, b, tolerance).not_or_nan(a, b)
            }
            (
                ComparisonOp::NumEq
                | ComparisonOp::NumNe
                | ComparisonOp::Lt
                | ComparisonOp::Gt
                | ComparisonOp::Le
                | ComparisonOp::Ge
                | ComparisonOp::SeqEq
                | ComparisonOp::SeqNe,
                _,
                _,
            ) => unreachable!("{op:?} was type-checked, found {a:?} and {b:?}"),
        }
    }

    fn test(&self, op: TestOp, s: &[f64], t: &[f64]) -> Truth {
        let tolerance = self.tolerance;
        match op {
            TestOp::SameElements => same(&sorted(s), &sorted(t), tolerance),
            TestOp::StartsWith | TestOp::EndsWith if t.len() > s.len() => same(s, t, tolerance),
            TestOp::StartsWith => same(&s[..t.len()], t, tolerance),
            TestOp::EndsWith => same(&s[s.len() - t.len()..], t, tolerance),
            // Somewhere, or nowhere.
            TestOp::Contains => s
                .windows(t.len().max(1))
                .map(|part| same(part, t, tolerance))
                .filter(|_| !t.is_empty())
                .reduce(Truth::or)
                .unwrap_or(Truth::of(t.is_empty())),
            // NaN is more than every number.
            TestOp::Sorted => s
                .windows(2)
                .map(|pair| match (pair[0].is_nan(), pair[1].is_nan()) {
                    (_, true) => Truth::of(true),
                    (true, false) => Truth::of(false),
                    (false, false) => less(pair[1], pair[0], tolerance).not(),
                })
                .reduce(Truth::and)
                .unwrap_or(Truth::of(true)),
        }
    }

    fn combine(&self, op: LogicOp, operands: Operands<Truth>) -> Truth {
        let (a, b) = match operands {
            Operands::One([a]) => (a, a),
            Operands::Two([a, b]) => (a, b),
        };
        match op {
            LogicOp::And => a.and(b),
            LogicOp::Or => a.or(b),
            LogicOp::Implies => a.not().or(b),
            LogicOp::Iff => a.iff(b),
            LogicOp::Xor => a.iff(b).not(),
            LogicOp::Not => a.not(),
        }
    }
}

impl Truth {
    fn of(truth: bool) -> Truth {
        if truth {
            Truth { to_true: 0.0, to_false: 1.0 }
        } else {
            Truth { to_true: 1.0, to_false: 0.0 }
        }
    }

    fn not(self) -> Truth {
        Truth { to_true: self.to_false, to_false: self.to_true }
    }

    fn and(self, other: Truth) -> Truth {
        Truth { to_true: self.to_true + other.to_true, to_false: self.to_false.min(other.to_false) }
    }

    fn or(self, other: Truth) -> Truth {
        self.not().and(other.not()).not()
    }

    fn iff(self, other: Truth) -> Truth {
        let both = self.and(other);
        let neither = self.not().and(other.not());
        both.or(neither)
    }

    /// `a <= b`, of which this is the opposite of `b < a`: with a NaN on one side both are false.
    fn not_or_nan(self, a: f64, b: f64) -> Truth {
        if a.is_nan() != b.is_nan() { Truth::of(false) } else { self.not() }
    }
}

/// What is within the tolerance counts for at most this: to leave the tolerance is the last step.
const WITHIN: f64 = 0.01;

/// `a == b`; how far equal numbers are from differing is how deep within the tolerance they are.
fn equal(a: f64, b: f64, tolerance: &Tolerance) -> Truth {
    if !tolerance.eq(a, b) {
        return Truth { to_true: far((a - b).abs()), to_false: 0.0 };
    }
    let allowed = tolerance.abs() + tolerance.rel() * a.abs().max(b.abs());
    let difference = (a - b).abs();
    // Numbers without any difference give no hint at all.
    let depth = if difference > 0.0 && allowed > 0.0 {
        WITHIN * (1.0 - difference / allowed).max(0.0) + WITHIN / 100.0
    } else {
        1.0
    };
    Truth { to_true: 0.0, to_false: depth }
}

/// How far `a < b` is from being true and from being false.
fn less(a: f64, b: f64, tolerance: &Tolerance) -> Truth {
    if tolerance.lt(a, b) {
        return Truth { to_true: 0.0, to_false: far(b - a) };
    }
    if a.is_nan() || b.is_nan() {
        return Truth::of(false);
    }
    // Equal within the tolerance, or greater: what is missing, and the tolerance beyond that.
    let allowed = tolerance.abs() + tolerance.rel() * a.abs().max(b.abs());
    let missing = if a == b { 0.0 } else { a - b };
    let missing = if allowed.is_finite() { missing + allowed } else { missing };
    Truth { to_true: far(missing.max(0.0)), to_false: 0.0 }
}

/// How far the equality of two sequences is from being true and from being false.
fn same(s: &[f64], t: &[f64], tolerance: &Tolerance) -> Truth {
    if s.len() != t.len() {
        return Truth { to_true: 1.0 + far(s.len().abs_diff(t.len()) as f64), to_false: 0.0 };
    }
    let mut all = Truth { to_true: 0.0, to_false: 1.0 };
    for (&a, &b) in s.iter().zip(t) {
        all = all.and(equal(a, b, tolerance));
    }
    // So that longer sequences are not further away than other lengths.
    Truth { to_true: all.to_true / (1.0 + all.to_true), ..all }
}

/// A difference as a distance below 1, and above 0: large differences are told apart by their magnitude, small ones by
/// what they are.
fn far(difference: f64) -> f64 {
    if difference.is_nan() || difference.is_infinite() {
        return 1.0;
    }
    let size = difference.abs().ln_1p();
    (size / (1.0 + size)).max(f64::MIN_POSITIVE)
}

#[cfg(test)]
mod tests {
    use super::*;

    const EXACT: fn() -> Tolerance = || Tolerance::new(0.0, 0.0).unwrap();

    #[test]
    fn a_truth_is_at_no_distance_from_itself() {
        let tolerance = Tolerance::default();
        let numbers = [0.0, -0.0, 1.0, 1.0 + 1e-10, -3.5, 1e300, f64::INFINITY, f64::NAN, 1e-300];
        for a in numbers {
            for b in numbers {
                let cases = [
                    (ComparisonOp::NumEq, tolerance.eq(a, b)),
                    (ComparisonOp::NumNe, !tolerance.eq(a, b)),
                    (ComparisonOp::Lt, tolerance.lt(a, b)),
                    (ComparisonOp::Gt, tolerance.lt(b, a)),
                    (ComparisonOp::Le, tolerance.le(a, b)),
                    (ComparisonOp::Ge, tolerance.le(b, a)),
                ];
                for (op, holds) in cases {
                    let [x, y] = [a, b].map(Value::Num);
                    let truth = Distances { tolerance: &tolerance }.compare(op, &x, &y);
                    assert_eq!(truth.to_true == 0.0, holds, "{a} {op:?} {b}: {truth:?}");
                    assert_eq!(truth.to_false == 0.0, !holds, "{a} {op:?} {b}: {truth:?}");
                }
            }
        }
    }

    #[test]
    fn a_test_of_sequences_is_at_no_distance_from_what_it_is() {
        let tolerance = Tolerance::default();
        let sequences: [&[f64]; 9] = [
            &[],
            &[1.0],
            &[1.0, 2.0],
            &[2.0, 1.0],
            &[1.0, 1.0 - 1e-10],
            &[f64::NAN, 1.0],
            &[1.0, f64::NAN],
            &[2.0, 1.0, 2.0],
            &[f64::INFINITY, 2.0],
        ];
        for s in sequences {
            for t in sequences {
                for &op in TestOp::ALL {
                    let holds = op.apply(s, t, &tolerance);
                    let truth = Distances { tolerance: &tolerance }.test(op, s, t);
                    assert_eq!(truth.to_true == 0.0, holds, "{op:?} {s:?} {t:?}: {truth:?}");
                    assert_eq!(truth.to_false == 0.0, !holds, "{op:?} {s:?} {t:?}: {truth:?}");
                }
            }
        }
    }

    #[test]
    fn nearer_numbers_are_nearer() {
        let to_false = |a: f64, b: f64| less(a, b, &EXACT()).to_false;
        assert!(to_false(1.0, 2.0) < to_false(0.0, 2.0));
        assert!(to_false(1e9, 1e9 + 1.0) < to_false(1e9 - 1.0, 1e9 + 1.0));
        assert!(to_false(0.0, 1e-12) < to_false(0.0, 2e-12));
        let tolerance = Tolerance::default();
        let within = |b: f64| equal(1.0, b, &tolerance).to_false;
        assert!(within(1.0 + 9e-10) < within(1.0 + 1e-10));
        assert!(within(1.0 + 1e-10) < within(1.0));
    }

    #[test]
    fn a_conjunction_is_as_far_from_false_as_its_nearest_part() {
        let near = less(1.0, 2.0, &EXACT());
        let further = less(1.0, 9.0, &EXACT());
        assert_eq!(near.and(further).to_false, near.to_false);
        assert_eq!(near.or(further).to_false, near.to_false + further.to_false);
        assert_eq!(near.iff(further).to_false, near.to_false.min(further.to_false));
        let elements = |s: &[f64], t: &[f64]| same(s, t, &EXACT());
        assert_eq!(elements(&[1.0], &[1.0, 2.0]).to_false, 0.0);
        assert!(elements(&[1.0], &[4.0]).to_true < elements(&[1.0], &[1.0, 2.0]).to_true);
    }
}
