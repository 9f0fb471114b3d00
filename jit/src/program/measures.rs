//! Lowering of what looks at sequences: `flip`, `length` and `sum`.
//!
//! When one of these is met, the code of its operand is there already. `length` turns that code, back to
//! the variables, into arithmetic on lengths; `sum` does the same where it can. What
//! they make unnecessary is taken out again.

use std::io::Write as _;

use super::lookups::{MOST_ELEMENTS, NO_NUMBER};
use super::{DirectMeasure, Instr, Item, Look, Making, Num, Program, Register, Seq, constant};
use crate::interval::Interval;
use crate::op;
use crate::schema::Var;
use crate::table::dictionary::LARGEST_TEXT_SUM;
use crate::table::{StoredColumn, Table};

impl Program {
    /// `flip(s)`: nothing for a variable or what was flipped.
    pub(super) fn flip(&mut self) -> Item {
        let s = self.pop_seq();
        match s {
            Seq::Column(var) => Item::Seq(Seq::Flipped(var)),
            Seq::Flipped(var) => Item::Seq(Seq::Column(var)),
            Seq::Register(register) => {
                let maker = self.maker(register);
                if let Instr::Flip { s, .. } = self.code[maker] {
                    self.code.remove(maker);
                    return Item::Seq(s);
                }
                self.push_seq(|to| Instr::Flip { to, s })
            }
        }
    }

    /// Lowers `length(s)`, where `s` is on top of the stack.
    pub(super) fn length(&mut self, table: &Table) -> Item {
        let s = self.pop_seq();
        let longest = if self.is_part(s) {
            table.dictionary().longest.max(LONGEST_NUMBER) as f64
        } else {
            MOST_ELEMENTS
        };
        match self.length_of(s) {
            Num::Constant(length) => constant(length),
            length => Item::Num(length, Interval::integers(0.0, longest)),
        }
    }

    /// The length of a sequence, without the sequence.
    fn length_of(&mut self, s: Seq) -> Num {
        let register = match s {
            Seq::Column(var) | Seq::Flipped(var) => return Num::Length(var),
            Seq::Register(register) => register,
        };
        let maker = self.maker(register);
        match self.code[maker] {
            Instr::Flip { s, .. } => {
                self.code.remove(maker);
                self.length_of(s)
            }
            Instr::Truncate { s, n, .. } => {
                let length = self.length_of(s);
                self.measure(register, DirectMeasure::TruncatedLength, length, n)
            }
            Instr::Remove { s, n, .. } => {
                let length = self.length_of(s);
                self.measure(register, DirectMeasure::RemovedLength, length, n)
            }
            Instr::ToString { n: Num::Constant(n), .. } => {
                self.code.remove(maker);
                Num::Constant(Decimal::new(op::index(n)).bytes().len() as f64)
            }
            Instr::ToString { n, .. } => self.measure_text(register, DirectMeasure::TextLength, n),
            Instr::Make { making: Making::Sort | Making::Upper | Making::Lower, s, .. } => {
                self.code.remove(maker);
                self.length_of(s)
            }
            Instr::Make { making: Making::Join, .. } => {
                // Next to the sequence: what was lowered since may read the length. No register that was
                // used since may hold it.
                let to = self.num_registers as Register;
                self.num_registers += 1;
                let look = Instr::Look { look: Look::Length, to, s, t: s, n: NO_NUMBER };
                self.code.insert(maker + 1, look);
                Num::Register(to)
            }
            other => unreachable!("{other:?} makes no sequence"),
        }
    }

    /// Lowers `sum(s)`, where `s` is on top of the stack.
    pub(super) fn sum(&mut self, table: &Table) -> Item {
        let mut s = self.pop_seq();
        // Where sums are exact, the order of the elements does not matter.
        let exact = table.dictionary().prefix_sums().is_some() && self.is_part(s);
        while let Seq::Register(register) = s {
            let maker = self.maker(register);
            match self.code[maker] {
                Instr::ToString { n: Num::Constant(n), .. } => {
                    self.code.remove(maker);
                    let text = Decimal::new(op::index(n));
                    return constant(text.bytes().iter().map(|&byte| f64::from(byte)).sum());
                }
                Instr::ToString { n, .. } => {
                    let facts = Interval::integers(0.0, LARGEST_TEXT_SUM);
                    return Item::Num(
                        self.measure_text(register, DirectMeasure::TextSum, n),
                        facts,
                    );
                }
                Instr::Flip { s: flipped, .. } if exact || self.is_text(flipped) => {
                    self.code.remove(maker);
                    s = flipped;
                }
                Instr::Make { making: Making::Sort, s: unsorted, .. } if exact => {
                    self.code.remove(maker);
                    s = unsorted;
                }
                _ => break,
            }
        }
        match s {
            Seq::Flipped(var) if exact => sum_of_variable(var, table),
            Seq::Column(var) => sum_of_variable(var, table),
            Seq::Flipped(_) | Seq::Register(_) => {
                let to = self.new_num();
                self.code.push(Instr::Sum { to, s });
                let bound = table.dictionary().largest_sum;
                let facts = if exact { Interval::integers(-bound, bound) } else { Interval::ANY };
                Item::Num(Num::Register(to), facts)
            }
        }
    }

