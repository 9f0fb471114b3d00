//! A JVM that runs calls for us: how it is started and spoken to.
//!
//! One whose channel closes ends itself. Knows nothing of mutants and of rows.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::time::Duration;

use super::jdk::Jdk;
use super::protocol::{self, Failure, LONGEST, MAGIC, Message, VERSION};
use crate::subject::worker::{BROKEN, Backend, Death, Limits, Memory, Process, Remains, Watchdog};
use crate::subject::{Deadline, Isolation, MachineFailure};

/// How a JVM is started. Its own messages go to standard error; stack traces cost more than the calls; C1 compiles
/// mutants, which live for a few hundred calls, best; language and time zone are the same on every machine.
const FLAGS: [&str; 14] = [
    "-Xlog:disable",
    "-Xlog:all=error:stderr",
    "-XX:+UseSerialGC",
    "-XX:TieredStopAtLevel=1",
    "-XX:-StackTraceInThrowable",
    "-XX:-UsePerfData",
    "-XX:-CreateCoredumpOnCrash",
    "-Xmx512m",
    "-Xshare:auto",
    "-Djava.awt.headless=true",
    "-Dfile.encoding=UTF-8",
    "-Duser.language=en",
    "-Duser.country=US",
    "-Duser.timezone=UTC",
];

/// Bytes that a JVM may write: its heap is limited by a flag, to a quarter of them; threads and classes need some as well.
const MEMORY: u64 = 2 << 30;

/// What a user may have set to change every JVM, ours included.
const VARIABLES: [&str; 3] = ["JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS"];

/// A worker that has made more class loaders than this is not used again: a JVM never gives back all that they leave behind.
const MOST_LOADERS: u32 = 2_000;
/// The longest frame that a worker sends while a call goes on.
const SHORT: usize = 64;
/// How long a start may take, on a machine that does many other things.
const START: Duration = Duration::from_secs(30);

/// All that is needed to start workers.
#[derive(Clone, Debug)]
pub(super) struct Launch {
    pub(super) jdk: Jdk,
    /// The classes of the harness.
    pub(super) harness: PathBuf,
    /// How long a call may stay at the same place without spending fuel.
    pub(super) patience: Duration,
    /// How long a call may take in all, fuel or not.
    pub(super) longest: Duration,
    pub(super) isolation: Isolation,
}

/// What a worker replies.
pub(super) enum Reply {
    /// It did what was asked; the body.
    Done(Vec<u8>),
    /// The request failed with an exception.
    Failed(Failure),
}

/// Gives a worker the classes that it needs, by name with slashes.
pub(super) trait Classes: Sync {
    /// The bytes to be defined, if there is such a class.
    fn class(&self, name: &str) -> Option<Arc<[u8]>>;
}

/// For requests that need none.
struct NoClasses;

impl Classes for NoClasses {
    fn class(&self, _name: &str) -> Option<Arc<[u8]>> {
        None
    }
}

/// A JVM that runs calls.
#[derive(Debug)]
pub(super) struct Worker {
    process: Process,
    patience: Duration,
    longest: Duration,
    /// The versions that it has defined and not dropped.
    pub(super) defined: BTreeSet<u32>,
    /// How many it has ever defined.
    pub(super) loaders: u32,
}

impl Backend for Launch {
    type Worker = Worker;

    fn program(&self) -> &Path {
        &self.jdk.java
    }

    fn is_left_alive(worker: &mut Worker, pause: Duration) -> bool {
        worker.process.is_left_alive(pause)
    }

