//! Eight lanes on x86-64: two 256-bit registers with AVX2, one 512-bit register with AVX-512.
//!
//! AVX-512 stands for F, BW, DQ, VL, VBMI (which spreads bits by permuting bytes) and VPOPCNTDQ; `Isa` asks
//! for all of them.
//!
//! `wide` fixes its lanes when the crate is compiled; these are chosen when the program runs.

use std::arch::x86_64::*;

use super::lanes::{Lanes, methods};
use super::spread::{CHUNK_BYTES, Planes};

/// Rounds toward zero; scaled by 2^0.
const TRUNCATE: i32 = _MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC;

#[derive(Clone, Copy)]
pub(super) struct Avx2(__m256d, __m256d);

/// Applies a two-operand intrinsic to both halves.
macro_rules! halves {
    ($a:expr, $b:expr, $f:expr) => {{
        let (a, b) = ($a, $b);
        // SAFETY: the caller of the method has AVX2.
        unsafe { Avx2($f(a.0, b.0), $f(a.1, b.1)) }
    }};
}

// SAFETY (of all methods): the caller has AVX2, and eight f64s behind a pointer.
impl Lanes for Avx2 {
    type Bits = Avx2;

    #[inline(always)]
    unsafe fn load(from: *const f64) -> Self {
        // SAFETY: eight readable f64s.
        unsafe { Avx2(_mm256_loadu_pd(from), _mm256_loadu_pd(from.add(4))) }
    }
    #[inline(always)]
    unsafe fn splat(value: f64) -> Self {
        // SAFETY: AVX2.
        unsafe { Avx2(_mm256_set1_pd(value), _mm256_set1_pd(value)) }
    }
    #[inline(always)]
    unsafe fn store(self, to: *mut f64) {
        // SAFETY: eight writable f64s.
        unsafe {
            _mm256_storeu_pd(to, self.0);
            _mm256_storeu_pd(to.add(4), self.1);
        }
    }
    methods! { halves:
        add = _mm256_add_pd => Self;
        sub = _mm256_sub_pd => Self;
        mul = _mm256_mul_pd => Self;
        div = _mm256_div_pd => Self;
        min = _mm256_min_pd => Self;
        eq = _mm256_cmp_pd::<_CMP_EQ_OQ> => Self;
        lt = _mm256_cmp_pd::<_CMP_LT_OQ> => Self;
        not_lt = _mm256_cmp_pd::<_CMP_NLT_UQ> => Self;
        le = _mm256_cmp_pd::<_CMP_LE_OQ> => Self;
    }
    #[inline(always)]
    unsafe fn abs(self) -> Self {
        // SAFETY: AVX2.
        let sign = unsafe { Self::splat(-0.0) };
        halves!(sign, self, _mm256_andnot_pd)
    }
    #[inline(always)]
    unsafe fn max_abs(self, b: Self) -> Self {
        // SAFETY: AVX2.
        let (a, b) = unsafe { (self.abs(), b.abs()) };
        halves!(a, b, _mm256_max_pd)
    }
    #[inline(always)]
    unsafe fn is_nan(self) -> Self {
        halves!(self, self, _mm256_cmp_pd::<_CMP_UNORD_Q>)
    }
    #[inline(always)]
    unsafe fn replace(self, bits: Self, b: Self) -> Self {
        // SAFETY: AVX2.
        unsafe {
            Avx2(_mm256_blendv_pd(self.0, b.0, bits.0), _mm256_blendv_pd(self.1, b.1, bits.1))
        }
    }
    #[inline(always)]
    unsafe fn and(a: Self, b: Self) -> Self {
        halves!(a, b, _mm256_and_pd)
    }
    #[inline(always)]
    unsafe fn xor(a: Self, b: Self) -> Self {
        halves!(a, b, _mm256_xor_pd)
    }
    #[inline(always)]
    unsafe fn and_not(a: Self, not: Self) -> Self {
        halves!(not, a, _mm256_andnot_pd)
    }
    #[inline(always)]
    unsafe fn byte(bits: Self) -> u8 {
        // One shuffle packs the low half of every 64-bit truth value, so that one move takes eight
        // rows. It works within 128-bit halves (rows 0 1 4 5, 2 3 6 7); the permutation mends that.
        // SAFETY: AVX2.
        unsafe {
            let (low, high) = (_mm256_castpd_ps(bits.0), _mm256_castpd_ps(bits.1));
            let packed = _mm256_castps_pd(_mm256_shuffle_ps::<0x88>(low, high));
            let ordered = _mm256_castpd_ps(_mm256_permute4x64_pd::<0b11_01_10_00>(packed));
            _mm256_movemask_ps(ordered) as u8
        }
    }
    #[inline(always)]
    unsafe fn equal(a: *const u32, b: *const u32) -> u8 {
        // SAFETY: eight readable u32s behind both pointers.
        unsafe {
            let (a, b) = (_mm256_loadu_si256(a.cast()), _mm256_loadu_si256(b.cast()));
            let equal = _mm256_castsi256_ps(_mm256_cmpeq_epi32(a, b));
            _mm256_movemask_ps(equal) as u8
        }
    }
    #[inline(always)]
    unsafe fn trunc(self) -> Self {
        // SAFETY: AVX2.
        unsafe { Avx2(_mm256_round_pd::<TRUNCATE>(self.0), _mm256_round_pd::<TRUNCATE>(self.1)) }
    }
    #[inline(always)]
    unsafe fn store_integers(self, to: *mut u32) {
        // SAFETY: eight writable u32s.
        unsafe {
            _mm_storeu_si128(to.cast(), _mm256_cvttpd_epi32(self.0));
            _mm_storeu_si128(to.add(4).cast(), _mm256_cvttpd_epi32(self.1));
        }
    }
    #[inline(always)]
    unsafe fn equal_bytes(a: *const u8, b: *const u8) -> u16 {
        // SAFETY: forwarded.
        unsafe { equal_sixteen(a, b) }
    }
    #[inline(always)]
    unsafe fn spread<const CHUNKS: usize>(to: *mut u64, few: *const u64, planes: Planes) {
        // A shuffle looks up 16 bytes: each chunk is eight of them. A lane whose byte is elsewhere
        // gets an index with the highest bit set, which gives 0.
        const SHUFFLES: usize = CHUNK_BYTES / 16;
        // SAFETY: AVX2; 32 bytes from `half * 32` on are within the planes, and the words of a chunk
        // within `few`.
        unsafe {
            let few = few.cast::<__m128i>();
            let sixteen = _mm256_set1_epi8(16);
            let elsewhere = _mm256_set1_epi8(0x70);
            for half in 0..planes.words * 2 {
                let load = |plane: *const u8| _mm256_loadu_si256(plane.add(half * 32).cast());
                let (bytes, bits, chunk) =
                    (load(planes.bytes), load(planes.bits), load(planes.chunk));
                let mut found = _mm256_setzero_si256();
                for i in 0..CHUNKS {
                    let mut place = bytes;
                    if CHUNKS > 1 {
                        let here = _mm256_cmpeq_epi8(chunk, _mm256_set1_epi8(i as i8));
                        place = _mm256_or_si256(
                            place,
                            _mm256_andnot_si256(here, _mm256_set1_epi8(i8::MIN)),
                        );
                    }
                    for shuffle in 0..SHUFFLES {
                        let table = _mm_loadu_si128(few.add(i * SHUFFLES + shuffle));
                        let index = _mm256_adds_epu8(place, elsewhere);
                        let looked_up =
                            _mm256_shuffle_epi8(_mm256_broadcastsi128_si256(table), index);
                        found = _mm256_or_si256(found, looked_up);
                        place = _mm256_sub_epi8(place, sixteen);
                    }
                }
                let is_set = _mm256_cmpeq_epi8(_mm256_and_si256(found, bits), bits);
                *to.cast::<u32>().add(half) = _mm256_movemask_epi8(is_set) as u32;
            }
        }
    }
}

