//! What a worker process may have of the machine.
//!
//! Set from outside with `prlimit`, right after the process has started: it waits for its first frame then, and has run
//! nothing of the function. `setrlimit` in the child would need unsafe code, and a shell in between cannot be relied on: dash
//! refuses `ulimit -v N -c 0`. Only Linux has `prlimit`; on other systems workers have no limits but those of their own, such as
//! the heap of a JVM.

use std::io;
use std::path::Path;
use std::process::Child;

use super::Isolation;

/// The most seconds of processor time of one worker: a day. No worker lives that long; one that is left over ends.
#[cfg(target_os = "linux")]
const CPU: u64 = 24 * 60 * 60;
/// The most bytes of a file that a worker writes.
#[cfg(target_os = "linux")]
const FILE: u64 = 64 << 20;

/// What a worker process may have. None leaves a core file behind.
#[derive(Clone, Copy, Debug)]
pub(in crate::subject) struct Limits<'p> {
    pub(in crate::subject) memory: Memory,
    pub(in crate::subject) isolation: Isolation,
    /// Files and folders that it may read in a sandbox, besides its program and those of the system.
    pub(in crate::subject) readable: &'p [&'p Path],
}

/// The most memory of a process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::subject) enum Memory {
    /// Bytes of address space.
    Addresses(u64),
    /// Bytes that can be written: for a process that reserves far more addresses than it uses.
    Data(u64),
}

impl Limits<'_> {
    /// Puts the limits into force.
    #[cfg(target_os = "linux")]
    pub(super) fn impose(self, child: &Child) -> io::Result<()> {
        use rustix::process::{Pid, Resource, Rlimit, prlimit};
        // A child has a number of its own; without one this process would limit itself.
        let pid = Pid::from_raw(child.id().cast_signed()).ok_or(io::ErrorKind::NotFound)?;
        let set = |resource: Resource, most: u64| {
            let limit = Rlimit { current: Some(most), maximum: Some(most) };
            match prlimit(Some(pid), resource, limit) {
                // It is gone already; the missing greeting will show why.
                Ok(_) | Err(rustix::io::Errno::SRCH) => Ok(()),
                Err(error) => Err(io::Error::from_raw_os_error(error.raw_os_error())),
            }
        };
        set(Resource::Core, 0)?;
        set(Resource::Cpu, CPU)?;
        set(Resource::Fsize, FILE)?;
        match self.memory {
            Memory::Addresses(most) => set(Resource::As, most),
            Memory::Data(most) => set(Resource::Data, most),
        }
    }

    /// There is no way to limit another process here.
    #[cfg(not(target_os = "linux"))]
    pub(super) fn impose(self, _child: &Child) -> io::Result<()> {
        Ok(())
    }
}
