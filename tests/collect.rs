//! `genmorph collect` as users run it, on good recordings and on all kinds of bad ones.

use std::fs;

use genmorph::executions::{CORRECT, Executions, INCORRECT};
use genmorph::jit::{Value, Var};

use crate::cli::{Run, genmorph, refuses};
use crate::folder::{Folder, subject};

const STEP: &str = "NumericAddition(-1) on e";

fn collect(from: &str, transformation: &str, to: &str, more: &[&str]) -> Run {
    let args = ["collect", "--from", from, "--transformation", transformation, "-o", to];
    genmorph(&[&args, more].concat())
}

/// The summary of a run that must succeed.
fn collects(from: &str, transformation: &str, to: &str) -> String {
    let run = collect(from, transformation, to, &[]);
    assert_eq!((run.code, run.out.as_str()), (Some(0), ""), "{}", run.err);
    run.err
}

/// The error for a recording, with the name of its folder left out; checks that nothing is written.
fn refused(test: &str, name: &str, recorded: impl AsRef<[u8]>) -> String {
    let folder = Folder::of(&format!("refused-{test}"));
    let from = folder.write(name, recorded);
    let args =
        ["collect", "--from", &from, "--transformation", STEP, "-o", &folder.at("out.parquet")];
    let err = refuses(&args);
    assert_eq!(folder.files(), [name], "{err}");
    err.replace(&folder.at(""), "")
}

fn record(system: &str, k: &str, e: &str, out: &str) -> String {
    format!(
        r#"{{"systemId":"{system}","testId":"t","variables":{{"inputs":{{"k":{k},"e":{e}}},"outputs":{{"return":{out}}}}}}}"#
    )
}

/// A recording that can be collected.
fn good() -> String {
    let mut lines = Vec::new();
    for e in 0..5 {
        lines.push(record("pow@original", "2", &e.to_string(), &2_i32.pow(e).to_string()));
        lines.push(record("pow@mutant1", "2", &e.to_string(), "1"));
    }
    lines.join("\n")
}

fn with_line(line: usize, text: &str) -> String {
    let good = good();
    let mut lines: Vec<&str> = good.lines().collect();
    lines[line - 1] = text;
    lines.join("\n")
}

#[test]
fn a_recording_becomes_an_executions_file() {
    let folder = Folder::of("collect-pow");
    let to = folder.at("pow.parquet");
    let summary = collects(&subject("pow/plain.ndjson"), STEP, &to);
    for expected in [
        "pow: NumericAddition(-1) on e, so k_f == k_s and e_f == e_s - 1\n",
        "  recorded   10,215 executions: 681 of the original, 14 mutants, 1 file\n",
        "  sources    681 inputs of the original: 563 with a follow-up, 59 without, 59 that threw, or whose follow-up did\n",
        "  correct    563 rows\n",
        "  incorrect  5,471 rows: 12 mutants\n",
        ": 1 mutant on all pairs\n",
        "  crashed    1 mutant, killed by any test: 59 pairs without a row\n",
        "\nwrote ",
    ] {
        assert!(summary.contains(expected), "{expected}\nis not in\n{summary}");
    }
    let reading = Executions::read(&to).unwrap();
    assert_eq!(reading.warnings, []);
    let executions = reading.executions;
    assert_eq!((executions.count(CORRECT), executions.count(INCORRECT)), (563, 5471));
    assert_eq!(executions.signature.function, "pow");
    assert_eq!(executions.transformation.name, STEP);
    assert_eq!(executions.mutants[..3], ["mutant1", "mutant2", "mutant3"]);
    assert_eq!(folder.files(), ["pow.parquet"]);
}

#[test]
fn the_same_recording_gives_the_same_bytes_and_the_seed_chooses_the_sample() {
    let folder = Folder::of("collect-twice");
    let run = |name: &str, more: &[&str]| {
        let to = folder.at(name);
        let run = collect(&subject("pow"), STEP, &to, more);
        assert_eq!(run.code, Some(0), "{}", run.err);
        (fs::read(to).unwrap(), run.err)
    };
    let few = ["--max-correct", "100", "--max-incorrect", "300", "--seed"];
    let seeded = |seed: &'static str| [&few[..], &[seed]].concat();
    assert_eq!(run("a", &[]).0, run("b", &[]).0);
    let (one, summary) = run("c", &seeded("1"));
    assert_eq!(one, run("d", &seeded("1")).0);
    assert_ne!(one, run("e", &seeded("2")).0);
    assert!(summary.contains("  correct    100 rows: 696 unique ones sampled\n"), "{summary}");
    assert!(summary.contains("  incorrect  300 rows: 12 mutants, "), "{summary}");
}

