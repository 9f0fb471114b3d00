//! Numbers with names: constants that mean something, and the numbers that JSON cannot write.

use std::f64::consts::{
    E, FRAC_1_SQRT_2, FRAC_PI_2, LN_2, LN_10, LOG2_10, LOG10_2, PI, SQRT_2, TAU,
};

/// Numbers that mean something in a relation, besides the integers. Searches draw constants from them and simplification
/// rounds to them.
pub(crate) const NOTABLE: [f64; 12] =
    [0.5, PI, TAU, FRAC_PI_2, E, SQRT_2, LN_2, LN_10, 180.0 / PI, PI / 180.0, 0.1, 0.01];

/// Numbers that JSON has no form for, as Python and JavaScript write them.
pub(crate) const NOT_IN_JSON: [(&str, f64); 3] =
    [("NaN", f64::NAN), ("Infinity", f64::INFINITY), ("-Infinity", f64::NEG_INFINITY)];

/// The largest numerator and denominator of a fraction that is recognised.
const SMALL: u32 = 12;
/// How near a number must be to what it is taken for, as a share of it.
const NEAR: f64 = 1e-12;

/// The number that this one is meant to be: a small fraction, or pi and its like; `None` if nobody would recognise it.
pub(crate) fn recognised(value: f64) -> Option<f64> {
    let named = [PI, E, LN_2, LN_10, LOG2_10, LOG10_2, SQRT_2, FRAC_1_SQRT_2];
    let multiples = [0.25, 0.5, 1.0, 2.0].into_iter();
    let constants = multiples.flat_map(|by| named.map(|constant| by * constant));
    let fractions = (1..=SMALL)
        .flat_map(|q| (1..=SMALL).map(move |p| f64::from(p) / f64::from(q)))
        .chain([16.0, 32.0, 64.0, 100.0, 1000.0]);
    let size = value.abs();
    let near = |known: &f64| (size - known).abs() <= NEAR * known;
    fractions.chain(constants).find(near).map(|known| known.copysign(value))
}

/// Whether a person would write a number down: an integer, a few digits, or one that is recognised.
pub(crate) fn is_plain(value: f64) -> bool {
    let digits = value.to_string().chars().filter(char::is_ascii_digit).count();
    value.fract() == 0.0 || digits <= DIGITS || recognised(value).is_some()
}

/// The most digits of a fraction that a person writes down.
const DIGITS: usize = 4;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fractions_and_named_constants_are_recognised_and_others_are_not() {
        assert_eq!(recognised(-0.5), Some(-0.5));
        assert_eq!(recognised(2.0 / 3.0), Some(2.0 / 3.0));
        assert_eq!(recognised(PI + 1e-15), Some(PI));
        assert_eq!(recognised(PI / 2.0), Some(PI / 2.0));
        assert_eq!(recognised(12.57), None);
        assert_eq!(recognised(84.0), None);
    }

    #[test]
    fn few_digits_are_plain_and_many_are_not() {
        assert!(is_plain(0.75) && is_plain(1e6) && is_plain(PI / 2.0));
        assert!(!is_plain(0.01745329052209854) && !is_plain(1.997844754509471e-9));
    }
}
