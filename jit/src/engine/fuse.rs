//! The last step before running: operands resolved, neighbouring instructions fused.
//!
//! A result that goes through memory costs a store and a load of every row. Comparisons and operations
//! take in the operation on either of their sides; it then stays in registers, and what stands beside a
//! division runs while the divider is busy.

use bumpalo::Bump;
use bumpalo::collections::Vec as BumpVec;

use crate::engine::kernels::{Comparison, LANES, Measure, Operation, Term, Views};
use crate::engine::sequences::Recipe;
use crate::program::{Instr, Num, Program, Register, Seq};
use crate::schema::Var;
use crate::table::{SeqColumn, Stored, Table};

/// A number operand, found.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Operand<'a> {
    Column(&'a [f64]),
    Register(Register),
    Splat(&'a [f64; LANES]),
}

/// A sequence operand, found.
#[derive(Clone, Copy, Debug)]
pub(crate) enum SeqOperand<'a> {
    Column(Views<'a>),
    Register(Register),
}

/// An instruction over a block of rows, ready to run.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Step<'a> {
    Arith { op: Operation, to: Register, x: Term<Operand<'a>>, y: Term<Operand<'a>> },
    Measure { measure: Measure, to: Register, operands: [Operand<'a>; 2] },
    Sum { to: Register, s: SeqOperand<'a> },
    Flip { to: Register, s: SeqOperand<'a> },
    Truncate { to: Register, s: SeqOperand<'a>, n: Operand<'a> },
    Remove { to: Register, s: SeqOperand<'a>, n: Operand<'a> },
    ToString { to: Register, n: Operand<'a> },
    Compare { comparison: Comparison, x: Term<Operand<'a>>, y: Term<Operand<'a>> },
    SeqEq { negate: bool, s: SeqOperand<'a>, t: SeqOperand<'a> },
}

/// The steps of one atom, and how each of its sequence registers is made.
#[derive(Debug)]
pub(crate) struct Atom<'a> {
    pub(crate) steps: BumpVec<'a, Step<'a>>,
    pub(crate) recipes: BumpVec<'a, Recipe<'a>>,
}

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
                let y = fused_term(num(b), Some(to), &mut steps);
                let x = fused_term(num(a), Some(to), &mut steps);
                Step::Arith { op: op.into(), to, x, y }
            }
            Instr::Abs { to, a } => {
                let x = fused_term(num(a), Some(to), &mut steps);
                // Not read.
                let y = Term::Leaf(x.first());
                Step::Arith { op: Operation::Abs, to, x, y }
            }
            Instr::Measure { measure, to, a, b } => {
                Step::Measure { measure, to, operands: [num(a), num(b)] }
            }
            Instr::Sum { to, s } => Step::Sum { to, s: sequence(s, table) },
            Instr::Flip { to, s } => Step::Flip { to, s: sequence(s, table) },
            Instr::Truncate { to, s, n } => Step::Truncate { to, s: sequence(s, table), n: num(n) },
            Instr::Remove { to, s, n } => Step::Remove { to, s: sequence(s, table), n: num(n) },
            Instr::ToString { to, n } => Step::ToString { to, n: num(n) },
            Instr::Compare { comparison, a, b } => {
                let y = fused_term(num(b), None, &mut steps);
                let x = fused_term(num(a), None, &mut steps);
                Step::Compare { comparison, x, y }
            }
            Instr::SeqEq { negate, s, t } => {
                Step::SeqEq { negate, s: sequence(s, table), t: sequence(t, table) }
            }
        };
        let recipe = match step {
            Step::Flip { to, s } => Some((to, Recipe::Flip(s))),
            Step::Truncate { to, s, .. } => Some((to, Recipe::Truncate(s))),
            Step::Remove { to, s, .. } => Some((to, Recipe::Remove(s))),
            Step::ToString { to, n } => Some((to, Recipe::ToString(n))),
            Step::Arith { .. }
            | Step::Measure { .. }
            | Step::Sum { .. }
            | Step::Compare { .. }
            | Step::SeqEq { .. } => None,
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
fn fused_term<'a>(
    side: Operand<'a>,
    to: Option<Register>,
    steps: &mut BumpVec<'a, Step<'a>>,
) -> Term<Operand<'a>> {
    let reads_to = |operand: Operand<'a>| matches!(operand, Operand::Register(r) if Some(r) == to);
    match (side, steps.last()) {
        (
            Operand::Register(side),
            Some(&Step::Arith { op, to: made, x: Term::Leaf(a), y: Term::Leaf(b) }),
        ) if side == made && !reads_to(a) && !reads_to(b) => {
            steps.pop();
            Term::Pair(op, a, b)
        }
        _ => Term::Leaf(side),
    }
}

fn operand<'a>(num: Num, table: &'a Table, arena: &'a Bump) -> Operand<'a> {
    match num {
        Num::Column(var) => match table.column(var) {
            Stored::Num(column) => Operand::Column(column.values()),
            Stored::Bool(_) | Stored::Seq(_) => unreachable!("lowered from a Num column"),
        },
        Num::Length(var) => Operand::Column(seq_column(var, table).length.values()),
        Num::Sum(var) => Operand::Column(seq_column(var, table).sum.values()),
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
        Stored::Seq(column) => column,
        Stored::Num(_) | Stored::Bool(_) => unreachable!("lowered from a Seq column"),
    }
}
