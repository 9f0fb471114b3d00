//! The frames that go to a worker and come back: a length, a kind, a body; little-endian.
//!
//! Typed columns, without tags: both sides know the types. Knows nothing of processes, and nothing of what is run.

use std::ops::Range;

use genmorph_jit::{Column, Sequences};

use super::method::Method;
use super::types::{Element, Form, JavaType};
use crate::subject::worker::frames::{Garbled, Reader};

/// The first number of the first frame: `GMRM`.
pub(super) const MAGIC: u32 = 0x4d52_4d47;
/// What both sides have to agree on.
pub(super) const VERSION: u32 = 2;
/// No frame is longer.
pub(super) const LONGEST: usize = 256 << 20;

const PING: u8 = 1;
const DEFINE: u8 = 2;
const RUN: u8 = 3;
const DROP: u8 = 4;
const STATUS: u8 = 5;
const CLASS: u8 = 6;

const HELLO: u8 = 64;
const DONE: u8 = 65;
const FAILED: u8 = 66;
const NEED: u8 = 67;
const PROGRESS: u8 = 68;

/// What a worker says.
#[derive(Debug, PartialEq)]
pub(super) enum Message {
    /// The greeting of a worker that is ready.
    Hello { magic: u32, version: u32 },
    /// It did what it was asked to.
    Done(Vec<u8>),
    /// It could not, because something was thrown.
    Failed(Failure),
    /// It needs a class.
    Need(String),
    /// The worker is at this row, and its call has `left` units of fuel left.
    Progress { row: u32, left: u32 },
}

/// What was thrown when a version was loaded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Failure {
    /// The class of the exception.
    pub(super) class: String,
    /// The message of the exception.
    pub(super) message: String,
    /// The class of its cause, if it has one.
    pub(super) cause: String,
    /// What the runtime stopped it for.
    pub(super) stop: Option<Stop>,
}

/// Why the runtime stops code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stop {
    Fuel,
    Exit,
    Memory,
}

impl Message {
    /// A frame without its length.
    pub(super) fn parse(mut frame: Vec<u8>) -> Result<Message, Garbled> {
        let kind = *frame.first().ok_or(Garbled)?;
        let mut body = Reader::new(&frame[1..]);
        Ok(match kind {
            HELLO => Message::Hello { magic: body.u32()?, version: body.u32()? },
            DONE => {
                frame.remove(0);
                Message::Done(frame)
            }
            FAILED => Message::Failed(Failure {
                class: text(&mut body)?,
                message: text(&mut body)?,
                cause: text(&mut body)?,
                stop: match body.u8()? {
                    0 => None,
                    1 => Some(Stop::Fuel),
                    2 => Some(Stop::Exit),
                    _ => Some(Stop::Memory),
                },
            }),
            NEED => {
                let (units, _) = body.rest().as_chunks::<2>();
                let units: Vec<u16> = units.iter().map(|unit| u16::from_le_bytes(*unit)).collect();
                Message::Need(String::from_utf16_lossy(&units))
            }
            PROGRESS => Message::Progress { row: body.u32()?, left: body.u32()? },
            _ => return Err(Garbled),
        })
    }
}

/// A version to be defined.
pub(super) struct Define<'d> {
    /// The number that it is called by.
    pub(super) number: u32,
    /// What its static initialisers may spend.
    pub(super) fuel: u32,
    /// How many sides of branches there are.
    pub(super) sides: usize,
    /// The classes that are its own, by name with slashes.
    pub(super) own: &'d [(&'d str, &'d [u8])],
    pub(super) method: &'d Method,
    /// The texts that elements are the numbers of.
    pub(super) texts: &'d [String],
    /// The parameters that are outputs after the call.
    pub(super) changed: &'d [usize],
}

impl Define<'_> {
    pub(super) fn frame(&self) -> Vec<u8> {
        let mut frame = Writer::new(DEFINE);
        frame.u32(self.number);
        frame.u32(self.fuel);
        frame.length(self.sides);
        frame.length(self.own.len());
        for (name, bytes) in self.own {
            frame.text(&name.replace('/', "."));
            frame.length(bytes.len());
            frame.0.extend_from_slice(bytes);
        }
        frame.text(&self.method.class.replace('/', "."));
        frame.text(&self.method.name);
        frame.text(&self.method.descriptor);
        frame.length(self.texts.len());
        self.texts.iter().for_each(|text| frame.text(text));
        frame.types(&self.method.parameters);
        let outputs = outputs(self.method, self.changed);
        frame.types(&outputs.iter().map(|(ty, _)| *ty).collect::<Vec<_>>());
        for (_, source) in outputs {
            // -1 is the result.
            frame.u32(source.map_or(u32::MAX, |index| index as u32));
        }
        frame.done()
    }
}

