//! One contender's turn: stretches of passes over all trees until its time is up.
//!
//! A turn is rated by its best stretch. Stretches are equally long for everybody: with single passes
//! the fastest contenders would have the most tries, and whole turns are rarely undisturbed on a
//! shared machine. `contenders.py` has the same loop for the Python half.

use std::fmt;
use std::time::{Duration, Instant};

/// A stretch is as many passes as fill this time.
const STRETCH: Duration = Duration::from_millis(20);

/// The work and the time of the best stretch of a turn.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Turn {
    seconds: f64,
    node_rows: u64,
}

impl Turn {
    fn rate(&self) -> f64 {
        self.node_rows as f64 / self.seconds
    }
}

/// Repeats a pass for at least this long. A pass answers its nodes × rows.
pub(crate) fn run(at_least: Duration, mut pass: impl FnMut() -> u64) -> Turn {
    let start = Instant::now();
    let mut best = stretch(&mut pass);
    while start.elapsed() < at_least {
        let next = stretch(&mut pass);
        if next.rate() > best.rate() {
            best = next;
        }
    }
    best
}

fn stretch(pass: &mut impl FnMut() -> u64) -> Turn {
    let start = Instant::now();
    let mut node_rows = 0;
    loop {
        node_rows += pass();
        let elapsed = start.elapsed();
        if elapsed >= STRETCH {
            return Turn { seconds: elapsed.as_secs_f64(), node_rows };
        }
    }
}

impl fmt::Display for Turn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "seconds={} node_rows={}", self.seconds, self.node_rows)
    }
}
