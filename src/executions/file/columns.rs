//! Columns of a Parquet file: their kinds, and their values as columns of a table.
//!
//! Parquet stores the values of a column without its nulls, and beside them levels that mark the nulls and
//! the beginnings of lists. Every value is checked; an error names its row.

use genmorph_jit::{Column, Sequences};
use parquet::basic::{ConvertedType, LogicalType, Repetition, Type as Physical};
use parquet::column::reader::{ColumnReader, ColumnReaderImpl};
use parquet::data_type::{ByteArray, DataType};
use parquet::errors::{ParquetError, Result as ParquetResult};
use parquet::schema::types::{ColumnDescriptor, SchemaDescriptor};

use crate::subject::kinds::Kind;

/// f64 represents every integer up to this magnitude.
const EXACT: u64 = 1 << 53;

/// A column of a file, as a user sees it.
#[derive(Clone, Debug)]
pub(super) struct Shape {
    pub(super) name: String,
    /// The kind of its values; `None` if relations cannot use them.
    pub(super) kind: Option<Kind>,
    /// Its type in words, for messages.
    pub(super) described: String,
    /// Index of its values among the leaves of the schema.
    pub(super) leaf: usize,
    /// Whether a list may be null.
    optional: bool,
    /// The definition level of values that are not null.
    defined: i16,
    unsigned: bool,
}

/// Describes all columns of a file.
pub(super) fn shapes(schema: &SchemaDescriptor) -> Vec<Shape> {
    let mut shapes: Vec<Shape> = Vec::new();
    for (leaf, column) in schema.columns().iter().enumerate() {
        let root = schema.get_column_root(leaf);
        let name = root.name().to_owned();
        if let Some(shape) = shapes.last_mut().filter(|shape| shape.name == name) {
            shape.kind = None;
            "a group of columns".clone_into(&mut shape.described);
            continue;
        }
        let scalar = kind_of(column);
        let is_list = column.max_rep_level() == 1;
        let kind = match scalar {
            Some(Kind::Number | Kind::Boolean) if is_list => Some(Kind::Numbers),
            kind if column.max_rep_level() == 0 && column.path().parts().len() == 1 => kind,
            _ => None,
        };
        let element = described(column);
        shapes.push(Shape {
            name,
            kind,
            described: if is_list { format!("list of {element}") } else { element },
            leaf,
            optional: root.get_basic_info().repetition() == Repetition::OPTIONAL,
            defined: column.max_def_level(),
            unsigned: is_unsigned(column),
        });
    }
    shapes
}

/// The kind of a column of single values.
fn kind_of(column: &ColumnDescriptor) -> Option<Kind> {
    let converted = column.converted_type();
    let integer = matches!(
        converted,
        ConvertedType::NONE
            | ConvertedType::INT_8
            | ConvertedType::INT_16
            | ConvertedType::INT_32
            | ConvertedType::INT_64
            | ConvertedType::UINT_8
            | ConvertedType::UINT_16
            | ConvertedType::UINT_32
            | ConvertedType::UINT_64
    ) && matches!(column.logical_type_ref(), None | Some(LogicalType::Integer(_)));
    match column.physical_type() {
        Physical::BOOLEAN => Some(Kind::Boolean),
        Physical::FLOAT | Physical::DOUBLE => Some(Kind::Number),
        Physical::INT32 | Physical::INT64 => integer.then_some(Kind::Number),
        Physical::BYTE_ARRAY => {
            let text = converted == ConvertedType::UTF8
                || matches!(column.logical_type_ref(), Some(LogicalType::String));
            text.then_some(Kind::Text)
        }
        Physical::INT96 | Physical::FIXED_LEN_BYTE_ARRAY => None,
    }
}

fn is_unsigned(column: &ColumnDescriptor) -> bool {
    matches!(
        column.converted_type(),
        ConvertedType::UINT_8
            | ConvertedType::UINT_16
            | ConvertedType::UINT_32
            | ConvertedType::UINT_64
    )
}

/// The type of single values in Parquet's words.
fn described(column: &ColumnDescriptor) -> String {
    let physical = column.physical_type().to_string().to_lowercase();
    match column.converted_type() {
        ConvertedType::NONE => physical,
        converted => format!("{physical} ({})", converted.to_string().to_lowercase()),
    }
}

/// Why a column cannot be read.
#[derive(Debug)]
pub(super) enum ColumnError {
    /// A null in this row of the part that was read; `inside` a list or instead of a value.
    Null { row: usize, inside: bool },
    /// The file is damaged.
    Damaged(ParquetError),
}

impl From<ParquetError> for ColumnError {
    fn from(error: ParquetError) -> ColumnError {
        ColumnError::Damaged(error)
    }
}

/// The error for a file whose columns do not have the types of its schema.
fn contradiction() -> ColumnError {
    ColumnError::Damaged(ParquetError::General("its columns do not match its schema".to_owned()))
}

/// An integer that an f64 cannot represent, and its row in the part that was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct InexactInteger {
    pub(super) row: usize,
    pub(super) integer: String,
}

/// Appends `rows` rows to the table column of the same kind. Returns the first integer that loses bits,
/// if there is one.
pub(super) fn append(
    column: &mut Column,
    shape: &Shape,
    reader: ColumnReader,
    rows: usize,
) -> Result<Option<InexactInteger>, ColumnError> {
    match (column, reader) {
        (Column::Bool(values), ColumnReader::BoolColumnReader(reader)) => {
            let part = Part::read(reader, rows)?;
            part.no_nulls(shape)?;
            values.extend(part.values);
            Ok(None)
        }
        (Column::Seq(values), ColumnReader::ByteArrayColumnReader(reader)) => {
            texts(reader, shape, rows, |text| values.push_text(text))?;
            Ok(None)
        }
        (Column::Num(values), reader) => {
            let (part, inexact) = numbers(reader, shape, rows)?;
            part.no_nulls(shape)?;
            values.extend(part.values);
            Ok(inexact)
        }
        (Column::Seq(values), reader) => {
            let (part, inexact) = numbers(reader, shape, rows)?;
            part.lists(shape, values)?;
            Ok(inexact
                .map(|inexact| InexactInteger { row: part.row_of(shape, inexact.row), ..inexact }))
        }
        (Column::Bool(_), _) => Err(contradiction()),
    }
}

