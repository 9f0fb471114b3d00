//! A Python that runs rows: how it is started and spoken to.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use super::facts::{Answer, Request};
use super::harness::{BOOT, PROGRAM};
use super::interpreter::Interpreter;
use super::protocol::{DESCRIBE, HELLO, RUN};
use crate::subject::worker::{BROKEN, Backend, Death, Limits, Memory, Process, Remains, Watchdog};
use crate::subject::{Deadline, Isolation, MachineFailure};

/// Without what the user has set for other programs, and without files beside those of the user.
const FLAGS: [&str; 5] = ["-s", "-B", "-X", "utf8", "-c"];
/// Bytes that a worker may write.
const MEMORY: u64 = 1 << 30;
/// How long a start and an import may take, on a machine that does many other things.
const START: Duration = Duration::from_secs(30);
/// How long an import may take together with calls that are tried, before it is done without them.
const TRIAL: Duration = Duration::from_secs(8);
/// The longest reply in bytes: more than a worker has memory for.
const LONGEST_REPLY: u64 = 2 << 30;

/// All that is needed to start workers.
#[derive(Clone, Debug)]
pub(super) struct Launch {
    pub(super) interpreter: Interpreter,
    pub(super) isolation: Isolation,
    /// Which function they run.
    pub(super) request: Request,
}

/// A Python that runs rows.
#[derive(Debug)]
pub(super) struct Worker {
    process: Process,
}

impl Backend for Launch {
    type Worker = Worker;

    fn program(&self) -> &Path {
        &self.interpreter.program
    }

    fn is_left_alive(worker: &mut Worker, pause: Duration) -> bool {
        worker.process.is_left_alive(pause)
    }

    fn start(&self) -> Result<Option<Worker>, MachineFailure> {
        let Some(mut worker) = self.launch()? else { return Ok(None) };
        match worker.describe(&self.request) {
            Ok(Some(Answer::Ready {} | Answer::Described(_))) => Ok(Some(worker)),
            Err(Death::Killed) => Ok(None),
            Ok(Some(Answer::Refused { refused })) => Err(self.failure(refused)),
            Ok(None) => Err(self.failure("it speaks another language".to_owned())),
            Err(death) => Err(worker.process.misgreeting(self.program(), Err(death), START)),
        }
    }
}

impl Launch {
    /// Starts a worker that knows no function yet.
    pub(super) fn launch(&self) -> Result<Option<Worker>, MachineFailure> {
        let mut command = Command::new(&self.interpreter.program);
        command.args(FLAGS).arg(BOOT).env("PYTHONHASHSEED", "0");
        for (name, _) in std::env::vars_os() {
            let is_pythons = name.to_string_lossy().starts_with("PYTHON");
            if is_pythons && name != "PYTHONHASHSEED" {
                command.env_remove(name);
            }
        }
        let all = [&self.interpreter.homes, &self.interpreter.paths, &self.request.paths];
        let readable: Vec<PathBuf> =
            all.into_iter().flatten().filter(|p| p.exists()).cloned().collect();
        let readable: Vec<&Path> = readable.iter().map(PathBuf::as_path).collect();
        let limits =
            Limits { memory: Memory::Data(MEMORY), isolation: self.isolation, readable: &readable };
        let process = Process::start(command, limits, verdict)?;
        let mut worker = Worker { process };
        let length = (PROGRAM.len() as u64).to_le_bytes();
        let greeting = worker
            .process
            .send(&[&length, PROGRAM.as_bytes()].concat())
            .and_then(|()| worker.receive(START, Deadline::never()));
        match greeting {
            Ok(hello) if hello == HELLO => Ok(Some(worker)),
            Err(Death::Killed) => Ok(None),
            greeting => {
                let greeting = greeting.map(|_| ());
                Err(worker.process.misgreeting(self.program(), greeting, START))
            }
        }
    }

    fn failure(&self, message: String) -> MachineFailure {
        MachineFailure::Worker { command: self.program().display().to_string(), message }
    }
}

impl Worker {
    /// Tells the worker which function it runs; none if its answer makes no sense.
    pub(super) fn describe(&mut self, request: &Request) -> Result<Option<Answer>, Death> {
        let json = serde_json::to_vec(request).expect("a request is plain data");
        self.send(DESCRIBE, &json)?;
        let longest = if request.tries { TRIAL } else { START };
        let answer = self.receive(longest, Deadline::never())?;
        Ok(serde_json::from_slice(&answer).ok())
    }

    /// Sends a request to run rows.
    pub(super) fn run(&mut self, body: &[u8]) -> Result<(), Death> {
        self.send(RUN, body)
    }

    fn send(&mut self, kind: u8, body: &[u8]) -> Result<(), Death> {
        let length = (body.len() as u64 + 1).to_le_bytes();
        self.process.send(&[length.as_slice(), &[kind], body].concat())
    }

    /// Waits for a reply, at most as long as one may take, and until a deadline.
    pub(super) fn receive(
        &mut self,
        longest: Duration,
        deadline: &Deadline,
    ) -> Result<Vec<u8>, Death> {
        let mut length = [0; 8];
        let mut watchdog = Watchdog::new(longest, longest).until(deadline);
        self.process.fill(&mut length, &mut watchdog, None)?;
        let length = u64::from_le_bytes(length);
        if length > LONGEST_REPLY {
            self.process.end();
            return Err(Death::Crashed);
        }
        let mut body = vec![0; length as usize];
        self.process.fill(&mut body, &mut Watchdog::new(START, START).until(deadline), None)?;
        Ok(body)
    }
}

/// What a worker died of.
fn verdict(remains: &Remains) -> Death {
    match remains.code {
        Some(BROKEN) | None => Death::Crashed,
        Some(_) => Death::Exited,
    }
}
