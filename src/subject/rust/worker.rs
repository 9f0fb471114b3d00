//! A process that runs rows: the program that was built of the copy.
//!
//! A row that gets nowhere is noticed by the worker itself, which ends then. Knows nothing of mutants.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use super::protocol::HELLO;
use crate::subject::worker::{BROKEN, Backend, Death, Limits, Memory, Process, Remains, Watchdog};
use crate::subject::{Deadline, Isolation, MachineFailure};

/// How a worker exits that is stuck in code that takes no fuel.
const HUNG: i32 = 98;
/// Bytes of address space: the stack of the thread that calls is a quarter of them.
const MEMORY: u64 = 1 << 30;
/// Nothing that a worker does takes longer, on a machine that does many other things.
const LONGEST: Duration = Duration::from_secs(120);
/// The longest reply in bytes: more than a worker has memory for.
const LONGEST_REPLY: u64 = 2 << 30;

/// The program that is started.
#[derive(Clone, Debug)]
pub(super) struct Program {
    pub(super) path: PathBuf,
    /// Which of its functions is called, by its number.
    pub(super) call: usize,
    pub(super) isolation: Isolation,
}

/// A process that runs rows.
#[derive(Debug)]
pub(super) struct Worker {
    process: Process,
}

impl Backend for Program {
    type Worker = Worker;

    fn program(&self) -> &Path {
        &self.path
    }

    fn is_left_alive(worker: &mut Worker, pause: Duration) -> bool {
        worker.process.is_left_alive(pause)
    }

    fn start(&self) -> Result<Option<Worker>, MachineFailure> {
        let limits =
            Limits { memory: Memory::Addresses(MEMORY), isolation: self.isolation, readable: &[] };
        let mut command = Command::new(&self.path);
        command.arg(self.call.to_string());
        let mut process = Process::start(command, limits, verdict)?;
        let mut hello = [0; HELLO.len()];
        match process.fill(&mut hello, &mut patient(), None) {
            Ok(()) if hello == HELLO => Ok(Some(Worker { process })),
            Err(Death::Killed) => Ok(None),
            greeting => Err(process.misgreeting(&self.path, greeting, LONGEST)),
        }
    }
}

impl Worker {
    /// Sends a request to run rows.
    pub(super) fn send(&mut self, frame: &[u8]) -> Result<(), Death> {
        self.process.send(frame)
    }

    /// Waits for a reply, until a deadline.
    pub(super) fn receive(&mut self, deadline: &Deadline) -> Result<Vec<u8>, Death> {
        let mut length = [0; 8];
        self.process.fill(&mut length, &mut patient().until(deadline), None)?;
        let length = u64::from_le_bytes(length);
        if length > LONGEST_REPLY {
            self.process.end();
            return Err(Death::Crashed);
        }
        let mut body = vec![0; length as usize];
        self.process.fill(&mut body, &mut patient().until(deadline), None)?;
        Ok(body)
    }
}

/// A watchdog for the worker's own, which is far less patient.
fn patient() -> Watchdog {
    Watchdog::new(LONGEST, LONGEST)
}

/// What a worker died of. The standard library says so before it aborts for want of stack or memory.
fn verdict(remains: &Remains) -> Death {
    let said = |words: &str| remains.words.contains(words);
    match remains.code {
        _ if said("overflowed its stack") => Death::Stack,
        _ if said("memory allocation of") || said("out of memory") => Death::Memory,
        Some(HUNG) => Death::Hung(None),
        Some(BROKEN) | None => Death::Crashed,
        Some(_) => Death::Exited,
    }
}
