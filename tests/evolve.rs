//! `genmorph evolve` as users run it: repeatable, resumable, and never with a false positive.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use genmorph::executions::recorded::{self, Settings};
use genmorph::executions::{CORRECT, Executions, ExistingFile, INCORRECT};
use genmorph::jit::engine::reference;
use genmorph::record::relations::RelationsFile;
use genmorph::{claims::relation, executions::power};

use crate::folder::{Folder, subject};
use crate::wait;

/// The built-in executions: how the command names them.
fn example() -> Vec<String> {
    vec!["--example".to_owned()]
}

/// The subjects to evolve on: how the command names them, and their executions.
fn subjects(folder: &Folder) -> Vec<(Vec<String>, Executions)> {
    let recorded = [
        ("pow/plain.ndjson", "NumericAddition(-1) on e"),
        ("sin", "NumericMultiplication(-1) on x"),
        ("pad_start", "NumericAddition(1) on n"),
    ];
    let collected = recorded.iter().enumerate().map(|(i, (name, transformation))| {
        let settings = Settings::new(transformation.parse().unwrap());
        let executions = recorded::run(subject(name).as_ref(), &settings).unwrap().executions;
        let file = folder.at(&format!("{i}.parquet"));
        executions.write(Path::new(&file), ExistingFile::Replace).unwrap();
        (vec![file], executions)
    });
    std::iter::once((example(), power::executions())).chain(collected).collect()
}

fn command(subject: &[String], folder: &str, args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_genmorph"));
    command.arg("evolve").args(subject).args(["-o", folder]).args(args);
    command
}

/// Runs the command: exit code, standard output, standard error.
fn evolve(subject: &[String], folder: &str, args: &[&str]) -> (i32, String, String) {
    let output = command(subject, folder, args).output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
    (output.status.code().unwrap(), text(&output.stdout), text(&output.stderr))
}

const FILES: [&str; 4] = ["relations.json", "generations.ndjson", "checkpoint.bin", "run.json"];

fn files(folder: &str) -> Vec<Vec<u8>> {
    FILES.map(|name| fs::read(Path::new(folder).join(name)).expect(name)).into()
}

fn results(folder: &str) -> RelationsFile {
    let text = fs::read_to_string(Path::new(folder).join("relations.json")).unwrap();
    serde_json::from_str(&text).unwrap()
}

#[test]
fn no_relation_has_a_false_positive_by_the_reference_evaluator() {
    let scratch = Folder::of("evolve-reference");
    for (i, (subject, executions)) in subjects(&scratch).iter().enumerate() {
        let folder = scratch.at(&i.to_string());
        let args = ["--generations", "25", "--population", "200"];
        let (code, out, err) = evolve(subject, &folder, &args);
        assert_eq!((code, err.as_str()), (0, ""), "{out}");
        let results = results(&folder);
        assert!(!results.relations.is_empty());
        for found in &results.relations {
            assert!(out.contains(&found.relation), "{out}");
            let predicate = relation::read(&found.relation, executions.table.schema()).unwrap();
            let mask = reference::evaluate(&predicate, &executions.table);
            let correct = executions.table.layout().groups()[CORRECT].rows;
            assert_eq!(mask.count_ones_in(CORRECT), correct, "{}", found.relation);
            assert_eq!(mask.count_ones_in(INCORRECT), found.fn_ as usize, "{}", found.relation);
            assert_eq!(predicate.size(), found.size);
        }
        let lines = fs::read_to_string(Path::new(&folder).join("generations.ndjson")).unwrap();
        assert_eq!(lines.lines().count(), 25);
    }
}

#[test]
fn jobs_and_tiers_do_not_change_a_byte() {
    let scratch = Folder::of("evolve-jobs");
    for (i, (subject, _)) in subjects(&scratch).iter().enumerate() {
        let run = |name: &str, args: &[&str]| {
            let folder = scratch.at(&format!("{i}-{name}"));
            let args = [&["--generations", "12", "--population", "150"], args].concat();
            assert_eq!(evolve(subject, &folder, &args).0, 0);
            files(&folder)
        };
        let one = run("one", &["--jobs", "1"]);
        assert_eq!(run("two", &["--jobs", "2"]), one);
        assert_eq!(run("bytecode", &["--jobs", "2", "--tier", "bytecode"]), one);
        assert_eq!(run("native", &["--jobs", "1", "--tier", "native"]), one);
        assert_ne!(run("seed", &["--seed", "2"]), one);
    }
}

#[test]
fn a_resumed_run_writes_what_a_straight_one_does() {
    let scratch = Folder::of("evolve-resume");
    for (i, (subject, _)) in subjects(&scratch).iter().enumerate() {
        for (kind, settings) in [("default", &["--population", "100"][..]), ("paper", &["--paper"])]
        {
            let [straight, resumed] =
                ["straight", "resumed"].map(|name| scratch.at(&format!("{i}-{kind}-{name}")));
            let generations = |n| [settings, &["--generations", n]].concat();
            assert_eq!(evolve(subject, &straight, &generations("10")).0, 0);
            evolve(subject, &resumed, &generations("5"));
            let args = ["--resume", "--generations", "10"];
            assert_eq!(evolve(subject, &resumed, &args).0, 0);
            assert_eq!(files(&resumed), files(&straight), "{kind}");
        }
    }
}

