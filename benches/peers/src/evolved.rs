//! Populations as they evolve: 30 generations of 2 × 1,000 relations, and how ours evaluate them.
//!
//! The algorithm is the one of `cargo bench --bench population` (`benches/support/evolution.rs`), the
//! executions are those of an integer power. Every relation is one comparison of two numbers, so that
//! a tool without booleans can evaluate it as a difference.

use std::fmt;
use std::fs;
use std::hint::black_box;
use std::io;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use genmorph_jit::{Batch, DEFAULT_MEMORY, Evaluator, OneThread, Op, Policy, Predicate, Tier};

use crate::generate::{self, COMPARISONS};
use crate::support::evolution::{self, Parsimony};
use crate::support::grow::Grower;
use crate::support::tables;
use crate::world::{EVOLVED, ROWS, World, schema};

const GENERATIONS: usize = 30;

/// Relations of each of the two populations.
const EACH: usize = 1_000;

const ARITHMETIC: [Op; 5] = [Op::Add, Op::Sub, Op::Mul, Op::Div, Op::Abs];

/// Writes the executions and all generations.
pub(crate) fn write(folder: &Path) -> io::Result<()> {
    let data = tables::pow(ROWS);
    let table = Arc::new(data.table());
    let operators = [&ARITHMETIC[..], &COMPARISONS].concat();
    let grower = Grower::of(&data.schema, &operators);
    // With parsimony, as in the paper.
    let recorded = evolution::record(&table, &grower, EACH, GENERATIONS, Parsimony::On);

    let values = data.numbers().concat();
    let bytes: Vec<u8> = values.iter().flat_map(|value| value.to_le_bytes()).collect();
    fs::write(folder.join(EVOLVED.columns), bytes)?;
    // Columns are called x0 and on in all the files, whatever they hold.
    let schema = schema();
    let mut lines = String::new();
    for (generation, relations) in recorded.iter().enumerate() {
        for relation in relations {
            generate::line(("generation", generation), relation, &schema, &mut lines);
        }
    }
    fs::write(folder.join(EVOLVED.trees), lines)
}

/// All generations once, in their order.
pub(crate) struct Pass {
    /// Of each generation.
    seconds: Vec<f64>,
    /// Nodes times rows that the engine really ran.
    node_rows: u64,
    /// On how many rows of each group each relation holds.
    pub(crate) counts: Vec<u32>,
}

impl fmt::Display for Pass {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let seconds: Vec<String> = self.seconds.iter().map(f64::to_string).collect();
        write!(f, "seconds={} node_rows={}", seconds.join(","), self.node_rows)
    }
}

/// The bytecode tier, relation by relation: nothing is remembered.
pub(crate) fn bytecode(world: &World) -> Pass {
    let mut evaluator = Evaluator::new(Policy::Only(Tier::Bytecode));
    let mut of_one = Vec::new();
    let mut pass = pass(world, |relations, counts| {
        for relation in relations {
            evaluator.counts(black_box(relation), &world.table, &mut of_one);
            counts.extend_from_slice(&of_one);
        }
    });
    pass.node_rows = evaluator.counters().node_rows;
    pass
}

/// The population path, generation by generation, from an empty memo.
pub(crate) fn population(world: &World) -> Pass {
    let mut batch = Batch::new(Arc::clone(&world.table), DEFAULT_MEMORY);
    let mut pass = pass(world, |relations, counts| {
        counts.extend_from_slice(batch.counts(black_box(relations), &OneThread));
    });
    pass.node_rows = batch.counters().node_rows;
    pass
}

fn pass(world: &World, mut evaluate: impl FnMut(&[Predicate], &mut Vec<u32>)) -> Pass {
    let groups = world.table.layout().groups().len();
    let mut counts = Vec::with_capacity(world.trees.len() * groups);
    let mut timed = |relations: &[Predicate]| {
        let start = Instant::now();
        evaluate(relations, &mut counts);
        start.elapsed().as_secs_f64()
    };
    let seconds = world.trees.chunks(2 * EACH).map(&mut timed).collect();
    Pass { seconds, node_rows: 0, counts }
}
