//! Lengths and sums that need no sequence: from numbers to numbers. And the texts of numbers, whose
//! length is one of them.

use super::lanes::{LANES, Lanes, Pointer};
use crate::mask::WORD;
use crate::op;
use crate::program::DirectMeasure;
use crate::table::dictionary::{MAX_TEXT, TEXT_OF_ZERO, TEXT_STRIDE};

const TRUNCATED_LENGTH: u8 = DirectMeasure::TruncatedLength as u8;
const REMOVED_LENGTH: u8 = DirectMeasure::RemovedLength as u8;
const TEXT_LENGTH: u8 = DirectMeasure::TextLength as u8;

/// `to = measure(a, b)`, row by row.
#[inline(always)]
pub(super) unsafe fn measure<L: Lanes, const MEASURE: u8>(
    to: *mut f64,
    [mut a, mut b]: [Pointer; 2],
    words: usize,
) {
    // SAFETY: the caller vouches for `words * 64` rows behind every pointer and for the instruction
    // set; `row` advances by 8 up to `words * 64`.
    unsafe {
        for row in (0..words * WORD).step_by(LANES) {
            let x: L = a.next();
            let result = match MEASURE {
                TRUNCATED_LENGTH => truncated_length(x, b.next()),
                REMOVED_LENGTH => removed_length(x, b.next()),
                TEXT_LENGTH => text_length(index(x)),
                _ => text_sum(x),
            };
            result.store(to.add(row));
        }
    }
}

/// `toString(n)`: a slice for small integers, for others hollow.
#[inline(always)]
pub(super) unsafe fn text_views<L: Lanes>(
    starts: *mut u32,
    lens: *mut u32,
    mut n: Pointer,
    words: usize,
) {
    // SAFETY: as in `measure`. What is stored as an integer is a start of a small text, -1, or a
    // length.
    unsafe {
        let hollow = L::splat(-1.0);
        let largest = L::splat(f64::from(MAX_TEXT));
        let stride = L::splat(f64::from(TEXT_STRIDE));
        let zero = L::splat(f64::from(TEXT_OF_ZERO));
        for row in (0..words * WORD).step_by(LANES) {
            let n = index::<L>(n.next());
            let start = hollow.replace(n.abs().le(largest), zero.add(n.mul(stride)));
            start.store_integers(starts.add(row));
            text_length(n).store_integers(lens.add(row));
        }
    }
}

/// Truncated toward zero, and NaN to 0; never -0. Not saturated: where i64 ends, texts have their full
/// length and sequences have ended long before.
#[inline(always)]
unsafe fn index<L: Lanes>(n: L) -> L {
    // SAFETY: the caller has the instruction set.
    unsafe {
        let zero = L::splat(0.0);
        n.trunc().replace(n.is_nan(), zero).add(zero)
    }
}

#[inline(always)]
unsafe fn truncated_length<L: Lanes>(len: L, n: L) -> L {
    // SAFETY: the caller has the instruction set.
    unsafe {
        let zero = L::splat(0.0);
        let n = index(n);
        let rest = len.add(n);
        let rest = rest.replace(rest.lt(zero), zero);
        n.min(len).replace(n.lt(zero), rest)
    }
}

#[inline(always)]
unsafe fn removed_length<L: Lanes>(len: L, n: L) -> L {
    // SAFETY: the caller has the instruction set.
    unsafe {
        let n = index(n);
        let removes = L::and(L::splat(0.0).sub(len).le(n), n.lt(len));
        len.replace(removes, len.sub(L::splat(1.0)))
    }
}

/// The powers of ten that a 64-bit integer can reach, exact.
const POWERS: [f64; 18] = [
    1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17,
    1e18,
];

/// Most numbers have no more digits than this; for more, eight rows at a time take longer.
const FEW: usize = 4;

/// The length of the text of an [`index`].
#[inline(always)]
unsafe fn text_length<L: Lanes>(n: L) -> L {
    // SAFETY: the caller has the instruction set.
    unsafe {
        let one = L::splat(1.0);
        let magnitude = n.abs();
        let count = |len: L, power: &f64| len.replace(L::splat(*power).le(magnitude), len.add(one));
        let sign = L::splat(1.0).replace(n.lt(L::splat(0.0)), L::splat(2.0));
        let len = POWERS[..FEW - 1].iter().fold(sign, count);
        if L::byte(L::splat(POWERS[FEW - 1]).le(magnitude)) == 0 {
            return len;
        }
        POWERS[FEW - 1..].iter().fold(len, count)
    }
}

/// The sum of the characters of the text of n.
#[inline(always)]
unsafe fn text_sum<L: Lanes>(n: L) -> L {
    // SAFETY: the caller has the instruction set, and `rows` has eight f64s.
    unsafe {
        let n = index(n);
        let magnitude = n.abs();
        if L::byte(L::splat(LARGE).le(magnitude)) != 0 {
            let mut rows = [0.0; LANES];
            n.store(rows.as_mut_ptr());
            let rows = rows.map(one_text_sum);
            return L::load(rows.as_ptr());
        }
        // The digits of n add up to n less nine times the sum of n / 10, n / 100, … rounded
        // down. Half a unit keeps each quotient further from the next integer than it can be off.
        let middle = magnitude.add(L::splat(0.5));
        let add = |sum: L, power: &f64| sum.add(middle.mul(L::splat(1.0 / power)).trunc());
        let mut quotients = POWERS[..FEW - 1].iter().fold(L::splat(0.0), add);
        if L::byte(L::splat(POWERS[FEW - 1]).le(magnitude)) != 0 {
            quotients = POWERS[FEW - 1..QUOTIENTS].iter().fold(quotients, add);
        }
        let digits = magnitude.sub(quotients.mul(L::splat(9.0)));
        // A minus sign is 3 less than the `0` that it was counted as.
        let zeros = text_length(n).mul(L::splat(48.0));
        let zeros = zeros.replace(n.lt(L::splat(0.0)), zeros.sub(L::splat(3.0)));
        zeros.add(digits)
    }
}

/// From here on digits are counted one by one. (n + 0.5) / 10^k, off by less than 2^-51 of itself, is
/// off by less than 0.5 / 10^k while n < 10^15; this leaves room.
const LARGE: f64 = 1e14;
/// Of n below `LARGE`, this many quotients are not 0.
const QUOTIENTS: usize = 13;

/// As [`text_sum`], of a number of any size.
#[inline(never)]
fn one_text_sum(n: f64) -> f64 {
    let n = op::index(n);
    let mut sum = if n < 0 { u32::from(b'-') } else { 0 };
    let mut rest = n.unsigned_abs();
    loop {
        sum += u32::from(b'0') + (rest % 10) as u32;
        rest /= 10;
        if rest == 0 {
            return f64::from(sum);
        }
    }
}
