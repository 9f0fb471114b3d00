//! Draws values of a space: many small and simple ones, few extreme ones.

use std::f64::consts::PI;

use genmorph_jit::Value;

use super::{LONG, Space};
use crate::subject::{Scalar, Type};
use crate::support::seed::Rng;

impl Space {
    /// An allowed number: this one, one like it, or any.
    pub(in crate::inputs) fn fit(&self, number: f64, rng: &mut Rng) -> f64 {
        if self.admits(number) {
            return number;
        }
        for number in [self.rounded(number), self.rounded(-number)] {
            if self.admits(number) {
                return number;
            }
        }
        for _ in 0..4 {
            let number = self.anywhere(rng);
            if self.admits(number) {
                return number;
            }
        }
        self.one
    }

    /// A number drawn evenly between the bounds; for floats without bounds, around 0.
    fn anywhere(&self, rng: &mut Rng) -> f64 {
        if let Some(alphabet) = &self.alphabet {
            return if alphabet.is_empty() { self.one } else { rng.pick(alphabet) };
        }
        let least = self.least.max(-1e6);
        let most = self.most.min(1e6);
        let (least, most) = if least <= most { (least, most) } else { (self.least, self.most) };
        let share = rng.unit();
        if self.has_fractions() {
            self.rounded(least * (1.0 - share) + most * share)
        } else {
            (least + (share * (most - least + 1.0)).floor()).min(most)
        }
    }

    /// Draws a number, or an element of a sequence.
    pub(in crate::inputs) fn number(&self, rng: &mut Rng) -> f64 {
        if self.limits.is_empty() {
            // No element is allowed, so the only sequence is the empty one.
            return self.one;
        }
        let bounded = self.parameter.domain.range.is_some() || self.alphabet.is_some();
        let number = match self.scalar {
            _ if bounded && rng.chance(0.25) => self.anywhere(rng),
            _ if !self.constants.is_empty() && rng.chance(0.12) => rng.pick(&self.constants),
            Scalar::Bool => rng.below(2) as f64,
            Scalar::Char => character(rng),
            Scalar::F32 | Scalar::F64 => float(rng, &self.limits),
            _ => integer(rng, &self.limits),
        };
        self.fit(number, rng)
    }

    /// Draws a value of the parameter.
    pub(in crate::inputs) fn value(&self, rng: &mut Rng) -> Value<'static> {
        match self.parameter.ty {
            Type::Scalar(Scalar::Bool) => Value::Bool(rng.chance(0.5)),
            Type::Scalar(_) => Value::Num(self.number(rng)),
            Type::String | Type::List(_) => Value::Seq(self.sequence(rng).into()),
        }
    }

    /// Draws a length, mostly at most 20.
    pub(in crate::inputs) fn length(&self, rng: &mut Rng) -> usize {
        let length = match rng.below(100) {
            0..5 => 0,
            5..15 => 1,
            15..50 => 2 + rng.below(4),
            50..85 => 6 + rng.below(15),
            85..92 if !self.lengths.is_empty() => rng.pick(&self.lengths),
            85..97 => 2 + rng.below(19),
            97 if self.parameter.domain.max_len.is_none() => 100 + rng.below(LONG - 100),
            _ => 21 + rng.below(80),
        };
        if (self.shortest..=self.longest).contains(&length) {
            return length;
        }
        let most = self.longest.min(self.shortest.saturating_add(20));
        self.shortest + rng.below(most - self.shortest + 1)
    }

    fn sequence(&self, rng: &mut Rng) -> Vec<f64> {
        let length = self.length(rng);
        let style = rng.below(100);
        let base = self.number(rng);
        let mut elements: Vec<f64> = (0..length)
            .map(|_| {
                let element = match (self.scalar, style) {
                    (Scalar::Bool, _) | (_, 90..) => return self.number(rng),
                    (Scalar::Char, 0..30) => 97.0 + rng.below(26) as f64,
                    (Scalar::Char, 30..50) => rng.pick(LETTERS),
                    (Scalar::Char, 50..65) => rng.pick(WORDS),
                    (Scalar::Char, 65..75) => 48.0 + rng.below(10) as f64,
                    (Scalar::Char, 75..) => 32.0 + rng.below(95) as f64,
                    (_, 0..45) => rng.below(41) as f64 - 20.0,
                    (_, 45..60) => base + rng.below(4) as f64,
                    (_, 60..75) => rng.below(2001) as f64 - 1000.0,
                    (_, 75..) => return self.number(rng),
                };
                self.fit(element, rng)
            })
            .collect();
        self.shape(&mut elements, rng);
        elements
    }

    /// Sometimes sorts the elements, or makes some of them equal.
    fn shape(&self, elements: &mut [f64], rng: &mut Rng) {
        let length = elements.len();
        if length < 2 {
            return;
        }
        match rng.below(100) {
            0..12 => elements.sort_by(f64::total_cmp),
            12..18 => elements.sort_by(|a, b| b.total_cmp(a)),
            18..22 => elements.fill(elements[0]),
            22..34 => {
                // Keep only up to three different elements.
                let different = 1 + rng.below(3);
                for i in different..length {
                    elements[i] = elements[rng.below(different)];
                }
            }
            34..38 => (0..length / 2).for_each(|i| elements[length - 1 - i] = elements[i]),
            38..43 => {
                elements.sort_by(f64::total_cmp);
                elements.swap(rng.below(length), rng.below(length));
            }
            _ => {}
        }
    }

    /// The first values to try.
    pub(in crate::inputs) fn first(&self, rng: &mut Rng) -> Vec<Value<'static>> {
        match self.parameter.ty {
            Type::Scalar(Scalar::Bool) => vec![Value::Bool(false), Value::Bool(true)],
            Type::Scalar(_) => {
                self.constants.iter().chain(&self.limits).map(|&n| Value::Num(n)).collect()
            }
            Type::String | Type::List(_) => {
                let numbers: Vec<f64> =
                    self.constants.iter().chain(&self.limits).copied().collect();
                let mut firsts: Vec<Vec<f64>> = vec![Vec::new()];
                firsts.extend(numbers.iter().map(|&n| vec![n]));
                firsts.extend(numbers.iter().map(|&n| vec![self.number(rng), n]));
                firsts.extend(numbers.iter().map(|&n| vec![n, self.number(rng), n]));
                for &length in &self.lengths {
                    firsts.push((0..length).map(|_| self.number(rng)).collect());
                }
                let fits = |s: &Vec<f64>| (self.shortest..=self.longest).contains(&s.len());
                firsts.into_iter().filter(fits).map(|s| Value::Seq(s.into())).collect()
            }
        }
    }
    /// A constant of the function, or a special number.
    pub(in crate::inputs) fn special(&self, rng: &mut Rng) -> f64 {
        match (self.constants.is_empty(), self.limits.is_empty()) {
            (false, _) if rng.chance(0.6) => rng.pick(&self.constants),
            (_, false) => rng.pick(&self.limits),
            (_, true) => self.one,
        }
    }
}

