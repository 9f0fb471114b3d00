//! A place in a function that can be mutated, with what the operators of both groups need to know about it.

use std::ops::Range;

use wasm_encoder::{Encode, Instruction};
use wasmparser::{Operator, ValType};

use super::Rule;
use super::literal::Literal;
use crate::subject::wasm::flow::Flow;
use crate::subject::wasm::module::{Edit, Module};
use crate::subject::wasm::names::Names;
use crate::subject::wasm::opcode::{self, Op, Sign};
use crate::subject::wasm::roles::{self, Role};

/// A change of one place, before it becomes a mutant.
#[derive(Clone, Debug)]
pub(super) struct Change {
    /// The mutation operator that makes it.
    pub(super) rule: Rule,
    /// Index of the instruction that is changed.
    pub(super) at: usize,
    /// A description for people.
    pub(super) words: String,
    /// The bytes to replace, and their replacement.
    pub(super) edit: Edit,
}

/// A function, with everything known about its code.
pub(super) struct Code<'a> {
    pub(super) module: &'a Module,
    pub(super) flow: &'a Flow<'a>,
    pub(super) roles: Vec<Role>,
    pub(super) names: &'a Names,
    /// Whether i32 and i64 are signed where the instruction does not say.
    signs: [Sign; 2],
    /// Parameters and locals that are set in at least two places: what an author would call variables.
    pub(super) variables: Vec<u32>,
}

/// An instruction of a function, and the changes found there.
pub(super) struct Place<'a, 'o> {
    pub(super) code: &'a Code<'a>,
    pub(super) at: usize,
    pub(super) out: &'o mut Vec<Change>,
}

impl<'a> Code<'a> {
    /// Finds out what the instructions of a function are for.
    pub(super) fn new(module: &'a Module, flow: &'a Flow<'a>, names: &'a Names) -> Code<'a> {
        let roles = roles::roles(module, flow);
        let sign = |ty: ValType| {
            let uses = |sign: Sign| {
                flow.reachable().any(|at| match flow.nodes[at].computes {
                    Some((of, Op::Div(s) | Op::Rem(s) | Op::Shr(s))) => of == ty && s == sign,
                    Some((of, Op::Compare(relation, s))) => {
                        of == ty && s == sign && relation.is_ordering()
                    }
                    _ => false,
                })
            };
            let unsigned = uses(Sign::Unsigned) && !uses(Sign::Signed);
            if unsigned { Sign::Unsigned } else { Sign::Signed }
        };
        let params = module.functions[flow.function].params.len();
        let is_variable = |&local: &u32| {
            ((local as usize) < params || flow.sets(local).nth(1).is_some())
                && is_number(flow.locals[local as usize])
        };
        let variables = (0..flow.locals.len() as u32).filter(is_variable).collect();
        let signs = [sign(ValType::I32), sign(ValType::I64)];
        Code { module, flow, roles, names, signs, variables }
    }

    /// Whether a type is signed where the instruction does not say.
    pub(super) fn sign(&self, ty: ValType) -> Sign {
        match ty {
            ValType::I32 => self.signs[0],
            ValType::I64 => self.signs[1],
            _ => Sign::Signed,
        }
    }
}

