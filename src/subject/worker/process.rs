//! A child process and the channel to it.
//!
//! The channel is a socket that the child has as its descriptor 0; what the function prints goes nowhere. A process that is
//! dropped is killed, and its temporary folder removed. Knows nothing of what is sent.

use std::io::{self, Read, Write};
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use super::sandbox::Room;
use super::{Death, Isolation, Limits, Remains, Watchdog};
use crate::subject::MachineFailure;

/// How often we look whether a worker gets on.
const GLANCE: Duration = Duration::from_millis(100);
/// No worker takes longer to accept a frame, on a machine that does many other things.
const LONGEST_WRITE: Duration = Duration::from_secs(120);
/// How long a process whose channel is closed may take to be gone.
const FAREWELL: Duration = Duration::from_secs(2);
/// How long we wait for what a process prints: others that it has started may hold its standard error open.
const LONGEST_SILENCE: Duration = Duration::from_secs(1);
/// How many bytes are kept of what a process prints.
const LAST_WORDS: usize = 2_000;

/// A worker: a child process with a socket to it.
#[derive(Debug)]
pub(in crate::subject) struct Process {
    child: Child,
    channel: UnixStream,
    errors: UnixStream,
    /// What it has printed, as far as that was read.
    printed: Vec<u8>,
    verdict: fn(&Remains) -> Death,
    /// Where it may write; none without a sandbox.
    _room: Option<Room>,
}

impl Process {
    /// Starts a program with limits. `verdict` says what it died of, should it die.
    pub(in crate::subject) fn start(
        mut command: Command,
        limits: Limits<'_>,
        verdict: fn(&Remains) -> Death,
    ) -> Result<Process, MachineFailure> {
        let program = command.get_program().to_string_lossy().into_owned();
        let failed = |message: String| MachineFailure::Worker { command: program.clone(), message };
        let io = |error: io::Error| failed(error.to_string());
        let mut room = None;
        if limits.isolation == Isolation::Sandbox {
            let room = room.insert(Room::new().map_err(io)?);
            command = sandboxed(&command, limits.readable, room).map_err(io)?;
        }
        let (channel, theirs) = UnixStream::pair().map_err(io)?;
        let (errors, their_errors) = UnixStream::pair().map_err(io)?;
        channel.set_read_timeout(Some(GLANCE)).map_err(io)?;
        channel.set_write_timeout(Some(LONGEST_WRITE)).map_err(io)?;
        errors.set_read_timeout(Some(LONGEST_SILENCE)).map_err(io)?;
        command
            .stdin(Stdio::from(OwnedFd::from(theirs)))
            .stdout(Stdio::null())
            .stderr(Stdio::from(OwnedFd::from(their_errors)));
        let child = command.spawn().map_err(io)?;
        // The command keeps their ends open, and a worker that dies would not close the channel.
        drop(command);
        let process = Process { child, channel, errors, printed: Vec::new(), verdict, _room: room };
        let limited = limits.impose(&process.child);
        limited.map_err(|error| failed(format!("its limits cannot be set: {error}")))?;
        Ok(process)
    }

    pub(in crate::subject) fn send(&mut self, frame: &[u8]) -> Result<(), Death> {
        self.channel.write_all(frame).map_err(|_| self.post_mortem())
    }

