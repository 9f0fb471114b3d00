//! The progress of a run, on standard error. Shown on a terminal only.

use std::time::{Duration, Instant};

use genmorph::run::Event;
use indicatif::{ProgressBar, ProgressStyle};

use super::super::talk;

/// How often it is shown anew.
const PERIOD: Duration = Duration::from_millis(100);
/// The longest relation that is shown whole.
const SHOWN: usize = 60;

/// The lines on the terminal.
#[derive(Debug)]
pub(in crate::cli) struct Progress {
    bar: ProgressBar,
    start: Instant,
    time: Option<Duration>,
    shown: Instant,
    /// Which search it is.
    search: String,
    refuted: usize,
}

impl Progress {
    pub(in crate::cli) fn new(time: Option<Duration>) -> Progress {
        let bar = ProgressBar::with_draw_target(None, talk::progress());
        bar.set_style(ProgressStyle::with_template("{msg}").expect("a template without fields"));
        let now = Instant::now();
        Progress { bar, start: now, time, shown: now, search: String::new(), refuted: 0 }
    }

    /// Shows what happens, if it is time to.
    pub(in crate::cli) fn show(&mut self, event: &Event<'_>) {
        if self.bar.is_hidden() {
            return;
        }
        let text = match event {
            Event::Inputs => "making inputs, running mutants".to_owned(),
            Event::Search(number, of, transform) => {
                self.search = format!("{} of {of}: {}", number + 1, transform.describe().name);
                self.refuted = 0;
                self.search.clone()
            }
            Event::Generation(_, _, generation) => {
                if self.shown.elapsed() < PERIOD {
                    return;
                }
                let best = generation.best.as_ref().map_or("no relation yet", |b| &b.relation);
                let best: String = match best.char_indices().nth(SHOWN) {
                    Some((end, _)) => format!("{}…", &best[..end]),
                    None => best.to_owned(),
                };
                let refuted = match self.refuted {
                    0 => String::new(),
                    count => format!("  {count} refuted"),
                };
                format!(
                    "{}  generation {}  {} mutants{refuted}\n{best}",
                    self.search, generation.generation, generation.killed
                )
            }
            Event::Refuted(count) => {
                self.refuted += count;
                return;
            }
            Event::Judging => "judging by unseen mutants and inputs".to_owned(),
            Event::Sources { .. } | Event::Found(_) | Event::Withdrawn(..) => return,
        };
        self.shown = Instant::now();
        let left = self.time.map(|time| time.saturating_sub(self.start.elapsed()).as_secs());
        let left = left.map_or_else(String::new, |left| format!("{left} s left  "));
        self.bar.set_message(format!("{left}{text}"));
    }

    /// Takes the lines away, so that something else can be printed.
    pub(in crate::cli) fn clear(&self) {
        self.bar.set_message("");
    }

    /// Takes the lines away for good.
    pub(in crate::cli) fn finish(&self) {
        self.bar.finish_and_clear();
    }
}
