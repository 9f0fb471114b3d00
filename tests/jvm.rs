//! Java methods in real JVMs: what comes back, and what methods do to workers.
//!
//! Without a JDK every test is skipped.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;
use std::time::Duration;

use genmorph::assess::{Assessment, Claim, Trial, Verdict};
use genmorph::jit::{Tolerance, Value};
use genmorph::subject::jvm::{
    self, JavaDefinition, JavaSpec, Jdk, JvmError, JvmSubject, Repositories, Runtime,
};
use genmorph::subject::{
    Deadline, Domain, Group, Inputs, Outcome, Outcomes, Steadiness, Subject, Thrown, Type, Version,
};
use genmorph::support::threads::Jobs;

use crate::jdk::jdk;
use crate::wait;

/// What tests share: a runtime, and a folder with compiled classes.
struct Java {
    runtime: Runtime,
    classes: PathBuf,
}

/// The JDK of this machine, if there is one.
fn java() -> Option<&'static Java> {
    static JAVA: OnceLock<Java> = OnceLock::new();
    let jdk = jdk()?;
    let java = JAVA.get_or_init(|| {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let cache = root.join("target/jvm-cache");
        let mut runtime = Runtime::new(jdk.clone(), cache.clone(), 2);
        // Where a call is to hang, a test has less patience; elsewhere a busy machine is no hang.
        runtime.patience = Duration::from_secs(20);
        let harness = jvm::install_harness(&runtime.jdk, &cache).unwrap();
        let classes = compiled(root, &runtime.jdk, &harness);
        Java { runtime, classes }
    });
    Some(java)
}

/// The folder with the classes that tests run, compiled if that has not been done before.
fn compiled(root: &Path, jdk: &Jdk, harness: &Path) -> PathBuf {
    let sources = ["Calls.java", "Initialisers.java"].map(|name| root.join("tests/jvm").join(name));
    let mut hasher = DefaultHasher::new();
    harness.hash(&mut hasher);
    sources.iter().for_each(|source| fs::read(source).unwrap().hash(&mut hasher));
    let classes = root.join(format!("target/jvm-classes-{:016x}", hasher.finish()));
    if classes.is_dir() {
        return classes;
    }
    let beside = root.join(format!("target/jvm-classes-{}", std::process::id()));
    fs::create_dir_all(&beside).unwrap();
    let output = Command::new(&jdk.javac)
        .args(["--release", "17", "-g", "-cp"])
        .arg(harness)
        .arg("-d")
        .arg(&beside)
        .args(sources)
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    fs::remove_file(beside.join("t/Absent.class")).unwrap();
    if fs::rename(&beside, &classes).is_err() {
        // Another process was faster.
        fs::remove_dir_all(&beside).unwrap();
    }
    classes
}

/// The repositories of this machine; what they do not have is fetched into target/.
fn repositories() -> Repositories {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let mvn = std::env::split_paths(&path).map(|folder| folder.join("mvn")).find(|p| p.is_file());
    let home = std::env::var_os("HOME").map(PathBuf::from);
    let jars = Path::new(env!("CARGO_MANIFEST_DIR")).join("target/jvm-jars");
    Repositories::usual(home.as_deref(), mvn, jars)
}

/// The definitions of the paper's subjects, in order.
fn paper() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/subjects/paper");
    let mut files: Vec<_> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files
}

fn spec(java: &Java, method: &str) -> JavaSpec {
    JavaSpec {
        method: method.parse().unwrap(),
        classpath: vec![java.classes.clone()],
        names: None,
        changed: None,
        domains: BTreeMap::new(),
    }
}

fn subject(java: &Java, method: &str) -> JvmSubject {
    JvmSubject::new(&spec(java, &format!("t.Calls#{method}")), &java.runtime).unwrap()
}

fn refused(java: &Java, method: &str) -> String {
    JvmSubject::new(&spec(java, method), &java.runtime).unwrap_err().to_string()
}

fn number(value: f64) -> Value<'static> {
    Value::Num(value)
}

fn numbers(values: &[f64]) -> Value<'static> {
    Value::Seq(values.to_vec().into())
}

fn text(text: &str) -> Value<'static> {
    Value::Seq(text.chars().map(|c| f64::from(u32::from(c))).collect::<Vec<_>>().into())
}

