//! What people and build servers see: the report of a run, a relation explained, the results of a check.
//!
//! Reads records and verdicts; computes none.

pub mod check;
mod completeness;
pub mod explain;
pub mod overview;
pub mod report;
pub mod terminal;
