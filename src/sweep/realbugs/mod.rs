//! Faults that people really made: relations are found on the release in which a fault was fixed, and must be violated by the one that has it.
//!
//! | file | is |
//! |---|---|
//! | `list` | the faults, as a file lists them |
//! | `record` | what came of one of them |
//! | `table` | all records, and the controls beside them |
//! | `plot` | the same as a picture |

mod list;
mod plot;
mod record;
mod table;

pub use self::list::{Bug, ListedBug, read};
pub use self::plot::svg;
pub use self::record::{BugRecord, BugVerdict, Catch};
pub use self::table::BugTable;
