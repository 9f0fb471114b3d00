//! The columns that generated code reads, and where they are in a table.

use crate::mask::WORD;
use crate::program::{Bits, Instr, Num, Program, Seq};
use crate::schema::Var;
use crate::table::{Extreme, NumColumn, SeqColumn, StoredColumn, Table};

/// Number columns begin at a multiple of this; generated code may rely on it.
pub(super) const ALIGNMENT: usize = 16;

/// A column of a table, as generated code reads it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Operand {
    /// f64s of a Num variable.
    Num(Var),
    /// f64s: the lengths of a Seq variable.
    Length(Var),
    /// f64s: the sums of a Seq variable.
    Sum(Var),
    /// f64s: the first, last, least or greatest elements of a Seq variable.
    Extreme(Var, Extreme),
    /// u32s: where the sequences of a Seq variable start in the dictionary.
    Starts(Var),
    /// u32s: where they start when they are flipped.
    Flipped(Var),
    /// u64 words of a Bool variable.
    Bits(Var),
}

impl Operand {
    /// The column behind a number operand, if it is one.
    pub(super) fn of_num(num: Num) -> Option<Operand> {
        match num {
            Num::Column(var) => Some(Operand::Num(var)),
            Num::Length(var) => Some(Operand::Length(var)),
            Num::Sum(var) => Some(Operand::Sum(var)),
            Num::Extreme(var, extreme) => Some(Operand::Extreme(var, extreme)),
            Num::Register(_) | Num::Constant(_) => None,
        }
    }

    /// The column behind a sequence operand, if it is one.
    pub(super) fn of_seq(seq: Seq) -> Option<Operand> {
        match seq {
            Seq::Column(var) => Some(Operand::Starts(var)),
            Seq::Flipped(var) => Some(Operand::Flipped(var)),
            Seq::Register(_) => None,
        }
    }

    /// The column behind an operand of the logic, if it is one.
    pub(super) fn of_bits(bits: Bits) -> Option<Operand> {
        match bits {
            Bits::Column(var) => Some(Operand::Bits(var)),
            Bits::Atom(_) | Bits::Temp(_) | Bits::Constant(_) => None,
        }
    }

    /// Where the column begins. It is there for all `table.layout().words()` words of rows.
    ///
    /// # Panics
    /// If the variable has another type in this table.
    pub(super) fn base(self, table: &Table) -> *const u8 {
        let words = table.layout().words();
        match self {
            Operand::Num(var) => match table.column(var) {
                StoredColumn::Num(column) => numbers(column, words),
                StoredColumn::Bool(_) | StoredColumn::Seq(_) => {
                    panic!("{var:?} is not a Num column")
                }
            },
            Operand::Length(var) => numbers(&sequences(table, var).length, words),
            Operand::Sum(var) => numbers(&sequences(table, var).sum, words),
            Operand::Extreme(var, extreme) => {
                numbers(sequences(table, var).extremes(table).column(extreme), words)
            }
            Operand::Starts(var) => rows(&sequences(table, var).starts, words * WORD),
            Operand::Flipped(var) => rows(&sequences(table, var).flipped, words * WORD),
            Operand::Bits(var) => match table.column(var) {
                StoredColumn::Bool(column) => rows(column, words),
                StoredColumn::Num(_) | StoredColumn::Seq(_) => {
                    panic!("{var:?} is not a Bool column")
                }
            },
        }
    }
}

fn sequences(table: &Table, var: Var) -> &SeqColumn {
    match table.column(var) {
        StoredColumn::Seq(column) => column,
        StoredColumn::Num(_) | StoredColumn::Bool(_) => panic!("{var:?} is not a Seq column"),
    }
}

fn numbers(column: &NumColumn, words: usize) -> *const u8 {
    let base = rows(column.values(), words * WORD);
    assert_eq!(base.addr() % ALIGNMENT, 0, "number columns begin on a cache line");
    base
}

fn rows<T>(column: &[T], expected: usize) -> *const u8 {
    assert_eq!(column.len(), expected, "columns are padded to whole words");
    column.as_ptr().cast()
}

/// The distinct columns that a program reads, in order of first use.
pub(super) fn collect(program: &Program, operands: &mut Vec<Operand>) {
    operands.clear();
    let mut add = |operand: Option<Operand>| {
        if let Some(operand) = operand
            && !operands.contains(&operand)
        {
            operands.push(operand);
        }
    };
    for instr in &program.code {
        match *instr {
            Instr::Arith { a, b, .. } | Instr::Compare { a, b, .. } => {
                add(Operand::of_num(a));
                add(Operand::of_num(b));
            }
            Instr::Abs { a, .. } => add(Operand::of_num(a)),
            Instr::SeqEq { s, t, .. } => {
                add(Operand::of_seq(s));
                add(Operand::of_seq(t));
            }
            Instr::Measure { .. }
            | Instr::Sum { .. }
            | Instr::Flip { .. }
            | Instr::Truncate { .. }
            | Instr::Remove { .. }
            | Instr::ToString { .. }
            | Instr::Make { .. }
            | Instr::Look { .. }
            | Instr::Test { .. }
            | Instr::Extra { .. } => {}
        }
    }
    for instr in &program.logic.instrs {
        add(Operand::of_bits(instr.a));
        add(Operand::of_bits(instr.b));
    }
    add(program.root.and_then(Operand::of_bits));
}
