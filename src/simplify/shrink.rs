//! Finds smaller relations that do no worse, checked on rows and by a judge that can refute them.
//!
//! An accepted relation is true on every correct row, and false on the incorrect rows, or for the mutants,
//! for which the given relation was false. It may claim more than the given one, so it has to stand before
//! the judge, who is asked about the plainest first.

use std::collections::BTreeSet;

use genmorph_jit::{Batch, DEFAULT_MEMORY, Expr, Mask, Node, OneThread, Predicate};

use super::equivalent::Equivalent;
use super::forms;
use super::plain;
use super::readability::readability;
use super::setting::Setting;
use crate::executions::{CORRECT, Executions, INCORRECT};

/// Returns for each relation whether nothing refutes it.
pub type Stands<'j> = dyn FnMut(&[Predicate]) -> Vec<bool> + 'j;

/// In what respect a smaller relation must do as well as the one that it replaces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keep {
    /// It is false on every incorrect row on which the other is false.
    Rows,
    /// For every mutant, it is false on at least as many rows.
    Alarms,
    /// It kills every mutant that the other kills.
    Mutants,
}

/// Number of relations about which the judge is asked at once.
pub(super) const QUESTION: usize = 8;
/// Largest number of questions about one relation.
const QUESTIONS: usize = 24;

/// Makes relations on some executions smaller. What it learns for one relation is used for the next.
#[derive(Debug)]
pub struct Simplifier<'e> {
    executions: &'e Executions,
    pub(super) equivalent: Equivalent,
    batch: Batch,
    mask: Mask,
    pub(super) plain: Vec<Plain>,
    /// Incorrect rows on which an earlier relation is false.
    pub(super) covered: Strength,
}

/// A plain relation without false positives.
#[derive(Debug)]
pub(super) struct Plain {
    pub(super) relation: Predicate,
    pub(super) strength: Strength,
    /// The judge's verdict, if it was asked.
    pub(super) stands: Option<bool>,
}

/// Where a relation is false.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Strength {
    /// One bit for each incorrect row: set if the relation is true there.
    pub(super) holds: Vec<u64>,
    /// For each mutant, the number of its rows on which the relation is false.
    alarms: Vec<u32>,
}

impl Strength {
    /// The strength of a relation that is always true.
    fn nowhere(executions: &Executions) -> Strength {
        let holds = vec![u64::MAX; executions.count(INCORRECT).div_ceil(64)];
        Strength { holds, alarms: vec![0; executions.mutants.len()] }
    }

    /// The strength of two relations together. The number of alarms is a lower bound: the larger of the two.
    pub(super) fn with(&self, other: &Strength) -> Strength {
        let holds = self.holds.iter().zip(&other.holds).map(|(a, b)| a & b).collect();
        let alarms = self.alarms.iter().zip(&other.alarms).map(|(a, b)| *a.max(b)).collect();
        Strength { holds, alarms }
    }

    /// The rows on which this is false and the other is true.
    pub(super) fn without(&self, other: &Strength) -> Strength {
        let holds = self.holds.iter().zip(&other.holds).map(|(own, other)| own | !other).collect();
        Strength { holds, alarms: self.alarms.clone() }
    }

    /// Clears the bits past the last row, which count as false.
    pub(super) fn up_to(mut self, rows: usize) -> Strength {
        if let Some(last) = self.holds.last_mut().filter(|_| !rows.is_multiple_of(64)) {
            *last |= u64::MAX << (rows % 64);
        }
        self
    }

    /// Number of rows on which both are false.
    pub(super) fn shared(&self, other: &Strength) -> u64 {
        let words = self.holds.iter().zip(&other.holds);
        words.map(|(own, other)| u64::from((own | other).count_zeros())).sum()
    }

    pub(super) fn is_nowhere_false(&self) -> bool {
        self.holds.iter().all(|&word| word == u64::MAX)
    }

