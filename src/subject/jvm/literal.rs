//! Constants in code: which one an instruction pushes, and instructions that push others.

use super::class::{Arg, ClassError, Entry, Insn, Pool, op};

/// A constant that bytecode can push.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Literal {
    Int(i32),
    Long(i64),
    Float(f32),
    Double(f64),
    Text(String),
}

impl Literal {
    /// What an instruction pushes, if that is a number or a text.
    pub(crate) fn of(insn: &Insn, pool: &Pool) -> Option<Literal> {
        if let Some(value) = insn.int(pool) {
            return Some(Literal::Int(value));
        }
        Some(match insn.op {
            op::LCONST_0 | op::LCONST_1 => Literal::Long((insn.op - op::LCONST_0).into()),
            op::FCONST_0..=op::FCONST_2 => Literal::Float((insn.op - op::FCONST_0).into()),
            op::DCONST_0 | op::DCONST_1 => Literal::Double((insn.op - op::DCONST_0).into()),
            op::LDC | op::LDC2_W => match pool.get(insn.pool()?).ok()? {
                Entry::Float(bits) => Literal::Float(f32::from_bits(*bits)),
                Entry::Long(value) => Literal::Long(*value),
                Entry::Double(bits) => Literal::Double(f64::from_bits(*bits)),
                Entry::Text(text) => Literal::Text(pool.utf8(*text).ok()?),
                _ => return None,
            },
            _ => return None,
        })
    }

    /// The instruction that pushes it.
    pub(crate) fn push(&self, pool: &mut Pool) -> Result<Insn, ClassError> {
        // Whether a float is one that an instruction has: its bits, so that -0.0 is not 0.0.
        let small = |first: u8, known: &[bool]| {
            known.iter().position(|is| *is).map(|at| Insn::plain(first + at as u8))
        };
        let (insn, op, entry) = match self {
            Literal::Int(value) => (Insn::small_int(*value), op::LDC, Entry::Integer(*value)),
            Literal::Long(value) => {
                (small(op::LCONST_0, &[*value == 0, *value == 1]), op::LDC2_W, Entry::Long(*value))
            }
            Literal::Float(value) => {
                let bits = value.to_bits();
                let known = [0.0_f32, 1.0, 2.0].map(|one| one.to_bits() == bits);
                (small(op::FCONST_0, &known), op::LDC, Entry::Float(bits))
            }
            Literal::Double(value) => {
                let bits = value.to_bits();
                let known = [0.0_f64, 1.0].map(|one| one.to_bits() == bits);
                (small(op::DCONST_0, &known), op::LDC2_W, Entry::Double(bits))
            }
            Literal::Text(text) => {
                return Ok(Insn::new(op::LDC, Arg::Pool(pool.add_text(text)?)));
            }
        };
        match insn {
            Some(insn) => Ok(insn),
            None => Ok(Insn::new(op, Arg::Pool(pool.add(entry)?))),
        }
    }

    /// Other constants of its type: 0, 1, -1, negated, one more, one less; an empty text. None is equal to it or to another.
    pub(super) fn others(&self) -> Vec<Literal> {
        let mut others = match self {
            Literal::Int(c) => {
                [0, 1, -1, c.wrapping_neg(), c.wrapping_add(1), c.wrapping_sub(1)].map(Literal::Int)
            }
            Literal::Long(c) => [0, 1, -1, c.wrapping_neg(), c.wrapping_add(1), c.wrapping_sub(1)]
                .map(Literal::Long),
            Literal::Float(c) => [0.0, 1.0, -1.0, -c, c + 1.0, c - 1.0].map(Literal::Float),
            Literal::Double(c) => [0.0, 1.0, -1.0, -c, c + 1.0, c - 1.0].map(Literal::Double),
            Literal::Text(text) if text.is_empty() => return Vec::new(),
            Literal::Text(_) => return vec![Literal::Text(String::new())],
        }
        .to_vec();
        let mut known = vec![self.bits()];
        others.retain(|other| {
            let is_new = !known.contains(&other.bits());
            known.push(other.bits());
            is_new
        });
        others
    }

    /// Tells apart what the JVM tells apart, of one type.
    fn bits(&self) -> u64 {
        match self {
            Literal::Int(value) => u64::from(value.cast_unsigned()),
            Literal::Long(value) => value.cast_unsigned(),
            Literal::Float(value) => value.to_bits().into(),
            Literal::Double(value) => value.to_bits(),
            Literal::Text(_) => 0,
        }
    }
}

impl std::fmt::Display for Literal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Literal::Int(value) => write!(f, "{value}"),
            Literal::Long(value) => write!(f, "{value}L"),
            Literal::Float(value) => write!(f, "{value:?}f"),
            Literal::Double(value) => write!(f, "{value:?}"),
            Literal::Text(text) => write!(f, "{text:?}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn others_are_other() {
        let texts = |literal: Literal| {
            literal.others().iter().map(Literal::to_string).collect::<Vec<_>>().join(" ")
        };
        assert_eq!(texts(Literal::Int(7)), "0 1 -1 -7 8 6");
        assert_eq!(texts(Literal::Int(0)), "1 -1");
        assert_eq!(texts(Literal::Int(i32::MIN)), "0 1 -1 -2147483647 2147483647");
        assert_eq!(texts(Literal::Double(0.0)), "1.0 -1.0 -0.0");
        assert_eq!(texts(Literal::Double(1e300)), "0.0 1.0 -1.0 -1e300");
        assert_eq!(texts(Literal::Text("x".into())), "\"\"");
        assert_eq!(texts(Literal::Text(String::new())), "");
    }
}
