//! Mutants: what was changed, and where.

use std::fmt;

/// Which mutation operators made a mutant. The groups have no operator in common, so that relations are
/// judged by other faults than those that they were trained on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Group {
    /// The search is trained on these mutants.
    A,
    /// Relations are judged by these mutants.
    B,
}

/// A version of a function with one change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mutant {
    /// Its name: the group and a number, such as `A17`.
    pub name: String,
    /// Which operators made it.
    pub group: Group,
    /// The operator, such as `AOR`.
    pub operator: &'static str,
    /// The function that is changed.
    pub function: String,
    /// Where the change is in the module, in bytes.
    pub offset: u32,
    /// Where it is in the source, if that is known.
    pub line: Option<Line>,
    /// What is changed, in words: `i32.add instead of i32.sub`.
    pub change: String,
}

/// A place in a source file.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Line {
    /// The file, as its compiler called it.
    pub file: String,
    /// The line, counted from 1.
    pub line: u32,
    /// The column, counted from 1; 0 if it is not known.
    pub column: u32,
}

/// A number that stands in the code of a function.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Constant {
    /// The number that stands in the code.
    pub value: f64,
    /// How often it stands there.
    pub count: usize,
}

impl fmt::Display for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.file, self.line)?;
        if self.column > 0 { write!(f, ":{}", self.column) } else { Ok(()) }
    }
}

impl fmt::Display for Mutant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {} in {}", self.name, self.change, self.function)?;
        match &self.line {
            Some(line) => write!(f, " at {line}"),
            None => write!(f, " at offset {:#x}", self.offset),
        }
    }
}
