//! Pairs of inputs of one transformation, and the executions that are made from them.

use std::sync::Arc;

use genmorph_jit::{TableError, Tolerance, Value};

use super::runs::{Difference, Runs};
use crate::executions::{Executions, Limits, Rows};
use crate::subject::kinds::Interface;
use crate::transform::Transformation;

/// Pairs of source and follow-up inputs, with the outcomes of the original and the mutants.
#[derive(Clone, Debug)]
pub struct Pairs {
    signature: Interface,
    transformation: Transformation,
    /// Names of the mutants, in the order of the runs.
    mutants: Vec<String>,
    parts: Vec<Part>,
}

/// Pairs that were run and added together.
#[derive(Clone, Debug)]
struct Part {
    sources: Arc<Runs>,
    follow_ups: Runs,
    /// For every follow-up, the row of its source.
    source_rows: Vec<usize>,
}

/// How executions are made from pairs.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// Tolerance up to which two numbers are equal.
    pub tolerance: Tolerance,
    /// Number of rows to keep.
    pub limits: Limits,
    /// Chooses the rows that are kept when there are more.
    pub seed: u64,
}

/// How many pairs were used, and for what.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// Number of all pairs.
    pub pairs: usize,
    /// Pairs on which the original does not return for both inputs.
    pub failed: usize,
    /// Pairs on which the original returns a 64-bit integer of 2^53 or more in magnitude.
    pub beyond: usize,
    /// Pairs on which the original returns and a mutant does not, summed over all mutants.
    pub crashes: usize,
    /// Pairs on which a mutant returns the same as the original, summed over all mutants.
    pub same: usize,
}

/// Reasons why no relation can be learnt from the pairs.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum NoRows {
    /// The original never returns on both inputs of a pair.
    #[error("on none of {0} pairs of inputs does the function return for both inputs")]
    NoCorrect(usize),
    /// On every pair on which it returns twice, the original returns a 64-bit integer of 2^53 or more in magnitude.
    #[error(
        "on all {0} pairs of inputs on which the function returns, it returns a 64-bit integer of 2^53 or more in magnitude; \
         relations compute with 64-bit floats, which cannot tell such integers apart: narrow the domain of the inputs"
    )]
    Beyond(usize),
    /// The rows do not form a table.
    #[error(transparent)]
    Table(#[from] TableError),
}

/// For each row to keep, at most this many candidates are examined.
const LOOKED_AT: usize = 4;

impl Pairs {
    /// An empty list of pairs, for these mutants.
    pub fn new(
        signature: Interface,
        transformation: Transformation,
        mutants: Vec<String>,
    ) -> Pairs {
        Pairs { signature, transformation, mutants, parts: Vec::new() }
    }

    /// Adds pairs: the runs on follow-ups, and for each follow-up the row of its source.
    ///
    /// # Panics
    /// If the runs are not of the same mutants.
    pub fn add(&mut self, sources: Arc<Runs>, follow_ups: Runs, source_rows: Vec<usize>) {
        assert_eq!(sources.mutants.len(), self.mutants.len(), "runs of the same mutants");
        assert_eq!(follow_ups.mutants.len(), self.mutants.len(), "runs of the same mutants");
        assert_eq!(follow_ups.original.len(), source_rows.len(), "a source for each follow-up");
        self.parts.push(Part { sources, follow_ups, source_rows });
    }

    /// Makes the executions: rows of the original, and rows of mutants that differ from it.
    ///
    /// # Errors
    /// When the original has no rows. Without rows of mutants there may still be laws.
    pub fn executions(&self, settings: &Settings) -> Result<(Executions, Summary), NoRows> {
        let Settings { tolerance, limits, seed } = settings;
        let mut summary = Summary::default();
        let mut rows = Rows::new(&self.signature, self.mutants.clone())
            .expect("names were checked with the signature");
        let mut pairs = Vec::new();
        for (number, part) in self.parts.iter().enumerate() {
            // Pairs that were added later were hard to find, so a sample prefers them.
            if number > 0 {
                rows.keep_next();
            }
            summary.pairs += part.source_rows.len();
            for (follow_up, &source) in part.source_rows.iter().enumerate() {
                let [at_source, at_follow_up] = [&part.sources.original, &part.follow_ups.original];
                if !at_source.is_returned(source) || !at_follow_up.is_returned(follow_up) {
                    summary.failed += 1;
                } else if !at_source.is_exact(source) || !at_follow_up.is_exact(follow_up) {
                    summary.beyond += 1;
                } else {
                    rows.push(None, part.row(None, source, follow_up)).expect("no mutant's");
                    pairs.push((part, source, follow_up));
                }
            }
        }
        if pairs.is_empty() {
            return Err(match summary.beyond {
                0 => NoRows::NoCorrect(summary.pairs),
                beyond => NoRows::Beyond(beyond),
            });
        }
        let mut differing = Vec::new();
        for mutant in 0..self.mutants.len() {
            for &(part, source, follow_up) in &pairs {
                match part.difference(mutant, source, follow_up, tolerance) {
                    Difference::Value => differing.push((mutant, part, source, follow_up)),
                    Difference::Crash => summary.crashes += 1,
                    Difference::Same | Difference::Unknown => summary.same += 1,
                }
            }
        }
        let step =
            differing.len().div_ceil(limits.incorrect.max(1).saturating_mul(LOOKED_AT)).max(1);
        let mut last = None;
        for (place, &(mutant, part, source, follow_up)) in differing.iter().enumerate() {
            // Every `step`-th row, and the first row of each mutant.
            if place.is_multiple_of(step) || last != Some(mutant) {
                let row = part.row(Some(mutant), source, follow_up);
                // Relations cannot tell 0 from -0, but functions can: what a mutant does on one of them may be what the
                // original does on the other. Such a row is right.
                if rows.push(Some(mutant as u32), row).is_err() {
                    summary.same += 1;
                    continue;
                }
            }
            last = Some(mutant);
        }
        let executions = rows.sampled(*limits, *seed).into_executions(
            &self.signature,
            &self.transformation,
            *tolerance,
            *seed,
        )?;
        Ok((executions, summary))
    }
}

