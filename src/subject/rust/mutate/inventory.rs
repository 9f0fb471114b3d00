//! What a survey of functions finds: candidates for mutants, branches, constants, and code that is left alone.

use std::collections::BTreeMap;
use std::ops::Range;

use crate::subject::rule::Rule;

/// A mutant, before the compiler has seen it.
#[derive(Clone, Debug)]
pub(crate) struct Candidate {
    pub(crate) number: u32,
    pub(crate) rule: Rule,
    /// The function that it is in, by its name and by its number.
    pub(crate) function: String,
    pub(crate) home: usize,
    pub(crate) file: usize,
    /// What it replaces, in bytes, and by what.
    pub(crate) range: Range<usize>,
    pub(crate) new: String,
    pub(crate) change: String,
    /// Line and column, counted from 1.
    pub(crate) line: u32,
    pub(crate) column: u32,
}

/// A place where the function goes one of several ways.
#[derive(Clone, Debug)]
pub(crate) struct Fork {
    pub(crate) function: String,
    pub(crate) home: usize,
    pub(crate) file: usize,
    pub(crate) at: usize,
    pub(crate) line: u32,
    pub(crate) column: u32,
}

/// Code that is not mutated, because it is made by a macro or async.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct OpaqueCode {
    pub(crate) what: String,
    pub(crate) home: usize,
    pub(crate) file: usize,
    pub(crate) line: usize,
}

/// All that the functions of a package have.
#[derive(Clone, Debug, Default)]
pub(crate) struct Inventory {
    pub(crate) candidates: Vec<Candidate>,
    pub(crate) forks: Vec<Fork>,
    pub(crate) opaque: Vec<OpaqueCode>,
    /// By the function and their bits: how often each number stands there.
    pub(crate) constants: BTreeMap<(usize, u64), usize>,
}
