//! A Python function as a subject.

use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};

use super::error::PythonError;
use super::facts::{Answer, Facts, Request};
use super::identity;
use super::interpreter::Interpreter;
use super::name::FunctionName;
use super::run::{Job, MOST_FUEL};
use super::worker::Launch;
use crate::subject::fuel::FuelRule;
use crate::subject::signature::Type;
use crate::subject::worker::{self, Backend as _, Death, Pool, Record};
use crate::subject::{
    Branch, Constant, Deadline, Domain, Identity, Inputs, Isolation, MachineFailure, Mutant,
    Outcomes, Signature, Steadiness, Subject, Traces, Version,
};

/// How often a worker is started again that was killed while it began.
const MOST_STARTS: usize = 30;

/// Which function, and what is known of it.
#[derive(Clone, Debug, PartialEq)]
pub struct PythonSpec {
    /// The name of the function.
    pub name: FunctionName,
    /// Folders that modules are imported from, before those of the interpreter.
    pub paths: Vec<PathBuf>,
    /// Types of parameters, in order: `x` and `int`.
    pub with: Vec<(String, String)>,
    /// The domains of its parameters, by name.
    pub domains: BTreeMap<String, Domain>,
}

impl PythonSpec {
    /// What a definition of the function would say, without where it is imported from.
    pub(super) fn text(&self) -> String {
        let PythonSpec { name, paths: _, with, domains } = self;
        format!("{name}, with {with:?}, domain {domains:?}")
    }
}

/// Where and how Python functions are run.
#[derive(Clone, Debug)]
pub struct Runtime {
    /// The interpreter.
    pub interpreter: Interpreter,
    /// How many workers are kept.
    pub jobs: usize,
    /// What workers are kept from.
    pub isolation: Isolation,
}

/// A function with its mutants, in workers that are started when they are needed.
pub struct PythonSubject {
    name: FunctionName,
    signature: Signature,
    identity: Identity,
    types: (Vec<Type>, Vec<Type>),
    pool: Pool<Launch>,
    mutants: Vec<Mutant>,
    /// The number of each mutant in the workers.
    numbers: Vec<u32>,
    constants: Vec<Constant>,
    branches: Vec<Branch>,
    facts: Facts,
}

impl PythonSubject {
    /// Starts a worker, which imports the function and finds its mutants.
    ///
    /// # Errors
    /// When the function is not there or cannot be a subject, or the machine cannot run it.
    pub fn new(spec: &PythonSpec, runtime: &Runtime) -> Result<PythonSubject, PythonError> {
        PythonSubject::defined(spec, &spec.text(), runtime)
    }

    /// The same for a function of which a definition has this text.
    pub(super) fn defined(
        spec: &PythonSpec,
        text: &str,
        runtime: &Runtime,
    ) -> Result<PythonSubject, PythonError> {
        let folder = spec.name.folder().map(Path::to_owned);
        let paths = folder.into_iter().chain(spec.paths.iter().cloned());
        // The folder of a file that is named alone is empty, which is here.
        let paths = paths.filter_map(|path| std::path::absolute(Path::new(".").join(path)).ok());
        let request = Request {
            module: spec.name.module().to_owned(),
            function: spec.name.function().to_owned(),
            paths: paths.filter(|path| path.is_dir()).collect(),
            with: spec.with.clone(),
            decided: None,
            tries: true,
            full: true,
        };
        let Runtime { interpreter, jobs, isolation } = runtime.clone();
        let mut launch = Launch { interpreter, isolation, request };
        let facts = match described(&launch) {
            // It may be the function that does that, when it is tried, and not its module.
            Err(PythonError::Import { .. }) => {
                launch.request.tries = false;
                described(&launch)?
            }
            described => described?,
        };
        launch.request.decided = facts.decided.clone();
        launch.request.tries = false;
        launch.request.full = false;
        let signature = facts.signature(spec.name.function(), &spec.domains)?;
        let inputs = signature.parameters.iter().map(|parameter| parameter.ty).collect();
        let outputs = signature.outputs().iter().map(|(_, ty)| *ty).collect();
        let (mutants, numbers) = facts.mutants();
        Ok(PythonSubject {
            name: spec.name.clone(),
            identity: identity::of(spec, text, &facts)?,
            types: (inputs, outputs),
            pool: Pool::new(launch, jobs),
            mutants,
            numbers,
            constants: facts.constants(),
            branches: facts.branches(),
            signature,
            facts,
        })
    }

