//! Reads executions files, and checks everything, so that later stages need no checks.

use std::collections::HashMap;
use std::fs::File;
use std::path::Path;

use genmorph_jit::Column;
use parquet::column::reader::ColumnReader;
use parquet::errors::ParquetError;
use parquet::file::metadata::{ColumnChunkMetaData, ParquetMetaData};
use parquet::file::reader::{FileReader, RowGroupReader, SerializedFileReader};

use super::checksum::{CHECKSUM, Checksums, ColumnDigest};
use super::columns::{self, ColumnError, Shape};
use super::error::{Problem, ReadError, Warning};
use super::infer;
use super::metadata::{CORRECT_LABEL, KEY, LABEL, Metadata};
use crate::executions::{Executions, Rows};
use crate::subject::kinds::{Kind, Parameter};

/// Executions from a file, and warnings about them.
#[derive(Clone, Debug)]
pub struct ExecutionsFile {
    /// The rows of the file, with identical ones merged.
    pub executions: Executions,
    /// Warnings for the user; the executions can be used in spite of them.
    pub warnings: Vec<Warning>,
}

impl Executions {
    /// Reads an executions file. Identical rows become one row.
    ///
    /// # Errors
    /// When it is not an executions file; the error names the place and says what to do.
    pub fn read(path: impl AsRef<Path>) -> Result<ExecutionsFile, ReadError> {
        let path = path.as_ref();
        // The Parquet library panics on files that are damaged in certain ways.
        let result = std::panic::catch_unwind(|| read(path))
            .unwrap_or_else(|_| Err(Problem::Parquet("it is damaged".to_owned())));
        result.map_err(|problem| ReadError { file: path.to_owned(), problem })
    }
}

fn read(path: &Path) -> Result<ExecutionsFile, Problem> {
    let file = File::open(path)?;
    if file.metadata()?.is_dir() {
        return Err(Problem::Parquet("it is a folder".to_owned()));
    }
    let bytes = file.metadata()?.len();
    let reader = SerializedFileReader::new(file).map_err(damaged)?;
    check_places(reader.metadata(), bytes)?;
    let file_metadata = reader.metadata().file_metadata();
    let entry = |key: &str| {
        let mut entries = file_metadata.key_value_metadata().into_iter().flatten();
        entries.find(|entry| entry.key == key).and_then(|entry| entry.value.as_deref())
    };
    let text = entry(KEY);
    let checksums = entry(CHECKSUM).map(Checksums::read).transpose()?;
    if let Some(checksums) = &checksums {
        checksums.check_metadata(KEY, text.unwrap_or_default())?;
    }
    let shapes = columns::shapes(file_metadata.schema_descr());
    let mut warnings = Vec::new();
    let metadata = match text {
        Some(text) => Metadata::read(text)?,
        None => {
            let stem = path.file_stem().unwrap_or_default().to_string_lossy();
            let metadata = infer::metadata(&stem, &shapes)?;
            warnings.push(inferred(path, &metadata));
            metadata
        }
    };
    let (label, variables) = find_columns(&shapes, &metadata)?;
    let mut loading = RowsBuilder::new(&metadata)?;
    for group in 0..reader.num_row_groups() {
        let group = reader.get_row_group(group).map_err(damaged)?;
        loading.append(path, &*group, label, &variables)?;
    }
    if let Some(checksums) = &checksums {
        loading.check(checksums, label, &variables)?;
    }
    warnings.extend(loading.inexact.take());
    Ok(ExecutionsFile { executions: loading.finish(&metadata)?, warnings })
}

/// Checks that all column chunks are within the file, which the library does not check.
fn check_places(metadata: &ParquetMetaData, bytes: u64) -> Result<(), Problem> {
    let columns = metadata.file_metadata().schema_descr().num_columns();
    for group in metadata.row_groups() {
        let whole = group.num_rows() >= 0 && group.num_columns() == columns;
        let inside = |column: &ColumnChunkMetaData| {
            let start = column.dictionary_page_offset().unwrap_or(column.data_page_offset());
            let (start, length) = (u64::try_from(start), u64::try_from(column.compressed_size()));
            let (Ok(start), Ok(length)) = (start, length) else { return false };
            start.checked_add(length).is_some_and(|end| end <= bytes) && column.num_values() >= 0
        };
        if !whole || !group.columns().iter().all(inside) {
            return Err(Problem::Parquet("it is shorter than its metadata says".to_owned()));
        }
    }
    Ok(())
}

fn damaged(error: ParquetError) -> Problem {
    Problem::Parquet(match error {
        ParquetError::General(message) if message.contains("Disabled feature") => {
            let method = message.rsplit(' ').next().unwrap_or_default();
            format!("it is compressed by {method}; write it with the compression `snappy`")
        }
        error => error.to_string(),
    })
}

fn inferred(path: &Path, metadata: &Metadata) -> Warning {
    let names = |list: &[Parameter]| {
        let names: Vec<String> = list.iter().map(|p| format!("`{}`", p.name)).collect();
        if names.is_empty() { "none".to_owned() } else { names.join(", ") }
    };
    Warning::Inferred {
        file: path.display().to_string(),
        inputs: names(&metadata.signature.inputs),
        outputs: names(&metadata.signature.outputs),
    }
}

