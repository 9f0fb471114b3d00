//! `genmorph generate` as users run it: from a function to relations, repeatable, with an answer to every
//! bad module.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use crate::cli::{genmorph, refuses, succeeds};
use crate::folder::{Folder, subject};

/// All files under a folder, by their path in it.
pub fn tree(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut files = BTreeMap::new();
    let mut todo = vec![folder.to_owned()];
    while let Some(path) = todo.pop() {
        for entry in fs::read_dir(&path).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                todo.push(path);
            } else {
                let name = path.strip_prefix(folder).unwrap().to_string_lossy().into_owned();
                files.insert(name, fs::read(&path).unwrap());
            }
        }
    }
    files
}

#[test]
fn the_demo_needs_no_arguments_and_finds_the_multiplicative_relation() {
    let scratch = Folder::of("generate-demo");
    let run = genmorph(&["generate", "-o", &scratch.at("out"), "--generations", "40"]);
    assert_eq!(run.code, Some(0), "{}", run.err);
    assert!(run.out.contains("NumericAddition(-1) on e"), "{}", run.out);
    let product = ["k_s * out_f", "out_f * k_s", "k_f * out_f", "out_f * k_f"];
    assert!(product.iter().any(|text| run.out.contains(text)), "{}", run.out);
    assert!(run.out.contains("no false alarm"), "{}", run.out);
    assert!(run.err.contains("genmorph init"), "{}", run.err);
}

#[test]
fn equal_seeds_give_equal_files_whatever_the_threads_and_tiers() {
    let scratch = Folder::of("generate-equal");
    for name in ["gcd", "pad_start"] {
        let subject = subject(&format!("{name}/subject.toml"));
        let with = |out: &str, more: &[&str]| {
            let out = scratch.at(&format!("{name}-{out}"));
            let common = ["generate", &subject, "-o", &out, "--generations", "12"];
            let bounds = ["--population", "100", "--transformations", "3"];
            let fewer = ["--fresh", "5000", "--sources", "300", "--hunt", "4000"];
            let run = genmorph(&[&common[..], &bounds, &fewer, more].concat());
            assert_eq!(run.code, Some(0), "{}", run.err);
            let told = run.out.lines().filter(|line| !line.starts_with("results in"));
            (told.map(str::to_owned).collect::<Vec<_>>(), tree(out.as_ref()))
        };
        let expected = with("one", &["--jobs", "1"]);
        assert!(expected.1.keys().any(|file| file.ends_with("executions.parquet")));
        assert!(expected == with("two", &["--jobs", "2"]), "{name}: threads");
        assert!(expected == with("tier", &["--tier", "reference"]), "{name}: tiers");
        assert!(expected.1 != with("seed", &["--seed", "2"]).1, "{name}: seeds");
    }
}

#[test]
fn what_is_presupposed_of_64_bit_integers_is_said_everywhere() {
    let scratch = Folder::of("generate-wide");
    let square = "(func (export \"square\") (param i64) (result i64)
        (i64.mul (local.get 0) (local.get 0)))";
    scratch.write("square.wat", format!("(module {square})"));
    let definition = "module = \"square.wat\"\nexport = \"square\"\n";
    let definition = format!("{definition}signature = \"func(n: s64) -> s64\"\n");
    let (toml, out) = (scratch.write("square.toml", definition), scratch.at("out"));
    let chosen = ["--transformation", "NumericMultiplication(-1) on n", "--generations", "10"];
    let fewer = ["--population", "100", "--fresh", "3000", "--hunt", "2000", "--sources", "200"];
    let run = genmorph(&[&["generate", &toml, "-o", &out][..], &chosen, &fewer].concat());
    assert_eq!(run.code, Some(0), "{}", run.err);
    let premise = "|n|, |out| < 2^53";
    for part in [
        &*format!("n_f == n_s * -1, where {premise}"),
        " pairs of inputs are left out: an output is 2^53 or more in magnitude",
        "tried with n from -",
    ] {
        assert!(run.out.contains(part), "{part}\n{}", run.out);
    }
    let read = |name: &str| fs::read_to_string(format!("{out}/{name}")).unwrap();
    let report = read("report.json");
    assert!(report.contains(&format!("\"premise\": \"{premise}\"")), "{report}");
    assert!(report.contains("\"domain\": ["), "{report}");
    assert!(read("report.html").contains("where <code>|n|, |out| &lt; 2^53</code>"));
    let explained = succeeds(&["explain", &format!("{out}#1")]);
    for part in [&*format!(", where {premise}"), "tried with n from -"] {
        assert!(explained.contains(part), "{part}\n{explained}");
    }
    let markdown = succeeds(&["report", &out, "--format", "markdown", "-o", "-"]);
    assert!(markdown.contains("2^53") && markdown.contains("Tried with n from"), "{markdown}");
    let said = "NumericMultiplication(-1) on n => out_f == out_s";
    let tried = succeeds(&["filter", said, &toml, "--fresh", "2000", "--hunt", "1000"]);
    assert!(tried.contains(&format!(", where {premise}\n")), "{tried}");
    // An output of 2^53 or more is no counterexample: relations do not speak of it.
    let small = "NumericMultiplication(-1) on n => abs(out_s) <= 9007199254740992";
    let tried = succeeds(&["filter", small, &toml, "--fresh", "2000", "--hunt", "1000"]);
    assert!(tried.contains("1 of 1 stand"), "{tried}");
}

