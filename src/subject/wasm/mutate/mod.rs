//! Mutants of WebAssembly code: one change each, by two groups of operators that have no rule in common.
//!
//! | group A, for training | group B, for judging |
//! |---|---|
//! | AOR, LOR, SOR: another operator | CBM: a boundary moved, NEG: a condition negated |
//! | ROR: another comparison, none of CBM's or NEG's | CRCR: c + 1, c - 1, 2 c; none of LVR's |
//! | COR: a condition always true or false, one side of it | UOI: x + 1, x - 1, -x; VRR: another variable |
//! | LVR: 0, 1, -1, -c | AOD: one operand in place of the operation |
//! | ORU: a negation left out | RET: another result; MCR: another function |
//! | STD: a statement left out | LBM: a loop left after its first iteration |
//!
//! Code that the compiler added (`roles.rs`) and unreachable code are not mutated. Every mutant is valid, and
//! no two have the same code. No change adds a store, a loop or a call. Runs nothing: others find out whether
//! a mutant behaves differently from the original.

mod fingerprint;
mod judging;
mod literal;
mod place;
mod thin;
mod training;

#[cfg(test)]
mod tests;

use std::collections::HashSet;

use self::fingerprint::Fingerprints;
use self::place::{Change, Code, Place};
use super::flow::{Flow, flows};
use super::lines::Lines;
use super::module::{Module, Patch};
use super::names::Names;
use crate::subject::rule::Rule;
use crate::subject::{Group, Mutant};

/// All mutants of some functions, in the order of functions, instructions and operators.
///
/// If a function has more than [`thin::MOST`] mutants of a group, some are left out.
pub(super) fn mutants(module: &Module, scope: &[usize]) -> Vec<(Mutant, Patch)> {
    let names = Names::new(module);
    let lines = Lines::new(module);
    let mut mutants = Vec::new();
    let mut numbers = [0, 0];
    for flow in flows(module, scope) {
        let function = &module.functions[flow.function];
        for (change, patch) in changes(module, &flow, &names) {
            let group = change.rule.group();
            let number = &mut numbers[group as usize];
            *number += 1;
            let offset = function.code[change.at];
            let mutant = Mutant {
                name: format!("{group:?}{number}"),
                group,
                operator: change.rule.name(),
                function: function.name.clone(),
                offset,
                line: lines.of(module, &flow, change.at),
                change: change.words,
            };
            mutants.push((mutant, patch));
        }
    }
    mutants
}

/// The changes of a function, without duplicates; what both groups would make belongs to group A.
fn changes(module: &Module, flow: &Flow<'_>, names: &Names) -> Vec<(Change, Patch)> {
    let code = Code::new(module, flow, names);
    let function = flow.function as u32;
    let fingerprints = Fingerprints::new(module, flow.function);
    let mut seen = HashSet::from([fingerprints.original()]);
    let mut all = Vec::new();
    for group in [Group::A, Group::B] {
        let mut found = Vec::new();
        for at in flow.reachable() {
            let mut place = Place { code: &code, at, out: &mut found };
            match group {
                Group::A => training::changes(&mut place),
                Group::B => judging::changes(&mut place),
            }
        }
        found.sort_by_key(|change| (change.at, change.rule));
        found.retain(|change| seen.insert(fingerprints.changed(&change.edit)));
        let thinned = thin::thin(found, |change| change.rule);
        all.extend(thinned.into_iter().map(|change| {
            let edits = vec![change.edit.clone()];
            (change, Patch { function, locals: Vec::new(), edits })
        }));
    }
    all.sort_by_key(|(change, _)| (change.at, change.rule));
    all
}
