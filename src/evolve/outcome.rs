//! What a search found: relations that the reference evaluator has confirmed.

use std::sync::Arc;

use genmorph_jit::engine::reference;
use genmorph_jit::{Predicate, Schema, Table};

use super::archive::{self, Entry};
use super::evolution::Evolution;
use super::polish::{apart, needed, polish};
use crate::evolve::config::Report;
use crate::support::threads::Jobs;

/// Relations without false positives, best first; together they kill all mutants that the run can
/// kill.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcome {
    /// The relations. First the best one, or what it joins by `and`; each of the others kills mutants
    /// that none before it kills.
    pub relations: Vec<Found>,
    /// Relations that the engines took to be without false positives, and the reference evaluator did
    /// not: each is a bug in an engine. Never reported as found.
    pub refuted: Vec<Predicate>,
}

/// A relation without false positives.
#[derive(Clone, Debug, PartialEq)]
pub struct Found {
    /// The relation, which is true on all correct rows.
    pub relation: Predicate,
    /// How many incorrect rows it takes to be correct.
    pub fn_: u32,
    /// The mutants on which it raises an alarm, by their number.
    pub killed: Vec<usize>,
    /// The schema that its variables are of.
    schema: Schema,
}

impl Found {
    /// A relation without false positives over these variables.
    pub fn new(relation: Predicate, fn_: u32, killed: Vec<usize>, schema: &Schema) -> Found {
        Found { relation, fn_, killed, schema: schema.clone() }
    }

    /// The relation as text.
    pub fn text(&self) -> String {
        self.relation.display(&self.schema).to_string()
    }

    /// The number of nodes of the relation.
    pub fn size(&self) -> usize {
        self.relation.size()
    }
}

impl Evolution {
    /// What the search has found so far. It can go on after this.
    pub fn outcome(&mut self) -> Outcome {
        self.outcome_where(&mut |relations| vec![true; relations.len()])
    }

    /// What the search has found so far, of relations that another judge, `stands`, accepts as well. The judge is asked
    /// about every relation that might be reported, so that a rejected one is replaced by the next best.
    pub fn outcome_where(&mut self, stands: &mut dyn FnMut(&[Predicate]) -> Vec<bool>) -> Outcome {
        let Evolution { config, grammar, scorer, state, .. } = self;
        let mut judged = |entries: &[Arc<Entry>]| {
            stands(&entries.iter().map(|entry| entry.relation.clone()).collect::<Vec<_>>())
        };
        let mut entries = state.archive.entries();
        let mut verdicts = judged(&entries).into_iter();
        entries.retain(|_| verdicts.next().unwrap_or(false));
        let found = archive::cover(entries);
        let reported = match (config.report, found.split_first()) {
            (Report::Found, _) | (_, None) => found,
            (Report::Plain, Some((best, others))) => {
                let parts = apart(best, grammar, scorer);
                let mut plain: Vec<Entry> = needed(parts, scorer);
                let best = plain.len();
                for other in others {
                    plain.extend(apart(other, grammar, scorer));
                }
                let polished: Vec<Arc<Entry>> = (plain.iter())
                    .map(|part| Arc::new(polish(part.clone(), grammar, scorer)))
                    .collect();
                // A smaller form may say more than what it was made of.
                let verdicts = judged(&polished);
                let mut best_first: Vec<Arc<Entry>> = (plain.into_iter().zip(polished))
                    .zip(verdicts)
                    .map(|((plain, polished), stands)| if stands { polished } else { plain.into() })
                    .collect();
                let others = best_first.split_off(best);
                archive::cover_after(best_first, others)
            }
        };
        let (chosen, wrong): (Vec<Arc<Entry>>, Vec<Arc<Entry>>) =
            reported.into_iter().partition(|entry| {
                holds_on_correct_rows(&entry.relation, &scorer.rows.table, &scorer.pool)
            });
        let refuted = wrong.iter().map(|entry| entry.relation.clone()).collect();
        let relations = chosen
            .iter()
            .map(|entry| Found {
                relation: entry.relation.clone(),
                fn_: entry.score.fn_,
                killed: (0..entry.killed.len()).filter(|&m| entry.killed[m] > 0).collect(),
                schema: grammar.schema().clone(),
            })
            .collect();
        Outcome { relations, refuted }
    }
}

/// Whether the reference evaluator finds a relation true on every correct row.
pub(crate) fn holds_on_correct_rows(relation: &Predicate, table: &Table, pool: &Jobs) -> bool {
    let rows: Vec<usize> = (0..table.layout().groups()[0].rows).collect();
    let holds = pool.map(&rows, 512, || (), |(), &row| reference::holds(relation, table, row));
    holds.into_iter().all(|holds| holds)
}
