//! Eight f64s at a time: what kernels are written in, and what they read.

use super::spread::{Planes, spread_rows};

/// Rows per step of a kernel.
pub(crate) const LANES: usize = 8;

/// A number operand of a kernel: one value per row, or one for all rows (in every lane).
#[derive(Clone, Copy, Debug)]
pub(crate) enum Source<'a> {
    Rows(&'a [f64]),
    Splat(&'a [f64; LANES]),
}

/// Where a kernel reads, and how far it goes from eight rows to the next: 8, or 0 for a splat.
///
/// # Safety
/// Whoever makes one vouches for the rows that the kernel will read: as many as it writes, or eight if
/// the step is 0. `Kernels` does so after it has checked the lengths.
#[derive(Clone, Copy)]
pub(super) struct Pointer {
    pub(super) at: *const f64,
    pub(super) step: usize,
}

impl Pointer {
    /// The next eight rows.
    #[inline(always)]
    pub(super) unsafe fn next<L: Lanes>(&mut self) -> L {
        // SAFETY: the caller reads no more than the rows behind the pointer, a splat has eight
        // lanes and stays where it is, and the caller has the instruction set.
        unsafe {
            let lanes = L::load(self.at);
            self.at = self.at.add(self.step);
            lanes
        }
    }
}

/// Methods of [`Lanes`] with two operands, each by what is applied to them.
macro_rules! methods {
    ($apply:ident: $($name:ident = $f:expr => $result:ty;)*) => {
        $(#[inline(always)]
        unsafe fn $name(self, b: Self) -> $result {
            $apply!(self, b, $f)
        })*
    };
}
pub(super) use methods;

/// Eight f64s, however the machine holds them. The trait is safe to implement and unsafe to use.
///
/// # Safety
/// Of all methods, so that theirs need not repeat it: the machine has the instruction set of the
/// implementation, and there are as many readable or writable elements behind a pointer as the method
/// says, eight of them where it says nothing.
pub(super) trait Lanes: Copy {
    /// Eight truth values, one for each lane.
    type Bits: Copy;

    unsafe fn load(from: *const f64) -> Self;
    unsafe fn splat(value: f64) -> Self;
    unsafe fn store(self, to: *mut f64);
    unsafe fn add(self, b: Self) -> Self;
    unsafe fn sub(self, b: Self) -> Self;
    unsafe fn mul(self, b: Self) -> Self;
    unsafe fn div(self, b: Self) -> Self;
    unsafe fn abs(self) -> Self;
    /// The larger magnitude of two numbers; not specified if one is NaN.
    unsafe fn max_abs(self, b: Self) -> Self;
    /// The smaller of two numbers; not specified if one is NaN.
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
    /// Spreads the bits of a few rows, in `CHUNKS` chunks, to all rows; pointers as for [`Planes`].
    #[inline(always)]
    unsafe fn spread<const CHUNKS: usize>(to: *mut u64, few: *const u64, planes: Planes) {
        // SAFETY: forwarded.
        unsafe { spread_rows(to, few, planes) }
    }
}