    fn start(&self) -> Result<Option<Worker>, MachineFailure> {
        let mut command = Command::new(&self.jdk.java);
        command.args(FLAGS);
        if self.isolation == Isolation::Sandbox {
            // A folder of its own, which it is started in.
            command.args(["-Djava.io.tmpdir=.", "-Duser.home=."]);
        }
        command.arg("-cp").arg(&self.harness).arg("gm.Worker");
        VARIABLES.iter().for_each(|name| {
            command.env_remove(name);
        });
        let limits = Limits {
            memory: Memory::Data(MEMORY),
            isolation: self.isolation,
            readable: &[&self.jdk.home, &self.harness],
        };
        let process = Process::start(command, limits, verdict)?;
        let mut worker = Worker {
            process,
            patience: self.patience,
            longest: self.longest,
            defined: BTreeSet::new(),
            loaders: 0,
        };
        let greeting = match worker.receive(&mut Watchdog::new(START, START), None) {
            Ok(Message::Hello { magic: MAGIC, version: VERSION }) => return Ok(Some(worker)),
            Ok(_) => Ok(()),
            Err(Death::Killed) => return Ok(None),
            Err(death) => Err(death),
        };
        Err(worker.process.misgreeting(&self.jdk.java, greeting, START))
    }

    fn is_reusable(worker: &Worker) -> bool {
        worker.loaders < MOST_LOADERS
    }
}

impl Worker {
    /// Sends a request and waits for the reply, handing over classes meanwhile.
    pub(super) fn ask(
        &mut self,
        frame: &[u8],
        classes: &dyn Classes,
        deadline: &Deadline,
    ) -> Result<Reply, Death> {
        self.process.send(frame)?;
        let patience = deadline.patience(self.patience);
        // Fuel bounds what a call does; only one that does not end when it has none left takes longer.
        let longest = if deadline.is_timed() { 3 * patience } else { self.longest };
        let mut watchdog = Watchdog::new(patience, longest.min(self.longest)).until(deadline);
        let status = protocol::status();
        loop {
            match self.receive(&mut watchdog, Some(&status))? {
                Message::Done(body) => return Ok(Reply::Done(body)),
                Message::Failed(failure) => return Ok(Reply::Failed(failure)),
                Message::Need(name) => {
                    let bytes = classes.class(&name.replace('.', "/"));
                    self.process.send(&protocol::class(bytes.as_deref()))?;
                    watchdog.moved();
                }
                Message::Progress { row, left } => watchdog.saw(row, left),
                Message::Hello { .. } => return Err(self.broken()),
            }
        }
    }

    /// Waits for a sign of life.
    pub(super) fn ping(&mut self) -> Result<(), Death> {
        self.ask(&protocol::ping(), &NoClasses, Deadline::never()).map(|_| ())
    }

    /// Makes the JVM forget a version.
    pub(super) fn forget(
        &mut self,
        number: u32,
        classes: &dyn Classes,
        deadline: &Deadline,
    ) -> Result<(), Death> {
        self.defined.remove(&number);
        self.ask(&protocol::drop(number), classes, deadline).map(|_| ())
    }

    fn receive(
        &mut self,
        watchdog: &mut Watchdog,
        status: Option<&[u8]>,
    ) -> Result<Message, Death> {
        let mut length = [0; 4];
        self.process.fill(&mut length, watchdog, status)?;
        let length = u32::from_le_bytes(length) as usize;
        if !(1..=LONGEST).contains(&length) {
            return Err(self.broken());
        }
        let mut frame = vec![0; length];
        // A worker that hangs sends only short answers: a long one on its way counts as moving.
        let status = status.filter(|_| length <= SHORT);
        self.process.fill(&mut frame, watchdog, status)?;
        Message::parse(frame).map_err(|_| self.broken())
    }

    /// Ends a JVM that does not keep to the protocol.
    fn broken(&mut self) -> Death {
        self.process.end();
        Death::Crashed
    }
}

/// What a JVM died of.
fn verdict(remains: &Remains) -> Death {
    match remains.code {
        // 128 and a signal from outside: a JVM ends in order on most of them.
        Some(129 | 130 | 131 | 137 | 143) => Death::Killed,
        Some(BROKEN) | None => Death::Crashed,
        Some(_) => Death::Exited,
    }
}
