//! Simplifies relations, and reduces sets of them.
//!
//! Three things make a relation smaller. [`Equivalent`] rewrites it to a form that has the same value on all
//! possible inputs. [`Simplifier`] uses the rows: it finds a smaller relation that is false wherever the
//! given one is, and that is true for the original as far as rows and a judge can tell. [`orient`](fn@orient)
//! brings operands into a canonical order. [`fold`](fn@fold) then drops relations that add nothing.
//! Everything is repeatable, and counts effort instead of time.
//!
//! | file | is |
//! |---|---|
//! | `setting` | what holds on every pair: variables, tolerance, outputs, ties between inputs |
//! | `rules` | equations that hold for all values, each checked by a test |
//! | `term` | expressions in an e-graph, and facts about their values |
//! | `equivalent` | the smallest form that the rules lead to |
//! | `forms` | relations that are a step smaller or plainer |
//! | `plain` | the relations that a person would think of first |
//! | `apart` | several plainer relations in place of one |
//! | `shrink` | smaller relations that do no worse, judged by rows |
//! | `fold` | a set of relations without those that add nothing |
//! | `orient` | the canonical order of operands |
//! | `readability` | the effort of reading a relation |

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
pub use self::fold::{Candidate, Fold, FoldedRelation, KeptRelation, fold};
pub use self::orient::orient;
pub use self::readability::readability;
pub use self::setting::{Setting, Tie};
pub use self::shrink::{Keep, Simplifier, Stands};
