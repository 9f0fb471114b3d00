//! Ratios on a shared machine: contenders take turns, and each keeps its best round.

use std::time::Instant;

/// Whether `-- --quick` was given: a figure in seconds instead of minutes.
pub fn quick() -> bool {
    std::env::args().any(|arg| arg == "--quick")
}

/// Rounds for [`best`], fewer in quick mode.
pub fn rounds() -> usize {
    if quick() { 5 } else { 25 }
}

/// The best time of each contender in seconds, over rounds in which they take turns.
pub fn best(rounds: usize, contenders: &mut [(&str, &mut dyn FnMut())]) -> Vec<f64> {
    let mut best = vec![f64::INFINITY; contenders.len()];
    for _ in 0..rounds {
        for (best, (_, run)) in best.iter_mut().zip(contenders.iter_mut()) {
            let start = Instant::now();
            run();
            *best = best.min(start.elapsed().as_secs_f64());
        }
    }
    best
}

/// The seconds that this thread has been running, which a busy machine does not add to; where the system
/// does not say, the seconds since `start`.
pub fn running(start: Instant) -> f64 {
    let status = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let nanoseconds = status.split_whitespace().next().and_then(|text| text.parse::<f64>().ok());
    nanoseconds.map_or_else(|| start.elapsed().as_secs_f64(), |nanoseconds| nanoseconds / 1e9)
}

/// The name of this machine's processor.
pub fn cpu() -> String {
    let info = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = info.lines().find_map(|line| line.strip_prefix("model name")?.split_once(':'));
    model.map_or_else(|| std::env::consts::ARCH.to_owned(), |(_, name)| name.trim().to_owned())
}
