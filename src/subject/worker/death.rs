//! How a worker died.

use crate::subject::Outcome;

/// How a worker died.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::subject) enum Death {
    /// The process ended as if it wanted to.
    Exited,
    /// The process was brought down.
    Crashed,
    /// It was killed by a signal that faulty code does not raise: by the system or a person, unless the row does it again
    /// and again.
    Killed,
    /// It was out of memory.
    Memory,
    /// It was out of stack.
    Stack,
    /// It got nowhere and was ended, with the row of the batch that it was at, if that is known.
    Hung(Option<u32>),
    /// The time was up, and it was ended.
    Late,
}

impl Death {
    /// The outcome of a row that killed its worker.
    pub(in crate::subject) fn outcome(self) -> Outcome {
        match self {
            Death::Exited => Outcome::Exited,
            Death::Crashed | Death::Killed => Outcome::Crashed,
            Death::Memory => Outcome::OutOfMemory,
            Death::Stack => Outcome::OutOfStack,
            Death::Hung(_) => Outcome::Hung,
            Death::Late => Outcome::NotRun,
        }
    }
}

/// What is left of a process.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::subject) struct Remains {
    /// Its exit code, if it ended by itself.
    pub(in crate::subject) code: Option<i32>,
    /// Whether it was killed by a signal that faulty code does not raise: SIGHUP, SIGINT, SIGQUIT, SIGKILL or SIGTERM.
    pub(in crate::subject) is_killed: bool,
    /// The end of what it wrote to standard error.
    pub(in crate::subject) words: String,
}
