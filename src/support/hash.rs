//! Small hashes with fixed numbers: SplitMix64's finaliser and FNV-1a. Results depend on them, so they never change.
//!
//! For what is written to files and compared by others there is `digest`.

/// 2^64 divided by the golden ratio: the step of SplitMix64.
pub(crate) const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;

/// The finaliser of SplitMix64 (Steele, Lea, Flood 2014, with Stafford's constants).
#[inline]
pub(crate) fn mix(mut z: u64) -> u64 {
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// The offset basis of the 64-bit FNV-1a.
pub(crate) const FNV_BASIS: u64 = 0xcbf2_9ce4_8422_2325;
/// The prime of the 64-bit FNV-1a.
pub(crate) const FNV_PRIME: u64 = 0x0000_0100_0000_01b3;

/// The 64-bit FNV-1a of bytes.
pub(crate) fn fnv(bytes: impl IntoIterator<Item = u8>) -> u64 {
    let step = |hash: u64, byte| (hash ^ u64::from(byte)).wrapping_mul(FNV_PRIME);
    bytes.into_iter().fold(FNV_BASIS, step)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hashes_are_the_published_ones() {
        assert_eq!(fnv([]), FNV_BASIS);
        assert_eq!(fnv(*b"foobar"), 0x8594_4171_f739_67e8);
        // SplitMix64 from seed 0, as in its reference implementation.
        assert_eq!(mix(GOLDEN), 0xe220_a839_7b1d_cdaf);
        assert_eq!(mix(GOLDEN.wrapping_mul(2)), 0x6e78_9e6a_a1b9_65f4);
    }
}
