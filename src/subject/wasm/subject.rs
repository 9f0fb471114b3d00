//! A function of a WebAssembly module as a subject.

use std::fmt;
use std::sync::{Mutex, PoisonError};

use super::abi::{self, Abi};
use super::build::Build;
use super::calls::Calls;
use super::constants;
use super::definition::WasmDefinition;
use super::engine::{Engine, Loader};
use super::error::WasmError;
use super::lines::Lines;
use super::module::{Module, ModuleError, Patch};
use super::mutate;
use super::probe::Probes;
use super::run::{Call, Machine, Program, Unready, Watch};
use super::scope::Scope;
use super::style::{self, Remark};
use super::watched::WatchedModule;
use crate::subject::fuel::FuelRule;
use crate::subject::{
    Branch, Constant, Deadline, Identity, Inputs, MachineFailure, Mutant, Outcome, Outcomes,
    Signature, Subject, Traces, Version,
};

/// An upper bound for fuel that no call reaches.
const MOST_FUEL: u64 = 1 << 62;

/// How a function is run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settings {
    /// The engine that runs the module.
    pub engine: Engine,
    /// Fuel of a call of the original: one unit for each iteration of a loop and each call of a function.
    pub fuel: u64,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings { engine: Engine::default(), fuel: 10_000_000 }
    }
}

/// A function that a module exports, and its mutants.
pub struct WasmSubject {
    signature: Signature,
    identity: Identity,
    module: Module,
    abi: Abi,
    build: Build,
    settings: Settings,
    loader: Loader,
    original: Program,
    /// Instances of the original that are not in use.
    idle: Mutex<Vec<Machine>>,
    mutants: Vec<Mutant>,
    patches: Vec<Patch>,
    constants: Vec<Constant>,
    remarks: Vec<Remark>,
    probes: Probes,
    probed: WatchedModule,
}

impl WasmSubject {
    /// Makes a subject of a function of a module, which is a binary or text.
    pub fn new(
        module: &[u8],
        export: &str,
        signature: Signature,
        scope: &Scope,
        settings: Settings,
    ) -> Result<WasmSubject, WasmError> {
        let bytes = wat::parse_bytes(module)
            .map_err(|error| ModuleError::Invalid(error.to_string()))?
            .into_owned();
        let identity = identity(&bytes, export, &signature, scope);
        let module = Module::parse(bytes)?;
        let export = abi::find(&module, export)?;
        let (abi, plan) = Abi::new(&module, export, &signature, settings.fuel.min(MOST_FUEL))?;
        let calls = Calls::of(&module);
        let lines = Lines::new(&module);
        let file = |function: usize| lines.find(module.functions[function].code[0]).map(|l| l.file);
        let scope = scope.functions(&module, &calls, export, file)?;
        let mutants = mutate::mutants(&module, &scope);
        let remarks = style::remarks(&module, &scope, &mutants);
        let (mutants, patches) = mutants.into_iter().unzip();
        let probes = Probes::new(&module, &scope);
        let build = Build::new(&module, &calls, &plan);
        let loader = Loader::new(settings.engine).map_err(WasmError::Engine)?;
        let binary = build.binary(&module, None);
        let (original, machine) = Program::new(&loader, &binary, &build.facts, None)?;
        let probed = WatchedModule::new(probes.binary(&module), &plan, &loader)?;
        let constants = constants::of(&module, &scope);
        Ok(WasmSubject {
            signature,
            identity,
            module,
            abi,
            build,
            settings,
            loader,
            original,
            idle: Mutex::new(vec![machine]),
            mutants,
            patches,
            constants,
            remarks,
            probes,
            probed,
        })
    }

    /// Makes a subject of the function that a definition file describes.
    ///
    /// # Errors
    /// When the module does not export the function, or cannot be run.
    pub fn defined(definition: &WasmDefinition, engine: Engine) -> Result<WasmSubject, WasmError> {
        let WasmDefinition { text: _, module, export, signature, scope, second: _, condition: _ } =
            definition;
        let settings = Settings { engine, ..Settings::default() };
        let scope = Scope::named(scope);
        let subject = WasmSubject::new(module, export, signature.clone(), &scope, settings)?;
        Ok(WasmSubject { identity: definition.identity(), ..subject })
    }

