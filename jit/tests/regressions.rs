//! `fuzz/regressions/<target>/*`: what a fuzzer once found, and seeds that reach far, through the
//! function that the fuzz target calls.
//!
//! A file is the bytes of one run; a sentence in `fuzz/README.md` says what it is for.

use std::fs;
use std::path::Path;

use genmorph_jit::oracle::{self, Tally};

fn replay(target: &str, run: impl Fn(&[u8]) -> Tally) -> Tally {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fuzz/regressions").join(target);
    let mut total = Tally::default();
    let entries = fs::read_dir(&folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display()));
    for entry in entries {
        let path = entry.expect("a file").path();
        // A panic shows this line, and so the file.
        println!("{}", path.display());
        total += run(&fs::read(&path).expect("the bytes of a run"));
    }
    println!("{target}: {total}");
    assert!(total.cases > 0, "{} has no runs", folder.display());
    total
}

#[test]
fn every_engine_agrees_on_what_a_fuzzer_found() {
    let total = replay("engines", oracle::fuzz_engines);
    assert!(total.sometimes > 0, "{total}");
}

#[test]
fn batches_count_right_on_what_a_fuzzer_found() {
    let total = replay("batch", oracle::fuzz_batch);
    assert!(total.sometimes > 0, "{total}");
}

#[test]
fn what_a_fuzzer_wrote_reads_and_reads_back() {
    replay("text", oracle::fuzz_text);
}
