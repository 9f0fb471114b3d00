//! Discovers metamorphic relations of functions: test oracles that need no expected value.
//!
//! | module | is |
//! |---|---|
//! | [`executions`] | pairs of executions, labelled: what evolution works on |
//! | [`explain`] | one relation taken apart: tree, bytecode, machine code, what every tier says |
//! | [`power`] | the built-in example: executions of `pow(k, e)` and of a mutant of it |
//! | [`relation`] | relations as a user writes them, and what is wrong with them |
//!
//! Relations are evaluated by [`genmorph_jit`]. `src/ARCHITECTURE.md` is the map of the code.

#![forbid(unsafe_code)]

pub mod executions;
pub mod explain;
pub mod power;
pub mod relation;

pub use genmorph_jit as jit;
