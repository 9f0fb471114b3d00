//! Every number of the search, with its source. Knows nothing of how it is used.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How relations are evolved. Results depend on these, on the seed and on the executions, and on
/// nothing else.
///
/// [`Config::default`] is for a person who waits; [`Config::paper`] is the published algorithm. What the
/// two differ in goes past the paper, a setting each; `cargo bench --bench generation` compares them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Config {
    /// The individuals of each of the two populations.
    pub population: usize, // 1,000; paper, Table 3
    /// The most nodes a relation may have, leaves included.
    pub max_size: usize, // 16; paper, Table 3
    /// How often two parents are crossed rather than copied.
    pub crossover: f64, // 0.9; paper, Table 3
    /// How often an offspring is mutated.
    pub mutation: f64, // 0.3; paper, Table 3
    /// The individuals that survive unchanged, per population; at most a quarter of it.
    pub elite: usize, // 10; paper, Table 3
    /// Every how many generations the populations exchange their best.
    pub migration_every: u64, // 10; paper, Table 3
    /// The share of a population that migrates.
    pub migrants: f64, // 160 of 1,000; paper, Table 3
    /// How many individuals a tournament is between.
    pub tournament: usize, // 2; paper, section "Selection"
    /// How often parents are chosen by best match instead of by tournament.
    pub best_match: f64, // the paper gives none
    /// Among how many individuals a match is looked for.
    pub match_candidates: usize, // the paper gives none
    /// On how many rows of each group, at most, a match is looked for; none is all of them.
    pub match_rows: Option<usize>, // all; paper, section "Selection"
    /// The largest magnitude of a generated constant.
    pub constant_range: f64, // 100; paper, section "Crossover and Mutation"
    /// The step of constant mutation.
    pub constant_step: f64, // 0.1; paper, section "Crossover and Mutation"

    /// What the first individuals are.
    pub start: Start,
    /// How much crossover and mutation change.
    pub variation: Variation,
    /// How often two parents are joined whole, by `and` where false positives are avoided first, by
    /// `or` where false negatives are: two relations without false positives make a stronger one.
    pub joining: f64, // 0 in the paper
    /// Which constants are generated.
    pub constants: Constants,
    /// Whether a relation may be in a population twice.
    pub duplicates: Duplicates,
    /// How what was found is reported.
    pub report: Report,
    /// How many offspring of a population are elite individuals with other constants, at most.
    pub tuned: usize, // 0 in the paper
    /// How often constant mutation reads the constant off the correct rows, where it can.
    pub fitting: f64, // 0 in the paper
    /// What a false negative counts.
    pub weights: Weights,
    /// After how many generations without a better relation the populations start anew; 0 is never.
    pub restart_after: u64, // never in the paper
    /// Which operators relations are made of. Settings that do not say it are of a time when there were only the paper's.
    #[serde(default)]
    pub operators: Operators,
}

/// Which operators relations are made of.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Operators {
    /// Those of the paper's table.
    #[default]
    Paper,
    /// All that the language has, the paper's more often than the others.
    All,
}

/// What the first individuals are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Start {
    /// Any relation, constants included. The paper's.
    Any,
    /// No constants, and mostly relations between the source and the follow-up value of an output.
    Related,
}

/// How much crossover and mutation change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Variation {
    /// As their random choices have it, which is often nothing. The paper's.
    Plain,
    /// Always something: equal subtrees are not exchanged, nodes are not replaced by themselves, and
    /// what was not crossed is mutated. Operators can be replaced too.
    Eager,
}

/// Which constants are generated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Constants {
    /// Real numbers, evenly. The paper's.
    Real,
    /// Mostly small integers, some named constants and their like, some real numbers.
    Natural,
}

/// Whether a relation may be in a population twice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Duplicates {
    /// It may; so the paper has it.
    Kept,
    /// No: another offspring is bred in its place.
    Replaced,
}

/// How what was found is reported.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Report {
    /// As it is. The paper's.
    Found,
    /// For people: what `and` joins apart, and everything in its smallest form that alarms wherever it
    /// did.
    Plain,
}

/// What a false negative counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Weights {
    /// Every row the same. The paper's.
    Rows,
    /// Every mutant the same, however many rows it has.
    Mutants,
}

impl Config {
    /// The smallest population that is accepted.
    pub const LEAST_POPULATION: usize = 10;
    /// The largest population that is accepted.
    pub const MOST_POPULATION: usize = 1_000_000;

