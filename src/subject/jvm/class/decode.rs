//! Bytes to instructions.

use super::bytes::Reader;
use super::code::{Arg, Code, Handler, Insn, Switch};
use super::opcode::op;
use super::{ClassError, Pool, frames};

/// No instruction begins here.
const INSIDE: u32 = u32::MAX;

impl Code {
    /// Reads the content of a `Code` attribute. What only debuggers and reflection want is left out: the names of
    /// locals, and annotations of types within code.
    pub(super) fn parse(data: &[u8], pool: &Pool, method: &str) -> Result<Code, ClassError> {
        let reader = &mut Reader::new(data);
        let (max_stack, max_locals) = (reader.u16()?, reader.u16()?);
        let length = reader.u32()?;
        let bytes = reader.take(length as usize)?;

        let mut insns = Vec::new();
        let mut offsets = Vec::new();
        let mut labels = vec![INSIDE; bytes.len() + 1];
        let broken = |offset: u32| ClassError::Code { method: method.into(), offset };
        let code = &mut Reader::new(bytes);
        while !code.is_done() {
            let offset = code.at() as u32;
            labels[code.at()] = insns.len() as u32;
            offsets.push(offset);
            insns.push(read(code, offset).map_err(|_| broken(offset))?);
        }
        labels[bytes.len()] = insns.len() as u32;
        let label = |offset: u32| match labels.get(offset as usize) {
            Some(&label) if label != INSIDE => Ok(label as usize),
            _ => Err(broken(offset)),
        };
        // Jumps have offsets so far; the end of the code is no target.
        for (insn, offset) in insns.iter_mut().zip(&offsets) {
            let count = offsets.len();
            let resolve = |target: &mut usize| {
                let found = label(*target as u32)?;
                *target = found;
                if found < count { Ok(()) } else { Err(broken(*offset)) }
            };
            match &mut insn.arg {
                Arg::Jump(target) => resolve(target)?,
                Arg::Switch(switch) => {
                    resolve(&mut switch.default)?;
                    switch.arms.iter_mut().try_for_each(|(_, target)| resolve(target))?;
                }
                _ => {}
            }
        }

        let handlers = super::list(reader, |reader| {
            let mut place = || label(reader.u16()?.into());
            let (from, to, target) = (place()?, place()?, place()?);
            if target == insns.len() {
                return Err(broken(0));
            }
            Ok(Handler { from, to, target, class: reader.u16()? })
        })?;
        let mut lines = Vec::new();
        let mut table = Vec::new();
        let mut referred = vec![false; insns.len() + 1];
        let ends = handlers.iter().flat_map(|handler| [handler.from, handler.to, handler.target]);
        for target in insns.iter().flat_map(Insn::targets).chain(ends) {
            referred[target] = true;
        }
        for _ in 0..reader.u16()? {
            let name = pool.utf8(reader.u16()?)?;
            let length = reader.u32()?;
            let content = reader.take(length as usize)?;
            match name.as_str() {
                "LineNumberTable" => {
                    lines.extend(super::list(&mut Reader::new(content), |reader| {
                        Ok((label(reader.u16()?.into())?, reader.u16()?))
                    })?);
                }
                "LocalVariableTable" => super::list(&mut Reader::new(content), |reader| {
                    let (from, length) = (u32::from(reader.u16()?), u32::from(reader.u16()?));
                    reader.take(6)?;
                    referred[label(from)?] = true;
                    referred[label(from + length)?] = true;
                    Ok(())
                })
                .map(|_| ())?,
                "StackMapTable" => table = frames::read(content, label)?,
                _ => {}
            }
        }
        if table.iter().any(|frame| frame.at == insns.len()) {
            return Err(broken(length));
        }
        lines.retain(|(insn, _)| *insn < insns.len());
        lines.iter().for_each(|(insn, _)| referred[*insn] = true);
        let labels = referred;
        Ok(Code { max_stack, max_locals, insns, offsets, handlers, lines, labels, frames: table })
    }
}

/// One instruction; the targets of jumps are offsets.
fn read(code: &mut Reader<'_>, offset: u32) -> Result<Insn, ClassError> {
    let number = code.u8()?;
    let target = |relative: i32| -> Result<usize, ClassError> {
        let target = i64::from(offset) + i64::from(relative);
        usize::try_from(target).map_err(|_| ClassError::Truncated)
    };
    let local = |op: u8, short: u8| Insn::new(op + short / 4, Arg::Local((short % 4).into()));
    Ok(match number {
        op::BIPUSH => Insn::new(number, Arg::Int((code.u8()?.cast_signed()).into())),
        op::SIPUSH => Insn::new(number, Arg::Int(code.i16()?)),
        op::NEWARRAY => Insn::new(number, Arg::Int(code.u8()?.into())),
        op::LDC => Insn::new(number, Arg::Pool(code.u8()?.into())),
        op::LDC_W => Insn::new(op::LDC, Arg::Pool(code.u16()?)),
        26..=45 => local(op::ILOAD, number - 26),
        59..=78 => local(op::ISTORE, number - 59),
        op::ILOAD..=op::ALOAD | op::ISTORE..=op::ASTORE | op::RET => {
            Insn::new(number, Arg::Local(code.u8()?.into()))
        }
        op::IINC => {
            Insn::new(number, Arg::Iinc(code.u8()?.into(), code.u8()?.cast_signed().into()))
        }
        op::WIDE => {
            let (number, index) = (code.u8()?, code.u16()?);
            match number {
                op::IINC => Insn::new(number, Arg::Iinc(index, code.i16()?)),
                op::ILOAD..=op::ALOAD | op::ISTORE..=op::ASTORE | op::RET => {
                    Insn::new(number, Arg::Local(index))
                }
                _ => return Err(ClassError::Truncated),
            }
        }
        op::IFEQ..=op::JSR | op::IFNULL | op::IFNONNULL => {
            Insn::jump(number, target(code.i16()?.into())?)
        }
        op::GOTO_W | op::JSR_W => Insn::jump(number - op::GOTO_W + op::GOTO, target(code.i32()?)?),
        op::TABLESWITCH | op::LOOKUPSWITCH => {
            while !code.at().is_multiple_of(4) {
                code.u8()?;
            }
            let default = target(code.i32()?)?;
            let mut arms = Vec::new();
            if number == op::TABLESWITCH {
                let (low, high) = (code.i32()?, code.i32()?);
                for key in low..=high {
                    arms.push((key, target(code.i32()?)?));
                }
            } else {
                for _ in 0..code.i32()? {
                    arms.push((code.i32()?, target(code.i32()?)?));
                }
            }
            Insn::new(number, Arg::Switch(Box::new(Switch { default, arms })))
        }
        op::INVOKEINTERFACE => {
            let arg = Arg::Counted(code.u16()?, code.u8()?);
            code.u8()?;
            Insn::new(number, arg)
        }
        op::INVOKEDYNAMIC => {
            let arg = Arg::Pool(code.u16()?);
            code.u16()?;
            Insn::new(number, arg)
        }
        op::MULTIANEWARRAY => Insn::new(number, Arg::Counted(code.u16()?, code.u8()?)),
        op::LDC2_W
        | op::GETSTATIC..=op::INVOKESTATIC
        | op::NEW
        | op::ANEWARRAY
        | op::CHECKCAST
        | op::INSTANCEOF => Insn::new(number, Arg::Pool(code.u16()?)),
        0..=op::IFNONNULL => Insn::plain(number),
        _ => return Err(ClassError::Truncated),
    })
}
