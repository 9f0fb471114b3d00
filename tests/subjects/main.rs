//! Records the executions in `tests/subjects/`: `cargo run --example record`.
//!
//! Runs the functions and their mutants on fixed inputs and writes what they did in the paper's
//! format. A test compares the files with what this program would write.

mod record;

use std::path::Path;

fn main() -> std::io::Result<()> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/subjects");
    for (name, text) in record::files() {
        std::fs::write(folder.join(name), text)?;
    }
    Ok(())
}
