//! How fast laws are explored: candidates whose truth is decided, per second and core, on executions of real runs.
//!
//! `cargo bench --bench explore`. The executions are those that `generate` ends with, under one transformation each, with at most
//! 9,000 correct and 9,000 incorrect rows.

use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use genmorph::executions::Executions;
use genmorph::explore::{Vocabulary, explore};

/// Subjects of tests/subjects, and a plain transformation of each.
const SUBJECTS: [(&str, &str); 6] = [
    ("gcd", "PermuteParameters on p, q"),
    ("pow", "NumericAddition(1) on e"),
    ("index_of", "SequenceRemove(0) on a"),
    ("pad_start", "NumericAddition(1) on n"),
    ("next_prime", "NumericAddition(1) on n"),
    ("is_sorted", "SequenceRemove(0) on a"),
];
/// How often an exploration is repeated; the fastest counts.
const REPEATED: usize = 7;

fn main() {
    println!(
        "{:<12} {:<28} {:>8} {:>9} {:>10} {:>9} {:>8}",
        "subject", "transformation", "correct", "incorrect", "candidates", "ms", "M/s"
    );
    let (mut candidates, mut time) = (0, Duration::ZERO);
    for (subject, transformation) in SUBJECTS {
        let executions = executions(subject, transformation);
        let words = Vocabulary::default();
        let (fastest, tried) = (0..REPEATED)
            .map(|_| {
                let start = Instant::now();
                let tried = explore(&executions, &words).tally.tried;
                (start.elapsed(), tried)
            })
            .min()
            .expect("explored at least once");
        let [correct, incorrect] = [0, 1].map(|group| executions.count(group));
        println!(
            "{subject:<12} {transformation:<28} {correct:>8} {incorrect:>9} {tried:>10} {:>9.2} {:>8.2}",
            1e3 * fastest.as_secs_f64(),
            tried as f64 / fastest.as_secs_f64() / 1e6
        );
        candidates += tried;
        time += fastest;
    }
    println!(
        "RESULT explore candidates={candidates} seconds={:.3} million_per_second={:.2}",
        time.as_secs_f64(),
        candidates as f64 / time.as_secs_f64() / 1e6
    );
}

/// The executions that a run ends with.
fn executions(subject: &str, transformation: &str) -> Executions {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let file = root.join("tests/subjects").join(subject).join("subject.toml");
    let folder = std::env::temp_dir().join(format!("genmorph-explore-{}", std::process::id()));
    let status = Command::new(env!("CARGO_BIN_EXE_genmorph"))
        .args(["generate", "-q", "--force", "--no-config", "--no-reviewed", "--generations", "1"])
        .args(["--sources", "9000", "--transformation", transformation, "-o"])
        .arg(&folder)
        .arg(&file)
        .output()
        .expect("genmorph runs")
        .status;
    assert!(status.success(), "generate failed on {subject}");
    let searches = fs::read_dir(&folder).expect("a run has a folder");
    let files = searches.flatten().map(|entry| entry.path().join("executions.parquet"));
    let file = files.into_iter().find(|file| file.exists()).expect("a search keeps its executions");
    let executions = Executions::read(&file).expect("the file is whole").executions;
    fs::remove_dir_all(&folder).expect("the folder can be removed");
    executions
}