#[test]
fn a_file_that_exists_is_replaced_only_by_force() {
    let folder = Folder::of("collect-force");
    let from = folder.write("recorded.ndjson", good());
    let to = folder.write("out.parquet", "mine");
    let run = collect(&from, STEP, &to, &[]);
    assert_eq!(run.code, Some(2));
    assert!(run.err.contains("exists already") && run.err.contains("--force"), "{}", run.err);
    assert_eq!(fs::read(&to).unwrap(), b"mine");
    assert_eq!(collect(&from, STEP, &to, &["--force"]).code, Some(0));
    assert!(Executions::read(&to).is_ok());
    let run = collect(&from, STEP, folder.path().to_str().unwrap(), &["--force"]);
    assert_eq!(run.code, Some(2));
    assert!(run.err.contains("is a folder"), "{}", run.err);
    let run = collect(&from, STEP, &folder.at("no/such/folder/x.parquet"), &[]);
    assert_eq!(run.code, Some(1));
    assert!(run.err.starts_with("error: cannot write "), "{}", run.err);
    assert_eq!(folder.files(), ["out.parquet", "recorded.ndjson"]);
}

#[test]
fn a_folder_of_json_files_is_a_recording_too() {
    let folder = Folder::of("collect-json");
    let records: Vec<String> = good().lines().map(str::to_owned).collect();
    folder.write("in/a.json", format!("[\n{}\n]", records[..4].join(",\n")));
    folder.write("in/deep/b.json", &records[4]);
    folder.write("in/deep/c.json", records[5..7].join("\n\n"));
    folder
        .write("in/z.jsonl", format!("\u{feff}{}\r\n\n{}", records[7], records[8..].join("\r\n")));
    folder.write("in/notes.txt", "not ours");
    folder.write("in/.hidden.json", "not ours");
    let whole = folder.write("whole.ndjson", good());
    collects(&folder.at("in"), STEP, &folder.at("a.parquet"));
    collects(&whole, STEP, &folder.at("b.parquet"));
    let read = |name| fs::read(folder.at(name)).unwrap();
    assert_eq!(read("a.parquet"), read("b.parquet"));
}

#[test]
fn what_teaches_nothing_is_dropped_and_counted() {
    let folder = Folder::of("collect-dropped");
    let mut lines: Vec<String> = good().lines().map(str::to_owned).collect();
    lines.extend(lines.clone());
    // Differs less than the tolerance; has no original; is not there for the follow-up.
    lines.push(record("pow@mutant2", "2", "3", "8.0000000000001"));
    lines.push(record("pow@mutant2", "2", "2", "4"));
    lines.push(record("pow@mutant2", "7", "7", "7"));
    let from = folder.write("in.ndjson", lines.join("\n"));
    let summary = collects(&from, STEP, &folder.at("out.parquet"));
    for expected in [
        "  recorded   23 executions: 10 of the original, 2 mutants, 1 file\n",
        "  correct    4 rows\n",
        "  incorrect  4 rows: 1 mutant\n",
        "  the same   1 pair of a mutant as of the original: 1 mutant on all pairs\n",
        "  repeated   10 executions on the same inputs\n",
        "  missing    3 pairs not recorded for a mutant\n",
        "  unknown    1 execution on inputs without the original\n",
    ] {
        assert!(summary.contains(expected), "{expected}\nis not in\n{summary}");
    }
}

