//! How the time of a run is shared. The only part of it that looks at a clock.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use super::plan::Plan;
use crate::evolve::Stop;
use crate::subject::Deadline;

/// The part of the time after which inputs are not sought any longer. A guess.
const PREPARED: f64 = 0.35;
/// The part of the time that is left after inputs were sought in which all mutants have to be run on them. A guess.
const COUNTED: f64 = 0.35;
/// The part of the share of a search after which no more pairs are run for it. A guess.
const PAIRED: f64 = 0.3;
/// The part of what is left after the preparation that is kept for judging, at most. A guess.
const JUDGED: f64 = 0.4;
/// The part of the time for judging that goes to finding unseen inputs. A guess.
const UNSEEN: f64 = 0.25;
/// How much longer calls take in judging than in the preparation: mutants are loaded for a few calls each. A guess.
const SLOWER: f64 = 3.0;
/// The fewest unseen inputs that are judged on.
const FEWEST: usize = 40;

/// Watches the time of a run.
#[derive(Debug)]
pub(super) struct Clock {
    start: Instant,
    /// When the run is over, and when its searches are.
    over: Option<Instant>,
    end: Option<Instant>,
    /// How long a call takes.
    call: Duration,
    /// What a search has taken beyond its share, at most: the last trial of what it found.
    tail: Duration,
    generations: Option<u64>,
    cancelled: Arc<AtomicBool>,
    /// The end of the whole run, for calls.
    deadline: Deadline,
}

/// What a search may use, in rounds.
#[derive(Clone, Debug)]
pub(super) struct Share {
    start: Instant,
    time: Option<Duration>,
    /// When all searches are over.
    end: Option<Instant>,
    generations: Option<u64>,
    cancelled: Arc<AtomicBool>,
    deadline: Deadline,
}

/// Where rounds end, as a part of the share: after each, relations are tried on fresh inputs. Early, because
/// what is refuted teaches the search; a guess.
const ROUNDS: [f64; 6] = [0.15, 0.3, 0.45, 0.6, 0.8, 1.0];

/// The part of a share after which nothing is evolved any more: the rest is for the last trial of the relations, and for
/// simplifying them. A guess.
const EVOLVED: f64 = 0.65;

/// The part of a share that goes to another round when what was to be reported is refuted. A guess.
const ANOTHER: f64 = 0.05;

/// For how many generations a perfect relation must stay the smallest. A guess.
const SETTLED: u64 = 100;

impl Clock {
    pub(super) fn start(plan: &Plan) -> Clock {
        let start = Instant::now();
        // A time beyond all clocks is no limit.
        let over = plan.time.and_then(|time| start.checked_add(time));
        Clock {
            start,
            over,
            end: over,
            call: Duration::ZERO,
            tail: Duration::ZERO,
            generations: plan.generations,
            cancelled: Arc::clone(&plan.cancelled),
            deadline: Deadline::new(plan.time, &plan.cancelled),
        }
    }

    /// When the calls of the whole run end.
    pub(super) fn deadline(&self) -> &Deadline {
        &self.deadline
    }

    /// When the calls of all searches end.
    pub(super) fn searching(&self) -> Deadline {
        self.deadline.until(self.end)
    }

    /// When no more calls are made to find inputs.
    pub(super) fn late(&self) -> Deadline {
        let all = self.over.map(|over| over - self.start);
        self.deadline.until(all.map(|all| self.start + all.mul_f64(PREPARED)))
    }

    /// When all mutants have to have been run on the inputs.
    pub(super) fn counted(&self) -> Deadline {
        self.deadline.after(COUNTED)
    }

    /// Does work that makes this many calls, and measures how long one takes.
    pub(super) fn measured<R>(&mut self, calls: usize, work: impl FnOnce() -> R) -> R {
        let start = Instant::now();
        let done = work();
        self.call = start.elapsed().div_f64(calls.max(1) as f64);
        done
    }

