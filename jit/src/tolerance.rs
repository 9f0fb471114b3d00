//! When two numbers are equal: the one equality that every comparison is built on.

use std::fmt;
use std::str::FromStr;

/// The tolerance of a table: a property of the data that travels with every relation.
///
/// `a == b` when both are NaN, or they are the same number (so `Inf == Inf`), or both are finite
/// and `|a - b| <= abs + rel * max(|a|, |b|)`.
///
/// The bounds on `abs` and `rel` keep the right-hand side finite for all finite operands. The
/// engines rely on that: an infinite difference then never counts as equal.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tolerance {
    abs: f64,
    rel: f64,
}

/// A tolerance that is not one.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ToleranceError {
    /// The absolute part is out of bounds.
    #[error("the absolute tolerance must be in [0, 1e300], not {0}")]
    Abs(f64),
    /// The relative part is out of bounds.
    #[error("the relative tolerance must be in [0, 0.5], not {0}")]
    Rel(f64),
    /// The text is neither `paper` nor two numbers.
    #[error("a tolerance is `paper` or `ABS,REL` (such as `1e-9,1e-12`), not `{0}`")]
    Text(String),
}

impl Tolerance {
    /// The setting of the authors' own tool: `|a - b| < 1e-4`.
    ///
    /// `|a - b|` is an f64, so "less than 1e-4" is "at most the f64 below 1e-4".
    pub const PAPER: Tolerance = Tolerance { abs: 1e-4_f64.next_down(), rel: 0.0 };

    /// A tolerance with an absolute and a relative part.
    pub fn new(abs: f64, rel: f64) -> Result<Tolerance, ToleranceError> {
        if !(0.0..=1e300).contains(&abs) {
            return Err(ToleranceError::Abs(abs));
        }
        if !(0.0..=0.5).contains(&rel) {
            return Err(ToleranceError::Rel(rel));
        }
        Ok(Tolerance { abs, rel })
    }

    /// How far equal numbers may be apart, whatever their size.
    pub fn abs(&self) -> f64 {
        self.abs
    }

    /// How far equal numbers may be apart, as a share of the larger magnitude.
    pub fn rel(&self) -> f64 {
        self.rel
    }

    /// Whether `a == b` in relations: NaN equals NaN, and other numbers may be apart by the tolerance.
    #[inline]
    pub fn eq(&self, a: f64, b: f64) -> bool {
        if a.is_nan() || b.is_nan() {
            return a.is_nan() && b.is_nan();
        }
        a == b
            || (a.is_finite()
                && b.is_finite()
                && (a - b).abs() <= self.abs + self.rel * a.abs().max(b.abs()))
    }

    /// `a < b`: IEEE less than, and not equal.
    #[inline]
    pub fn lt(&self, a: f64, b: f64) -> bool {
        a < b && !self.eq(a, b)
    }

    /// `a <= b`: less than, or equal.
    #[inline]
    pub fn le(&self, a: f64, b: f64) -> bool {
        a < b || self.eq(a, b)
    }

    /// `a / b`, protected: 1 where `b == 0`.
    #[inline]
    pub fn divide(&self, a: f64, b: f64) -> f64 {
        if self.eq(b, 0.0) { 1.0 } else { a / b }
    }

    /// Whether two sequences have the same length and equal elements.
    #[inline]
    pub fn seq_eq(&self, s: &[f64], t: &[f64]) -> bool {
        s.len() == t.len() && s.iter().zip(t).all(|(&a, &b)| self.eq(a, b))
    }

    /// Whether different integers of at most this magnitude are always unequal, so that the exact
    /// comparison may stand for the tolerant one.
    pub fn separates_integers(&self, magnitude: f64) -> bool {
        // Two different integers differ by at least 1; 0.9 leaves room for any rounding.
        magnitude <= 9_007_199_254_740_992.0 && self.abs + self.rel * magnitude < 0.9
    }
}

impl Default for Tolerance {
    /// `abs = 1e-9`, `rel = 1e-12`: integers of different value below 2^39 are never equal.
    fn default() -> Self {
        Tolerance { abs: 1e-9, rel: 1e-12 }
    }
}

impl fmt::Display for Tolerance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if *self == Tolerance::PAPER {
            f.write_str("paper")
        } else {
            write!(f, "{:?},{:?}", self.abs, self.rel)
        }
    }
}

impl FromStr for Tolerance {
    type Err = ToleranceError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        if text == "paper" {
            return Ok(Tolerance::PAPER);
        }
        let wrong = || ToleranceError::Text(text.to_owned());
        let (abs, rel) = text.split_once(',').ok_or_else(wrong)?;
        let number = |part: &str| part.trim().parse().map_err(|_| wrong());
        Tolerance::new(number(abs)?, number(rel)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exactly_one_of_less_equal_greater_holds_for_numbers() {
        let values = [0.0, -0.0, 1e-9, 2e-9, 1.0, 1.0 + 1e-12, -1.0, 5e-324, 1e308, -1e308];
        let infinities = [f64::INFINITY, f64::NEG_INFINITY];
        for tolerance in [Tolerance::default(), Tolerance::PAPER, Tolerance { abs: 0.0, rel: 0.0 }]
        {
            for a in values.into_iter().chain(infinities) {
                for b in values.into_iter().chain(infinities) {
                    let held =
                        [tolerance.lt(a, b), tolerance.eq(a, b), tolerance.lt(b, a)].map(u8::from);
                    assert_eq!(held.iter().sum::<u8>(), 1, "{a} {b} {tolerance}");
                }
            }
        }
    }

    #[test]
    fn the_paper_setting_is_strictly_less_than_its_bound() {
        assert!(!Tolerance::PAPER.eq(0.0, 1e-4));
        assert!(Tolerance::PAPER.eq(0.0, 1e-4_f64.next_down()));
    }

    #[test]
    fn different_integers_below_two_to_the_39_are_unequal_by_default() {
        let tolerance = Tolerance::default();
        let top = (1_u64 << 39) as f64;
        assert!(!tolerance.eq(top, top - 1.0));
        assert!(!tolerance.eq(-top, 1.0 - top));
    }

    #[test]
    fn tolerances_read_back_from_their_text() {
        for tolerance in [Tolerance::default(), Tolerance::PAPER, Tolerance { abs: 0.25, rel: 0.0 }]
        {
            assert_eq!(tolerance.to_string().parse(), Ok(tolerance));
        }
        assert!("1e-9".parse::<Tolerance>().is_err());
        assert!("-1,0".parse::<Tolerance>().is_err());
        assert!("nan,0".parse::<Tolerance>().is_err());
        assert!("0,0.75".parse::<Tolerance>().is_err());
    }
}
