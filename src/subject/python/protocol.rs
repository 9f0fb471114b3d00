//! Rows and outcomes as bytes, between us and a worker. `harness/batch.py` is the other side.
//!
//! ```text
//!  us      length u64, kind u8; to run rows: mutant, careful, sides, patience (ms), rows: u32 each, fuel u64 each, columns
//!  worker  length u64, then "gmp1", or facts in JSON; or, until all rows are done: rows u32, names of exceptions, ends u8 each,
//!          exceptions u32 of those that threw, ticks u64 before and after each row, columns of those that returned,
//!          hits u32 and distances f64 of each row and side
//! ```
//!
//! A column is integers (i64), floats (f64), truths (u8), or lengths (u32) and then elements; a text has its length in bytes after the
//! lengths in characters. Knows nothing of processes.

use std::ops::Range;
use std::time::Duration;

use genmorph_jit::{Column, Sequences};

use crate::subject::signature::{Scalar, ScalarClass, Type};
use crate::subject::worker::frames::{Garbled, Reader};

/// The first word of a worker.
pub(super) const HELLO: [u8; 4] = *b"gmp1";
/// A request to describe a function.
pub(super) const DESCRIBE: u8 = 1;
/// A request to run rows.
pub(super) const RUN: u8 = 2;

/// Rows to be run.
pub(super) struct RunRequest<'r> {
    /// 0 is the original.
    pub(super) mutant: u32,
    /// Whether every row is answered at once.
    pub(super) is_careful: bool,
    /// How many sides of branches are recorded.
    pub(super) sides: usize,
    /// How long a row may get nowhere, in code that takes no fuel.
    pub(super) patience: Duration,
    pub(super) types: &'r [Type],
    pub(super) columns: &'r [Column],
    pub(super) rows: Range<usize>,
}

impl RunRequest<'_> {
    /// The body of the request, with the fuel that each row may spend.
    pub(super) fn body(&self, fuel: impl Fn(usize) -> u64) -> Vec<u8> {
        let mut body = Vec::new();
        let sides = u32::try_from(self.sides).expect("functions have fewer branches");
        let rows = u32::try_from(self.rows.len()).expect("batches are smaller");
        let patience = u32::try_from(self.patience.as_millis()).unwrap_or(u32::MAX);
        for number in [self.mutant, u32::from(self.is_careful), sides, patience, rows] {
            body.extend_from_slice(&number.to_le_bytes());
        }
        self.rows.clone().for_each(|row| body.extend_from_slice(&fuel(row).to_le_bytes()));
        for (ty, column) in self.types.iter().zip(self.columns) {
            match column {
                Column::Num(values) => scalars(&mut body, ty.scalar(), &values[self.rows.clone()]),
                Column::Bool(values) => {
                    body.extend(values[self.rows.clone()].iter().map(|truth| u8::from(*truth)));
                }
                Column::Seq(values) => {
                    for row in self.rows.clone() {
                        let length =
                            u32::try_from(values.get(row).len()).expect("inputs are shorter");
                        body.extend_from_slice(&length.to_le_bytes());
                    }
                    let elements = self.rows.clone().map(|row| values.get(row));
                    match ty {
                        Type::String => text(&mut body, elements),
                        Type::List(_) | Type::Scalar(_) => {
                            elements.for_each(|elements| scalars(&mut body, ty.scalar(), elements));
                        }
                    }
                }
            }
        }
        body
    }
}

fn scalars(body: &mut Vec<u8>, scalar: Scalar, values: &[f64]) {
    match scalar.class() {
        ScalarClass::Bool => body.extend(values.iter().map(|value| u8::from(*value != 0.0))),
        ScalarClass::Float => {
            values.iter().for_each(|value| body.extend_from_slice(&value.to_le_bytes()));
        }
        ScalarClass::Char | ScalarClass::Integer => {
            values.iter().for_each(|value| body.extend_from_slice(&(*value as i64).to_le_bytes()));
        }
    }
}

fn text<'e>(body: &mut Vec<u8>, texts: impl Iterator<Item = &'e [f64]>) {
    let start = body.len();
    body.extend_from_slice(&[0; 4]);
    for code in texts.flatten() {
        let c = char::from_u32(*code as u32).unwrap_or(char::REPLACEMENT_CHARACTER);
        body.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
    }
    let length = u32::try_from(body.len() - start - 4).expect("batches are smaller");
    body[start..][..4].copy_from_slice(&length.to_le_bytes());
}

/// How a row ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RowEnd {
    Returned,
    /// By its number among the names.
    Threw(usize),
    Fuel,
    Memory,
    Stack,
    Exited,
    Hung,
    Bad,
}

/// What rows did, in order.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Reply {
    pub(super) names: Vec<String>,
    pub(super) ends: Vec<RowEnd>,
    pub(super) spent: Vec<u64>,
    /// The values of those that returned.
    pub(super) columns: Vec<Column>,
    pub(super) hits: Vec<u32>,
    pub(super) distances: Vec<f64>,
}

