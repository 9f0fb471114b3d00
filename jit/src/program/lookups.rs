//! Lowering of the operators that are not the paper's: what stands out in a sequence, what is looked up in
//! one, tests of sequences, and sequences made of the elements of others.
//!
//! A variable's extremes are columns of its table. Everything else is an instruction that looks at elements.

use super::{Extra, Instr, Item, Look, Making, Num, Program, Seq, constant};
use crate::interval::Interval;
use crate::op::{Op, TestOp, Value};
use crate::table::{Extreme, StoredColumn, Table};
use crate::tolerance::Tolerance;

impl Program {
    /// `min`, `max` and `mod`.
    pub(super) fn extra(&mut self, op: Op, extra: Extra, tolerance: &Tolerance) -> Item {
        let (b, b_facts) = self.pop_num();
        let (a, a_facts) = self.pop_num();
        if let (Num::Constant(a), Num::Constant(b)) = (a, b) {
            return match op.apply(&[Value::Num(a), Value::Num(b)], tolerance) {
                Value::Num(value) => constant(value),
                Value::Bool(_) | Value::Seq(_) => unreachable!("arithmetic gives numbers"),
            };
        }
        let facts = match extra {
            Extra::Min => a_facts.smaller(b_facts),
            Extra::Max => a_facts.larger(b_facts),
            Extra::Mod => a_facts.modulo(b_facts),
            Extra::Floor => unreachable!("`floor` has one operand"),
        };
        let to = self.new_num();
        self.release_num(a);
        self.release_num(b);
        self.code.push(Instr::Extra { op: extra, to, a, b });
        Item::Num(Num::Register(to), facts)
    }

    pub(super) fn floor(&mut self) -> Item {
        let (a, facts) = self.pop_num();
        if let Num::Constant(value) = a {
            return constant(value.floor());
        }
        if facts.integer {
            return Item::Num(a, facts);
        }
        let to = self.new_num();
        self.release_num(a);
        self.code.push(Instr::Extra { op: Extra::Floor, to, a, b: a });
        Item::Num(Num::Register(to), facts.floor())
    }

    /// `first`, `last`, `least` or `greatest` of the sequence on top of the stack.
    pub(super) fn extreme(&mut self, extreme: Extreme, table: &Table) -> Item {
        let s = self.pop_seq();
        if let Some((var, extreme)) = of_variable(s, extreme) {
            return match table.column(var) {
                StoredColumn::Seq(column) => {
                    let facts = column.extremes(table).column(extreme).facts;
                    Item::Num(Num::Extreme(var, extreme), facts)
                }
                StoredColumn::Num(_) | StoredColumn::Bool(_) => {
                    unreachable!("a Seq operand was type-checked")
                }
            };
        }
        self.look(Look::Extreme(extreme), s, s, NO_NUMBER)
    }

    /// A number found in a sequence by a number.
    pub(super) fn looked_up(&mut self, look: Look) -> Item {
        let (n, _) = self.pop_num();
        let s = self.pop_seq();
        self.look(look, s, s, n)
    }

    pub(super) fn index_of(&mut self) -> Item {
        let t = self.pop_seq();
        let s = self.pop_seq();
        self.look(Look::IndexOf, s, t, NO_NUMBER)
    }

    fn look(&mut self, look: Look, s: Seq, t: Seq, n: Num) -> Item {
        let facts = match look {
            Look::Length | Look::Count => Interval::integers(0.0, MOST_ELEMENTS),
            Look::IndexOf => Interval::integers(-1.0, MOST_ELEMENTS),
            Look::Extreme(_) | Look::At => Interval::ANY,
        };
        let to = self.new_num();
        self.release_num(n);
        self.code.push(Instr::Look { look, to, s, t, n });
        Item::Num(Num::Register(to), facts)
    }

    /// A test of sequences, which ends an atom.
    pub(super) fn test(&mut self, op: TestOp) -> Item {
        let t = self.pop_seq();
        let s = match op {
            TestOp::Sorted => t,
            TestOp::Contains | TestOp::StartsWith | TestOp::EndsWith | TestOp::SameElements => {
                self.pop_seq()
            }
        };
        self.code.push(Instr::Test { op, negate: false, s, t });
        self.end_atom()
    }

    /// A sequence made of the elements of one or two.
    pub(super) fn make(&mut self, making: Making) -> Item {
        let t = self.pop_seq();
        let s = match making {
            Making::Join => self.pop_seq(),
            Making::Sort | Making::Upper | Making::Lower => t,
        };
        self.push_seq(|to| Instr::Make { making, to, s, t })
    }
}

/// The extreme of a variable that is this one of a sequence; flipped, the first is the last.
fn of_variable(s: Seq, extreme: Extreme) -> Option<(crate::schema::Var, Extreme)> {
    match (s, extreme) {
        (Seq::Column(var), extreme)
        | (Seq::Flipped(var), extreme @ (Extreme::Least | Extreme::Greatest)) => {
            Some((var, extreme))
        }
        (Seq::Flipped(var), Extreme::First) => Some((var, Extreme::Last)),
        (Seq::Flipped(var), Extreme::Last) => Some((var, Extreme::First)),
        (Seq::Register(_), _) => None,
    }
}

/// Stands where an instruction takes no number.
pub(super) const NO_NUMBER: Num = Num::Constant(0.0);

/// No sequence that fits into memory has more elements.
pub(super) const MOST_ELEMENTS: f64 = 4_294_967_296.0;
