//! The machine's own limits, for benchmarks: kernels over blocks that stay in the L1 cache.

use super::{Isa, Kernels, Side, Source};
use crate::op::ArithmeticOp;
use crate::tolerance::Tolerance;

/// Runs load-load-store `times` over a block of `rows` (a multiple of 64).
pub fn load_load_store(isa: Isa, block: [&mut [f64]; 3], times: usize) {
    run(isa, ArithmeticOp::Add, block, times);
}

/// Runs a division `times` over a block of `rows` (a multiple of 64).
pub fn divide(isa: Isa, block: [&mut [f64]; 3], times: usize) {
    run(isa, ArithmeticOp::Div, block, times);
}

fn run(isa: Isa, op: ArithmeticOp, [to, a, b]: [&mut [f64]; 3], times: usize) {
    let kernels = Kernels::of(isa);
    let tolerance = Tolerance::default();
    for _ in 0..times {
        let (x, y) = (Side::Leaf(Source::Rows(a)), Side::Leaf(Source::Rows(b)));
        kernels.arith(op, to, x, y, &tolerance);
        std::hint::black_box(&mut *to);
    }
}
