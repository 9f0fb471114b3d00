//! What a worker process may have of the machine.
//!
//! Set from outside with `prlimit`, right after the process has started: it waits for its first frame then, and has run
//! nothing of the function. `setrlimit` in the child would need unsafe code, and a shell in between cannot be relied on: dash
//! refuses `ulimit -v N -c 0`. Only Linux has `prlimit`; on other systems workers have no limits but those of their own, such as
//! the heap of a JVM.

use std::io;
use std::process::Child;

/// What a worker process may have. None leaves no core file behind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::subject) struct Limits {
    /// The most bytes of address space; none if the process limits itself.
    pub(in crate::subject) memory: Option<u64>,
}

impl Limits {
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
        self.memory.map_or(Ok(()), |most| set(Resource::As, most))
    }

    /// There is no way to limit another process here.
    #[cfg(not(target_os = "linux"))]
    pub(super) fn impose(self, _child: &Child) -> io::Result<()> {
        Ok(())
    }
}
