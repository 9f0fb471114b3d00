//! cargo-mutants as a judge of the test file: its mutants are those of another tool, made in another way.

use std::path::Path;
use std::process::Command;

use genmorph::subject::rust::RustSubject;
use serde::Deserialize;

use super::super::{Failure, print, talk};
use super::test::{TestFile, TestPlace};

/// The tools that can judge a test file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum Judge {
    /// The real cargo-mutants, which has to be installed
    CargoMutants,
}

#[derive(Deserialize)]
struct Outcomes {
    outcomes: Vec<Outcome>,
}

#[derive(Deserialize)]
struct Outcome {
    scenario: serde_json::Value,
    summary: String,
}

/// Whether the tool is there, and can judge such tests.
pub(super) fn check(place: &TestPlace) -> Result<(), Failure> {
    if place.name.is_none() {
        return Err(Failure::Input(
            "cargo-mutants judges integration tests, and other crates cannot call this function"
                .to_owned(),
        ));
    }
    let there = Command::new("cargo").args(["mutants", "--version"]).output();
    if there.is_ok_and(|output| output.status.success()) {
        return Ok(());
    }
    Err(Failure::Input(
        "cargo-mutants is not installed; `cargo install cargo-mutants` does that".to_owned(),
    ))
}

/// Runs cargo-mutants on the functions that we mutate, with our tests alone.
pub(super) fn run(judge: Judge, subject: &RustSubject, written: &TestFile) -> Result<(), Failure> {
    let Judge::CargoMutants = judge;
    let Some(name) = &written.name else { return Ok(()) };
    let failed = |message: String| Failure::Input(format!("cargo mutants: {message}"));
    let package = subject.package();
    let folder = package.target.join("genmorph").join(format!("mutants-{name}"));
    // What an earlier run has left is not of this one.
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).map_err(|error| failed(error.to_string()))?;
    let mut command = Command::new("cargo");
    command.current_dir(&package.folder).args([
        "mutants",
        "--no-shuffle",
        "--colors=never",
        "--cap-lints=true",
    ]);
    command.arg("--output").arg(&folder);
    for function in subject.scope() {
        // cargo-mutants names a function without its module.
        let name = function.rsplit("::").next().unwrap_or(function);
        command.arg("--re").arg(format!(r"(\b|::){name}\b( ->| with|$)|in (.*::)?{name}$"));
    }
    for flag in package.flags() {
        command.arg(format!("--cargo-arg={flag}"));
    }
    // Other tests of the crate are neither built nor run.
    command.arg(format!("--cargo-arg=--test={name}"));
    talk::say(&"cargo-mutants builds the crate once for every mutant of it; that takes a while");
    let output = command.output().map_err(|error| failed(error.to_string()))?;
    let file = folder.join("mutants.out").join("outcomes.json");
    let text = std::fs::read_to_string(&file).map_err(|_| {
        let said = String::from_utf8_lossy(&output.stderr);
        let said =
            if said.trim().is_empty() { String::from_utf8_lossy(&output.stdout) } else { said };
        failed(said.trim().to_owned())
    })?;
    let outcomes: Outcomes =
        serde_json::from_str(&text).map_err(|error| failed(error.to_string()))?;
    let is_broken = |outcome: &Outcome| {
        outcome.scenario.as_str() == Some("Baseline") && outcome.summary != "Success"
    };
    if outcomes.outcomes.iter().any(is_broken) {
        let log = folder.join("mutants.out").join("log").join("baseline.log");
        let message =
            format!("the test does not pass in its copy of the crate; see {}", log.display());
        return Err(failed(message));
    }
    print(&said(&outcomes, &file))
}

/// What cargo-mutants found out.
fn said(outcomes: &Outcomes, file: &Path) -> String {
    let of_mutants =
        || outcomes.outcomes.iter().filter(|outcome| outcome.scenario.get("Mutant").is_some());
    let count = |summary: &str| of_mutants().filter(|outcome| outcome.summary == summary).count();
    let (caught, missed) = (count("CaughtMutant"), count("MissedMutant"));
    let (timeouts, unviable) = (count("Timeout"), count("Unviable"));
    let viable = caught + missed + timeouts;
    let mut text = format!(
        "cargo-mutants: the tests kill {} of {viable} mutants ({timeouts} by a timeout); {unviable} do not compile; all of it is in {}\n",
        caught + timeouts,
        file.parent().unwrap_or(file).display()
    );
    for outcome in of_mutants().filter(|outcome| outcome.summary == "MissedMutant") {
        let mutant = outcome.scenario.get("Mutant");
        let name = mutant.and_then(|mutant| mutant.get("name")).and_then(|name| name.as_str());
        text += &format!("  not killed: {}\n", name.unwrap_or("a mutant"));
    }
    text
}
