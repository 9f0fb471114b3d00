//! Source inputs, step 1: what a function is run on.
//!
//! Inputs are found by running the original only: special values, random values, and a search that is guided by how near
//! calls come to the sides of branches. What is kept takes every side that was reached, loops different
//! numbers of times and gives outputs of different kinds. Knows nothing of transformations and relations; knows
//! no clock, and asks its caller whether to go on.

mod archive;
mod coverage;
mod enrich;
mod error;
mod frontier;
mod read;
mod row;
mod search;
mod sources;
mod space;
mod vary;

pub use self::coverage::Coverage;
pub use self::enrich::{Enriched, Hunt, enrich, survivors};
pub use self::error::InputsError;
pub use self::read::{of_object, read};
pub use self::row::Row;
pub(crate) use self::row::key;
pub use self::sources::Sources;

use std::collections::HashSet;
use std::fmt;

use self::row::columns;
use self::search::Search;
use self::space::Spaces;
use crate::subject::{Outcome, Subject};
use crate::support::seed::Seed;
use crate::support::threads::Jobs;

/// How many inputs, and how hard to look for them.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// How many inputs are kept, besides those that are supplied. 2,000.
    pub count: usize,
    /// How many calls may be traced; one that uses much fuel counts for several. 300,000.
    pub effort: usize,
    /// Inputs on which the original uses more fuel are kept only if they take a side that no other does, or if there are few
    /// others. 20,000: mutants may use ten times as much.
    pub fuel: u64,
    /// Inputs of the user, which are always kept.
    pub supplied: Vec<Row>,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings { count: 2_000, effort: 300_000, fuel: 20_000, supplied: Vec::new() }
    }
}

/// How far a search is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// The effort so far.
    pub spent: usize,
    /// How much there may be.
    pub effort: usize,
    /// How many sides of branches were taken.
    pub covered: usize,
    /// How many there are.
    pub sides: usize,
}

/// Who watches a search, and may end it.
#[derive(Clone, Copy)]
pub struct Watch<'w> {
    /// Whether to stop. Asked between rounds of about a thousand calls; with an answer that depends on a clock the result does,
    /// too.
    pub stop: &'w dyn Fn() -> bool,
    /// Told after every round.
    pub progress: &'w dyn Fn(&Progress),
}

impl Watch<'_> {
    /// Nobody.
    pub const NOBODY: Watch<'static> = Watch { stop: &|| false, progress: &|_| () };
}

impl fmt::Debug for Watch<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Watch")
    }
}

/// Finds source inputs. The same seed gives the same inputs on any number of threads.
///
/// # Errors
/// When there is no input, or none on which the function returns, or when the machine fails.
pub fn generate(
    subject: &dyn Subject,
    settings: &Settings,
    seed: Seed,
    jobs: &Jobs,
    watch: &Watch<'_>,
) -> Result<Sources, InputsError> {
    let signature = subject.signature();
    if signature.parameters.is_empty() {
        return Err(InputsError::NoParameters);
    }
    let spaces = Spaces::new(&signature.parameters, subject.constants())?;
    let mut known = HashSet::new();
    let mut kept = settings.supplied.clone();
    kept.iter_mut().for_each(|row| spaces.tidy(row));
    kept.retain(|row| known.insert(key(row)));
    let supplied = kept.len();
    let mut search = Search::new(subject, settings, &spaces, seed.stream("inputs"), (jobs, watch));
    search.run(&kept)?;
    kept.extend(search.archive.choose(&known, settings.count));
    let inputs = columns(signature, &kept);
    let traces = subject.trace(&inputs)?;
    let mut ended = search.ended;
    ended.sort_by_key(|(outcome, calls)| (std::cmp::Reverse(*calls), outcome.to_string()));
    if ended.iter().all(|(outcome, _)| *outcome != Outcome::Returned) {
        let example = search.failing.map(|row| sources::shown(signature, &row));
        return Err(InputsError::NeverReturns { ended, example });
    }
    let coverage = Coverage::of(subject, &inputs, &traces)?;
    let outcomes = traces.outcomes;
    Ok(Sources { inputs, outcomes, coverage, supplied, calls: search.calls, ended })
}
