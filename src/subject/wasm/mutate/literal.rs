//! Numeric literals in code, and the numbers that replace them.

use wasm_encoder::Instruction;
use wasmparser::Operator;

/// A numeric constant with its type.
#[derive(Clone, Copy, Debug)]
pub(super) enum Literal {
    I32(i32),
    I64(i64),
    F32(f32),
    F64(f64),
}

impl Literal {
    /// The constant of an instruction, if it is one.
    pub(super) fn of(operator: &Operator<'_>) -> Option<Literal> {
        match operator {
            Operator::I32Const { value } => Some(Literal::I32(*value)),
            Operator::I64Const { value } => Some(Literal::I64(*value)),
            Operator::F32Const { value } => Some(Literal::F32(f32::from_bits(value.bits()))),
            Operator::F64Const { value } => Some(Literal::F64(f64::from_bits(value.bits()))),
            _ => None,
        }
    }

    /// The replacements of LVR: 0, 1, -1, -c.
    pub(super) fn plain(self) -> Vec<Literal> {
        self.others(match self {
            Literal::I32(c) => [0, 1, -1, c.wrapping_neg()].map(Literal::I32),
            Literal::I64(c) => [0, 1, -1, c.wrapping_neg()].map(Literal::I64),
            Literal::F32(c) => [0.0, 1.0, -1.0, -c].map(Literal::F32),
            Literal::F64(c) => [0.0, 1.0, -1.0, -c].map(Literal::F64),
        })
    }

    /// The replacements of CRCR: c + 1, c - 1, 2 c, except those of LVR.
    pub(super) fn near(self) -> Vec<Literal> {
        let plain = self.plain();
        let near = self.others(match self {
            Literal::I32(c) => {
                [c.wrapping_add(1), c.wrapping_sub(1), c.wrapping_mul(2)].map(Literal::I32)
            }
            Literal::I64(c) => {
                [c.wrapping_add(1), c.wrapping_sub(1), c.wrapping_mul(2)].map(Literal::I64)
            }
            Literal::F32(c) => [c + 1.0, c - 1.0, 2.0 * c].map(Literal::F32),
            Literal::F64(c) => [c + 1.0, c - 1.0, 2.0 * c].map(Literal::F64),
        });
        near.into_iter().filter(|value| !plain.iter().any(|other| other.is(*value))).collect()
    }

    /// The instruction that pushes it.
    pub(super) fn instruction(self) -> Instruction<'static> {
        match self {
            Literal::I32(value) => Instruction::I32Const(value),
            Literal::I64(value) => Instruction::I64Const(value),
            Literal::F32(value) => Instruction::F32Const(value),
            Literal::F64(value) => Instruction::F64Const(value),
        }
    }

    /// The number as text.
    pub(super) fn text(self) -> String {
        match self {
            Literal::I32(value) => value.to_string(),
            Literal::I64(value) => value.to_string(),
            Literal::F32(value) => format!("{value:?}"),
            Literal::F64(value) => format!("{value:?}"),
        }
    }

    /// The candidates that differ from this one and from each other.
    fn others<const N: usize>(self, candidates: [Literal; N]) -> Vec<Literal> {
        let mut others: Vec<Literal> = Vec::new();
        for candidate in candidates {
            if !candidate.is(self) && !others.iter().any(|other| other.is(candidate)) {
                others.push(candidate);
            }
        }
        others
    }

    /// Whether two are the same number; 0 and -0 are.
    fn is(self, other: Literal) -> bool {
        match (self, other) {
            (Literal::I32(a), Literal::I32(b)) => a == b,
            (Literal::I64(a), Literal::I64(b)) => a == b,
            (Literal::F32(a), Literal::F32(b)) => a == b || a.to_bits() == b.to_bits(),
            (Literal::F64(a), Literal::F64(b)) => a == b || a.to_bits() == b.to_bits(),
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_number_is_made_by_both_groups() {
        let texts = |literals: Vec<Literal>| {
            literals.into_iter().map(Literal::text).collect::<Vec<_>>().join(" ")
        };
        for (literal, plain, near) in [
            (Literal::I32(0), "1 -1", ""),
            (Literal::I32(1), "0 -1", "2"),
            (Literal::I64(-1), "0 1", "-2"),
            (Literal::I32(5), "0 1 -1 -5", "6 4 10"),
            (Literal::I32(i32::MIN), "0 1 -1", "-2147483647 2147483647"),
            (Literal::F64(2.5), "0.0 1.0 -1.0 -2.5", "3.5 1.5 5.0"),
            (Literal::F64(0.0), "1.0 -1.0", ""),
            (Literal::F32(1e30), "0.0 1.0 -1.0 -1e30", "2e30"),
        ] {
            assert_eq!((&*texts(literal.plain()), &*texts(literal.near())), (plain, near));
        }
    }
}
