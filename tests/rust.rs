//! Rust functions in processes of their own: what comes back, what functions do to workers, and the command.
//!
//! The crate that they are in is `rust/zoo.rs`; it is built with the Cargo that builds the tests.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::OnceLock;

use genmorph::jit::Value;
use genmorph::subject::rust::{Confinement, Place, Runtime, RustError, RustSpec, RustSubject};
use genmorph::subject::{
    Deadline, Domain, Group, Inputs, Isolation, Outcome, Outcomes, Parameter, Steadiness, Subject,
    Thrown, Trap, Type, Version,
};

const ZOO: &str = include_str!("rust/zoo.rs");

/// A crate with a source, in a folder of its own.
fn package(name: &str, root: &str, source: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("rust").join(name);
    fs::create_dir_all(folder.join("src")).unwrap();
    let manifest = format!(
        "[package]\nname = \"{name}\"\nversion = \"0.1.0\"\nedition = \"2021\"\n[workspace]\n"
    );
    for (path, text) in [("Cargo.toml", manifest.as_str()), (root, source)] {
        if fs::read_to_string(folder.join(path)).is_ok_and(|there| there == text) {
            continue;
        }
        fs::write(folder.join(path), text).unwrap();
    }
    folder
}

fn zoo() -> &'static Path {
    static ZOO_FOLDER: OnceLock<PathBuf> = OnceLock::new();
    ZOO_FOLDER.get_or_init(|| package("zoo", "src/lib.rs", ZOO))
}

fn spec(folder: &Path, function: &str) -> RustSpec {
    let place =
        Place { manifest: Some(folder.join("Cargo.toml")), offline: true, ..Place::default() };
    RustSpec { place, function: function.to_owned(), ..RustSpec::default() }
}

fn runtime(confinement: Confinement) -> Runtime {
    Runtime { jobs: 2, flags: String::new(), confinement, isolation: Isolation::default() }
}

fn made(spec: &RustSpec) -> Result<RustSubject, RustError> {
    RustSubject::new(spec, &runtime(Confinement::Process))
}

fn subject(function: &str) -> RustSubject {
    made(&spec(zoo(), function)).unwrap()
}

fn inputs(subject: &RustSubject, rows: &[Vec<Value<'static>>]) -> Inputs {
    Inputs::from_rows(subject.signature(), rows.iter().map(Vec::as_slice))
}

fn numbers(subject: &RustSubject, rows: &[&[f64]]) -> Inputs {
    let rows: Vec<Vec<Value<'static>>> =
        rows.iter().map(|row| row.iter().map(|n| Value::Num(*n)).collect()).collect();
    inputs(subject, &rows)
}

fn values(outcomes: &Outcomes) -> Vec<f64> {
    (0..outcomes.len())
        .map(|row| match outcomes.row(row).next() {
            Some(Value::Num(number)) => number,
            other => panic!("{other:?}"),
        })
        .collect()
}

fn text(text: &str) -> Value<'static> {
    Value::Seq(text.chars().map(|c| f64::from(u32::from(c))).collect())
}

fn list(elements: &[f64]) -> Value<'static> {
    Value::Seq(elements.to_vec().into())
}

