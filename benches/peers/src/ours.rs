//! genmorph's own contenders.

use std::hint::black_box;
use std::sync::Arc;
use std::time::Duration;

use genmorph_jit::{
    Batch, DEFAULT_MEMORY, Evaluator, Isa, Mask, OneThread, Policy, Predicate, Tier,
};

use crate::turn::{self, Turn};
use crate::world::World;

const BYTECODE: Policy = Policy::Only(Tier::Bytecode);

/// The bytecode tier, relation by relation, with this instruction set. Lowering is timed: it is
/// done at every evaluation, as in real use. Reading the text is not.
pub(crate) fn bytecode(world: &World, size: usize, isa: Isa, at_least: Duration) -> Turn {
    let trees = world.trees(size);
    let mut evaluator = Evaluator::with_isa(BYTECODE, isa);
    let mut mask = Mask::empty(world.table.layout());
    turn::run(at_least, || {
        for tree in &trees {
            evaluator.mask_into(black_box(tree), &world.table, &mut mask);
            black_box(&mask);
        }
        (trees.len() * size * world.table.rows()) as u64
    })
}

/// Where each tree of a size holds by the bytecode tier: a byte per row, tree after tree. For the
/// check, not for time.
pub(crate) fn bytecode_masks(world: &World, size: usize, isa: Isa) -> Vec<u8> {
    let mut evaluator = Evaluator::with_isa(BYTECODE, isa);
    let mut bytes = Vec::new();
    for tree in world.trees(size) {
        bytes.extend(evaluator.mask(tree, &world.table).iter().map(u8::from));
    }
    assert_eq!(evaluator.counters().fallbacks, 0, "every tree ran on the tier that is timed");
    bytes
}

/// The population path: all trees of a size at once, from a fresh memo at every pass. These trees are
/// strangers to each other, so it shows what the path costs where there is nothing to share; what
/// it gains on populations that evolve is `evolved.rs`.
pub(crate) fn population(world: &World, size: usize, at_least: Duration) -> Turn {
    let trees: Vec<Predicate> = world.trees(size).into_iter().cloned().collect();
    turn::run(at_least, || {
        let mut batch = Batch::new(Arc::clone(&world.table), DEFAULT_MEMORY);
        black_box(batch.counts(black_box(&trees), &OneThread));
        (trees.len() * size * world.table.rows()) as u64
    })
}

/// As [`bytecode_masks`], by the population path.
pub(crate) fn population_masks(world: &World, size: usize) -> Vec<u8> {
    let mut batch = Batch::new(Arc::clone(&world.table), DEFAULT_MEMORY);
    let mut mask = Mask::empty(world.table.layout());
    let mut bytes = Vec::new();
    for tree in world.trees(size) {
        batch.mask_into(tree, &mut mask);
        bytes.extend(mask.iter().map(u8::from));
    }
    bytes
}
