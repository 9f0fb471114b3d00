//! A JVM that runs calls for us: a child process and the channel to it.
//!
//! The channel is a socket that the child has as its descriptor 0; what the JVM prints goes elsewhere. A worker that is
//! dropped is killed, and one whose channel closes ends itself. Death is normal: it comes back as a value. Knows
//! nothing of mutants and of rows.

use std::collections::BTreeSet;
use std::io::{self, Read, Write};
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::jdk::Jdk;
use super::protocol::{self, Failure, LONGEST, MAGIC, Message, VERSION};
use crate::subject::MachineFailure;

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

/// What a user may have set to change every JVM, ours included.
const VARIABLES: [&str; 3] = ["JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS"];

/// How the harness ends when it cannot go on.
const BROKEN: i32 = 97;

/// How often we look whether a worker gets on.
const GLANCE: Duration = Duration::from_millis(100);
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
}

/// How a worker died.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Death {
    /// The process ended as if it wanted to.
    Exited,
    /// It did not.
    Crashed,
    /// It got nowhere, and we killed it. The row, if it could still tell.
    Hung(Option<u32>),
}

/// What a worker replies.
pub(super) enum Reply {
    /// It did what was asked; the body.
    Done(Vec<u8>),
    /// Something was thrown.
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

/// A JVM.
#[derive(Debug)]
pub(super) struct Worker {
    child: Child,
    channel: UnixStream,
    errors: UnixStream,
    patience: Duration,
    longest: Duration,
    /// The versions that it has defined and not dropped.
    pub(super) defined: BTreeSet<u32>,
    /// How many it has ever defined.
    pub(super) loaders: u32,
}

impl Worker {
    /// Starts a JVM and waits for its first word.
    pub(super) fn start(launch: &Launch) -> Result<Worker, MachineFailure> {
        let mut command = Command::new(&launch.jdk.java);
        command.args(FLAGS).arg("-cp").arg(&launch.harness).arg("gm.Worker");
        VARIABLES.iter().for_each(|name| {
            command.env_remove(name);
        });
        let failed = |message: String| MachineFailure {
            command: launch.jdk.java.display().to_string(),
            message,
        };
        let io = |error: io::Error| failed(error.to_string());
        let (channel, theirs) = UnixStream::pair().map_err(io)?;
        let (errors, their_errors) = UnixStream::pair().map_err(io)?;
        command
            .stdin(Stdio::from(OwnedFd::from(theirs)))
            .stdout(Stdio::null())
            .stderr(Stdio::from(OwnedFd::from(their_errors)));
        let child = command.spawn().map_err(io)?;
        // The command keeps their ends open: a worker that dies would not close the channel.
        drop(command);
        let mut worker = Worker {
            child,
            channel,
            errors,
            patience: launch.patience,
            longest: launch.longest,
            defined: BTreeSet::new(),
            loaders: 0,
        };
        worker.channel.set_write_timeout(Some(START)).map_err(io)?;
        let greeting = worker.greeting();
        greeting.map(|()| worker).map_err(|(mut worker_message, said)| {
            if !said.is_empty() {
                worker_message = format!("{worker_message}: {said}");
            }
            failed(worker_message)
        })
    }

    fn greeting(&mut self) -> Result<(), (String, String)> {
        let mut guard = Guard::new(START, START);
        let message = match self.receive(&mut guard) {
            Ok(Message::Hello { magic: MAGIC, version: VERSION }) => return Ok(()),
            Ok(_) => "it speaks another language".to_owned(),
            Err(Death::Hung(_)) => format!("it said nothing for {} s", START.as_secs()),
            Err(Death::Exited | Death::Crashed) => "it ended at once".to_owned(),
        };
        Err((message, self.last_words()))
    }

    /// Sends a request and waits for the reply, handing over classes meanwhile.
    pub(super) fn ask(&mut self, frame: &[u8], classes: &dyn Classes) -> Result<Reply, Death> {
        self.send(frame)?;
        let mut guard = Guard::new(self.patience, self.longest);
        loop {
            match self.receive(&mut guard)? {
                Message::Done(body) => return Ok(Reply::Done(body)),
                Message::Failed(failure) => return Ok(Reply::Failed(failure)),
                Message::Need(name) => {
                    let bytes = classes.class(&name.replace('.', "/"));
                    self.send(&protocol::class(bytes.as_deref()))?;
                    guard.moved();
                }
                Message::Progress { row, left } => guard.saw(row, left),
                Message::Hello { .. } => return Err(self.end(Death::Crashed)),
            }
        }
    }

    /// Waits for a sign of life.
    pub(super) fn ping(&mut self) -> Result<(), Death> {
        self.ask(&protocol::ping(), &NoClasses).map(|_| ())
    }