/// Finds the columns of the labels and of all variables, and checks their types.
fn find_columns<'s>(
    shapes: &'s [Shape],
    metadata: &Metadata,
) -> Result<(&'s Shape, Vec<&'s Shape>), Problem> {
    let find = |name: String, kind: Kind, expected| {
        let all = || shapes.iter().map(|shape| format!("`{}`", shape.name)).collect();
        let Some(shape) = shapes.iter().find(|shape| shape.name == name) else {
            return Err(Problem::MissingColumn { column: name, columns: all() });
        };
        if shape.kind != Some(kind) {
            let found = shape.described.clone();
            return Err(Problem::Type { column: name, expected, found });
        }
        Ok(shape)
    };
    let label = find(LABEL.to_owned(), Kind::Text, "texts: `correct`, or the names of mutants")?;
    let mut variables = Vec::new();
    for side in ["s", "f"] {
        for parameter in metadata.signature.inputs.iter().chain(&metadata.signature.outputs) {
            let name = format!("{}_{side}", parameter.name);
            variables.push(find(name, parameter.kind, described(parameter.kind))?);
        }
    }
    Ok((label, variables))
}

fn described(kind: Kind) -> &'static str {
    match kind {
        Kind::Number => "numbers (double or an integer type)",
        Kind::Boolean => "booleans",
        Kind::Text => "texts",
        Kind::Numbers => "lists of numbers",
    }
}

/// The rows that have been read so far.
struct RowsBuilder {
    columns: Vec<Column>,
    labels: Vec<Option<u32>>,
    mutants: Vec<String>,
    numbers: HashMap<String, u32>,
    inexact: Option<Warning>,
}

impl RowsBuilder {
    fn new(metadata: &Metadata) -> Result<RowsBuilder, Problem> {
        let schema = metadata.signature.schema()?;
        Ok(RowsBuilder {
            columns: schema.iter().map(|(_, _, ty)| Column::empty(ty)).collect(),
            labels: Vec::new(),
            mutants: Vec::new(),
            numbers: HashMap::new(),
            inexact: None,
        })
    }

    /// Appends a row group.
    fn append(
        &mut self,
        path: &Path,
        group: &dyn RowGroupReader,
        label: &Shape,
        variables: &[&Shape],
    ) -> Result<(), Problem> {
        let before = self.labels.len();
        let rows = usize::try_from(group.metadata().num_rows())
            .map_err(|_| Problem::Parquet("a negative number of rows".to_owned()))?;
        let stopped = |shape: &Shape, stop: ColumnError| {
            let column = shape.name.clone();
            match stop {
                ColumnError::Null { row, inside: false } => {
                    Problem::Null { column, row: before + row }
                }
                ColumnError::Null { row, inside: true } => {
                    Problem::NullElement { column, row: before + row }
                }
                ColumnError::Damaged(error) => damaged(error),
            }
        };
        self.append_labels(group, label, rows, stopped)?;
        for (shape, values) in variables.iter().zip(&mut self.columns) {
            let reader = group.get_column_reader(shape.leaf).map_err(damaged)?;
            let inexact = columns::append(values, shape, reader, rows)
                .map_err(|stop| stopped(shape, stop))?;
            if let (Some(inexact), None) = (inexact, &self.inexact) {
                let (column, row) = (&shape.name, before + inexact.row);
                let place = format!("{}, column `{column}`, row {row}", path.display());
                self.inexact = Some(Warning::Inexact { place, integer: inexact.integer });
            }
        }
        Ok(())
    }

    fn append_labels(
        &mut self,
        group: &dyn RowGroupReader,
        shape: &Shape,
        rows: usize,
        stopped: impl Fn(&Shape, ColumnError) -> Problem,
    ) -> Result<(), Problem> {
        let ColumnReader::ByteArrayColumnReader(reader) =
            group.get_column_reader(shape.leaf).map_err(damaged)?
        else {
            return Err(Problem::Parquet("its columns do not match its schema".to_owned()));
        };
        let mut empty = None;
        let texts = columns::texts(reader, shape, rows, |label| {
            if label.trim().is_empty() {
                empty.get_or_insert(self.labels.len());
            }
            self.labels.push((label != CORRECT_LABEL).then(|| match self.numbers.get(label) {
                Some(&mutant) => mutant,
                None => {
                    let mutant = self.mutants.len() as u32;
                    self.mutants.push(label.to_owned());
                    self.numbers.insert(label.to_owned(), mutant);
                    mutant
                }
            }));
        });
        texts.map_err(|stop| stopped(shape, stop))?;
        empty.map_or(Ok(()), |row| Err(Problem::EmptyLabel(row)))
    }

    /// Checks that all columns are what was written.
    fn check(
        &self,
        checksums: &Checksums,
        label: &Shape,
        variables: &[&Shape],
    ) -> Result<(), Problem> {
        let mut labels = ColumnDigest::new();
        for mutant in &self.labels {
            labels.text(mutant.map_or(CORRECT_LABEL, |mutant| &self.mutants[mutant as usize]));
        }
        checksums.check(&label.name, labels)?;
        for (shape, values) in variables.iter().zip(&self.columns) {
            checksums.check(&shape.name, ColumnDigest::of(values))?;
        }
        Ok(())
    }

    fn finish(self, metadata: &Metadata) -> Result<Executions, Problem> {
        let RowsBuilder { columns, labels, mutants, .. } = self;
        if labels.len() >= 1 << 31 {
            return Err(genmorph_jit::TableError::TooManyRows(labels.len()).into());
        }
        if labels.iter().all(Option::is_some) {
            return Err(Problem::NoCorrect);
        }
        let names = mutants.clone();
        let rows = Rows::from_columns(columns, mutants, &labels).map_err(|row| {
            let mutant = labels[row].map_or_else(String::new, |m| names[m as usize].clone());
            Problem::CorrectAsIncorrect { row, mutant }
        })?;
        let Metadata { signature, transformation, tolerance, seed } = metadata;
        Ok(rows.into_executions(signature, transformation, *tolerance, *seed)?)
    }
}
