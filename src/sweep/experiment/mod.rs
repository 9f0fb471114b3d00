//! The paper's experiment: its 23 methods, its protocol, and its table beside our results.
//!
//! One run is one method, one search and one seed: it finds relations under four transformations, then judges
//! them on suites of unseen inputs by mutants that were not trained on ([`assess`](crate::assess) has the
//! definitions). A mutation score means little alone, so the table also shows what any test kills (the floor)
//! and what an oracle that knows every output kills (the ceiling).
//!
//! | file | is |
//! |---|---|
//! | `published` | the paper's table |
//! | `subjects` | the methods, and functions for machines without a JVM |
//! | `protocol` | what is run, and how much of it |
//! | `run` | one run, and the record of it |
//! | `table` | the records of all runs beside the paper's figures |
//! | `plot` | the same as a picture |

mod plot;
mod protocol;
mod published;
mod run;
mod subjects;
mod table;

pub use self::plot::svg;
pub use self::protocol::{Protocol, Search};
pub use self::published::{PublishedRow, published};
pub use self::run::{ExperimentError, RelationRecord, RunRecord, run};
pub use self::subjects::{EMBEDDED, Example, METHODS};
pub use self::table::{Row, Table};
