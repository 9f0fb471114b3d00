//! Reasons why source inputs cannot be found or read.

use std::fmt;
use std::path::PathBuf;

use crate::subject::{MachineFailure, Outcome, Parameter};
use crate::support::digits::grouped;

/// Source inputs could not be found or read.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum InputsError {
    /// The type of a parameter has no value within its domain.
    #[error(
        "there is no value for parameter `{}`: no value of type {} is within its domain ({}); \
         widen the domain",
        .parameter.name, .parameter.ty, Bounds(.parameter)
    )]
    Domain {
        /// The parameter, with its type and domain.
        parameter: Box<Parameter>,
    },
    /// No input that was drawn satisfies the condition on inputs.
    #[error(
        "no input was found that satisfies `{condition}`; weaken the condition (`where` in subject.toml, --where), \
         or add inputs of your own"
    )]
    Condition {
        /// The condition as text.
        condition: String,
    },
    /// The function has no parameters.
    #[error(
        "the function has no parameters, so there is nothing to transform; \
         genmorph needs a function with at least one"
    )]
    NoParameters,
    /// The function returned on no input that was tried.
    #[error(
        "the function returned on none of {} inputs: {}{}\n\
         give its parameters domains on which it returns, or add inputs of your own",
        grouped(.ended.iter().map(|(_, calls)| *calls as u64).sum()), OutcomeCounts(.ended),
        .example.as_ref().map_or_else(String::new, |example| format!("; for example on {example}"))
    )]
    NeverReturns {
        /// How often calls ended with each outcome, most frequent first.
        ended: Vec<(Outcome, usize)>,
        /// An input on which the function does not return.
        example: Option<String>,
    },
    /// The time was up before there was an input.
    #[error(
        "the time was up before there were inputs on which the function returns{}; give it more time (--budget), \
         or its parameters domains on which it returns soon",
        if *.calls == 0 { String::new() } else {
            format!(": of {} calls {}", grouped(*.calls as u64), OutcomeCounts(.ended)) }
    )]
    TimeUp {
        /// How many calls were made.
        calls: usize,
        /// How often they ended with each outcome, most frequent first.
        ended: Vec<(Outcome, usize)>,
    },
    /// The machine cannot run the function any more.
    #[error(transparent)]
    Machine(#[from] MachineFailure),
    /// The file with the user's inputs cannot be opened or read.
    #[error("cannot read {}: {reason}", .path.display())]
    Unreadable {
        /// Path of the inputs file.
        path: PathBuf,
        /// The system's error message.
        reason: String,
    },
    /// The content of the file is not a list of inputs of the function.
    #[error("{}{place}: {problem}", .path.display())]
    Content {
        /// Path of the inputs file.
        path: PathBuf,
        /// Place of the problem: `, line 3` or `, input 7`; empty for the whole file.
        place: String,
        /// What is wrong, and what is expected.
        problem: String,
    },
}

/// Number of calls per outcome, in words.
pub(super) struct OutcomeCounts<'e>(pub(super) &'e [(Outcome, usize)]);

impl fmt::Display for OutcomeCounts<'_> {
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
