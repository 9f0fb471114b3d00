//! Writes executions files: the same bytes for the same executions, and either the whole file or none.

use std::fs::{self, File};
use std::io::{self, BufWriter};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use genmorph_jit::{Value, Var};
use parquet::basic::{Compression, LogicalType, Repetition, Type as Physical};
use parquet::data_type::{BoolType, ByteArray, ByteArrayType, DoubleType};
use parquet::errors::{ParquetError, Result as ParquetResult};
use parquet::file::metadata::KeyValue;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::{SerializedColumnWriter, SerializedFileWriter};
use parquet::schema::types::Type;

use super::checksum::{CHECKSUM, Checksums, ColumnDigest};
use super::error::WriteError;
use super::metadata::{CORRECT_LABEL, KEY, LABEL, Metadata};
use crate::executions::{CORRECT, Executions, INCORRECT};
use crate::subject::kinds::Kind;

/// What to do with an output file that exists.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExistingFile {
    /// Keep the old file and fail.
    Refuse,
    /// Replace the old file.
    Replace,
}

/// Rows in a row group, which a reader decodes at once.
const GROUP: usize = 1 << 17;

/// Fails if [`Executions::write`] would fail because of an existing file: call it before long work.
///
/// # Errors
/// When the path is a folder, or a file that may not be replaced.
pub fn check_target(path: &Path, existing: ExistingFile) -> Result<(), WriteError> {
    match path.symlink_metadata() {
        Ok(there) if there.is_dir() => Err(WriteError::Folder(path.to_owned())),
        Ok(_) if existing == ExistingFile::Refuse => Err(WriteError::Exists(path.to_owned())),
        _ => Ok(()),
    }
}

impl Executions {
    /// Writes an executions file atomically: a reader sees the whole file or none.
    ///
    /// # Errors
    /// When it cannot be written, or exists and may not be replaced.
    pub fn write(&self, path: impl AsRef<Path>, existing: ExistingFile) -> Result<(), WriteError> {
        let path = path.as_ref();
        check_target(path, existing)?;
        let io = |source| WriteError::Io { file: path.to_owned(), source };
        let unfinished = TemporaryFile::beside(path).map_err(io)?;
        let file = File::create(&unfinished.0).map_err(io)?;
        self.encode(path, &file)?;
        file.sync_all().map_err(io)?;
        fs::rename(&unfinished.0, path).map_err(io)
    }

    fn encode(&self, path: &Path, file: &File) -> Result<(), WriteError> {
        let failed = |error: ParquetError| WriteError::Io {
            file: path.to_owned(),
            source: match error {
                ParquetError::External(error) => match error.downcast::<io::Error>() {
                    Ok(error) => *error,
                    Err(error) => io::Error::other(error),
                },
                error => io::Error::other(error),
            },
        };
        let metadata = Metadata::write(self);
        let mut checksums = Checksums::of(&metadata);
        let metadata = KeyValue::new(KEY.to_owned(), metadata);
        let properties = WriterProperties::builder()
            .set_compression(Compression::SNAPPY)
            .set_key_value_metadata(Some(vec![metadata]))
            .build();
        let schema = self.parquet_schema().map_err(failed)?;
        let file = BufWriter::new(file);
        let mut writer = SerializedFileWriter::new(file, Arc::new(schema), Arc::new(properties))
            .map_err(failed)?;
        let mut labels = ColumnDigest::new();
        let mut digests: Vec<ColumnDigest> = self.kinds().map(|_| ColumnDigest::new()).collect();
        for rows in self.labelled().collect::<Vec<_>>().chunks(GROUP) {
            let mut group = writer.next_row_group().map_err(failed)?;
            rows.iter().for_each(|&(_, label)| labels.text(label));
            let names: Vec<ByteArray> = rows.iter().map(|&(_, label)| label.into()).collect();
            let variables = self.kinds().zip(&mut digests);
            let mut columns = [Cells::Texts(names)]
                .into_iter()
                .map(Ok)
                .chain(variables.map(|((var, kind), digest)| self.cells(var, kind, rows, digest)));
            while let Some(column) = group.next_column().map_err(failed)? {
                let cells = columns.next().expect("the schema has a column for each");
                cells?.write(column).map_err(failed)?;
            }
            group.close().map_err(failed)?;
        }
        checksums.add(LABEL, labels);
        for ((var, _), digest) in self.kinds().zip(digests) {
            checksums.add(self.table.schema().name(var).expect("it is of this schema"), digest);
        }
        writer.append_key_value_metadata(KeyValue::new(CHECKSUM.to_owned(), checksums.write()));
        writer.close().map_err(failed)?;
        Ok(())
    }

    /// Each variable with its kind.
    fn kinds(&self) -> impl Iterator<Item = (Var, Kind)> {
        let parameters = || self.signature.inputs.iter().chain(&self.signature.outputs);
        let kinds = parameters().chain(parameters()).map(|parameter| parameter.kind);
        self.table.schema().iter().map(|(var, ..)| var).zip(kinds)
    }

