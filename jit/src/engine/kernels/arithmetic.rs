//! Arithmetic, comparisons and logic, over whole words of 64 rows.
//!
//! Every kernel is generic over [`Lanes`] and over what it computes, and is always inlined into an entry, which
//! has the instruction set.

use super::lanes::{LANES, Lanes, Pointer};
use super::side::LEAF;
use crate::mask::WORD;
use crate::op::{ArithmeticOp, LogicOp};
use crate::program::{Comparison, Domain};
use crate::tolerance::Tolerance;

pub(super) const ADD: u8 = ArithmeticOp::Add as u8;
pub(super) const SUB: u8 = ArithmeticOp::Sub as u8;
pub(super) const MUL: u8 = ArithmeticOp::Mul as u8;
pub(super) const DIV: u8 = ArithmeticOp::Div as u8;
pub(super) const ABS: u8 = ArithmeticOp::Abs as u8;

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
unsafe fn side<L: Lanes, const F: u8>(
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
pub(super) unsafe fn arith<L: Lanes, const OP: u8, const FX: u8, const FY: u8>(
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
            let x: L = side::<L, FX>(&mut a, &mut b, allowance);
            let y = if OP == ABS { x } else { side::<L, FY>(&mut c, &mut d, allowance) };
            operate::<L, OP>(x, y, allowance).store(to.add(row));
        }
    }
}

pub(super) const EQ: u8 = Comparison::Eq as u8;
pub(super) const LT: u8 = Comparison::Lt as u8;
pub(super) const LE: u8 = Comparison::Le as u8;
pub(super) const INTEGER: u8 = Domain::Integer as u8;
pub(super) const FINITE: u8 = Domain::Finite as u8;
pub(super) const ANY: u8 = Domain::Any as u8;

/// Where the comparison of x and y holds.
#[inline(always)]
unsafe fn compare_lanes<L: Lanes, const COMPARISON: u8, const DOMAIN: u8>(
    x: L,
    y: L,
    allowance: Allowance<L>,
) -> L::Bits {
    // SAFETY: the caller has the instruction set.
    unsafe {
        match (DOMAIN, COMPARISON) {
            (INTEGER, EQ) => x.eq(y),
            (INTEGER, LT) => x.lt(y),
            (INTEGER, LE) => x.le(y),
            // For finite numbers, with d = x - y and an allowance >= 0: x == y is |d| <= allowance;
            // x < y is -d > allowance, which implies IEEE x < y; and x <= y, which is "not y < x", is
            // d <= allowance.
            (FINITE, EQ) => x.sub(y).abs().le(allowance.at(x.max_abs(y))),
            (FINITE, LT) => allowance.at(x.max_abs(y)).lt(y.sub(x)),
            (FINITE, LE) => x.sub(y).le(allowance.at(x.max_abs(y))),
            (_, comparison) => {
                // As for finite numbers, with an allowance that stays finite: an infinite difference
                // is beyond it. A difference that is NaN is not: it is that of equal infinities, or
                // there is a NaN. Then x < y is false, and the others hold unless one is a number.
                let allowed = allowance.at(x.max_abs(y).min(L::splat(f64::MAX)));
                if comparison == LT {
                    return allowed.lt(y.sub(x));
                }
                let distance = if comparison == EQ { x.sub(y).abs() } else { x.sub(y) };
                L::and_not(allowed.not_lt(distance), L::xor(x.is_nan(), y.is_nan()))
            }
        }
    }
}

/// `a fx b` compared with `c fy d`, as bits; `flip` is all ones for the negation.
#[inline(always)]
pub(super) unsafe fn compare<
    L: Lanes,
    const COMPARISON: u8,
    const DOMAIN: u8,
    const FX: u8,
    const FY: u8,
>(
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
            let x: L = side::<L, FX>(&mut a, &mut b, allowance);
            let y: L = side::<L, FY>(&mut c, &mut d, allowance);
            put(to, eighth, L::byte(compare_lanes::<L, COMPARISON, DOMAIN>(x, y, allowance)));
        }
        if flip != 0 {
            for word in 0..words {
                *to.add(word) ^= flip;
            }
        }
    }
}

/// The first of some rows on which the comparison of a with b fails, or the number of rows; `flip` is all
/// ones for the negation. A caller whose columns differ at once pays for eight rows.
#[inline(always)]
pub(super) unsafe fn first_failure<L: Lanes, const COMPARISON: u8>(
    a: *const f64,
    b: *const f64,
    rows: usize,
    tolerance: &Tolerance,
    flip: u8,
) -> usize {
    // SAFETY: the caller has the instruction set and `rows` rows behind both pointers; a whole eight ends at
    // or before `rows`, and the last rows are copied to arrays of eight.
    unsafe {
        let allowance = Allowance::new(tolerance);
        let whole = rows - rows % LANES;
        let mut row = 0;
        while row < whole {
            let (x, y) = (L::load(a.add(row)), L::load(b.add(row)));
            let bits = L::byte(compare_lanes::<L, COMPARISON, ANY>(x, y, allowance)) ^ flip;
            if bits != u8::MAX {
                return row + bits.trailing_ones() as usize;
            }
            row += LANES;
        }
        if row == rows {
            return rows;
        }
        let mut last = [[0.0; LANES]; 2];
        a.add(row).copy_to_nonoverlapping(last[0].as_mut_ptr(), rows - row);
        b.add(row).copy_to_nonoverlapping(last[1].as_mut_ptr(), rows - row);
        let (x, y) = (L::load(last[0].as_ptr()), L::load(last[1].as_ptr()));
        let bits = L::byte(compare_lanes::<L, COMPARISON, ANY>(x, y, allowance)) ^ flip;
        rows.min(row + bits.trailing_ones() as usize)
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
pub(super) unsafe fn equal<L: Lanes>(to: *mut u64, a: *const u32, b: *const u32, words: usize) {
    // SAFETY: as in `compare`.
    unsafe {
        for eighth in 0..words * BYTES {
            put(to, eighth, L::equal(a.add(eighth * LANES), b.add(eighth * LANES)));
        }
    }
}

/// `to = a op b` on words. Plain Rust: each entry compiles it for its own instruction set.
#[inline(always)]
pub(super) fn logic_words<const OP: u8>(to: &mut [u64], a: &[u64], b: &[u64]) {
    for ((to, &a), &b) in to.iter_mut().zip(a).zip(b) {
        *to = if OP == LogicOp::And as u8 {
            a & b
        } else if OP == LogicOp::Or as u8 {
            a | b
        } else if OP == LogicOp::Xor as u8 {
            a ^ b
        } else if OP == LogicOp::Iff as u8 {
            !(a ^ b)
        } else if OP == LogicOp::Implies as u8 {
            !a | b
        } else {
            !a
        };
    }
}

#[inline(always)]
pub(super) fn ones(words: &[u64]) -> u64 {
    words.iter().map(|word| u64::from(word.count_ones())).sum()
}
