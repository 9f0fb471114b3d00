//! The bytecode engine against the ordinary ways, against the machine, and over threads.
//!
//! `cargo bench --bench engines` (thorough) or `cargo bench --bench engines -- --quick`.
//! Node-rows/s count every node, leaves included, times rows. All contenders take turns in one run.

mod support;

use std::hint::black_box;

use criterion::{Criterion, Throughput};
use genmorph_jit::engine::roofline;
use genmorph_jit::{
    Columns, Comparator, ComparisonOp, Evaluator, Isa, Leaf, Mask, Node, Op, Policy, Predicate,
    Program, Table, Tier, Tolerance, Var,
};
use rand::SeedableRng;
use rand::rngs::StdRng;
use rayon::prelude::*;

use support::grow::Grower;
use support::rivals::{RowStack, Tree};
use support::stopwatch::{best, cpu, quick, rounds};
use support::tables::{self, Data, Numbers};

const ROWS: usize = 18_000;
const RELATIONS: usize = 100;

fn main() {
    println!("{}, {:?}", cpu(), Isa::best());
    let real = Workload::new(tables::numeric(ROWS, Numbers::Real));
    let [eight, sixteen] = [8, 16].map(|size| real.against_the_ordinary(size));
    println!(
        "RESULT engines bytecode_over_tree_8={:.1} bytecode_over_tree_16={:.1} \
         bytecode_over_rowstack_8={:.1} bytecode_over_rowstack_16={:.1} \
         roofline_8={:.2} roofline_16={:.2}",
        eight.over_tree,
        sixteen.over_tree,
        eight.over_row_stack,
        sixteen.over_row_stack,
        eight.roofline,
        sixteen.roofline
    );
    println!(
        "RESULT engines bytecode_gnrps_8={:.2} bytecode_gnrps_16={:.2} lowering_ns_8={:.0} lowering_ns_16={:.0}",
        eight.rate, sixteen.rate, eight.lowering, sixteen.lowering
    );
    for numbers in [Numbers::Integer, Numbers::Any] {
        let workload = Workload::new(tables::numeric(ROWS, numbers));
        let [eight, sixteen] = [8, 16].map(|size| workload.against_the_ordinary(size));
        println!(
            "RESULT engines_{} bytecode_over_tree_8={:.1} bytecode_over_tree_16={:.1} \
             bytecode_gnrps_8={:.2} bytecode_gnrps_16={:.2} roofline_8={:.2} roofline_16={:.2}",
            format!("{numbers:?}").to_lowercase(),
            eight.over_tree,
            sixteen.over_tree,
            eight.rate,
            sixteen.rate,
            eight.roofline,
            sixteen.roofline
        );
    }
    real.instruction_sets();
    sequences();
    real.terms();
    real.threads();
    statistics(&real);
}

struct Workload {
    data: Data,
    table: Table,
}

/// Figures of one relation size.
struct Figures {
    over_tree: f64,
    over_row_stack: f64,
    roofline: f64,
    /// In 10^9 node-rows/s.
    rate: f64,
    /// In ns per relation.
    lowering: f64,
}

impl Workload {
    fn new(data: Data) -> Workload {
        let table = data.table();
        Workload { data, table }
    }

    fn relations(&self, size: usize) -> Vec<Predicate> {
        let mut rng = StdRng::seed_from_u64(7);
        Grower::new(&self.data.schema).relations(RELATIONS, size, &mut rng)
    }