#[test]
fn nan_and_infinities_are_values_however_they_are_written() {
    let folder = Folder::of("collect-nan");
    let line = |system: &str, x: &str, out: &str| {
        format!(
            r#"{{"systemId":"f@{system}","testId":"NaN","variables":{{"inputs":{{"x":{x}}},"outputs":{{"return":{out}}}}}}}"#
        )
    };
    let text = [
        line("original", "1", "NaN"),
        line("original", "2", "Infinity"),
        line("original", "\"Infinity\"", "\"NaN\""),
        line("m", "1", "\"-Infinity\""),
        line("m", "2", "1e300"),
        line("m", "Infinity", "0"),
    ];
    let from = folder.write("in.ndjson", text.join("\n"));
    collects(&from, "NumericAddition(1) on x", &folder.at("out.parquet"));
    let executions = Executions::read(folder.at("out.parquet")).unwrap().executions;
    // x = 1 with its follow-up 2, and infinity with itself.
    assert_eq!((executions.count(CORRECT), executions.count(INCORRECT)), (2, 2));
    let values: Vec<String> =
        (0..4).map(|var| format!("{:?}", executions.table.value(Var(var), 0))).collect();
    assert_eq!(values, ["Num(1.0)", "Num(NaN)", "Num(2.0)", "Num(inf)"]);
    assert_eq!(executions.table.value(Var(1), 2), Value::Num(f64::NEG_INFINITY));
}

#[test]
fn texts_lists_and_booleans_are_inputs_too() {
    let folder = Folder::of("collect-kinds");
    let line = |system: &str, p: bool, out: &str| {
        format!(
            r#"{{"systemId":"f@{system}","testId":"t","variables":{{"inputs":{{"s":"zoë","p":{p},"a":[1,2.5]}},"outputs":{{"return":{out},"a":[1,{}],"s":"zoë"}}}}}}"#,
            if p { 3 } else { 4 }
        )
    };
    let text = [
        line("original", true, "\"a\""),
        line("original", false, "\"\""),
        line("m", true, "\"a\""),
        line("m", false, "\"🦀\""),
    ];
    let from = folder.write("in.ndjson", text.join("\n"));
    collects(&from, "BooleanFlip on p", &folder.at("out.parquet"));
    let executions = Executions::read(folder.at("out.parquet")).unwrap().executions;
    let names: Vec<&str> = executions.table.schema().iter().map(|(_, name, _)| name).collect();
    // `a` is changed in place and `s` is not.
    let expected =
        ["s_s", "p_s", "a_s", "out_s", "a_after_s", "s_f", "p_f", "a_f", "out_f", "a_after_f"];
    assert_eq!(names, expected);
    assert_eq!((executions.count(CORRECT), executions.count(INCORRECT)), (2, 2));
    let sequence = |numbers: &[f64]| Value::Seq(numbers.to_vec().into());
    assert_eq!(executions.table.value(Var(0), 0), sequence(&[122.0, 111.0, 235.0]));
    assert_eq!(executions.table.value(Var(2), 0), sequence(&[1.0, 2.5]));
    assert_eq!(executions.table.value(Var(8), 2), sequence(&[129_408.0]));
}

#[test]
fn follow_ups_are_found_by_rounded_inputs_and_by_the_names_of_tests() {
    let folder = Folder::of("collect-names");
    let line = |system: &str, test: &str, x: &str, y: &str, out: &str| {
        format!(
            r#"{{"systemId":"f@{system}","testId":"{test}","variables":{{"inputs":{{"x":{x},"y":{y}}},"outputs":{{"return":{out}}}}}}}"#
        )
    };
    let mut lines = Vec::new();
    for (system, out) in [("original", "1"), ("m", "2")] {
        lines.push(line(system, "a", "0.1", "1", out));
        // 0.1 + 0.2 is 0.30000000000000004.
        lines.push(line(system, "b", "0.3", "1", out));
        lines.push(line(system, "c", "7", "0.1", out));
        // `y` is rounded: only the name says whose follow-up this is.
        lines.push(line(system, "cfollowup", "7.2", "0.10000000000000001", out));
        lines.push(line(system, "d", "50", "3.00000000001", out));
        lines.push(line(system, "dfollowup", "50.2", "3.00000000002", out));
        lines.push(line(system, "e", "60", "1", out));
        lines.push(line(system, "efollowup", "61", "1", out));
    }
    let from = folder.write("in.ndjson", lines.join("\n"));
    let summary = collects(&from, "NumericAddition(0.2) on x", &folder.at("out.parquet"));
    assert!(summary.contains(": 3 with a follow-up"), "{summary}");
    assert!(summary.contains("1 with a test wrongly named as follow-up"), "{summary}");
}

