//! Handles Ctrl-C and SIGTERM during a sweep: the current unit is finished, unless that takes too long.

use std::sync::Arc;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use super::super::{Failure, talk};

/// Whether the task is to end.
#[derive(Clone, Debug)]
pub(super) struct Interrupt {
    grace: Duration,
    /// The time of the first signal.
    requested: Arc<OnceLock<Instant>>,
    /// Whether the current unit is to be given up.
    given_up: Arc<AtomicBool>,
    /// The flag that the work itself watches.
    pub(super) cancelled: Arc<AtomicBool>,
}

impl Interrupt {
    /// From now on, the first signal ends the task after the current unit, or gives the unit up after
    /// `grace`; the second gives the unit up; the third ends the process.
    pub(super) fn listen(grace: Duration) -> Result<Interrupt, Failure> {
        let interrupt = Interrupt {
            grace,
            requested: Arc::default(),
            given_up: Arc::default(),
            cancelled: Arc::default(),
        };
        let handler = interrupt.clone();
        ctrlc::set_handler(move || {
            if handler.requested.set(Instant::now()).is_ok() {
                talk::say(&"finishing the current unit; a second signal abandons it");
            } else if handler.given_up.load(Ordering::Relaxed) {
                std::process::exit(130);
            } else {
                handler.give_up();
            }
        })
        .map_err(|error| Failure::Bug(format!("cannot listen for signals: {error}")))?;
        Ok(interrupt)
    }

    fn give_up(&self) {
        self.given_up.store(true, Ordering::Relaxed);
        self.cancelled.store(true, Ordering::Relaxed);
    }

    /// Whether no further unit is to begin.
    pub(super) fn is_requested(&self) -> bool {
        self.requested.get().is_some()
    }

    /// Gives the current unit up if its grace is over. To be called regularly.
    pub(super) fn look(&self) {
        if self.requested.get().is_some_and(|requested| requested.elapsed() >= self.grace) {
            self.give_up();
        }
    }

    /// Whether the current unit was given up. If it was cancelled for another reason, the next unit may run.
    pub(super) fn has_given_up(&self) -> bool {
        self.cancelled.store(false, Ordering::Relaxed);
        let given_up = self.given_up.load(Ordering::Relaxed);
        if given_up {
            self.cancelled.store(true, Ordering::Relaxed);
        }
        given_up
    }
}
