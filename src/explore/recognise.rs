//! Constants that a person would recognise in an equation.

use std::f64::consts::{E, FRAC_1_SQRT_2, LN_2, LN_10, LOG2_10, LOG10_2, PI, SQRT_2};

/// The largest numerator and denominator of a fraction that is recognised.
const SMALL: u32 = 12;
/// How near a number must be to what it is taken for, as a share of it.
const NEAR: f64 = 1e-12;

/// The number that this one is meant to be: a small fraction, or pi and its like; `None` if nobody would recognise it.
pub(super) fn recognised(value: f64) -> Option<f64> {
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
}
