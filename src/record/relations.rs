//! `relations.json`: what a search found; and the same as a table for people.

use std::collections::BTreeSet;
use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::VERSION;
use super::checksum::Checked;
use super::config::ConfigEntries;
use crate::evolve::{Evolution, Found, StopReason};
use crate::executions::{CORRECT, Executions, INCORRECT};
use crate::support::digest::Digest;
use crate::support::digits::grouped;
use crate::support::named::named;

/// What a search found: the file, and what `genmorph evolve --format json` prints; a line of NDJSON is one of the
/// relations.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RelationsFile {
    /// The version of the file.
    #[serde(default)]
    #[schemars(extend("const" = VERSION))]
    pub version: u32,
    /// The program that wrote the file, and its version.
    #[serde(default)]
    pub tool: String,
    /// The name of the function.
    #[serde(default)]
    pub function: String,
    /// How follow-up inputs are made.
    #[serde(default)]
    pub transformation: String,
    /// The input relation, which every relation of the file presupposes.
    #[serde(default)]
    pub input_relation: String,
    /// When two numbers are equal.
    #[serde(default)]
    pub tolerance: Tolerance,
    /// The executions on which relations were scored.
    #[serde(default)]
    pub rows: RowCounts,
    /// The mutants that have rows.
    #[serde(default)]
    pub mutants: Vec<String>,
    /// How the relations were found: enough to find them again.
    #[serde(default)]
    pub run: SearchRun,
    /// The best relation, or the parts that it joins by `and`; then others, each of which kills mutants that none
    /// before it kills.
    pub relations: Vec<ReportedRelation>,
    /// A digest of all other members, in a file of its own; not where it is a part of another.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub checksum: Option<Digest>,
}

/// Two numbers are equal when |a - b| <= abs + rel * max(|a|, |b|).
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Tolerance {
    /// How far equal numbers may be apart, whatever their size.
    #[schemars(range(min = 0))]
    pub abs: f64,
    /// How far equal numbers may be apart, as a share of the larger magnitude.
    #[schemars(range(min = 0))]
    pub rel: f64,
}

impl From<genmorph_jit::Tolerance> for Tolerance {
    fn from(tolerance: genmorph_jit::Tolerance) -> Tolerance {
        Tolerance { abs: tolerance.abs(), rel: tolerance.rel() }
    }
}

/// How many pairs of executions there are.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct RowCounts {
    /// Pairs of executions of the original.
    pub correct: usize,
    /// Pairs of executions of mutants.
    pub incorrect: usize,
}

/// How relations were found: enough to find them again.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct SearchRun {
    /// The seed of the search.
    pub seed: u64,
    /// The generations done: with as many, the search can be repeated whatever ended it.
    pub generations: u64,
    /// How many individuals were scored.
    pub evaluations: u64,
    /// Why the search ended.
    pub stop: StopReason,
    /// The settings of the search.
    pub config: ConfigEntries,
}

impl SearchRun {
    /// How an evolution went.
    pub fn of(evolution: &Evolution, stop: StopReason) -> SearchRun {
        SearchRun {
            seed: evolution.seed().0,
            generations: evolution.generation(),
            evaluations: evolution.evaluations(),
            stop,
            config: evolution.config().into(),
        }
    }
}

named! {
    /// What a relation is good for.
    #[derive(
        Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
    )]
    #[serde(rename_all = "lowercase")]
    pub enum RelationKind {
        /// A relation of the small grammar of what people write into documentation: shown first.
        Law = "law",
        /// What a person would say of every single execution; found once, with the first transformation.
        Postcondition = "postcondition",
        /// When the function throws, by the inputs of a single call.
        Precondition = "precondition",
        /// What the outcome of one call, returned or thrown, says of the other's.
        Outcome = "outcome",
        /// Another relation that stands and catches mutants which no law catches.
        #[default]
        Detector = "detector",
    }
}

impl RelationKind {
    /// Whether a person would say it: of pairs of executions, or of single ones.
    pub fn is_law_like(self) -> bool {
        self != RelationKind::Detector
    }

    /// Whether it says something of single executions.
    pub fn is_of_single(self) -> bool {
        matches!(self, RelationKind::Postcondition | RelationKind::Precondition)
    }

    /// What it is if whether calls throw is observed instead of what they return.
    #[must_use]
    pub fn of_outcomes(self) -> RelationKind {
        match self {
            RelationKind::Law | RelationKind::Outcome => RelationKind::Outcome,
            RelationKind::Postcondition | RelationKind::Precondition => RelationKind::Precondition,
            RelationKind::Detector => RelationKind::Detector,
        }
    }
}

/// What a relation is reported as, and how hard it is to read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Presentation {
    /// Whether it is a law.
    pub kind: RelationKind,
    /// Its reading cost; 0 if nobody computed it.
    pub cost: u32,
}