    /// Remarks for the user on how the module was compiled.
    pub fn remarks(&self) -> &[Remark] {
        &self.remarks
    }

    fn run_original(&self, inputs: &Inputs, deadline: &Deadline) -> Outcomes {
        let idle = || self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        let machine = idle().pop();
        let mut machine = machine.unwrap_or_else(|| self.original.machine());
        let mut outcomes = Outcomes::new(&self.signature);
        let limit = |_| deadline.fuel(self.settings.fuel).min(MOST_FUEL);
        let call = Call { is_original: true, ..self.call(inputs, &limit, deadline) };
        self.original.run(&mut machine, &call, &mut outcomes, None);
        idle().push(machine);
        outcomes
    }

    /// Runs a patched version until a deadline, with a fuel limit for each row.
    pub(super) fn run_patched(
        &self,
        patch: &Patch,
        inputs: &Inputs,
        limit: &dyn Fn(usize) -> u64,
        deadline: &Deadline,
    ) -> Outcomes {
        if deadline.is_over() {
            return Outcomes::not_run(&self.signature, inputs.len());
        }
        let mut outcomes = Outcomes::new(&self.signature);
        let binary = self.build.binary(&self.module, Some(patch));
        let memory = Some(self.original.memory()).filter(|_| !self.build.starts_otherwise(patch));
        match Program::new(&self.loader, &binary, &self.build.facts, memory) {
            Ok((program, mut machine)) => {
                let call = self.call(inputs, limit, deadline);
                program.run(&mut machine, &call, &mut outcomes, None);
            }
            Err(unready) => {
                let outcome = match unready {
                    Unready::Start(outcome) => outcome,
                    // Its segments no longer fit, or the engine is stricter than validation.
                    Unready::Engine(_) => Outcome::OutOfMemory,
                };
                (0..inputs.len()).for_each(|_| outcomes.failed(outcome, 0));
            }
        }
        outcomes
    }

    fn call<'c>(
        &'c self,
        inputs: &'c Inputs,
        limit: &'c dyn Fn(usize) -> u64,
        deadline: &'c Deadline,
    ) -> Call<'c> {
        let (abi, facts) = (&self.abi, &self.build.facts);
        Call { abi, facts, inputs, limit, deadline, is_original: false }
    }
}

impl Subject for WasmSubject {
    keeps! { mutants: mutants, constants: constants, branches: probes.branches }

    /// Never fails: the engine is part of this program.
    fn run_within(
        &self,
        version: Version<'_>,
        inputs: &Inputs,
        deadline: &Deadline,
    ) -> Result<Outcomes, MachineFailure> {
        Ok(match version {
            Version::Original => self.run_original(inputs, deadline),
            Version::Mutant { number, original } => {
                let limit = |row: usize| FuelRule::PLAIN.within(original.fuel()[row], deadline);
                self.run_patched(&self.patches[number], inputs, &limit, deadline)
            }
        })
    }

    /// Never fails: the engine is part of this program.
    fn trace_within(&self, inputs: &Inputs, deadline: &Deadline) -> Result<Traces, MachineFailure> {
        let mut outcomes = Outcomes::new(&self.signature);
        let sides = self.probes.sides();
        let (mut hits, mut distances) = (Vec::new(), Vec::new());
        let watch = Watch {
            memory: self.probes.memory as usize,
            blank: &self.probes.blank(),
            read: &mut |memory| self.probes.read(memory, &mut hits, &mut distances),
        };
        let limits = (self.settings.fuel, deadline);
        self.probed.run(&self.abi, inputs, limits, watch, &mut outcomes);
        Ok(Traces { outcomes, sides, hits, distances })
    }
}

/// The identity of a function that no file defines.
fn identity(module: &[u8], export: &str, signature: &Signature, scope: &Scope) -> Identity {
    let Scope { functions, files } = scope;
    let definition = WasmDefinition {
        text: format!("{export}: {signature}, changed: {:?}", signature.changed),
        module: module.to_owned(),
        export: export.to_owned(),
        signature: signature.clone(),
        scope: functions.iter().chain(files).cloned().collect(),
        second: None,
        condition: None,
    };
    definition.identity()
}

impl fmt::Debug for WasmSubject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("WasmSubject")
            .field("signature", &self.signature)
            .field("settings", &self.settings)
            .field("mutants", &self.mutants.len())
            .finish_non_exhaustive()
    }
}
