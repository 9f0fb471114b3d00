//! Laws of outcomes: when the function throws, and what the outcome of one call says of another's.
//!
//! They are laws of a subject of its own, [`Throwing`], and are found and judged like those of values. No time is spent on them unless
//! some inputs throw and others do not.

use std::sync::Arc;

use genmorph_jit::Value;

use super::budget::Clock;
use super::plan::Plan;
use super::prospect::Prospect;
use super::search::{self, Campaign, SearchResult};
use super::{Event, GenerateError};
use crate::assess::{Claim, Judgement};
use crate::executions::live::{Census, Runs};
use crate::filter::fresh;
use crate::inputs::Sources;
use crate::subject::kinds::Observed;
use crate::subject::{Inputs, MachineFailure, Subject, Throwing, Within};
use crate::support::seed::Seed;
use crate::support::threads::Jobs;
use crate::transform::Transform;

/// Calls that must have thrown, and as many that must have not: a handful is an accident.
const HANDFUL: usize = 8;
/// Source inputs on which the function returns, at most.
const RETURNED: usize = 200;
/// Fresh inputs that are added to the sources: few of the latter throw.
const FRESH: usize = 300;
/// Transformations under which outcomes are explored, at most: the plainest.
const TRANSFORMATIONS: usize = 6;
/// The part of the time of all searches that is for outcomes: one in so many. A guess.
pub(super) const PART: usize = 5;
/// Unseen inputs on which laws of outcomes are judged.
const UNSEEN: usize = 400;

/// Inputs of which some throw, and what the training mutants do on them.
#[derive(Debug)]
pub(super) struct OutcomeRuns {
    /// The numbers of the mutants whose outcomes differ from those of the function and from each other.
    pub(super) distinct: Vec<usize>,
    pub(super) runs: Arc<Runs>,
}

impl OutcomeRuns {
    /// Runs training mutants on some of the sources and on fresh inputs; nothing, unless some of these throw and others do not.
    ///
    /// # Errors
    /// When the machine fails.
    pub(super) fn of(
        subject: &dyn Subject,
        plan: &Plan,
        sources: &Sources,
        training: &[usize],
        jobs: &Jobs,
    ) -> Result<Option<OutcomeRuns>, MachineFailure> {
        let threw = sources.ended.iter().filter(|(outcome, _)| outcome.throws() == Some(true));
        if threw.map(|(_, calls)| calls).sum::<usize>() < HANDFUL {
            return Ok(None);
        }
        let Some(throwing) = Throwing::of(subject) else { return Ok(None) };
        let signature = throwing.signature();
        let outcomes = sources.outcomes.outcomes();
        let rows = |wanted: bool| {
            (0..outcomes.len()).filter(move |&row| outcomes[row].throws() == Some(wanted))
        };
        let mut inputs =
            sources.inputs.only(signature, rows(true).chain(rows(false).take(RETURNED)));
        let seed = Seed(plan.seed.stream("outcomes").rng().next());
        let drawn = fresh::inputs(signature, subject.constants(), &sources.inputs, seed, FRESH);
        (0..drawn.len()).for_each(|row| inputs.push(&drawn.row(row).collect::<Vec<_>>()));
        let runs = Runs::of(&throwing, training, inputs, jobs)?;
        // Mutants that there was no time for are left out, and so are inputs.
        let (kept, rows) = runs.whole();
        let kept: Vec<usize> = kept.into_iter().map(|place| training[place]).collect();
        let runs = runs.only(training, &kept).rows(signature, &rows);
        let throws = |row: &usize| runs.original.row(*row).any(|value| value == Value::Bool(true));
        let told = (0..runs.original.len()).filter(|&row| runs.original.is_returned(row));
        let count = told.clone().filter(throws).count();
        if count.min(told.count() - count) < HANDFUL {
            return Ok(None);
        }
        let distinct = Census::of(&runs, &kept, &plan.tolerance).distinct();
        let runs = Arc::new(runs.only(&kept, &distinct));
        Ok(Some(OutcomeRuns { distinct, runs }))
    }

