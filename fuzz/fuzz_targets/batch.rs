//! Bytes to [`oracle::fuzz_batch`]; now and then it says what they were worth.

#![no_main]

use genmorph_jit::oracle::{self, RunningTally};
use libfuzzer_sys::fuzz_target;

static RUNNING: RunningTally = RunningTally::new();

fuzz_target!(|bytes: &[u8]| {
    if let Some(tally) = RUNNING.add(oracle::fuzz_batch(bytes)) {
        eprintln!("batch: {tally}");
    }
});
