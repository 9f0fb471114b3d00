//! Instructions that are ready to run: operands found, neighbours fused.
//!
//! `fuse` makes them, `bytecode` runs them, and `sequences` finds elements by their recipes.

use bumpalo::collections::Vec as BumpVec;

use crate::engine::kernels::{LANES, Side, Views};
use crate::op::{ArithmeticOp, TestOp};
use crate::program::{ComparisonKernel, DirectMeasure, Extra, Look, Making, Register};

/// A number operand that was found in the table or has a register.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Operand<'a> {
    Column(&'a [f64]),
    Register(Register),
    Splat(&'a [f64; LANES]),
}

/// A sequence operand that was found in the table or has a register.
#[derive(Clone, Copy, Debug)]
pub(crate) enum SeqOperand<'a> {
    Column(Views<'a>),
    Register(Register),
}

/// An instruction over a block of rows, ready to run.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Step<'a> {
    Arith {
        op: ArithmeticOp,
        to: Register,
        x: Side<Operand<'a>>,
        y: Side<Operand<'a>>,
    },
    Measure {
        measure: DirectMeasure,
        to: Register,
        operands: [Operand<'a>; 2],
    },
    Sum {
        to: Register,
        s: SeqOperand<'a>,
    },
    Flip {
        to: Register,
        s: SeqOperand<'a>,
    },
    Truncate {
        to: Register,
        s: SeqOperand<'a>,
        n: Operand<'a>,
    },
    Remove {
        to: Register,
        s: SeqOperand<'a>,
        n: Operand<'a>,
    },
    ToString {
        to: Register,
        n: Operand<'a>,
    },
    Compare {
        kernel: ComparisonKernel,
        x: Side<Operand<'a>>,
        y: Side<Operand<'a>>,
    },
    SeqEq {
        negate: bool,
        s: SeqOperand<'a>,
        t: SeqOperand<'a>,
    },
    Extra {
        op: Extra,
        to: Register,
        operands: [Operand<'a>; 2],
    },
    Look {
        look: Look,
        to: Register,
        s: SeqOperand<'a>,
        t: SeqOperand<'a>,
        n: Operand<'a>,
    },
    Make {
        making: Making,
        to: Register,
        s: SeqOperand<'a>,
        t: SeqOperand<'a>,
    },
    Test {
        op: TestOp,
        negate: bool,
        s: SeqOperand<'a>,
        t: SeqOperand<'a>,
    },
    /// `sorted` of a variable: bits that the table keeps.
    Bits {
        negate: bool,
        words: &'a [u64],
    },
}

/// The steps of one atom, and how each of its sequence registers is made.
#[derive(Debug)]
pub(crate) struct Atom<'a> {
    pub(crate) steps: BumpVec<'a, Step<'a>>,
    pub(crate) recipes: BumpVec<'a, Recipe<'a>>,
}

/// How the sequence in a register was made.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Recipe<'a> {
    Flip(SeqOperand<'a>),
    Truncate(SeqOperand<'a>),
    Remove(SeqOperand<'a>),
    ToString(Operand<'a>),
    /// Made of all elements of one sequence or two; of one, they are the same.
    Make(Making, SeqOperand<'a>, SeqOperand<'a>),
    /// Nothing makes it, and nothing reads it.
    Unused,
}
