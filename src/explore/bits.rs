//! Sets of rows, 64 to a word.

/// A set of rows.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Bits {
    words: Vec<u64>,
    rows: usize,
}

impl Bits {
    /// The rows of which a test is true.
    pub(super) fn of(rows: usize, mut test: impl FnMut(usize) -> bool) -> Bits {
        let word = |first: usize, test: &mut dyn FnMut(usize) -> bool| {
            let last = rows.min(first + 64);
            (first..last).rev().fold(0, |word, row| word << 1 | u64::from(test(row)))
        };
        let words = (0..rows).step_by(64).map(|first| word(first, &mut test)).collect();
        Bits { words, rows }
    }

    /// The first rows of a set of words; what stands behind them is left out.
    pub(super) fn of_words(rows: usize, words: &[u64]) -> Bits {
        let mut words = words[..rows.div_ceil(64)].to_vec();
        if let (Some(last), used @ 1..) = (words.last_mut(), rows % 64) {
            *last &= (1 << used) - 1;
        }
        Bits { words, rows }
    }

    /// All of the rows.
    pub(super) fn all(rows: usize) -> Bits {
        Bits::of_words(rows, &vec![!0; rows.div_ceil(64)])
    }

    pub(super) fn rows(&self) -> usize {
        self.rows
    }

    pub(super) fn has(&self, row: usize) -> bool {
        self.words[row / 64] >> (row % 64) & 1 == 1
    }

    pub(super) fn count(&self) -> usize {
        self.words.iter().map(|word| word.count_ones() as usize).sum()
    }

    pub(super) fn is_full(&self) -> bool {
        self.count() == self.rows
    }

    /// Whether all rows of this set are in the other.
    pub(super) fn is_within(&self, other: &Bits) -> bool {
        self.words.iter().zip(&other.words).all(|(a, b)| a & !b == 0)
    }

    /// How many rows of this set the other lacks.
    pub(super) fn count_without(&self, other: &Bits) -> usize {
        self.words.iter().zip(&other.words).map(|(a, b)| (a & !b).count_ones() as usize).sum()
    }

    /// How many rows of this set neither of two others has.
    pub(super) fn count_without_either(&self, a: &Bits, b: &Bits) -> usize {
        let others = a.words.iter().zip(&b.words);
        let left = self.words.iter().zip(others).map(|(own, (a, b))| own & !a & !b);
        left.map(|word| word.count_ones() as usize).sum()
    }

    /// How many rows both have.
    pub(super) fn count_with(&self, other: &Bits) -> usize {
        self.words.iter().zip(&other.words).map(|(a, b)| (a & b).count_ones() as usize).sum()
    }

    /// The rows that are not in the set.
    pub(super) fn complement(&self) -> Bits {
        let words: Vec<u64> = self.words.iter().map(|word| !word).collect();
        Bits::of_words(self.rows, &words)
    }

    /// Keeps the rows that the other has, too.
    pub(super) fn intersect(&mut self, other: &Bits) {
        self.words.iter_mut().zip(&other.words).for_each(|(a, b)| *a &= b);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_of_rows_are_compared_word_by_word() {
        let even = Bits::of(130, |row| row % 2 == 0);
        let fourth = Bits::of(130, |row| row % 4 == 0);
        assert_eq!((even.count(), fourth.count()), (65, 33));
        assert!(fourth.is_within(&even) && !even.is_within(&fourth));
        assert_eq!((even.count_without(&fourth), even.count_with(&fourth)), (32, 33));
        assert!(Bits::all(130).is_full() && !even.is_full());
        assert_eq!(Bits::of_words(70, &[!0; 2]), Bits::of(70, |_| true));
        assert_eq!(even.complement(), Bits::of(130, |row| row % 2 == 1));
        let mut both = even.clone();
        both.intersect(&fourth);
        assert_eq!(both, fourth);
    }
}
