//! `genmorph check`, `accept` and `reject` as build servers and people run them; and what shells and manuals are told.
//!
//! XML is read by Python's parser, and SARIF is checked by its published schema. Without python3, node or bash these tests say so
//! and check less.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;

use serde_json::Value;

use crate::cli::{Run, commands, fed, genmorph, refuses, succeeds};
use crate::folder::{Folder, subject};
use crate::{tools, wait};

const TRUE: &str = "NumericAddition(1) on n => out_f == out_s or out_s == n_s";
const FALSE: &str = "NumericAddition(1) on n => out_f - out_s < 34";
const SOURCE: &str = "source     n = 1327  ->  out = 1327";
const FOLLOW_UP: &str = "follow-up  n = 1328  ->  out = 1361";

/// Checks relations of `next_prime`.
fn check(relations: &str, more: &[&str]) -> Run {
    let next_prime = subject("next_prime/subject.toml");
    genmorph(&[&["check", relations, &next_prime, "--hunt", "500"][..], more].concat())
}

/// The output of a command that must succeed.
fn output(command: &mut Command) -> String {
    let output = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let (out, err) = (text(&output.stdout), text(&output.stderr));
    assert!(output.status.success(), "{command:?} fails\n{out}{err}");
    out
}

#[test]
fn what_holds_ends_with_0_and_a_violation_with_4_and_its_simplest_counterexample() {
    let holds = check(TRUE, &[]);
    assert_eq!(holds.code, Some(0), "{}", holds.err);
    assert!(holds.out.ends_with("1 of 1 stand, 0 refuted, 0 not tried enough\n"), "{}", holds.out);
    let violated = check(FALSE, &[]);
    assert_eq!(violated.code, Some(4), "{}", violated.err);
    assert!(violated.out.contains(SOURCE) && violated.out.contains(FOLLOW_UP), "{}", violated.out);
}

#[test]
fn what_cannot_be_judged_does_not_pass() {
    let folder = Folder::of("check-unknown");
    // Returns on nothing but 7.
    let module = "(module (func (export \"seven\") (param i32) (result i32)
        (if (i32.ne (local.get 0) (i32.const 7)) (then unreachable)) (local.get 0)))";
    folder.write("seven.wat", module);
    let definition =
        "module = \"seven.wat\"\nexport = \"seven\"\nsignature = \"func(n: s32) -> s32\"\n";
    let seven = folder.write("subject.toml", definition);
    let relation = "NumericMultiplication(-1) on n => out_f == out_s";
    let junit = folder.at("junit.xml");
    let args = ["check", relation, &seven, "--hunt", "100", "--fresh", "2000", "--junit", &junit];
    let run = genmorph(&[&args[..], &["--format", "github"]].concat());
    assert_eq!(run.code, Some(3), "{}{}", run.out, run.err);
    assert!(
        run.out.starts_with("::warning title=a relation of `seven` cannot be judged::"),
        "{}",
        run.out
    );
    assert!(fs::read_to_string(junit).unwrap().contains("<error message="));
}