    /// Finds the laws of outcomes under the first transformations. Searches that find none are not part of the result.
    ///
    /// # Errors
    /// When the machine fails.
    pub(super) fn search(
        &self,
        (subject, plan): (&dyn Subject, &Plan),
        transformations: &[Transform],
        (clock, jobs): (&Clock, &Jobs),
        observe: &mut dyn FnMut(Event<'_>),
    ) -> Result<Vec<SearchResult>, GenerateError> {
        let Some(throwing) = Throwing::of(subject) else { return Ok(Vec::new()) };
        let within = Within::new(&throwing, clock.searching());
        let distinct = &self.distinct;
        let (sources, drawn) = (&self.runs, Arc::default());
        let campaign =
            Campaign { subject: &within, plan, distinct, sources, drawn, jobs, calls: None };
        let schema = throwing.signature().of_executions().schema();
        let schema = schema.expect("names were checked with the outcomes");
        let chosen = &transformations[..transformations.len().min(TRANSFORMATIONS)];
        let whole = clock.share(PART);
        let mut searched: Vec<SearchResult> = Vec::new();
        let mut prospects: Vec<Prospect<'_>> = Vec::new();
        let mut sought = false;
        for (place, transform) in chosen.iter().enumerate() {
            let number = transformations.len() + place;
            // The first ones tell most: preconditions are sought with one of them.
            let share = clock.share(PART * (chosen.len() - place).min(2));
            let known = plan.done(&transform.describe().name, Observed::Outcomes);
            let done = known.and_then(|done| SearchResult::done(number, transform, done, &schema));
            if let Some(done) = done {
                observe(Event::Found(&done));
                searched.push(done);
            } else if !whole.is_over() && !clock.is_over() {
                let begun = search::begin(&campaign, number, transform, &share, observe)?;
                prospects.extend(begun.ok());
            }
            // With the first that has pairs; if it was done before, it has them.
            let has_rows = !searched.is_empty() || !prospects.is_empty();
            if has_rows && !sought {
                sought = true;
                super::postconditions(&searched, &mut prospects, &share, observe)?;
            }
        }
        super::withdraw_postconditions(&mut prospects);
        for prospect in prospects {
            let found = prospect.conclude(clock.is_cancelled());
            if !found.relations.is_empty() {
                observe(Event::Found(&found));
                searched.push(found);
            }
        }
        Ok(searched)
    }

    /// Inputs on which no law of outcomes was found, tried or hunted on purpose.
    pub(super) fn unseen(&self, subject: &dyn Subject, plan: &Plan) -> Inputs {
        let seed = Seed(plan.seed.stream("unseen outcomes").rng().next());
        let signature = subject.signature();
        fresh::inputs(signature, subject.constants(), &self.runs.inputs, seed, UNSEEN)
    }
}

/// Adds what laws of outcomes kill to a judgement of the relations of values.
///
/// # Errors
/// When the machine fails.
pub(super) fn judge(
    judgement: &mut Judgement,
    subject: &dyn Subject,
    plan: &Plan,
    searched: &[SearchResult],
    unseen: &Inputs,
    jobs: &Jobs,
) -> Result<(), MachineFailure> {
    let claims = claims(searched, Observed::Outcomes);
    match Throwing::of(subject) {
        Some(throwing) if !claims.is_empty() => {
            judgement.add_outcomes(&throwing, &claims, unseen, plan.tolerance, jobs)
        }
        Some(_) | None => Ok(()),
    }
}

/// The relations of searches that speak of values, or of outcomes.
pub(super) fn claims(searched: &[SearchResult], observed: Observed) -> Vec<Claim<'_>> {
    let of = searched
        .iter()
        .filter(|search| search.claimed.observed == observed && !search.relations.is_empty());
    of.map(|search| Claim { transform: &search.transform, relations: &search.relations }).collect()
}
