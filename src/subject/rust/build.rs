//! Builds a copy with all its mutants, without those that rustc rejects.
//!
//! Every error of the compiler is in bytes that belong to a mutant, or to a place that has some. These mutants are removed, with
//! the reason, and the crate is built again: types are checked before borrows, so there are a few rounds.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde::Deserialize;

use super::copy::Copy;
use super::error::RustError;
use super::mutate::{self, Changes, Level, MutatedSource, Place, Region};
use super::package::Package;

/// More rounds are not needed by anything that compiles in the end.
const ROUNDS: usize = 12;

/// A file of the copy that has mutants, or code of ours.
pub(super) struct ChangedFile {
    /// From the folder of the package.
    pub(super) path: PathBuf,
    pub(super) text: String,
    pub(super) changes: Changes,
}

/// The result of a build.
pub(super) struct BuildResult {
    /// The program, where no later build replaces it.
    pub(super) program: PathBuf,
    /// Mutants that rustc rejects, with its message.
    pub(super) refused: BTreeMap<u32, String>,
    /// How many times the crate was compiled.
    pub(super) rounds: usize,
}

/// How a copy is built.
#[derive(Clone, Copy, Debug)]
pub(super) struct Order<'o> {
    pub(super) package: &'o Package,
    pub(super) copy: &'o Copy,
    /// The flags of Cargo that choose what is built: the program, or the library and the platform.
    pub(super) target: &'o [&'o str],
    /// The user's own flags for the compiler.
    pub(super) flags: &'o str,
}

/// Builds the copy without the mutants in `dropped`.
pub(super) fn build(
    order: Order<'_>,
    files: &[ChangedFile],
    dropped: &BTreeSet<u32>,
) -> Result<BuildResult, RustError> {
    let mut refused: BTreeMap<u32, String> = BTreeMap::new();
    let mut dropped = dropped.clone();
    let mut levels: Vec<BTreeMap<Place, Level>> = vec![BTreeMap::new(); files.len()];
    for round in 1..=ROUNDS {
        let mut rewritten = Vec::new();
        for (file, levels) in files.iter().zip(&levels) {
            let text = mutate::rewrite(&file.text, &file.changes, &dropped, levels);
            order.copy.write(&file.path, text.text.as_bytes())?;
            rewritten.push(text);
        }
        let said = cargo(order)?;
        if let Some(artifact) = said.artifact {
            let texts = rewritten.iter().map(|file| file.text.as_str());
            let program = order.copy.keep(&artifact, texts)?;
            return Ok(BuildResult { program, refused, rounds: round });
        }
        let before = (dropped.len(), levels.clone());
        for error in &said.errors {
            blame(error, files, &rewritten, &mut refused, &mut levels);
        }
        dropped.extend(refused.keys());
        // A place that is left alone takes its mutants with it.
        for (file, levels) in files.iter().zip(&levels) {
            for (range, arm) in file.changes.arms() {
                if levels.get(&(range.start, range.end)) == Some(&Level::Nothing)
                    && dropped.insert(arm.number)
                {
                    let reason = "the compiler refuses a choice of versions here".to_owned();
                    refused.insert(arm.number, reason);
                }
            }
        }
        if before == (dropped.len(), levels.clone()) {
            let message = said.shown(order.copy);
            let (package, copy) = (order.package.name.clone(), order.copy.folder.clone());
            return Err(RustError::Build { package, message, copy });
        }
    }
    let message = format!("the compiler still refuses mutants after {ROUNDS} rounds");
    let (package, copy) = (order.package.name.clone(), order.copy.folder.clone());
    Err(RustError::Build { package, message, copy })
}

