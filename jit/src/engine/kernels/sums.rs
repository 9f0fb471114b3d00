//! Sums of slices by prefix sums.
//!
//! Plain Rust: each entry compiles the arithmetic on places for its instruction set. The sums themselves
//! are loaded one by one: gathered (`vgatherdpd`), they took more than twice as long on Zen 4.

use super::views::{HOLLOW, NOTHING, Views};
use crate::mask::WORD;

/// Prefix sums of the first half of a dictionary, exact, so that the order of elements does not matter.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sums<'a>(&'a [f64]);

/// Where the slices of 64 rows begin and end in the first half.
type Places = [[u32; WORD]; 2];

impl<'a> Sums<'a> {
    /// One more number than the first half has codes.
    ///
    /// # Panics
    /// If there are none, or more than 32-bit places reach.
    pub(crate) fn new(prefix: &'a [f64]) -> Sums<'a> {
        assert!(!prefix.is_empty() && prefix.len() <= 1 << 30);
        Sums(prefix)
    }

    /// The last place; the other half of the dictionary has as many codes.
    #[inline(always)]
    fn half(self) -> u32 {
        self.0.len() as u32 - 1
    }

    /// The sum of a row's slice.
    #[inline(always)]
    unsafe fn between(self, [first, end]: &Places, row: usize) -> f64 {
        // Volatile, or LLVM gathers.
        // SAFETY: the caller's places are no further than the last.
        let at = |place: u32| unsafe { self.0.as_ptr().add(place as usize).read_volatile() };
        at(end[row]) - at(first[row])
    }
}

/// `sum(s)`; true if there are hollow rows, which have anything.
#[inline(always)]
pub(super) fn sums(to: &mut [f64], s: Views<'_>, prefix: Sums<'_>) -> bool {
    let mut hollow = 0;
    let mut places: Places = [[0; WORD]; 2];
    for (word, to) in to.chunks_exact_mut(WORD).enumerate() {
        hollow |= slices(&mut places, s.word(word), prefix);
        for (row, to) in to.iter_mut().enumerate() {
            // SAFETY: `slices` made the places.
            *to = unsafe { prefix.between(&places, row) };
        }
    }
    hollow != 0
}

/// `sum(remove(s, n))`, given which elements were removed; true if there are rows where `s` is hollow,
/// which have anything.
#[inline(always)]
pub(super) fn sums_without(
    to: &mut [f64],
    s: Views<'_>,
    removed: &[u32],
    prefix: Sums<'_>,
) -> bool {
    let mut hollow = 0;
    let mut places: Places = [[0; WORD]; 2];
    let mut without: Places = [[0; WORD]; 2];
    for ((word, to), removed) in to.chunks_exact_mut(WORD).enumerate().zip(removed.chunks(WORD)) {
        hollow |= slices(&mut places, s.word(word), prefix);
        elements(&mut without, s.word(word), removed, prefix);
        for (row, to) in to.iter_mut().enumerate() {
            // SAFETY: `slices` and `elements` made the places.
            *to = unsafe { prefix.between(&places, row) - prefix.between(&without, row) };
        }
    }
    hollow != 0
}

/// Where slices begin and end in the first half, never further than its end; not 0 if some are hollow.
#[inline(always)]
fn slices([first, end]: &mut Places, s: Views<'_>, prefix: Sums<'_>) -> u32 {
    let mut hollow = 0;
    let (half, twice) = (prefix.half(), 2 * prefix.half());
    let rows = first.iter_mut().zip(end).zip(s.starts.iter().zip(s.lens));
    for ((first, end), (&start, &len)) in rows {
        hollow |= u32::from(start == HOLLOW);
        // Whichever half it is in, its mirror image is in the other.
        *first = start.min(twice.wrapping_sub(start).wrapping_sub(len)).min(half);
        *end = first.wrapping_add(len).min(half);
    }
    hollow
}

/// Where removed elements begin and end in the first half, never further than its end.
#[inline(always)]
fn elements([first, end]: &mut Places, s: Views<'_>, removed: &[u32], prefix: Sums<'_>) {
    let (half, last) = (prefix.half(), (2 * prefix.half()).wrapping_sub(1));
    let rows = first.iter_mut().zip(end).zip(s.starts.iter().zip(removed));
    for ((first, end), (&start, &removed)) in rows {
        let place = start.wrapping_add(removed);
        *first = place.min(last.wrapping_sub(place)).min(half);
        *end = first.wrapping_add(u32::from(removed != NOTHING)).min(half);
    }
}