    /// Reads until all bytes are there, or the watchdog has had enough. `status` is a frame that asks the worker where it
    /// is; what it answers comes as a frame of its own. A worker that has no such answer counts as moving with every byte.
    pub(in crate::subject) fn fill(
        &mut self,
        bytes: &mut [u8],
        watchdog: &mut Watchdog,
        status: Option<&[u8]>,
    ) -> Result<(), Death> {
        let mut at = 0;
        while at < bytes.len() {
            match self.channel.read(&mut bytes[at..]) {
                Ok(0) => return Err(self.post_mortem()),
                Ok(read) => {
                    at += read;
                    if status.is_none() {
                        watchdog.moved();
                    }
                }
                Err(error) if is_timeout(&error) => {
                    if watchdog.is_over() {
                        self.end();
                        return Err(Death::Late);
                    }
                    if watchdog.has_had_enough() {
                        self.end();
                        return Err(Death::Hung(watchdog.row()));
                    }
                    if let Some(status) = status
                        && watchdog.asks()
                    {
                        self.send(status)?;
                    }
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(_) => return Err(self.post_mortem()),
            }
        }
        Ok(())
    }

    /// Kills the process, if it is still alive, and waits for its end.
    pub(in crate::subject) fn end(&mut self) {
        // It may be dead already; then there is nothing to do.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }

    /// What is left of a process that has closed its channel or is of no use any more. It gets a moment to be gone by itself.
    pub(in crate::subject) fn remains(&mut self) -> Remains {
        let mut part = [0; 4096];
        while let Ok(read @ 1..) = self.errors.read(&mut part) {
            self.printed.extend_from_slice(&part[..read]);
        }
        let tail = self.printed.len().saturating_sub(LAST_WORDS);
        let words = String::from_utf8_lossy(&self.printed[tail..]).trim().to_owned();
        let since = Instant::now();
        let (code, is_killed) = loop {
            match self.child.try_wait() {
                Ok(Some(status)) => break (status.code(), is_killed(status)),
                Ok(None) if since.elapsed() < FAREWELL => {
                    std::thread::sleep(Duration::from_millis(1));
                }
                Ok(None) | Err(_) => {
                    self.end();
                    break (None, false);
                }
            }
        };
        Remains { code, is_killed, words }
    }

    /// Why a process is of no use that did not greet us as it should; `greeting` is how far it came within `patience`.
    pub(in crate::subject) fn misgreeting(
        mut self,
        command: &Path,
        greeting: Result<(), Death>,
        patience: Duration,
    ) -> MachineFailure {
        self.end();
        let mut message = match greeting {
            Ok(()) => "it speaks another language".to_owned(),
            Err(Death::Hung(_)) => format!("it said nothing for {} s", patience.as_secs()),
            Err(Death::Killed | Death::Late) => "it was killed while it started".to_owned(),
            Err(Death::Exited | Death::Crashed | Death::Memory | Death::Stack) => {
                "it ended at once".to_owned()
            }
        };
        let words = self.remains().words;
        if !words.is_empty() {
            message = format!("{message}: {words}");
        }
        MachineFailure::Worker { command: command.display().to_string(), message }
    }

    /// How a process died whose channel is closed.
    fn post_mortem(&mut self) -> Death {
        let remains = self.remains();
        if remains.is_killed { Death::Killed } else { (self.verdict)(&remains) }
    }

    /// Leaves the process alone for some time, and says whether it is alive afterwards.
    pub(in crate::subject) fn is_left_alive(&mut self, pause: Duration) -> bool {
        std::thread::sleep(pause);
        matches!(self.child.try_wait(), Ok(None))
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.end();
    }
}

/// Whether a process was ended by a signal that comes from others: SIGHUP, SIGINT, SIGQUIT, SIGKILL or SIGTERM. Limits of
/// memory end in SIGABRT or an exit, and faulty code in SIGSEGV, SIGBUS, SIGILL or SIGFPE.
fn is_killed(status: ExitStatus) -> bool {
    const OUTSIDE: [i32; 5] = [1, 2, 3, 9, 15];
    status.signal().is_some_and(|signal| OUTSIDE.contains(&signal))
}

#[cfg(target_os = "linux")]
use super::sandbox::wrapped as sandboxed;

/// Only Linux has a sandbox.
#[cfg(not(target_os = "linux"))]
fn sandboxed(_: &Command, _: &[&Path], _: &Room) -> io::Result<Command> {
    Err(io::Error::other("only Linux has a sandbox for it; --no-sandbox runs it without one"))
}

fn is_timeout(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut)
}

#[cfg(test)]
mod tests {
    use super::super::Memory;
    use super::*;

    const LIMITS: Limits<'_> =
        Limits { memory: Memory::Addresses(1 << 30), isolation: Isolation::Nothing, readable: &[] };

    fn started(program: &str, arguments: &[&str]) -> Process {
        let verdict = |remains: &Remains| match remains.code {
            Some(_) => Death::Exited,
            None => Death::Crashed,
        };
        let mut command = Command::new(program);
        command.args(arguments);
        Process::start(command, LIMITS, verdict).unwrap()
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn limits_are_in_force_in_the_process() {
        let process = started("sleep", &["60"]);
        let file = format!("/proc/{}/limits", process.child.id());
        let limits = std::fs::read_to_string(file).unwrap();
        let of = |name: &str| -> Vec<String> {
            let line = limits.lines().find_map(|line| line.strip_prefix(name)).unwrap();
            line.split_whitespace().take(2).map(str::to_owned).collect()
        };
        assert_eq!(of("Max address space"), ["1073741824", "1073741824"]);
        assert_eq!(of("Max core file size"), ["0", "0"]);
        assert_eq!(of("Max cpu time"), ["86400", "86400"]);
        assert_eq!(of("Max file size"), ["67108864", "67108864"]);
    }

    #[test]
    fn the_end_of_a_process_is_told_with_its_last_words() {
        let mut process = started("sh", &["-c", "echo first >&2; echo last >&2; exit 3"]);
        let remains = process.remains();
        let words = "first\nlast".to_owned();
        assert_eq!(remains, Remains { code: Some(3), is_killed: false, words });
        let mut watchdog = Watchdog::new(Duration::from_secs(30), Duration::from_secs(30));
        assert_eq!(process.fill(&mut [0], &mut watchdog, None), Err(Death::Exited));
    }

    #[test]
    fn a_process_that_others_kill_is_told_from_one_that_crashes() {
        let died_of = |signal: &str| {
            let mut process = started("sh", &["-c", &format!("kill -{signal} $$; sleep 60")]);
            let mut watchdog = Watchdog::new(Duration::from_secs(30), Duration::from_secs(30));
            process.fill(&mut [0], &mut watchdog, None).unwrap_err()
        };
        assert_eq!(["KILL", "TERM"].map(died_of), [Death::Killed; 2]);
        assert_eq!(["ABRT", "SEGV"].map(died_of), [Death::Crashed; 2]);
    }

    #[test]
    fn a_process_that_says_nothing_is_given_up() {
        let mut process = started("sleep", &["60"]);
        let mut watchdog = Watchdog::new(Duration::ZERO, Duration::ZERO);
        assert_eq!(process.fill(&mut [0], &mut watchdog, None), Err(Death::Hung(None)));
    }

    #[test]
    fn a_program_that_is_not_there_is_a_failure_of_the_machine() {
        let command = Command::new("/nowhere/at/all");
        let failure = Process::start(command, LIMITS, |_| Death::Crashed).unwrap_err();
        assert!(failure.to_string().contains("/nowhere/at/all"), "{failure}");
        assert!(failure.to_string().contains("cannot start another worker process"), "{failure}");
    }
}
