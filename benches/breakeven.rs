//! When machine code pays: compile time, run time, and the reuses after which both tiers have cost the
//! same.
//!
//! `cargo bench --bench breakeven` (thorough) or `cargo bench --bench breakeven -- --quick`. The
//! constants of the ladder (`jit/src/engine/native/breakeven.rs`) come from here.
//!
//! `auto_over_better` compares the time of a run once `Auto` has seen the relations often enough to have
//! compiled what it will compile; the better of the two tiers is taken without its compile time.
//! `auto_cold_over_bytecode` is what `Auto` costs before that: bytecode, and counting what it has seen.

mod support;

use std::hint::black_box;

use genmorph_jit::engine::native;
use genmorph_jit::{Evaluator, Isa, Mask, Policy, Predicate, Program, Table, Tier};
use rand::SeedableRng;
use rand::rngs::StdRng;

use support::grow::Grower;
use support::stopwatch::{best, cpu, quick};
use support::tables::{self, Numbers};

fn main() {
    println!("{}, {:?}", cpu(), Isa::best());
    compile_times();
    let grid: &[usize] = if quick() {
        &[100, 18_000, 300_000]
    } else {
        &[100, 1_000, 18_000, 100_000, 300_000, 1_000_000]
    };
    let mut worst_auto = 0.0_f64;
    for &rows in grid {
        for size in [8, 16] {
            worst_auto = worst_auto.max(compare(rows, size));
        }
    }
    println!("RESULT breakeven auto_over_better_worst={worst_auto:.2}");
}

fn relations(table: &Table, size: usize, count: usize) -> Vec<Predicate> {
    let mut rng = StdRng::seed_from_u64(7);
    Grower::new(table.schema()).relations(count, size, &mut rng)
}

fn lowered(relations: &[Predicate], table: &Table) -> Vec<Program> {
    let lower = |relation| {
        let mut program = Program::new();
        program.lower(relation, table);
        program
    };
    relations.iter().map(lower).collect()
}

/// Per relation, one module each and many in one module.
fn compile_times() {
    let table = tables::numeric(1_000, Numbers::Real).table();
    for size in [8, 16] {
        let programs = lowered(&relations(&table, size, if quick() { 100 } else { 1_000 }), &table);
        let some = &programs[..100];
        let times = best(
            3,
            &mut [
                ("alone", &mut || {
                    for program in some {
                        black_box(native::compile_many(std::slice::from_ref(program), &table).ok());
                    }
                }),
                ("together", &mut || {
                    black_box(native::compile_many(&programs, &table).ok());
                }),
            ],
        );
        println!(
            "RESULT breakeven compile_us_alone_{size}={:.0} compile_us_in_batch_{size}={:.0}",
            times[0] / some.len() as f64 * 1e6,
            times[1] / programs.len() as f64 * 1e6
        );
    }
}

/// One point of the grid; returns how much slower `Auto` is than the better tier.
fn compare(rows: usize, size: usize) -> f64 {
    let table = tables::numeric(rows, Numbers::Real).table();
    let relations = relations(&table, size, if rows > 100_000 { 10 } else { 30 });
    let mut mask = Mask::empty(table.layout());
    // Short rounds, so that some of them are not interrupted.
    let passes = (200_000 / (rows * relations.len())).max(1);
    let mut run_passes = |evaluator: &mut Evaluator, passes: usize| {
        for _ in 0..passes {
            for relation in &relations {
                evaluator.mask_into(relation, &table, &mut mask);
            }
        }
    };
    // So few that nothing is compiled.
    let cold_passes = passes.min(100);
    let mut native = Evaluator::new(Policy::Only(Tier::Native));
    native.compile(&relations, &table);
    let mut auto = Evaluator::new(Policy::Auto);
    // `Auto` compiles what it has seen often enough; what is measured is where that ends.
    for _ in 0..if rows > 100_000 { 10 } else { 100 } {
        run_passes(&mut auto, passes);
    }
    let isas: Vec<Isa> = Isa::ALL.into_iter().filter(|isa| isa.is_available()).collect();
    let mut bytecode: Vec<Evaluator> =
        isas.iter().map(|isa| Evaluator::with_isa(Policy::Only(Tier::Bytecode), *isa)).collect();
    let rounds = if quick() { 25 } else { 75 };
    let mut times = vec![f64::INFINITY; 2 + bytecode.len()];
    let mut cold = [f64::INFINITY; 2];
    for _ in 0..rounds {
        let mut time = |evaluator: &mut Evaluator, passes: usize| {
            let time = best(1, &mut [("", &mut || run_passes(evaluator, passes))])[0];
            time / (passes * relations.len()) as f64 * 1e6
        };
        let mut fresh = Evaluator::new(Policy::Auto);
        cold[0] = cold[0].min(time(&mut fresh, cold_passes));
        let widest = bytecode.last_mut().expect("portable is there");
        cold[1] = cold[1].min(time(widest, cold_passes));
        let mut keep = |i: usize, evaluator: &mut Evaluator| {
            times[i] = times[i].min(time(evaluator, passes));
        };
        keep(0, &mut native);
        keep(1, &mut auto);
        for (i, evaluator) in bytecode.iter_mut().enumerate() {
            keep(2 + i, evaluator);
        }
    }
    let (native, auto, bytecode) = (times[0], times[1], *times.last().expect("portable is there"));
    let auto_over_better = auto / native.min(bytecode);
    let tiers: String = isas
        .iter()
        .zip(&times[2..])
        .map(|(isa, time)| format!(" {}_us={time:.2}", format!("{isa:?}").to_lowercase()))
        .collect();
    println!(
        "RESULT breakeven_{rows}_{size} native_us={native:.2}{tiers} \
         bytecode_over_native={:.2} auto_over_better={auto_over_better:.2} \
         auto_cold_over_bytecode={:.2}",
        bytecode / native,
        cold[0] / cold[1]
    );
    auto_over_better
}
