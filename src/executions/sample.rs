//! Which rows stay when there are too many: a choice by seed that is the same on every machine.

use crate::support::hash::{GOLDEN, mix};

/// How many unique rows are kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Unique rows of the original.
    pub correct: usize,
    /// Unique rows of all mutants together.
    pub incorrect: usize,
}

impl Default for Limits {
    /// 9,000 of each. The authors' tool takes 900 and 8,100, from at most 100 source inputs.
    fn default() -> Self {
        Limits { correct: 9_000, incorrect: 9_000 }
    }
}

/// Makes the sample of mutants' rows independent of the sample of the original's.
pub(super) const INCORRECT: u64 = 0x696e_636f_7272_6563;

/// The sort key of a row for a seed: the number at the row's position in the seed's SplitMix64 stream.
pub(super) fn key(row: usize, seed: u64) -> u64 {
    mix(seed.wrapping_add((row as u64 + 1).wrapping_mul(GOLDEN)))
}

/// Chooses at most `limit` of `rows` rows, in ascending order: those for which `first` holds, then those
/// with the smallest keys.
pub(super) fn choose(
    rows: usize,
    limit: usize,
    seed: u64,
    first: impl Fn(usize) -> bool,
) -> Vec<usize> {
    let mut chosen: Vec<usize> = (0..rows).collect();
    if rows > limit {
        if limit > 0 {
            chosen.select_nth_unstable_by_key(limit - 1, |&row| (!first(row), key(row, seed), row));
        }
        chosen.truncate(limit);
        chosen.sort_unstable();
    }
    chosen
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_stream_is_the_published_one() {
        // SplitMix64 from seed 0, as in its reference implementation.
        assert_eq!(key(0, 0), 0xe220_a839_7b1d_cdaf);
        assert_eq!(key(1, 0), 0x6e78_9e6a_a1b9_65f4);
    }

    #[test]
    fn a_choice_is_in_order_unique_and_as_large_as_asked() {
        for (rows, limit) in [(0, 5), (5, 5), (5, 0), (1000, 300)] {
            let chosen = choose(rows, limit, 3, |_| false);
            assert_eq!(chosen.len(), rows.min(limit));
            assert!(chosen.is_sorted_by(|a, b| a < b));
        }
        let chosen = choose(10_000, 5_000, 3, |_| false);
        let low = chosen.iter().filter(|&&row| row < 5_000).count();
        assert!((2_300..2_700).contains(&low), "{low}");
    }
}
