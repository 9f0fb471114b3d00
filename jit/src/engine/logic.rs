//! Runs the logic above the atoms over words of 64 rows.

use crate::engine::kernels::Kernels;
use crate::program::{Bits, LogicInstr};
use crate::schema::Var;

/// An operand of the logic that the logic does not compute.
#[derive(Clone, Copy, Debug)]
pub(crate) enum LogicLeaf {
    Atom(u16),
    Column(Var),
}

/// Runs logic over words, given the words of its leaves and of its temporaries (each at least as many
/// as `to` has).
pub(crate) fn evaluate<'a>(
    instrs: &[LogicInstr],
    root: Bits,
    kernels: &Kernels,
    temps: &mut [Vec<u64>],
    to: &mut [u64],
    leaf: impl Fn(LogicLeaf) -> &'a [u64],
) {
    let words = to.len();
    let (last, before) = match instrs.split_last() {
        // The last instruction makes the root, so it can write the result itself.
        Some((last, before)) if root == Bits::Temp(last.to) => (Some(last), before),
        _ => (None, instrs),
    };
    for instr in before {
        let mut register = std::mem::take(&mut temps[usize::from(instr.to)]);
        let a = source(instr.a, temps, &leaf, words);
        let b = source(instr.b, temps, &leaf, words);
        kernels.logic(instr.op, &mut register[..words], a, b);
        temps[usize::from(instr.to)] = register;
    }
    match (last, root) {
        (Some(instr), _) => {
            let a = source(instr.a, temps, &leaf, words);
            let b = source(instr.b, temps, &leaf, words);
            kernels.logic(instr.op, to, a, b);
        }
        (None, Bits::Constant(value)) => to.fill(if value { !0 } else { 0 }),
        (None, root) => to.copy_from_slice(source(root, temps, &leaf, words)),
    }
}

/// The first `words` words of an operand.
fn source<'t, 'a: 't>(
    bits: Bits,
    temps: &'t [Vec<u64>],
    leaf: &impl Fn(LogicLeaf) -> &'a [u64],
    words: usize,
) -> &'t [u64] {
    let source: &[u64] = match bits {
        Bits::Atom(atom) => leaf(LogicLeaf::Atom(atom)),
        Bits::Column(var) => leaf(LogicLeaf::Column(var)),
        Bits::Temp(temp) => &temps[usize::from(temp)],
        Bits::Constant(_) => unreachable!("constants are folded when the code is built"),
    };
    &source[..words]
}
