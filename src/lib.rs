//! Discovers metamorphic relations of functions: test oracles that need no expected value.
//!
//! | module | is |
//! |---|---|
//! | [`config`] | every number of the search, with its source |
//! | [`evolve`] | the search: two populations of relations over recorded executions |
//! | [`executions`] | pairs of executions, labelled: what evolution works on |
//! | [`explain`] | one relation taken apart: tree, bytecode, machine code, what every tier says |
//! | [`power`] | the built-in example: executions of `pow(k, e)` and of a mutant of it |
//! | [`relation`] | relations as a user writes them, and what is wrong with them |
//! | [`results`] | what a search found, as it is written |
//! | [`seed`] | randomness that can be repeated |
//!
//! Relations are evaluated by [`genmorph_jit`]. `src/ARCHITECTURE.md` is the map of the code.

#![forbid(unsafe_code)]

pub mod config;
pub mod evolve;
pub mod executions;
pub mod explain;
pub mod power;
pub mod relation;
pub mod results;
pub mod seed;

pub use genmorph_jit as jit;
