//! The search under one transformation: pairs, evolution, fresh inputs and the hunt, and what they teach.

use std::ops::ControlFlow;
use std::sync::Arc;

use genmorph_jit::{Predicate, Schema, parse};

use super::budget::Share;
use super::detectors;
use super::judge::{Judge, lessons};
use super::laws::{self, StandingLaw};
use super::material::Material;
use super::plainly::{self, Reported};
use super::plan::Plan;
use super::prospect::Prospect;
use super::report;
use super::{Event, GenerateError};
use crate::evolve::config::Report;
use crate::evolve::{Evolution, Generation, Outcome, Stop, StopReason, run as evolve};
use crate::executions::Executions;
use crate::executions::live::{Pairs, Runs, Settings};
use crate::explore::CallWords;
use crate::filter::{Drawn, Pair, Verdict};
use crate::record::relations::RelationKind;
use crate::record::search::Search;
use crate::subject::kinds::Observed;
use crate::subject::{Inputs, MachineFailure, Signature, Subject};
use crate::support::threads::Jobs;
use crate::transform::Transform;

/// What all searches of a run have in common.
#[derive(Clone)]
pub(super) struct Campaign<'c> {
    pub(super) subject: &'c dyn Subject,
    pub(super) plan: &'c Plan,
    /// The training mutants, by number.
    pub(super) distinct: &'c [usize],
    pub(super) sources: &'c Arc<Runs>,
    /// Fresh inputs, the same under every transformation.
    pub(super) drawn: Arc<Drawn>,
    pub(super) jobs: &'c Jobs,
    /// Of calls that are made together: what laws are about.
    pub(super) calls: Option<&'c CallWords>,
}

/// The result of a search.
#[derive(Clone, Debug)]
pub struct SearchResult {
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

impl SearchResult {
    pub(super) fn new(number: usize, transform: &Transform, signature: &Signature) -> SearchResult {
        SearchResult {
            number,
            transform: transform.clone(),
            relations: Vec::new(),
            claimed: report::blank(transform, signature),
            executions: None,
            generations: Vec::new(),
        }
    }

    /// On how many pairs of source inputs the function returns twice.
    pub(super) fn returned(&self) -> usize {
        let [pairs, failed, _] = self.claimed.pairs;
        pairs - failed
    }

    /// What it says of single executions.
    pub(super) fn postconditions(&self) -> impl Iterator<Item = &Predicate> {
        let kinds = self.claimed.relations().iter().map(|found| found.kind);
        let all = self.relations.iter().zip(kinds);
        all.filter(|(_, kind)| kind.is_of_single()).map(|(relation, _)| relation)
    }

    /// A search that an earlier run did; none if that was of another function.
    pub(super) fn done(
        number: usize,
        transform: &Transform,
        claimed: &Search,
        schema: &Schema,
    ) -> Option<SearchResult> {
        let found = claimed.results.iter().flat_map(|results| &results.relations);
        let relations = found.map(|found| parse(&found.relation, schema).ok());
        Some(SearchResult {
            relations: relations.collect::<Option<_>>()?,
            claimed: claimed.clone(),
            ..SearchResult::new(number, transform, &Signature::default())
        })
    }
}

/// Between rounds relations are tried on one part in this many of the fresh pairs, at the end on all.
pub(super) const ROUND: usize = 5;
/// How often what is to be reported is hunted, refuted and replaced, at most. A guess; mostly once is enough.
const LAST: usize = 8;

/// Begins to search under one transformation: its pairs, and the laws that stand. The result is whole if there is nothing to
/// learn from.
///
/// # Errors
/// When the machine fails.
pub(super) fn begin<'s>(
    campaign: &'s Campaign<'s>,
    number: usize,
    transform: &'s Transform,
    share: &Share,
    observe: &mut dyn FnMut(Event<'_>),
) -> Result<Result<Prospect<'s>, SearchResult>, GenerateError> {
    let mut searched = SearchResult::new(number, transform, campaign.subject.signature());
    let mut material = match Material::of(campaign, transform, share)? {
        Ok(material) => material,
        Err(problem) => {
            searched.claimed.problem = Some(problem.to_string());
            return Ok(Err(searched));
        }
    };
    let mut judge = Judge::new(campaign, transform, share);
    let laws = match campaign.plan.explores() {
        true => {
            let claimed = &mut searched.claimed;
            let wanted = RelationKind::Law;
            let found = laws::find(campaign, wanted, &mut material, &mut judge, claimed, observe)?;
            campaign.presented(found)
        }
        false => Vec::new(),
    };
    Ok(Ok(Prospect { campaign, material, judge, laws, searched }))
}

/// A search at work.
pub(super) struct SearchState<'s> {
    campaign: &'s Campaign<'s>,
    share: &'s Share,
    material: Material,
    judge: Judge<'s>,
    evolution: Evolution,
    /// Why evolution stopped last.
    reason: StopReason,
    laws: Vec<StandingLaw>,
    searched: SearchResult,
    observe: &'s mut dyn FnMut(Event<'_>),
}

