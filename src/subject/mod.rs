//! Functions that can be run: the original and its mutants, on many inputs at a time.
//!
//! A [`Subject`] says what it takes and gives, which mutants it has, and what any version of it does on
//! inputs. Whatever a version does (trap, loop, exhaust memory) is an [`Outcome`], never an error. Knows nothing of
//! transformations, relations and evolution.

mod batch;
mod definition;
mod frame;
pub mod jvm;
pub mod kinds;
mod mutant;
mod outcomes;
pub(crate) mod rule;
pub mod rust;
mod signature;
mod spelling;
mod thrown;
mod traces;
pub mod wasm;
mod wit;

pub use self::batch::Inputs;
pub use self::definition::{Definition, DefinitionError, Problem, draft};
pub use self::mutant::{Constant, Group, Line, Mutant};
pub use self::outcomes::{Outcome, Outcomes, Trap};
pub use self::signature::{Domain, Parameter, Scalar, Signature, Type};
pub use self::thrown::Thrown;
pub use self::traces::{Branch, Traces};
pub use self::wit::BadSignature;

/// A function with its mutants. Runs are pure: what comes out depends on the version and on the inputs
/// of that row only, never on other rows, on their order or on other threads.
pub trait Subject: Sync {
    /// What the function takes and gives.
    fn signature(&self) -> &Signature;

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
    fn run(&self, version: Version<'_>, inputs: &Inputs) -> Outcomes;

    /// Runs the original on all rows and says how near it came to each side of each branch.
    fn trace(&self, inputs: &Inputs) -> Traces;

    /// The same of calls that no inputs stand for, because relations have no word for them: with null for what these
    /// inputs have a value for. None if there are no such calls.
    fn asides(&self, _inputs: &Inputs) -> Option<Traces> {
        None
    }
}

/// What to run.
#[derive(Clone, Copy, Debug)]
pub enum Version<'o> {
    /// The function itself.
    Original,
    /// A mutant, by its index.
    Mutant {
        /// The index among [`Subject::mutants`].
        number: usize,
        /// What the original did on the same inputs: a mutant may spend ten times the fuel of the
        /// original on that row, and 500 more.
        original: &'o Outcomes,
    },
}
