//! `genmorph sweep` as users and job schedulers run it: killed, repeated, twice at once, in any order, and always with
//! the same bytes in the end.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use genmorph::executions::ExistingFile;
use genmorph::sweep::{
    self, Axes, Event, FailedUnits, Manifest, MergeSettings, MissingUnits, Outcome, Status, Tally,
    Task, Timings, UnitReport, UnitState, WorkOutcome, Worker,
};
use parquet::file::reader::{FileReader, SerializedFileReader};
use serde_json::Value;

use crate::cli::{genmorph, refuses, succeeds};
use crate::folder::Folder;
use crate::{tools, wait};

const TWICE: &str = r#"(module (func (export "twice") (param i32) (result i32)
    local.get 0 i32.const 1 i32.shl i32.const 1 i32.add))"#;
const NEVER: &str = r#"(module (func (export "never") (param i32) (result i32) unreachable))"#;

/// Units that take a fraction of a second.
pub const SMALL: [&str; 10] = [
    "--generations",
    "4",
    "--population",
    "40",
    "--fresh",
    "500",
    "--hunt",
    "500",
    "--sources",
    "40",
];

/// Writes a subject, and returns its definition.
pub fn subject(scratch: &Folder, name: &str, module: &str) -> String {
    scratch.write(&format!("{name}/{name}.wat"), module);
    scratch.write(
        &format!("{name}/subject.toml"),
        format!(
            "module = \"{name}.wat\"\nsignature = \"func(x: s32) -> s32\"\n[domain]\nx = {{ range = [0, 40] }}\n"
        ),
    )
}

/// Plans a sweep of `twice` with some seeds: two units each.
pub fn planned(scratch: &Folder, name: &str, seeds: &str) -> String {
    let twice = subject(scratch, "twice", TWICE);
    let sweep = scratch.at(name);
    let args = ["sweep", "plan", &twice, "--seeds", seeds, "-o", &sweep];
    let out = succeeds(&[&args[..], &SMALL].concat());
    assert!(out.contains(&format!("planned in {sweep}")), "{out}");
    sweep
}

/// What a sweep is merged into.
pub fn merged(sweep: &str) -> Vec<u8> {
    let out = succeeds(&["sweep", "merge", sweep]);
    assert!(out.contains("sweep.sqlite"), "{out}");
    fs::read(Path::new(sweep).join("sweep.sqlite")).unwrap()
}

fn status(sweep: &str) -> Value {
    let run = genmorph(&["sweep", "status", sweep, "--format", "json"]);
    let status: Value = serde_json::from_str(&run.out).unwrap();
    let is_complete = status["done"] == status["units"];
    assert_eq!(run.code, Some(if is_complete { 0 } else { 4 }), "{}", run.err);
    status
}

/// All results of units.
fn results(sweep: &str) -> Vec<PathBuf> {
    let mut files = Vec::new();
    let units = Path::new(sweep).join("results/units");
    for folder in fs::read_dir(units).into_iter().flatten() {
        for file in fs::read_dir(folder.unwrap().path()).unwrap() {
            files.push(file.unwrap().path());
        }
    }
    files.sort();
    files
}

fn started(args: &[&str]) -> Child {
    let mut command = Command::new(env!("CARGO_BIN_EXE_genmorph"));
    command.args(args).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command.spawn().unwrap()
}

fn signal(child: &Child, name: &str) {
    let status = Command::new("kill").args([name, &child.id().to_string()]).status().unwrap();
    assert!(status.success());
}

/// Waits until there are so many results.
fn wait_for(sweep: &str, count: usize) {
    wait::until(&format!("{count} results"), || results(sweep).len() >= count);
}

