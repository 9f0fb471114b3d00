//! Second looks with more inputs than suites have: can a relation that held be refuted, and is a mutant that
//! differs on no suite equivalent to the function?

use genmorph_jit::Tolerance;

use super::Claim;
use super::suites::affordable;
use crate::executions::live::{Difference, difference};
use crate::filter::{self, Filter, fresh};
use crate::subject::{Inputs, MachineFailure, Outcomes, Subject, Version};
use crate::support::seed::Seed;
use crate::support::threads::Jobs;

/// How a mutant that differs on no suite behaves on many more inputs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Likeness {
    /// It behaves exactly like the function.
    Alike,
    /// It returns other numbers, all within the tolerance: no relation can notice that.
    Close,
    /// It differs only where the function does not return: relations are not evaluated there.
    FailsOtherwise,
    /// It returns another value, or fails, where the function returns.
    Differs,
}

/// What the second looks need.
#[derive(Clone, Copy)]
pub(super) struct SecondLook<'d> {
    pub(super) subject: &'d dyn Subject,
    /// Inputs that reach the branches of the function.
    pub(super) guided: &'d Inputs,
    pub(super) tolerance: Tolerance,
    pub(super) seed: Seed,
}

impl SecondLook<'_> {
    /// Looks for counterexamples to all relations on fresh pairs, and then hunts with as many calls. The
    /// counterpart of OASIs in the paper.
    pub(super) fn of_relations(
        &self,
        claims: &[Claim<'_>],
        pairs: usize,
        jobs: &Jobs,
    ) -> Result<Vec<Vec<filter::Verdict>>, MachineFailure> {
        let seed = Seed(self.seed.stream("doubt").rng().next());
        let each = claims.iter().map(|claim| {
            let SecondLook { subject, guided, tolerance, .. } = *self;
            let mut filter = Filter::new(subject, claim.transform, guided, tolerance, seed, jobs);
            let tried = filter.judge(claim.relations, pairs, &|| false)?;
            let hunted = filter.hunt(claim.relations, pairs, &|| false)?;
            let both = tried.into_iter().zip(hunted);
            Ok(both.map(|(tried, hunted)| tried.and(hunted)).collect())
        });
        each.collect()
    }

    /// Looks for inputs on which the given mutants differ: the guided ones, then fresh ones. Returns the
    /// likeness of each mutant, and the number of inputs that were tried.
    pub(super) fn of_mutants(
        &self,
        mutants: &[usize],
        inputs: usize,
        jobs: &Jobs,
    ) -> Result<(Vec<Likeness>, usize), MachineFailure> {
        let mut known = vec![Likeness::Alike; mutants.len()];
        let mut tried = 0;
        let seed = Seed(self.seed.stream("alike").rng().next());
        let signature = self.subject.signature();
        let constants = self.subject.constants();
        for index in 0..=inputs.div_ceil(fresh::BATCH) {
            let open: Vec<usize> =
                (0..known.len()).filter(|&place| known[place] != Likeness::Differs).collect();
            if open.is_empty() {
                break;
            }
            let batch = match index.checked_sub(1) {
                None => self.guided.clone(),
                Some(index) => fresh::batch(signature, constants, self.guided, seed, index),
            };
            let (batch, original) = affordable(self.subject, &batch)?;
            tried += batch.len();
            let found = jobs.try_map(
                &open,
                1,
                || (),
                |(), &place| {
                    let version = Version::Mutant { number: mutants[place], original: &original };
                    let mutant = self.subject.run(version, &batch)?;
                    Ok(likeness(&original, &mutant, &self.tolerance))
                },
            )?;
            for (place, likeness) in open.into_iter().zip(found) {
                known[place] = known[place].max(likeness);
            }
        }
        Ok((known, tried))
    }
}

fn likeness(original: &Outcomes, mutant: &Outcomes, tolerance: &Tolerance) -> Likeness {
    let exact = exact();
    let row = |row: usize| match difference(original, mutant, row, tolerance) {
        Difference::Same => match difference(original, mutant, row, &exact) {
            Difference::Same | Difference::Unknown => Likeness::Alike,
            Difference::Value | Difference::Crash => Likeness::Close,
        },
        Difference::Value | Difference::Crash => Likeness::Differs,
        Difference::Unknown if original.outcomes()[row] == mutant.outcomes()[row] => {
            Likeness::Alike
        }
        Difference::Unknown => Likeness::FailsOtherwise,
    };
    (0..original.len()).map(row).max().unwrap_or(Likeness::Alike)
}

/// The tolerance of assertions that expect an exact number: zero.
pub(super) fn exact() -> Tolerance {
    Tolerance::new(0.0, 0.0).expect("a tolerance of zero is valid")
}

#[cfg(test)]
mod tests {
    use genmorph_jit::Value;

    use super::*;
    use crate::subject::{Outcome, Scalar, Signature, Trap, Type};

    /// Outcomes of a version: numbers that it returned, and ways in which it failed.
    fn outcomes(rows: &[Result<f64, Outcome>]) -> Outcomes {
        let signature = Signature {
            function: "f".to_owned(),
            parameters: Vec::new(),
            result: Some(Type::Scalar(Scalar::F64)),
            changed: Vec::new(),
            ..Signature::default()
        };
        let mut outcomes = Outcomes::new(&signature);
        for row in rows {
            match row {
                Ok(number) => outcomes.returned(&[Value::Num(*number)], 1),
                Err(outcome) => outcomes.failed(*outcome, 1),
            }
        }
        outcomes
    }

    #[test]
    fn a_mutant_is_equivalent_only_if_nothing_differs_at_all() {
        let zero = Err(Outcome::Trapped(Trap::DivisionByZero));
        let original = outcomes(&[Ok(1.0), Ok(f64::NAN), zero]);
        let of = |rows: &[Result<f64, Outcome>]| {
            likeness(&original, &outcomes(rows), &Tolerance::default())
        };
        assert_eq!(of(&[Ok(1.0), Ok(f64::NAN), zero]), Likeness::Alike);
        assert_eq!(of(&[Ok(1.0_f64.next_up()), Ok(f64::NAN), zero]), Likeness::Close);
        assert_eq!(of(&[Ok(1.0_f64.next_up()), Ok(f64::NAN), Ok(0.0)]), Likeness::FailsOtherwise);
        let overflow = Err(Outcome::Trapped(Trap::Overflow));
        assert_eq!(of(&[Ok(1.0), Ok(f64::NAN), overflow]), Likeness::FailsOtherwise);
        assert_eq!(of(&[Ok(1.0), Ok(0.0), zero]), Likeness::Differs);
        assert_eq!(of(&[zero, Ok(f64::NAN), zero]), Likeness::Differs);
    }
}
