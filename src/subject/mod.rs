//! Functions that can be run: the original and its mutants, on many inputs at a time.
//!
//! A [`Subject`] says what it takes and gives, which mutants it has, and what any version of it does on
//! inputs. Whatever a version does (trap, loop, exhaust memory) is an [`Outcome`]; only a machine that cannot run it is an
//! error ([`MachineFailure`]). Knows nothing of transformations, relations and evolution.

/// The methods of a [`Subject`] that hand out what it keeps, and its calls without a deadline.
macro_rules! keeps {
    (mutants: $($mutants:ident).+, constants: $($constants:ident).+, branches: $($branches:ident).+) => {
        fn signature(&self) -> &Signature {
            &self.signature
        }

        fn identity(&self) -> &Identity {
            &self.identity
        }

        fn mutants(&self) -> &[Mutant] {
            &self.$($mutants).+
        }

        fn constants(&self) -> &[Constant] {
            &self.$($constants).+
        }

        fn branches(&self) -> &[Branch] {
            &self.$($branches).+
        }

        fn run(&self, version: Version<'_>, inputs: &Inputs) -> Result<Outcomes, MachineFailure> {
            self.run_within(version, inputs, Deadline::never())
        }

        fn trace(&self, inputs: &Inputs) -> Result<Traces, MachineFailure> {
            self.trace_within(inputs, Deadline::never())
        }
    };
}

mod batch;
mod condition;
mod deadline;
mod definition;
mod failure;
mod fuel;
mod identity;
mod inside;
pub mod jvm;
pub mod kinds;
mod mutant;
mod outcomes;
pub mod python;
pub(crate) mod rule;
pub mod rust;
mod signature;
mod steadiness;
mod throwing;
mod thrown;
pub mod together;
mod traces;
pub mod wasm;
mod wit;
mod within;
mod worker;

pub use self::batch::Inputs;
pub use self::condition::Condition;
pub use self::deadline::Deadline;
pub use self::definition::{
    BadCondition, Definition, DefinitionError, GivenCondition, SecondName, domain,
};
pub use self::failure::MachineFailure;
pub use self::identity::{Identity, IdentityBuilder};
pub use self::inside::{Inside, SubjectHolder};
pub use self::mutant::{Constant, Group, Line, Mutant};
pub use self::outcomes::{Outcome, Outcomes, Trap};
pub use self::signature::{CallResult, Domain, Parameter, Scalar, ScalarClass, Signature, Type};
pub use self::steadiness::{Steadiness, Unsteady};
pub use self::throwing::Throwing;
pub use self::thrown::Thrown;
pub use self::traces::{Branch, Traces};
pub use self::wit::BadSignature;
pub use self::within::Within;
pub use self::worker::{Isolation, enter_sandbox};

/// A function with its mutants. Runs are pure: what comes out depends on the version and on the inputs
/// of that row only, never on other rows, on their order or on other threads.
pub trait Subject: Sync {
    /// What the function takes and gives.
    fn signature(&self) -> &Signature;

    /// What tells this subject from others: its definition, domain, scope and code.
    fn identity(&self) -> &Identity;

    /// All mutants, of both groups, without those that have the same code.
    fn mutants(&self) -> &[Mutant];

    /// The numbers of the mutants of a group.
    fn mutants_of(&self, group: Group) -> Vec<usize> {
        let mutants = self.mutants().iter().enumerate();
        mutants.filter(|(_, mutant)| mutant.group == group).map(|(number, _)| number).collect()
    }

    /// The literals of the function, most frequent first; without addresses and frame offsets.
    fn constants(&self) -> &[Constant];

    /// The branches of the function and of what is in scope.
    fn branches(&self) -> &[Branch];

    /// Runs a version on all rows.
    ///
    /// # Errors
    /// When the machine fails, never because of what the version does.
    fn run(&self, version: Version<'_>, inputs: &Inputs) -> Result<Outcomes, MachineFailure>;

    /// Runs the original on all rows and records how near it came to each side of each branch.
    ///
    /// # Errors
    /// When the machine fails, never because of what the function does.
    fn trace(&self, inputs: &Inputs) -> Result<Traces, MachineFailure>;

    /// Runs a version on rows until a deadline; rows that are left then are [`Outcome::NotRun`]. The default, for functions whose
    /// calls are quick, looks at the deadline before the first row only.
    ///
    /// # Errors
    /// When the machine fails, never because of what the version does.
    fn run_within(
        &self,
        version: Version<'_>,
        inputs: &Inputs,
        deadline: &Deadline,
    ) -> Result<Outcomes, MachineFailure> {
        if deadline.is_over() {
            return Ok(Outcomes::not_run(self.signature(), inputs.len()));
        }
        self.run(version, inputs)
    }

    /// The same for [`Subject::trace`].
    ///
    /// # Errors
    /// When the machine fails, never because of what the function does.
    fn trace_within(&self, inputs: &Inputs, deadline: &Deadline) -> Result<Traces, MachineFailure> {
        if deadline.is_over() {
            let sides = 2 * self.branches().len();
            return Ok(Traces::not_run(self.signature(), sides, inputs.len()));
        }
        self.trace(inputs)
    }

    /// The second function, which laws relate to this one; mostly there is none.
    fn second(&self) -> Option<&dyn Subject> {
        None
    }

    /// When [`Subject::run`] and [`Subject::trace`] end, see [`Within`].
    fn deadline(&self) -> &Deadline {
        Deadline::never()
    }

    /// Runs the original on all rows three times, each time from a clean state, and compares the results. The default is
    /// for functions that keep nothing between calls and see nothing but their inputs.
    ///
    /// # Errors
    /// When the machine fails, never because of what the function does.
    fn steadiness(
        &self,
        _inputs: &Inputs,
        _deadline: &Deadline,
    ) -> Result<Steadiness, MachineFailure> {
        Ok(Steadiness::Steady)
    }

    /// Branch traces of calls with null or `None` arguments, made from these inputs; they count for coverage only, because
    /// relations cannot speak of such values. None if no parameter can be null.
    ///
    /// # Errors
    /// When the machine fails, never because of what the function does.
    fn asides(
        &self,
        _inputs: &Inputs,
        _deadline: &Deadline,
    ) -> Result<Option<Traces>, MachineFailure> {
        Ok(None)
    }
}

/// The original or one of its mutants.
#[derive(Clone, Copy, Debug)]
pub enum Version<'o> {
    /// The function as it is.
    Original,
    /// A mutant, by its index.
    Mutant {
        /// The index among [`Subject::mutants`].
        number: usize,
        /// What the original did on the same inputs: how much fuel a mutant may spend on a row follows from what the
        /// original spent there (`fuel.rs` has the rule).
        original: &'o Outcomes,
    },
}
