//! The functions that the instrumented code calls to grow memory, and after it wrote many bytes.

use wasm_encoder::{BlockType, Function, InstructionSink, ValType};

use super::MOST_PAGES;
use super::layout::Layout;
use crate::subject::wasm::instrument::{Instrument, PAGE, private};

/// `grow` and `wrote`. A module without a memory calls neither.
pub(super) fn bodies(instrument: &Instrument, layout: &Layout) -> [Vec<u8>; 2] {
    match layout.has_memory {
        true => [grow(instrument, layout.limit, layout.physical()), wrote(instrument)],
        false => [stub(), stub()],
    }
}

/// `grow(pages) -> pages before`, or -1. Costs a unit of fuel for every 4 KiB.
fn grow(instrument: &Instrument, limit: u32, physical: u32) -> Vec<u8> {
    let (more, fuel, before) = (0, 1, 2);
    let pages = instrument.pages;
    let mut function = Function::new([(1, ValType::I64), (1, ValType::I32)]);
    let mut code = function.instructions();
    instrument.charge(&mut code, fuel, |code| {
        code.local_get(more).i32_const(MOST_PAGES as i32);
        code.local_get(more).i32_const(MOST_PAGES as i32).i32_lt_u().select();
        code.i32_const(4).i32_shl().i64_extend_i32_u();
    });
    let refuse = |code: &mut InstructionSink<'_>| {
        instrument.flag(code, private::REFUSED);
        code.i32_const(-1).return_().end();
    };
    // No more than the limit, without wrapping; a memory that begins above it never grows.
    code.global_get(pages).local_set(before);
    code.local_get(before).i32_const(limit as i32).i32_gt_u();
    code.local_get(more).i32_const(limit as i32).local_get(before).i32_sub().i32_gt_u();
    code.i32_or().if_(BlockType::Empty);
    refuse(&mut code);
    code.local_get(before).local_get(more).i32_add().global_set(pages);
    code.global_get(pages).i32_const(physical as i32).i32_gt_u().if_(BlockType::Empty);
    code.global_get(pages).memory_size(0).i32_gt_u().if_(BlockType::Empty);
    instrument.flag(&mut code, private::GREW);
    code.global_get(pages).memory_size(0).i32_sub().memory_grow(0);
    code.i32_const(-1).i32_eq().if_(BlockType::Empty);
    code.local_get(before).global_set(pages);
    refuse(&mut code);
    code.end().end();
    code.local_get(before).end();
    function.into_raw_body()
}

/// `wrote(address, length)`. Costs a unit of fuel for every 64 bytes.
fn wrote(instrument: &Instrument) -> Vec<u8> {
    let (address, length, fuel) = (0, 1, 2);
    let mut function = Function::new([(1, ValType::I64)]);
    let mut code = function.instructions();
    instrument.charge(&mut code, fuel, |code| {
        code.local_get(length).i32_const(6).i32_shr_u().i64_extend_i32_u();
    });
    let page = PAGE as i32;
    // Marks from the page of the first byte to the page after the last one.
    code.local_get(address).i32_const(page).i32_shr_u();
    code.i32_const(private::MARKS as i32).i32_add();
    code.i32_const(1);
    code.local_get(address).local_get(length).i32_add();
    code.i32_const((1 << page) - 1).i32_add().i32_const(page).i32_shr_u();
    code.local_get(address).i32_const(page).i32_shr_u().i32_sub();
    code.memory_fill(instrument.private).end();
    function.into_raw_body()
}

/// A body that is never run.
pub(super) fn stub() -> Vec<u8> {
    vec![0, 0x00, 0x0b]
}
