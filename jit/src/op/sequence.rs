//! The scalar meaning of what operators do with the elements of sequences.
//!
//! The elements of a text are Unicode scalar values, one per character, in every language: Java's UTF-16 units are put
//! together on the way in and in exported tests. So "a𠀀b" has three elements, `at` 1 of them is 131072, and `flip`
//! gives "b𠀀a". Only lists of `char` may have surrogates, each an element of its own.
//!
//! Case is that of ASCII: the tables of Unicode grow with every version of a language, so nothing more would mean
//! the same in all of them.

use std::cmp::Ordering;

use super::removed_index;
use crate::tolerance::Tolerance;

/// The element at an index as `at` counts them, 0 where there is none.
#[inline]
pub fn at(s: &[f64], n: f64) -> f64 {
    removed_index(s.len(), n).map_or(0.0, |place| s[place])
}

/// The order of `sort`: by IEEE `<`, NaN last.
#[inline]
pub fn in_order(a: &f64, b: &f64) -> Ordering {
    a.partial_cmp(b).unwrap_or_else(|| a.is_nan().cmp(&b.is_nan()))
}

/// The elements in ascending order, NaN last.
pub fn sorted(s: &[f64]) -> Vec<f64> {
    let mut s = s.to_vec();
    s.sort_by(in_order);
    s
}

/// The first element of `sort(s)`; 0 of no elements.
#[inline]
pub fn least(s: &[f64]) -> f64 {
    s.iter().copied().min_by(in_order).unwrap_or(0.0)
}

/// The last element of `sort(s)`; 0 of no elements.
#[inline]
pub fn greatest(s: &[f64]) -> f64 {
    s.iter().copied().max_by(in_order).unwrap_or(0.0)
}

/// Whether no element is less than the one before it within the tolerance, and no number follows a NaN.
#[inline]
pub fn is_sorted(s: &[f64], tolerance: &Tolerance) -> bool {
    s.windows(2).all(|pair| {
        let [a, b] = [pair[0], pair[1]];
        b.is_nan() || (!a.is_nan() && !tolerance.lt(b, a))
    })
}

/// The first place from which on `s` has the elements of `t`.
pub fn occurrence(s: &[f64], t: &[f64], tolerance: &Tolerance) -> Option<usize> {
    let last = s.len().checked_sub(t.len())?;
    (0..=last).find(|&place| tolerance.seq_eq(&s[place..place + t.len()], t))
}

/// An ASCII small letter as a capital; everything else stays.
#[inline]
pub fn upper(c: f64) -> f64 {
    if is_between(c, b'a', b'z') { c - CASES } else { c }
}

/// An ASCII capital as a small letter; everything else stays.
#[inline]
pub fn lower(c: f64) -> f64 {
    if is_between(c, b'A', b'Z') { c + CASES } else { c }
}

/// From a capital to its small letter.
const CASES: f64 = (b'a' - b'A') as f64;

fn is_between(c: f64, first: u8, last: u8) -> bool {
    f64::from(first) <= c && c <= f64::from(last) && c.floor() == c
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sorting_puts_nan_last_and_what_is_sorted_is_in_order() {
        let s = sorted(&[f64::NAN, 2.0, f64::INFINITY, -1.0, f64::NEG_INFINITY]);
        assert_eq!(s[..4], [f64::NEG_INFINITY, -1.0, 2.0, f64::INFINITY]);
        assert!(s[4].is_nan());
        let tolerance = Tolerance::default();
        assert!(is_sorted(&s, &tolerance) && is_sorted(&[1.0, 1.0 - 1e-12], &tolerance));
        assert!(!is_sorted(&[f64::NAN, 1.0], &tolerance) && !is_sorted(&[2.0, 1.0], &tolerance));
        assert!(least(&[f64::NAN]).is_nan() && greatest(&[1.0, f64::NAN]).is_nan());
        assert_eq!((least(&[f64::NAN, 3.0]), least(&[]), greatest(&[])), (3.0, 0.0, 0.0));
    }

    #[test]
    fn case_is_that_of_ascii_letters_alone() {
        for c in (0..=0x2_ffff).filter_map(char::from_u32) {
            let code = f64::from(u32::from(c));
            assert_eq!(upper(code), f64::from(u32::from(c.to_ascii_uppercase())));
            assert_eq!(lower(code), f64::from(u32::from(c.to_ascii_lowercase())));
        }
        assert_eq!((upper(97.5), lower(f64::INFINITY)), (97.5, f64::INFINITY));
        assert!(upper(f64::NAN).is_nan());
    }

    #[test]
    fn a_sequence_occurs_where_all_its_elements_do() {
        let tolerance = Tolerance::default();
        let s = [1.0, 2.0, 1.0, 2.0, 3.0];
        assert_eq!(occurrence(&s, &[1.0, 2.0, 3.0], &tolerance), Some(2));
        assert_eq!(occurrence(&s, &[], &tolerance), Some(0));
        assert_eq!(occurrence(&[], &[], &tolerance), Some(0));
        assert_eq!(occurrence(&s, &[3.0, 1.0], &tolerance), None);
        assert_eq!(occurrence(&[], &s, &tolerance), None);
    }
}
