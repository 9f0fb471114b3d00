//! Checksums of the columns of an executions file, so that a damaged copy is not scored.
//!
//! Parquet has checksums of pages, which few programs write and ours does not read; and they are of encoded bytes. These are
//! digests of decoded values and of the metadata, under a key of their own: files of other programs have none.

use std::collections::BTreeMap;

use genmorph_jit::{Column, Value};
use serde::{Deserialize, Serialize};

use super::error::Problem;
use crate::support::digest::{Digest, Fields};

/// The key of the checksums in the file.
pub(super) const CHECKSUM: &str = "genmorph.checksum";

/// The digests of a file.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Checksums {
    /// Of the text of the metadata.
    metadata: Digest,
    /// Of the values of each column, by its name.
    columns: BTreeMap<String, Digest>,
}

impl Checksums {
    pub(super) fn of(metadata: &str) -> Checksums {
        Checksums { metadata: text_digest(metadata), columns: BTreeMap::new() }
    }

    pub(super) fn read(text: &str) -> Result<Checksums, Problem> {
        serde_json::from_str(text)
            .map_err(|_| Problem::Checksum(format!("the metadata `{CHECKSUM}`")))
    }

    pub(super) fn write(&self) -> String {
        serde_json::to_string(self).expect("texts are JSON")
    }

    /// Notes the digest of a column under its name.
    pub(super) fn add(&mut self, column: &str, values: ColumnDigest) {
        self.columns.insert(column.to_owned(), values.finish());
    }

    /// Checks the text of the metadata.
    pub(super) fn check_metadata(&self, key: &str, text: &str) -> Result<(), Problem> {
        match self.metadata == text_digest(text) {
            true => Ok(()),
            false => Err(Problem::Checksum(format!("the metadata `{key}`"))),
        }
    }

    /// Compares the digest of a column with the one that the file has for it.
    pub(super) fn check(&self, column: &str, values: ColumnDigest) -> Result<(), Problem> {
        match self.columns.get(column) == Some(&values.finish()) {
            true => Ok(()),
            false => Err(Problem::Checksum(format!("column `{column}`"))),
        }
    }
}

fn text_digest(text: &str) -> Digest {
    Fields::of("genmorph metadata 1").and(text).digest()
}

/// Computes the digest of a column, value by value: numbers as eight little-endian bytes, truth values as one, sequences and
/// texts after their length.
#[derive(Debug)]
pub(super) struct ColumnDigest {
    fields: Fields,
    /// Bytes that wait for more: the digest of many short fields takes long.
    waiting: Vec<u8>,
}

/// Bytes that make a field of the digest: the first value that reaches this number ends it.
const FIELD: usize = 1 << 16;

impl ColumnDigest {
    pub(super) fn new() -> ColumnDigest {
        ColumnDigest { fields: Fields::of("genmorph column 1"), waiting: Vec::new() }
    }

    /// The digest of a whole column of a table.
    pub(super) fn of(column: &Column) -> ColumnDigest {
        let mut digest = ColumnDigest::new();
        match column {
            Column::Num(numbers) => numbers.iter().for_each(|&number| digest.number(number)),
            Column::Bool(truths) => truths.iter().for_each(|&truth| digest.truth(truth)),
            Column::Seq(sequences) => {
                (0..sequences.len()).for_each(|row| digest.sequence(sequences.get(row)));
            }
        }
        digest
    }

    pub(super) fn text(&mut self, text: &str) {
        self.length(text.len());
        self.waiting.extend_from_slice(text.as_bytes());
        self.settle();
    }

    pub(super) fn value(&mut self, value: &Value<'_>) {
        match value {
            Value::Num(number) => self.number(*number),
            Value::Bool(truth) => self.truth(*truth),
            Value::Seq(elements) => self.sequence(elements),
        }
    }

    fn number(&mut self, number: f64) {
        self.waiting.extend_from_slice(&number.to_bits().to_le_bytes());
        self.settle();
    }

    fn truth(&mut self, truth: bool) {
        self.waiting.push(u8::from(truth));
        self.settle();
    }

    fn sequence(&mut self, elements: &[f64]) {
        self.length(elements.len());
        self.waiting.extend(elements.iter().flat_map(|element| element.to_bits().to_le_bytes()));
        self.settle();
    }

    fn length(&mut self, length: usize) {
        self.waiting.extend_from_slice(&(length as u64).to_le_bytes());
    }

    fn settle(&mut self) {
        if self.waiting.len() >= FIELD {
            self.fields = self.fields.clone().and(&self.waiting);
            self.waiting.clear();
        }
    }

    fn finish(self) -> Digest {
        self.fields.and(self.waiting).digest()
    }
}
