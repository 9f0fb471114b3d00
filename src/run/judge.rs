//! Whether relations are true, as far as the time of a search allows: fresh inputs, the hunt, and what people rejected.

use genmorph_jit::Predicate;

use super::budget::Share;
use super::plan::Plan;
use super::review::Review;
use super::search::Campaign;
use crate::executions::Executions;
use crate::filter::{Filter, Pair, Verdict};
use crate::record::refuted::Refutation;
use crate::record::search::Search;
use crate::subject::MachineFailure;
use crate::subject::kinds::Interface;
use crate::transform::Transform;

/// Counterexamples that a round teaches, at most.
const LESSONS: usize = 120;
/// Between rounds relations are hunted with one part in this many of the calls, on top of the part for fresh pairs: a call of
/// the hunt costs several times one on fresh inputs.
const PURSUED: usize = 5;
/// Refuted relations that are remembered.
const REMEMBERED: usize = 100;

/// What says whether relations are true, as far as the time of a search allows.
pub(super) struct Judge<'j> {
    filter: Filter<'j>,
    plan: &'j Plan,
    share: Share,
    signature: Interface,
    pub(super) review: Review<'j>,
    /// Why the machine could not answer a search that has no way to be told.
    failure: Option<MachineFailure>,
}

impl<'j> Judge<'j> {
    pub(super) fn new(
        campaign: &'j Campaign<'_>,
        transform: &'j Transform,
        share: &Share,
    ) -> Judge<'j> {
        let &Campaign { subject, plan, sources, jobs, .. } = campaign;
        let sources = &sources.inputs;
        Judge {
            filter: Filter::new(subject, transform, sources, plan.tolerance, plan.seed, jobs)
                .sharing(&campaign.drawn),
            plan,
            share: share.clone(),
            signature: subject.signature().of_executions(),
            review: Review::of(plan, transform, subject.signature().observed),
            failure: None,
        }
    }

    /// How many sides of branches the hunt took.
    pub(super) fn covered(&self) -> usize {
        self.filter.covered()
    }

    /// How many fresh pairs were left out because of an output of 2^53 or more in magnitude.
    pub(super) fn beyond(&self) -> usize {
        self.filter.beyond()
    }

    /// Tries relations on one part in `part` of the fresh pairs.
    fn fresh(
        &mut self,
        relations: &[Predicate],
        part: usize,
    ) -> Result<Vec<Verdict>, MachineFailure> {
        let share = &self.share;
        self.filter.judge(relations, self.plan.fresh / part, &|| share.is_late(part))
    }

    /// Tries relations on all fresh pairs, for a caller that cannot be told of a failure: after one no relation stands, and
    /// [`Judge::failed`] has to be asked before anything is made of the answers.
    pub(super) fn fresh_or_none(&mut self, relations: &[Predicate]) -> Vec<Verdict> {
        if self.failure.is_none() {
            match self.fresh(relations, 1) {
                Ok(verdicts) => return verdicts,
                Err(failure) => self.failure = Some(failure),
            }
        }
        vec![Verdict::UNTRIED; relations.len()]
    }

    /// The failure of the machine, if there was one.
    pub(super) fn failed(&mut self) -> Result<(), MachineFailure> {
        self.failure.take().map_or(Ok(()), Err)
    }

    /// Takes away what says something that people have rejected.
    pub(super) fn drop_rejected(&mut self, relations: &mut Vec<Predicate>, rows: &Executions) {
        let mut rejected = self.review.says(relations, rows).into_iter();
        relations.retain(|_| rejected.next() == Some(false));
    }

    /// Goes on in the time of another share.
    pub(super) fn moved_to(&mut self, share: &Share) {
        self.share = share.clone();
    }

    /// Whether the time of the search is up.
    pub(super) fn is_over(&self) -> bool {
        self.share.is_over()
    }

    /// Whether somebody ends the run.
    pub(super) fn is_cancelled(&self) -> bool {
        self.share.is_cancelled()
    }

    /// Whether relations stand, as far as fresh inputs tell. See [`Judge::failed`].
    pub(super) fn stand(&mut self, relations: &[Predicate]) -> Vec<bool> {
        self.fresh_or_none(relations).iter().map(Verdict::stands).collect()
    }

    /// The same, and hunts for counterexamples of those that fresh inputs do not refute.
    pub(super) fn verdicts(
        &mut self,
        relations: &[Predicate],
        part: usize,
    ) -> Result<Vec<Verdict>, MachineFailure> {
        let mut verdicts = self.fresh(relations, part)?;
        let standing: Vec<usize> =
            (0..relations.len()).filter(|&r| !verdicts[r].is_refuted()).collect();
        let hunted: Vec<Predicate> = standing.iter().map(|&r| relations[r].clone()).collect();
        let share = &self.share;
        let stop = || share.is_late(part);
        let found = match part {
            1 => self.filter.hunt(&hunted, self.plan.hunted, &stop)?,
            _ => self.filter.hunt_briefly(&hunted, self.plan.hunted / (part * PURSUED), &stop)?,
        };
        for (r, found) in standing.into_iter().zip(found) {
            verdicts[r] = verdicts[r].clone().and(found);
        }
        Ok(verdicts)
    }

    /// Notes what was refuted in a round, 0 for the last, each with a simplest counterexample.
    pub(super) fn remember(
        &self,
        claimed: &mut Search,
        relations: &[Predicate],
        verdicts: &[Verdict],
        round: usize,
    ) -> Result<(), MachineFailure> {
        claimed.lessons += 1;
        let schema = self.signature.schema().expect("names were checked with the signature");
        for (relation, verdict) in relations.iter().zip(verdicts) {
            let text = relation.display(&schema).to_string();
            let (Some(pair), Some(by)) = (verdict.counterexamples.first(), verdict.by) else {
                continue;
            };
            let refuted = &mut claimed.refuted;
            if refuted.len() < REMEMBERED && refuted.iter().all(|known| known.relation != text) {
                let stop = || self.share.is_over();
                let found = self.filter.refutation(relation, pair, by, &stop)?;
                refuted.push(Refutation { round, ..found });
            }
        }
        Ok(())
    }
}

/// The counterexamples, the same number of each relation as far as there are as many.
pub(super) fn lessons(verdicts: &[Verdict]) -> Vec<&Pair> {
    let most = verdicts.iter().map(|verdict| verdict.counterexamples.len()).max().unwrap_or(0);
    let turns = (0..most).flat_map(|turn| {
        verdicts.iter().filter_map(move |verdict| verdict.counterexamples.get(turn))
    });
    turns.take(LESSONS).collect()
}
