//! What is reported of what a search found: the plainest forms that do as well, and plain relations that nobody had to find.
//!
//! A form that says more than the relation that it was made of has to stand by the same judge; if it does not, the relation
//! itself is reported.

use genmorph_jit::Predicate;

use super::search::Judge;
use crate::evolve::{Found, holds_on_correct_rows};
use crate::executions::Executions;
use crate::filter::Verdict;
use crate::simplify::{Candidate, Keep, Setting, Simplifier, fold, readability};
use crate::threads::Jobs;

/// Relations that stand, with what speaks for them.
pub(super) type Reported = Vec<(Found, Verdict)>;

/// Says relations as plainly as the time of the search allows. What is needed to kill all mutants that all of them kill comes
/// first; so many these are.
pub(super) fn said(
    reported: &[(Found, Verdict)],
    executions: &Executions,
    judge: &mut Judge<'_>,
    jobs: &Jobs,
) -> (Reported, usize) {
    let mut simplifier = Simplifier::new(executions);
    // For each relation its forms; last, what nobody had to find.
    let mut forms: Vec<Vec<Predicate>> = Vec::new();
    for (found, _) in reported {
        forms.push(match judge.is_over() {
            true => vec![simplifier.exactly(&found.relation)],
            false => simplifier.apart(&found.relation, Keep::Rows, &mut |asked| judge.stand(asked)),
        });
    }
    let plain = match judge.is_over() {
        true => Vec::new(),
        false => simplifier.plain(&mut |asked| judge.stand(asked)),
    };
    let mut all: Vec<Predicate> = Vec::new();
    for form in forms.iter().flatten().chain(&plain) {
        if !all.contains(form) && holds_on_correct_rows(form, &executions.table, jobs) {
            all.push(form.clone());
        }
    }
    let verdicts = judge.verdicts(&all, 1);
    let verdict = |form: &Predicate| {
        let place = all.iter().position(|known| known == form)?;
        Some(&verdicts[place]).filter(|verdict| verdict.stands())
    };
    let mut scored = |form: &Predicate| {
        let (fn_, killed) = simplifier.score(form);
        Found::new(form.clone(), fn_, killed, executions.table.schema())
    };
    let mut said: Reported = Vec::new();
    let mut say = |found: Found, verdict: &Verdict| {
        if said.iter().all(|(known, _)| known.relation != found.relation) {
            said.push((found, verdict.clone()));
        }
    };
    for ((found, own), forms) in reported.iter().zip(&forms) {
        let verdicts: Vec<Option<&Verdict>> = forms.iter().map(verdict).collect();
        match verdicts.iter().copied().collect::<Option<Vec<&Verdict>>>() {
            Some(verdicts) => {
                forms.iter().zip(verdicts).for_each(|(form, verdict)| say(scored(form), verdict));
            }
            None => say(found.clone(), own),
        }
    }
    for form in &plain {
        if let Some(verdict) = verdict(form) {
            say(scored(form), verdict);
        }
    }
    ordered(&said, simplifier.setting())
}

/// Relations in the order in which they are worth reading, and how many of them are needed.
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
