//! Many functions, transformations, seeds and settings, on as many machines as there are.
//!
//! ```text
//!  subjects × transformations × seeds × settings ─► Manifest ─► Shard, on any machine ─► run ─► Folder
//!                                                                                                 │ results
//!                                                              SQLite, Parquet ◄─ merge ◄─────────┤
//!                                                              Status ◄──────────────────────────┘
//! ```
//! A [`Unit`] is known by a digest of all that its result depends on. Its result is a file of that name, which is there
//! whole or not at all; so tasks may be killed, repeated and run twice at once, and what they come to is the same.
//! `README.md` is the contract with job schedulers. Knows nothing of them, nor of terminals; what is done with a
//! unit, the caller says.

mod database;
mod error;
pub mod experiment;
mod folder;
mod found;
mod journal;
mod manifest;
mod merge;
mod output;
mod parquet;
mod run;
mod settings;
mod shard;
mod status;
mod tables;
mod unit;

pub use self::error::SweepError;
pub use self::folder::{Folder, Record, Stored};
pub use self::found::{Done, Found, Judging, Outcome, Relation, Search};
pub use self::journal::{Attempt, End, Ended, Worker};
pub use self::manifest::{Axes, Manifest, Planned};
pub use self::merge::{Merged, Missing};
pub use self::output::{Merging, Timings, timings_to_sqlite, to_parquet, to_sqlite};
pub use self::run::{Event, Failed, Tally, Task, Worked, run};
pub use self::settings::{SettingError, Settings, Variant, Variation};
pub use self::shard::{Shard, ShardError};
pub use self::status::{Progress, Status, Told};
pub use self::unit::Unit;