#[test]
fn transformations_can_be_listed_and_chosen() {
    let subject = subject("pow/subject.toml");
    let listed = succeeds(&["generate", &subject, "--list-transformations"]);
    let addition =
        listed.lines().find(|line| line.starts_with("NumericAddition(-1) on e ")).unwrap();
    assert!(addition.ends_with("k_f == k_s and e_f == e_s - 1"), "{addition}");
    let scratch = Folder::of("generate-chosen");
    let chosen = ["--transformation", "PermuteParameters on k, e", "--generations", "5"];
    let out = scratch.at("out");
    let run = genmorph(&[&["generate", &subject, "-o", &out][..], &chosen].concat());
    assert_eq!(run.code, Some(0), "{}", run.err);
    assert!(scratch.path().join("out/01_PermuteParameters_on_k_e").is_dir());
    let wrong = refuses(&[
        "generate",
        &subject,
        "-o",
        &scratch.at("no"),
        "--transformation",
        "SequenceFlip on k",
    ]);
    assert!(wrong.contains("needs a text or a list of numbers, but `k` is number"), "{wrong}");
}

#[test]
fn results_are_not_overwritten_unless_asked_to() {
    let scratch = Folder::of("generate-existing");
    scratch.write("out/notes.txt", "mine");
    let out = scratch.at("out");
    let subject = subject("gcd/subject.toml");
    let common = [
        "generate",
        &subject,
        "-o",
        &out,
        "--generations",
        "2",
        "--population",
        "50",
        "--transformations",
        "1",
        "--fresh",
        "1000",
        "--hunt",
        "1000",
    ];
    let refused = refuses(&common);
    assert!(refused.contains("is there already and is not empty"), "{refused}");
    let forced = genmorph(&[&common[..], &["--force"]].concat());
    assert_eq!(forced.code, Some(0), "{}", forced.err);
    assert_eq!(fs::read(scratch.path().join("out/notes.txt")).unwrap(), b"mine");
}

/// Flags that keep a run short.
pub const SHORT: [&str; 12] = [
    "--generations",
    "2",
    "--population",
    "50",
    "--transformations",
    "1",
    "--sources",
    "50",
    "--fresh",
    "500",
    "--hunt",
    "500",
];

#[test]
fn a_run_is_not_resumed_if_its_subject_inputs_or_settings_changed() {
    let scratch = Folder::of("generate-resume");
    let module = |factor: u32| {
        format!(
            "(module (func $helper (param i32) (result i32) local.get 0 i32.const {factor} i32.mul)\n\
             (func (export \"f\") (param i32 i32) (result i32)\n\
             local.get 0 call $helper local.get 1 i32.add))"
        )
    };
    let definition = |more: &str| {
        let start = "module = \"f.wat\"\nsignature = \"func(a: s32, b: s32) -> s32\"\n";
        format!("{start}{more}")
    };
    let bounds = "[domain]\na = { range = [0, 20] }\nb = { range = [0, 9] }\n";
    let original = definition(bounds);
    let toml = scratch.write("subject.toml", &original);
    scratch.write("f.wat", module(3));
    let inputs = scratch.write("inputs.csv", "a,b\n1,2\n3,4\n");
    let out = scratch.at("out");
    let common = [&["generate", &toml, "-o", &out, "--inputs", &inputs][..], &SHORT].concat();
    let started = genmorph(&common);
    assert_eq!(started.code, Some(0), "{}", started.err);
    let report = fs::read(scratch.path().join("out/report.json")).unwrap();
    let resumed = |more: &[&str]| genmorph(&[&common[..], &["--resume"], more].concat());
    let goes_on = || {
        let run = resumed(&[]);
        assert_eq!(run.code, Some(0), "{}", run.err);
        assert_eq!(fs::read(scratch.path().join("out/report.json")).unwrap(), report);
    };
    let refused = |more: &[&str], expected: &str| {
        let run = resumed(more);
        assert_eq!(run.code, Some(2), "{}", run.err);
        let line = format!("because this has changed since it was started: {expected}\n");
        assert!(run.err.contains(&line), "{expected}: {}", run.err);
    };
    goes_on();
    scratch.write("subject.toml", original.replace("[0, 20]", "[0, 19]"));
    refused(&[], "the domain of the subject");
    scratch.write("subject.toml", definition(&format!("scope = [\"helper\"]\n{bounds}")));
    refused(&[], "the scope of the subject");
    scratch.write("subject.toml", format!("{original}# A remark.\n"));
    refused(&[], "the definition of the subject");
    scratch.write("subject.toml", &original);
    scratch.write("f.wat", module(5));
    refused(&[], "the code of the subject");
    scratch.write("f.wat", module(3));
    scratch.write("inputs.csv", "a,b\n1,2\n3,5\n");
    refused(&[], "the supplied inputs");
    scratch.write("inputs.csv", "a,b\n1,2\n3,4\n");
    refused(&["--seed", "7"], "`seed`");
    goes_on();

    // Earlier versions knew a subject by a fingerprint of its module alone.
    let run = fs::read_to_string(scratch.path().join("out/run.json")).unwrap();
    let mut run: serde_json::Value = serde_json::from_str(&run).unwrap();
    let fields = run.as_object_mut().unwrap();
    fields.remove("identity").unwrap();
    fields.remove("inputs").unwrap();
    fields.insert("module".to_owned(), "0123456789abcdef".into());
    scratch.write("out/run.json", run.to_string());
    let old = resumed(&[]);
    assert_eq!(old.code, Some(2));
    assert!(old.err.contains("started by an older genmorph"), "{}", old.err);
    assert!(old.err.contains("--force"), "{}", old.err);
}

