//! Typed columns, padded and checked at build. Storage only: what the rows mean is the caller's.
//!
//! | type | stored as |
//! |---|---|
//! | `Num` | f64s from a cache line on, zeros up to the next whole word of 64 rows |
//! | `Bool` | 64 rows per word |
//! | `Seq` | (start, length) in the table's dictionary of distinct sequences, and `length` and `sum` as `Num` columns |
//!
//! What is known of a number column (all integers? how large?) is found here once; the bytecode
//! compiler turns it into cheaper comparisons with the same meaning.

mod aligned;
mod column;
pub(crate) mod dictionary;
mod extremes;
mod pick;
pub(crate) mod prefix;

use std::borrow::Cow;
use std::sync::{Arc, OnceLock};

pub use self::column::{Column, Sequences};

use self::aligned::AlignedNumbers;
use self::dictionary::Dictionary;
use self::extremes::Extremes;
pub(crate) use self::extremes::{Extreme, extreme};
use crate::interval::Interval;
use crate::mask::{Layout, WORD};
use crate::op::{self, Type, Value};
use crate::schema::{Schema, Var};
use crate::tolerance::Tolerance;

/// Rows of values for the variables of a schema, in one or more groups, with a tolerance.
#[derive(Debug)]
pub struct Table {
    #[cfg(feature = "native")]
    id: u64,
    schema: Schema,
    tolerance: Tolerance,
    layout: Arc<Layout>,
    columns: Vec<StoredColumn>,
    dictionary: Arc<Dictionary>,
}

/// A table that cannot be.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TableError {
    /// Too few or too many columns.
    #[error("the schema has {expected} variables, but {found} columns were given")]
    Columns {
        /// The number of variables.
        expected: usize,
        /// The number of columns.
        found: usize,
    },
    /// A column of the wrong type.
    #[error("column `{name}` must be {expected}, found {found}")]
    Type {
        /// The name of the variable.
        name: String,
        /// Its type in the schema.
        expected: Type,
        /// The type of the column.
        found: Type,
    },
    /// Columns of different lengths.
    #[error("column `{name}` has {found} rows; the others have {expected}")]
    Ragged {
        /// The name of the variable.
        name: String,
        /// The rows of the first column.
        expected: usize,
        /// The rows of this one.
        found: usize,
    },
    /// Groups that do not add up to the rows.
    #[error("the groups have {expected} rows together, but the columns have {found}")]
    Groups {
        /// What the groups add up to.
        expected: usize,
        /// The rows of the columns.
        found: usize,
    },
    /// More than 2^31 rows.
    #[error("{0} rows are too many: at most 2^31")]
    TooManyRows(usize),
    /// The distinct sequences hold too many elements.
    #[error("the distinct sequences hold more than 2^30 elements")]
    TooManyElements,
}

/// A column as the engines read it.
#[derive(Debug)]
pub(crate) enum StoredColumn {
    Num(NumColumn),
    Bool(Vec<u64>),
    Seq(Box<SeqColumn>),
}

/// Numbers, one per padded row, and what is known of them.
#[derive(Debug)]
pub(crate) struct NumColumn {
    data: AlignedNumbers,
    pub(crate) facts: Interval,
}

impl NumColumn {
    #[inline]
    pub(crate) fn values(&self) -> &[f64] {
        self.data.as_slice()
    }
}

/// Sequences, one per padded row, as slices of the dictionary.
#[derive(Debug)]
pub(crate) struct SeqColumn {
    pub(crate) starts: Vec<u32>,
    /// Where the flipped sequences start.
    pub(crate) flipped: Vec<u32>,
    pub(crate) lens: Vec<u32>,
    pub(crate) length: NumColumn,
    pub(crate) sum: NumColumn,
    /// What no relation has asked for yet is not there.
    extremes: OnceLock<Box<Extremes>>,
}

impl Table {
    /// A table with all its rows in one group.
    pub fn new(
        schema: &Schema,
        columns: Vec<Column>,
        tolerance: Tolerance,
    ) -> Result<Table, TableError> {
        let rows = columns.first().map_or(0, Column::len);
        Table::grouped(schema, columns, &[rows], tolerance)
    }

