//! How the time of a run is shared. The only part of it that looks at a clock.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use super::plan::Plan;
use crate::evolve::Stop;

/// The part of the time that is kept for judging what was found.
const JUDGING: f64 = 0.08;

/// Watches the time of a run.
#[derive(Debug)]
pub(super) struct Clock {
    end: Option<Instant>,
    generations: Option<u64>,
    cancelled: Arc<AtomicBool>,
}

/// What a search may use, in rounds.
#[derive(Clone, Debug)]
pub(super) struct Share {
    start: Instant,
    time: Option<Duration>,
    generations: Option<u64>,
    cancelled: Arc<AtomicBool>,
}

/// Where rounds end, as a part of the share: after each, relations are tried on fresh inputs. Early, because
/// what is refuted teaches the search; a guess.
const ROUNDS: [f64; 6] = [0.15, 0.3, 0.45, 0.6, 0.8, 1.0];

/// For how many generations a perfect relation must stay the smallest. A guess.
const SETTLED: u64 = 100;

impl Clock {
    pub(super) fn start(plan: &Plan) -> Clock {
        let end = plan.time.map(|time| Instant::now() + time.mul_f64(1.0 - JUDGING));
        Clock { end, generations: plan.generations, cancelled: Arc::clone(&plan.cancelled) }
    }

    pub(super) fn is_cancelled(&self) -> bool {
        self.cancelled.load(Ordering::Relaxed)
    }

    pub(super) fn is_over(&self) -> bool {
        self.is_cancelled() || self.end.is_some_and(|end| Instant::now() >= end)
    }

    /// The share of the next of so many searches that are left.
    pub(super) fn share(&mut self, searches: usize) -> Share {
        let start = Instant::now();
        let left = self.end.map(|end| end.saturating_duration_since(start));
        Share {
            start,
            time: left.map(|left| left / searches.max(1) as u32),
            generations: self.generations,
            cancelled: Arc::clone(&self.cancelled),
        }
    }
}

impl Share {
    /// The rounds: when each ends.
    pub(super) fn rounds(&self) -> impl Iterator<Item = Stop> + '_ {
        ROUNDS.iter().map(|&part| {
            let end = self.time.map(|time| time.mul_f64(part));
            Stop {
                time: end.map(|end| end.saturating_sub(self.start.elapsed())),
                generations: self.generations.map(|all| (all as f64 * part).ceil() as u64),
                evaluations: None,
                settled: Some(SETTLED),
                cancelled: Some(Arc::clone(&self.cancelled)),
            }
        })
    }
}
