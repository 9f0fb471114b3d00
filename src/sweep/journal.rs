//! Records which task tried which unit, when, and for how long. The only part of a sweep that reads a clock.
//!
//! Each task has its own file, to which it adds a line when a unit begins and another when it ends; a unit
//! that began and never ended shows that its task was killed. Results do not depend on journals, so
//! unreadable lines are ignored.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::{Instant, SystemTime, UNIX_EPOCH};

use serde::{Deserialize, Serialize};

use super::error::{SweepError, reading, writing};
use crate::support::digest::Digest;
use crate::support::named::named;

/// A task that runs units, as journals identify it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Worker {
    /// Name of the machine.
    pub host: String,
    /// Id of the process.
    pub process: u32,
    /// The shard of the units that it runs.
    pub shard: String,
    /// The scheduler's name for the job, if there is a scheduler.
    pub job: Option<String>,
}

/// An attempt to run a unit.
#[derive(Clone, Debug, PartialEq)]
pub struct Attempt {
    /// Digest that identifies the unit.
    pub unit: Digest,
    /// The task that ran it.
    pub worker: Worker,
    /// The time at which it began, in seconds since 1970.
    pub began: f64,
    /// How it ended; `None` if the task was killed or is still running.
    pub ended: Option<AttemptEnd>,
}

/// How and when an attempt ended.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AttemptEnd {
    /// The result of the attempt.
    #[serde(rename = "as")]
    pub end: End,
    /// Duration of the attempt, in seconds.
    pub seconds: f64,
}

named! {
    /// The result of an attempt.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(rename_all = "snake_case")]
    pub enum End {
        /// The unit has relations.
        Done = "done",
        /// The unit cannot be done.
        Failed = "failed",
        /// The task was ended before the unit was done.
        Left = "left",
    }
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
        ended: AttemptEnd,
    },
}

/// The journal file of a task.
#[derive(Debug)]
pub(super) struct Journal {
    path: PathBuf,
    file: File,
}

/// Measures the duration of an attempt.
#[derive(Debug)]
pub(super) struct Stopwatch(Instant);

impl Stopwatch {
    pub(super) fn ended(&self, end: End) -> AttemptEnd {
        AttemptEnd { end, seconds: self.0.elapsed().as_secs_f64() }
    }
}

impl Worker {
    /// A name for this task's files, unique among running tasks.
    pub(super) fn name(&self) -> String {
        let plain = |c: char| if c.is_ascii_alphanumeric() || c == '-' { c } else { '_' };
        let host: String = self.host.chars().map(plain).collect();
        format!("{host}-{}", self.process)
    }
}

impl Journal {
    pub(super) fn begin(folder: &Path, worker: &Worker) -> Result<Journal, SweepError> {
        // Process ids repeat, and tasks in containers may all have the same: take the first free file name.
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
        // A single write, so that a line is only torn if the machine stops.
        self.file.write_all(text.as_bytes()).map_err(writing(&self.path))
    }

    pub(super) fn began(&mut self, unit: Digest) -> Result<Stopwatch, SweepError> {
        let at =
            SystemTime::now().duration_since(UNIX_EPOCH).map_or(0.0, |time| time.as_secs_f64());
        self.add(&Line::Began { unit, at })?;
        Ok(Stopwatch(Instant::now()))
    }

    pub(super) fn ended(&mut self, unit: Digest, ended: AttemptEnd) -> Result<(), SweepError> {
        self.add(&Line::Ended { unit, ended })
    }
}

/// Reads the attempts in all journals of a folder, ordered by unit, then by time.
pub(super) fn attempts(folder: &Path) -> Result<Vec<Attempt>, SweepError> {
    let entries = match fs::read_dir(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries.map_err(reading(folder))?,
    };
    let mut attempts = Vec::new();
    for entry in entries {
        let path = entry.map_err(reading(folder))?.path();
        if path.extension().is_some_and(|extension| extension == "ndjson") {
            attempts.extend(parse(&fs::read_to_string(&path).map_err(reading(&path))?));
        }
    }
    sort(&mut attempts);
    Ok(attempts)
}

/// Sorts attempts by unit, then by time, then by task.
pub(super) fn sort(attempts: &mut [Attempt]) {
    attempts.sort_by(|a, b| {
        let who = |attempt: &Attempt| (attempt.worker.host.clone(), attempt.worker.process);
        let time = a.began.total_cmp(&b.began);
        a.unit.cmp(&b.unit).then(time).then_with(|| who(a).cmp(&who(b)))
    });
}

/// Reads the attempts of one journal.
fn parse(text: &str) -> Vec<Attempt> {
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
        let ended = AttemptEnd { end: End::Done, seconds: 0.5 };
        let lines = [
            Line::Worker(worker.clone()),
            Line::Began { unit: unit("a"), at: 1.0 },
            Line::Ended { unit: unit("a"), ended },
            Line::Began { unit: unit("b"), at: 2.0 },
        ];
        let mut text: String =
            lines.iter().map(|line| serde_json::to_string(line).unwrap() + "\n").collect();
        text += "{\"ended\":{\"uni";
        let attempts = parse(&text);
        assert_eq!(attempts.len(), 2);
        assert_eq!((attempts[0].ended, &attempts[0].worker), (Some(ended), &worker));
        assert_eq!((attempts[1].unit, attempts[1].ended), (unit("b"), None));
    }
}
