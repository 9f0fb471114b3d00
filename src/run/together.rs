//! Laws of calls that are made together: round trips, equivalence, and what the results for two sources say of that for both.
//!
//! [`Composed`] makes a function of such calls, so what is searched are the laws of its single executions. It is looked for before
//! anything else if there is a second function, and after the transformations if there are only second sources.

use std::sync::Arc;

use genmorph_jit::{Node, Op, Predicate, Type};

use super::budget::{Clock, Share};
use super::plan::{Plan, Transformations};
use super::prepared::Preparation;
use super::search::{self, Campaign, SearchResult};
use super::{Event, GenerateError, withdrawal};
use crate::assess::{Claim, Judgement};
use crate::executions::live::{Census, Runs};
use crate::explore::CallWords;
use crate::filter::{By, Filter, fresh};
use crate::subject::together::{Composed, Role, Together};
use crate::subject::{
    Group, Inputs, MachineFailure, Outcome, Outcomes, Signature, Subject, Version, Within,
};
use crate::support::seed::Seed;
use crate::support::threads::Jobs;
use crate::transform::{Instance, Template, Transform};

/// Ways of putting calls with a second source together that are tried, at most. A guess.
const SECOND_SOURCES: usize = 3;
/// One of them for so many transformations.
const FOR_EACH: usize = 4;
/// What the campaigns of second sources may cost, as a share of the calls of all others.
const SHARE: f64 = 0.4;
/// The part of the fresh pairs and of the hunt: a row has up to four calls.
const PART: usize = 4;
/// On how many inputs calls are made several times, to see whether their results depend on anything else.
const CHECKED: usize = 200;
/// Rows of a campaign, at least.
const FEWEST: usize = 100;
/// Unseen inputs on which laws are judged.
const UNSEEN: usize = 400;
/// One row in this many must return, for anything to be learned.
const RARE: usize = 20;

/// What calls of a run are put together, each with the transformation that stands for it.
pub(super) struct Compositions {
    list: Vec<Composition>,
    /// The numbers of searches begin here.
    first: usize,
}

struct Composition {
    how: Together,
    on: Vec<String>,
    signature: Signature,
    transform: Transform,
}

impl Compositions {
    /// Those that a plan names, or those that fit.
    ///
    /// # Errors
    /// When one that is named does not fit.
    pub(super) fn of(
        subject: &dyn Subject,
        plan: &Plan,
        first: usize,
    ) -> Result<Compositions, GenerateError> {
        let signature = subject.signature();
        let interface = signature.of_executions();
        let chosen: Vec<(Together, Vec<String>)> = match &plan.transformations {
            Transformations::Named(named) => {
                let of = |instance: &Instance| {
                    Some((instance.together()?.clone(), instance.parameters.clone()))
                };
                named.iter().filter_map(of).collect()
            }
            Transformations::Sampled(count) if plan.explores() => {
                let all = interface.compositions().into_iter();
                let fitting = all.filter(|(how, on)| signature.together(how, on).is_ok());
                let is_second = |(how, _): &(Together, _)| matches!(how, Together::Second(..));
                let (mut second, sources): (Vec<_>, Vec<_>) = fitting.partition(is_second);
                // Who wants few transformations wants no second sources.
                let most = SECOND_SOURCES.min(count / FOR_EACH);
                second.extend(sources.into_iter().take(most));
                second
            }
            Transformations::Sampled(_) => Vec::new(),
        };
        let mut list = Vec::new();
        for (how, on) in chosen {
            let template = Template::Together(how.clone());
            let instance = Instance { template, parameters: on.clone() };
            let (transform, _) = instance.bind_any(&interface)?;
            let signature = signature
                .together(&how, &on)
                .map_err(crate::transform::TransformError::Together)?;
            list.push(Composition { how, on, signature, transform });
        }
        Ok(Compositions { list, first })
    }

    /// How many there are.
    pub(super) fn count(&self) -> usize {
        self.list.len()
    }

