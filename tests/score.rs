//! `genmorph score` as users run it.

use std::sync::OnceLock;

use crate::cli::{Run, fed, genmorph, refuses};
use crate::folder::{Folder, subject};

/// The executions of pow that do not overflow, collected once.
fn executions() -> &'static str {
    static FILE: OnceLock<String> = OnceLock::new();
    FILE.get_or_init(|| {
        let folder = Folder::of("score-executions");
        let (from, to) = (subject("pow/plain.ndjson"), folder.at("pow.parquet"));
        let step = "NumericAddition(-1) on e";
        let run = genmorph(&["collect", "--from", &from, "--transformation", step, "-o", &to]);
        assert_eq!(run.code, Some(0), "{}", run.err);
        to
    })
}

fn score(args: &[&str]) -> String {
    let run = genmorph(&[&["score", executions()], args].concat());
    assert_eq!((run.code, run.err.as_str()), (Some(0), ""), "{}", run.out);
    run.out
}

const VERDICTS: &str = "\
FP of 563           FN of 5471           size  killed of 12  relation
        0    0.00%        2266   41.42%     5            11  out_f * k_s == out_s
       35    6.22%        2299   42.02%     5             -  out_f == out_s / k_s
        0    0.00%        5471  100.00%     3             0  e_f < e_s
";

#[test]
fn relations_get_their_verdict_in_a_table() {
    let relations = ["out_f * k_s == out_s", "out_f == out_s / k_s", "e_f<e_s"];
    assert_eq!(score(&relations), VERDICTS);
}

#[test]
fn every_tier_and_number_of_threads_gives_the_same_verdict() {
    let folder = Folder::of("score-tiers");
    let text = "# by hand\nout_f * k_s == out_s\nout_f == out_s / k_s # the paper's\n\ne_f < e_s\n";
    let file = folder.write("relations.txt", text);
    for tier in ["auto", "reference", "bytecode", "native"] {
        for jobs in ["1", "2"] {
            assert_eq!(score(&[&file, "--tier", tier, "--jobs", jobs]), VERDICTS);
        }
    }
}

#[test]
fn relations_come_from_results_and_standard_input_too() {
    let folder = Folder::of("score-files");
    let results = r#"
        {"schema": 1, "relations": [{"relation": "out_f * k_s == out_s", "fp": 0}]}"#;
    let file = folder.write("relations.json", results);
    let lines = "out_f == out_s / k_s\ne_f < e_s";
    let Run { code, out, err } = fed(&["score", executions(), &file, "-"], lines);
    assert_eq!((code, out.as_str(), err.as_str()), (Some(0), VERDICTS, ""));
    if cfg!(unix) {
        let piped = fed(&["score", executions(), &file, "/dev/stdin"], lines);
        assert_eq!((piped.code, piped.out.as_str()), (Some(0), VERDICTS), "{}", piped.err);
    }
}

#[test]
fn ndjson_has_a_verdict_per_line_with_the_killed_mutants() {
    let out = score(&["--format", "ndjson", "e_f < e_s", "out_f * k_s == out_s", "k_s > 0"]);
    let lines: Vec<serde_json::Value> =
        out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines[0]["killed"], serde_json::json!([]));
    assert_eq!((&lines[0]["fp"], &lines[0]["fn"]), (&0.into(), &5471.into()));
    let killed: Vec<&str> =
        lines[1]["killed"].as_array().unwrap().iter().map(|m| m.as_str().unwrap()).collect();
    assert_eq!(killed[..2], ["mutant1", "mutant2"]);
    assert!(!killed.contains(&"mutant3"), "a constant 0 satisfies it");
    assert!(lines[2]["killed"].is_null());
    let all = score(&["--format", "ndjson", "--killed", "all", "k_s > 0"]);
    assert!(all.contains(r#""killed":["mutant1","#), "{all}");
    assert!(
        score(&["--format", "ndjson", "--killed", "none", "true"]).contains(r#""killed":null"#)
    );
}

#[test]
fn the_tolerance_changes_the_verdict() {
    let verdict = |args: &[&str]| {
        let out = score(&[&["k_s == k_s + 0.00001"], args].concat());
        out.lines().nth(1).unwrap().split_whitespace().next().unwrap().to_owned()
    };
    assert_eq!(verdict(&[]), "563");
    assert_eq!(verdict(&["--tolerance", "paper"]), "0");
    assert_eq!(verdict(&["--tolerance", "0,0"]), "563");
}

#[test]
fn a_hundred_thousand_relations_stream_through() {
    let folder = Folder::of("score-many");
    let line = |i: usize| format!("out_f * {} <= out_s + {} or k_s < {}\n", i % 97, i % 89, i % 13);
    let text: String = (0..100_000).map(line).collect();
    let file = folder.write("relations.txt", text);
    let out = score(&[&file]);
    assert_eq!(out.lines().count(), 100_001);
    assert!(out.ends_with("out_f * 89 <= out_s + 52 or k_s < 3\n"), "{}", &out[out.len() - 200..]);
}

#[test]
fn a_bad_relation_is_named_with_its_file_and_line() {
    let folder = Folder::of("score-bad");
    let file = folder.write("relations.txt", "e_f < e_s\n\n  out_f == out_x # no\n");
    let run = genmorph(&["score", executions(), &file]);
    assert_eq!(run.code, Some(2));
    let expected = "relations.txt, line 3, column 12: unknown variable `out_x`; did you mean `out_s`?\n\n      out_f == out_x\n               ^\n\nvariables: k_s: Num,";
    assert!(run.err.contains(expected), "{}", run.err);
    let file = folder.write("results.json", r#"{"relations": [{"relation": "e_f <"}]}"#);
    let err = refuses(&["score", executions(), &file]);
    assert!(err.contains("results.json, relation 1, column 6: the text ends"), "{err}");
    let file = folder.write("wrong.json", r#"{"relations": 7}"#);
    let err = refuses(&["score", executions(), &file]);
    assert!(err.contains("not a results file: invalid type"), "{err}");
    let file = folder.write("empty.txt", "# nothing\n\n");
    assert!(refuses(&["score", executions(), &file]).contains("no relation to score"));
    let file = folder.write("bytes.txt", b"e_f < e_s\n\xff\n");
    let run = genmorph(&["score", executions(), &file]);
    assert_eq!(run.code, Some(2));
    assert!(run.err.contains("bytes.txt, line 2: not UTF-8"), "{}", run.err);
    let err = refuses(&["score", executions(), "relations.text"]);
    assert!(err.contains("there is no file `relations.text` either"), "{err}");
    assert!(refuses(&["score", executions()]).contains("RELATIONS"));
    assert!(
        refuses(&["score", executions(), "true", "--tier", "gpu"]).contains("a tier is `auto`")
    );
}
