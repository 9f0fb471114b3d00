//! Laws of a run as tests: short, named after what they say, and with integers compared as integers.

use std::fs;

use serde_json::json;

use super::python::{FAULTS, RIGHT, tested};
use crate::cli::genmorph;
use crate::folder::{Folder, subject};

/// The file, the subject, the function that is called, laws with their transformations, and parts of the file.
type Case = (
    &'static str,
    &'static str,
    &'static str,
    &'static [(&'static str, &'static str)],
    &'static [&'static str],
);

/// Laws of subjects, how their functions are called, and what a file of their tests has.
const LAWS: [Case; 3] = [
    (
        "laws_gcd",
        "gcd",
        "functions::gcd",
        &[
            ("PermuteParameters on p, q", "out_f == out_s"),
            ("PermuteParameters on p, q", "out_f * 2 >= out_s"),
            ("NumericMultiplication(-1) on p", "out_f == out_s"),
            ("NumericMultiplication(2) on q", "out_f >= out_s"),
            ("NumericMultiplication(2) on q", "out_f <= out_s * 2"),
        ],
        &[
            "/// gcd(q, p) == gcd(p, q)\n#[test]\nfn is_symmetric_in_p_and_q() {\n    \
             check(EXAMPLES_1, follow_up_1, |s, f| f.out == s.out);\n}\n",
            "/// gcd(-p, q) == gcd(p, q)\n#[test]\nfn negating_p_keeps_the_result() {\n",
            "fn doubling_q_does_not_decrease_the_result() {",
            "|s, f| i128::from(f.out) <= i128::from(s.out) * 2);",
        ],
    ),
    (
        "laws_pad_start",
        "pad_start",
        "functions::pad_start",
        &[
            ("SequenceFlip on text", "length(out_f) == length(out_s)"),
            (
                "NumericAddition(1) on n",
                "n_s >= length(text_s) implies length(out_f) == length(out_s) + 1",
            ),
            ("SequenceFlip on text", "n_s <= length(text_s) implies out_f == flip(out_s)"),
        ],
        &[
            "/// length(pad_start(flip(text), n, c)) == length(pad_start(text, n, c))\n",
            "fn reversing_text_keeps_the_length_of_the_result() {",
            "fn adding_1_to_n_adds_1_to_the_length_when_n_is_at_least_the_length_of_text() {",
            "|| f.out == s.out.chars().rev().collect::<String>()",
        ],
    ),
    (
        "laws_sort_range",
        "sort_range",
        "functions::sort_range",
        &[
            ("SequenceFlip on a", "length(a_after_f) == length(a_after_s)"),
            (
                "SequenceFlip on a",
                "from_s == 0 and to_s == length(a_s) implies a_after_f == a_after_s",
            ),
        ],
        &["when from == 0 and to == length(a)\n", "f.a_after == s.a_after"],
    ),
];

/// The report of a run with these laws, and a detector.
pub fn report(folder: &Folder, name: &str, laws: &[(&str, &str)]) -> String {
    let mut searches: Vec<serde_json::Value> = Vec::new();
    for (transformation, relation) in laws {
        let relation = json!({ "relation": relation, "kind": "law" });
        let known = searches.iter_mut().find(|search| search["transformation"] == *transformation);
        match known {
            Some(search) => {
                search["results"]["relations"].as_array_mut().unwrap().push(relation);
            }
            None => searches.push(json!({
                "transformation": transformation,
                "results": { "relations": [{ "relation": "true" }, relation] },
            })),
        }
    }
    let report = json!({ "function": name, "tolerance": { "abs": 1e-9, "rel": 1e-12 },
        "transformations": searches });
    folder.write(&format!("{name}.laws/report.json"), report.to_string())
}

