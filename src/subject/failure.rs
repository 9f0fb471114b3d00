//! The failure of the machine that a subject runs on.
//!
//! What a version of a function does (trap, loop, exhaust its memory, bring down its process) is an
//! [`Outcome`](super::Outcome). When no process can be started for it, or code that it needs is not here, nothing is known about
//! the function, and the caller gets this failure instead of made-up outcomes.

/// The machine cannot run the function.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MachineFailure {
    /// No worker process can be started any more.
    #[error(
        "cannot start another worker process: {command}: {message}\n\
         is the machine out of memory or of processes (see `ulimit -u`), or was the program removed or replaced \
         meanwhile? start again, with fewer --jobs if memory is short; --resume goes on with what was finished"
    )]
    Worker {
        /// The program that did not start.
        command: String,
        /// The message of the system, or of the program.
        message: String,
    },
    /// The function needs a class that is on no entry of the class path.
    #[error("{function} needs the class {class}, which is not on the class path; {advice}")]
    MissingClass {
        /// The function that was run.
        function: String,
        /// The class that was not found.
        class: String,
        /// What to add to the class path.
        advice: String,
    },
}

impl MachineFailure {
    /// Whether the user can mend it by naming more code.
    pub fn is_of_input(&self) -> bool {
        match self {
            MachineFailure::Worker { .. } => false,
            MachineFailure::MissingClass { .. } => true,
        }
    }
}
