//! When columns have the same values: zeros have no sign, and NaN has no payload.

use super::Values;
use crate::hash::Mixer;

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
        let c = Values::Num(vec![0.0, f64::NAN, 2.0]);
        assert!(!a.is_same(&c) && a.digest() != c.digest());
        assert!(!a.is_same(&Values::Seq(vec![0, 1, 2])));
    }
}
