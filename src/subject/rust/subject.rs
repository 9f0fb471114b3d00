//! A Rust function as a subject.

use std::collections::BTreeMap;
use std::fmt;

use super::built::BuiltCrate;
use super::callee::Callee;
use super::catalogue::{Catalogue, RejectedMutant, UnmutatedCode};
use super::error::RustError;
use super::machine::Machine;
use super::package::{Package, Place};
use super::prepare::Asked;
use super::run::{Job, MOST_FUEL};
use super::source::Sources;
use super::types::{Arguments, ParameterType};
use crate::subject::fuel::FuelRule;
use crate::subject::worker::{self, Record};
use crate::subject::{
    Branch, Constant, Deadline, Domain, Identity, Inputs, Isolation, MachineFailure, Mutant,
    Outcomes, Signature, Steadiness, Subject, Traces, Version,
};

/// With how many rows `None` is tried, for each parameter that is optional.
const NONES: usize = 8;

/// Which function, and what is known of it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RustSpec {
    /// Where the package of the function is.
    pub place: Place,
    /// The path of the function, or the end of it.
    pub function: String,
    /// What its type parameters are.
    pub with: Arguments,
    /// The domains of its parameters, by name.
    pub domains: BTreeMap<String, Domain>,
}

/// Where and how Rust functions are run.
#[derive(Clone, Debug)]
pub struct Runtime {
    /// How many workers are kept.
    pub jobs: usize,
    /// The user's flags for the compiler, which the copy is built with too.
    pub flags: String,
    /// What calls run in.
    pub confinement: Confinement,
    /// What processes are kept from.
    pub isolation: Isolation,
}

/// What calls run in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Confinement {
    /// Processes of their own, with little memory: fast.
    #[default]
    Process,
    /// The embedded WebAssembly engine, which lets nothing out.
    Sandbox,
}

/// How rows are run.
#[derive(Clone, Copy, Default)]
struct Rows {
    /// 0 is the original.
    mutant: u32,
    /// How many sides of branches are recorded.
    sides: usize,
    /// The optional parameters that are `None`.
    absent: u32,
    /// Whether by a process that has run nothing yet.
    is_fresh: bool,
}

impl Rows {
    /// The original, from the beginning.
    const FRESH: Rows = Rows { mutant: 0, sides: 0, absent: 0, is_fresh: true };
}

/// A function with its mutants, in workers that are started when they are needed.
pub struct RustSubject {
    pub(super) package: Package,
    pub(super) callee: Callee,
    pub(super) signature: Signature,
    pub(super) identity: Identity,
    pub(super) kinds: (Vec<u8>, Vec<u8>),
    pub(super) machine: Machine,
    pub(super) catalogue: Catalogue,
    pub(super) scope: Vec<String>,
    pub(super) rounds: usize,
}

impl RustSubject {
    /// Finds the function, builds the package with all mutants, and starts a worker.
    ///
    /// # Errors
    /// When the function is not there or cannot be a subject, or the package cannot be built.
    pub fn new(spec: &RustSpec, runtime: &Runtime) -> Result<RustSubject, RustError> {
        let package = Package::find(&spec.place)?;
        let sources = Sources::read(&package.root, package.cfg())?;
        let function = sources.find(&spec.function, &package.name)?;
        let callee = Callee::read(&sources, &sources.functions[function], &spec.with)?;
        let signature = callee.signature(&spec.domains)?;
        let asked = vec![Asked { function, callee, signature }];
        let built = BuiltCrate::new(package, sources, asked, runtime)?;
        built.subject(0, spec, runtime)
    }

    /// The function, as it is called.
    pub fn callee(&self) -> &Callee {
        &self.callee
    }

    /// The package that it is in.
    pub fn package(&self) -> &Package {
        &self.package
    }

    /// The names of the functions that are mutated.
    pub fn scope(&self) -> &[String] {
        &self.scope
    }

    /// The mutants that rustc rejects.
    pub fn unviable(&self) -> &[RejectedMutant] {
        &self.catalogue.rejected
    }

    /// The code that has no mutants.
    pub fn not_mutated(&self) -> &[UnmutatedCode] {
        &self.catalogue.unmutated
    }

    /// How many times the crate was compiled.
    pub fn rounds(&self) -> usize {
        self.rounds
    }

    /// What a mutant changes, as a difference of sources, with line and column.
    ///
    /// # Panics
    /// If there is no mutant of that number.
    pub fn diff(&self, number: usize) -> String {
        self.catalogue.diff(number)
    }

