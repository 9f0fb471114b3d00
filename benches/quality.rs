//! What `generate` finds on the example subjects, over several seeds: branch coverage, relations that stand, and
//! the mutation score on mutants that were not trained on, between its floor and its ceiling.
//!
//! `cargo bench --bench quality` (5 seeds, 6 s each) or `-- --quick` (1 seed, 2 s each). Names after `--` run
//! those subjects only.

mod support;

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use genmorph::record::report::Report;
use genmorph::run::{Plan, run};
use genmorph::subject::wasm::WasmDefinition;
use genmorph::subject::wasm::{Engine, WasmSubject};
use genmorph::support::seed::Seed;

use support::stopwatch::{cpu, quick};

fn main() {
    println!("{}", cpu());
    let asked: Vec<String> =
        std::env::args().skip(1).filter(|arg| !arg.starts_with("--")).collect();
    let (seeds, seconds) = if quick() { (1, 2) } else { (5, 6) };
    println!(
        "{:<12} {:>4} {:>7} {:>9} {:>8} {:>8} {:>7} {:>7} {:>8} {:>7} {:>6} {:>7}",
        "subject",
        "seed",
        "sides",
        "relations",
        "mutants",
        "floor",
        "killed",
        "ceiling",
        "asserted",
        "novel",
        "alarms",
        "seconds"
    );
    let mut totals = [0_usize; 4];
    let (mut without, mut alarms) = (Vec::new(), 0);
    for (name, path) in subjects() {
        if !asked.is_empty() && !asked.contains(&name) {
            continue;
        }
        let definition = WasmDefinition::read(&path).expect("an example subject can be read");
        let subject = WasmSubject::defined(&definition, Engine::default())
            .expect("an example subject can be run");
        for seed in 1..=seeds {
            let start = Instant::now();
            let time = Some(Duration::from_secs(seconds));
            let plan = Plan { seed: Seed(seed), time, ..Plan::default() };
            let report =
                run(&subject, &plan, &mut |_| ()).expect("an example subject has relations").report;
            show(&name, seed, &report, start.elapsed());
            let judged = &report.judged.totals;
            for (total, count) in
                totals.iter_mut().zip([judged.mutants, judged.floor, judged.killed, judged.ceiling])
            {
                *total += count;
            }
            alarms += judged.false_alarms;
            if judged.asserted == 0 {
                without.push(format!("{name}/{seed}"));
            }
        }
    }
    let share = |part: usize| 100.0 * part as f64 / totals[0].max(1) as f64;
    println!("without a kill by assertion: {}", without.join(" "));
    println!(
        "RESULT quality floor={:.1} killed={:.1} ceiling={:.1} without_kill={} false_alarms={alarms}",
        share(totals[1]),
        share(totals[2]),
        share(totals[3]),
        without.len()
    );
}

fn show(name: &str, seed: u64, report: &Report, time: Duration) {
    let judged = &report.judged.totals;
    let percent =
        |part: usize| format!("{:.0} %", 100.0 * part as f64 / judged.mutants.max(1) as f64);
    println!(
        "{name:<12} {seed:>4} {:>7} {:>9} {:>8} {:>8} {:>7} {:>7} {:>8} {:>7} {:>6} {:>7.1}",
        format!("{}/{}", report.sources.covered, report.sources.sides),
        report.relations(),
        judged.mutants,
        percent(judged.floor),
        percent(judged.killed),
        percent(judged.ceiling),
        judged.asserted,
        format!("{}/{}", report.judged.novel_asserted, report.judged.novel),
        judged.false_alarms,
        time.as_secs_f64()
    );
}

/// The example subjects, by name.
fn subjects() -> Vec<(String, PathBuf)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/subjects");
    let entries = fs::read_dir(folder).expect("the examples are in the repository");
    let mut all: Vec<(String, PathBuf)> = entries
        .filter_map(|entry| {
            let entry = entry.ok()?;
            let path = entry.path().join("subject.toml");
            path.exists().then(|| (entry.file_name().to_string_lossy().into_owned(), path))
        })
        .collect();
    all.sort();
    all
}