#[test]
fn neither_shards_nor_folders_nor_order_change_what_is_merged() {
    let scratch = Folder::of("sweep-shards");
    let one = planned(&scratch, "one", "1-3");
    let ran = genmorph(&["sweep", "run", &one, "--jobs", "1"]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert_eq!(ran.out, "6 units of shard 1/1: 6 done, 0 done before, 0 failed, 0 left\n");
    let (tables, more) = (scratch.at("one-tables"), scratch.at("many-tables"));
    succeeds(&["sweep", "merge", &one, "--parquet", &tables]);
    let expected = merged(&one);

    let many = planned(&scratch, "many", "1-3");
    let parts = ["c", "a", "b"].map(|part| scratch.at(part));
    for (shard, part) in ["3/3", "1/3", "2/3"].iter().zip(&parts) {
        let args = ["sweep", "run", &many, "--shard", shard, "--results", part, "--jobs", "2"];
        assert_eq!(genmorph(&args).code, Some(0));
    }
    for order in [[0, 1, 2], [2, 0, 1]] {
        let output = scratch.at("merged.sqlite");
        let mut args = vec!["sweep", "merge", &many, "-o", &output, "--parquet", &more];
        order.iter().for_each(|&part| args.extend(["--results", &parts[part]]));
        succeeds(&args);
        assert!(fs::read(&output).unwrap() == expected, "{order:?}");
    }
    // Each unit alone: nothing that units of a task have in common may show.
    let alone = planned(&scratch, "alone", "1-3");
    for file in results(&one) {
        let unit = file.file_stem().unwrap().to_str().unwrap();
        assert_eq!(genmorph(&["sweep", "run", &alone, "--unit", unit]).code, Some(0));
    }
    assert!(merged(&alone) == expected);
    for table in ["provenance", "subjects", "settings", "units", "relations", "kills", "more"] {
        let read = |folder: &str| fs::read(format!("{folder}/{table}.parquet")).unwrap();
        assert!(read(&tables) == read(&more), "{table}");
    }
    // Nothing is left beside.
    let left: Vec<String> =
        scratch.files().into_iter().filter(|name| name.starts_with('.')).collect();
    assert_eq!(left, [""; 0]);
}

#[test]
fn a_killed_task_loses_only_the_unit_at_work() {
    let scratch = Folder::of("sweep-killed");
    let whole = planned(&scratch, "whole", "1-4");
    assert_eq!(genmorph(&["sweep", "run", &whole]).code, Some(0));
    let expected = merged(&whole);

    let killed = planned(&scratch, "killed", "1-4");
    for count in [1, 3] {
        let mut child = started(&["sweep", "run", &killed]);
        wait_for(&killed, count);
        child.kill().unwrap();
        child.wait().unwrap();
    }
    let done = results(&killed).len();
    let told = status(&killed);
    assert_eq!(told["done"], done);
    assert_eq!(told["missing"].as_array().unwrap().len(), 8 - done);
    let refused = refuses(&["sweep", "merge", &killed]);
    assert!(refused.contains(&format!("{} of 8 units have no result", 8 - done)), "{refused}");
    assert!(!Path::new(&killed).join("sweep.sqlite").exists());

    let again = genmorph(&["sweep", "run", &killed]);
    assert!(again.out.contains(&format!("{} done, {done} done before", 8 - done)), "{}", again.out);
    assert!(merged(&killed) == expected);
    assert_eq!(status(&killed)["done"], 8);
}

#[test]
fn a_terminated_task_finishes_its_unit_and_says_so() {
    let scratch = Folder::of("sweep-terminated");
    let sweep = planned(&scratch, "sweep", "1-20");
    let child = started(&["sweep", "run", &sweep]);
    wait_for(&sweep, 1);
    signal(&child, "-TERM");
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130));
    let done = results(&sweep).len();
    assert!((1..40).contains(&done), "{done}");
    let out = String::from_utf8(output.stdout).unwrap();
    assert!(
        out.contains(&format!("{done} done, 0 done before, 0 failed, {} left", 40 - done)),
        "{out}"
    );
    // Nothing is half done: neither a trial nor a file.
    assert_eq!(status(&sweep)["open"], 0);
    let unfinished = fs::read_dir(Path::new(&sweep).join("results/unfinished")).unwrap();
    assert_eq!(unfinished.count(), 0);
}

#[test]
fn a_unit_that_takes_too_long_is_left() {
    let scratch = Folder::of("sweep-left");
    let twice = subject(&scratch, "twice", TWICE);
    let sweep = scratch.at("sweep");
    // The paper's algorithm goes on even when there is nothing left to find.
    let long = ["--generations", "1000000000", "--paper", "--population", "1000"];
    succeeds(&[&["sweep", "plan", &twice, "-o", &sweep][..], &long].concat());
    let mut child = started(&["sweep", "run", &sweep, "--grace", "1ms"]);
    let journal =
        || fs::read_dir(Path::new(&sweep).join("results/journal")).into_iter().flatten().count();
    wait::while_running(&mut child, "the unit has begun", || journal() > 0);
    signal(&child, "-TERM");
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(results(&sweep).is_empty());
    assert_eq!(status(&sweep)["open"], 0);
}

