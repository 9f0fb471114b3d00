//! Group A: operators for training relations, in the manner of Major.

use wasm_encoder::Instruction;
use wasmparser::{Operator, ValType};

use super::Rule;
use super::literal::Literal;
use super::place::{Place, encode, number};
use crate::subject::wasm::opcode::{Op, Relation, Sign};
use crate::subject::wasm::roles::{self, Role};

/// All changes of an instruction by operators of this group.
pub(super) fn changes(place: &mut Place<'_, '_>) {
    if place.role() == Role::Failure {
        return;
    }
    operator(place);
    condition(place);
    // LVR: replaces a constant by 0, 1, -1 or its negative.
    place.replace_literal(Rule::Lvr, Literal::plain);
    negation(place);
    statement(place);
}

/// AOR, LOR, SOR, ROR, and COR on `and` and `or`.
fn operator(place: &mut Place<'_, '_>) {
    let Some((ty, op)) = place.computes() else { return };
    if place.role() != Role::Source {
        return;
    }
    match op {
        Op::Add | Op::Sub | Op::Mul | Op::Div(_) | Op::Rem(_) => {
            let sign = match op {
                Op::Div(sign) | Op::Rem(sign) => sign,
                _ => place.code.sign(ty),
            };
            let others = [Op::Add, Op::Sub, Op::Mul, Op::Div(sign), Op::Rem(sign)];
            for other in others.into_iter().filter(|other| *other != op) {
                place.swap(Rule::Aor, ty, other);
            }
        }
        Op::And | Op::Or if place.is_boolean(0) && place.is_boolean(1) => {
            place.swap(Rule::Cor, ty, if op == Op::And { Op::Or } else { Op::And });
            let words = |side: &str| format!("only the {side} condition");
            place.replace(Rule::Cor, words("left"), &[Instruction::Drop]);
            let right = [Instruction::I32Const(0), Instruction::Select];
            place.replace(Rule::Cor, words("right"), &right);
        }
        Op::And | Op::Or | Op::Xor => {
            for other in [Op::And, Op::Or, Op::Xor].into_iter().filter(|other| *other != op) {
                place.swap(Rule::Lor, ty, other);
            }
        }
        Op::Shl | Op::Shr(_) => {
            let others = [Op::Shl, Op::Shr(Sign::Signed), Op::Shr(Sign::Unsigned)];
            for other in others.into_iter().filter(|other| *other != op) {
                place.swap(Rule::Sor, ty, other);
            }
        }
        Op::Rotl => place.swap(Rule::Sor, ty, Op::Rotr),
        Op::Rotr => place.swap(Rule::Sor, ty, Op::Rotl),
        Op::Compare(relation, sign) => {
            use Relation::{AtLeast, AtMost, Equal, Greater, Less, Unequal};
            let (others, sign): (&[Relation], Sign) = match relation {
                Less => (&[Greater, Equal, Unequal], sign),
                Greater => (&[Less, Equal, Unequal], sign),
                AtMost => (&[AtLeast, Equal, Unequal], sign),
                AtLeast => (&[AtMost, Equal, Unequal], sign),
                Equal | Unequal => (&[AtMost, AtLeast], place.code.sign(ty)),
            };
            for &other in others {
                let sign = if other.is_ordering() { sign } else { Sign::Signed };
                place.swap(Rule::Ror, ty, Op::Compare(other, sign));
            }
        }
        // `x == 0`; for a condition it means `!`.
        Op::Eqz if !place.is_boolean(0) => {
            for with in zero_orders(place, ty) {
                let words = format!("{} instead of == 0", with.0);
                place.replace(Rule::Ror, words, &with.1);
            }
        }
        _ => {}
    }
}

