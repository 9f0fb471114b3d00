//! Bytes to the readers of files and replies: the first byte picks the reader, which must not panic.

#![no_main]

#[path = "../readers.rs"]
mod readers;

use std::panic;
use std::sync::{LazyLock, Mutex, PoisonError};

use libfuzzer_sys::fuzz_target;

/// The last panic. The Parquet library panics on some damaged files, which the reader of executions catches; the hook of libFuzzer would
/// end the process at once.
static LAST: LazyLock<Mutex<String>> = LazyLock::new(|| {
    panic::set_hook(Box::new(|panic| {
        *LAST.lock().unwrap_or_else(PoisonError::into_inner) = panic.to_string();
    }));
    Mutex::default()
});

fuzz_target!(|case: &[u8]| {
    LazyLock::force(&LAST);
    if panic::catch_unwind(|| readers::read(case)).is_err() {
        eprintln!("{}", LAST.lock().unwrap_or_else(PoisonError::into_inner));
        std::process::abort();
    }
});
