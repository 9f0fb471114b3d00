//! How near calls came to the sides of branches.

use super::mutant::Line;
use super::outcomes::Outcomes;

/// A place where a function goes one of two ways: side 0 when the condition is false, side 1 when it
/// is true.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Branch {
    /// The function that it is in.
    pub function: String,
    /// Where it is in the module, in bytes.
    pub offset: u32,
    /// Where it is in the source, if that is known.
    pub line: Option<Line>,
}

/// What calls of the original did at branches. Branch `b` has the sides `2 b` and `2 b + 1`.
#[derive(Clone, Debug, PartialEq)]
pub struct Traces {
    /// How the calls ended.
    pub outcomes: Outcomes,
    /// How many sides there are: twice the branches.
    pub sides: usize,
    /// For every row and side: how often it was taken.
    pub hits: Vec<u32>,
    /// For every row and side: how far the nearest visit of the branch was from taking it; 0 if it
    /// was taken, infinite if the branch was never visited.
    pub distances: Vec<f64>,
}

impl Traces {
    /// Appends the rows of other calls of the same function.
    pub(super) fn extend(&mut self, other: Traces) {
        self.hits.extend(other.hits);
        self.distances.extend(other.distances);
        self.outcomes.extend(&other.outcomes);
    }

    /// How often a row took each side.
    pub fn hits(&self, row: usize) -> &[u32] {
        &self.hits[row * self.sides..][..self.sides]
    }

    /// How far a row was from taking each side.
    pub fn distances(&self, row: usize) -> &[f64] {
        &self.distances[row * self.sides..][..self.sides]
    }
}
