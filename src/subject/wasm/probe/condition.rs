//! The condition of a branch, reconstructed from the instructions before it.

use std::collections::BTreeMap;

use wasm_encoder::Instruction;
use wasmparser::{Operator, ValType};

use crate::subject::wasm::flow::Flow;
use crate::subject::wasm::opcode::{Op, Relation, Sign};
use crate::subject::wasm::roles;

/// A condition over values that are kept in locals.
#[derive(Clone, Debug)]
pub(super) enum Condition {
    /// A comparison of two numbers.
    Compare {
        ty: ValType,
        relation: Relation,
        sign: Sign,
        /// The locals with the operands.
        a: u32,
        b: u32,
    },
    /// Whether a number is 0.
    Zero { ty: ValType, x: u32 },
    /// Whether an i32 is not 0; nothing better is known of it.
    Nonzero { x: u32 },
    /// Whether an i32 is a certain index of a branch table.
    Index { x: u32, k: u32 },
    /// The negation of a condition.
    Not(Box<Condition>),
    /// Whether both conditions hold.
    All(Box<Condition>, Box<Condition>),
    /// Whether at least one condition holds.
    Any(Box<Condition>, Box<Condition>),
}

/// A condition with more parts is treated as a flag.
const MOST_PARTS: usize = 16;

/// New locals of a function. A local is reused when its value is no longer needed.
#[derive(Debug)]
pub(super) struct Temporaries {
    first: u32,
    /// The type of each local, and the ranges in which it is in use.
    kept: Vec<(ValType, Vec<(usize, usize)>)>,
}

impl Temporaries {
    /// Starts after the existing locals.
    pub(super) fn new(first: u32) -> Temporaries {
        Temporaries { first, kept: Vec::new() }
    }

    /// A local for a value that is kept from one instruction to another.
    pub(super) fn take(&mut self, ty: ValType, from: usize, to: usize) -> u32 {
        let free = self.kept.iter().position(|(other, uses)| {
            *other == ty && uses.iter().all(|&(start, end)| end < from || to < start)
        });
        let place = free.unwrap_or_else(|| {
            self.kept.push((ty, Vec::new()));
            self.kept.len() - 1
        });
        self.kept[place].1.push((from, to));
        self.first + place as u32
    }

    /// Types of all new locals.
    pub(super) fn types(&self) -> Vec<ValType> {
        self.kept.iter().map(|kept| kept.0).collect()
    }
}

/// Reads conditions, and keeps the values that they compare.
pub(super) struct Reader<'a> {
    pub(super) flow: &'a Flow<'a>,
    pub(super) temporaries: Temporaries,
    /// Instructions to insert before an instruction.
    pub(super) inserted: BTreeMap<usize, Vec<Instruction<'static>>>,
}

impl Reader<'_> {
    /// The condition of a branch. `flag` is a local that has its value at the branch.
    pub(super) fn read(&mut self, branch: usize, from: Option<usize>, flag: u32) -> Condition {
        match from {
            Some(from) if self.parts(from) <= MOST_PARTS && self.is_known(from) => {
                self.part(branch, from)
            }
            _ => Condition::Nonzero { x: flag },
        }
    }

    /// Whether a value is a comparison or logic, not just a flag.
    fn is_known(&self, at: usize) -> bool {
        roles::is_comparison(self.flow, at) || self.is_logic(at)
    }

    /// Whether a value is `and` or `or` of conditions.
    fn is_logic(&self, at: usize) -> bool {
        matches!(self.flow.operators[at], Operator::I32And | Operator::I32Or)
            && roles::is_boolean(self.flow, at)
    }

    /// Whether a value is `not` of a condition.
    fn is_not(&self, at: usize) -> bool {
        matches!(self.flow.operators[at], Operator::I32Eqz)
            && self.flow.operand(at, 0).is_some_and(|from| roles::is_boolean(self.flow, from))
    }

    /// Number of parts of a condition.
    fn parts(&self, at: usize) -> usize {
        if self.is_logic(at) || self.is_not(at) {
            let operands = self.flow.nodes[at].takes.iter();
            operands.map(|operand| operand.from.map_or(1, |from| self.parts(from))).sum()
        } else {
            1
        }
    }

    fn part(&mut self, branch: usize, at: usize) -> Condition {
        let operand = |place| self.flow.operand(at, place).expect("booleans have a known origin");
        if self.is_logic(at) {
            let (left, right) = (operand(0), operand(1));
            let (left, right) =
                (Box::new(self.part(branch, left)), Box::new(self.part(branch, right)));
            return match self.flow.operators[at] {
                Operator::I32And => Condition::All(left, right),
                _ => Condition::Any(left, right),
            };
        }
        if self.is_not(at) {
            let inner = operand(0);
            return Condition::Not(Box::new(self.part(branch, inner)));
        }
        match self.flow.nodes[at].computes {
            Some((ty, Op::Compare(relation, sign))) => {
                let a = self.temporaries.take(ty, at, branch);
                let b = self.temporaries.take(ty, at, branch);
                let keep =
                    [Instruction::LocalSet(b), Instruction::LocalTee(a), Instruction::LocalGet(b)];
                self.inserted.entry(at).or_default().extend(keep);
                Condition::Compare { ty, relation, sign, a, b }
            }
            Some((ty, Op::Eqz)) => {
                let x = self.temporaries.take(ty, at, branch);
                self.inserted.entry(at).or_default().push(Instruction::LocalTee(x));
                Condition::Zero { ty, x }
            }
            _ => {
                let x = self.temporaries.take(ValType::I32, at, branch);
                self.inserted.entry(at + 1).or_default().push(Instruction::LocalTee(x));
                Condition::Nonzero { x }
            }
        }
    }
}
