//! The test file of a Rust function: what goes into it, where it is, and whether it passes.

use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use genmorph::claims::Claims;
use genmorph::export::rust::{self, Style};
use genmorph::export::{Pairs, Properties, RunEvidence, Selection, SelectionOptions, TestForm};
use genmorph::inputs;
use genmorph::jit::engine::reference;
use genmorph::jit::{Predicate, Tolerance};
use genmorph::subject::rust::RustSubject;
use genmorph::subject::{Group, Inputs, MachineFailure, Subject, Version};

use super::super::{Failure, OrFailure, claims, print, talk, warn, whole};
use super::CargoArgs;
use super::callee::callee;

/// Where the tests of a function go.
pub(super) struct TestPlace {
    /// The file that is written.
    pub(super) file: PathBuf,
    /// The name of the test for Cargo; none if the file is a module of the crate.
    pub(super) name: Option<String>,
    /// What the test calls.
    path: String,
}

/// A file of tests that pass.
pub(super) struct TestFile {
    /// Its name for Cargo, if it is an integration test.
    pub(super) name: Option<String>,
}

impl TestPlace {
    /// An integration test, if other crates can call the function; else a module in the folder of the run.
    pub(super) fn of(subject: &RustSubject, output: &Path) -> TestPlace {
        let (callee, package) = (subject.callee(), subject.package());
        let plain: String = callee
            .path
            .chars()
            .map(|c| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '_' })
            .collect();
        let short = callee.name().to_lowercase();
        match (&callee.public, &package.library) {
            (Some(public), Some(library)) => {
                let name = format!("genmorph_{short}");
                TestPlace {
                    file: package.folder.join("tests").join(format!("{name}.rs")),
                    path: format!("{library}::{public}"),
                    name: Some(name),
                }
            }
            _ => {
                let own =
                    callee.owner.as_ref().map(|owner| format!("{owner}::")).unwrap_or_default();
                let file = output.join(format!("genmorph_{}.rs", plain.replace("__", "_")));
                TestPlace { file, path: format!("super::{own}{}", callee.name()), name: None }
            }
        }
    }

    /// Whether the file may be written.
    pub(super) fn check(&self, force: bool) -> Result<(), Failure> {
        if self.name.is_some() && self.file.exists() && !force {
            return Err(Failure::Input(format!(
                "{} is there already\nuse --force to replace it, or --no-test to find relations only",
                self.file.display()
            )));
        }
        Ok(())
    }
}

/// Tests that fail on mutants.
pub(super) struct Made {
    pub(super) source: String,
    pub(super) has_proptest: bool,
    tests: usize,
    pairs: usize,
    survivors: Vec<usize>,
}

/// Makes the tests that fail on a mutant, of the run in a folder; none if there are none.
pub(super) fn made(
    args: &CargoArgs,
    subject: &RustSubject,
    place: &TestPlace,
    output: &Path,
) -> Result<Option<Made>, Failure> {
    let report = claims::file(output)?;
    let text =
        fs::read_to_string(&report).map_err(|error| whole::cannot("read", &report, &error))?;
    let signature = subject.signature();
    let name = report.display().to_string();
    let claims = claims::read(&name, &text, &signature.of_executions(), &args.generate.subject)?;
    let tolerance = claims.tolerance.unwrap_or_default();
    let rows = inputs::read(&output.join("sources.ndjson"), signature).or_input()?;
    let sources = Inputs::from_rows(signature, rows.iter().map(Vec::as_slice));
    let most = usize::from(args.examples);
    let known = RunEvidence::of(&text);
    let (claims, form) = known.tested(claims, false);
    let (claims, _) = claims.by_observed();
    let (claims, survivors) = useful(subject, claims, &sources, most, tolerance)?;
    let choice = SelectionOptions { evidence: &known, most, tolerance };
    let selection = Selection::of_subject(subject, &claims, &sources, choice)?;
    selection.left_out.iter().for_each(warn);
    if selection.is_empty() {
        return Ok(None);
    }
    let has_proptest = subject.package().test_dependencies.iter().any(|name| name == "proptest");
    let properties = if has_proptest { Properties::Drawn } else { Properties::None };
    let origin = known.origin().into_iter().chain(["The inputs are those of the run.".to_owned()]);
    let called = callee(subject.callee(), &place.path);
    let style = Style { callee: &called, properties, tolerance, origin: origin.collect() };
    let source = match form {
        TestForm::Laws => rust::laws(signature, &selection.parts(), &style),
        TestForm::Relations => rust::suite(signature, &selection.parts(), &style),
    };
    let source = declared(source.or_input()?, subject, properties, place);
    let (tests, pairs) = (selection.relations(), selection.pairs());
    Ok(Some(Made { source, has_proptest, tests, pairs, survivors }))
}

