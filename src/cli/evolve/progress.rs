//! Shows the progress of a run on standard error, if that is a terminal.

use std::time::{Duration, Instant};

use genmorph::evolve::{Best, Evolution, Generation, Stop};
use indicatif::{ProgressBar, ProgressStyle};

use super::super::talk;

/// Time between two updates.
const PERIOD: Duration = Duration::from_millis(100);
/// Longer relations are shortened.
const SHOWN: usize = 60;

/// The progress line on the terminal.
#[derive(Debug)]
pub(super) struct Progress {
    bar: ProgressBar,
    start: Instant,
    shown: Instant,
    /// Number of evaluations and node-rows at the last update.
    done: [u64; 2],
    /// Evaluations per second and node-rows per second.
    rates: [f64; 2],
    first_generation: u64,
    stop: Stop,
}

impl Progress {
    pub(super) fn new(evolution: &Evolution, stop: &Stop) -> Progress {
        let bar = ProgressBar::with_draw_target(None, talk::progress());
        bar.set_style(ProgressStyle::with_template("{msg}").expect("a template without fields"));
        let now = Instant::now();
        Progress {
            bar,
            start: now,
            shown: now,
            done: [evolution.evaluations(), evolution.counters().node_rows],
            rates: [0.0; 2],
            first_generation: evolution.generation(),
            stop: stop.clone(),
        }
    }

    /// Shows a generation, if it is time for an update.
    pub(super) fn show(&mut self, evolution: &Evolution, generation: &Generation) {
        let elapsed = self.shown.elapsed();
        if self.bar.is_hidden() || elapsed < PERIOD {
            return;
        }
        let done = [evolution.evaluations(), evolution.counters().node_rows];
        for ((rate, now), before) in self.rates.iter_mut().zip(done).zip(self.done) {
            let latest = now.saturating_sub(before) as f64 / elapsed.as_secs_f64();
            *rate = if *rate == 0.0 { latest } else { 0.8 * *rate + 0.2 * latest };
        }
        (self.shown, self.done) = (Instant::now(), done);
        let best = best(generation).map_or_else(
            || "no relation yet".to_owned(),
            |best| {
                let [correct, incorrect] = evolution.rows();
                let share = |part: u32, all: usize| 100.0 * f64::from(part) / all as f64;
                let (fp, fn_) = (share(best.fp, correct), share(best.fn_, incorrect));
                format!("{}  FP {fp:.1} % FN {fn_:.1} %", shortened(&best.relation))
            },
        );
        self.bar.set_message(format!(
            "generation {}  {:.0} k relations/s  {:.1} G node-rows/s{}\n{best}",
            generation.generation,
            self.rates[0] / 1e3,
            self.rates[1] / 1e9,
            self.left(generation),
        ));
    }

    /// The remaining time, as far as it can be estimated.
    fn left(&self, generation: &Generation) -> String {
        let elapsed = self.start.elapsed().as_secs_f64();
        let by_time = self.stop.time.map(|time| time.as_secs_f64() - elapsed);
        let done = generation.generation - self.first_generation;
        let by_generations = self.stop.generations.map(|all| {
            elapsed / done.max(1) as f64 * all.saturating_sub(generation.generation) as f64
        });
        let by_evaluations = self
            .stop
            .evaluations
            .map(|all| all.saturating_sub(generation.evaluations) as f64 / self.rates[0].max(1.0));
        let all = [by_time, by_generations, by_evaluations].into_iter().flatten();
        let left = all.fold(f64::INFINITY, f64::min);
        if left.is_finite() { format!("  {:.0} s left", left.max(0.0)) } else { String::new() }
    }

    /// Removes the progress line.
    pub(super) fn finish(&self) {
        self.bar.finish_and_clear();
    }
}

/// The best relation so far, or the nearest to one.
fn best(generation: &Generation) -> Option<&Best> {
    generation.best.as_ref().or(generation.populations[0].best.as_ref())
}

fn shortened(text: &str) -> String {
    if text.chars().count() <= SHOWN {
        return text.to_owned();
    }
    text.chars().take(SHOWN).chain(['…']).collect()
}
