//! What became of a recording, in numbers.

use std::fmt;

use super::recording::Recording;
use crate::executions::{CORRECT, Executions, INCORRECT, Transformation};

/// How many of what was recorded were used, and for what.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// The function.
    pub function: String,
    /// The transformation.
    pub transformation: String,
    /// What its pairs satisfy.
    pub input_relation: String,
    /// Files that were read.
    pub files: usize,
    /// Executions of the original.
    pub original_executions: usize,
    /// Executions of mutants.
    pub mutant_executions: usize,
    /// Mutants that were recorded.
    pub mutants: usize,
    /// Executions of mutants on inputs on which the original was not recorded.
    pub without_original: usize,
    /// Inputs whose follow-up was not recorded.
    pub alone: usize,
    /// Pairs on which the original throws.
    pub threw: usize,
    /// Pairs on which it returns twice.
    pub pairs: usize,
    /// Tests named as follow-ups that are none by the transformation.
    pub wrong_names: usize,
    /// Pairs that were not recorded for a mutant.
    pub unrecorded: usize,
    /// Pairs on which a mutant throws where the original returned.
    pub crashes: usize,
    /// Mutants that do so: every relation kills them.
    pub crashed_mutants: usize,
    /// Pairs on which a mutant gives what the original gives.
    pub equivalent: usize,
    /// Mutants that never give anything else, nor throw.
    pub alike_mutants: usize,
    /// Rows that were there before.
    pub duplicates: usize,
    /// Unique rows of the original.
    pub unique_correct: usize,
    /// Unique rows of mutants.
    pub unique_incorrect: usize,
    /// Rows of the original that are kept.
    pub correct: usize,
    /// Rows of mutants that are kept.
    pub incorrect: usize,
    /// Mutants that have rows.
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
        line(
            f,
            "recorded",
            recorded,
            "executions",
            &[
                (self.original_executions, "of the original"),
                (self.mutants, "mutants"),
                (self.files, "files"),
            ],
        )?;
        line(
            f,
            "sources",
            self.pairs + self.alone + self.threw,
            "inputs of the original",
            &[
                (self.alone, "without a recorded follow-up"),
                (self.threw, "threw, here or at the follow-up"),
                (self.wrong_names, "with a test named as follow-up that is none"),
            ],
        )?;
        line(
            f,
            "correct",
            self.correct,
            "rows",
            &[(sampled_of(self.correct, self.unique_correct), "unique rows sampled")],
        )?;
        line(
            f,
            "incorrect",
            self.incorrect,
            "rows",
            &[
                (self.mutants_with_rows, "mutants"),
                (sampled_of(self.incorrect, self.unique_incorrect), "unique rows sampled"),
            ],
        )?;
        let dropped = self.equivalent + self.duplicates + self.without_original;
        line(
            f,
            "dropped",
            dropped,
            "pairs or executions",
            &[
                (self.equivalent, "where a mutant gives what the original gives"),
                (self.duplicates, "repeated"),
                (self.without_original, "on inputs without the original"),
            ],
        )?;
        if self.alike_mutants > 0 {
            line(f, "alike", self.alike_mutants, "mutants never differ from the original", &[])?;
        }
        if self.unrecorded > 0 {
            line(f, "missing", self.unrecorded, "pairs not recorded for a mutant", &[])?;
        }
        if self.crashes > 0 {
            line(
                f,
                "crashed",
                self.crashed_mutants,
                "mutants, killed by any test",
                &[(self.crashes, "pairs without a row")],
            )?;
        }
        Ok(())
    }
}

/// How many rows a sample is taken from; 0 when all are kept.
fn sampled_of(kept: usize, unique: usize) -> usize {
    if kept < unique { unique } else { 0 }
}

fn line(
    f: &mut fmt::Formatter<'_>,
    title: &str,
    count: usize,
    what: &str,
    parts: &[(usize, &str)],
) -> fmt::Result {
    write!(f, "  {title:<10} {:>9} {what}", grouped(count))?;
    for (part, what) in parts.iter().filter(|(part, _)| *part > 0) {
        write!(f, ", {} {what}", grouped(*part))?;
    }
    writeln!(f)
}

/// A count with commas between thousands.
fn grouped(count: usize) -> String {
    let digits = count.to_string();
    let mut text = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_written_in_thousands() {
        let counts = [0, 999, 1000, 123_456, 1_234_567];
        assert_eq!(counts.map(grouped), ["0", "999", "1,000", "123,456", "1,234,567"]);
    }
}
