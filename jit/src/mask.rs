//! One bit per row: where a relation holds.
//!
//! ```text
//! rows      0 ………………… 63 64 …… 99      0 ………… 63 64 … 70
//! words    [  word 0    ][word 1  0000][  word 2  ][w3 00000]
//!          └────── group 0 (100 rows) ─┘└─ group 1 (71 rows) ┘
//! ```
//! Each group of rows begins a word of its own, so no word straddles two groups and counting a
//! group is a popcount over whole words. Bits past the end of a group are always 0 in a [`Mask`].

use std::ops::Range;
use std::sync::Arc;

/// Rows per mask word.
pub const WORD: usize = 64;

/// How rows are laid out in words: groups one after the other, each padded to whole words.
#[derive(Debug, PartialEq, Eq)]
pub struct Layout {
    groups: Vec<Group>,
    rows: usize,
    words: usize,
}

/// A run of rows that is counted on its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Group {
    /// The first row, in table order.
    pub first_row: usize,
    /// The number of rows, without the padding of the last word.
    pub rows: usize,
    /// The word that holds the first row as its lowest bit.
    pub first_word: usize,
}

impl Group {
    /// The words that hold the group.
    #[inline]
    pub fn words(&self) -> Range<usize> {
        self.first_word..self.first_word + self.rows.div_ceil(WORD)
    }

    /// The bits of the last word that stand for rows.
    #[inline]
    fn last_word_mask(&self) -> u64 {
        match self.rows % WORD {
            0 => !0,
            used => (1 << used) - 1,
        }
    }
}

impl Layout {
    /// The layout of consecutive groups with these numbers of rows.
    pub fn new(rows_per_group: &[usize]) -> Layout {
        let mut layout = Layout { groups: Vec::new(), rows: 0, words: 0 };
        for &rows in rows_per_group {
            let group = Group { first_row: layout.rows, rows, first_word: layout.words };
            layout.rows += rows;
            layout.words = group.words().end;
            layout.groups.push(group);
        }
        layout
    }

    /// The number of rows of all groups, without padding.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// The number of words of all groups.
    pub fn words(&self) -> usize {
        self.words
    }

    /// Rows including the padding of every group.
    pub fn padded_rows(&self) -> usize {
        self.words * WORD
    }

    /// The groups in order.
    pub fn groups(&self) -> &[Group] {
        &self.groups
    }

    /// Where a row stands among the padded rows.
    ///
    /// # Panics
    /// If there is no such row.
    #[inline]
    pub fn position(&self, row: usize) -> usize {
        assert!(row < self.rows, "row {row} of {}", self.rows);
        let after = self.groups.partition_point(|group| group.first_row <= row);
        // Empty groups share their first row with the next one; the last such group has the row.
        let group = &self.groups[after - 1];
        group.first_word * WORD + row - group.first_row
    }

    /// Adds up the set bits of each group in a strip of words; clears padding on the way.
    #[inline]
    pub(crate) fn count_strip(
        &self,
        first_word: usize,
        strip: &mut [u64],
        counts: &mut [u32],
        ones: impl Fn(&[u64]) -> u32,
    ) {
        let end = first_word + strip.len();
        for (group, count) in self.groups.iter().zip(counts) {
            let words = group.words();
            let (from, to) = (words.start.max(first_word), words.end.min(end));
            if from >= to {
                continue;
            }
            let part = &mut strip[from - first_word..to - first_word];
            if let (true, Some(last)) = (to == words.end, part.last_mut()) {
                *last &= group.last_word_mask();
            }
            *count += ones(part);
        }
    }

    /// Clears the bits that stand for no row.
    #[inline]
    pub(crate) fn clear_padding(&self, words: &mut [u64]) {
        for group in &self.groups {
            if let Some(last) = words[group.words()].last_mut() {
                *last &= group.last_word_mask();
            }
        }
    }
}

/// Where a relation holds: one bit per row of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mask {
    layout: Arc<Layout>,
    words: Vec<u64>,
}

impl Mask {
    /// A mask that is false everywhere.
    pub fn empty(layout: &Arc<Layout>) -> Mask {
        Mask { layout: Arc::clone(layout), words: vec![0; layout.words()] }
    }

    /// The layout of the rows.
    pub fn layout(&self) -> &Arc<Layout> {
        &self.layout
    }

    /// The bits; those that stand for no row are 0.
    #[inline]
    pub fn words(&self) -> &[u64] {
        &self.words
    }

    /// The bits of one group.
    #[inline]
    pub fn group_words(&self, group: usize) -> &[u64] {
        &self.words[self.layout.groups[group].words()]
    }

    /// Whether the relation holds on a row.
    ///
    /// # Panics
    /// If there is no such row.
    #[inline]
    pub fn get(&self, row: usize) -> bool {
        let position = self.layout.position(row);
        self.words[position / WORD] >> (position % WORD) & 1 == 1
    }

    /// Sets whether the relation holds on a row.
    ///
    /// # Panics
    /// If there is no such row.
    #[inline]
    pub fn set(&mut self, row: usize, holds: bool) {
        let position = self.layout.position(row);
        let bit = 1 << (position % WORD);
        let word = &mut self.words[position / WORD];
        *word = if holds { *word | bit } else { *word & !bit };
    }

    /// On how many rows the relation holds.
    pub fn count_ones(&self) -> usize {
        self.words.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// On how many rows of one group the relation holds.
    pub fn count_ones_in(&self, group: usize) -> usize {
        self.group_words(group).iter().map(|word| word.count_ones() as usize).sum()
    }

    /// The rows in order, as truth values.
    pub fn iter(&self) -> impl Iterator<Item = bool> + '_ {
        self.layout.groups.iter().flat_map(|group| {
            let words = &self.words[group.words()];
            (0..group.rows).map(move |row| words[row / WORD] >> (row % WORD) & 1 == 1)
        })
    }

    /// Makes the mask fit a layout and lets `fill` write all its words; padding is cleared after.
    pub(crate) fn fill(&mut self, layout: &Arc<Layout>, fill: impl FnOnce(&mut [u64])) {
        if !Arc::ptr_eq(&self.layout, layout) {
            self.layout = Arc::clone(layout);
            self.words.resize(layout.words(), 0);
        }
        fill(&mut self.words);
        layout.clear_padding(&mut self.words);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_begin_words_of_their_own() {
        let layout = Layout::new(&[100, 0, 71, 64]);
        assert_eq!(layout.rows(), 235);
        assert_eq!(layout.words(), 5);
        assert_eq!(layout.position(99), 99);
        assert_eq!(layout.position(100), 128);
        assert_eq!(layout.position(170), 198);
        assert_eq!(layout.position(171), 256);
    }

    #[test]
    fn counts_are_per_group_and_padding_does_not_count() {
        let layout = Arc::new(Layout::new(&[100, 71]));
        let mut mask = Mask::empty(&layout);
        mask.fill(&layout, |words| words.fill(!0));
        assert_eq!(mask.count_ones_in(0), 100);
        assert_eq!(mask.count_ones_in(1), 71);
        mask.set(100, false);
        assert!(!mask.get(100));
        assert!(mask.get(99));
        assert_eq!(mask.count_ones(), 170);
        assert_eq!(mask.iter().filter(|holds| *holds).count(), 170);
    }

    #[test]
    fn a_table_without_rows_has_no_words() {
        for groups in [&[][..], &[0], &[0, 0]] {
            let layout = Arc::new(Layout::new(groups));
            assert_eq!(layout.words(), 0);
            assert_eq!(Mask::empty(&layout).count_ones(), 0);
        }
    }
}