/// Writes the tests that fail on a mutant, and runs them. Nothing is written if there are none.
pub(super) fn write(
    args: &CargoArgs,
    subject: &RustSubject,
    place: &TestPlace,
) -> Result<Option<TestFile>, Failure> {
    let output = &args.generate.output;
    let Some(made) = made(args, subject, place, output)? else {
        let most = args.examples;
        talk::say(&format_args!(
            "no relation fails on a mutant with {most} pairs of inputs: no test is written; more --examples may help"
        ));
        return Ok(None);
    };
    let Made { source, has_proptest, tests, pairs, survivors } = made;
    if let Some(folder) = place.file.parent() {
        fs::create_dir_all(folder).map_err(|error| whole::cannot("create", folder, &error))?;
    }
    whole::write(&place.file, source.as_bytes())
        .map_err(|error| whole::cannot("write", &place.file, &error))?;
    print(&format_args!("{}: {tests} relations, {pairs} pairs of inputs\n", place.file.display()))?;
    show(subject, &survivors, output)?;
    match &place.name {
        Some(name) => run(subject, name, &place.file, has_proptest)?,
        None => {
            let (path, plain) = (
                &subject.callee().path,
                place.file.file_stem().unwrap_or_default().to_string_lossy(),
            );
            print(&format_args!(
                "{path} cannot be called from other crates: put the file beside the module of the function, and add `#[cfg(test)] mod {plain};` to that\n"
            ))?;
        }
    }
    if !has_proptest {
        talk::say(
            &"for a property per relation too: `cargo add --dev proptest`, and run this again with --force",
        );
    }
    Ok(Some(TestFile { name: place.name.clone() }))
}

/// The source, with the crates that it uses where the edition wants them.
fn declared(
    source: String,
    subject: &RustSubject,
    properties: Properties,
    place: &TestPlace,
) -> String {
    /// The last of what has to come first.
    const FIRST: &str = "#![cfg_attr(rustfmt, rustfmt_skip)]\n";
    let package = subject.package();
    if !package.declares_crates() || place.name.is_none() {
        return source;
    }
    let proptest = if properties == Properties::Drawn { "extern crate proptest;\n" } else { "" };
    let own =
        package.library.as_ref().map(|name| format!("extern crate {name};\n")).unwrap_or_default();
    source.replacen(FIRST, &format!("{FIRST}\n{proptest}{own}"), 1)
}

/// The relations that are false of a mutant on the pairs of the test, and the mutants that pass all tests.
fn useful(
    subject: &RustSubject,
    mut claims: Claims,
    sources: &Inputs,
    most: usize,
    tolerance: Tolerance,
) -> Result<(Claims, Vec<usize>), MachineFailure> {
    let mut killed = vec![false; subject.mutants().len()];
    claims.drop_together();
    for group in &mut claims.groups {
        let pairs = Pairs::choose(subject, &group.transform, sources, most)?;
        let mut kills = vec![false; group.relations.len()];
        if !pairs.is_empty() {
            for (number, killed) in killed.iter_mut().enumerate() {
                *killed |= tried(subject, number, &pairs, &group.relations, tolerance, &mut kills)?;
            }
        }
        let mut each = kills.iter();
        group.places.retain(|_| *each.next().expect("one per relation"));
        let mut each = kills.iter();
        group.relations.retain(|_| *each.next().expect("one per relation"));
    }
    claims.groups.retain(|group| !group.relations.is_empty());
    let survivors = (0..killed.len()).filter(|&number| !killed[number]).collect();
    Ok((claims, survivors))
}

