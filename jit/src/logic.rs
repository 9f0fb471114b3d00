//! The boolean structure above the atoms, as instructions on words of 64 rows.

use crate::engine::kernels::{Kernels, Logic};
use crate::schema::Var;

/// An operand of the logic.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Bits {
    Atom(u16),
    Column(Var),
    Temp(u16),
    Constant(bool),
}

/// An instruction over words of 64 rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct LogicInstr {
    pub(crate) op: Logic,
    pub(crate) to: u16,
    pub(crate) a: Bits,
    pub(crate) b: Bits,
}

/// Instructions as they are built, without any that constants decide.
#[derive(Clone, Debug, Default)]
pub(crate) struct LogicCode {
    pub(crate) instrs: Vec<LogicInstr>,
    /// How many temporaries the instructions use.
    pub(crate) temps: usize,
    free: Vec<u16>,
}

impl LogicCode {
    pub(crate) fn clear(&mut self) {
        self.instrs.clear();
        self.free.clear();
        self.temps = 0;
    }

    /// `a op b`; `Not` has its own method.
    pub(crate) fn apply(&mut self, op: Logic, a: Bits, b: Bits) -> Bits {
        use Bits::Constant;
        match (op, a, b) {
            (_, Constant(a), Constant(b)) => Constant(match op {
                Logic::And => a & b,
                Logic::Or => a | b,
                Logic::Xor => a ^ b,
                Logic::Iff => a == b,
                Logic::Implies => !a | b,
                Logic::Not => !a,
            }),
            // The constant decides nothing.
            (Logic::And | Logic::Iff, Constant(true), x)
            | (Logic::And | Logic::Iff, x, Constant(true))
            | (Logic::Or | Logic::Xor, Constant(false), x)
            | (Logic::Or | Logic::Xor, x, Constant(false))
            | (Logic::Implies, Constant(true), x) => x,
            // It decides everything.
            (Logic::And, Constant(false), _) | (Logic::And, _, Constant(false)) => Constant(false),
            (Logic::Or, Constant(true), _)
            | (Logic::Or, _, Constant(true))
            | (Logic::Implies, Constant(false), _)
            | (Logic::Implies, _, Constant(true)) => Constant(true),
            // It negates.
            (Logic::Xor, Constant(true), x)
            | (Logic::Xor, x, Constant(true))
            | (Logic::Iff, Constant(false), x)
            | (Logic::Iff, x, Constant(false))
            | (Logic::Implies, x, Constant(false)) => self.not(x),
            (_, _, _) => self.push(op, a, b),
        }
    }

    pub(crate) fn not(&mut self, a: Bits) -> Bits {
        match a {
            Bits::Constant(value) => Bits::Constant(!value),
            Bits::Atom(_) | Bits::Column(_) | Bits::Temp(_) => self.push(Logic::Not, a, a),
        }
    }

    fn push(&mut self, op: Logic, a: Bits, b: Bits) -> Bits {
        // The result is allocated before its operands are released: it never shares their words.
        let to = self.free.pop().unwrap_or_else(|| {
            self.temps += 1;
            (self.temps - 1) as u16
        });
        for operand in [a, b] {
            if let Bits::Temp(temp) = operand
                && !self.free.contains(&temp)
            {
                self.free.push(temp);
            }
        }
        self.instrs.push(LogicInstr { op, to, a, b });
        Bits::Temp(to)
    }
}

/// A leaf of the logic.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Leaf {
    Atom(u16),
    Column(Var),
}

/// Runs logic over words, given the words of its leaves and of its temporaries (each at least as many
/// as `to` has).
pub(crate) fn evaluate<'a>(
    instrs: &[LogicInstr],
    root: Bits,
    kernels: &Kernels,
    temps: &mut [Vec<u64>],
    to: &mut [u64],
    leaf: impl Fn(Leaf) -> &'a [u64],
) {
    let words = to.len();
    let (last, before) = match instrs.split_last() {
        // The last instruction makes the root, so it can write the result itself.
        Some((last, before)) if root == Bits::Temp(last.to) => (Some(last), before),
        _ => (None, instrs),
    };
    for instr in before {
        let mut register = std::mem::take(&mut temps[usize::from(instr.to)]);
        let a = source(instr.a, temps, &leaf, words);
        let b = source(instr.b, temps, &leaf, words);
        kernels.logic(instr.op, &mut register[..words], a, b);
        temps[usize::from(instr.to)] = register;
    }
    match (last, root) {
        (Some(instr), _) => {
            let a = source(instr.a, temps, &leaf, words);
            let b = source(instr.b, temps, &leaf, words);
            kernels.logic(instr.op, to, a, b);
        }
        (None, Bits::Constant(value)) => to.fill(if value { !0 } else { 0 }),
        (None, root) => to.copy_from_slice(source(root, temps, &leaf, words)),
    }
}

/// The first `words` words of an operand.
fn source<'t, 'a: 't>(
    bits: Bits,
    temps: &'t [Vec<u64>],
    leaf: &impl Fn(Leaf) -> &'a [u64],
    words: usize,
) -> &'t [u64] {
    let source: &[u64] = match bits {
        Bits::Atom(atom) => leaf(Leaf::Atom(atom)),
        Bits::Column(var) => leaf(Leaf::Column(var)),
        Bits::Temp(temp) => &temps[usize::from(temp)],
        Bits::Constant(_) => unreachable!("constants are folded when the code is built"),
    };
    &source[..words]
}
