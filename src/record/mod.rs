//! The files that a run writes, one struct for each.

pub mod relations;
