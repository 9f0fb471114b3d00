//! Chooses which detectors are reported: simplified evolved relations that kill mutants which no law kills.
//!
//! A simplified relation that says more than the original is tried by the same judge. An original is reported itself if
//! it notices an incorrect row that no simplified relation notices.

use genmorph_jit::Predicate;

use super::judge::Judge;
use crate::evolve::{Found, holds_on_correct_rows};
use crate::executions::Executions;
use crate::filter::Verdict;
use crate::simplify::{Candidate, Setting, Simplifier, fold, readability};
use crate::subject::MachineFailure;
use crate::support::threads::Jobs;

/// Relations that stand, each with its verdict.
pub(super) type Reported = Vec<(Found, Verdict)>;

/// Simplifies relations as far as the time of the search allows. Those that are needed to kill all mutants that all of
/// them kill come first; their number is the second result.
///
/// # Errors
/// When the machine fails.
pub(super) fn said(
    reported: &[(Found, Verdict)],
    executions: &Executions,
    judge: &mut Judge<'_>,
    jobs: &Jobs,
) -> Result<(Reported, usize), MachineFailure> {
    let mut simplifier = Simplifier::new(executions);
    let mut told: Vec<Predicate> = Vec::new();
    for (found, _) in reported {
        let forms = match judge.is_over() {
            true => vec![simplifier.exactly(&found.relation)],
            false => simplifier.apart(&found.relation, &mut |asked| match judge.is_over() {
                true => vec![false; asked.len()],
                false => judge.stand(asked),
            }),
        };
        let new = forms.into_iter().filter(|form| !told.contains(form)).collect::<Vec<_>>();
        told.extend(new);
    }
    judge.failed()?;
    judge.drop_rejected(&mut told, executions);
    told.retain(|form| holds_on_correct_rows(form, &executions.table, jobs));
    let verdicts = judge.verdicts(&told, 1)?;
    let standing: Vec<(Predicate, Verdict)> =
        told.into_iter().zip(verdicts).filter(|(_, verdict)| verdict.stands()).collect();
    let forms: Vec<Predicate> = standing.iter().map(|(form, _)| form.clone()).collect();
    let mut said: Reported = Vec::new();
    simplifier.forget();
    for place in simplifier.cover(&forms) {
        let (form, verdict) = &standing[place];
        let (fn_, killed) = simplifier.score(form);
        let found = Found::new(form.clone(), fn_, killed, executions.table.schema());
        simplifier.mark_covered(form);
        said.push((found, verdict.clone()));
    }
    for (found, verdict) in reported {
        if !simplifier.is_covered(&found.relation) {
            said.push((found.clone(), verdict.clone()));
        }
    }
    Ok(ordered(&said, simplifier.setting()))
}

/// Relations in the order in which they are worth reading, and how many are needed to kill what all kill.
fn ordered(said: &[(Found, Verdict)], setting: &Setting) -> (Reported, usize) {
    let candidates: Vec<Candidate> = said
        .iter()
        .map(|(found, verdict)| Candidate {
            killed: found.killed.clone(),
            cost: readability(&found.relation, setting),
            evidence: verdict.tried,
        })
        .collect();
    let folded = fold(&candidates);
    let needed = folded.kept.len();
    let kept = folded.kept.iter().map(|kept| kept.candidate);
    let order = kept.chain(folded.folded.iter().map(|folded| folded.candidate));
    (order.map(|place| said[place].clone()).collect(), needed)
}
