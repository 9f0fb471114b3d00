//! The search: what an individual costs, how it grows with populations and threads, and what is found.
//!
//! `cargo bench --bench generation` (thorough) or `cargo bench --bench generation -- --quick`. A name
//! after `--` runs one part: `cost`, `large`, `equation` or `settings`.

// Needs the whole library, unlike what the other benches share.
#[path = "support/subjects.rs"]
mod subjects;
mod support;

use std::time::{Duration, Instant};

use genmorph::evolve::config::Config;
use genmorph::evolve::{Evolution, Machine};
use genmorph::executions::{Executions, INCORRECT};
use genmorph::support::seed::Seed;
use genmorph_jit::{Evaluator, Isa, parse};

use support::stopwatch::{cpu, quick, running};

const ROWS: usize = 18_000;
/// From here on the first individuals have been bred away.
const SETTLED: u64 = 5;

fn main() {
    println!("{}, {:?}", cpu(), Isa::best());
    let asked: Vec<String> =
        std::env::args().skip(1).filter(|arg| !arg.starts_with("--")).collect();
    let wanted = |part: &str| asked.is_empty() || asked.iter().any(|name| name == part);
    if wanted("cost") {
        cost();
    }
    if wanted("large") {
        large();
    }
    if wanted("equation") {
        equation();
    }
    if wanted("settings") {
        settings();
    }
}

/// Seconds per individual from [`SETTLED`] on: this thread's in breeding and in evaluation, and all of
/// them by the clock on the wall.
fn seconds(executions: &Executions, config: &Config, jobs: usize, generations: u64) -> [f64; 3] {
    let machine = Machine { jobs, ..Machine::default() };
    let mut evolution =
        Evolution::new(executions, config, Seed(1), machine).expect("the search can run");
    let mut seconds = [0.0; 3];
    let begin = Instant::now();
    while evolution.generation() < generations {
        let (wall, start) = (Instant::now(), running(begin));
        evolution.within_pool(Evolution::breed);
        let bred = running(begin);
        evolution.within_pool(Evolution::judge);
        if evolution.generation() >= SETTLED {
            seconds[0] += bred - start;
            seconds[1] += running(begin) - bred;
            seconds[2] += wall.elapsed().as_secs_f64();
        }
    }
    let individuals = (generations + 1 - SETTLED) * 2 * config.population as u64;
    seconds.map(|time| time / individuals as f64)
}

/// The cost of an individual at 2 x 1,000, and what a second thread brings.
fn cost() {
    let rounds = if quick() { 2 } else { 6 };
    for (name, executions) in [("pow", subjects::pow(ROWS)), ("pad", subjects::pad(ROWS))] {
        for (settings, config) in [("paper", Config::paper()), ("default", Config::default())] {
            let config = Config { population: 1_000, restart_after: 0, ..config };
            let mut best = [[f64::INFINITY; 3]; 2];
            for _ in 0..rounds {
                for (jobs, best) in [1, 2].into_iter().zip(&mut best) {
                    let found = seconds(&executions, &config, jobs, 30);
                    for (best, found) in best.iter_mut().zip(found) {
                        *best = best.min(found);
                    }
                }
            }
            let [[breeding, evaluation, wall], [_, _, wall_of_two]] = best;
            let total = breeding + evaluation;
            println!(
                "RESULT generation_{name}_{settings}_1000 us_per_individual={:.2} us_breeding={:.2} \
                 us_evaluation={:.2} breeding_share={:.2} us_wall={:.2} two_threads_over_one={:.2}",
                total * 1e6,
                breeding * 1e6,
                evaluation * 1e6,
                breeding / total,
                wall * 1e6,
                wall / wall_of_two,
            );
        }
    }
}

/// The cost of an individual in large populations, over that at 2 x 1,000, and the memory.
fn large() {
    let executions = subjects::pow(ROWS);
    let total = |population, generations| {
        let config = Config { population, restart_after: 0, ..Config::default() };
        let [breeding, evaluation, _] = seconds(&executions, &config, 1, generations);
        breeding + evaluation
    };
    let sizes: &[usize] = if quick() { &[100_000] } else { &[10_000, 100_000, 1_000_000] };
    for &population in sizes {
        // The same generations of both: early ones cost more.
        let generations = if quick() { 10 } else { 20 };
        let small = (0..5).map(|_| total(1_000, generations)).fold(f64::INFINITY, f64::min);
        let large = total(population, generations);
        println!(
            "RESULT generation_large_{population} us_per_individual={:.2} over_1000={:.2} \
             peak_mb={:.0}",
            large * 1e6,
            large / small,
            peak_memory() / 1e6,
        );
    }
}

/// The most memory that this process has had, in bytes; 0 where the system does not say.
fn peak_memory() -> f64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kb = line.and_then(|line| line.split_whitespace().next()?.parse::<f64>().ok());
    kb.unwrap_or(0.0) * 1024.0
}

/// The false negatives of a relation.
fn missed(text: &str, executions: &Executions) -> u32 {
    let relation = parse(text, executions.table.schema()).expect("a relation");
    let mut counts = Vec::new();
    Evaluator::default().counts(&relation, &executions.table, &mut counts);
    counts[INCORRECT]
}

