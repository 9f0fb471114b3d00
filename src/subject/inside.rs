//! A subject whose inputs satisfy a condition: what is drawn and judged by its signature stays inside.

use super::{
    Branch, Condition, Constant, Deadline, Identity, Inputs, MachineFailure, Mutant, Outcomes,
    Signature, Steadiness, Subject, Traces, Version,
};

/// What a subject is kept in: a reference, or an enum of all kinds of subjects.
pub trait SubjectHolder: Sync {
    /// The subject that is kept.
    fn subject(&self) -> &dyn Subject;
}

impl SubjectHolder for &dyn Subject {
    fn subject(&self) -> &dyn Subject {
        *self
    }
}

/// A function on some of its inputs. It can be called with all; its signature says which are meant.
pub struct Inside<S> {
    subject: S,
    signature: Signature,
    identity: Identity,
}

impl<S: SubjectHolder> Inside<S> {
    /// The function with another signature, which differs in domains and in the condition on inputs alone.
    pub fn new(subject: S, signature: Signature) -> Inside<S> {
        let identity = *subject.subject().identity();
        Inside { subject, signature, identity }
    }

    /// The function on the inputs that satisfy a condition, beside those that it has.
    #[must_use]
    pub fn on(mut self, condition: Condition) -> Inside<S> {
        let condition =
            Condition::both(self.signature.condition.clone(), condition, &self.signature);
        self.signature = self.signature.within(condition);
        self
    }

    /// The same, and another subject than without the condition: its definition does not have it.
    #[must_use]
    pub fn only_on(self, condition: Condition) -> Inside<S> {
        let identity = self.identity.on(condition.text());
        Inside { identity, ..self.on(condition) }
    }

    /// What leads to the function on all of its inputs.
    pub fn everywhere(&self) -> &S {
        &self.subject
    }
}

impl<S: SubjectHolder> Subject for Inside<S> {
    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn identity(&self) -> &Identity {
        &self.identity
    }

    fn mutants(&self) -> &[Mutant] {
        self.subject.subject().mutants()
    }

    fn constants(&self) -> &[Constant] {
        self.subject.subject().constants()
    }

    fn branches(&self) -> &[Branch] {
        self.subject.subject().branches()
    }

    fn deadline(&self) -> &Deadline {
        self.subject.subject().deadline()
    }

    fn second(&self) -> Option<&dyn Subject> {
        self.subject.subject().second()
    }

    fn run(&self, version: Version<'_>, inputs: &Inputs) -> Result<Outcomes, MachineFailure> {
        self.subject.subject().run(version, inputs)
    }

    fn trace(&self, inputs: &Inputs) -> Result<Traces, MachineFailure> {
        self.subject.subject().trace(inputs)
    }

    fn run_within(
        &self,
        version: Version<'_>,
        inputs: &Inputs,
        deadline: &Deadline,
    ) -> Result<Outcomes, MachineFailure> {
        self.subject.subject().run_within(version, inputs, deadline)
    }

    fn trace_within(&self, inputs: &Inputs, deadline: &Deadline) -> Result<Traces, MachineFailure> {
        self.subject.subject().trace_within(inputs, deadline)
    }

    fn steadiness(
        &self,
        inputs: &Inputs,
        deadline: &Deadline,
    ) -> Result<Steadiness, MachineFailure> {
        self.subject.subject().steadiness(inputs, deadline)
    }

    fn asides(
        &self,
        inputs: &Inputs,
        deadline: &Deadline,
    ) -> Result<Option<Traces>, MachineFailure> {
        self.subject.subject().asides(inputs, deadline)
    }
}
