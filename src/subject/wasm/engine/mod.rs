//! The engines that run modules, behind one small interface.
//!
//! An engine loads a binary made by `build.rs`, makes instances of it, and runs rows of its private memory.
//! The choice of the engine affects speed only. Knows nothing of signatures, fuel limits and mutants.

#[cfg(feature = "wasmtime")]
mod compiler;
mod interpreter;

use std::fmt;
use std::str::FromStr;

use crate::subject::Trap;

/// The names of a binary's exports; `build.rs` adds them.
mod names {
    pub(super) const ROWS: &str = "rows";
    pub(super) const BEGIN: &str = "begin";
    pub(super) const SAVE: &str = "save";
    pub(super) const FUEL: &str = "fuel";
    pub(super) const PRIVATE: &str = "private";
    /// Functions that run before the first row, in this order, if the module has them.
    pub(super) const STARTS: [&str; 2] = ["start", "initialize"];
}

/// Largest number of elements of a table.
const TABLE: usize = 100_000;

/// An instance of the code of an engine: the engines' crates give the same names to the same things. `$message` makes a
/// text of an error of instantiation; `fault` of the engine's file says why a call ended.
macro_rules! instance {
    ($engine:ident, $message:expr) => {
        pub(in super::super) struct Instance {
            store: $engine::Store<$engine::StoreLimits>,
            instance: $engine::Instance,
            rows: $engine::TypedFunc<(i32, i32), ()>,
            begin: $engine::TypedFunc<(), ()>,
            fuel: $engine::Global,
            private: $engine::Memory,
            memories: Vec<$engine::Memory>,
        }

        impl Code {
            pub(super) fn instance(&self) -> Result<Instance, String> {
                use super::{TABLE, names};
                let limits = $engine::StoreLimitsBuilder::new().table_elements(TABLE).build();
                let mut store = $engine::Store::new(&self.engine, limits);
                store.limiter(|limits| limits);
                let instance =
                    $engine::Instance::new(&mut store, &self.module, &[]).map_err($message)?;
                let mut memories = Vec::new();
                while let Some(memory) =
                    instance.get_memory(&mut store, &format!("memory{}", memories.len()))
                {
                    memories.push(memory);
                }
                let missing = |name: &str| format!("the binary does not export `{name}`");
                let begin = instance.get_typed_func(&mut store, names::BEGIN);
                let rows = instance.get_typed_func(&mut store, names::ROWS);
                let fuel = instance.get_global(&mut store, names::FUEL);
                let private = instance.get_memory(&mut store, names::PRIVATE);
                Ok(Instance {
                    rows: rows.map_err(|error| error.to_string())?,
                    begin: begin.map_err(|error| error.to_string())?,
                    fuel: fuel.ok_or_else(|| missing(names::FUEL))?,
                    private: private.ok_or_else(|| missing(names::PRIVATE))?,
                    memories,
                    instance,
                    store,
                })
            }
        }

        impl Instance {
            pub(super) fn start(&mut self) -> Result<(), Fault> {
                use super::names::{SAVE, STARTS};
                for name in STARTS.into_iter().chain([SAVE]) {
                    let start = self.instance.get_typed_func::<(), ()>(&mut self.store, name);
                    if let Ok(start) = start {
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
    };
}
use instance;

/// The engine that runs a module.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Engine {
    /// The interpreter wasmi: needs no preparation.
    #[default]
    Wasmi,
    /// The compiler wasmtime: takes milliseconds to prepare a mutant, and is faster for long loops.
    #[cfg(feature = "wasmtime")]
    Wasmtime,
}

impl fmt::Display for Engine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Engine::Wasmi => "wasmi",
            #[cfg(feature = "wasmtime")]
            Engine::Wasmtime => "wasmtime",
        })
    }
}

impl FromStr for Engine {
    type Err = String;

    fn from_str(name: &str) -> Result<Engine, String> {
        match name {
            "wasmi" => Ok(Engine::Wasmi),
            #[cfg(feature = "wasmtime")]
            "wasmtime" => Ok(Engine::Wasmtime),
            #[cfg(not(feature = "wasmtime"))]
            "wasmtime" => {
                Err("this genmorph was built without it; build with `--features wasmtime`"
                    .to_owned())
            }
            _ => Err("the engines are wasmi and wasmtime".to_owned()),
        }
    }
}

/// Why a call ended early.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fault {
    /// The code trapped, for this reason.
    Trap(Trap),
    /// The stack of the engine was full.
    Stack,
}

/// An engine with its shared state.
pub(super) enum Loader {
    Wasmi,
    #[cfg(feature = "wasmtime")]
    Wasmtime(compiler::Loader),
}

/// A loaded binary, from which instances are made.
pub(super) enum Code {
    Wasmi(interpreter::Code),
    #[cfg(feature = "wasmtime")]
    Wasmtime(compiler::Code),
}

/// An instance with its memories and globals.
pub(super) enum Instance {
    Wasmi(interpreter::Instance),
    #[cfg(feature = "wasmtime")]
    Wasmtime(compiler::Instance),
}

impl Loader {
    pub(super) fn new(engine: Engine) -> Result<Loader, String> {
        match engine {
            Engine::Wasmi => Ok(Loader::Wasmi),
            #[cfg(feature = "wasmtime")]
            Engine::Wasmtime => compiler::Loader::new().map(Loader::Wasmtime),
        }
    }

    /// Loads a binary. The error is the engine's message.
    pub(super) fn load(&self, binary: &[u8]) -> Result<Code, String> {
        match self {
            Loader::Wasmi => interpreter::Code::new(binary).map(Code::Wasmi),
            #[cfg(feature = "wasmtime")]
            Loader::Wasmtime(loader) => loader.load(binary).map(Code::Wasmtime),
        }
    }
}

impl Code {
    /// Makes an instance that is not started yet. The error is the engine's message: segments do not fit,
    /// or memory is exhausted.
    pub(super) fn instance(&self) -> Result<Instance, String> {
        match self {
            Code::Wasmi(code) => code.instance().map(Instance::Wasmi),
            #[cfg(feature = "wasmtime")]
            Code::Wasmtime(code) => code.instance().map(Instance::Wasmtime),
        }
    }
}

/// Calls the same method of whichever engine is used.
macro_rules! each {
    ($self:ident, $instance:ident => $answer:expr) => {
        match $self {
            Instance::Wasmi($instance) => $answer,
            #[cfg(feature = "wasmtime")]
            Instance::Wasmtime($instance) => $answer,
        }
    };
}

impl Instance {
    /// Runs the module's start functions, and saves the globals.
    pub(super) fn start(&mut self) -> Result<(), Fault> {
        each!(self, instance => instance.start())
    }

    /// Sets fuel and globals for row 0, and allocates.
    pub(super) fn begin(&mut self) -> Result<(), Fault> {
        each!(self, instance => instance.begin())
    }

    /// Runs a range of rows.
    pub(super) fn rows(&mut self, from: usize, to: usize) -> Result<(), Fault> {
        each!(self, instance => instance.rows(from as i32, to as i32))
    }

    /// The remaining fuel; below 0 if it ran out.
    pub(super) fn fuel(&mut self) -> i64 {
        each!(self, instance => instance.fuel())
    }

    /// The content of the private memory.
    pub(super) fn private(&mut self) -> &mut [u8] {
        each!(self, instance => instance.private())
    }

    /// The content of a memory of the module.
    ///
    /// # Panics
    /// If there is no memory with this index.
    pub(super) fn memory(&mut self, index: usize) -> &mut [u8] {
        each!(self, instance => instance.memory(index))
    }
}
