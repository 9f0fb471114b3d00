//! Writes tables into Parquet files, one for each table: the same bytes for the same rows.

use std::fs::File;
use std::io::{self, BufWriter};
use std::path::Path;
use std::sync::Arc;

use parquet::basic::{Compression, LogicalType, Repetition, Type as Physical};
use parquet::data_type::{ByteArray, ByteArrayType, DataType, DoubleType, Int64Type};
use parquet::errors::{ParquetError, Result as ParquetResult};
use parquet::file::properties::WriterProperties;
use parquet::file::writer::{SerializedColumnWriter, SerializedFileWriter};
use parquet::schema::types::Type;

use super::error::{SweepError, writing};
use super::merge::Sink;
use super::tables::{Cell, Column, Kind, Table};

/// Rows of a row group, which are kept in memory.
const GROUP: usize = 1 << 16;

/// Writes a new file for each table; `fill` supplies the rows.
pub(super) fn write<T>(
    tables: &[Table],
    paths: &[&Path],
    fill: &mut dyn FnMut(&mut Sink<'_>) -> Result<T, SweepError>,
) -> Result<T, SweepError> {
    let mut files = Vec::new();
    for (&table, path) in tables.iter().zip(paths) {
        files.push(Rows::new(table, path)?);
    }
    let filled = fill(&mut |table, cells| {
        let place = tables.iter().position(|other| *other == table);
        files[place.expect("rows are of the tables asked for")].push(cells)
    })?;
    for file in files {
        file.close()?;
    }
    Ok(filled)
}

/// The rows of a table that are not yet written to its file.
struct Rows<'p> {
    path: &'p Path,
    columns: &'static [Column],
    writer: SerializedFileWriter<BufWriter<File>>,
    pending: Vec<Vec<Cell>>,
}

impl<'p> Rows<'p> {
    fn new(table: Table, path: &'p Path) -> Result<Rows<'p>, SweepError> {
        let columns = table.columns();
        let file = BufWriter::new(File::create(path).map_err(writing(path))?);
        let properties = WriterProperties::builder().set_compression(Compression::SNAPPY).build();
        let writer = schema(table)
            .and_then(|schema| {
                SerializedFileWriter::new(file, Arc::new(schema), Arc::new(properties))
            })
            .map_err(failed(path))?;
        Ok(Rows { path, columns, writer, pending: Vec::new() })
    }

    fn push(&mut self, row: Vec<Cell>) -> Result<(), SweepError> {
        self.pending.push(row);
        if self.pending.len() == GROUP { self.flush() } else { Ok(()) }
    }

    fn flush(&mut self) -> Result<(), SweepError> {
        let rows = std::mem::take(&mut self.pending);
        let mut write = || -> ParquetResult<()> {
            let mut group = self.writer.next_row_group()?;
            let mut columns = self.columns.iter().enumerate();
            while let Some(writer) = group.next_column()? {
                let (place, column) = columns.next().expect("the schema has a column for each");
                put(&rows, place, *column, writer)?;
            }
            group.close()?;
            Ok(())
        };
        write().map_err(failed(self.path))
    }

    fn close(mut self) -> Result<(), SweepError> {
        if !self.pending.is_empty() {
            self.flush()?;
        }
        self.writer.close().map_err(failed(self.path))?;
        Ok(())
    }
}

fn schema(table: Table) -> ParquetResult<Type> {
    let mut fields = Vec::new();
    for Column { name, kind, optional } in table.columns() {
        let (physical, logical) = match kind {
            Kind::Integer => (Physical::INT64, None),
            Kind::Real => (Physical::DOUBLE, None),
            Kind::Text => (Physical::BYTE_ARRAY, Some(LogicalType::String)),
        };
        let repetition = if *optional { Repetition::OPTIONAL } else { Repetition::REQUIRED };
        let field = Type::primitive_type_builder(name, physical)
            .with_repetition(repetition)
            .with_logical_type(logical);
        fields.push(Arc::new(field.build()?));
    }
    Type::group_type_builder(table.name()).with_fields(fields).build()
}

fn put(
    rows: &[Vec<Cell>],
    place: usize,
    column: Column,
    writer: SerializedColumnWriter<'_>,
) -> ParquetResult<()> {
    let cells = || rows.iter().map(|row| &row[place]);
    match column.kind {
        Kind::Integer => {
            let value = |cell: &Cell| if let Cell::Integer(n) = cell { Some(*n) } else { None };
            values::<Int64Type>(writer, column, cells().map(value))
        }
        Kind::Real => {
            let value = |cell: &Cell| if let Cell::Real(n) = cell { Some(*n) } else { None };
            values::<DoubleType>(writer, column, cells().map(value))
        }
        Kind::Text => {
            let value = |cell: &Cell| match cell {
                Cell::Text(text) => Some(ByteArray::from(text.as_str())),
                Cell::Null | Cell::Integer(_) | Cell::Real(_) => None,
            };
            values::<ByteArrayType>(writer, column, cells().map(value))
        }
    }
}

fn values<D: DataType>(
    mut writer: SerializedColumnWriter<'_>,
    column: Column,
    cells: impl Iterator<Item = Option<D::T>>,
) -> ParquetResult<()> {
    let (mut values, mut levels) = (Vec::new(), Vec::new());
    for cell in cells {
        levels.push(i16::from(cell.is_some()));
        values.extend(cell);
    }
    let levels = column.optional.then_some(&levels[..]);
    writer.typed::<D>().write_batch(&values, levels, None)?;
    writer.close()
}

fn failed(path: &Path) -> impl Fn(ParquetError) -> SweepError {
    |error| writing(path)(io::Error::other(error))
}
