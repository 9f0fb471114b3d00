//! Group B: operators for judging relations, in the manner of PIT. None of them makes a mutant that an
//! operator of group A makes at the same place.

use wasm_encoder::Instruction;
use wasmparser::{Operator, ValType};

use super::Rule;
use super::literal::Literal;
use super::place::{Place, add, is_number, negate, number, sub};
use crate::subject::wasm::flow::Jump;
use crate::subject::wasm::opcode::{Op, Relation};
use crate::subject::wasm::roles::{self, Role};

/// All changes of an instruction by operators of this group.
pub(super) fn changes(place: &mut Place<'_, '_>) {
    if place.role() == Role::Failure {
        return;
    }
    comparison(place);
    condition(place);
    // CRCR: replaces a constant by a near one.
    place.replace_literal(Rule::Crcr, Literal::near);
    variable(place);
    operation(place);
    returned(place);
    called(place);
    looped(place);
}

/// CBM (moved boundaries), and NEG of a comparison.
fn comparison(place: &mut Place<'_, '_>) {
    match place.computes() {
        Some((ty, Op::Compare(relation, sign))) => {
            let boundary = match relation {
                Relation::Less => Some(Relation::AtMost),
                Relation::AtMost => Some(Relation::Less),
                Relation::Greater => Some(Relation::AtLeast),
                Relation::AtLeast => Some(Relation::Greater),
                Relation::Equal | Relation::Unequal => None,
            };
            if let Some(boundary) = boundary {
                place.swap(Rule::Cbm, ty, Op::Compare(boundary, sign));
            }
            place.swap(Rule::Neg, ty, Op::Compare(relation.complement(), sign));
        }
        Some((ty, Op::Eqz)) if !place.is_boolean(0) => {
            let unequal = if ty == ValType::I32 { Instruction::I32Ne } else { Instruction::I64Ne };
            place.replace(Rule::Neg, "!= 0 instead of == 0".to_owned(), &[number(ty, 0), unequal]);
        }
        // Negating a comparison gives its complement, which NEG above makes.
        Some((_, Op::Eqz)) if place.is_condition() && !is_compared(place, 0) => {
            place.replace(Rule::Neg, "condition negated".to_owned(), &[]);
        }
        _ => {}
    }
}

/// NEG of a condition that is not a comparison.
fn condition(place: &mut Place<'_, '_>) {
    let Some(operand) = place.condition() else { return };
    let from = place.operand(operand);
    let constant = from.is_some_and(|from| roles::constant(place.code.flow, from).is_some());
    if !constant && !is_compared(place, operand) {
        place.before(Rule::Neg, "condition negated".to_owned(), &[Instruction::I32Eqz]);
    }
}

/// Whether an operand is the result of a comparison, with or without `& 1`.
fn is_compared(place: &Place<'_, '_>, operand: usize) -> bool {
    let flow = place.code.flow;
    let mut from = place.operand(operand);
    while let Some(at) = from.filter(|&at| place.code.roles[at] == Role::Extension) {
        from = flow.operand(at, 0);
    }
    from.is_some_and(|from| roles::is_comparison(flow, from))
}

/// UOI and VRR: changes a variable, or replaces it by another.
fn variable(place: &mut Place<'_, '_>) {
    let Operator::LocalGet { local_index: local } = *place.operator() else { return };
    let ty = place.code.flow.locals[local as usize];
    if place.role() != Role::Source || !is_number(ty) || is_base(place) {
        return;
    }
    let x = place.local(local);
    place.after(Rule::Uoi, format!("{x} + 1 instead of {x}"), &[number(ty, 1), add(ty)]);
    place.after(Rule::Uoi, format!("{x} - 1 instead of {x}"), &[number(ty, 1), sub(ty)]);
    if !roles::feeds_access(place.code.flow, place.at) {
        place.after(Rule::Uoi, format!("-{x} instead of {x}"), &negate(ty));
    }
    if !place.code.variables.contains(&local) {
        return;
    }
    for &other in &place.code.variables {
        if other != local && place.code.flow.locals[other as usize] == ty {
            let words = format!("{} instead of {x}", place.local(other));
            place.replace(Rule::Vrr, words, &[Instruction::LocalGet(other)]);
        }
    }
}

/// Whether a variable is the address of wide elements, or the base to which an element's offset is added:
/// adding one would not give another element.
fn is_base(place: &Place<'_, '_>) -> bool {
    let flow = place.code.flow;
    let Some((user, operand)) = flow.user(place.at) else { return false };
    match &flow.operators[user] {
        Operator::I32Add => flow
            .operand(user, 1 - operand)
            .is_some_and(|other| place.code.roles[other] == Role::Scale),
        operator => operand == 0 && roles::width(operator).is_some_and(|bytes| bytes > 1),
    }
}

