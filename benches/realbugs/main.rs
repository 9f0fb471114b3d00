//! Faults of real releases: how many are caught by relations that were found on the release in which they were fixed.
//!
//! `cargo bench --features sweep --bench realbugs -- --budget 60s --seeds 3` runs the list beside this file, and goes on where an earlier
//! run in the same folder stopped; the flags are those of `genmorph experiment realbugs`.

use std::process::{Command, ExitCode};

fn main() -> ExitCode {
    let given = std::env::args().skip(1).filter(|word| word != "--bench");
    let root = env!("CARGO_MANIFEST_DIR");
    let status = Command::new(env!("CARGO_BIN_EXE_genmorph"))
        .args(["experiment", "realbugs", "--list"])
        .arg(format!("{root}/benches/realbugs/list.psv"))
        .args(["--output", &format!("{root}/target/realbugs")])
        .args(given)
        .status();
    match status {
        Ok(status) if status.success() || status.code() == Some(4) => ExitCode::SUCCESS,
        Ok(_) | Err(_) => ExitCode::FAILURE,
    }
}
