//! Fills in the records of a run: `report.json` and `mutants.json`.

use std::collections::BTreeSet;

use super::minimal;
use super::order;
use super::plan::Plan;
use super::search::SearchResult;
use crate::assess::Judgement;
use crate::executions::live::{Census, MutantStanding, Tally};
use crate::inputs::Sources;
use crate::record::VERSION;
use crate::record::checksum;
use crate::record::mutants::MutantEntry;
use crate::record::report::{
    Coverage, MutantCounts, MutationScores, Report, ScoreTotals, SecondFunction,
};
use crate::record::search::Search;
use crate::subject::kinds::Observed;
use crate::subject::{Group, Mutant, Signature, Subject};
use crate::transform::Transform;

/// The report of a run.
pub(super) fn report(
    subject: &dyn Subject,
    plan: &Plan,
    sources: &Sources,
    census: &Census,
    searched: &[SearchResult],
    judgement: &Judgement,
) -> Report {
    let signature = subject.signature();
    checksum::seal(Report {
        version: VERSION,
        tool: format!("genmorph {}", crate::VERSION),
        function: signature.function.clone(),
        signature: signature.to_string(),
        second: signature.second.as_deref().map(|second| SecondFunction {
            role: second.role.name().to_owned(),
            name: second.name.clone(),
            function: second.function.function.clone(),
            signature: second.function.to_string(),
        }),
        seed: plan.seed.0,
        tolerance: plan.tolerance.into(),
        fresh_pairs: plan.fresh,
        config: (&plan.config).into(),
        sources: coverage(sources),
        training: census.tally().into(),
        learned: None,
        transformations: searches(searched, judgement),
        laws: order::laws(searched),
        minimal: minimal::set(searched, &signature.of_executions(), plan.tolerance),
        judged: scores(subject, searched, judgement),
        cut: None,
        checksum: None,
    })
}

/// The records of all searches, with the judging mutants that each relation kills.
fn searches(searched: &[SearchResult], judgement: &Judgement) -> Vec<Search> {
    let mut kills = judgement.kills.iter();
    let records = searched.iter().map(|search| {
        let mut record = search.claimed.clone();
        if !search.relations.is_empty() {
            let kills = kills.next().into_iter().flatten();
            record.judging_kills = kills.map(Vec::len).collect();
        }
        record
    });
    records.collect()
}

fn scores(
    subject: &dyn Subject,
    searched: &[SearchResult],
    judgement: &Judgement,
) -> MutationScores {
    let mutants = subject.mutants();
    let names = |numbers: &[usize]| -> Vec<String> {
        numbers.iter().map(|&number| mutants[number].name.clone()).collect()
    };
    let survivors = judgement.survivors.iter().map(|&number| mutants[number].to_string());
    let kills = judgement.kills.iter();
    let kills = kills.map(|claim| claim.iter().map(|kills| names(kills)).collect());
    MutationScores {
        totals: ScoreTotals {
            pairs: judgement.pairs,
            false_alarms: judgement.false_alarms.iter().flatten().map(|&n| n as u64).sum(),
            mutants: judgement.mutants.len(),
            floor: judgement.crashed.len(),
            killed: judgement.killed,
            asserted: judgement.asserted,
            ceiling: judgement.ceiling,
        },
        by_laws: by_laws(searched, judgement),
        by_outcomes: judgement.by_outcomes.len(),
        with_outcomes: judgement.with_outcomes(),
        novel: judgement.novel,
        novel_asserted: judgement.novel_asserted,
        survivors: survivors.collect(),
        names: names(&judgement.mutants),
        crashed: names(&judgement.crashed),
        kills: kills.collect(),
    }
}

/// How many mutants laws and postconditions kill.
fn by_laws(searched: &[SearchResult], judgement: &Judgement) -> usize {
    let with_relations = searched.iter().filter(|search| !search.relations.is_empty());
    let mut killed: BTreeSet<usize> = BTreeSet::new();
    for (search, kills) in with_relations.zip(&judgement.kills) {
        for (found, kills) in search.claimed.relations().iter().zip(kills) {
            if found.kind.is_law_like() && search.claimed.observed == Observed::Values {
                killed.extend(kills);
            }
        }
    }
    killed.len()
}

/// The record of a search that has not begun.
pub(super) fn blank(transform: &Transform, signature: &Signature) -> Search {
    let described = transform.describe();
    Search {
        transformation: described.name,
        observed: signature.observed,
        input_relation: match signature.results.is_empty() {
            true => described.input_relation,
            false => signature.calls(),
        },
        premise: signature.premise(),
        ..Search::default()
    }
}

impl From<Tally> for MutantCounts {
    fn from(tally: Tally) -> MutantCounts {
        let Tally { all, distinct, same, alike, crash_only } = tally;
        MutantCounts { all, distinct, same, alike, crash_only }
    }
}

/// What `mutants.json` says: all mutants of a subject.
pub fn mutants(subject: &dyn Subject, census: &Census) -> Vec<MutantEntry> {
    let mutants = subject.mutants();
    let standing = |number: usize| {
        let standing = census.standings.iter().find(|(n, _)| *n == number)?.1;
        Some(match standing {
            MutantStanding::Distinct => "distinct".to_owned(),
            MutantStanding::SameAs(other) => format!("same as {}", mutants[other].name),
            MutantStanding::Alike => "never differs".to_owned(),
            MutantStanding::CrashOnly => "only crashes".to_owned(),
        })
    };
    let entry = |(number, mutant): (usize, &Mutant)| MutantEntry {
        name: mutant.name.clone(),
        group: match mutant.group {
            Group::A => "A".to_owned(),
            Group::B => "B".to_owned(),
        },
        operator: mutant.operator.to_owned(),
        function: mutant.function.clone(),
        offset: mutant.offset,
        line: mutant.line.as_ref().map(ToString::to_string),
        change: mutant.change.clone(),
        standing: standing(number),
    };
    mutants.iter().enumerate().map(entry).collect()
}

fn coverage(sources: &Sources) -> Coverage {
    let uncovered = sources.coverage.missing().map(|(branch, side)| {
        let place = match &branch.line {
            Some(line) => line.to_string(),
            None => format!("offset {:#x}", branch.offset),
        };
        format!("{} at {place} is never {side}", branch.function)
    });
    Coverage {
        inputs: sources.inputs.len(),
        returned: sources.returned(),
        covered: sources.coverage.covered(),
        sides: sources.coverage.sides(),
        uncovered: uncovered.collect(),
    }
}