/// For how many seeds of ten a relation as strong as the known one is found within 5 s.
fn equation() {
    for (name, executions, known) in [
        ("pow", subjects::pow(ROWS), "out_f * k_s == out_s"),
        ("sin", subjects::sin(ROWS), "out_s * out_s + out_f * out_f == 1"),
    ] {
        if quick() && name != "pow" {
            continue;
        }
        let wanted = missed(known, &executions);
        for (settings, config) in [("default", Config::default()), ("paper", Config::paper())] {
            let mut found = Vec::new();
            for seed in 0..10 {
                let start = Instant::now();
                let machine = Machine { jobs: 1, ..Machine::default() };
                let mut evolution = Evolution::new(&executions, &config, Seed(seed), machine)
                    .expect("the search can run");
                while start.elapsed() < Duration::from_secs(5) {
                    if evolution.step().best.is_some_and(|best| best.fn_ <= wanted) {
                        found.push(start.elapsed().as_secs_f64());
                        break;
                    }
                }
                if !quick() {
                    println!(
                        "{name} {settings} seed {seed} after {:.2} s",
                        start.elapsed().as_secs_f64()
                    );
                    for relation in evolution.outcome().relations {
                        let (text, killed) = (relation.text(), relation.killed);
                        println!("  {text}   FN {} killed {killed:?}", relation.fn_);
                    }
                }
            }
            println!(
                "RESULT generation_equation_{name}_{settings} seeds_of_10={} median_s={:.2}",
                found.len(),
                median(&mut found),
            );
        }
    }
}

fn median(values: &mut [f64]) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(f64::NAN)
}

/// Every setting that goes past the paper, switched back to the paper's; and switched on alone.
fn settings() {
    let (paper, default) = (Config::paper(), Config::default());
    let seeds = if quick() { 2 } else { 10 };
    let evaluations = if quick() { 10_000 } else { 400_000 };
    type Switch = fn(&mut Config, &Config);
    let switches: [(&str, Switch); 10] = [
        ("start", |to, from| to.start = from.start),
        ("variation", |to, from| to.variation = from.variation),
        ("joining", |to, from| to.joining = from.joining),
        ("constants", |to, from| to.constants = from.constants),
        ("duplicates", |to, from| to.duplicates = from.duplicates),
        ("tuned", |to, from| to.tuned = from.tuned),
        ("fitting", |to, from| to.fitting = from.fitting),
        ("weights", |to, from| to.weights = from.weights),
        ("restarts", |to, from| to.restart_after = from.restart_after),
        ("matching", |to, from| {
            to.best_match = from.best_match;
            to.match_candidates = from.match_candidates;
            to.match_rows = from.match_rows;
        }),
    ];
    let mut contenders = vec![("default".to_owned(), default.clone())];
    for (name, switch) in switches {
        let mut without = default.clone();
        switch(&mut without, &paper);
        contenders.push((format!("without_{name}"), without));
    }
    contenders.push(("paper".to_owned(), paper.clone()));
    if !quick() {
        for (name, switch) in switches {
            let mut only = paper.clone();
            switch(&mut only, &default);
            contenders.push((format!("paper_with_{name}"), only));
        }
    }
    for (subject, executions) in
        [("pow", subjects::pow(ROWS)), ("sin", subjects::sin(ROWS)), ("pad", subjects::pad(ROWS))]
    {
        for (name, config) in &contenders {
            let config = Config { population: 1_000, ..config.clone() };
            let runs: Vec<[f64; 4]> =
                (0..seeds).map(|seed| run(&executions, &config, seed, evaluations)).collect();
            let of = |i: usize| median(&mut runs.iter().map(|run| run[i]).collect::<Vec<_>>());
            let wins = runs.iter().filter(|run| run[0] == runs_best(&runs)).count();
            println!(
                "RESULT generation_settings_{subject}_{name} median_fn={:.0} best_fn={:.0} seeds_at_best={wins} \
                 killed={:.1} size={:.0} us_per_individual={:.2}",
                of(0),
                runs_best(&runs),
                runs.iter().map(|run| run[1]).sum::<f64>() / runs.len() as f64,
                of(2),
                of(3),
            );
        }
    }
}

fn runs_best(runs: &[[f64; 4]]) -> f64 {
    runs.iter().map(|run| run[0]).fold(f64::INFINITY, f64::min)
}

/// False negatives and size of the best relation, the mutants killed, and the time per individual.
fn run(executions: &Executions, config: &Config, seed: u64, evaluations: u64) -> [f64; 4] {
    let machine = Machine { jobs: 0, ..Machine::default() };
    let mut evolution =
        Evolution::new(executions, config, Seed(seed), machine).expect("the search can run");
    let start = Instant::now();
    while evolution.evaluations() < evaluations {
        evolution.step();
    }
    let time = start.elapsed().as_secs_f64() / evaluations as f64;
    let relations = evolution.outcome().relations;
    let all = f64::from(missed("true", executions));
    let mut killed: Vec<usize> = relations.iter().flat_map(|found| found.killed.clone()).collect();
    killed.sort_unstable();
    killed.dedup();
    let best = relations.first();
    [
        best.map_or(all, |best| f64::from(best.fn_)),
        killed.len() as f64,
        best.map_or(0.0, |best| best.size() as f64),
        time * 1e6,
    ]
}