#[test]
fn functions_of_all_types_are_called() {
    let gcd = subject("gcd");
    assert_eq!(gcd.signature().to_string(), "func(a: s32, b: s32) -> s32");
    let rows = numbers(&gcd, &[&[12.0, 18.0], &[-7.0, 0.0], &[0.0, 0.0]]);
    assert_eq!(values(&gcd.run(Version::Original, &rows).unwrap()), [6.0, 7.0, 0.0]);

    let pad = subject("pad_start");
    assert_eq!(pad.signature().to_string(), "func(s: string, n: u64, c: char) -> string");
    assert_eq!(pad.signature().parameters[1].domain.range, Some((0.0, 1000.0)));
    let rows =
        inputs(&pad, &[vec![text("né"), Value::Num(4.0), Value::Num(f64::from('→' as u32))]]);
    let outcomes = pad.run(Version::Original, &rows).unwrap();
    assert_eq!(outcomes.row(0).next(), Some(text("→→né")));

    let mut generic = spec(zoo(), "largest");
    generic.with.insert("T".to_owned(), "f32".to_owned());
    let largest = made(&generic).unwrap();
    assert_eq!(largest.signature().to_string(), "func(values: list<f32>) -> f32");
    let outcomes = largest
        .run(Version::Original, &inputs(&largest, &[vec![list(&[1.0, 2.5])], vec![list(&[])]]))
        .unwrap();
    assert_eq!(outcomes.row(0).next(), Some(Value::Num(2.5)));
    assert_eq!(outcomes.outcomes()[1], Outcome::Threw(Thrown::new("None")));

    let sort = subject("sort");
    assert_eq!(sort.signature().changed, [0]);
    let outcomes =
        sort.run(Version::Original, &inputs(&sort, &[vec![list(&[3.0, -1.0, 2.0])]])).unwrap();
    assert_eq!(outcomes.row(0).next(), Some(list(&[-1.0, 2.0, 3.0])));

    let scale = subject("scale");
    let signature = "func(arg1_0: f64, arg1_1: f64, by: f64, weights: list<u8>) -> list<f64>";
    assert_eq!(scale.signature().to_string(), signature);
    let row = vec![Value::Num(1.0), Value::Num(2.0), Value::Num(0.5), list(&[50.0, 50.0, 1.0])];
    let outcomes =
        scale.run(Version::Original, &inputs(&scale, std::slice::from_ref(&row))).unwrap();
    assert_eq!(outcomes.row(0).next(), Some(list(&[0.5, 1.0, 1.0])));
    // Without the optional parameter another way is taken.
    let asides = scale.asides(&inputs(&scale, &[row]), Deadline::never()).unwrap().unwrap();
    assert!(asides.hits.chunks(asides.sides).all(|hits| hits.contains(&1)));

    let half = subject("half");
    let outcomes = half.run(Version::Original, &numbers(&half, &[&[8.0], &[7.0]])).unwrap();
    assert_eq!(outcomes.outcomes(), [Outcome::Returned, Outcome::Threw(Thrown::new("Err"))]);
    let trimmed = subject("trimmed");
    let outcomes =
        trimmed.run(Version::Original, &inputs(&trimmed, &[vec![text("  a ")]])).unwrap();
    assert_eq!(outcomes.row(0).next(), Some(text("a ")));
    let manhattan = subject("Point::manhattan");
    let rows = numbers(&manhattan, &[&[-3.0, 4.0]]);
    assert_eq!(values(&manhattan.run(Version::Original, &rows).unwrap()), [7.0]);
}

#[test]
fn private_functions_and_const_ones_are_reached() {
    let secret = subject("inner::deep::secret");
    assert_eq!(secret.callee().public, None);
    assert_eq!(
        values(&secret.run(Version::Original, &numbers(&secret, &[&[11.0], &[2.0]])).unwrap()),
        [8.0, 4.0]
    );
    let reached = subject("reached");
    assert_eq!(reached.callee().path, "inner::deep::reached");
    assert_eq!(reached.callee().public.as_deref(), Some("reached"));
    // What it calls is mutated too.
    assert_eq!(reached.scope(), ["inner::deep::reached", "inner::deep::secret"]);
    let clamp = subject("clamp");
    assert!(clamp.mutants().len() > 20);
    assert_eq!(
        values(&clamp.run(Version::Original, &numbers(&clamp, &[&[9.0, 0.0, 5.0]])).unwrap()),
        [5.0]
    );
}

#[cfg(target_os = "linux")]
#[test]
fn a_function_that_asks_for_memory_without_end_is_stopped_by_the_limit_of_its_worker() {
    let hoard = subject("hoard");
    let outcomes =
        hoard.run(Version::Original, &numbers(&hoard, &[&[0.0], &[1.0], &[0.0]])).unwrap();
    assert_eq!(outcomes.outcomes(), [Outcome::Returned, Outcome::OutOfMemory, Outcome::Returned]);
}