/// The relations that a search would report.
pub(super) struct Choice {
    outcome: Outcome,
    /// What the filter says of each relation of the outcome.
    verdicts: Vec<Verdict>,
    /// How many relations were left out because too few pairs speak for them.
    doubtful: usize,
}

impl<'s> SearchState<'s> {
    pub(super) fn new(
        campaign: &'s Campaign<'s>,
        share: &'s Share,
        material: Material,
        judge: Judge<'s>,
        laws: Vec<StandingLaw>,
        searched: SearchResult,
        observe: &'s mut dyn FnMut(Event<'_>),
    ) -> Result<SearchState<'s>, GenerateError> {
        let plan = campaign.plan;
        let evolution = Evolution::new(&material.rest, &plan.config, plan.seed, plan.machine)?;
        let reason = StopReason::Generations;
        Ok(SearchState {
            campaign,
            share,
            material,
            judge,
            evolution,
            reason,
            laws,
            searched,
            observe,
        })
    }

    /// Evolves until there is a reason to stop.
    fn evolve(&mut self, stop: &Stop) {
        let SearchState { evolution, searched, observe, .. } = self;
        self.reason = evolve(evolution, stop, |evolution, generation| {
            observe(Event::Generation(evolution, stop, generation));
            searched.generations.push(generation.clone());
            ControlFlow::Continue(())
        });
    }

    /// Tries relations with one part in `part` of the effort, and remembers those that are refuted, with their round; the last one is 0.
    fn judge(
        &mut self,
        relations: &[Predicate],
        part: usize,
        round: usize,
    ) -> Result<Vec<Verdict>, MachineFailure> {
        let verdicts = self.judge.verdicts(relations, part)?;
        if !lessons(&verdicts).is_empty() {
            self.judge.remember(&mut self.searched.claimed, relations, &verdicts, round)?;
            (self.observe)(Event::Refuted(verdicts.iter().filter(|v| v.is_refuted()).count()));
        }
        Ok(verdicts)
    }

    /// Goes on with counterexamples among the rows.
    fn teach(mut self, lessons: &[&Pair]) -> Result<SearchState<'s>, GenerateError> {
        self.material.add(self.campaign, lessons)?;
        self.evolution = self.evolution.moved_to(&self.material.rest)?;
        Ok(self)
    }

    /// Evolves, judges and teaches in turns.
    pub(super) fn rounds(mut self) -> Result<SearchState<'s>, GenerateError> {
        let feedback = self.campaign.plan.feedback;
        for (round, stop) in (1..).zip(self.share.rounds(feedback)) {
            self.evolve(&stop);
            if self.reason == StopReason::Cancelled || !feedback || self.share.is_over() {
                break;
            }
            let relations = relations(&self.evolution.outcome());
            let verdicts = self.judge(&relations, ROUND, round)?;
            let lessons = lessons(&verdicts);
            if !lessons.is_empty() {
                self = self.teach(&lessons)?;
            } else if self.reason == StopReason::Settled {
                break;
            }
        }
        Ok(self)
    }

    /// Chooses what is to be reported, until nothing of it is refuted.
    pub(super) fn choose(mut self) -> Result<(SearchState<'s>, Choice), GenerateError> {
        let mut last = 1;
        loop {
            let (outcome, doubtful) = self.outcome()?;
            let verdicts = self.judge(&relations(&outcome), 1, 0)?;
            let lessons = lessons(&verdicts);
            let is_last = !self.campaign.plan.feedback || last == LAST;
            if lessons.is_empty() || is_last || self.share.is_over() {
                let too_few = verdicts.iter().filter(|verdict| verdict.is_doubtful()).count();
                return Ok((self, Choice { outcome, verdicts, doubtful: doubtful + too_few }));
            }
            last += 1;
            self = self.teach(&lessons)?;
            if let Some(stop) = self.share.rest() {
                self.evolve(&stop);
            }
        }
    }

    /// What evolution has come to, without what fresh inputs or people refute; and how many relations too few pairs speak for.
    fn outcome(&mut self) -> Result<(Outcome, usize), GenerateError> {
        let SearchState { campaign, material, judge, evolution, .. } = self;
        let mut doubtful = 0;
        let outcome = match campaign.plan.feedback {
            true => evolution.outcome_where(&mut |relations| {
                let verdicts = judge.fresh_or_none(relations);
                doubtful += verdicts.iter().filter(|verdict| verdict.is_doubtful()).count();
                let rejected = judge.review.is(relations, &material.rest);
                verdicts.iter().zip(rejected).map(|(v, rejected)| v.stands() && !rejected).collect()
            }),
            false => evolution.outcome(),
        };
        judge.failed()?;
        match outcome.refuted.first() {
            Some(wrong) => Err(GenerateError::Tiers(wrong.display(evolution.schema()).to_string())),
            None => Ok((outcome, doubtful)),
        }
    }

    /// Makes the result of the search from the relations that stand, in simpler forms unless the plan says otherwise.
    pub(super) fn report(self, choice: Choice) -> Result<SearchResult, GenerateError> {
        let SearchState { campaign, share, material, mut judge, evolution, laws, .. } = self;
        let SearchState { reason, mut searched, .. } = self;
        let Choice { mut outcome, verdicts, doubtful } = choice;
        let rest = &material.rest;
        searched.claimed.doubtful += doubtful;
        let rejected = judge.review.is(&relations(&outcome), rest);
        let found = std::mem::take(&mut outcome.relations).into_iter().zip(verdicts).zip(rejected);
        let found = found.filter(|((_, verdict), rejected)| verdict.stands() && !rejected);
        let mut reported: Reported = found.map(|(found, _)| found).collect();
        let mut needed = 0;
        if campaign.plan.config.report == Report::Plain {
            (reported, needed) = plainly::said(&reported, rest, &mut judge, campaign.jobs)?;
        }
        let texts: Vec<Predicate> =
            reported.iter().map(|(found, _)| found.relation.clone()).collect();
        let mut rejected = judge.review.says(&texts, rest);
        if campaign.plan.explores() {
            let words = laws::vocabulary(campaign.subject);
            for (rejected, text) in rejected.iter_mut().zip(&texts) {
                *rejected |= !detectors::is_reportable(text, rest, &words);
            }
        }
        needed -= rejected[..needed].iter().filter(|&&rejected| rejected).count();
        let reported = reported.into_iter().zip(rejected).filter(|(_, rejected)| !rejected);
        let reported = reported.map(|(reported, _)| reported).collect();
        // Asked last: trials and simplification are cut short as well as evolution.
        let reason = if share.is_cancelled() { StopReason::Cancelled } else { reason };
        let prospect = Prospect { campaign, material, judge, laws, searched };
        Ok(prospect.report(reported, needed, reason, Some(&evolution)))
    }
}

