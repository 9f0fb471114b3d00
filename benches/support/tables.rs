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

    /// The columns of a numeric table.
    pub fn numbers(&self) -> Vec<&[f64]> {
        fn numbers(column: &Column) -> &[f64] {
            match column {
                Column::Num(values) => values,
                Column::Bool(_) | Column::Seq(_) => panic!("a numeric table"),
            }
        }
        self.columns.iter().map(numbers).collect()
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

/// Executions of integer `pow(k, e)` and of `pow(k, e - 1)`, correct ones and those of mutants.
pub fn pow(rows: usize) -> Data {
    let names = ["k_s", "e_s", "out_s", "k_f", "e_f", "out_f"];
    let schema = Schema::new(names.map(|name| (name, Type::Num))).expect("the names are fine");
    let groups = halves(rows);
    let mut rng = StdRng::seed_from_u64(3);
    let mut columns = vec![Vec::with_capacity(rows); names.len()];
    for row in 0..rows {
        let k = rng.random_range(-40..=40_i64);
        let e = rng.random_range(1..=9_i64);
        let mutant = if row < groups[0] { 0 } else { rng.random_range(1..=6) };
        let values = [k, e, mutant_pow(k, e, mutant), k, e - 1, mutant_pow(k, e - 1, mutant)];
        for (column, value) in columns.iter_mut().zip(values) {
            column.push(value as f64);
        }
    }
    Data { schema, columns: columns.into_iter().map(Column::Num).collect(), groups }
}

/// By squaring, in 32 bits; every mutant but 0 has one fault.
fn mutant_pow(k: i64, mut e: i64, mutant: u32) -> i64 {
    let (mut result, mut square) = (if mutant == 1 { 0 } else { 1_i32 }, k as i32);
    while e != 0 {
        if (e & 1 != 0) != (mutant == 2) {
            result = match mutant {
                3 => result.wrapping_add(square),
                _ => result.wrapping_mul(square),
            };
        }
        if mutant != 4 {
            square = square.wrapping_mul(if mutant == 5 { k as i32 } else { square });
        }
        e >>= if mutant == 6 { 2 } else { 1 };
    }
    i64::from(result)
}

/// Executions of `x / y + |x - y|` on real numbers and of the same with x and y exchanged, correct ones and
/// those of mutants: no row is like another.
pub fn real(rows: usize) -> Data {
    let names = ["x_s", "y_s", "out_s", "x_f", "y_f", "out_f"];
    let schema = Schema::new(names.map(|name| (name, Type::Num))).expect("the names are fine");
    let groups = halves(rows);
    let mut rng = StdRng::seed_from_u64(5);
    let mut columns = vec![Vec::with_capacity(rows); names.len()];
    for row in 0..rows {
        let [x, y] = [(); 2].map(|()| rng.random_range(-100.0..100.0));
        let mutant = if row < groups[0] { 0 } else { rng.random_range(1..=4) };
        let values = [x, y, mutant_real(x, y, mutant), y, x, mutant_real(y, x, mutant)];
        for (column, value) in columns.iter_mut().zip(values) {
            column.push(value);
        }
    }
    Data { schema, columns: columns.into_iter().map(Column::Num).collect(), groups }
}

fn mutant_real(x: f64, y: f64, mutant: u32) -> f64 {
    match mutant {
        1 => x / y - (x - y).abs(),
        2 => x / y + (x - y),
        3 => x * y + (x - y).abs(),
        4 => x / y + (x + y).abs(),
        _ => x / y + (x - y).abs(),
    }
}

/// Executions of `pad_start(text, n, flag)` (pads with `a`, or with `b` if the flag is set) and of the
/// same with `n + 1`; a score counts the padding. Correct ones and those of mutants.
pub fn pad(rows: usize) -> Data {
    let mut variables = Vec::new();
    for side in ["s", "f"] {
        for (name, ty) in [
            ("text", Type::Seq),
            ("n", Type::Num),
            ("flag", Type::Bool),
            ("out", Type::Seq),
            ("score", Type::Num),
        ] {
            variables.push((format!("{name}_{side}"), ty));
        }
    }
    let schema = Schema::new(variables.clone()).expect("the names are fine");
    let groups = halves(rows);
    let mut rng = StdRng::seed_from_u64(4);
    let mut columns: Vec<Column> = variables.iter().map(|(_, ty)| Column::empty(*ty)).collect();
    for row in 0..rows {
        let len = rng.random_range(0..10_usize);
        let text: Vec<f64> = (0..len).map(|_| f64::from(rng.random_range(97..103_u32))).collect();
        let n = rng.random_range(-2..14_i32);
        let flag: bool = rng.random();
        let mutant = if row < groups[0] { 0 } else { rng.random_range(1..=5) };
        for (side, n) in [(0, n), (1, n + 1)] {
            let (out, score) = mutant_pad(&text, n, flag, mutant);
            let [text_to, n_to, flag_to, out_to, score_to] = &mut columns[5 * side..5 * side + 5]
            else {
                unreachable!()
            };
            push(text_to, |to| to.push(text.iter().copied()));
            if let Column::Num(to) = n_to {
                to.push(f64::from(n));
            }
            if let Column::Bool(to) = flag_to {
                to.push(flag);
            }
            push(out_to, |to| to.push(out));
            if let Column::Num(to) = score_to {
                to.push(score);
            }
        }
    }
    Data { schema, columns, groups }
}

fn push(column: &mut Column, push: impl FnOnce(&mut Sequences)) {
    if let Column::Seq(sequences) = column {
        push(sequences);
    }
}

fn mutant_pad(text: &[f64], n: i32, flag: bool, mutant: u32) -> (Vec<f64>, f64) {
    let wanted = n + i32::from(mutant == 1) - text.len() as i32;
    let padding = wanted.max(i32::from(mutant == 2)) as usize;
    let pad = if flag != (mutant == 3) { 98.0 } else { 97.0 };
    let mut out = vec![pad; padding];
    out.extend_from_slice(if mutant == 4 { &text[text.len().min(1)..] } else { text });
    if mutant == 5 {
        out.reverse();
    }
    (out, padding as f64)
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
        Column::Seq(sequences) => Column::Seq(
            sequences.iter().map(|s| s.iter().rev().copied().collect::<Vec<_>>()).collect(),
        ),
        Column::Num(_) | Column::Bool(_) => column.clone(),
    }
}