/// Whether a mutant fails on pairs, and which relations say so.
fn tried(
    subject: &RustSubject,
    number: usize,
    pairs: &Pairs,
    relations: &[Predicate],
    tolerance: Tolerance,
    kills: &mut [bool],
) -> Result<bool, MachineFailure> {
    let run = |inputs, original| subject.run(Version::Mutant { number, original }, inputs);
    let at_source = run(&pairs.sources, &pairs.at_source)?;
    let at_follow_up = run(&pairs.follow_ups, &pairs.at_follow_up)?;
    let returned = |row: &usize| at_source.is_returned(*row) && at_follow_up.is_returned(*row);
    let rows: Vec<usize> = (0..pairs.len()).filter(returned).collect();
    let table = pairs.table_of(subject.signature(), tolerance, (&at_source, &at_follow_up), &rows);
    let mut is_killed = rows.len() < pairs.len();
    for (relation, kills) in relations.iter().zip(kills) {
        if (0..rows.len()).any(|row| !reference::holds(relation, &table, row)) {
            (*kills, is_killed) = (true, true);
        }
    }
    Ok(is_killed)
}

/// Writes the mutants that all tests pass on as differences of sources, and shows the first of them.
fn show(subject: &RustSubject, survivors: &[usize], output: &Path) -> Result<(), Failure> {
    const SHOWN: usize = 3;
    let file = output.join("survivors.diff");
    let mut text = String::new();
    for &number in survivors {
        let _ = writeln!(text, "{}", subject.diff(number));
    }
    whole::write(&file, text.as_bytes()).map_err(|error| whole::cannot("write", &file, &error))?;
    let count = |group| {
        let of_group = subject.mutants_of(group);
        let alive = survivors.iter().filter(|number| of_group.contains(number)).count();
        (of_group.len() - alive, of_group.len())
    };
    let (training, judging) = (count(Group::A), count(Group::B));
    print(&format_args!(
        "the tests kill {} of {} mutants for training and {} of {} for judging; the others, maybe equivalent, are in {}\n",
        training.0,
        training.1,
        judging.0,
        judging.1,
        file.display()
    ))?;
    let of_judging = subject.mutants_of(Group::B);
    for &number in survivors.iter().filter(|number| of_judging.contains(number)).take(SHOWN) {
        print(&format_args!("\n{}", subject.diff(number)))?;
    }
    print(&"\n")
}

/// Runs the test against the user's crate, without building the other tests of it and what they need.
fn run(subject: &RustSubject, name: &str, file: &Path, has_proptest: bool) -> Result<(), Failure> {
    let package = subject.package();
    let folder = package.test_package(name, file, has_proptest).or_input()?;
    let mut command = Command::new("cargo");
    command.current_dir(folder).args(["test", "--quiet", "--test", name]);
    command.arg("--target-dir").arg(package.target.join("genmorph").join("build"));
    command.args(package.flags().iter().filter(|flag| *flag == "--offline"));
    if !package.finds_tests() {
        talk::say(&format_args!(
            "the crate has `autotests = false`; for `cargo test` to run the file too, add this to its Cargo.toml:\n\
             [[test]]\nname = \"{name}\"\npath = \"tests/{name}.rs\""
        ));
    }
    let output = command
        .output()
        .map_err(|error| Failure::Input(format!("cannot run `cargo test`: {error}")))?;
    let said = String::from_utf8_lossy(&output.stdout);
    if output.status.success() {
        let result =
            said.lines().rfind(|line| line.starts_with("test result:")).unwrap_or("it passes");
        return print(&format_args!(
            "cargo test --test {name}: {}\n",
            result.trim_start_matches("test result: ")
        ));
    }
    let errors = String::from_utf8_lossy(&output.stderr);
    let lines: Vec<&str> = said.lines().chain(errors.lines()).collect();
    let tail = &lines[lines.len().saturating_sub(60)..];
    Err(Failure::Bug(format!("`cargo test --test {name}` fails:\n{}", tail.join("\n"))))
}
