//! Runs a function and its mutants on pairs of inputs, and turns the outcomes into executions.
//!
//! ```text
//!  sources ──► Runs ─┬─► Census: which mutants differ, and which from each other
//!                    └─► Pairs ◄── follow-ups ──► Runs
//!                          └─► Executions: correct rows, and rows of mutants that differ
//! ```
//! Knows nothing of relations and evolution.

mod behaviour;
mod census;
mod pairs;
mod runs;

pub use self::census::{Census, MutantStanding, Tally};
pub use self::pairs::{NoRows, Pairs, Settings, Summary};
pub use self::runs::{Difference, Runs, difference};