/// AOD: replaces an operation by one of its operands.
fn operation(place: &mut Place<'_, '_>) {
    let Some((_, op)) = place.computes() else { return };
    let two = match op {
        Op::And | Op::Or => !(place.is_boolean(0) && place.is_boolean(1)),
        Op::Add | Op::Sub | Op::Mul | Op::Div(_) | Op::Rem(_) => true,
        Op::Xor | Op::Shl | Op::Shr(_) | Op::Rotl | Op::Rotr => true,
        _ => false,
    };
    if two && place.role() == Role::Source {
        let words = |side: &str| format!("only the {side} operand of {}", place.name());
        let (left, right) = (words("left"), words("right"));
        place.replace(Rule::Aod, left, &[Instruction::Drop]);
        place.replace(Rule::Aod, right, &[Instruction::I32Const(0), Instruction::Select]);
    }
}

/// RET: changes the only result of a function. Leaves constants, variables and comparisons to other
/// operators; leaves addresses alone, because the memory behind them cannot be changed without a store.
fn returned(place: &mut Place<'_, '_>) {
    let flow = place.code.flow;
    let is_end = place.at + 1 == flow.operators.len();
    let node = &flow.nodes[place.at];
    if !(is_end || node.jump == Some(Jump::Return)) {
        return;
    }
    let &[value] = &*node.takes else { return };
    let Some(ty) = value.ty.filter(|ty| is_number(*ty)) else { return };
    let operator = value.from.map(|from| &flow.operators[from]);
    let constant = operator.is_some_and(|operator| Literal::of(operator).is_some());
    if constant || returns_address(place, value.from) {
        return;
    }
    let zero = [Instruction::Drop, number(ty, 0)];
    place.before(Rule::Ret, "0 returned".to_owned(), &zero);
    if value.from.is_some_and(|from| roles::is_boolean(flow, from)) {
        if !value.from.is_some_and(|from| roles::is_comparison(flow, from)) {
            place.before(Rule::Ret, "opposite returned".to_owned(), &[Instruction::I32Eqz]);
        }
    } else if !matches!(operator, Some(Operator::LocalGet { .. })) {
        place.before(Rule::Ret, "one more returned".to_owned(), &[number(ty, 1), add(ty)]);
        place.before(Rule::Ret, "negated result returned".to_owned(), &negate(ty));
    }
}

/// Whether a returned value is an address: in the frame, or in a local through which the function stores.
fn returns_address(place: &Place<'_, '_>, from: Option<usize>) -> bool {
    let Some(from) = from else { return false };
    let flow = place.code.flow;
    if matches!(place.code.roles[from], Role::Frame | Role::Address) {
        return true;
    }
    let Operator::LocalGet { local_index: local } = flow.operators[from] else { return false };
    flow.reachable().any(|at| {
        let address = flow.operand(at, 0).map(|from| &flow.operators[from]);
        roles::is_store(&flow.operators[at])
            && matches!(address, Some(Operator::LocalGet { local_index } | Operator::LocalTee { local_index })
                if *local_index == local)
    })
}

/// MCR: replaces a call by an argument of it.
fn called(place: &mut Place<'_, '_>) {
    match place.computes() {
        Some((ty, Op::Min)) => place.swap(Rule::Mcr, ty, Op::Max),
        Some((ty, Op::Max)) => place.swap(Rule::Mcr, ty, Op::Min),
        Some((ty, Op::Floor)) => place.swap(Rule::Mcr, ty, Op::Ceil),
        Some((ty, Op::Ceil)) => place.swap(Rule::Mcr, ty, Op::Floor),
        Some((ty, Op::Trunc)) => place.swap(Rule::Mcr, ty, Op::Nearest),
        Some((ty, Op::Nearest)) => place.swap(Rule::Mcr, ty, Op::Trunc),
        Some((_, Op::Abs | Op::Sqrt)) => {
            let words = format!("argument of {} instead of its result", place.name());
            place.replace(Rule::Mcr, words, &[]);
        }
        _ => {}
    }
    if let Operator::Call { function_index } = place.operator() {
        let function = &place.code.module.functions[*function_index as usize];
        if function.results.len() == 1 && function.params.first() == function.results.first() {
            let words = format!("first argument of {} instead of its result", function.name);
            place.replace(Rule::Mcr, words, &vec![Instruction::Drop; function.params.len() - 1]);
        }
    }
}

/// LBM: leaves a loop after its first iteration. Conditional jumps are left to COR.
fn looped(place: &mut Place<'_, '_>) {
    if place.code.flow.nodes[place.at].jump == Some(Jump::Loop { free: true }) {
        place.replace(Rule::Lbm, "loop left after its first iteration".to_owned(), &[]);
    }
}
