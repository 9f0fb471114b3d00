//! The mutants of a report, with their fate and the relations that kill them.

use std::collections::{BTreeMap, BTreeSet};

use schemars::JsonSchema;
use serde::Serialize;

use super::relation::Relation;
use crate::record::mutants::MutantEntry;
use crate::record::report::MutationScores;
use crate::show::report::folder::place;

/// A mutant, its fate, and the relations that kill it.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Mutant {
    /// The name of the mutant.
    pub name: String,
    /// `A` for training, `B` for judging.
    pub group: String,
    /// The name of the mutation operator.
    pub operator: String,
    /// The function that is changed.
    pub function: String,
    /// Where the change is, in bytes from the start of the module.
    pub offset: u32,
    /// Where the change is in the source; null if there is no debug information.
    pub line: Option<String>,
    /// The text of that line; null if the source was not found.
    pub source: Option<String>,
    /// What the mutant changes, for people.
    pub change: String,
    /// What the source inputs show of the mutant; null if it was not run on them.
    pub standing: Option<String>,
    /// Whether it is killed, and if not, why.
    pub fate: Fate,
    /// The numbers of the relations that kill it.
    pub killed_by: Vec<usize>,
}

/// Whether a mutant is killed, and if not, why.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Fate {
    /// A relation is false for it.
    Killed,
    /// It does not return wherever it differs: any test kills it.
    Crashes,
    /// It differs, and no relation is false for it.
    Survives,
    /// It never differs from the function.
    Alike,
    /// It does the same as another mutant.
    Same,
    /// The run has not recorded it.
    Unknown,
}

impl Fate {
    /// The fate in a word or two.
    pub fn words(self) -> &'static str {
        match self {
            Fate::Killed => "killed",
            Fate::Crashes => "crashes",
            Fate::Survives => "survives",
            Fate::Alike => "never differs",
            Fate::Same => "same as another",
            Fate::Unknown => "not recorded",
        }
    }
}

impl Mutant {
    /// Where the change is: the place in the source, or in the module.
    pub(in crate::show::report) fn place(&self) -> String {
        match &self.line {
            Some(line) => line.clone(),
            None => format!("{} at offset {:#x}", self.function, self.offset),
        }
    }

    /// The code before and after the change, if the change is written as a replacement.
    pub(in crate::show::report) fn diff(&self) -> Option<(&str, &str)> {
        let (new, old) = self.change.split_once(" instead of ")?;
        Some((old, new))
    }
}

/// All mutants of a run. `sources` are the texts of source files.
pub(super) fn mutants(
    entries: Vec<MutantEntry>,
    relations: &[Relation],
    scores: &MutationScores,
    sources: &BTreeMap<String, String>,
) -> Vec<Mutant> {
    let fates = Fates {
        relations,
        survivors: scores.survivors.iter().filter_map(|text| text.split(':').next()).collect(),
        judging: scores.names.iter().map(String::as_str).collect(),
        crashed: scores.crashed.iter().map(String::as_str).collect(),
    };
    entries.into_iter().map(|entry| fates.mutant(entry, sources)).collect()
}

/// What decides about fates.
struct Fates<'a> {
    relations: &'a [Relation],
    survivors: BTreeSet<&'a str>,
    /// The judging mutants without those that do the same as another; empty if the run has not recorded them.
    judging: BTreeSet<&'a str>,
    /// The judging mutants that any test kills.
    crashed: BTreeSet<&'a str>,
}

impl Fates<'_> {
    fn mutant(&self, entry: MutantEntry, sources: &BTreeMap<String, String>) -> Mutant {
        let MutantEntry { name, group, operator, function, offset, line, change, standing } = entry;
        let killers = self.relations.iter();
        let killers = killers.filter(|relation| relation.kills().any(|killed| killed == name));
        let killed_by: Vec<usize> = killers.map(|relation| relation.number).collect();
        let fate = self.fate(&name, &group, standing.as_deref(), !killed_by.is_empty());
        let source = line.as_deref().and_then(|line| {
            let place = place(line);
            let line = sources.get(&place.file)?.lines().nth(place.line? - 1)?;
            Some(line.trim().to_owned())
        });
        Mutant {
            name,
            group,
            operator,
            function,
            offset,
            line,
            source,
            change,
            standing,
            fate,
            killed_by,
        }
    }

    fn fate(&self, name: &str, group: &str, standing: Option<&str>, is_killed: bool) -> Fate {
        if is_killed {
            return Fate::Killed;
        }
        if self.survivors.contains(name) {
            return Fate::Survives;
        }
        match standing {
            Some("distinct") => Fate::Survives,
            Some("never differs") => Fate::Alike,
            Some("only crashes") => Fate::Crashes,
            Some(text) if text.starts_with("same as ") => Fate::Same,
            Some(_) => Fate::Unknown,
            None if self.crashed.contains(name) => Fate::Crashes,
            None if group != "B" || self.judging.is_empty() => Fate::Unknown,
            None if self.judging.contains(name) => Fate::Alike,
            None => Fate::Same,
        }
    }
}
