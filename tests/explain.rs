//! `genmorph explain` of relations of a run.

use std::fs;
use std::sync::OnceLock;

use serde_json::Value;

use crate::cli::{genmorph, refuses, succeeds};
use crate::folder::{Folder, subject};

/// The folder of a run, which all tests look at.
pub fn run() -> &'static str {
    static RUN: OnceLock<String> = OnceLock::new();
    RUN.get_or_init(|| {
        let folder = Folder::of("explain-run");
        let (pow, out) = (subject("pow/subject.toml"), folder.at("out"));
        let bounds = ["--transformation", "NumericAddition(1) on e", "--generations", "60"];
        let fewer = ["--population", "200", "--fresh", "4000", "--hunt", "2000", "--sources", "30"];
        let run = genmorph(&[&["generate", &pow, "-o", &out][..], &bounds, &fewer].concat());
        assert_eq!(run.code, Some(0), "{}", run.err);
        out
    })
}

/// A JSON file of the run.
fn file(name: &str) -> Value {
    serde_json::from_str(&fs::read_to_string(format!("{}/{name}", run())).unwrap()).unwrap()
}

fn json(argument: &str) -> Value {
    serde_json::from_str(&succeeds(&["explain", argument, "--format", "json"])).unwrap()
}

#[test]
fn all_is_told_that_a_run_knows_of_its_relation() {
    let report = file("report.json");
    let found = &report["transformations"][0]["results"];
    let relation = found["relations"][0]["relation"].as_str().unwrap();
    let kind = found["relations"][0]["kind"].as_str().unwrap();
    let killed = found["relations"][0]["killed"].as_array().unwrap().len();
    let mutants = found["mutants"].as_array().unwrap().len();
    let out = succeeds(&["explain", &format!("{}#1", run())]);
    let rows = &found["rows"];
    for expected in [
        "in words\n  When e is increased by 1".to_owned(),
        format!("\nrelation\n  {relation}\n"),
        "transformation\n  NumericAddition(1) on e: e is increased by 1\n  k_f == k_s and e_f == e_s + 1, where e >= 0\n".to_owned(),
        "for example\n  source     pow(".to_owned(),
        format!("kills {killed} of {mutants} training mutants: "),
        "fresh pairs of inputs".to_owned(),
        "tree\n  ".to_owned(),
        "bytecode\n  ".to_owned(),
        "Cranelift IR\n".to_owned(),
        format!("correct, of {}", rows["correct"]),
        format!("incorrect, of {}", rows["incorrect"]),
        "the tiers agree on every row\n".to_owned(),
        "near misses: ".to_owned(),
    ] {
        assert!(out.contains(&expected), "{expected}\nis not in\n{out}");
    }
    let value = json(&format!("{}#1", run()));
    let functional = value["of_run"]["stands"]["functional"].as_str().unwrap();
    assert!(functional.contains("pow(k, e"), "{functional}");
    assert!(out.starts_with(&format!("{kind}\n  {functional}\n\nin words\n")), "{out}");
    // It stands on every correct row, and every tier says so.
    let value = json(&format!("{}/report.json#1", run()));
    for tier in value["evaluation"]["tiers"].as_array().unwrap() {
        let holds = &tier["holds"];
        assert!(holds.is_null() || holds[0] == rows["correct"], "{tier}");
    }
    let paper = succeeds(&["explain", &format!("{}#1", run()), "--no-ir", "--tolerance", "paper"]);
    assert!(out.contains("equality of numbers: 1e-9,1e-12"), "{out}");
    assert!(paper.contains("equality of numbers: paper"), "{paper}");
    let search = json(&format!("{}/01_NumericAddition_1_on_e/relations.json#1", run()));
    assert_eq!(search, value);
}

#[test]
fn near_misses_have_their_counterexamples_and_are_nearest_first() {
    let value = json(&format!("{}#1", run()));
    let near = value["of_run"]["near_misses"].as_array().unwrap();
    assert!((1..=5).contains(&near.len()), "{near:?}");
    let refuted = file("refuted.json");
    let known: Vec<&str> =
        refuted.as_array().unwrap().iter().map(|r| r["relation"].as_str().unwrap()).collect();
    for miss in near {
        assert!(known.contains(&miss["relation"].as_str().unwrap()), "{miss}");
        let example = &miss["counterexample"];
        assert_eq!(example["holds"], false, "{miss}");
        for side in ["source", "follow_up"] {
            assert!(example[side].as_str().unwrap().starts_with("pow("), "{miss}");
        }
    }
    let size = value["of_run"]["stands"]["size"].as_f64().unwrap();
    let likeness: Vec<f64> = near
        .iter()
        .map(|miss| {
            2.0 * miss["shared_parts"].as_f64().unwrap() / (size + miss["parts"].as_f64().unwrap())
        })
        .collect();
    assert!(likeness.is_sorted_by(|a, b| a >= b), "{likeness:?}");
}

#[test]
fn a_refuted_relation_is_shown_with_its_counterexample() {
    let first = file("refuted.json")[0]["relation"].as_str().unwrap().to_owned();
    let out = succeeds(&["explain", &format!("{}/refuted.json#1", run()), "--no-ir"]);
    assert!(out.starts_with("refuted\n  "), "{out}");
    assert!(out.contains(&format!("\nrelation\n  {first}\n")), "{out}");
    assert!(out.contains("counterexample\n  source     pow("), "{out}");
    assert!(out.contains(": false\n  found by "), "{out}");
    assert!(!out.contains("what speaks for it"), "{out}");
}

#[test]
fn relations_of_a_search_alone_are_explained_on_its_executions() {
    let folder = Folder::of("explain-evolve");
    let out = folder.at("out");
    let search = ["--generations", "20", "--population", "200"];
    succeeds(&[&["evolve", "--example", "-o", &out][..], &search].concat());
    let value = json(&format!("{out}#1"));
    assert_eq!(value["evaluation"]["rows"], serde_json::json!([149, 115]));
    assert_eq!(value["evaluation"]["tiers"][0]["holds"][0], 149);
    assert_eq!(value["of_run"]["near_misses"], serde_json::json!([]));
}

#[test]
fn a_relation_that_is_not_there_is_refused_with_those_that_are() {
    let err = refuses(&["explain", &format!("{}#999", run())]);
    assert!(
        err.contains("has no relation 999; it has\n    1  NumericAddition(1) on e => "),
        "{err}"
    );
    assert!(refuses(&["explain", &format!("{}#0", run())]).contains("has no relation 0"));
    assert!(refuses(&["explain", "nowhere#1"]).contains("cannot read nowhere"));
    let folder = Folder::of("explain-other");
    let other = folder.write("other.json", "{}");
    assert!(refuses(&["explain", &format!("{other}#1")]).contains("is neither a report.json nor"));
    // Without a number it is a text.
    assert!(refuses(&["explain", "out_f#x"]).contains("line 1, column 6"));
}
