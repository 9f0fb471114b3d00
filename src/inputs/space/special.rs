//! Numbers of a space that are tried first and drawn more often: the ends of the type and of the domain, special numbers of the type, and
//! constants of the function with their neighbours.

use std::f64::consts::PI;

use super::Space;
use crate::subject::{Constant, Scalar};

/// The greatest constant that suggests a length.
const LONGEST: usize = 100;

impl Space {
    pub(super) fn find_limits(&self) -> Vec<f64> {
        if let Some(alphabet) = &self.alphabet {
            return alphabet.clone();
        }
        let ends = [self.least, self.most, self.least + 1.0, self.most - 1.0, self.middle()];
        let mut limits: Vec<f64> = Vec::new();
        let special = match self.scalar {
            Scalar::Char => CHARACTERS,
            _ => COMMON,
        };
        let floats = if self.has_fractions() { FLOATS } else { &[] };
        let named = &self.parameter.domain.also;
        for &number in special.iter().chain(&ends).chain(named).chain(floats) {
            let number = self.rounded(number);
            if self.admits(number) && !limits.iter().any(|l| l.to_bits() == number.to_bits()) {
                limits.push(number);
            }
        }
        limits
    }

    fn middle(&self) -> f64 {
        if self.least.is_finite() && self.most.is_finite() {
            self.least / 2.0 + self.most / 2.0
        } else {
            0.0
        }
    }

    pub(super) fn find_constants(&mut self, constants: &[Constant]) {
        for constant in constants {
            let c = constant.value;
            if (0.0..=LONGEST as f64).contains(&c) && c.fract() == 0.0 {
                let c = c as usize;
                self.lengths.extend([c, c + 1, c.saturating_sub(1)]);
            }
            // Small numbers in code are hardly ever control characters.
            if self.scalar == Scalar::Char && c < 32.0 && ![9.0, 10.0, 13.0].contains(&c) {
                continue;
            }
            for number in [c, c + 1.0, c - 1.0, -c, c / 2.0, c * 2.0] {
                let number = if self.has_fractions() { self.rounded(number) } else { number };
                if self.admits(number) && !self.constants.contains(&number) {
                    self.constants.push(number);
                }
            }
        }
        let (shortest, longest) = (self.shortest, self.longest);
        self.lengths.retain(|length| (shortest..=longest).contains(length));
        self.lengths.sort_unstable();
        self.lengths.dedup();
    }
}

/// Letters, digits, signs, control characters, and both sides of where UTF-8 and UTF-16 need more units.
const CHARACTERS: &[f64] = &[
    97.0,
    122.0,
    65.0,
    90.0,
    48.0,
    57.0,
    32.0,
    45.0,
    46.0,
    9.0,
    10.0,
    0.0,
    127.0,
    128.0,
    233.0,
    2047.0,
    2048.0,
    8364.0,
    55295.0,
    57344.0,
    65535.0,
    65536.0,
    128_512.0,
    1_114_111.0,
];

/// Small numbers of every type.
const COMMON: &[f64] = &[0.0, 1.0, -1.0, 2.0, -2.0, 3.0, 10.0, 100.0];

/// Fractions, angles and extremes.
const FLOATS: &[f64] = &[
    -0.0,
    0.5,
    -0.5,
    PI,
    -PI / 2.0,
    PI / 4.0,
    1e-9,
    1e9,
    -1e9,
    f32::EPSILON as f64,
    f32::MAX as f64,
    f64::MIN_POSITIVE,
    f64::MAX,
    f64::INFINITY,
    f64::NEG_INFINITY,
    f64::NAN,
];
