//! Shows the progress of a task on standard error: a line that is updated on a terminal, or a line every few
//! seconds in a log.

use std::time::{Duration, Instant};

use genmorph::support::visible::visible;
use genmorph::sweep::{Event, Manifest, Outcome};
use indicatif::{ProgressBar, ProgressStyle};

use super::super::{talk, warn};

/// Time between two lines of a log.
const PERIOD: Duration = Duration::from_secs(10);

/// The progress of a task.
pub(super) struct Progress<'p> {
    manifest: &'p Manifest,
    bar: ProgressBar,
    units: usize,
    /// Number of units with a result.
    ended: usize,
    /// Number of units that this task has run.
    own: usize,
    /// Number of units that failed.
    failed: usize,
    start: Instant,
    logged: Instant,
}

impl<'p> Progress<'p> {
    pub(super) fn new(manifest: &'p Manifest, units: usize) -> Progress<'p> {
        let bar = ProgressBar::with_draw_target(None, talk::progress());
        bar.set_style(ProgressStyle::with_template("{msg}").expect("a template without fields"));
        let now = Instant::now();
        Progress { manifest, bar, units, ended: 0, own: 0, failed: 0, start: now, logged: now }
    }

    pub(super) fn show(&mut self, event: &Event<'_>) {
        let mut at_work = String::new();
        match event {
            Event::Skipped(_, outcome) => self.count(outcome),
            Event::Damaged(unit, problem) => {
                let what = self.manifest.describe(unit);
                self.bar.suspend(|| warn(&format_args!("{what} runs again: {problem}")));
            }
            Event::Began(unit) => at_work = self.manifest.describe(unit),
            Event::Ended(unit, outcome) => {
                self.own += 1;
                self.count(outcome);
                if let Outcome::Failed(why) = outcome {
                    let what = self.manifest.describe(unit);
                    self.bar.suspend(|| warn(&format_args!("{what} failed: {why}")));
                }
            }
        }
        let so_far = self.so_far();
        if !self.bar.is_hidden() {
            let text = format!("{so_far}\n{at_work}");
            self.bar.set_message(visible(&text).into_owned());
        } else if self.own > 0 && self.logged.elapsed() >= PERIOD {
            talk::say(&so_far);
            self.logged = Instant::now();
        }
    }

    fn count(&mut self, outcome: &Outcome) {
        self.ended += 1;
        match outcome {
            Outcome::Done(_) => {}
            Outcome::Failed(_) => self.failed += 1,
        }
    }

    fn so_far(&self) -> String {
        let Progress { units, ended, own, failed, .. } = self;
        let mut text = format!("{ended} of {units} units");
        if *failed > 0 {
            text += &format!(", {failed} failed");
        }
        if *own > 0 {
            let each = self.start.elapsed().as_secs_f64() / *own as f64;
            let left = each * (units - ended) as f64;
            text += &format!(", {each:.1} s each, {left:.0} s left");
        }
        text
    }

    /// Removes the progress lines.
    pub(super) fn finish(&self) {
        self.bar.finish_and_clear();
    }
}