#[test]
fn a_worker_that_cannot_be_started_any_more_is_an_error_and_no_crash() {
    let folder =
        package("vanishing", "src/lib.rs", "pub fn twice(n: i32) -> i32 { n.wrapping_mul(2) }");
    let twice = made(&spec(&folder, "twice")).unwrap();
    let rows = numbers(&twice, &[&[21.0], &[-4.0]]);
    assert_eq!(values(&twice.run(Version::Original, &rows).unwrap()), [42.0, -8.0]);
    remove_programs(&folder.join("target"));
    let failure = twice.steadiness(&rows, Deadline::never()).unwrap_err();
    assert!(failure.to_string().contains("vanishing"), "{failure:?}");
    assert!(failure.to_string().contains("cannot start another worker process"), "{failure}");
    // The worker from before is there still.
    assert_eq!(values(&twice.run(Version::Original, &rows).unwrap()), [42.0, -8.0]);
}

/// Removes all programs that genmorph has built in a folder.
fn remove_programs(folder: &Path) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if path.is_dir() {
            remove_programs(&path);
        } else if name.starts_with("worker-") && path.extension().is_none() {
            fs::remove_file(&path).unwrap();
        }
    }
}

#[test]
fn whatever_a_function_does_to_its_process_is_an_outcome() {
    let trouble = subject("trouble");
    let of = |kind: f64| {
        let outcomes = trouble.run(Version::Original, &numbers(&trouble, &[&[kind]])).unwrap();
        outcomes.outcomes()[0]
    };
    for (kind, outcome) in [
        (0.0, Outcome::Returned),
        (1.0, Outcome::Trapped(Trap::Unreachable)),
        (2.0, Outcome::Crashed),
        (3.0, Outcome::Exited),
        (4.0, Outcome::OutOfStack),
        (5.0, Outcome::OutOfFuel),
        (6.0, Outcome::Hung),
        (7.0, Outcome::OutOfMemory),
        (8.0, Outcome::OutOfStack),
        (9.0, Outcome::Returned),
    ] {
        assert_eq!(of(kind), outcome, "{kind}");
    }
    // Rows before and after are as if nothing had happened.
    let rows = numbers(&trouble, &[&[10.0], &[2.0], &[11.0], &[3.0], &[1.0], &[12.0]]);
    let outcomes = trouble.run(Version::Original, &rows).unwrap();
    assert_eq!(values(&outcomes), [10.0, 0.0, 11.0, 0.0, 0.0, 12.0]);
    assert_eq!(outcomes.outcomes()[1], Outcome::Crashed);
    assert_eq!(outcomes.outcomes()[3], Outcome::Exited);
    // What many rows kill, all do.
    let rows: Vec<&[f64]> = (0..50).map(|_| &[2.0][..]).collect();
    let outcomes = trouble.run(Version::Original, &numbers(&trouble, &rows)).unwrap();
    assert!(outcomes.outcomes().iter().all(|outcome| *outcome == Outcome::Crashed));
}

#[test]
fn a_mutant_does_what_its_source_would_do() {
    let gcd = subject("gcd");
    let rows: Vec<Vec<f64>> = (-6..7)
        .flat_map(|a| (-6..7).map(move |b| vec![f64::from(a * 3), f64::from(b * 5)]))
        .collect();
    let rows: Vec<&[f64]> = rows.iter().map(Vec::as_slice).collect();
    let rows = numbers(&gcd, &rows);
    let original = gcd.run(Version::Original, &rows).unwrap();
    let count = gcd.mutants().len();
    assert!(count > 30, "{count}");
    let mut compared = 0;
    for number in (0..count).step_by(7).filter(|&number| gcd.mutants()[number].operator != "RET") {
        // The difference, applied to the source.
        let diff = gcd.diff(number);
        let lines = |sign: char| -> Vec<&str> {
            diff.lines().skip(1).filter_map(|line| line.strip_prefix(sign)).collect()
        };
        let (old, new) = (lines('-').join("\n"), lines('+').join("\n"));
        let place = gcd.mutants()[number].line.clone().unwrap();
        let mut source: Vec<&str> = ZOO.lines().collect();
        let at = place.line as usize - 1;
        assert_eq!(source[at], old.lines().next().unwrap(), "{diff}");
        source.splice(at..at + old.lines().count(), new.lines());
        let folder = package("mutated", "src/lib.rs", &source.join("\n"));
        let mutated = made(&spec(&folder, "gcd")).unwrap();
        let alone = mutated.run(Version::Original, &rows).unwrap();
        let switched = gcd.run(Version::Mutant { number, original: &original }, &rows).unwrap();
        for row in 0..rows.len() {
            let limited = switched.outcomes()[row] == Outcome::OutOfFuel;
            if !limited {
                assert_eq!(switched.outcomes()[row], alone.outcomes()[row], "{diff}");
                assert_eq!(values(&switched)[row], values(&alone)[row], "{diff}");
            }
        }
        compared += 1;
    }
    assert!(compared >= 5, "{compared}");
}

