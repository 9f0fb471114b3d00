//! Keeps worker processes from the files, the network and the other processes of the machine, on Linux.
//!
//! ```text
//!  genmorph ─ starts ─► itself, `sandboxed-worker` ─ gives up its rights, then becomes ─► java, or the program of a crate
//! ```
//! A process can give up rights only for itself, and doing so between fork and exec would need unsafe code. So the program
//! starts itself once more: [`enter_sandbox`] is the first thing that it does. Landlock decides which files may be opened, a
//! seccomp filter which system calls are made; both stay in force in whatever the process becomes. Where the kernel has
//! no Landlock, workers are refused unless the caller asks for [`Isolation::Nothing`].

#[cfg(target_os = "linux")]
mod calls;
#[cfg(target_os = "linux")]
mod inside;
#[cfg(target_os = "linux")]
mod outside;
#[cfg(unix)]
mod room;

use std::ffi::OsString;
use std::io;

#[cfg(target_os = "linux")]
use self::inside::become_worker;
#[cfg(target_os = "linux")]
pub(super) use self::outside::wrapped;
#[cfg(unix)]
pub(super) use self::room::Room;

/// The first argument of a program that is to become a worker in a sandbox.
pub const SANDBOXED_WORKER: &str = "sandboxed-worker";

/// Whether worker processes are kept from the rest of the machine.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Isolation {
    /// They read the system's libraries and their own program, write into a temporary folder of their own, and have
    /// neither a network nor other processes. Only Linux has this; it is the default there.
    #[cfg_attr(target_os = "linux", default)]
    Sandbox,
    /// They may do whatever the user may.
    #[cfg_attr(not(target_os = "linux"), default)]
    Nothing,
}

/// Becomes a worker in a sandbox, if the arguments of this program ask for that; then it returns only to say why that failed.
///
/// A program that runs Java or Rust functions calls this before anything else, with its arguments. A program that does not,
/// such as a test, needs the program `genmorph` in its folder or the one above.
pub fn enter_sandbox(arguments: impl IntoIterator<Item = OsString>) -> Option<io::Error> {
    let mut arguments = arguments.into_iter().skip(1);
    if arguments.next().is_none_or(|first| first != SANDBOXED_WORKER) {
        #[cfg(target_os = "linux")]
        outside::serve();
        return None;
    }
    Some(become_worker(arguments))
}

#[cfg(not(target_os = "linux"))]
fn become_worker(_arguments: impl Iterator<Item = OsString>) -> io::Error {
    io::Error::other("only Linux has this sandbox")
}
