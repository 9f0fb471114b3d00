//! Second looks that suites are too small for: is a relation that held false after all, and is a mutant that nobody told
//! from the function the same function?

use genmorph_jit::Tolerance;

use super::Claim;
use super::suites::affordable;
use crate::executions::live::{Difference, difference};
use crate::filter::{self, Filter, fresh};
use crate::subject::{Inputs, MachineFailure, Outcomes, Subject, Version};
use crate::support::seed::Seed;
use crate::support::threads::Jobs;

/// What a large campaign says of a mutant that no suite told from the function.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Likeness {
    /// It never does anything else.
    Alike,
    /// It returns other numbers, but none that differ by more than the tolerance: no relation sees that.
    Close,
    /// It does something else, but only where the function does not return: no relation speaks about that.
    FailsOtherwise,
    /// It does something else.
    Differs,
}

/// What second looks start from.
#[derive(Clone, Copy)]
pub(super) struct Doubt<'d> {
    pub(super) subject: &'d dyn Subject,
    /// Inputs that reach the branches of the function.
    pub(super) guided: &'d Inputs,
    pub(super) tolerance: Tolerance,
    pub(super) seed: Seed,
}

impl Doubt<'_> {
    /// Looks for counterexamples to all relations on so many fresh pairs, and hunts with as many calls. What OASIs is in the
    /// paper.
    pub(super) fn of_relations(
        &self,
        claims: &[Claim<'_>],
        pairs: usize,
        jobs: &Jobs,
    ) -> Result<Vec<Vec<filter::Verdict>>, MachineFailure> {
        let seed = Seed(self.seed.stream("doubt").rng().next());
        let each = claims.iter().map(|claim| {
            let Doubt { subject, guided, tolerance, .. } = *self;
            let mut filter = Filter::new(subject, claim.transform, guided, tolerance, seed, jobs);
            let tried = filter.judge(claim.relations, pairs, &|| false)?;
            let hunted = filter.hunt(claim.relations, pairs, &|| false)?;
            let both = tried.into_iter().zip(hunted);
            Ok(both.map(|(tried, hunted)| tried.and(hunted)).collect())
        });
        each.collect()
    }

    /// Looks for inputs on which mutants differ, which are given by number: the guided ones, then so many fresh ones. Says
    /// what each mutant is, and on how many inputs that was tried.
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

/// The tolerance of an assertion that expects a number: none.
pub(super) fn exact() -> Tolerance {
    Tolerance::new(0.0, 0.0).expect("no tolerance is one")
}

#[cfg(test)]
mod tests {
    use genmorph_jit::Value;

    use super::*;
    use crate::subject::{Outcome, Scalar, Signature, Trap, Type};

    /// What a version of a function did: numbers that it returned, and ways in which it failed.
    fn outcomes(rows: &[Result<f64, Outcome>]) -> Outcomes {
        let signature = Signature {
            function: "f".to_owned(),
            parameters: Vec::new(),
            result: Some(Type::Scalar(Scalar::F64)),
            changed: Vec::new(),
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
