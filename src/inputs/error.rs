//! Why there are no inputs.

use std::fmt;
use std::path::PathBuf;

use crate::subject::{MachineFailure, Outcome, Parameter};
use crate::support::digits::grouped;

/// Inputs that cannot be had.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum InputsError {
    /// A domain without values.
    #[error(
        "there is no value for parameter `{}`: no {} is within its domain ({}); widen the domain",
        .parameter.name, .parameter.ty, Bounds(.parameter)
    )]
    Domain {
        /// The parameter.
        parameter: Box<Parameter>,
    },
    /// Nothing to choose.
    #[error(
        "the function has no parameters, so there is nothing to transform; \
         genmorph needs a function with at least one"
    )]
    NoParameters,
    /// The function never returns.
    #[error(
        "the function returned on none of {} inputs: {}{}\n\
         give its parameters domains on which it returns, or add inputs of your own",
        grouped(.ended.iter().map(|(_, calls)| *calls as u64).sum()), Ended(.ended),
        .example.as_ref().map_or_else(String::new, |example| format!("; for example on {example}"))
    )]
    NeverReturns {
        /// How often calls ended how, most frequent first.
        ended: Vec<(Outcome, usize)>,
        /// An input on which it does not.
        example: Option<String>,
    },
    /// The machine cannot run the function any more.
    #[error(transparent)]
    Machine(#[from] MachineFailure),
    /// A file that cannot be read.
    #[error("cannot read {}: {reason}", .path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What the system says.
        reason: String,
    },
    /// A file whose content is no list of inputs.
    #[error("{}{place}: {problem}", .path.display())]
    Content {
        /// The file.
        path: PathBuf,
        /// Where: `, line 3` or `, input 7`.
        place: String,
        /// What is wrong, and what is expected.
        problem: String,
    },
}

/// How calls ended, in words.
pub(super) struct Ended<'e>(pub(super) &'e [(Outcome, usize)]);

impl fmt::Display for Ended<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, (outcome, calls)) in self.0.iter().enumerate() {
            let comma = if i == 0 { "" } else { "; " };
            write!(f, "{comma}{} {outcome}", grouped(*calls as u64))?;
        }
        Ok(())
    }
}

/// The domain of a parameter, in words.
pub(super) struct Bounds<'p>(pub(super) &'p Parameter);

impl fmt::Display for Bounds<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let domain = &self.0.domain;
        let range = domain.range.map(|(least, most)| format!("range {least} to {most}"));
        let min = domain.min_len.map(|length| format!("at least {length} elements"));
        let max = domain.max_len.map(|length| format!("at most {length} elements"));
        let alphabet = domain
            .alphabet
            .as_ref()
            .map(|characters| format!("alphabet {:?}", characters.iter().collect::<String>()));
        let all: Vec<String> = [range, min, max, alphabet].into_iter().flatten().collect();
        f.write_str(&all.join(", "))
    }
}
