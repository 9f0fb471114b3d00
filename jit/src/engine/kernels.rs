//! The loops that touch every row, once per instruction set.
//!
//! A kernel runs one instruction over whole words of 64 rows: numbers to numbers, or numbers to
//! bits. It is written once, generic over [`Lanes`] (eight f64s, however the machine holds them), and
//! instantiated behind a `#[target_feature]` entry per instruction set. [`Kernels::of`] picks
//! the table of entries; one portable binary holds them all.
//!
//! | file | is |
//! |---|---|
//! | `lanes` | eight f64s, and where they come from |
//! | `portable`, `x86_64` | the same eight on each instruction set |
//! | `arithmetic` | arithmetic, comparisons and logic |
//! | `extra` | arithmetic that is never fused with its neighbours |
//! | `views`, `sums`, `runs`, `measures` | sequences |
//! | `spread` | the bits of a few rows, for all rows like them |
//! | `entries` | every kernel, once per instruction set |
//!
//! The meaning of each kernel is the function of the same name in `tolerance.rs` and `op.rs`; this file
//! only has to be fast and equal to it.
//!
//! Unsafe code: the entries take raw pointers and need their instruction set. Both obligations
//! are met in one place each: the safe methods of [`Kernels`] check every length before a call, and a
//! `Kernels` for an instruction set only exists where [`Isa::is_available`] said so.

mod arithmetic;
mod entries;
mod extra;
mod isa;
mod lanes;
mod measures;
mod portable;
#[doc(hidden)]
pub mod roofline;
mod runs;
mod side;
mod spread;
mod sums;
mod views;
#[cfg(target_arch = "x86_64")]
mod x86_64;

use std::fmt;
use std::sync::OnceLock;

pub(crate) use self::entries::Kernels;
pub use self::isa::Isa;
use self::lanes::Pointer;
pub(crate) use self::lanes::{LANES, Source};
pub(crate) use self::runs::Runs;
use self::runs::Same;
pub(crate) use self::side::Side;
pub(crate) use self::spread::Spread;
pub(crate) use self::views::{HOLLOW, NOTHING, Views, ViewsMut};
use crate::mask::WORD;
use crate::op::{ArithmeticOp, LogicOp};
use crate::program::{Comparison, ComparisonKernel, DirectMeasure, Extra};
use crate::table::prefix::Prefix;
use crate::tolerance::Tolerance;