fn run(subject: &JvmSubject, rows: &[Vec<Value<'static>>]) -> Outcomes {
    let inputs = Inputs::from_rows(subject.signature(), rows.iter().map(Vec::as_slice));
    subject.run(Version::Original, &inputs).unwrap()
}

/// The outcomes of an int method on ints.
fn on_ints(subject: &JvmSubject, inputs: &[i32]) -> Vec<Outcome> {
    let rows: Vec<_> = inputs.iter().map(|i| vec![number(f64::from(*i))]).collect();
    run(subject, &rows).outcomes().to_vec()
}

fn threw(name: &str) -> Outcome {
    Outcome::Threw(Thrown::new(name))
}

#[test]
fn values_of_all_types_go_there_and_come_back() {
    let Some(java) = java() else { return };
    let flag = Value::Bool;
    let nan = f64::from_bits(0x7ff8_0000_0000_1234);
    let cases: Vec<(&str, Vec<Value<'static>>)> = vec![
        ("ofBoxedBoolean", vec![flag(true), flag(false)]),
        ("ofByte", [-128., 0., 127.].map(number).to_vec()),
        ("ofShort", [-32_768., -1., 32_767.].map(number).to_vec()),
        ("ofChar", [0., 97., 255., 256., 65_535.].map(number).to_vec()),
        ("ofCharacter", [97., 8364.].map(number).to_vec()),
        ("ofInt", [-2_147_483_648., -1., 0., 2_147_483_647.].map(number).to_vec()),
        ("ofInteger", [-1., 1_000_000.].map(number).to_vec()),
        ("ofLong", [-9_007_199_254_740_992., -1., 9_007_199_254_740_992.].map(number).to_vec()),
        ("ofFloat", [0.5, -0.0, f64::INFINITY, f64::from(f32::MAX)].map(number).to_vec()),
        ("ofDouble", [0.1, -0.0, f64::MAX, f64::MIN_POSITIVE, nan].map(number).to_vec()),
        ("ofBoxedDouble", [0.1, -7.0].map(number).to_vec()),
        ("ofString", ["", "a", "äöü€", "😀 and \0"].map(text).to_vec()),
        ("ofChars", ["", "abc"].map(text).to_vec()),
        ("ofBooleans", vec![numbers(&[]), numbers(&[1., 0., 1.])]),
        ("ofBytes", vec![numbers(&[]), numbers(&[-128., 127.])]),
        ("ofShorts", vec![numbers(&[-5.]), numbers(&[32_767., 0.])]),
        ("ofCharArray", ["", "a€"].map(text).to_vec()),
        ("ofInts", vec![numbers(&[]), numbers(&[1., -2_147_483_648.]), numbers(&[3.])]),
        ("ofLongs", vec![numbers(&[1e15, -1.])]),
        ("ofFloats", vec![numbers(&[0.25, f64::NEG_INFINITY])]),
        ("ofDoubles", vec![numbers(&[0.1, -0.0]), numbers(&[])]),
        ("ofIntegers", vec![numbers(&[]), numbers(&[5., -6.])]),
        ("ofDoubleList", vec![numbers(&[0.1]), numbers(&[])]),
        ("ofCharacters", vec![text("ab"), text("")]),
    ];
    for (method, values) in cases {
        let subject = subject(java, method);
        let rows: Vec<_> = values.iter().map(|value| vec![value.clone()]).collect();
        let outcomes = run(&subject, &rows);
        for (row, value) in values.iter().enumerate() {
            assert_eq!(outcomes.outcomes()[row], Outcome::Returned, "{method} {value:?}");
            let got = outcomes.row(row).next().unwrap();
            // Bits, so that NaN and -0 count.
            assert_eq!(format!("{got:?}"), format!("{value:?}"), "{method}");
            if let (Value::Num(got), Value::Num(value)) = (&got, value) {
                assert_eq!(got.to_bits(), value.to_bits(), "{method}");
            }
        }
    }
    let outcomes = run(&subject(java, "not"), &[vec![flag(true)], vec![flag(false)]]);
    let got: Vec<_> = (0..2).map(|row| outcomes.row(row).next().unwrap()).collect();
    assert_eq!(got, [flag(false), flag(true)]);
}

#[test]
fn texts_are_utf_16_in_java_and_characters_here() {
    let Some(java) = java() else { return };
    let outcomes = run(&subject(java, "length"), &[vec![text("a😀")]]);
    assert_eq!(outcomes.row(0).collect::<Vec<_>>(), [number(3.0)]);
    // Half of a pair is no text.
    let outcomes = run(&subject(java, "half"), &[vec![text("😀")], vec![text("abcd")]]);
    assert_eq!(outcomes.outcomes(), [Outcome::BadOutput, Outcome::Returned]);
    assert_eq!(outcomes.row(1).collect::<Vec<_>>(), [text("ab")]);
}

#[test]
fn texts_in_arrays_and_lists_have_numbers() {
    let Some(java) = java() else { return };
    let texts = subject(java, "texts");
    let place = |text: &str| texts.texts().iter().position(|known| known == text).unwrap() as f64;
    assert_eq!((place(""), texts.texts().contains(&"of nobody".to_owned())), (0.0, true));
    let outcomes = run(&texts, &[vec![numbers(&[place("ab"), 0.0])], vec![numbers(&[])]]);
    let more = [place("ab"), 0.0, place("of nobody"), -1.0];
    assert_eq!(outcomes.row(0).collect::<Vec<_>>(), [numbers(&more)]);
    let list = subject(java, "textList");
    let outcomes = run(&list, &[vec![numbers(&[3.0, 1.0, 2.0])]]);
    assert_eq!(outcomes.row(0).collect::<Vec<_>>(), [numbers(&[2.0, 1.0, 3.0])]);
    let Domain { range, .. } = list.signature().parameters[0].domain;
    assert_eq!(range, Some((0.0, list.texts().len() as f64 - 1.0)));
}

#[test]
fn null_reaches_branches_that_no_input_does() {
    let Some(java) = java() else { return };
    let subject = subject(java, "maybe");
    let row = [text("ab"), numbers(&[1.0])];
    let inputs = Inputs::from_rows(subject.signature(), [row.as_slice()]);
    let taken = |traces: &genmorph::subject::Traces| {
        let sides = |row: usize| traces.hits(row).iter().map(|hits| usize::from(*hits > 0));
        let all = (0..traces.outcomes.len()).map(|row| sides(row).collect::<Vec<_>>());
        all.fold(vec![0; traces.sides], |a, b| a.iter().zip(b).map(|(a, b)| a | b).collect())
    };
    assert_eq!(taken(&subject.trace(&inputs).unwrap()).iter().sum::<usize>(), 1);
    let asides = subject.asides(&inputs, Deadline::never()).unwrap().unwrap();
    assert_eq!(taken(&asides), [1, 1, 1, 1]);
    assert!(asides.outcomes.outcomes().iter().all(|outcome| *outcome == Outcome::Returned));
}

#[test]
fn null_is_no_value() {
    let Some(java) = java() else { return };
    let outcomes = on_ints(&subject(java, "nothing"), &[0, 1]);
    assert_eq!(outcomes, [Outcome::BadOutput, Outcome::Returned]);
}

#[test]
fn private_methods_can_be_reached() {
    let Some(java) = java() else { return };
    let outcomes = run(&subject(java, "hidden"), &[vec![number(41.0)]]);
    assert_eq!(outcomes.row(0).collect::<Vec<_>>(), [number(42.0)]);
}

#[test]
fn an_array_that_is_changed_in_place_is_an_output() {
    let Some(java) = java() else { return };
    let reverse = subject(java, "reverse");
    let names: Vec<String> = reverse.signature().outputs().into_iter().map(|(n, _)| n).collect();
    assert_eq!(names, ["a_after"]);
    let outcomes = run(
        &reverse,
        &[
            vec![numbers(&[1., 2., 3.]), number(0.)],
            vec![numbers(&[1., 2., 3.]), number(-1.)],
            vec![numbers(&[]), number(0.)],
        ],
    );
    assert_eq!(outcomes.row(0).collect::<Vec<_>>(), [numbers(&[3., 2., 1.])]);
    assert_eq!(outcomes.outcomes()[1], threw("java.lang.ArrayIndexOutOfBoundsException"));
    assert_eq!(outcomes.row(2).collect::<Vec<_>>(), [numbers(&[])]);
    let outcomes = run(&subject(java, "sortList"), &[vec![numbers(&[3., 1., 2.])]]);
    assert_eq!(outcomes.row(0).collect::<Vec<_>>(), [numbers(&[1., 2., 3.])]);
    // Of a method that returns something, only if that is asked for.
    let mut both = spec(java, "t.Calls#sumAndClear");
    both.changed = Some(vec!["a".to_owned()]);
    let both = JvmSubject::new(&both, &java.runtime).unwrap();
    let outcomes = run(&both, &[vec![numbers(&[1., 2.])]]);
    assert_eq!(outcomes.row(0).collect::<Vec<_>>(), [number(3.), numbers(&[0., 0.])]);
}

#[test]
fn exceptions_are_outcomes_with_their_class() {
    let Some(java) = java() else { return };
    let rows = [[7., 2.], [1., 0.], [9., 3.]].map(|row| row.map(number).to_vec());
    let outcomes = run(&subject(java, "divide"), &rows);
    let expected = [Outcome::Returned, threw("java.lang.ArithmeticException"), Outcome::Returned];
    assert_eq!(outcomes.outcomes(), expected);
    assert_eq!(outcomes.row(2).collect::<Vec<_>>(), [number(3.0)]);
    assert_eq!(on_ints(&subject(java, "own"), &[1]), [threw("t.Calls$Broken")]);
    assert_eq!(threw("x.Y").to_string(), "threw x.Y");
}

#[test]
fn a_loop_runs_out_of_fuel_even_if_it_catches_everything() {
    let Some(java) = java() else { return };
    let outcomes = on_ints(&subject(java, "loop"), &[1, -1, 2]);
    assert_eq!(outcomes, [Outcome::Returned, Outcome::OutOfFuel, Outcome::Returned]);
    let outcomes = on_ints(&subject(java, "stubborn"), &[1, -1, -2, 2]);
    let fuel = Outcome::OutOfFuel;
    assert_eq!(outcomes, [Outcome::Returned, fuel, fuel, Outcome::Returned]);
}

#[test]
fn deep_recursion_and_a_full_heap_are_outcomes() {
    let Some(java) = java() else { return };
    let outcomes = on_ints(&subject(java, "descend"), &[10, 10_000_000, 20]);
    assert!(matches!(outcomes[1], Outcome::OutOfStack | Outcome::OutOfFuel), "{outcomes:?}");
    assert_eq!([outcomes[0], outcomes[2]], [Outcome::Returned; 2]);
    let outcomes = on_ints(&subject(java, "fill"), &[1, -1, 2]);
    assert!(matches!(outcomes[1], Outcome::OutOfMemory | Outcome::OutOfFuel), "{outcomes:?}");
    assert_eq!([outcomes[0], outcomes[2]], [Outcome::Returned; 2]);
    let outcomes = on_ints(&subject(java, "large"), &[65_536, 65_537, 5]);
    assert_eq!(outcomes, [Outcome::Returned, Outcome::OutOfMemory, Outcome::Returned]);
}

#[test]
fn the_end_of_the_process_is_the_outcome_of_one_row() {
    let Some(java) = java() else { return };
    for method in ["exit", "halt"] {
        let inputs: Vec<i32> = (0..40).map(|i| if i == 17 { 3 } else { 100 + i }).collect();
        let outcomes = on_ints(&subject(java, method), &inputs);
        for (row, outcome) in outcomes.iter().enumerate() {
            let expected = if row == 17 { Outcome::Exited } else { Outcome::Returned };
            assert_eq!(*outcome, expected, "{method} {row}");
        }
    }
}

#[cfg(unix)]
#[test]
fn a_worker_that_cannot_be_started_any_more_is_an_error_and_no_crash() {
    use std::os::unix::fs::PermissionsExt;
    let Some(java) = java() else { return };
    let mut runtime = java.runtime.clone();
    let script = Path::new(env!("CARGO_TARGET_TMPDIR")).join("vanishing-java");
    fs::write(&script, format!("#!/bin/sh\nexec '{}' \"$@\"\n", runtime.jdk.java.display()))
        .unwrap();
    fs::set_permissions(&script, fs::Permissions::from_mode(0o755)).unwrap();
    runtime.jdk.java = script.clone();
    let subject = JvmSubject::new(&spec(java, "t.Calls#threads"), &runtime).unwrap();
    assert_eq!(on_ints(&subject, &[100]), [Outcome::Returned]);
    fs::remove_file(&script).unwrap();
    let inputs = Inputs::from_rows(subject.signature(), [[number(3.0)].as_slice()]);
    // The first row leaves threads behind, which ends the only worker that there is; the second needs another one.
    let rows = Inputs::from_rows(
        subject.signature(),
        [[number(3.0)].as_slice(), [number(100.0)].as_slice()],
    );
    let failure = subject.run(Version::Original, &rows).unwrap_err();
    assert!(failure.to_string().contains(&script.display().to_string()), "{failure}");
    assert!(failure.to_string().contains("cannot start another worker process"), "{failure}");
    assert!(subject.trace(&inputs).is_err());
}

#[test]
fn a_call_that_waits_in_the_jdk_hangs_and_the_others_return() {
    let Some(java) = java() else { return };
    let inputs: Vec<i32> = (0..40).map(|i| if i == 30 { 3 } else { 100 + i }).collect();
    let mut runtime = java.runtime.clone();
    runtime.patience = Duration::from_secs(2);
    let stuck = JvmSubject::new(&spec(java, "t.Calls#stuck"), &runtime).unwrap();
    let outcomes = on_ints(&stuck, &inputs);
    for (row, outcome) in outcomes.iter().enumerate() {
        let expected = if row == 30 { Outcome::Hung } else { Outcome::Returned };
        assert_eq!(*outcome, expected, "{row}");
    }
}

#[test]
fn threads_that_are_left_running_are_an_outcome() {
    let Some(java) = java() else { return };
    let outcomes = on_ints(&subject(java, "threads"), &[1, 3, 2]);
    assert_eq!(outcomes, [Outcome::Returned, Outcome::Crashed, Outcome::Returned]);
}

#[test]
fn floods_of_output_go_nowhere() {
    let Some(java) = java() else { return };
    let rows: Vec<_> = (0..50).map(|i| vec![number(f64::from(i))]).collect();
    let outcomes = run(&subject(java, "flood"), &rows);
    for row in 0..50 {
        assert_eq!(outcomes.row(row).collect::<Vec<_>>(), [number(row as f64)]);
    }
}

#[test]
fn what_a_method_remembers_shows_when_rows_come_in_another_order() {
    let Some(java) = java() else { return };
    let of = |method: &str| {
        let subject = subject(java, method);
        let rows: Vec<_> = (0..20).map(|i| vec![number(f64::from(i))]).collect();
        let inputs = Inputs::from_rows(subject.signature(), rows.iter().map(Vec::as_slice));
        subject.steadiness(&inputs, Deadline::never()).unwrap()
    };
    assert_eq!(of("ofInt"), Steadiness::Steady);
    assert_eq!(of("counts"), Steadiness::Remembers(0));
    assert!(matches!(of("random"), Steadiness::Unsteady(_)));
}

#[test]
fn fuel_does_not_depend_on_who_was_first_to_need_a_class() {
    let Some(java) = java() else { return };
    let fuel = |inputs: &[f64]| {
        let rows: Vec<_> = inputs.iter().map(|i| vec![number(*i)]).collect();
        run(&subject(java, "lazy"), &rows).fuel().to_vec()
    };
    let (forwards, backwards) = (fuel(&[0., 1., 2.]), fuel(&[2., 1., 0.]));
    assert_eq!(forwards, backwards.iter().rev().copied().collect::<Vec<_>>());
    assert!(forwards[1] < 100, "{forwards:?}");
}

#[test]
fn many_rows_go_in_several_batches() {
    let Some(java) = java() else { return };
    let subject = subject(java, "ofString");
    let rows: Vec<_> = (0..25_001).map(|i| vec![text(&format!("row {i}"))]).collect();
    let outcomes = run(&subject, &rows);
    assert_eq!(outcomes.len(), rows.len());
    for (row, expected) in rows.iter().enumerate() {
        assert_eq!(outcomes.row(row).collect::<Vec<_>>(), *expected);
    }
    // Results that do not fit into a frame come in several.
    let large = |_| vec![numbers(&vec![1.0; 60_000])];
    let rows: Vec<_> = (0..200).map(large).collect();
    let outcomes = run(&self::subject(java, "ofInts"), &rows);
    assert!((0..200).all(|row| outcomes.row(row).collect::<Vec<_>>() == rows[row]));
}

#[test]
fn threads_share_a_subject() {
    let Some(java) = java() else { return };
    let subject = subject(java, "ofInt");
    let run = |start: i32| {
        let rows: Vec<_> = (start..start + 500).map(|i| vec![number(f64::from(i))]).collect();
        let outcomes = run(&subject, &rows);
        (0..500).all(|row| outcomes.row(row).collect::<Vec<_>>() == rows[row])
    };
    std::thread::scope(|scope| {
        let runs: Vec<_> = (0..4).map(|i| scope.spawn(move || run(1_000 * i))).collect();
        assert!(runs.into_iter().all(|run| run.join().unwrap()));
    });
}

#[test]
fn initialisers_that_fail_or_do_not_end_are_named() {
    let Some(java) = java() else { return };
    let error = refused(java, "t.Fails#f");
    assert!(error.contains("t.Fails cannot be loaded"), "{error}");
    assert!(error.contains("java.lang.ArithmeticException"), "{error}");
    for (class, what) in [
        ("Loops", "its static initialiser does not end"),
        ("Waits", "its static initialiser does not end"),
        ("Leaves", "its static initialiser ends the process"),
    ] {
        let error = refused(java, &format!("t.{class}#f"));
        assert!(error.contains(what), "{class}: {error}");
    }
    let error = refused(java, "t.Orphan#f");
    assert!(error.contains("needs the class t.Absent"), "{error}");
}

#[test]
fn classes_that_only_other_methods_need_may_be_missing() {
    let Some(java) = java() else { return };
    let subject = JvmSubject::new(&spec(java, "t.Misses#f"), &java.runtime).unwrap();
    assert_eq!(on_ints(&subject, &[1, 2]), [Outcome::Returned; 2]);
}

#[test]
fn a_class_that_a_call_needs_and_that_is_nowhere_ends_the_run_by_its_name() {
    let Some(java) = java() else { return };
    let subject = JvmSubject::new(&spec(java, "t.Needs#f"), &java.runtime).unwrap();
    assert_eq!(on_ints(&subject, &[1, 2]), [Outcome::Returned; 2]);
    let inputs = [vec![number(1.0)], vec![number(10.0)]];
    let inputs = Inputs::from_rows(subject.signature(), inputs.iter().map(Vec::as_slice));
    let failure = subject.run(Version::Original, &inputs).unwrap_err();
    assert!(failure.is_of_input());
    let expected =
        "t.Needs.f needs the class t.Absent, which is not on the class path; add its jar";
    assert!(failure.to_string().starts_with(expected), "{failure}");
}

#[test]
fn methods_that_are_not_there_are_answered_with_near_names() {
    let Some(java) = java() else { return };
    for (method, expected) in [
        ("t.Call#ofInt", "there is no class t.Call on the class path; did you mean t.Calls?"),
        ("u.v.Calls#ofInt", "did you mean t.Calls?"),
        ("t.Calls#ofInt(long)", "t.Calls has no method ofInt(long); did you mean ofInt(int)?"),
        ("t.Calls#devide", "did you mean divide(int, int)?"),
        (
            "t.Calls#over",
            "3 methods over: say which one of\n  over(int)\n  over(int, int)\n  over(String)",
        ),
        ("java.lang.Math#abs(int)", "java.lang.Math is part of the JDK"),
    ] {
        let error = refused(java, method);
        assert!(error.contains(expected), "{method}: {error}");
    }
}

#[test]
fn methods_that_cannot_be_subjects_are_refused_with_the_reason() {
    let Some(java) = java() else { return };
    for (method, expected) in [
        ("instance", "t.Calls.instance(int) is not static"),
        ("natively", "is native: there is no code"),
        ("map", "parameter 2 (`m`) is Map<String>, which is not supported"),
        (
            "nested",
            "parameter 1 (`a`) is int[][], which is not supported (relations know sequences of numbers",
        ),
        ("object", "the result is Object"),
        ("none", "takes nothing"),
        ("nowhere", "has no outputs"),
    ] {
        let error = refused(java, &format!("t.Calls#{method}"));
        assert!(error.contains(expected), "{method}: {error}");
    }
}

#[test]
fn jars_that_cannot_be_read_are_named() {
    let Some(java) = java() else { return };
    let broken = java.classes.join("broken.jar");
    fs::write(&broken, "this is no jar").unwrap();
    for (path, expected) in
        [(broken, "it is no jar that can be read"), (java.classes.join("none.jar"), "No such file")]
    {
        let mut spec = spec(java, "t.Calls#ofInt");
        spec.classpath = vec![path.clone()];
        let error = JvmSubject::new(&spec, &java.runtime).unwrap_err();
        assert!(matches!(&error, JvmError::ClassPath { path: named, .. } if *named == path));
        assert!(error.to_string().contains(expected), "{error}");
    }
}

/// A value for a parameter, from a few numbers and the domain.
fn value(ty: Type, domain: &Domain, i: usize) -> Value<'static> {
    let letters = domain.alphabet.clone().unwrap_or_else(|| vec!['a', 'B', ' ']);
    let (least, most) = domain.range.unwrap_or((-100.0, 100.0));
    let within = |i: usize| least + (i as f64 * 7.0) % (most - least + 1.0).max(1.0);
    let (shortest, longest) = (domain.min_len.unwrap_or(0), domain.max_len.unwrap_or(8));
    let length = shortest + i % (longest - shortest + 1);
    let letter = |i: usize| f64::from(u32::from(letters[i % letters.len()]));
    match ty {
        Type::Scalar(genmorph::subject::Scalar::Bool) => Value::Bool(i.is_multiple_of(2)),
        Type::Scalar(genmorph::subject::Scalar::Char) => number(letter(i)),
        Type::Scalar(_) => number(within(i)),
        Type::String => numbers(&(0..length).map(|k| letter(i * 3 + k * k)).collect::<Vec<_>>()),
        Type::List(genmorph::subject::Scalar::Bool) => {
            numbers(&(0..length).map(|k| ((i / (k + 1)) % 2) as f64).collect::<Vec<_>>())
        }
        Type::List(_) => numbers(&(0..length).map(|k| within(i * 5 + k * k)).collect::<Vec<_>>()),
    }
}