const LETTERS: &[f64] = &{
    let mut letters = [0.0; 52];
    let mut i = 0;
    while i < 26 {
        letters[i] = (65 + i) as f64;
        letters[i + 26] = (97 + i) as f64;
        i += 1;
    }
    letters
};

/// Letters that are frequent in words, and spaces.
const WORDS: &[f64] =
    &[97.0, 101.0, 105.0, 111.0, 116.0, 110.0, 115.0, 114.0, 84.0, 65.0, 32.0, 32.0, 46.0, 44.0];

fn character(rng: &mut Rng) -> f64 {
    match rng.below(100) {
        0..40 => 97.0 + rng.below(26) as f64,
        40..55 => 65.0 + rng.below(26) as f64,
        55..65 => 48.0 + rng.below(10) as f64,
        65..72 => 32.0,
        72..92 => 32.0 + rng.below(95) as f64,
        92..94 => rng.below(32) as f64,
        94..97 => 160.0 + rng.below(600) as f64,
        97..99 => 0x4e00 as f64 + rng.below(5000) as f64,
        _ => 0x1f600 as f64 + rng.below(60) as f64,
    }
}

fn integer(rng: &mut Rng, limits: &[f64]) -> f64 {
    let sign = if rng.chance(0.5) { 1.0 } else { -1.0 };
    match rng.below(100) {
        0..45 => rng.below(41) as f64 - 20.0,
        45..75 => rng.below(201) as f64 - 100.0,
        75..90 => rng.below(2001) as f64 - 1000.0,
        90..94 => sign * (2.0_f64.powi(rng.below(33) as i32) + rng.below(3) as f64 - 1.0),
        94..98 => sign * (rng.unit() * 21.0).exp().floor(),
        _ => rng.pick(limits),
    }
}

fn float(rng: &mut Rng, limits: &[f64]) -> f64 {
    let sign = if rng.chance(0.5) { 1.0 } else { -1.0 };
    match rng.below(100) {
        0..22 => rng.below(41) as f64 - 20.0,
        22..34 => (rng.below(321) as f64 - 160.0) / 8.0,
        34..54 => rng.unit() * 20.0 - 10.0,
        54..66 => rng.unit() * 2.0 - 1.0,
        66..74 => (rng.below(97) as f64 - 48.0) * (PI / 12.0),
        74..86 => rng.unit() * 2000.0 - 1000.0,
        86..95 => sign * (rng.unit() * 28.0 - 14.0).exp(),
        95..97 => sign * 10.0_f64.powf(rng.unit() * 600.0 - 300.0),
        _ => rng.pick(limits),
    }
}
