//! Relations as tests in other languages.
//!
//! A test means what the relation means to the evaluator, bit for bit: `jit/src/op.rs` is the definition, and
//! `tests/export.rs` holds the two against each other. Writes texts; files are written by whoever asks.

pub mod java;
mod pairs;

pub use self::pairs::{MOST_ELEMENTS, Pairs};
