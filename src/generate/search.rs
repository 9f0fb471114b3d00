//! The search under one transformation: pairs, evolution, fresh inputs, and what they teach.

use std::ops::ControlFlow;
use std::sync::Arc;

use genmorph_jit::{Predicate, Schema, parse};

use super::budget::Share;
use super::plan::Plan;
use super::report::{Claimed, Refuted};
use super::{Event, GenerateError};
use crate::campaign::{Pairs, Runs, Settings, Summary};
use crate::evolve::{Evolution, Generation, Outcome, StopReason, run as evolve};
use crate::executions::{Executions, Signature};
use crate::filter::{Filter, Pair, Verdict};
use crate::results::Results;
use crate::subject::{Inputs, Subject};
use crate::threads::Jobs;
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
    pub claimed: Claimed,
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
            claimed: Claimed::new(transform),
            executions: None,
            generations: Vec::new(),
        }
    }

    /// A search that an earlier run did; none if that was of another function.
    pub(super) fn done(
        number: usize,
        transform: &Transform,
        claimed: &Claimed,
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
/// Between rounds relations are tried on one part in so many of the fresh pairs, at the end on all.
const ROUND: usize = 5;
/// Refuted relations that are remembered.
const REMEMBERED: usize = 100;

pub(super) fn run(
    campaign: &Campaign<'_>,
    number: usize,
    transform: &Transform,
    share: &Share,
    observe: &mut dyn FnMut(Event<'_>),
) -> Result<Searched, GenerateError> {
    let Campaign { subject, plan, sources, .. } = *campaign;
    let mut searched = Searched::new(number, transform);
    let signature = subject.signature().of_executions();
    let mut pairs = campaign.pairs(transform);
    let settings = Settings { tolerance: plan.tolerance, limits: plan.limits, seed: plan.seed.0 };
    let (mut executions, mut summary) = match pairs.executions(&settings) {
        Ok(made) => made,
        Err(problem) => {
            searched.claimed.problem = Some(problem.to_string());
            return Ok(searched);
        }
    };
    let mut filter = Filter::new(subject, transform, &sources.inputs, plan.tolerance, plan.seed);
    let mut evolution = Evolution::new(&executions, &plan.config, plan.seed, plan.machine)?;
    let mut reason = StopReason::Generations;
    for stop in share.rounds() {
        reason = evolve(&mut evolution, &stop, |evolution, generation| {
            observe(Event::Generation(evolution, &stop, generation));
            searched.generations.push(generation.clone());
            ControlFlow::Continue(())
        });
        let outcome = evolution.outcome();
        let verdicts = filter.judge(&relations(&outcome), plan.fresh / ROUND);
        let lessons = lessons(&verdicts);
        if !lessons.is_empty() {
            remember(&mut searched.claimed.refuted, &outcome, &verdicts, &signature);
            searched.claimed.lessons += 1;
            let refuted = verdicts.iter().filter(|verdict| !verdict.counterexamples.is_empty());
            observe(Event::Refuted(refuted.count()));
            campaign.teach(&mut pairs, &lessons);
            (executions, summary) =
                pairs.executions(&settings).expect("more pairs make no fewer rows");
            evolution = evolution.moved_to(&executions)?;
        } else if reason == StopReason::Settled {
            break;
        }
        if reason == StopReason::Cancelled {
            break;
        }
    }
    let mut outcome = evolution.outcome_where(&mut |relations| {
        let verdicts = filter.judge(relations, plan.fresh);
        verdicts.iter().map(Verdict::stands).collect()
    });
    if let Some(wrong) = outcome.refuted.first() {
        return Err(GenerateError::Tiers(wrong.display(evolution.schema()).to_string()));
    }
    // What is reported has been judged already; this only looks up on how many pairs, and drops parts of a
    // conjunction that nobody was asked about, should they not stand.
    let verdicts = filter.judge(&relations(&outcome), plan.fresh);
    let mut stands = verdicts.iter().map(Verdict::stands);
    outcome.relations.retain(|_| stands.next().unwrap_or(false));
    let standing = verdicts.iter().filter(|verdict| verdict.stands());
    searched.claimed.tried = standing.map(|verdict| verdict.tried).collect();
    let Summary { pairs, failed, crashes, .. } = summary;
    searched.claimed.pairs = [pairs, failed, crashes];
    searched.relations = relations(&outcome);
    searched.claimed.results = Some(Results::new(&executions, &evolution, &outcome, reason));
    searched.executions = Some(executions);
    Ok(searched)
}

impl Campaign<'_> {
    /// All pairs that a transformation makes of the sources.
    fn pairs(&self, transform: &Transform) -> Pairs {
        let mutants = self.subject.mutants();
        let names = self.distinct.iter().map(|&number| mutants[number].name.clone()).collect();
        let signature = self.subject.signature();
        let mut pairs = Pairs::new(signature.of_executions(), transform.describe(), names);
        let (follow_ups, rows) = transform.follow_ups(&self.sources.inputs, signature);
        pairs.add(Arc::clone(self.sources), self.run(follow_ups), rows);
        pairs
    }

    /// Adds pairs that have shown relations to be wrong.
    fn teach(&self, pairs: &mut Pairs, lessons: &[&Pair]) {
        let signature = self.subject.signature();
        let rows = |side: fn(&Pair) -> &[_]| {
            Inputs::from_rows(signature, lessons.iter().map(|pair| side(pair)))
        };
        let sources = Arc::new(self.run(rows(|pair| &pair.source)));
        let follow_ups = self.run(rows(|pair| &pair.follow_up));
        pairs.add(sources, follow_ups, (0..lessons.len()).collect());
    }

    fn run(&self, inputs: Inputs) -> Runs {
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

fn remember(
    refuted: &mut Vec<Refuted>,
    outcome: &Outcome,
    verdicts: &[Verdict],
    signature: &Signature,
) {
    for (found, verdict) in outcome.relations.iter().zip(verdicts) {
        let text = found.text();
        if let Some(pair) = verdict.counterexamples.first()
            && refuted.len() < REMEMBERED
            && refuted.iter().all(|known| known.relation != text)
        {
            refuted.push(Refuted::new(text, pair, signature));
        }
    }
}
