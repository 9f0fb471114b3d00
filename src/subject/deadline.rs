//! When calls of a function have to end, and how much one of them may spend while time is short.
//!
//! A deadline is a time, a flag that a person may set, or both. Rows that are not run because of it are
//! [`Outcome::NotRun`](super::Outcome::NotRun): nothing is known of them. The only file of this room besides `worker/` that looks
//! at a clock. Without a time limit nothing here depends on how fast the machine is.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// The part of the time that may go to calls that come to nothing, before they are given less. A guess.
const WASTED: f64 = 0.05;
/// The part of the whole time that counts as elapsed from the beginning, for the rule above. A guess.
const ADVANCE: f64 = 0.2;
/// How often the limits of a call are halved, at most: to a thousandth.
const HALVINGS: u32 = 10;
/// The least fuel that a call of the original gets.
const LEAST_FUEL: u64 = 10_000;
/// How long a call may get nowhere in code that takes no fuel, at the least: long enough for a process that others keep waiting.
const LEAST_PATIENCE: Duration = Duration::from_millis(200);
/// The part of the whole time that one call may take at most.
const CALL: f64 = 0.1;
/// With less time than this, calls get less fuel from the beginning.
const AMPLE: Duration = Duration::from_secs(5);

/// When calls have to end. Clones share the flag, and what is known of calls that come to nothing.
#[derive(Clone, Debug, Default)]
pub struct Deadline {
    over: Option<Instant>,
    cancelled: Option<Arc<AtomicBool>>,
    pace: Option<Arc<Pace>>,
}

/// What a single call may spend, where time is limited.
#[derive(Debug)]
struct Pace {
    start: Instant,
    time: Duration,
    fuel: Waste,
    patience: Waste,
}

/// Time that went to calls that came to nothing.
#[derive(Debug, Default)]
struct Waste {
    micros: AtomicU64,
    halvings: AtomicU32,
}

/// Measures time, if there is a limit on it.
pub(super) struct Stopwatch(Option<Instant>);

static NEVER: Deadline = Deadline { over: None, cancelled: None, pace: None };

impl Deadline {
    /// No deadline.
    pub const fn never() -> &'static Deadline {
        &NEVER
    }

    /// A deadline that begins now: a time, if there is a limit on it, and a flag that ends everything when it is set.
    pub fn new(time: Option<Duration>, cancelled: &Arc<AtomicBool>) -> Deadline {
        let start = Instant::now();
        // A time beyond all clocks is no limit.
        let over = time.and_then(|time| start.checked_add(time));
        let (fuel, patience) = (Waste::default(), Waste::default());
        let pace = time.filter(|_| over.is_some());
        let pace = pace.map(|time| Arc::new(Pace { start, time, fuel, patience }));
        Deadline { over, cancelled: Some(Arc::clone(cancelled)), pace }
    }

    /// The same, or an earlier time.
    #[must_use]
    pub fn until(&self, over: Option<Instant>) -> Deadline {
        let earlier = [self.over, over].into_iter().flatten().min();
        Deadline { over: earlier, ..self.clone() }
    }

    /// The same, but after a part of the time that is left.
    #[must_use]
    pub fn after(&self, part: f64) -> Deadline {
        let now = Instant::now();
        let left = self.over.map(|over| over.saturating_duration_since(now));
        self.until(left.map(|left| now + left.mul_f64(part)))
    }

    /// Whether no more calls are made.
    pub fn is_over(&self) -> bool {
        self.cancelled.as_ref().is_some_and(|flag| flag.load(Ordering::Relaxed))
            || self.over.is_some_and(|over| Instant::now() >= over)
    }

    /// The time that is left, if there is a limit on it.
    pub fn left(&self) -> Option<Duration> {
        self.over.map(|over| over.saturating_duration_since(Instant::now()))
    }

    /// Whether there is a limit on time, so that results may depend on how fast the machine is.
    pub fn is_timed(&self) -> bool {
        self.over.is_some()
    }

    /// Whether it can ever be over.
    pub(super) fn is_watched(&self) -> bool {
        self.over.is_some() || self.cancelled.is_some()
    }

    /// The fuel of a call of the original, which has `most` if there is no limit on time.
    pub(super) fn fuel(&self, most: u64) -> u64 {
        let Some(pace) = &self.pace else { return most };
        let part = pace.time.as_secs_f64() / AMPLE.as_secs_f64();
        let most_now = (most as f64 * part.min(1.0)) as u64 >> pace.fuel.halvings();
        most_now.max(LEAST_FUEL).min(most)
    }

    /// How long a call may get nowhere, which is `usual` if there is no limit on time.
    pub(super) fn patience(&self, usual: Duration) -> Duration {
        let Some(pace) = &self.pace else { return usual };
        let most = usual.min(pace.time.mul_f64(CALL));
        (most / (1 << pace.patience.halvings())).max(LEAST_PATIENCE).min(usual)
    }

    pub(super) fn stopwatch(&self) -> Stopwatch {
        Stopwatch(self.pace.is_some().then(Instant::now))
    }

    /// Calls of the original ran out of fuel: if such calls take too much of the time, they get less.
    pub(super) fn wasted_fuel(&self, time: Duration) {
        self.pace.iter().for_each(|pace| pace.fuel.add(time, pace));
    }

    /// A call got nowhere, or brought down its process: if that takes too much of the time, we are less patient.
    pub(super) fn wasted_patience(&self, time: Duration) {
        self.pace.iter().for_each(|pace| pace.patience.add(time, pace));
    }
}