#[test]
fn two_tasks_may_run_the_same_units_at_once() {
    let scratch = Folder::of("sweep-twice");
    let alone = planned(&scratch, "alone", "1-2");
    assert_eq!(genmorph(&["sweep", "run", &alone]).code, Some(0));
    let both = planned(&scratch, "both", "1-2");
    let children = [(); 2].map(|()| started(&["sweep", "run", &both, "--jobs", "1"]));
    for child in children {
        assert_eq!(child.wait_with_output().unwrap().status.code(), Some(0));
    }
    assert_eq!(results(&both).len(), 4);
    assert!(merged(&both) == merged(&alone));
}

#[test]
fn a_unit_that_fails_is_a_result_with_a_reason() {
    let scratch = Folder::of("sweep-failed");
    let (twice, never) = (subject(&scratch, "twice", TWICE), subject(&scratch, "never", NEVER));
    let sweep = scratch.at("sweep");
    let plan = ["sweep", "plan", &twice, &never, "-o", &sweep, "--transformations", "1"];
    succeeds(&[&plan[..], &SMALL].concat());
    let ran = genmorph(&["sweep", "run", &sweep]);
    assert_eq!(ran.code, Some(4), "{}", ran.err);
    assert!(ran.err.contains("warning: never, ") && ran.err.contains("unreachable"), "{}", ran.err);
    assert!(ran.out.contains("1 done, 0 done before, 1 failed, 0 left"), "{}", ran.out);

    let told = status(&sweep);
    assert_eq!((&told["done"], told["failed"].as_array().unwrap().len()), (&Value::from(1), 1));
    assert!(told["failed"][0]["why"].as_str().unwrap().contains("unreachable"), "{told}");
    let human = genmorph(&["sweep", "status", &sweep]);
    assert_eq!(human.code, Some(4));
    assert!(human.out.starts_with("2 units: 1 done, 1 failed, 0 missing\n"), "{}", human.out);

    // Once is enough, unless somebody asks.
    let again = genmorph(&["sweep", "run", &sweep]);
    assert!(again.out.contains("0 done, 1 done before, 1 failed"), "{}", again.out);
    assert_eq!(again.err, "");
    let retried = genmorph(&["sweep", "run", &sweep, "--retry-failed"]);
    assert!(retried.err.contains("unreachable"), "{}", retried.err);
    let merge = genmorph(&["sweep", "merge", &sweep]);
    assert_eq!(merge.code, Some(4));
    assert!(merge.err.contains("1 units failed"), "{}", merge.err);
    assert!(!merge.out.starts_with("0 relations"), "{}", merge.out);
}

#[test]
fn a_damaged_result_is_noticed_and_done_again() {
    let scratch = Folder::of("sweep-damaged");
    let sweep = planned(&scratch, "sweep", "1");
    assert_eq!(genmorph(&["sweep", "run", &sweep]).code, Some(0));
    let expected = merged(&sweep);
    let files = results(&sweep);
    let good = fs::read_to_string(&files[0]).unwrap();
    fs::write(&files[0], good.replacen("\"size\":", "\"size\":1", 1)).unwrap();
    fs::write(&files[1], "").unwrap();
    let told = status(&sweep);
    assert_eq!((&told["done"], told["damaged"].as_array().unwrap().len()), (&Value::from(0), 2));
    assert!(refuses(&["sweep", "merge", &sweep]).contains("2 of 2 units have no result"));
    let ran = genmorph(&["sweep", "run", &sweep]);
    assert!(ran.err.contains("digest does not match its content"), "{}", ran.err);
    assert_eq!(fs::read_to_string(&files[0]).unwrap(), good);
    assert!(merged(&sweep) == expected);
}