#[test]
fn a_recording_without_mutants_has_laws() {
    let folder = Folder::of("collect-original-alone");
    let record = |x: u32| {
        format!(
            r#"{{"systemId":"twice@original","testId":"t","variables":{{"inputs":{{"x":{x}}},"outputs":{{"return":{}}}}}}}"#,
            2 * x
        )
    };
    let from = folder.write("in.ndjson", (0..80).map(record).collect::<Vec<_>>().join("\n"));
    let file = folder.at("out.parquet");
    let summary = collects(&from, "NumericAddition(1) on x", &file);
    assert!(summary.contains("laws can be found"), "{summary}");
    let laws = genmorph(&["laws", &file]);
    assert_eq!(laws.code, Some(0), "{}", laws.err);
    assert!(laws.out.contains("twice(x + 1) == twice(x) + 2"), "{}", laws.out);
}

#[test]
fn integers_beyond_two_to_the_53_are_warned_of_once() {
    let folder = Folder::of("collect-large");
    let text = [
        record("f@original", "9007199254740993", "1", "1"),
        record("f@original", "9007199254740993", "0", "18446744073709551615"),
        record("f@m", "9007199254740993", "1", "2"),
        record("f@m", "9007199254740993", "0", "2"),
    ];
    let from = folder.write("in.ndjson", text.join("\n"));
    let err = collects(&from, STEP, &folder.at("out.parquet"));
    assert_eq!(err.matches("warning:").count(), 1, "{err}");
    assert!(err.contains("in.ndjson, line 1, `k`: 9007199254740993 is beyond 2^53"), "{err}");
}