    /// A table whose rows stand in consecutive groups that are counted apart.
    pub fn grouped(
        schema: &Schema,
        columns: Vec<Column>,
        rows_per_group: &[usize],
        tolerance: Tolerance,
    ) -> Result<Table, TableError> {
        check(schema, &columns, rows_per_group)?;
        let layout = Layout::new(rows_per_group);
        let mut dictionary = dictionary::Builder::new();
        let mut stored = Vec::with_capacity(columns.len());
        // Each column is dropped as soon as it is stored, so a load needs one column of extra room.
        for column in columns {
            stored.push(match column {
                Column::Num(values) => StoredColumn::Num(numbers(&layout, &values)),
                Column::Bool(values) => StoredColumn::Bool(bits(&layout, &values)),
                Column::Seq(values) => StoredColumn::Seq(Box::new(
                    sequences(&layout, &values, &mut dictionary)
                        .map_err(|_| TableError::TooManyElements)?,
                )),
            });
        }
        let (dictionary, spans) = dictionary.finish(&tolerance);
        for column in &mut stored {
            if let StoredColumn::Seq(column) = column {
                [column.starts, column.flipped] = spans.starts(&column.starts);
            }
        }
        Ok(Table {
            #[cfg(feature = "native")]
            id: next_id(),
            schema: schema.clone(),
            tolerance,
            layout: Arc::new(layout),
            columns: stored,
            dictionary: Arc::new(dictionary),
        })
    }

    /// The variables and their types.
    pub fn schema(&self) -> &Schema {
        &self.schema
    }

    /// When two numbers are equal.
    pub fn tolerance(&self) -> &Tolerance {
        &self.tolerance
    }

    /// How the rows lie in mask words.
    pub fn layout(&self) -> &Arc<Layout> {
        &self.layout
    }

    /// The number of rows.
    pub fn rows(&self) -> usize {
        self.layout.rows()
    }

    /// The value of a variable on a row.
    ///
    /// # Panics
    /// If there is no such variable or row.
    pub fn value(&self, var: Var, row: usize) -> Value<'static> {
        let position = self.layout.position(row);
        match &self.columns[var.index()] {
            StoredColumn::Num(column) => Value::Num(column.values()[position]),
            StoredColumn::Bool(words) => {
                Value::Bool(words[position / WORD] >> (position % WORD) & 1 == 1)
            }
            StoredColumn::Seq(column) => Value::Seq(Cow::Owned(
                self.dictionary.numbers(column.starts[position], column.lens[position]).collect(),
            )),
        }
    }

    /// What no other table of this process has: keys machine code made for this one.
    #[cfg(feature = "native")]
    #[inline]
    pub(crate) fn id(&self) -> u64 {
        self.id
    }

    #[inline]
    pub(crate) fn column(&self, var: Var) -> &StoredColumn {
        &self.columns[var.index()]
    }

    #[inline]
    pub(crate) fn dictionary(&self) -> &Dictionary {
        &self.dictionary
    }
}

#[cfg(feature = "native")]
fn next_id() -> u64 {
    use std::sync::atomic::{AtomicU64, Ordering};
    static TABLES: AtomicU64 = AtomicU64::new(0);
    TABLES.fetch_add(1, Ordering::Relaxed)
}

fn check(schema: &Schema, columns: &[Column], groups: &[usize]) -> Result<(), TableError> {
    if columns.len() != schema.len() {
        return Err(TableError::Columns { expected: schema.len(), found: columns.len() });
    }
    let expected = groups.iter().fold(0_usize, |sum, rows| sum.saturating_add(*rows));
    let rows = columns.first().map_or(expected, Column::len);
    for ((_, name, expected), column) in schema.iter().zip(columns) {
        let name = || name.to_owned();
        if column.ty() != expected {
            return Err(TableError::Type { name: name(), expected, found: column.ty() });
        }
        if column.len() != rows {
            return Err(TableError::Ragged { name: name(), expected: rows, found: column.len() });
        }
    }
    if rows > 1 << 31 {
        return Err(TableError::TooManyRows(rows));
    }
    if expected != rows {
        return Err(TableError::Groups { expected, found: rows });
    }
    Ok(())
}

