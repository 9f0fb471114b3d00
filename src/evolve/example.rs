//! Executions for the tests of this folder: `pow(k, e)` and five mutants, follow-up `e - 1`.

use std::sync::Arc;

use genmorph_jit::{Column, Table, Tolerance};

use super::grammar::Grammar;
use crate::evolve::config::Config;
use crate::executions::Executions;
use crate::subject::kinds::{Interface, Kind, Parameter};
use crate::transform::Transformation;

/// `k` to the power `e`; every mutant but 0 has one fault.
fn pow(k: i32, mut e: u32, mutant: u32) -> f64 {
    let (mut result, mut square) = (if mutant == 1 { 0_i32 } else { 1 }, k);
    while e != 0 {
        if (e & 1 != 0) != (mutant == 2) {
            result = match mutant {
                3 => result.wrapping_add(square),
                _ => result.wrapping_mul(square),
            };
        }
        if mutant != 4 {
            square = square.wrapping_mul(square);
        }
        e >>= if mutant == 5 { 2 } else { 1 };
    }
    f64::from(result)
}

/// Pairs for `k` from -10 to 10 and `e` from 1 to 7: those of the original, then those of the mutants that differ from them.
pub(crate) fn power() -> Executions {
    let number = |name: &str| Parameter { name: name.to_owned(), kind: Kind::Number };
    let signature = Interface {
        function: "pow".to_owned(),
        inputs: vec![number("k"), number("e")],
        outputs: vec![number("out")],
        ..Interface::default()
    };
    let row = |(k, e): (i32, u32), mutant| {
        let (k_n, e_n) = (f64::from(k), f64::from(e));
        [k_n, e_n, pow(k, e, mutant), k_n, e_n - 1.0, pow(k, e - 1, mutant)]
    };
    let sources = || (-10..=10).flat_map(|k| (1..=7).map(move |e| (k, e)));
    let mut rows: Vec<[f64; 6]> = sources().map(|source| row(source, 0)).collect();
    let correct = rows.len();
    let mut row_mutants = Vec::new();
    // Mutants in turn, so that the rows of each are scattered.
    for source in sources() {
        for mutant in 1..=5 {
            let incorrect = row(source, mutant);
            if incorrect != row(source, 0) {
                rows.push(incorrect);
                row_mutants.push(mutant - 1);
            }
        }
    }
    let columns = (0..6).map(|i| Column::Num(rows.iter().map(|row| row[i]).collect())).collect();
    let groups = [correct, row_mutants.len()];
    let schema = signature.schema().expect("the names are different words");
    let table = Table::grouped(&schema, columns, &groups, Tolerance::default());
    Executions {
        signature,
        transformation: Transformation {
            name: "NumericAddition(-1) on e".to_owned(),
            input_relation: "k_f == k_s and e_f == e_s - 1".to_owned(),
        },
        table: Arc::new(table.expect("every row has a value for every variable")),
        mutants: (1..=5).map(|mutant| format!("m{mutant}")).collect(),
        row_mutants,
        also: Vec::new(),
        seed: 0,
    }
}

/// The grammar of these executions.
pub(crate) fn grammar(config: &Config) -> Grammar {
    let executions = power();
    Grammar::new(executions.table.schema(), executions.signature.output_pairs(), config)
}