#[test]
fn what_is_not_of_the_sweep_is_refused() {
    let scratch = Folder::of("sweep-foreign");
    let sweep = planned(&scratch, "sweep", "1");
    let other = planned(&scratch, "other", "2");
    assert_eq!(genmorph(&["sweep", "run", &sweep, "--shard", "1/2"]).code, Some(0));

    let nothing = refuses(&["sweep", "run", &scratch.at("nothing")]);
    assert!(
        nothing.contains("there is no sweep in") && nothing.contains("sweep plan"),
        "{nothing}"
    );
    for shard in ["3/2", "0/2"] {
        let beyond = refuses(&["sweep", "run", &sweep, "--shard", shard]);
        assert!(beyond.contains("counted from 1 to 2"), "{beyond}");
    }
    let foreign = format!("{sweep}/results");
    for args in [
        &["sweep", "run", &other, "--results", &foreign][..],
        &["sweep", "status", &other, "--results", &foreign],
        &["sweep", "merge", &other, "--results", &foreign],
    ] {
        assert!(refuses(args).contains("contains results of another sweep"), "{args:?}");
    }
    let again = refuses(&[&["sweep", "plan", "-o", &sweep][..], &SMALL].concat());
    assert!(again.contains("has a manifest already, of another sweep"), "{again}");
    // The same plan again changes nothing.
    planned(&scratch, "sweep", "1");

    let manifest = scratch.path().join("sweep/manifest.json");
    let text = fs::read_to_string(&manifest).unwrap();
    fs::write(&manifest, text.replacen("\"fresh\":500", "\"fresh\":5", 1)).unwrap();
    assert!(refuses(&["sweep", "run", &sweep]).contains("was changed after planning"));
    fs::write(&manifest, text.replacen("\"tool\":\"", "\"tool\":\"9.", 1)).unwrap();
    assert!(refuses(&["sweep", "run", &sweep]).contains("planned by genmorph 9."));
    fs::write(&manifest, text).unwrap();

    scratch.write("twice/twice.wat", TWICE.replace("i32.const 1 i32.add", "i32.const 3 i32.add"));
    let changed = refuses(&["sweep", "run", &sweep]);
    assert!(changed.contains("twice has changed since the sweep was planned"), "{changed}");
}

#[test]
fn what_was_merged_is_not_replaced_silently() {
    let scratch = Folder::of("sweep-merged");
    let sweep = planned(&scratch, "sweep", "1");
    assert_eq!(genmorph(&["sweep", "run", &sweep, "--shard", "1/2"]).code, Some(0));
    let partial = genmorph(&["sweep", "merge", &sweep, "--partial"]);
    assert_eq!(partial.code, Some(4), "{}", partial.err);
    assert!(partial.err.contains("1 units have no result"), "{}", partial.err);
    assert_eq!(genmorph(&["sweep", "run", &sweep]).code, Some(0));
    let refused = refuses(&["sweep", "merge", &sweep]);
    assert!(
        refused.contains("exists with other content") && refused.contains("--force"),
        "{refused}"
    );
    succeeds(&["sweep", "merge", &sweep, "--force"]);
    let all = merged(&sweep);
    // With timings it is one file, and another one.
    let whole = scratch.at("whole.sqlite");
    succeeds(&["sweep", "merge", &sweep, "-o", &whole, "--with-timings"]);
    let whole = fs::read(&whole).unwrap();
    assert!(whole != all && whole.windows(20).any(|part| part == b"CREATE TABLE timings"));
    assert!(scratch.path().join("sweep/sweep.timings.sqlite").is_file());
}

