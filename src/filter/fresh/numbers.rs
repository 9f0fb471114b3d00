//! Draws numbers: any bits of the type, all orders of magnitude, the domain, special ones, constants, and neighbours of those that were seen.

use genmorph_jit::Column;

use super::values::Values;
use crate::subject::Scalar;
use crate::support::seed::Rng;

impl Values<'_> {
    /// A number that was seen: a value, or an element of one.
    fn seen_number(&self, rng: &mut Rng) -> Option<f64> {
        if self.column.is_empty() {
            return None;
        }
        let row = rng.below(self.column.len());
        match self.column {
            Column::Num(values) => Some(values[row]),
            Column::Bool(_) => None,
            Column::Seq(values) => {
                let elements = values.get(row);
                (!elements.is_empty()).then(|| rng.pick(elements))
            }
        }
    }

    pub(super) fn number(&self, rng: &mut Rng) -> f64 {
        for _ in 0..8 {
            let number = match rng.below(16) {
                0..2 => self.of_bits(rng),
                2..6 => self.of_magnitude(rng),
                6..9 => self.of_domain(rng),
                9 if !self.special.is_empty() => rng.pick(&self.special),
                10..12 if !self.harvested.is_empty() => rng.pick(&self.harvested),
                12..14 => match self.seen_number(rng) {
                    Some(number) => number + rng.below(7) as f64 - 3.0,
                    None => continue,
                },
                14 => match self.seen_number(rng) {
                    Some(number) => number * rng.pick(&[-1.0, 0.5, 2.0, 10.0]),
                    None => continue,
                },
                _ => rng.below(33) as f64 - 16.0,
            };
            let number = match self.scalar {
                Scalar::F64 => number,
                Scalar::F32 => f64::from(number as f32),
                // Integers have no -0.
                _ => number + 0.0,
            };
            if self.admits(number) {
                return number;
            }
        }
        self.any(rng)
    }

    /// A number that is allowed, when others were not.
    pub(super) fn any(&self, rng: &mut Rng) -> f64 {
        for _ in 0..32 {
            let number = self.of_domain(rng);
            if self.admits(number) {
                return number;
            }
        }
        let known = self.special.first().or(self.harvested.first()).copied();
        known.or_else(|| self.seen_number(rng)).unwrap_or(0.0)
    }

    /// Any bits of the type.
    fn of_bits(&self, rng: &mut Rng) -> f64 {
        let bits = rng.next();
        match self.scalar {
            Scalar::F64 => f64::from_bits(bits),
            Scalar::F32 => f64::from(f32::from_bits(bits as u32)),
            Scalar::S8 => f64::from(bits as i8),
            Scalar::U8 => f64::from(bits as u8),
            Scalar::S16 => f64::from(bits as i16),
            Scalar::U16 => f64::from(bits as u16),
            Scalar::S32 => f64::from(bits as i32),
            Scalar::U32 => f64::from(bits as u32),
            // As many as are f64s.
            Scalar::S64 => (bits as i64 >> 10) as f64,
            Scalar::U64 => (bits >> 11) as f64,
            Scalar::Bool => (bits & 1) as f64,
            Scalar::Char => (bits % 0x11_0000) as f64,
        }
    }

    /// All orders of magnitude alike: of integers up to the end of the type, of floats around 1.
    fn of_magnitude(&self, rng: &mut Rng) -> f64 {
        let sign = if rng.next() & 1 == 1 { 1.0 } else { -1.0 };
        match self.scalar.integers() {
            Some((_, most)) => {
                let size = (rng.unit() * (most + 1.0).ln()).exp().floor();
                if self.least >= 0.0 { size } else { sign * size }
            }
            None => sign * (rng.unit() * 40.0 - 20.0).exp(),
        }
    }

    /// Evenly within the domain; without one, within what is usual.
    fn of_domain(&self, rng: &mut Rng) -> f64 {
        if let Some(alphabet) = &self.alphabet {
            return if alphabet.is_empty() { 0.0 } else { rng.pick(alphabet) };
        }
        if self.scalar == Scalar::Char && self.is_free {
            // Letters, digits and signs; sometimes any of the first plane below the surrogates.
            let plane = if rng.below(8) == 0 { 0xd7ff - 32 } else { 95 };
            return 32.0 + rng.below(plane) as f64;
        }
        let usual = if self.is_free { 500.0 } else { f64::MAX };
        let (least, most) = (self.least.max(-usual), self.most.min(usual));
        let share = rng.unit();
        let number = least * (1.0 - share) + most * share;
        if self.scalar.integers().is_none() {
            return if self.scalar == Scalar::F32 { f64::from(number as f32) } else { number };
        }
        (least + (share * (most - least + 1.0)).floor()).min(most)
    }
}