#[test]
fn build_servers_read_the_counterexample() {
    let folder = Folder::of("check-forms");
    let file = folder.write("my relations.txt", format!("# of primes\n{TRUE}\n\n{FALSE}\n"));
    let (junit, sarif) = (folder.at("junit.xml"), folder.at("log.sarif"));
    let run = check(&file, &["--junit", &junit, "--sarif", &sarif, "--format", "github"]);
    assert_eq!(run.code, Some(4), "{}", run.err);
    let start =
        format!("::error file={file},line=4,title=a relation of `next_prime` is violated::");
    assert!(run.out.starts_with(&start), "{}", run.out);
    assert!(run.out.contains(&format!("%0A{SOURCE}%0A{FOLLOW_UP}\n")), "{}", run.out);
    assert!(run.out.ends_with("1 of 2 stand, 1 refuted, 0 not tried enough\n"), "{}", run.out);

    let log: Value = serde_json::from_str(&fs::read_to_string(&sarif).unwrap()).unwrap();
    let results = log["runs"][0]["results"].as_array().unwrap();
    assert_eq!(results.len(), 1);
    assert_eq!(
        (&results[0]["ruleId"], &results[0]["level"]),
        (&"violated-relation".into(), &"error".into())
    );
    let message = results[0]["message"]["text"].as_str().unwrap();
    assert!(message.contains(SOURCE) && message.contains(FOLLOW_UP), "{message}");
    let place = &results[0]["locations"][0]["physicalLocation"];
    assert_eq!(place["region"]["startLine"], 4);
    assert!(place["artifactLocation"]["uri"].as_str().unwrap().ends_with("/my%20relations.txt"));

    let text = fs::read_to_string(&junit).unwrap();
    assert!(text.contains("out_f - out_s &lt; 34\" classname=\"next_prime\""), "{text}");
    if tools::python() {
        let script = "import sys, xml.etree.ElementTree as tree\n\
            suite = tree.parse(sys.argv[1]).getroot().find('testsuite')\n\
            print(suite.get('tests'), suite.get('failures'), suite.get('errors'))\n\
            for case in suite.findall('testcase'):\n\
            \x20   failure = case.find('failure')\n\
            \x20   print(case.get('name'), case.get('line'), None if failure is None else failure.text)\n";
        let said = output(Command::new("python3").args(["-c", script, &junit]));
        let expected = format!("2 1 0\n{TRUE} 2 None\n{FALSE} 4 {FALSE}\n{SOURCE}\n{FOLLOW_UP}\n");
        assert_eq!(said, expected);
    }

    let before = fs::read_to_string(&junit).unwrap();
    let next_prime = subject("next_prime/subject.toml");
    let again = ["check", TRUE, &next_prime, "--junit", &junit];
    assert!(refuses(&again).contains("is there already"));
    assert_eq!(fs::read_to_string(&junit).unwrap(), before);
    assert_eq!(check(TRUE, &["--junit", &junit, "--force"]).code, Some(0));
    assert_ne!(fs::read_to_string(&junit).unwrap(), before);
}

#[test]
fn counterexamples_with_texts_stay_well_formed() {
    let folder = Folder::of("check-characters");
    let relation = "SequenceRemove(0) on s => length(out_f) > length(out_s)";
    let (junit, capitalise) = (folder.at("junit.xml"), subject("capitalise/subject.toml"));
    let run = genmorph(&["check", relation, &capitalise, "--hunt", "100", "--junit", &junit]);
    assert_eq!(run.code, Some(4), "{}", run.err);
    assert!(fs::read_to_string(&junit).unwrap().contains("<failure "));
    if tools::python() {
        let script = "import sys, xml.dom.minidom; xml.dom.minidom.parse(sys.argv[1])";
        output(Command::new("python3").args(["-c", script, &junit]));
    }
}

/// Whether a file satisfies a schema: what the validator says of it, if it is there.
pub fn validated(schema: &Schema<'_>, files: &[&str]) -> Option<Result<(), String>> {
    const PACKAGES: [&str; 2] = ["ajv@8.20.0", "@microsoft/jest-sarif@1.0.0-beta.0"];
    static FOLDER: OnceLock<PathBuf> = OnceLock::new();
    if !tools::node() {
        return None;
    }
    let folder = FOLDER.get_or_init(|| {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("check-scripts");
        fs::create_dir_all(&folder).unwrap();
        let ready = folder.join("ready");
        if fs::read_to_string(&ready).ok() != Some(PACKAGES.join(" ")) {
            let npm = ["install", "--silent", "--no-audit", "--no-fund", "--prefix", "."];
            output(Command::new("npm").args(npm).args(PACKAGES).current_dir(&folder));
            fs::write(ready, PACKAGES.join(" ")).unwrap();
        }
        // Node looks for packages next to a script.
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/check/validate.mjs");
        fs::copy(script, folder.join("validate.mjs")).unwrap();
        folder
    });
    let sarif = "node_modules/@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json";
    let schema = match schema {
        Schema::Sarif => folder.join(sarif),
        Schema::Ours(file) => PathBuf::from(file),
    };
    let node =
        Command::new("node").arg(folder.join("validate.mjs")).arg(schema).args(files).output();
    let node = node.expect("it was there");
    let said = String::from_utf8_lossy(&node.stderr).into_owned();
    Some(if node.status.success() { Ok(()) } else { Err(said) })
}

