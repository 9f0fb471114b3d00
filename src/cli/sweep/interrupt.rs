//! What Ctrl-C and SIGTERM do to a sweep: the unit at work is finished, unless that takes too long.

use std::sync::Arc;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use super::super::{Failure, talk};

/// Whether the task is to end.
#[derive(Clone, Debug)]
pub(super) struct Interrupt {
    grace: Duration,
    /// When the first signal came.
    asked: Arc<OnceLock<Instant>>,
    /// Whether the unit at work is to be given up.
    given_up: Arc<AtomicBool>,
    /// What the work itself looks at.
    pub(super) cancelled: Arc<AtomicBool>,
}

impl Interrupt {
    /// From now on, the first signal ends the task after the unit at work, or after `grace` without it; the second
    /// gives the unit up; the third ends the process.
    pub(super) fn listen(grace: Duration) -> Result<Interrupt, Failure> {
        let interrupt = Interrupt {
            grace,
            asked: Arc::default(),
            given_up: Arc::default(),
            cancelled: Arc::default(),
        };
        let handler = interrupt.clone();
        ctrlc::set_handler(move || {
            if handler.asked.set(Instant::now()).is_ok() {
                talk::say(&"finishing the unit at work; a second signal leaves it");
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
    pub(super) fn is_asked(&self) -> bool {
        self.asked.get().is_some()
    }

    /// Gives the unit at work up if its grace is over. To be called now and then.
    pub(super) fn look(&self) {
        if self.asked.get().is_some_and(|asked| asked.elapsed() >= self.grace) {
            self.give_up();
        }
    }

    /// Whether the unit at work was given up. If it was not, and was cancelled for another reason, the next may work.
    pub(super) fn has_given_up(&self) -> bool {
        self.cancelled.store(false, Ordering::Relaxed);
        let given_up = self.given_up.load(Ordering::Relaxed);
        if given_up {
            self.cancelled.store(true, Ordering::Relaxed);
        }
        given_up
    }
}