/// The types of the outputs, and the parameters that they are after the call.
pub(super) fn outputs(method: &Method, changed: &[usize]) -> Vec<(JavaType, Option<usize>)> {
    let result = method.result.map(|ty| (ty, None));
    result.into_iter().chain(changed.iter().map(|&i| (method.parameters[i], Some(i)))).collect()
}

pub(super) fn ping() -> Vec<u8> {
    Writer::new(PING).done()
}

pub(super) fn status() -> Vec<u8> {
    Writer::new(STATUS).done()
}

pub(super) fn drop(number: u32) -> Vec<u8> {
    let mut frame = Writer::new(DROP);
    frame.u32(number);
    frame.done()
}

/// The answer to a worker that needs a class: its bytes, or that the class does not exist.
pub(super) fn class(bytes: Option<&[u8]>) -> Vec<u8> {
    let mut frame = Writer::new(CLASS);
    frame.0.push(u8::from(bytes.is_some()));
    frame.0.extend_from_slice(bytes.unwrap_or_default());
    frame.done()
}

/// Rows to be run.
pub(super) struct Run<'r> {
    pub(super) number: u32,
    pub(super) sides: usize,
    pub(super) types: &'r [JavaType],
    pub(super) columns: &'r [Column],
    /// The parameters that are null, for each row; nothing if none is.
    pub(super) nulls: &'r [Vec<usize>],
    pub(super) rows: Range<usize>,
}

impl Run<'_> {
    /// The frame, with the fuel that each row may spend.
    pub(super) fn frame(&self, fuel: impl Fn(usize) -> u32) -> Vec<u8> {
        let mut frame = Writer::new(RUN);
        frame.u32(self.number);
        frame.length(self.sides);
        frame.length(self.rows.len());
        self.rows.clone().for_each(|row| frame.u32(fuel(row)));
        for (i, (ty, column)) in self.types.iter().zip(self.columns).enumerate() {
            let is_null = |row: usize| self.nulls.get(row).is_some_and(|nulls| nulls.contains(&i));
            frame.column(*ty, column, self.rows.clone(), is_null);
        }
        frame.done()
    }
}

/// How a call ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RowEnd {
    Returned,
    Threw(u32),
    Fuel,
    Memory,
    Stack,
    Exit,
    Bad,
}

/// What rows did. Values are those of the rows that returned.
#[derive(Debug)]
pub(super) struct BatchReply {
    pub(super) ends: Vec<RowEnd>,
    pub(super) spent: Vec<u32>,
    /// The classes of what was thrown.
    pub(super) thrown: Vec<String>,
    pub(super) columns: Vec<Values>,
    /// How many classes were loaded meanwhile.
    pub(super) loaded: u32,
    /// Whether threads were left running.
    pub(super) threads: bool,
    pub(super) hits: Vec<u32>,
    pub(super) distances: Vec<f64>,
}

/// The values of an output.
#[derive(Debug)]
pub(super) enum Values {
    Numbers(Vec<f64>),
    Truths(Vec<bool>),
    /// With whether each is made of characters only, where it has to be.
    Sequences(Sequences, Vec<bool>),
}

impl BatchReply {
    /// The body of a reply.
    pub(super) fn parse(
        body: &[u8],
        outputs: &[JavaType],
        sides: usize,
    ) -> Result<BatchReply, Garbled> {
        let mut body = Reader::new(body);
        let rows = body.u32()? as usize;
        let loaded = body.u32()?;
        let threads = body.u8()? != 0;
        let kinds = body.take(rows)?;
        let spent = body.many(rows, u32::from_le_bytes)?;
        let names = body.u32()?;
        let thrown = (0..names).map(|_| text(&mut body)).collect::<Result<Vec<_>, _>>()?;
        let mut ends = Vec::with_capacity(rows);
        for kind in kinds {
            ends.push(match kind {
                0 => RowEnd::Returned,
                1 => RowEnd::Threw(body.u32()?).known(thrown.len())?,
                2 => RowEnd::Fuel,
                3 => RowEnd::Memory,
                4 => RowEnd::Stack,
                5 => RowEnd::Exit,
                6 => RowEnd::Bad,
                _ => return Err(Garbled),
            });
        }
        let returned = ends.iter().filter(|end| **end == RowEnd::Returned).count();
        let columns = outputs
            .iter()
            .map(|ty| values(&mut body, *ty, returned))
            .collect::<Result<Vec<_>, _>>()?;
        let mut hits = Vec::with_capacity(rows * sides);
        let mut distances = Vec::with_capacity(rows * sides);
        for _ in 0..rows * sides {
            hits.push(body.u32()?);
            distances.push(body.f64()?);
        }
        body.end()?;
        Ok(BatchReply { ends, spent, thrown, columns, loaded, threads, hits, distances })
    }
}

