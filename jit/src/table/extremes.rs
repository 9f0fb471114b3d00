//! What stands out in the sequences of a column: computed when a relation first asks for it, and kept.

use super::dictionary::Dictionary;
use super::{AlignedNumbers, NumColumn, SeqColumn, Table};
use crate::interval::Interval;
use crate::mask::WORD;
use crate::op::{self, MeasureOp};

/// An element of a sequence that stands out. Tables keep them per variable, once they are asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub(crate) enum Extreme {
    First,
    Last,
    Least,
    Greatest,
}

impl Extreme {
    pub(crate) const ALL: [Extreme; 4] =
        [Extreme::First, Extreme::Last, Extreme::Least, Extreme::Greatest];

    /// The operator that gives it.
    pub(crate) const fn measure(self) -> MeasureOp {
        match self {
            Extreme::First => MeasureOp::First,
            Extreme::Last => MeasureOp::Last,
            Extreme::Least => MeasureOp::Least,
            Extreme::Greatest => MeasureOp::Greatest,
        }
    }
}

/// The element of a sequence that stands out; 0 of none.
pub(crate) fn extreme(extreme: Extreme, dictionary: &Dictionary, codes: &[u32]) -> f64 {
    let number = |&code: &u32| dictionary.number(code);
    let found = match extreme {
        Extreme::First => codes.first().map(number),
        Extreme::Last => codes.last().map(number),
        Extreme::Least => codes.iter().map(number).min_by(op::in_order),
        Extreme::Greatest => codes.iter().map(number).max_by(op::in_order),
    };
    found.unwrap_or(0.0)
}

/// First, last, least and greatest elements of a column's sequences, and which of them are sorted.
#[derive(Debug)]
pub(crate) struct Extremes {
    columns: [NumColumn; 4],
    sorted: Vec<u64>,
}

impl Extremes {
    /// One number per padded row.
    #[inline]
    pub(crate) fn column(&self, extreme: Extreme) -> &NumColumn {
        &self.columns[extreme as usize]
    }

    /// Where the sequences are sorted. Bits past the end of a group mean nothing.
    #[inline]
    pub(crate) fn sorted(&self) -> &[u64] {
        &self.sorted
    }
}

impl SeqColumn {
    /// The extremes of the column, which is one of this table.
    pub(crate) fn extremes(&self, table: &Table) -> &Extremes {
        self.extremes.get_or_init(|| {
            let dictionary = table.dictionary();
            let numbers = |which| {
                let mut data = AlignedNumbers::zeroed(self.lens.len());
                for (row, to) in data.as_mut_slice().iter_mut().enumerate() {
                    *to = extreme(which, dictionary, self.codes(row, dictionary));
                }
                let facts = Interval::of(data.as_slice());
                NumColumn { data, facts }
            };
            let is_sorted = |row: usize| {
                let number = |place: &u32| dictionary.number(*place);
                let mut pairs = self.codes(row, dictionary).windows(2);
                pairs.all(|pair| {
                    op::is_sorted(&[number(&pair[0]), number(&pair[1])], table.tolerance())
                })
            };
            let mut sorted = vec![0; self.lens.len() / WORD];
            for row in (0..self.lens.len()).filter(|&row| is_sorted(row)) {
                sorted[row / WORD] |= 1 << (row % WORD);
            }
            Box::new(Extremes { columns: Extreme::ALL.map(numbers), sorted })
        })
    }

    fn codes<'d>(&self, row: usize, dictionary: &'d Dictionary) -> &'d [u32] {
        &dictionary.codes()[self.starts[row] as usize..][..self.lens[row] as usize]
    }
}
