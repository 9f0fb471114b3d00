//! Some rows of a table, as a table.

use std::sync::{Arc, OnceLock};

use super::{AlignedNumbers, NumColumn, SeqColumn, StoredColumn, Table};
use crate::mask::Layout;
use crate::schema::Var;

impl Table {
    /// The rows at these places, in one group, and of their columns only those that are `read`: the others
    /// have no values. What was known of the columns is known of the rows that are picked, and
    /// the dictionary is shared.
    pub(crate) fn pick(&self, places: &[u32], read: impl Fn(Var) -> bool) -> Table {
        let layout = Layout::new(&[places.len()]);
        let pick = Pick { places, padded: layout.padded_rows() };
        let picked = |(var, column): (usize, &StoredColumn)| match column {
            StoredColumn::Bool(_) => StoredColumn::Bool(Vec::new()),
            _ if !read(Var(var as u16)) => StoredColumn::Bool(Vec::new()),
            StoredColumn::Num(column) => StoredColumn::Num(pick.numbers(column)),
            StoredColumn::Seq(column) => StoredColumn::Seq(Box::new(SeqColumn {
                starts: pick.of(&column.starts),
                flipped: pick.of(&column.flipped),
                lens: pick.of(&column.lens),
                length: pick.numbers(&column.length),
                sum: pick.numbers(&column.sum),
                extremes: OnceLock::new(),
            })),
        };
        Table {
            #[cfg(feature = "native")]
            id: super::next_id(),
            schema: self.schema.clone(),
            tolerance: self.tolerance,
            columns: self.columns.iter().enumerate().map(picked).collect(),
            layout: Arc::new(layout),
            dictionary: Arc::clone(&self.dictionary),
        }
    }

    /// About the bytes that its values take, without the dictionary.
    pub(crate) fn bytes(&self) -> usize {
        let numbers = |column: &NumColumn| size_of_val(column.values());
        let bytes = |column: &StoredColumn| match column {
            StoredColumn::Num(column) => numbers(column),
            StoredColumn::Bool(words) => size_of_val(words.as_slice()),
            StoredColumn::Seq(column) => {
                3 * size_of_val(column.lens.as_slice())
                    + numbers(&column.length)
                    + numbers(&column.sum)
            }
        };
        self.columns.iter().map(bytes).sum()
    }
}

/// Where values come from, and how many there are with their padding.
#[derive(Clone, Copy)]
struct Pick<'a> {
    places: &'a [u32],
    padded: usize,
}

impl Pick<'_> {
    fn of(self, values: &[u32]) -> Vec<u32> {
        let mut picked: Vec<u32> =
            self.places.iter().map(|&place| values[place as usize]).collect();
        picked.resize(self.padded, 0);
        picked
    }

    fn numbers(self, column: &NumColumn) -> NumColumn {
        let mut data = AlignedNumbers::zeroed(self.padded);
        let values = column.values();
        for (to, &place) in data.as_mut_slice().iter_mut().zip(self.places) {
            *to = values[place as usize];
        }
        NumColumn { data, facts: column.facts }
    }
}