    /// The published algorithm and its parameters.
    pub fn paper() -> Config {
        Config {
            population: 1_000,
            max_size: 16,
            crossover: 0.9,
            mutation: 0.3,
            elite: 10,
            migration_every: 10,
            migrants: 0.16,
            tournament: 2,
            // A guess: the paper has "a given probability".
            best_match: 0.5,
            match_candidates: 8,
            // A sample, so that bits of thousands of individuals are affordable; the paper has no number.
            match_rows: Some(256),
            constant_range: 100.0,
            constant_step: 0.1,
            start: Start::Any,
            variation: Variation::Plain,
            joining: 0.0,
            constants: Constants::Real,
            duplicates: Duplicates::Kept,
            report: Report::Found,
            tuned: 0,
            fitting: 0.0,
            weights: Weights::Rows,
            restart_after: 0,
            operators: Operators::Paper,
        }
    }

    /// Checks that a search can run with these settings.
    ///
    /// # Errors
    /// Says which setting is out of its range, and what the range is.
    pub fn check(&self) -> Result<(), ConfigError> {
        let range = |setting, value: f64, least: f64, most: f64| {
            let inside = (least..=most).contains(&value);
            if inside { Ok(()) } else { Err(ConfigError { setting, value, least, most }) }
        };
        let (least, most) = (Self::LEAST_POPULATION as f64, Self::MOST_POPULATION as f64);
        range("population", self.population as f64, least, most)?;
        range("max_size", self.max_size as f64, 3.0, 255.0)?;
        range("crossover", self.crossover, 0.0, 1.0)?;
        range("mutation", self.mutation, 0.0, 1.0)?;
        range("elite", self.elite as f64, 1.0, most)?;
        range("migration_every", self.migration_every as f64, 1.0, f64::MAX)?;
        range("migrants", self.migrants, 0.0, 0.5)?;
        range("tournament", self.tournament as f64, 1.0, 64.0)?;
        range("best_match", self.best_match, 0.0, 1.0)?;
        range("match_candidates", self.match_candidates as f64, 1.0, 64.0)?;
        range("match_rows", self.match_rows.unwrap_or(1) as f64, 1.0, f64::MAX)?;
        range("joining", self.joining, 0.0, 1.0)?;
        range("fitting", self.fitting, 0.0, 1.0)?;
        range("constant_range", self.constant_range, 1.0, 1e15)?;
        range("constant_step", self.constant_step, 1e-15, 1e15)?;
        range("tuned", self.tuned as f64, 0.0, most)
    }

    /// How many individuals survive unchanged.
    pub fn elite_size(&self) -> usize {
        self.elite.min(self.population / 4)
    }

    /// How many individuals migrate.
    pub fn migration_size(&self) -> usize {
        (self.population as f64 * self.migrants) as usize
    }

    /// How many offspring are tuned.
    pub fn tuned_size(&self) -> usize {
        self.tuned.min(self.population / 10)
    }
}

impl Default for Config {
    fn default() -> Config {
        Config {
            best_match: 0.1,
            match_candidates: 4,
            start: Start::Related,
            variation: Variation::Eager,
            joining: 0.1,
            constants: Constants::Natural,
            duplicates: Duplicates::Replaced,
            report: Report::Plain,
            tuned: 40,
            fitting: 0.5,
            weights: Weights::Mutants,
            restart_after: 150,
            operators: Operators::All,
            ..Config::paper()
        }
    }
}

/// A setting with a value that no search can run with.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("`{setting}` is {value}; it must be from {least} to {most}")]
pub struct ConfigError {
    setting: &'static str,
    value: f64,
    least: f64,
    most: f64,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_paper_and_the_default_can_run() {
        assert_eq!(Config::paper().check(), Ok(()));
        assert_eq!(Config::default().check(), Ok(()));
    }

    #[test]
    fn the_paper_has_the_numbers_of_its_table_3() {
        let paper = Config::paper();
        assert_eq!((paper.population, paper.max_size), (1_000, 16));
        assert_eq!((paper.crossover, paper.mutation), (0.9, 0.3));
        assert_eq!((paper.elite_size(), paper.migration_size()), (10, 160));
        assert_eq!(paper.migration_every, 10);
    }

    #[test]
    fn a_setting_out_of_range_is_named() {
        let error = Config { population: 9, ..Config::default() }.check().unwrap_err();
        assert_eq!(error.to_string(), "`population` is 9; it must be from 10 to 1000000");
        assert!(Config { mutation: f64::NAN, ..Config::default() }.check().is_err());
    }
}
