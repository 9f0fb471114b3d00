//! Source inputs, step 1: what a function is run on.
//!
//! Inputs are found by running the original only: special values, random values, and a search guided by how
//! near calls come to taking each side of a branch. The inputs that are kept take every side that was
//! reached, run loops different numbers of times, and give outputs of different kinds. Knows nothing of
//! transformations and relations; reads no clock, and lets its caller decide when to stop.

mod archive;
mod coverage;
mod enrich;
mod error;
mod frontier;
mod read;
pub(crate) mod related;
mod row;
mod search;
mod sources;
mod space;
mod spaces;
mod vary;

pub use self::coverage::Coverage;
pub use self::enrich::{Enrichment, Hunt, enrich, survivors};
pub use self::error::InputsError;
pub use self::read::{of_object, read};
pub(crate) use self::row::key;
pub use self::row::{Row, digest};
pub use self::sources::Sources;

use std::collections::HashSet;
use std::fmt;

use self::row::columns;
use self::search::Search;
use self::spaces::Spaces;
use crate::subject::{Deadline, Outcome, Subject};
use crate::support::seed::Seed;
use crate::support::threads::Jobs;

/// How many inputs to find, and how much effort to spend on the search.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// Number of inputs to keep, not counting the supplied ones. 2,000.
    pub count: usize,
    /// Number of calls that may be traced; a call that uses much fuel counts as several. 300,000.
    pub effort: usize,
    /// Inputs on which the original uses more fuel than this are kept only if they take a side that no other
    /// input takes, or if there are few others. 20,000: mutants may use ten times as much.
    pub fuel: u64,
    /// Inputs given by the user, which are always kept.
    pub supplied: Vec<Row>,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings { count: 2_000, effort: 300_000, fuel: 20_000, supplied: Vec::new() }
    }
}

/// How far a search has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Effort spent so far.
    pub spent: usize,
    /// Effort that may be spent in all.
    pub effort: usize,
    /// Number of branch sides that some call has taken.
    pub covered: usize,
    /// Number of branch sides that the function has.
    pub sides: usize,
}

/// Callbacks that observe a search and may end it.
#[derive(Clone, Copy)]
pub struct Watch<'w> {
    /// Whether to stop; asked between rounds of about a thousand calls. If the answer depends on a clock,
    /// so does the result.
    pub stop: &'w dyn Fn() -> bool,
    /// When the calls of the search end, even within a round. The inputs that were found until then are traced all the same.
    pub deadline: &'w Deadline,
    /// Called after every round.
    pub progress: &'w dyn Fn(&Progress),
}

impl Watch<'_> {
    /// A watch that never stops the search and ignores its progress.
    pub const NOBODY: Watch<'static> =
        Watch { stop: &|| false, deadline: Deadline::never(), progress: &|_| () };

    fn is_over(&self) -> bool {
        (self.stop)() || self.deadline.is_over()
    }
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
    let mut inputs = columns(signature, &kept);
    let mut traces = subject.trace(&inputs)?;
    let ran: Vec<usize> = (0..inputs.len()).filter(|&row| traces.outcomes.is_run(row)).collect();
    if ran.len() < inputs.len() {
        inputs = inputs.only(signature, ran.iter().copied());
        traces = traces.only(signature, &ran);
    }
    let mut ended = search.ended;
    ended.sort_by_key(|(outcome, calls)| (std::cmp::Reverse(*calls), outcome.to_string()));
    if let Some(condition) = &signature.condition
        && search.calls == 0
        && !watch.is_over()
    {
        return Err(InputsError::Condition { condition: condition.text().to_owned() });
    }
    if inputs.is_empty() && (watch.is_over() || subject.deadline().is_over()) {
        return Err(InputsError::TimeUp { calls: search.calls, ended });
    }
    if ended.iter().all(|(outcome, _)| *outcome != Outcome::Returned) {
        let example = search.failing.map(|row| sources::shown(signature, &row));
        return Err(InputsError::NeverReturns { ended, example });
    }
    let coverage = Coverage::of(subject, &inputs, &traces)?;
    let outcomes = traces.outcomes;
    let supplied = ran.partition_point(|row| *row < supplied);
    Ok(Sources { inputs, outcomes, coverage, supplied, calls: search.calls, ended })
}
