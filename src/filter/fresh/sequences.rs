//! Draws sequences: short and long, with few or many different elements, sorted, changed from one that was seen, or with a number spelled
//! in them.

use genmorph_jit::{Column, Value};

use super::values::Values;
use crate::inputs::related;
use crate::subject::Scalar;
use crate::support::seed::Rng;

/// The longest sequences where no domain says otherwise: usual ones, long ones, and very long ones, which are rare because the cost of
/// some functions grows with the square of the length.
pub(super) const LONGEST: usize = 128;
const LONG: usize = 400;
const VERY_LONG: usize = 5_000;
/// One in this many sequences is long, and one in this many very long.
const LONG_ONES: usize = 100;
const VERY_LONG_ONES: usize = 4_000;
/// One in this many texts has a number in it.
const SPELLED: usize = 12;

impl Values<'_> {
    fn length(&self, rng: &mut Rng) -> usize {
        if self.parameter.domain.max_len.is_none() && rng.below(LONG_ONES) == 0 {
            let most = if rng.below(VERY_LONG_ONES / LONG_ONES) == 0 { VERY_LONG } else { LONG };
            return (LONGEST + rng.below(most - LONGEST + 1)).max(self.shortest);
        }
        let length = match rng.below(10) {
            0 => rng.below(3),
            1 => self.shortest,
            2 => rng.below(self.longest + 1),
            3 if !self.column.is_empty() => match self.column {
                Column::Seq(values) => values.get(rng.below(values.len())).len(),
                Column::Num(_) | Column::Bool(_) => 1,
            },
            _ => 1 + rng.below(12),
        };
        length.clamp(self.shortest, self.longest)
    }

    pub(super) fn sequence(&self, rng: &mut Rng) -> Vec<f64> {
        let can_be_filled =
            self.alphabet.as_ref().is_none_or(|codes| !codes.is_empty()) && self.least <= self.most;
        if !can_be_filled {
            return Vec::new();
        }
        if self.scalar == Scalar::Char && rng.below(SPELLED) == 0 {
            let elements = self.spelled(rng);
            if self.parameter.admits(&Value::Seq(elements.as_slice().into())) {
                return elements;
            }
        }
        let mut elements = match (rng.below(4), self.column) {
            (0, Column::Seq(seen)) if !seen.is_empty() => {
                let mut elements = seen.get(rng.below(seen.len())).to_vec();
                self.edit(&mut elements, rng);
                elements
            }
            (1, _) => {
                // Few different elements.
                let some = [self.number(rng), self.number(rng), self.number(rng)];
                let kinds = 1 + rng.below(3);
                (0..self.length(rng)).map(|_| some[rng.below(kinds)]).collect()
            }
            (2, _) => (0..self.length(rng)).map(|_| self.any(rng)).collect(),
            _ => (0..self.length(rng)).map(|_| self.number(rng)).collect(),
        };
        match rng.below(12) {
            0 => elements.sort_by(f64::total_cmp),
            1 => elements.sort_by(|a, b| b.total_cmp(a)),
            2 => elements.reverse(),
            3 if elements.len() > 1 => {
                let last = elements.len() - 1;
                elements[last] = elements[0];
            }
            4 if 2 * elements.len() <= self.longest => elements = related::mirrored(&elements, rng),
            _ => {}
        }
        elements
    }

    /// A text with a number in it.
    fn spelled(&self, rng: &mut Rng) -> Vec<f64> {
        let number = match rng.below(3) {
            0 => rng.below(10) as f64,
            1 => rng.below(2_001) as f64 - 1_000.0,
            _ if !self.harvested.is_empty() => rng.pick(&self.harvested),
            _ => rng.below(100) as f64,
        };
        let some = |rng: &mut Rng| -> Vec<f64> {
            let count = if rng.chance(0.5) { 0 } else { 1 + rng.below(2) };
            (0..count).map(|_| self.any(rng)).collect()
        };
        [some(rng), related::spelled(number), some(rng)].concat()
    }

    /// A few small changes that leave the length within its bounds.
    fn edit(&self, elements: &mut Vec<f64>, rng: &mut Rng) {
        for _ in 0..1 + rng.below(3) {
            let length = elements.len();
            match rng.below(5) {
                0 if length < self.longest => {
                    elements.insert(rng.below(length + 1), self.number(rng));
                }
                1 if length > self.shortest => drop(elements.remove(rng.below(length))),
                2 if length > 0 => elements[rng.below(length)] = self.number(rng),
                3 if length > 0 => elements.swap(rng.below(length), rng.below(length)),
                4 if length > 0 && 2 * length <= self.longest => elements.extend_from_within(..),
                _ => {}
            }
        }
    }
}
