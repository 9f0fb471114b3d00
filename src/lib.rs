//! Discovers metamorphic relations of functions: test oracles that need no expected value.
//!
//! | module | is |
//! |---|---|
//! | [`assess`] | relations judged by mutants and inputs that they were not found on |
//! | [`campaign`] | a function and its mutants, run on pairs of inputs |
//! | [`check`] | relations tried on today's code, for build servers; the reviewed set |
//! | [`claims`] | relations with the transformations that they presuppose, as they are written down |
//! | [`collect`] | recorded executions, paired by a transformation |
//! | [`config`] | every number of the search, with its source |
//! | [`evolve`] | the search: two populations of relations over recorded executions |
//! | [`executions`] | pairs of executions, labelled: what evolution works on; the executions file |
//! | [`experiment`] | the paper's experiment: its methods, its protocol, its table with ours beside it |
//! | [`explain`] | one relation taken apart: tree, bytecode, machine code, what every tier says |
//! | [`export`] | relations as tests in other languages |
//! | [`filter`] | fresh inputs on which relations must hold, and the hunt for counterexamples |
//! | [`generate`] | from a function to relations: all steps |
//! | [`inputs`] | source inputs: special, random, and guided by branches |
//! | [`pit`] | the real PIT as a judge of exported tests |
//! | [`power`] | the built-in example: executions of `pow(k, e)` and of a mutant of it |
//! | [`relation`] | relations as a user writes them, and what is wrong with them |
//! | [`report`] | a run for people to read: a page, Markdown, sentences, worked examples |
//! | [`results`] | what a search found, as it is written |
//! | [`score`] | how relations do on executions: false positives, false negatives, killed mutants |
//! | [`seed`] | randomness that can be repeated |
//! | [`simplify`] | relations said more simply; sets of them without what others say already |
//! | [`subject`] | functions that can be run, with their mutants |
//! | [`sweep`] | many functions, transformations and seeds, on many machines: planned, run in shards, merged |
//! | [`threads`] | the threads that relations are evaluated on |
//! | [`transform`] | how follow-up inputs are made: the paper's templates |
//!
//! Relations are evaluated by [`genmorph_jit`]. `src/ARCHITECTURE.md` is the map of the code.

#![forbid(unsafe_code)]

pub mod assess;
pub mod campaign;
pub mod check;
pub mod claims;
pub mod collect;
pub mod config;
mod digits;
pub mod evolve;
pub mod executions;
pub mod experiment;
pub mod explain;
pub mod export;
pub mod filter;
pub mod generate;
pub mod inputs;
pub mod pit;
pub mod power;
pub mod relation;
pub mod report;
pub mod results;
pub mod score;
pub mod seed;
pub mod simplify;
pub mod subject;
pub mod sweep;
pub mod threads;
pub mod transform;

pub use genmorph_jit as jit;

/// The version of this library.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");
