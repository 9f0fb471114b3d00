//! The readers of bytes that come from elsewhere: files that users have or that were damaged, and replies of worker processes.
//!
//! The first byte of a case picks the reader, the others are for it. A reader refuses bytes or accepts them; it must not panic, and some
//! have more to keep. The fuzz target `readers` and `tests/readers.rs` share this file.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use genmorph::claims;
use genmorph::evolve::config::Config;
use genmorph::evolve::{Evolution, Machine};
use genmorph::executions::{Executions, ExistingFile, power, recorded};
use genmorph::inputs;
use genmorph::record::checksum::{check, seal};
use genmorph::record::mutants::MutantEntry;
use genmorph::record::relations::RelationsFile;
use genmorph::record::report::Report;
use genmorph::record::reviewed::ReviewedSet;
use genmorph::record::run::RunSettings;
use genmorph::record::search::Search;
use genmorph::subject::wasm::{self, Scope, Settings, WasmSubject};
use genmorph::subject::{Definition, Parameter, Scalar, Signature, Type, jvm, rust};
use genmorph::support::seed::Seed;

/// Takes the bytes after the first one. Whether they are acceptable.
pub type Reader = fn(&[u8]) -> bool;

/// The readers by their names; the place of a reader is the byte that picks it.
pub const READERS: [(&str, Reader); 10] = [
    ("class", jvm::read_class),
    ("module", module),
    ("executions", executions),
    ("recording", recording),
    ("definition", definition),
    ("records", records),
    ("checkpoint", checkpoint),
    ("java-reply", jvm::read_reply),
    ("rust-reply", rust::read_reply),
    ("inputs", rows),
];

/// Gives a case to its reader. Whether it is acceptable.
pub fn read(case: &[u8]) -> bool {
    let Some((&first, bytes)) = case.split_first() else { return false };
    READERS[usize::from(first) % READERS.len()].1(bytes)
}

/// A folder for readers that want a file; each thread has its own.
fn folder() -> PathBuf {
    let thread =
        format!("{:?}", std::thread::current().id()).replace(|c: char| !c.is_numeric(), "");
    let folder =
        std::env::temp_dir().join(format!("genmorph-readers-{}-{thread}", std::process::id()));
    fs::create_dir_all(&folder).expect("the folder for temporary files can be written");
    folder
}

fn file(name: &str, bytes: &[u8]) -> PathBuf {
    let path = folder().join(name);
    fs::write(&path, bytes).expect("the folder for temporary files can be written");
    path
}

/// A WebAssembly module, binary or text: inspected, and made a subject of for each function that takes and gives numbers.
fn module(bytes: &[u8]) -> bool {
    let Ok(bytes) = wasm::binary(Path::new("f.wat"), bytes.to_vec()) else { return false };
    let Ok(inspection) = wasm::inspect(&bytes) else { return false };
    let mut signatures =
        inspection.exports.iter().filter_map(|export| Some((export, export.inferred.clone()?)));
    signatures.all(|(export, signature)| {
        let settings = Settings::default();
        WasmSubject::new(&bytes, &export.name, signature, &Scope::default(), settings).is_ok()
    })
}

/// An executions file: what was read can be written and read again.
fn executions(bytes: &[u8]) -> bool {
    let Ok(read) = Executions::read(file("executions", bytes)) else { return false };
    let again = folder().join("executions-again");
    let written = read.executions.write(&again, ExistingFile::Replace);
    assert!(written.is_ok(), "executions that were read can be written: {written:?}");
    let rows = |executions: &Executions| executions.table.rows();
    let other = Executions::read(&again).expect("executions that were written can be read");
    assert_eq!(rows(&other.executions), rows(&read.executions));
    true
}

/// A recording of another program, in the paper's JSON.
fn recording(bytes: &[u8]) -> bool {
    let transformation = "NumericAddition(1) on e".parse().expect("it is a transformation");
    let path = file("recording.json", bytes);
    recorded::run(&path, &recorded::Settings::new(transformation)).is_ok()
}

/// A subject.toml, beside a module that it may name.
fn definition(bytes: &[u8]) -> bool {
    file("f.wat", b"(module (func (export \"f\") (param i32) (result i32) local.get 0))");
    Definition::read(file("subject.toml", bytes)).is_ok()
}

/// A JSON file of a run, a reviewed set or lines of relations: a record that is sealed anew passes its check.
fn records(bytes: &[u8]) -> bool {
    let Ok(text) = std::str::from_utf8(bytes) else { return false };
    let _ = check(text);
    let read = [
        claims::read_texts("fuzz", text).is_ok(),
        claims::list::read_results("fuzz", bytes).is_ok(),
        ReviewedSet::read("fuzz", text).is_ok(),
        serde_json::from_str::<RunSettings>(text).is_ok(),
        serde_json::from_str::<Vec<MutantEntry>>(text).is_ok(),
    ];
    let sealed = [
        serde_json::from_str(text).map(|record: Report| serde_json::to_string(&seal(record))),
        serde_json::from_str(text).map(|record: Search| serde_json::to_string(&seal(record))),
        serde_json::from_str(text)
            .map(|record: RelationsFile| serde_json::to_string(&seal(record))),
    ];
    let sealed: Vec<String> = sealed.into_iter().flatten().flatten().collect();
    for text in &sealed {
        assert_eq!(check(text), Ok(()), "{text}");
    }
    read.contains(&true) || !sealed.is_empty()
}

/// A checkpoint of a small search, or damage to one: three bytes say where and how. Only the whole checkpoint is accepted.
fn checkpoint(bytes: &[u8]) -> bool {
    static SEARCH: LazyLock<(Executions, Config, Vec<u8>)> = LazyLock::new(|| {
        let executions = power::executions();
        let config = Config { population: 20, ..Config::default() };
        let mut evolution = Evolution::new(&executions, &config, Seed(1), Machine::default())
            .expect("the settings are in range");
        (0..3).for_each(|_| drop(evolution.step()));
        let checkpoint = evolution.checkpoint();
        (executions, config, checkpoint)
    });
    let (executions, config, whole) = &*SEARCH;
    let mut damaged = whole.clone();
    for change in bytes.chunks_exact(3) {
        let place = usize::from(u16::from_le_bytes([change[0], change[1]])) % damaged.len();
        damaged[place] ^= change[2];
    }
    let resumes = |bytes: &[u8]| {
        Evolution::resume(executions, config, Seed(1), Machine::default(), bytes).is_ok()
    };
    assert_eq!(resumes(&damaged), damaged == *whole);
    resumes(bytes)
}

/// A user's own inputs, as JSON and as a table.
fn rows(bytes: &[u8]) -> bool {
    static SIGNATURE: LazyLock<Signature> = LazyLock::new(|| {
        let parameter = |(name, ty): (&str, Type)| Parameter {
            name: name.to_owned(),
            ty,
            domain: Default::default(),
        };
        let parameters = [
            ("n", Type::Scalar(Scalar::S32)),
            ("b", Type::Scalar(Scalar::Bool)),
            ("s", Type::String),
            ("l", Type::List(Scalar::F64)),
        ];
        Signature {
            function: "f".to_owned(),
            parameters: parameters.map(parameter).to_vec(),
            result: None,
            changed: Vec::new(),
            ..Signature::default()
        }
    });
    let name = match bytes.first() {
        Some(b'[') => "rows.json",
        Some(b'{') => "rows.ndjson",
        Some(_) | None => "rows.csv",
    };
    inputs::read(&file(name, bytes), &SIGNATURE).is_ok()
}
