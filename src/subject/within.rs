//! A subject whose calls end by a deadline.

use super::{
    Branch, Constant, Deadline, Identity, Inputs, MachineFailure, Mutant, Outcomes, Signature,
    Steadiness, Subject, Traces, Version,
};

/// A subject that runs rows until a deadline. Rows that are left then are [`Outcome::NotRun`](super::Outcome::NotRun).
#[derive(Clone)]
pub struct Within<'s> {
    subject: &'s dyn Subject,
    deadline: Deadline,
}

impl<'s> Within<'s> {
    /// A subject with a deadline; one that it has already is replaced.
    pub fn new(subject: &'s dyn Subject, deadline: Deadline) -> Within<'s> {
        Within { subject, deadline }
    }

    /// The deadline of a request: its own, or that of the subject.
    fn of<'d>(&'d self, deadline: &'d Deadline) -> &'d Deadline {
        if deadline.is_watched() { deadline } else { &self.deadline }
    }
}

impl Subject for Within<'_> {
    fn signature(&self) -> &Signature {
        self.subject.signature()
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
        &self.deadline
    }

    fn second(&self) -> Option<&dyn Subject> {
        self.subject.second()
    }

    fn run(&self, version: Version<'_>, inputs: &Inputs) -> Result<Outcomes, MachineFailure> {
        self.subject.run_within(version, inputs, &self.deadline)
    }

    fn trace(&self, inputs: &Inputs) -> Result<Traces, MachineFailure> {
        self.subject.trace_within(inputs, &self.deadline)
    }

    fn run_within(
        &self,
        version: Version<'_>,
        inputs: &Inputs,
        deadline: &Deadline,
    ) -> Result<Outcomes, MachineFailure> {
        self.subject.run_within(version, inputs, self.of(deadline))
    }

    fn trace_within(&self, inputs: &Inputs, deadline: &Deadline) -> Result<Traces, MachineFailure> {
        self.subject.trace_within(inputs, self.of(deadline))
    }

    fn steadiness(
        &self,
        inputs: &Inputs,
        deadline: &Deadline,
    ) -> Result<Steadiness, MachineFailure> {
        self.subject.steadiness(inputs, self.of(deadline))
    }

    fn asides(
        &self,
        inputs: &Inputs,
        deadline: &Deadline,
    ) -> Result<Option<Traces>, MachineFailure> {
        self.subject.asides(inputs, self.of(deadline))
    }
}
