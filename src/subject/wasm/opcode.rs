//! Instructions without immediates: comparisons and arithmetic, by their opcode.
//!
//! Operators of one type are adjacent in the encoding, so families are ranges of bytes. Knows nothing of mutations.

use wasmparser::ValType;

/// What an instruction without immediates computes, for any type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Op {
    Eqz,
    Compare(Relation, Sign),
    Add,
    Sub,
    Mul,
    Div(Sign),
    Rem(Sign),
    And,
    Or,
    Xor,
    Shl,
    Shr(Sign),
    Rotl,
    Rotr,
    Abs,
    Neg,
    Ceil,
    Floor,
    Trunc,
    Nearest,
    Sqrt,
    Min,
    Max,
    Copysign,
    /// The bit counts `clz`, `ctz` and `popcnt`.
    Count,
}

/// Whether integers are signed; floats count as signed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Sign {
    Signed,
    Unsigned,
}

/// A comparison of two numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Relation {
    Equal,
    Unequal,
    Less,
    Greater,
    AtMost,
    AtLeast,
}

impl Relation {
    /// Whether it compares by order, not by equality.
    pub(super) fn is_ordering(self) -> bool {
        !matches!(self, Relation::Equal | Relation::Unequal)
    }

    /// The comparison that holds exactly when this one does not.
    pub(super) fn complement(self) -> Relation {
        match self {
            Relation::Equal => Relation::Unequal,
            Relation::Unequal => Relation::Equal,
            Relation::Less => Relation::AtLeast,
            Relation::Greater => Relation::AtMost,
            Relation::AtMost => Relation::Greater,
            Relation::AtLeast => Relation::Less,
        }
    }
}

/// The operators of integers and floats, by their names without the type.
const INTEGER_COMPARISONS: [(&str, Op); 11] = [
    ("eqz", Op::Eqz),
    ("eq", Op::Compare(Relation::Equal, Sign::Signed)),
    ("ne", Op::Compare(Relation::Unequal, Sign::Signed)),
    ("lt_s", Op::Compare(Relation::Less, Sign::Signed)),
    ("lt_u", Op::Compare(Relation::Less, Sign::Unsigned)),
    ("gt_s", Op::Compare(Relation::Greater, Sign::Signed)),
    ("gt_u", Op::Compare(Relation::Greater, Sign::Unsigned)),
    ("le_s", Op::Compare(Relation::AtMost, Sign::Signed)),
    ("le_u", Op::Compare(Relation::AtMost, Sign::Unsigned)),
    ("ge_s", Op::Compare(Relation::AtLeast, Sign::Signed)),
    ("ge_u", Op::Compare(Relation::AtLeast, Sign::Unsigned)),
];

const FLOAT_COMPARISONS: [(&str, Op); 6] = [
    ("eq", Op::Compare(Relation::Equal, Sign::Signed)),
    ("ne", Op::Compare(Relation::Unequal, Sign::Signed)),
    ("lt", Op::Compare(Relation::Less, Sign::Signed)),
    ("gt", Op::Compare(Relation::Greater, Sign::Signed)),
    ("le", Op::Compare(Relation::AtMost, Sign::Signed)),
    ("ge", Op::Compare(Relation::AtLeast, Sign::Signed)),
];

const INTEGER_ARITHMETIC: [(&str, Op); 18] = [
    ("clz", Op::Count),
    ("ctz", Op::Count),
    ("popcnt", Op::Count),
    ("add", Op::Add),
    ("sub", Op::Sub),
    ("mul", Op::Mul),
    ("div_s", Op::Div(Sign::Signed)),
    ("div_u", Op::Div(Sign::Unsigned)),
    ("rem_s", Op::Rem(Sign::Signed)),
    ("rem_u", Op::Rem(Sign::Unsigned)),
    ("and", Op::And),
    ("or", Op::Or),
    ("xor", Op::Xor),
    ("shl", Op::Shl),
    ("shr_s", Op::Shr(Sign::Signed)),
    ("shr_u", Op::Shr(Sign::Unsigned)),
    ("rotl", Op::Rotl),
    ("rotr", Op::Rotr),
];

const FLOAT_ARITHMETIC: [(&str, Op); 14] = [
    ("abs", Op::Abs),
    ("neg", Op::Neg),
    ("ceil", Op::Ceil),
    ("floor", Op::Floor),
    ("trunc", Op::Trunc),
    ("nearest", Op::Nearest),
    ("sqrt", Op::Sqrt),
    ("add", Op::Add),
    ("sub", Op::Sub),
    ("mul", Op::Mul),
    ("div", Op::Div(Sign::Signed)),
    ("min", Op::Min),
    ("max", Op::Max),
    ("copysign", Op::Copysign),
];

/// Operators of one type with adjacent opcodes.
struct Family {
    first: u8,
    ty: ValType,
    ops: &'static [(&'static str, Op)],
}

const FAMILIES: [Family; 8] = [
    Family { first: 0x45, ty: ValType::I32, ops: &INTEGER_COMPARISONS },
    Family { first: 0x50, ty: ValType::I64, ops: &INTEGER_COMPARISONS },
    Family { first: 0x5b, ty: ValType::F32, ops: &FLOAT_COMPARISONS },
    Family { first: 0x61, ty: ValType::F64, ops: &FLOAT_COMPARISONS },
    Family { first: 0x67, ty: ValType::I32, ops: &INTEGER_ARITHMETIC },
    Family { first: 0x79, ty: ValType::I64, ops: &INTEGER_ARITHMETIC },
    Family { first: 0x8b, ty: ValType::F32, ops: &FLOAT_ARITHMETIC },
    Family { first: 0x99, ty: ValType::F64, ops: &FLOAT_ARITHMETIC },
];

/// The type, name and operator of an opcode.
fn find(opcode: u8) -> Option<(ValType, &'static str, Op)> {
    FAMILIES.iter().find_map(|family| {
        let (name, op) = family.ops.get(usize::from(opcode.checked_sub(family.first)?))?;
        Some((family.ty, *name, *op))
    })
}

/// What an opcode computes, and the type of its operands.
pub(super) fn decode(opcode: u8) -> Option<(ValType, Op)> {
    find(opcode).map(|(ty, _, op)| (ty, op))
}

/// The opcode of an operator for a type, if the type has it.
pub(super) fn encode(ty: ValType, op: Op) -> Option<u8> {
    FAMILIES.iter().filter(|family| family.ty == ty).find_map(|family| {
        let place = family.ops.iter().position(|(_, other)| *other == op);
        place.map(|place| family.first + place as u8)
    })
}

/// The textual name of an opcode.
pub(super) fn name(opcode: u8) -> String {
    find(opcode).map_or_else(|| "?".to_owned(), |(ty, name, _)| format!("{ty}.{name}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_opcode_with_a_name_has_a_meaning_and_is_found_again() {
        for opcode in 0x45..0xa7 {
            let (ty, op) = decode(opcode).unwrap();
            assert!(name(opcode).starts_with(&ty.to_string()), "{}", name(opcode));
            if op != Op::Count {
                assert_eq!(encode(ty, op), Some(opcode), "{}", name(opcode));
            }
        }
        assert_eq!(decode(0xa7), None);
        assert_eq!(name(encode(ValType::I64, Op::Shr(Sign::Unsigned)).unwrap()), "i64.shr_u");
        assert_eq!(
            name(encode(ValType::F64, Op::Compare(Relation::AtLeast, Sign::Signed)).unwrap()),
            "f64.ge"
        );
        assert_eq!(encode(ValType::F32, Op::Rem(Sign::Signed)), None);
    }
}
