//! How far reported relations can be trusted: what `generate` reports about forty functions, put before a judge with ten times the inputs
//! that a relation is tried on, drawn by code that nothing else uses.
//!
//! `cargo bench --bench trust` runs `generate` with its default budget and three seeds on every function. Needs a JDK, and Maven and the
//! registry for what is not on this machine. Flags after `--`:
//!
//! - `--only TEXT`: functions whose name contains the text, such as `java`, `strsim` or `wide/gcd`
//! - `--seeds N`, `--budget SECONDS`
//! - `--shard I/N`: every N-th function, from the I-th on, counted from 0
//! - `--load`: two threads for every core spin meanwhile, so that budgets run out early
//! - `--results FILE`: where results are kept [target/trust/results.tsv]; those that it has are not made again
//! - `--quick`: one seed, 4 seconds, three transformations, a fifth of the pairs

#[path = "../support/mod.rs"]
mod support;

mod draw;
mod functions;
mod tally;

use std::hint;
use std::path::PathBuf;
use std::str::FromStr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use genmorph::filter::Filter;
use genmorph::jit::Predicate;
use genmorph::run::{Plan, Transformations, run};
use genmorph::subject::kinds::Observed;
use genmorph::subject::together::Composed;
use genmorph::subject::{Inputs, Inside, Subject, Throwing};
use genmorph::support::seed::Seed;
use genmorph::support::threads::Jobs;
use genmorph::transform::Transform;

use draw::Dice;
use support::stopwatch::{cpu, quick};
use tally::{Count, Results};

/// The judge has this many times the inputs that a relation is tried on before it is reported.
const TIMES: usize = 10;
/// The budget of `genmorph generate`, in seconds.
const BUDGET: u64 = 20;
/// Inputs that the judge tries at a time.
const BATCH: usize = 20_000;

struct Options {
    only: Option<String>,
    seeds: u64,
    budget: u64,
    shard: (usize, usize),
    load: bool,
    results: PathBuf,
}

impl Options {
    fn read() -> Options {
        let arguments: Vec<String> = std::env::args().skip(1).collect();
        let after = |flag: &str| {
            let place = arguments.iter().position(|argument| argument == flag)?;
            Some(arguments.get(place + 1).unwrap_or_else(|| panic!("{flag} needs a value")).clone())
        };
        let shard = after("--shard").unwrap_or_else(|| "0/1".to_owned());
        let (place, of) = shard.split_once('/').expect("a shard is I/N");
        Options {
            only: after("--only"),
            seeds: after("--seeds").map_or(if quick() { 1 } else { 3 }, |text| number(&text)),
            budget: after("--budget")
                .map_or(if quick() { 4 } else { BUDGET }, |text| number(&text)),
            shard: (number(place), number::<usize>(of).max(1)),
            load: arguments.iter().any(|argument| argument == "--load"),
            results: after("--results")
                .map_or_else(|| functions::folder().join("results.tsv"), PathBuf::from),
        }
    }
}

fn number<N: FromStr>(text: &str) -> N {
    text.parse().unwrap_or_else(|_| panic!("`{text}` is not a number"))
}

fn main() {
    println!("{}", cpu());
    let options = Options::read();
    let _load = options.load.then(Load::start);
    let mut results = Results::open(options.results.clone());
    println!(
        "{:<54} {:>5} {:>9} {:>8} {:>8}",
        "function", "seeds", "relations", "refuted", "seconds"
    );
    let mut total = Count::default();
    let mut missing = Vec::new();
    let (place, of) = options.shard;
    let functions = functions::all().into_iter().filter(|function| {
        options.only.as_ref().is_none_or(|only| function.name().contains(only.as_str()))
    });
    for function in functions.skip(place).step_by(of) {
        let name = function.name();
        let start = Instant::now();
        let mut count = Count::default();
        let mut subject = None;
        let mut done = 0;
        for seed in 1..=options.seeds {
            if !results.counts.contains_key(&(name.clone(), seed)) {
                let subject = subject.get_or_insert_with(|| function.load());
                match subject
                    .as_ref()
                    .map_err(String::clone)
                    .and_then(|s| tried(&**s, seed, &options))
                {
                    Ok(count) => results.add(&name, seed, count),
                    Err(why) => {
                        missing.push(format!("{name}, seed {seed}: {why}"));
                        continue;
                    }
                }
            }
            count.add(results.counts[&(name.clone(), seed)]);
            done += 1;
        }
        println!(
            "{name:<54} {done:>5} {:>9} {:>8} {:>8.1}",
            count.reported,
            count.refuted,
            start.elapsed().as_secs_f64()
        );
        total.add(count);
    }
    for why in &missing {
        println!("not tried: {why}");
    }
    let Count { reported, refuted } = total;
    println!(
        "RESULT trust relations={reported} refuted={refuted} false_at_most={:.2}% missing={}",
        100.0 * total.bound(),
        missing.len()
    );
}

