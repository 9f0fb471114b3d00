//! Bits of a few rows, spread to all rows that are like them.
//!
//! ```text
//! few    [ 0 1 1 0 … ]            one bit per distinct row, 1,024 of them in a chunk
//! codes    2 0 0 1 2 3 …          which of them each row is
//! to       1 0 0 1 1 0 …          one bit per row
//! ```
//! A look-up per row would cost as much as evaluating it. Bytes in registers can be permuted by other
//! bytes, 64 of them at once where the machine has AVX-512, so codes are kept as what such an
//! instruction takes: the byte of the chunk that has the bit, and the bit.

use super::lanes::Lanes;
use crate::mask::WORD;

/// Bits per chunk: the bytes of one can be told apart by seven bits.
const CHUNK: usize = 1024;

/// Bytes and words per chunk.
pub(super) const CHUNK_BYTES: usize = CHUNK / 8;
const CHUNK_WORDS: usize = CHUNK / WORD;

/// The most chunks that are looked through.
const MOST_CHUNKS: usize = 8;

/// Which of a few rows each row is like.
#[derive(Debug)]
pub(crate) struct Spread {
    /// The byte of its chunk, below `CHUNK_BYTES`.
    bytes: Vec<u8>,
    /// The bit of that byte: a power of two.
    bits: Vec<u8>,
    /// The chunk, below `chunks`.
    chunk: Vec<u8>,
    chunks: usize,
}

impl Spread {
    /// The most rows that others can be like.
    pub(crate) const MOST: usize = MOST_CHUNKS * CHUNK;

    /// By the code of every row, padding included.
    ///
    /// # Panics
    /// If there are too many distinct codes or a code is not below their number, or if the rows are not
    /// whole words.
    pub(crate) fn new(codes: &[u16], distinct: usize) -> Spread {
        assert!(distinct <= Spread::MOST && codes.len().is_multiple_of(WORD));
        assert!(codes.iter().all(|&code| usize::from(code) < distinct));
        let plane = |byte: fn(u16) -> u16| codes.iter().map(|&code| byte(code) as u8).collect();
        Spread {
            bytes: plane(|code| code % CHUNK as u16 / 8),
            bits: plane(|code| 1 << (code % 8)),
            chunk: plane(|code| code / CHUNK as u16),
            chunks: distinct.div_ceil(CHUNK),
        }
    }

    /// The most distinct rows that cost no more than `distinct` of them: whole chunks are looked through.
    pub(crate) fn without_cost(distinct: usize) -> usize {
        distinct.next_multiple_of(CHUNK)
    }

    /// How many words the bits of the few rows take, with those of chunks that are not full.
    pub(crate) fn few_words(&self) -> usize {
        self.chunks * CHUNK_WORDS
    }

    /// The words of all rows.
    pub(crate) fn words(&self) -> usize {
        self.bits.len() / WORD
    }

    pub(crate) fn memory(&self) -> usize {
        3 * self.bits.len()
    }

    /// What entries take. The words are those of `few_words` and `words`.
    pub(super) fn planes(&self) -> Planes {
        Planes {
            bytes: self.bytes.as_ptr(),
            bits: self.bits.as_ptr(),
            chunk: self.chunk.as_ptr(),
            chunks: self.chunks,
            words: self.words(),
        }
    }
}

/// A [`Spread`], for entries: `words * 64` bytes behind every pointer, that mean what they mean there.
#[derive(Clone, Copy)]
pub(super) struct Planes {
    pub(super) bytes: *const u8,
    pub(super) bits: *const u8,
    pub(super) chunk: *const u8,
    pub(super) chunks: usize,
    pub(super) words: usize,
}

/// `to` has a word per word of the planes, `few` the words of all chunks.
#[inline(always)]
pub(super) unsafe fn spread<L: Lanes>(to: *mut u64, few: *const u64, planes: Planes) {
    // SAFETY: forwarded.
    unsafe {
        match planes.chunks {
            0 => {}
            1 => L::spread::<1>(to, few, planes),
            2 => L::spread::<2>(to, few, planes),
            3 => L::spread::<3>(to, few, planes),
            4 => L::spread::<4>(to, few, planes),
            5 => L::spread::<5>(to, few, planes),
            6 => L::spread::<6>(to, few, planes),
            7 => L::spread::<7>(to, few, planes),
            _ => L::spread::<MOST_CHUNKS>(to, few, planes),
        }
    }
}

/// Row by row, on any machine.
#[inline(always)]
pub(super) unsafe fn spread_rows(to: *mut u64, few: *const u64, planes: Planes) {
    // SAFETY: the caller vouches for the planes and for `few`; a chunk is one of `chunks`, and its
    // bytes are below `CHUNK_BYTES`.
    unsafe {
        for word in 0..planes.words {
            let mut bits = 0;
            for i in 0..WORD {
                let row = word * WORD + i;
                let byte = usize::from(*planes.chunk.add(row)) * CHUNK_BYTES
                    + usize::from(*planes.bytes.add(row));
                let eight = (*few.add(byte / 8) >> (byte % 8 * 8)) as u8;
                bits |= u64::from(eight & *planes.bits.add(row) != 0) << i;
            }
            *to.add(word) = bits;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Isa, Kernels};
    use super::*;

    #[test]
    fn every_row_gets_the_bit_of_the_row_that_it_is_like() {
        let words = 9;
        for distinct in [1, 2, 63, 64, 65, 500, 1024, 1025, 2048, 3000, 5000, 7169, Spread::MOST] {
            let mix = |i: usize| i.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32;
            let codes: Vec<u16> =
                (0..words * WORD).map(|row| (mix(row) % distinct) as u16).collect();
            let spread = Spread::new(&codes, distinct);
            let few: Vec<u64> =
                (0..spread.few_words()).map(|word| mix(word + 7) as u64 * 0x1_0001).collect();
            let is_set = |code: u16| few[usize::from(code) / WORD] >> (code % 64) & 1 == 1;
            for isa in Isa::ALL {
                let mut to = vec![0; words];
                Kernels::of(isa).spread(&mut to, &few, &spread);
                for (row, &code) in codes.iter().enumerate() {
                    let found = to[row / WORD] >> (row % WORD) & 1 == 1;
                    assert_eq!(found, is_set(code), "{isa:?}: row {row}, {code} of {distinct}");
                }
            }
        }
    }

    #[test]
    fn no_rows_are_spread_to_none() {
        let spread = Spread::new(&[], 0);
        Kernels::of(Isa::best()).spread(&mut [], &[], &spread);
    }
}
