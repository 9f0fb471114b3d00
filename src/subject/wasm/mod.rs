//! Functions compiled to WebAssembly, run in this process in a sandbox.
//!
//! ```text
//!  bytes ─► Module ─► Patches (mutants, probes) ─► instrumented code ─► engine ─► Outcomes
//! ```

mod abi;
mod build;
mod calls;
mod constants;
mod definition;
mod engine;
mod error;
mod flow;
mod inspect;
mod instrument;
mod lines;
mod module;
mod mutate;
mod names;
mod opcode;
mod probe;
mod roles;
mod run;
mod scope;
mod sections;
mod splice;
mod style;
mod subject;
#[cfg(test)]
mod testing;
#[cfg(test)]
mod tests;
#[allow(dead_code, reason = "functions are watched once they have probes")]
mod watched;

pub use self::definition::{Problem, WasmDefinition, WasmDefinitionError, draft};
pub use self::engine::Engine;
pub use self::error::WasmError;
pub use self::inspect::{
    ChoiceError, Export, Inspection, MEMORY, Mismatch, SECTION, binary, inspect,
};
pub use self::module::ModuleError;
pub use self::scope::Scope;
pub use self::style::{Remark, remarks_on};
pub use self::subject::{Settings, WasmSubject};

/// The header `genmorph.h`, which functions in C include.
pub const GUEST_C: &str = include_str!("guest/genmorph.h");

/// The file `genmorph.rs`, which functions in Rust have as a module.
pub const GUEST_RUST: &str = include_str!("guest/genmorph.rs");
