//! In place of `process.rs` on systems without Unix sockets: there are no workers.

use std::convert::Infallible;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use super::{Death, Limits, Remains, Watchdog};
use crate::subject::MachineFailure;

/// A child process that can never be started.
#[derive(Debug)]
pub(in crate::subject) struct Process(Infallible);

impl Process {
    pub(in crate::subject) fn start(
        command: Command,
        _limits: Limits<'_>,
        _verdict: fn(&Remains) -> Death,
    ) -> Result<Process, MachineFailure> {
        let message = "Java, Rust and Python functions run on Linux and macOS only; on other systems genmorph works on \
                       WebAssembly modules and on recorded executions";
        let command = command.get_program().to_string_lossy().into_owned();
        Err(MachineFailure::Worker { command, message: message.to_owned() })
    }

    pub(in crate::subject) fn send(&mut self, _frame: &[u8]) -> Result<(), Death> {
        match self.0 {}
    }

    pub(in crate::subject) fn fill(
        &mut self,
        _bytes: &mut [u8],
        _watchdog: &mut Watchdog,
        _status: Option<&[u8]>,
    ) -> Result<(), Death> {
        match self.0 {}
    }

    pub(in crate::subject) fn end(&mut self) {
        match self.0 {}
    }

    pub(in crate::subject) fn is_left_alive(&mut self, _pause: Duration) -> bool {
        match self.0 {}
    }

    pub(in crate::subject) fn misgreeting(
        self,
        _command: &Path,
        _greeting: Result<(), Death>,
        _patience: Duration,
    ) -> MachineFailure {
        match self.0 {}
    }
}
