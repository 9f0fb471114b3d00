//! Coefficients that a person would write.

use crate::support::numbers::NOTABLE;

/// The largest coefficient.
const LARGEST: f64 = 12.0;
/// Larger constants that people know.
const ROUND: [f64; 8] = [16.0, 32.0, 64.0, 90.0, 100.0, 180.0, 360.0, 1000.0];
/// How near a number must be to what it is taken for, as a share of it. The engine decides later whether it was meant.
const NEAR: f64 = 1e-6;

/// Small integers in the ratio of these numbers, the first of them positive; the one at `constant`, which stands alone in its
/// equation, may also be a constant with a name or a round number, or that times the first integer. `None` if there are none.
pub(super) fn plain(numbers: &[f64], constant: Option<usize>) -> Option<Vec<f64>> {
    let first = *numbers.first()?;
    let mut whole = 1.0;
    while whole <= LARGEST {
        let scaled = |(i, number): (usize, &f64)| {
            let value = number / first * whole;
            match constant {
                Some(at) if at == i => integer(value)
                    .or_else(|| known(value))
                    .or_else(|| known(value / whole).map(|known| known * whole)),
                _ => integer(value),
            }
        };
        if let Some(found) = numbers.iter().enumerate().map(scaled).collect() {
            return Some(found);
        }
        whole += 1.0;
    }
    None
}

/// The small integer that a number is meant to be.
fn integer(value: f64) -> Option<f64> {
    let near = value.round();
    let fits = near != 0.0 && near.abs() <= LARGEST && is_near(value, near);
    fits.then_some(near)
}

/// The round number, or the fraction or multiple of a constant with a name, that a number is meant to be.
fn known(value: f64) -> Option<f64> {
    let multiples = [0.25, 0.5, 1.0, 2.0].into_iter();
    let named = multiples.flat_map(|by| NOTABLE.map(|constant| by * constant));
    let mut all = ROUND.into_iter().chain(named);
    all.find(|known| is_near(value.abs(), *known)).map(|known| known.copysign(value))
}

fn is_near(value: f64, known: f64) -> bool {
    (value - known).abs() <= NEAR * known.abs()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::PI;

    #[test]
    fn ratios_become_the_smallest_integers() {
        assert_eq!(plain(&[0.5, -0.75, 0.25], None), Some(vec![2.0, -3.0, 1.0]));
        assert_eq!(plain(&[-3.0, 3.0 + 1e-9], None), Some(vec![1.0, -1.0]));
        assert_eq!(plain(&[1.0, 0.1234], None), None);
        assert_eq!(plain(&[1.0, 1e-9], None), None);
    }

    #[test]
    fn a_constant_alone_may_have_a_name() {
        assert_eq!(plain(&[1.0, 1.0, -PI], Some(2)), Some(vec![1.0, 1.0, -PI]));
        assert_eq!(plain(&[1.0, 0.5, PI / 2.0], Some(2)), Some(vec![2.0, 1.0, PI]));
        assert_eq!(plain(&[1.0, PI], None), None);
        assert_eq!(plain(&[1.0, -360.0], Some(1)), Some(vec![1.0, -360.0]));
        assert_eq!(plain(&[1.0, -1.8, -32.0], Some(2)), Some(vec![5.0, -9.0, -160.0]));
        assert_eq!(plain(&[1.0, -84.0], Some(1)), None);
    }
}
