//! What an atom reads of a row, and what that costs.

use super::{Arith, Extra, Instr, Look, Num, Program, Seq};
use crate::schema::Var;
use crate::table::Extreme;

/// A part of a row that atoms read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Read {
    pub(crate) var: Var,
    pub(crate) part: Part,
}

/// What is read of a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Part {
    /// All of it. First, because it says the others too.
    Whole,
    Length,
    Sum,
    First,
    Last,
    Least,
    Greatest,
}

impl From<Extreme> for Part {
    fn from(extreme: Extreme) -> Part {
        match extreme {
            Extreme::First => Part::First,
            Extreme::Last => Part::Last,
            Extreme::Least => Part::Least,
            Extreme::Greatest => Part::Greatest,
        }
    }
}

impl Program {
    /// What the program reads, each part once, in order.
    pub(crate) fn reads(&self, reads: &mut Vec<Read>) {
        reads.clear();
        for instr in &self.code {
            match *instr {
                Instr::Arith { a, b, .. }
                | Instr::Extra { a, b, .. }
                | Instr::Measure { a, b, .. }
                | Instr::Compare { a, b, .. } => {
                    reads.extend([a, b].into_iter().filter_map(of_num));
                }
                Instr::Abs { a, .. } => reads.extend(of_num(a)),
                Instr::Sum { s, .. } | Instr::Flip { s, .. } => reads.extend(of_seq(s)),
                Instr::Truncate { s, n, .. } | Instr::Remove { s, n, .. } => {
                    reads.extend(of_seq(s).into_iter().chain(of_num(n)));
                }
                Instr::ToString { n, .. } => reads.extend(of_num(n)),
                Instr::SeqEq { s, t, .. } | Instr::Test { s, t, .. } | Instr::Make { s, t, .. } => {
                    reads.extend([s, t].into_iter().filter_map(of_seq));
                }
                Instr::Look { s, t, n, .. } => {
                    reads.extend([s, t].into_iter().filter_map(of_seq).chain(of_num(n)));
                }
            }
        }
        reads.sort_unstable();
        reads.dedup_by(|read, kept| {
            read.var == kept.var && (read.part == kept.part || kept.part == Part::Whole)
        });
    }

    /// About what a row costs, in additions of two columns.
    pub(crate) fn weight(&self) -> u32 {
        let weight = |instr: &Instr| match instr {
            Instr::Arith { op: Arith::Div, .. } => 3,
            Instr::Arith { .. } | Instr::Abs { .. } | Instr::Flip { .. } => 1,
            Instr::Compare { .. } => 2,
            Instr::Extra { op: Extra::Mod, .. } => 6,
            Instr::Extra { .. } => 1,
            Instr::Make { .. } => 2,
            Instr::Look { look: Look::Length, .. } => 1,
            Instr::Look { .. } | Instr::Test { .. } => 20,
            Instr::Measure { .. } => 4,
            Instr::Truncate { .. } | Instr::Remove { .. } | Instr::ToString { .. } => 6,
            Instr::Sum { .. } | Instr::SeqEq { .. } => 10,
        };
        self.code.iter().map(weight).sum()
    }
}

fn of_num(num: Num) -> Option<Read> {
    match num {
        Num::Column(var) => Some(Read { var, part: Part::Whole }),
        Num::Length(var) => Some(Read { var, part: Part::Length }),
        Num::Sum(var) => Some(Read { var, part: Part::Sum }),
        Num::Extreme(var, extreme) => Some(Read { var, part: extreme.into() }),
        Num::Register(_) | Num::Constant(_) => None,
    }
}

fn of_seq(seq: Seq) -> Option<Read> {
    match seq {
        Seq::Column(var) | Seq::Flipped(var) => Some(Read { var, part: Part::Whole }),
        Seq::Register(_) => None,
    }
}
