//! What calls run in: processes, or the WebAssembly engine.

use std::fs;
use std::path::Path;

use super::error::{self, RustError};
use super::sandbox::Sandbox;
use super::subject::{Confinement, Runtime};
use super::worker::Program;
use crate::subject::Signature;
use crate::subject::worker::Pool;

/// The processes or the engine that a built function runs in.
pub(super) enum Machine {
    Process(Pool<Program>),
    Sandbox(Box<Sandbox>),
}

impl Machine {
    /// Loads the program that was built of a copy, for one of the functions that it calls.
    pub(super) fn start(
        runtime: &Runtime,
        program: &Path,
        call: usize,
        signature: &Signature,
    ) -> Result<Machine, RustError> {
        match runtime.confinement {
            Confinement::Process => {
                let path = program.to_owned();
                let pool =
                    Pool::new(Program { path, call, isolation: runtime.isolation }, runtime.jobs);
                // A worker that does not start is better known now.
                pool.give_back(pool.take()?);
                Ok(Machine::Process(pool))
            }
            Confinement::Sandbox => {
                let module = fs::read(program).map_err(error::file("read", program))?;
                Ok(Machine::Sandbox(Box::new(Sandbox::new(&module, signature)?)))
            }
        }
    }
}
