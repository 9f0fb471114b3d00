//! A process that runs rows: the program that was built of the copy.
//!
//! The channel is a socket that the process has as its descriptor 0; what the function prints goes nowhere. A worker that is
//! dropped is killed. Death is normal: it comes back as a value. A row that gets nowhere is noticed by the worker
//! itself, which ends then, so nobody here needs a clock.

use std::io::{Read, Write};
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use super::protocol::HELLO;
use crate::subject::MachineFailure;

/// How a worker ends that is stuck in code that takes no fuel.
const HUNG: i32 = 98;
/// How one ends that was sent nonsense.
const BROKEN: i32 = 97;
/// Of addresses, in KiB: the stack of the thread that calls is a quarter of it.
const MEMORY: usize = 1 << 20;
/// Nothing that a worker does takes longer, on a machine that does many other things.
const LONGEST: Duration = Duration::from_secs(120);
/// A reply is at most so long: about the memory of a worker.
const LONGEST_REPLY: u64 = 2 << 30;

/// How a worker died.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Death {
    /// The process ended as if it wanted to.
    Exited,
    /// It did not.
    Crashed,
    /// It was out of memory.
    Memory,
    /// It was out of stack.
    Stack,
    /// It got nowhere.
    Hung,
}

/// What is started.
#[derive(Clone, Debug)]
pub(super) struct Launch {
    pub(super) program: PathBuf,
}

/// A process.
#[derive(Debug)]
pub(super) struct Worker {
    child: Child,
    channel: UnixStream,
    errors: UnixStream,
}

impl Worker {
    /// Starts a process and waits for its first word.
    pub(super) fn start(launch: &Launch) -> Result<Worker, MachineFailure> {
        let failed = |message: String| MachineFailure {
            command: launch.program.display().to_string(),
            message,
        };
        let io = |error: std::io::Error| failed(error.to_string());
        let (channel, theirs) = UnixStream::pair().map_err(io)?;
        let (errors, their_errors) = UnixStream::pair().map_err(io)?;
        // The shell sets the limits: a mutant that asks for all memory gets little, and leaves no core behind.
        let mut command = Command::new("sh");
        command
            .args(["-c", &format!("ulimit -v {MEMORY} -c 0 2>/dev/null; exec \"$0\"")])
            .arg(&launch.program)
            .stdin(Stdio::from(OwnedFd::from(theirs)))
            .stdout(Stdio::null())
            .stderr(Stdio::from(OwnedFd::from(their_errors)));
        let child = command.spawn().map_err(io)?;
        // The command keeps their ends open: a worker that dies would not close the channel.
        drop(command);
        let mut worker = Worker { child, channel, errors };
        for stream in [&worker.channel, &worker.errors] {
            stream.set_read_timeout(Some(LONGEST)).map_err(io)?;
        }
        worker.channel.set_write_timeout(Some(LONGEST)).map_err(io)?;
        let mut hello = [0; HELLO.len()];
        match worker.channel.read_exact(&mut hello) {
            Ok(()) if hello == HELLO => Ok(worker),
            Ok(()) => Err(failed("it speaks another language".to_owned())),
            Err(error) => {
                let said = worker.last_words();
                Err(failed(if said.is_empty() { error.to_string() } else { said }))
            }
        }
    }

    /// Sends rows.
    pub(super) fn send(&mut self, frame: &[u8]) -> Result<(), Death> {
        self.channel.write_all(frame).map_err(|_| self.post_mortem())
    }

    /// Waits for a reply.
    pub(super) fn receive(&mut self) -> Result<Vec<u8>, Death> {
        let mut length = [0; 8];
        self.channel.read_exact(&mut length).map_err(|_| self.post_mortem())?;
        let length = u64::from_le_bytes(length);
        if length > LONGEST_REPLY {
            return Err(self.end(Death::Crashed));
        }
        let mut body = vec![0; length as usize];
        self.channel.read_exact(&mut body).map_err(|_| self.post_mortem())?;
        Ok(body)
    }

    /// How a process ended whose channel is closed.
    fn post_mortem(&mut self) -> Death {
        let said = self.last_words();
        // It has closed the channel, or does nothing any more; in both cases it will not mind.
        let code = match self.child.try_wait() {
            Ok(Some(status)) => status.code(),
            Ok(None) | Err(_) => {
                self.end(Death::Crashed);
                None
            }
        };
        match code {
            _ if said.contains("overflowed its stack") => Death::Stack,
            _ if said.contains("memory allocation of") || said.contains("out of memory") => {
                Death::Memory
            }
            Some(HUNG) => Death::Hung,
            Some(BROKEN) | None => Death::Crashed,
            Some(_) => Death::Exited,
        }
    }

    /// The end of what it printed, until it is gone.
    fn last_words(&mut self) -> String {
        let mut text = Vec::new();
        // Whoever it has started may hold the other end, but not for ever.
        let _ = self.errors.set_read_timeout(Some(Duration::from_secs(1)));
        let mut part = [0; 4096];
        while let Ok(read @ 1..) = self.errors.read(&mut part) {
            text.extend_from_slice(&part[..read]);
        }
        let tail = text.len().saturating_sub(2_000);
        let words = String::from_utf8_lossy(&text[tail..]).trim().to_owned();
        // The stream is closed when the process ends; its status follows at once.
        for _ in 0..50 {
            match self.child.try_wait() {
                Ok(None) => std::thread::sleep(Duration::from_millis(2)),
                Ok(Some(_)) | Err(_) => break,
            }
        }
        words
    }

    fn end(&mut self, death: Death) -> Death {
        // It may be dead already; then there is nothing to do.
        let _ = self.child.kill();
        let _ = self.child.wait();
        death
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        self.end(Death::Crashed);
    }
}
