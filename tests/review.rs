//! What people have rejected, and the runs after that.

use std::fs;
use std::process::Command;

use serde_json::Value;

use crate::cli::{Run, genmorph, refuses, succeeds};
use crate::folder::{Folder, subject};

const NAME: &str = "NumericAddition(1) on e";

/// A short search for relations of `pow`, in a folder that may have a reviewed set.
fn generated(folder: &Folder, out: &str, more: &[&str]) -> (Run, Value) {
    let pow = subject("pow/subject.toml");
    let run = Command::new(env!("CARGO_BIN_EXE_genmorph"))
        .args(["generate", &pow, "-o", out, "--transformation", NAME, "--generations", "30"])
        .args(["--population", "300", "--fresh", "4000", "--hunt", "2000"])
        .args(more)
        .current_dir(folder.path())
        .output()
        .unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    let run = Run { code: run.status.code(), out: text(run.stdout), err: text(run.stderr) };
    assert_eq!(run.code, Some(0), "{}{}", run.out, run.err);
    let report = fs::read_to_string(folder.path().join(out).join("report.json")).unwrap();
    (run, serde_json::from_str(&report).unwrap())
}

fn relations(report: &Value) -> Vec<String> {
    let found = report["transformations"][0]["results"]["relations"].as_array().unwrap();
    found.iter().map(|found| found["relation"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn what_is_rejected_is_not_reported_again_whatever_it_looks_like() {
    let folder = Folder::of("review-rejected");
    let (_, before) = generated(&folder, "before", &[]);
    let first = relations(&before)[0].clone();
    let set = folder.at("genmorph.reviewed.json");
    let because = ["--because", "an accident", "--reviewed", &set];
    succeeds(&[&["reject", &folder.at("before"), "1"][..], &because].concat());

    let (run, after) = generated(&folder, "after", &[]);
    assert!(!relations(&after).contains(&first), "{first}\n{after}");
    assert!(!relations(&after).is_empty(), "{}", run.out);
    assert_eq!(after["transformations"][0]["left_out"], 1);
    assert!(run.out.contains("1 is left out, which the review has rejected"), "{}", run.out);
    let started = fs::read_to_string(folder.path().join("after/run.json")).unwrap();
    assert!(started.contains(&format!("{NAME} => {first}")), "{started}");
    // No other form of it either, and nothing that joins it by `and`: on the executions of the search, none says the same of every row.
    let executions = folder.at("after/01_NumericAddition_1_on_e/executions.parquet");
    for relation in relations(&after) {
        let same = format!("({relation}) iff ({first})");
        let scored =
            succeeds(&["score", &executions, &same, "--format", "ndjson", "--killed", "none"]);
        let scored: Value = serde_json::from_str(&scored).unwrap();
        let incorrect =
            after["transformations"][0]["results"]["rows"]["incorrect"].as_u64().unwrap();
        let [fp, fn_] = ["fp", "fn"].map(|key| scored[key].as_u64().unwrap());
        assert!(fp > 0 || fn_ < incorrect, "{relation} is {first}");
    }
    let model = |out: &str| {
        let told = succeeds(&["report", &folder.at(out), "--format", "json", "-o", "-"]);
        serde_json::from_str::<Value>(&told).unwrap()["repeat"]["command"]
            .as_str()
            .unwrap()
            .to_owned()
    };
    assert!(model("before").contains("--no-reviewed"), "{}", model("before"));
    assert!(model("after").contains("--reviewed genmorph.reviewed.json"), "{}", model("after"));
    // The same run twice is the same run, and nobody has to respect the review.
    assert_eq!(generated(&folder, "again", &["--jobs", "1"]).1, after);
    assert_eq!(relations(&generated(&folder, "anew", &["--no-reviewed"]).1), relations(&before));
}

#[test]
fn a_counterexample_of_the_review_is_an_input_of_the_next_run() {
    let folder = Folder::of("review-counterexample");
    let pow = subject("pow/subject.toml");
    let (refuted, set) = (folder.at("refuted.json"), folder.at("set.json"));
    let relation = format!("{NAME} => out_f - out_s < 6000");
    let filter = ["filter", &relation, &pow, "--hunt", "2000", "-o", &refuted];
    assert_eq!(genmorph(&filter).code, Some(3));
    succeeds(&["reject", &refuted, "--subject", &pow, "--reviewed", &set]);
    let pair: Value = serde_json::from_str(&fs::read_to_string(&refuted).unwrap()).unwrap();
    generated(&folder, "out", &["--reviewed", &set, "--sources", "20"]);
    let sources = fs::read_to_string(folder.path().join("out/sources.ndjson")).unwrap();
    let is_it = |line: &str| {
        let input: Value = serde_json::from_str(line).unwrap();
        ["k", "e"].iter().all(|name| input[name] == pair[0]["source"][name])
    };
    assert!(sources.lines().any(is_it), "{pair}\n{sources}");
}

#[test]
fn a_set_that_was_named_must_be_about_the_function() {
    let folder = Folder::of("review-other");
    let set = folder.at("genmorph.reviewed.json");
    let gcd = subject("gcd/subject.toml");
    let relation = "PermuteParameters on p, q => out_f == out_s";
    succeeds(&["reject", relation, "--subject", &gcd, "--reviewed", &set]);
    let pow = subject("pow/subject.toml");
    let err = refuses(&["generate", &pow, "-o", &folder.at("out"), "--reviewed", &set]);
    assert!(err.contains("is about `gcd`, and the subject is `pow`"), "{err}");
    assert!(refuses(&["generate", "--reviewed", "none.json"]).contains("cannot read none.json"));
    // The one that only lies there is passed over.
    let (run, _) = generated(&folder, "out", &["--verbose"]);
    assert!(run.err.contains("genmorph.reviewed.json is about `gcd`"), "{}", run.err);
}