    pub(super) fn is_as_great_as(&self, other: &Strength, keep: Keep) -> bool {
        match keep {
            Keep::Rows => self.holds.iter().zip(&other.holds).all(|(own, other)| own & !other == 0),
            Keep::Alarms => self.alarms.iter().zip(&other.alarms).all(|(own, other)| own >= other),
            Keep::Mutants => {
                self.alarms.iter().zip(&other.alarms).all(|(own, other)| *own > 0 || *other == 0)
            }
        }
    }
}

/// The questions about one relation.
struct Inquiry<'j, 's> {
    strength: Strength,
    keep: Keep,
    stands: &'j mut Stands<'s>,
    /// Forms that were refuted, as text.
    refuted: BTreeSet<String>,
    /// Number of questions left.
    questions: usize,
}

impl Inquiry<'_, '_> {
    /// The judge's verdicts; empty if there is nothing to ask, or no question is left.
    fn ask(&mut self, relations: &[Predicate]) -> Vec<bool> {
        if relations.is_empty() || self.questions == 0 {
            return Vec::new();
        }
        self.questions -= 1;
        (self.stands)(relations)
    }
}

impl<'e> Simplifier<'e> {
    /// Prepares to simplify relations on these executions.
    pub fn new(executions: &'e Executions) -> Simplifier<'e> {
        Simplifier::with(executions, &Setting::of(executions))
    }

    /// Prepares to simplify relations on these executions, with a setting that has further ties.
    pub fn with(executions: &'e Executions, setting: &Setting) -> Simplifier<'e> {
        let mut simplifier = Simplifier {
            executions,
            equivalent: Equivalent::new(setting),
            batch: Batch::new(executions.table.clone(), DEFAULT_MEMORY),
            mask: Mask::empty(executions.table.layout()),
            plain: Vec::new(),
            covered: Strength::nowhere(executions),
        };
        simplifier.learn(plain::all(setting));
        simplifier
    }

    /// Adds the plain relations that are true on all correct rows and false on some incorrect row.
    fn learn(&mut self, relations: Vec<Predicate>) {
        let incorrect = self.rows();
        for relation in self.without_false_positives(relations) {
            let strength = self.strength(&relation);
            let held: u32 = strength.holds.iter().map(|word| word.count_ones()).sum();
            if (held as usize) < incorrect {
                self.plain.push(Plain { relation, strength, stands: None });
            }
        }
    }

    /// Runs `work` with plain relations added that are made from the parts of a given one.
    pub(super) fn in_words_of<R>(
        &mut self,
        relation: &Predicate,
        done: impl FnOnce(&mut Self) -> R,
    ) -> R {
        let known = self.plain.len();
        self.learn(plain::near(relation, self.equivalent.setting()));
        let result = done(self);
        self.plain.truncate(known);
        result
    }

    /// The setting of the relations.
    pub fn setting(&self) -> &Setting {
        self.equivalent.setting()
    }

    /// The smallest form that has the same value on all inputs; it needs no judge.
    pub fn exactly(&self, relation: &Predicate) -> Predicate {
        self.equivalent.of(relation)
    }

    /// A smaller or plainer relation that does as well, or the relation itself in its canonical orientation.
    ///
    /// # Panics
    /// If the relation is over other variables.
    pub fn simplify(
        &mut self,
        relation: &Predicate,
        keep: Keep,
        stands: &mut Stands<'_>,
    ) -> Predicate {
        let strength = self.strength(relation);
        self.shrink(relation, strength, keep, stands)
    }

    /// The same for a relation that need only be false on some of its rows.
    pub(super) fn shrink(
        &mut self,
        relation: &Predicate,
        strength: Strength,
        keep: Keep,
        stands: &mut Stands<'_>,
    ) -> Predicate {
        let mut inquiry =
            Inquiry { strength, keep, stands, refuted: BTreeSet::new(), questions: QUESTIONS };
        let mut best = self.equivalent.of(relation);
        if let Some(plain) = self.plainest(&best, &mut inquiry) {
            best = plain;
        }
        while let Some(form) = self.step(&best, &mut inquiry) {
            best = self.equivalent.of(&form);
        }
        best
    }

    /// Plain relations that stand and together kill what plain relations can kill: always takes the one that
    /// kills the most new mutants for the effort of reading it. They do not come from the search;
    /// [`fold`](fn@super::fold) prefers them to relations that are hard to read.
    pub fn plain(&mut self, stands: &mut Stands<'_>) -> Vec<Predicate> {
        let mut covered = vec![false; self.executions.mutants.len()];
        let mut chosen = Vec::new();
        for _ in 0..QUESTIONS {
            let setting = self.equivalent.setting();
            let gain = |plain: &Plain| {
                let alarms = plain.strength.alarms.iter().zip(&covered);
                alarms.filter(|(alarms, covered)| **alarms > 0 && !**covered).count() as u64
            };
            let mut best: Vec<(u64, u64, usize)> = (self.plain.iter().enumerate())
                .filter(|(_, plain)| plain.stands != Some(false))
                .map(|(i, plain)| {
                    (gain(plain), u64::from(readability(&plain.relation, setting)), i)
                })
                .filter(|(gain, _, _)| *gain > 0)
                .collect();
            best.sort_by(|a, b| (b.0 * a.1).cmp(&(a.0 * b.1)).then(a.2.cmp(&b.2)));
            best.truncate(QUESTION);
            if best.is_empty() {
                break;
            }
            let some: Vec<usize> = best.iter().map(|(_, _, i)| *i).collect();
            if let Some(i) = self.standing(&some, &mut |batch| stands(batch)) {
                let plain = &self.plain[i];
                for (covered, alarms) in covered.iter_mut().zip(&plain.strength.alarms) {
                    *covered |= *alarms > 0;
                }
                let relation = plain.relation.clone();
                self.mark_covered(&relation);
                chosen.push(relation);
            }
        }
        chosen
    }

    /// Whether on every incorrect row on which this relation is false, an earlier one is false as well.
    ///
    /// # Panics
    /// If the relation is over other variables.
    pub fn is_covered(&mut self, relation: &Predicate) -> bool {
        let open = self.strength(relation).up_to(self.rows());
        open.without(&self.covered).is_nowhere_false()
    }

    /// Marks the rows on which a relation is false as covered.
    pub fn mark_covered(&mut self, relation: &Predicate) {
        let strength = self.strength(relation);
        self.covered = self.covered.with(&strength);
    }

    /// Forgets which rows are covered.
    pub fn forget(&mut self) {
        self.covered = self.nothing();
    }

    /// The strength of a relation that is always true.
    pub(super) fn nothing(&self) -> Strength {
        Strength::nowhere(self.executions)
    }

    /// Number of incorrect rows.
    pub(super) fn rows(&self) -> usize {
        self.executions.count(INCORRECT)
    }

    /// Number of incorrect rows on which a relation is true, and the indices of the mutants that it kills.
    ///
    /// # Panics
    /// If the relation is over other variables.
    pub fn score(&mut self, relation: &Predicate) -> (u32, Vec<usize>) {
        let Strength { holds, alarms } = self.strength(relation);
        let killed = (0..alarms.len()).filter(|&mutant| alarms[mutant] > 0).collect();
        (holds.iter().map(|word| word.count_ones()).sum(), killed)
    }

    /// The plainest of the plain relations that does as well and stands.
    fn plainest(&mut self, best: &Predicate, inquiry: &mut Inquiry<'_, '_>) -> Option<Predicate> {
        let setting = self.equivalent.setting();
        let cost = (readability(best, setting), best.size());
        let fits = |plain: &Plain| {
            plain.relation.size() <= best.size()
                && (readability(&plain.relation, setting), plain.relation.size()) < cost
                && plain.strength.is_as_great_as(&inquiry.strength, inquiry.keep)
        };
        let fitting: Vec<usize> = (0..self.plain.len())
            .filter(|&i| self.plain[i].stands != Some(false) && fits(&self.plain[i]))
            .collect();
        for some in fitting.chunks(QUESTION) {
            if let Some(i) = self.standing(some, &mut |batch| inquiry.ask(batch)) {
                return Some(self.plain[i].relation.clone());
            }
        }
        None
    }

    /// The first of some plain relations that stands; the judge is asked about each only once.
    pub(super) fn standing(&mut self, some: &[usize], stands: &mut Stands<'_>) -> Option<usize> {
        let is_open = |i: &usize| self.plain[*i].stands.is_none();
        let open: Vec<usize> = some.iter().copied().filter(is_open).collect();
        if !open.is_empty() {
            let batch: Vec<Predicate> =
                open.iter().map(|&i| self.plain[i].relation.clone()).collect();
            for (&i, verdict) in open.iter().zip(stands(&batch)) {
                self.plain[i].stands = Some(verdict);
            }
        }
        some.iter().copied().find(|&i| self.plain[i].stands == Some(true))
    }

    /// The plainest single change that does as well and stands.
    fn step(&mut self, best: &Predicate, inquiry: &mut Inquiry<'_, '_>) -> Option<Predicate> {
        let forms = self.forms(best, &inquiry.refuted);
        let mut fitting = Vec::new();
        for form in self.without_false_positives(forms) {
            if self.strength(&form).is_as_great_as(&inquiry.strength, inquiry.keep) {
                fitting.push(form);
            }
        }
        for some in fitting.chunks(QUESTION) {
            let verdicts = inquiry.ask(some);
            let mut verdicts = some.iter().zip(verdicts);
            if let Some((form, _)) = verdicts.find(|(_, stands)| *stands) {
                return Some(form.clone());
            }
            inquiry.refuted.extend(some.iter().map(|form| self.text(form)));
        }
        None
    }

    fn text(&self, relation: &Predicate) -> String {
        relation.display(&self.setting().schema).to_string()
    }

    /// Forms that would be better if they stand, the plainest first.
    fn forms(&self, best: &Predicate, refuted: &BTreeSet<String>) -> Vec<Predicate> {
        let setting = self.setting();
        let nodes = best.nodes();
        let mut forms: Vec<Vec<Node>> =
            forms::reductions(nodes, &|node| forms::type_of(node, setting));
        forms.extend(forms::leaves(nodes, setting));
        forms.extend(forms::operators(nodes));
        forms.extend(forms::rounder(nodes));
        let limit = self.equivalent.cost(best);
        let mut seen = BTreeSet::new();
        let mut forms: Vec<((usize, u32), String, Predicate)> = forms
            .into_iter()
            .filter(|nodes| setting.relates_outputs(nodes))
            .map(|nodes| {
                Predicate::new(Expr(nodes), &setting.schema).expect("subtrees keep their types")
            })
            .map(|form| (self.equivalent.cost(&form), self.text(&form), form))
            .filter(|(cost, text, _)| {
                *cost < limit && !refuted.contains(text) && seen.insert(text.clone())
            })
            .collect();
        forms.sort_by(|a, b| (a.0, &a.1).cmp(&(b.0, &b.1)));
        forms.into_iter().map(|(_, _, form)| form).collect()
    }

    /// The relations that are true on every correct row, in order.
    fn without_false_positives(&mut self, relations: Vec<Predicate>) -> Vec<Predicate> {
        let correct = self.executions.count(CORRECT) as u32;
        let counts = self.batch.counts(&relations, &OneThread);
        let true_on_all: Vec<bool> =
            counts.chunks(2).map(|counts| counts[CORRECT] == correct).collect();
        relations.into_iter().zip(true_on_all).filter(|(_, all)| *all).map(|(r, _)| r).collect()
    }

    pub(super) fn strength(&mut self, relation: &Predicate) -> Strength {
        self.batch.mask_into(relation, &mut self.mask);
        let holds = self.mask.group_words(INCORRECT).to_vec();
        let mut alarms = vec![0; self.executions.mutants.len()];
        let is_false = |row: usize| holds[row / 64] >> (row % 64) & 1 == 0;
        let rows = self.executions.row_mutants.iter().enumerate();
        let also = self.executions.also.iter().map(|&(row, mutant)| (row as usize, mutant));
        for (row, mutant) in rows.map(|(row, &mutant)| (row, mutant)).chain(also) {
            alarms[mutant as usize] += u32::from(is_false(row));
        }
        Strength { holds, alarms }
    }
}
