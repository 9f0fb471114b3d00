//! Tries relations that were found or written before: fresh pairs, then a hunt, then the simplest counterexamples.
//!
//! Has no clock; whoever calls says how late it is.

use std::time::Duration;

use crate::claims::ClaimGroup;
use crate::filter::{Filter, Verdict};
use crate::inputs::Sources;
use crate::subject::kinds::Observed;
use crate::subject::together::Composed;
use crate::subject::{MachineFailure, Subject, Throwing};
use crate::support::seed::Seed;
use crate::support::threads::Jobs;
use genmorph_jit::Tolerance;

pub mod calls;
mod judged;

pub(crate) use self::judged::sides;
pub use self::judged::{CheckedRelation, Entry, Standing};

/// What all trials share.
#[derive(Clone, Copy)]
pub struct Means<'m> {
    /// The function that is tried, on the inputs on which it returns.
    pub subject: &'m dyn Subject,
    /// The same function on all inputs, some of which may throw.
    pub everywhere: &'m dyn Subject,
    /// Inputs that take its branches.
    pub sources: &'m Sources,
    /// When two numbers are equal.
    pub tolerance: Tolerance,
    /// The seed of fresh inputs and of the hunt.
    pub seed: Seed,
    /// The threads that run the function.
    pub jobs: &'m Jobs,
}

/// How much is tried.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    /// The fresh pairs of each relation.
    pub fresh: usize,
    /// The most calls of the hunt, for each transformation.
    pub calls: usize,
    /// How long the hunts may take together; none is as long as their calls take.
    pub time: Option<Duration>,
    /// How long all of it may take, from the beginning of the clock: hunts leave time for the fresh pairs of the relations that
    /// come after them.
    pub whole: Duration,
}

/// Tries all relations, transformation by transformation: first on fresh pairs, then by a hunt that has an equal share
/// of the time that is left. `clock` is the time since any beginning. The results are in the order of the file.
///
/// # Errors
/// When the machine fails.
pub fn run(
    means: Means<'_>,
    groups: &[ClaimGroup],
    effort: Effort,
    clock: &dyn Fn() -> Duration,
    is_cancelled: &dyn Fn() -> bool,
) -> Result<Vec<CheckedRelation>, MachineFailure> {
    let mut all = Vec::new();
    let mut time = effort.time;
    let throwing = Throwing::of(means.everywhere);
    for (number, group) in groups.iter().enumerate() {
        let composed = composed(means.subject, group);
        let sources = composed.as_ref().map(|composed| Sources {
            inputs: composed.sources(&means.sources.inputs),
            ..means.sources.clone()
        });
        let means = match (group.observed, &throwing) {
            (Observed::Outcomes, Some(throwing)) => Means { subject: throwing, ..means },
            (Observed::Outcomes | Observed::Values | Observed::Together, _) => means,
        };
        let means = match (&composed, &sources) {
            (Some(composed), Some(sources)) => Means { subject: composed, sources, ..means },
            (_, _) => means,
        };
        let begin = clock();
        let mut trial = Trial::fresh(means, group, effort.fresh, is_cancelled)?;
        let left = (groups.len() - number) as u32;
        let start = clock();
        let kept = start.saturating_sub(begin) * (left - 1);
        let most = effort.whole.saturating_sub(start).saturating_sub(kept) / left;
        let share = time.map(|time| (time / left).min(most));
        let elapsed = || clock().saturating_sub(start);
        let stop = || is_cancelled() || share.is_some_and(|share| elapsed() >= share);
        trial.hunt(effort.calls, &stop)?;
        time = time.map(|time| time.saturating_sub(elapsed()));
        all.extend(trial.end(is_cancelled)?);
    }
    all.sort_by_key(|judged| judged.place);
    Ok(all)
}

/// The calls that relations are about, if it is several that are made together.
fn composed<'s>(subject: &'s dyn Subject, group: &ClaimGroup) -> Option<Composed<'s>> {
    let how = group.transform.together()?;
    let on = &group.transform.instance().parameters;
    Some(Composed::new(subject, how, on).expect("the types were checked with the claims"))
}

