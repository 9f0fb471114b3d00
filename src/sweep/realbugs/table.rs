//! The records of all faults as a table, with the controls beside them.

use std::fmt::Write;

use super::record::{BugRecord, BugVerdict};

/// Records in the order of the list, then of their seeds.
#[derive(Clone, Debug, Default)]
pub struct BugTable {
    /// The records.
    pub records: Vec<BugRecord>,
}

impl BugTable {
    /// How many records have a verdict.
    pub fn count(&self, verdict: BugVerdict) -> usize {
        self.records.iter().filter(|record| record.verdict == verdict).count()
    }

    /// How many faults were caught.
    pub fn caught(&self) -> usize {
        self.records.iter().filter(|record| record.verdict.is_caught()).count()
    }

    /// As Markdown.
    pub fn text(&self) -> String {
        let mut text = String::from(
            "| fault | seed | verdict | relations | any test | assertions | by, or why not |\n|---|---|---|---|---|---|---|\n",
        );
        let yes = |truth: bool| if truth { "yes" } else { "-" };
        for record in &self.records {
            let why = match record.catches.first() {
                Some(catch) => format!("{}; {}", catch.what, catch.input),
                None => record.note.clone(),
            };
            let _ = writeln!(
                text,
                "| {} | {} | {} | {} | {} | {} | {} |",
                record.id,
                record.seed,
                record.verdict.name(),
                record.relations,
                yes(record.any_test),
                yes(record.assertions),
                cell(&why)
            );
        }
        let all = self.records.len();
        let control = |is: fn(&BugRecord) -> bool| self.records.iter().filter(|r| is(r)).count();
        let _ = writeln!(
            text,
            "\n{} of {all} caught: {} by laws, {} by outcomes, {} by detectors; {} missed, {} without a relation, {} refused, \
             {} false alarms, {} not resolved, {} malformed lines\n\
             controls: any test catches {}, assertions of the results of the same calls {}",
            self.caught(),
            self.count(BugVerdict::Law),
            self.count(BugVerdict::Outcome),
            self.count(BugVerdict::Detector),
            self.count(BugVerdict::Missed),
            self.count(BugVerdict::Nothing),
            self.count(BugVerdict::Refused),
            self.count(BugVerdict::FalseAlarm),
            self.count(BugVerdict::Unresolved),
            self.count(BugVerdict::Malformed),
            control(|record| record.any_test),
            control(|record| record.assertions),
        );
        text
    }
}

/// A text within a cell: in one line, and not too long to be read.
fn cell(text: &str) -> String {
    const LONGEST: usize = 220;
    let line = text.replace('|', "\\|").replace('\n', " ");
    match line.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line,
    }
}
