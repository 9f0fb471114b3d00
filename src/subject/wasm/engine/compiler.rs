//! The compiling engine: wasmtime.

use wasmtime::{Config, Global, Memory, Module, Store, StoreLimits, StoreLimitsBuilder, TypedFunc};

use super::{Fault, TABLE, names};
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

pub(in super::super) struct Instance {
    store: Store<StoreLimits>,
    instance: wasmtime::Instance,
    rows: TypedFunc<(i32, i32), ()>,
    begin: TypedFunc<(), ()>,
    fuel: Global,
    private: Memory,
    memories: Vec<Memory>,
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

impl Code {
    pub(super) fn instance(&self) -> Result<Instance, String> {
        let limits = StoreLimitsBuilder::new().table_elements(TABLE).build();
        let mut store = Store::new(&self.engine, limits);
        store.limiter(|limits| limits);
        let instance = wasmtime::Instance::new(&mut store, &self.module, &[])
            .map_err(|error| format!("{error:#}"))?;
        let mut memories = Vec::new();
        while let Some(memory) =
            instance.get_memory(&mut store, &format!("memory{}", memories.len()))
        {
            memories.push(memory);
        }
        let missing = |name: &str| format!("the binary does not export `{name}`");
        let begin = instance.get_typed_func(&mut store, names::BEGIN);
        let rows = instance.get_typed_func(&mut store, names::ROWS);
        Ok(Instance {
            rows: rows.map_err(|error| error.to_string())?,
            begin: begin.map_err(|error| error.to_string())?,
            fuel: instance
                .get_global(&mut store, names::FUEL)
                .ok_or_else(|| missing(names::FUEL))?,
            private: instance
                .get_memory(&mut store, names::PRIVATE)
                .ok_or_else(|| missing(names::PRIVATE))?,
            memories,
            instance,
            store,
        })
    }
}

impl Instance {
    pub(super) fn start(&mut self) -> Result<(), Fault> {
        for name in names::STARTS.into_iter().chain([names::SAVE]) {
            if let Ok(start) = self.instance.get_typed_func::<(), ()>(&mut self.store, name) {
                start.call(&mut self.store, ()).map_err(|error| fault(&error))?;
            }
        }
        Ok(())
    }

    pub(super) fn begin(&mut self) -> Result<(), Fault> {
        self.begin.call(&mut self.store, ()).map_err(|error| fault(&error))
    }

    pub(super) fn rows(&mut self, from: i32, to: i32) -> Result<(), Fault> {
        self.rows.call(&mut self.store, (from, to)).map_err(|error| fault(&error))
    }

    pub(super) fn fuel(&mut self) -> i64 {
        self.fuel.get(&mut self.store).i64().unwrap_or_default()
    }

    pub(super) fn private(&mut self) -> &mut [u8] {
        self.private.data_mut(&mut self.store)
    }

    pub(super) fn memory(&mut self, index: usize) -> &mut [u8] {
        self.memories[index].data_mut(&mut self.store)
    }
}

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
