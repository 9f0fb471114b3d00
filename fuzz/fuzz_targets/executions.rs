//! Bytes to the reader of executions files: it refuses them, or what it reads can be written and read again.

#![no_main]

use std::fs;
use std::path::PathBuf;
use std::sync::LazyLock;

use genmorph::executions::{Executions, ExistingFile};
use libfuzzer_sys::fuzz_target;

/// The reader wants a file.
static FILES: LazyLock<[PathBuf; 2]> = LazyLock::new(|| {
    // The Parquet library panics on some damaged files, which the reader catches; the hook of libFuzzer would end the process.
    std::panic::set_hook(Box::new(|_| ()));
    let file = |name: &str| std::env::temp_dir().join(format!("{name}-{}", std::process::id()));
    ["fuzz-executions", "fuzz-executions-again"].map(file)
});

fuzz_target!(|bytes: &[u8]| {
    let [file, again] = &*FILES;
    fs::write(file, bytes).expect("the folder for temporary files can be written");
    let Ok(read) = Executions::read(file) else { return };
    let written = read.executions.write(again, ExistingFile::Replace);
    let rows = |executions: &Executions| executions.table.rows();
    let same = Executions::read(again).map(|other| rows(&other.executions) == rows(&read.executions));
    if written.is_err() || !same.is_ok_and(|same| same) {
        eprintln!("executions that were read cannot be written and read again");
        std::process::abort();
    }
});
