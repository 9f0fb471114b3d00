//! The code of a method as instructions, and edits of it.
//!
//! Jumps, handlers, lines and frames name instructions by their number in the code as it was read. Those numbers never
//! change: an edit puts instructions before one or in its place, and `encode.rs` finds the new offsets.

use super::frames::{self, Frame};
use super::opcode::{self, op};
use super::{Entry, Kind, Pool};

/// An instruction. Short forms are the long ones: `iload_1` is `iload` with a local, `ldc_w` is `ldc`.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Insn {
    /// Its number; see [`op`].
    pub(crate) op: u8,
    /// What follows the opcode.
    pub(crate) arg: Arg,
}

/// The operand that stands in the code.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Arg {
    None,
    /// A number: `bipush`, `sipush`, `newarray`.
    Int(i16),
    Local(u16),
    Iinc(u16, i16),
    /// An index of the constant pool.
    Pool(u16),
    /// An index and a count: `invokeinterface`, `multianewarray`.
    Counted(u16, u8),
    /// The instruction jumped to.
    Jump(usize),
    Switch(Box<Switch>),
}

/// The arms of a `tableswitch` or `lookupswitch`, by their keys.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Switch {
    pub(crate) default: usize,
    pub(crate) arms: Vec<(i32, usize)>,
}

/// A range of instructions, and where exceptions in it go.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Handler {
    pub(crate) from: usize,
    pub(crate) to: usize,
    pub(crate) target: usize,
    /// The class that is caught; 0 for all.
    pub(crate) class: u16,
}

/// The code of a method.
#[derive(Clone, Debug)]
pub(crate) struct Code {
    pub(crate) max_stack: u16,
    pub(crate) max_locals: u16,
    pub(crate) insns: Vec<Insn>,
    /// The offset of each instruction in the code as it was read.
    pub(crate) offsets: Vec<u32>,
    pub(crate) handlers: Vec<Handler>,
    /// The first instruction of a line, and the line.
    pub(crate) lines: Vec<(usize, u16)>,
    /// Which instructions something refers to: a jump, a handler, a line, the range of a local; and the end.
    pub(crate) labels: Vec<bool>,
    pub(super) frames: Vec<Frame>,
}

/// What becomes of an instruction.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Slot {
    /// Comes before it; jumps to the instruction get here.
    pub(crate) before: Vec<Insn>,
    /// Comes in its place, if anything does; nothing at all becomes a `nop`.
    pub(crate) instead: Option<Vec<Insn>>,
}

impl Insn {
    /// An instruction without operand.
    pub(crate) fn plain(op: u8) -> Insn {
        Insn { op, arg: Arg::None }
    }

    pub(crate) fn new(op: u8, arg: Arg) -> Insn {
        Insn { op, arg }
    }

    /// A conditional jump or `goto`.
    pub(crate) fn jump(op: u8, target: usize) -> Insn {
        Insn { op, arg: Arg::Jump(target) }
    }

    /// A call of a static method.
    pub(crate) fn call(method: u16) -> Insn {
        Insn { op: op::INVOKESTATIC, arg: Arg::Pool(method) }
    }

    /// The index of the constant pool in it.
    pub(crate) fn pool(&self) -> Option<u16> {
        match self.arg {
            Arg::Pool(index) | Arg::Counted(index, _) => Some(index),
            _ => None,
        }
    }

    /// The instructions that it may jump to.
    pub(crate) fn targets(&self) -> Vec<usize> {
        match &self.arg {
            Arg::Jump(target) => vec![*target],
            Arg::Switch(switch) => {
                switch.arms.iter().map(|(_, target)| *target).chain([switch.default]).collect()
            }
            _ => Vec::new(),
        }
    }

    /// Whether it jumps or goes on, depending on one or two operands.
    pub(crate) fn is_conditional(&self) -> bool {
        opcode::is_conditional(self.op)
    }

    /// Whether code never goes on behind it.
    pub(crate) fn ends_flow(&self) -> bool {
        opcode::ends_flow(self.op)
    }

    /// The int that it pushes.
    pub(crate) fn int(&self, pool: &Pool) -> Option<i32> {
        match (self.op, &self.arg) {
            (op::ICONST_M1..=op::ICONST_5, _) => Some(i32::from(self.op) - i32::from(op::ICONST_0)),
            (op::BIPUSH | op::SIPUSH, Arg::Int(value)) => Some((*value).into()),
            (op::LDC, Arg::Pool(index)) => match pool.get(*index) {
                Ok(Entry::Integer(value)) => Some(*value),
                _ => None,
            },
            _ => None,
        }
    }

    /// Its name, with what is known without the constant pool.
    pub(crate) fn name(&self) -> String {
        opcode::name(self.op)
    }

    /// Takes a value from the stack.
    pub(crate) fn pop(kind: Kind) -> Insn {
        Insn::plain(if kind.words() == 2 { op::POP2 } else { op::POP })
    }

    /// Puts 0 or `null` on the stack.
    pub(crate) fn zero(kind: Kind) -> Insn {
        Insn::plain(match kind {
            Kind::Int => op::ICONST_0,
            Kind::Long => op::LCONST_0,
            Kind::Float => op::FCONST_0,
            Kind::Double => op::DCONST_0,
            Kind::Reference => op::ACONST_NULL,
        })
    }

    /// Puts an int on the stack; one that needs the constant pool is `None`.
    pub(crate) fn small_int(value: i32) -> Option<Insn> {
        let number = i16::try_from(value).ok()?;
        Some(match value {
            -1..=5 => Insn::plain((i32::from(op::ICONST_0) + value) as u8),
            -128..=127 => Insn::new(op::BIPUSH, Arg::Int(number)),
            _ => Insn::new(op::SIPUSH, Arg::Int(number)),
        })
    }
}

impl Code {
    /// How many frames there are up to an instruction, its own included.
    pub(crate) fn frames_up_to(&self, at: usize) -> usize {
        self.frames.iter().filter(|frame| frame.at <= at).count()
    }

    /// Which locals have a type where the verifier is told the types, given the words of the parameters.
    pub(crate) fn typed_locals(&self, parameters: Vec<u16>) -> Vec<(usize, Vec<bool>)> {
        frames::typed_locals(&self.frames, parameters)
    }

    /// One slot for each instruction, without edits.
    pub(crate) fn slots(&self) -> Vec<Slot> {
        vec![Slot::default(); self.insns.len()]
    }

    /// The source line of an instruction.
    pub(crate) fn line(&self, insn: usize) -> Option<u16> {
        // Tables are in the order of the code as a rule, but need not be.
        let before = self.lines.iter().filter(|(first, _)| *first <= insn);
        before.max_by_key(|(first, _)| *first).map(|(_, line)| *line)
    }

    /// Which instructions are jumped to from themselves or from behind.
    pub(crate) fn loop_heads(&self) -> Vec<bool> {
        let mut heads = vec![false; self.insns.len()];
        for (at, insn) in self.insns.iter().enumerate() {
            for target in insn.targets().into_iter().filter(|target| *target <= at) {
                heads[target] = true;
            }
        }
        heads
    }

    /// Which instructions are reached by a jump or by an exception.
    pub(crate) fn is_target(&self) -> Vec<bool> {
        let mut targets = vec![false; self.insns.len()];
        let jumps = self.insns.iter().flat_map(Insn::targets);
        for target in jumps.chain(self.handlers.iter().map(|handler| handler.target)) {
            targets[target] = true;
        }
        targets
    }
}
