//! Relations said more simply, and sets of them without what others say already.
//!
//! Three things make a relation smaller. [`Equivalent`] rewrites it to a form that has the same value on all inputs there
//! are. [`Simplifier`] goes on with the rows: a smaller relation that is false wherever the given one was, and true of the
//! original, as far as rows and a judge can tell. [`orient`](fn@orient) turns it the right way round. [`fold`](fn@fold) then
//! drops relations that add nothing. All of it is repeatable, and counts effort instead of time.
//!
//! | file | is |
//! |---|---|
//! | `setting` | what holds on every pair: variables, tolerance, outputs, ties between inputs |
//! | `rules` | equations that hold for all values, each tried by a test |
//! | `term` | expressions in an e-graph, and what is known of their values |
//! | `equivalent` | the smallest form that the rules lead to |
//! | `forms` | relations that are a step smaller or plainer |
//! | `plain` | the relations that a person would think of first |
//! | `apart` | what one relation says, as several that are plainer |
//! | `shrink` | smaller relations that do no worse, judged by rows |
//! | `fold` | a set of relations without those that add nothing |
//! | `orient` | one way round for every relation |
//! | `readability` | how much a reader has to take in |

mod apart;
mod equivalent;
mod fold;
pub(crate) mod forms;
mod orient;
mod plain;
mod readability;
mod rules;
mod setting;
mod shrink;
mod term;
#[cfg(test)]
mod tests;

pub use self::equivalent::Equivalent;
pub use self::fold::{Candidate, Fold, Folded, Kept, fold};
pub use self::orient::orient;
pub use self::readability::readability;
pub use self::setting::{Setting, Tie};
pub use self::shrink::{Keep, Simplifier, Stands};
