//! Runs many functions, transformations, seeds and settings on any number of machines.
//!
//! ```text
//!  subjects × transformations × seeds × settings ─► Manifest ─► Shard, on any machine ─► run ─► Folder
//!                                                                                                 │ results
//!                                                              SQLite, Parquet ◄─ merge ◄─────────┤
//!                                                              Status ◄──────────────────────────┘
//! ```
//! A [`Unit`] is identified by a digest of everything that its result depends on. Its result is a file with
//! that name, which is complete or absent; so tasks may be killed, repeated and run twice at once, and the
//! results are the same. `README.md` is the contract with job schedulers. This room knows nothing of
//! schedulers or terminals, and the caller supplies the work that is done for a unit.

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
pub mod realbugs;
mod run;
mod settings;
mod shard;
mod status;
mod tables;
mod unit;

pub use self::error::SweepError;
pub use self::folder::{Folder, UnitResult, UnitState};
pub use self::found::{JudgingScores, Outcome, Relation, Search, UnitFindings, UnitReport};
pub use self::journal::{Attempt, AttemptEnd, End, Worker};
pub use self::manifest::{Axes, Manifest, SweepSubject};
pub use self::merge::{MergeCounts, MissingUnits};
pub use self::output::{MergeSettings, Timings, timings_to_sqlite, to_parquet, to_sqlite};
pub use self::run::{Event, FailedUnits, Tally, Task, WorkOutcome, run};
pub use self::settings::{SettingError, Settings, Variant, Variation};
pub use self::shard::{Shard, ShardError};
pub use self::status::{Progress, Status, UnitNote};
pub use self::unit::Unit;
