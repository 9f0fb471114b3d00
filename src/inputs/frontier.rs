//! The sides that are not covered but were within sight, and the inputs that came nearest to each.

use super::row::Row;
use crate::subject::Traces;

/// How many inputs are remembered for a side.
const NEAREST: usize = 6;
/// Rounds without coming nearer before a side is begun anew. A guess.
const PATIENCE: u32 = 12;
/// How often a side is begun anew before it is given up. A guess.
const RESTARTS: u32 = 5;

/// A side that is not covered.
#[derive(Clone, Debug, Default)]
pub(super) struct Target {
    /// The nearest inputs with their distances, nearest first.
    pub(super) nearest: Vec<(f64, Row)>,
    /// Which coordinate is tried next.
    pub(super) coordinate: usize,
    /// How often inputs were made for it since it was last come nearer to.
    stale: u32,
    restarts: u32,
}

/// All sides of a function.
#[derive(Debug)]
pub(super) struct Frontier {
    /// Nothing for sides that are covered.
    targets: Vec<Option<Target>>,
    /// Whose turn it is.
    turn: usize,
}

impl Frontier {
    pub(super) fn new(sides: usize) -> Frontier {
        Frontier { targets: vec![Some(Target::default()); sides], turn: 0 }
    }

    /// How many sides are covered.
    pub(super) fn covered(&self) -> usize {
        self.targets.iter().filter(|target| target.is_none()).count()
    }

    /// Looks at what a call did.
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

    /// Some sides to work on, in turn: never the same ones while others wait.
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
        // On a plateau newer ones take the place of older ones, so that the search drifts.
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

    /// Inputs are being made for this side. After many without success its inputs are forgotten: others may
    /// lead there.
    pub(super) fn worked_on(&mut self) {
        self.stale += 1;
        if self.stale > PATIENCE {
            self.stale = 0;
            self.restarts += 1;
            self.nearest.clear();
        }
    }
}