    fn record(
        &self,
        rows: Rows,
        inputs: &Inputs,
        fuel: &dyn Fn(usize) -> u64,
        deadline: &Deadline,
    ) -> Result<Record, MachineFailure> {
        let Rows { mutant, sides, absent, is_fresh } = rows;
        let pool = match &self.machine {
            Machine::Process(pool) => pool,
            Machine::Sandbox(sandbox) => {
                return Ok(sandbox.run(mutant, sides, inputs, fuel, deadline));
            }
        };
        let (signature, kinds) =
            (&self.signature, (self.kinds.0.as_slice(), self.kinds.1.as_slice()));
        let job = Job { pool, signature, kinds, mutant, sides, absent, is_fresh, fuel, deadline };
        worker::run(&job, inputs)
    }

    fn traced(
        &self,
        inputs: &Inputs,
        absent: u32,
        deadline: &Deadline,
    ) -> Result<Traces, MachineFailure> {
        // A function without branches has 0 sides, which turns recording off.
        let sides = 2 * self.catalogue.branches.len();
        let rows = Rows { sides, absent, ..Rows::default() };
        let Record { outcomes, hits, distances } = self.original(rows, inputs, deadline)?;
        Ok(Traces { outcomes, sides, hits, distances })
    }

    /// Runs the original until a deadline.
    fn original(
        &self,
        rows: Rows,
        inputs: &Inputs,
        deadline: &Deadline,
    ) -> Result<Record, MachineFailure> {
        self.record(rows, inputs, &|_| deadline.fuel(MOST_FUEL), deadline)
    }

    /// The columns of parameters that are optional.
    fn optional(&self) -> Vec<usize> {
        let mut column = 0;
        let mut optional = Vec::new();
        for (_, ty) in &self.callee.parameters {
            match ty {
                ParameterType::One(_) => column += 1,
                ParameterType::Some(_) => {
                    optional.push(column);
                    column += 1;
                }
                ParameterType::Tuple(parts) => column += parts.len(),
            }
        }
        optional
    }
}

impl Subject for RustSubject {
    keeps! { mutants: catalogue.mutants, constants: catalogue.constants, branches: catalogue.branches }

    fn run_within(
        &self,
        version: Version<'_>,
        inputs: &Inputs,
        deadline: &Deadline,
    ) -> Result<Outcomes, MachineFailure> {
        let record = match version {
            Version::Original => self.original(Rows::default(), inputs, deadline),
            Version::Mutant { number, original } => {
                let mutant = self.catalogue.candidates[number].number;
                let limit = |row: usize| {
                    FuelRule::PLAIN.within(original.fuel()[row], deadline).min(MOST_FUEL)
                };
                self.record(Rows { mutant, ..Rows::default() }, inputs, &limit, deadline)
            }
        };
        record.map(|record| record.outcomes)
    }

    fn trace_within(&self, inputs: &Inputs, deadline: &Deadline) -> Result<Traces, MachineFailure> {
        self.traced(inputs, 0, deadline)
    }

    fn steadiness(
        &self,
        inputs: &Inputs,
        deadline: &Deadline,
    ) -> Result<Steadiness, MachineFailure> {
        Steadiness::of(&self.signature, inputs, |inputs| {
            Ok(self.original(Rows::FRESH, inputs, deadline)?.outcomes)
        })
    }

    fn asides(
        &self,
        inputs: &Inputs,
        deadline: &Deadline,
    ) -> Result<Option<Traces>, MachineFailure> {
        let optional = self.optional();
        // A sandbox has no way to leave an argument out.
        if matches!(self.machine, Machine::Sandbox(_)) || optional.is_empty() || inputs.is_empty() {
            return Ok(None);
        }
        let mut rows = Inputs::new(&self.signature);
        for turn in 0..NONES {
            rows.push(&inputs.row(turn * inputs.len() / NONES).collect::<Vec<_>>());
        }
        let all = optional.iter().fold(0, |bits, column| bits | 1 << column);
        let each = optional.iter().map(|column| 1 << column).chain([all]);
        let mut together: Option<Traces> = None;
        for absent in each {
            let traces = self.traced(&rows, absent, deadline)?;
            match &mut together {
                Some(together) => together.extend(traces),
                None => together = Some(traces),
            }
        }
        Ok(together)
    }
}

impl fmt::Debug for RustSubject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RustSubject")
            .field("callee", &self.callee)
            .field("mutants", &self.catalogue.mutants.len())
            .finish_non_exhaustive()
    }
}