fn rows(subject: &JvmSubject, count: usize) -> Inputs {
    let mut inputs = Inputs::new(subject.signature());
    for i in 0..count {
        let parameters = subject.signature().parameters.iter().enumerate();
        let row: Vec<_> =
            parameters.map(|(k, p)| value(p.ty, &p.domain, i * (k + 1) + k)).collect();
        for (value, parameter) in row.iter().zip(&subject.signature().parameters) {
            assert!(parameter.admits(value), "{} {value:?}", parameter.name);
        }
        inputs.push(&row);
    }
    inputs
}

#[test]
fn all_subjects_of_the_paper_run_on_the_real_libraries() {
    let Some(java) = java() else { return };
    let files = paper();
    assert_eq!(files.len(), 23);
    for file in files {
        let definition = JavaDefinition::read(&file).unwrap();
        let spec = definition.resolve(&repositories()).unwrap();
        let subject = JvmSubject::new(&spec, &java.runtime).unwrap();
        let inputs = rows(&subject, 200);
        let outcomes = subject.run(Version::Original, &inputs).unwrap();
        let returned = (0..200).filter(|row| outcomes.is_returned(*row)).count();
        assert!(returned >= 40, "{}: {returned}", file.display());
        assert_eq!(
            subject.steadiness(&inputs, Deadline::never()).unwrap(),
            Steadiness::Steady,
            "{}",
            file.display()
        );
    }
}

