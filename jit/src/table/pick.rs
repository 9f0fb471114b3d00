//! Some rows of a table, as a table.

use std::sync::Arc;

use super::{Aligned, NumColumn, SeqColumn, Stored, Table};
use crate::mask::Layout;
use crate::schema::Var;

impl Table {
    /// The rows at these places, in one group, and of their columns only those that are `read`: the others
    /// have no values. What was known of the columns is known of the rows that are picked, and
    /// the dictionary is shared.
    pub(crate) fn pick(&self, places: &[u32], read: impl Fn(Var) -> bool) -> Table {
        let layout = Layout::new(&[places.len()]);
        let pick = Pick { places, padded: layout.padded_rows() };
        let picked = |(var, column): (usize, &Stored)| match column {
            Stored::Bool(_) => Stored::Bool(Vec::new()),
            _ if !read(Var(var as u16)) => Stored::Bool(Vec::new()),
            Stored::Num(column) => Stored::Num(pick.numbers(column)),
            Stored::Seq(column) => Stored::Seq(Box::new(SeqColumn {
                starts: pick.of(&column.starts),
                flipped: pick.of(&column.flipped),
                lens: pick.of(&column.lens),
                length: pick.numbers(&column.length),
                sum: pick.numbers(&column.sum),
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
        let bytes = |column: &Stored| match column {
            Stored::Num(column) => numbers(column),
            Stored::Bool(words) => size_of_val(words.as_slice()),
            Stored::Seq(column) => {
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
        let mut data = Aligned::zeroed(self.padded);
        let values = column.values();
        for (to, &place) in data.as_mut_slice().iter_mut().zip(self.places) {
            *to = values[place as usize];
        }
        NumColumn { data, facts: column.facts }
    }
}
