//! Mutants of Rust functions: which there are, and the source that has all of them.
//!
//! ```text
//!  functions ─► survey ─┬─ training   group A        known, syntax   types and forms, at a glance
//!                  │    ├─ judging    group B
//!                  │    ▼
//!                  │  site    what stands where ─► rewrite   one source, with a switch
//!                  ▼
//!             inventory   candidates for mutants, branches, constants
//! ```
//!
//! Texts in, texts out: knows nothing of files, of Cargo and of what mutants do.

mod inventory;
mod judging;
mod known;
mod rewrite;
mod site;
mod survey;
mod syntax;
#[cfg(test)]
mod tests;
mod training;

pub(super) use self::inventory::{Candidate, Inventory};
pub(super) use self::rewrite::{Cuts, Level, MutatedSource, Place, Region, rewrite};
pub(super) use self::site::{Changes, Insert, InsertOf};
pub(super) use self::survey::Survey;
use crate::subject::Group;
use crate::subject::rule::Rule;

/// The most mutants of a group: the compiler has to read all of them.
const MOST: usize = 1_000;

/// The most mutants of a group, of a function that is one of several.
const MOST_OF_SEVERAL: usize = 200;

/// The numbers of the mutants that are too many; those that stay are evenly spread, and exchanged variables go first.
pub(super) fn surplus(candidates: &[&Candidate], is_alone: bool) -> Vec<u32> {
    let most = if is_alone { MOST } else { MOST_OF_SEVERAL };
    let mut gone = Vec::new();
    for group in [Group::A, Group::B] {
        let of_group = |exchanged: bool| {
            candidates.iter().copied().filter(move |candidate| {
                candidate.rule.group() == group && (candidate.rule == Rule::Vrr) == exchanged
            })
        };
        let others = of_group(false).count();
        let room = [most.min(others), most.saturating_sub(others).min(of_group(true).count())];
        for (exchanged, room) in [false, true].into_iter().zip(room) {
            let size = of_group(exchanged).count();
            for (place, candidate) in of_group(exchanged).enumerate() {
                // Every time the share that stays passes a whole number, one stays.
                if (place + 1) * room / size == place * room / size {
                    gone.push(candidate.number);
                }
            }
        }
    }
    gone
}