/// What is known of relations that cannot be tried: nothing. The results are in the order of the file.
pub fn untried(subject: &dyn Subject, groups: &[ClaimGroup]) -> Vec<CheckedRelation> {
    let signature = subject.signature().of_executions();
    let mut all = Vec::new();
    for group in groups {
        let ClaimGroup { transform, observed, relations, places } = group;
        let schema = match composed(subject, group) {
            Some(composed) => composed.signature().of_executions().schema(),
            None => signature.observing(*observed).schema(),
        };
        let schema = schema.expect("names were checked with the claims");
        let described = transform.describe();
        for (relation, &place) in relations.iter().zip(places) {
            all.push(CheckedRelation {
                transformation: described.name.clone(),
                input_relation: described.input_relation.clone(),
                premise: subject.signature().premise(),
                relation: relation.display(&schema).to_string(),
                place,
                verdict: Verdict::UNTRIED,
                branches: [0, 2 * subject.branches().len()],
                shrunk: None,
            });
        }
    }
    all.sort_by_key(|judged| judged.place);
    all
}

/// Relations of one transformation, and what is known of them so far.
struct Trial<'m> {
    means: Means<'m>,
    group: &'m ClaimGroup,
    filter: Filter<'m>,
    verdicts: Vec<Verdict>,
}

impl<'m> Trial<'m> {
    /// Tries relations on at most `pairs` fresh pairs. `stop` is asked after each block of pairs.
    fn fresh(
        means: Means<'m>,
        group: &'m ClaimGroup,
        pairs: usize,
        stop: &dyn Fn() -> bool,
    ) -> Result<Trial<'m>, MachineFailure> {
        let Means { subject, sources, tolerance, seed, jobs, .. } = means;
        let mut filter =
            Filter::new(subject, &group.transform, &sources.inputs, tolerance, seed, jobs);
        let verdicts = filter.judge(&group.relations, pairs, stop)?;
        Ok(Trial { means, group, filter, verdicts })
    }

    /// Hunts for counterexamples of the relations that are not refuted yet, with at most `effort` calls.
    fn hunt(&mut self, effort: usize, stop: &dyn Fn() -> bool) -> Result<(), MachineFailure> {
        let relations = &self.group.relations;
        let left: Vec<usize> =
            (0..relations.len()).filter(|&r| !self.verdicts[r].is_refuted()).collect();
        let hunted: Vec<_> = left.iter().map(|&r| relations[r].clone()).collect();
        let found = self.filter.hunt(&hunted, effort, stop)?;
        for (r, mut found) in left.into_iter().zip(found) {
            // How long it hunts is up to whoever checks; what was accepted before does not become unknown by that.
            (found.is_cut, found.is_open) = (false, false);
            self.verdicts[r] = self.verdicts[r].clone().and(found);
        }
        Ok(())
    }

    /// The results, with the simplest counterexamples.
    fn end(self, stop: &dyn Fn() -> bool) -> Result<Vec<CheckedRelation>, MachineFailure> {
        let schema = self.means.subject.signature().of_executions().schema();
        let schema = schema.expect("names were checked with the signature");
        let described = self.group.transform.describe();
        let premise = self.means.subject.signature().premise();
        let ClaimGroup { relations, places, .. } = self.group;
        let tried = relations.iter().zip(places).zip(self.verdicts);
        let judged = tried.map(|((relation, &place), verdict)| {
            let pair = verdict.counterexamples.first();
            let shrunk = pair.map(|pair| self.filter.shrink(relation, pair, stop)).transpose()?;
            Ok(CheckedRelation {
                transformation: described.name.clone(),
                input_relation: described.input_relation.clone(),
                premise: premise.clone(),
                relation: relation.display(&schema).to_string(),
                place,
                branches: [self.filter.covered(), 2 * self.means.subject.branches().len()],
                shrunk,
                verdict,
            })
        });
        judged.collect()
    }
}
