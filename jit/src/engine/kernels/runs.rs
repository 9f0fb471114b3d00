//! Slices compared byte by byte, sixteen at a time.

use super::lanes::Lanes;
use super::views::Views;
use crate::mask::WORD;
use crate::table::dictionary::RUN;

/// The elements of a dictionary as bytes, followed by `RUN` more bytes, whatever they are.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Runs<'a>(&'a [u8]);

impl<'a> Runs<'a> {
    /// # Panics
    /// If there is no run.
    pub(crate) fn new(bytes: &'a [u8]) -> Runs<'a> {
        assert!(bytes.len() >= RUN);
        Runs(bytes)
    }
}

/// Rows whose slices begin alike.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Same {
    /// Those whose first `RUN` elements, or all if they are fewer, are the same.
    pub(crate) rows: u64,
    /// Those of them that are longer.
    pub(crate) longer: u64,
}

/// Which of some of 64 rows have slices, as long as the first ones are, that begin alike. The bits of
/// rows without a slice mean nothing.
#[inline(always)]
pub(super) unsafe fn same_runs<L: Lanes>(
    rows: u64,
    [s, t]: [Views<'_>; 2],
    Runs(bytes): Runs<'_>,
) -> Same {
    let views = [s.starts, t.starts, s.lens].map(|rows| rows.first_chunk::<WORD>());
    let [Some(s), Some(t), Some(lens)] = views else { panic!("a word has 64 rows") };
    let last = bytes.len() - RUN;
    let mut same = Same { rows: 0, longer: 0 };
    let mut left = rows;
    while left != 0 {
        let row = left.trailing_zeros() as usize % WORD;
        left &= left - 1;
        // Equal or not, long or short: the same instructions. Sequences differ unpredictably.
        let [a, b] = [s[row], t[row]].map(|start| (start as usize).min(last));
        // SAFETY: a run follows both places, which are no further than the last; the caller has the
        // instruction set.
        let equal = unsafe { L::equal_bytes(bytes.as_ptr().add(a), bytes.as_ptr().add(b)) };
        let needed = (1_u32 << lens[row].min(RUN as u32)) - 1;
        let is_same = u64::from(!u32::from(equal) & needed == 0);
        same.rows |= is_same << row;
        same.longer |= (is_same & u64::from(lens[row] > RUN as u32)) << row;
    }
    same
}
