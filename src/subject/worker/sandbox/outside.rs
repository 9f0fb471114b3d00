//! The side of the sandbox that starts workers: which program becomes one, and with which arguments and variables.

use std::env;
use std::ffi::OsStr;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use super::room::Room;
use super::{SANDBOXED_WORKER, inside};

/// Variables that a worker sees, and all that begin with [`LANGUAGE`]. Others may be secrets.
const VARIABLES: [&str; 5] = ["LANG", "LD_LIBRARY_PATH", "PATH", "RUST_BACKTRACE", "TZ"];
const LANGUAGE: &str = "LC_";

/// Whether this program can become a worker itself.
static SERVES: OnceLock<()> = OnceLock::new();

/// Remembers that this program begins with [`super::enter_sandbox`].
pub(super) fn serve() {
    let _ = SERVES.set(());
}

/// The same command in a sandbox: it can read these files and folders besides those of the system, and write into its room.
pub(in crate::subject::worker) fn wrapped(
    command: &Command,
    readable: &[&Path],
    room: &Room,
) -> io::Result<Command> {
    supported()?;
    let mut wrapped = Command::new(program()?);
    wrapped.env_clear();
    wrapped.envs(env::vars_os().filter(|(name, _)| is_seen(name)));
    wrapped.env("HOME", room.path()).env("TMPDIR", room.path());
    for (name, value) in command.get_envs() {
        match value {
            Some(value) => wrapped.env(name, value),
            None => wrapped.env_remove(name),
        };
    }
    wrapped.current_dir(room.path()).arg(SANDBOXED_WORKER).arg(room.path());
    let program = std::path::absolute(command.get_program())?;
    wrapped.arg(&program);
    for path in readable {
        wrapped.arg(std::path::absolute(path)?);
    }
    wrapped.arg("--").arg(program).args(command.get_args());
    Ok(wrapped)
}

fn is_seen(name: &OsStr) -> bool {
    let name = name.to_string_lossy();
    VARIABLES.contains(&&*name) || name.starts_with(LANGUAGE)
}

/// Whether the kernel has what a sandbox needs.
fn supported() -> io::Result<()> {
    static SUPPORT: OnceLock<Result<(), String>> = OnceLock::new();
    let refused = |reason: &String| {
        io::Error::other(format!(
            "this system has no sandbox for it ({reason}); --no-sandbox runs it without one, and then it may do whatever you may"
        ))
    };
    SUPPORT.get_or_init(inside::supported).as_ref().copied().map_err(refused)
}

/// The program that becomes the worker: this one, or `genmorph` beside it or in the folder above, as for tests of Cargo.
fn program() -> io::Result<PathBuf> {
    if SERVES.get().is_some() {
        // Even if its file has been replaced since it was started.
        return Ok(PathBuf::from("/proc/self/exe"));
    }
    let this = env::current_exe()?;
    let folders = this.ancestors().skip(1).take(2);
    let mut programs = folders.map(|folder| folder.join("genmorph"));
    programs.find(|path| path.is_file()).ok_or_else(|| {
        let message = "the program `genmorph`, which starts workers in a sandbox, is not beside";
        io::Error::new(io::ErrorKind::NotFound, format!("{message} {}", this.display()))
    })
}