impl Reply {
    /// The body of a reply.
    pub(super) fn parse(bytes: &[u8], types: &[Type], sides: usize) -> Result<Reply, Garbled> {
        let mut reader = Reader::new(bytes);
        let rows = reader.u32()? as usize;
        let count = reader.u32()?;
        let mut names = Vec::new();
        for _ in 0..count {
            let length = reader.u32()? as usize;
            names.push(String::from_utf8_lossy(reader.take(length)?).into_owned());
        }
        let codes = reader.take(rows)?;
        let threw = codes.iter().filter(|code| **code == 1).count();
        let mut thrown = reader.many(threw, u32::from_le_bytes)?.into_iter();
        let mut ends = Vec::with_capacity(rows);
        for code in codes {
            ends.push(match code {
                0 => RowEnd::Returned,
                1 => {
                    let number = thrown.next().ok_or(Garbled)? as usize;
                    RowEnd::Threw(if number < names.len() { number } else { return Err(Garbled) })
                }
                2 => RowEnd::Fuel,
                3 => RowEnd::Memory,
                4 => RowEnd::Stack,
                5 => RowEnd::Exited,
                6 => RowEnd::Hung,
                7 => RowEnd::Bad,
                _ => return Err(Garbled),
            });
        }
        let ticks = reader.many(rows + 1, u64::from_le_bytes)?;
        // Every row ends with one tick more than it has spent.
        let spent = ticks.windows(2).map(|two| two[1].checked_sub(two[0] + 1).ok_or(Garbled));
        let spent = spent.collect::<Result<Vec<_>, _>>()?;
        let returned = codes.iter().filter(|code| **code == 0).count();
        let columns = types.iter().map(|ty| column(&mut reader, *ty, returned));
        let columns = columns.collect::<Result<Vec<_>, _>>()?;
        let cells = rows.checked_mul(sides).ok_or(Garbled)?;
        let hits = reader.many(cells, u32::from_le_bytes)?;
        let distances = reader.many(cells, f64::from_le_bytes)?;
        reader.end()?;
        Ok(Reply { names, ends, spent, columns, hits, distances })
    }
}

fn column(reader: &mut Reader<'_>, ty: Type, rows: usize) -> Result<Column, Garbled> {
    Ok(match ty {
        Type::Scalar(Scalar::Bool) => Column::Bool(reader.many(rows, |[byte]: [u8; 1]| byte != 0)?),
        Type::Scalar(scalar) => Column::Num(numbers(reader, scalar, rows)?),
        Type::String | Type::List(_) => {
            let lengths = reader.many(rows, u32::from_le_bytes)?;
            let total = lengths.iter().map(|length| *length as usize).sum();
            let elements = match ty {
                Type::String => {
                    let bytes = reader.u32()? as usize;
                    let text = std::str::from_utf8(reader.take(bytes)?).map_err(|_| Garbled)?;
                    text.chars().map(|c| f64::from(u32::from(c))).collect()
                }
                Type::Scalar(scalar) | Type::List(scalar) => numbers(reader, scalar, total)?,
            };
            let mut rest = elements.as_slice();
            let mut sequences = Sequences::default();
            for length in lengths {
                let (own, others) = rest.split_at_checked(length as usize).ok_or(Garbled)?;
                sequences.push(own.iter().copied());
                rest = others;
            }
            if !rest.is_empty() {
                return Err(Garbled);
            }
            Column::Seq(sequences)
        }
    })
}

/// Integers beyond 2^53 are rounded here; `Outcomes::is_exact` knows them by their size.
fn numbers(reader: &mut Reader<'_>, scalar: Scalar, count: usize) -> Result<Vec<f64>, Garbled> {
    match scalar.class() {
        ScalarClass::Bool => reader.many(count, |[byte]: [u8; 1]| f64::from(byte)),
        ScalarClass::Float => reader.many(count, f64::from_le_bytes),
        ScalarClass::Char | ScalarClass::Integer => {
            reader.many(count, |bytes| i64::from_le_bytes(bytes) as f64)
        }
    }
}

/// Reads a reply as a worker may send it: of a number, a text and a list. For fuzzers.
pub fn read_reply(bytes: &[u8]) -> bool {
    let types = [Type::Scalar(Scalar::S64), Type::String, Type::List(Scalar::F64)];
    Reply::parse(bytes, &types, 2).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    const TYPES: [Type; 2] = [Type::Scalar(Scalar::S64), Type::String];

    /// Three rows: one that threw, and two that returned a number and a text.
    fn reply() -> Vec<u8> {
        let mut reply = 3_u32.to_le_bytes().to_vec();
        reply.extend(1_u32.to_le_bytes());
        reply.extend(10_u32.to_le_bytes());
        reply.extend(b"ValueError");
        reply.extend([1, 0, 0]);
        reply.extend(0_u32.to_le_bytes());
        [5_u64, 6, 10, 12].iter().for_each(|ticks| reply.extend(ticks.to_le_bytes()));
        [7_i64, i64::MAX].iter().for_each(|value| reply.extend(value.to_le_bytes()));
        [1_u32, 2].iter().for_each(|length| reply.extend(length.to_le_bytes()));
        reply.extend(4_u32.to_le_bytes());
        reply.extend("hé!".as_bytes());
        reply
    }

    #[test]
    fn a_reply_is_read() {
        let read = Reply::parse(&reply(), &TYPES, 0).unwrap();
        assert_eq!(read.ends, [RowEnd::Threw(0), RowEnd::Returned, RowEnd::Returned]);
        assert_eq!((read.spent, read.names), (vec![0, 3, 1], vec!["ValueError".to_owned()]));
        assert_eq!(read.columns[0], Column::Num(vec![7.0, i64::MAX as f64]));
        let mut texts = Sequences::default();
        texts.push([104.0]);
        texts.push([233.0, 33.0]);
        assert_eq!(read.columns[1], Column::Seq(texts));
    }

    #[test]
    fn garbled_replies_are_noticed() {
        let whole = reply();
        for length in 0..whole.len() {
            assert_eq!(Reply::parse(&whole[..length], &TYPES, 0), Err(Garbled), "{length}");
        }
        assert_eq!(Reply::parse(&[whole.as_slice(), &[0]].concat(), &TYPES, 0), Err(Garbled));
        for at in 0..whole.len() {
            let mut changed = whole.clone();
            changed[at] ^= 0xff;
            // Whatever the bytes are, they are read without harm.
            let _ = Reply::parse(&changed, &TYPES, 0);
        }
    }
}