/// Comparisons of the value on the stack with 0; unsigned types have no useful ones.
fn zero_orders(
    place: &Place<'_, '_>,
    ty: ValType,
) -> Vec<(&'static str, [Instruction<'static>; 2])> {
    if place.code.sign(ty) == Sign::Unsigned {
        return Vec::new();
    }
    let [at_most, at_least] = match ty {
        ValType::I32 => [Instruction::I32LeS, Instruction::I32GeS],
        _ => [Instruction::I64LeS, Instruction::I64GeS],
    };
    vec![("<= 0", [number(ty, 0), at_most]), (">= 0", [number(ty, 0), at_least])]
}

/// COR: a condition that always or never holds; ROR if the condition is a number.
fn condition(place: &mut Place<'_, '_>) {
    let Some(operand) = place.condition() else { return };
    let from = place.operand(operand);
    if from.is_some_and(|from| roles::constant(place.code.flow, from).is_some()) {
        return;
    }
    for (words, value) in [("condition always true", 1), ("condition always false", 0)] {
        place.before(
            Rule::Cor,
            words.to_owned(),
            &[Instruction::Drop, Instruction::I32Const(value)],
        );
    }
    if !place.is_boolean(operand) {
        for with in zero_orders(place, ValType::I32) {
            place.before(Rule::Ror, format!("condition {} instead of != 0", with.0), &with.1);
        }
    }
}

/// ORU: removes a negation. A `!` that a branch decides on is left to NEG.
fn negation(place: &mut Place<'_, '_>) {
    let Some((_, op)) = place.computes() else { return };
    match (op, place.role()) {
        (Op::Neg, Role::Source) => place.replace(Rule::Oru, "negation removed".to_owned(), &[]),
        (Op::Sub, Role::Unary) => {
            let right = [Instruction::I32Const(0), Instruction::Select];
            place.replace(Rule::Oru, "negation removed".to_owned(), &right);
        }
        (Op::Xor, Role::Unary) => {
            place.replace(Rule::Oru, "complement removed".to_owned(), &[Instruction::Drop]);
        }
        (Op::Eqz, Role::Source) if place.is_boolean(0) && !place.is_condition() => {
            place.replace(Rule::Oru, "`not` removed".to_owned(), &[]);
        }
        _ => {}
    }
}

/// STD: removes a statement.
fn statement(place: &mut Place<'_, '_>) {
    if place.role() != Role::Source {
        return;
    }
    let drops = |count: usize| vec![Instruction::Drop; count];
    let node = &place.code.flow.nodes[place.at];
    match place.operator() {
        Operator::LocalSet { local_index } => {
            let words = format!("assignment to {} removed", place.local(*local_index));
            place.replace(Rule::Std, words, &drops(1));
        }
        Operator::LocalTee { local_index } => {
            let words = format!("assignment to {} removed", place.local(*local_index));
            place.replace(Rule::Std, words, &[]);
        }
        Operator::GlobalSet { global_index } => {
            let words = format!("assignment to {} removed", place.code.names.global(*global_index));
            place.replace(Rule::Std, words, &drops(1));
        }
        Operator::MemoryCopy { .. } | Operator::MemoryFill { .. } => {
            place.replace(Rule::Std, "assignment to memory removed".to_owned(), &drops(3));
        }
        operator if roles::is_store(operator) => {
            place.replace(Rule::Std, "assignment to memory removed".to_owned(), &drops(2));
        }
        operator @ (Operator::Call { .. } | Operator::CallIndirect { .. }) => {
            let next = place.code.flow.operators.get(place.at + 1);
            let end = match node.gives.len() {
                0 => place.at + 1,
                1 if matches!(next, Some(Operator::Drop)) => place.at + 2,
                _ => return,
            };
            let words = match operator {
                Operator::Call { function_index } => {
                    let function = &place.code.module.functions[*function_index as usize];
                    format!("call of {} removed", function.name)
                }
                _ => "call removed".to_owned(),
            };
            place.change(Rule::Std, words, place.at..end, encode(&drops(node.takes.len())));
        }
        _ => {}
    }
}
