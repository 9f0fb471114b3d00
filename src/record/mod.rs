//! The files that runs and reviews write, one struct for each.
//!
//! | file | struct | written by |
//! |---|---|---|
//! | `report.json` | [`report::Report`] | `generate` |
//! | `overview.json` | [`overview::Overview`] | `cargo genmorph` about many functions |
//! | `search.json` | [`search::Search`], which is also a part of `report.json` | `generate`, in the folder of a transformation |
//! | `relations.json` | [`relations::RelationsFile`] | `generate` and `evolve` |
//! | `generations.ndjson` | [`Generation`], one a line | `generate` and `evolve` |
//! | `refuted.json` | a list of [`refuted::ListedRefutation`] | `generate` |
//! | `mutants.json` | a list of [`mutants::MutantEntry`] | `generate` |
//! | `run.json` | [`run::RunSettings`], [`evolution::EvolutionSettings`] | `generate`, `evolve` |
//! | `calls.json` | [`calls::CallsFile`] | `generate` |
//! | `genmorph.reviewed.json` | [`reviewed::ReviewedSet`] | `accept` and `reject` |
//!
//! Values like any other: they compute nothing, open no file and have no clock in them, so that equal runs give equal
//! bytes. `report.json`, `search.json` and `relations.json` have a [checksum]. A field that older files lack has a default, and fields that only newer files have are passed over.

pub mod calls;
pub mod checksum;
pub mod config;
pub mod evolution;
pub mod mutants;
pub mod overview;
pub mod refuted;
pub mod relations;
pub mod report;
pub mod reviewed;
pub mod run;
pub mod schema;
pub mod search;
pub mod value;

pub use crate::evolve::Generation;

/// The version of all these files. A reader refuses later ones.
pub const VERSION: u32 = 1;
