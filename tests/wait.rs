//! Waiting for something to happen, with a deadline that is far away and fails loudly.

use std::process::Child;
use std::time::{Duration, Instant};

/// What happens within seconds on an idle machine has this long on a busy one.
const DEADLINE: Duration = Duration::from_secs(180);

/// Waits until something is so.
#[track_caller]
pub fn until(what: &str, mut is_so: impl FnMut() -> bool) {
    let start = Instant::now();
    while !is_so() {
        assert!(start.elapsed() < DEADLINE, "not within {DEADLINE:?}: {what}");
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// Waits until something is so of a process that must not end meanwhile.
#[track_caller]
pub fn while_running(child: &mut Child, what: &str, mut is_so: impl FnMut() -> bool) {
    until(what, || {
        assert_eq!(child.try_wait().unwrap(), None, "it ended before this was so: {what}");
        is_so()
    });
}

/// Waits until a process catches the interrupt signal: before that it would die of it.
#[cfg(target_os = "linux")]
#[track_caller]
pub fn until_it_listens(child: &mut Child) {
    /// SIGINT in a set of signals.
    const INTERRUPT: u64 = 1 << (2 - 1);
    let status = format!("/proc/{}/status", child.id());
    while_running(child, "it catches SIGINT", || {
        let status = std::fs::read_to_string(&status).unwrap_or_default();
        let caught = status.lines().find_map(|line| line.strip_prefix("SigCgt:"));
        let caught = caught.and_then(|set| u64::from_str_radix(set.trim(), 16).ok());
        caught.is_some_and(|set| set & INTERRUPT != 0)
    });
}
