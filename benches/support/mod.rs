//! What the benchmarks share: workloads, rivals, and honest timing.
#![allow(dead_code, reason = "each bench target uses its part")]

pub mod evolution;
pub mod grow;
pub mod rivals;
pub mod stopwatch;
pub mod tables;
