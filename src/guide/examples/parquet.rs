//! The laws of an executions file, and how many of its mutants each refutes. Without an argument the file is made first, of the built-in `pow`.
//!
//! `cargo run --release --example parquet -- pow.parquet`

use std::error::Error;
use std::path::PathBuf;

use genmorph::evolve::scoring::{KilledBy, Scorer};
use genmorph::executions::{Executions, ExistingFile, power};
use genmorph::explore::{Vocabulary, explore};
use genmorph::jit::Policy;
use genmorph::support::threads::Jobs;

fn main() -> Result<(), Box<dyn Error>> {
    let path = match std::env::args_os().nth(1) {
        Some(path) => PathBuf::from(path),
        None => {
            let path = std::env::temp_dir().join("genmorph-example-pow.parquet");
            power::executions().write(&path, ExistingFile::Replace)?;
            path
        }
    };
    let executions = Executions::read(&path)?.executions;
    println!("{} under {}", executions.signature.function, executions.transformation.name);

    let jobs = Jobs::new(Jobs::cores())?;
    let mut scorer = Scorer::new(&executions, Policy::Auto, KilledBy::All);
    for law in explore(&executions, &Vocabulary::default()).laws {
        let score = scorer.score(std::slice::from_ref(&law.relation), &jobs).remove(0);
        let killed = score.killed.map_or(0, |killed| killed.len());
        let text = law.relation.display(executions.table.schema());
        println!("  kills {killed} of {}: {text}", executions.mutants.len());
    }
    Ok(())
}
