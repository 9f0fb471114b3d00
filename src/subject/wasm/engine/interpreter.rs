//! The interpreting engine: wasmi.

use wasmi::errors::ErrorKind;
use wasmi::{
    CompilationMode, Config, Global, Memory, Module, Store, StoreLimits, StoreLimitsBuilder,
    TrapCode, TypedFunc,
};

use super::{Fault, TABLE, names};
use crate::subject::Trap;

/// Stack of a call in bytes. The added code limits the depth of recursion; this limit is for unusually large
/// frames. The stack is on the heap and grows on demand.
const STACK: usize = 8 << 20;

/// A loaded binary. Each has its own engine: an engine keeps all code that it has ever seen, and threads
/// would wait for each other.
pub(in super::super) struct Code {
    engine: wasmi::Engine,
    module: Module,
}

pub(in super::super) struct Instance {
    store: Store<StoreLimits>,
    instance: wasmi::Instance,
    rows: TypedFunc<(i32, i32), ()>,
    begin: TypedFunc<(), ()>,
    fuel: Global,
    private: Memory,
    memories: Vec<Memory>,
}

impl Code {
    pub(super) fn new(binary: &[u8]) -> Result<Code, String> {
        let mut config = Config::default();
        // Functions that are never called are never translated. The module was validated before it was patched.
        config.compilation_mode(CompilationMode::Lazy);
        config.set_max_recursion_depth(1 << 16).set_max_stack_height(STACK);
        let engine = wasmi::Engine::new(&config);
        let module = Module::new(&engine, binary).map_err(|error| error.to_string())?;
        Ok(Code { engine, module })
    }

    pub(super) fn instance(&self) -> Result<Instance, String> {
        let limits = StoreLimitsBuilder::new().table_elements(TABLE).build();
        let mut store = Store::new(&self.engine, limits);
        store.limiter(|limits| limits);
        let instance = wasmi::Instance::new(&mut store, &self.module, &[])
            .map_err(|error| error.to_string())?;
        let memories = (0..).map_while(|i| instance.get_memory(&store, &format!("memory{i}")));
        let memories = memories.collect();
        let missing = |name: &str| format!("the binary does not export `{name}`");
        let begin = instance.get_typed_func(&store, names::BEGIN);
        let rows = instance.get_typed_func(&store, names::ROWS);
        Ok(Instance {
            rows: rows.map_err(|error| error.to_string())?,
            begin: begin.map_err(|error| error.to_string())?,
            fuel: instance.get_global(&store, names::FUEL).ok_or_else(|| missing(names::FUEL))?,
            private: instance
                .get_memory(&store, names::PRIVATE)
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
            if let Ok(start) = self.instance.get_typed_func::<(), ()>(&self.store, name) {
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
        self.fuel.get(&self.store).i64().unwrap_or_default()
    }

    pub(super) fn private(&mut self) -> &mut [u8] {
        self.private.data_mut(&mut self.store)
    }

    pub(super) fn memory(&mut self, index: usize) -> &mut [u8] {
        self.memories[index].data_mut(&mut self.store)
    }
}

fn fault(error: &wasmi::Error) -> Fault {
    let ErrorKind::TrapCode(code) = error.kind() else {
        // Code is translated on its first call. Mutants are valid by construction, so an error is a bug of genmorph.
        debug_assert!(false, "{error}");
        return Fault::Trap(Trap::Unreachable);
    };
    Fault::Trap(match code {
        TrapCode::UnreachableCodeReached => Trap::Unreachable,
        TrapCode::MemoryOutOfBounds => Trap::Memory,
        TrapCode::TableOutOfBounds
        | TrapCode::IndirectCallToNull
        | TrapCode::BadSignature
        | TrapCode::GrowthOperationLimited => Trap::Table,
        TrapCode::IntegerDivisionByZero => Trap::DivisionByZero,
        TrapCode::IntegerOverflow => Trap::Overflow,
        TrapCode::BadConversionToInteger => Trap::NotANumber,
        TrapCode::StackOverflow | TrapCode::OutOfFuel | TrapCode::OutOfSystemMemory => {
            return Fault::Stack;
        }
    })
}
