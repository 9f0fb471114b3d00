//! The transformations of a function: every template on every parameter that it fits, which of them are plain, and how a sample of
//! the paper's is drawn.

mod further;
mod paper;
mod plain;
mod room;

pub use self::paper::{list, sample};
pub use self::plain::{plainest, plainness};
pub use self::room::check;

use self::paper::Pool;
use super::Instance;
use crate::subject::{Constant, Signature};

/// A transformation that the sample may contain.
#[derive(Clone, Debug, PartialEq)]
pub struct Candidate {
    /// The template with the parameters that it works on.
    pub instance: Instance,
    /// How strongly it is preferred: how often its constant occurs in the code. Transformations without a
    /// constant, and those with a constant that the paper's pool always contains, weigh more than all others.
    pub weight: f64,
}

/// All transformations of a function whose code has these constants: the paper's, then the others. Omits those that can never give
/// a follow-up within the type and domain of a parameter.
pub fn fitting(signature: &Signature, constants: &[Constant]) -> Vec<Candidate> {
    let mut all = list(signature, constants);
    for candidate in further::list(signature, &Pool::new(constants)) {
        if !all.iter().any(|known| known.instance == candidate.instance) {
            all.push(candidate);
        }
    }
    all
}

#[cfg(test)]
mod tests;
