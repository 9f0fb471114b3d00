//! Turns recorded executions into the table that evolution works on: paired, labelled, and without
//! rows that teach nothing.
//!
//! ```text
//!  files ─► records ─► Recording ─► pairs of inputs, by the transformation
//!                                      ├─► the original returned on both: a correct row
//!                                      └─► each mutant: differs on either: an incorrect row
//!                                                       the same on both: dropped
//!                                                       threw: killed by a crash, no row
//! ```
//! Knows nothing of evolution, and runs nothing.
//!
//! ```
//! use genmorph::executions::recorded::{self, Settings};
//! use genmorph::executions::CORRECT;
//! use genmorph::jit::{OneThread, Policy, parse};
//! use genmorph::evolve::scoring::{KilledBy, Scorer};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let settings = Settings::new("NumericAddition(-1) on e".parse()?);
//! let collection = recorded::run("tests/subjects/pow/plain.ndjson".as_ref(), &settings)?;
//! let executions = collection.executions;
//! assert_eq!(executions.transformation.input_relation, "k_f == k_s and e_f == e_s - 1");
//! assert_eq!(executions.count(CORRECT), 563);
//!
//! let relation = parse("out_f * k_s == out_s", executions.table.schema())?;
//! let mut scorer = Scorer::new(&executions, Policy::Auto, KilledBy::Valid);
//! let score = &scorer.score(&[relation], &OneThread)[0];
//! assert_eq!((score.false_positives, score.false_negatives, score.size), (0, 2266, 5));
//! # Ok(())
//! # }
//! ```

mod error;
mod files;
mod follow_up;
mod recording;
mod summary;
mod value;

use std::path::Path;

use genmorph_jit::{Tolerance, Value};

pub use self::error::{CollectError, Place, Problem};
pub use self::summary::Summary;

use self::follow_up::FollowUps;
use self::recording::{Recording, Version, all_equal};
use crate::executions::{Executions, Limits, Rows, Warning};
use crate::subject::kinds::Observed;
use crate::transform::Instance;

/// How a recording is collected.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The transformation that pairs sources with follow-ups.
    pub transformation: Instance,
    /// Whether pairs are of what executions return, or of whether they throw.
    pub observed: Observed,
    /// Tolerance up to which two numbers are equal.
    pub tolerance: Tolerance,
    /// Number of rows to keep.
    pub limits: Limits,
    /// Chooses the rows that are kept when there are more.
    pub seed: u64,
}

impl Settings {
    /// The defaults of `genmorph collect`.
    pub fn new(transformation: Instance) -> Settings {
        Settings {
            transformation,
            observed: Observed::Values,
            tolerance: Tolerance::default(),
            limits: Limits::default(),
            seed: 0,
        }
    }
}

/// The result of collecting a recording.
#[derive(Clone, Debug)]
pub struct Collection {
    /// The table of pairs, with signature and transformation.
    pub executions: Executions,
    /// Counts of what was used, and for what.
    pub summary: Summary,
    /// Warnings for the user; the executions can be used in spite of them.
    pub warnings: Vec<Warning>,
}

/// Reads a file or folder of recorded executions, and pairs them.
///
/// # Errors
/// When the recording has a problem; the error names the place and says what to do.
pub fn run(from: &Path, settings: &Settings) -> Result<Collection, CollectError> {
    let tolerance = &settings.tolerance;
    let mut recording = recording::read(from, tolerance)?;
    if settings.observed == Observed::Outcomes {
        recording = recording.of_outcomes();
    }
    recording.signature.schema()?;
    let transform = settings.transformation.bind(&recording.signature)?;
    let transformation = transform.describe();

    let mut summary = Summary::of(&recording, &transformation);
    let pairs = FollowUps::new(&recording, &transform, tolerance).pairs(&mut summary);
    if pairs.is_empty() {
        return Err(CollectError::NoPairs {
            transformation: transformation.name,
            input_relation: transformation.input_relation,
        });
    }
    let names = recording.mutants.iter().map(|mutant| mutant.name.clone()).collect();
    let mut rows = Rows::new(&recording.signature, names)?;
    for &pair in &pairs {
        push(&mut rows, &recording, &recording.original, None, pair);
    }
    for (number, mutant) in recording.mutants.iter().enumerate() {
        let differing = differing(&recording, mutant, &pairs, tolerance, &mut summary);
        for pair in differing {
            push(&mut rows, &recording, mutant, Some(number as u32), pair);
        }
    }
    (summary.unique_correct, summary.unique_incorrect) = rows.counts();
    if summary.unique_incorrect == 0 && !recording.mutants.is_empty() {
        return Err(CollectError::NoDifference { pairs: pairs.len() });
    }
    let executions = rows.sampled(settings.limits, settings.seed).into_executions(
        &recording.signature,
        &transformation,
        settings.tolerance,
        settings.seed,
    )?;
    summary.keep(&executions);
    Ok(Collection { executions, summary, warnings: recording.warnings })
}

/// The indices of a source input and of its follow-up.
type Pair = (u32, u32);

/// The pairs on which a mutant returns outputs that differ from the original's. Counts all other pairs in the summary.
fn differing(
    recording: &Recording,
    mutant: &Version,
    pairs: &[Pair],
    tolerance: &Tolerance,
    summary: &mut Summary,
) -> Vec<Pair> {
    let mut differing = Vec::new();
    let (mut crashed, mut seen) = (false, false);
    for &(source, follow_up) in pairs {
        let outcomes = [source, follow_up].map(|inputs| mutant.outcomes.get(&inputs));
        let [Some(at_source), Some(at_follow_up)] = outcomes else {
            summary.unrecorded += 1;
            continue;
        };
        seen = true;
        let (Some(s), Some(f)) = (&at_source.outputs, &at_follow_up.outputs) else {
            summary.crashes += 1;
            crashed = true;
            continue;
        };
        let same = |inputs: u32, outputs: &[Value<'static>]| {
            let original = returned(&recording.original, inputs);
            all_equal(original, outputs, tolerance)
        };
        if same(source, s) && same(follow_up, f) {
            summary.equivalent += 1;
        } else {
            differing.push((source, follow_up));
        }
    }
    summary.crashed_mutants += usize::from(crashed);
    summary.alike_mutants += usize::from(seen && !crashed && differing.is_empty());
    differing
}

/// The outputs of a version for inputs on which it returned.
fn returned(version: &Version, inputs: u32) -> &[Value<'static>] {
    let outcome = version.outcomes.get(&inputs);
    outcome.and_then(|outcome| outcome.outputs.as_deref()).expect("only pairs that returned")
}

fn push(
    rows: &mut Rows,
    recording: &Recording,
    version: &Version,
    mutant: Option<u32>,
    (source, follow_up): Pair,
) {
    let side = |id: u32| recording.inputs[id as usize].iter().chain(returned(version, id));
    // A mutant's row differs from the original's row for the same inputs, and no other row has these inputs.
    rows.push(mutant, side(source).chain(side(follow_up)))
        .expect("outputs that differ make a row that differs");
}