#[test]
fn job_schedulers_say_which_shard_a_task_has() {
    let scratch = Folder::of("sweep-array");
    let sweep = planned(&scratch, "sweep", "1-2");
    let run = |set: &[(&str, &str)], more: &[&str]| {
        let output = Command::new(env!("CARGO_BIN_EXE_genmorph"))
            .args(["sweep", "run", &sweep])
            .args(more)
            .envs(set.iter().copied())
            .output()
            .unwrap();
        let text = |bytes| String::from_utf8(bytes).unwrap();
        (output.status.code(), text(output.stdout), text(output.stderr))
    };
    let slurm = [
        ("SLURM_ARRAY_TASK_ID", "6"),
        ("SLURM_ARRAY_TASK_MIN", "5"),
        ("SLURM_ARRAY_TASK_MAX", "7"),
        ("SLURM_ARRAY_TASK_COUNT", "3"),
        ("SLURM_ARRAY_TASK_STEP", "1"),
    ];
    let (code, out, err) = run(&slurm, &[]);
    assert_eq!(code, Some(0), "{err}");
    assert!(out.contains("of shard 2/3: "), "{out}");
    let (code, out, _) = run(&[("JOB_COMPLETION_INDEX", "0")], &["--shards", "3"]);
    assert!(code == Some(0) && out.contains("of shard 1/3: "), "{out}");
    let (code, _, err) = run(&[("JOB_COMPLETION_INDEX", "3")], &["--shards", "3"]);
    assert!(code == Some(2) && err.contains("there is no shard 4 of 3"), "{err}");
    let (_, out, _) = run(&[("JOB_COMPLETION_INDEX", "1")], &["--shard", "3/3"]);
    assert!(out.contains("of shard 3/3: "), "{out}");
    assert_eq!(results(&sweep).len(), 4);

    let id = status(&sweep)["sweep"].as_str().unwrap().to_owned();
    assert!(refuses(&["sweep", "run", &sweep, "--unit", &id]).contains("the sweep has no unit"));
    let unit = results(&sweep)[0].file_stem().unwrap().to_str().unwrap()[..8].to_owned();
    let one = succeeds(&["sweep", "run", &sweep, "--unit", &unit]);
    assert!(
        one.starts_with(&format!("1 units of shard unit {unit}: 0 done, 1 done before")),
        "{one}"
    );
}

#[test]
fn a_plan_is_over_all_combinations_in_one_order() {
    let scratch = Folder::of("sweep-plan");
    let subject = crate::folder::subject("pow/subject.toml");
    let plan = |name: &str, more: &[&str]| {
        let folder = scratch.at(name);
        let args = ["sweep", "plan", &subject, "-o", &folder, "--seeds", "7,3"];
        let out = succeeds(&[&args[..], more].concat());
        (out, fs::read_to_string(format!("{folder}/manifest.json")).unwrap())
    };
    let vary = ["--vary", "generations=5,10", "--vary", "algorithm=usual,paper"];
    let (out, manifest) = plan("vary", &[&["--transformations", "3"], &vary[..]].concat());
    assert!(out.starts_with("24 units: 1 subjects, 2 seeds, 4 settings\n"), "{out}");
    let read: Value = serde_json::from_str(&manifest).unwrap();
    let names: Vec<&str> =
        read["settings"].as_array().unwrap().iter().map(|s| s["name"].as_str().unwrap()).collect();
    assert_eq!(names[1], "generations=5 algorithm=paper");
    let seeds: Vec<u64> = read["units"]
        .as_array()
        .unwrap()
        .iter()
        .map(|unit| unit["seed"].as_u64().unwrap())
        .collect();
    assert_eq!(seeds[..7], [7, 7, 7, 3, 3, 3, 7]);

    let listed = succeeds(&["generate", &subject, "--list-transformations"]).lines().count();
    let (out, _) = plan("all", &["--transformations", "all"]);
    assert!(out.starts_with(&format!("{} units", 2 * listed)), "{out}");
    let (out, _) = plan("named", &["--transformation", "NumericAddition(-1) on e"]);
    assert!(out.starts_with("2 units"), "{out}");

    let refused = |more: &[&str]| {
        let no = scratch.at("no");
        let error = refuses(&[&["sweep", "plan", &subject, "-o", &no][..], more].concat());
        assert!(!Path::new(&no).exists());
        error
    };
    assert!(
        refused(&["--transformation", "SequenceFlip on k"]).contains("no transformation fits pow")
    );
    assert!(refused(&["--vary", "colour=red"]).contains("there is no setting `colour`"));
    assert!(refused(&["--population", "3"]).contains("`population` is 3"));
    assert!(refused(&["--seeds", "5-1"]).contains("write 1-5"));
    assert!(refused(&[&subject]).contains("occurs twice"));
    assert!(refused(&["nowhere.toml"]).contains("cannot read nowhere.toml"));
    assert!(refused(&["--transformations", "0"]).contains("a number from 1, or `all`"));
}

