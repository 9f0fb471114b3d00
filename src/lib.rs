//! Discovers metamorphic relations of functions: test oracles that need no expected value.
//!
//! A metamorphic relation ties two executions of a function together: of `pow(k, e)`, that `out_f == out_s * k_s` where the follow-up
//! input has `e_f == e_s + 1`. It holds for the function, and fails for faulty versions of it:
//!
//! ```
//! use genmorph::executions::{CORRECT, INCORRECT, power};
//! use genmorph::explore::{Vocabulary, explore};
//! use genmorph::jit::{Evaluator, parse};
//!
//! // pow(k, e) and a mutant of it, on source inputs (k, e) and follow-ups (k, e - 1).
//! let executions = power::executions();
//! let schema = executions.table.schema();
//! let relation = parse("k_s != 0 implies out_f == out_s / k_s", schema)?;
//!
//! let mask = Evaluator::default().mask(&relation, &executions.table);
//! assert_eq!(mask.count_ones_in(CORRECT), executions.count(CORRECT));
//! assert!(mask.count_ones_in(INCORRECT) < executions.count(INCORRECT));
//!
//! // Nobody has to write it: all small relations are tried, and the plainest that hold are the laws.
//! let laws = explore(&executions, &Vocabulary::default()).laws;
//! assert_eq!(laws[0].relation.display(schema).to_string(), "out_f * k_s == out_s");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The [`guide`] says how the command is used, a page for each task. The library is in rooms, in the order in which data flows:
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
//! | `sweep` | many runs on many machines; the paper's experiment; with the feature `sweep` |
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
#[cfg(feature = "sweep")]
pub mod sweep;

pub mod guide;

pub use genmorph_jit as jit;

/// The version of this library.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");