impl RowEnd {
    fn known(self, names: usize) -> Result<RowEnd, Garbled> {
        match self {
            RowEnd::Threw(number) if number as usize >= names => Err(Garbled),
            end => Ok(end),
        }
    }
}

struct Writer(Vec<u8>);

impl Writer {
    fn new(kind: u8) -> Writer {
        Writer(vec![0, 0, 0, 0, kind])
    }

    fn u32(&mut self, number: u32) {
        self.0.extend_from_slice(&number.to_le_bytes());
    }

    fn length(&mut self, length: usize) {
        self.u32(u32::try_from(length).expect("batches are far smaller"));
    }

    fn unit(&mut self, unit: u16) {
        self.0.extend_from_slice(&unit.to_le_bytes());
    }

    fn text(&mut self, text: &str) {
        self.length(text.encode_utf16().count());
        text.encode_utf16().for_each(|unit| self.unit(unit));
    }

    fn types(&mut self, types: &[JavaType]) {
        self.length(types.len());
        for ty in types {
            let form = match ty.form {
                Form::Single => b'1',
                Form::Array => b'[',
                Form::List => b'L',
                Form::Text => b'T',
            };
            self.unit(form.into());
            self.unit(ty.element.letter() as u16);
        }
    }

    fn column(
        &mut self,
        ty: JavaType,
        column: &Column,
        rows: Range<usize>,
        is_null: impl Fn(usize) -> bool,
    ) {
        /// The length of null.
        const NULL: u32 = u32::MAX;
        match (column, ty.form) {
            (Column::Num(values), _) => self.elements(ty.element, &values[rows]),
            (Column::Bool(values), _) => self.0.extend(values[rows].iter().map(|b| u8::from(*b))),
            (Column::Seq(values), Form::Text) => {
                let start = self.0.len();
                self.0.resize(start + 4 * rows.len(), 0);
                for (i, row) in rows.enumerate() {
                    let before = self.0.len();
                    let units = if is_null(row) {
                        NULL
                    } else {
                        values.get(row).iter().for_each(|code| self.character(*code));
                        ((self.0.len() - before) / 2) as u32
                    };
                    self.0[start + 4 * i..][..4].copy_from_slice(&units.to_le_bytes());
                }
            }
            (Column::Seq(values), _) => {
                for row in rows.clone() {
                    if is_null(row) {
                        self.u32(NULL);
                    } else {
                        self.length(values.get(row).len());
                    }
                }
                rows.filter(|row| !is_null(*row))
                    .for_each(|row| self.elements(ty.element, values.get(row)));
            }
        }
    }

    /// A number that the type does not have becomes the nearest that it has.
    fn elements(&mut self, element: Element, values: &[f64]) {
        let out = &mut self.0;
        match element {
            Element::Boolean => out.extend(values.iter().map(|v| u8::from(*v != 0.0))),
            Element::Byte => out.extend(values.iter().map(|v| *v as i8 as u8)),
            Element::Short => out.extend(values.iter().flat_map(|v| (*v as i16).to_le_bytes())),
            Element::Char => out.extend(values.iter().flat_map(|v| (*v as u16).to_le_bytes())),
            Element::Int | Element::Text => {
                out.extend(values.iter().flat_map(|v| (*v as i32).to_le_bytes()));
            }
            Element::Long => out.extend(values.iter().flat_map(|v| (*v as i64).to_le_bytes())),
            Element::Float => out.extend(values.iter().flat_map(|v| (*v as f32).to_le_bytes())),
            Element::Double => out.extend(values.iter().flat_map(|v| v.to_le_bytes())),
        }
    }

    /// A character as one unit or two.
    fn character(&mut self, code: f64) {
        let code = code as u32;
        match u16::try_from(code) {
            Ok(unit) => self.unit(unit),
            Err(_) => {
                let c = char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER);
                c.encode_utf16(&mut [0; 2]).iter().for_each(|unit| self.unit(*unit));
            }
        }
    }

    /// The frame, with its length.
    fn done(mut self) -> Vec<u8> {
        let length = u32::try_from(self.0.len() - 4).expect("batches are far smaller");
        self.0[..4].copy_from_slice(&length.to_le_bytes());
        self.0
    }
}