#[test]
fn scripts_for_slurm_are_written_and_only_submitted_where_there_is_slurm() {
    let scratch = Folder::of("sweep-submit");
    let sweep = planned(&scratch, "sweep", "1-3");
    let out = succeeds(&["sweep", "submit", "slurm", &sweep, "--tasks", "100", "--dry-run"]);
    assert!(out.starts_with("6 units in 6 tasks; to submit:\n"), "{out}");
    let array = fs::read_to_string(format!("{sweep}/slurm/array.sh")).unwrap();
    assert!(array.contains("#SBATCH --array=0-5\n"), "{array}");
    let checked = Command::new("bash").args(["-n", &format!("{sweep}/slurm/array.sh")]).status();
    assert!(checked.unwrap().success());
    let output = Command::new(env!("CARGO_BIN_EXE_genmorph"))
        .args(["sweep", "submit", "slurm", &sweep])
        .env("PATH", "")
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8(output.stderr).unwrap().contains("cannot run sbatch"));
}

#[test]
fn the_example_for_kubernetes_does_what_it_says() {
    let scratch = Folder::of("sweep-kubernetes");
    let sweep = planned(&scratch, "sweep", "1-2");
    let contract = include_str!("../src/sweep/README.md");
    let args = contract.lines().find_map(|line| line.trim().strip_prefix("args: [\""));
    let command = args.and_then(|args| args.strip_suffix("\"]")).expect("it has arguments");
    let command = command.replace("/data/sweep", &sweep);
    let completions =
        contract.lines().find_map(|line| line.trim().strip_prefix("completions: ")).unwrap();
    let completions: usize = completions.split_whitespace().next().unwrap().parse().unwrap();
    let folder = Path::new(env!("CARGO_BIN_EXE_genmorph")).parent().unwrap();
    for index in 0..completions {
        let output = Command::new("sh")
            .args(["-c", &command])
            .env("PATH", format!("{}:{}", folder.display(), std::env::var("PATH").unwrap()))
            .env("JOB_COMPLETION_INDEX", index.to_string())
            .output()
            .unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }
    let alone = planned(&scratch, "alone", "1-2");
    assert_eq!(genmorph(&["sweep", "run", &alone]).code, Some(0));
    assert!(merged(&sweep) == merged(&alone));
}

