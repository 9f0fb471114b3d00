//! What a search learns from: pairs of executions, the rows made of them, and the rows that no law refutes yet.

use genmorph_jit::{Evaluator, Mask, Policy, Predicate};

use super::budget::Share;
use super::laws::StandingLaw;
use super::search::Campaign;
use crate::executions::live::{NoRows, Pairs, Summary};
use crate::executions::{CORRECT, Executions};
use crate::explore;
use crate::filter::Pair;
use crate::subject::{MachineFailure, Within};
use crate::transform::Transform;

/// What a search learns from: pairs, and the rows that are made of them.
pub(super) struct Material {
    pairs: Pairs,
    pub(super) executions: Executions,
    pub(super) summary: Summary,
    /// The executions without the rows of mutants that laws refute.
    pub(super) rest: Executions,
    /// What takes these rows out.
    laws: Vec<Predicate>,
}

impl Material {
    /// The pairs that a transformation makes of the sources; no rows, if there is nothing to learn from.
    pub(super) fn of(
        campaign: &Campaign<'_>,
        transform: &Transform,
        share: &Share,
    ) -> Result<Result<Material, NoRows>, MachineFailure> {
        let subject = &Within::new(campaign.subject, share.paired());
        let pairs = Campaign { subject, ..campaign.clone() }.pairs(transform)?;
        let made = pairs.executions(&campaign.settings());
        Ok(made.map(|(executions, summary)| {
            let (rest, laws) = (executions.clone(), Vec::new());
            Material { pairs, executions, summary, rest, laws }
        }))
    }

    /// Takes the rows out of the rest that laws refute, or postconditions of either execution.
    pub(super) fn keep_unrefuted(&mut self, laws: &[StandingLaw], postconditions: &[Predicate]) {
        let schema = self.executions.table.schema();
        let of_follow_ups = postconditions.iter().map(|p| explore::of_follow_up(p, schema));
        let laws = laws.iter().map(|law| law.relation.clone());
        self.laws = laws.chain(postconditions.iter().cloned()).chain(of_follow_ups).collect();
        self.rest = self.unrefuted();
    }

    fn unrefuted(&self) -> Executions {
        let mut evaluator = Evaluator::new(Policy::Auto);
        let table = &self.executions.table;
        let masks: Vec<Mask> = self.laws.iter().map(|law| evaluator.mask(law, table)).collect();
        let correct = self.executions.count(CORRECT);
        self.executions.retaining(|row| masks.iter().all(|mask| mask.get(correct + row)))
    }

    /// Adds pairs that have shown relations to be wrong.
    pub(super) fn add(
        &mut self,
        campaign: &Campaign<'_>,
        lessons: &[&Pair],
    ) -> Result<(), MachineFailure> {
        let mut pairs = self.pairs.clone();
        campaign.teach(&mut pairs, lessons)?;
        // More pairs make no fewer rows, unless what the function does depends on more than its inputs.
        if let Ok((executions, summary)) = pairs.executions(&campaign.settings()) {
            (self.pairs, self.executions, self.summary) = (pairs, executions, summary);
            self.rest = self.unrefuted();
        }
        Ok(())
    }
}