    /// The preparation is done: keeps time for the calls that judging makes.
    pub(super) fn prepared(&mut self, calls: usize) {
        let now = Instant::now();
        let judging = self.call.mul_f64(calls as f64 * (1.0 + UNSEEN) * SLOWER);
        self.end = self.end.map(|end| {
            let left = end.saturating_duration_since(now);
            end - judging.min(left.mul_f64(JUDGED))
        });
    }

    /// When unseen inputs have to be there, if there is a limit.
    pub(super) fn unseen(&self) -> Deadline {
        self.deadline.after(UNSEEN)
    }

    /// On how many of the inputs relations can be judged in the time that is left, if each input takes `calls` calls.
    pub(super) fn affords(&self, calls: usize, inputs: usize) -> usize {
        let Some(over) = self.over else { return inputs };
        let left = over.saturating_duration_since(Instant::now()).as_secs_f64();
        let each = self.call.as_secs_f64() * calls as f64;
        let most = if each > 0.0 { (left / each) as usize } else { inputs };
        most.clamp(FEWEST.min(inputs), inputs)
    }

    pub(super) fn is_cancelled(&self) -> bool {
        self.cancelled.load(Ordering::Relaxed)
    }

    pub(super) fn is_over(&self) -> bool {
        self.is_cancelled() || self.end.is_some_and(|end| Instant::now() >= end)
    }

    /// The share of the next search, if this many searches are left.
    pub(super) fn share(&self, searches: usize) -> Share {
        let start = Instant::now();
        let left = self.end.map(|end| end.saturating_duration_since(start));
        let each = left.map(|left| left / searches.max(1) as u32);
        Share {
            start,
            time: each.map(|each| each - self.tail.min(each / 2)),
            end: self.end,
            generations: self.generations,
            cancelled: Arc::clone(&self.cancelled),
            deadline: self.deadline.until(self.end),
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
    /// The rounds: when each ends. Without feedback there is one.
    pub(super) fn rounds(&self, feedback: bool) -> impl Iterator<Item = Stop> + '_ {
        let parts = if feedback { &ROUNDS[..] } else { &ROUNDS[ROUNDS.len() - 1..] };
        parts.iter().map(|&part| {
            let end = self.time.map(|time| time.mul_f64(EVOLVED * part));
            Stop {
                time: end.map(|end| end.saturating_sub(self.start.elapsed())),
                generations: self.generations.map(|all| (all as f64 * part).ceil() as u64),
                evaluations: None,
                settled: Some(SETTLED),
                cancelled: Some(Arc::clone(&self.cancelled)),
            }
        })
    }

    /// Another round after the last one, if time is what bounds the search; generations are all used by then.
    pub(super) fn rest(&self) -> Option<Stop> {
        let time = self.time.filter(|_| self.generations.is_none())?;
        Some(Stop {
            time: Some(time.mul_f64(ANOTHER)),
            generations: None,
            evaluations: None,
            settled: None,
            cancelled: Some(Arc::clone(&self.cancelled)),
        })
    }

    /// When the search has to have its pairs.
    pub(super) fn paired(&self) -> Deadline {
        self.deadline.until(self.time.map(|time| self.start + time.mul_f64(PAIRED)))
    }

    /// Whether the user has ended the run.
    pub(super) fn is_cancelled(&self) -> bool {
        self.cancelled.load(Ordering::Relaxed)
    }

    /// Whether a trial with one part in this many of the effort has to end. What is to be reported is tried with all of it (part 1),
    /// beyond the share, until all searches are over.
    pub(super) fn is_late(&self, part: usize) -> bool {
        match part {
            1 => self.is_cancelled() || self.end.is_some_and(|end| Instant::now() >= end),
            _ => self.is_over(),
        }
    }

    /// Whether the time of the search is up, or the user has ended the run.
    pub(super) fn is_over(&self) -> bool {
        self.is_cancelled() || self.time.is_some_and(|time| self.start.elapsed() >= time)
    }
}
