//! Relations as tests in other languages.
//!
//! A test means what the relation means to the evaluator, bit for bit: `jit/src/op.rs` is the definition, and
//! `tests/export.rs` compares the two. This room makes texts; its callers write the files.
//!
//! ```text
//!  relations, pairs ─┬─► expression ─┐
//!                    ├─► follow_up  ─┼─► writer, or java/class ─► the text of a test file
//!                    └─► literal    ─┘          ▲
//!                          ▲                    └── the frame of a file
//!  java, rust, python ─► language: spellings, literals, statements, helper sources
//! ```
//!
//! [`java`], [`rust`] and [`python`] differ in data (`language.rs` and the helper file of each) and in the frame of a file.

mod bounds;
mod exact;
mod expression;
mod follow_up;
mod head;
mod helpers;
pub mod java;
mod language;
mod laws;
mod literal;
mod names;
mod pairs;
mod part;
mod properties;
pub mod python;
mod recording;
pub mod rust;
mod selection;
mod style;
mod template;
mod title;
mod types;
mod variables;
mod writer;

pub use self::expression::{Variable, expression};
pub use self::helpers::Helpers;
pub use self::language::Language;
pub use self::pairs::{MOST_ELEMENTS, Pairs};
pub use self::part::Part;
pub use self::properties::Properties;
pub use self::recording::{Recording, RecordingError};
pub use self::selection::{RunEvidence, Selection, SelectionOptions, TestForm};
pub use self::style::Style;