impl Kernels {
    /// The entries for an instruction set; the portable ones where this machine lacks it.
    pub(crate) fn of(isa: Isa) -> &'static Kernels {
        if !isa.is_available() {
            return &entries::PORTABLE;
        }
        match isa {
            Isa::Portable => &entries::PORTABLE,
            #[cfg(target_arch = "x86_64")]
            Isa::Avx2 => &entries::AVX2,
            #[cfg(target_arch = "x86_64")]
            Isa::Avx512 => &entries::AVX512,
            #[cfg(not(target_arch = "x86_64"))]
            Isa::Avx2 | Isa::Avx512 => &entries::PORTABLE,
        }
    }

    /// The entries for the widest instruction set of this machine, which is asked for only once.
    pub(crate) fn best() -> &'static Kernels {
        static BEST: OnceLock<&Kernels> = OnceLock::new();
        BEST.get_or_init(|| Kernels::of(Isa::best()))
    }

    /// The instruction set of these entries.
    pub(crate) fn isa(&self) -> Isa {
        self.isa
    }

    /// `to = x op y`, over whole words of rows.
    #[inline]
    pub(crate) fn arith(
        &self,
        op: ArithmeticOp,
        to: &mut [f64],
        x: Side<Source<'_>>,
        y: Side<Source<'_>>,
        tolerance: &Tolerance,
    ) {
        let rows = whole_words(to.len()) * WORD;
        let (fx, a, b) = x.split();
        let (fy, c, d) = y.split();
        let operands = [a, b, c, d].map(|source| pointer(source, rows));
        let entry = self.arith[op as usize][fx][fy];
        // SAFETY: `pointer` and `whole_words` checked the lengths; `to` is borrowed mutably and so
        // overlaps no operand. `self` exists only where its instruction set does.
        unsafe { entry(to.as_mut_ptr(), operands, rows / WORD, tolerance) }
    }

    /// `to = a op b`, over whole words of rows; `floor` does not read `b`.
    #[inline]
    pub(crate) fn extra(
        &self,
        op: Extra,
        to: &mut [f64],
        operands: [Source<'_>; 2],
        tolerance: &Tolerance,
    ) {
        let words = whole_words(to.len());
        let operands = operands.map(|source| pointer(source, words * WORD));
        // SAFETY: as in `arith`.
        unsafe { self.extra[op as usize](to.as_mut_ptr(), operands, words, tolerance) }
    }

    /// Where the comparison of one side with the other holds.
    #[inline]
    pub(crate) fn compare(
        &self,
        kernel: ComparisonKernel,
        to: &mut [u64],
        x: Side<Source<'_>>,
        y: Side<Source<'_>>,
        tolerance: &Tolerance,
    ) {
        let rows = to.len() * WORD;
        let ComparisonKernel { comparison, domain, negate } = kernel;
        let (fx, a, b) = x.split();
        let (fy, c, d) = y.split();
        let operands = [a, b, c, d].map(|source| pointer(source, rows));
        let flip = if negate { !0 } else { 0 };
        let entry = self.compare[comparison as usize][domain as usize][fx][fy];
        // SAFETY: as in `arith`; `to` has as many words as the operands have rows for.
        unsafe { entry(to.as_mut_ptr(), operands, to.len(), tolerance, flip) }
    }

    /// The first row on which the comparison of one column with another fails, or their number of rows.
    #[inline]
    pub(crate) fn first_failure(
        &self,
        comparison: Comparison,
        negate: bool,
        a: &[f64],
        b: &[f64],
        tolerance: &Tolerance,
    ) -> usize {
        assert_eq!(a.len(), b.len(), "columns of the same rows");
        let entry = self.first_failure[comparison as usize];
        let flip = if negate { u8::MAX } else { 0 };
        // SAFETY: both columns have `a.len()` rows. `self` exists only where its instruction set does.
        unsafe { entry(a.as_ptr(), b.as_ptr(), a.len(), tolerance, flip) }
    }

    /// `to = a op b` on words; `Not` looks at `a` alone.
    #[inline]
    pub(crate) fn logic(&self, op: LogicOp, to: &mut [u64], a: &[u64], b: &[u64]) {
        // SAFETY: `self` exists only where its instruction set does; the slices are checked inside.
        unsafe { self.logic[op as usize](to, a, b) }
    }

    /// The number of set bits.
    #[inline]
    pub(crate) fn count_ones(&self, words: &[u64]) -> u64 {
        // SAFETY: `self` exists only where its instruction set does.
        unsafe { (self.ones)(words) }
    }

    /// Where two columns are equal, over whole words of rows.
    #[inline]
    pub(crate) fn equal(&self, to: &mut [u64], a: &[u32], b: &[u32]) {
        assert!(a.len() == to.len() * WORD && b.len() == to.len() * WORD);
        // SAFETY: lengths checked just above; otherwise as in `arith`.
        unsafe { (self.equal)(to.as_mut_ptr(), a.as_ptr(), b.as_ptr(), to.len()) }
    }

    /// `flip(s)`, in a dictionary of `twice` codes.
    #[inline]
    pub(crate) fn flip(&self, to: ViewsMut<'_>, s: Views<'_>, twice: u32) {
        // SAFETY: `self` exists only where its instruction set does.
        unsafe { (self.flip)(to, s, twice) }
    }

    /// `truncate(s, n)`, as slices.
    #[inline]
    pub(crate) fn truncate(&self, to: ViewsMut<'_>, s: Views<'_>, n: Source<'_>) {
        let (entry, n) = by_shape(&self.truncate, n, s.lens.len());
        // SAFETY: `self` exists only where its instruction set does.
        unsafe { entry(to, s, n) }
    }

    /// `remove(s, n)`, as slices where it is one.
    #[inline]
    pub(crate) fn remove(&self, to: ViewsMut<'_>, s: Views<'_>, n: Source<'_>) {
        let (entry, n) = by_shape(&self.remove, n, s.lens.len());
        // SAFETY: `self` exists only where its instruction set does.
        unsafe { entry(to, s, n) }
    }

    /// `toString(n)`, as slices where it is one.
    #[inline]
    pub(crate) fn text(&self, to: ViewsMut<'_>, n: Source<'_>) {
        let ViewsMut { starts, lens, .. } = to;
        let words = whole_words(starts.len());
        assert_eq!(starts.len(), lens.len());
        let n = pointer(n, words * WORD);
        // SAFETY: lengths checked just above; otherwise as in `arith`.
        unsafe { (self.text)(starts.as_mut_ptr(), lens.as_mut_ptr(), n, words) }
    }

    /// The length or sum of a computed sequence, without the sequence.
    #[inline]
    pub(crate) fn measure(
        &self,
        measure: DirectMeasure,
        to: &mut [f64],
        operands: [Source<'_>; 2],
    ) {
        let words = whole_words(to.len());
        let operands = operands.map(|source| pointer(source, words * WORD));
        // SAFETY: as in `arith`.
        unsafe { self.measures[measure as usize](to.as_mut_ptr(), operands, words) }
    }

    /// `sum(s)` by prefix sums, or `sum(remove(s, n))` given which elements were removed. True if `s`
    /// is hollow on some rows: what they get is no sum, and the caller computes it.
    #[inline]
    pub(crate) fn sums(
        &self,
        to: &mut [f64],
        s: Views<'_>,
        removed: Option<&[u32]>,
        prefix: &Prefix,
    ) -> bool {
        let rows = whole_words(to.len()) * WORD;
        assert!(s.starts.len() == rows && s.lens.len() == rows);
        assert!(removed.is_none_or(|removed| removed.len() == rows));
        // SAFETY: `self` exists only where its instruction set does.
        unsafe { (self.sums)(to, s, removed, prefix) }
    }

    /// Which of some of 64 rows have slices that begin alike; none of them may be hollow.
    #[inline]
    pub(crate) fn same_runs(&self, rows: u64, views: [Views<'_>; 2], runs: Runs<'_>) -> Same {
        // SAFETY: `self` exists only where its instruction set does; lengths are checked inside.
        unsafe { (self.same_runs)(rows, views, runs) }
    }

    /// About what spreading the bits of a few rows costs per row of all, in sixteenths of an addition of
    /// two columns: measured on 18,000 rows (`cargo bench --bench population`).
    pub(crate) fn spread_cost(&self, few: usize) -> usize {
        match self.isa {
            Isa::Portable => 112,
            Isa::Avx2 => 1 + 2 * few.div_ceil(128),
            Isa::Avx512 => 1 + 3 * few.div_ceil(1024),
        }
    }

    /// Spreads the bits of a few rows to all rows that are like them.
    #[inline]
    pub(crate) fn spread(&self, to: &mut [u64], few: &[u64], spread: &Spread) {
        assert!(few.len() == spread.few_words() && to.len() == spread.words());
        // SAFETY: lengths checked just above, codes when the spread was made; `to` is borrowed
        // mutably and so overlaps nothing. `self` exists only where its instruction set does.
        unsafe { (self.spread)(to.as_mut_ptr(), few.as_ptr(), spread.planes()) }
    }
}

impl fmt::Debug for Kernels {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Kernels").field(&self.isa).finish()
    }
}

/// The entry for a number operand by row or for all rows, and its numbers.
#[inline]
fn by_shape<'a, E: Copy>(entries: &[E; 2], n: Source<'a>, rows: usize) -> (E, &'a [f64]) {
    match n {
        Source::Rows(n) => {
            assert_eq!(n.len(), rows);
            (entries[0], n)
        }
        Source::Splat(lanes) => (entries[1], lanes),
    }
}

#[inline]
fn whole_words(rows: usize) -> usize {
    assert_eq!(rows % WORD, 0, "kernels run over whole words");
    rows / WORD
}

/// Where an operand is, after a check that it has a value for every row.
#[inline]
fn pointer(source: Source<'_>, rows: usize) -> Pointer {
    match source {
        Source::Rows(values) => {
            assert_eq!(values.len(), rows);
            Pointer { at: values.as_ptr(), step: LANES }
        }
        Source::Splat(lanes) => Pointer { at: lanes.as_ptr(), step: 0 },
    }
}
