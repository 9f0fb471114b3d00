//! The functions that run rows: `rows`, `begin` and `save`.

use wasm_encoder::{BlockType, Function, InstructionSink, MemArg, ValType};

use super::Plan;
use crate::subject::wasm::instrument::{Instrument, private};

/// The functions that run rows.
pub(super) struct Rows<'r> {
    pub(super) instrument: &'r Instrument,
    /// Globals, and where each is remembered.
    pub(super) pairs: &'r [(u32, u32)],
    pub(super) params: Vec<ValType>,
    pub(super) result: Option<ValType>,
    pub(super) plan: &'r Plan,
}

impl Rows<'_> {
    /// The bytes of a row: its fuel, its result and its arguments.
    pub(super) fn stride(&self) -> usize {
        8 * (2 + self.params.len())
    }

    /// The body of `rows(from, to)`, which calls the function on each of these rows.
    pub(super) fn rows(&self) -> Vec<u8> {
        let stride = self.stride();
        let (from, to, row) = (0, 1, 2);
        let mut function = Function::new([(1, ValType::I32)]);
        let mut code = function.instructions();
        code.block(BlockType::Empty).loop_(BlockType::Empty);
        code.local_get(from).local_get(to).i32_ge_u().br_if(1);
        code.i32_const(0).local_get(from).i32_store(self.instrument.memory(private::ROW, 2));
        code.local_get(from).i32_const(stride as i32).i32_mul().local_set(row);
        if self.plan.realloc.is_none() {
            self.reset(&mut code, row);
        }
        if self.result.is_some() {
            code.local_get(row);
        }
        for (i, ty) in self.params.iter().enumerate() {
            code.local_get(row);
            load(&mut code, *ty, self.word(2 + i));
        }
        code.call(self.plan.export);
        if let Some(ty) = self.result {
            store(&mut code, ty, self.word(1));
        }
        code.local_get(row).global_get(self.instrument.fuel).i64_store(self.word(0));
        code.local_get(from).i32_const(1).i32_add().local_set(from).br(0).end().end().end();
        function.into_raw_body()
    }

    /// `begin()`, for the first row. The word of a pointer has the bytes to allocate, and then the pointer.
    pub(super) fn begin(&self) -> Vec<u8> {
        let row = 0;
        let mut function = Function::new([(1, ValType::I32)]);
        let mut code = function.instructions();
        self.reset(&mut code, row);
        for &(argument, align) in &self.plan.pointers {
            if let Some(realloc) = self.plan.realloc {
                let word = self.word(2 + argument);
                code.local_get(row);
                code.i32_const(0).i32_const(0).i32_const(align as i32);
                code.local_get(row).i32_load(word).call(realloc).i32_store(word);
            }
        }
        code.end();
        function.into_raw_body()
    }

    /// The body of `save()`, which copies the module's globals to where they are remembered.
    pub(super) fn save(&self) -> Vec<u8> {
        let mut function = Function::new([]);
        let mut code = function.instructions();
        for &(global, saved) in self.pairs {
            code.global_get(global).global_set(saved);
        }
        code.end();
        function.into_raw_body()
    }

    /// Sets fuel and globals for a row.
    fn reset(&self, code: &mut InstructionSink<'_>, row: u32) {
        code.local_get(row).i64_load(self.word(0)).global_set(self.instrument.fuel);
        code.i32_const(0).global_set(self.instrument.depth);
        for &(global, saved) in self.pairs {
            code.global_get(saved).global_set(global);
        }
    }

    /// A word of a row.
    fn word(&self, nth: usize) -> MemArg {
        self.instrument.memory(private::ROWS + 8 * nth as u64, 2)
    }
}

fn load(code: &mut InstructionSink<'_>, ty: ValType, at: MemArg) {
    match ty {
        ValType::I64 => code.i64_load(at),
        ValType::F32 => code.f32_load(at),
        ValType::F64 => code.f64_load(at),
        _ => code.i32_load(at),
    };
}

fn store(code: &mut InstructionSink<'_>, ty: ValType, at: MemArg) {
    match ty {
        ValType::I64 => code.i64_store(at),
        ValType::F32 => code.f32_store(at),
        ValType::F64 => code.f64_store(at),
        _ => code.i32_store(at),
    };
}
