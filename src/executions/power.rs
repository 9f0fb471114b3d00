//! The built-in example: `pow(k, e)` by squaring, as in the paper's running example.
//!
//! Executions of the function and of its mutant without `k2p *= k2p`, each at a source input
//! `(k, e)` and at the follow-up input `(k, e - 1)`: the transformation `NumericAddition(-1)` on `e`.

use std::sync::Arc;

use genmorph_jit::{Column, Schema, Table, Tolerance, Type};

use crate::executions::{Executions, INCORRECT};
use crate::subject::kinds::{Interface, Kind, Parameter};
use crate::transform::Transformation;

/// The relation that the paper finds for this function.
pub const RELATION: &str = "out_f == out_s / k_s";

/// The variables: inputs and output of the source execution, then of the follow-up.
pub const VARIABLES: [&str; 6] = ["k_s", "e_s", "out_s", "k_f", "e_f", "out_f"];

/// The groups of rows, in the order of the table.
pub const GROUPS: [&str; 2] = ["correct", "incorrect"];

/// Describes the rows to a reader.
pub const DESCRIPTION: &str = "pow(k, e) by squaring; k_f = k_s, e_f = e_s - 1
correct: the function; incorrect: its mutant without `k2p *= k2p`, where an output differs";

/// The original or its mutant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Version {
    Original,
    /// `k2p *= k2p` is removed.
    Mutant,
}

/// `k` to the power `e`. Products wrap around, as they do in Java.
fn pow(version: Version, k: i32, mut e: u32) -> i32 {
    let mut result = 1_i32;
    let mut k2p = k;
    while e != 0 {
        if e & 1 != 0 {
            result = result.wrapping_mul(k2p);
        }
        if version == Version::Original {
            k2p = k2p.wrapping_mul(k2p);
        }
        e >>= 1;
    }
    result
}

/// The source inputs: a grid, and the two inputs of the paper's text. Both versions stay within 32 bits on
/// all of them, so the wrapping never shows.
fn sources() -> impl Iterator<Item = (i32, u32)> {
    let grid = (-10..=10).flat_map(|k| (1..=7).map(move |e| (k, e)));
    grid.chain([(-128, 2), (2, 8)])
}

/// One row, in the order of [`VARIABLES`].
fn row(version: Version, (k, e): (i32, u32)) -> [f64; 6] {
    let execution = |e: u32| [f64::from(k), f64::from(e), f64::from(pow(version, k, e))];
    let ([k_s, e_s, out_s], [k_f, e_f, out_f]) = (execution(e), execution(e - 1));
    [k_s, e_s, out_s, k_f, e_f, out_f]
}

/// The schema of the [`VARIABLES`].
pub fn schema() -> Schema {
    Schema::new(VARIABLES.map(|name| (name, Type::Num))).expect("the names are different words")
}

/// The executions, with this tolerance for equal numbers. Only rows in which an output of the mutant differs
/// from the original's are rows of the mutant.
pub fn table(tolerance: Tolerance) -> Table {
    let correct: Vec<[f64; 6]> = sources().map(|source| row(Version::Original, source)).collect();
    let incorrect: Vec<[f64; 6]> = sources()
        .map(|source| row(Version::Mutant, source))
        .zip(&correct)
        .filter_map(|(mutant, original)| (mutant != *original).then_some(mutant))
        .collect();
    let rows = || correct.iter().chain(&incorrect);
    let columns =
        (0..VARIABLES.len()).map(|i| Column::Num(rows().map(|row| row[i]).collect())).collect();
    Table::grouped(&schema(), columns, &[correct.len(), incorrect.len()], tolerance)
        .expect("every row has a value for every variable")
}

/// The executions as evolution uses them, with the default tolerance for equal numbers.
pub fn executions() -> Executions {
    let number = |name: &str| Parameter { name: name.to_owned(), kind: Kind::Number };
    let table = table(Tolerance::default());
    let incorrect = table.layout().groups()[INCORRECT].rows;
    Executions {
        signature: Interface {
            function: "pow".to_owned(),
            inputs: vec![number("k"), number("e")],
            outputs: vec![number("out")],
            ..Interface::default()
        },
        transformation: Transformation {
            name: "NumericAddition(-1) on e".to_owned(),
            input_relation: "k_f == k_s and e_f == e_s - 1".to_owned(),
        },
        table: Arc::new(table),
        mutants: vec!["without `k2p *= k2p`".to_owned()],
        row_mutants: vec![0; incorrect],
        also: Vec::new(),
        seed: 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_versions_give_the_numbers_of_the_paper() {
        assert_eq!(row(Version::Original, (-128, 2)), [-128., 2., 16384., -128., 1., -128.]);
        assert_eq!(row(Version::Mutant, (-128, 2)), [-128., 2., -128., -128., 1., -128.]);
        assert_eq!(row(Version::Mutant, (2, 8)), [2., 8., 2., 2., 7., 8.]);
    }

    #[test]
    fn no_result_overflows() {
        for (k, e) in sources() {
            assert_eq!(k.checked_pow(e), Some(pow(Version::Original, k, e)));
            assert_eq!(k.checked_pow(e.count_ones()), Some(pow(Version::Mutant, k, e)));
        }
    }

    #[test]
    fn the_table_has_both_groups() {
        let table = table(Tolerance::default());
        let rows: Vec<usize> = table.layout().groups().iter().map(|group| group.rows).collect();
        assert_eq!(rows.len(), GROUPS.len());
        assert!(rows.iter().all(|&rows| rows > 100), "{rows:?}");
    }
}