#[test]
fn a_sandbox_gives_the_same_outcomes() {
    crate::toolchains::rust_target();
    let numbers: Vec<f64> = vec![-7.0, 0.0, 1.0, 6.0, 35.0];
    for function in ["gcd", "pad_start", "sort", "half", "clamp", "trimmed"] {
        let native = subject(function);
        let sandbox =
            RustSubject::new(&spec(zoo(), function), &runtime(Confinement::Sandbox)).unwrap();
        assert_eq!(native.mutants(), sandbox.mutants(), "{function}");
        let rows: Vec<Vec<Value<'static>>> = (0..25)
            .map(|row| {
                let parameters = native.signature().parameters.iter().enumerate();
                let value = |(i, p): (usize, &Parameter)| match p.ty {
                    Type::String => text(["", " a", "né→", "abc def"][row % 4]),
                    Type::List(_) => list(&numbers[row % 5..]),
                    Type::Scalar(scalar) => {
                        let number = numbers[(row / 5_usize.pow(i as u32) + row) % 5];
                        Value::Num(if scalar.admits(number) { number } else { 7.0 })
                    }
                };
                parameters.map(value).collect()
            })
            .collect();
        let rows = inputs(&native, &rows);
        let original = native.run(Version::Original, &rows).unwrap();
        assert_eq!(original, sandbox.run(Version::Original, &rows).unwrap(), "{function}");
        for number in 0..native.mutants().len() {
            let run = |subject: &RustSubject| {
                subject.run(Version::Mutant { number, original: &original }, &rows).unwrap()
            };
            let (there, here) = (run(&native), run(&sandbox));
            assert_eq!(there.outcomes(), here.outcomes(), "{}", native.diff(number));
            assert!(
                (0..rows.len()).all(|row| there.row(row).eq(here.row(row))),
                "{}",
                native.diff(number)
            );
        }
        if !native.branches().is_empty() {
            let (there, here) = (native.trace(&rows).unwrap(), sandbox.trace(&rows).unwrap());
            let returned = |row: &usize| there.outcomes.is_returned(*row);
            for row in (0..rows.len()).filter(returned) {
                assert_eq!(there.hits(row), here.hits(row), "{function}");
                assert_eq!(there.distances(row), here.distances(row), "{function}");
            }
        }
    }
}

#[test]
fn mutants_have_places_groups_and_names_and_do_something() {
    let pad = subject("pad_start");
    assert_eq!((pad.mutants_of(Group::A).len(), pad.mutants_of(Group::B).len()), (1, 12));
    // A text has no other arithmetic than `+`, and is no part of itself.
    let refused: Vec<&str> =
        pad.unviable().iter().map(|unviable| unviable.mutant.change.as_str()).collect();
    let other = |op| format!("`padded {op} s` instead of `padded + s`");
    let expected =
        [other("-"), other("*"), other("/"), other("%"), "`s` instead of `padded + s`".to_owned()];
    assert_eq!(refused, expected);
    let row = |s: &str, n: f64| vec![text(s), Value::Num(n), Value::Num(120.0)];
    let rows = inputs(&pad, &[row("ab", 5.0), row("", 1.0), row("abc", 2.0), row("abc", 4.0)]);
    let original = pad.run(Version::Original, &rows).unwrap();
    let differs = |number: usize| {
        let outcomes = pad.run(Version::Mutant { number, original: &original }, &rows).unwrap();
        (0..rows.len())
            .any(|row| !outcomes.is_returned(row) || outcomes.row(row).ne(original.row(row)))
    };
    let different = (0..pad.mutants().len()).filter(|&number| differs(number)).count();
    assert!(2 * different > pad.mutants().len(), "{different} of {}", pad.mutants().len());
    for mutant in pad.mutants() {
        let line = mutant.line.as_ref().unwrap();
        assert_eq!(line.file, "src/lib.rs");
        assert!(line.line > 40 && line.column > 0, "{mutant}");
    }
    assert!(pad.unviable().iter().all(|unviable| !unviable.reason.is_empty()));
}

