//! The loops that touch every row, once per instruction set.
//!
//! A kernel runs one instruction over whole words of 64 rows: numbers to numbers, or numbers to
//! bits. It is written once, generic over [`Lanes`] (eight f64s, however the machine holds them), and
//! instantiated behind a `#[target_feature]` entry per instruction set. [`Kernels::of`] picks
//! the table of entries; one portable binary holds them all.
//!
//! The meaning of each kernel is the function of the same name in `tolerance.rs` and `op.rs`; this file
//! only has to be fast and equal to it.
//!
//! Unsafe code: the entries take raw pointers and need their instruction set. Both obligations
//! are met in one place each: the safe methods of [`Kernels`] check every length before a call, and a
//! `Kernels` for an instruction set only exists where [`Isa::is_available`] said so.

mod isa;
mod kinds;
mod measures;
mod portable;
#[doc(hidden)]
pub mod roofline;
mod runs;
mod spread;
mod sums;
mod views;
#[cfg(target_arch = "x86_64")]
mod x86_64;

pub use self::isa::Isa;
use self::kinds::LEAF;
pub(crate) use self::kinds::{Arith, Comparison, Domain, Logic, Operation, Relation, Term};
pub(crate) use self::measures::Measure;
use self::measures::{measure, text_views};
use self::portable::Portable;
pub(crate) use self::runs::{RUN, Runs};
use self::runs::{Same, same_runs};
pub(crate) use self::spread::Spread;
use self::spread::{Planes, spread, spread_rows};
pub(crate) use self::sums::Prefix;
use self::sums::sums;
pub(crate) use self::views::{HOLLOW, NOTHING, Views, ViewsMut};
use self::views::{flip_views, remove_views, truncate_views};
#[cfg(target_arch = "x86_64")]
use self::x86_64::{Avx2, Avx512};
use crate::mask::WORD;
use crate::tolerance::Tolerance;

/// Rows per step of a kernel.
pub(crate) const LANES: usize = 8;

