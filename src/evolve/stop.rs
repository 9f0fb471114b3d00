//! When a search ends. The only part of it that looks at a clock.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use super::evolution::Evolution;
use super::record::{Generation, StopReason};

/// When to stop; whatever comes first. A generation is always finished.
#[derive(Clone, Debug, Default)]
pub struct Stop {
    /// Stop when this time is over.
    pub time: Option<Duration>,
    /// Stop when this many generations are done.
    pub generations: Option<u64>,
    /// Stop when at least this many individuals have been scored.
    pub evaluations: Option<u64>,
    /// Stop when a relation without false positives and negatives has not improved for this many generations.
    pub settled: Option<u64>,
    /// Stop when another thread sets this to true.
    pub cancelled: Option<Arc<AtomicBool>>,
}

impl Stop {
    /// Stops when this many generations are done.
    pub fn after_generations(generations: u64) -> Stop {
        Stop { generations: Some(generations), ..Stop::default() }
    }

    /// Stops when this time is over.
    pub fn after_time(time: Duration) -> Stop {
        Stop { time: Some(time), ..Stop::default() }
    }

    /// The reason to stop now, if there is one. Those that a repeated run has too come first.
    fn reason(&self, evolution: &Evolution, start: Instant) -> Option<StopReason> {
        let reached = |limit: Option<u64>, now: u64| limit.is_some_and(|limit| now >= limit);
        if reached(self.generations, evolution.generation()) {
            Some(StopReason::Generations)
        } else if reached(self.evaluations, evolution.evaluations()) {
            Some(StopReason::Evaluations)
        } else if evolution.is_perfect() && reached(self.settled, evolution.unimproved()) {
            Some(StopReason::Settled)
        } else if self.cancelled.as_ref().is_some_and(|flag| flag.load(Ordering::Relaxed)) {
            Some(StopReason::Cancelled)
        } else if self.time.is_some_and(|time| start.elapsed() >= time) {
            Some(StopReason::Time)
        } else {
            None
        }
    }
}

/// Evolves until there is a reason to stop. `observe` sees every generation, and may end the run.
pub fn run(
    evolution: &mut Evolution,
    stop: &Stop,
    mut observe: impl FnMut(&Evolution, &Generation) -> ControlFlow<()>,
) -> StopReason {
    let start = Instant::now();
    loop {
        // A run that is resumed may have nothing left to do; one that begins does a generation at least.
        if evolution.generation() > 0
            && let Some(reason) = stop.reason(evolution, start)
        {
            return reason;
        }
        let record = evolution.step();
        if observe(evolution, &record).is_break() {
            return StopReason::Cancelled;
        }
    }
}
