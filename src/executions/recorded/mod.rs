//! Recorded executions become the table that evolution works on: paired, labelled, and without what
//! teaches nothing.
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
//! let collected = collect::run("tests/subjects/pow/plain.ndjson".as_ref(), &settings)?;
//! let executions = collected.executions;
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
use crate::transform::Instance;

/// The JSON schema of a [`Summary`].
pub const SCHEMA: &str = include_str!("summary.schema.json");

/// What to do with a recording.
#[derive(Clone, Debug)]
pub struct Settings {
    /// How follow-up inputs are made.
    pub transformation: Instance,
    /// When two numbers are equal.
    pub tolerance: Tolerance,
    /// How many rows are kept.
    pub limits: Limits,
    /// Chooses which rows are kept when there are more.
    pub seed: u64,
}

impl Settings {
    /// The settings that `genmorph collect` has by default.
    pub fn new(transformation: Instance) -> Settings {
        Settings {
            transformation,
            tolerance: Tolerance::default(),
            limits: Limits::default(),
            seed: 0,
        }
    }
}

/// What became of a recording.
#[derive(Clone, Debug)]
pub struct Collected {
    /// The table, and what it is about.
    pub executions: Executions,
    /// How it came about.
    pub summary: Summary,
    /// What the user should know.
    pub warnings: Vec<Warning>,
}

/// Reads a file or a folder of recorded executions and makes pairs of them.
///
/// # Errors
/// When something is wrong with the recording; the error says where, and what to do.
pub fn run(from: &Path, settings: &Settings) -> Result<Collected, CollectError> {
    let tolerance = &settings.tolerance;
    let recording = recording::read(from, tolerance)?;
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
    if summary.unique_incorrect == 0 {
        return Err(CollectError::NoDifference { pairs: pairs.len() });
    }
    let executions = rows.sampled(settings.limits, settings.seed).into_executions(
        &recording.signature,
        &transformation,
        settings.tolerance,
        settings.seed,
    )?;
    summary.keep(&executions);
    Ok(Collected { executions, summary, warnings: recording.warnings })
}

/// The indices of source and follow-up inputs.
type Pair = (u32, u32);

/// The pairs on which a mutant returns and gives something else than the original. Counts the others.
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

/// The outputs of a version where it is known to have returned.
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
    // Rows of mutants differ from the original's on the same inputs, and no other row has these.
    rows.push(mutant, side(source).chain(side(follow_up)))
        .expect("outputs that differ make a row that differs");
}
