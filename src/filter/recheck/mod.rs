//! The trial of all relations of one transformation: fresh pairs, then a hunt, then the simplest counterexamples.
//!
//! In steps, so that whoever has a clock can give the hunt a time of its own.

use crate::claims::Stated;
use crate::filter::{Filter, Verdict};
use crate::inputs::Sources;
use crate::subject::{MachineFailure, Subject};
use crate::support::seed::Seed;
use crate::support::threads::Jobs;
use genmorph_jit::Tolerance;

mod judged;

pub(crate) use self::judged::sides;
pub use self::judged::{Entry, Judged, Standing};

/// What all trials share.
#[derive(Clone, Copy)]
pub struct Means<'m> {
    /// The function.
    pub subject: &'m dyn Subject,
    /// Inputs that take its branches.
    pub sources: &'m Sources,
    /// When two numbers are equal.
    pub tolerance: Tolerance,
    /// The seed.
    pub seed: Seed,
    /// The threads.
    pub jobs: &'m Jobs,
}

/// Relations of one transformation, and what is known of them so far.
pub struct Trial<'m> {
    means: Means<'m>,
    stated: &'m Stated,
    filter: Filter<'m>,
    verdicts: Vec<Verdict>,
}

impl<'m> Trial<'m> {
    /// Tries relations on so many fresh pairs. `stop` is asked after each block of pairs.
    ///
    /// # Errors
    /// When the machine fails.
    pub fn fresh(
        means: Means<'m>,
        stated: &'m Stated,
        pairs: usize,
        stop: &dyn Fn() -> bool,
    ) -> Result<Trial<'m>, MachineFailure> {
        let Means { subject, sources, tolerance, seed, jobs } = means;
        let mut filter =
            Filter::new(subject, &stated.transform, &sources.inputs, tolerance, seed, jobs);
        let verdicts = filter.judge(&stated.relations, pairs, stop)?;
        Ok(Trial { means, stated, filter, verdicts })
    }

    /// Hunts for counterexamples of those that are left, with so many calls.
    ///
    /// # Errors
    /// When the machine fails.
    pub fn hunt(&mut self, effort: usize, stop: &dyn Fn() -> bool) -> Result<(), MachineFailure> {
        let relations = &self.stated.relations;
        let left: Vec<usize> =
            (0..relations.len()).filter(|&r| !self.verdicts[r].is_refuted()).collect();
        let hunted: Vec<_> = left.iter().map(|&r| relations[r].clone()).collect();
        let found = self.filter.hunt(&hunted, effort, stop)?;
        for (r, found) in left.into_iter().zip(found) {
            self.verdicts[r] = self.verdicts[r].clone().and(found);
        }
        Ok(())
    }

    /// What came of it, with the simplest counterexamples.
    ///
    /// # Errors
    /// When the machine fails.
    pub fn end(self, stop: &dyn Fn() -> bool) -> Result<Vec<Judged>, MachineFailure> {
        let schema = self.means.subject.signature().of_executions().schema();
        let schema = schema.expect("names were checked with the signature");
        let described = self.stated.transform.describe();
        let Stated { relations, places, .. } = self.stated;
        let tried = relations.iter().zip(places).zip(self.verdicts);
        let judged = tried.map(|((relation, &place), verdict)| {
            let pair = verdict.counterexamples.first();
            let shrunk = pair.map(|pair| self.filter.shrink(relation, pair, stop)).transpose()?;
            Ok(Judged {
                transformation: described.name.clone(),
                input_relation: described.input_relation.clone(),
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
