//! A function with a second one: everything is the first's, but for what its signature says and what [`Subject::second`] gives.

use std::sync::Arc;

use super::Role;
use crate::subject::{
    Branch, Constant, Deadline, Identity, Inputs, MachineFailure, Mutant, Outcomes, Signature,
    Steadiness, Subject, Traces, Version,
};

/// A function that has a second one.
pub struct Accompanied {
    first: Arc<dyn Subject + Send>,
    second: Arc<dyn Subject + Send>,
    signature: Signature,
    identity: Identity,
}

impl Accompanied {
    /// A function with a second one.
    ///
    /// # Errors
    /// When their types do not fit; says which.
    pub fn new(
        first: Arc<dyn Subject + Send>,
        role: Role,
        second: Arc<dyn Subject + Send>,
    ) -> Result<Accompanied, String> {
        let signature = first.signature().with_second(role, second.signature())?;
        let identity = first.identity().and(second.identity(), role.name());
        Ok(Accompanied { first, second, signature, identity })
    }
}

impl Subject for Accompanied {
    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn identity(&self) -> &Identity {
        &self.identity
    }

    fn mutants(&self) -> &[Mutant] {
        self.first.mutants()
    }

    fn constants(&self) -> &[Constant] {
        self.first.constants()
    }

    fn branches(&self) -> &[Branch] {
        self.first.branches()
    }

    fn deadline(&self) -> &Deadline {
        self.first.deadline()
    }

    fn second(&self) -> Option<&dyn Subject> {
        Some(&*self.second)
    }

    fn run(&self, version: Version<'_>, inputs: &Inputs) -> Result<Outcomes, MachineFailure> {
        self.first.run(version, inputs)
    }

    fn trace(&self, inputs: &Inputs) -> Result<Traces, MachineFailure> {
        self.first.trace(inputs)
    }

    fn run_within(
        &self,
        version: Version<'_>,
        inputs: &Inputs,
        deadline: &Deadline,
    ) -> Result<Outcomes, MachineFailure> {
        self.first.run_within(version, inputs, deadline)
    }

    fn trace_within(&self, inputs: &Inputs, deadline: &Deadline) -> Result<Traces, MachineFailure> {
        self.first.trace_within(inputs, deadline)
    }

    fn steadiness(
        &self,
        inputs: &Inputs,
        deadline: &Deadline,
    ) -> Result<Steadiness, MachineFailure> {
        self.first.steadiness(inputs, deadline)
    }

    fn asides(
        &self,
        inputs: &Inputs,
        deadline: &Deadline,
    ) -> Result<Option<Traces>, MachineFailure> {
        self.first.asides(inputs, deadline)
    }
}
