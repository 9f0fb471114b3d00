//! A search whose laws are known: its postconditions, the detectors beside the laws, and what is written about them.

use genmorph_jit::Predicate;

use super::budget::Share;
use super::judge::Judge;
use super::laws::{self, StandingLaw};
use super::material::Material;
use super::plainly::Reported;
use super::search::{Campaign, SearchResult, SearchState};
use super::{Event, GenerateError};
use crate::evolve::{Evolution, Found, StopReason, holds_on_correct_rows};
use crate::executions::INCORRECT;
use crate::executions::live::Summary;
use crate::explore;
use crate::filter::Verdict;
use crate::record::relations::{Presentation, RelationKind, RelationsFile, SearchRun};
use crate::simplify::Simplifier;
use crate::subject::MachineFailure;

/// A search whose laws are known.
pub(super) struct Prospect<'s> {
    pub(super) campaign: &'s Campaign<'s>,
    pub(super) material: Material,
    pub(super) judge: Judge<'s>,
    pub(super) laws: Vec<StandingLaw>,
    pub(super) searched: SearchResult,
}

impl<'s> Prospect<'s> {
    /// The postconditions that were found with its laws.
    pub(super) fn postconditions(&self) -> impl Iterator<Item = &Predicate> {
        let is_of_single = |law: &&StandingLaw| law.presentation.kind.is_of_single();
        self.laws.iter().filter(is_of_single).map(|law| &law.relation)
    }

    /// On how many pairs of source inputs the function returns twice.
    pub(super) fn returned(&self) -> usize {
        self.material.summary.pairs - self.material.summary.failed
    }

    /// Looks for what holds of every single execution.
    ///
    /// # Errors
    /// When the machine fails.
    pub(super) fn find_postconditions(
        &mut self,
        share: &Share,
        observe: &mut dyn FnMut(Event<'_>),
    ) -> Result<(), MachineFailure> {
        let Prospect { campaign, material, judge, laws, searched } = self;
        judge.moved_to(share);
        let claimed = &mut searched.claimed;
        let wanted = RelationKind::Postcondition;
        let found = laws::find(campaign, wanted, material, judge, claimed, observe)?;
        laws.extend(campaign.presented(found));
        Ok(())
    }

    /// Forgets postconditions that turned out to be wrong.
    pub(super) fn drop_postconditions(&mut self, wrong: &[Predicate]) {
        let is_law = |law: &StandingLaw| !law.presentation.kind.is_of_single();
        self.laws.retain(|law| is_law(law) || !wrong.contains(&law.relation));
    }

    /// Whether a postcondition holds of the sources and the follow-ups of all correct rows.
    pub(super) fn satisfies(&self, postcondition: &Predicate) -> bool {
        let table = &self.material.executions.table;
        let of_follow_up = explore::of_follow_up(postcondition, table.schema());
        let jobs = self.campaign.jobs;
        [postcondition, &of_follow_up].iter().all(|p| holds_on_correct_rows(p, table, jobs))
    }

    /// Looks for detectors: relations that catch mutants which neither laws nor the postconditions of the function catch; then chooses
    /// what is reported.
    ///
    /// # Errors
    /// When the machine fails, or tiers disagree.
    pub(super) fn finish(
        mut self,
        postconditions: &[Predicate],
        share: &'s Share,
        observe: &'s mut dyn FnMut(Event<'_>),
    ) -> Result<SearchResult, GenerateError> {
        self.judge.moved_to(share);
        self.material.keep_unrefuted(&self.laws, postconditions);
        if self.material.rest.count(INCORRECT) == 0 || share.is_over() {
            let stop = match share.is_cancelled() {
                true => StopReason::Cancelled,
                false if share.is_over() => StopReason::Time,
                false => StopReason::Settled,
            };
            return Ok(self.report(Vec::new(), 0, stop, None));
        }
        let Prospect { campaign, material, judge, laws, searched } = self;
        let search = SearchState::new(campaign, share, material, judge, laws, searched, observe)?;
        let (search, choice) = search.rounds()?.choose()?;
        search.report(choice)
    }

    /// Reports the laws alone.
    pub(super) fn conclude(self, is_cancelled: bool) -> SearchResult {
        let stop = if is_cancelled { StopReason::Cancelled } else { StopReason::Settled };
        self.report(Vec::new(), 0, stop, None)
    }

    /// Writes down the laws, then detectors, the first of which are needed.
    pub(super) fn report(
        self,
        detectors: Reported,
        needed: usize,
        stop: StopReason,
        evolution: Option<&Evolution>,
    ) -> SearchResult {
        let Prospect { campaign, material, judge, laws, mut searched } = self;
        let Material { executions, summary, .. } = material;
        let claimed = &mut searched.claimed;
        let mut simplifier = Simplifier::new(&executions);
        let schema = executions.table.schema();
        let mut scored = |relation: &Predicate| {
            let (fn_, killed) = simplifier.score(relation);
            Found::new(relation.clone(), fn_, killed, schema)
        };
        let mut reported: Vec<(Found, Verdict, Presentation)> = Vec::new();
        for StandingLaw { relation, presentation, verdict } in &laws {
            reported.push((scored(relation), verdict.clone(), *presentation));
        }
        for (found, verdict) in detectors {
            reported.push((scored(&found.relation), verdict, Presentation::default()));
        }
        claimed.needed = laws.len() + needed;
        claimed.tried = reported.iter().map(|(_, verdict, _)| verdict.tried).collect();
        claimed.evidence = reported.iter().map(|(_, verdict, _)| verdict.evidence()).collect();
        claimed.left_out = judge.review.met();
        claimed.branches = [judge.covered(), 2 * campaign.subject.branches().len()];
        let Summary { pairs, failed, beyond, crashes, .. } = summary;
        claimed.pairs = [pairs, failed, crashes];
        claimed.beyond = [beyond, judge.beyond()];
        let plan = campaign.plan;
        let run = match evolution {
            Some(evolution) => SearchRun::of(evolution, stop),
            None => {
                let config = (&plan.config).into();
                SearchRun { seed: plan.seed.0, stop, config, ..SearchRun::default() }
            }
        };
        let found = reported.iter().map(|(found, _, presentation)| (found, *presentation));
        claimed.results = Some(RelationsFile::new(&executions, run, found));
        searched.relations = reported.into_iter().map(|(found, _, _)| found.relation).collect();
        searched.executions = Some(executions);
        searched
    }
}
