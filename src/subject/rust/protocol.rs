//! Rows and outcomes as bytes, between us and a worker. `harness/worker.rs.in` is the other side.
//!
//! ```text
//!  us      length u64, mutant u32, careful u32, sides u32, absent u32, patience u32 (ms), rows u32, fuel u64 each, columns
//!  worker  "gmr1"; then, until all rows are done: length u64, rows u32, ends u8 each, spent u64 each, columns,
//!          hits u32 and distances f64 of each row and side
//! ```
//!
//! A column is numbers (f64), truths (u8), or lengths (u32) and then bytes of texts or numbers of lists. Knows nothing of
//! processes.

use std::ops::Range;
use std::time::Duration;

use genmorph_jit::{Column, Sequences};

use crate::subject::worker::frames::{Garbled, Reader};

/// The first word of a worker.
pub(super) const HELLO: [u8; 4] = *b"gmr1";

/// Rows to be run.
pub(super) struct Request<'r> {
    /// 0 is the original.
    pub(super) mutant: u32,
    /// Whether every row is answered at once.
    pub(super) is_careful: bool,
    /// How many sides of branches are recorded.
    pub(super) sides: usize,
    /// The optional parameters that are `None`, a bit each.
    pub(super) absent: u32,
    /// How long a row may get nowhere, in code that takes no fuel.
    pub(super) patience: Duration,
    /// The kinds of the columns.
    pub(super) kinds: &'r [u8],
    pub(super) columns: &'r [Column],
    pub(super) rows: Range<usize>,
}

impl Request<'_> {
    /// The frame, with the fuel that each row may spend.
    pub(super) fn frame(&self, fuel: impl Fn(usize) -> u64) -> Vec<u8> {
        let mut frame = vec![0; 8];
        let sides = u32::try_from(self.sides).expect("functions have fewer branches");
        let rows = u32::try_from(self.rows.len()).expect("batches are smaller");
        let patience = u32::try_from(self.patience.as_millis()).unwrap_or(u32::MAX);
        let is_careful = u32::from(self.is_careful);
        for number in [self.mutant, is_careful, sides, self.absent, patience, rows] {
            frame.extend_from_slice(&number.to_le_bytes());
        }
        self.rows.clone().for_each(|row| frame.extend_from_slice(&fuel(row).to_le_bytes()));
        for (kind, column) in self.kinds.iter().zip(self.columns) {
            match column {
                Column::Num(values) => {
                    values[self.rows.clone()]
                        .iter()
                        .for_each(|v| frame.extend_from_slice(&v.to_le_bytes()));
                }
                Column::Bool(values) => {
                    frame.extend(values[self.rows.clone()].iter().map(|truth| u8::from(*truth)));
                }
                Column::Seq(values) => {
                    let start = frame.len();
                    frame.resize(start + 4 * self.rows.len(), 0);
                    for (place, row) in self.rows.clone().enumerate() {
                        let elements = values.get(row);
                        let before = frame.len();
                        let length = if *kind == TEXT {
                            for code in elements {
                                let c = char::from_u32(*code as u32)
                                    .unwrap_or(char::REPLACEMENT_CHARACTER);
                                frame.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
                            }
                            frame.len() - before
                        } else {
                            elements.iter().for_each(|e| frame.extend_from_slice(&e.to_le_bytes()));
                            elements.len()
                        };
                        let length = u32::try_from(length).expect("inputs are shorter");
                        frame[start + 4 * place..][..4].copy_from_slice(&length.to_le_bytes());
                    }
                }
            }
        }
        let length = (frame.len() - 8) as u64;
        frame[..8].copy_from_slice(&length.to_le_bytes());
        frame
    }
}

pub(super) const NUMBER: u8 = 0;
pub(super) const TRUTH: u8 = 1;
pub(super) const TEXT: u8 = 2;

/// How a row ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RowEnd {
    Returned,
    Panicked,
    Fuel,
    Stack,
    None,
    Err,
}

/// What rows did, in order.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Reply {
    pub(super) ends: Vec<RowEnd>,
    pub(super) spent: Vec<u64>,
    pub(super) columns: Vec<Column>,
    pub(super) hits: Vec<u32>,
    pub(super) distances: Vec<f64>,
}

