//! What a sweep costs besides its units: the time of `genmorph sweep run`, from start to end, over the sum of what its
//! units took.
//!
//! `cargo bench --bench sweep` (200 small units of the built-in pow) or `-- --quick` (40 of them). At most 5 % is the aim.

mod support;

use std::path::Path;
use std::process::Command;
use std::time::Instant;

use genmorph::sweep::{Folder, Manifest, Status};

use support::stopwatch::{cpu, quick};

fn main() {
    println!("{}", cpu());
    let sweep = Path::new(env!("CARGO_TARGET_TMPDIR")).join("bench-sweep");
    let _ = std::fs::remove_dir_all(&sweep);
    let seeds = if quick() { "1-10" } else { "1-50" };
    let settings =
        ["--generations", "10", "--population", "100", "--fresh", "5000", "--hunt", "5000"];
    genmorph(&["plan", "--seeds", seeds, "--transformations", "4"], &sweep, &settings);
    let start = Instant::now();
    genmorph(&["run", "--jobs", "1"], &sweep, &[]);
    let wall = start.elapsed().as_secs_f64();

    let manifest = Manifest::read(&sweep).expect("it was just planned");
    let folder = Folder::open(&sweep.join(Folder::NAME), &manifest).expect("it was just run");
    let status = Status::of(&manifest, &[folder]).expect("it was just run");
    assert!(status.is_complete(), "{status}");
    let (units, seconds) = (status.units, status.seconds);
    let start = Instant::now();
    genmorph(&["merge"], &sweep, &[]);
    let merge = start.elapsed().as_secs_f64();
    println!("{units} units: {seconds:.2} s of work in {wall:.2} s, merged in {merge:.2} s");
    println!("RESULT sweep overhead={:.4}", wall / seconds - 1.0);
}

/// Runs a command on the folder of the sweep.
fn genmorph(command: &[&str], sweep: &Path, more: &[&str]) {
    let mut run = Command::new(env!("CARGO_BIN_EXE_genmorph"));
    run.arg("sweep").args(command);
    if command[0] == "plan" {
        run.arg("-o");
    }
    let output = run.arg(sweep).args(more).output().expect("cargo has built the command");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}