    /// Forgets a version.
    pub(super) fn forget(&mut self, number: u32, classes: &dyn Classes) -> Result<(), Death> {
        self.defined.remove(&number);
        self.ask(&protocol::drop(number), classes).map(|_| ())
    }

    fn send(&mut self, frame: &[u8]) -> Result<(), Death> {
        self.channel.write_all(frame).map_err(|_| self.post_mortem())
    }

    fn receive(&mut self, guard: &mut Guard) -> Result<Message, Death> {
        let mut length = [0; 4];
        self.fill(&mut length, guard, false)?;
        let length = u32::from_le_bytes(length) as usize;
        if !(1..=LONGEST).contains(&length) {
            return Err(self.end(Death::Crashed));
        }
        let mut frame = vec![0; length];
        // A long reply on its way is not what a worker sends while it hangs.
        self.fill(&mut frame, guard, length > 64)?;
        Message::parse(frame).map_err(|_| self.end(Death::Crashed))
    }

    /// Reads until the bytes are there, or the guard has had enough.
    fn fill(&mut self, bytes: &mut [u8], guard: &mut Guard, moves: bool) -> Result<(), Death> {
        let mut at = 0;
        while at < bytes.len() {
            if self.channel.set_read_timeout(Some(GLANCE)).is_err() {
                return Err(self.end(Death::Crashed));
            }
            match self.channel.read(&mut bytes[at..]) {
                Ok(0) => return Err(self.post_mortem()),
                Ok(read) => {
                    at += read;
                    if moves {
                        guard.moved();
                    }
                }
                Err(error) if is_timeout(&error) => {
                    if guard.has_had_enough() {
                        return Err(self.end(Death::Hung(guard.row())));
                    }
                    if guard.asks() {
                        self.send(&protocol::status())?;
                    }
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(_) => return Err(self.post_mortem()),
            }
        }
        Ok(())
    }

    /// Ends the process.
    fn end(&mut self, death: Death) -> Death {
        // It may be dead already; then there is nothing to do.
        let _ = self.child.kill();
        let _ = self.child.wait();
        death
    }

    /// How a process ended whose channel is closed. It gets a moment to be gone by itself.
    fn post_mortem(&mut self) -> Death {
        let since = Instant::now();
        loop {
            match self.child.try_wait() {
                Ok(Some(status)) => {
                    return match status.code() {
                        Some(BROKEN) | None => Death::Crashed,
                        Some(_) => Death::Exited,
                    };
                }
                Ok(None) if since.elapsed() < self.patience => {
                    std::thread::sleep(Duration::from_millis(1));
                }
                Ok(None) | Err(_) => return self.end(Death::Crashed),
            }
        }
    }

    /// The end of what it printed.
    fn last_words(&mut self) -> String {
        self.end(Death::Crashed);
        let mut text = Vec::new();
        // Processes that it started may still hold the other end.
        if self.errors.set_read_timeout(Some(GLANCE)).is_ok() {
            let mut part = [0; 4096];
            while let Ok(read @ 1..) = self.errors.read(&mut part) {
                text.extend_from_slice(&part[..read]);
            }
        }
        let tail = text.len().saturating_sub(2_000);
        String::from_utf8_lossy(&text[tail..]).trim().to_owned()
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        self.end(Death::Crashed);
    }
}

fn is_timeout(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut)
}

/// Watches a request. Fuel bounds what a call does in code that takes fuel, so only a call that spends none for long
/// is given up; how fast the machine is does not matter then.
struct Guard {
    patience: Duration,
    longest: Duration,
    /// When the call, or the row, changed.
    moved: Instant,
    /// When the row began.
    row_since: Instant,
    seen: Option<(u32, u32)>,
    asked: bool,
}

impl Guard {
    fn new(patience: Duration, longest: Duration) -> Guard {
        let now = Instant::now();
        Guard { patience, longest, moved: now, row_since: now, seen: None, asked: false }
    }

    /// Something other than a call went on.
    fn moved(&mut self) {
        let now = Instant::now();
        (self.moved, self.row_since) = (now, now);
    }

    fn saw(&mut self, row: u32, left: u32) {
        let now = Instant::now();
        if self.seen.is_none_or(|(old, _)| old != row) {
            self.row_since = now;
        }
        if self.seen != Some((row, left)) {
            self.seen = Some((row, left));
            self.moved = now;
        }
        self.asked = false;
    }

    fn asks(&mut self) -> bool {
        !std::mem::replace(&mut self.asked, true)
    }

    fn has_had_enough(&self) -> bool {
        self.moved.elapsed() > self.patience || self.row_since.elapsed() > self.longest
    }

    /// The row that it is at, unless it does not answer any more.
    fn row(&self) -> Option<u32> {
        self.seen.map(|(row, _)| row).filter(|_| !self.asked)
    }
}