    fn against_the_ordinary(&self, size: usize) -> Figures {
        let relations = self.relations(size);
        let tolerance = Tolerance::default();
        let trees: Vec<Tree> = relations.iter().map(|p| Tree::new(p, &self.data)).collect();
        let row_stacks: Vec<RowStack> = relations.iter().map(RowStack::new).collect();
        let columns = self.data.numbers();
        let mut evaluator = Evaluator::new(Policy::Only(Tier::Bytecode));
        let mut mask = Mask::empty(self.table.layout());
        let mut program = Program::new();
        let mut block = Block::new();
        let isa = Isa::best();
        let times = best(
            rounds(),
            &mut [
                ("tree", &mut || {
                    for tree in &trees {
                        black_box(tree.count(&self.data, &tolerance));
                    }
                }),
                ("row stack", &mut || {
                    for code in &row_stacks {
                        black_box(code.count(&columns, &tolerance));
                    }
                }),
                ("bytecode", &mut || {
                    for relation in &relations {
                        evaluator.mask_into(relation, &self.table, &mut mask);
                        black_box(&mask);
                    }
                }),
                ("lowering", &mut || {
                    for relation in &relations {
                        program.lower(relation, &self.table);
                        black_box(&program);
                    }
                }),
            ],
        );
        // The limits of the machine are measured next to it, as often.
        let limits = best(
            rounds(),
            &mut [
                ("load-load-store", &mut || {
                    block.run(|rows| roofline::load_load_store(isa, rows, 1000));
                }),
                ("bytecode", &mut || {
                    for relation in &relations {
                        evaluator.mask_into(relation, &self.table, &mut mask);
                        black_box(&mask);
                    }
                }),
            ],
        );
        let division = best(
            rounds(),
            &mut [("divide", &mut || {
                block.run(|rows| roofline::divide(isa, rows, 1000));
            })],
        );
        let per_row = |time: f64| time / 1000.0 / BLOCK as f64;
        let count = |wanted: fn(Op) -> bool| {
            let nodes = relations.iter().flat_map(Predicate::nodes);
            nodes.filter(|node| matches!(node, Node::Op(op) if wanted(*op))).count() as f64
        };
        let plain =
            count(|op| op != Op::Div && op.signature().operands[0] == genmorph_jit::Type::Num);
        let divisions = count(|op| op == Op::Div);
        let limit = (plain * per_row(limits[0]) + divisions * per_row(division[0])) * ROWS as f64;
        let bytecode = times[2].min(limits[1]);
        let node_rows = (size * ROWS * RELATIONS) as f64;
        let figures = Figures {
            over_tree: times[0] / times[2],
            over_row_stack: times[1] / times[2],
            roofline: limit / limits[1],
            rate: node_rows / bytecode / 1e9,
            lowering: times[3] / RELATIONS as f64 * 1e9,
        };
        println!(
            "{size:2} nodes: tree {:.3} G, row stack {:.3} G, bytecode {:.2} G node-rows/s; \
             load-load-store {:.1} G, division {:.2} G op-rows/s; {:.2} divisions per relation",
            node_rows / times[0] / 1e9,
            node_rows / times[1] / 1e9,
            figures.rate,
            1e-9 / per_row(limits[0]),
            1e-9 / per_row(division[0]),
            divisions / RELATIONS as f64
        );
        figures
    }

    /// What run-time dispatch brings.
    fn instruction_sets(&self) {
        let relations = self.relations(8);
        let mut mask = Mask::empty(self.table.layout());
        let mut line = String::from("RESULT isa");
        for isa in Isa::ALL.into_iter().filter(|isa| isa.is_available()) {
            let mut evaluator = Evaluator::with_isa(Policy::Only(Tier::Bytecode), isa);
            let time = best(
                rounds(),
                &mut [("", &mut || {
                    for relation in &relations {
                        evaluator.mask_into(relation, &self.table, &mut mask);
                    }
                })],
            )[0];
            let rate = (8 * ROWS * RELATIONS) as f64 / time / 1e9;
            line += &format!(" {}_gnrps_8={rate:.2}", format!("{isa:?}").to_lowercase());
        }
        println!("{line}");
    }

    /// Columns of terms: `a + b` on all rows and on a sample, and comparisons that fail at once or never.
    fn terms(&self) {
        let mut line = String::from("RESULT terms");
        for (name, rows) in [("all", ROWS), ("sample", 512)] {
            let rows: Vec<usize> = (0..rows).collect();
            let mut columns = Columns::of_rows(&self.table, &rows);
            let [a, b] = [Var(0), Var(1)].map(|var| columns.leaf(Leaf::Var(var)));
            let mut sum = columns.apply(Op::Add, &[&a, &b]);
            let again = 20 * ROWS / rows.len();
            let time = best(
                5 * rounds(),
                &mut [("", &mut || {
                    for _ in 0..again {
                        columns.apply_into(Op::Add, &[black_box(&a), black_box(&b)], &mut sum);
                    }
                })],
            )[0];
            let rate = (again * rows.len()) as f64 / time / 1e9;
            line += &format!(" add_{name}_gnrps={rate:.2}");
        }
        let [a, b] = [vec![1.0; ROWS], vec![2.0; ROWS]];
        let times = ComparisonOp::ALL.iter().filter_map(|&op| {
            let comparator = Comparator::new(op, self.table.tolerance())?;
            let holds = comparator.first_failure(&a, &b).is_none();
            let again = if holds { 20 } else { 100_000 };
            let time = best(
                rounds(),
                &mut [("", &mut || {
                    for _ in 0..again {
                        black_box(comparator.first_failure(black_box(&a), black_box(&b)));
                    }
                })],
            )[0];
            Some((holds, time / f64::from(again)))
        });
        let (held, failed): (Vec<_>, Vec<_>) = times.partition(|(holds, _)| *holds);
        let worst = |times: &[(bool, f64)]| times.iter().map(|(_, time)| *time).fold(0.0, f64::max);
        println!(
            "{line} first_failure_ns={:.1} no_failure_grps={:.2}",
            worst(&failed) * 1e9,
            ROWS as f64 / worst(&held) / 1e9
        );
    }

