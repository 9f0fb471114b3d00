//! The last step of a run: judges its relations by the mutants of a group on one suite.

use std::collections::BTreeSet;

use genmorph_jit::Tolerance;

use super::{Claim, ClaimVerdicts, Trial};
use crate::executions::live::{Census, Runs};
use crate::subject::{Group, Inputs, MachineFailure, Subject, Within};
use crate::support::threads::Jobs;

/// How relations do on the mutants of one group. Mutants that behave alike on all inputs count once.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Judgement {
    /// Numbers of the mutants, without those that behave like an earlier one.
    pub mutants: Vec<usize>,
    /// Numbers of the mutants that any test kills on the inputs of the relations: they do not return
    /// where the function does.
    pub crashed: Vec<usize>,
    /// Number of mutants that a relation kills by being false, or that any test kills.
    pub killed: usize,
    /// Number of mutants that a relation kills by being false.
    pub asserted: usize,
    /// Number of mutants that differ from the function in any way on the inputs of the relations: what an
    /// oracle that knows every output would kill.
    pub ceiling: usize,
    /// Number of mutants that behave like no mutant of the other group.
    pub novel: usize,
    /// How many of the `novel` mutants a relation kills by being false.
    pub novel_asserted: usize,
    /// For each claim and each of its relations: numbers of the mutants that it kills by being false. Empty
    /// if it is false for the function itself.
    pub kills: Vec<Vec<Vec<usize>>>,
    /// For each claim and each of its relations: on how many unseen pairs it is false for the function
    /// itself. Empty if there were no pairs.
    pub false_alarms: Vec<Vec<usize>>,
    /// Number of pairs of unseen inputs, over all claims.
    pub pairs: usize,
    /// Numbers of the mutants that could be killed and are not.
    pub survivors: Vec<usize>,
    /// Numbers of the mutants that a law of outcomes kills by being false.
    pub by_outcomes: Vec<usize>,
}

impl Judgement {
    /// Number of mutants that a relation kills by being false, laws of outcomes included.
    pub fn with_outcomes(&self) -> usize {
        let killed: BTreeSet<usize> = self.kills.iter().flatten().flatten().copied().collect();
        killed.len()
    }

    /// Adds the kills of laws of outcomes, on inputs some of which throw. The scores of relations of values stay as they are.
    ///
    /// # Errors
    /// When the machine fails.
    pub fn add_outcomes(
        &mut self,
        subject: &dyn Subject,
        claims: &[Claim<'_>],
        inputs: &Inputs,
        tolerance: Tolerance,
        jobs: &Jobs,
    ) -> Result<(), MachineFailure> {
        self.add(subject, claims, inputs, tolerance, jobs)?;
        let added = &self.kills[self.kills.len() - claims.len()..];
        let killed: BTreeSet<usize> = added.iter().flatten().flatten().copied().collect();
        self.by_outcomes = killed.into_iter().collect();
        Ok(())
    }

    /// Adds the kills of laws of another view of the function: of its outcomes, or of calls that are made together.
    ///
    /// # Errors
    /// When the machine fails.
    pub fn add(
        &mut self,
        subject: &dyn Subject,
        claims: &[Claim<'_>],
        inputs: &Inputs,
        tolerance: Tolerance,
        jobs: &Jobs,
    ) -> Result<(), MachineFailure> {
        let early = Within::new(subject, subject.deadline().after(0.5));
        let runs = Runs::of(&early, &self.mutants, inputs.clone(), jobs)?;
        let (kept, rows) = runs.whole();
        let kept: Vec<usize> = kept.into_iter().map(|place| self.mutants[place]).collect();
        let sources = runs.only(&self.mutants, &kept).rows(subject.signature(), &rows);
        let trial = Trial { subject, claims, mutants: &kept, tolerance };
        let whole = 0..sources.inputs.len();
        let mut suites = trial.on_suites(&sources, &[whole], jobs)?;
        let verdicts = suites.pop().expect("a suite has verdicts");
        for claim in &verdicts.claims {
            self.kills.push(kills(claim, &kept));
            self.false_alarms.push(claim.relations.iter().map(|r| r.false_alarms).collect());
        }
        Ok(())
    }
}

/// The mutants that each relation of a claim kills by being false. One that is false for the function itself proves nothing.
fn kills(claim: &ClaimVerdicts, mutants: &[usize]) -> Vec<Vec<usize>> {
    let kills = claim.relations.iter().map(|relation| {
        let counts = relation.is_valid();
        let violated = mutants.iter().zip(&relation.violated);
        violated.filter(|(_, violated)| counts && **violated).map(|(m, _)| *m).collect()
    });
    kills.collect()
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
    let other = if group == Group::A { Group::B } else { Group::A };
    let (others, all) = (subject.mutants_of(other), subject.mutants_of(group));
    let both = [&others[..], &all].concat();
    // Half of the time is for the follow-ups.
    let early = Within::new(subject, subject.deadline().after(0.5));
    let mut runs = Runs::of(&early, &both, inputs.clone(), jobs)?;
    let (kept, rows) = runs.whole();
    // What there was no time for is not judged.
    let kept: Vec<usize> = kept.into_iter().map(|place| both[place]).collect();
    runs = runs.only(&both, &kept);
    if rows.len() < inputs.len() {
        runs = runs.rows(subject.signature(), &rows);
    }
    let of = |group: &[usize]| -> Vec<usize> {
        kept.iter().copied().filter(|number| group.contains(number)).collect()
    };
    let (others, all) = (of(&others), of(&all));
    let training = Census::of(&runs.clone().only(&kept, &others), &others, &tolerance);
    let runs = runs.only(&kept, &all);
    let judging = Census::of(&runs, &all, &tolerance);
    let mutants = judging.unique();
    let sources = runs.only(&all, &mutants);
    let trial = Trial { subject, claims, mutants: &mutants, tolerance };
    let whole = 0..sources.inputs.len();
    let mut suites = trial.on_suites(&sources, &[whole], jobs)?;
    let verdicts = suites.pop().expect("a suite has verdicts");

    let mut judgement = Judgement::default();
    let novel: Vec<usize> = training.novel(&judging).collect();
    judgement.novel = novel.len();
    for claim in &verdicts.claims {
        judgement.pairs += claim.pairs;
        judgement.kills.push(kills(claim, &mutants));
        judgement.false_alarms.push(claim.relations.iter().map(|r| r.false_alarms).collect());
    }
    for (place, &number) in mutants.iter().enumerate() {
        let mut deviations = verdicts.claims.iter().map(|claim| claim.deviations[place]);
        let is_crashed = deviations.clone().any(|deviation| deviation.fails());
        let is_any = deviations.any(|deviation| deviation.is_any());
        let is_asserted = judgement.kills.iter().flatten().any(|kills| kills.contains(&number));
        judgement.asserted += usize::from(is_asserted);
        judgement.killed += usize::from(is_asserted || is_crashed);
        judgement.ceiling += usize::from(is_any);
        judgement.novel_asserted += usize::from(is_asserted && novel.contains(&number));
        if is_crashed {
            judgement.crashed.push(number);
        }
        if is_any && !is_asserted && !is_crashed {
            judgement.survivors.push(number);
        }
    }
    judgement.mutants = mutants;
    Ok(judgement)
}
