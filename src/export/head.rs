//! What stands before everything in a test file, and before every test, whatever the language.

use genmorph_jit::Predicate;

use super::Part;
use crate::show::report::sentence;
use crate::subject::kinds::Signature;

/// The head of a file: what it is, where it comes from, and what may be done with it; a line each.
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

/// What is said of a relation: in words, as it is, and what speaks for it; a line each.
pub(super) fn comment(
    part: &Part<'_>,
    relation: usize,
    signature: &Signature,
    text: &str,
) -> Vec<String> {
    let transformation = part.transform.describe();
    let predicate: &Predicate = &part.relations[relation];
    let mut lines = vec![
        plain(&sentence(predicate, &transformation.name, signature)),
        String::new(),
        format!("Relation: `{text}`"),
        format!(
            "Follow-up: `{}`, so that `{}`",
            transformation.name, transformation.input_relation
        ),
    ];
    lines.extend(part.evidence_of(relation).iter().map(|line| plain(line)));
    lines
}

/// A line that is one.
fn plain(line: &str) -> String {
    line.chars().map(|c| if c.is_control() { '?' } else { c }).collect()
}
