//! Relations as tests in other languages.
//!
//! A test means what the relation means to the evaluator, bit for bit: `jit/src/op.rs` is the definition, and
//! `tests/export.rs` holds the two against each other. Writes texts; files are written by whoever asks.

mod bounds;
mod expression;
mod follow_up;
mod head;
mod helpers;
pub mod java;
mod language;
mod literal;
mod names;
mod pairs;
mod part;
mod properties;
pub mod python;
mod recorded;
pub mod rust;
mod selection;
mod template;
mod types;
mod variables;
mod writer;

pub use self::expression::{Variable, expression};
pub use self::helpers::Helpers;
pub use self::language::Language;
pub use self::pairs::{MOST_ELEMENTS, Pairs};
pub use self::part::Part;
pub use self::properties::Properties;
pub use self::recorded::{Recorded, RecordedError};
pub use self::selection::{Choice, RunEvidence, Selection};
