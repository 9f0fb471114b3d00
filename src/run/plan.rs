//! The plan of a run: its settings and limits.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use genmorph_jit::Tolerance;

use super::review::Rejection;
use crate::evolve::Machine;
use crate::evolve::config::{Config, Report};
use crate::executions::Limits;
use crate::inputs;
use crate::record::search::Search;
use crate::subject::kinds::Observed;
use crate::support::seed::Seed;
use crate::transform::Instance;

/// The settings and limits of a run. Results depend on these and on the subject; not on `machine`.
#[derive(Clone, Debug)]
pub struct Plan {
    /// How relations are evolved.
    pub config: Config,

    /// The one number that everything random comes from.
    pub seed: Seed,
    /// How source inputs are made.
    pub inputs: inputs::Settings,
    /// How many calls may be made for inputs on which further mutants differ.
    pub hunt: usize,
    /// Which transformations are searched.
    pub transformations: Transformations,
    /// When two numbers are equal.
    pub tolerance: Tolerance,
    /// How many rows a search works on.
    pub limits: Limits,
    /// On how many fresh pairs a relation must hold.
    pub fresh: usize,
    /// How many calls are made to hunt for counterexamples of what is to be reported.
    pub hunted: usize,
    /// Whether what is refuted teaches the search; if not, relations are filtered once, at the end, as in the paper.
    pub feedback: bool,
    /// How long the run may take, all in all.
    pub time: Option<Duration>,
    /// How many generations each search has.
    pub generations: Option<u64>,
    /// Relations that people have rejected: they are not reported, in whatever form.
    pub rejected: Vec<Rejection>,
    /// Searches that an earlier run has done: they are not done again, unless they were cut short.
    pub done: Vec<Search>,
    /// Ends the run early when it is set.
    pub cancelled: Arc<AtomicBool>,
    /// The threads and the tier that it uses.
    pub machine: Machine,
}

/// Which transformations are searched.
#[derive(Clone, Debug, PartialEq)]
pub enum Transformations {
    /// The transformations that the user named.
    Named(Vec<Instance>),
    /// At most this many of the transformations that fit the function: the plainest; with the paper's search a sample.
    Sampled(usize),
}

impl Plan {
    /// How many transformations are searched by default. A guess.
    pub const TRANSFORMATIONS: usize = 12;
    /// Calls for inputs on which further mutants differ: a fraction of a second. A guess.
    pub const HUNT: usize = 200_000;
    /// Fresh pairs that a relation must hold on.
    pub const FRESH: usize = 100_000;
    /// Calls of the hunt: a fraction of a second. A guess.
    pub const HUNTED: usize = 100_000;

    /// The search of an earlier run under a transformation, unless it was cut short.
    pub(super) fn done(&self, transformation: &str, observed: Observed) -> Option<&Search> {
        let mut whole = self.done.iter().filter(|search| !search.is_cut_short());
        whole.find(|search| search.transformation == transformation && search.observed == observed)
    }

    /// Whether laws are explored before detectors are evolved: not if relations are reported as they are found, as in the paper.
    pub(super) fn explores(&self) -> bool {
        self.config.report == Report::Plain
    }
}

impl Default for Plan {
    fn default() -> Self {
        Plan {
            config: Config::default(),
            seed: Seed(1),
            inputs: inputs::Settings::default(),
            hunt: Plan::HUNT,
            transformations: Transformations::Sampled(Plan::TRANSFORMATIONS),
            tolerance: Tolerance::default(),
            limits: Limits::default(),
            fresh: Plan::FRESH,
            hunted: Plan::HUNTED,
            feedback: true,
            time: None,
            generations: None,
            rejected: Vec::new(),
            done: Vec::new(),
            cancelled: Arc::default(),
            machine: Machine::default(),
        }
    }
}
