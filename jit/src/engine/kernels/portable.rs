//! Eight lanes on any machine, through `wide`.

use wide::{f64x4, u8x16, u32x8};

use super::lanes::{Lanes, methods};

#[derive(Clone, Copy)]
pub(super) struct Portable([f64x4; 2]);

/// Applies a function of two operands to both halves.
macro_rules! zip {
    ($a:expr, $b:expr, $f:expr) => {
        $a.zip($b, $f)
    };
}

impl Portable {
    #[inline(always)]
    fn zip(self, b: Self, f: impl Fn(f64x4, f64x4) -> f64x4) -> Self {
        Portable([f(self.0[0], b.0[0]), f(self.0[1], b.0[1])])
    }
}

// SAFETY (of all methods): nothing but `load` and `store` is unsafe here; they are called with eight
// readable or writable f64s.
impl Lanes for Portable {
    type Bits = Portable;

    #[inline(always)]
    unsafe fn load(from: *const f64) -> Self {
        // SAFETY: the caller has eight readable f64s; an array of f64 needs no more alignment than f64.
        let rows = unsafe { from.cast::<[[f64; 4]; 2]>().read() };
        Portable(rows.map(f64x4::new))
    }
    #[inline(always)]
    unsafe fn splat(value: f64) -> Self {
        Portable([f64x4::splat(value); 2])
    }
    #[inline(always)]
    unsafe fn store(self, to: *mut f64) {
        // SAFETY: the caller has eight writable f64s.
        unsafe { to.cast::<[[f64; 4]; 2]>().write(self.0.map(f64x4::to_array)) }
    }
    methods! { zip:
        add = |a, b| a + b => Self;
        sub = |a, b| a - b => Self;
        mul = |a, b| a * b => Self;
        div = |a, b| a / b => Self;
        max_abs = |a, b| a.abs().fast_max(b.abs()) => Self;
        min = f64x4::fast_min => Self;
        eq = f64x4::simd_eq => Self;
        lt = f64x4::simd_lt => Self;
        not_lt = |a, b| !a.simd_lt(b) => Self;
        le = f64x4::simd_le => Self;
    }
    #[inline(always)]
    unsafe fn abs(self) -> Self {
        Portable(self.0.map(f64x4::abs))
    }
    #[inline(always)]
    unsafe fn is_nan(self) -> Self {
        Portable(self.0.map(f64x4::is_nan))
    }
    #[inline(always)]
    unsafe fn replace(self, bits: Self, b: Self) -> Self {
        let pick = |i: usize| bits.0[i].bitselect(b.0[i], self.0[i]);
        Portable([pick(0), pick(1)])
    }
    #[inline(always)]
    unsafe fn and(a: Self, b: Self) -> Self {
        a.zip(b, |a, b| a & b)
    }
    #[inline(always)]
    unsafe fn xor(a: Self, b: Self) -> Self {
        a.zip(b, |a, b| a ^ b)
    }
    #[inline(always)]
    unsafe fn and_not(a: Self, not: Self) -> Self {
        a.zip(not, |a, not| a & !not)
    }
    #[inline(always)]
    unsafe fn byte(bits: Self) -> u8 {
        (bits.0[0].to_bitmask() | bits.0[1].to_bitmask() << 4) as u8
    }
    #[inline(always)]
    unsafe fn equal(a: *const u32, b: *const u32) -> u8 {
        // SAFETY: the caller has eight readable u32s behind both pointers.
        let (a, b) = unsafe { (a.cast::<[u32; 8]>().read(), b.cast::<[u32; 8]>().read()) };
        u32x8::new(a).simd_eq(u32x8::new(b)).to_bitmask() as u8
    }
    #[inline(always)]
    unsafe fn trunc(self) -> Self {
        // SSE2 cannot, and `wide` goes through i64s one by one. Up to 2^52, adding it rounds to an
        // integer, at most one too large; from there on, all numbers are integers.
        let limit = f64x4::splat(4_503_599_627_370_496.0);
        Portable(self.0.map(|x| {
            let magnitude = x.abs();
            let near = magnitude + limit - limit;
            let below = near - (near.simd_gt(magnitude) & f64x4::splat(1.0));
            let signed = below | (x & f64x4::splat(-0.0));
            magnitude.simd_lt(limit).bitselect(signed, x)
        }))
    }
    #[inline(always)]
    unsafe fn store_integers(self, to: *mut u32) {
        let rows = self.0.map(|rows| rows.to_array().map(|x| x as i32 as u32));
        // SAFETY: the caller has eight writable u32s.
        unsafe { to.cast::<[[u32; 4]; 2]>().write(rows) }
    }
    #[inline(always)]
    unsafe fn equal_bytes(a: *const u8, b: *const u8) -> u16 {
        // SAFETY: the caller has sixteen readable bytes behind both pointers.
        let (a, b) = unsafe { (a.cast::<[u8; 16]>().read(), b.cast::<[u8; 16]>().read()) };
        u8x16::new(a).simd_eq(u8x16::new(b)).to_bitmask() as u16
    }
}