#[test]
fn branches_are_watched_with_distances() {
    let clamp = subject("clamp");
    assert_eq!(clamp.branches().len(), 2);
    let traces = clamp.trace(&numbers(&clamp, &[&[7.0, 0.0, 10.0], &[-4.0, 0.0, 10.0]])).unwrap();
    assert_eq!(traces.hits(0), [1, 0, 1, 0]);
    // 7 is 8 away from being less than 0, and 4 from being more than 10.
    assert_eq!(traces.distances(0), [0.0, 8.0, 0.0, 4.0]);
    assert_eq!(traces.hits(1), [0, 1, 0, 0]);
    assert_eq!(traces.distances(1)[..2], [4.0, 0.0]);
    assert_eq!(traces.distances(1)[2], f64::INFINITY);
    let sort = subject("sort");
    let traces = sort.trace(&inputs(&sort, &[vec![list(&[2.0, 1.0])]])).unwrap();
    assert!(traces.hits(0).iter().all(|hits| *hits > 0));
    let constants: Vec<f64> = sort.constants().iter().map(|constant| constant.value).collect();
    assert_eq!(constants, [1.0, 0.0]);
}

#[test]
fn what_cannot_be_a_subject_is_refused_with_the_reason() {
    for (function, reason) in [
        ("Point::method", "it is a method: relations have no word for `self`"),
        ("later", "it is async"),
        ("apply", "its parameter `f`: it is a function"),
        ("with", "its parameter `f`: it is `impl Fn"),
        ("largest", "it is generic: say what `T` is, such as --with T=i32"),
        ("nothing", "it returns nothing"),
        ("gdc", "did you mean\n  gcd"),
        ("inner::nowhere", "there is no function `inner::nowhere` in the crate zoo"),
    ] {
        let error = made(&spec(zoo(), function)).unwrap_err().to_string();
        assert!(error.contains(reason), "{function}: {error}");
    }
    let mut wrong = spec(zoo(), "gcd");
    wrong.domains = BTreeMap::from([("c".to_owned(), Domain::default())]);
    let error = made(&wrong).unwrap_err().to_string();
    assert!(error.contains("there is no parameter `c`; there are a: s32, b: s32"), "{error}");
    let dangerous = package("dangerous", "src/lib.rs", "pub unsafe fn f(n: i32) -> i32 { n }");
    let error = made(&spec(&dangerous, "f")).unwrap_err().to_string();
    assert!(error.contains("it is unsafe: its callers have to promise"), "{error}");
    let broken = package("broken", "src/lib.rs", "pub fn f(n: i32) -> i32 { n + }");
    let error = made(&spec(&broken, "f")).unwrap_err().to_string();
    assert!(error.contains("src/lib.rs:1:"), "{error}");
    let ill_typed =
        package("ill_typed", "src/lib.rs", "pub fn f(n: i32) -> i32 { n }\nfn g() -> u8 { \"\" }");
    let error = made(&spec(&ill_typed, "f")).unwrap_err().to_string();
    assert!(
        error.contains("mismatched types") && error.contains("does `cargo build` work?"),
        "{error}"
    );
}

#[test]
fn chance_and_memory_are_noticed() {
    let rows: Vec<Vec<f64>> = (0..60).map(|n| vec![f64::from(n)]).collect();
    let rows: Vec<&[f64]> = rows.iter().map(Vec::as_slice).collect();
    for (function, expected) in
        [("chancy", "Unsteady"), ("remembers", "Remembers"), ("gcd", "Steady")]
    {
        let subject = subject(function);
        let wide: Vec<Vec<f64>> =
            rows.iter().map(|row| row.repeat(subject.signature().parameters.len())).collect();
        let wide: Vec<&[f64]> = wide.iter().map(Vec::as_slice).collect();
        let steadiness = subject.steadiness(&numbers(&subject, &wide), Deadline::never()).unwrap();
        assert!(format!("{steadiness:?}").starts_with(expected), "{function}: {steadiness:?}");
        assert_eq!(steadiness == Steadiness::Steady, function == "gcd");
    }
}

