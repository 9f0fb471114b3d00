//! `genmorph report` as users run it: from the folder of a run to a page, Markdown, JSON, and mutants for other tools.
//!
//! The page is opened in a real Chromium, and what is for other tools is checked by the schema that they publish. Without
//! Chromium or node these two tests say so and check nothing.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use genmorph::executions::power;
use genmorph::executions::{Executions, ExistingFile};
use serde_json::{Value, json};

use crate::cli::{genmorph, refuses, succeeds};
use crate::folder::{Folder, subject};
use crate::tools;

/// What the scripts need, by the versions that they were written for.
const PACKAGES: [&str; 3] =
    ["ajv@8.20.0", "mutation-testing-report-schema@3.8.4", "puppeteer-core@25.16.0"];

/// A folder with the scripts and the packages, if node is there.
fn scripts() -> Option<&'static Path> {
    static FOLDER: OnceLock<PathBuf> = OnceLock::new();
    let folder = tools::node().then(|| {
        FOLDER.get_or_init(|| {
            let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("report-scripts");
            fs::create_dir_all(&folder).unwrap();
            let ready = folder.join("ready");
            if fs::read_to_string(&ready).ok() != Some(PACKAGES.join(" ")) {
                let npm = ["install", "--silent", "--no-audit", "--no-fund", "--prefix", "."];
                run(Command::new("npm").args(npm).args(PACKAGES).current_dir(&folder));
                fs::write(ready, PACKAGES.join(" ")).unwrap();
            }
            // Node looks for packages next to a script.
            for script in ["browse.mjs", "validate.mjs"] {
                let from = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/report").join(script);
                fs::copy(from, folder.join(script)).unwrap();
            }
            folder
        })
    });
    folder.map(PathBuf::as_path)
}

/// Chromium, by one of its names on the path.
fn chromium() -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let names = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
    let found = std::env::split_paths(&path)
        .flat_map(|folder| names.map(|name| folder.join(name)))
        .find(|path| path.is_file());
    tools::found("chromium", found)
}

/// The output of a command that must succeed.
fn run(command: &mut Command) -> String {
    let output = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let (out, err) = (text(&output.stdout), text(&output.stderr));
    assert!(output.status.success(), "{command:?} fails\n{out}{err}");
    out
}

/// The folders of two small runs, made once: of the built-in function, and of one that changes a list.
fn runs() -> &'static [PathBuf; 2] {
    static RUNS: OnceLock<[PathBuf; 2]> = OnceLock::new();
    RUNS.get_or_init(|| {
        let folder = Folder::of("report-runs");
        let sort = subject("sort_range/subject.toml");
        let of = |name: &str, more: &[&str]| {
            let path = folder.path().join(name);
            let out = path.to_str().unwrap();
            let bounds = ["--generations", "30", "--population", "200", "--fresh", "5000"];
            let run = genmorph(&[&["generate", "-o", out][..], &bounds, more].concat());
            assert_eq!(run.code, Some(0), "{}", run.err);
            path
        };
        let fewer = ["--sources", "300", "--transformations", "3"];
        [of("pow", &["--transformations", "6"]), of("sort", &[&[&*sort][..], &fewer].concat())]
    })
}

fn text(path: &Path) -> &str {
    path.to_str().expect("paths of tests are UTF-8")
}

/// A report of a run in a form, on standard output.
fn report(folder: &Path, format: &str) -> String {
    succeeds(&["report", text(folder), "--format", format, "-o", "-"])
}

