//! When columns have the same values: zeros have no sign, and NaN has no payload.

use super::Values;
use crate::hash::Mixer;
use crate::mask::WORD;

impl Values {
    /// A number that columns of the same values share.
    pub fn digest(&self) -> u64 {
        let mut mixer = Mixer::new(self.ty() as u64);
        match self {
            Values::Num(numbers) => numbers.iter().for_each(|&number| mixer.add(plain(number))),
            Values::Bool(bits) => bits.iter().for_each(|&word| mixer.add(word)),
            Values::Seq(ids) => ids.iter().for_each(|&id| mixer.add(u64::from(id))),
        }
        mixer.finish()
    }

    /// Whether both have the same value on every row. The columns are of the same [`Columns`](super::Columns).
    pub fn is_same(&self, other: &Values) -> bool {
        match (self, other) {
            (Values::Num(a), Values::Num(b)) => {
                a.len() == b.len() && a.iter().zip(b).all(|(a, b)| plain(*a) == plain(*b))
            }
            (Values::Bool(_) | Values::Seq(_), _) => self == other,
            (Values::Num(_), Values::Bool(_) | Values::Seq(_)) => false,
        }
    }

    /// Whether both have the same value on a row.
    ///
    /// # Panics
    /// If there is no such row.
    pub fn is_same_at(&self, other: &Values, row: usize) -> bool {
        match (self, other) {
            (Values::Num(a), Values::Num(b)) => plain(a[row]) == plain(b[row]),
            (Values::Bool(a), Values::Bool(b)) => bit(a, row) == bit(b, row),
            (Values::Seq(a), Values::Seq(b)) => a[row] == b[row],
            (Values::Num(_) | Values::Bool(_) | Values::Seq(_), _) => false,
        }
    }

    /// Whether the first rows have one value.
    ///
    /// # Panics
    /// If there are not as many rows.
    pub fn is_constant(&self, rows: usize) -> bool {
        match self {
            Values::Num(numbers) => (1..rows).all(|row| plain(numbers[row]) == plain(numbers[0])),
            Values::Bool(bits) => (1..rows).all(|row| bit(bits, row) == bit(bits, 0)),
            Values::Seq(ids) => (1..rows).all(|row| ids[row] == ids[0]),
        }
    }
}

#[inline]
fn bit(bits: &[u64], row: usize) -> u64 {
    bits[row / WORD] >> (row % WORD) & 1
}

/// The bits of a number, without the sign of a zero and the payload of a NaN.
#[inline]
fn plain(number: f64) -> u64 {
    if number.is_nan() { f64::NAN.to_bits() } else { (number + 0.0).to_bits() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zeros_have_no_sign_and_nan_no_payload() {
        let a = Values::Num(vec![0.0, f64::NAN, 1.0]);
        let b = Values::Num(vec![-0.0, -f64::NAN, 1.0]);
        assert!(a.is_same(&b) && a.digest() == b.digest());
        assert!((0..3).all(|row| a.is_same_at(&b, row)));
        let c = Values::Num(vec![0.0, f64::NAN, 2.0]);
        assert!(!a.is_same(&c) && a.digest() != c.digest() && !a.is_same_at(&c, 2));
        assert!(!a.is_same(&Values::Seq(vec![0, 1, 2])));
    }

    #[test]
    fn truth_values_are_compared_bit_by_bit() {
        let [a, b] = [0b101, 0b111].map(|bits| Values::Bool(vec![bits]));
        assert!(a.is_same_at(&b, 2) && !a.is_same_at(&b, 1) && !a.is_same(&b));
        assert!(b.is_constant(3) && !b.is_constant(4) && a.is_constant(1) && !a.is_constant(2));
        assert!(Values::Num(vec![f64::NAN, -f64::NAN]).is_constant(2));
        assert!(!Values::Seq(vec![4, 4, 5]).is_constant(3));
    }
}
