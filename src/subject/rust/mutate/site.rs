//! Places of a source that are changed, and what stands there instead.
//!
//! ```text
//!  a + b   becomes   (match m() { 17 => a - b, 18 => a * b, _ => a + b })
//! ```
//!
//! Only one mutant is on at a time: within an arm everything else is as it was, so the arm is the text of the source
//! with one change, and what has mutants of its own stands in the last arm alone. Nothing grows exponentially, and the
//! compiler sees in an arm just what it would see in a mutated source.

use std::ops::Range;

use crate::subject::rule::Rule;

/// A part of the text of an arm.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Piece {
    /// Of the source, in bytes.
    Source(Range<usize>),
    /// Text that the source does not have.
    Text(String),
}

/// What a mutant has in place of the source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Arm {
    /// The number of the mutant; 0 is the original.
    pub(crate) number: u32,
    pub(crate) rule: Rule,
    pub(crate) pieces: Vec<Piece>,
    /// The change in words, for reports.
    pub(crate) change: String,
}

/// How a condition is watched.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Watch {
    /// A comparison: its operands, and the operator.
    Compared { left: Range<usize>, right: Range<usize>, op: &'static str },
    /// `&&` or `||`, with its operands.
    Joined { left: Range<usize>, right: Range<usize>, is_and: bool },
    /// `!`, with its operand.
    Not(Range<usize>),
    /// A condition of which only the truth is known.
    Truth,
}

/// What is done to a part of a source.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Site {
    /// What stands in its place.
    pub(crate) arms: Vec<Arm>,
    /// What stands in place of its value, which is `gm_v`.
    pub(crate) results: Vec<Arm>,
    /// Whether it is a statement, which may be left out.
    pub(crate) is_statement: bool,
    /// Whether it is the call of a macro, which may come to statements.
    pub(crate) is_macro: bool,
    pub(crate) watch: Option<Watch>,
    /// The branch that it decides.
    pub(crate) branch: Option<usize>,
    /// What stands around it, in every version.
    pub(crate) around: Option<(String, String)>,
}

/// What is put in place of some bytes of a source, or between two of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Insert {
    pub(crate) at: Range<usize>,
    pub(crate) text: String,
    pub(crate) of: InsertOf,
}

/// What a text is inserted for; it goes when that goes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum InsertOf {
    /// The copy: it is there in every version.
    Copy,
    /// The function that it stands in, which is mutated.
    Function,
    /// A mutant.
    Mutant(Arm),
    /// The code that calls a function, by its number.
    Call(usize),
}

/// All that is done to a file.
#[derive(Clone, Debug, Default)]
pub(crate) struct Changes {
    /// The sites by their places. Two of them are apart, or one is within the other.
    pub(crate) sites: Vec<(Range<usize>, Site)>,
    pub(crate) inserts: Vec<Insert>,
    /// The functions that are mutated, by their numbers, with the bytes that they have.
    pub(crate) functions: Vec<(Range<usize>, usize)>,
}

impl Changes {
    /// The site of a place, new if there is none.
    pub(crate) fn site(&mut self, range: &Range<usize>) -> &mut Site {
        let place = self.sites.iter().position(|(there, _)| there == range).unwrap_or_else(|| {
            self.sites.push((range.clone(), Site::default()));
            self.sites.len() - 1
        });
        &mut self.sites[place].1
    }

    /// The function that a byte is in.
    pub(crate) fn function_at(&self, at: usize) -> Option<usize> {
        self.functions.iter().find(|(range, _)| range.contains(&at)).map(|(_, number)| *number)
    }

    /// The arms of all sites, with their places.
    pub(crate) fn arms(&self) -> impl Iterator<Item = (&Range<usize>, &Arm)> {
        let sites = self.sites.iter();
        sites.flat_map(|(range, site)| {
            site.arms.iter().chain(&site.results).map(move |arm| (range, arm))
        })
    }
}
