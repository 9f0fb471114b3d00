//! Sums of slices by prefix sums.
//!
//! Plain Rust: each entry compiles the arithmetic on places for its instruction set. The sums themselves
//! are loaded one by one: gathered (`vgatherdpd`), they took more than twice as long on Zen 4.

use super::views::{HOLLOW, NOTHING, Views};
use crate::mask::WORD;
use crate::table::prefix::{Prefix, Total};

/// Prefix sums whose number was checked, so that places can be 32-bit.
#[derive(Clone, Copy)]
struct Sums<'a, T>(&'a [T]);

/// Where the slices of 64 rows begin and end in the first half.
type Places = [[u32; WORD]; 2];

impl<'a, T: Total> Sums<'a, T> {
    /// # Panics
    /// If there are none, or more than 32-bit places reach.
    #[inline(always)]
    fn new(totals: &'a [T]) -> Sums<'a, T> {
        assert!(!totals.is_empty() && totals.len() <= 1 << 30);
        Sums(totals)
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
        T::between(at(first[row]), at(end[row]))
    }
}

/// `sum(s)`, or `sum(remove(s, n))` given which elements were removed. True if `s` is hollow on some
/// rows: what these get is no sum.
#[inline(always)]
pub(super) fn sums(to: &mut [f64], s: Views<'_>, removed: Option<&[u32]>, prefix: &Prefix) -> bool {
    match prefix {
        Prefix::Short(totals) => sums_of(to, s, removed, Sums::new(totals)),
        Prefix::Int(totals) => sums_of(to, s, removed, Sums::new(totals)),
        Prefix::Float(totals) => sums_of(to, s, removed, Sums::new(totals)),
    }
}

#[inline(always)]
fn sums_of<T: Total>(
    to: &mut [f64],
    s: Views<'_>,
    removed: Option<&[u32]>,
    prefix: Sums<'_, T>,
) -> bool {
    let half = prefix.half();
    let mut hollow = 0;
    let mut places: Places = [[0; WORD]; 2];
    for (word, to) in to.chunks_exact_mut(WORD).enumerate() {
        let s = s.word(word);
        hollow |= slices(&mut places, s, half);
        for (row, to) in to.iter_mut().enumerate() {
            // SAFETY: `slices` made the places.
            *to = unsafe { prefix.between(&places, row) };
        }
        if let Some(removed) = removed {
            elements(&mut places, s, &removed[word * WORD..], half);
            for (row, to) in to.iter_mut().enumerate() {
                // SAFETY: `elements` made the places.
                *to -= unsafe { prefix.between(&places, row) };
            }
        }
    }
    hollow != 0
}

/// Where slices begin and end in the first half, never further than its end; not 0 if some are hollow.
#[inline(always)]
fn slices([first, end]: &mut Places, s: Views<'_>, half: u32) -> u32 {
    let mut hollow = 0;
    let twice = 2 * half;
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
fn elements([first, end]: &mut Places, s: Views<'_>, removed: &[u32], half: u32) {
    let last = (2 * half).wrapping_sub(1);
    let rows = first.iter_mut().zip(end).zip(s.starts.iter().zip(removed));
    for ((first, end), (&start, &removed)) in rows {
        let place = start.wrapping_add(removed);
        *first = place.min(last.wrapping_sub(place)).min(half);
        *end = first.wrapping_add(u32::from(removed != NOTHING)).min(half);
    }
}
