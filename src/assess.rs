//! Judges relations by what they were not trained on: mutants of other operators, on unseen inputs.
//!
//! Knows nothing of how relations are found.

use std::collections::BTreeSet;
use std::sync::Arc;

use genmorph_jit::{OneThread, Policy, Predicate, Tolerance};

use crate::campaign::{Census, Difference, Pairs, Runs, Settings};
use crate::executions::Limits;
use crate::score::{KilledBy, Scorer};
use crate::subject::{Group, Inputs, Subject};
use crate::threads::Jobs;
use crate::transform::Transform;

/// Relations under one transformation.
#[derive(Clone, Copy, Debug)]
pub struct Claim<'c> {
    /// How follow-up inputs are made.
    pub transform: &'c Transform,
    /// The relations.
    pub relations: &'c [Predicate],
}

/// How relations do on mutants of one group. Mutants that do the same on all inputs count once.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Judgement {
    /// The mutants, without those that do what another does.
    pub mutants: usize,
    /// Those that any test kills on the inputs of the relations: they do not return where the function does.
    pub floor: usize,
    /// Those that a relation kills by being false, or that any test kills.
    pub killed: usize,
    /// Those that a relation kills by being false.
    pub asserted: usize,
    /// Those that differ from the function in any way on the inputs of the relations: what an oracle would
    /// kill that knows every output.
    pub ceiling: usize,
    /// The mutants that do something that no mutant of the other group does…
    pub novel: usize,
    /// …and those of them that a relation kills by being false.
    pub novel_asserted: usize,
    /// For each claim and each of its relations: how many mutants it kills by being false.
    pub by_relation: Vec<Vec<usize>>,
    /// For each claim and each of its relations: on how many unseen pairs of the function itself it is
    /// false. None if there were no pairs.
    pub false_alarms: Vec<Vec<u32>>,
    /// Pairs of unseen inputs, over all claims.
    pub pairs: usize,
    /// The mutants that could be killed, and are not, by number.
    pub survivors: Vec<usize>,
}

/// Judges claims by the mutants of a group on these inputs.
pub fn judge(
    subject: &dyn Subject,
    claims: &[Claim<'_>],
    group: Group,
    inputs: &Inputs,
    tolerance: Tolerance,
    jobs: &Jobs,
) -> Judgement {
    let run = |numbers: &[usize]| Runs::of(subject, numbers, inputs.clone(), jobs);
    let other = if group == Group::A { Group::B } else { Group::A };
    let others = subject.mutants_of(other);
    let training = Census::of(&run(&others), &others, &tolerance);
    let all = subject.mutants_of(group);
    let runs = run(&all);
    let judging = Census::of(&runs, &all, &tolerance);
    let numbers = judging.unique();
    let names: Vec<String> =
        numbers.iter().map(|&number| subject.mutants()[number].name.clone()).collect();
    let sources = Arc::new(runs.only(&all, &numbers));

    let (mut crashed, mut differing) = (BTreeSet::new(), BTreeSet::new());
    let mut asserted: BTreeSet<String> = BTreeSet::new();
    let mut judgement = Judgement { mutants: numbers.len(), ..Judgement::default() };
    for claim in claims {
        let (follow_ups, source_rows) = claim.transform.follow_ups(inputs, subject.signature());
        let follow_ups = Runs::of(subject, &numbers, follow_ups, jobs);
        for (follow_up, &source) in source_rows.iter().enumerate() {
            if !sources.original.is_returned(source) || !follow_ups.original.is_returned(follow_up)
            {
                continue;
            }
            judgement.pairs += 1;
            for (mutant, name) in names.iter().enumerate() {
                for difference in [
                    sources.difference(mutant, source, &tolerance),
                    follow_ups.difference(mutant, follow_up, &tolerance),
                ] {
                    match difference {
                        Difference::Crash => drop(crashed.insert(name)),
                        Difference::Value => drop(differing.insert(name)),
                        Difference::Same | Difference::Unknown => {}
                    }
                }
            }
        }
        let signature = subject.signature().of_executions();
        let mut pairs = Pairs::new(signature, claim.transform.describe(), names.clone());
        pairs.add(Arc::clone(&sources), follow_ups, source_rows);
        let limits = Limits { correct: usize::MAX, incorrect: usize::MAX };
        let settings = Settings { tolerance, limits, seed: 0 };
        let Ok((executions, _)) = pairs.executions(&settings) else {
            judgement.by_relation.push(vec![0; claim.relations.len()]);
            judgement.false_alarms.push(vec![0; claim.relations.len()]);
            continue;
        };
        let mut scorer = Scorer::new(&executions, Policy::Auto, KilledBy::All);
        let scores = scorer.score(claim.relations, &OneThread);
        let (mut kills, mut alarms) = (Vec::new(), Vec::new());
        for score in &scores {
            let killed = score.killed.as_deref().unwrap_or_default();
            // What is false on the function itself proves nothing about mutants.
            let counts = score.false_positives == 0;
            if counts {
                asserted.extend(killed.iter().map(|&m| executions.mutants[m as usize].clone()));
            }
            kills.push(if counts { killed.len() } else { 0 });
            alarms.push(score.false_positives);
        }
        judgement.by_relation.push(kills);
        judgement.false_alarms.push(alarms);
    }
    let novel: BTreeSet<String> =
        training.novel(&judging).map(|number| subject.mutants()[number].name.clone()).collect();
    let killed = |name: &&String| asserted.contains(*name) || crashed.contains(*name);
    judgement.floor = crashed.len();
    judgement.asserted = asserted.len();
    judgement.killed = names.iter().filter(killed).count();
    judgement.ceiling = differing.union(&crashed).count();
    judgement.novel = novel.len();
    judgement.novel_asserted = novel.intersection(&asserted).count();
    let alive = |name: &String| differing.contains(name) && !killed(&name);
    let both = numbers.iter().zip(&names);
    judgement.survivors = both.filter(|(_, name)| alive(name)).map(|(number, _)| *number).collect();
    judgement
}
