//! What is printed for machines satisfies the schemas that are shipped.
//!
//! The schemas are those that `genmorph schema` prints. Without node this test says so and only reads the JSON.

use serde_json::Value;

use crate::check::{Schema, validated};
use crate::cli::{genmorph, succeeds};
use crate::explain::run;
use crate::folder::{Folder, subject};

/// The output of a command, one document and lines, under the names of their schemas.
fn outputs(folder: &Folder) -> Vec<(&'static str, Vec<String>)> {
    let pow = subject("pow/subject.toml");
    let of_run = format!("{}#1", run());
    let refuted = format!("{}/refuted.json#1", run());
    let executions = format!("{}/01_NumericAddition_1_on_e/executions.parquet", run());
    let recorded = subject("pow/plain.ndjson");
    let relation = "NumericAddition(1) on e => out_f == out_s * k_s";
    let relations = folder
        .write("relations.txt", format!("{relation}\nNumericAddition(1) on e => out_f > out_s\n"));
    let [parquet, set, evolved, out] =
        ["pow.parquet", "set.json", "evolved", "out"].map(|name| folder.at(name));
    let owned = |args: &[&str]| args.iter().map(|&arg| arg.to_owned()).collect::<Vec<_>>();
    let tried = ["--fresh", "1000", "--hunt", "300"];
    let small = ["--generations", "10", "--population", "200", "--force"];
    vec![
        ("explain", owned(&["explain"])),
        ("explain", owned(&["explain", "length(toString(out_s)) > 2", "--no-ir"])),
        ("explain", owned(&["explain", &of_run])),
        ("explain", owned(&["explain", &refuted])),
        ("score", owned(&["score", &executions, "out_f == out_s * k_s", "out_f > out_s"])),
        ("score", owned(&["score", &executions, "e_f > e_s", "--killed", "none"])),
        ("filter", owned(&[&["filter", &relations, &pow][..], &tried].concat())),
        ("check", owned(&[&["check", &relations, &pow][..], &tried].concat())),
        ("assess", owned(&["assess", &relations, &pow, "--seeds", "2", "--inputs", "30"])),
        ("evolve", owned(&[&["evolve", "--example", "-o", &evolved][..], &small].concat())),
        (
            "generate",
            owned(
                &[
                    &["generate", &pow, "-o", &out, "--transformations", "2"][..],
                    &["--sources", "60", "--fresh", "2000", "--hunt", "500"],
                    &small,
                ]
                .concat(),
            ),
        ),
        ("transformations", owned(&["generate", &pow, "--list-transformations"])),
        (
            "collect",
            owned(&[
                "collect",
                "--from",
                &recorded,
                "--transformation",
                "NumericAddition(-1) on e",
                "-o",
                &parquet,
                "--force",
            ]),
        ),
        ("review", owned(&["accept", &relations, "--all", "--subject", &pow, "--reviewed", &set])),
        (
            "review",
            owned(&[
                "reject",
                &relations,
                "2",
                "--subject",
                &pow,
                "--reviewed",
                &set,
                "--because",
                "no",
            ]),
        ),
        ("doctor", owned(&["doctor"])),
    ]
}

#[test]
fn what_is_printed_for_machines_satisfies_its_schema() {
    let folder = Folder::of("schemas");
    let schema = |name: &str, is_line: bool| {
        let line = if is_line { &["--line"][..] } else { &[] };
        let text = succeeds(&[&["schema", name], line].concat());
        folder.write(&format!("{name}-{is_line}.schema.json"), text)
    };
    for (number, (name, args)) in outputs(&folder).into_iter().enumerate() {
        let args: Vec<&str> = args.iter().map(String::as_str).collect();
        let run = |format: &str| {
            let run = genmorph(&[&args[..], &["--format", format]].concat());
            assert!(matches!(run.code, Some(0 | 3 | 4)), "{args:?}\n{}", run.err);
            run.out
        };
        let document = run("json");
        serde_json::from_str::<Value>(&document)
            .unwrap_or_else(|e| panic!("{args:?}: {e}\n{document}"));
        let document = folder.write(&format!("{number}.json"), document);
        let lines = run("ndjson");
        assert!(!lines.is_empty(), "{args:?}");
        let lines: Vec<String> = (lines.lines().enumerate())
            .map(|(at, line)| {
                let value: Value = serde_json::from_str(line).unwrap();
                assert!(value.is_object(), "{args:?}: {line}");
                folder.write(&format!("{number}-{at}.json"), line)
            })
            .collect();
        let said = validated(&Schema::Ours(&schema(name, false)), &[&document]);
        let Some(said) = said else { continue };
        assert_eq!(said, Ok(()), "{args:?}");
        let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
        let said = validated(&Schema::Ours(&schema(name, true)), &lines);
        assert_eq!(said, Some(Ok(())), "{args:?}");
    }
}

#[test]
fn files_of_a_run_satisfy_their_schemas() {
    let folder = Folder::of("schemas-files");
    let set = folder.at("set.json");
    succeeds(&["accept", run(), "1", "--reviewed", &set]);
    succeeds(&[
        "reject",
        &format!("{}/refuted.json", run()),
        "1",
        "--subject",
        &subject("pow/subject.toml"),
        "--reviewed",
        &set,
    ]);
    let summary = succeeds(&["report", run(), "--format", "json", "-o", "-"]);
    let files = [
        ("generate", format!("{}/report.json", run())),
        ("mutants", format!("{}/mutants.json", run())),
        ("refuted", format!("{}/refuted.json", run())),
        ("evolve", format!("{}/01_NumericAddition_1_on_e/relations.json", run())),
        ("report", folder.write("summary.json", summary)),
        ("reviewed", set),
    ];
    for (name, file) in files {
        let schema = folder.write(&format!("{name}.schema.json"), succeeds(&["schema", name]));
        let Some(said) = validated(&Schema::Ours(&schema), &[&file]) else { return };
        assert_eq!(said, Ok(()), "{name}");
    }
}

#[test]
fn schemas_are_listed_by_name() {
    let listed = succeeds(&["schema"]);
    let names: Vec<&str> =
        listed.lines().filter_map(|line| line.split_whitespace().next()).collect();
    for name in [
        "assess", "check", "collect", "doctor", "evolve", "explain", "filter", "generate",
        "reviewed",
    ] {
        assert!(names.contains(&name), "{name}: {listed}");
    }
    for name in names {
        let schema: Value = serde_json::from_str(&succeeds(&["schema", name])).unwrap();
        assert!(schema["title"].is_string(), "{name}");
    }
    let unknown = genmorph(&["schema", "nothing"]);
    assert_eq!(unknown.code, Some(2));
    assert!(unknown.err.contains("there are assess, calls, check"), "{}", unknown.err);
    assert_eq!(genmorph(&["schema", "reviewed", "--line"]).code, Some(2));
}