#[test]
fn programs_have_functions_too() {
    let source = "fn main() { println!(\"{}\", twice(2)); }\nfn twice(n: i32) -> i32 { n * 2 }\n";
    let folder = package("program", "src/main.rs", source);
    let twice = made(&spec(&folder, "twice")).unwrap();
    assert_eq!(
        values(&twice.run(Version::Original, &numbers(&twice, &[&[21.0]])).unwrap()),
        [42.0]
    );
}

#[test]
fn crates_may_do_without_the_standard_library() {
    let source = "#![no_std]\n#![warn(missing_docs)]\n//! Numbers.\n/// The next one.\npub const fn next(n: u8) -> u8 {\n    n.wrapping_add(1)\n}\n";
    let folder = package("bare", "src/lib.rs", source);
    let next = made(&spec(&folder, "next")).unwrap();
    assert_eq!(
        values(&next.run(Version::Original, &numbers(&next, &[&[255.0], &[7.0]])).unwrap()),
        [0.0, 8.0]
    );
    assert!(!next.mutants().is_empty());
}

#[test]
fn sources_outside_of_a_package_are_never_written() {
    let outside = Path::new(env!("CARGO_TARGET_TMPDIR")).join("rust").join("outside.rs");
    let text = "pub fn far(n: i32) -> i32 { n + 1 }\n";
    let folder =
        package("beside", "src/lib.rs", "#[path = \"../../outside.rs\"]\npub mod outside;\n");
    fs::write(&outside, text).unwrap();
    let error = made(&spec(&folder, "far")).unwrap_err().to_string();
    assert!(error.contains("outside.rs belongs to beside but is not in its folder"), "{error}");
    assert_eq!(fs::read_to_string(&outside).unwrap(), text);
}

fn command(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_cargo-genmorph"));
    command.current_dir(folder).arg("genmorph").args(arguments).arg("--offline");
    command.output().unwrap()
}

fn files(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut files = BTreeMap::new();
    let mut todo = vec![folder.to_owned()];
    while let Some(path) = todo.pop() {
        for entry in fs::read_dir(path).unwrap() {
            let path = entry.unwrap().path();
            if path.ends_with("target") || path.ends_with("Cargo.lock") {
                continue;
            }
            if path.is_dir() {
                todo.push(path);
            } else {
                let bytes = fs::read(&path).unwrap();
                files.insert(path, bytes);
            }
        }
    }
    files
}

#[test]
fn the_command_writes_a_test_that_passes_and_touches_nothing_else() {
    let source = "//! Numbers.\n\n/// The greater one.\npub fn greater(a: i32, b: i32) -> i32 {\n    if a > b { a } else { b }\n}\n";
    let folder = package("written", "src/lib.rs", source);
    let _ = fs::remove_dir_all(folder.join("tests"));
    let _ = fs::remove_dir_all(folder.join("genmorph.out"));
    let before = files(&folder);
    let arguments =
        ["greater", "--generations", "20", "--transformations", "3", "--population", "200"];
    let output = command(&folder, &arguments);
    let (said, errors) =
        (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert_eq!(output.status.code(), Some(0), "{said}\n{errors}");
    assert!(said.contains("cargo test --test genmorph_greater: ok."), "{said}");
    assert!(errors.contains("do not compile"), "{errors}");
    let mut after = files(&folder);
    after.retain(|path, _| !path.starts_with(folder.join("genmorph.out")));
    let test = after.remove(&folder.join("tests/genmorph_greater.rs")).unwrap();
    assert_eq!(before, after);
    assert!(String::from_utf8(test.clone()).unwrap().contains("#[test]"));
    assert!(folder.join("genmorph.out/survivors.diff").is_file());
    // A test that is there already is not replaced, and nothing is searched for then.
    let again = command(&folder, &arguments);
    assert_eq!(again.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&again.stderr).contains("is there already"));
    // Equal seeds give equal bytes, whatever the threads.
    let arguments = [&arguments[..], &["--force", "--jobs", "1"]].concat();
    let output = command(&folder, &arguments);
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(fs::read(folder.join("tests/genmorph_greater.rs")).unwrap(), test);
}

