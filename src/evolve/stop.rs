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
    /// After this time.
    pub time: Option<Duration>,
    /// After this generation.
    pub generations: Option<u64>,
    /// When at least as many individuals have been scored.
    pub evaluations: Option<u64>,
    /// When a relation without false positives and negatives has not improved for so many generations.
    pub settled: Option<u64>,
    /// When somebody sets this.
    pub cancelled: Option<Arc<AtomicBool>>,
}

impl Stop {
    /// After this generation.
    pub fn after_generations(generations: u64) -> Stop {
        Stop { generations: Some(generations), ..Stop::default() }
    }

    /// After this time.
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
