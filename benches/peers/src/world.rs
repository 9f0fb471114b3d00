//! What everybody gets: the columns and the trees, as they stand in the files.
//!
//! ```text
//! columns.f64, evolved_columns.f64   f64 little-endian, column after column
//! trees.jsonl                        a tree per line: size, relation, postfix, left, right
//! evolved_trees.jsonl                the same, with generation for size
//! ```
//! The trees are read back from the file, not drawn again, so that a change of the generator cannot
//! part what we time from what the Python half times.

use std::error::Error;
use std::fs;
use std::path::Path;
use std::sync::Arc;

use genmorph_jit::{Column, Predicate, Schema, Table, Tolerance, Type, text};

/// Rows of the table: 1,000 test executions and their mutants, as in performance.md.
pub(crate) const ROWS: usize = 18_000;

/// Correct and incorrect executions, as genmorph lays them out; each group is padded to 9,024 rows.
pub(crate) const GROUPS: [usize; 2] = [ROWS / 2, ROWS - ROWS / 2];

/// Number columns, named `x0` and on.
pub(crate) const COLUMNS: usize = 6;

/// Where a world is kept.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Files {
    pub(crate) columns: &'static str,
    pub(crate) trees: &'static str,
}

/// Random reals, and random trees that are strangers to each other.
pub(crate) const RANDOM: Files = Files { columns: "columns.f64", trees: "trees.jsonl" };

/// Executions, and the generations that evolved on them.
pub(crate) const EVOLVED: Files =
    Files { columns: "evolved_columns.f64", trees: "evolved_trees.jsonl" };

/// Data and trees.
pub(crate) struct World {
    /// The columns as they came, for those who go row by row.
    pub(crate) columns: Vec<Vec<f64>>,
    /// The same columns as genmorph stores them.
    pub(crate) table: Arc<Table>,
    /// In the order of the file.
    pub(crate) trees: Vec<Predicate>,
}

impl World {
    /// Reads what `generate` wrote.
    pub(crate) fn read(folder: &Path, files: Files) -> Result<World, Box<dyn Error>> {
        let columns = fs::read(folder.join(files.columns))?;
        let columns =
            columns_of(&columns).map_err(|error| format!("{}: {error}", files.columns))?;
        let schema = schema();
        let stored = columns.iter().cloned().map(Column::Num).collect();
        let table = Table::grouped(&schema, stored, &GROUPS, Tolerance::default())?;
        let trees = fs::read_to_string(folder.join(files.trees))?
            .lines()
            .map(|line| Ok(text::parse(relation(line)?, &schema)?))
            .collect::<Result<_, Box<dyn Error>>>()?;
        Ok(World { columns, table: Arc::new(table), trees })
    }

    /// The trees of a size, in the order of the file.
    pub(crate) fn trees(&self, size: usize) -> Vec<&Predicate> {
        self.trees.iter().filter(|tree| tree.size() == size).collect()
    }
}

/// The variables of the table.
pub(crate) fn schema() -> Schema {
    Schema::new((0..COLUMNS).map(|i| (format!("x{i}"), Type::Num)))
        .expect("x0, x1, … are distinct identifiers")
}

fn columns_of(bytes: &[u8]) -> Result<Vec<Vec<f64>>, String> {
    let (values, rest) = bytes.as_chunks::<8>();
    if values.len() != ROWS * COLUMNS || !rest.is_empty() {
        return Err(format!("not {COLUMNS} columns of {ROWS} numbers"));
    }
    let values: Vec<f64> = values.iter().map(|value| f64::from_le_bytes(*value)).collect();
    Ok(values.chunks(ROWS).map(<[f64]>::to_vec).collect())
}

/// The relation of a line. The text form has neither quotes nor backslashes, so no JSON reader is
/// needed to find where it ends.
fn relation(line: &str) -> Result<&str, String> {
    line.split_once(r#""relation":""#)
        .and_then(|(_, rest)| rest.split_once('"'))
        .map(|(relation, _)| relation)
        .ok_or_else(|| format!("no relation in this line: {line}"))
}