/// A relation without false positives.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ReportedRelation {
    /// The relation as text.
    pub relation: String,
    /// Whether it is a law or a detector.
    #[serde(default)]
    pub kind: RelationKind,
    /// How hard it is to read: less is plainer. 0 for detectors.
    #[serde(default)]
    pub cost: u32,
    /// False positives: correct rows where it is false. Always 0.
    #[serde(default)]
    #[schemars(extend("const" = 0))]
    pub fp: u32,
    /// The share of correct rows that are false positives.
    #[serde(default)]
    #[schemars(range(min = 0, max = 1))]
    pub fp_rate: f64,
    /// False negatives: incorrect rows where it is true.
    #[serde(rename = "fn", default)]
    pub fn_: u32,
    /// The share of incorrect rows that are false negatives.
    #[serde(default)]
    #[schemars(range(min = 0, max = 1))]
    pub fn_rate: f64,
    /// How many nodes it has, leaves included.
    #[serde(default)]
    pub size: usize,
    /// The mutants that have a row on which it is false.
    #[serde(default)]
    pub killed: Vec<String>,
}

impl Checked for RelationsFile {
    fn checksum(&mut self) -> &mut Option<Digest> {
        &mut self.checksum
    }
}

impl RelationsFile {
    /// The results of a search that has ended.
    pub fn new<'f>(
        executions: &Executions,
        run: SearchRun,
        found: impl IntoIterator<Item = (&'f Found, Presentation)>,
    ) -> RelationsFile {
        let [correct, incorrect] = [CORRECT, INCORRECT].map(|group| executions.count(group));
        let relations =
            found.into_iter().map(|(found, Presentation { kind, cost })| ReportedRelation {
                relation: found.text(),
                kind,
                cost,
                fp: 0,
                fp_rate: 0.0,
                fn_: found.fn_,
                fn_rate: f64::from(found.fn_) / incorrect.max(1) as f64,
                size: found.size(),
                killed: found
                    .killed
                    .iter()
                    .map(|&mutant| executions.mutants[mutant].clone())
                    .collect(),
            });
        RelationsFile {
            version: VERSION,
            tool: format!("genmorph {}", crate::VERSION),
            function: executions.signature.function.clone(),
            transformation: executions.transformation.name.clone(),
            input_relation: executions.transformation.input_relation.clone(),
            tolerance: (*executions.table.tolerance()).into(),
            rows: RowCounts { correct, incorrect },
            mutants: executions.mutants.clone(),
            run,
            relations: relations.collect(),
            checksum: None,
        }
    }

    /// The mutants that no relation kills.
    pub fn survivors(&self) -> Vec<&str> {
        let killed: BTreeSet<&str> = self
            .relations
            .iter()
            .flat_map(|relation| &relation.killed)
            .map(String::as_str)
            .collect();
        self.mutants.iter().map(String::as_str).filter(|name| !killed.contains(name)).collect()
    }
}

/// Survivors that are named, at most.
const NAMED: usize = 10;

impl fmt::Display for RelationsFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let RelationsFile { rows, mutants, run, relations, .. } = self;
        writeln!(f, "{}, {}: {}", self.function, self.transformation, self.input_relation)?;
        writeln!(
            f,
            "{} correct and {} incorrect rows, {} mutant{}\n",
            grouped(rows.correct as u64),
            grouped(rows.incorrect as u64),
            mutants.len(),
            if mutants.len() == 1 { "" } else { "s" }
        )?;
        if relations.is_empty() {
            writeln!(f, "no relation without false positives was found")?;
        } else {
            writeln!(f, "{:>8} {:>8} {:>9} {:>5}  relation", "FP", "FN", "killed", "size")?;
        }
        for relation in relations {
            let killed = format!("{}/{}", relation.killed.len(), mutants.len());
            writeln!(
                f,
                "{:>8} {:>6.2} % {:>9} {:>5}  {}",
                relation.fp,
                100.0 * relation.fn_rate,
                killed,
                relation.size,
                relation.relation
            )?;
        }
        let survivors = self.survivors();
        if !relations.is_empty() {
            let killed = mutants.len() - survivors.len();
            writeln!(f, "\nmutants killed: {killed} of {}", mutants.len())?;
        }
        if !relations.is_empty() && !survivors.is_empty() {
            let more = survivors.len().saturating_sub(NAMED);
            let named = survivors[..survivors.len() - more].join(", ");
            let more = if more > 0 { format!(" and {more} more") } else { String::new() };
            writeln!(f, "not killed: {named}{more}")?;
        }
        writeln!(
            f,
            "\n{}: {} generations, {} evaluations, seed {}",
            run.stop,
            grouped(run.generations),
            grouped(run.evaluations),
            run.seed
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evolve::config::Config;
    use crate::evolve::{Machine, Stop, run};
    use crate::executions::power;
    use crate::support::seed::Seed;
    use std::ops::ControlFlow;

    #[test]
    fn results_read_back_as_they_were_written() {
        let executions = power::executions();
        let config = Config { population: 100, ..Config::default() };
        let mut evolution =
            Evolution::new(&executions, &config, Seed(1), Machine::default()).unwrap();
        let stop =
            run(&mut evolution, &Stop::after_generations(20), |_, _| ControlFlow::Continue(()));
        let outcome = evolution.outcome();
        let found = outcome.relations.iter().map(|found| (found, Presentation::default()));
        let results = RelationsFile::new(&executions, SearchRun::of(&evolution, stop), found);
        let text = serde_json::to_string_pretty(&results).unwrap();
        assert_eq!(serde_json::from_str::<RelationsFile>(&text).unwrap(), results);
        assert!(results.to_string().contains("mutants killed: 1 of 1"), "{results}");
        assert!(
            serde_json::from_str::<RelationsFile>(&text.replacen(
                "\"relations\"",
                "\"relation\"",
                1
            ))
            .is_err()
        );
    }
}