/// A text as Java has it: units of UTF-16.
fn text(reader: &mut Reader<'_>) -> Result<String, Garbled> {
    let length = reader.u32()? as usize;
    let units = reader.many(length, u16::from_le_bytes)?;
    Ok(String::from_utf16_lossy(&units))
}

fn elements(reader: &mut Reader<'_>, element: Element, count: usize) -> Result<Vec<f64>, Garbled> {
    match element {
        Element::Boolean => reader.many(count, |[byte]: [u8; 1]| f64::from(byte)),
        Element::Byte => reader.many(count, |bytes| f64::from(i8::from_le_bytes(bytes))),
        Element::Short => reader.many(count, |bytes| f64::from(i16::from_le_bytes(bytes))),
        Element::Char => reader.many(count, |bytes| f64::from(u16::from_le_bytes(bytes))),
        Element::Int | Element::Text => {
            reader.many(count, |bytes| f64::from(i32::from_le_bytes(bytes)))
        }
        // Relations compute with doubles: beyond 2^53 a long becomes the nearest one.
        Element::Long => reader.many(count, |bytes| i64::from_le_bytes(bytes) as f64),
        Element::Float => reader.many(count, |bytes| f64::from(f32::from_le_bytes(bytes))),
        Element::Double => reader.many(count, f64::from_le_bytes),
    }
}

/// Half of a pair of UTF-16 is no character.
pub(super) fn is_half(unit: f64) -> bool {
    (55_296.0..57_344.0).contains(&unit)
}

fn values(reader: &mut Reader<'_>, ty: JavaType, count: usize) -> Result<Values, Garbled> {
    if ty.form == Form::Single {
        return match ty.element {
            Element::Boolean => reader.many(count, |[byte]: [u8; 1]| byte != 0).map(Values::Truths),
            element => elements(reader, element, count).map(Values::Numbers),
        };
    }
    let lengths = reader.many(count, u32::from_le_bytes)?;
    let mut sequences = Sequences::default();
    let mut proper = Vec::with_capacity(count);
    for length in lengths {
        let length = length as usize;
        if ty.form == Form::Text {
            let units = reader.many(length, u16::from_le_bytes)?;
            let mut whole = true;
            sequences.push(char::decode_utf16(units).map(|c| {
                whole &= c.is_ok();
                f64::from(u32::from(c.unwrap_or(char::REPLACEMENT_CHARACTER)))
            }));
            proper.push(whole);
        } else {
            let elements = elements(reader, ty.element, length)?;
            let has_half = elements.iter().any(|unit| is_half(*unit));
            proper.push(ty.element != Element::Char || !has_half);
            sequences.push(elements);
        }
    }
    Ok(Values::Sequences(sequences, proper))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A reply: a row that threw, and one that returned a text.
    fn reply() -> Vec<u8> {
        let mut reply = Writer(Vec::new());
        reply.u32(2);
        reply.u32(0);
        reply.0.extend([0, 1, 0]);
        [7, 8].iter().for_each(|spent| reply.u32(*spent));
        reply.u32(1);
        reply.text("x.Y");
        reply.u32(0);
        reply.u32(2);
        [0x68, 0x69].iter().for_each(|unit| reply.unit(*unit));
        reply.0
    }

    const TEXT: JavaType = JavaType { form: Form::Text, element: Element::Char };

    #[test]
    fn a_reply_is_read() {
        let ran = BatchReply::parse(&reply(), &[TEXT], 0).unwrap();
        assert_eq!(ran.ends, [RowEnd::Threw(0), RowEnd::Returned]);
        assert_eq!((ran.spent, ran.thrown), (vec![7, 8], vec!["x.Y".to_owned()]));
        let Values::Sequences(values, proper) = &ran.columns[0] else { panic!() };
        assert_eq!(
            (values.get(0), proper.as_slice()),
            ([104.0, 105.0].as_slice(), [true].as_slice())
        );
    }

    #[test]
    fn garbled_replies_are_noticed() {
        let whole = reply();
        for length in 0..whole.len() {
            assert!(BatchReply::parse(&whole[..length], &[TEXT], 0).is_err(), "{length}");
        }
        assert!(BatchReply::parse(&[whole.as_slice(), &[0]].concat(), &[TEXT], 0).is_err());
        for at in 0..whole.len() {
            let mut changed = whole.clone();
            changed[at] ^= 0xff;
            // Whatever the bytes are, they are read without harm.
            let _ = BatchReply::parse(&changed, &[TEXT], 0);
            let _ = Message::parse(changed);
        }
        assert_eq!(Message::parse(Vec::new()), Err(Garbled));
        assert_eq!(Message::parse(vec![9, 9]), Err(Garbled));
    }
}
