//! The last step before running: operands resolved, neighbouring instructions fused.
//!
//! A result that goes through memory costs a store and a load of every row. Comparisons and operations
//! take in the operation on either of their sides; it then stays in registers, and what stands beside a
//! division runs while the divider is busy.

use bumpalo::Bump;
use bumpalo::collections::Vec as BumpVec;

use crate::engine::kernels::{LANES, Side, Views};
use crate::engine::step::{Atom, Operand, Recipe, SeqOperand, Step};
use crate::op::{ArithmeticOp, TestOp};
use crate::program::{Arith, Instr, Num, Program, Register, Seq};
use crate::schema::Var;
use crate::table::{SeqColumn, StoredColumn, Table};

/// Prepares one atom of a program.
pub(crate) fn fuse<'a>(
    program: &Program,
    atom: usize,
    table: &'a Table,
    arena: &'a Bump,
) -> Atom<'a> {
    let start = if atom == 0 { 0 } else { program.atom_ends[atom - 1] as usize };
    let code = &program.code[start..program.atom_ends[atom] as usize];
    let mut steps = BumpVec::with_capacity_in(code.len(), arena);
    let mut recipes = BumpVec::new_in(arena);
    let num = |num: Num| operand(num, table, arena);
    for instr in code {
        let step = match *instr {
            Instr::Arith { op, to, a, b } => {
                // The right side first: its code comes last.
                let y = fused_side(num(b), Some(to), &mut steps);
                let x = fused_side(num(a), Some(to), &mut steps);
                Step::Arith { op: operator(op), to, x, y }
            }
            Instr::Abs { to, a } => {
                let x = fused_side(num(a), Some(to), &mut steps);
                // Not read.
                let y = Side::Leaf(x.first());
                Step::Arith { op: ArithmeticOp::Abs, to, x, y }
            }
            Instr::Measure { measure, to, a, b } => {
                Step::Measure { measure, to, operands: [num(a), num(b)] }
            }
            Instr::Sum { to, s } => Step::Sum { to, s: sequence(s, table) },
            Instr::Flip { to, s } => Step::Flip { to, s: sequence(s, table) },
            Instr::Truncate { to, s, n } => Step::Truncate { to, s: sequence(s, table), n: num(n) },
            Instr::Remove { to, s, n } => Step::Remove { to, s: sequence(s, table), n: num(n) },
            Instr::ToString { to, n } => Step::ToString { to, n: num(n) },
            Instr::Compare { kernel, a, b } => {
                let y = fused_side(num(b), None, &mut steps);
                let x = fused_side(num(a), None, &mut steps);
                Step::Compare { kernel, x, y }
            }
            Instr::SeqEq { negate, s, t } => {
                Step::SeqEq { negate, s: sequence(s, table), t: sequence(t, table) }
            }
            Instr::Extra { op, to, a, b } => Step::Extra { op, to, operands: [num(a), num(b)] },
            Instr::Look { look, to, s, t, n } => {
                let (s, t) = (sequence(s, table), sequence(t, table));
                Step::Look { look, to, s, t, n: num(n) }
            }
            Instr::Make { making, to, s, t } => {
                Step::Make { making, to, s: sequence(s, table), t: sequence(t, table) }
            }
            Instr::Test { op: TestOp::Sorted, negate, s: Seq::Column(var), .. } => {
                Step::Bits { negate, words: seq_column(var, table).extremes(table).sorted() }
            }
            Instr::Test { op, negate, s, t } => {
                Step::Test { op, negate, s: sequence(s, table), t: sequence(t, table) }
            }
        };
        let recipe = match step {
            Step::Flip { to, s } => Some((to, Recipe::Flip(s))),
            Step::Truncate { to, s, .. } => Some((to, Recipe::Truncate(s))),
            Step::Remove { to, s, .. } => Some((to, Recipe::Remove(s))),
            Step::ToString { to, n } => Some((to, Recipe::ToString(n))),
            Step::Make { making, to, s, t } => Some((to, Recipe::Make(making, s, t))),
            Step::Arith { .. }
            | Step::Measure { .. }
            | Step::Sum { .. }
            | Step::Compare { .. }
            | Step::SeqEq { .. }
            | Step::Extra { .. }
            | Step::Look { .. }
            | Step::Test { .. }
            | Step::Bits { .. } => None,
        };
        if let Some((to, recipe)) = recipe {
            // Registers are numbered in the order of their instructions; some have none any more.
            recipes.resize(usize::from(to), Recipe::Unused);
            recipes.push(recipe);
        }
        steps.push(step);
    }
    Atom { steps, recipes }
}

/// A side of a step, with the last step taken in if it computes that side.
///
/// The fused step writes the register `to`. The lowering may have given that register to an operand of
/// the inner operation, which was free by then; then they stay apart.
fn fused_side<'a>(
    side: Operand<'a>,
    to: Option<Register>,
    steps: &mut BumpVec<'a, Step<'a>>,
) -> Side<Operand<'a>> {
    let reads_to = |operand: Operand<'a>| matches!(operand, Operand::Register(r) if Some(r) == to);
    match (side, steps.last()) {
        (
            Operand::Register(side),
            Some(&Step::Arith { op, to: made, x: Side::Leaf(a), y: Side::Leaf(b) }),
        ) if side == made && !reads_to(a) && !reads_to(b) => {
            steps.pop();
            Side::Pair(op, a, b)
        }
        _ => Side::Leaf(side),
    }
}

fn operator(op: Arith) -> ArithmeticOp {
    match op {
        Arith::Add => ArithmeticOp::Add,
        Arith::Sub => ArithmeticOp::Sub,
        Arith::Mul => ArithmeticOp::Mul,
        Arith::Div => ArithmeticOp::Div,
    }
}

fn operand<'a>(num: Num, table: &'a Table, arena: &'a Bump) -> Operand<'a> {
    match num {
        Num::Column(var) => match table.column(var) {
            StoredColumn::Num(column) => Operand::Column(column.values()),
            StoredColumn::Bool(_) | StoredColumn::Seq(_) => {
                unreachable!("lowered from a Num column")
            }
        },
        Num::Length(var) => Operand::Column(seq_column(var, table).length.values()),
        Num::Sum(var) => Operand::Column(seq_column(var, table).sum.values()),
        Num::Extreme(var, extreme) => {
            Operand::Column(seq_column(var, table).extremes(table).column(extreme).values())
        }
        Num::Register(register) => Operand::Register(register),
        Num::Constant(value) => Operand::Splat(arena.alloc([value; LANES])),
    }
}

fn sequence(seq: Seq, table: &Table) -> SeqOperand<'_> {
    match seq {
        Seq::Column(var) => {
            let column = seq_column(var, table);
            SeqOperand::Column(Views { starts: &column.starts, lens: &column.lens })
        }
        Seq::Flipped(var) => {
            let column = seq_column(var, table);
            SeqOperand::Column(Views { starts: &column.flipped, lens: &column.lens })
        }
        Seq::Register(register) => SeqOperand::Register(register),
    }
}

fn seq_column(var: Var, table: &Table) -> &SeqColumn {
    match table.column(var) {
        StoredColumn::Seq(column) => column,
        StoredColumn::Num(_) | StoredColumn::Bool(_) => unreachable!("lowered from a Seq column"),
    }
}