/// Calls `each` with every string of a column.
pub(super) fn texts(
    reader: ColumnReaderImpl<parquet::data_type::ByteArrayType>,
    shape: &Shape,
    rows: usize,
    mut each: impl FnMut(&str),
) -> Result<(), ColumnError> {
    let part: Part<ByteArray> = Part::read(reader, rows)?;
    part.no_nulls(shape)?;
    for (row, bytes) in part.values.iter().enumerate() {
        each(bytes.as_utf8().map_err(|_| {
            let message = format!("column `{}`, row {row} of its group: not UTF-8", shape.name);
            ColumnError::Damaged(ParquetError::General(message))
        })?);
    }
    Ok(())
}

/// The numbers of a column, with truth values as 0 and 1, and the position of the first integer that loses bits.
fn numbers(
    reader: ColumnReader,
    shape: &Shape,
    rows: usize,
) -> Result<(Part<f64>, Option<InexactInteger>), ColumnError> {
    let unsigned = shape.unsigned;
    Ok(match reader {
        ColumnReader::BoolColumnReader(reader) => {
            (Part::read(reader, rows)?.map(|bit| f64::from(u8::from(bit))), None)
        }
        ColumnReader::Int32ColumnReader(reader) => {
            let number = |n: i32| if unsigned { f64::from(n as u32) } else { f64::from(n) };
            (Part::read(reader, rows)?.map(number), None)
        }
        ColumnReader::Int64ColumnReader(reader) => {
            let part = Part::read(reader, rows)?;
            let magnitude = |n: i64| if unsigned { n as u64 } else { n.unsigned_abs() };
            let text = |n: i64| if unsigned { (n as u64).to_string() } else { n.to_string() };
            let row = part.values.iter().position(|&n| magnitude(n) > EXACT);
            let inexact = row.map(|row| InexactInteger { row, integer: text(part.values[row]) });
            (part.map(|n| if unsigned { n as u64 as f64 } else { n as f64 }), inexact)
        }
        ColumnReader::FloatColumnReader(reader) => (Part::read(reader, rows)?.map(f64::from), None),
        ColumnReader::DoubleColumnReader(reader) => (Part::read(reader, rows)?, None),
        ColumnReader::Int96ColumnReader(_)
        | ColumnReader::ByteArrayColumnReader(_)
        | ColumnReader::FixedLenByteArrayColumnReader(_) => {
            return Err(contradiction());
        }
    })
}

/// Some rows of a column: values, and their levels if the column has levels.
struct Part<T> {
    values: Vec<T>,
    defined: Vec<i16>,
    repeated: Vec<i16>,
}

impl<T> Part<T> {
    fn read<D: DataType<T = T>>(
        mut reader: ColumnReaderImpl<D>,
        rows: usize,
    ) -> ParquetResult<Part<T>> {
        let (mut values, mut defined, mut repeated) = (Vec::new(), Vec::new(), Vec::new());
        let (records, ..) =
            reader.read_records(rows, Some(&mut defined), Some(&mut repeated), &mut values)?;
        if records != rows {
            return Err(ParquetError::EOF(format!("{records} values for {rows} rows")));
        }
        Ok(Part { values, defined, repeated })
    }

    fn map<U>(self, f: impl Fn(T) -> U) -> Part<U> {
        let values = self.values.into_iter().map(f).collect();
        Part { values, defined: self.defined, repeated: self.repeated }
    }

    /// Fails at the first null among single values.
    fn no_nulls(&self, shape: &Shape) -> Result<(), ColumnError> {
        match self.defined.iter().position(|&level| level < shape.defined) {
            Some(row) => Err(ColumnError::Null { row, inside: false }),
            None => Ok(()),
        }
    }
}

impl Part<f64> {
    /// Appends all lists to `lists`.
    fn lists(&self, shape: &Shape, lists: &mut Sequences) -> Result<(), ColumnError> {
        // Where a list may be null, level 0 is null and level 1 the empty list.
        let first_element = i16::from(shape.optional) + 1;
        let mut values = self.values.iter().copied();
        let (mut list, mut row) = (Vec::new(), 0);
        for (i, (&defined, &repeated)) in self.defined.iter().zip(&self.repeated).enumerate() {
            if i > 0 && repeated == 0 {
                lists.push(list.drain(..));
                row += 1;
            }
            if shape.optional && defined == 0 {
                return Err(ColumnError::Null { row, inside: false });
            }
            if defined >= first_element {
                let value = values.next().filter(|_| defined == shape.defined);
                list.push(value.ok_or(ColumnError::Null { row, inside: true })?);
            }
        }
        if !self.defined.is_empty() {
            lists.push(list);
        }
        Ok(())
    }

    /// The row of the list that contains a value.
    fn row_of(&self, shape: &Shape, value: usize) -> usize {
        let levels = self.defined.iter().zip(&self.repeated).enumerate();
        let mut defined = levels.filter(|(_, (defined, _))| **defined == shape.defined);
        let level = defined.nth(value).map_or(0, |(level, _)| level);
        self.repeated[..=level].iter().filter(|&&repeated| repeated == 0).count().max(1) - 1
    }
}
