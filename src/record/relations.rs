//! What a search found, in the form that is written: `relations.json`, and a table for people.
//!
//! A value like any other: computes nothing, opens no file, and has no clock in it, so that equal runs
//! give equal bytes.

use std::collections::BTreeSet;
use std::fmt;

use serde::{Deserialize, Serialize};

use crate::evolve::config::Config;
use crate::evolve::{Evolution, Outcome, StopReason};
use crate::executions::Executions;
use crate::support::digits::grouped;

/// The version of the form. A reader must refuse others.
pub const VERSION: u32 = 1;

/// The JSON schema of `relations.json`.
pub const SCHEMA: &str = include_str!("relations.schema.json");

/// Everything that `relations.json` says.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Results {
    /// [`VERSION`].
    pub version: u32,
    /// The program that wrote it, and its version.
    pub tool: String,
    /// The function.
    pub function: String,
    /// How follow-up inputs are made.
    pub transformation: String,
    /// The input relation, which every relation below presupposes.
    pub input_relation: String,
    /// When two numbers are equal: `abs + rel * max(|a|, |b|)` apart at most.
    pub tolerance: Tolerance,
    /// The executions that relations were judged by.
    pub rows: Rows,
    /// The mutants that have rows.
    pub mutants: Vec<String>,
    /// The run that found the relations.
    pub run: Run,
    /// The relations: the best one, or what it joins by `and`, then others, each of which kills mutants
    /// that none before it kills.
    pub relations: Vec<Relation>,
}

/// When two numbers are equal.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tolerance {
    /// The absolute part.
    pub abs: f64,
    /// The relative part.
    pub rel: f64,
}

/// How many executions there are, in pairs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rows {
    /// Of the original.
    pub correct: usize,
    /// Of mutants.
    pub incorrect: usize,
}

/// How relations were found: enough to find them again.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Run {
    /// The seed.
    pub seed: u64,
    /// The generations done: with as many, the run can be repeated whatever ended it.
    pub generations: u64,
    /// The individuals scored.
    pub evaluations: u64,
    /// Why it ended.
    pub stop: StopReason,
    /// The settings.
    pub config: Config,
}

/// A relation without false positives.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Relation {
    /// The relation as text.
    pub relation: String,
    /// False positives: correct rows where it is false. Always 0.
    pub fp: u32,
    /// Their share of the correct rows.
    pub fp_rate: f64,
    /// False negatives: incorrect rows where it is true.
    #[serde(rename = "fn")]
    pub fn_: u32,
    /// Their share of the incorrect rows.
    pub fn_rate: f64,
    /// Its nodes.
    pub size: usize,
    /// The mutants on which it raises an alarm.
    pub killed: Vec<String>,
}

impl Results {
    /// The results of a search that has ended.
    pub fn new(
        executions: &Executions,
        evolution: &Evolution,
        outcome: &Outcome,
        stop: StopReason,
    ) -> Results {
        let [correct, incorrect] = evolution.rows();
        let tolerance = executions.table.tolerance();
        let relations = outcome.relations.iter().map(|found| Relation {
            relation: found.text(),
            fp: 0,
            fp_rate: 0.0,
            fn_: found.fn_,
            fn_rate: f64::from(found.fn_) / incorrect as f64,
            size: found.size(),
            killed: found.killed.iter().map(|&mutant| executions.mutants[mutant].clone()).collect(),
        });
        Results {
            version: VERSION,
            tool: format!("genmorph {}", crate::VERSION),
            function: executions.signature.function.clone(),
            transformation: executions.transformation.name.clone(),
            input_relation: executions.transformation.input_relation.clone(),
            tolerance: Tolerance { abs: tolerance.abs(), rel: tolerance.rel() },
            rows: Rows { correct, incorrect },
            mutants: executions.mutants.clone(),
            run: Run {
                seed: evolution.seed().0,
                generations: evolution.generation(),
                evaluations: evolution.evaluations(),
                stop,
                config: evolution.config().clone(),
            },
            relations: relations.collect(),
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

impl fmt::Display for Results {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Results { rows, mutants, run, relations, .. } = self;
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
        let results = Results::new(&executions, &evolution, &outcome, stop);
        let text = serde_json::to_string_pretty(&results).unwrap();
        assert_eq!(serde_json::from_str::<Results>(&text).unwrap(), results);
        assert!(results.to_string().contains("mutants killed: 1 of 1"), "{results}");
        assert!(serde_json::from_str::<Results>(&text.replacen("tool", "tol", 1)).is_err());
    }
}
