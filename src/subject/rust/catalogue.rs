//! What the sources of a function and their build come to: mutants, branches, constants, and code without mutants.

use std::collections::{BTreeMap, BTreeSet};

use super::build::ChangedFile;
use super::mutate::{Candidate, Inventory};
use super::prepare::{Call, Preparation};
use crate::subject::{Branch, Constant, Line, Mutant};

/// A mutant that rustc rejects.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RejectedMutant {
    /// The mutant that rustc rejects.
    pub mutant: Mutant,
    /// The message of the compiler.
    pub reason: String,
}

/// Code in the function, or in what it calls, that has no mutants.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnmutatedCode {
    /// What it is: a macro, or async code.
    pub what: String,
    /// The line where that code begins.
    pub line: Line,
}

/// Mutants, branches, constants and code without mutants of a function and of what it calls.
#[derive(Debug)]
pub(super) struct Catalogue {
    pub(super) mutants: Vec<Mutant>,
    /// For each mutant, what it is in the copy, and in the source.
    pub(super) candidates: Vec<Candidate>,
    pub(super) rejected: Vec<RejectedMutant>,
    pub(super) branches: Vec<Branch>,
    pub(super) constants: Vec<Constant>,
    pub(super) unmutated: Vec<UnmutatedCode>,
    /// The files of the package that have mutants: path and text.
    files: Vec<(String, String)>,
}

impl Catalogue {
    /// Lists what the survey has found for one of the functions. `refused` are candidates that rustc rejects, with its message.
    pub(super) fn new(
        prepared: &Preparation,
        call: &Call,
        refused: &BTreeMap<u32, String>,
    ) -> Catalogue {
        let Inventory { candidates, forks, opaque, constants } = &prepared.inventory;
        let Call { scope, surplus, .. } = call;
        let file =
            |changed: &ChangedFile| (changed.path.display().to_string(), changed.text.clone());
        let files: Vec<(String, String)> = prepared.files.iter().map(file).collect();
        let line =
            |number: usize, line, column| Line { file: files[number].0.clone(), line, column };
        let forks = forks.iter().filter(|fork| scope.contains(&fork.home));
        let branches = forks.map(|fork| Branch {
            function: fork.function.clone(),
            offset: u32::try_from(fork.at).unwrap_or(u32::MAX),
            line: Some(line(fork.file, fork.line, fork.column)),
        });
        let opaque = opaque.iter().filter(|opaque| scope.contains(&opaque.home));
        let unmutated = opaque.map(|opaque| UnmutatedCode {
            what: opaque.what.clone(),
            line: line(opaque.file, u32::try_from(opaque.line).unwrap_or(u32::MAX), 0),
        });
        let mut catalogue = Catalogue {
            mutants: Vec::new(),
            candidates: Vec::new(),
            rejected: Vec::new(),
            branches: branches.collect(),
            constants: by_frequency(scope, constants),
            unmutated: unmutated.collect(),
            files: Vec::new(),
        };
        let mut counts = BTreeMap::new();
        let candidates = candidates.iter().filter(|c| scope.contains(&c.home));
        for candidate in candidates.filter(|c| !surplus.contains(&c.number)) {
            let group = candidate.rule.group();
            let mut mutant = Mutant {
                name: String::new(),
                group,
                operator: candidate.rule.name(),
                function: candidate.function.clone(),
                offset: u32::try_from(candidate.range.start).unwrap_or(u32::MAX),
                line: Some(line(candidate.file, candidate.line, candidate.column)),
                change: candidate.change.clone(),
            };
            match refused.get(&candidate.number) {
                Some(reason) => {
                    catalogue.rejected.push(RejectedMutant { mutant, reason: reason.clone() });
                }
                None => {
                    let count: &mut usize = counts.entry(group).or_default();
                    *count += 1;
                    mutant.name = format!("{group:?}{count}");
                    catalogue.mutants.push(mutant);
                    catalogue.candidates.push(candidate.clone());
                }
            }
        }
        catalogue.files = files;
        catalogue
    }

    /// What a mutant changes, as a difference of sources, with line and column.
    pub(super) fn diff(&self, number: usize) -> String {
        let Candidate { range, new, file, line, column, rule, .. } = &self.candidates[number];
        let (path, text) = &self.files[*file];
        let start = text[..range.start].rfind('\n').map_or(0, |newline| newline + 1);
        let end = text[range.end..].find('\n').map_or(text.len(), |newline| range.end + newline);
        let old = &text[start..end];
        let changed = match rule.name() {
            // What is returned has no text of its own.
            "RET" => format!("{old}    // {new}"),
            _ => format!("{}{new}{}", &text[start..range.start], &text[range.end..end]),
        };
        let lines = |sign: char, text: &str| -> String {
            text.lines()
                .filter(|line| !line.trim().is_empty())
                .map(|line| format!("{sign}{line}\n"))
                .collect()
        };
        let mutant = &self.mutants[number];
        format!(
            "{path}:{line}:{column}: {} {}\n{}{}",
            mutant.name,
            mutant.operator,
            lines('-', old),
            lines('+', &changed)
        )
    }
}

/// Numbers, most frequent first.
fn by_frequency(scope: &BTreeSet<usize>, found: &BTreeMap<(usize, u64), usize>) -> Vec<Constant> {
    let mut counts: BTreeMap<u64, usize> = BTreeMap::new();
    for ((_, bits), count) in found.iter().filter(|((home, _), _)| scope.contains(home)) {
        *counts.entry(*bits).or_default() += count;
    }
    let constant = |(bits, count)| Constant { value: f64::from_bits(bits), count };
    let mut constants: Vec<Constant> = counts.into_iter().map(constant).collect();
    constants.sort_by(|a, b| b.count.cmp(&a.count).then(a.value.total_cmp(&b.value)));
    constants
}
