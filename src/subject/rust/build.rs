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
use super::mutate::{self, Candidate, Changes, Cuts, Level, MutatedSource, Place, Region};
use super::package::Package;

/// In so many rounds errors are blamed on mutants and places; after that, on the functions that they are in.
const ROUNDS: usize = 12;
/// More rounds are not needed by anything that compiles in the end.
const MOST_ROUNDS: usize = 30;

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
    /// Functions whose calls rustc rejects, by their numbers among the calls, with its message.
    pub(super) uncalled: BTreeMap<usize, String>,
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

/// Builds the copy without the mutants in `surplus`.
pub(super) fn build(
    order: Order<'_>,
    files: &[ChangedFile],
    candidates: &[Candidate],
    surplus: BTreeSet<u32>,
) -> Result<BuildResult, RustError> {
    let cuts = Cuts { dropped: surplus, ..Cuts::default() };
    let levels = vec![BTreeMap::new(); files.len()];
    let mut court = Court {
        files,
        candidates,
        rewritten: Vec::new(),
        cuts,
        levels,
        refused: BTreeMap::new(),
        uncalled: BTreeMap::new(),
    };
    for round in 1..=MOST_ROUNDS {
        court.rewritten.clear();
        for (file, levels) in files.iter().zip(&court.levels) {
            let text = mutate::rewrite(&file.text, &file.changes, &court.cuts, levels);
            order.copy.write(&file.path, text.text.as_bytes())?;
            court.rewritten.push(text);
        }
        let said = cargo(order)?;
        if let Some(artifact) = said.artifact {
            let texts = court.rewritten.iter().map(|file| file.text.as_str());
            let program = order.copy.keep(&artifact, texts)?;
            let Court { refused, uncalled, .. } = court;
            return Ok(BuildResult { program, refused, uncalled, rounds: round });
        }
        let before = (court.cuts.clone(), court.levels.clone());
        for error in &said.errors {
            if round <= ROUNDS {
                court.blame(error);
            } else {
                court.give_up(error);
            }
        }
        court.settle();
        let is_same = |court: &Court<'_>| before == (court.cuts.clone(), court.levels.clone());
        if is_same(&court) {
            said.errors.iter().for_each(|error| court.give_up(error));
            court.settle();
        }
        if is_same(&court) {
            let message = said.shown(order.copy);
            let (package, copy) = (order.package.name.clone(), order.copy.folder.clone());
            return Err(RustError::Build { package, message, copy });
        }
    }
    let message = format!("the compiler still refuses mutants after {MOST_ROUNDS} rounds");
    let (package, copy) = (order.package.name.clone(), order.copy.folder.clone());
    Err(RustError::Build { package, message, copy })
}

/// Finds out whose fault errors are, and takes that out.
struct Court<'c> {
    files: &'c [ChangedFile],
    candidates: &'c [Candidate],
    rewritten: Vec<MutatedSource>,
    cuts: Cuts,
    levels: Vec<BTreeMap<Place, Level>>,
    refused: BTreeMap<u32, String>,
    uncalled: BTreeMap<usize, String>,
}

