//! The closing verdict of a run: its relations, judged by the mutants of a group on one suite.

use genmorph_jit::Tolerance;

use super::{Claim, Trial};
use crate::executions::live::{Census, Runs};
use crate::subject::{Group, Inputs, MachineFailure, Subject};
use crate::support::threads::Jobs;

/// How relations do on mutants of one group. Mutants that do the same on all inputs count once.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Judgement {
    /// The mutants by number, without those that do what another does.
    pub mutants: Vec<usize>,
    /// Those that any test kills on the inputs of the relations, by number: they do not return where the function does.
    pub crashed: Vec<usize>,
    /// How many a relation kills by being false, or any test kills.
    pub killed: usize,
    /// How many a relation kills by being false.
    pub asserted: usize,
    /// How many differ from the function in any way on the inputs of the relations: what an oracle would
    /// kill that knows every output.
    pub ceiling: usize,
    /// How many do something that no mutant of the other group does…
    pub novel: usize,
    /// …and those of them that a relation kills by being false.
    pub novel_asserted: usize,
    /// For each claim and each of its relations: the mutants that it kills by being false, by number. None if it is false for
    /// the function itself.
    pub kills: Vec<Vec<Vec<usize>>>,
    /// For each claim and each of its relations: on how many unseen pairs of the function itself it is
    /// false. None if there were no pairs.
    pub false_alarms: Vec<Vec<usize>>,
    /// Pairs of unseen inputs, over all claims.
    pub pairs: usize,
    /// The mutants that could be killed, and are not, by number.
    pub survivors: Vec<usize>,
}

/// Judges claims by the mutants of a group on these inputs.
///
/// # Errors
/// When the machine fails.
pub fn judge(
    subject: &dyn Subject,
    claims: &[Claim<'_>],
    group: Group,
    inputs: &Inputs,
    tolerance: Tolerance,
    jobs: &Jobs,
) -> Result<Judgement, MachineFailure> {
    let run = |numbers: &[usize]| Runs::of(subject, numbers, inputs.clone(), jobs);
    let other = if group == Group::A { Group::B } else { Group::A };
    let others = subject.mutants_of(other);
    let training = Census::of(&run(&others)?, &others, &tolerance);
    let all = subject.mutants_of(group);
    let runs = run(&all)?;
    let judging = Census::of(&runs, &all, &tolerance);
    let mutants = judging.unique();
    let sources = runs.only(&all, &mutants);
    let trial = Trial { subject, claims, mutants: &mutants, tolerance };
    let whole = 0..inputs.len();
    let mut suites = trial.on_suites(&sources, &[whole], jobs)?;
    let verdicts = suites.pop().expect("a suite has verdicts");

    let mut judgement = Judgement::default();
    let novel: Vec<usize> = training.novel(&judging).collect();
    judgement.novel = novel.len();
    for claim in &verdicts.claims {
        judgement.pairs += claim.pairs;
        let kills = claim.relations.iter().map(|relation| {
            // What is false on the function itself proves nothing about mutants.
            let counts = relation.is_valid();
            let violated = mutants.iter().zip(&relation.violated);
            violated.filter(|(_, violated)| counts && **violated).map(|(m, _)| *m).collect()
        });
        judgement.kills.push(kills.collect());
        judgement.false_alarms.push(claim.relations.iter().map(|r| r.false_alarms).collect());
    }
    for (place, &number) in mutants.iter().enumerate() {
        let mut endings = verdicts.claims.iter().map(|claim| claim.endings[place]);
        let is_crashed = endings.clone().any(|ending| ending.fails());
        let is_seen = endings.any(|ending| ending.is_seen());
        let is_asserted = judgement.kills.iter().flatten().any(|kills| kills.contains(&number));
        judgement.asserted += usize::from(is_asserted);
        judgement.killed += usize::from(is_asserted || is_crashed);
        judgement.ceiling += usize::from(is_seen);
        judgement.novel_asserted += usize::from(is_asserted && novel.contains(&number));
        if is_crashed {
            judgement.crashed.push(number);
        }
        if is_seen && !is_asserted && !is_crashed {
            judgement.survivors.push(number);
        }
    }
    judgement.mutants = mutants;
    Ok(judgement)
}
