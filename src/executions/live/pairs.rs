//! Pairs of inputs of one transformation, and the executions that they make.

use std::sync::Arc;

use genmorph_jit::{TableError, Tolerance, Value};

use super::runs::{Difference, Runs};
use crate::executions::{Executions, Limits, Rows};
use crate::subject::kinds::Signature;
use crate::transform::Transformation;

/// Pairs of source and follow-up inputs, with what the original and the mutants did on them.
#[derive(Clone, Debug)]
pub struct Pairs {
    signature: Signature,
    transformation: Transformation,
    /// The names of the mutants, in the order of all runs.
    mutants: Vec<String>,
    parts: Vec<Part>,
}

/// Pairs that were run together.
#[derive(Clone, Debug)]
struct Part {
    sources: Arc<Runs>,
    follow_ups: Runs,
    /// For every follow-up, the row of its source.
    source_rows: Vec<usize>,
}

/// How executions are made.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// When two numbers are equal.
    pub tolerance: Tolerance,
    /// How many rows are kept.
    pub limits: Limits,
    /// Chooses which rows are kept when there are more.
    pub seed: u64,
}

/// What became of pairs, in numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// All pairs.
    pub pairs: usize,
    /// Those on which the original does not return twice.
    pub failed: usize,
    /// Pairs on which a mutant does not return where the original did, over all mutants.
    pub crashes: usize,
    /// Pairs on which a mutant gives what the original gives, over all mutants.
    pub same: usize,
}

/// Pairs that no relation can be learnt from.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum NoRows {
    /// The original never returns on both inputs of a pair.
    #[error("of {0} pairs of inputs there is none on which the function returns twice")]
    NoCorrect(usize),
    /// No mutant differs on any pair.
    #[error("no mutant gives anything else than the function on {0} pairs of inputs")]
    NoIncorrect(usize),
    /// The rows are no table.
    #[error(transparent)]
    Table(#[from] TableError),
}

/// For each row that is kept at most so many are looked at.
const LOOKED_AT: usize = 4;

impl Pairs {
    /// No pairs yet.
    pub fn new(
        signature: Signature,
        transformation: Transformation,
        mutants: Vec<String>,
    ) -> Pairs {
        Pairs { signature, transformation, mutants, parts: Vec::new() }
    }

    /// Adds pairs: what was done on follow-ups, and for each of them the row of its source.
    ///
    /// # Panics
    /// If they are not of the same mutants.
    pub fn add(&mut self, sources: Arc<Runs>, follow_ups: Runs, source_rows: Vec<usize>) {
        assert_eq!(sources.mutants.len(), self.mutants.len(), "runs of the same mutants");
        assert_eq!(follow_ups.mutants.len(), self.mutants.len(), "runs of the same mutants");
        assert_eq!(follow_ups.original.len(), source_rows.len(), "a source for each follow-up");
        self.parts.push(Part { sources, follow_ups, source_rows });
    }

    /// How follow-up inputs are made.
    pub fn transformation(&self) -> &Transformation {
        &self.transformation
    }

    /// The executions: rows of the original, and rows of mutants that differ from it.
    ///
    /// # Errors
    /// When there are none of either.
    pub fn executions(&self, settings: &Settings) -> Result<(Executions, Summary), NoRows> {
        let Settings { tolerance, limits, seed } = settings;
        let mut summary = Summary::default();
        let mut rows = Rows::new(&self.signature, self.mutants.clone())
            .expect("names were checked with the signature");
        let mut pairs = Vec::new();
        for (number, part) in self.parts.iter().enumerate() {
            // Pairs that were added later were hard to find.
            if number > 0 {
                rows.keep_next();
            }
            summary.pairs += part.source_rows.len();
            for (follow_up, &source) in part.source_rows.iter().enumerate() {
                let returned = part.sources.original.is_returned(source)
                    && part.follow_ups.original.is_returned(follow_up);
                if returned {
                    rows.push(None, part.row(None, source, follow_up)).expect("no mutant's");
                    pairs.push((part, source, follow_up));
                } else {
                    summary.failed += 1;
                }
            }
        }
        if pairs.is_empty() {
            return Err(NoRows::NoCorrect(summary.pairs));
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
            // Every so many, and the first of each mutant.
            if place.is_multiple_of(step) || last != Some(mutant) {
                // Outputs that differ by the tolerance differ in a row that no other has.
                let row = part.row(Some(mutant), source, follow_up);
                rows.push(Some(mutant as u32), row).expect("it differs from the original's");
            }
            last = Some(mutant);
        }
        if rows.counts().1 == 0 {
            return Err(NoRows::NoIncorrect(pairs.len()));
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
    /// How a mutant did on a pair on which the original returns twice.
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
            (Difference::Crash, _) | (_, Difference::Crash) => Difference::Crash,
            (Difference::Value, _) | (_, Difference::Value) => Difference::Value,
            _ => Difference::Same,
        }
    }

    /// The values of a pair: inputs and outputs at the source, then at the follow-up.
    fn row(
        &self,
        mutant: Option<usize>,
        source: usize,
        follow_up: usize,
    ) -> impl Iterator<Item = Value<'_>> {
        side(&self.sources, mutant, source).chain(side(&self.follow_ups, mutant, follow_up))
    }
}

/// The inputs and outputs of a row of the original or a mutant.
fn side(runs: &Runs, mutant: Option<usize>, row: usize) -> impl Iterator<Item = Value<'_>> {
    let outcomes = mutant.map_or(&runs.original, |mutant| &runs.mutants[mutant]);
    runs.inputs.row(row).chain(outcomes.row(row))
}