/// What a file is to satisfy.
pub enum Schema<'s> {
    /// As the authors of SARIF publish it.
    Sarif,
    /// A file of ours.
    Ours(&'s str),
}

#[test]
fn sarif_satisfies_its_published_schema() {
    let folder = Folder::of("check-sarif");
    let file = folder.write("relations.txt", format!("{FALSE}\n{TRUE}\n"));
    let names = ["text.sarif", "inline.sarif", "clean.sarif"];
    let [text, inline, clean] = names.map(|name| folder.at(name));
    assert_eq!(check(&file, &["--sarif", &text]).code, Some(4));
    assert_eq!(check(FALSE, &["--sarif", &inline]).code, Some(4));
    assert_eq!(check(TRUE, &["--sarif", &clean]).code, Some(0));
    let log: Value = serde_json::from_str(&fs::read_to_string(&clean).unwrap()).unwrap();
    assert_eq!(log["runs"][0]["results"], serde_json::json!([]));
    let Some(said) = validated(&Schema::Sarif, &[&text, &inline, &clean]) else { return };
    assert_eq!(said, Ok(()));
    let bad = folder.write("bad.sarif", r#"{"version": "2.1.0", "runs": [{"results": []}]}"#);
    let refused = validated(&Schema::Sarif, &[&bad]).expect("it was there").unwrap_err();
    assert!(refused.contains("must have required property 'tool'"), "{refused}");
}

#[test]
fn what_is_written_satisfies_the_schemas_that_are_shipped() {
    let folder = Folder::of("check-schemas");
    let results_schema = folder.write("results.schema.json", succeeds(&["schema", "check"]));
    let reviewed_schema = folder.write("reviewed.schema.json", succeeds(&["schema", "reviewed"]));
    let file = folder.write("relations.txt", format!("{FALSE}\n{TRUE}\n"));
    let run = check(&file, &["--format", "json"]);
    let results = folder.write("results.json", &run.out);
    let inline = folder.write("inline.json", check(TRUE, &["--format", "json"]).out);

    let (set, refuted) = (folder.at("set.json"), folder.at("refuted.json"));
    let next_prime = subject("next_prime/subject.toml");
    let about = ["--subject", &next_prime, "--reviewed", &set];
    succeeds(&[&["accept", TRUE, "--note", "mine"][..], &about].concat());
    let filter = ["filter", FALSE, &next_prime, "--hunt", "100", "-o", &refuted];
    assert_eq!(genmorph(&filter).code, Some(3));
    succeeds(&[&["reject", &refuted, "--because", "no"][..], &about].concat());

    let Some(said) = validated(&Schema::Ours(&results_schema), &[&results, &inline]) else {
        return;
    };
    assert_eq!(said, Ok(()));
    assert_eq!(validated(&Schema::Ours(&reviewed_schema), &[&set]), Some(Ok(())));
    // Each refuses what the other describes.
    assert!(validated(&Schema::Ours(&results_schema), &[&set]).unwrap().is_err());
    assert!(validated(&Schema::Ours(&reviewed_schema), &[&results]).unwrap().is_err());
}

#[test]
fn a_file_that_cannot_be_written_ends_with_1() {
    let folder = Folder::of("check-unwritable");
    let run = check(TRUE, &["--junit", &folder.at("nowhere/junit.xml")]);
    assert_eq!(run.code, Some(1), "{}", run.out);
    assert!(run.err.starts_with("error: cannot write "), "{}", run.err);
    let set = folder.at("nowhere/set.json");
    let accept = ["accept", "NumericAddition(1) on e => e_f > e_s", "--reviewed", &set];
    assert_eq!(genmorph(&accept).code, Some(1));
}

#[cfg(target_os = "linux")]
#[test]
fn an_interrupted_check_ends_with_130_and_shows_what_was_decided() {
    let relation = "NumericMultiplication(-1) on x => out_f + out_s == 0";
    let mut child = Command::new(env!("CARGO_BIN_EXE_genmorph"))
        .args(["check", relation, &subject("sin/subject.toml"), "--fresh", "1000"])
        .args(["--budget", "10m"])
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    wait::until_it_listens(&mut child);
    output(Command::new("kill").args(["-INT", &child.id().to_string()]));
    let ended = child.wait_with_output().unwrap();
    let out = String::from_utf8(ended.stdout).unwrap();
    assert_eq!(ended.status.code(), Some(130), "{out}");
    // Nothing is refuted by an interruption, and what is not decided is unknown.
    assert!(out.contains(" of 1 stand, 0 refuted, "), "{out}");
}

#[test]
fn variables_of_the_environment_stand_for_flags() {
    let check = |variable: &str, value: &str, more: &[&str]| {
        let next_prime = subject("next_prime/subject.toml");
        let mut command = Command::new(env!("CARGO_BIN_EXE_genmorph"));
        command.args(["check", TRUE, &next_prime, "--fresh", "1000"]).args(more);
        let output = command.env(variable, value).output().unwrap();
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        (output.status.code(), text(&output.stdout), text(&output.stderr))
    };
    let json = ["--hunt", "500", "--format", "json"];
    let (code, by_variable, _) = check("GENMORPH_SEED", "7", &json);
    let (_, by_flag, _) = check("GENMORPH_SEED", "9", &[&json[..], &["--seed", "7"]].concat());
    assert_eq!((code, &by_variable), (Some(0), &by_flag));
    for (variable, flag) in
        [("GENMORPH_SEED", "--seed"), ("GENMORPH_JOBS", "--jobs"), ("GENMORPH_BUDGET", "--budget")]
    {
        let (code, out, err) = check(variable, "many", &[]);
        assert_eq!((code, out.as_str()), (Some(2), ""), "{variable}");
        assert!(err.contains(flag), "{err}");
    }
}

#[test]
fn json_has_every_verdict_whatever_the_threads() {
    let folder = Folder::of("check-json");
    let file = folder.write("relations.txt", format!("{FALSE}\n{TRUE}\n"));
    let one = check(&file, &["--format", "json", "--jobs", "1"]);
    assert_eq!(one.code, Some(4), "{}", one.err);
    let results: Value = serde_json::from_str(&one.out).unwrap();
    assert_eq!((&results["function"], &results["stand"]), (&"next_prime".into(), &1.into()));
    assert_eq!(results["relations"][0]["verdict"], "refuted");
    assert_eq!(results["relations"][0]["source"]["n"], 1327);
    assert_eq!(results["relations"][1]["verdict"], "stands");
    assert_eq!(check(&file, &["--format", "json", "--jobs", "2"]).out, one.out);
}

#[test]
fn reviewed_relations_are_checked_and_a_rejected_one_no_longer() {
    let folder = Folder::of("check-review");
    let (set, next_prime) =
        (folder.at("genmorph.reviewed.json"), subject("next_prime/subject.toml"));
    let file = folder.write("relations.txt", format!("{TRUE}\n\n{FALSE}\n"));
    let about = ["--subject", &next_prime, "--reviewed", &set];
    let accept = |more: &[&str]| succeeds(&[&["accept", &file][..], &about, more].concat());
    let reject = |more: &[&str]| succeeds(&[&["reject", &file][..], &about, more].concat());
    let read = || -> Value { serde_json::from_str(&fs::read_to_string(&set).unwrap()).unwrap() };

    let said = accept(&["--all"]);
    assert!(said.contains(&format!("accepted: {TRUE}\n")), "{said}");
    assert!(said.ends_with("genmorph.reviewed.json: 2 accepted, 0 rejected\n"), "{said}");
    let run = check(&set, &["--format", "github"]);
    assert_eq!(run.code, Some(4), "{}", run.err);
    // The line of the set on which the entry begins.
    let text = fs::read_to_string(&set).unwrap();
    let line = text.lines().position(|line| line.contains("< 34")).unwrap() - 1;
    assert!(run.out.starts_with(&format!("::error file={set},line={line},")), "{}", run.out);

    let said = reject(&["3", "--because", "an accident"]);
    assert!(said.starts_with(&format!("rejected, was accepted: {FALSE}\n")), "{said}");
    assert_eq!(read()["rejected"][0]["reason"], "an accident");
    let run = check(&set, &["--format", "github"]);
    assert_eq!(
        (run.code, run.out.as_str()),
        (Some(0), "1 of 1 stand, 0 refuted, 0 not tried enough\n")
    );

    let before = fs::read(&set).unwrap();
    assert!(reject(&["3"]).starts_with("rejected before: "));
    assert!(accept(&["1"]).starts_with("accepted before: "));
    assert_eq!(fs::read(&set).unwrap(), before);
    assert!(
        accept(&["1", "--note", "by definition"]).starts_with("accepted before, more is known")
    );
    assert_eq!(read()["accepted"][0]["note"], "by definition");
    assert!(accept(&["3"]).starts_with("accepted, was rejected: "));
    assert_eq!(read()["rejected"], serde_json::json!([]));
    assert_eq!(folder.files(), ["genmorph.reviewed.json", "relations.txt"]);
}

#[test]
fn relations_are_reviewed_in_one_spelling() {
    let folder = Folder::of("check-spelling");
    let (set, next_prime) = (folder.at("set.json"), subject("next_prime/subject.toml"));
    let accept = |relation: &str| {
        succeeds(&["accept", relation, "--subject", &next_prime, "--reviewed", &set])
    };
    assert!(accept("NumericAddition(1) on n => (out_f)>=(out_s)").starts_with("accepted: "));
    assert!(accept("NumericAddition(1.0) on n=>out_f >= out_s").starts_with("accepted before: "));
}

#[test]
fn the_relations_of_a_run_are_reviewed_by_number() {
    let folder = Folder::of("check-numbers");
    let report = r#"{"function": "pow", "tolerance": {"abs": 1e-9, "rel": 1e-12}, "transformations": [
        {"transformation": "NumericAddition(-1) on e", "results": {"relations": [{"relation": "e_f < e_s"}]}},
        {"transformation": "NumericAddition(1) on e", "results": {"relations": [
            {"relation": "e_f > e_s"}, {"relation": "out_f == out_s"}]}}]}"#;
    folder.write("out/report.json", report);
    let (out, set) = (folder.at("out"), folder.at("set.json"));
    let to = ["--reviewed", &set];
    let asked = refuses(&[&["accept", &out][..], &to].concat());
    assert!(
        asked.contains("--all")
            && asked.contains("\n    3  NumericAddition(1) on e => out_f == out_s"),
        "{asked}"
    );
    let none = refuses(&[&["accept", &out, "4"][..], &to].concat());
    assert!(none.contains("has no relation 4"), "{none}");
    succeeds(&[&["accept", &out, "1", "2"][..], &to].concat());
    assert_eq!(genmorph(&["check", &set, "--hunt", "100"]).code, Some(0));

    let refuted = folder.at("refuted.json");
    let wrong = "NumericAddition(1) on e => out_f == out_s";
    assert_eq!(genmorph(&["filter", wrong, "--hunt", "100", "-o", &refuted]).code, Some(3));
    succeeds(&[&["reject", &refuted][..], &to].concat());
    let written: Value = serde_json::from_str(&fs::read_to_string(&set).unwrap()).unwrap();
    let counterexample = &written["rejected"][0]["counterexample"];
    assert!(counterexample["source"]["e"].is_number(), "{written}");
    assert!(counterexample["follow_up"]["out"].is_number(), "{written}");
    assert_eq!(written["accepted"].as_array().unwrap().len(), 2);
}

