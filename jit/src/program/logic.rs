//! The boolean structure above the atoms, as instructions on words of 64 rows.

use crate::op::LogicOp;
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
    pub(crate) op: LogicOp,
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
    pub(crate) fn apply(&mut self, op: LogicOp, a: Bits, b: Bits) -> Bits {
        use Bits::Constant;
        match (op, a, b) {
            (_, Constant(a), Constant(b)) => Constant(op.apply(a, b)),
            // The constant decides nothing.
            (LogicOp::And | LogicOp::Iff, Constant(true), x)
            | (LogicOp::And | LogicOp::Iff, x, Constant(true))
            | (LogicOp::Or | LogicOp::Xor, Constant(false), x)
            | (LogicOp::Or | LogicOp::Xor, x, Constant(false))
            | (LogicOp::Implies, Constant(true), x) => x,
            // It decides everything.
            (LogicOp::And, Constant(false), _) | (LogicOp::And, _, Constant(false)) => {
                Constant(false)
            }
            (LogicOp::Or, Constant(true), _)
            | (LogicOp::Or, _, Constant(true))
            | (LogicOp::Implies, Constant(false), _)
            | (LogicOp::Implies, _, Constant(true)) => Constant(true),
            // It negates.
            (LogicOp::Xor, Constant(true), x)
            | (LogicOp::Xor, x, Constant(true))
            | (LogicOp::Iff, Constant(false), x)
            | (LogicOp::Iff, x, Constant(false))
            | (LogicOp::Implies, x, Constant(false)) => self.not(x),
            (_, _, _) => self.push(op, a, b),
        }
    }

    pub(crate) fn not(&mut self, a: Bits) -> Bits {
        match a {
            Bits::Constant(value) => Bits::Constant(!value),
            Bits::Atom(_) | Bits::Column(_) | Bits::Temp(_) => self.push(LogicOp::Not, a, a),
        }
    }

    fn push(&mut self, op: LogicOp, a: Bits, b: Bits) -> Bits {
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