    /// Searches for laws with the second function, or with a second source.
    ///
    /// # Errors
    /// When the machine fails.
    pub(super) fn search(
        &self,
        wanted: Wanted,
        campaign: &Campaign<'_>,
        prepared: &Preparation,
        clock: &Clock,
        parts: usize,
        observe: &mut dyn FnMut(Event<'_>),
    ) -> Result<Vec<SearchResult>, GenerateError> {
        let mut searched = Vec::new();
        let chosen = self.list.iter().enumerate().filter(|(_, found)| found.wanted() == wanted);
        let chosen: Vec<(usize, &Composition)> = chosen.collect();
        for (done, (place, composition)) in chosen.iter().enumerate() {
            let number = self.first + place;
            let transform = &composition.transform;
            let schema = composition.signature.of_executions().schema();
            let schema = schema.expect("names were checked with the composition");
            let known =
                campaign.plan.done(&transform.describe().name, composition.signature.observed);
            if let Some(done) =
                known.and_then(|done| SearchResult::done(number, transform, done, &schema))
            {
                observe(Event::Found(&done));
                searched.push(done);
                continue;
            }
            if clock.is_over() {
                break;
            }
            observe(Event::Search(number, self.first + self.count(), transform));
            let share = clock.share((parts + chosen.len() - done).max(1));
            let rows = match wanted {
                Wanted::SecondFunction => prepared.sources.inputs.len(),
                Wanted::SecondSource => {
                    let all = prepared.sources.inputs.len();
                    let rounds = 1 + self.first / 2;
                    let calls = SHARE * (all * rounds) as f64 / chosen.len() as f64;
                    ((calls / composition.calls()) as usize).clamp(FEWEST, all.max(FEWEST))
                }
            };
            let found = composition.search(number, campaign, prepared, rows, &share, observe)?;
            // That two sources have nothing to do with each other is what everybody expects.
            if wanted == Wanted::SecondFunction || !found.relations.is_empty() {
                observe(Event::Found(&found));
                searched.push(found);
            }
        }
        Ok(searched)
    }

    /// Withdraws laws that unseen inputs refute, and adds what the others kill to a judgement.
    ///
    /// # Errors
    /// When the machine fails.
    pub(super) fn judge(
        &self,
        judgement: &mut Judgement,
        subject: &dyn Subject,
        plan: &Plan,
        searched: &[SearchResult],
        jobs: &Jobs,
    ) -> Result<(), MachineFailure> {
        for (place, composition) in self.list.iter().enumerate() {
            let number = self.first + place;
            let found = searched.iter().find(|search| search.number == number);
            let Some(found) = found.filter(|found| !found.relations.is_empty()) else { continue };
            let composed = composition.composed(subject);
            let unseen = composition.unseen(&composed, plan);
            let claim = Claim { transform: &found.transform, relations: &found.relations };
            judgement.add(&composed, &[claim], &unseen, plan.tolerance, jobs)?;
        }
        Ok(())
    }

    /// Withdraws laws that are false on inputs that no search has seen.
    ///
    /// # Errors
    /// When the machine fails.
    pub(super) fn withdraw(
        &self,
        subject: &dyn Subject,
        plan: &Plan,
        searched: &mut [SearchResult],
        jobs: &Jobs,
        observe: &mut dyn FnMut(Event<'_>),
    ) -> Result<(), MachineFailure> {
        for (place, composition) in self.list.iter().enumerate() {
            let number = self.first + place;
            let mut of_it: Vec<&mut SearchResult> =
                searched.iter_mut().filter(|search| search.number == number).collect();
            let Some(found) = of_it.first_mut().filter(|found| !found.relations.is_empty()) else {
                continue;
            };
            let composed = composition.composed(subject);
            let unseen = composition.unseen(&composed, plan);
            withdrawal::withdraw_of(&composed, plan, (&unseen, &unseen), found, jobs, observe)?;
        }
        Ok(())
    }
}

/// Which compositions are searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Wanted {
    SecondFunction,
    SecondSource,
}

impl Composition {
    fn wanted(&self) -> Wanted {
        match self.how {
            Together::Second(..) => Wanted::SecondFunction,
            Together::Concat | Together::Sum | Together::Associate | Together::Triangle => {
                Wanted::SecondSource
            }
        }
    }

