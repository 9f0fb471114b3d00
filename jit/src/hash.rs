//! A small, fast, fixed hash: the same on every machine, in every run.
//!
//! Keys are never hostile here and every hit is verified against the full key, so speed decides.

/// Mixes 64-bit words into a hash.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Mixer(u64);

// The golden ratio and another odd constant with well-spread bits.
const SEED: u64 = 0x9e37_79b9_7f4a_7c15;
const FACTOR: u64 = 0xd6e8_feb8_6659_fd93;

/// The hash of one word.
#[inline]
pub(crate) fn hash(word: u64) -> u64 {
    let mut mixer = Mixer::new(0);
    mixer.add(word);
    mixer.finish()
}

impl Mixer {
    #[inline]
    pub(crate) fn new(seed: u64) -> Mixer {
        Mixer(seed ^ SEED)
    }

    #[inline]
    pub(crate) fn add(&mut self, word: u64) {
        // A folded 64x64 -> 128 multiply: every input bit reaches every output bit.
        let product = u128::from(self.0 ^ word).wrapping_mul(u128::from(FACTOR));
        self.0 = (product as u64 ^ (product >> 64) as u64).wrapping_add(SEED);
    }

    #[inline]
    pub(crate) fn finish(self) -> u64 {
        let mut h = self.0;
        h ^= h >> 32;
        h = h.wrapping_mul(FACTOR);
        h ^ (h >> 29)
    }
}
