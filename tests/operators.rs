//! What a new operator costs: the files in which an operator like it is named.
//!
//! `truncate` stands for a sequence operator, `implies` for a logical one. A list that grows here is one
//! more place that everybody who adds an operator has to find.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// The files in which an operator's name follows one of these types, without tests and comments. What is
/// told apart per language counts once.
fn named(types: &[&str], variant: &str) -> BTreeSet<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut files = BTreeSet::new();
    let mut todo = vec![root.join("src"), root.join("jit/src")];
    while let Some(path) = todo.pop() {
        if path.is_dir() {
            todo.extend(fs::read_dir(&path).unwrap().map(|entry| entry.unwrap().path()));
            continue;
        }
        let name = path.strip_prefix(root).unwrap().to_string_lossy().replace('\\', "/");
        if !name.ends_with(".rs") || name.ends_with("tests.rs") || name.contains("/tests/") {
            continue;
        }
        let text = fs::read_to_string(&path).unwrap();
        let text = text.split("\n#[cfg(test)]\nmod tests").next().unwrap_or_default();
        let code = text.lines().filter(|line| !line.trim_start().starts_with("//"));
        let is_named = |line: &str| {
            types.iter().any(|ty| {
                let name = format!("{ty}::{variant}");
                let goes_on = |rest: &str| rest.starts_with(|c: char| c.is_alphanumeric());
                line.match_indices(&name).any(|(at, _)| !goes_on(&line[at + name.len()..]))
            })
        };
        if code.into_iter().any(is_named) {
            let language = name.strip_prefix("src/export/");
            files.insert(language.map_or(name.clone(), |_| "src/export/".to_owned()));
        }
    }
    files
}

fn assert_named(types: &[&str], variant: &str, expected: &[&str]) {
    let expected: BTreeSet<String> = expected.iter().map(|&file| file.to_owned()).collect();
    assert_eq!(named(types, variant), expected);
}

#[test]
fn a_sequence_operator_is_named_where_it_is_defined_lowered_simplified_spelled_and_told() {
    assert_named(
        &["Op"],
        "Truncate",
        &[
            "jit/src/engine/batch/rules.rs",
            "jit/src/engine/columns/interner.rs",
            "jit/src/engine/columns/mod.rs",
            "jit/src/op.rs",
            "jit/src/op/class.rs",
            "jit/src/program.rs",
            "src/explore/cost.rs",
            "src/explore/words.rs",
            "src/export/",
            "src/show/report/sentence/noun.rs",
        ],
    );
}

#[test]
fn its_instruction_is_known_to_the_bytecode_and_the_engines_only() {
    let files = named(&["Instr", "Step", "Recipe"], "Truncate");
    let elsewhere: Vec<&String> = files
        .iter()
        .filter(|file| !["jit/src/program", "jit/src/engine/"].iter().any(|r| file.starts_with(r)))
        .collect();
    assert!(elsewhere.is_empty(), "{elsewhere:?}");
    assert!(files.len() <= 9, "{files:#?}");
}

#[test]
fn a_logical_operator_is_named_in_few_files_besides() {
    let files = named(&["LogicOp"], "Implies");
    assert!(files.len() <= 14, "{files:#?}");
}
