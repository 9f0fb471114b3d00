//! Commands of genmorph as processes of their own, for commands that are made of others; and what their JSON says.
//!
//! What a run does to its process, or a call to a run, then ends one of several runs only.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use genmorph::record::relations::RelationKind;
use genmorph::record::report::Report;
use serde_json::Value as Json;

use super::{Failure, whole};

/// A command that has ended.
pub(super) struct Ended {
    /// Its exit code; none if it was ended.
    pub(super) code: Option<i32>,
    /// What it printed.
    pub(super) out: String,
    /// The first line of its messages.
    pub(super) said: String,
}

/// Runs a command of this program, with its output in files.
pub(super) fn genmorph(
    flags: &[String],
    folder: &Path,
    name: &str,
    patience: Duration,
    cancelled: &AtomicBool,
) -> Result<Ended, Failure> {
    let [out, err] = ["out", "err"].map(|ending| folder.join(format!("{name}.{ending}")));
    let file =
        |path: &PathBuf| File::create(path).map_err(|error| whole::cannot("write", path, &error));
    let program = std::env::current_exe().map_err(|error| Failure::File(error.to_string()))?;
    let child = Command::new(program)
        .args(flags)
        .stdin(Stdio::null())
        .stdout(file(&out)?)
        .stderr(file(&err)?)
        .spawn();
    let mut child =
        child.map_err(|error| Failure::File(format!("cannot start genmorph: {error}")))?;
    let start = Instant::now();
    let code = loop {
        match child.try_wait() {
            Ok(Some(status)) => break status.code(),
            Ok(None) if start.elapsed() < patience && !cancelled.load(Ordering::Relaxed) => {
                thread::sleep(Duration::from_millis(50));
            }
            Ok(None) | Err(_) => {
                // Whatever it is at: its workers end with it.
                let _ = child.kill();
                let _ = child.wait();
                break None;
            }
        }
    };
    let read = |path: &PathBuf| fs::read_to_string(path).unwrap_or_default();
    let said =
        read(&err).lines().find(|line| !line.trim().is_empty()).unwrap_or_default().to_owned();
    let said = match code {
        None => format!("did not end within {} s", patience.as_secs()),
        Some(_) => said,
    };
    Ok(Ended { code, out: read(&out), said })
}

/// The report of a run, if it came so far.
pub(super) fn report(run: &Path) -> Option<Report> {
    let text = fs::read_to_string(run.join("report.json")).ok()?;
    serde_json::from_str(&text).ok()
}

/// All relations of a run, with their transformations and kinds.
pub(super) fn kinds(report: &Report) -> impl Iterator<Item = (&str, &str, RelationKind)> {
    report.transformations.iter().flat_map(|search| {
        let found = search.results.iter().flat_map(|results| &results.relations);
        found.map(|found| (search.transformation.as_str(), found.relation.as_str(), found.kind))
    })
}

/// The changes of calls that a check found.
pub(super) fn changes(calls: &Json) -> impl Iterator<Item = &Json> {
    calls["changes"].as_array().into_iter().flatten()
}

/// The relations that a check found to be violated.
pub(super) fn refuted(checked: &Json) -> impl Iterator<Item = &Json> {
    let relations = checked["relations"].as_array().into_iter().flatten();
    relations.filter(|relation| relation["verdict"] == "refuted")
}
