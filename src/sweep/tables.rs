//! The tables that a sweep is merged into: their columns, for every form that they are written in.
//!
//! Nothing in them depends on machines, on shards or on clocks, but for [`Table::Timings`].

/// A table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Table {
    /// What the sweep is, by name.
    Provenance,
    /// The functions.
    Subjects,
    /// How relations were looked for.
    Settings,
    /// The units, and what they came to.
    Units,
    /// The relations that stand.
    Relations,
    /// Which relation kills which mutant.
    Kills,
    /// What else units have to say, as JSON.
    More,
    /// Trials of units: when, where, how long.
    Timings,
}

/// A column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Column {
    /// Its name.
    pub name: &'static str,
    /// Its values.
    pub kind: Kind,
    /// Whether values may be missing.
    pub optional: bool,
}

/// The values of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Integers; truth values are 0 and 1.
    Integer,
    /// Numbers.
    Real,
    /// Texts.
    Text,
}

/// A value.
#[derive(Clone, Debug, PartialEq)]
pub enum Cell {
    /// None.
    Null,
    /// An integer.
    Integer(i64),
    /// A number.
    Real(f64),
    /// A text.
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
    // done, failed or missing.
    text("state"),
    // Of a failed unit: why.
    maybe(text("why")),
    // The digest of the result.
    maybe(text("result")),
    maybe(text("function")),
    maybe(text("signature")),
    maybe(text("input_relation")),
    // Why there was nothing to learn from.
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
    maybe(integer("judging_ceiling")),
    maybe(integer("novel")),
    maybe(integer("novel_asserted")),
];
const RELATIONS: &[Column] = &[
    integer("relation"),
    integer("unit"),
    integer("place"),
    text("text"),
    integer("size"),
    real("fn_rate"),
    integer("tried"),
    integer("hunted"),
    maybe(real("bound")),
    integer("needed"),
    integer("training_kills"),
    integer("judging_kills"),
];
// `mutants`: training or judging.
const KILLS: &[Column] = &[integer("relation"), text("mutants"), text("mutant")];
const MORE: &[Column] = &[integer("unit"), text("name"), text("json")];
const TIMINGS: &[Column] = &[
    integer("unit"),
    integer("attempt"),
    text("host"),
    integer("process"),
    text("shard"),
    maybe(text("job")),
    // Seconds since 1970.
    real("began"),
    // done, failed or left; none of trials that never ended.
    maybe(text("ended")),
    maybe(real("seconds")),
];

impl Table {
    /// Those that are the same however a sweep was run.
    pub const RESULTS: [Table; 7] = [
        Table::Provenance,
        Table::Subjects,
        Table::Settings,
        Table::Units,
        Table::Relations,
        Table::Kills,
        Table::More,
    ];

    /// All tables.
    pub const ALL: [Table; 8] = [
        Table::Provenance,
        Table::Subjects,
        Table::Settings,
        Table::Units,
        Table::Relations,
        Table::Kills,
        Table::More,
        Table::Timings,
    ];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Table::Provenance => "provenance",
            Table::Subjects => "subjects",
            Table::Settings => "settings",
            Table::Units => "units",
            Table::Relations => "relations",
            Table::Kills => "kills",
            Table::More => "more",
            Table::Timings => "timings",
        }
    }

    /// Its columns.
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
    /// Counts beyond what a database has are as good as the greatest.
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
