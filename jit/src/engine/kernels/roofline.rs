//! The machine's own limits, for benchmarks: kernels over blocks that stay in the L1 cache.

use super::{Context, Isa, Kernels, Operation, Source};
use crate::tolerance::Tolerance;

/// Runs load-load-store `times` over a block of `rows` (a multiple of 64).
pub fn load_load_store(isa: Isa, block: [&mut [f64]; 3], times: usize) {
    run(isa, Operation::Add, true, block, times);
}

/// Runs a division `times` over a block of `rows` (a multiple of 64).
pub fn divide(isa: Isa, block: [&mut [f64]; 3], times: usize) {
    run(isa, Operation::Div, false, block, times);
}

/// Runs a division `times` over a block, told that the numbers are tame.
pub fn divide_tame(isa: Isa, block: [&mut [f64]; 3], times: usize) {
    run(isa, Operation::Div, true, block, times);
}

fn run(isa: Isa, op: Operation, tame: bool, [to, a, b]: [&mut [f64]; 3], times: usize) {
    let kernels = Kernels::of(isa);
    let context = Context { tolerance: Tolerance::default(), tame };
    for _ in 0..times {
        kernels.arith(op, to, [Source::Rows(a), Source::Rows(b)], &context);
        std::hint::black_box(&mut *to);
    }
}
