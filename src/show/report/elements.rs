//! Mutants and kills in the report schema of mutation-testing-elements, version 2, which other tools show.
//!
//! There, relations are the tests. A mutant must be at a place in a text: in the source, if it was found next to the
//! subject, else in a list of what is known of each line.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use super::folder::place;
use super::model::{Fate, Model, Mutant};

/// The report of a run.
pub fn mutation_elements(model: &Model) -> String {
    let mut by_file: BTreeMap<String, Vec<&Mutant>> = BTreeMap::new();
    for mutant in &model.mutants {
        by_file.entry(file(mutant)).or_default().push(mutant);
    }
    let files: Map<String, Value> = by_file
        .into_iter()
        .map(|(name, mutants)| {
            let result = file_result(&name, &mutants, model.sources.get(&name));
            (name, result)
        })
        .collect();
    let (name, version) = model.tool.split_once(' ').unwrap_or((&model.tool, crate::VERSION));
    let report = json!({
        "schemaVersion": "2",
        "thresholds": { "high": 80, "low": 60 },
        "framework": { "name": name, "version": version },
        "config": { "seed": model.seed, "command": model.repeat.command, "search": model.config },
        "files": files,
        "testFiles": { "relations.txt": tests(model) },
    });
    let text = serde_json::to_string_pretty(&report).expect("names, numbers and texts");
    text + "\n"
}

/// The file that a mutant is in; its function, if the source is not known.
fn file(mutant: &Mutant) -> String {
    match mutant.line.as_deref().map(place) {
        Some(place) if place.line.is_some() => place.file,
        Some(_) | None => mutant.function.clone(),
    }
}

/// The relations, a line each, in the form in which they can be read back.
fn tests(model: &Model) -> Value {
    let line = |relation: &super::Relation| {
        format!("{} => {}", relation.transformation, relation.relation).replace('\n', " ")
    };
    let lines: Vec<String> = model.relations.iter().map(line).collect();
    let tests: Vec<Value> = model
        .relations
        .iter()
        .zip(&lines)
        .enumerate()
        .map(|(at, (relation, line))| {
            json!({
                "id": relation.anchor(),
                "name": line,
                "location": { "start": { "line": at + 1, "column": 1 } },
            })
        })
        .collect();
    json!({ "source": lines.join("\n"), "tests": tests })
}

fn file_result(name: &str, mutants: &[&Mutant], source: Option<&String>) -> Value {
    let lines: Vec<usize> = mutants.iter().filter_map(|mutant| line(mutant)).collect();
    let last = lines.iter().copied().max().unwrap_or(0);
    // A source that has changed since is of no use.
    let source = source.filter(|text| text.lines().count() >= last);
    let text = match source {
        Some(text) => text.clone(),
        None if last > 0 => listing(mutants, last),
        None => offsets(mutants),
    };
    let shown: Vec<&str> = text.lines().collect();
    let mutants: Vec<Value> = mutants
        .iter()
        .map(|mutant| {
            let at = line(mutant).unwrap_or_else(|| line_of_offset(mutants, mutant));
            let column = mutant.line.as_deref().and_then(|line| place(line).column);
            let column = column.filter(|_| source.is_some());
            result(mutant, at, column, shown.get(at - 1).copied().unwrap_or_default())
        })
        .collect();
    json!({ "language": language(name), "source": text, "mutants": mutants })
}

fn line(mutant: &Mutant) -> Option<usize> {
    mutant.line.as_deref().and_then(|line| place(line).line)
}

/// What is known of the lines of a source that was not found.
fn listing(mutants: &[&Mutant], last: usize) -> String {
    let mut lines = vec![String::new(); last];
    for mutant in mutants {
        let Some(at) = line(mutant) else { continue };
        let code = mutant.diff().map_or(mutant.operator.as_str(), |(old, _)| old);
        let text = &mut lines[at - 1];
        if text.is_empty() {
            *text = mutant.function.clone();
            text.push(':');
        }
        let known = text.split_once(':').map_or("", |(_, known)| known);
        if !known.split(';').any(|known| known.trim() == code) {
            let separator = if known.is_empty() { " " } else { "; " };
            *text = format!("{text}{separator}{}", code.replace('\n', " "));
        }
    }
    lines.join("\n")
}

/// The same of a function without lines: one for each place in its code.
fn offsets(mutants: &[&Mutant]) -> String {
    let mut places: BTreeMap<u32, Vec<&str>> = BTreeMap::new();
    for mutant in mutants {
        let codes = places.entry(mutant.offset).or_default();
        if let Some((old, _)) = mutant.diff()
            && !codes.contains(&old)
        {
            codes.push(old);
        }
    }
    let line = |(offset, codes): (&u32, &Vec<&str>)| {
        format!("{offset:#06x}: {}", codes.join("; ")).replace('\n', " ").trim_end().to_owned()
    };
    places.iter().map(line).collect::<Vec<_>>().join("\n")
}

fn line_of_offset(mutants: &[&Mutant], mutant: &Mutant) -> usize {
    let mut offsets: Vec<u32> = mutants.iter().map(|mutant| mutant.offset).collect();
    offsets.sort_unstable();
    offsets.dedup();
    1 + offsets.iter().position(|&offset| offset == mutant.offset).unwrap_or(0)
}

/// A mutant. Its end is that of the line: a compiler tells where something begins only.
fn result(mutant: &Mutant, line: usize, column: Option<usize>, text: &str) -> Value {
    let length = text.chars().count();
    let start = column.filter(|&column| column <= length).unwrap_or(1);
    let (status, reason) = match mutant.fate {
        Fate::Killed => ("Killed", None),
        Fate::Crashes => {
            ("Killed", Some("it does not return wherever it differs: any test kills it"))
        }
        Fate::Survives => ("Survived", None),
        Fate::Alike => {
            ("Survived", Some("it never differs from the function on the inputs that were tried"))
        }
        Fate::Same => ("Ignored", Some("it does what another mutant does")),
        Fate::Unknown => (
            "Ignored",
            Some(
                "no relation is known to kill it, and it is not among the survivors: it crashes, does what another does, or never differs",
            ),
        ),
    };
    let mut result = json!({
        "id": mutant.name,
        "mutatorName": mutant.operator,
        "description": format!("{} in {}, group {}", mutant.change, mutant.function, mutant.group),
        "replacement": mutant.diff().map_or(mutant.change.as_str(), |(_, new)| new),
        "location": {
            "start": { "line": line, "column": start },
            "end": { "line": line, "column": length.max(start) + 1 },
        },
        "status": status,
    });
    if let Some(reason) = reason {
        result["statusReason"] = reason.into();
    }
    if !mutant.killed_by.is_empty() {
        let tests: Vec<String> =
            mutant.killed_by.iter().map(|number| format!("relation-{number}")).collect();
        result["killedBy"] = tests.into();
    }
    result
}

/// The name of a file's language, by its ending.
fn language(file: &str) -> &'static str {
    match file.rsplit_once('.').map(|(_, ending)| ending) {
        Some("java") => "java",
        Some("rs") => "rust",
        Some("c" | "h") => "c",
        Some("zig") => "zig",
        Some("ts") => "typescript",
        Some(_) | None => "wasm",
    }
}
