//! Writes tables into an SQLite database. The only place that knows SQLite.
//!
//! The same rows give the same bytes: one connection, no journal, rows in a fixed order, and SQLite
//! itself is compiled in.

use std::io;
use std::path::Path;

use rusqlite::types::{ToSqlOutput, Value, ValueRef};
use rusqlite::{Connection, Statement, ToSql, params_from_iter};

use super::error::{SweepError, writing};
use super::merge::Sink;
use super::tables::{Cell, Column, Kind, Table};

/// Nobody reads the file until it is moved to its place, so it needs no protection while it is written. With
/// `secure_delete` no page keeps old content, so the bytes depend on the rows only.
const PRAGMAS: &str = "
    PRAGMA page_size = 4096;
    PRAGMA journal_mode = OFF;
    PRAGMA synchronous = OFF;
    PRAGMA locking_mode = EXCLUSIVE;
    PRAGMA secure_delete = ON;
    PRAGMA temp_store = MEMORY;
";

/// Writes a new database with these tables; `fill` supplies the rows.
pub(super) fn write<T>(
    path: &Path,
    tables: &[Table],
    fill: &mut dyn FnMut(&mut Sink<'_>) -> Result<T, SweepError>,
) -> Result<T, SweepError> {
    let failed = |error: rusqlite::Error| writing(path)(io::Error::other(error));
    let connection = Connection::open(path).map_err(failed)?;
    connection.execute_batch(PRAGMAS).map_err(failed)?;
    connection.execute_batch("BEGIN").map_err(failed)?;
    let mut inserts: Vec<Statement<'_>> = Vec::new();
    for &table in tables {
        connection.execute_batch(&create(table)).map_err(failed)?;
    }
    for &table in tables {
        inserts.push(connection.prepare(&insert(table)).map_err(failed)?);
    }
    let filled = fill(&mut |table, cells| {
        let place = tables.iter().position(|other| *other == table);
        let insert = &mut inserts[place.expect("rows are of the tables asked for")];
        insert.execute(params_from_iter(&cells)).map_err(failed)?;
        Ok(())
    })?;
    drop(inserts);
    for index in tables.iter().filter_map(|&table| index(table)) {
        connection.execute_batch(index).map_err(failed)?;
    }
    connection.execute_batch("COMMIT").map_err(failed)?;
    connection.close().map_err(|(_, error)| failed(error))?;
    Ok(filled)
}

fn create(table: Table) -> String {
    let column = |Column { name, kind, optional }: &Column| {
        let kind = match kind {
            Kind::Integer => "INTEGER",
            Kind::Real => "REAL",
            Kind::Text => "TEXT",
        };
        format!("{name} {kind}{}", if *optional { "" } else { " NOT NULL" })
    };
    let columns: Vec<String> = table.columns().iter().map(column).collect();
    format!("CREATE TABLE {} ({}, {}", table.name(), columns.join(", "), constraint(table))
}

/// The constraints of a table, and the end of its definition.
fn constraint(table: Table) -> &'static str {
    match table {
        Table::Provenance => "PRIMARY KEY (name)) WITHOUT ROWID",
        Table::Subjects => "PRIMARY KEY (subject))",
        Table::Settings => "PRIMARY KEY (settings))",
        Table::Units => {
            "PRIMARY KEY (unit), FOREIGN KEY (subject) REFERENCES subjects, FOREIGN KEY (settings) REFERENCES settings)"
        }
        Table::Relations => "PRIMARY KEY (relation), FOREIGN KEY (unit) REFERENCES units)",
        Table::Kills => {
            "PRIMARY KEY (relation, mutants, mutant), FOREIGN KEY (relation) REFERENCES relations) WITHOUT ROWID"
        }
        Table::More => {
            "PRIMARY KEY (unit, name), FOREIGN KEY (unit) REFERENCES units) WITHOUT ROWID"
        }
        Table::Timings => "PRIMARY KEY (unit, attempt)) WITHOUT ROWID",
    }
}

/// The index of a table besides its primary key, if it has one.
fn index(table: Table) -> Option<&'static str> {
    match table {
        Table::Units => Some("CREATE UNIQUE INDEX units_by_id ON units (id)"),
        Table::Relations => Some("CREATE INDEX relations_by_unit ON relations (unit)"),
        Table::Provenance
        | Table::Subjects
        | Table::Settings
        | Table::Kills
        | Table::More
        | Table::Timings => None,
    }
}

fn insert(table: Table) -> String {
    let marks = vec!["?"; table.columns().len()].join(", ");
    format!("INSERT INTO {} VALUES ({marks})", table.name())
}

impl ToSql for Cell {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(match self {
            Cell::Null => ToSqlOutput::Owned(Value::Null),
            Cell::Integer(number) => ToSqlOutput::Owned(Value::Integer(*number)),
            Cell::Real(number) => ToSqlOutput::Owned(Value::Real(*number)),
            Cell::Text(text) => ToSqlOutput::Borrowed(ValueRef::Text(text.as_bytes())),
        })
    }
}
