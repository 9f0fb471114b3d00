//! Instructions to bytes, with edits.

use super::bytes::Write;
use super::code::{Arg, Code, Insn, Slot};
use super::opcode::op;
use super::{Attribute, ClassError, Pool, frames};

/// How `goto`s are written.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Gotos {
    Short,
    Long,
}

/// Instructions as bytes, with what has to be filled in later.
struct Layout {
    bytes: Vec<u8>,
    /// Where each instruction begins with what is before it, and at last the end.
    start: Vec<u32>,
    /// Where each instruction begins itself.
    own: Vec<u32>,
}

/// Where a target has to be filled in.
struct Jump {
    place: usize,
    /// The offset that it counts from.
    from: usize,
    /// The instruction that is jumped to.
    target: usize,
    /// Whether it has 32 bits.
    is_long: bool,
}

/// What does not fit into 16 bits.
#[derive(Debug, PartialEq)]
enum Overflow {
    /// A `goto`, which has a longer form.
    Goto,
    /// A conditional jump, or the code.
    Other,
}

impl Code {
    /// The `Code` attribute with edits applied; `deeper` is how many more words they need on the stack.
    pub(crate) fn encode(
        &self,
        slots: &[Slot],
        deeper: u16,
        names: &CodeNames,
        method: &str,
    ) -> Result<Attribute, ClassError> {
        let built = match self.layout(slots, Gotos::Short) {
            Err(Overflow::Goto) => self.layout(slots, Gotos::Long),
            other => other,
        };
        let Ok(Layout { bytes, start, own }) = built else {
            return Err(ClassError::TooLarge { method: method.into() });
        };

        let place = |insn: usize| start[insn] as u16;
        let mut data = Vec::with_capacity(bytes.len() + 64);
        data.u16(self.max_stack.saturating_add(deeper));
        data.u16(self.max_locals);
        data.u32(bytes.len() as u32);
        data.extend_from_slice(&bytes);
        data.u16(super::count(self.handlers.len()));
        for handler in &self.handlers {
            for insn in [handler.from, handler.to, handler.target] {
                data.u16(place(insn));
            }
            data.u16(handler.class);
        }
        let mut attributes = Vec::new();
        if !self.lines.is_empty() {
            let mut table = Vec::new();
            table.u16(super::count(self.lines.len()));
            for (insn, line) in &self.lines {
                table.u16(place(*insn));
                table.u16(*line);
            }
            attributes.push(Attribute { name: names.lines, data: table });
        }
        if !self.frames.is_empty() {
            let table = frames::write(&self.frames, &start, &own);
            attributes.push(Attribute { name: names.frames, data: table });
        }
        data.u16(super::count(attributes.len()));
        attributes.iter().for_each(|attribute| attribute.write(&mut data));
        Ok(Attribute { name: names.code, data })
    }

    /// The bytes of the instructions with edits applied, if they fit.
    pub(crate) fn bytes(&self, slots: &[Slot]) -> Option<Vec<u8>> {
        self.layout(slots, Gotos::Short).ok().map(|layout| layout.bytes)
    }

    fn layout(&self, slots: &[Slot], gotos: Gotos) -> Result<Layout, Overflow> {
        let nop = [Insn::plain(op::NOP)];
        let mut bytes = Vec::new();
        let mut start = Vec::with_capacity(self.insns.len() + 1);
        let mut own = Vec::with_capacity(self.insns.len());
        let mut jumps: Vec<Jump> = Vec::new();
        for (insn, slot) in self.insns.iter().zip(slots) {
            start.push(bytes.len() as u32);
            for insn in &slot.before {
                write(insn, gotos, &mut bytes, &mut jumps);
            }
            own.push(bytes.len() as u32);
            let instead = match &slot.instead {
                None => std::slice::from_ref(insn),
                Some(list) if list.is_empty() => &nop,
                Some(list) => list,
            };
            for insn in instead {
                write(insn, gotos, &mut bytes, &mut jumps);
            }
        }
        start.push(bytes.len() as u32);
        if bytes.len() > 65_535 {
            return Err(Overflow::Other);
        }
        for Jump { place, from, target, is_long } in jumps {
            let relative = i64::from(start[target]) - from as i64;
            if is_long {
                let relative = i32::try_from(relative).map_err(|_| Overflow::Other)?;
                bytes[place..place + 4].copy_from_slice(&relative.to_be_bytes());
            } else {
                let relative = i16::try_from(relative).map_err(|_| {
                    if bytes[from] == op::GOTO { Overflow::Goto } else { Overflow::Other }
                })?;
                bytes[place..place + 2].copy_from_slice(&relative.to_be_bytes());
            }
        }
        Ok(Layout { bytes, start, own })
    }
}

