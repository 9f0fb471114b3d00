//! The searches of a report, with their convergence.

use schemars::JsonSchema;
use serde::Serialize;

use crate::record::{self, Generation};
use crate::subject::kinds::Observed;

/// A search under a transformation.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Search {
    /// How follow-up inputs are made.
    pub transformation: String,
    /// Whether its relations speak of the values that calls return, or of whether calls throw.
    pub observed: Observed,
    /// The transformation in words: `e is decreased by 1`.
    pub words: String,
    /// What source and follow-up inputs satisfy.
    pub input_relation: String,
    /// What inputs and outputs satisfy besides, as far as relations were tried: `|n|, |out| < 2^53`; may be empty.
    pub premise: String,
    /// Pairs of inputs; those on which the function does not return twice; those on which a mutant crashes.
    pub pairs: [usize; 3],
    /// Executions of the function and of mutants.
    pub rows: [usize; 2],
    /// How often counterexamples became rows and the search went on.
    pub lessons: usize,
    /// The generations done, and the individuals scored.
    pub effort: [u64; 2],
    /// Why the search could not begin, if so.
    pub problem: Option<String>,
    /// Relations that nothing refuted, and that were tried on too few pairs to be reported.
    pub doubtful: usize,
    /// Relations that were found, and that are not reported because people have rejected them.
    pub left_out: usize,
    /// The best individuals of both populations, by generation.
    pub convergence: Vec<Point>,
}

/// The best individuals of one generation: first of the population that avoids false positives, then of the other.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Point {
    /// The number of the generation.
    pub generation: u64,
    /// Their shares of false positives.
    pub fp: [Option<f64>; 2],
    /// Their shares of false negatives.
    #[serde(rename = "fn")]
    pub fn_: [Option<f64>; 2],
    /// How many nodes they have.
    pub size: [Option<f64>; 2],
    /// How often the populations have started anew so far.
    pub restarts: u64,
}

impl Search {
    /// A recorded search; `words` is its transformation in words.
    pub(super) fn new(
        record: &record::search::Search,
        words: String,
        generations: &[Generation],
    ) -> Search {
        let results = record.results.as_ref();
        let rows = results.map_or([0; 2], |r| [r.rows.correct, r.rows.incorrect]);
        Search {
            transformation: record.transformation.clone(),
            observed: record.observed,
            words,
            input_relation: record.input_relation.clone(),
            premise: record.premise.clone(),
            pairs: record.pairs,
            rows,
            lessons: record.lessons,
            effort: results.map_or([0; 2], |r| [r.run.generations, r.run.evaluations]),
            problem: record.problem.clone(),
            doubtful: record.doubtful,
            left_out: record.left_out,
            convergence: generations.iter().map(|g| Point::new(g, rows)).collect(),
        }
    }
}

impl Point {
    /// The best of a generation, in shares of the rows.
    fn new(generation: &Generation, [correct, incorrect]: [usize; 2]) -> Point {
        let best = |at: usize| generation.populations[at].best.as_ref();
        // Counterexamples become rows while a search goes on; a share is of those at its end.
        let share = |count: u32, of: usize| (f64::from(count) / of.max(1) as f64).min(1.0);
        Point {
            generation: generation.generation,
            fp: [0, 1].map(|at| best(at).map(|best| share(best.fp, correct))),
            fn_: [0, 1].map(|at| best(at).map(|best| share(best.fn_, incorrect))),
            size: [0, 1].map(|at| best(at).map(|best| best.size as f64)),
            restarts: generation.restarts,
        }
    }
}
