//! A Rust function as a subject.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::fs;
use std::path::Path;

use super::build::{self, Order};
use super::call;
use super::callee::Callee;
use super::copy::Copy;
use super::error::{self, RustError};
use super::identity;
use super::mutate::{self, Candidate};
use super::package::{Package, Place};
use super::prepare::{Preparation, prepare};
use super::run::{Job, MOST_FUEL};
use super::sandbox::{self, Sandbox};
use super::types::{Arguments, ParameterType};
use super::worker::Program;
use crate::subject::fuel::FuelRule;
use crate::subject::worker::{self, Pool, Record};
use crate::subject::{
    Branch, Constant, Domain, Identity, Inputs, Isolation, Line, MachineFailure, Mutant, Outcomes,
    Signature, Steadiness, Subject, Traces, Version,
};

/// What a copy has besides the files of the package.
const SWITCH: &str = include_str!("harness/switch.rs.in");
const WORKER: &str = include_str!("harness/worker.rs.in");
const GUEST: &str = include_str!("../wasm/guest/genmorph.rs");

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

/// What calls run in, with what that needs.
enum Machine {
    Process(Pool<Program>),
    Sandbox(Box<Sandbox>),
}

/// A mutant that rustc rejects.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RejectedMutant {
    /// The mutant that rustc rejects.
    pub mutant: Mutant,
    /// The message of the compiler.
    pub reason: String,
}

/// Code in the function, or in what it calls, that has no mutants.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnmutatedCode {
    /// What it is: a macro, or async code.
    pub what: String,
    /// The line where that code begins.
    pub line: Line,
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
    package: Package,
    callee: Callee,
    signature: Signature,
    identity: Identity,
    kinds: (Vec<u8>, Vec<u8>),
    machine: Machine,
    mutants: Vec<Mutant>,
    /// For each mutant, what it is in the copy, and in the source.
    candidates: Vec<Candidate>,
    /// The files of the package that have mutants: path and text.
    files: Vec<(String, String)>,
    constants: Vec<Constant>,
    branches: Vec<Branch>,
    scope: Vec<String>,
    unviable: Vec<RejectedMutant>,
    opaque: Vec<UnmutatedCode>,
    rounds: usize,
}

