//! Watches a request and gives up on one that gets nowhere.
//!
//! Fuel bounds what a call does in code that takes fuel, so only a call that spends none for long is given up; how fast the
//! machine is does not matter then.

use std::time::{Duration, Instant};

use crate::subject::Deadline;

/// Says when a worker that has a request gets nowhere with it.
#[derive(Clone, Debug)]
pub(in crate::subject) struct Watchdog {
    patience: Duration,
    longest: Duration,
    /// When the call, or the row, last changed.
    moved: Instant,
    /// When the row began.
    row_since: Instant,
    /// The row and the fuel left that the worker told last.
    seen: Option<(u32, u32)>,
    /// A question that has not been answered.
    asked: bool,
    /// When the request has to end, whatever it does.
    deadline: Deadline,
}

impl Watchdog {
    /// Gives up on a call that spends no fuel for `patience`, and on any row that takes `longest`.
    pub(in crate::subject) fn new(patience: Duration, longest: Duration) -> Watchdog {
        let now = Instant::now();
        let deadline = Deadline::default();
        Watchdog {
            patience,
            longest,
            moved: now,
            row_since: now,
            seen: None,
            asked: false,
            deadline,
        }
    }

    /// The same with a deadline.
    pub(in crate::subject) fn until(self, deadline: &Deadline) -> Watchdog {
        Watchdog { deadline: deadline.clone(), ..self }
    }

    /// Whether the request has to end, because the time is up.
    pub(in crate::subject) fn is_over(&self) -> bool {
        self.deadline.is_over()
    }

    /// Something other than a call went on.
    pub(in crate::subject) fn moved(&mut self) {
        let now = Instant::now();
        (self.moved, self.row_since) = (now, now);
    }

    /// The worker is at a row of the batch, with `left` units of fuel left.
    pub(in crate::subject) fn saw(&mut self, row: u32, left: u32) {
        let now = Instant::now();
        if self.seen.is_none_or(|(old, _)| old != row) {
            self.row_since = now;
        }
        if self.seen != Some((row, left)) {
            self.seen = Some((row, left));
            self.moved = now;
        }
        self.asked = false;
    }

    /// Whether to ask the worker where it is: only if it has answered the last question.
    pub(in crate::subject) fn asks(&mut self) -> bool {
        !std::mem::replace(&mut self.asked, true)
    }

    /// Whether the worker is to be ended.
    pub(in crate::subject) fn has_had_enough(&self) -> bool {
        self.moved.elapsed() > self.patience || self.row_since.elapsed() > self.longest
    }

    /// The row that the worker is at, unless it does not answer any more.
    pub(in crate::subject) fn row(&self) -> Option<u32> {
        self.seen.map(|(row, _)| row).filter(|_| !self.asked)
    }
}