#[test]
fn java_methods_are_swept_over_too() {
    let scratch = Folder::of("sweep-java");
    let source = scratch.write(
        "Twice.java",
        "public class Twice { public static int twice(int x) { return 2 * x + 1; } }",
    );
    let classes = scratch.at("classes");
    if !tools::runs("jdk", "javac", "-version") {
        return;
    }
    let compile = || Command::new("javac").args(["-g", "-d", &classes, &source]).status();
    assert!(compile().unwrap().success());
    let twice = scratch.write(
        "twice.toml",
        "java = \"Twice#twice(int)\"\nclasspath = [\"classes\"]\nparameters = [\"x\"]\n[domain]\nx = { range = [0, 40] }\n",
    );
    let sweep = scratch.at("sweep");
    let plan = ["sweep", "plan", &twice, "-o", &sweep, "--transformations", "2"];
    succeeds(&[&plan[..], &SMALL].concat());
    let ran = genmorph(&["sweep", "run", &sweep, "--shard", "1/2"]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert_eq!(ran.out, "1 units of shard 1/2: 1 done, 0 done before, 0 failed, 0 left\n");
    // A class is a part of what a subject is.
    fs::write(&source, fs::read_to_string(&source).unwrap().replace("+ 1", "+ 3")).unwrap();
    assert!(compile().unwrap().success());
    let changed = refuses(&["sweep", "run", &sweep]);
    assert!(changed.contains("twice has changed since the sweep was planned"), "{changed}");
}

/// What a run of the command found for a unit.
fn found(sweep: &str) -> (Manifest, Box<UnitReport>) {
    let path = Path::new(sweep);
    let manifest = Manifest::read(path).unwrap();
    let folder = sweep::Folder::open(&path.join("results"), &manifest).unwrap();
    match folder.stored(manifest.units[0].id).unwrap() {
        UnitState::Result(record) => match record.outcome {
            Outcome::Done(done) => (manifest, done),
            Outcome::Failed(why) => panic!("{why}"),
        },
        other => panic!("{other:?}"),
    }
}

#[test]
fn other_work_than_generate_may_say_more() {
    let scratch = Folder::of("sweep-more");
    let usual = planned(&scratch, "usual", "1");
    assert_eq!(genmorph(&["sweep", "run", &usual]).code, Some(0));
    let (planned, done) = found(&usual);
    let manifest = Manifest::new(Axes {
        work: "experiment".to_owned(),
        subjects: vec![(planned.subjects[0].clone(), vec!["NumericAddition(1) on x".to_owned()])],
        settings: planned.settings.clone(),
        seeds: vec![1, 2, 3, 4],
    })
    .unwrap();
    assert_ne!(manifest.units[0].id, planned.units[0].id);

    let worker = Worker { host: "here".to_owned(), process: 1, shard: "1/1".to_owned(), job: None };
    let results = scratch.path().join("results");
    let folder = sweep::Folder::create(&results, &manifest, &worker).unwrap();
    let units: Vec<_> = manifest.units.iter().collect();
    let task = Task { folder: &folder, units: &units, worker: &worker, failed: FailedUnits::Skip };
    let mut began = 0;
    let tally = sweep::run::<sweep::SweepError>(
        &task,
        &|| false,
        &mut |unit| {
            if unit.seed == 3 {
                return Ok(WorkOutcome::Failed("odd".to_owned()));
            }
            let mut done = done.clone();
            done.more.insert("suites".to_owned(), serde_json::json!({ "seed": unit.seed }));
            Ok(WorkOutcome::Done(done))
        },
        &mut |event| began += usize::from(matches!(event, Event::Began(_))),
    );
    assert_eq!(tally.unwrap(), Tally { done: 3, failed: 1, ..Tally::default() });
    assert_eq!(began, 4);
    let folders = [folder];
    assert_eq!(Status::of(&manifest, &folders).unwrap().done, 3);

    let merging = MergeSettings {
        missing: MissingUnits::Refuse,
        timings: Timings::Within,
        existing: ExistingFile::Refuse,
    };
    let database = scratch.path().join("all.sqlite");
    let merged = sweep::to_sqlite(&manifest, &folders, &database, &merging).unwrap();
    assert_eq!((merged.done, merged.failed, merged.missing), (3, 1, 0));
    let database = rusqlite::Connection::open(&database).unwrap();
    let ask = |query: &str| -> String { database.query_row(query, [], |row| row.get(0)).unwrap() };
    assert_eq!(ask("PRAGMA integrity_check"), "ok");
    assert_eq!(ask("SELECT 'broken: ' || count(*) FROM pragma_foreign_key_check"), "broken: 0");
    assert_eq!(ask("SELECT group_concat(json) FROM more"), r#"{"seed":1},{"seed":2},{"seed":4}"#);
    assert_eq!(ask("SELECT value FROM provenance WHERE name = 'work'"), "experiment");
    assert_eq!(ask("SELECT why FROM units WHERE state = 'failed'"), "odd");
    assert_eq!(ask("SELECT group_concat(ended) FROM timings"), "done,done,failed,done");
    let kills = ask(
        "SELECT group_concat(DISTINCT counted = training_kills + judging_kills) FROM relations
         JOIN (SELECT relation, count(*) AS counted FROM kills GROUP BY relation) USING (relation)",
    );
    assert_eq!(kills, "1");

    let tables = scratch.path().join("tables");
    sweep::to_parquet(&manifest, &folders, &tables, &merging).unwrap();
    for table in ["provenance", "subjects", "settings", "units", "relations", "kills", "more"] {
        let file = fs::File::open(tables.join(format!("{table}.parquet"))).unwrap();
        let rows = SerializedFileReader::new(file).unwrap().metadata().file_metadata().num_rows();
        assert_eq!(
            ask(&format!("SELECT '' || count(*) FROM {table}")),
            rows.to_string(),
            "{table}"
        );
    }
    // The command does not mistake it for a sweep of its own.
    scratch.write("manifest.json", manifest.text());
    let refused = refuses(&["sweep", "run", scratch.path().to_str().unwrap()]);
    assert!(refused.contains("for `experiment`"), "{refused}");
}