/// Where sixteen pairs of bytes are equal, as every x86-64 can say.
#[inline(always)]
unsafe fn equal_sixteen(a: *const u8, b: *const u8) -> u16 {
    // SAFETY: sixteen readable bytes behind both pointers.
    unsafe {
        let (a, b) = (_mm_loadu_si128(a.cast()), _mm_loadu_si128(b.cast()));
        _mm_movemask_epi8(_mm_cmpeq_epi8(a, b)) as u16
    }
}

#[derive(Clone, Copy)]
pub(super) struct Avx512(__m512d);

/// The larger magnitude, as a positive number.
const MAX_MAGNITUDE: i32 = 0b1011;

/// Applies a two-operand intrinsic to a register.
macro_rules! whole {
    ($a:expr, $b:expr, $f:expr) => {
        // SAFETY: the caller of the method has AVX-512.
        unsafe { Avx512($f($a.0, $b.0)) }
    };
}

/// The same for an intrinsic that compares.
macro_rules! mask {
    ($a:expr, $b:expr, $f:expr) => {
        // SAFETY: the caller of the method has AVX-512.
        unsafe { $f($a.0, $b.0) }
    };
}

// SAFETY (of all methods): the caller has AVX-512 F, BW, DQ, VL and VBMI, and eight f64s behind a
// pointer.
impl Lanes for Avx512 {
    type Bits = __mmask8;

