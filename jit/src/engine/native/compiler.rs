//! Turns programs into code: drives Cranelift and owns the memory it fills.
//!
//! Memory is written first and made executable after, never both at once (cranelift-jit's
//! `SystemMemoryProvider`: mmap read-write, then mprotect read-execute). A system that refuses either
//! is an answer, [`NoExecutableMemory`], not a panic.
//!
//! Knows neither which relations are worth compiling nor what their instructions mean.

use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, OnceLock};

use cranelift_codegen::Context;
use cranelift_codegen::isa::{OwnedTargetIsa, TargetIsa};
use cranelift_codegen::settings::{self, Configurable};
use cranelift_frontend::FunctionBuilderContext;
use cranelift_jit::{JITBuilder, JITModule};
use cranelift_module::{FuncId, Module, ModuleError, default_libcall_names};

use super::code::{Code, Entry};
use super::emit;
use super::operand::Operand;
use crate::program::Program;
use crate::table::Table;

/// The system gave no memory for code, or would not make it executable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the system refuses executable memory; relations run as bytecode instead")]
pub struct NoExecutableMemory;

/// Why there is no code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Failure {
    /// This relation is not for this tier.
    Declined(&'static str),
    /// No relation can be compiled here.
    Refused,
}

/// The memory of one module; given back when dropped.
pub(super) struct Memory(Option<JITModule>);

impl Memory {
    fn module(&mut self) -> &mut JITModule {
        self.0.as_mut().expect("only drop takes the module")
    }
}

impl Drop for Memory {
    fn drop(&mut self) {
        if let Some(module) = self.0.take() {
            // SAFETY: every pointer into this memory is the `entry` of a `Code` that holds the `Arc`
            // around `self`. That this runs means that there is no such code, so none is running.
            unsafe { module.free_memory() }
        }
    }
}

/// Settings for code that is run as it is: no checks that a loop without calls does not need.
pub(super) fn flags() -> settings::Flags {
    let mut flags = settings::builder();
    let verify = if cfg!(any(test, debug_assertions)) { "true" } else { "false" };
    for (name, value) in [
        ("opt_level", OPT_LEVEL),
        ("regalloc_algorithm", "backtracking"),
        ("enable_verifier", verify),
        ("unwind_info", "false"),
        ("enable_probestack", "false"),
        ("is_pic", "false"),
        ("use_colocated_libcalls", "false"),
    ] {
        flags.set(name, value).expect("a setting of this Cranelift");
    }
    settings::Flags::new(flags)
}

/// `emit.rs` already shares what can be shared and hoists what can be hoisted. "speed" finds nothing more,
/// doubles the time to compile, and moves all loads of a turn before their uses: spills, and code
/// no faster. The other register allocator, `single_pass`, halves the time to compile and gives code that
/// is 1.3 to 2 times slower. Measured side by side on a busy machine, 10 relations, 18,048 rows.
const OPT_LEVEL: &str = "none";

/// This machine, with everything it can do.
fn host() -> Result<OwnedTargetIsa, &'static str> {
    static HOST: OnceLock<Result<OwnedTargetIsa, &'static str>> = OnceLock::new();
    HOST.get_or_init(|| {
        cranelift_native::builder()?
            .finish(flags())
            .map_err(|_| "Cranelift does not know this machine")
    })
    .clone()
}

/// Cranelift's scratch memory, reused from one relation to the next.
pub(super) struct Compiler {
    context: Context,
    frontend: FunctionBuilderContext,
    operands: Vec<Operand>,
}

impl Default for Compiler {
    fn default() -> Self {
        let (context, frontend) = (Context::new(), FunctionBuilderContext::new());
        Compiler { context, frontend, operands: Vec::new() }
    }
}

