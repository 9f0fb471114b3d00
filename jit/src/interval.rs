//! What is known of all values of a number before any row is looked at: bounds, integers, NaN.
//!
//! Bounds are carried through arithmetic by the arithmetic itself. IEEE operations round
//! monotonically, so the result of the bounds bounds the results, rounding included.
//!
//! Knows columns only as slices of numbers, and nothing of programs: lowering picks cheaper comparisons
//! with it, and the population path leaves out what it decides.

use crate::tolerance::Tolerance;

/// What all values of a column or an expression have in common.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Interval {
    /// The lower bound of all values that are numbers.
    pub(crate) lo: f64,
    /// The upper bound of all values that are numbers.
    pub(crate) hi: f64,
    /// Some value may be NaN.
    pub(crate) nan: bool,
    /// Every value is an integer, so finite.
    pub(crate) integer: bool,
}

impl Interval {
    /// Any values at all.
    pub(crate) const ANY: Interval =
        Interval { lo: f64::NEG_INFINITY, hi: f64::INFINITY, nan: true, integer: false };

    /// What these values have in common. Of no values, everything could be said; this says 0.
    pub(crate) fn of(values: &[f64]) -> Interval {
        let Some(&first) = values.iter().find(|value| !value.is_nan()) else {
            return if values.is_empty() { Interval::constant(0.0) } else { Interval::ANY };
        };
        let mut all = Interval { lo: first, hi: first, nan: false, integer: true };
        for &value in values {
            all.nan |= value.is_nan();
            all.integer &= value.fract() == 0.0;
            all.lo = all.lo.min(value);
            all.hi = all.hi.max(value);
        }
        all
    }

    /// The interval of one value.
    pub(crate) fn constant(value: f64) -> Interval {
        if value.is_nan() {
            return Interval::ANY;
        }
        Interval { lo: value, hi: value, nan: false, integer: value.fract() == 0.0 }
    }

    /// Integers between two integers.
    pub(crate) fn integers(lo: f64, hi: f64) -> Interval {
        Interval { lo, hi, nan: false, integer: true }
    }

    /// The only value, if there is but one. 0 and -0 are one.
    pub(crate) fn as_constant(self) -> Option<f64> {
        (self.lo == self.hi && !self.nan).then_some(self.lo)
    }

    /// No value is larger in magnitude; infinite where some value may be NaN.
    pub(crate) fn bound(self) -> f64 {
        if self.nan { f64::INFINITY } else { self.lo.abs().max(self.hi.abs()) }
    }

    /// Neither NaN nor an infinity is among the values.
    pub(crate) fn is_finite(self) -> bool {
        self.bound() < f64::INFINITY
    }

    /// From the smallest to the largest of the results of bounds; an integer is made of integers.
    fn spanning(ends: &[f64], integer: bool) -> Interval {
        let lo = ends.iter().copied().fold(f64::INFINITY, f64::min);
        let hi = ends.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        // A number too large for a fraction is an integer, so rounding makes none of an integer.
        Interval { lo, hi, nan: false, integer: integer && (hi - lo).is_finite() }
    }

    pub(crate) fn plus(self, b: Interval) -> Interval {
        if !(self.is_finite() && b.is_finite()) {
            return Interval::ANY;
        }
        Interval::spanning(&[self.lo + b.lo, self.hi + b.hi], self.integer && b.integer)
    }

    pub(crate) fn minus(self, b: Interval) -> Interval {
        if !(self.is_finite() && b.is_finite()) {
            return Interval::ANY;
        }
        Interval::spanning(&[self.lo - b.hi, self.hi - b.lo], self.integer && b.integer)
    }

    pub(crate) fn times(self, b: Interval) -> Interval {
        if !(self.is_finite() && b.is_finite()) {
            return Interval::ANY;
        }
        let corners = [self.lo * b.lo, self.lo * b.hi, self.hi * b.lo, self.hi * b.hi];
        Interval::spanning(&corners, self.integer && b.integer)
    }

    /// Bounds of a protected quotient: 1 where the divisor is 0 by the tolerance.
    pub(crate) fn over(self, b: Interval, tolerance: &Tolerance) -> Interval {
        if !(self.is_finite() && b.is_finite()) {
            return Interval::ANY;
        }
        // The smallest magnitude of a divisor that is not 0 by the tolerance.
        let nearest = if b.lo > 0.0 {
            b.lo
        } else if b.hi < 0.0 {
            -b.hi
        } else {
            0.0
        };
        if nearest > 0.0 && !tolerance.eq(nearest, 0.0) {
            let corners = [self.lo / b.lo, self.lo / b.hi, self.hi / b.lo, self.hi / b.hi];
            return Interval::spanning(&corners, false);
        }
        let smallest = if b.integer { tolerance.abs().max(1.0) } else { tolerance.abs() };
        let most = if self.bound() == 0.0 { 0.0 } else { self.bound() / smallest };
        let least = if self.lo >= 0.0 && b.lo >= 0.0 { 0.0 } else { -most };
        // Where the divisor is 0 the result is 1.
        Interval::spanning(&[least, most, 1.0], false)
    }

    pub(crate) fn magnitude(self) -> Interval {
        let hi = self.lo.abs().max(self.hi.abs());
        let lo = if self.lo >= 0.0 {
            self.lo
        } else if self.hi <= 0.0 {
            -self.hi
        } else {
            0.0
        };
        Interval { lo, hi, ..self }
    }

    /// `min` of values of both; NaN if either is.
    pub(crate) fn smaller(self, b: Interval) -> Interval {
        let (lo, hi) = (self.lo.min(b.lo), self.hi.min(b.hi));
        Interval { lo, hi, nan: self.nan || b.nan, integer: self.integer && b.integer }
    }

