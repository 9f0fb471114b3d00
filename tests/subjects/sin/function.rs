//! `sin(x)` written out: the argument reduced to [-π/2, π/2] in two parts, then a polynomial.
//!
//! Only `+ - * /` and rounding to an integer, all of them exact by IEEE 754, so every machine records the
//! same bits. The mutants differ by more than rounding.

use std::f64::consts::{FRAC_PI_2, PI};

use crate::record::{Execution, Value};

/// The original is 0. The mutants, by number:
///
/// | | change |
/// |---|---|
/// | 1 | no change of sign in odd half turns |
/// | 2 | the argument is not reduced |
/// | 3 | the cubic term is added |
/// | 4 | the cubic term has 1/7 for 1/6 |
/// | 5 | the polynomial ends after the cubic term |
/// | 6 | reduced with 3 for π |
/// | 7 | returns the absolute value |
/// | 8 | returns `x` where `abs(x) < 0.5` |
/// | 9 | the quintic term is left out |
/// | 10 | the reduced argument is `x` plus the half turns |
/// | 11 | throws where `abs(x)` is not finite |
/// | 12 | returns 0 where `x` is negative |
pub const MUTANTS: usize = 12;

/// π as a number of 33 bits, so that its multiples by small integers are exact, and the rest.
const PI_HIGH: f64 = 3.141_592_653_468_251;
const PI_LOW: f64 = 1.215_420_125_655_342_6e-10;

fn sin(mutant: usize, x: f64) -> Option<f64> {
    if mutant == 11 && !x.is_finite() {
        return None;
    }
    if mutant == 12 && x < 0.0 {
        return Some(0.0);
    }
    if mutant == 8 && x.abs() < 0.5 {
        return Some(x);
    }
    let turns = (x / if mutant == 6 { 3.0 } else { PI }).round_ties_even();
    let reduced = match mutant {
        2 => x,
        10 => x + turns * PI_HIGH + turns * PI_LOW,
        6 => x - turns * 3.0,
        _ => x - turns * PI_HIGH - turns * PI_LOW,
    };
    let sum = polynomial(mutant, reduced);
    let odd = turns.rem_euclid(2.0) == 1.0;
    let signed = if odd && mutant != 1 { -sum } else { sum };
    Some(if mutant == 7 { signed.abs() } else { signed })
}

/// The Taylor polynomial up to x^21: on [-π/2, π/2] exact to the last few bits.
fn polynomial(mutant: usize, x: f64) -> f64 {
    let square = x * x;
    let last = if mutant == 5 { 3 } else { 21 };
    let (mut term, mut sum) = (x, x);
    let mut power = 3;
    while power <= last {
        let divisor = match (mutant, power) {
            (4, 3) => 7.0,
            _ => f64::from((power - 1) * power),
        };
        term = -term * square / divisor;
        match (mutant, power) {
            (3, 3) => sum -= term,
            (9, 5) => {}
            _ => sum += term,
        }
        power += 2;
    }
    sum
}

/// Executions at x, -x and x + π for diverse x: follow-ups of two transformations.
pub fn recorded() -> Vec<Execution> {
    let mut sources: Vec<f64> = (0..220).map(|i| f64::from(i) * 0.1371 - 4.0).collect();
    sources.extend((-8..=8).map(|i| f64::from(i) * FRAC_PI_2));
    sources.extend((-6..=6).map(|i| f64::from(i) * (PI / 6.0) + 40.0));
    sources.extend([1e-9, 1e-3, 0.49, 0.51, 33.3, 100.0, 314.159, 999.75, -512.125, f64::INFINITY]);
    let mut inputs: Vec<f64> = Vec::new();
    for x in sources {
        for x in [x, -x, x + PI] {
            // -0 is 0 to every relation.
            let x = x + 0.0;
            if !inputs.iter().any(|other| other.to_bits() == x.to_bits()) {
                inputs.push(x);
            }
        }
    }
    let mut executions = Vec::new();
    for mutant in 0..=MUTANTS {
        for &x in &inputs {
            executions.push(Execution {
                mutant,
                inputs: vec![("x", Value::Number(x))],
                output: sin(mutant, x).map(Value::Number),
                exception: "ArithmeticException",
            });
        }
    }
    executions
}