#[test]
fn the_harness_is_compiled_once_and_repaired_when_damaged() {
    let Some(java) = java() else { return };
    let cache = java.classes.join("cache");
    let _ = fs::remove_dir_all(&cache);
    let install = || jvm::install_harness(&java.runtime.jdk, &cache).unwrap();
    let folders: Vec<PathBuf> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..3).map(|_| scope.spawn(install)).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    assert!(folders.iter().all(|folder| *folder == folders[0]));
    let class = folders[0].join("gm/Rt.class");
    let written = || fs::metadata(&class).unwrap().modified().unwrap();
    let before = written();
    install();
    assert_eq!(before, written());
    fs::remove_file(&class).unwrap();
    install();
    assert!(class.is_file());
    // Nothing else is left behind.
    assert_eq!(fs::read_dir(&cache).unwrap().count(), 1);
}

#[test]
fn a_java_that_is_none_is_quoted() {
    let Some(java) = java() else { return };
    let mut runtime = java.runtime.clone();
    runtime.jdk.java = "false".into();
    let error = JvmSubject::new(&spec(java, "t.Calls#ofInt"), &runtime).unwrap_err().to_string();
    assert!(error.contains("the Java worker did not start: false"), "{error}");
    assert!(error.contains("genmorph doctor"), "{error}");
}