    /// `max` of values of both; NaN if either is.
    pub(crate) fn larger(self, b: Interval) -> Interval {
        let (lo, hi) = (self.lo.max(b.lo), self.hi.max(b.hi));
        Interval { lo, hi, nan: self.nan || b.nan, integer: self.integer && b.integer }
    }

    /// `a mod b`: between 0 and the divisor, and 0 where the divisor is 0.
    pub(crate) fn modulo(self, b: Interval) -> Interval {
        if !(self.is_finite() && b.is_finite()) {
            return Interval::ANY;
        }
        Interval::spanning(&[b.lo.min(0.0), b.hi.max(0.0)], self.integer && b.integer)
    }

    pub(crate) fn floor(self) -> Interval {
        let (lo, hi) = (self.lo.floor(), self.hi.floor());
        Interval { lo, hi, nan: self.nan, integer: self.is_finite() }
    }

    /// All values of both.
    pub(crate) fn or(self, b: Interval) -> Interval {
        let (lo, hi) = (self.lo.min(b.lo), self.hi.max(b.hi));
        Interval { lo, hi, nan: self.nan || b.nan, integer: self.integer && b.integer }
    }

    /// Whether every number of `self` is less than every number of `b`, whatever the tolerance allows
    /// between them. NaNs do not count.
    pub(crate) fn is_below(self, b: Interval, tolerance: &Tolerance) -> bool {
        // With x = hi - u and y = lo + v the distance grows by u + v, what is allowed by at
        // most rel * (u + v) <= (u + v) / 2. Twice what is allowed between the ends is room for
        // every rounding.
        let gap = b.lo - self.hi;
        let allowed = tolerance.abs() + tolerance.rel() * self.hi.abs().max(b.lo.abs());
        gap.is_finite() && gap > 0.0 && gap > 2.0 * allowed && tolerance.rel() <= 0.25
    }

    /// Whether no number of `self` is more than any number of `b`. NaNs do not count.
    pub(crate) fn is_at_most(self, b: Interval) -> bool {
        self.hi <= b.lo
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn between(lo: f64, hi: f64) -> Interval {
        Interval { lo, hi, nan: false, integer: false }
    }

    #[test]
    fn an_interval_says_what_every_value_has_in_common() {
        assert_eq!(Interval::of(&[1.0, -7.0, 0.0]), Interval::integers(-7.0, 1.0));
        assert_eq!(Interval::of(&[0.5]), between(0.5, 0.5));
        assert_eq!(Interval::of(&[]), Interval::integers(0.0, 0.0));
        assert_eq!(
            Interval::of(&[f64::NAN, 1.0]),
            Interval { lo: 1.0, hi: 1.0, nan: true, integer: false }
        );
        assert_eq!(Interval::of(&[f64::NAN]), Interval::ANY);
        assert_eq!(Interval::of(&[1.0, f64::INFINITY]), between(1.0, f64::INFINITY));
        assert_eq!(Interval::of(&[1.0, f64::INFINITY]).bound(), f64::INFINITY);
    }

    /// Values at and around every border that the rules have.
    const VALUES: [f64; 16] = [
        0.0,
        -0.0,
        1.0,
        -1.0,
        3.0,
        0.5,
        -2.5,
        1e-9,
        -1e-9,
        2e-9,
        1e-300,
        1e300,
        -1e300,
        9e15,
        f64::MAX,
        f64::MIN,
    ];

    #[test]
    fn arithmetic_on_intervals_bounds_arithmetic_on_their_values() {
        let tolerances =
            [Tolerance::default(), Tolerance::PAPER, Tolerance::new(0.0, 0.0).unwrap()];
        for a in VALUES {
            for b in VALUES {
                for c in VALUES {
                    let (x, y) = (Interval::of(&[a, b]), Interval::of(&[c, a]));
                    for (p, q) in [(a, c), (b, a), (b, c), (a, a)] {
                        let holds = |all: Interval, value: f64| {
                            (value.is_nan() && all.nan || all.lo <= value && value <= all.hi)
                                && (!all.integer || value.fract() == 0.0)
                        };
                        assert!(holds(x.plus(y), p + q), "{p} + {q}");
                        assert!(holds(x.minus(y), p - q), "{p} - {q}");
                        assert!(holds(x.times(y), p * q), "{p} * {q}");
                        assert!(holds(x.magnitude(), p.abs()), "|{p}|");
                        for tolerance in &tolerances {
                            let quotient = tolerance.divide(p, q);
                            assert!(
                                holds(x.over(y, tolerance), quotient),
                                "{p} / {q}, {tolerance}"
                            );
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn below_means_less_for_every_pair_of_values() {
        let tolerances =
            [Tolerance::default(), Tolerance::PAPER, Tolerance::new(0.5, 0.2).unwrap()];
        let ends = VALUES.into_iter().chain([f64::INFINITY, f64::NEG_INFINITY]);
        for tolerance in tolerances {
            for a in ends.clone() {
                for b in ends.clone() {
                    for c in ends.clone() {
                        let (x, y) = (Interval::of(&[a, b]), Interval::of(&[c]));
                        if x.is_below(y, &tolerance) {
                            assert!(tolerance.lt(a, c) && tolerance.lt(b, c), "{x:?} {c}");
                        }
                        if x.is_at_most(y) {
                            assert!(tolerance.le(a, c) && tolerance.le(b, c), "{x:?} {c}");
                        }
                    }
                }
            }
        }
    }
}
