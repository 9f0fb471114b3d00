//! The search under one transformation: pairs, evolution, fresh inputs and the hunt, and what they teach.

use std::ops::ControlFlow;
use std::sync::Arc;

use genmorph_jit::{Predicate, Schema, parse};

use super::budget::Share;
use super::plainly::{self, Reported};
use super::plan::Plan;
use super::report;
use super::review::Review;
use super::{Event, GenerateError};
use crate::evolve::config::Report;
use crate::evolve::{Evolution, Generation, Outcome, StopReason, run as evolve};
use crate::executions::Executions;
use crate::executions::live::{Pairs, Runs, Settings, Summary};
use crate::filter::{Filter, Pair, Verdict};
use crate::record::refuted::Refutation;
use crate::record::relations::RelationsFile;
use crate::record::search::Search;
use crate::subject::kinds::Signature;
use crate::subject::{Inputs, MachineFailure, Subject};
use crate::support::threads::Jobs;
use crate::transform::Transform;

/// What all searches of a run have in common.
pub(super) struct Campaign<'c> {
    pub(super) subject: &'c dyn Subject,
    pub(super) plan: &'c Plan,
    /// The training mutants, by number.
    pub(super) distinct: &'c [usize],
    pub(super) sources: &'c Arc<Runs>,
    pub(super) jobs: &'c Jobs,
}

/// What a search came to.
#[derive(Clone, Debug)]
pub struct Searched {
    /// Which search of the run it is, from 0.
    pub number: usize,
    /// How follow-up inputs are made.
    pub transform: Transform,
    /// The relations that stand.
    pub relations: Vec<Predicate>,
    /// What is written about it.
    pub claimed: Search,
    /// The executions that it ended with; none if there was nothing to learn from, or if it was done by an
    /// earlier run.
    pub executions: Option<Executions>,
    /// A record of each generation.
    pub generations: Vec<Generation>,
}

impl Searched {
    fn new(number: usize, transform: &Transform) -> Searched {
        Searched {
            number,
            transform: transform.clone(),
            relations: Vec::new(),
            claimed: report::blank(transform),
            executions: None,
            generations: Vec::new(),
        }
    }

    /// A search that an earlier run did; none if that was of another function.
    pub(super) fn done(
        number: usize,
        transform: &Transform,
        claimed: &Search,
        schema: &Schema,
    ) -> Option<Searched> {
        let found = claimed.results.iter().flat_map(|results| &results.relations);
        let relations = found.map(|found| parse(&found.relation, schema).ok());
        Some(Searched {
            relations: relations.collect::<Option<_>>()?,
            claimed: claimed.clone(),
            ..Searched::new(number, transform)
        })
    }
}

/// Counterexamples that a round teaches, at most.
const LESSONS: usize = 120;
/// Between rounds relations are tried on one part in so many of the fresh pairs, at the end on all…
const ROUND: usize = 5;
/// …and hunted with one part in so many of the calls, as often: a call of the hunt costs several times one on fresh inputs.
const PURSUED: usize = 5;
/// How often what is to be reported is hunted, refuted and replaced, at most. A guess; mostly once is enough.
const LAST: usize = 8;
/// Refuted relations that are remembered.
const REMEMBERED: usize = 100;