    fn composed<'s>(&self, subject: &'s dyn Subject) -> Composed<'s> {
        Composed::new(subject, &self.how, &self.on).expect("the types were checked with the plan")
    }

    /// How many calls a row has.
    fn calls(&self) -> f64 {
        if self.how == Together::Associate { 4.0 } else { 3.0 }
    }

    /// What laws are about.
    fn words(&self) -> CallWords {
        let outputs = self.signature.results.iter().map(|result| result.name.clone());
        let others = outputs.filter(|name| name != self.how.principal());
        let inputs = self.signature.parameters.iter().map(|parameter| parameter.name.clone());
        let (others, has_inputs): (Vec<String>, bool) = match &self.how {
            // What the second function makes of a result is its own affair, so laws do not have that result.
            Together::Second(Role::Inverse | Role::Then, _) => {
                (inputs.chain(others.filter(|name| name != "out")).collect(), true)
            }
            Together::Second(Role::SameAs, _) => (others.collect(), true),
            Together::Concat | Together::Sum | Together::Associate | Together::Triangle => {
                (others.collect(), false)
            }
        };
        let is_fixed = matches!(self.how, Together::Second(Role::Then, _));
        CallWords { principal: self.how.principal().to_owned(), others, has_inputs, is_fixed }
    }

    /// Inputs that neither the search nor the filter has seen.
    fn unseen(&self, composed: &Composed<'_>, plan: &Plan) -> Inputs {
        let seed = Seed(plan.seed.stream("unseen together").rng().next());
        let signature = composed.signature();
        fresh::inputs(signature, composed.constants(), &Inputs::new(signature), seed, UNSEEN)
    }

    /// The laws of one composition.
    fn search(
        &self,
        number: usize,
        campaign: &Campaign<'_>,
        prepared: &Preparation,
        rows: usize,
        share: &Share,
        observe: &mut dyn FnMut(Event<'_>),
    ) -> Result<SearchResult, GenerateError> {
        let &Campaign { subject, plan, jobs, .. } = campaign;
        let composed = self.composed(subject);
        let within = Within::new(&composed, share.paired());
        let signature = composed.signature();
        let inputs = self.inputs(&composed, prepared, plan, rows);
        let without = |problem: String| {
            let mut without = SearchResult::new(number, &self.transform, signature);
            without.claimed.problem = Some(problem);
            Ok(without)
        };
        let original = within.run(Version::Original, &inputs)?;
        if let Some(problem) = self.problem(&original) {
            return without(problem);
        }
        let returned = (0..inputs.len()).filter(|&row| original.is_returned(row));
        let inputs = inputs.only(signature, returned);
        let some = inputs.only(signature, 0..inputs.len().min(CHECKED));
        if let Err(unsteady) = within.steadiness(&some, within.deadline())?.check() {
            return without(unsteady.to_string());
        }
        let mut training = prepared.distinct.clone();
        training.extend(
            composed.mutants_of(Group::A).into_iter().filter(|&m| m >= composed.of_first()),
        );
        let runs = Runs::of(&within, &training, inputs, jobs)?;
        let (kept, rows) = runs.whole();
        let kept: Vec<usize> = kept.into_iter().map(|place| training[place]).collect();
        let runs = runs.only(&training, &kept).rows(signature, &rows);
        let distinct = Census::of(&runs, &kept, &plan.tolerance).distinct();
        let runs = Arc::new(runs.only(&kept, &distinct));
        let plan = Plan { fresh: plan.fresh / PART, hunted: plan.hunted / PART, ..plan.clone() };
        let words = self.words();
        let within = Within::new(&composed, subject.deadline().clone());
        let campaign = Campaign {
            subject: &within,
            plan: &plan,
            distinct: &distinct,
            sources: &runs,
            drawn: Arc::default(),
            jobs,
            calls: Some(&words),
        };
        let mut found = match search::begin(&campaign, number, &self.transform, share, observe)? {
            Ok(prospect) => prospect.conclude(share.is_cancelled()),
            Err(without_rows) => without_rows,
        };
        if let Some(expected) =
            self.expected().filter(|expected| !found.relations.contains(expected))
        {
            let sources = &runs.inputs;
            let mut filter =
                Filter::new(&within, &self.transform, sources, plan.tolerance, plan.seed, jobs);
            let expected = [expected];
            let mut verdicts = filter.judge_on(&expected, sources)?;
            if verdicts[0].counterexamples.is_empty() {
                verdicts = filter.judge(&expected, plan.fresh, &|| share.is_over())?;
            }
            if let Some(pair) = verdicts[0].counterexamples.first() {
                let stop = || share.is_cancelled();
                found.claimed.unexpected =
                    Some(filter.refutation(&expected[0], pair, By::Fresh, &stop)?);
            }
        }
        Ok(found)
    }

    /// What everybody expects of the second function: that it gives back the first argument, or the same result.
    fn expected(&self) -> Option<Predicate> {
        let Together::Second(role, _) = &self.how else { return None };
        let other = match role {
            Role::Inverse => &self.signature.parameters.first()?.name,
            Role::SameAs => &self.signature.results.first()?.name,
            Role::Then => return None,
        };
        let schema = self.signature.of_executions().schema().ok()?;
        let sides = [self.how.principal(), other].map(|name| schema.var(&format!("{name}_s")));
        let [Some(principal), Some(other)] = sides else { return None };
        let equal = match schema.type_of(principal)? {
            Type::Num => Op::NumEq,
            Type::Bool => Op::Iff,
            Type::Seq => Op::SeqEq,
        };
        let nodes = vec![Node::Var(principal), Node::Var(other), Node::Op(equal)];
        Predicate::new(nodes.into(), &schema).ok()
    }

    /// Inputs of all calls: half of them from the sources of the function, half of them fresh.
    fn inputs(
        &self,
        composed: &Composed<'_>,
        prepared: &Preparation,
        plan: &Plan,
        rows: usize,
    ) -> Inputs {
        let signature = composed.signature();
        let all = composed.sources(&prepared.sources.inputs);
        let half = all.len().min(rows / 2);
        let mut inputs = all.only(signature, (0..half).map(|at| at * all.len() / half.max(1)));
        let seed = Seed(plan.seed.stream("together").rng().next());
        let more = fresh::inputs(signature, composed.constants(), &inputs, seed, rows - half);
        (0..more.len()).for_each(|row| inputs.push(&more.row(row).collect::<Vec<_>>()));
        inputs
    }

    /// Why nothing can be learned of these calls, if so.
    fn problem(&self, outcomes: &Outcomes) -> Option<String> {
        let all = outcomes.len();
        let returned = (0..all).filter(|&row| outcomes.is_returned(row)).count();
        if returned > 0 && returned * RARE >= all {
            return None;
        }
        let mut ends: Vec<(Outcome, usize)> = Vec::new();
        for outcome in outcomes.outcomes().iter().filter(|outcome| **outcome != Outcome::Returned) {
            match ends.iter_mut().find(|(known, _)| known == outcome) {
                Some((_, count)) => *count += 1,
                None => ends.push((*outcome, 1)),
            }
        }
        let most = ends.iter().max_by_key(|(_, count)| *count);
        let why = most.map_or("there are no inputs".to_owned(), |(outcome, count)| match outcome {
            Outcome::BadOutput => {
                format!(
                    "{count} times an argument was outside of the type or domain of its parameter"
                )
            }
            outcome => format!("{count} times a call {outcome}"),
        });
        Some(format!("only {returned} of {all} inputs return: {why}"))
    }
}
