//! Who tried which unit, when, and how long it took. The only part of a sweep that looks at a clock.
//!
//! Each task has a file of its own and adds a line when a unit begins and one when it ends, so a unit that began
//! and never ended tells of a task that was killed. Results do not depend on any of this: what cannot be read is left
//! out.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::{Instant, SystemTime, UNIX_EPOCH};

use serde::{Deserialize, Serialize};

use super::error::{SweepError, reading, writing};
use crate::support::digest::Digest;

/// A task that runs units: what it is told apart from others by.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Worker {
    /// The machine.
    pub host: String,
    /// The process.
    pub process: u32,
    /// Its share of the units.
    pub shard: String,
    /// What its scheduler calls it, if it has one.
    pub job: Option<String>,
}

/// A trial of a unit.
#[derive(Clone, Debug, PartialEq)]
pub struct Attempt {
    /// The unit.
    pub unit: Digest,
    /// Who tried.
    pub worker: Worker,
    /// When, in seconds since 1970.
    pub began: f64,
    /// How it ended; none of tasks that were killed, or are still at it.
    pub ended: Option<Ended>,
}

/// How a trial ended.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Ended {
    /// What became of the unit.
    #[serde(rename = "as")]
    pub end: End,
    /// How long it took.
    pub seconds: f64,
}

/// What became of a unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum End {
    /// It is done.
    Done,
    /// It cannot be done.
    Failed,
    /// Somebody ended the task before it was done.
    Left,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Line {
    Worker(Worker),
    Began {
        unit: Digest,
        at: f64,
    },
    Ended {
        unit: Digest,
        #[serde(flatten)]
        ended: Ended,
    },
}

/// The file of a task.
#[derive(Debug)]
pub(super) struct Journal {
    path: PathBuf,
    file: File,
}

/// Knows when a unit began.
#[derive(Debug)]
pub(super) struct Stopwatch(Instant);

impl Stopwatch {
    pub(super) fn ended(&self, end: End) -> Ended {
        Ended { end, seconds: self.0.elapsed().as_secs_f64() }
    }
}

impl Worker {
    /// A name for files.
    pub(super) fn name(&self) -> String {
        let plain = |c: char| if c.is_ascii_alphanumeric() || c == '-' { c } else { '_' };
        let host: String = self.host.chars().map(plain).collect();
        format!("{host}-{}", self.process)
    }
}

impl End {
    /// What it is called.
    pub fn name(self) -> &'static str {
        match self {
            End::Done => "done",
            End::Failed => "failed",
            End::Left => "left",
        }
    }
}

impl Journal {
    pub(super) fn begin(folder: &Path, worker: &Worker) -> Result<Journal, SweepError> {
        // Numbers of processes come again, and containers may all have the same.
        for number in 0.. {
            let path = folder.join(format!("{}-{number}.ndjson", worker.name()));
            match OpenOptions::new().append(true).create_new(true).open(&path) {
                Ok(file) => {
                    let mut journal = Journal { path, file };
                    journal.add(&Line::Worker(worker.clone()))?;
                    return Ok(journal);
                }
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(writing(&path)(error)),
            }
        }
        unreachable!("there are more numbers than files")
    }

    fn add(&mut self, line: &Line) -> Result<(), SweepError> {
        let text = serde_json::to_string(line).expect("numbers, names and texts") + "\n";
        // In one write, so that there is no half of a line unless the machine stops.
        self.file.write_all(text.as_bytes()).map_err(writing(&self.path))
    }

    pub(super) fn began(&mut self, unit: Digest) -> Result<Stopwatch, SweepError> {
        let at =
            SystemTime::now().duration_since(UNIX_EPOCH).map_or(0.0, |time| time.as_secs_f64());
        self.add(&Line::Began { unit, at })?;
        Ok(Stopwatch(Instant::now()))
    }

    pub(super) fn ended(&mut self, unit: Digest, ended: Ended) -> Result<(), SweepError> {
        self.add(&Line::Ended { unit, ended })
    }
}

/// All trials that the journals in a folder tell of, by unit, then by time.
pub(super) fn attempts(folder: &Path) -> Result<Vec<Attempt>, SweepError> {
    let entries = match fs::read_dir(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries.map_err(reading(folder))?,
    };
    let mut attempts = Vec::new();
    for entry in entries {
        let path = entry.map_err(reading(folder))?.path();
        if path.extension().is_some_and(|extension| extension == "ndjson") {
            attempts.extend(told(&fs::read_to_string(&path).map_err(reading(&path))?));
        }
    }
    sort(&mut attempts);
    Ok(attempts)
}

/// The one order of trials.
pub(super) fn sort(attempts: &mut [Attempt]) {
    attempts.sort_by(|a, b| {
        let who = |attempt: &Attempt| (attempt.worker.host.clone(), attempt.worker.process);
        let time = a.began.total_cmp(&b.began);
        a.unit.cmp(&b.unit).then(time).then_with(|| who(a).cmp(&who(b)))
    });
}

/// The trials that a journal tells of.
fn told(text: &str) -> Vec<Attempt> {
    let mut attempts: Vec<Attempt> = Vec::new();
    let mut worker = None;
    for line in text.lines().filter_map(|line| serde_json::from_str(line).ok()) {
        match line {
            Line::Worker(known) => worker = Some(known),
            Line::Began { unit, at } => {
                let Some(worker) = worker.clone() else { continue };
                attempts.push(Attempt { unit, worker, began: at, ended: None });
            }
            Line::Ended { unit, ended } => {
                if let Some(last) = attempts.last_mut().filter(|last| last.unit == unit) {
                    last.ended = Some(ended);
                }
            }
        }
    }
    attempts
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::support::digest::Fields;

    #[test]
    fn a_journal_tells_what_was_tried_and_what_never_ended() {
        let worker =
            Worker { host: "n1".to_owned(), process: 7, shard: "1/2".to_owned(), job: None };
        let unit = |name| Fields::of("test").and(name).digest();
        let ended = Ended { end: End::Done, seconds: 0.5 };
        let lines = [
            Line::Worker(worker.clone()),
            Line::Began { unit: unit("a"), at: 1.0 },
            Line::Ended { unit: unit("a"), ended },
            Line::Began { unit: unit("b"), at: 2.0 },
        ];
        let mut text: String =
            lines.iter().map(|line| serde_json::to_string(line).unwrap() + "\n").collect();
        text += "{\"ended\":{\"uni";
        let attempts = told(&text);
        assert_eq!(attempts.len(), 2);
        assert_eq!((attempts[0].ended, &attempts[0].worker), (Some(ended), &worker));
        assert_eq!((attempts[1].unit, attempts[1].ended), (unit("b"), None));
    }
}