pub(super) fn run(
    campaign: &Campaign<'_>,
    number: usize,
    transform: &Transform,
    share: &Share,
    observe: &mut dyn FnMut(Event<'_>),
) -> Result<Searched, GenerateError> {
    let Campaign { subject, plan, sources, jobs, .. } = *campaign;
    let mut searched = Searched::new(number, transform);
    let mut pairs = campaign.pairs(transform)?;
    let settings = Settings { tolerance: plan.tolerance, limits: plan.limits, seed: plan.seed.0 };
    let (mut executions, mut summary) = match pairs.executions(&settings) {
        Ok(made) => made,
        Err(problem) => {
            searched.claimed.problem = Some(problem.to_string());
            return Ok(searched);
        }
    };
    let filter = Filter::new(subject, transform, &sources.inputs, plan.tolerance, plan.seed, jobs);
    let signature = subject.signature().of_executions();
    let review = Review::of(plan, transform);
    let mut judge = Judge { filter, plan, share, signature, review, failure: None };
    let mut evolution = Evolution::new(&executions, &plan.config, plan.seed, plan.machine)?;
    let mut reason = StopReason::Generations;
    for (round, stop) in (1..).zip(share.rounds(plan.feedback)) {
        reason = evolve(&mut evolution, &stop, |evolution, generation| {
            observe(Event::Generation(evolution, &stop, generation));
            searched.generations.push(generation.clone());
            ControlFlow::Continue(())
        });
        if reason == StopReason::Cancelled || !plan.feedback || share.is_over() {
            break;
        }
        let relations = relations(&evolution.outcome());
        let verdicts = judge.verdicts(&relations, ROUND)?;
        let lessons = lessons(&verdicts);
        if !lessons.is_empty() {
            judge.remember(&mut searched.claimed, &relations, &verdicts, round)?;
            observe(Event::Refuted(verdicts.iter().filter(|v| v.is_refuted()).count()));
            campaign.teach(&mut pairs, &lessons)?;
            (executions, summary) =
                pairs.executions(&settings).expect("more pairs make no fewer rows");
            evolution = evolution.moved_to(&executions)?;
        } else if reason == StopReason::Settled {
            break;
        }
    }
    let (mut outcome, mut verdicts, mut doubtful);
    let mut last = 1;
    loop {
        doubtful = 0;
        outcome = match plan.feedback {
            true => evolution.outcome_where(&mut |relations| {
                let verdicts = judge.fresh_or_none(relations);
                doubtful += verdicts.iter().filter(|verdict| verdict.is_doubtful()).count();
                let rejected = judge.review.is(relations, &executions);
                verdicts.iter().zip(rejected).map(|(v, rejected)| v.stands() && !rejected).collect()
            }),
            false => evolution.outcome(),
        };
        judge.failed()?;
        if let Some(wrong) = outcome.refuted.first() {
            return Err(GenerateError::Tiers(wrong.display(evolution.schema()).to_string()));
        }
        let relations = relations(&outcome);
        verdicts = judge.verdicts(&relations, 1)?;
        let lessons = lessons(&verdicts);
        if !lessons.is_empty() {
            judge.remember(&mut searched.claimed, &relations, &verdicts, 0)?;
            observe(Event::Refuted(verdicts.iter().filter(|v| v.is_refuted()).count()));
        }
        if lessons.is_empty() || !plan.feedback || last == LAST || share.is_over() {
            break;
        }
        last += 1;
        campaign.teach(&mut pairs, &lessons)?;
        (executions, summary) = pairs.executions(&settings).expect("more pairs make no fewer rows");
        evolution = evolution.moved_to(&executions)?;
        if let Some(stop) = share.rest() {
            reason = evolve(&mut evolution, &stop, |evolution, generation| {
                observe(Event::Generation(evolution, &stop, generation));
                searched.generations.push(generation.clone());
                ControlFlow::Continue(())
            });
        }
    }
    doubtful += verdicts.iter().filter(|verdict| verdict.is_doubtful()).count();
    searched.claimed.doubtful = doubtful;
    let rejected = judge.review.is(&relations(&outcome), &executions);
    let found = std::mem::take(&mut outcome.relations).into_iter().zip(verdicts).zip(rejected);
    let found = found.filter(|((_, verdict), rejected)| verdict.stands() && !rejected);
    let mut reported: Reported = found.map(|(found, _)| found).collect();
    if plan.config.report == Report::Plain {
        (reported, searched.claimed.needed) =
            plainly::said(&reported, &executions, &mut judge, jobs)?;
    }
    let said: Vec<Predicate> = reported.iter().map(|(found, _)| found.relation.clone()).collect();
    let rejected = judge.review.says(&said, &executions);
    let needed = searched.claimed.needed;
    searched.claimed.needed -= rejected[..needed].iter().filter(|&&rejected| rejected).count();
    let reported = reported.into_iter().zip(rejected).filter(|(_, rejected)| !rejected);
    let verdicts: Vec<Verdict>;
    (outcome.relations, verdicts) = reported.map(|(reported, _)| reported).unzip();
    searched.claimed.tried = verdicts.iter().map(|verdict| verdict.tried).collect();
    searched.claimed.evidence = verdicts.iter().map(Verdict::evidence).collect();
    searched.claimed.left_out = judge.review.met();
    searched.claimed.branches = [judge.filter.covered(), 2 * subject.branches().len()];
    let Summary { pairs, failed, crashes, .. } = summary;
    searched.claimed.pairs = [pairs, failed, crashes];
    searched.relations = relations(&outcome);
    searched.claimed.results = Some(RelationsFile::new(&executions, &evolution, &outcome, reason));
    searched.executions = Some(executions);
    Ok(searched)
}

/// What says whether relations are true, as far as the time of a search allows.
pub(super) struct Judge<'j> {
    filter: Filter<'j>,
    plan: &'j Plan,
    share: &'j Share,
    signature: Signature,
    review: Review<'j>,
    /// Why the machine could not answer a search that has no way to be told.
    failure: Option<MachineFailure>,
}