#[test]
fn a_parameter_may_be_called_java() {
    let scratch = Folder::of("generate-called-java");
    scratch.write("f.wat", TWICE);
    let text = "module = \"f.wat\"\nsignature = \"func(java: s32) -> s32\"\n\
                [domain]\njava = { range = [0, 20] }\n";
    let toml = scratch.write("subject.toml", text);
    let listed = succeeds(&["generate", &toml, "--list-transformations"]);
    assert!(listed.contains("on java"), "{listed}");
}

/// Writes a module and its description, and returns what `generate` says to them.
fn refusal(scratch: &Folder, module: &str, description: &str) -> String {
    scratch.write("bad.wat", module);
    let toml = scratch.write("subject.toml", format!("module = \"bad.wat\"\n{description}"));
    refuses(&["generate", &toml, "-o", &scratch.at("out"), "--generations", "2"])
}

const TWICE: &str = r#"(module (func (export "twice") (param i32) (result i32)
    local.get 0 i32.const 1 i32.shl))"#;

#[test]
fn every_bad_subject_gets_a_message_that_says_what_is_wrong() {
    let scratch = Folder::of("generate-bad");
    let twice = "export = \"twice\"\n";
    let cases = [
        ("(module (func", "", "bad.wat"),
        (TWICE, "export = \"thrice\"\n", "`thrice`"),
        (TWICE, &format!("{twice}signature = \"func(x: s64) -> s32\"\n"), "(i64) -> i32"),
        (TWICE, &format!("{twice}signature = \"func(x: list<string>) -> s32\"\n"), "list<string>"),
        (TWICE, &format!("{twice}signature = \"func(x: s32 -> s32\"\n"), "^"),
        (TWICE, &format!("{twice}colour = 3\n"), "colour"),
        (
            r#"(module (import "env" "now" (func)) (func (export "twice") (param i32) (result i32) local.get 0))"#,
            twice,
            "`env.now`",
        ),
        (
            r#"(module (func (export "twice") (param i32) (result i32) unreachable))"#,
            twice,
            "unreachable",
        ),
        (
            r#"(module (func (export "twice") (param i32) (result i32) (loop br 0) local.get 0))"#,
            twice,
            "fuel",
        ),
    ];
    for (module, description, expected) in cases {
        let error = refusal(&scratch, module, description);
        assert!(error.starts_with("error: ") && error.contains(expected), "{expected}:\n{error}");
        assert!(!error.contains("panicked"), "{error}");
    }
    let missing = refuses(&["generate", &scratch.at("nothing.toml")]);
    assert!(missing.contains("nothing.toml"), "{missing}");
    let binary = scratch.write("binary.toml", [0xff, 0xfe, 0]);
    assert!(refuses(&["generate", &binary]).contains("binary.toml"));
    scratch.write("cut.wasm", b"\0asm\x01\0\0\0\x01\x7f");
    let cut = scratch.write("cut.toml", "module = \"cut.wasm\"\nexport = \"f\"\n");
    assert!(refuses(&["generate", &cut]).contains("cut.wasm"));
}