#[test]
fn bad_input_ends_with_2_and_says_what_to_do() {
    let folder = Folder::of("check-bad");
    let says = |args: &[&str]| refuses(args);
    let gcd = subject("gcd/subject.toml");
    assert!(
        says(&["check", "NumericAddition(1) on n => out_f == out_s", &gcd])
            .contains("has no parameter `n`")
    );
    assert!(says(&["check", "nothing.json", &gcd]).contains("there is no file or folder"));
    let same = folder.at("same");
    assert!(says(&["check", TRUE, "--junit", &same, "--sarif", &same]).contains("the same file"));
    let set = folder.write("set.json", r#"{"version": 9, "function": "gcd", "tolerance": {"abs": 0, "rel": 0}, "accepted": [], "rejected": []}"#);
    assert!(says(&["check", &set, &gcd]).contains("has version 9"));
    let relation = "NumericAddition(1) on p => out_f >= 0";
    let accept = ["accept", relation, "--subject", &gcd, "--reviewed", &set];
    let before = fs::read_to_string(&set).unwrap();
    assert!(says(&accept).contains("has version 9"));
    assert_eq!(fs::read_to_string(&set).unwrap(), before);
    let other = folder.at("other.json");
    succeeds(&["accept", "NumericAddition(1) on e => e_f > e_s", "--reviewed", &other]);
    let mixed = says(&["accept", relation, "--subject", &gcd, "--reviewed", &other]);
    assert!(mixed.contains("is about `pow`") && mixed.contains("--reviewed"), "{mixed}");
    let looser = [
        "accept",
        "NumericAddition(1) on e => e_f > 0",
        "--reviewed",
        &other,
        "--tolerance",
        "paper",
    ];
    assert!(says(&looser).contains("has the tolerance 1e-9,1e-12"));
    assert_eq!(fed(&["check", "-", &gcd], "").code, Some(2));
    assert_eq!(genmorph(&["check", FALSE, "--format", "xml"]).code, Some(2));
}

#[test]
fn completions_are_scripts_that_shells_read() {
    let folder = Folder::of("check-completions");
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = succeeds(&["completions", shell]);
        for command in commands() {
            assert!(script.contains(&command), "{shell}: {command}");
        }
        let file = folder.write(shell, &script);
        if shell == "bash" && tools::runs("bash", "bash", "--version") {
            output(Command::new("bash").args(["-n", &file]));
            let asked = ". \"$0\"; COMP_WORDS=(genmorph check --ju); COMP_CWORD=2; _genmorph genmorph --ju check; echo \"${COMPREPLY[@]}\"";
            assert_eq!(output(Command::new("bash").args(["-c", asked, &file])), "--junit\n");
        }
    }
    assert!(refuses(&["completions", "tcsh"]).contains("bash"));
}