impl Judge<'_> {
    /// Tries relations on one part in so many of the fresh pairs.
    fn fresh(
        &mut self,
        relations: &[Predicate],
        part: usize,
    ) -> Result<Vec<Verdict>, MachineFailure> {
        let share = self.share;
        self.filter.judge(relations, self.plan.fresh / part, &|| share.is_over())
    }

    /// Tries relations on all fresh pairs, for a caller that cannot be told of a failure: after one no relation stands, and
    /// [`Judge::failed`] has to be asked before anything is made of the answers.
    fn fresh_or_none(&mut self, relations: &[Predicate]) -> Vec<Verdict> {
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

    /// Whether the time of the search is up.
    pub(super) fn is_over(&self) -> bool {
        self.share.is_over()
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
        let share = self.share;
        let effort = if part == 1 { self.plan.hunted } else { self.plan.hunted / (part * PURSUED) };
        let found = self.filter.hunt(&hunted, effort, &|| share.is_over())?;
        for (r, found) in standing.into_iter().zip(found) {
            verdicts[r] = verdicts[r].clone().and(found);
        }
        Ok(verdicts)
    }

    /// Notes what was refuted in a round, 0 for the last, each with a simplest counterexample.
    fn remember(
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
                let shrunk = self.filter.shrink(relation, pair, &|| self.share.is_over())?;
                let is_shrunk = shrunk != *pair;
                let found = shrunk.refutation(text, &self.signature);
                refuted.push(Refutation { by: by.name().to_owned(), round, is_shrunk, ..found });
            }
        }
        Ok(())
    }
}

impl Campaign<'_> {
    /// All pairs that a transformation makes of the sources.
    fn pairs(&self, transform: &Transform) -> Result<Pairs, MachineFailure> {
        let mutants = self.subject.mutants();
        let names = self.distinct.iter().map(|&number| mutants[number].name.clone()).collect();
        let signature = self.subject.signature();
        let mut pairs = Pairs::new(signature.of_executions(), transform.describe(), names);
        let (follow_ups, rows) = transform.follow_ups(&self.sources.inputs, signature);
        pairs.add(Arc::clone(self.sources), self.run(follow_ups)?, rows);
        Ok(pairs)
    }

    /// Adds pairs that have shown relations to be wrong.
    fn teach(&self, pairs: &mut Pairs, lessons: &[&Pair]) -> Result<(), MachineFailure> {
        let signature = self.subject.signature();
        let rows = |side: fn(&Pair) -> &[_]| {
            Inputs::from_rows(signature, lessons.iter().map(|pair| side(pair)))
        };
        let sources = Arc::new(self.run(rows(|pair| &pair.source))?);
        let follow_ups = self.run(rows(|pair| &pair.follow_up))?;
        pairs.add(sources, follow_ups, (0..lessons.len()).collect());
        Ok(())
    }

    fn run(&self, inputs: Inputs) -> Result<Runs, MachineFailure> {
        Runs::of(self.subject, self.distinct, inputs, self.jobs)
    }
}

fn relations(outcome: &Outcome) -> Vec<Predicate> {
    outcome.relations.iter().map(|found| found.relation.clone()).collect()
}

/// The counterexamples, the same number of each relation as far as there are as many.
fn lessons(verdicts: &[Verdict]) -> Vec<&Pair> {
    let most = verdicts.iter().map(|verdict| verdict.counterexamples.len()).max().unwrap_or(0);
    let turns = (0..most).flat_map(|turn| {
        verdicts.iter().filter_map(move |verdict| verdict.counterexamples.get(turn))
    });
    turns.take(LESSONS).collect()
}
