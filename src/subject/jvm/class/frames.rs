//! `StackMapTable`: the types of locals and stack, for the verifier. Frames move with their instructions and stay as they are.

use super::ClassError;
use super::bytes::{Reader, Write};

/// What holds at an instruction, relative to the frame before.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Frame {
    /// The instruction that the frame stands at.
    pub(super) at: usize,
    change: Change,
}

#[derive(Clone, Debug, PartialEq)]
enum Change {
    Same,
    Stack(Type),
    Chop(u8),
    Append(Vec<Type>),
    Full { locals: Vec<Type>, stack: Vec<Type> },
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Type {
    Plain(u8),
    Object(u16),
    /// Made by the `new` with this number, and not initialised.
    New(usize),
}

const OBJECT: u8 = 7;
const NEW: u8 = 8;

/// Reads a table; `label` gives the number of the instruction at an offset.
pub(super) fn read(
    data: &[u8],
    label: impl Fn(u32) -> Result<usize, ClassError>,
) -> Result<Vec<Frame>, ClassError> {
    let reader = &mut Reader::new(data);
    let count = reader.u16()?;
    let mut frames = Vec::with_capacity(count.into());
    let mut next = 0;
    for _ in 0..count {
        let tag = reader.u8()?;
        let mut one = |reader: &mut Reader<'_>| read_type(reader, &label);
        let (delta, change) = match tag {
            0..64 => (u16::from(tag), Change::Same),
            64..128 => (u16::from(tag - 64), Change::Stack(one(reader)?)),
            247 => (reader.u16()?, Change::Stack(one(reader)?)),
            248..=250 => (reader.u16()?, Change::Chop(251 - tag)),
            251 => (reader.u16()?, Change::Same),
            252..=254 => {
                let delta = reader.u16()?;
                let types: Result<_, _> = (251..tag).map(|_| one(reader)).collect();
                (delta, Change::Append(types?))
            }
            255 => {
                let delta = reader.u16()?;
                let mut types = || super::list(reader, &mut one);
                (delta, Change::Full { locals: types()?, stack: types()? })
            }
            _ => return Err(ClassError::Pool),
        };
        let offset = next + u32::from(delta);
        frames.push(Frame { at: label(offset)?, change });
        next = offset + 1;
    }
    Ok(frames)
}

fn read_type(
    reader: &mut Reader<'_>,
    label: impl Fn(u32) -> Result<usize, ClassError>,
) -> Result<Type, ClassError> {
    Ok(match reader.u8()? {
        OBJECT => Type::Object(reader.u16()?),
        NEW => Type::New(label(reader.u16()?.into())?),
        tag => Type::Plain(tag),
    })
}

/// Which locals have a type at each frame, beginning with as many words of parameters as there are.
pub(super) fn typed_locals(frames: &[Frame], parameters: Vec<u16>) -> Vec<(usize, Vec<bool>)> {
    // The words of each local, 0 for one without type, which takes one.
    let mut locals = parameters;
    let words = |ty: &Type| match ty {
        Type::Plain(0) => 0,
        Type::Plain(3 | 4) => 2,
        _ => 1,
    };
    let mut typed = Vec::with_capacity(frames.len());
    for frame in frames {
        match &frame.change {
            Change::Same | Change::Stack(_) => {}
            Change::Chop(count) => locals.truncate(locals.len().saturating_sub((*count).into())),
            Change::Append(types) => locals.extend(types.iter().map(words)),
            Change::Full { locals: types, .. } => locals = types.iter().map(words).collect(),
        }
        let mut alive = Vec::new();
        for words in &locals {
            alive.push(*words > 0);
            alive.extend((1..*words).map(|_| true));
        }
        typed.push((frame.at, alive));
    }
    typed
}

/// Writes a table. `start` is where an instruction begins with what is before it, `own` where it begins itself.
pub(super) fn write(frames: &[Frame], start: &[u32], own: &[u32]) -> Vec<u8> {
    let mut out = Vec::new();
    out.u16(super::count(frames.len()));
    let mut next = 0;
    for frame in frames {
        let offset = start[frame.at];
        let delta = u16::try_from(offset - next).expect("code is at most 65,535 bytes long");
        next = offset + 1;
        let write = |types: &[Type], out: &mut Vec<u8>| {
            types.iter().for_each(|ty| write_type(*ty, own, out));
        };
        let short = delta < 64;
        match &frame.change {
            Change::Same if short => out.u8(delta as u8),
            Change::Same => tagged(&mut out, 251, delta),
            Change::Stack(ty) => {
                if short {
                    out.u8(64 + delta as u8);
                } else {
                    tagged(&mut out, 247, delta);
                }
                write(&[*ty], &mut out);
            }
            Change::Chop(count) => tagged(&mut out, 251 - count, delta),
            Change::Append(types) => {
                tagged(&mut out, 251 + types.len() as u8, delta);
                write(types, &mut out);
            }
            Change::Full { locals, stack } => {
                tagged(&mut out, 255, delta);
                for types in [locals, stack] {
                    out.u16(super::count(types.len()));
                    write(types, &mut out);
                }
            }
        }
    }
    out
}

fn tagged(out: &mut Vec<u8>, tag: u8, delta: u16) {
    out.u8(tag);
    out.u16(delta);
}

fn write_type(ty: Type, own: &[u32], out: &mut Vec<u8>) {
    match ty {
        Type::Plain(tag) => out.u8(tag),
        Type::Object(class) => {
            out.u8(OBJECT);
            out.u16(class);
        }
        Type::New(insn) => {
            out.u8(NEW);
            out.u16(u16::try_from(own[insn]).expect("code is at most 65,535 bytes long"));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every kind of frame, with every second byte an instruction.
    fn table() -> Vec<u8> {
        let mut data = vec![0, 8];
        data.extend([0]); // same, at offset 0
        data.extend([64 + 3, 1]); // one int on the stack, at 4
        data.extend([247, 0, 99, OBJECT, 0, 9]); // at 104
        data.extend([249, 0, 1]); // two locals fewer, at 106
        data.extend([251, 0, 69]); // at 176
        data.extend([253, 0, 1, 4, NEW, 0, 2]); // two locals more, at 178
        data.extend([255, 0, 1, 0, 2, 0, 3, 0, 1, 6]); // all, at 180
        data.extend([7]); // same, at 188
        data
    }

    fn label(offset: u32) -> Result<usize, ClassError> {
        if offset.is_multiple_of(2) { Ok(offset as usize / 2) } else { Err(ClassError::Pool) }
    }

    #[test]
    fn a_table_is_written_as_it_was_read() {
        let frames = read(&table(), label).unwrap();
        let same: Vec<u32> = (0..100).map(|insn| 2 * insn).collect();
        assert_eq!(write(&frames, &same, &same), table());
    }

    #[test]
    fn frames_move_with_their_instructions() {
        let frames = read(&table(), label).unwrap();
        let start: Vec<u32> = (0..100).map(|insn| 10 * insn).collect();
        let own: Vec<u32> = (0..100).map(|insn| 10 * insn + 3).collect();
        let moved = write(&frames, &start, &own);
        let again = read(&moved, |offset| {
            let place = if offset % 10 == 3 { &own } else { &start };
            place.iter().position(|at| *at == offset).ok_or(ClassError::Pool)
        });
        assert_eq!(again.unwrap(), frames);
    }

    #[test]
    fn a_frame_between_instructions_is_an_error() {
        assert!(read(&[0, 1, 1], label).is_err());
    }
}
