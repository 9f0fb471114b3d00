//! A crate that was built once, with the mutants of several functions.
//!
//! Which functions, others say. A function whose call the compiler refuses is refused by itself; the others are there all the
//! same.

use super::build::{self, BuildResult, Order};
use super::call;
use super::catalogue::Catalogue;
use super::copy::Copy;
use super::error::RustError;
use super::identity;
use super::machine::Machine;
use super::package::Package;
use super::prepare::{Asked, Preparation, prepare};
use super::sandbox;
use super::source::Sources;
use super::subject::{Confinement, Runtime, RustSpec, RustSubject};

/// A crate with all mutants of the functions that were asked for.
pub(super) struct BuiltCrate {
    package: Package,
    prepared: Preparation,
    copy: Copy,
    built: BuildResult,
}

impl BuiltCrate {
    /// Builds a copy of the package.
    pub(super) fn new(
        package: Package,
        sources: Sources,
        asked: Vec<Asked>,
        runtime: &Runtime,
    ) -> Result<BuiltCrate, RustError> {
        let mut prepared = prepare(&package, sources, asked)?;
        prepared.add_calls(runtime.confinement)?;
        let copy = prepared.copy(&package, runtime.confinement)?;
        let target: &[&str] = match runtime.confinement {
            Confinement::Process => &[],
            Confinement::Sandbox => &["--target", sandbox::PLATFORM],
        };
        let order = Order { package: &package, copy: &copy, target, flags: &runtime.flags };
        let surplus = prepared.surplus();
        let built = build::build(order, &prepared.files, &prepared.inventory.candidates, surplus)?;
        Ok(BuiltCrate { package, prepared, copy, built })
    }

    /// How many times the crate was compiled.
    pub(super) fn rounds(&self) -> usize {
        self.built.rounds
    }

    /// Why the compiler refuses to call a function, if it does.
    pub(super) fn refusal(&self, call: usize) -> Option<&str> {
        self.built.uncalled.get(&call).map(String::as_str)
    }

    /// One of the functions as a subject, with workers of its own.
    pub(super) fn subject(
        &self,
        number: usize,
        spec: &RustSpec,
        runtime: &Runtime,
    ) -> Result<RustSubject, RustError> {
        let call = &self.prepared.calls[number];
        let (callee, signature) = (call.callee.clone(), call.signature.clone());
        if let Some(reason) = self.refusal(number) {
            return Err(RustError::Uncallable { function: callee.path, reason: reason.to_owned() });
        }
        Ok(RustSubject {
            kinds: call::kinds(&signature),
            identity: identity::of(
                spec,
                runtime,
                &self.package,
                &self.prepared,
                &callee,
                &self.copy,
            )?,
            catalogue: Catalogue::new(&self.prepared, call, &self.built.refused),
            machine: Machine::start(runtime, &self.built.program, number, &signature)?,
            rounds: self.built.rounds,
            scope: call.names.clone(),
            package: self.package.clone(),
            callee,
            signature,
        })
    }
}
