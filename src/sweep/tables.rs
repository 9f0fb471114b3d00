//! The tables into which a sweep is merged, and their columns, for every file format.
//!
//! Apart from [`Table::Timings`], nothing in them depends on machines, shards or clocks.

use crate::support::named::named;

named! {
    /// A table of merged results.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Table {
        /// Name and value of facts about the sweep, such as the version that planned it.
        Provenance = "provenance",
        /// The functions of the sweep.
        Subjects = "subjects",
        /// The settings of the searches, one row for each variant.
        Settings = "settings",
        /// The units and their results.
        Units = "units",
        /// The relations that stand.
        Relations = "relations",
        /// Which relation kills which mutant.
        Kills = "kills",
        /// Further results of units, as JSON.
        More = "more",
        /// Attempts to run units: when, where and for how long.
        Timings = "timings",
    }
}

/// A column of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Column {
    /// The column's name, which all file formats share.
    pub name: &'static str,
    /// The type of its values.
    pub kind: Kind,
    /// Whether values may be missing.
    pub optional: bool,
}

/// The type of a column's values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Integers; truth values are 0 and 1.
    Integer,
    /// Numbers that may have a fraction.
    Real,
    /// Texts, encoded as UTF-8.
    Text,
}

/// A value in a row.
#[derive(Clone, Debug, PartialEq)]
pub enum Cell {
    /// A missing value of an optional column.
    Null,
    /// A value of an integer column.
    Integer(i64),
    /// A value of a column of floating-point numbers.
    Real(f64),
    /// A value of a string column.
    Text(String),
}

const fn integer(name: &'static str) -> Column {
    Column { name, kind: Kind::Integer, optional: false }
}

const fn text(name: &'static str) -> Column {
    Column { name, kind: Kind::Text, optional: false }
}

const fn real(name: &'static str) -> Column {
    Column { name, kind: Kind::Real, optional: false }
}

const fn maybe(column: Column) -> Column {
    Column { optional: true, ..column }
}

const PROVENANCE: &[Column] = &[text("name"), text("value")];
const SUBJECTS: &[Column] = &[integer("subject"), text("name"), text("content")];
const SETTINGS: &[Column] = &[integer("settings"), text("name"), text("json")];
const UNITS: &[Column] = &[
    integer("unit"),
    text("id"),
    integer("subject"),
    integer("settings"),
    text("transformation"),
    integer("seed"),
    // `done`, `failed` or `missing`.
    text("state"),
    // The reason, for failed units.
    maybe(text("why")),
    // The digest of the result.
    maybe(text("result")),
    maybe(text("function")),
    maybe(text("signature")),
    maybe(text("input_relation")),
    // The reason why there was nothing to learn from.
    maybe(text("problem")),
    maybe(integer("sources")),
    maybe(integer("sources_returned")),
    maybe(integer("sides_covered")),
    maybe(integer("sides")),
    maybe(integer("pairs")),
    maybe(integer("training_mutants")),
    maybe(integer("training_distinct")),
    maybe(integer("generations")),
    maybe(integer("evaluations")),
    maybe(text("stop")),
    maybe(integer("correct_rows")),
    maybe(integer("incorrect_rows")),
    maybe(integer("lessons")),
    maybe(integer("refuted")),
    maybe(integer("doubtful")),
    maybe(integer("relations")),
    maybe(integer("judging_pairs")),
    maybe(integer("false_alarms")),
    maybe(integer("judging_mutants")),
    maybe(integer("judging_floor")),
    maybe(integer("judging_killed")),
    maybe(integer("judging_asserted")),
    maybe(integer("judging_by_laws")),
    maybe(integer("judging_ceiling")),
    maybe(integer("novel")),
    maybe(integer("novel_asserted")),
];
const RELATIONS: &[Column] = &[
    integer("relation"),
    integer("unit"),
    integer("place"),
    text("text"),
    // `law`, `postcondition` or `detector`.
    text("kind"),
    integer("size"),
    real("fn_rate"),
    integer("tried"),
    integer("hunted"),
    maybe(real("bound")),
    integer("needed"),
    integer("training_kills"),
    integer("judging_kills"),
];
// `mutants` is `training` or `judging`.
const KILLS: &[Column] = &[integer("relation"), text("mutants"), text("mutant")];
const MORE: &[Column] = &[integer("unit"), text("name"), text("json")];
const TIMINGS: &[Column] = &[
    integer("unit"),
    integer("attempt"),
    text("host"),
    integer("process"),
    text("shard"),
    maybe(text("job")),
    // In seconds since 1970.
    real("began"),
    // `done`, `failed` or `left`; null for attempts that never ended.
    maybe(text("ended")),
    maybe(real("seconds")),
];

impl Table {
    /// The tables that are the same however a sweep was run.
    pub const RESULTS: [Table; 7] = *Table::ALL.first_chunk().expect("there are eight");

    /// The table's columns, in order.
    pub fn columns(self) -> &'static [Column] {
        match self {
            Table::Provenance => PROVENANCE,
            Table::Subjects => SUBJECTS,
            Table::Settings => SETTINGS,
            Table::Units => UNITS,
            Table::Relations => RELATIONS,
            Table::Kills => KILLS,
            Table::More => MORE,
            Table::Timings => TIMINGS,
        }
    }
}

impl From<usize> for Cell {
    fn from(count: usize) -> Cell {
        Cell::from(count as u64)
    }
}

impl From<u64> for Cell {
    /// Counts that are too large for a database become its largest integer.
    fn from(count: u64) -> Cell {
        Cell::Integer(i64::try_from(count).unwrap_or(i64::MAX))
    }
}

impl From<bool> for Cell {
    fn from(is: bool) -> Cell {
        Cell::Integer(i64::from(is))
    }
}

impl From<f64> for Cell {
    fn from(number: f64) -> Cell {
        Cell::Real(number)
    }
}

impl From<&str> for Cell {
    fn from(text: &str) -> Cell {
        Cell::Text(text.to_owned())
    }
}

impl From<&String> for Cell {
    fn from(text: &String) -> Cell {
        Cell::Text(text.clone())
    }
}

impl<T: Into<Cell>> From<Option<T>> for Cell {
    fn from(value: Option<T>) -> Cell {
        value.map_or(Cell::Null, Into::into)
    }
}