#[test]
fn domains_that_do_not_fit_are_refused() {
    let Some(java) = java() else { return };
    let bad = |name: &str, domain: Domain| {
        let mut spec = spec(java, "t.Calls#over(String)");
        spec.domains.insert(name.to_owned(), domain);
        JvmSubject::new(&spec, &java.runtime).unwrap_err().to_string()
    };
    let error = bad("b", Domain::default());
    assert!(error.contains("there is no parameter `b`; there are a"), "{error}");
    let error = bad("a", Domain { range: Some((0.0, 1.0)), ..Domain::default() });
    assert!(error.contains("which has no range"), "{error}");
    let error = bad("a", Domain { min_len: Some(3), max_len: Some(2), ..Domain::default() });
    assert!(error.contains("has no length"), "{error}");
}

/// Processes whose parent is a given one.
#[cfg(target_os = "linux")]
fn children(parent: u32) -> Vec<u32> {
    let processes = fs::read_dir("/proc").unwrap().flatten();
    let ids = processes.filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    ids.filter(|id| state(*id).is_some_and(|(_, of)| of == parent)).collect()
}

/// The state of a process, and its parent.
#[cfg(target_os = "linux")]
fn state(id: u32) -> Option<(char, u32)> {
    let stat = fs::read_to_string(format!("/proc/{id}/stat")).ok()?;
    let mut fields = stat.rsplit_once(')')?.1.split_whitespace();
    Some((fields.next()?.chars().next()?, fields.next()?.parse().ok()?))
}

