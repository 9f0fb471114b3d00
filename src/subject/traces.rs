//! Which branch sides calls took, and how near they came to the others.

use super::mutant::Line;
use super::outcomes::Outcomes;
use super::signature::Signature;

/// A place where a function continues in one of two ways: side 0 when the condition is false, side 1 when it
/// is true.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Branch {
    /// Name of the function that contains it.
    pub function: String,
    /// Its offset in the module, in bytes.
    pub offset: u32,
    /// Its source line, if that is known.
    pub line: Option<Line>,
}

/// The branch sides of calls of the original. Branch `b` has the sides `2 b` and `2 b + 1`.
#[derive(Clone, Debug, PartialEq)]
pub struct Traces {
    /// The outcomes of the calls.
    pub outcomes: Outcomes,
    /// Number of sides: twice the number of branches.
    pub sides: usize,
    /// For every row and side, how often the side was taken.
    pub hits: Vec<u32>,
    /// For every row and side, the distance of the nearest visit from taking the side; 0 if it was taken,
    /// infinite if the branch was never visited.
    pub distances: Vec<f64>,
}

impl Traces {
    /// With this many rows that were not run.
    pub(super) fn not_run(signature: &Signature, sides: usize, rows: usize) -> Traces {
        let outcomes = Outcomes::not_run(signature, rows);
        let (hits, distances) = (vec![0; rows * sides], vec![f64::INFINITY; rows * sides]);
        Traces { outcomes, sides, hits, distances }
    }

    /// Some of the rows.
    #[must_use]
    pub fn only(&self, signature: &Signature, rows: &[usize]) -> Traces {
        let mut outcomes = Outcomes::new(signature);
        rows.iter().for_each(|&row| outcomes.push(&self.outcomes, row));
        let hits = rows.iter().flat_map(|&row| self.hits(row)).copied().collect();
        let distances = rows.iter().flat_map(|&row| self.distances(row)).copied().collect();
        Traces { outcomes, sides: self.sides, hits, distances }
    }

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

    /// The distance of a row from each side.
    pub fn distances(&self, row: usize) -> &[f64] {
        &self.distances[row * self.sides..][..self.sides]
    }
}