impl Part {
    /// Compares a mutant with the original on a pair on which the original returns for both inputs.
    fn difference(
        &self,
        mutant: usize,
        source: usize,
        follow_up: usize,
        tolerance: &Tolerance,
    ) -> Difference {
        let source = self.sources.difference(mutant, source, tolerance);
        let follow_up = self.follow_ups.difference(mutant, follow_up, tolerance);
        match (source, follow_up) {
            (Difference::Unknown, _) | (_, Difference::Unknown) => Difference::Unknown,
            (Difference::Crash, _) | (_, Difference::Crash) => Difference::Crash,
            (Difference::Value, _) | (_, Difference::Value) => Difference::Value,
            _ => Difference::Same,
        }
    }

    /// The values of one row: inputs and outputs at the source, then at the follow-up.
    fn row(
        &self,
        mutant: Option<usize>,
        source: usize,
        follow_up: usize,
    ) -> impl Iterator<Item = Value<'_>> {
        side(&self.sources, mutant, source).chain(side(&self.follow_ups, mutant, follow_up))
    }
}

/// Inputs and outputs of the original or of a mutant, for one input.
fn side(runs: &Runs, mutant: Option<usize>, row: usize) -> impl Iterator<Item = Value<'_>> {
    let outcomes = mutant.map_or(&runs.original, |mutant| &runs.mutants[mutant]);
    runs.inputs.row(row).chain(outcomes.row(row))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::subject::{Domain, Inputs, Outcomes, Parameter, Scalar, Signature as Types, Type};
    use crate::transform::Instance;

    /// Numbers in, numbers out.
    fn runs(signature: &Types, inputs: &[f64], original: &[f64], mutant: &[f64]) -> Runs {
        let rows: Vec<[Value<'_>; 1]> = inputs.iter().map(|x| [Value::Num(*x)]).collect();
        let outcomes = |outputs: &[f64]| {
            let mut outcomes = Outcomes::new(signature);
            outputs.iter().for_each(|y| outcomes.returned(&[Value::Num(*y)], 1));
            outcomes
        };
        Runs {
            inputs: Inputs::from_rows(signature, rows.iter().map(<[Value<'_>; 1]>::as_slice)),
            original: outcomes(original),
            mutants: vec![outcomes(mutant)],
        }
    }

    #[test]
    fn what_a_mutant_does_on_zero_may_be_right_on_minus_zero() {
        let number = Type::Scalar(Scalar::F64);
        let x = Parameter { name: "x".to_owned(), ty: number, domain: Domain::default() };
        let (function, changed) = ("f".to_owned(), Vec::new());
        let signature = Types {
            function,
            parameters: vec![x],
            result: Some(number),
            changed,
            ..Types::default()
        };
        let bound = signature.of_executions();
        let instance: Instance = "NumericMultiplication(1) on x".parse().unwrap();
        let transformation = instance.bind(&bound).unwrap().describe();
        // 1 / x, and a mutant that always takes x for negative.
        let (inputs, infinity) = ([0.0, -0.0, 2.0], f64::INFINITY);
        let all =
            runs(&signature, &inputs, &[infinity, -infinity, 0.5], &[-infinity, -infinity, -0.5]);
        let mut pairs = Pairs::new(bound, transformation, vec!["A1".to_owned()]);
        pairs.add(Arc::new(all.clone()), all, vec![0, 1, 2]);
        let (tolerance, limits) = (Tolerance::default(), Limits::default());
        let (_, summary) = pairs.executions(&Settings { tolerance, limits, seed: 1 }).unwrap();
        // At 2 it is wrong; at 0 it does what the original does at -0.
        assert_eq!((summary.pairs, summary.same), (3, 2));
    }
}
