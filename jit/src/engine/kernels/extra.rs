//! Arithmetic that is never fused: `min`, `max`, `mod` and `floor`. Plain Rust over the scalar meaning: each
//! entry compiles these loops for its instruction set.

use super::lanes::{LANES, Pointer};
use crate::mask::WORD;
use crate::op::ArithmeticOp;
use crate::program::Extra;
use crate::tolerance::Tolerance;

/// `to = a op b`, row by row; `floor` reads its operand twice.
#[inline(always)]
pub(super) unsafe fn extra<const OP: u8>(
    to: *mut f64,
    [a, b]: [Pointer; 2],
    words: usize,
    tolerance: &Tolerance,
) {
    // SAFETY: the caller vouches for `words * 64` rows behind every pointer, or for eight where it stays
    // where it is; eights of rows advance by 8 up to `words * 64`.
    unsafe {
        for eight in 0..words * WORD / LANES {
            let (a, b) = (a.at.add(eight * a.step), b.at.add(eight * b.step));
            let to = to.add(eight * LANES);
            for lane in 0..LANES {
                let (a, b) = (*a.add(lane), *b.add(lane));
                *to.add(lane) = if OP == Extra::Min as u8 {
                    ArithmeticOp::Min.apply(a, b, tolerance)
                } else if OP == Extra::Max as u8 {
                    ArithmeticOp::Max.apply(a, b, tolerance)
                } else if OP == Extra::Mod as u8 {
                    ArithmeticOp::Mod.apply(a, b, tolerance)
                } else {
                    a.floor()
                };
            }
        }
    }
}
