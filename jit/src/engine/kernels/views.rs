//! Sequences as (start, length). Plain Rust: each entry compiles these loops for its instruction set.
//! A start of `HOLLOW` says that the row's elements do not lie side by side anywhere; then `argument`
//! is what the operator did to its operand.

use crate::mask::WORD;

/// The start of a sequence whose elements are not a slice of the dictionary.
pub(crate) const HOLLOW: u32 = u32::MAX;

/// The argument of a `remove` that removed nothing.
pub(crate) const NOTHING: u32 = u32::MAX;

/// `flip`: the same slice in the other half of the dictionary, which has `twice` codes in all.
#[inline(always)]
pub(super) fn flip_views(to: ViewsMut<'_>, s: Views<'_>, twice: u32) {
    let rows = to.starts.iter_mut().zip(to.lens).zip(s.starts.iter().zip(s.lens));
    for ((to_start, to_len), (&start, &len)) in rows {
        let mirrored = twice.wrapping_sub(start).wrapping_sub(len);
        *to_start = if start == HOLLOW { HOLLOW } else { mirrored };
        *to_len = len;
    }
}

/// No dictionary holds a longer sequence. Masking a length with it keeps indices within i32 whatever
/// the caller brings.
const MAX_LEN: u32 = (1 << 30) - 1;

/// A number as an index: truncated toward zero, NaN to 0, and no further out than
/// `-reach ..= reach`.
#[inline(always)]
fn index_within(n: f64, reach: f64) -> i32 {
    let n = if n.is_nan() { 0.0 } else { n };
    let n = if n > reach { reach } else { n };
    let n = if n < -reach { -reach } else { n };
    // SAFETY: not NaN, and within ±reach, which is at most 2^30: a length masked with `MAX_LEN`, or
    // that and one.
    unsafe { n.to_int_unchecked() }
}

/// `truncate(s, n)`; the argument is how many elements fall away in front.
#[inline(always)]
pub(super) fn truncate_views<const SPLAT: bool>(to: ViewsMut<'_>, s: Views<'_>, n: &[f64]) {
    let ViewsMut { starts, lens, arguments } = to;
    let rows = starts.iter_mut().zip(lens).zip(arguments).zip(s.starts.iter().zip(s.lens));
    for (row, (((to_start, to_len), argument), (&start, &len))) in rows.enumerate() {
        let len = (len & MAX_LEN) as i32;
        let n = index_within(if SPLAT { n[0] } else { n[row] }, f64::from(len));
        let dropped = if n < 0 { -n } else { 0 } as u32;
        *to_start = if start == HOLLOW { HOLLOW } else { start.wrapping_add(dropped) };
        *to_len = if n < 0 { len + n } else { n } as u32;
        *argument = dropped;
    }
}

/// `remove(s, n)`; the argument is the index of the removed element.
#[inline(always)]
pub(super) fn remove_views<const SPLAT: bool>(to: ViewsMut<'_>, s: Views<'_>, n: &[f64]) {
    let ViewsMut { starts, lens, arguments } = to;
    let rows = starts.iter_mut().zip(lens).zip(arguments).zip(s.starts.iter().zip(s.lens));
    for (row, (((to_start, to_len), argument), (&start, &len))) in rows.enumerate() {
        let len = (len & MAX_LEN) as i32;
        let n = index_within(if SPLAT { n[0] } else { n[row] }, f64::from(len + 1));
        let removes = -len <= n && n < len;
        let i = if n < 0 { n + len } else { n };
        // Without an end it is still a slice.
        let rest = if i == 0 {
            start.wrapping_add(1)
        } else if i == len - 1 {
            start
        } else {
            HOLLOW
        };
        let rest = if removes { rest } else { start };
        *to_start = if start == HOLLOW { HOLLOW } else { rest };
        *to_len = (len - i32::from(removes)) as u32;
        *argument = if removes { i as u32 } else { NOTHING };
    }
}

/// Sequences of a block of rows, to read.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Views<'a> {
    pub(crate) starts: &'a [u32],
    pub(crate) lens: &'a [u32],
}

impl<'a> Views<'a> {
    /// The rows of one word.
    pub(crate) fn word(self, word: usize) -> Views<'a> {
        let rows = word * WORD..(word + 1) * WORD;
        Views { starts: &self.starts[rows.clone()], lens: &self.lens[rows] }
    }
}

/// Sequences of a block of rows, to write.
#[derive(Debug)]
pub(crate) struct ViewsMut<'a> {
    pub(crate) starts: &'a mut [u32],
    pub(crate) lens: &'a mut [u32],
    pub(crate) arguments: &'a mut [u32],
}
