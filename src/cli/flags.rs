//! Flags that several commands have: the tolerance, the machine, the settings of a search, the limits on rows.

use std::path::Path;

use genmorph::evolve::Machine;
use genmorph::evolve::config::Config;
use genmorph::executions::{Executions, Limits};
use genmorph::inputs;
use genmorph::jit::{Policy, Tolerance};
use genmorph::run::Plan;
use genmorph::support::threads::Jobs;

use super::exit::OrFailure;
use super::{Failure, counts, warn};

/// The tolerance of commands that make executions.
#[derive(Clone, Copy, Debug, clap::Args)]
pub(super) struct ToleranceArgs {
    /// When two numbers are equal: `paper` (|a - b| < 1e-4), or |a - b| <= ABS + REL * max(|a|, |b|)
    #[arg(long, value_name = "paper|ABS,REL", default_value_t)]
    tolerance: Tolerance,
}

impl ToleranceArgs {
    pub(super) fn get(self) -> Tolerance {
        self.tolerance
    }
}

/// The tolerance of commands that read relations or executions, which may have a tolerance of their own.
#[derive(Clone, Copy, Debug, clap::Args)]
pub(super) struct OwnToleranceArgs {
    /// When two numbers are equal: `paper` (|a - b| < 1e-4), or |a - b| <= ABS + REL * max(|a|, |b|) [default: as the run or the
    /// file that is read says]
    #[arg(long, value_name = "paper|ABS,REL")]
    tolerance: Option<Tolerance>,
}

impl OwnToleranceArgs {
    /// The tolerance that the user asks for.
    pub(super) fn given(self) -> Option<Tolerance> {
        self.tolerance
    }

    /// The executions of a file, with the tolerance that the user asks for, if any.
    pub(super) fn executions(self, path: &Path) -> Result<Executions, Failure> {
        let reading = Executions::read(path).or_input()?;
        reading.warnings.iter().for_each(warn);
        Ok(match self.tolerance {
            Some(tolerance) => reading.executions.with_tolerance(tolerance),
            None => reading.executions,
        })
    }
}

/// The threads of a command.
#[derive(Clone, Copy, Debug, clap::Args)]
pub(super) struct JobsArgs {
    /// Threads; 0 is one per processor
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = clap::value_parser!(u16).range(..=512))]
    jobs: u16,
}

impl JobsArgs {
    /// The number of threads; 0 is one per processor.
    pub(super) fn count(self) -> usize {
        usize::from(self.jobs)
    }

    pub(super) fn start(self) -> Result<Jobs, Failure> {
        Jobs::new(self.count()).or_input()
    }
}

/// The threads and the evaluator of a search.
#[derive(Clone, Copy, Debug, clap::Args)]
pub(super) struct MachineArgs {
    #[command(flatten)]
    pub(super) jobs: JobsArgs,

    /// What evaluates relations: auto, reference, bytecode or native
    #[arg(long, default_value_t)]
    tier: Policy,
}

impl MachineArgs {
    pub(super) fn machine(self) -> Machine {
        Machine { jobs: self.jobs.count(), policy: self.tier }
    }
}

/// The settings of the evolutionary search.
#[derive(Clone, Copy, Debug, clap::Args)]
pub(super) struct ConfigArgs {
    /// Individuals in each of the two populations, from 10 to 1,000,000
    #[arg(long, value_name = "N")]
    population: Option<usize>,

    /// The most nodes of a relation, from 3 to 255
    #[arg(long, value_name = "N")]
    max_size: Option<usize>,

    /// The search algorithm and the parameters of the paper, without what genmorph adds
    #[arg(long)]
    paper: bool,
}

impl ConfigArgs {
    pub(super) fn config(self) -> Config {
        let usual = if self.paper { Config::paper() } else { Config::default() };
        Config {
            population: self.population.unwrap_or(usual.population),
            max_size: self.max_size.unwrap_or(usual.max_size),
            ..usual
        }
    }
}

/// The settings of all steps of a run, from inputs to the filter.
#[derive(Clone, Copy, Debug, clap::Args)]
pub(super) struct SearchArgs {
    /// The number of source inputs to make
    #[arg(long, value_name = "N", default_value_t = inputs::Settings::default().count, value_parser = counts::sources)]
    pub(super) sources: usize,

    /// The number of fresh pairs of inputs on which a relation must hold
    #[arg(long, value_name = "N", default_value_t = Plan::FRESH, value_parser = counts::calls)]
    pub(super) fresh: usize,

    /// The number of calls that hunt for counterexamples of the relations to be reported
    #[arg(long, value_name = "N", default_value_t = Plan::HUNTED, value_parser = counts::calls)]
    pub(super) hunt: usize,

    /// Filter relations once, at the end, as in the paper: counterexamples do not teach the search
    #[arg(long)]
    pub(super) no_feedback: bool,

    #[command(flatten)]
    pub(super) rows: RowArgs,

    #[command(flatten)]
    pub(super) config: ConfigArgs,

    #[command(flatten)]
    pub(super) tolerance: ToleranceArgs,
}

/// The most rows of executions of each kind.
#[derive(Clone, Copy, Debug, clap::Args)]
pub(super) struct RowArgs {
    /// At most this many unique executions of the original
    #[arg(long, value_name = "ROWS", default_value_t = Limits::default().correct, value_parser = counts::rows)]
    max_correct: usize,

    /// At most this many unique executions of mutants
    #[arg(long, value_name = "ROWS", default_value_t = Limits::default().incorrect, value_parser = counts::rows)]
    max_incorrect: usize,
}

impl RowArgs {
    pub(super) fn limits(self) -> Limits {
        Limits { correct: self.max_correct, incorrect: self.max_incorrect }
    }
}
