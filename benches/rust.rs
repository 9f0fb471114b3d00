//! Rust functions: how long it takes until all mutants can be run, and what calls of them cost.
//!
//! `cargo bench --bench rust`. The crate is that of the tests, `tests/rust/zoo.rs`; the path of a manifest and names of
//! functions after `--` measure those instead: `cargo bench --bench rust -- strsim/Cargo.toml jaro levenshtein`.

mod support;

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;

use genmorph::filter::fresh;
use genmorph::subject::rust::{Confinement, Place, Runtime, RustSpec, RustSubject};
use genmorph::subject::{Inputs, Isolation, Subject, Version};
use genmorph::support::seed::Seed;

use support::stopwatch::cpu;

const ZOO: &str = include_str!("../tests/rust/zoo.rs");
/// As many rows are sent to a worker at a time.
const ROWS: usize = 10_000;

fn main() {
    println!("{}", cpu());
    let asked: Vec<String> = env::args().skip(1).filter(|arg| !arg.starts_with("--")).collect();
    let (manifest, functions) = match asked.split_first() {
        Some((manifest, functions)) => (PathBuf::from(manifest), functions.to_vec()),
        None => (zoo(), ["clamp", "gcd", "pad_start", "sort"].map(str::to_owned).to_vec()),
    };
    println!(
        "function                  mutants  unviable  rounds   first s   again s   process M/s   mutants M/s   sandbox M/s"
    );
    for function in &functions {
        let spec = RustSpec {
            place: Place { manifest: Some(manifest.clone()), ..Place::default() },
            function: function.clone(),
            ..RustSpec::default()
        };
        let ready = |confinement| {
            let since = Instant::now();
            let runtime = Runtime {
                jobs: 1,
                flags: String::new(),
                confinement,
                isolation: Isolation::default(),
            };
            let subject = RustSubject::new(&spec, &runtime).expect("the function is a subject");
            (subject, since.elapsed().as_secs_f64())
        };
        let (_, first) = ready(Confinement::Process);
        let (subject, again) = ready(Confinement::Process);
        let (sandboxed, _) = ready(Confinement::Sandbox);
        let rows = rows(&subject);
        let original = subject.run(Version::Original, &rows).unwrap();
        let native = speed(|| subject.run(Version::Original, &rows).unwrap().len());
        let boxed = speed(|| sandboxed.run(Version::Original, &rows).unwrap().len());
        let since = Instant::now();
        let count = subject.mutants().len();
        for number in 0..count {
            subject.run(Version::Mutant { number, original: &original }, &rows).unwrap();
        }
        let mutants = (count * ROWS) as f64 / since.elapsed().as_secs_f64() / 1e6;
        println!(
            "{function:24} {count:8} {:9} {:7} {first:9.2} {again:9.2} {native:13.2} {mutants:13.2} {boxed:13.2}",
            subject.unviable().len(),
            subject.rounds(),
        );
    }
}

/// Inputs as relations are tried on.
fn rows(subject: &RustSubject) -> Inputs {
    let signature = subject.signature();
    fresh::inputs(signature, subject.constants(), &Inputs::new(signature), Seed(1), ROWS)
}

/// Millions of calls a second, the best of some runs.
fn speed(run: impl Fn() -> usize) -> f64 {
    let once = || {
        let since = Instant::now();
        let calls = run();
        calls as f64 / since.elapsed().as_secs_f64() / 1e6
    };
    (0..20).map(|_| once()).fold(0.0, f64::max)
}

/// The crate of the tests, in a folder of its own.
fn zoo() -> PathBuf {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("target/bench-zoo");
    fs::create_dir_all(folder.join("src")).expect("the target folder can be written");
    let manifest = folder.join("Cargo.toml");
    let text = "[package]\nname = \"zoo\"\nversion = \"0.1.0\"\nedition = \"2021\"\n[workspace]\n";
    fs::write(&manifest, text).expect("the target folder can be written");
    fs::write(folder.join("src/lib.rs"), ZOO).expect("the target folder can be written");
    manifest
}