/// The names of the attributes of code, in the constant pool.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CodeNames {
    code: u16,
    lines: u16,
    frames: u16,
}

impl CodeNames {
    pub(crate) fn add(pool: &mut Pool) -> Result<CodeNames, ClassError> {
        Ok(CodeNames {
            code: pool.add_utf8("Code")?,
            lines: pool.add_utf8("LineNumberTable")?,
            frames: pool.add_utf8("StackMapTable")?,
        })
    }
}

fn write(insn: &Insn, gotos: Gotos, out: &mut Vec<u8>, jumps: &mut Vec<Jump>) {
    let from = out.len();
    let number = insn.op;
    match &insn.arg {
        Arg::None => out.u8(number),
        Arg::Int(value) => {
            out.u8(number);
            if number == op::SIPUSH {
                out.u16(value.cast_unsigned());
            } else {
                out.u8(*value as u8);
            }
        }
        Arg::Local(index) => match (u8::try_from(*index), number) {
            (Ok(index @ 0..4), op::ILOAD..=op::ALOAD) => {
                out.u8(26 + 4 * (number - op::ILOAD) + index);
            }
            (Ok(index @ 0..4), op::ISTORE..=op::ASTORE) => {
                out.u8(59 + 4 * (number - op::ISTORE) + index);
            }
            (Ok(index), _) => {
                out.u8(number);
                out.u8(index);
            }
            (Err(_), _) => {
                out.u8(op::WIDE);
                out.u8(number);
                out.u16(*index);
            }
        },
        Arg::Iinc(index, amount) => match (u8::try_from(*index), i8::try_from(*amount)) {
            (Ok(index), Ok(amount)) => {
                out.u8(number);
                out.u8(index);
                out.u8(amount.cast_unsigned());
            }
            _ => {
                out.u8(op::WIDE);
                out.u8(number);
                out.u16(*index);
                out.u16(amount.cast_unsigned());
            }
        },
        Arg::Pool(index) => match u8::try_from(*index) {
            Ok(index) if number == op::LDC => {
                out.u8(number);
                out.u8(index);
            }
            _ => {
                out.u8(if number == op::LDC { op::LDC_W } else { number });
                out.u16(*index);
                if number == op::INVOKEDYNAMIC {
                    out.u16(0);
                }
            }
        },
        Arg::Counted(index, count) => {
            out.u8(number);
            out.u16(*index);
            out.u8(*count);
            if number == op::INVOKEINTERFACE {
                out.u8(0);
            }
        }
        Arg::Jump(target) => {
            let is_long = gotos == Gotos::Long && matches!(number, op::GOTO | op::JSR);
            out.u8(if is_long { number - op::GOTO + op::GOTO_W } else { number });
            jumps.push(Jump { place: out.len(), from, target: *target, is_long });
            out.extend_from_slice(if is_long { &[0; 4] } else { &[0; 2] });
        }
        Arg::Switch(switch) => {
            out.u8(number);
            while !out.len().is_multiple_of(4) {
                out.u8(0);
            }
            let mut jump = |out: &mut Vec<u8>, target: usize| {
                jumps.push(Jump { place: out.len(), from, target, is_long: true });
                out.u32(0);
            };
            jump(out, switch.default);
            if number == op::TABLESWITCH {
                let key = |arm: Option<&(i32, usize)>| arm.map_or(0, |(key, _)| *key);
                out.u32(key(switch.arms.first()).cast_unsigned());
                out.u32(key(switch.arms.last()).cast_unsigned());
                switch.arms.iter().for_each(|(_, target)| jump(out, *target));
            } else {
                out.u32(switch.arms.len() as u32);
                for (key, target) in &switch.arms {
                    out.u32(key.cast_unsigned());
                    jump(out, *target);
                }
            }
        }
    }
}
