//! Judges relations by what they were not trained on: mutants of other operators, on unseen inputs.
//!
//! ```text
//!  suites ─► Trial: every mutant on every pair ─► Verdicts ─┬─► Judgement   one suite: the end of a run
//!                                                           └─► Scores ─► Assessment   several suites
//! ```
//! `README.md` in this folder defines all scores, and says where they differ from the paper's. Knows nothing
//! of how relations are found.

mod assessment;
mod doubt;
mod judgement;
pub mod pit;
mod report;
mod scores;
mod suites;
mod table;
mod verdicts;

use genmorph_jit::Predicate;

pub use self::assessment::{AssessError, Settings, run};
pub use self::judgement::{Judgement, judge};
pub use self::report::{Assessment, Counterexample, MutantVerdicts, RelationScores, SuiteScores};
pub use self::scores::{Counts, Scores};
pub use self::verdicts::{ClaimVerdicts, Deviation, RelationVerdicts, Trial, Verdict, Verdicts};

use crate::transform::Transform;

/// Relations under one transformation.
#[derive(Clone, Copy, Debug)]
pub struct Claim<'c> {
    /// The transformation that makes follow-up inputs.
    pub transform: &'c Transform,
    /// The relations to judge under this transformation.
    pub relations: &'c [Predicate],
}