/// Finds out whose fault an error is.
fn blame(
    error: &Diagnostic,
    files: &[ChangedFile],
    rewritten: &[MutatedSource],
    refused: &mut BTreeMap<u32, String>,
    levels: &mut [BTreeMap<Place, Level>],
) {
    let place = |span: &Span| {
        let file = files.iter().position(|file| file.path == Path::new(&span.file_name))?;
        Some((file, span.byte_start..span.byte_end))
    };
    let all: Vec<(bool, usize, Range<usize>)> = error
        .all_spans()
        .filter_map(|span| place(span).map(|(file, bytes)| (span.is_primary, file, bytes)))
        .collect();
    let reason = || error.message.lines().next().unwrap_or_default().to_owned();
    for wanted in [true, false] {
        let mut found = false;
        for (_, file, bytes) in all.iter().filter(|(is_primary, ..)| *is_primary == wanted) {
            if let Some(Region::Mutant(number)) = rewritten[*file].owner(bytes) {
                refused.entry(*number).or_insert_with(reason);
                found = true;
            }
        }
        if found {
            return;
        }
    }
    for wanted in [true, false] {
        for (_, file, bytes) in all.iter().filter(|(is_primary, ..)| *is_primary == wanted) {
            if let Some(Region::Place(place)) = rewritten[*file].owner(bytes) {
                let level = levels[*file].entry(*place).or_default();
                *level = if *level == Level::All { Level::Unwatched } else { Level::Nothing };
                return;
            }
        }
    }
    // An error about more than one place at a time: all mutants in it may be meant.
    for (_, file, bytes) in all.iter().filter(|(is_primary, ..)| *is_primary) {
        for number in rewritten[*file].within(bytes) {
            refused.entry(number).or_insert_with(reason);
        }
    }
}

/// The messages of one run of Cargo.
struct CargoOutput {
    artifact: Option<PathBuf>,
    errors: Vec<Diagnostic>,
    rest: String,
}

impl CargoOutput {
    /// For people: the first errors as the compiler shows them.
    fn shown(&self, copy: &Copy) -> String {
        let rendered = self.errors.iter().take(3).filter_map(|error| error.rendered.as_deref());
        let errors: String = rendered.collect();
        let folder = copy.folder.display().to_string();
        let text = if errors.is_empty() { self.rest.as_str() } else { errors.as_str() };
        text.trim().replace(&folder, "")
    }
}

#[derive(Debug, Deserialize)]
struct Line {
    reason: String,
    message: Option<Diagnostic>,
    executable: Option<PathBuf>,
    #[serde(default)]
    filenames: Vec<PathBuf>,
    target: Option<TargetLine>,
}

#[derive(Debug, Deserialize)]
struct TargetLine {
    kind: Vec<String>,
}

#[derive(Debug, Deserialize)]
struct Diagnostic {
    message: String,
    level: String,
    spans: Vec<Span>,
    #[serde(default)]
    children: Vec<Diagnostic>,
    rendered: Option<String>,
}

#[derive(Debug, Deserialize)]
struct Span {
    file_name: String,
    byte_start: usize,
    byte_end: usize,
    is_primary: bool,
}

impl Diagnostic {
    fn all_spans(&self) -> impl Iterator<Item = &Span> {
        let children = self.children.iter().filter(|child| child.level == "note");
        self.spans.iter().chain(children.flat_map(|child| &child.spans))
    }
}

fn cargo(order: Order<'_>) -> Result<CargoOutput, RustError> {
    let Order { package, copy, target, flags } = order;
    let mut command = Command::new("cargo");
    command.current_dir(&copy.folder).args(["build", "--message-format=json"]);
    command.arg("--target-dir").arg(package.target.join("genmorph").join("build"));
    command.args(target);
    command.args(package.flags());
    // Lints are for people; a mutant may be as ugly as it likes. Of other platforms Cargo learns by what the compiler
    // warns of, so there they are said.
    let lints = if target.is_empty() { "allow" } else { "warn" };
    command.env("RUSTFLAGS", format!("{flags} --cap-lints={lints}").trim());
    command.env_remove("CARGO_ENCODED_RUSTFLAGS").env_remove("CARGO_BUILD_TARGET");
    let output = command.output().map_err(|error| RustError::Cargo {
        command: "cargo build".to_owned(),
        message: error.to_string(),
    })?;
    let mut said = CargoOutput { artifact: None, errors: Vec::new(), rest: String::new() };
    for line in output.stdout.split(|byte| *byte == b'\n') {
        let Ok(line) = serde_json::from_slice::<Line>(line) else { continue };
        match (line.reason.as_str(), line.message) {
            ("compiler-message", Some(message)) if message.level == "error" => {
                said.errors.push(message);
            }
            ("compiler-artifact", _) => {
                let is_module =
                    line.target.is_some_and(|t| t.kind.iter().any(|kind| kind == "cdylib"));
                let module =
                    || line.filenames.iter().find(|f| f.extension().is_some_and(|e| e == "wasm"));
                if let Some(program) = line.executable {
                    said.artifact = Some(program);
                } else if let (true, Some(module)) = (is_module, module()) {
                    said.artifact = Some(module.clone());
                }
            }
            _ => {}
        }
    }
    said.rest = String::from_utf8_lossy(&output.stderr).into_owned();
    if !output.status.success() {
        said.artifact = None;
    }
    Ok(said)
}
