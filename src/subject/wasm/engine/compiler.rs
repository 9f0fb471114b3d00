//! The compiling engine: wasmtime.

use wasmtime::{Config, Module};

use super::{Fault, instance};
use crate::subject::Trap;

/// Stack of a call in bytes: half of a thread's stack. The added code limits the depth of recursion; this
/// limit is for unusually large frames.
const STACK: usize = 1 << 20;

/// An engine that compiles for this machine.
pub(in super::super) struct Loader(wasmtime::Engine);

/// A module that wasmtime has compiled.
pub(in super::super) struct Code {
    engine: wasmtime::Engine,
    module: Module,
}

impl Loader {
    pub(super) fn new() -> Result<Loader, String> {
        let mut config = Config::new();
        config
            .wasm_multi_memory(true)
            .cranelift_nan_canonicalization(true)
            // A trap by a signal takes 100 times as long as one by a branch.
            .signals_based_traps(false)
            .wasm_backtrace_max_frames(None)
            .memory_reservation(0)
            .memory_guard_size(0)
            .memory_reservation_for_growth(0)
            .max_wasm_stack(STACK);
        wasmtime::Engine::new(&config).map(Loader).map_err(|error| error.to_string())
    }

    pub(super) fn load(&self, binary: &[u8]) -> Result<Code, String> {
        let module = Module::new(&self.0, binary).map_err(|error| format!("{error:#}"))?;
        Ok(Code { engine: self.0.clone(), module })
    }
}

instance!(wasmtime, |error| format!("{error:#}"));

fn fault(error: &wasmtime::Error) -> Fault {
    use wasmtime::Trap as Code;
    let Some(code) = error.downcast_ref::<Code>() else {
        debug_assert!(false, "{error:#}");
        return Fault::Trap(Trap::Unreachable);
    };
    Fault::Trap(match code {
        Code::MemoryOutOfBounds | Code::HeapMisaligned => Trap::Memory,
        Code::TableOutOfBounds | Code::IndirectCallToNull | Code::BadSignature => Trap::Table,
        Code::IntegerDivisionByZero => Trap::DivisionByZero,
        Code::IntegerOverflow => Trap::Overflow,
        Code::BadConversionToInteger => Trap::NotANumber,
        Code::StackOverflow => return Fault::Stack,
        _ => Trap::Unreachable,
    })
}