#[test]
fn a_run_is_not_resumed_if_sources_or_a_domain_changed() {
    let source =
        |factor: u32| format!("pub fn mixed(a: i32, b: i32) -> i32 {{ a * {factor} + b }}\n");
    let folder = package("resumed", "src/lib.rs", &source(3));
    let _ = fs::remove_dir_all(folder.join("genmorph.out"));
    fs::write(folder.join("inputs.csv"), "a,b\n1,2\n3,4\n").unwrap();
    let bounds = ["--generations", "2", "--population", "50", "--transformations", "1"];
    let fewer = ["--sources", "50", "--fresh", "500", "--hunt", "500", "--jobs", "1"];
    let more = ["mixed", "--no-test", "--inputs", "inputs.csv"];
    let common = [&more[..], &bounds, &fewer].concat();
    let run = |most: &str, more: &[&str]| {
        let domain = format!("a = {{ range = [0, {most}] }}");
        let domains = ["--domain", domain.as_str(), "--domain", "b = { range = [0, 9] }"];
        let output = command(&folder, &[&common[..], &domains, more].concat());
        (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
    };
    let resumed = |most: &str| run(most, &["--resume"]);
    let (code, errors) = run("20", &[]);
    assert_eq!(code, Some(0), "{errors}");
    assert_eq!(resumed("20").0, code);
    let refused = |most: &str, expected: &str| {
        let (code, errors) = resumed(most);
        assert_eq!(code, Some(2), "{errors}");
        assert!(errors.contains(&format!("was started: {expected}\n")), "{errors}");
    };
    refused("19", "the domain of the subject");
    package("resumed", "src/lib.rs", &source(5));
    refused("20", "the code of the subject");
    package("resumed", "src/lib.rs", &source(3));
    fs::write(folder.join("inputs.csv"), "a,b\n1,2\n3,5\n").unwrap();
    refused("20", "the supplied inputs");
}

#[test]
fn the_command_says_what_is_wrong() {
    let output = command(zoo(), &["gdc"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("did you mean\n  gcd"));
    let output = command(zoo(), &["chancy", "--generations", "5", "--force"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("is not deterministic"));
    let output = command(zoo(), &["--help"]);
    let help = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(
        help.contains("cargo genmorph [OPTIONS] [FUNCTION]") && !help.contains("--java"),
        "{help}"
    );
}

#[test]
fn what_a_mutant_leaves_without_a_value_does_not_break_the_build() {
    let source = "pub fn late(a: i32, b: i32) -> i32 {\n    let c: i32;\n    let d;\n    c = a + b;\n    \
                  if a > 3 { d = c * 2; } else { d = b; }\n    c + d\n}\n\
                  pub const fn halved(n: u32) -> u32 { n / 2 }\npub const HALF: u32 = halved(8);\n\
                  pub fn doubled(n: u32) -> u32 { halved(n) * 4 + HALF }\n";
    let folder = package("unassigned", "src/lib.rs", source);
    let late = made(&spec(&folder, "late")).unwrap();
    assert!(late.mutants().len() > 10);
    // A function that constants are made of stays as it is.
    let halved = made(&spec(&folder, "halved")).unwrap();
    let inputs = numbers(&halved, &[&[8.0], &[9.0]]);
    assert_eq!(values(&halved.run(Version::Original, &inputs).unwrap()), [4.0, 4.0]);
}

#[test]
fn crates_of_all_editions_may_name_themselves_and_do_without_the_standard_library() {
    for edition in ["2015", "2018"] {
        let name = format!("edition{edition}");
        let source = format!(
            "#![no_std]\n#![crate_name = \"{name}\"]\n\
             pub fn sorted(a: i32, b: i32) -> (i32, i32) {{ if a < b {{ (a, b) }} else {{ (b, a) }} }}\n\
             #[cfg(feature = \"fancy\")]\npub fn fancy(a: i32) -> i32 {{ a }}\n"
        );
        let folder = package(&name, "src/lib.rs", &source);
        let manifest = format!(
            "[package]\nname = \"{name}\"\nversion = \"0.1.0\"\nedition = \"{edition}\"\nautotests = false\n\
             [features]\nfancy = []\n[workspace]\n"
        );
        fs::write(folder.join("Cargo.toml"), manifest).unwrap();
        let sorted = made(&spec(&folder, "sorted")).unwrap();
        let ran = sorted.run(Version::Original, &numbers(&sorted, &[&[3.0, 2.0]])).unwrap();
        assert_eq!(ran.row(0).next(), Some(Value::Seq(vec![2.0, 3.0].into())));
        let error = made(&spec(&folder, "fancy")).unwrap_err().to_string();
        assert!(error.contains("the feature `fancy` is off"), "{error}");
    }
}

#[test]
fn many_functions_have_one_build_one_page_and_a_test_file_per_module() {
    let source = "pub mod pairs {\n    pub fn greater(a: i32, b: i32) -> i32 { if a > b { a } else { b } }\n    \
                  pub fn lesser<T: PartialOrd>(a: T, b: T) -> T { if a < b { a } else { b } }\n}\n\
                  pub fn stuck(a: i32) -> i32 { loop { if a == i32::MIN + 7 { break a } } }\n\
                  fn private(a: i32) -> i32 { a * a }\n\
                  pub fn opaque<T: IntoIterator<Item = bool>>(a: T) -> bool { a.into_iter().all(|b| b) }\n\
                  pub struct Clock(u8);\nimpl Clock { pub fn hour(&self) -> u8 { self.0 } }\n";
    let folder = package("many", "src/lib.rs", source);
    let _ = fs::remove_dir_all(folder.join("genmorph.out"));
    let _ = fs::remove_dir_all(folder.join("tests"));
    let listed = command(&folder, &[]);
    let said = String::from_utf8_lossy(&listed.stdout).into_owned();
    assert_eq!(listed.status.code(), Some(0), "{said}");
    assert!(said.contains("pairs::greater\n") && said.contains("private  (private)\n"), "{said}");
    assert!(said.contains("Clock::hour at src/lib.rs:9: it is a method"), "{said}");
    let sizes = ["--sources", "60", "--fresh", "600", "--hunt", "300", "--transformations", "2"];
    let arguments = [&["--all", "--generations", "5", "--population", "100"], &sizes[..]].concat();
    let output = command(&folder, &arguments);
    let (said, errors) =
        (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert_eq!(output.status.code(), Some(0), "{said}\n{errors}");
    let text = fs::read_to_string(folder.join("genmorph.out/overview.json")).unwrap();
    let overview: genmorph::record::overview::Overview = serde_json::from_str(&text).unwrap();
    let fate = |name: &str| {
        let line = overview.functions.iter().find(|line| line.function == name);
        line.map(|line| (line.fate.as_str(), line.reason.as_str())).unwrap()
    };
    assert_eq!(overview.functions.len(), 6);
    assert_eq!((fate("pairs::greater").0, fate("pairs::lesser").0), ("laws", "laws"), "{said}");
    // What never ends, what the compiler refuses and what is refused unseen have their lines, and spoil nothing.
    assert!(["failed", "nothing"].contains(&fate("stuck").0), "{said}");
    assert!(
        fate("opaque").0 == "refused" && fate("opaque").1.contains("does not compile"),
        "{said}"
    );
    assert!(fate("Clock::hour").0 == "refused", "{said}");
    let page = fs::read_to_string(folder.join("genmorph.out/index.html")).unwrap();
    assert!(page.contains("pairs-greater/report.html"), "{page}");
    assert_eq!(fs::read_to_string(folder.join("genmorph.out/.gitignore")).unwrap(), "*\n");
    let tests = fs::read_to_string(folder.join("tests/genmorph_pairs.rs")).unwrap();
    assert!(tests.contains("mod greater {") && tests.contains("mod lesser {"), "{tests}");
    assert!(said.contains("cargo test --test genmorph_pairs: ok."), "{said}\n{errors}");
    // A diff chooses functions too, and one that is about something else says so.
    let diff = folder.join("genmorph.out/other.diff");
    fs::write(&diff, "--- a/x.rs\n+++ b/x.rs\n@@ -1 +1 @@\n-a\n+b\n").unwrap();
    let output = command(&folder, &["--in-diff", "genmorph.out/other.diff", "-o", "other.out"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("changes no function of many"));
}