impl Waste {
    fn halvings(&self) -> u32 {
        self.halvings.load(Ordering::Relaxed)
    }

    fn add(&self, time: Duration, pace: &Pace) {
        let micros = u64::try_from(time.as_micros()).unwrap_or(u64::MAX / 2);
        let wasted = self.micros.fetch_add(micros, Ordering::Relaxed).saturating_add(micros);
        let allowed = WASTED * (pace.start.elapsed() + pace.time.mul_f64(ADVANCE)).as_secs_f64();
        let halvings = self.halvings();
        if wasted as f64 / 1e6 > allowed && halvings < HALVINGS {
            self.halvings.store(halvings + 1, Ordering::Relaxed);
        }
    }
}

impl Stopwatch {
    /// The time since it was started or asked last; zero without a limit on time.
    pub(super) fn lap(&mut self) -> Duration {
        let now = self.0.is_some().then(Instant::now);
        let lap = now.zip(self.0).map_or(Duration::ZERO, |(now, then)| now - then);
        self.0 = now;
        lap
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_a_time_nothing_is_ever_limited() {
        let flag = Arc::new(AtomicBool::new(false));
        let deadline = Deadline::new(None, &flag);
        deadline.wasted_fuel(Duration::from_secs(1_000));
        deadline.wasted_patience(Duration::from_secs(1_000));
        assert_eq!(deadline.fuel(10_000_000), 10_000_000);
        assert_eq!(deadline.patience(Duration::from_secs(2)), Duration::from_secs(2));
        assert!(!deadline.is_over() && !deadline.is_timed() && deadline.is_watched());
        flag.store(true, Ordering::Relaxed);
        assert!(deadline.is_over());
        assert!(!Deadline::never().is_over() && !Deadline::never().is_watched());
    }

    #[test]
    fn calls_that_waste_time_get_less_and_never_nothing() {
        let flag = Arc::default();
        let deadline = Deadline::new(Some(Duration::from_secs(3_600)), &flag);
        let usual = Duration::from_secs(2);
        deadline.wasted_fuel(Duration::from_secs(1));
        assert_eq!((deadline.fuel(1 << 24), deadline.patience(usual)), (1 << 24, usual));
        deadline.wasted_fuel(Duration::from_secs(3_600));
        deadline.clone().wasted_patience(Duration::from_secs(3_600));
        assert_eq!((deadline.fuel(1 << 24), deadline.patience(usual)), (1 << 23, usual / 2));
        for _ in 0..30 {
            deadline.wasted_fuel(Duration::from_secs(1));
            deadline.wasted_patience(Duration::from_secs(1));
        }
        assert_eq!(deadline.fuel(1 << 24), 1 << 14);
        assert_eq!(deadline.fuel(100), 100);
        assert_eq!(deadline.patience(usual), LEAST_PATIENCE);
    }

    #[test]
    fn a_part_of_a_deadline_is_never_later() {
        let flag = Arc::default();
        let over = Deadline::new(Some(Duration::ZERO), &flag);
        assert!(over.is_over() && over.after(0.5).is_over());
        let later = Instant::now() + Duration::from_secs(1_000);
        assert!(over.until(Some(later)).is_over());
        let hour = Deadline::new(Some(Duration::from_secs(3_600)), &flag);
        assert!(!hour.after(0.5).is_over() && hour.until(Some(Instant::now())).is_over());
        assert!(!hour.is_over());
    }
}