#[test]
fn there_is_a_manual_page_for_every_command() {
    let folder = Folder::of("check-man");
    let (commands, pages) = (commands(), folder.at("man1"));
    assert!(commands.len() >= 14, "{commands:?}");
    let page = succeeds(&["man"]);
    assert!(page.contains(".TH genmorph 1"), "{page}");
    for command in &commands {
        assert!(page.contains(&format!("genmorph\\-{command}(1)")), "{command}");
    }
    assert_eq!(succeeds(&["man", "-o", &pages]), "");
    assert_eq!(fs::read_dir(&pages).unwrap().count(), commands.len() + 1);
    for command in &commands {
        let text = fs::read_to_string(format!("{pages}/genmorph-{command}.1")).unwrap();
        assert_eq!(text, succeeds(&["man", command]));
        assert!(text.contains(".SH SYNOPSIS"), "{command}");
        // Examples are not joined.
        assert!(!text.contains("Examples:\n  "), "{command}");
        assert_eq!(text.contains("Examples:"), text.contains("Examples:\n.nf\n  "), "{command}");
    }
    assert!(refuses(&["man", "-o", &pages]).contains("is there already"));
    succeeds(&["man", "-o", &pages, "--force"]);
    assert!(refuses(&["man", "fly"]).contains("it has accept, assess"));
}

