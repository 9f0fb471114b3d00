//! Short pieces of code that move what is on the stack.

use crate::subject::jvm::class::{Insn, Kind, op};

/// Takes values from the stack, given from the bottom to the top.
pub(super) fn drop_all(kinds: &[Kind]) -> Vec<Insn> {
    kinds.iter().rev().map(|kind| Insn::pop(*kind)).collect()
}

/// Takes away the value below the top one.
pub(super) fn drop_below(top: Kind, below: Kind) -> Vec<Insn> {
    let [copy, first, second] = match (top.words(), below.words()) {
        (1, 1) => return vec![Insn::plain(op::SWAP), Insn::plain(op::POP)],
        (1, _) => [op::DUP_X2, op::POP, op::POP2],
        (_, 1) => [op::DUP2_X1, op::POP2, op::POP],
        _ => [op::DUP2_X2, op::POP2, op::POP2],
    };
    [copy, first, second].map(Insn::plain).into()
}

/// How many words deeper the stack becomes while [`drop_below`] works.
pub(super) fn deeper_below(top: Kind, below: Kind) -> u16 {
    if (top.words(), below.words()) == (1, 1) { 0 } else { top.words() }
}

/// Leaves only one of the values on the stack; and how many words deeper the stack becomes meanwhile.
pub(super) fn keep(kinds: &[Kind], kept: usize) -> (Vec<Insn>, u16) {
    let mut insns = drop_all(&kinds[kept + 1..]);
    let mut deeper = 0;
    for below in kinds[..kept].iter().rev() {
        insns.extend(drop_below(kinds[kept], *below));
        deeper = deeper.max(deeper_below(kinds[kept], *below));
    }
    (insns, deeper)
}