#[test]
fn a_killed_run_goes_on_from_its_last_checkpoint() {
    let scratch = Folder::of("evolve-killed");
    let folder = scratch.at("run");
    let subject = &example();
    // The paper's algorithm goes on even when there is nothing left to find, so it has to be killed.
    let settings = ["--paper", "--population", "50", "--seed", "9"];
    let args = [&settings[..], &["--budget", "10m"]].concat();
    let mut child = command(subject, &folder, &args)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let checkpoint = Path::new(&folder).join("checkpoint.bin");
    wait::while_running(&mut child, "a first checkpoint", || checkpoint.exists());
    child.kill().unwrap();
    child.wait().unwrap();
    let records = fs::read_to_string(Path::new(&folder).join("generations.ndjson")).unwrap();
    let target = (records.lines().count() as u64 + 5).to_string();
    let (code, out, err) = evolve(subject, &folder, &["--resume", "--generations", &target]);
    assert_eq!(code, 0, "{out}{err}");
    let found = results(&folder);
    let straight = scratch.at("straight");
    let generations = found.run.generations.to_string();
    let args = [&settings[..], &["--generations", &generations]].concat();
    assert_eq!(evolve(subject, &straight, &args).0, 0);
    assert_eq!(results(&straight).relations, found.relations);
    let records = |folder: &str| fs::read(Path::new(folder).join("generations.ndjson")).unwrap();
    assert_eq!(records(&straight), records(&folder));
}

#[cfg(unix)]
#[test]
fn ctrl_c_ends_the_run_and_keeps_what_was_found() {
    let scratch = Folder::of("evolve-interrupted");
    let folder = scratch.at("run");
    let subject = &example();
    let args = ["--budget", "10m", "--paper", "--population", "2000"];
    let mut child = command(subject, &folder, &args).stdout(Stdio::piped()).spawn().unwrap();
    // It listens before its first generation, and a checkpoint is after that.
    let checkpoint = Path::new(&folder).join("checkpoint.bin");
    wait::while_running(&mut child, "a first checkpoint", || checkpoint.exists());
    let kill = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(kill.success());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130));
    assert!(String::from_utf8(output.stdout).unwrap().contains("cancelled: "));
    let generations = results(&folder).run.generations;
    let records = fs::read_to_string(Path::new(&folder).join("generations.ndjson")).unwrap();
    assert_eq!(records.lines().count() as u64, generations);
}

#[test]
fn a_run_is_never_overwritten_silently() {
    let scratch = Folder::of("evolve-overwrite");
    let folder = scratch.at("run");
    let subject = &example();
    let args = ["--generations", "2", "--population", "20"];
    evolve(subject, &folder, &args);
    let before = files(&folder);
    let (code, out, err) = evolve(subject, &folder, &args);
    assert_eq!((code, out.as_str()), (2, ""));
    assert!(err.contains("--resume") && err.contains("--force"), "{err}");
    assert_eq!(files(&folder), before);
    let other = [&args[..], &["--force", "--seed", "5"]].concat();
    evolve(subject, &folder, &other);
    assert_ne!(files(&folder), before);
}

#[test]
fn wrong_usage_says_what_to_do() {
    let scratch = Folder::of("evolve-usage");
    let folder = scratch.at("run");
    let refused = |args: &[&str], expected: &str| {
        let (code, out, err) = evolve(&example(), &folder, args);
        assert_eq!((code, out.as_str()), (2, ""), "{args:?}");
        assert!(err.contains(expected), "{args:?}: {err}");
        assert!(!Path::new(&folder).exists(), "{args:?}");
    };
    refused(&["--population", "9"], "from 10 to 1000000");
    refused(&["--population", "1000001"], "from 10 to 1000000");
    refused(&["--max-size", "2"], "from 3 to 255");
    refused(&["--budget", "30"], "such as 30s");
    refused(&["--generations", "0"], "0");
    refused(&["--resume"], "no run to resume");
    refused(&["--resume", "--seed", "3"], "--seed");
    refused(&["--tier", "magic"], "bytecode");
    let (code, _, err) = evolve(&[], &folder, &[]);
    assert_eq!(code, 2, "{err}");
    let (code, _, err) = evolve(&["missing.parquet".to_owned()], &folder, &[]);
    assert_eq!(code, 2);
    assert!(err.contains("missing.parquet"), "{err}");
}

#[test]
fn a_damaged_checkpoint_is_refused_and_left_alone() {
    let scratch = Folder::of("evolve-damaged");
    let folder = scratch.at("run");
    let subject = &example();
    evolve(subject, &folder, &["--generations", "2", "--population", "20"]);
    let checkpoint = Path::new(&folder).join("checkpoint.bin");
    let bytes = fs::read(&checkpoint).unwrap();
    fs::write(&checkpoint, &bytes[..bytes.len() / 2]).unwrap();
    let before = files(&folder);
    let (code, _, err) = evolve(subject, &folder, &["--resume", "--generations", "4"]);
    assert_eq!(code, 2);
    assert!(err.contains("start the run anew"), "{err}");
    assert_eq!(files(&folder), before);
}
