//! genmorph's own contenders.

use std::hint::black_box;
use std::time::Duration;

use genmorph_jit::{Evaluator, Isa, Mask, Policy, Tier};

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

// ---------------------------------------------------------------------------------------------
// PLACE FOR THE POPULATION PATH (`batch.rs` of genmorph-jit). All the rest is wired: once these
// two answer `Some`, peers.py checks its masks, prints its row and its RESULT figures.
//
// Whoever fills it: a turn repeats its pass, so a memo that outlives a pass would be measured on
// nothing but hits. Begin each pass with a fresh memo, or say "effective" in the README.
// ---------------------------------------------------------------------------------------------

/// The population path: all trees of a size at once. `None` while there is none.
pub(crate) fn population(_world: &World, _size: usize, _at_least: Duration) -> Option<Turn> {
    None
}

/// As [`bytecode_masks`], by the population path. `None` while there is none.
pub(crate) fn population_masks(_world: &World, _size: usize) -> Option<Vec<u8>> {
    None
}