/// A number operand of a kernel: one value per row, or one for all rows (in every lane).
#[derive(Clone, Copy, Debug)]
pub(crate) enum Source<'a> {
    Rows(&'a [f64]),
    Splat(&'a [f64; LANES]),
}

/// What a kernel reads: where, and how far to go from eight rows to the next: 8, or 0 for a splat.
#[derive(Clone, Copy)]
struct Pointer {
    at: *const f64,
    step: usize,
}

/// Eight f64s. The trait is unsafe to use, not to implement: every method needs its instruction set.
trait Lanes: Copy {
    /// Eight truth values.
    type Bits: Copy;

    unsafe fn load(from: *const f64) -> Self;
    unsafe fn splat(value: f64) -> Self;
    unsafe fn store(self, to: *mut f64);
    unsafe fn add(self, b: Self) -> Self;
    unsafe fn sub(self, b: Self) -> Self;
    unsafe fn mul(self, b: Self) -> Self;
    unsafe fn div(self, b: Self) -> Self;
    unsafe fn abs(self) -> Self;
    /// The larger magnitude, for numbers. Anything for NaN.
    unsafe fn max_abs(self, b: Self) -> Self;
    /// The smaller number; `b` or anything for NaN.
    unsafe fn min(self, b: Self) -> Self;
    /// IEEE comparisons: false for NaN.
    unsafe fn eq(self, b: Self) -> Self::Bits;
    unsafe fn lt(self, b: Self) -> Self::Bits;
    /// The opposite of `lt`: true for NaN.
    unsafe fn not_lt(self, b: Self) -> Self::Bits;
    unsafe fn le(self, b: Self) -> Self::Bits;
    unsafe fn is_nan(self) -> Self::Bits;
    /// `b` where the bit is set, else `self`.
    unsafe fn replace(self, bits: Self::Bits, b: Self) -> Self;
    unsafe fn and(a: Self::Bits, b: Self::Bits) -> Self::Bits;
    unsafe fn xor(a: Self::Bits, b: Self::Bits) -> Self::Bits;
    unsafe fn and_not(a: Self::Bits, not: Self::Bits) -> Self::Bits;
    /// The truth values as bits, the first row lowest.
    unsafe fn byte(bits: Self::Bits) -> u8;
    /// Where eight pairs of u32s are equal.
    unsafe fn equal(a: *const u32, b: *const u32) -> u8;
    /// Toward zero; NaN stays NaN.
    unsafe fn trunc(self) -> Self;
    /// Stores eight integers within i32, as u32s of the same bits.
    unsafe fn store_integers(self, to: *mut u32);
    /// Where sixteen pairs of bytes are equal.
    unsafe fn equal_bytes(a: *const u8, b: *const u8) -> u16;
    /// Spreads the bits of a few rows, in `CHUNKS` chunks, to all rows.
    #[inline(always)]
    unsafe fn spread<const CHUNKS: usize>(to: *mut u64, few: *const u64, planes: Planes) {
        // SAFETY: forwarded.
        unsafe { spread_rows(to, few, planes) }
    }
}

impl Pointer {
    /// The next eight rows.
    #[inline(always)]
    unsafe fn next<L: Lanes>(&mut self) -> L {
        // SAFETY: the caller reads no more than the rows behind the pointer, a splat has eight
        // lanes and stays where it is, and the caller has the instruction set.
        unsafe {
            let lanes = L::load(self.at);
            self.at = self.at.add(self.step);
            lanes
        }
    }
}

const ADD: u8 = Operation::Add as u8;
const SUB: u8 = Operation::Sub as u8;
const MUL: u8 = Operation::Mul as u8;
const DIV: u8 = Operation::Div as u8;
const ABS: u8 = Operation::Abs as u8;

/// The tolerance in every lane.
#[derive(Clone, Copy)]
struct Allowance<L> {
    abs: L,
    rel: L,
}

impl<L: Lanes> Allowance<L> {
    #[inline(always)]
    unsafe fn new(tolerance: &Tolerance) -> Self {
        // SAFETY: the caller has the instruction set.
        unsafe { Allowance { abs: L::splat(tolerance.abs()), rel: L::splat(tolerance.rel()) } }
    }

    /// `abs + rel * magnitude`, not contracted.
    #[inline(always)]
    unsafe fn at(self, magnitude: L) -> L {
        // SAFETY: the caller has the instruction set.
        unsafe { self.abs.add(self.rel.mul(magnitude)) }
    }
}

#[inline(always)]
unsafe fn operate<L: Lanes, const OP: u8>(x: L, y: L, allowance: Allowance<L>) -> L {
    // SAFETY: the caller has the instruction set.
    unsafe {
        match OP {
            ADD => x.add(y),
            SUB => x.sub(y),
            MUL => x.mul(y),
            DIV => {
                // `y == 0`: |y| <= abs + rel * |y|. Inf is not 0: with `min` the right side stays
                // finite. NaN is not 0: the comparison is false.
                let magnitude = y.abs();
                let allowed = allowance.at(magnitude.min(L::splat(f64::MAX)));
                x.div(y).replace(magnitude.le(allowed), L::splat(1.0))
            }
            ABS => x.abs(),
            _ => x,
        }
    }
}

/// The next eight rows of `a F b`, or of `a` alone.
#[inline(always)]
unsafe fn term<L: Lanes, const F: u8>(
    a: &mut Pointer,
    b: &mut Pointer,
    allowance: Allowance<L>,
) -> L {
    // SAFETY: as in `Pointer::next`.
    unsafe {
        let x = a.next();
        if F == LEAF { x } else { operate::<L, F>(x, b.next(), allowance) }
    }
}

/// `to = (a fx b) op (c fy d)`, row by row.
#[inline(always)]
unsafe fn arith<L: Lanes, const OP: u8, const FX: u8, const FY: u8>(
    to: *mut f64,
    [mut a, mut b, mut c, mut d]: [Pointer; 4],
    words: usize,
    tolerance: &Tolerance,
) {
    // SAFETY: the caller vouches for `words * 64` rows behind every pointer and for the instruction
    // set; `row` advances by 8 up to `words * 64`.
    unsafe {
        let allowance = Allowance::new(tolerance);
        for row in (0..words * WORD).step_by(LANES) {
            let x: L = term::<L, FX>(&mut a, &mut b, allowance);
            let y = if OP == ABS { x } else { term::<L, FY>(&mut c, &mut d, allowance) };
            operate::<L, OP>(x, y, allowance).store(to.add(row));
        }
    }
}

const EQ: u8 = Relation::Eq as u8;
const LT: u8 = Relation::Lt as u8;
const LE: u8 = Relation::Le as u8;
const INTEGER: u8 = Domain::Integer as u8;
const FINITE: u8 = Domain::Finite as u8;
const ANY: u8 = Domain::Any as u8;

/// Where x is related to y.
#[inline(always)]
unsafe fn related<L: Lanes, const RELATION: u8, const DOMAIN: u8>(
    x: L,
    y: L,
    allowance: Allowance<L>,
) -> L::Bits {
    // SAFETY: the caller has the instruction set.
    unsafe {
        match (DOMAIN, RELATION) {
            (INTEGER, EQ) => x.eq(y),
            (INTEGER, LT) => x.lt(y),
            (INTEGER, LE) => x.le(y),
            // For finite numbers, with d = x - y and an allowance >= 0: x == y is |d| <= allowance;
            // x < y is -d > allowance, which implies IEEE x < y; and x <= y, which is "not y < x", is
            // d <= allowance.
            (FINITE, EQ) => x.sub(y).abs().le(allowance.at(x.max_abs(y))),
            (FINITE, LT) => allowance.at(x.max_abs(y)).lt(y.sub(x)),
            (FINITE, LE) => x.sub(y).le(allowance.at(x.max_abs(y))),
            (_, relation) => {
                // As for finite numbers, with an allowance that stays finite: an infinite difference
                // is beyond it. A difference that is NaN is not: it is that of equal infinities, or
                // there is a NaN. Then x < y is false, and the others hold unless one is a number.
                let allowed = allowance.at(x.max_abs(y).min(L::splat(f64::MAX)));
                if relation == LT {
                    return allowed.lt(y.sub(x));
                }
                let distance = if relation == EQ { x.sub(y).abs() } else { x.sub(y) };
                L::and_not(allowed.not_lt(distance), L::xor(x.is_nan(), y.is_nan()))
            }
        }
    }
}

/// `a fx b` related to `c fy d`, as bits; `flip` is all ones for the negation.
#[inline(always)]
unsafe fn compare<L: Lanes, const RELATION: u8, const DOMAIN: u8, const FX: u8, const FY: u8>(
    to: *mut u64,
    [mut a, mut b, mut c, mut d]: [Pointer; 4],
    words: usize,
    tolerance: &Tolerance,
    flip: u64,
) {
    // SAFETY: as in `arith`; `to` has `words` words.
    unsafe {
        let allowance = Allowance::new(tolerance);
        for eighth in 0..words * BYTES {
            let x: L = term::<L, FX>(&mut a, &mut b, allowance);
            let y: L = term::<L, FY>(&mut c, &mut d, allowance);
            put(to, eighth, L::byte(related::<L, RELATION, DOMAIN>(x, y, allowance)));
        }
        if flip != 0 {
            for word in 0..words {
                *to.add(word) ^= flip;
            }
        }
    }
}

/// Bytes per mask word: eight rows each.
const BYTES: usize = WORD / LANES;

/// Stores the bits of the `eighth`-th eight rows. A word put together in registers first was 1.5x
/// slower: LLVM gathers the eight bytes through vector inserts.
#[inline(always)]
unsafe fn put(to: *mut u64, eighth: usize, bits: u8) {
    let at = if cfg!(target_endian = "little") { eighth } else { eighth ^ (BYTES - 1) };
    // SAFETY: the caller has room for this word.
    unsafe { *to.cast::<u8>().add(at) = bits }
}

/// Where two columns of u32s are equal, as bits.
#[inline(always)]
unsafe fn equal<L: Lanes>(to: *mut u64, a: *const u32, b: *const u32, words: usize) {
    // SAFETY: as in `compare`.
    unsafe {
        for eighth in 0..words * BYTES {
            put(to, eighth, L::equal(a.add(eighth * LANES), b.add(eighth * LANES)));
        }
    }
}

/// `to = a op b` on words. Plain Rust: each entry compiles it for its own instruction set.
#[inline(always)]
fn logic_words<const OP: u8>(to: &mut [u64], a: &[u64], b: &[u64]) {
    for ((to, &a), &b) in to.iter_mut().zip(a).zip(b) {
        *to = if OP == Logic::And as u8 {
            a & b
        } else if OP == Logic::Or as u8 {
            a | b
        } else if OP == Logic::Xor as u8 {
            a ^ b
        } else if OP == Logic::Iff as u8 {
            !(a ^ b)
        } else if OP == Logic::Implies as u8 {
            !a | b
        } else {
            !a
        };
    }
}

#[inline(always)]
fn ones(words: &[u64]) -> u64 {
    words.iter().map(|word| u64::from(word.count_ones())).sum()
}

type ArithEntry = unsafe fn(*mut f64, [Pointer; 4], usize, &Tolerance);
type CompareEntry = unsafe fn(*mut u64, [Pointer; 4], usize, &Tolerance, u64);
type LogicEntry = unsafe fn(&mut [u64], &[u64], &[u64]);
type OnesEntry = unsafe fn(&[u64]) -> u64;
type EqualEntry = unsafe fn(*mut u64, *const u32, *const u32, usize);
type FlipEntry = unsafe fn(ViewsMut<'_>, Views<'_>, u32);
type TextEntry = unsafe fn(*mut u32, *mut u32, Pointer, usize);
type IndexEntry = unsafe fn(ViewsMut<'_>, Views<'_>, &[f64]);
type MeasureEntry = unsafe fn(*mut f64, [Pointer; 2], usize);
type SumsEntry = unsafe fn(&mut [f64], Views<'_>, Option<&[u32]>, &Prefix) -> bool;
type SpreadEntry = unsafe fn(*mut u64, *const u64, Planes);
type RunsEntry = unsafe fn(u64, [Views<'_>; 2], Runs<'_>) -> Same;

/// The entries for one instruction set.
pub(crate) struct Kernels {
    isa: Isa,
    /// By operation, and the terms on the left and on the right.
    arith: [[[ArithEntry; 6]; 6]; 5],
    /// By relation, domain, and the terms on the left and on the right.
    compare: [[[[CompareEntry; 6]; 6]; 3]; 3],
    logic: [LogicEntry; 6],
    ones: OnesEntry,
    equal: EqualEntry,
    flip: FlipEntry,
    /// By row, or by one index for all rows.
    truncate: [IndexEntry; 2],
    remove: [IndexEntry; 2],
    text: TextEntry,
    measures: [MeasureEntry; 4],
    sums: SumsEntry,
    same_runs: RunsEntry,
    spread: SpreadEntry,
}

/// One entry per term on the left and on the right; `Term::split` has the order. What comes before the
/// terms stays as it is.
macro_rules! terms {
    ($entry:ident $(, $fixed:ident)*) => {
        [
            terms!(@right $entry, [$($fixed),*], ADD),
            terms!(@right $entry, [$($fixed),*], SUB),
            terms!(@right $entry, [$($fixed),*], MUL),
            terms!(@right $entry, [$($fixed),*], DIV),
            terms!(@right $entry, [$($fixed),*], ABS),
            terms!(@right $entry, [$($fixed),*], LEAF),
        ]
    };
    // The right side of `abs` is not read.
    (@right $entry:ident, [ABS], $left:ident) => {
        [$entry::<ABS, $left, LEAF>; 6]
    };
    (@right $entry:ident, [$($fixed:ident),*], $left:ident) => {
        [
            $entry::<$($fixed,)* $left, ADD>,
            $entry::<$($fixed,)* $left, SUB>,
            $entry::<$($fixed,)* $left, MUL>,
            $entry::<$($fixed,)* $left, DIV>,
            $entry::<$($fixed,)* $left, ABS>,
            $entry::<$($fixed,)* $left, LEAF>,
        ]
    };
}

/// One entry per domain and terms.
macro_rules! domains {
    ($entry:ident, $relation:ident) => {
        [
            terms!($entry, $relation, INTEGER),
            terms!($entry, $relation, FINITE),
            terms!($entry, $relation, ANY),
        ]
    };
}

/// Instantiates every kernel for one instruction set.
macro_rules! kernels {
    ($table:ident, $isa:expr, $lanes:ty $(, $feature:literal)?) => {
        static $table: Kernels = {
            $(#[target_feature(enable = $feature)])?
            unsafe fn arith_entry<const OP: u8, const FX: u8, const FY: u8>(
                to: *mut f64,
                operands: [Pointer; 4],
                words: usize,
                tolerance: &Tolerance,
            ) {
                // SAFETY: forwarded; this entry has the instruction set.
                unsafe { arith::<$lanes, OP, FX, FY>(to, operands, words, tolerance) }
            }
            $(#[target_feature(enable = $feature)])?
            unsafe fn compare_entry<
                const RELATION: u8,
                const DOMAIN: u8,
                const FX: u8,
                const FY: u8,
            >(
                to: *mut u64,
                operands: [Pointer; 4],
                words: usize,
                tolerance: &Tolerance,
                flip: u64,
            ) {
                // SAFETY: forwarded; this entry has the instruction set.
                unsafe {
                    compare::<$lanes, RELATION, DOMAIN, FX, FY>(
                        to, operands, words, tolerance, flip,
                    );
                }
            }
            $(#[target_feature(enable = $feature)])?
            unsafe fn logic_entry<const OP: u8>(to: &mut [u64], a: &[u64], b: &[u64]) {
                logic_words::<OP>(to, a, b);
            }
            $(#[target_feature(enable = $feature)])?
            unsafe fn ones_entry(words: &[u64]) -> u64 {
                ones(words)
            }
            $(#[target_feature(enable = $feature)])?
            unsafe fn equal_entry(to: *mut u64, a: *const u32, b: *const u32, words: usize) {
                // SAFETY: forwarded; this entry has the instruction set.
                unsafe { equal::<$lanes>(to, a, b, words) }
            }
            $(#[target_feature(enable = $feature)])?
            unsafe fn flip_entry(to: ViewsMut<'_>, s: Views<'_>, twice: u32) {
                flip_views(to, s, twice);
            }
            $(#[target_feature(enable = $feature)])?
            unsafe fn truncate_entry<const SPLAT: bool>(
                to: ViewsMut<'_>,
                s: Views<'_>,
                n: &[f64],
            ) {
                truncate_views::<SPLAT>(to, s, n);
            }
            $(#[target_feature(enable = $feature)])?
            unsafe fn remove_entry<const SPLAT: bool>(
                to: ViewsMut<'_>,
                s: Views<'_>,
                n: &[f64],
            ) {
                remove_views::<SPLAT>(to, s, n);
            }
            $(#[target_feature(enable = $feature)])?
            unsafe fn text_entry(starts: *mut u32, lens: *mut u32, n: Pointer, words: usize) {
                // SAFETY: forwarded; this entry has the instruction set.
                unsafe { text_views::<$lanes>(starts, lens, n, words) }
            }
            $(#[target_feature(enable = $feature)])?
            unsafe fn measure_entry<const MEASURE: u8>(
                to: *mut f64,
                operands: [Pointer; 2],
                words: usize,
            ) {
                // SAFETY: forwarded; this entry has the instruction set.
                unsafe { measure::<$lanes, MEASURE>(to, operands, words) }
            }
            $(#[target_feature(enable = $feature)])?
            unsafe fn sums_entry(
                to: &mut [f64],
                s: Views<'_>,
                removed: Option<&[u32]>,
                prefix: &Prefix,
            ) -> bool {
                sums(to, s, removed, prefix)
            }
            $(#[target_feature(enable = $feature)])?
            unsafe fn same_runs_entry(
                rows: u64,
                views: [Views<'_>; 2],
                runs: Runs<'_>,
            ) -> Same {
                // SAFETY: this entry has the instruction set.
                unsafe { same_runs::<$lanes>(rows, views, runs) }
            }
            $(#[target_feature(enable = $feature)])?
            unsafe fn spread_entry(to: *mut u64, few: *const u64, planes: Planes) {
                // SAFETY: forwarded; this entry has the instruction set.
                unsafe { spread::<$lanes>(to, few, planes) }
            }
            Kernels {
                isa: $isa,
                arith: [
                    terms!(arith_entry, ADD),
                    terms!(arith_entry, SUB),
                    terms!(arith_entry, MUL),
                    terms!(arith_entry, DIV),
                    terms!(arith_entry, ABS),
                ],
                compare: [
                    domains!(compare_entry, EQ),
                    domains!(compare_entry, LT),
                    domains!(compare_entry, LE),
                ],
                logic: [
                    logic_entry::<{ Logic::And as u8 }>,
                    logic_entry::<{ Logic::Or as u8 }>,
                    logic_entry::<{ Logic::Xor as u8 }>,
                    logic_entry::<{ Logic::Iff as u8 }>,
                    logic_entry::<{ Logic::Implies as u8 }>,
                    logic_entry::<{ Logic::Not as u8 }>,
                ],
                ones: ones_entry,
                equal: equal_entry,
                flip: flip_entry,
                truncate: [truncate_entry::<false>, truncate_entry::<true>],
                remove: [remove_entry::<false>, remove_entry::<true>],
                text: text_entry,
                measures: [
                    measure_entry::<{ Measure::TruncatedLength as u8 }>,
                    measure_entry::<{ Measure::RemovedLength as u8 }>,
                    measure_entry::<{ Measure::TextLength as u8 }>,
                    measure_entry::<{ Measure::TextSum as u8 }>,
                ],
                sums: sums_entry,
                same_runs: same_runs_entry,
                spread: spread_entry,
            }
        };
    };
}

kernels!(PORTABLE, Isa::Portable, Portable);
#[cfg(target_arch = "x86_64")]
kernels!(AVX2, Isa::Avx2, Avx2, "avx2,popcnt");
#[cfg(target_arch = "x86_64")]
kernels!(
    AVX512,
    Isa::Avx512,
    Avx512,
    "avx2,popcnt,avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,avx512vpopcntdq"
);

impl Kernels {
    /// The entries for an instruction set; the portable ones where this machine lacks it.
    pub(crate) fn of(isa: Isa) -> &'static Kernels {
        if !isa.is_available() {
            return &PORTABLE;
        }
        match isa {
            Isa::Portable => &PORTABLE,
            #[cfg(target_arch = "x86_64")]
            Isa::Avx2 => &AVX2,
            #[cfg(target_arch = "x86_64")]
            Isa::Avx512 => &AVX512,
            #[cfg(not(target_arch = "x86_64"))]
            Isa::Avx2 | Isa::Avx512 => &PORTABLE,
        }
    }

    /// The instruction set of these entries.
    pub(crate) fn isa(&self) -> Isa {
        self.isa
    }

    /// `to = x op y`, over whole words of rows.
    #[inline]
    pub(crate) fn arith(
        &self,
        op: Operation,
        to: &mut [f64],
        x: Term<Source<'_>>,
        y: Term<Source<'_>>,
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

    /// Where one term is related to the other.
    #[inline]
    pub(crate) fn compare(
        &self,
        comparison: Comparison,
        to: &mut [u64],
        x: Term<Source<'_>>,
        y: Term<Source<'_>>,
        tolerance: &Tolerance,
    ) {
        let rows = to.len() * WORD;
        let Comparison { relation, domain, negate } = comparison;
        let (fx, a, b) = x.split();
        let (fy, c, d) = y.split();
        let operands = [a, b, c, d].map(|source| pointer(source, rows));
        let flip = if negate { !0 } else { 0 };
        let entry = self.compare[relation as usize][domain as usize][fx][fy];
        // SAFETY: as in `arith`; `to` has as many words as the operands have rows for.
        unsafe { entry(to.as_mut_ptr(), operands, to.len(), tolerance, flip) }
    }

    /// `to = a op b` on words; `Not` looks at `a` alone.
    #[inline]
    pub(crate) fn logic(&self, op: Logic, to: &mut [u64], a: &[u64], b: &[u64]) {
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

    /// `truncate(s, n)`.
    #[inline]
    pub(crate) fn truncate(&self, to: ViewsMut<'_>, s: Views<'_>, n: Source<'_>) {
        let (entry, n) = by_shape(&self.truncate, n, s.lens.len());
        // SAFETY: `self` exists only where its instruction set does.
        unsafe { entry(to, s, n) }
    }

    /// `remove(s, n)`.
    #[inline]
    pub(crate) fn remove(&self, to: ViewsMut<'_>, s: Views<'_>, n: Source<'_>) {
        let (entry, n) = by_shape(&self.remove, n, s.lens.len());
        // SAFETY: `self` exists only where its instruction set does.
        unsafe { entry(to, s, n) }
    }

    /// `toString(n)`.
    #[inline]
    pub(crate) fn text(&self, to: ViewsMut<'_>, n: Source<'_>) {
        let ViewsMut { starts, lens, .. } = to;
        let words = whole_words(starts.len());
        assert_eq!(starts.len(), lens.len());
        let n = pointer(n, words * WORD);
        // SAFETY: lengths checked just above; otherwise as in `arith`.
        unsafe { (self.text)(starts.as_mut_ptr(), lens.as_mut_ptr(), n, words) }
    }

    /// The length or sum of a sequence that nobody has to make.
    #[inline]
    pub(crate) fn measure(&self, measure: Measure, to: &mut [f64], operands: [Source<'_>; 2]) {
        let words = whole_words(to.len());
        let operands = operands.map(|source| pointer(source, words * WORD));
        // SAFETY: as in `arith`.
        unsafe { self.measures[measure as usize](to.as_mut_ptr(), operands, words) }
    }

    /// `sum(s)` by prefix sums, or `sum(remove(s, n))` given which elements were removed; true if there
    /// are rows where `s` is hollow, which have anything.
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

/// A checked operand.
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