    fn threads(&self) {
        let relations: Vec<Predicate> = (0..8).flat_map(|_| self.relations(16)).collect();
        let run = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
            let pool = pool.expect("threads can be started");
            move |relations: &[Predicate], table: &Table| {
                pool.install(|| {
                    relations.par_chunks(25).for_each_init(
                        || {
                            (
                                Evaluator::new(Policy::Only(Tier::Bytecode)),
                                Mask::empty(table.layout()),
                            )
                        },
                        |(evaluator, mask), relations| {
                            for relation in relations {
                                evaluator.mask_into(relation, table, mask);
                            }
                        },
                    );
                });
            }
        };
        let (one, two) = (run(1), run(2));
        // A second core that has slept needs some rounds to be as fast as the first.
        let times = best(
            rounds().max(40),
            &mut [
                ("one", &mut || one(&relations, &self.table)),
                ("two", &mut || two(&relations, &self.table)),
            ],
        );
        println!("RESULT threads bytecode_two_over_one={:.2}", times[0] / times[1]);
    }
}

/// Sequence-heavy relations next to numeric ones of the same size.
fn sequences() {
    let mixed = Workload::new(tables::mixed(ROWS));
    let numeric = Workload::new(tables::numeric(ROWS, Numbers::Real));
    let mut line = String::from("RESULT sequences");
    for size in [8, 16] {
        let is_heavy = |predicate: &Predicate| {
            let touches = |node: &Node| matches!(node, Node::Op(op) if op.signature().operands.contains(&genmorph_jit::Type::Seq));
            predicate.nodes().iter().filter(|node| touches(node)).count() >= 2
        };
        let mut rng = StdRng::seed_from_u64(7);
        let grower = Grower::new(&mixed.data.schema);
        let heavy: Vec<Predicate> = std::iter::repeat_with(|| grower.relation(size, &mut rng))
            .filter(is_heavy)
            .take(RELATIONS)
            .collect();
        let plain = numeric.relations(size);
        let mut evaluator = Evaluator::new(Policy::Only(Tier::Bytecode));
        let mut mask = Mask::empty(mixed.table.layout());
        let mut other_evaluator = Evaluator::new(Policy::Only(Tier::Bytecode));
        let mut other_mask = Mask::empty(numeric.table.layout());
        // Each relation keeps its best round: a round over all of them is long enough to be interrupted
        // every time on a busy machine.
        let mut times = [vec![f64::INFINITY; RELATIONS], vec![f64::INFINITY; RELATIONS]];
        for _ in 0..5 * rounds() {
            for i in 0..RELATIONS {
                let round = best(
                    1,
                    &mut [
                        ("sequences", &mut || {
                            evaluator.mask_into(&heavy[i], &mixed.table, &mut mask);
                        }),
                        ("numbers", &mut || {
                            other_evaluator.mask_into(&plain[i], &numeric.table, &mut other_mask);
                        }),
                    ],
                );
                for (times, time) in times.iter_mut().zip(round) {
                    times[i] = times[i].min(time);
                }
            }
        }
        let times = times.map(|times| times.iter().sum::<f64>());
        line += &format!(" sequence_cost_over_numeric_{size}={:.2}", times[0] / times[1]);
    }
    println!("{line}");
}

const BLOCK: usize = 512;

/// Three blocks that stay in the L1 cache, placed as the evaluator places its own.
struct Block(Vec<f64>);

impl Block {
    fn new() -> Block {
        Block(vec![1.5; 4 * 2 * BLOCK])
    }

    fn run(&mut self, run: impl FnOnce([&mut [f64]; 3])) {
        let start = self.0.as_ptr().align_offset(4096);
        let (to, rest) = self.0[start..].split_at_mut(2 * BLOCK);
        let (a, b) = rest.split_at_mut(2 * BLOCK);
        run([&mut to[..BLOCK], &mut a[128..][..BLOCK], &mut b[128..][..BLOCK]]);
    }
}

/// Criterion's own statistics of the same work, for comparison between commits.
fn statistics(workload: &Workload) {
    let mut criterion = Criterion::default().configure_from_args().sample_size(10);
    let mut group = criterion.benchmark_group("bytecode");
    if quick() {
        group.measurement_time(std::time::Duration::from_secs(1));
        group.warm_up_time(std::time::Duration::from_millis(300));
    }
    for size in [8, 16] {
        let relations = workload.relations(size);
        let mut evaluator = Evaluator::new(Policy::Only(Tier::Bytecode));
        let mut mask = Mask::empty(workload.table.layout());
        group.throughput(Throughput::Elements((size * ROWS * RELATIONS) as u64));
        group.bench_function(format!("{size} nodes"), |bencher| {
            bencher.iter(|| {
                for relation in &relations {
                    evaluator.mask_into(relation, &workload.table, &mut mask);
                }
            });
        });
    }
    group.finish();
}
