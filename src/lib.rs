//! Discovers metamorphic relations of functions: test oracles that need no expected value.
//!
//! | module | is |
//! |---|---|
//! | [`support`] | randomness, threads and texts, for all |
//! | [`subject`] | functions that can be run, with their mutants (step 2) |
//! | [`inputs`] | source inputs: special, random, and guided by branches (step 1) |
//! | [`transform`] | how follow-up inputs are made: the paper's templates and others (step 3) |
//! | [`executions`] | pairs of executions, labelled; made live or from recordings; their file (step 4) |
//! | [`evolve`] | the search: two populations of relations over executions (step 5) |
//! | [`explore`] | laws: every small relation tried, the few that say it all |
//! | [`simplify`] | relations in simpler words; sets of them without what others say already |
//! | [`record`] | the files that runs and reviews write, one struct for each |
//! | [`claims`] | relations as runs and people write them down |
//! | [`filter`] | fresh inputs on which relations must hold, and the hunt for counterexamples (step 6) |
//! | [`show`] | reports, explanations and check results, for people and build servers |
//! | [`export`] | relations as tests in other languages |
//! | [`assess`] | relations judged by mutants and inputs that they were not found on |
//! | [`run`] | from a function to relations: all steps |
//! | [`sweep`] | many runs on many machines; the paper's experiment |
//!
//! Relations are evaluated by [`genmorph_jit`]. `src/ARCHITECTURE.md` is the map of the code.

#![forbid(unsafe_code)]

// In the order in which data flows.
pub mod support;
pub mod subject;
pub mod inputs;
pub mod transform;
pub mod executions;
pub mod evolve;
pub mod explore;
pub mod simplify;
pub mod record;
pub mod claims;
pub mod filter;
pub mod show;
pub mod export;
pub mod assess;
pub mod run;
pub mod sweep;

pub use genmorph_jit as jit;

/// The version of this library.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");
