//! Discovers metamorphic relations of functions: test oracles that need no expected value.
//!
//! | module | is |
//! |---|---|
//! | [`collect`] | recorded executions, paired by a transformation |
//! | [`executions`] | pairs of executions, labelled: what evolution works on; the executions file |
//! | [`explain`] | one relation taken apart: tree, bytecode, machine code, what every tier says |
//! | [`power`] | the built-in example: executions of `pow(k, e)` and of a mutant of it |
//! | [`relation`] | relations as a user writes them, and what is wrong with them |
//! | [`score`] | how relations do on executions: false positives, false negatives, killed mutants |
//! | [`threads`] | the threads that relations are evaluated on |
//! | [`transform`] | how follow-up inputs are made: the paper's templates |
//!
//! Relations are evaluated by [`genmorph_jit`]. `src/ARCHITECTURE.md` is the map of the code.

#![forbid(unsafe_code)]

pub mod collect;
pub mod executions;
pub mod explain;
pub mod power;
pub mod relation;
pub mod score;
pub mod threads;
pub mod transform;

pub use genmorph_jit as jit;

/// The version of this library.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");
