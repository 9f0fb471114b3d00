//! Instructions without immediates: comparisons and arithmetic, by their opcode.
//!
//! Operators of one type are adjacent in the encoding, so families are ranges of bytes. Knows nothing of mutations.

use wasmparser::ValType;

/// The first opcode that has a name here.
const FIRST: u8 = 0x45;

/// The names of the opcodes from `i32.eqz` on.
const NAMES: [&str; 98] = [
    "i32.eqz",
    "i32.eq",
    "i32.ne",
    "i32.lt_s",
    "i32.lt_u",
    "i32.gt_s",
    "i32.gt_u",
    "i32.le_s",
    "i32.le_u",
    "i32.ge_s",
    "i32.ge_u",
    "i64.eqz",
    "i64.eq",
    "i64.ne",
    "i64.lt_s",
    "i64.lt_u",
    "i64.gt_s",
    "i64.gt_u",
    "i64.le_s",
    "i64.le_u",
    "i64.ge_s",
    "i64.ge_u",
    "f32.eq",
    "f32.ne",
    "f32.lt",
    "f32.gt",
    "f32.le",
    "f32.ge",
    "f64.eq",
    "f64.ne",
    "f64.lt",
    "f64.gt",
    "f64.le",
    "f64.ge",
    "i32.clz",
    "i32.ctz",
    "i32.popcnt",
    "i32.add",
    "i32.sub",
    "i32.mul",
    "i32.div_s",
    "i32.div_u",
    "i32.rem_s",
    "i32.rem_u",
    "i32.and",
    "i32.or",
    "i32.xor",
    "i32.shl",
    "i32.shr_s",
    "i32.shr_u",
    "i32.rotl",
    "i32.rotr",
    "i64.clz",
    "i64.ctz",
    "i64.popcnt",
    "i64.add",
    "i64.sub",
    "i64.mul",
    "i64.div_s",
    "i64.div_u",
    "i64.rem_s",
    "i64.rem_u",
    "i64.and",
    "i64.or",
    "i64.xor",
    "i64.shl",
    "i64.shr_s",
    "i64.shr_u",
    "i64.rotl",
    "i64.rotr",
    "f32.abs",
    "f32.neg",
    "f32.ceil",
    "f32.floor",
    "f32.trunc",
    "f32.nearest",
    "f32.sqrt",
    "f32.add",
    "f32.sub",
    "f32.mul",
    "f32.div",
    "f32.min",
    "f32.max",
    "f32.copysign",
    "f64.abs",
    "f64.neg",
    "f64.ceil",
    "f64.floor",
    "f64.trunc",
    "f64.nearest",
    "f64.sqrt",
    "f64.add",
    "f64.sub",
    "f64.mul",
    "f64.div",
    "f64.min",
    "f64.max",
    "f64.copysign",
];

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

const INTEGER_COMPARISONS: [Op; 11] = [
    Op::Eqz,
    Op::Compare(Relation::Equal, Sign::Signed),
    Op::Compare(Relation::Unequal, Sign::Signed),
    Op::Compare(Relation::Less, Sign::Signed),
    Op::Compare(Relation::Less, Sign::Unsigned),
    Op::Compare(Relation::Greater, Sign::Signed),
    Op::Compare(Relation::Greater, Sign::Unsigned),
    Op::Compare(Relation::AtMost, Sign::Signed),
    Op::Compare(Relation::AtMost, Sign::Unsigned),
    Op::Compare(Relation::AtLeast, Sign::Signed),
    Op::Compare(Relation::AtLeast, Sign::Unsigned),
];

const FLOAT_COMPARISONS: [Op; 6] = [
    Op::Compare(Relation::Equal, Sign::Signed),
    Op::Compare(Relation::Unequal, Sign::Signed),
    Op::Compare(Relation::Less, Sign::Signed),
    Op::Compare(Relation::Greater, Sign::Signed),
    Op::Compare(Relation::AtMost, Sign::Signed),
    Op::Compare(Relation::AtLeast, Sign::Signed),
];

const INTEGER_ARITHMETIC: [Op; 18] = [
    Op::Count,
    Op::Count,
    Op::Count,
    Op::Add,
    Op::Sub,
    Op::Mul,
    Op::Div(Sign::Signed),
    Op::Div(Sign::Unsigned),
    Op::Rem(Sign::Signed),
    Op::Rem(Sign::Unsigned),
    Op::And,
    Op::Or,
    Op::Xor,
    Op::Shl,
    Op::Shr(Sign::Signed),
    Op::Shr(Sign::Unsigned),
    Op::Rotl,
    Op::Rotr,
];

const FLOAT_ARITHMETIC: [Op; 14] = [
    Op::Abs,
    Op::Neg,
    Op::Ceil,
    Op::Floor,
    Op::Trunc,
    Op::Nearest,
    Op::Sqrt,
    Op::Add,
    Op::Sub,
    Op::Mul,
    Op::Div(Sign::Signed),
    Op::Min,
    Op::Max,
    Op::Copysign,
];

/// The first opcode of each family, with its type.
const FAMILIES: [(u8, ValType, &[Op]); 8] = [
    (0x45, ValType::I32, &INTEGER_COMPARISONS),
    (0x50, ValType::I64, &INTEGER_COMPARISONS),
    (0x5b, ValType::F32, &FLOAT_COMPARISONS),
    (0x61, ValType::F64, &FLOAT_COMPARISONS),
    (0x67, ValType::I32, &INTEGER_ARITHMETIC),
    (0x79, ValType::I64, &INTEGER_ARITHMETIC),
    (0x8b, ValType::F32, &FLOAT_ARITHMETIC),
    (0x99, ValType::F64, &FLOAT_ARITHMETIC),
];

/// What an opcode computes, and the type of its operands.
pub(super) fn decode(opcode: u8) -> Option<(ValType, Op)> {
    FAMILIES.iter().find_map(|&(first, ty, ops)| {
        let op = ops.get(usize::from(opcode.checked_sub(first)?))?;
        Some((ty, *op))
    })
}

/// The opcode of an operator for a type, if the type has it.
pub(super) fn encode(ty: ValType, op: Op) -> Option<u8> {
    let mut families = FAMILIES.iter().filter(|family| family.1 == ty);
    families.find_map(|(first, _, ops)| {
        ops.iter().position(|other| *other == op).map(|place| first + place as u8)
    })
}

/// The textual name of an opcode.
pub(super) fn name(opcode: u8) -> &'static str {
    opcode.checked_sub(FIRST).and_then(|place| NAMES.get(usize::from(place))).unwrap_or(&"?")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_opcode_with_a_name_has_a_meaning_and_is_found_again() {
        for opcode in FIRST..FIRST + NAMES.len() as u8 {
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