/// The tests of laws in Rust, by name.
pub fn exported(folder: &Folder) -> Vec<(&'static str, String)> {
    let file = |(name, of, call, laws, parts): Case| {
        let (report, toml) = (report(folder, of, laws), subject(&format!("{of}/subject.toml")));
        let at = folder.at(&format!("{name}.rs"));
        let said = genmorph(&["export", &report, &toml, "--call", call, "-o", &at, "--force"]);
        assert_eq!((said.code, said.err.as_str()), (Some(0), ""), "{}", said.out);
        let source = fs::read_to_string(&at).unwrap();
        for part in parts {
            assert!(source.contains(part), "{part}\n{source}");
        }
        assert!(!source.contains("_relates_the_results"), "{source}");
        assert!(source.lines().count() < 150, "{source}");
        assert!(source.matches("#[test]").count() == laws.len(), "{source}");
        (name, source)
    };
    LAWS.into_iter().map(file).collect()
}

#[test]
fn detectors_are_written_on_request() {
    let folder = Folder::of("export-detectors");
    let (name, of, call, laws, _) = LAWS[0];
    let (report, toml) = (report(&folder, of, laws), subject("gcd/subject.toml"));
    let at = folder.at(&format!("{name}.rs"));
    let all = ["export", &report, &toml, "--call", call, "-o", &at, "--detectors"];
    assert_eq!(genmorph(&all).code, Some(0));
    let source = fs::read_to_string(&at).unwrap();
    let transformations = 3;
    assert_eq!(source.matches("#[test]").count(), laws.len() + transformations, "{source}");
}

#[test]
fn integers_are_compared_without_a_tolerance_unless_there_are_floats_or_divisions() {
    let folder = Folder::of("export-exact");
    let toml = subject("gcd/subject.toml");
    let cases = [
        ("out_f == out_s", false),
        ("abs(out_f) >= out_s or out_s < 1", false),
        ("out_f / 2 == out_s / 2", true),
        ("out_f < out_s + 0.5", true),
    ];
    for (relation, has_tolerance) in cases {
        let report = report(&folder, "gcd", &[("PermuteParameters on p, q", relation)]);
        for (language, call) in [("rust", "functions::gcd"), ("python", "functions:gcd")] {
            let at = folder.at(language);
            let args =
                ["export", &report, &toml, "--to", language, "--call", call, "-o", &at, "--force"];
            let said = genmorph(&args);
            assert_eq!(said.code, Some(0), "{}", said.err);
            let path = said.out.split(": ").next().unwrap();
            let source = fs::read_to_string(path).unwrap();
            let is_private = source.contains("REL") || source.contains("def eq(");
            assert_eq!(is_private, has_tolerance, "{relation}\n{source}");
        }
    }
}

#[test]
fn laws_are_short_tests_in_python() {
    if !crate::tools::python() {
        return;
    }
    let folder = Folder::of("export-laws-python");
    let mut count = 0;
    for (_, of, _, laws, _) in LAWS {
        let (report, toml) = (report(&folder, of, laws), subject(&format!("{of}/subject.toml")));
        let call = format!("functions:{of}");
        let at = folder.at(&format!("test_{of}.py"));
        let said =
            genmorph(&["export", &report, &toml, "--to", "python", "--call", &call, "-o", &at]);
        assert_eq!((said.code, said.err.as_str()), (Some(0), ""), "{}", said.out);
        let source = fs::read_to_string(&at).unwrap();
        assert!(source.lines().count() < 150, "{source}");
        count += laws.len();
    }
    let gcd = fs::read_to_string(folder.at("test_gcd.py")).unwrap();
    let symmetric = "def test_is_symmetric_in_p_and_q():\n    \"\"\"gcd(q, p) == gcd(p, q)\"\"\"\n    \
                     check(EXAMPLES_1, follow_up_1, lambda s, f: f.out == s.out)\n";
    assert!(gcd.contains(symmetric), "{gcd}");
    folder.write("functions.py", RIGHT);
    let (passed, said) = tested(&folder, &["."]);
    assert!(passed && said.contains(&format!("{count} passed")), "{said}");
    let (from, to) = FAULTS[0];
    folder.write("functions.py", RIGHT.replace(from, to));
    let (passed, said) = tested(&folder, &["test_gcd.py"]);
    assert!(!passed && said.contains("the law is false: namespace(p="), "{said}");
}
