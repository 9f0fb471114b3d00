//! Laws of outcomes, preconditions, and conditions that a user gives: found, tried, reported and resumed.

use std::fs;
use std::process::Command;

use serde_json::Value;

use crate::cli::{genmorph, refuses, succeeds};
use crate::folder::{Folder, subject};
use crate::tools;

const NAME: &str = "NumericAddition(1) on e";

/// A short search for relations of `pow`, which traps if its exponent is negative.
fn generated(folder: &Folder, out: &str, more: &[&str]) -> (String, Value) {
    let (pow, out) = (subject("pow/subject.toml"), folder.at(out));
    let usual = ["generate", &pow, "-o", &out, "--transformation", NAME, "--generations", "10"];
    let short = ["--population", "100", "--fresh", "2000", "--hunt", "1000", "--no-reviewed"];
    let said = succeeds(&[&usual[..], &short, more].concat());
    let report = fs::read_to_string(format!("{out}/report.json")).unwrap();
    (said, serde_json::from_str(&report).unwrap())
}

/// The relations of a kind.
fn of_kind(report: &Value, kind: &str) -> Vec<String> {
    let searches = report["transformations"].as_array().unwrap().iter();
    let found = searches.filter_map(|search| search["results"]["relations"].as_array()).flatten();
    let found = found.filter(|relation| relation["kind"] == kind);
    found.map(|relation| relation["relation"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn a_precondition_is_found_reported_explained_and_checked() {
    let folder = Folder::of("outcomes-found");
    let (said, report) = generated(&folder, "run", &[]);
    assert_eq!(of_kind(&report, "precondition"), ["throws_s iff e_s < 0"], "{said}");
    assert_eq!(report["learned"], "e >= 0", "{said}");
    assert!(said.contains("pow(k, e) throws iff e < 0"), "{said}");
    assert!(said.contains("where = \"e >= 0\" in [domain]"), "{said}");
    assert!(said.contains("laws of values hold where e >= 0"), "{said}");

    let run = folder.at("run");
    let page = fs::read_to_string(format!("{run}/report.html")).unwrap();
    assert!(page.contains("throws iff e &lt; 0"), "the page tells the precondition");
    let markdown = succeeds(&["report", &run, "--format", "markdown", "-o", "-"]);
    assert!(markdown.contains("pow(k, e) throws iff e < 0"), "{markdown}");
    let summary: Value =
        serde_json::from_str(&succeeds(&["report", &run, "--format", "json", "-o", "-"])).unwrap();
    let relations = summary["relations"].as_array().unwrap();
    let place = relations.iter().position(|r| r["kind"] == "precondition").unwrap();
    let told = succeeds(&["explain", &format!("{run}#{}", place + 1)]);
    assert!(told.starts_with("precondition\n  pow(k, e) throws iff e < 0\n"), "{told}");
    assert!(told.contains("the tiers agree on every row"), "{told}");

    let pow = subject("pow/subject.toml");
    let checked = genmorph(&["check", &run, &pow, "--hunt", "500"]);
    assert_eq!(checked.code, Some(0), "{}{}", checked.out, checked.err);
    let scored = genmorph(&["assess", &run, &pow, "--seeds", "1", "--inputs", "50"]);
    assert!(scored.err.contains("`throws_s` and `throws_f` are left out"), "{}", scored.err);
}

#[test]
fn relations_of_outcomes_are_tried_like_others() {
    let pow = subject("pow/subject.toml");
    let tried = |relation: &str| {
        let claim = format!("{NAME} => {relation}");
        genmorph(&["filter", &claim, &pow, "--hunt", "500", "--fresh", "1000"])
    };
    for relation in ["throws_s iff e_s < 0", "throws_f implies throws_s", "throws_f iff e_f < 0"] {
        let run = tried(relation);
        assert_eq!(run.code, Some(0), "{relation}: {}{}", run.out, run.err);
    }
    for relation in ["throws_s iff throws_f", "throws_s iff e_s < 1", "not throws_s"] {
        let run = tried(relation);
        assert!(run.out.contains("refuted"), "{relation}: {}{}", run.out, run.err);
    }
    let mixed = tried("throws_s implies out_f == 1");
    assert_eq!(mixed.code, Some(2), "{}", mixed.out);
    assert!(mixed.err.contains("write two relations"), "{}", mixed.err);
}

#[test]
fn a_run_with_outcomes_is_resumed_to_the_same_bytes() {
    let folder = Folder::of("outcomes-resumed");
    let (_, whole) = generated(&folder, "run", &[]);
    let searches = whole["transformations"].as_array().unwrap();
    assert!(searches.iter().any(|search| search["observed"] == "outcomes"), "{whole}");
    let read = || fs::read(folder.at("run/report.json")).unwrap();
    let straight = read();
    // The search of outcomes is lost, as if the run had been ended before it.
    for name in fs::read_dir(folder.at("run")).unwrap() {
        let file = name.unwrap().path().join("search.json");
        let is_of_outcomes = |text: String| text.contains("\"outcomes\"");
        if fs::read_to_string(&file).is_ok_and(is_of_outcomes) {
            fs::remove_file(file).unwrap();
        }
    }
    fs::remove_file(folder.at("run/report.json")).unwrap();
    generated(&folder, "run", &["--resume"]);
    assert!(read() == straight, "a resumed run reports something else");
}

#[test]
fn inputs_are_drawn_where_the_condition_of_the_user_holds() {
    let folder = Folder::of("outcomes-where");
    let (_, report) = generated(&folder, "flag", &["--where", "e > 2 and k < e"]);
    let premise = report["transformations"][0]["premise"].as_str().unwrap();
    assert_eq!(premise, "e > 2 and k < e");
    assert_eq!(report["learned"], Value::Null, "nothing throws there");
    let sources = fs::read_to_string(folder.at("flag/sources.ndjson")).unwrap();
    assert!(sources.lines().count() > 20);
    for line in sources.lines() {
        let input: Value = serde_json::from_str(line).unwrap();
        let number = |name: &str| input[name].as_f64().unwrap();
        assert!(number("e") > 2.0 && number("k") < number("e"), "{line}");
    }
    // The same in the definition, which is another subject than without.
    let module = fs::read(subject("pow/pow.wat")).unwrap();
    folder.write("pow.wat", module);
    let text = fs::read_to_string(subject("pow/subject.toml")).unwrap();
    let with = text.replace("[domain]", "[domain]\nwhere = \"e > 2 and k < e\"");
    assert_ne!(with, text, "the example has a section for domains");
    let definition = folder.write("subject.toml", with);
    let claim = format!("{NAME} => k_s < 2 or out_f > out_s");
    let tried = genmorph(&["filter", &claim, &definition, "--hunt", "300", "--fresh", "500"]);
    assert!(tried.out.contains("where e > 2 and k < e"), "{}{}", tried.out, tried.err);
    let everywhere = subject("pow/subject.toml");
    let refused = generate_again(&folder, &everywhere);
    assert!(refused.contains("the domain of the subject"), "{refused}");
}

/// Goes on with the run in `flag` without its condition.
fn generate_again(folder: &Folder, pow: &str) -> String {
    let out = folder.at("flag");
    let usual = ["generate", pow, "-o", &out, "--transformation", NAME, "--generations", "10"];
    let short = ["--population", "100", "--fresh", "2000", "--hunt", "1000", "--no-reviewed"];
    refuses(&[&usual[..], &short, &["--resume"]].concat())
}

#[test]
fn a_condition_that_makes_no_sense_is_refused_with_its_place() {
    let folder = Folder::of("outcomes-bad-where");
    let pow = subject("pow/subject.toml");
    let tried = |condition: &str| {
        refuses(&["generate", &pow, "-o", &folder.at("run"), "--where", condition])
    };
    let unknown = tried("e >= 0 and f < 3");
    assert!(unknown.contains("--where, line 1, column 12: unknown variable `f`"), "{unknown}");
    assert!(unknown.contains("parameters: k: s32, e: s32"), "{unknown}");
    assert!(tried("e + 1").contains("--where, line 1"), "a number is no condition");
    assert!(tried("out < 3").contains("unknown variable `out`"));
    assert!(tried("k < e and e < k").contains("no input was found that satisfies"));
    assert!(tried("e > 2 and e < 1").contains("no value"));
    folder.write("pow.wat", fs::read(subject("pow/pow.wat")).unwrap());
    let text = fs::read_to_string(&pow).unwrap();
    let with = text.replace("[domain]", "[domain]\nwhere = \"e < g\"");
    let line = with.lines().position(|line| line.starts_with("where")).unwrap() + 1;
    let definition = folder.write("subject.toml", with);
    let refused = refuses(&["generate", &definition, "-o", &folder.at("run")]);
    assert!(refused.contains(&format!("subject.toml, line {line}, column 14: ")), "{refused}");
    assert!(!folder.path().join("run").exists(), "nothing is written");
    let inputs = folder.write("inputs.ndjson", "{\"k\": 1, \"e\": 2}\n{\"k\": 3, \"e\": 1}\n");
    let outside =
        ["generate", &pow, "-o", &folder.at("run"), "--where", "k < e", "--inputs", &inputs];
    let refused = refuses(&outside);
    assert!(refused.contains("line 2: the input does not satisfy"), "{refused}");
}

/// Runs a test file that was written; whether it passes, and what it prints.
fn run(command: &mut Command) -> (bool, String) {
    let done = command.output().unwrap();
    let said = [done.stdout, done.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    (done.status.success(), said.concat())
}

#[test]
fn exported_laws_of_outcomes_catch_what_the_function_throws() {
    let folder = Folder::of("outcomes-exported");
    generated(&folder, "run", &[]);
    let (pow, from) = (subject("pow/subject.toml"), folder.at("run"));
    let export = |to: &str, call: &str, file: &str| {
        let out = folder.at(file);
        succeeds(&["export", &from, &pow, "--to", to, "--call", call, "-o", &out, "--force"]);
    };
    // The function, and one that throws nowhere.
    let bodies = [("assert!(e >= 0); k.pow(e as u32)", true), ("k.pow(e.unsigned_abs())", false)];
    for (body, passes) in bodies {
        export("rust", &format!("|k, e| {{ {body} }}"), "pow.rs");
        let (test, binary) = (folder.at("pow_outcomes.rs"), folder.at("pow_outcomes"));
        let text = fs::read_to_string(&test).unwrap();
        assert!(text.contains("fn throws_exactly_when_e_is_below_0()"), "{text}");
        let built =
            run(Command::new("rustc").args(["--edition", "2021", "--test", &test, "-o", &binary]));
        assert!(built.0, "{}", built.1);
        let (passed, said) = run(&mut Command::new(&binary));
        assert_eq!(passed, passes, "{said}");
    }
    if !tools::python() {
        return;
    }
    export("python", "powers:power", "test_pow.py");
    let text = fs::read_to_string(folder.at("test_pow_outcomes.py")).unwrap();
    assert!(text.contains("def test_throws_exactly_when_e_is_below_0():"), "{text}");
    let bodies = [("if e < 0:\n        raise ValueError(e)\n", true), ("", false)];
    for (check, passes) in bodies {
        folder.write("powers.py", format!("def power(k, e):\n    {check}    return k ** abs(e)\n"));
        let pytest = ["-m", "pytest", "-q", "-p", "no:cacheprovider", "test_pow_outcomes.py"];
        let mut python = Command::new("python3");
        python.args(pytest).current_dir(folder.path()).env("PYTHONDONTWRITEBYTECODE", "1");
        let (passed, said) = run(&mut python);
        assert_eq!(passed, passes, "{said}");
    }
}

/// Recorded executions of a function that throws if `a` is below 0, and of a mutant that throws if `a` is 0, too.
fn recorded() -> String {
    let mut text = String::new();
    for (version, least) in [("original", 0), ("m1", 1)] {
        for a in -40..40 {
            let end = match a < least {
                true => "}, \"threw\": \"IllegalArgumentException\"".to_owned(),
                false => format!(", \"outputs\": {{\"return\": {}}}}}", a * 2),
            };
            text += &format!(
                "{{\"systemId\": \"f@{version}\", \"testId\": \"t{a}\", \"variables\": {{\"inputs\": {{\"a\": {a}}}{end}}}\n"
            );
        }
    }
    text
}

#[test]
fn recorded_executions_may_say_that_they_threw() {
    let folder = Folder::of("outcomes-recorded");
    let recording = folder.write("recorded.ndjson", recorded());
    let name = "NumericAddition(1) on a";
    let collect = |out: &str, more: &[&str]| {
        let usual = ["collect", "--from", &recording, "--transformation", name, "-o", out];
        genmorph(&[&usual[..], more].concat())
    };
    let (values, outcomes) = (folder.at("values.parquet"), folder.at("outcomes.parquet"));
    // The mutant only throws where the original returns: there is no row of values in which it differs.
    let of_values = collect(&values, &[]);
    assert_eq!(of_values.code, Some(2), "{}{}", of_values.out, of_values.err);
    let of_outcomes = collect(&outcomes, &["--outcomes"]);
    assert_eq!(of_outcomes.code, Some(0), "{}", of_outcomes.err);
    let laws = succeeds(&["laws", &outcomes]);
    assert!(laws.contains("throws iff a < 0"), "{laws}");
    assert!(laws.contains("throws_f implies throws_s"), "{laws}");

    let both = recorded().replacen("}, \"threw\"", ", \"outputs\": {\"return\": 1}}, \"threw\"", 1);
    let both = folder.write("both.ndjson", both);
    let refused = refuses(&[
        "collect",
        "--from",
        &both,
        "--transformation",
        name,
        "-o",
        &folder.at("x.parquet"),
    ]);
    assert!(refused.contains("both.ndjson, line 1"), "{refused}");
    assert!(refused.contains("\"threw\": \"IllegalArgumentException\" and outputs"), "{refused}");
}
