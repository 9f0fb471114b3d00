//! The last trial of what searches have found: relations that unseen inputs refute are withdrawn, so that no run ends with a false alarm.

use super::Event;
use super::plan::Plan;
use super::search::SearchResult;
use crate::filter::{By, Filter};
use crate::record::refuted::Refutation;
use crate::subject::{Inputs, MachineFailure, Subject};
use crate::support::threads::Jobs;

/// Tries the relations of all searches of what the subject shows on inputs that none of them has seen, and withdraws those that are
/// false there.
///
/// # Errors
/// When the machine fails.
pub(super) fn withdraw(
    subject: &dyn Subject,
    plan: &Plan,
    (seen, unseen): (&Inputs, &Inputs),
    searched: &mut [SearchResult],
    jobs: &Jobs,
    observe: &mut dyn FnMut(Event<'_>),
) -> Result<(), MachineFailure> {
    let observed = subject.signature().observed;
    let of_it = |search: &&mut SearchResult| {
        !search.relations.is_empty() && search.claimed.observed == observed
    };
    for search in searched.iter_mut().filter(of_it) {
        withdraw_of(subject, plan, (seen, unseen), search, jobs, observe)?;
    }
    Ok(())
}

/// The same of one search.
///
/// # Errors
/// When the machine fails.
pub(super) fn withdraw_of(
    subject: &dyn Subject,
    plan: &Plan,
    (seen, unseen): (&Inputs, &Inputs),
    search: &mut SearchResult,
    jobs: &Jobs,
    observe: &mut dyn FnMut(Event<'_>),
) -> Result<(), MachineFailure> {
    let transform = search.transform.clone();
    let filter = Filter::new(subject, &transform, seen, plan.tolerance, plan.seed, jobs);
    let verdicts = filter.judge_on(&search.relations, unseen)?;
    let mut refutations: Vec<Refutation> = Vec::new();
    for (relation, verdict) in search.relations.iter().zip(&verdicts) {
        let Some(pair) = verdict.counterexamples.first() else { continue };
        refutations.push(filter.refutation(relation, pair, By::Fresh, &|| false)?);
    }
    if !refutations.is_empty() {
        let stands: Vec<bool> = verdicts.iter().map(|verdict| !verdict.is_refuted()).collect();
        search.keep(&stands, &refutations);
        observe(Event::Withdrawn(search, &refutations));
    }
    Ok(())
}

impl SearchResult {
    /// Keeps the relations that stand, and lists the others among the refuted ones.
    fn keep(&mut self, stands: &[bool], refutations: &[Refutation]) {
        fn those<T>(all: &mut Vec<T>, stands: &[bool]) {
            let mut stands = stands.iter();
            all.retain(|_| stands.next().is_none_or(|stands| *stands));
        }
        let claimed = &mut self.claimed;
        let needed = claimed.needed.min(stands.len());
        claimed.needed = stands[..needed].iter().filter(|stands| **stands).count();
        those(&mut self.relations, stands);
        those(&mut claimed.tried, stands);
        those(&mut claimed.evidence, stands);
        if let Some(results) = &mut claimed.results {
            those(&mut results.relations, stands);
        }
        claimed.refuted.extend_from_slice(refutations);
    }
}