#[test]
fn calls_of_a_run_that_end_otherwise_are_a_violation_of_their_own() {
    let folder = Folder::of("calls");
    let (pow, run) = (subject("pow/subject.toml"), folder.at("run"));
    let search = ["--transformation", "NumericAddition(-1) on e", "--generations", "5"];
    let few = ["--population", "100", "--fresh", "2000", "--hunt", "500", "-o", &run];
    genmorph(&[&["generate", &pow][..], &search, &few].concat());
    let relation = "NumericAddition(-1) on e => e_f == e_s - 1";
    let check = ["check", relation, &pow, "--hunt", "100", "--fresh", "500", "--calls", &run];
    let same = genmorph(&check);
    assert_eq!(same.code, Some(0), "{}{}", same.out, same.err);
    assert!(same.out.contains("calls of the run end as they did"), "{}", same.out);
    let file = folder.path().join("run/calls.json");
    let mut calls: Value = serde_json::from_str(&fs::read_to_string(&file).unwrap()).unwrap();
    let all = calls["calls"].as_array_mut().unwrap();
    let returned = all.iter_mut().find(|call| call.get("threw").is_none()).unwrap();
    *returned = serde_json::json!({ "inputs": returned["inputs"], "threw": "a.Refusal" });
    let count = all.len();
    fs::write(&file, calls.to_string()).unwrap();
    let changed = genmorph(&[&check[..], &["--format", "json"]].concat());
    assert_eq!(changed.code, Some(4), "{}{}", changed.out, changed.err);
    let told: Value = serde_json::from_str(&changed.out).unwrap();
    assert_eq!(told["calls"]["calls"], count);
    assert_eq!(told["calls"]["changes"][0]["kind"], "now_returns");
    assert_eq!(told["calls"]["changes"][0]["count"], 1);
    let relations_alone = [&check[..7], &["--no-calls"]].concat();
    assert_eq!(genmorph(&relations_alone).code, Some(0));
}

#[test]
fn parameters_that_were_renamed_are_taken_by_their_position() {
    let folder = Folder::of("renamed");
    let set = serde_json::json!({
        "version": 1, "function": "pow", "signature": "func(base: s32, exponent: s32) -> s32",
        "tolerance": { "abs": 1e-9, "rel": 1e-12 }, "rejected": [],
        "accepted": [{ "transformation": "NumericAddition(-1) on exponent", "relation": "exponent_f < exponent_s" }],
    });
    let set = folder.write("set.json", set.to_string());
    let pow = subject("pow/subject.toml");
    let run = genmorph(&["check", &set, &pow, "--hunt", "100", "--fresh", "500"]);
    assert_eq!(run.code, Some(0), "{}{}", run.out, run.err);
    assert!(run.out.contains("parameters are taken by their position"), "{}", run.out);
    let gained = fs::read_to_string(&set).unwrap().replace(", exponent: s32", "");
    let gained = folder.write("gained.json", gained);
    let said = refuses(&["check", &gained, &pow]);
    assert!(said.contains("`pow` gained a parameter since its relations were found"), "{said}");
}