/// Places each row's value at its padded position.
fn scatter<T: Copy>(layout: &Layout, values: &[T], into: &mut [T]) {
    for group in layout.groups() {
        into[group.first_word * WORD..][..group.rows]
            .copy_from_slice(&values[group.first_row..][..group.rows]);
    }
}

fn numbers(layout: &Layout, values: &[f64]) -> NumColumn {
    let mut data = AlignedNumbers::zeroed(layout.padded_rows());
    scatter(layout, values, data.as_mut_slice());
    NumColumn { data, facts: Interval::of(values) }
}

fn bits(layout: &Layout, values: &[bool]) -> Vec<u64> {
    let mut words = vec![0_u64; layout.words()];
    for group in layout.groups() {
        let rows = &values[group.first_row..][..group.rows];
        for (word, rows) in words[group.words()].iter_mut().zip(rows.chunks(WORD)) {
            *word = rows.iter().rev().fold(0, |word, &row| word << 1 | u64::from(row));
        }
    }
    words
}

/// A column whose starts are spans still.
fn sequences(
    layout: &Layout,
    values: &Sequences,
    dictionary: &mut dictionary::Builder,
) -> Result<SeqColumn, dictionary::TooManyElements> {
    let spans =
        values.iter().map(|sequence| dictionary.intern(sequence)).collect::<Result<Vec<_>, _>>()?;
    let lens: Vec<u32> = values.iter().map(|sequence| sequence.len() as u32).collect();
    let padded = |rows: &[u32]| {
        let mut padded = vec![0; layout.padded_rows()];
        scatter(layout, rows, &mut padded);
        padded
    };
    let lengths: Vec<f64> = lens.iter().map(|&len| f64::from(len)).collect();
    let sums: Vec<f64> = values.iter().map(op::sum).collect();
    Ok(SeqColumn {
        starts: padded(&spans),
        flipped: Vec::new(),
        lens: padded(&lens),
        length: numbers(layout, &lengths),
        sum: numbers(layout, &sums),
        extremes: OnceLock::new(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn schema() -> Schema {
        Schema::new([("x", Type::Num), ("p", Type::Bool), ("s", Type::Seq)]).unwrap()
    }

    fn columns(rows: usize) -> Vec<Column> {
        vec![
            Column::Num((0..rows).map(|row| row as f64).collect()),
            Column::Bool((0..rows).map(|row| row % 3 == 0).collect()),
            Column::Seq((0..rows).map(|row| (0..row % 5).map(|i| i as f64)).collect()),
        ]
    }

    #[test]
    fn values_come_back_from_every_row_of_every_group() {
        let table = Table::grouped(&schema(), columns(200), &[65, 0, 64, 71], Tolerance::default())
            .unwrap();
        for row in 0..200 {
            assert_eq!(table.value(Var(0), row), Value::Num(row as f64));
            assert_eq!(table.value(Var(1), row), Value::Bool(row % 3 == 0));
            let expected: Vec<f64> = (0..row % 5).map(|i| i as f64).collect();
            assert_eq!(table.value(Var(2), row), Value::Seq(expected.into()));
        }
    }

    #[test]
    fn a_table_is_checked_when_it_is_built() {
        let new = |columns, groups: &[usize]| {
            Table::grouped(&schema(), columns, groups, Tolerance::default()).map(|_| ())
        };
        assert_eq!(new(vec![], &[]), Err(TableError::Columns { expected: 3, found: 0 }));
        let mut wrong = columns(3);
        wrong.swap(0, 1);
        assert_eq!(
            new(wrong, &[3]),
            Err(TableError::Type { name: "x".into(), expected: Type::Num, found: Type::Bool })
        );
        let mut ragged = columns(3);
        ragged[2] = Column::empty(Type::Seq);
        assert_eq!(
            new(ragged, &[3]),
            Err(TableError::Ragged { name: "s".into(), expected: 3, found: 0 })
        );
        assert_eq!(new(columns(3), &[1, 1]), Err(TableError::Groups { expected: 2, found: 3 }));
        assert_eq!(
            new(columns(3), &[usize::MAX, 9]),
            Err(TableError::Groups { expected: usize::MAX, found: 3 })
        );
    }
}