    fn parquet_schema(&self) -> ParquetResult<Type> {
        let primitive = |name: &str, physical, logical| {
            Type::primitive_type_builder(name, physical)
                .with_repetition(Repetition::REQUIRED)
                .with_logical_type(logical)
                .build()
        };
        let text = |name: &str| primitive(name, Physical::BYTE_ARRAY, Some(LogicalType::String));
        let mut fields = vec![Arc::new(text(LABEL)?)];
        for (var, kind) in self.kinds() {
            let name = self.table.schema().name(var).expect("it is of this schema");
            fields.push(Arc::new(match kind {
                Kind::Number => primitive(name, Physical::DOUBLE, None)?,
                Kind::Boolean => primitive(name, Physical::BOOLEAN, None)?,
                Kind::Text => text(name)?,
                Kind::Numbers => {
                    let element = primitive("element", Physical::DOUBLE, None)?;
                    let list = Type::group_type_builder("list")
                        .with_repetition(Repetition::REPEATED)
                        .with_fields(vec![Arc::new(element)])
                        .build()?;
                    Type::group_type_builder(name)
                        .with_repetition(Repetition::REQUIRED)
                        .with_logical_type(Some(LogicalType::List))
                        .with_fields(vec![Arc::new(list)])
                        .build()?
                }
            }));
        }
        Type::group_type_builder("executions").with_fields(fields).build()
    }

    /// Every row of the table with its label; a row that several mutants give appears once for each.
    fn labelled(&self) -> impl Iterator<Item = (usize, &str)> {
        let correct = self.count(CORRECT);
        let mut also = self.also.iter().peekable();
        let incorrect = (0..self.count(INCORRECT)).flat_map(move |row| {
            let mut mutants = vec![self.row_mutants[row]];
            while let Some((_, mutant)) = also.next_if(|(other, _)| *other as usize == row) {
                mutants.push(*mutant);
            }
            let name = |mutant: u32| self.mutants[mutant as usize].as_str();
            mutants.into_iter().map(move |mutant| (correct + row, name(mutant)))
        });
        (0..correct).map(|row| (row, CORRECT_LABEL)).chain(incorrect)
    }

    /// The values of a variable in some rows, which go into its digest too.
    fn cells(
        &self,
        var: Var,
        kind: Kind,
        rows: &[(usize, &str)],
        digest: &mut ColumnDigest,
    ) -> Result<Cells, WriteError> {
        let values = rows.iter().map(|&(row, _)| {
            let value = self.table.value(var, row);
            digest.value(&value);
            value
        });
        Ok(match kind {
            Kind::Number => Cells::Numbers(values.map(number).collect()),
            Kind::Boolean => {
                Cells::Booleans(values.map(|value| value == Value::Bool(true)).collect())
            }
            Kind::Numbers => Cells::Lists(values.map(sequence).collect()),
            Kind::Text => {
                let text = |(value, &(row, _)): (_, &(usize, &str))| {
                    let wrong = |number| WriteError::NotText {
                        column: self.table.schema().name(var).unwrap_or_default().to_owned(),
                        row,
                        number,
                    };
                    text(value).map(|text| text.as_str().into()).map_err(wrong)
                };
                Cells::Texts(values.zip(rows).map(text).collect::<Result<_, _>>()?)
            }
        })
    }
}

/// The values of a column, by kind.
enum Cells {
    Numbers(Vec<f64>),
    Booleans(Vec<bool>),
    Texts(Vec<ByteArray>),
    Lists(Vec<Vec<f64>>),
}

impl Cells {
    fn write(self, mut column: SerializedColumnWriter<'_>) -> ParquetResult<()> {
        match self {
            Cells::Numbers(values) => {
                column.typed::<DoubleType>().write_batch(&values, None, None)?
            }
            Cells::Booleans(values) => {
                column.typed::<BoolType>().write_batch(&values, None, None)?
            }
            Cells::Texts(values) => {
                column.typed::<ByteArrayType>().write_batch(&values, None, None)?
            }
            Cells::Lists(lists) => {
                // An empty list is one level without a value; the first element of a list has repetition level 0.
                let (mut defined, mut repeated) = (Vec::new(), Vec::new());
                for list in &lists {
                    defined.extend(std::iter::repeat_n(
                        i16::from(!list.is_empty()),
                        list.len().max(1),
                    ));
                    repeated.push(0);
                    repeated.extend(list.iter().skip(1).map(|_| 1_i16));
                }
                let values = lists.concat();
                let (defined, repeated) = (Some(&defined[..]), Some(&repeated[..]));
                column.typed::<DoubleType>().write_batch(&values, defined, repeated)?
            }
        };
        column.close()
    }
}

fn number(value: Value<'static>) -> f64 {
    match value {
        Value::Num(number) => number,
        value => unreachable!("a number column has a {}", value.ty()),
    }
}

fn sequence(value: Value<'static>) -> Vec<f64> {
    match value {
        Value::Seq(numbers) => numbers.into_owned(),
        value => unreachable!("a sequence column has a {}", value.ty()),
    }
}

/// The string of these character codes, or the first number that is not a character code.
fn text(value: Value<'static>) -> Result<String, f64> {
    let character = |code: f64| {
        let whole = code as u32;
        (f64::from(whole) == code).then_some(whole).and_then(char::from_u32).ok_or(code)
    };
    sequence(value).into_iter().map(character).collect()
}

/// A temporary file, which is removed unless it is renamed.
pub(crate) struct TemporaryFile(pub(crate) PathBuf);

impl TemporaryFile {
    /// A temporary file in the folder of the final one.
    pub(crate) fn beside(path: &Path) -> io::Result<TemporaryFile> {
        let name = path.file_name().ok_or_else(|| io::Error::other("it has no file name"))?;
        let mut hidden = std::ffi::OsString::from(".");
        hidden.push(name);
        hidden.push(format!(".{}.unfinished", std::process::id()));
        Ok(TemporaryFile(path.with_file_name(hidden)))
    }
}

impl Drop for TemporaryFile {
    fn drop(&mut self) {
        // After the renaming it no longer exists, so a failure is fine.
        let _ = fs::remove_file(&self.0);
    }
}
