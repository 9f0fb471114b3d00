//! Evolves relations that hold for a function and fail for its mutants: the paper's co-evolutionary
//! search over recorded executions.
//!
//! Two populations, one that asks for few false positives first and one that asks for few false
//! negatives first, exchange their best. [`Evolution`] goes from one generation to the next; [`run`] lets it
//! until there is a reason to [`Stop`]. What comes out depends on the executions, the
//! [`Config`](crate::evolve::config::Config) and the [`Seed`](crate::support::seed::Seed), never on threads, tiers or the clock.
//!
//! Knows nothing of subjects, processes and files.
//!
//! ```
//! use std::ops::ControlFlow;
//! use genmorph::evolve::config::Config;
//! use genmorph::evolve::{Evolution, Machine, Stop, run};
//! use genmorph::executions::power;
//! use genmorph::support::seed::Seed;
//!
//! // Executions of pow(k, e) and pow(k, e - 1), and of a mutant.
//! let executions = power::executions();
//! let config = Config { population: 200, ..Config::default() };
//! let mut evolution = Evolution::new(&executions, &config, Seed(1), Machine::default())?;
//! run(&mut evolution, &Stop::after_generations(30), |_, generation| {
//!     assert_eq!(generation.evaluations, 400 * generation.generation);
//!     ControlFlow::Continue(())
//! });
//! let found = &evolution.outcome().relations[0];
//! println!("{} misses {} rows", found.text(), found.fn_);
//! # assert!(found.fn_ <= 60);
//! # Ok::<(), genmorph::evolve::EvolveError>(())
//! ```

mod archive;
mod breed;
mod checkpoint;
pub mod config;
mod digest;
mod elite;
mod evolution;
#[cfg(test)]
mod example;
mod fingerprint;
mod fit;
mod grammar;
mod grow;
mod migration;
mod outcome;
mod polish;
mod record;
mod rows;
mod score;
mod scorer;
pub mod scoring;
mod select;
mod stop;
mod tune;
mod vary;

pub use checkpoint::CheckpointError;
pub use evolution::Evolution;
pub(crate) use outcome::holds_on_correct_rows;
pub use outcome::{Found, Outcome};
pub use record::{Best, Generation, Population, StopReason};
pub use score::{Order, Score};
pub use scorer::Machine;
pub use stop::{Stop, run};

use crate::evolve::config::ConfigError;

/// Why a search cannot begin.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum EvolveError {
    /// A setting is out of its range.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// Nothing a relation could be false on by mistake.
    #[error("there are no correct executions: record the original function too")]
    NoCorrect,
    /// Nothing a relation could catch.
    #[error(
        "there are no incorrect executions: record mutants whose outputs differ from the original's"
    )]
    NoIncorrect,
    /// The function has no output that relations could be about.
    #[error("the function has no output: a relation needs one to relate")]
    NoOutput,
    /// Rows and mutants do not fit together.
    #[error("the incorrect executions do not all name a mutant: collect them again")]
    Mutants,
    /// The system gives no threads.
    #[error("{0}")]
    Threads(String),
    /// A checkpoint that cannot be resumed from.
    #[error(transparent)]
    Checkpoint(#[from] CheckpointError),
}
