//! Branch sides that are not covered yet but that some call came near to, with the inputs that came nearest.

use super::row::Row;
use crate::subject::Traces;

/// Number of inputs that are remembered for each side.
const NEAREST: usize = 6;
/// Rounds without getting nearer after which a side starts afresh. A guess.
const PATIENCE: u32 = 12;
/// Restarts after which a side is given up. A guess.
const RESTARTS: u32 = 5;

/// A branch side that is not covered yet.
#[derive(Clone, Debug, Default)]
pub(super) struct Target {
    /// The nearest inputs with their distances, nearest first.
    pub(super) nearest: Vec<(f64, Row)>,
    /// The coordinate that is varied next.
    pub(super) coordinate: usize,
    /// Rounds in which inputs were made for this side since the distance last shrank.
    stale: u32,
    restarts: u32,
}

/// All branch sides of a function.
#[derive(Debug)]
pub(super) struct Frontier {
    /// `None` for sides that are covered.
    targets: Vec<Option<Target>>,
    /// Where the next turn starts among the open sides.
    turn: usize,
}

impl Frontier {
    pub(super) fn new(sides: usize) -> Frontier {
        Frontier { targets: vec![Some(Target::default()); sides], turn: 0 }
    }

    /// Number of sides that are covered.
    pub(super) fn covered(&self) -> usize {
        self.targets.iter().filter(|target| target.is_none()).count()
    }

    /// Records which sides a call took, and how near it came to the others.
    pub(super) fn note(&mut self, input: &Row, traces: &Traces, row: usize) {
        let (hits, distances) = (traces.hits(row), traces.distances(row));
        for (side, slot) in self.targets.iter_mut().enumerate() {
            let Some(target) = slot else { continue };
            if hits[side] > 0 {
                *slot = None;
            } else if distances[side].is_finite() && target.restarts <= RESTARTS {
                target.offer(distances[side], input);
            }
        }
    }

    /// Picks some open sides to work on, in rotation, so that no side is picked again while others wait.
    pub(super) fn turn(&mut self, most: usize) -> Vec<&mut Target> {
        let open = |target: &Target| target.restarts <= RESTARTS && !target.nearest.is_empty();
        let mut open: Vec<&mut Target> =
            self.targets.iter_mut().flatten().filter(|target| open(target)).collect();
        if open.is_empty() {
            return open;
        }
        let start = self.turn % open.len();
        self.turn += most;
        open.rotate_left(start);
        open.truncate(most);
        open
    }
}

impl Target {
    fn offer(&mut self, distance: f64, input: &Row) {
        let full = self.nearest.len() == NEAREST;
        let nearest = self.nearest.first().map_or(f64::INFINITY, |first| first.0);
        // On a plateau newer inputs replace older ones, so that the search drifts.
        if full && self.nearest[NEAREST - 1].0 < distance {
            return;
        }
        if self.nearest.iter().any(|(_, other)| other == input) {
            return;
        }
        let place = self.nearest.partition_point(|(other, _)| *other < distance);
        if full {
            self.nearest.pop();
        }
        self.nearest.insert(place, (distance, input.clone()));
        if distance < nearest {
            self.stale = 0;
        }
    }

    /// Records that inputs are made for this side. After many rounds without success it forgets its inputs,
    /// because others may lead there.
    pub(super) fn worked_on(&mut self) {
        self.stale += 1;
        if self.stale > PATIENCE {
            self.stale = 0;
            self.restarts += 1;
            self.nearest.clear();
        }
    }
}