/// What `generate` reports about a function with a seed, and how much of it the judge refutes.
fn tried(subject: &dyn Subject, seed: u64, options: &Options) -> Result<Count, String> {
    let time = Some(Duration::from_secs(options.budget));
    let mut plan = Plan { seed: Seed(seed), time, ..Plan::default() };
    if quick() {
        plan.fresh /= 5;
        plan.transformations = Transformations::Sampled(3);
    }
    let generated = run(subject, &plan, &mut |_| ()).map_err(|error| error.to_string())?;
    let mut count = Count::default();
    // Relations of values are claimed inside of the precondition, those of outcomes everywhere.
    let inside = Inside::new(subject, generated.signature);
    let throwing = Throwing::of(subject);
    for searched in generated.searched.iter().filter(|searched| !searched.relations.is_empty()) {
        let instance = searched.transform.instance();
        let composed = searched.transform.together().map(|how| {
            Composed::new(&inside, how, &instance.parameters).expect("the run has made these calls")
        });
        let subject: &dyn Subject = match (&composed, searched.claimed.observed, &throwing) {
            (Some(composed), _, _) => composed,
            (None, Observed::Outcomes, Some(throwing)) => throwing,
            (None, Observed::Outcomes | Observed::Values | Observed::Together, _) => &inside,
        };
        count.reported += searched.relations.len() as u64;
        count.refuted += judge(subject, &searched.transform, &searched.relations, &plan)?;
    }
    Ok(count)
}

/// How many of the relations the judge refutes; each is printed with a counterexample.
fn judge(
    subject: &dyn Subject,
    transform: &Transform,
    relations: &[Predicate],
    plan: &Plan,
) -> Result<u64, String> {
    let jobs = Jobs::new(0).map_err(|error| error.to_string())?;
    let signature = subject.signature();
    let schema = signature.of_executions().schema().map_err(|error| error.to_string())?;
    let nothing = Inputs::new(signature);
    let filter = Filter::new(subject, transform, &nothing, plan.tolerance, plan.seed, &jobs);
    let mut dice = Dice::new(1_000_003 * plan.seed.0 + 17);
    let mut is_refuted = vec![false; relations.len()];
    for _ in 0..(TIMES * plan.fresh).div_ceil(BATCH) {
        let rows = draw::rows(signature, subject.constants(), BATCH, &mut dice);
        let verdicts = filter.judge_on(relations, &rows).map_err(|error| error.to_string())?;
        for ((relation, verdict), is_refuted) in relations.iter().zip(verdicts).zip(&mut is_refuted)
        {
            if let Some(pair) = verdict.counterexamples.first()
                && !*is_refuted
            {
                *is_refuted = true;
                println!(
                    "  refuted: {} => {}",
                    transform.describe().name,
                    relation.display(&schema)
                );
                println!("           {:?} -> {:?}", pair.source, pair.source_outputs);
                println!("           {:?} -> {:?}", pair.follow_up, pair.follow_up_outputs);
            }
        }
    }
    Ok(is_refuted.iter().filter(|refuted| **refuted).count() as u64)
}

/// Threads that keep the machine busy until this is dropped.
struct Load(Arc<AtomicBool>);

impl Load {
    fn start() -> Load {
        let done = Arc::new(AtomicBool::new(false));
        for _ in 0..2 * Jobs::cores() {
            let done = Arc::clone(&done);
            thread::spawn(move || {
                while !done.load(Ordering::Relaxed) {
                    hint::spin_loop();
                }
            });
        }
        Load(done)
    }
}

impl Drop for Load {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}
