//! How a command ends, and the code that whoever started it sees.

use std::fmt::{Display, Write};
use std::io;
use std::process::ExitCode;

use genmorph::assess::AssessError;
use genmorph::inputs::InputsError;
use genmorph::run::GenerateError;
use genmorph::subject::MachineFailure;

/// How a command ends that does not fail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ending {
    Done,
    /// The command did its work, but found no result.
    Nothing,
    /// Some of the relations or units are well, and others are not.
    Partly,
    /// Ctrl-C or SIGTERM ended the command.
    Interrupted,
}

/// Why a command fails.
#[derive(Debug, thiserror::Error)]
pub(super) enum Failure {
    /// The user has to change something.
    #[error("{0}")]
    Input(String),
    /// A defect of genmorph; the user can only report it.
    #[error("{0}")]
    Bug(String),
    /// The machine cannot run the function any more.
    #[error(transparent)]
    Machine(#[from] MachineFailure),
    /// A file cannot be written.
    #[error("{0}")]
    File(String),
    /// Standard output is not there.
    #[error("cannot write the result: {0}")]
    Output(#[from] io::Error),
}

/// Errors of the library as failures of a command.
pub(super) trait OrFailure<T> {
    /// The user has to change something.
    fn or_input(self) -> Result<T, Failure>;
    /// A file cannot be written.
    fn or_file(self) -> Result<T, Failure>;
    /// This is a bug in genmorph.
    fn or_bug(self) -> Result<T, Failure>;
}

impl<T, E: Display> OrFailure<T> for Result<T, E> {
    fn or_input(self) -> Result<T, Failure> {
        self.map_err(|error| Failure::Input(error.to_string()))
    }

    fn or_file(self) -> Result<T, Failure> {
        self.map_err(|error| Failure::File(error.to_string()))
    }

    fn or_bug(self) -> Result<T, Failure> {
        self.map_err(|error| Failure::Bug(error.to_string()))
    }
}

/// The exit codes. Each has a test that provokes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Exit {
    Done,
    NotWritten,
    BadInput,
    Nothing,
    Refuted,
    Interrupted,
}

impl Exit {
    const ALL: [Exit; 6] = [
        Exit::Done,
        Exit::NotWritten,
        Exit::BadInput,
        Exit::Nothing,
        Exit::Refuted,
        Exit::Interrupted,
    ];

    const fn code(self) -> u8 {
        match self {
            Exit::Done => 0,
            Exit::NotWritten => 1,
            Exit::BadInput => 2,
            Exit::Nothing => 3,
            Exit::Refuted => 4,
            // 128 and the number of the signal, as shells have it.
            Exit::Interrupted => 130,
        }
    }

    /// What the code means for any command.
    fn meaning(self) -> &'static str {
        match self {
            Exit::Done => "done",
            Exit::NotWritten => {
                "the result could not be written, no worker process could be started any more, or a bug in genmorph showed"
            }
            Exit::BadInput => "wrong usage or bad input; the message says what to change",
            Exit::Nothing => {
                "done, but nothing was found; of doctor: Java methods cannot be run; of filter: no relation stands; \
                 of check: a relation cannot be judged"
            }
            Exit::Refuted => {
                "done; of filter: some relations stand, and others do not; of check: a relation is violated; \
                 of sweep: some units failed or have no result; of experiment: some runs failed"
            }
            Exit::Interrupted => {
                "interrupted by Ctrl-C, or by SIGTERM; what was found until then is written"
            }
        }
    }

    /// The table of all of them, for help and manual.
    pub(super) fn table() -> String {
        let mut table = String::from("Exit codes:");
        for exit in Exit::ALL {
            // A text can be written to.
            let _ = write!(table, "\n  {:<4} {}", exit.code(), exit.meaning());
        }
        table
    }
}

impl From<Ending> for Exit {
    fn from(ending: Ending) -> Exit {
        match ending {
            Ending::Done => Exit::Done,
            Ending::Nothing => Exit::Nothing,
            Ending::Partly => Exit::Refuted,
            Ending::Interrupted => Exit::Interrupted,
        }
    }
}

impl From<InputsError> for Failure {
    fn from(error: InputsError) -> Failure {
        match error {
            InputsError::Machine(failure) => Failure::Machine(failure),
            other => Failure::Input(other.to_string()),
        }
    }
}

impl From<AssessError> for Failure {
    fn from(error: AssessError) -> Failure {
        match error {
            AssessError::Machine(failure) => Failure::Machine(failure),
            AssessError::Inputs(error) => error.into(),
            other => Failure::Input(other.to_string()),
        }
    }
}

impl From<GenerateError> for Failure {
    fn from(error: GenerateError) -> Failure {
        match error {
            GenerateError::Machine(failure) => Failure::Machine(failure),
            GenerateError::Inputs(error) => error.into(),
            GenerateError::Tiers(_) => Failure::Bug(error.to_string()),
            other => Failure::Input(other.to_string()),
        }
    }
}

impl From<&Failure> for Exit {
    fn from(failure: &Failure) -> Exit {
        match failure {
            Failure::Input(_) => Exit::BadInput,
            Failure::Machine(failure) if failure.is_of_input() => Exit::BadInput,
            Failure::Bug(_) | Failure::Machine(_) | Failure::File(_) | Failure::Output(_) => {
                Exit::NotWritten
            }
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> ExitCode {
        ExitCode::from(exit.code())
    }
}
