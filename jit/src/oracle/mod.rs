//! Cases, and the judgement over them: do all engines, the text form and the population path agree?
//!
//! Ordinary library code, so that the tests and the fuzz targets only have to glue one end to the
//! other. No randomness of its own: every decision comes from a [`Choices`], which is either a seed or
//! the bytes of a fuzzer.
//!
//! | file | is |
//! |---|---|
//! | `choices` | where decisions come from |
//! | `data` | schemas and tables with nasty values |
//! | `relations` | well-typed predicates over a schema, alone and as populations |
//! | `judge` | `engines_agree`, and what it looks like when they do not |
//! | `population` | `batch_equals_single` |
//! | `terms` | random terms, and `terms_agree`: their values are the reference's |
//! | `texts` | what is printed reads back, and nothing that is read panics |
//! | `entry` | bytes in, panic or [`Tally`] out: the fuzz targets and the replay of their finds |
//!
//! ```
//! use genmorph_jit::oracle::{self, Choices, Verdict};
//!
//! let mut choices = Choices::from_seed(7);
//! let schema = oracle::schema(&mut choices);
//! let table = oracle::table(&mut choices, &schema);
//! let predicate = oracle::predicate(&mut choices, &schema, 16);
//! let verdict: Verdict = oracle::engines_agree(&predicate, &table).unwrap();
//! # let _ = verdict;
//! ```

mod choices;
mod data;
mod entry;
mod judge;
mod population;
mod relations;
mod tally;
mod terms;
mod texts;

pub use choices::Choices;
pub use data::{SMALL_TABLE, schema, table};
pub use entry::{RunningTally, fuzz_batch, fuzz_engines, fuzz_text};
pub use judge::{Difference, Disagreement, Engines, engines_agree};
pub use population::batch_equals_single;
pub use relations::{population, predicate};
pub use tally::{Tally, Verdict};
pub use terms::{term, terms_agree};
pub use texts::{TextFault, damaged, parse_never_panics, text, text_round_trips};
