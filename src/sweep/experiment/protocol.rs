//! The protocol of the experiment: what is run, and how much of it.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::evolve::config::Config;
use crate::run::{Plan, Transformations};
use crate::support::named::named;
use crate::support::seed::Seed;

named! {
    /// The search that finds relations.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
    #[serde(rename_all = "snake_case")]
    pub enum Search {
        /// The search of genmorph.
        Ours = "ours",
        /// The paper's algorithm and parameters, and its filter, which runs once at the end.
        Paper = "paper",
    }
}

impl fmt::Display for Search {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Search {
    type Err = String;

    fn from_str(text: &str) -> Result<Search, String> {
        let named = Search::ALL.into_iter().find(|search| search.name() == text);
        named.ok_or_else(|| format!("`{text}` is not a search: write `ours` or `paper`"))
    }
}

/// The size of one run, for any method. Records of different protocols do not go into the same table.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Protocol {
    /// Transformations of each method. 4: paper, section on the experimental setup.
    pub transformations: usize,
    /// Suites on which relations are judged. The paper has 12.
    pub suites: usize,
    /// Source inputs of a suite. 100: paper.
    pub inputs: usize,
    /// Seconds for each transformation, for everything: inputs, mutants, executions, search and filter.
    pub seconds: f64,
    /// Generations of each search, which then has no bound in time: equal seeds give equal records.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub generations: Option<u64>,
}

impl Default for Protocol {
    fn default() -> Protocol {
        Protocol { transformations: 4, suites: 12, inputs: 100, seconds: 15.0, generations: None }
    }
}

impl Protocol {
    /// The time for all transformations of a method, if that is what bounds a run.
    pub fn time(&self) -> Option<Duration> {
        let seconds = self.seconds * self.transformations as f64;
        self.generations.is_none().then(|| Duration::from_secs_f64(seconds))
    }

    /// The plan of `generate` for a seed. Rows are limited as in the paper, 9,000 of each kind.
    pub(super) fn plan(&self, search: Search, seed: Seed) -> Plan {
        let (config, feedback) = match search {
            Search::Ours => (Config::default(), true),
            Search::Paper => (Config::paper(), false),
        };
        Plan {
            config,
            feedback,
            seed,
            transformations: Transformations::Sampled(self.transformations),
            time: self.time(),
            generations: self.generations,
            ..Plan::default()
        }
    }
}