impl Compiler {
    /// A module to compile relations into.
    pub(super) fn module(&mut self) -> ModuleBuilder<'_> {
        ModuleBuilder { compiler: self, memory: Memory(None), defined: Vec::new() }
    }

    /// The IR of a program, before Cranelift optimises it.
    pub(super) fn ir(&mut self, program: &Program, table: &Table) -> Result<String, &'static str> {
        let isa = host()?;
        self.emit(program, table, &*isa)?;
        let text = self.context.func.display().to_string();
        self.context.clear();
        Ok(text)
    }

    /// Machine code for any target, to look at.
    #[cfg(test)]
    pub(super) fn machine_code(
        &mut self,
        program: &Program,
        table: &Table,
        isa: &dyn TargetIsa,
    ) -> Result<Vec<u8>, String> {
        self.emit(program, table, isa)?;
        let compiled = self.context.compile(isa, &mut Default::default());
        let bytes = compiled
            .map(|compiled| compiled.code_buffer().to_vec())
            .map_err(|error| error.inner.to_string());
        self.context.clear();
        bytes
    }

    fn emit(
        &mut self,
        program: &Program,
        table: &Table,
        isa: &dyn TargetIsa,
    ) -> Result<(), &'static str> {
        self.context.clear();
        let Compiler { context, frontend, operands } = self;
        emit::emit(program, table, isa, operands, &mut context.func, frontend)
    }
}

impl fmt::Debug for Compiler {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Compiler").finish_non_exhaustive()
    }
}

/// A module in the making.
pub(super) struct ModuleBuilder<'a> {
    compiler: &'a mut Compiler,
    memory: Memory,
    defined: Vec<(FuncId, Box<[Operand]>, u64)>,
}

impl ModuleBuilder<'_> {
    /// Compiles one more relation.
    pub(super) fn define(&mut self, program: &Program, table: &Table) -> Result<(), Failure> {
        let isa = host().map_err(Failure::Declined)?;
        self.compiler.emit(program, table, &*isa).map_err(Failure::Declined)?;
        let module = self.memory.0.get_or_insert_with(|| {
            JITModule::new(JITBuilder::with_isa(isa, default_libcall_names()))
        });
        let context = &mut self.compiler.context;
        let function = match module.declare_anonymous_function(&context.func.signature) {
            Ok(id) => module.define_function(id, context).map(|()| id),
            Err(error) => Err(error),
        };
        context.clear();
        match function {
            Ok(id) => {
                let operands = self.compiler.operands.as_slice().into();
                self.defined.push((id, operands, table.id()));
                Ok(())
            }
            Err(ModuleError::Allocation { .. } | ModuleError::Backend(_)) => Err(Failure::Refused),
            Err(_) => Err(Failure::Declined("Cranelift cannot compile it for this machine")),
        }
    }

    /// Makes the module executable: the code of every relation defined, in order.
    pub(super) fn finish(mut self) -> Result<Vec<Code>, NoExecutableMemory> {
        if self.defined.is_empty() {
            return Ok(Vec::new());
        }
        let module = self.memory.module();
        // cranelift-jit 0.135.8 returns an error when mprotect fails, but on aarch64 it panics when
        // membarrier does (a seccomp filter can do that). Both are refusals; on either the module is
        // only dropped.
        match catch_unwind(AssertUnwindSafe(|| module.finalize_definitions().is_ok())) {
            Ok(true) => {}
            Ok(false) | Err(_) => return Err(NoExecutableMemory),
        }
        let addresses: Vec<*const u8> =
            self.defined.iter().map(|(id, ..)| module.get_finalized_function(*id)).collect();
        let memory = Arc::new(Mutex::new(self.memory));
        let codes = self.defined.into_iter().zip(addresses).map(|((_, operands, table), at)| {
            // SAFETY: `at` is the finished function that `emit.rs` declared with the signature of
            // `Entry` and the C calling convention of this machine; its memory is executable now and
            // lives as long as `memory`, which goes into the code beside it.
            let entry = unsafe { std::mem::transmute::<*const u8, Entry>(at) };
            Code::new(entry, operands, table, Arc::clone(&memory))
        });
        Ok(codes.collect())
    }
}