/// Whether a process is a JVM.
#[cfg(target_os = "linux")]
fn is_java(id: &u32) -> bool {
    fs::read_link(format!("/proc/{id}/exe")).unwrap_or_default().ends_with("java")
}

/// Names the file that a process writes when its worker is up.
const MARK: &str = "GENMORPH_TEST_MARK";

#[test]
#[ignore = "the next test runs it, and kills it"]
fn a_process_with_a_worker_that_is_busy() {
    let Some(java) = java() else { return };
    let mut runtime = java.runtime.clone();
    runtime.patience = Duration::from_secs(1_000);
    let subject = JvmSubject::new(&spec(java, "t.Calls#stuck"), &runtime).unwrap();
    run(&subject, &[vec![number(1.0)]]);
    // Its worker is up, and is about to be busy for ever.
    let mark = std::env::var_os(MARK).expect("the test that starts it says where");
    fs::write(mark, "").unwrap();
    run(&subject, &[vec![number(3.0)]]);
}

#[test]
#[cfg(target_os = "linux")]
fn no_worker_outlives_a_process_that_is_killed() {
    if java().is_none() {
        return;
    }
    let scratch = crate::folder::Folder::of("jvm-killed");
    let mark = scratch.path().join("up");
    let mut process = Command::new(std::env::current_exe().unwrap())
        .args(["--ignored", "--exact", "jvm::a_process_with_a_worker_that_is_busy"])
        .env(MARK, &mark)
        .stdout(std::process::Stdio::null())
        .spawn()
        .unwrap();
    wait::while_running(&mut process, "a worker is up", || mark.exists());
    let is_alive = |id| state(id).is_some_and(|(state, _)| state != 'Z');
    let worker = children(process.id()).into_iter().find(is_java).expect("it has a worker");
    assert!(is_alive(worker), "it is busy");
    process.kill().unwrap();
    process.wait().unwrap();
    wait::until("the worker is gone", || !is_alive(worker));
}

