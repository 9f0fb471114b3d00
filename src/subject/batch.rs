//! Inputs of many calls, by columns.

use std::borrow::Cow;

use genmorph_jit::{Column, Value};

use super::signature::Signature;

/// Rows of inputs: a column per parameter.
#[derive(Clone, Debug, PartialEq)]
pub struct Inputs {
    columns: Vec<Column>,
    rows: usize,
}

impl Inputs {
    /// A batch without rows, for the inputs of a function.
    pub fn new(signature: &Signature) -> Inputs {
        let columns = signature.parameters.iter().map(|p| Column::empty(p.ty.kind().ty()));
        Inputs { columns: columns.collect(), rows: 0 }
    }

    /// Rows for a signature.
    pub fn from_rows<'v>(
        signature: &Signature,
        rows: impl IntoIterator<Item = &'v [Value<'static>]>,
    ) -> Inputs {
        let mut inputs = Inputs::new(signature);
        rows.into_iter().for_each(|row| inputs.push(row));
        inputs
    }

    /// Some of the rows, in the given order.
    #[must_use]
    pub fn only(&self, signature: &Signature, rows: impl IntoIterator<Item = usize>) -> Inputs {
        let mut some = Inputs::new(signature);
        for row in rows {
            some.push(&self.row(row).collect::<Vec<_>>());
        }
        some
    }

    /// Appends a row.
    ///
    /// # Panics
    /// If the values are not of the types of the parameters.
    pub fn push(&mut self, row: &[Value<'_>]) {
        assert_eq!(row.len(), self.columns.len(), "a value for every parameter");
        for (column, value) in self.columns.iter_mut().zip(row) {
            column.push(value);
        }
        self.rows += 1;
    }

    /// The number of rows.
    pub fn len(&self) -> usize {
        self.rows
    }

    /// Whether it has no rows.
    pub fn is_empty(&self) -> bool {
        self.rows == 0
    }

    /// The columns, in the order of the parameters.
    pub fn columns(&self) -> &[Column] {
        &self.columns
    }

    /// The values of a row.
    pub fn row(&self, row: usize) -> impl Iterator<Item = Value<'_>> {
        self.columns.iter().map(move |column| value(column, row))
    }
}

/// The value of a column in a row.
pub(super) fn value(column: &Column, row: usize) -> Value<'_> {
    match column {
        Column::Num(values) => Value::Num(values[row]),
        Column::Bool(values) => Value::Bool(values[row]),
        Column::Seq(values) => Value::Seq(Cow::Borrowed(values.get(row))),
    }
}