    /// Whether a sequence has elements of one sequence of the table or of the text of a number, and no others.
    fn is_part(&self, s: Seq) -> bool {
        let Seq::Register(register) = s else { return true };
        match self.code[self.maker(register)] {
            Instr::Flip { s, .. }
            | Instr::Truncate { s, .. }
            | Instr::Remove { s, .. }
            | Instr::Make { making: Making::Sort, s, .. } => self.is_part(s),
            Instr::ToString { .. } => true,
            _ => false,
        }
    }

    fn is_text(&self, s: Seq) -> bool {
        match s {
            Seq::Register(register) => {
                matches!(self.code[self.maker(register)], Instr::ToString { .. })
            }
            Seq::Column(_) | Seq::Flipped(_) => false,
        }
    }

    /// Where the sequence in a register of this atom is made.
    fn maker(&self, register: Register) -> usize {
        let makes = |instr: &Instr| match *instr {
            Instr::Flip { to, .. }
            | Instr::Truncate { to, .. }
            | Instr::Remove { to, .. }
            | Instr::ToString { to, .. }
            | Instr::Make { to, .. } => to == register,
            Instr::Arith { .. }
            | Instr::Abs { .. }
            | Instr::Extra { .. }
            | Instr::Look { .. }
            | Instr::Test { .. }
            | Instr::Measure { .. }
            | Instr::Sum { .. }
            | Instr::Compare { .. }
            | Instr::SeqEq { .. } => false,
        };
        self.code.iter().rposition(makes).expect("a register is made before it is read")
    }

    fn measure_text(&mut self, register: Register, measure: DirectMeasure, n: Num) -> Num {
        // The text kept its number; nothing else reads it.
        let result = self.measure(register, measure, n, n);
        self.release_num(n);
        result
    }

    /// Puts a measure in the place of the instruction that makes a sequence.
    fn measure(&mut self, register: Register, measure: DirectMeasure, a: Num, b: Num) -> Num {
        let maker = self.maker(register);
        // Later code may have used any register that is free now, and so may the measure itself.
        let is_last = maker + 1 == self.code.len();
        let free = self.free.iter().rposition(|&free| is_last && b != Num::Register(free));
        let to = if let Some(free) = free {
            self.free.swap_remove(free)
        } else {
            self.num_registers += 1;
            (self.num_registers - 1) as Register
        };
        self.code[maker] = Instr::Measure { measure, to, a, b };
        if measure != DirectMeasure::TextLength && measure != DirectMeasure::TextSum {
            // A length that was measured for this one; b is free since the sequence was lowered.
            self.release_num(a);
        }
        Num::Register(to)
    }
}

fn sum_of_variable(var: Var, table: &Table) -> Item {
    match table.column(var) {
        StoredColumn::Seq(column) => Item::Num(Num::Sum(var), column.sum.facts),
        StoredColumn::Num(_) | StoredColumn::Bool(_) => {
            unreachable!("a Seq operand was type-checked")
        }
    }
}

/// The text of a number, on the stack: lowering allocates nothing.
struct Decimal {
    text: [u8; LONGEST_NUMBER],
    len: usize,
}

impl Decimal {
    fn new(n: i64) -> Decimal {
        let mut text = [0; LONGEST_NUMBER];
        let mut rest = &mut text[..];
        write!(rest, "{n}").expect("no number is longer");
        let len = LONGEST_NUMBER - rest.len();
        Decimal { text, len }
    }

    fn bytes(&self) -> &[u8] {
        &self.text[..self.len]
    }
}

/// The longest text that `toString` makes: `-9223372036854775808`.
const LONGEST_NUMBER: usize = 20;