#[test]
#[cfg(target_os = "linux")]
fn workers_that_are_killed_change_no_result() {
    let Some(java) = java() else { return };
    let scratch = crate::folder::Folder::of("jvm-workers-killed");
    let source = "class F { static int f(int a, int b) { int s = 0; \
                  for (int i = 0; i < (a & 63); i++) { s += b > i ? i : -b; } return s; } }";
    let source = scratch.write("F.java", source);
    let classes = scratch.at("classes");
    let javac = Command::new(&java.runtime.jdk.javac).args(["-d", &classes, &source]).output();
    assert!(javac.unwrap().status.success());
    let definition =
        "java = \"F#f(int,int)\"\nclasspath = [\"classes\"]\nparameters = [\"a\", \"b\"]\n";
    let toml = scratch.write("subject.toml", definition);
    let command = |out: &str| {
        let flags =
            "--generations 4 --population 50 --sources 100 --fresh 1000 --hunt 1000 --jobs 2";
        let mut command = Command::new(env!("CARGO_BIN_EXE_genmorph"));
        command.args(["generate", &toml, "-o", &scratch.at(out)]).args(flags.split_whitespace());
        for transformation in ["PermuteParameters on a, b", "NumericAddition(64) on a"] {
            command.args(["--transformation", transformation]);
        }
        command.env("JAVA_HOME", &java.runtime.jdk.home);
        command
    };
    let straight = command("straight").output().unwrap();
    let code = straight.status.code();
    assert_eq!(code, Some(0), "{}", String::from_utf8_lossy(&straight.stderr));
    let expected = crate::generate::tree(&scratch.path().join("straight"));
    for (number, pause) in [(1, 100), (2, 700)] {
        let out = format!("killed{number}");
        let mut child = command(&out)
            .stdout(std::process::Stdio::null())
            .stderr(fs::File::create(scratch.path().join("errors")).unwrap())
            .spawn()
            .unwrap();
        let mut kills = 0;
        while child.try_wait().unwrap().is_none() {
            for worker in children(child.id()).iter().filter(|id| is_java(id)) {
                let kill = Command::new("kill").args(["-KILL", &worker.to_string()]).output();
                kills += usize::from(kill.unwrap().status.success());
            }
            std::thread::sleep(Duration::from_millis(pause));
        }
        let errors = fs::read_to_string(scratch.path().join("errors")).unwrap();
        let ended = child.wait().unwrap().code();
        assert!(kills > 0);
        // The same files, or an error.
        if ended == Some(1) {
            assert!(errors.contains("killed"), "{kills} kills: {errors}");
        } else if ended == Some(2) {
            // Before the run began.
            assert!(errors.contains("the Java worker did not start"), "{kills} kills: {errors}");
        } else {
            assert_eq!(ended, code, "{kills} kills: {errors}");
            let files = crate::generate::tree(&scratch.path().join(&out));
            for (name, bytes) in &expected {
                assert!(files.get(name) == Some(bytes), "{kills} kills: {name}");
            }
        }
    }
}

#[test]
fn a_java_method_goes_through_all_steps() {
    if java().is_none() {
        return;
    }
    let scratch = crate::folder::Folder::of("generate-java");
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let subject = root.join("tests/subjects/paper/padStart.toml");
    let bounds = ["--generations", "15", "--population", "200", "--transformations", "2"];
    let run = |out: &str, jobs: &str| {
        let out = scratch.at(out);
        let common = ["generate", subject.to_str().unwrap(), "-o", &out, "--jobs", jobs];
        let run = crate::cli::genmorph(
            &[&common[..], &bounds, &["--fresh", "5000", "--sources", "300"]].concat(),
        );
        assert_eq!(run.code, Some(0), "{}", run.err);
        (run.out.replace(&out, ""), fs::read(Path::new(&out).join("report.json")).unwrap())
    };
    let (told, report) = run("one", "1");
    assert!(told.contains("no false alarm"), "{told}");
    assert!((told, report) == run("two", "2"));

    let wrong = |args: &[&str]| crate::cli::refuses(&[&["generate"], args].concat());
    let spec = "org.apache.commons.math3.util.ArithmeticUtils#gdc(int,int)";
    let maven = "org.apache.commons:commons-math3:3.6.1";
    let missing = wrong(&["--java", spec, "--maven", maven]);
    assert!(missing.contains("gcd"), "{missing}");
    assert!(wrong(&["--java", "gcd"]).contains('#'));
    let nowhere = wrong(&["--java", spec, "--classpath", &scratch.at("nothing.jar")]);
    assert!(nowhere.contains("nothing.jar"), "{nowhere}");
}

