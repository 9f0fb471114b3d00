//! A Rust function in the embedded WebAssembly engine: nothing that it does reaches the machine.
//!
//! The copy is the same, compiled for another platform, so `usize` has 32 bits. A call gets the number of its mutant and
//! its fuel as arguments. Memory is as it was before every call, so nothing is kept between calls.

use std::path::Path;
use std::process::Command;

use genmorph_jit::Value;

use super::entry;
use super::error::RustError;
use crate::subject::wasm::{Engine, Scope, Settings, WasmSubject};
use crate::subject::worker::Record;
use crate::subject::{Deadline, Inputs, Outcome, Signature, Subject, Thrown, Trap, Version};

/// The platform that sandboxed copies are compiled for.
pub(super) const PLATFORM: &str = "wasm32-unknown-unknown";

/// What the engine counts, in all code, where we count in some: it only ends what we do not see.
const MOST_FUEL: u64 = 500_000_000;

/// The module, loaded once for running and once for tracing.
#[derive(Debug)]
pub(super) struct Sandbox {
    signature: Signature,
    run: WasmSubject,
    trace: WasmSubject,
}

/// Whether the compiler can build for a sandbox.
pub(super) fn check() -> Result<(), RustError> {
    let mut command = Command::new("rustc");
    command.args(["--print=target-libdir", "--target", PLATFORM]);
    let folder = command.output().ok().filter(|output| output.status.success());
    let there = folder
        .is_some_and(|output| Path::new(String::from_utf8_lossy(&output.stdout).trim()).is_dir());
    match there {
        true => Ok(()),
        false => Err(RustError::Package(format!(
            "a sandbox needs the compiler's target {PLATFORM}; `rustup target add {PLATFORM}` installs it"
        ))),
    }
}

impl Sandbox {
    /// Loads a module that was built from a copy.
    pub(super) fn new(module: &[u8], signature: &Signature) -> Result<Sandbox, RustError> {
        let load = |name: &str| {
            let signature = entry::signature(signature, name);
            // Mutants are in the module already; the engine's own are not asked for.
            let scope = Scope::named(&[entry::NOTHING.to_owned()]);
            let settings = Settings { engine: Engine::default(), fuel: MOST_FUEL };
            WasmSubject::new(module, name, signature, &scope, settings).map_err(|error| {
                RustError::Worker {
                    command: format!("the sandbox, {name}"),
                    message: error.to_string(),
                }
            })
        };
        let (run, trace) = (load(entry::RUN)?, load(entry::TRACE)?);
        Ok(Sandbox { signature: signature.clone(), run, trace })
    }

    /// Runs rows until a deadline, each with its own fuel, and records the first `sides` sides of branches.
    pub(super) fn run(
        &self,
        mutant: u32,
        sides: usize,
        inputs: &Inputs,
        fuel: &dyn Fn(usize) -> u64,
        deadline: &Deadline,
    ) -> Record {
        let subject = if sides > 0 { &self.trace } else { &self.run };
        let mut rows = Inputs::new(subject.signature());
        let zeros = |count: usize| Value::Seq(vec![0.0; count].into());
        for row in 0..inputs.len() {
            let mut values =
                vec![Value::Num(f64::from(mutant)), Value::Num(fuel(row) as f64), zeros(2)];
            if sides > 0 {
                values.extend([zeros(sides), zeros(sides)]);
            }
            values.extend(inputs.row(row));
            rows.push(&values);
        }
        let ran = subject.run_within(Version::Original, &rows, deadline);
        let ran = ran.expect("the engine is part of this program");
        let mut record = Record::new(&self.signature);
        let has_result = usize::from(self.signature.result.is_some());
        for row in 0..inputs.len() {
            let mut values: Vec<Value<'_>> = ran.row(row).collect();
            let own = values.split_off(has_result + if sides > 0 { 3 } else { 1 });
            let ours = values.split_off(has_result);
            let mut lists = ours.iter().map(|value| match value {
                Value::Seq(elements) => &**elements,
                Value::Num(_) | Value::Bool(_) => &[],
            });
            let end = lists.next().unwrap_or(&[]);
            let (status, spent) =
                (end.first().copied(), end.get(1).map_or(0, |spent| *spent as u64));
            let outcome = match (ran.outcomes()[row], status) {
                (Outcome::Returned, Some(0.0)) => Outcome::Returned,
                (Outcome::Returned, Some(4.0)) => Outcome::Threw(Thrown::new("None")),
                (Outcome::Returned, Some(5.0)) => Outcome::Threw(Thrown::new("Err")),
                (Outcome::Returned, _) => Outcome::BadOutput,
                // That is how the code in the copy says it.
                (Outcome::Trapped(Trap::Memory), _) => Outcome::OutOfFuel,
                (other, _) => other,
            };
            if outcome == Outcome::Returned {
                values.extend(own);
                record.outcomes.returned(&values, spent);
            } else {
                record.outcomes.failed(outcome, spent);
            }
            if sides > 0 {
                let (hits, far) = (lists.next().unwrap_or(&[]), lists.next().unwrap_or(&[]));
                let is_whole = hits.len() == sides && far.len() == sides;
                record
                    .hits
                    .extend((0..sides).map(|side| if is_whole { hits[side] as u32 } else { 0 }));
                let far = (0..sides).map(|side| if is_whole { far[side] } else { f64::INFINITY });
                record.distances.extend(far);
            }
        }
        record
    }
}
