//! The comments at the head of a test file and before each relation, in every language.

use genmorph_jit::Predicate;

use super::Part;
use crate::show::report::sentence;
use crate::subject::Signature;

/// The lines at the head of a file: its function, its origin and its licence.
pub(super) fn head(function: &str, origin: &[String], numbers: &str) -> Vec<String> {
    let mut lines = vec![
        format!("Metamorphic relations of {function}."),
        String::new(),
        format!("Written by genmorph {}.", crate::VERSION),
    ];
    lines.extend(origin.iter().map(|line| plain(line)));
    lines.push(
        "This file is yours: use, change and pass it on as you like, without any condition."
            .to_owned(),
    );
    lines.push(String::new());
    lines.push(
        "Each relation is about two calls: x_s is an input of the first (the source), x_f of the second (the"
            .to_owned(),
    );
    lines.push(format!(
        "follow-up), and out_s and out_f are what they return. Numbers are compared as {numbers}; NaN equals NaN."
    ));
    lines
}

/// The lines before a relation: a sentence, the relation itself, its transformation, and the evidence for it.
pub(super) fn comment(
    part: &Part<'_>,
    relation: usize,
    signature: &Signature,
    text: &str,
) -> Vec<String> {
    let transformation = part.transform.describe();
    let predicate: &Predicate = &part.relations[relation];
    let mut lines = vec![
        plain(&sentence(predicate, &transformation.name, &signature.of_executions())),
        String::new(),
        format!("Relation: `{text}`"),
        format!(
            "Follow-up: `{}`, so that `{}`",
            transformation.name, transformation.input_relation
        ),
    ];
    lines.extend(presupposed(&signature.premise(), |premise| format!("`{premise}`")));
    lines.extend(part.evidence_of(relation).iter().map(|line| plain(line)));
    lines
}

/// The line about what relations presuppose of a pair besides the input relation; none if there is nothing.
pub(super) fn presupposed(premise: &str, code: impl Fn(&str) -> String) -> Option<String> {
    let is_there = !premise.is_empty();
    is_there.then(|| format!("It was tried, and is tested, where {}.", code(premise)))
}

/// The lines at the head of a file of laws.
pub(super) fn law_head(function: &str, origin: &[String]) -> Vec<String> {
    let mut lines = vec![format!("Laws of {function}, written by genmorph {}.", crate::VERSION)];
    lines.extend(origin.iter().map(|line| plain(line)));
    lines.push(
        "This file is yours: use, change and pass it on as you like, without any condition."
            .to_owned(),
    );
    lines.push(
        "In each test s is a call and f its follow-up, with other inputs; both have the inputs and what came of them."
            .to_owned(),
    );
    lines
}

/// Lines as a comment, each of which begins like this.
pub(super) fn commented(begin: &str, lines: &[String]) -> String {
    let line = |line: &String| format!("{}\n", format!("{begin} {line}").trim_end());
    lines.iter().map(line).collect()
}

/// The line without control characters, so that it stays one line.
pub(super) fn plain(line: &str) -> String {
    line.chars().map(|c| if c.is_control() { '?' } else { c }).collect()
}