#[test]
fn the_page_works_in_a_browser() {
    let (Some(scripts), Some(chromium)) = (scripts(), chromium()) else { return };
    let folder = Folder::of("report-browser");
    let hostile = hostile_run(&folder);
    for (name, run_folder) in [("pow", &runs()[0]), ("sort", &runs()[1]), ("hostile", &hostile)] {
        let page = folder.at(&format!("{name}.html"));
        succeeds(&["report", text(run_folder), "-o", &page]);
        let shots = folder.path().join(name);
        fs::create_dir_all(&shots).unwrap();
        let mut node = Command::new("node");
        node.arg(scripts.join("browse.mjs")).arg(&chromium).arg(&page).arg(&shots);
        let said = run(&mut node);
        assert!(said.starts_with("ok "), "{said}");
        assert!(shots.join("phone.png").is_file());
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_page_is_opened_by_the_program_of_the_system() {
    use std::os::unix::fs::PermissionsExt;
    let folder = Folder::of("report-open");
    let opener = folder.write("xdg-open", "#!/bin/sh\necho \"$1\" >> \"$OPENED\"\n");
    fs::set_permissions(&opener, fs::Permissions::from_mode(0o755)).unwrap();
    let (page, opened) = (folder.at("pow.html"), folder.at("opened"));
    let report = |path: &Path, more: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_genmorph"));
        command.args(["report", text(&runs()[0]), "--open"]).args(more);
        command.env("PATH", format!("{}:/usr/bin:/bin", path.display())).env("OPENED", &opened);
        command.output().unwrap()
    };
    // Written and opened; then there already, and only opened.
    for times in 1..=2 {
        let ran = report(folder.path(), &["-o", &page]);
        assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
        let shown = fs::read_to_string(&opened).unwrap();
        assert_eq!(shown, format!("{page}\n").repeat(times));
    }
    let ran = report(folder.path(), &["-o", "-"]);
    assert_eq!(ran.status.code(), Some(2));
}

#[test]
fn mutants_satisfy_the_schema_of_other_tools() {
    let folder = Folder::of("report-elements");
    let mut files = Vec::new();
    for (name, run_folder) in
        [("pow", runs()[0].clone()), ("sort", runs()[1].clone()), ("odd", hostile_run(&folder))]
    {
        let file = folder.at(&format!("{name}.json"));
        succeeds(&["report", text(&run_folder), "--format", "mutation-elements", "-o", &file]);
        files.push(file);
    }
    let pow: Value = serde_json::from_str(&fs::read_to_string(&files[0]).unwrap()).unwrap();
    let file = &pow["files"]["pow.wat"];
    assert!(file["source"].as_str().unwrap().contains("(func"), "the source is found");
    check_places(&pow);
    let mutants = file["mutants"].as_array().unwrap();
    let tests = pow["testFiles"]["relations.txt"]["tests"].as_array().unwrap();
    let ids: Vec<&Value> = tests.iter().map(|test| &test["id"]).collect();
    let killed = mutants.iter().find(|m| m["killedBy"].is_array()).expect("a relation kills");
    assert_eq!(killed["status"], "Killed");
    assert!(killed["killedBy"].as_array().unwrap().iter().all(|id| ids.contains(&id)));
    let odd: Value = serde_json::from_str(&fs::read_to_string(&files[2]).unwrap()).unwrap();
    check_places(&odd);
    let Some(scripts) = scripts() else { return };
    let said = run(Command::new("node").arg(scripts.join("validate.mjs")).args(&files));
    assert_eq!(said, "ok\n");
    let bad = folder.write("bad.json", r#"{"schemaVersion": "2", "files": {}}"#);
    let refused = Command::new("node").arg(scripts.join("validate.mjs")).arg(bad).output().unwrap();
    assert!(!refused.status.success(), "the schema refuses something");
}

/// Every mutant is within the text of its file.
fn check_places(report: &Value) {
    for (name, file) in report["files"].as_object().unwrap() {
        let lines: Vec<&str> = file["source"].as_str().unwrap().lines().collect();
        for mutant in file["mutants"].as_array().unwrap() {
            let at =
                |end: &str, part: &str| mutant["location"][end][part].as_u64().unwrap() as usize;
            let length = lines[at("start", "line") - 1].chars().count();
            assert_eq!(at("start", "line"), at("end", "line"), "{name}: {mutant}");
            let (start, end) = (at("start", "column"), at("end", "column"));
            assert!(start >= 1 && start < end && end <= length.max(1) + 1, "{name}: {mutant}");
        }
    }
}

#[test]
fn json_has_a_sentence_and_an_example_for_every_relation() {
    for folder in runs() {
        let summary: Value = serde_json::from_str(&report(folder, "json")).unwrap();
        let relations = summary["relations"].as_array().unwrap();
        assert!(!relations.is_empty());
        for relation in relations {
            let sentence = relation["sentence"].as_str().unwrap();
            let kind = relation["kind"].as_str().unwrap();
            let is_of_single = kind == "postcondition" || kind == "precondition";
            // So do laws of calls that are made together: nothing is changed.
            let starts = ["When ", "Whatever the input, "];
            let mut starts = starts.iter().skip(usize::from(is_of_single));
            assert!(starts.any(|start| sentence.starts_with(start)), "{sentence}");
            assert!(sentence.ends_with('.'), "{sentence}");
            let functional = relation["functional"].as_str().unwrap();
            assert!(functional.contains('(') && !functional.contains("out_"), "{functional}");
            assert_eq!(relation["example"]["holds"], true, "{relation}");
            let is_idle = relation["killed"].as_array().unwrap().is_empty();
            assert!(!is_idle || kind != "detector", "{relation}");
        }
        let killed = summary["mutants"].as_array().unwrap().iter();
        let killed = killed.filter(|mutant| mutant["fate"] == "killed").count();
        assert!(killed > 0);
    }
}

#[test]
fn the_command_of_a_report_repeats_the_run() {
    let folder = Folder::of("report-repeat");
    let from = &runs()[0];
    let summary: Value = serde_json::from_str(&report(from, "json")).unwrap();
    assert_eq!(summary["repeat"]["remark"], Value::Null);
    let command = summary["repeat"]["command"].as_str().unwrap();
    let arguments = command.strip_prefix("genmorph ").expect("it is ours");
    let binary = env!("CARGO_BIN_EXE_genmorph");
    let line = format!("\"$0\" {arguments} -o \"$1\"");
    run(Command::new("sh").args(["-c", &line, binary, &folder.at("again")]));
    let read = |folder: &Path| fs::read_to_string(folder.join("report.json")).unwrap();
    assert!(read(from) == read(&folder.path().join("again")), "{command}");
}

#[test]
fn markdown_is_short_and_whole() {
    let text = report(&runs()[0], "markdown");
    assert!(text.starts_with("## Metamorphic relations of `pow`\n"), "{text}");
    assert!(text.contains("| | law | under | kills | judging | tried on |"), "{text}");
    assert!(text.contains("For example `pow("), "{text}");
    assert!(text.contains("genmorph generate \\\n  --seed 1 \\\n"), "{text}");
    assert!(text.len() < 20_000, "{}", text.len());
}

#[test]
fn equal_folders_give_equal_reports_and_nothing_is_overwritten() {
    let folder = Folder::of("report-files");
    let from = &runs()[0];
    for format in ["html", "markdown", "json", "mutation-elements"] {
        assert!(report(from, format) == report(from, format), "{format}");
    }
    let page = folder.at("page.html");
    assert_eq!(succeeds(&["report", text(from), "-o", &page]), format!("report in {page}\n"));
    let refused = refuses(&["report", text(from), "-o", &page]);
    assert!(refused.contains("is there already") && refused.contains("--force"), "{refused}");
    succeeds(&["report", text(from), "-o", &page, "--force"]);
    // Without a name, the page is next to what it is made of.
    let copy = folder.path().join("run");
    fs::create_dir(&copy).unwrap();
    for file in ["report.json", "mutants.json"] {
        fs::copy(from.join(file), copy.join(file)).unwrap();
    }
    succeeds(&["report", text(&copy)]);
    let page = fs::read_to_string(copy.join("report.html")).unwrap();
    // Executions are gone: there are sentences, but no examples.
    assert!(page.contains("class=\"sentence\">When ") && !page.contains("class=\"example\""));
}

#[test]
fn what_is_no_run_is_refused_with_what_to_do() {
    let folder = Folder::of("report-bad");
    let nothing = refuses(&["report", &folder.at("nowhere")]);
    assert!(nothing.contains("there is no report.json"), "{nothing}");
    let report = fs::read_to_string(runs()[0].join("report.json")).unwrap();
    let mut cases = vec![
        ("cut", report[..report.len() / 2].to_owned(), "is damaged"),
        ("text", "no JSON".to_owned(), "is damaged"),
        ("old", report.replacen("\"version\": 1", "\"version\": 99", 1), "has version 99"),
    ];
    cases.push(("list", "[]".to_owned(), "is damaged"));
    for (name, content, expected) in cases {
        folder.write(&format!("{name}/report.json"), content);
        let error = refuses(&["report", &folder.at(name)]);
        assert!(error.starts_with("error: ") && error.contains(expected), "{name}: {error}");
    }
    folder.write("binary/report.json", [0xff, 0xfe]);
    assert!(refuses(&["report", &folder.at("binary")]).contains("not UTF-8"));
    folder.write("search/report.json", &report);
    folder.write("search/01_x/search.json", r#"{"transformation": "x"}"#);
    folder.write("search/01_x/generations.ndjson", "{}\n");
    let error = refuses(&["report", &folder.at("search")]);
    assert!(error.contains("generations.ndjson is damaged: line 1"), "{error}");
}

/// Names that would be markup if anybody let them.
const EVIL: &str =
    "</script><script>alert(1)</script>\"'&<img src=x onerror=alert(2)>\u{1b}\u{202e}";

/// A run whose every text is hostile, with fields that do not exist yet, of a function of texts.
fn hostile_run(folder: &Folder) -> PathBuf {
    let relation = |text: &str, killed: &[&str]| {
        json!({ "relation": text, "fp": 0, "fp_rate": 0.0, "fn": 3, "fn_rate": 0.25, "size": 5,
                "killed": killed, "from_the_future": EVIL })
    };
    let report = json!({
        "version": 1, "tool": EVIL, "function": EVIL,
        "signature": "func(k: s32, e: s32) -> s32", "seed": 7,
        "tolerance": { "abs": 1e-9, "rel": 1e-12 }, "fresh_pairs": 10,
        "config": { "population": 10, EVIL: EVIL },
        "sources": { "inputs": 2, "returned": 2, "covered": 1, "sides": 2, "uncovered": [EVIL] },
        "training": { "all": 2, "distinct": 2, "same": 0, "alike": 0, "crash_only": 0 },
        "transformations": [
            {
                "transformation": "NumericAddition(-1) on e", "input_relation": EVIL,
                "pairs": [5, 0, 0], "lessons": 1, "problem": null,
                "results": {
                    "rows": { "correct": 149, "incorrect": 115 }, "mutants": ["A1", EVIL],
                    "run": { "seed": 7, "generations": 2, "evaluations": 40, "stop": "generations", "config": {} },
                    "relations": [
                        relation("out_f * k_s == out_s or e_s < 0", &["A1", EVIL]),
                        relation("k_s > 0 implies out_f <= out_s", &["A1"]),
                        relation(EVIL, &[]),
                    ],
                },
                "tried": [10, 10, 10], "judging_kills": [1, 0, 0], "doubtful": 2,
                "evidence": [{ "hunted": 77, "bound": 0.3, "exhausted": true }],
                "refuted": [{
                    "relation": "out_f < out_s",
                    "source": { "k": 0, "e": 2, "out": 0 }, "follow_up": { "k": 0, "e": 1, "out": 0 },
                }],
            },
            { "transformation": EVIL, "problem": EVIL, "results": null },
        ],
        "judged": {
            "pairs": 9, "false_alarms": 0, "mutants": 2, "floor": 0, "killed": 1, "asserted": 1,
            "ceiling": 2, "novel": 1, "novel_asserted": 1, "survivors": ["B2: x in y at z"],
            "names": ["B1", "B2", "B3", "B4"], "crashed": ["B3"], "kills": [[["B1"], [], []]],
        },
        "from_the_future": { "x": [EVIL] },
    });
    let mutant = |name: &str, group: &str, line: Option<&str>| {
        json!({ "name": name, "group": group, "operator": EVIL, "function": EVIL, "offset": 3, "line": line,
                "change": format!("{EVIL} instead of {EVIL}"), "standing": (group == "A").then_some("distinct") })
    };
    let mutants = json!([
        mutant("A1", "A", Some("evil.c:4:2")),
        mutant(EVIL, "A", None),
        mutant("B1", "B", Some("evil.c:9")),
        mutant("B2", "B", Some(EVIL)),
        mutant("B3", "B", None),
        mutant("B4", "B", None),
        mutant("B5", "B", None),
    ]);
    let best = json!({ "relation": EVIL, "fp": 1, "fn": 2, "size": 5 });
    let generation = |number: u64, restarts: u64| {
        let populations = json!([
            { "order": "fp", "best": best, "without_fp": 1, "nodes": 9 },
            { "order": "fn", "best": null, "without_fp": 0, "nodes": 9 },
        ]);
        json!({ "generation": number, "evaluations": 1, "best": null, "killed": 0, "populations": populations,
                "restarts": restarts })
    };
    let run = json!({ "version": 1, "subject": EVIL, "sources": 1, "fresh": 10, "rows": [1, 2], "tolerance": EVIL });
    folder.write("hostile/report.json", report.to_string());
    folder.write("hostile/mutants.json", mutants.to_string());
    folder.write("hostile/run.json", run.to_string());
    folder.write("hostile/refuted.json", json!([{
        "transformation": "NumericAddition(-1) on e", "relation": "out_f < out_s", "by": EVIL, "is_shrunk": true, "round": 1,
        "source": { "k": 0, "e": 2, "out": 0 }, "follow_up": { "k": 0, "e": 1, "out": 0 },
    }]).to_string());
    folder.write("hostile/01_x/search.json", r#"{"transformation": "NumericAddition(-1) on e"}"#);
    folder.write(
        "hostile/01_x/generations.ndjson",
        format!("{}\n{}\n", generation(1, 0), generation(2, 1)),
    );
    let executions: Executions = power::executions();
    let file = folder.path().join("hostile/01_x/executions.parquet");
    executions.write(file, ExistingFile::Replace).unwrap();
    folder.path().join("hostile")
}

#[test]
fn nothing_in_a_run_becomes_markup() {
    let folder = Folder::of("report-hostile");
    let run = hostile_run(&folder);
    let page = report(&run, "html");
    assert_eq!(page.matches("<script>").count(), 1, "our own only");
    assert_eq!(page.matches("<img").count(), 0);
    assert!(page.contains("&lt;/script&gt;&lt;script&gt;alert(1)"));
    assert!(!page.contains('\u{1b}') && !page.contains('\u{202e}'));
    assert!(page.contains("default-src &#39;none&#39;") || page.contains("default-src 'none'"));
    let markdown = report(&run, "markdown");
    assert!(!markdown.contains('\u{1b}'), "{markdown}");
    let outside = markdown.split('`').step_by(2).collect::<String>();
    assert!(!outside.contains("<script>") && !outside.contains("<img"), "{outside}");
    // The fields of newer runs are used.
    let summary: Value = serde_json::from_str(&report(&run, "json")).unwrap();
    assert_eq!(summary["relations"][0]["judging_killed"], json!(["B1"]));
    let mutants = summary["mutants"].as_array().unwrap();
    let fates: Vec<&str> = mutants.iter().map(|mutant| mutant["fate"].as_str().unwrap()).collect();
    assert_eq!(fates, ["killed", "killed", "killed", "survives", "crashes", "alike", "same"]);
    assert!(
        page.contains("A hunt on 77 pairs") && page.contains("2 more relations had too little")
    );
    assert_eq!(summary["refuted"].as_array().unwrap().len(), 1);
    assert_eq!(summary["refuted"][0]["counterexample"]["relation"], "0 < 0");
    assert_eq!(summary["refuted"][0]["counterexample"]["holds"], false);
    assert_eq!(summary["relations"][2]["sentence"], Value::Null, "it is no relation");
}
