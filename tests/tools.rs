//! Tools that some tests need and not every machine has: a JDK, node, Chromium, Slurm, Python.
//!
//! A test without its tool is skipped, and says so on stderr, past the capture of the test harness. Where
//! `GENMORPH_REQUIRE` lists the tool, as in `.ci/run`, the test fails instead.

use std::io::Write;
use std::process::{Command, Stdio};

/// The tools that must be there, separated by commas.
const REQUIRE: &str = "GENMORPH_REQUIRE";

/// What was found of a tool; if nothing was, the test that asks is skipped.
#[track_caller]
pub fn found<T>(tool: &str, found: Option<T>) -> Option<T> {
    if found.is_none() {
        skip(tool, &format!("no {tool} is found"));
    }
    found
}

/// Whether a program runs, and ends well; if not, the test that asks is skipped.
#[track_caller]
pub fn runs(tool: &str, program: &str, flag: &str) -> bool {
    let mut command = Command::new(program);
    command.arg(flag).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let runs = command.status().is_ok_and(|status| status.success());
    found(tool, runs.then_some(())).is_some()
}

/// Whether Python 3 is there.
pub fn python() -> bool {
    runs("python", "python3", "--version")
}

/// Whether node and its package manager are there.
pub fn node() -> bool {
    runs("node", "node", "--version") && runs("node", "npm", "--version")
}

/// Says that a test is skipped, and why.
///
/// # Panics
/// If the tool is required.
#[track_caller]
pub fn skip(tool: &str, why: &str) {
    let required = std::env::var(REQUIRE).unwrap_or_default();
    assert!(!is_listed(tool, &required), "{why}, and {REQUIRE}={required} lists `{tool}`");
    let thread = std::thread::current();
    let test = thread.name().unwrap_or("a test");
    // One write, so that tests side by side do not mix their lines; the print macros would be captured.
    let _ = std::io::stderr().write_all(format!("skipped: {test}: {why}\n").as_bytes());
}

fn is_listed(tool: &str, required: &str) -> bool {
    required.split(',').any(|name| name.trim() == tool)
}

#[test]
fn a_required_tool_is_listed_by_its_whole_name() {
    assert!(is_listed("jdk", "node, jdk"));
    assert!(!is_listed("jdk", "jdk-headless") && !is_listed("jdk", ""));
}
