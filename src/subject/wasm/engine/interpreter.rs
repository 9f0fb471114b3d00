//! The interpreting engine: wasmi.

use wasmi::errors::ErrorKind;
use wasmi::{CompilationMode, Config, Module, TrapCode};

use super::{Fault, instance};
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
}

instance!(wasmi, |error| error.to_string());

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