impl RustSubject {
    /// Finds the function, builds the package with all mutants, and starts a worker.
    ///
    /// # Errors
    /// When the function is not there or cannot be a subject, or the package cannot be built.
    pub fn new(spec: &RustSpec, runtime: &Runtime) -> Result<RustSubject, RustError> {
        let package = Package::find(&spec.place)?;
        let mut prepared = prepare(&package, &spec.function, &spec.with)?;
        let signature = prepared.callee.signature(&spec.domains)?;
        match runtime.confinement {
            Confinement::Process => prepared.add_worker(&signature),
            Confinement::Sandbox => {
                sandbox::check()?;
                prepared.add_exports(&signature)?;
            }
        }
        let Preparation { callee, files, inventory, scope, .. } = &prepared;
        let copy = copied(&package, &prepared, runtime.confinement)?;
        let flags: &[&str] = match runtime.confinement {
            Confinement::Process => &[],
            Confinement::Sandbox => &["--target", sandbox::PLATFORM],
        };
        let surplus: BTreeSet<u32> = mutate::surplus(&inventory.candidates).into_iter().collect();
        let order = Order { package: &package, copy: &copy, target: flags, flags: &runtime.flags };
        let built = build::build(order, files, &surplus)?;
        let identity = identity::of(spec, runtime, &package, &prepared, &copy)?;
        let file = |number: usize| files[number].path.display().to_string();
        let mut mutants = Vec::new();
        let mut candidates = Vec::new();
        let mut unviable = Vec::new();
        let mut counts = BTreeMap::new();
        for candidate in inventory.candidates.iter().filter(|c| !surplus.contains(&c.number)) {
            let group = candidate.rule.group();
            let line =
                Line { file: file(candidate.file), line: candidate.line, column: candidate.column };
            let mut mutant = Mutant {
                name: String::new(),
                group,
                operator: candidate.rule.name(),
                function: candidate.function.clone(),
                offset: u32::try_from(candidate.range.start).unwrap_or(u32::MAX),
                line: Some(line),
                change: candidate.change.clone(),
            };
            match built.refused.get(&candidate.number) {
                Some(reason) => unviable.push(RejectedMutant { mutant, reason: reason.clone() }),
                None => {
                    let count: &mut usize = counts.entry(group).or_default();
                    *count += 1;
                    mutant.name = format!("{group:?}{count}");
                    mutants.push(mutant);
                    candidates.push(candidate.clone());
                }
            }
        }
        let constants = constants(&inventory.constants);
        let branches = inventory.forks.iter().map(|fork| Branch {
            function: fork.function.clone(),
            offset: u32::try_from(fork.at).unwrap_or(u32::MAX),
            line: Some(Line { file: file(fork.file), line: fork.line, column: fork.column }),
        });
        let opaque = inventory.opaque.iter().map(|opaque| UnmutatedCode {
            what: opaque.what.clone(),
            line: Line {
                file: file(opaque.file),
                line: u32::try_from(opaque.line).unwrap_or(u32::MAX),
                column: 0,
            },
        });
        let (branches, opaque) = (branches.collect(), opaque.collect());
        let texts =
            files.iter().enumerate().map(|(number, changed)| (file(number), changed.text.clone()));
        let machine = match runtime.confinement {
            Confinement::Process => {
                let pool = Pool::new(
                    Program { path: built.program, isolation: runtime.isolation },
                    runtime.jobs,
                );
                // A worker that does not start is better known now.
                pool.give_back(pool.take()?);
                Machine::Process(pool)
            }
            Confinement::Sandbox => {
                let module =
                    fs::read(&built.program).map_err(error::file("read", &built.program))?;
                Machine::Sandbox(Box::new(Sandbox::new(&module, &signature)?))
            }
        };
        Ok(RustSubject {
            kinds: call::kinds(&signature),
            callee: callee.clone(),
            files: texts.collect(),
            scope: scope.clone(),
            rounds: built.rounds,
            identity,
            package,
            signature,
            machine,
            mutants,
            candidates,
            constants,
            branches,
            unviable,
            opaque,
        })
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
        &self.unviable
    }

    /// The code that has no mutants.
    pub fn not_mutated(&self) -> &[UnmutatedCode] {
        &self.opaque
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
        let Candidate { range, new, file, line, column, rule, .. } = &self.candidates[number];
        let (path, text) = &self.files[*file];
        let start = text[..range.start].rfind('\n').map_or(0, |newline| newline + 1);
        let end = text[range.end..].find('\n').map_or(text.len(), |newline| range.end + newline);
        let old = &text[start..end];
        let changed = match rule.name() {
            // What is returned has no text of its own.
            "RET" => format!("{old}    // {new}"),
            _ => format!("{}{new}{}", &text[start..range.start], &text[range.end..end]),
        };
        let lines = |sign: char, text: &str| -> String {
            text.lines()
                .filter(|line| !line.trim().is_empty())
                .map(|line| format!("{sign}{line}\n"))
                .collect()
        };
        let mutant = &self.mutants[number];
        format!(
            "{path}:{line}:{column}: {} {}\n{}{}",
            mutant.name,
            mutant.operator,
            lines('-', old),
            lines('+', &changed)
        )
    }

    fn record(
        &self,
        rows: Rows,
        inputs: &Inputs,
        fuel: &dyn Fn(usize) -> u64,
    ) -> Result<Record, MachineFailure> {
        let Rows { mutant, sides, absent, is_fresh } = rows;
        let pool = match &self.machine {
            Machine::Process(pool) => pool,
            Machine::Sandbox(sandbox) => return Ok(sandbox.run(mutant, sides, inputs, fuel)),
        };
        let (signature, kinds) =
            (&self.signature, (self.kinds.0.as_slice(), self.kinds.1.as_slice()));
        let job = Job { pool, signature, kinds, mutant, sides, absent, is_fresh, fuel };
        worker::run(&job, inputs)
    }

