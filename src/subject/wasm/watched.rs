//! A version of a module that records notes about its calls in a separate memory, and the readers of these notes.
//!
//! The version is a module like any other, with the same functions in the same places. Knows nothing of the
//! content of the notes.

use std::sync::{Mutex, PoisonError};

use super::abi::Abi;
use super::build::{Build, Plan};
use super::calls::Calls;
use super::engine::Loader;
use super::error::WasmError;
use super::module::Module;
use super::run::{Call, Machine, Program, Unready, Watch};
use crate::subject::{Deadline, Inputs, Outcomes};

/// A version of a module whose calls leave notes.
pub(super) struct WatchedModule {
    build: Build,
    program: Program,
    /// Instances that are not in use.
    idle: Mutex<Vec<Machine>>,
}

impl WatchedModule {
    /// Prepares a binary, with the plan of the original.
    pub(super) fn new(
        binary: Vec<u8>,
        plan: &Plan,
        loader: &Loader,
    ) -> Result<WatchedModule, WasmError> {
        let module = Module::parse(binary)?;
        let build = Build::new(&module, &Calls::of(&module), plan);
        let binary = build.binary(&module, None);
        let (program, machine) = Program::new(loader, &binary, &build.facts, None)?;
        Ok(WatchedModule { build, program, idle: Mutex::new(vec![machine]) })
    }

    /// Runs rows until a deadline, each with at most this fuel.
    pub(super) fn run(
        &self,
        abi: &Abi,
        inputs: &Inputs,
        (fuel, deadline): (u64, &Deadline),
        watch: Watch<'_>,
        outcomes: &mut Outcomes,
    ) {
        let idle = || self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        let machine = idle().pop();
        let mut machine = machine.unwrap_or_else(|| self.program.machine());
        let limit = |_| deadline.fuel(fuel);
        let facts = &self.build.facts;
        let call = Call { abi, facts, inputs, limit: &limit, deadline, is_original: true };
        self.program.run(&mut machine, &call, outcomes, Some(watch));
        idle().push(machine);
    }
}

impl From<Unready> for WasmError {
    fn from(unready: Unready) -> WasmError {
        match unready {
            Unready::Engine(message) => WasmError::Engine(message),
            Unready::Start(outcome) => WasmError::Start(outcome),
        }
    }
}
