//! Code that computes how far a condition is from being true or false, as an f64.
//!
//! The usual distances: `|a - b|` for `a == b`, `a - b` for `a <= b`, plus one where equality is not enough;
//! 1 where a difference of any size would do. The distance of `and` is the sum, that of `or` the minimum.

use wasm_encoder::Instruction as I;
use wasmparser::ValType;

use super::condition::Condition;
use crate::subject::wasm::opcode::{self, Op, Relation, Sign};

/// The distance if it is not a number, because of a NaN or two infinities.
pub(super) const HUGE: f64 = f64::MAX;

/// Appends code for the distance of a condition from the wanted value, which it does not have.
///
/// `spare` is an f64 local that may be overwritten.
pub(super) fn distance(condition: &Condition, wanted: bool, spare: u32, out: &mut Vec<I<'static>>) {
    part(condition, wanted, false, spare, out);
}

/// The same for a part of a condition, which may have the wanted value already: then the distance is 0.
fn part(
    condition: &Condition,
    wanted: bool,
    among_others: bool,
    spare: u32,
    out: &mut Vec<I<'static>>,
) {
    match condition {
        Condition::Not(inner) => part(inner, !wanted, among_others, spare, out),
        Condition::All(left, right) | Condition::Any(left, right) => {
            part(left, wanted, true, spare, out);
            part(right, wanted, true, spare, out);
            let both = matches!(condition, Condition::All(..)) == wanted;
            out.push(if both { I::F64Add } else { I::F64Min });
        }
        Condition::Nonzero { x } => zero(ValType::I32, *x, !wanted, out),
        Condition::Zero { ty, x } => zero(*ty, *x, wanted, out),
        Condition::Index { x, k } => {
            if wanted {
                out.extend([I::LocalGet(*x), I::F64ConvertI32U]);
                out.extend([I::F64Const(f64::from(*k)), I::F64Sub, I::F64Abs]);
            } else {
                out.push(I::F64Const(1.0));
            }
        }
        Condition::Compare { ty, relation, sign, a, b } => {
            let goal = if wanted { *relation } else { relation.complement() };
            if among_others {
                out.push(I::F64Const(0.0));
            }
            compared(*ty, goal, *sign, (*a, *b), spare, out);
            if among_others {
                out.extend([I::LocalGet(*a), I::LocalGet(*b), test(*ty, goal, *sign), I::Select]);
            }
        }
    }
}

/// The distance of x from being 0, or from not being 0.
fn zero(ty: ValType, x: u32, wanted: bool, out: &mut Vec<I<'static>>) {
    out.push(I::LocalGet(x));
    match (wanted, ty) {
        (true, ValType::I64) => out.extend([I::F64ConvertI64S, I::F64Abs]),
        (true, _) => out.extend([I::F64ConvertI32S, I::F64Abs]),
        (false, ValType::I64) => out.extend([I::I64Eqz, I::F64ConvertI32U]),
        (false, _) => out.extend([I::I32Eqz, I::F64ConvertI32U]),
    }
}

/// The distance of a and b from a comparison that does not hold.
fn compared(
    ty: ValType,
    goal: Relation,
    sign: Sign,
    (a, b): (u32, u32),
    spare: u32,
    out: &mut Vec<I<'static>>,
) {
    if goal == Relation::Unequal {
        out.push(I::F64Const(1.0));
        return;
    }
    let (first, second) = match goal {
        Relation::Greater | Relation::AtLeast => (b, a),
        _ => (a, b),
    };
    for local in [first, second] {
        out.push(I::LocalGet(local));
        match (ty, sign) {
            (ValType::I32, Sign::Signed) => out.push(I::F64ConvertI32S),
            (ValType::I32, Sign::Unsigned) => out.push(I::F64ConvertI32U),
            (ValType::I64, Sign::Signed) => out.push(I::F64ConvertI64S),
            (ValType::I64, Sign::Unsigned) => out.push(I::F64ConvertI64U),
            (ValType::F32, _) => out.push(I::F64PromoteF32),
            _ => {}
        }
    }
    out.push(I::F64Sub);
    match goal {
        Relation::Equal => out.push(I::F64Abs),
        Relation::Less | Relation::Greater => out.extend([I::F64Const(1.0), I::F64Add]),
        _ => {}
    }
    match ty {
        // Different i64s may be equal as f64.
        ValType::I64 => out.extend([I::F64Const(1.0), I::F64Max]),
        ValType::F32 | ValType::F64 => out.extend([
            I::LocalTee(spare),
            I::F64Const(HUGE),
            I::LocalGet(spare),
            I::LocalGet(spare),
            I::F64Eq,
            I::Select,
        ]),
        _ => {}
    }
}

/// The instruction that compares.
fn test(ty: ValType, relation: Relation, sign: Sign) -> I<'static> {
    use Relation::{AtLeast, AtMost, Equal, Greater, Less, Unequal};
    use Sign::{Signed, Unsigned};
    debug_assert!(opcode::encode(ty, Op::Compare(relation, sign)).is_some());
    match (ty, relation, sign) {
        (ValType::I32, Equal, _) => I::I32Eq,
        (ValType::I32, Unequal, _) => I::I32Ne,
        (ValType::I32, Less, Signed) => I::I32LtS,
        (ValType::I32, Less, Unsigned) => I::I32LtU,
        (ValType::I32, Greater, Signed) => I::I32GtS,
        (ValType::I32, Greater, Unsigned) => I::I32GtU,
        (ValType::I32, AtMost, Signed) => I::I32LeS,
        (ValType::I32, AtMost, Unsigned) => I::I32LeU,
        (ValType::I32, AtLeast, Signed) => I::I32GeS,
        (ValType::I32, AtLeast, Unsigned) => I::I32GeU,
        (ValType::I64, Equal, _) => I::I64Eq,
        (ValType::I64, Unequal, _) => I::I64Ne,
        (ValType::I64, Less, Signed) => I::I64LtS,
        (ValType::I64, Less, Unsigned) => I::I64LtU,
        (ValType::I64, Greater, Signed) => I::I64GtS,
        (ValType::I64, Greater, Unsigned) => I::I64GtU,
        (ValType::I64, AtMost, Signed) => I::I64LeS,
        (ValType::I64, AtMost, Unsigned) => I::I64LeU,
        (ValType::I64, AtLeast, Signed) => I::I64GeS,
        (ValType::I64, AtLeast, Unsigned) => I::I64GeU,
        (ValType::F32, Equal, _) => I::F32Eq,
        (ValType::F32, Unequal, _) => I::F32Ne,
        (ValType::F32, Less, _) => I::F32Lt,
        (ValType::F32, Greater, _) => I::F32Gt,
        (ValType::F32, AtMost, _) => I::F32Le,
        (ValType::F32, AtLeast, _) => I::F32Ge,
        (_, Equal, _) => I::F64Eq,
        (_, Unequal, _) => I::F64Ne,
        (_, Less, _) => I::F64Lt,
        (_, Greater, _) => I::F64Gt,
        (_, AtMost, _) => I::F64Le,
        (_, AtLeast, _) => I::F64Ge,
    }
}