    /// The name of the function.
    pub fn name(&self) -> &FunctionName {
        &self.name
    }

    /// The version of Python that runs it.
    pub fn python(&self) -> &str {
        &self.facts.python
    }

    /// The types of its parameters, in Python's words.
    pub fn forms(&self) -> &[String] {
        &self.facts.forms
    }

    /// The functions that are mutated.
    pub fn scope(&self) -> &[String] {
        &self.facts.scope
    }

    /// What to know of parameters that are not varied, and of code without mutants.
    pub fn remarks(&self) -> Vec<String> {
        let mut remarks = self.facts.remarks.clone();
        if self.facts.scope.is_empty() {
            remarks.push(format!(
                "{} has no source in Python: it is run as it is, and cannot be mutated",
                self.name
            ));
        }
        remarks
    }

    /// The lines of a test that define `function`, where it does not do to import it.
    pub fn call(&self) -> Option<&str> {
        self.facts.call.as_deref()
    }

    fn record(
        &self,
        (mutant, sides, is_fresh): (u32, usize, bool),
        inputs: &Inputs,
        fuel: &dyn Fn(usize) -> u64,
        deadline: &Deadline,
    ) -> Result<Record, MachineFailure> {
        let types = (self.types.0.as_slice(), self.types.1.as_slice());
        let (pool, signature) = (&self.pool, &self.signature);
        let job = Job { pool, signature, types, mutant, sides, is_fresh, fuel, deadline };
        worker::run(&job, inputs)
    }

    /// Runs the original until a deadline.
    fn original(
        &self,
        sides: usize,
        is_fresh: bool,
        inputs: &Inputs,
        deadline: &Deadline,
    ) -> Result<Record, MachineFailure> {
        self.record((0, sides, is_fresh), inputs, &|_| deadline.fuel(MOST_FUEL), deadline)
    }
}

/// Starts a worker to ask it about its function.
fn described(launch: &Launch) -> Result<Facts, PythonError> {
    for _ in 0..MOST_STARTS {
        let Some(mut worker) = launch.launch()? else { continue };
        let module = launch.request.module.clone();
        let import = |what: &'static str| PythonError::Import { module, what };
        let what = match worker.describe(&launch.request) {
            Ok(Some(Answer::Described(facts))) => return Ok(*facts),
            Ok(Some(Answer::Refused { refused })) => return Err(PythonError::Refused(refused)),
            Ok(Some(Answer::Ready {}) | None) => "answers with something else",
            Err(Death::Killed) => continue,
            Err(Death::Hung(_) | Death::Late) => "does not end",
            Err(Death::Exited) => "ends the process",
            Err(Death::Crashed | Death::Memory | Death::Stack) => "brings down Python",
        };
        return Err(import(what));
    }
    let message = "it is killed again and again while it starts".to_owned();
    let command = launch.program().display().to_string();
    Err(PythonError::Worker { command, message })
}

impl Subject for PythonSubject {
    keeps! { mutants: mutants, constants: constants, branches: branches }

    fn run_within(
        &self,
        version: Version<'_>,
        inputs: &Inputs,
        deadline: &Deadline,
    ) -> Result<Outcomes, MachineFailure> {
        let record = match version {
            Version::Original => self.original(0, false, inputs, deadline),
            Version::Mutant { number, original } => {
                let limit = |row: usize| {
                    FuelRule::PLAIN.within(original.fuel()[row], deadline).min(MOST_FUEL)
                };
                self.record((self.numbers[number], 0, false), inputs, &limit, deadline)
            }
        };
        record.map(|record| record.outcomes)
    }

    fn trace_within(&self, inputs: &Inputs, deadline: &Deadline) -> Result<Traces, MachineFailure> {
        // A function without branches has 0 sides, which turns recording off.
        let sides = 2 * self.branches.len();
        let Record { outcomes, hits, distances } = self.original(sides, false, inputs, deadline)?;
        Ok(Traces { outcomes, sides, hits, distances })
    }

    fn steadiness(
        &self,
        inputs: &Inputs,
        deadline: &Deadline,
    ) -> Result<Steadiness, MachineFailure> {
        Steadiness::of(&self.signature, inputs, |inputs| {
            Ok(self.original(0, true, inputs, deadline)?.outcomes)
        })
    }
}

impl fmt::Debug for PythonSubject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PythonSubject").field("name", &self.name).finish_non_exhaustive()
    }
}
