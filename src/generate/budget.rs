//! How the time of a run is shared. The only part of it that looks at a clock.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use super::plan::Plan;
use crate::evolve::Stop;

/// Judging runs as many versions on as many inputs as the preparation of a run does, and for every transformation: it
/// is given so many times as long. A guess.
const JUDGING: f64 = 2.5;

/// Watches the time of a run.
#[derive(Debug)]
pub(super) struct Clock {
    start: Instant,
    end: Option<Instant>,
    /// What a search has taken beyond its share, at most: the last trial of what it found.
    tail: Duration,
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
        let start = Instant::now();
        Clock {
            start,
            // A time beyond all clocks is no limit.
            end: plan.time.and_then(|time| start.checked_add(time)),
            tail: Duration::ZERO,
            generations: plan.generations,
            cancelled: Arc::clone(&plan.cancelled),
        }
    }

    /// The preparation is done: keeps time for judging, at most half of what is left.
    pub(super) fn prepared(&mut self) {
        let now = Instant::now();
        let judging = (now - self.start).mul_f64(JUDGING);
        self.end = self.end.map(|end| end - judging.min(end.saturating_duration_since(now) / 2));
    }

    pub(super) fn is_cancelled(&self) -> bool {
        self.cancelled.load(Ordering::Relaxed)
    }

    pub(super) fn is_over(&self) -> bool {
        self.is_cancelled() || self.end.is_some_and(|end| Instant::now() >= end)
    }

    /// The share of the next of so many searches that are left.
    pub(super) fn share(&self, searches: usize) -> Share {
        let start = Instant::now();
        let left = self.end.map(|end| end.saturating_duration_since(start));
        let each = left.map(|left| left / searches.max(1) as u32);
        Share {
            start,
            time: each.map(|each| each - self.tail.min(each / 2)),
            generations: self.generations,
            cancelled: Arc::clone(&self.cancelled),
        }
    }

    /// A search has ended: the next ones leave time for what this one did beyond its share.
    pub(super) fn done(&mut self, share: &Share) {
        if let Some(time) = share.time {
            self.tail = self.tail.max(share.start.elapsed().saturating_sub(time));
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
