//! Counts of how a recording was used.

use std::fmt;

use schemars::JsonSchema;
use serde::Serialize;

use super::recording::Recording;
use crate::executions::{CORRECT, Executions, INCORRECT};
use crate::support::digits::grouped;
use crate::transform::Transformation;

/// How much of a recording was used, and for what.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Summary {
    /// Name of the function.
    pub function: String,
    /// The transformation, as text.
    pub transformation: String,
    /// The relation between source and follow-up inputs.
    pub input_relation: String,
    /// Number of files that were read.
    pub files: usize,
    /// Number of executions of the original.
    pub original_executions: usize,
    /// Number of executions of mutants.
    pub mutant_executions: usize,
    /// Number of mutants that were recorded.
    pub mutants: usize,
    /// Executions of mutants on inputs on which the original was not recorded.
    pub without_original: usize,
    /// Inputs whose follow-up was not recorded.
    pub alone: usize,
    /// Pairs on which the original throws for at least one input.
    pub threw: usize,
    /// Pairs on which the original returns for both inputs.
    pub pairs: usize,
    /// Tests that are named as follow-ups but are not follow-ups by the transformation.
    pub wrong_names: usize,
    /// Pairs that were not recorded for a mutant.
    pub unrecorded: usize,
    /// Pairs on which a mutant throws and the original returns.
    pub crashes: usize,
    /// Mutants that throw where the original returns: any test kills them.
    pub crashed_mutants: usize,
    /// Pairs on which a mutant gives the same outputs as the original.
    pub equivalent: usize,
    /// Mutants that give the same outputs as the original on all pairs, and never throw.
    pub alike_mutants: usize,
    /// Executions of a version on inputs on which it was executed before.
    pub repeated: usize,
    /// Number of unique rows of the original.
    pub unique_correct: usize,
    /// Number of unique rows of mutants.
    pub unique_incorrect: usize,
    /// Rows of the original that the sample keeps.
    pub correct: usize,
    /// Rows of mutants that the sample keeps.
    pub incorrect: usize,
    /// Number of mutants that have rows.
    pub mutants_with_rows: usize,
}

impl Summary {
    pub(super) fn of(recording: &Recording, transformation: &Transformation) -> Summary {
        let original = &recording.original.outcomes;
        let mutants = || recording.mutants.iter();
        let unknown = |id: &&u32| !original.contains_key(*id);
        Summary {
            function: recording.signature.function.clone(),
            transformation: transformation.name.clone(),
            input_relation: transformation.input_relation.clone(),
            files: recording.files,
            original_executions: recording.original.executions,
            mutant_executions: mutants().map(|mutant| mutant.executions).sum(),
            mutants: recording.mutants.len(),
            without_original: mutants().map(|m| m.outcomes.keys().filter(unknown).count()).sum(),
            repeated: [&recording.original]
                .into_iter()
                .chain(mutants())
                .map(|version| version.executions - version.outcomes.len())
                .sum(),
            ..Summary::default()
        }
    }

    pub(super) fn keep(&mut self, executions: &Executions) {
        self.correct = executions.count(CORRECT);
        self.incorrect = executions.count(INCORRECT);
        self.mutants_with_rows = executions.mutants.len();
    }
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}: {}, so {}", self.function, self.transformation, self.input_relation)?;
        let recorded = self.original_executions + self.mutant_executions;
        let files = [
            (self.original_executions, "of the original"),
            (self.mutants, "mutant~"),
            (self.files, "file~"),
        ];
        line(f, "recorded", recorded, "execution~", &files)?;
        let sources = [
            (self.pairs, "with a follow-up"),
            (self.alone, "without"),
            (self.threw, "that threw, or whose follow-up did"),
            (self.wrong_names, "with a test wrongly named as follow-up"),
        ];
        let all = self.pairs + self.alone + self.threw;
        line(f, "sources", all, "input~ of the original", &sources)?;
        let sampled = (sampled_of(self.correct, self.unique_correct), "unique ones sampled");
        line(f, "correct", self.correct, "row~", &[sampled])?;
        let sampled = (sampled_of(self.incorrect, self.unique_incorrect), "unique ones sampled");
        let mutants = (self.mutants_with_rows, "mutant~");
        line(f, "incorrect", self.incorrect, "row~", &[mutants, sampled])?;
        let alike = (self.alike_mutants, "mutant~ on all pairs");
        line(f, "the same", self.equivalent, "pair~ of a mutant as of the original", &[alike])?;
        line(f, "repeated", self.repeated, "execution~ on the same inputs", &[])?;
        let crashes = (self.crashes, "pair~ without a row");
        line(f, "crashed", self.crashed_mutants, "mutant~, killed by any test", &[crashes])?;
        line(f, "missing", self.unrecorded, "pair~ not recorded for a mutant", &[])?;
        line(f, "unknown", self.without_original, "execution~ on inputs without the original", &[])
    }
}

/// The number of rows that the sample was taken from; 0 if all are kept.
fn sampled_of(kept: usize, unique: usize) -> usize {
    if kept < unique { unique } else { 0 }
}

/// Writes a line about a count that is not 0, with its parts that are not 0; `~` stands for a plural s.
fn line(
    f: &mut fmt::Formatter<'_>,
    title: &str,
    count: usize,
    what: &str,
    parts: &[(usize, &str)],
) -> fmt::Result {
    if count == 0 {
        return Ok(());
    }
    let counted = |count, what: &str| {
        format!(
            "{} {}",
            grouped(count as u64),
            what.replace('~', if count == 1 { "" } else { "s" })
        )
    };
    let parts: Vec<String> = (parts.iter().filter(|(part, _)| *part > 0))
        .map(|(part, what)| counted(*part, what))
        .collect();
    let parts = if parts.is_empty() { String::new() } else { format!(": {}", parts.join(", ")) };
    writeln!(f, "  {title:<10} {}{parts}", counted(count, what))
}