impl<'a> Place<'a, '_> {
    /// The instruction at this place.
    pub(super) fn operator(&self) -> &'a Operator<'a> {
        &self.code.flow.operators[self.at]
    }

    /// The purpose of the instruction.
    pub(super) fn role(&self) -> Role {
        self.code.roles[self.at]
    }

    /// The operation and its type, for instructions without immediates.
    pub(super) fn computes(&self) -> Option<(ValType, Op)> {
        self.code.flow.nodes[self.at].computes
    }

    /// The instruction's name, if it has no immediates.
    pub(super) fn name(&self) -> String {
        let function = &self.code.module.functions[self.code.flow.function];
        opcode::name(self.code.module.bytes[function.code[self.at] as usize])
    }

    /// The instruction that computed an operand.
    pub(super) fn operand(&self, place: usize) -> Option<usize> {
        self.code.flow.operand(self.at, place)
    }

    /// Whether an operand is known to be 0 or 1.
    pub(super) fn is_boolean(&self, place: usize) -> bool {
        self.operand(place).is_some_and(|from| roles::is_boolean(self.code.flow, from))
    }

    /// The operand with the condition, if the instruction branches on one.
    pub(super) fn condition(&self) -> Option<usize> {
        match self.operator() {
            Operator::If { .. } | Operator::BrIf { .. } => Some(0),
            Operator::Select | Operator::TypedSelect { .. } => Some(2),
            _ => None,
        }
    }

    /// Whether a branch decides on the value of the instruction.
    pub(super) fn is_condition(&self) -> bool {
        let Some((user, place)) = self.code.flow.user(self.at) else { return false };
        match &self.code.flow.operators[user] {
            Operator::If { .. } | Operator::BrIf { .. } => true,
            Operator::Select | Operator::TypedSelect { .. } => place == 2,
            _ => false,
        }
    }

    /// The name of a local.
    pub(super) fn local(&self, local: u32) -> String {
        self.code.names.local(self.code.flow.function, local)
    }

    /// Adds a change to another operator, if the type has it.
    pub(super) fn swap(&mut self, rule: Rule, ty: ValType, op: Op) {
        if let Some(opcode) = opcode::encode(ty, op) {
            let words = format!("{} instead of {}", opcode::name(opcode), self.name());
            self.change(rule, words, self.at..self.at + 1, vec![opcode]);
        }
    }

    /// Adds changes of a constant of the author to others.
    pub(super) fn replace_literal(&mut self, rule: Rule, others: fn(Literal) -> Vec<Literal>) {
        let Some(literal) = Literal::of(self.operator()) else { return };
        if self.role() != Role::Source {
            return;
        }
        for other in others(literal) {
            let words = format!("constant {} instead of {}", other.text(), literal.text());
            self.replace(rule, words, &[other.instruction()]);
        }
    }

    /// Adds a change to other instructions.
    pub(super) fn replace(&mut self, rule: Rule, words: String, with: &[Instruction<'_>]) {
        self.change(rule, words, self.at..self.at + 1, encode(with));
    }

    /// Adds a change that inserts instructions before this one.
    pub(super) fn before(&mut self, rule: Rule, words: String, with: &[Instruction<'_>]) {
        self.change(rule, words, self.at..self.at, encode(with));
    }

    /// Adds a change that inserts instructions after this one.
    pub(super) fn after(&mut self, rule: Rule, words: String, with: &[Instruction<'_>]) {
        self.change(rule, words, self.at + 1..self.at + 1, encode(with));
    }

    /// Adds a change of some instructions.
    pub(super) fn change(&mut self, rule: Rule, words: String, at: Range<usize>, with: Vec<u8>) {
        self.out.push(Change { rule, at: self.at, words, edit: Edit { at, with } });
    }
}

/// Encodes instructions as bytes.
pub(super) fn encode(instructions: &[Instruction<'_>]) -> Vec<u8> {
    let mut bytes = Vec::new();
    instructions.iter().for_each(|instruction| instruction.encode(&mut bytes));
    bytes
}

/// Whether a type is numeric.
pub(super) fn is_number(ty: ValType) -> bool {
    matches!(ty, ValType::I32 | ValType::I64 | ValType::F32 | ValType::F64)
}

/// Pushes a small number of a type.
///
/// # Panics
/// If the type is not numeric.
pub(super) fn number(ty: ValType, value: i32) -> Instruction<'static> {
    match ty {
        ValType::I32 => Instruction::I32Const(value),
        ValType::I64 => Instruction::I64Const(i64::from(value)),
        ValType::F32 => Instruction::F32Const(value as f32),
        ValType::F64 => Instruction::F64Const(f64::from(value)),
        ValType::V128 | ValType::Ref(_) => panic!("no number"),
    }
}

/// The addition of a numeric type.
pub(super) fn add(ty: ValType) -> Instruction<'static> {
    match ty {
        ValType::I32 => Instruction::I32Add,
        ValType::I64 => Instruction::I64Add,
        ValType::F32 => Instruction::F32Add,
        _ => Instruction::F64Add,
    }
}

/// The subtraction of a numeric type.
pub(super) fn sub(ty: ValType) -> Instruction<'static> {
    match ty {
        ValType::I32 => Instruction::I32Sub,
        ValType::I64 => Instruction::I64Sub,
        ValType::F32 => Instruction::F32Sub,
        _ => Instruction::F64Sub,
    }
}

/// Instructions that negate the number on the stack.
pub(super) fn negate(ty: ValType) -> Vec<Instruction<'static>> {
    match ty {
        ValType::I32 => vec![number(ty, -1), Instruction::I32Mul],
        ValType::I64 => vec![number(ty, -1), Instruction::I64Mul],
        ValType::F32 => vec![Instruction::F32Neg],
        _ => vec![Instruction::F64Neg],
    }
}
