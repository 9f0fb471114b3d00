//! Whether a function throws, as a function of its own: the same parameters, and one output, `throws`.
//!
//! A call that returned becomes `false`, one that threw, trapped or panicked `true`. Calls that ran out of fuel, memory or time, or
//! brought down their process, stay what they are: how they end depends on the machine as well as on the function. Whatever finds, tries
//! or reports relations of values works on this subject as on any other.

use super::kinds::Observed;
use super::{
    Branch, Constant, Deadline, Identity, Inputs, MachineFailure, Mutant, Outcome, Outcomes,
    Scalar, Signature, Steadiness, Subject, Traces, Type, Version,
};
use genmorph_jit::Value;

/// A function whose only output says whether another function throws.
pub struct Throwing<'s> {
    subject: &'s dyn Subject,
    signature: Signature,
}

impl<'s> Throwing<'s> {
    /// The outcomes of a function; none if a parameter of it has the name of the output.
    pub fn of(subject: &'s dyn Subject) -> Option<Throwing<'s>> {
        let signature = subject.signature().of_outcomes();
        signature.of_executions().schema().is_ok().then_some(Throwing { subject, signature })
    }

    /// What calls of the function itself come to.
    pub fn told(&self, outcomes: &Outcomes) -> Outcomes {
        let mut told = Outcomes::new(&self.signature);
        for (outcome, &fuel) in outcomes.outcomes().iter().zip(outcomes.fuel()) {
            match outcome.throws() {
                Some(throws) => told.returned(&[Value::Bool(throws)], fuel),
                None => told.failed(*outcome, fuel),
            }
        }
        told
    }

    fn traced(&self, traces: Traces) -> Traces {
        Traces { outcomes: self.told(&traces.outcomes), ..traces }
    }
}

impl Outcome {
    /// Whether a call threw; none if it did not come to an end of its own.
    pub fn throws(self) -> Option<bool> {
        match self {
            Outcome::Returned => Some(false),
            Outcome::Trapped(_) | Outcome::Threw(_) => Some(true),
            Outcome::OutOfFuel
            | Outcome::OutOfMemory
            | Outcome::OutOfStack
            | Outcome::BadOutput
            | Outcome::Exited
            | Outcome::Hung
            | Outcome::Crashed
            | Outcome::NotRun => None,
        }
    }
}

impl Signature {
    /// The signature of a function that says whether this one throws.
    #[must_use]
    pub fn of_outcomes(&self) -> Signature {
        Signature {
            result: Some(Type::Scalar(Scalar::Bool)),
            changed: Vec::new(),
            observed: Observed::Outcomes,
            ..self.clone()
        }
    }
}

impl Subject for Throwing<'_> {
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

    fn run(&self, version: Version<'_>, inputs: &Inputs) -> Result<Outcomes, MachineFailure> {
        self.subject.run(version, inputs).map(|outcomes| self.told(&outcomes))
    }

    fn trace(&self, inputs: &Inputs) -> Result<Traces, MachineFailure> {
        self.subject.trace(inputs).map(|traces| self.traced(traces))
    }

    fn run_within(
        &self,
        version: Version<'_>,
        inputs: &Inputs,
        deadline: &Deadline,
    ) -> Result<Outcomes, MachineFailure> {
        let ran = self.subject.run_within(version, inputs, deadline);
        ran.map(|outcomes| self.told(&outcomes))
    }

    fn trace_within(&self, inputs: &Inputs, deadline: &Deadline) -> Result<Traces, MachineFailure> {
        self.subject.trace_within(inputs, deadline).map(|traces| self.traced(traces))
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
        let asides = self.subject.asides(inputs, deadline)?;
        Ok(asides.map(|traces| self.traced(traces)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::subject::wasm::{Engine, WasmDefinition, WasmSubject};

    #[test]
    fn a_call_that_traps_throws_and_one_that_returns_does_not() {
        let pow = WasmSubject::defined(&WasmDefinition::demo(), Engine::default()).unwrap();
        let throwing = Throwing::of(&pow).unwrap();
        let signature = throwing.signature();
        assert_eq!(signature.outputs()[0].0, "throws");
        let row = |k: f64, e: f64| vec![Value::Num(k), Value::Num(e)];
        let rows = [row(2.0, 3.0), row(2.0, -1.0), row(0.0, 0.0)];
        let inputs = Inputs::from_rows(signature, rows.iter().map(Vec::as_slice));
        let ran = throwing.run(Version::Original, &inputs).unwrap();
        let told: Vec<_> = (0..3).map(|row| ran.row(row).next().unwrap()).collect();
        assert_eq!(told, [false, true, false].map(Value::Bool));
        assert_eq!(throwing.trace(&inputs).unwrap().outcomes.columns(), ran.columns());
    }

    #[test]
    fn a_call_without_an_end_of_its_own_says_nothing() {
        assert_eq!(Outcome::OutOfFuel.throws(), None);
        assert_eq!(Outcome::OutOfMemory.throws(), None);
        assert_eq!(Outcome::NotRun.throws(), None);
    }
}