impl Reply {
    /// The body of a reply.
    pub(super) fn parse(bytes: &[u8], kinds: &[u8], sides: usize) -> Result<Reply, Garbled> {
        let mut reader = Reader::new(bytes);
        let rows = reader.u32()? as usize;
        let end = |code: &u8| match code {
            0 => Ok(RowEnd::Returned),
            1 => Ok(RowEnd::Panicked),
            2 => Ok(RowEnd::Fuel),
            3 => Ok(RowEnd::Stack),
            4 => Ok(RowEnd::None),
            5 => Ok(RowEnd::Err),
            _ => Err(Garbled),
        };
        let ends = reader.take(rows)?.iter().map(end).collect::<Result<Vec<_>, _>>()?;
        let spent = reader.many(rows, u64::from_le_bytes)?;
        let columns = kinds
            .iter()
            .map(|kind| column(&mut reader, *kind, rows))
            .collect::<Result<Vec<_>, _>>()?;
        let cells = rows.checked_mul(sides).ok_or(Garbled)?;
        let hits = reader.many(cells, u32::from_le_bytes)?;
        let distances = reader.many(cells, f64::from_le_bytes)?;
        reader.end()?;
        Ok(Reply { ends, spent, columns, hits, distances })
    }
}

fn column(reader: &mut Reader<'_>, kind: u8, rows: usize) -> Result<Column, Garbled> {
    match kind {
        NUMBER => reader.many(rows, f64::from_le_bytes).map(Column::Num),
        TRUTH => reader.many(rows, |[byte]: [u8; 1]| byte != 0).map(Column::Bool),
        _ => {
            let lengths = reader.many(rows, u32::from_le_bytes)?;
            let mut sequences = Sequences::default();
            for length in lengths {
                if kind == TEXT {
                    let bytes = reader.take(length as usize)?;
                    let text = std::str::from_utf8(bytes).map_err(|_| Garbled)?;
                    sequences.push(text.chars().map(|c| f64::from(u32::from(c))));
                } else {
                    sequences.push(reader.many(length as usize, f64::from_le_bytes)?);
                }
            }
            Ok(Column::Seq(sequences))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two rows: one that panicked, and one that returned a number and a text.
    fn reply() -> Vec<u8> {
        let mut reply = 2_u32.to_le_bytes().to_vec();
        reply.extend([1, 0]);
        [7_u64, 8].iter().for_each(|spent| reply.extend(spent.to_le_bytes()));
        [0.0_f64, 2.5].iter().for_each(|value| reply.extend(value.to_le_bytes()));
        [0_u32, 3].iter().for_each(|length| reply.extend(length.to_le_bytes()));
        reply.extend("hé".as_bytes());
        reply
    }

    #[test]
    fn a_reply_is_read() {
        let read = Reply::parse(&reply(), &[NUMBER, TEXT], 0).unwrap();
        assert_eq!(read.ends, [RowEnd::Panicked, RowEnd::Returned]);
        assert_eq!(read.spent, [7, 8]);
        assert_eq!(read.columns[0], Column::Num(vec![0.0, 2.5]));
        let mut texts = Sequences::default();
        texts.push([]);
        texts.push([104.0, 233.0]);
        assert_eq!(read.columns[1], Column::Seq(texts));
    }

    #[test]
    fn garbled_replies_are_noticed() {
        let whole = reply();
        for length in 0..whole.len() {
            assert_eq!(
                Reply::parse(&whole[..length], &[NUMBER, TEXT], 0),
                Err(Garbled),
                "{length}"
            );
        }
        assert_eq!(
            Reply::parse(&[whole.as_slice(), &[0]].concat(), &[NUMBER, TEXT], 0),
            Err(Garbled)
        );
        for at in 0..whole.len() {
            let mut changed = whole.clone();
            changed[at] ^= 0xff;
            // Whatever the bytes are, they are read without harm.
            let _ = Reply::parse(&changed, &[NUMBER, TEXT], 0);
        }
    }
}