    fn traced(&self, inputs: &Inputs, absent: u32) -> Result<Traces, MachineFailure> {
        // A function without branches has 0 sides, which turns recording off.
        let sides = 2 * self.branches.len();
        let rows = Rows { sides, absent, ..Rows::default() };
        let Record { outcomes, hits, distances } = self.record(rows, inputs, &|_| MOST_FUEL)?;
        Ok(Traces { outcomes, sides, hits, distances })
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
    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn identity(&self) -> &Identity {
        &self.identity
    }

    fn mutants(&self) -> &[Mutant] {
        &self.mutants
    }

    fn constants(&self) -> &[Constant] {
        &self.constants
    }

    fn branches(&self) -> &[Branch] {
        &self.branches
    }

    fn run(&self, version: Version<'_>, inputs: &Inputs) -> Result<Outcomes, MachineFailure> {
        let record = match version {
            Version::Original => self.record(Rows::default(), inputs, &|_| MOST_FUEL),
            Version::Mutant { number, original } => {
                let mutant = self.candidates[number].number;
                let limit = |row: usize| FuelRule::PLAIN.limit(original.fuel()[row]).min(MOST_FUEL);
                self.record(Rows { mutant, ..Rows::default() }, inputs, &limit)
            }
        };
        record.map(|record| record.outcomes)
    }

    fn trace(&self, inputs: &Inputs) -> Result<Traces, MachineFailure> {
        self.traced(inputs, 0)
    }

    fn steadiness(&self, inputs: &Inputs) -> Result<Steadiness, MachineFailure> {
        Steadiness::of(&self.signature, inputs, |inputs| {
            Ok(self.record(Rows::FRESH, inputs, &|_| MOST_FUEL)?.outcomes)
        })
    }

    fn asides(&self, inputs: &Inputs) -> Result<Option<Traces>, MachineFailure> {
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
            let traces = self.traced(&rows, absent)?;
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
            .field("mutants", &self.mutants.len())
            .finish_non_exhaustive()
    }
}

/// The copy of a package for a function, with all but its changed sources.
fn copied(
    package: &Package,
    prepared: &Preparation,
    confinement: Confinement,
) -> Result<Copy, RustError> {
    let Callee { path, turbofish, .. } = &prepared.callee;
    // What is built of different copies has different names, or one would replace the other.
    let kind = match confinement {
        Confinement::Process => "",
        Confinement::Sandbox => "-sandbox",
    };
    let name = format!("{}-{}{kind}", package.name, plain(&format!("{path}{turbofish}")));
    let own: Vec<_> = prepared.files.iter().map(|file| package.folder.join(&file.path)).collect();
    let copy = Copy::new(package, package.target.join("genmorph").join(&name), &own)?;
    let root = prepared.files[0].path.display().to_string();
    let target = match confinement {
        Confinement::Process => format!("[[bin]]\nname = \"genmorph-{name}\"\npath = {root:?}\n"),
        Confinement::Sandbox => format!(
            "[lib]\nname = \"genmorph_{}\"\npath = {root:?}\ncrate-type = [\"cdylib\"]\n",
            name.replace('-', "_")
        ),
    };
    copy.write(Path::new("Cargo.toml"), package.manifest(&target).as_bytes())?;
    let beside = prepared.beside_root();
    copy.write(&beside.join("__genmorph.rs"), SWITCH.as_bytes())?;
    let (name, text) = match confinement {
        Confinement::Process => ("__genmorph_worker.rs", WORKER),
        Confinement::Sandbox => ("genmorph.rs", GUEST),
    };
    copy.write(&beside.join(name), text.as_bytes())?;
    Ok(copy)
}

/// Numbers, most frequent first.
fn constants(found: &BTreeMap<u64, usize>) -> Vec<Constant> {
    let mut constants: Vec<Constant> = found
        .iter()
        .map(|(bits, count)| Constant { value: f64::from_bits(*bits), count: *count })
        .collect();
    constants.sort_by(|a, b| b.count.cmp(&a.count).then(a.value.total_cmp(&b.value)));
    constants
}

/// A name that files and programs may have.
fn plain(path: &str) -> String {
    path.replace("::", "-")
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() || c == '_' { c } else { '-' })
        .collect()
}
