//! The failure of the machine that a subject runs on.
//!
//! What a version of a function does (trap, loop, exhaust its memory, bring down its process) is an
//! [`Outcome`](super::Outcome). When no process can be started for it, nothing is known about the function,
//! and the caller gets this failure instead of made-up outcomes.

/// The machine cannot run the function any more: no worker process can be started.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "cannot start another worker process: {command}: {message}\n\
     is the machine out of memory or of processes (see `ulimit -u`), or was the program removed or replaced \
     meanwhile? start again, with fewer --jobs if memory is short; --resume goes on with what was finished"
)]
pub struct MachineFailure {
    /// The program that did not start.
    pub command: String,
    /// The message of the system, or of the program.
    pub message: String,
}