#[test]
fn broken_and_truncated_records_are_named_with_their_line() {
    let whole = good();
    let truncated = &whole[..whole.len() - 30];
    let err = refused("truncated", "in.ndjson", truncated);
    assert!(err.starts_with("error: in.ndjson, line 10: column "), "{err}");
    assert!(err.contains("EOF while parsing"), "{err}");
    let err = refused("broken", "in.ndjson", with_line(3, "{\"systemId\": oops}"));
    assert!(err.starts_with("error: in.ndjson, line 3: column 14: expected value"), "{err}");
    assert!(err.contains("a record looks like {\"systemId\": \"pow@original\""), "{err}");
    let err = refused("missing", "in.ndjson", with_line(2, r#"{"systemId":"pow@m","testId":"t"}"#));
    assert!(err.contains("line 2: column 33: missing field `variables`"), "{err}");
    let err = refused("utf8", "in.ndjson", [good().as_bytes(), b"\n\xff\xfe"].concat());
    assert!(err.contains("line 11: not UTF-8"), "{err}");
    let json = format!("[\n{},\n{{\"systemId\": 1}}\n]", record("pow@original", "1", "1", "1"));
    let err = refused("json", "in.json", json);
    assert!(err.contains("in.json, line 3: column 14: invalid type: integer `1`"), "{err}");
    let err = refused("list", "in.json", "[\n1,\n");
    assert!(err.contains("in.json, line 3: column 0: EOF"), "{err}");
    let deep = format!("{{\"systemId\":{}", "[".repeat(100_000));
    assert!(refused("deep", "in.ndjson", deep).contains("line 1: column"));
}

#[test]
fn mislabelled_records_are_refused() {
    for system in ["pow", "@original", "pow@", "", "pow@ "] {
        let err = refused("label", "in.ndjson", with_line(4, &record(system, "1", "1", "1")));
        assert!(err.contains("in.ndjson, line 4: the systemId"), "{err}");
        assert!(err.contains("such as `pow@original` or `pow@mutant7`"), "{err}");
    }
    let err = refused("correct", "in.ndjson", with_line(4, &record("pow@correct", "1", "1", "1")));
    assert!(err.contains("rename the mutant"), "{err}");
    let err = refused("function", "in.ndjson", with_line(4, &record("sin@m", "1", "1", "1")));
    assert!(err.contains("line 4: this is of `sin`, but in.ndjson, line 1 is of `pow`"), "{err}");
    let err = refused("original", "in.ndjson", good().replace("@original", "@Original"));
    assert!(err.contains("`pow@original`; recorded are `pow@Original`, `pow@mutant1`"), "{err}");
    let err = refused("mutants", "in.ndjson", good().replace("@mutant1", "@original"));
    assert!(err.contains("gives another result here than at in.ndjson, line 3"), "{err}");
}

#[test]
fn mixed_types_and_variables_are_refused() {
    for (value, found) in [("\"2\"", "a text"), ("true", "a boolean"), ("[2]", "a list")] {
        let err =
            refused("mixed", "in.ndjson", with_line(5, &record("pow@original", value, "2", "4")));
        let expected =
            format!("in.ndjson, line 5: `k` is {found}, but a number at in.ndjson, line 1");
        assert!(err.contains(&expected), "{err}");
    }
    for (value, found) in [
        ("null", "null"),
        ("{}", "an object"),
        ("[null]", "a list with a null"),
        ("[[1]]", "a list of lists"),
        ("[\"a\"]", "a list with a text"),
        ("[true,1]", "a list of numbers and booleans"),
    ] {
        let err =
            refused("value", "in.ndjson", with_line(5, &record("pow@original", value, "2", "4")));
        assert!(err.contains(&format!("line 5: `k` is {found}; values are")), "{err}");
    }
    let renamed = record("pow@original", "2", "2", "4");
    let err = refused("missing", "in.ndjson", with_line(5, &renamed.replace("\"k\":2,", "")));
    assert!(err.contains("line 5: there is no input `k`, but in.ndjson, line 1 has one"), "{err}");
    let err = refused("extra", "in.ndjson", with_line(5, &renamed.replace("\"return\"", "\"x\"")));
    assert!(
        err.contains("line 5: there is an output `x`, but in.ndjson, line 1 has none"),
        "{err}"
    );
    let err = refused("twice", "in.ndjson", with_line(5, &renamed.replace("\"e\"", "\"k\"")));
    assert!(err.contains("`k` occurs twice"), "{err}");
    let err = refused("names", "in.ndjson", good().replace("\"k\"", "\"a b\""));
    assert!(err.contains("`a b_s` cannot name a variable"), "{err}");
}

#[test]
fn recordings_without_pairs_or_differences_are_refused() {
    assert!(refused("empty", "in.ndjson", "").contains("in.ndjson: empty"));
    assert!(refused("blank", "in.ndjson", "\n \n").contains("in.ndjson: empty"));
    assert!(refused("brackets", "in.json", "[]").contains("in.json: empty"));
    let one = [record("f@original", "2", "2", "4"), record("f@m", "2", "2", "5")].join("\n");
    let err = refused("pairs", "in.ndjson", one);
    assert!(
        err.contains(
            "no pair of executions of the original satisfies k_f == k_s and e_f == e_s - 1"
        ),
        "{err}"
    );
    let same =
        good().replace("\"return\":2", "\"return\":1").replace("\"return\":16", "\"return\":1");
    let same = same.replace("\"return\":4", "\"return\":1").replace("\"return\":8", "\"return\":1");
    let err = refused("same", "in.ndjson", same);
    assert!(err.contains("no mutant differs from the original on any of the 4 pairs"), "{err}");
    let thrown = good().replace("\"outputs\"", "\"exception\":1,\"nothing\"");
    assert!(
        refused("thrown", "in.ndjson", thrown)
            .contains("no execution of `pow@original` has outputs")
    );
    let folder = Folder::of("collect-nothing");
    let args = ["collect", "--transformation", STEP, "--from"];
    let err = refuses(&[&args[..], &[folder.path().to_str().unwrap()]].concat());
    assert!(err.contains("there must be files named *.ndjson, *.jsonl or *.json"), "{err}");
    let err = refuses(&[&args[..], &["/no/such/place"]].concat());
    assert!(err.contains("cannot read /no/such/place"), "{err}");
}

#[test]
fn a_transformation_that_does_not_fit_is_refused() {
    let err = refuses(&["collect", "--from", "x", "--transformation", "Add(1) on e"]);
    assert!(err.contains("SequenceRemove(0) on s"), "{err}");
    let from = subject("pow/plain.ndjson");
    for (transformation, expected) in [
        ("NumericAddition(1) on x", "`pow` has no parameter `x`; its parameters are k, e"),
        ("SequenceFlip on k", "SequenceFlip needs a text or a list of numbers, but `k` is number"),
    ] {
        let run = collect(&from, transformation, "/no/such/folder", &[]);
        assert_eq!(run.code, Some(2));
        assert!(run.err.contains(expected), "{}", run.err);
    }
}
