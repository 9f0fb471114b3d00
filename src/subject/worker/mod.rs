//! Worker processes that run calls for us, in whatever language the function is written.
//!
//! ```text
//!  a subject's job ─► progress ─► pool ─► a worker of its language ─► process ══ socket ══► child
//!                        │                      │                        │
//!                     batches                 frames         sandbox, limits, watchdog
//! ```
//!
//! A language brings a [`Backend`] (how a worker is started), a protocol on top of [`frames`], and a [`Job`] (how one batch
//! of rows is tried). What happens when a worker dies, which row is to blame, and how many workers wait is decided here, once.
//! A death is an outcome of a row; only a worker that cannot be started is an error. Nothing here depends on how many threads
//! ask.

mod batches;
mod death;
pub(super) mod frames;
mod limits;
mod pool;
#[cfg(unix)]
mod process;
#[cfg(not(unix))]
#[path = "elsewhere.rs"]
mod process;
mod progress;
mod sandbox;
mod watchdog;

pub(super) use self::death::{Death, Remains};
pub(super) use self::limits::{Limits, Memory};
pub(super) use self::pool::{Backend, Pool};
pub(super) use self::process::Process;
pub(super) use self::progress::{Attempt, Care, End, Job, Narrowing, Record, Suspect, Task, run};
pub use self::sandbox::{Isolation, enter_sandbox};
pub(super) use self::watchdog::Watchdog;

/// How a worker of any language exits when its own code cannot go on.
pub(super) const BROKEN: i32 = 97;