impl Court<'_> {
    /// Where an error is, in files that we write: whether it is the main place, the file, the bytes.
    fn places(&self, error: &Diagnostic) -> Vec<(bool, usize, Range<usize>)> {
        let place = |span: &Span| {
            let path = Path::new(&span.file_name);
            let file = self.files.iter().position(|file| file.path == path)?;
            Some((span.is_primary, file, span.byte_start..span.byte_end))
        };
        error.all_spans().filter_map(place).collect()
    }

    /// Blames an error on a mutant, on a place with mutants, on a call, or on a function.
    fn blame(&mut self, error: &Diagnostic) {
        if self.is_about_constants(error) || self.is_about_assignments(error) {
            return;
        }
        let all = self.places(error);
        for wanted in [true, false] {
            let mut found = false;
            for (_, file, bytes) in all.iter().filter(|(is_primary, ..)| *is_primary == wanted) {
                match self.rewritten[*file].owner(bytes) {
                    Some(Region::Mutant(number)) => {
                        self.refused.entry(*number).or_insert_with(|| error.reason());
                        found = true;
                    }
                    Some(Region::Call(number)) => {
                        self.uncalled.entry(*number).or_insert_with(|| error.reason());
                        found = true;
                    }
                    Some(Region::Place(_)) | None => {}
                }
            }
            if found {
                return;
            }
        }
        for wanted in [true, false] {
            for (_, file, bytes) in all.iter().filter(|(is_primary, ..)| *is_primary == wanted) {
                if let Some(Region::Place(place)) = self.rewritten[*file].owner(bytes) {
                    let level = self.levels[*file].entry(*place).or_default();
                    *level = if *level == Level::All { Level::Unwatched } else { Level::Nothing };
                    return;
                }
            }
        }
        // An error about more than one place at a time: all mutants in it may be meant.
        for (_, file, bytes) in all.iter().filter(|(is_primary, ..)| *is_primary) {
            let within: Vec<u32> = self.rewritten[*file].within(bytes).collect();
            for number in within {
                self.refused.entry(number).or_insert_with(|| error.reason());
            }
        }
    }

    /// A function that constants are made of has to stay what it is: its name is all that such an error says of it.
    fn is_about_constants(&mut self, error: &Diagnostic) -> bool {
        if error.code() != "E0015" {
            return false;
        }
        let name = error.named();
        let name = name.rsplit("::").next().unwrap_or_default();
        let is_it = |function: &str| function.rsplit("::").next() == Some(name);
        let all = self.candidates.iter().filter(|c| is_it(&c.function));
        let homes: Vec<usize> = all.map(|c| c.home).collect();
        self.cuts.untouched.extend(&homes);
        !homes.is_empty()
    }

    /// A variable without a value misses an assignment that a mutant leaves out.
    fn is_about_assignments(&mut self, error: &Diagnostic) -> bool {
        if error.code() != "E0381" {
            return false;
        }
        let name = error.named();
        let homes = self.homes(error);
        let mut found = false;
        for candidate in self.candidates.iter().filter(|c| homes.contains(&c.home)) {
            let is_left_out = candidate.new.trim().is_empty()
                && self.text(candidate).trim_start().starts_with(name);
            if is_left_out && !self.cuts.dropped.contains(&candidate.number) {
                self.refused.entry(candidate.number).or_insert_with(|| error.reason());
                found = true;
            }
        }
        found
    }

    fn text(&self, candidate: &Candidate) -> &str {
        self.files[candidate.file].text.get(candidate.range.clone()).unwrap_or_default()
    }

    /// The functions that an error is in.
    fn homes(&self, error: &Diagnostic) -> BTreeSet<usize> {
        let places = self.places(error);
        let home = |(_, file, bytes): &(bool, usize, Range<usize>)| {
            let at = self.rewritten[*file].origin(bytes.start);
            self.files[*file].changes.function_at(at)
        };
        places.iter().filter_map(home).collect()
    }

    /// Nobody else is to blame: the functions that an error is in stay as they are.
    fn give_up(&mut self, error: &Diagnostic) {
        let all = self.places(error);
        for (_, file, bytes) in &all {
            if let Some(Region::Call(number)) = self.rewritten[*file].owner(bytes) {
                self.uncalled.entry(*number).or_insert_with(|| error.reason());
                return;
            }
        }
        let homes = self.homes(error);
        self.cuts.untouched.extend(homes);
    }

    /// What is refused goes, and what goes takes its mutants with it.
    fn settle(&mut self) {
        for (file, levels) in self.files.iter().zip(&self.levels) {
            for (range, arm) in file.changes.arms() {
                if levels.get(&(range.start, range.end)) == Some(&Level::Nothing) {
                    let reason = || "the compiler refuses a choice of versions here".to_owned();
                    self.refused.entry(arm.number).or_insert_with(reason);
                }
            }
        }
        for candidate in self.candidates.iter().filter(|c| self.cuts.untouched.contains(&c.home)) {
            let reason = || "the compiler refuses versions of this function".to_owned();
            self.refused.entry(candidate.number).or_insert_with(reason);
        }
        self.cuts.dropped.extend(self.refused.keys());
        self.cuts.uncalled.extend(self.uncalled.keys());
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
    code: Option<Code>,
    spans: Vec<Span>,
    #[serde(default)]
    children: Vec<Diagnostic>,
    rendered: Option<String>,
}

#[derive(Debug, Deserialize)]
struct Code {
    code: String,
}

#[derive(Debug, Deserialize)]
struct Span {
    file_name: String,
    byte_start: usize,
    byte_end: usize,
    is_primary: bool,
    /// Where the macro stands that this is in the definition of.
    expansion: Option<Box<Expansion>>,
}

impl Span {
    /// Where the macro stands that this is in the definition of.
    fn outer(&self) -> Option<&Span> {
        self.expansion.as_ref().map(|expansion| &expansion.span)
    }
}

#[derive(Debug, Deserialize)]
struct Expansion {
    span: Span,
}

impl Diagnostic {
    fn code(&self) -> &str {
        self.code.as_ref().map_or("", |code| &code.code)
    }

    /// What the message names first, between backquotes.
    fn named(&self) -> &str {
        self.message.split('`').nth(1).unwrap_or_default()
    }

    /// The message on one line, with the note that says more about what is not compiled.
    fn reason(&self) -> String {
        let first = self.message.lines().next().unwrap_or_default();
        let notes = self.children.iter().map(|child| child.message.as_str());
        let gated = notes.into_iter().find(|note| note.contains("is gated behind"));
        gated.map_or_else(|| first.to_owned(), |note| format!("{first}: {note}"))
    }

    fn all_spans(&self) -> impl Iterator<Item = &Span> {
        let children = self.children.iter().filter(|child| child.level == "note");
        let spans = self.spans.iter().chain(children.flat_map(|child| &child.spans));
        spans.flat_map(|span| std::iter::successors(Some(span), |span| span.outer()))
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
