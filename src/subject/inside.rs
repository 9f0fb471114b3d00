//! A subject whose inputs satisfy a condition: what is drawn and judged by its signature stays inside.

use super::{
    Branch, Constant, Deadline, Identity, Inputs, MachineFailure, Mutant, Outcomes, Signature,
    Steadiness, Subject, Traces, Version,
};

/// A function on some of its inputs. It can be called with all; its signature says which are meant.
pub struct Inside<'s> {
    subject: &'s dyn Subject,
    signature: Signature,
}

impl<'s> Inside<'s> {
    /// The function with another signature, which differs in domains and in the condition on inputs alone.
    pub fn new(subject: &'s dyn Subject, signature: Signature) -> Inside<'s> {
        Inside { subject, signature }
    }
}

impl Subject for Inside<'_> {
    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn identity(&self) -> &Identity {
        self.subject.identity()
    }

    fn mutants(&self) -> &[Mutant] {
        self.subject.mutants()
    }

    fn constants(&self) -> &[Constant] {
        self.subject.constants()
    }

    fn branches(&self) -> &[Branch] {
        self.subject.branches()
    }

    fn deadline(&self) -> &Deadline {
        self.subject.deadline()
    }

    fn second(&self) -> Option<&dyn Subject> {
        self.subject.second()
    }

    fn run(&self, version: Version<'_>, inputs: &Inputs) -> Result<Outcomes, MachineFailure> {
        self.subject.run(version, inputs)
    }

    fn trace(&self, inputs: &Inputs) -> Result<Traces, MachineFailure> {
        self.subject.trace(inputs)
    }

    fn run_within(
        &self,
        version: Version<'_>,
        inputs: &Inputs,
        deadline: &Deadline,
    ) -> Result<Outcomes, MachineFailure> {
        self.subject.run_within(version, inputs, deadline)
    }

    fn trace_within(&self, inputs: &Inputs, deadline: &Deadline) -> Result<Traces, MachineFailure> {
        self.subject.trace_within(inputs, deadline)
    }

    fn steadiness(
        &self,
        inputs: &Inputs,
        deadline: &Deadline,
    ) -> Result<Steadiness, MachineFailure> {
        self.subject.steadiness(inputs, deadline)
    }

    fn asides(
        &self,
        inputs: &Inputs,
        deadline: &Deadline,
    ) -> Result<Option<Traces>, MachineFailure> {
        self.subject.asides(inputs, deadline)
    }
}