#[test]
fn a_run_is_not_resumed_if_a_class_or_a_domain_changed() {
    let Some(java) = java() else { return };
    let scratch = crate::folder::Folder::of("resume-java");
    let compile = |factor: u32| {
        let source =
            format!("class F {{ static int f(int a, int b) {{ return a * {factor} + b; }} }}");
        let source = scratch.write("F.java", source);
        let classes = scratch.at("classes");
        let javac = Command::new(&java.runtime.jdk.javac).args(["-d", &classes, &source]).output();
        assert!(javac.unwrap().status.success());
    };
    let definition = |most: u32| {
        let text = format!(
            "java = \"F#f(int,int)\"\nclasspath = [\"classes\"]\nparameters = [\"a\", \"b\"]\n\
             [domain]\na = {{ range = [0, {most}] }}\nb = {{ range = [0, 9] }}\n"
        );
        scratch.write("subject.toml", text)
    };
    compile(3);
    let subject = definition(20);
    let inputs = scratch.write("inputs.csv", "a,b\n1,2\n3,4\n");
    // Results among the classes do not change the code.
    let out = scratch.at("classes/out");
    let bounds = ["--generations", "2", "--population", "50", "--transformations", "1"];
    let fewer = ["--sources", "50", "--fresh", "500", "--hunt", "500", "--jobs", "1"];
    let common = ["generate", &subject, "-o", &out, "--inputs", &inputs];
    let common = [&common[..], &bounds, &fewer].concat();
    let started = crate::cli::genmorph(&common);
    assert_eq!(started.code, Some(0), "{}", started.err);
    let resumed = || crate::cli::genmorph(&[&common[..], &["--resume"]].concat());
    let refused = |expected: &str| {
        let run = resumed();
        assert_eq!(run.code, Some(2), "{}", run.err);
        assert!(run.err.contains(&format!("was started: {expected}\n")), "{}", run.err);
    };
    let again = resumed();
    assert_eq!(again.code, started.code, "{}", again.err);
    compile(5);
    refused("the code of the subject");
    compile(3);
    definition(19);
    refused("the domain of the subject");
    definition(20);
    scratch.write("inputs.csv", "a,b\n1,2\n3,5\n");
    refused("the supplied inputs");
}

#[test]
fn relations_of_a_java_method_are_assessed_by_pits_mutants() {
    let Some(java) = java() else { return };
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let file = root.join("tests/subjects/paper/gcd.toml");
    let claim = "NumericMultiplication(2) on p => out_f == out_s or out_f == 2 * out_s";
    let assess = |jobs: &str| {
        let few = ["--seeds", "2", "--inputs", "40", "--format", "json", "--jobs", jobs];
        let common = ["assess", claim, file.to_str().unwrap()];
        let run = crate::cli::genmorph(&[&common[..], &few].concat());
        assert_eq!(run.code, Some(0), "{}", run.err);
        run.out
    };
    let out = assess("1");
    assert!(out == assess("2"), "threads change the result");
    let assessment: Assessment = serde_json::from_str(&out).unwrap();
    assert!(assessment.suites.iter().all(|s| s.counts.floor > 0 && s.counts.asserted > 0));

    // The same verdicts from the library, each with the name that PIT has for the mutant.
    let definition = JavaDefinition::read(&file).unwrap();
    let spec = definition.resolve(&repositories()).unwrap();
    let subject = JvmSubject::new(&spec, &java.runtime).unwrap();
    let mutants = subject.mutants_of(Group::B);
    assert_eq!(mutants.len(), assessment.mutants.len());
    let signature = subject.signature().of_executions();
    let claims = genmorph::claims::read("here", claim, &signature).unwrap();
    let stated = &claims.groups[0];
    let claims = [Claim { transform: &stated.transform, relations: &stated.relations }];
    let tolerance = Tolerance::default();
    let trial = Trial { subject: &subject, claims: &claims, mutants: &mutants, tolerance };
    let pairs = (0..200).map(|i| [i - 100, (37 * i) % 101 - 50].map(|n| number(f64::from(n))));
    let pairs: Vec<_> = pairs.collect();
    let suite = Inputs::from_rows(subject.signature(), pairs.iter().map(<[_; 2]>::as_slice));
    let verdicts = trial.on(&suite, &Jobs::new(2).unwrap()).unwrap();
    let all = [
        Verdict::KilledByAssertion,
        Verdict::KilledByCrash,
        Verdict::KilledByTimeout,
        Verdict::Survived,
    ];
    let said = all.map(|verdict| {
        (0..mutants.len()).filter(|mutant| verdicts.of(0, 0, *mutant) == verdict).count()
    });
    assert!(said[0] > 0 && said[2] > 0 && said[3] > 0, "{said:?}");
    let named: BTreeSet<_> =
        mutants.iter().map(|number| subject.pit_mutant(*number).unwrap()).collect();
    assert_eq!(named.len(), mutants.len());
    let first = named.first().unwrap();
    assert_eq!((first.method.as_str(), first.descriptor.as_str()), ("gcd", "(II)I"));
    let training = subject.mutants_of(Group::A);
    assert!(training.iter().all(|number| subject.pit_mutant(*number).is_none()));
}
