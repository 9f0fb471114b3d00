//! The recorded subjects: what is in the repository is what the program records.

use std::fs;

use genmorph::executions::recorded::{self, Settings};
use genmorph::executions::{CORRECT, Executions, INCORRECT};
use genmorph::jit::{Evaluator, parse};

use crate::folder::subject;
use crate::record;

#[test]
fn recording_again_gives_the_same_bytes() {
    for (name, text) in record::files() {
        let recorded = fs::read_to_string(subject(name)).unwrap();
        assert!(recorded == text, "{name} is not what `cargo run --example record` writes");
        assert!(text.len() <= 1_500_000, "{name} has {} bytes", text.len());
    }
}

fn collected(subject_name: &str, transformation: &str) -> Executions {
    let settings = Settings::new(transformation.parse().unwrap());
    recorded::run(subject(subject_name).as_ref(), &settings).unwrap().executions
}

/// Every subject with every transformation that its inputs are made for, and relations that hold.
const SUBJECTS: [(&str, &str, &str); 6] = [
    ("pow/plain.ndjson", "NumericAddition(-1) on e", "out_f * k_s == out_s"),
    ("pow", "NumericAddition(-1) on e", "k_s == 1 implies out_f == out_s"),
    ("sin", "NumericMultiplication(-1) on x", "out_f == -out_s"),
    ("sin", "NumericAddition(3.141592653589793) on x", "out_f == -out_s"),
    ("pad_start", "NumericAddition(1) on n", "remove(out_f, 0) == out_s or out_f == out_s"),
    (
        "pad_start",
        "SequenceFlip on text",
        "length(out_f) >= n_s and length(out_f) == length(out_s)",
    ),
];

#[test]
fn every_pair_satisfies_the_input_relation_and_the_original_its_properties() {
    for (name, transformation, relation) in SUBJECTS {
        let executions = collected(name, transformation);
        let holds = |text: &str, group: usize| {
            let predicate = parse(text, executions.table.schema()).unwrap();
            let mask = Evaluator::default().mask(&predicate, &executions.table);
            (mask.count_ones_in(group), executions.count(group))
        };
        let input_relation = &executions.transformation.input_relation;
        for group in [CORRECT, INCORRECT] {
            let (holds, rows) = holds(input_relation, group);
            assert_eq!(holds, rows, "{name}: {input_relation}");
        }
        let (held, rows) = holds(relation, CORRECT);
        assert_eq!(held, rows, "{name}: {relation}");
        let (kept, incorrect) = holds(relation, INCORRECT);
        assert!(kept < incorrect, "{name}: {relation} finds no mutant");
        assert!(rows >= 200 && incorrect >= 1000, "{name}: {rows} and {incorrect} rows");
        assert!(executions.mutants.len() >= 9, "{name}: {:?}", executions.mutants);
    }
}

#[test]
fn the_papers_mutant_is_among_those_of_pow() {
    let executions = collected("pow", "NumericAddition(-1) on e");
    let schema = executions.table.schema();
    let shown = "k_s == -128 and e_s == 2 and out_s == -128 and out_f == -128";
    let mask = Evaluator::default().mask(&parse(shown, schema).unwrap(), &executions.table);
    assert_eq!(mask.count_ones_in(INCORRECT), 1);
    let row = mask.iter().position(|holds| holds).unwrap() - executions.count(CORRECT);
    assert_eq!(executions.mutants[executions.row_mutants[row] as usize], "mutant1");
}
