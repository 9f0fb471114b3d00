//! The everyday table: 9,000 + 9,000 rows.

use genmorph_jit::{Column, Schema, Sequences, Table, Tolerance, Type};
use rand::rngs::StdRng;
use rand::{Rng, RngExt, SeedableRng};

/// The values of the number columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Numbers {
    /// Real numbers, finite: comparisons need the tolerance.
    Real,
    /// Small integers: comparisons are exact.
    Integer,
    /// Real numbers with some NaN and infinities.
    Any,
}

/// Columns and the schema they belong to, to build tables and rivals' data from.
pub struct Data {
    pub schema: Schema,
    pub columns: Vec<Column>,
    pub groups: Vec<usize>,
}

impl Data {
    pub fn table(&self) -> Table {
        Table::grouped(&self.schema, self.columns.clone(), &self.groups, Tolerance::default())
            .expect("the columns fit the schema")
    }
}

/// Six number columns, as of a function of two numbers.
pub fn numeric(rows: usize, numbers: Numbers) -> Data {
    let names = ["k_s", "e_s", "out_s", "k_f", "e_f", "out_f"];
    let mut rng = StdRng::seed_from_u64(1);
    let columns = names.map(|_| Column::Num(column(rows, numbers, &mut rng)));
    let schema = Schema::new(names.map(|name| (name, Type::Num))).expect("the names are fine");
    Data { schema, columns: columns.into(), groups: halves(rows) }
}

/// A function of a text, two integers and a flag, that returns a text and a number.
pub fn mixed(rows: usize) -> Data {
    let mut rng = StdRng::seed_from_u64(2);
    let mut variables = Vec::new();
    let mut columns = Vec::new();
    for side in ["s", "f"] {
        variables.push((format!("text_{side}"), Type::Seq));
        variables.push((format!("n_{side}"), Type::Num));
        variables.push((format!("x_{side}"), Type::Num));
        variables.push((format!("flag_{side}"), Type::Bool));
        variables.push((format!("out_{side}"), Type::Seq));
        variables.push((format!("score_{side}"), Type::Num));
        columns.push(Column::Seq(texts(rows, &mut rng)));
        columns.push(Column::Num(column(rows, Numbers::Integer, &mut rng)));
        columns.push(Column::Num(column(rows, Numbers::Real, &mut rng)));
        columns.push(Column::Bool((0..rows).map(|_| rng.random()).collect()));
        columns.push(Column::Seq(texts(rows, &mut rng)));
        columns.push(Column::Num(column(rows, Numbers::Real, &mut rng)));
    }
    // As under a transformation: the follow-up differs from the source in one place.
    columns[6] = flipped(&columns[0]);
    columns[7] = columns[1].clone();
    columns[9] = columns[3].clone();
    let schema = Schema::new(variables).expect("the names are fine");
    Data { schema, columns, groups: halves(rows) }
}

fn halves(rows: usize) -> Vec<usize> {
    vec![rows / 2, rows - rows / 2]
}

fn column(rows: usize, numbers: Numbers, rng: &mut impl Rng) -> Vec<f64> {
    (0..rows)
        .map(|_| match numbers {
            Numbers::Real => rng.random_range(-100.0..100.0),
            Numbers::Integer => f64::from(rng.random_range(-20..20_i32)),
            Numbers::Any => match rng.random_range(0..50_u32) {
                0 => f64::NAN,
                1 => f64::INFINITY,
                _ => rng.random_range(-100.0..100.0),
            },
        })
        .collect()
}

/// Texts of 0 to 15 letters from a small alphabet, so that some repeat.
fn texts(rows: usize, rng: &mut impl Rng) -> Sequences {
    (0..rows)
        .map(|_| {
            let len = rng.random_range(0..16_usize);
            (0..len).map(|_| f64::from(rng.random_range(97..103_u32))).collect::<Vec<_>>()
        })
        .collect()
}

fn flipped(column: &Column) -> Column {
    match column {
        Column::Seq(sequences) => {
            Column::Seq(sequences.iter().map(|s| s.iter().rev().copied().collect::<Vec<_>>()).collect())
        }
        Column::Num(_) | Column::Bool(_) => column.clone(),
    }
}