impl Campaign<'_> {
    /// How rows are made of pairs.
    pub(super) fn settings(&self) -> Settings {
        let plan = self.plan;
        Settings { tolerance: plan.tolerance, limits: plan.limits, seed: plan.seed.0 }
    }

    /// Laws as what they are reported: of values, or of outcomes.
    pub(super) fn presented(&self, mut laws: Vec<StandingLaw>) -> Vec<StandingLaw> {
        if self.subject.signature().observed == Observed::Outcomes {
            for law in &mut laws {
                law.presentation.kind = law.presentation.kind.of_outcomes();
            }
        }
        laws
    }

    /// All pairs that a transformation makes of the sources.
    pub(super) fn pairs(&self, transform: &Transform) -> Result<Pairs, MachineFailure> {
        let mutants = self.subject.mutants();
        let names = self.distinct.iter().map(|&number| mutants[number].name.clone()).collect();
        let signature = self.subject.signature();
        let mut pairs = Pairs::new(signature.of_executions(), transform.describe(), names);
        let (follow_ups, rows) = transform.follow_ups(&self.sources.inputs, signature);
        let runs =
            self.followed(transform.together().is_some(), self.sources, follow_ups, &rows)?;
        pairs.add(Arc::clone(self.sources), runs, rows);
        Ok(pairs)
    }

    /// Adds pairs that have shown relations to be wrong.
    pub(super) fn teach(&self, pairs: &mut Pairs, lessons: &[&Pair]) -> Result<(), MachineFailure> {
        let signature = self.subject.signature();
        let rows = |side: fn(&Pair) -> &[_]| {
            Inputs::from_rows(signature, lessons.iter().map(|pair| side(pair)))
        };
        let sources = Arc::new(self.run(rows(|pair| &pair.source))?);
        let all: Vec<usize> = (0..lessons.len()).collect();
        let follow_ups = rows(|pair| &pair.follow_up);
        let follow_ups = self.followed(self.calls.is_some(), &sources, follow_ups, &all)?;
        pairs.add(sources, follow_ups, all);
        Ok(())
    }

    /// The runs on follow-ups: those of their sources, if these are the same.
    fn followed(
        &self,
        are_sources: bool,
        sources: &Runs,
        follow_ups: Inputs,
        rows: &[usize],
    ) -> Result<Runs, MachineFailure> {
        match are_sources {
            true => Ok(sources.clone().rows(self.subject.signature(), rows)),
            false => self.run(follow_ups),
        }
    }

    fn run(&self, inputs: Inputs) -> Result<Runs, MachineFailure> {
        Runs::of(self.subject, self.distinct, inputs, self.jobs)
    }
}

fn relations(outcome: &Outcome) -> Vec<Predicate> {
    outcome.relations.iter().map(|found| found.relation.clone()).collect()
}