    #[inline(always)]
    unsafe fn load(from: *const f64) -> Self {
        // SAFETY: eight readable f64s.
        unsafe { Avx512(_mm512_loadu_pd(from)) }
    }
    #[inline(always)]
    unsafe fn splat(value: f64) -> Self {
        // SAFETY: AVX-512.
        unsafe { Avx512(_mm512_set1_pd(value)) }
    }
    #[inline(always)]
    unsafe fn store(self, to: *mut f64) {
        // SAFETY: eight writable f64s.
        unsafe { _mm512_storeu_pd(to, self.0) }
    }
    methods! { whole:
        add = _mm512_add_pd => Self;
        sub = _mm512_sub_pd => Self;
        mul = _mm512_mul_pd => Self;
        div = _mm512_div_pd => Self;
        max_abs = _mm512_range_pd::<MAX_MAGNITUDE> => Self;
        min = _mm512_min_pd => Self;
    }
    #[inline(always)]
    unsafe fn abs(self) -> Self {
        // SAFETY: AVX-512.
        unsafe { Avx512(_mm512_abs_pd(self.0)) }
    }
    methods! { mask:
        eq = _mm512_cmp_pd_mask::<_CMP_EQ_OQ> => __mmask8;
        lt = _mm512_cmp_pd_mask::<_CMP_LT_OQ> => __mmask8;
        not_lt = _mm512_cmp_pd_mask::<_CMP_NLT_UQ> => __mmask8;
        le = _mm512_cmp_pd_mask::<_CMP_LE_OQ> => __mmask8;
    }
    #[inline(always)]
    unsafe fn is_nan(self) -> __mmask8 {
        // SAFETY: AVX-512.
        unsafe { _mm512_cmp_pd_mask::<_CMP_UNORD_Q>(self.0, self.0) }
    }
    #[inline(always)]
    unsafe fn replace(self, bits: __mmask8, b: Self) -> Self {
        // SAFETY: AVX-512.
        unsafe { Avx512(_mm512_mask_mov_pd(self.0, bits, b.0)) }
    }
    #[inline(always)]
    unsafe fn and(a: __mmask8, b: __mmask8) -> __mmask8 {
        a & b
    }
    #[inline(always)]
    unsafe fn xor(a: __mmask8, b: __mmask8) -> __mmask8 {
        a ^ b
    }
    #[inline(always)]
    unsafe fn and_not(a: __mmask8, not: __mmask8) -> __mmask8 {
        a & !not
    }
    #[inline(always)]
    unsafe fn byte(bits: __mmask8) -> u8 {
        bits
    }
    #[inline(always)]
    unsafe fn equal(a: *const u32, b: *const u32) -> u8 {
        // SAFETY: eight readable u32s behind both pointers.
        unsafe {
            let (a, b) = (_mm256_loadu_si256(a.cast()), _mm256_loadu_si256(b.cast()));
            _mm256_cmpeq_epi32_mask(a, b)
        }
    }
    #[inline(always)]
    unsafe fn trunc(self) -> Self {
        // SAFETY: AVX-512.
        unsafe { Avx512(_mm512_roundscale_pd::<TRUNCATE>(self.0)) }
    }
    #[inline(always)]
    unsafe fn store_integers(self, to: *mut u32) {
        // SAFETY: eight writable u32s.
        unsafe { _mm256_storeu_si256(to.cast(), _mm512_cvttpd_epi32(self.0)) }
    }
    #[inline(always)]
    unsafe fn equal_bytes(a: *const u8, b: *const u8) -> u16 {
        // SAFETY: forwarded.
        unsafe { equal_sixteen(a, b) }
    }
    #[inline(always)]
    unsafe fn spread<const CHUNKS: usize>(to: *mut u64, few: *const u64, planes: Planes) {
        // SAFETY: AVX-512 with VBMI; 64 bytes from `word * 64` on are within the planes, and the two
        // halves of a chunk within `few`.
        unsafe {
            let mut chunks = [[_mm512_setzero_si512(); 2]; CHUNKS];
            for (i, chunk) in chunks.iter_mut().enumerate() {
                let from = few.cast::<__m512i>().add(2 * i);
                *chunk = [_mm512_loadu_si512(from), _mm512_loadu_si512(from.add(1))];
            }
            for word in 0..planes.words {
                let load = |plane: *const u8| _mm512_loadu_si512(plane.add(word * 64).cast());
                let (bytes, bits) = (load(planes.bytes), load(planes.bits));
                let mut found = _mm512_setzero_si512();
                for (i, &[low, high]) in chunks.iter().enumerate() {
                    let here = if CHUNKS == 1 {
                        !0
                    } else {
                        _mm512_cmpeq_epi8_mask(load(planes.chunk), _mm512_set1_epi8(i as i8))
                    };
                    let eight = _mm512_maskz_permutex2var_epi8(here, low, bytes, high);
                    found = _mm512_or_si512(found, eight);
                }
                *to.add(word) = _mm512_test_epi8_mask(found, bits);
            }
        }
    }
}
