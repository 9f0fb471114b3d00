//! The population path on populations as they evolve.
//!
//! `cargo bench --bench population` (thorough) or `cargo bench --bench population -- --quick`.
//! Effective node-rows/s count the nodes of all relations whether or not the memo spared them; the raw
//! rate beside it counts what the engine really ran. In `numeric` and `mixed` rows are alike in much of
//! what atoms read, as they are where inputs or outputs are small integers or texts; in `real` none is like another.

mod support;

use std::hint::black_box;
use std::sync::Arc;
use std::time::Instant;

use genmorph_jit::{
    Batch, DEFAULT_MEMORY, Evaluator, Isa, OneThread, Policy, Predicate, Table, Threads, Tier,
};
use rayon::prelude::*;

use support::evolution::{Parsimony, record};
use support::grow::Grower;
use support::stopwatch::{cpu, quick};
use support::tables;

const ROWS: usize = 18_000;
const GENERATIONS: usize = 30;
/// From here on the initial population has been bred away.
const SETTLED: usize = 5;

/// The threads of the pool that the caller is in, as in a search.
struct Rayon;

impl Threads for Rayon {
    fn for_each<T: Send>(&self, items: &mut [T], each: impl Fn(&mut T) + Sync + Send) {
        items.par_iter_mut().with_max_len(1).for_each(each);
    }
}

fn main() {
    println!("{}, {:?}", cpu(), Isa::best());
    let two = rayon::ThreadPoolBuilder::new().num_threads(2).build().expect("two threads");
    for (name, data, parsimony) in [
        ("numeric", tables::pow(ROWS), Parsimony::On),
        ("mixed", tables::pad(ROWS), Parsimony::On),
        ("real", tables::real(ROWS), Parsimony::On),
        ("numeric_large", tables::pow(ROWS), Parsimony::Off),
        ("mixed_large", tables::pad(ROWS), Parsimony::Off),
    ] {
        let table = Arc::new(data.table());
        let small = quick() || parsimony == Parsimony::Off;
        let sizes: &[usize] = if small { &[1_000] } else { &[1_000, 10_000] };
        for &each in sizes {
            let grower = Grower::new(&data.schema);
            let generations = record(&table, &grower, each, GENERATIONS, parsimony);
            let memory = DEFAULT_MEMORY * each / 1_000;
            let rounds = if each > 1_000 { 3 } else { 9 };
            let figures = Figures::measure(&table, &generations, memory, rounds, &two);
            println!(
                "RESULT population_{name}_{each} us_per_relation={:.2} us_settled={:.2} \
                 single_over_population={:.2} effective_gnrps={:.1} raw_gnrps={:.1} \
                 atoms_remembered={:.2} atoms_digested={:.2} memory_mb={:.0} two_threads_over_one={:.2} mean_nodes={:.1}",
                figures.whole * 1e6,
                figures.settled * 1e6,
                figures.single / figures.settled,
                figures.effective / 1e9,
                figures.raw / 1e9,
                figures.remembered,
                figures.digested,
                figures.memory as f64 / 1e6,
                figures.whole / figures.two_threads,
                figures.mean_nodes,
            );
        }
    }
}

/// Seconds per relation, and rates.
struct Figures {
    whole: f64,
    settled: f64,
    /// Bytecode one by one, on the settled generations.
    single: f64,
    two_threads: f64,
    effective: f64,
    raw: f64,
    remembered: f64,
    /// Of the atoms that were not, those that were evaluated on fewer rows.
    digested: f64,
    memory: usize,
    mean_nodes: f64,
}

impl Figures {
    fn measure(
        table: &Arc<Table>,
        generations: &[Vec<Predicate>],
        memory: usize,
        rounds: usize,
        two: &rayon::ThreadPool,
    ) -> Figures {
        let relations = generations.iter().map(Vec::len).sum::<usize>() as f64;
        let settled_relations = generations[SETTLED..].iter().map(Vec::len).sum::<usize>() as f64;
        let nodes = generations.iter().flatten().map(Predicate::size).sum::<usize>() as f64;
        let mut best = [f64::INFINITY; 4];
        let mut counters = None;
        let mut used = 0;
        for _ in 0..rounds {
            let mut batch = Batch::new(Arc::clone(table), memory);
            let [whole, settled] = run(&mut batch, generations, &OneThread);
            let mut batch_of_two = Batch::new(Arc::clone(table), memory);
            let [two_threads, _] = two.install(|| run(&mut batch_of_two, generations, &Rayon));
            let single = one_by_one(table, generations);
            used = batch.memory();
            counters = Some(batch.counters());
            for (best, time) in best.iter_mut().zip([whole, settled, single, two_threads]) {
                *best = best.min(time);
            }
        }
        let [whole, settled, single, two_threads] = best;
        let counters = counters.expect("at least one round");
        Figures {
            whole: whole / relations,
            settled: settled / settled_relations,
            single: single / settled_relations,
            two_threads: two_threads / relations,
            effective: nodes * ROWS as f64 / whole,
            raw: counters.node_rows as f64 / whole,
            remembered: counters.memo_hits as f64
                / (counters.memo_hits + counters.memo_misses) as f64,
            digested: counters.digested as f64 / counters.memo_misses as f64,
            memory: used,
            mean_nodes: nodes / relations,
        }
    }
}

/// Seconds for all generations, and for the settled ones.
fn run(batch: &mut Batch, generations: &[Vec<Predicate>], threads: &impl Threads) -> [f64; 2] {
    let mut seconds = [0.0; 2];
    for (i, population) in generations.iter().enumerate() {
        let start = Instant::now();
        black_box(batch.counts(population, threads));
        let elapsed = start.elapsed().as_secs_f64();
        seconds[0] += elapsed;
        if i >= SETTLED {
            seconds[1] += elapsed;
        }
    }
    seconds
}

/// Seconds for the settled generations, on a tenth of the relations, scaled up.
fn one_by_one(table: &Table, generations: &[Vec<Predicate>]) -> f64 {
    let mut evaluator = Evaluator::new(Policy::Only(Tier::Bytecode));
    let mut counts = Vec::new();
    let start = Instant::now();
    for population in &generations[SETTLED..] {
        for relation in population.iter().step_by(10) {
            evaluator.counts(relation, table, &mut counts);
            black_box(&counts);
        }
    }
    start.elapsed().as_secs_f64() * 10.0
}
