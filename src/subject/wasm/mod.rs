//! Functions compiled to WebAssembly, run in this process in a sandbox.
//!
//! ```text
//!  bytes ─► Module ─► Patches (mutants, probes) ─► instrumented code ─► engine ─► Outcomes
//! ```

mod module;

pub use self::module::ModuleError;
