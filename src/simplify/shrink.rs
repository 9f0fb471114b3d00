//! Smaller relations that do no worse: judged by rows, and by somebody who can refute them.
//!
//! What is accepted is true on every correct row, and false on the incorrect rows, or on the mutants, on which the given
//! relation was false. It may say more than that: then it has to stand by the judge, who is asked about
//! the plainest first.

use std::collections::BTreeSet;

use genmorph_jit::{Batch, DEFAULT_MEMORY, Expr, Mask, Node, OneThread, Op, Predicate, subtree};

use super::equivalent::Equivalent;
use super::forms;
use super::plain;
use super::readability::readability;
use super::setting::Setting;
use crate::executions::{CORRECT, Executions, INCORRECT};

/// Says of relations whether nothing speaks against them, in order.
pub type Stands<'j> = dyn FnMut(&[Predicate]) -> Vec<bool> + 'j;

/// What a smaller relation has to do as well as the one that it stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keep {
    /// It is false on every incorrect row on which the other is.
    Rows,
    /// It is false on no fewer rows of every mutant.
    Alarms,
    /// It kills every mutant that the other kills.
    Mutants,
}

/// Relations that a judge is asked about at once.
const ASKED: usize = 8;
/// How often he is asked about one relation, at most.
const QUESTIONS: usize = 24;

/// Makes relations on some executions smaller. What it has learnt for one relation serves the next.
#[derive(Debug)]
pub struct Simplifier<'e> {
    executions: &'e Executions,
    equivalent: Equivalent,
    batch: Batch,
    mask: Mask,
    plain: Vec<Plain>,
}

/// A plain relation without false positives.
#[derive(Debug)]
struct Plain {
    relation: Predicate,
    strength: Strength,
    /// What the judge says, if he was asked.
    stands: Option<bool>,
}

/// Where a relation is false.
#[derive(Clone, Debug, PartialEq)]
struct Strength {
    /// A bit for every incorrect row on which it is true.
    holds: Vec<u64>,
    /// On how many rows of each mutant it is false.
    alarms: Vec<u32>,
}

impl Strength {
    /// That of two relations together. Of alarms on a mutant only the more are known.
    fn with(&self, other: &Strength) -> Strength {
        let holds = self.holds.iter().zip(&other.holds).map(|(a, b)| a & b).collect();
        let alarms = self.alarms.iter().zip(&other.alarms).map(|(a, b)| *a.max(b)).collect();
        Strength { holds, alarms }
    }

    fn is_as_great_as(&self, other: &Strength, keep: Keep) -> bool {
        match keep {
            Keep::Rows => self.holds.iter().zip(&other.holds).all(|(own, other)| own & !other == 0),
            Keep::Alarms => self.alarms.iter().zip(&other.alarms).all(|(own, other)| own >= other),
            Keep::Mutants => {
                self.alarms.iter().zip(&other.alarms).all(|(own, other)| *own > 0 || *other == 0)
            }
        }
    }
}

/// What is being asked about one relation.
struct Inquiry<'j, 's> {
    strength: Strength,
    keep: Keep,
    stands: &'j mut Stands<'s>,
    /// Forms that do not stand, as text.
    refuted: BTreeSet<String>,
    /// Questions that are left.
    questions: usize,
}

impl Inquiry<'_, '_> {
    /// The verdicts of the judge; none if there is nothing to ask, or he has been asked too often.
    fn ask(&mut self, relations: &[Predicate]) -> Vec<bool> {
        if relations.is_empty() || self.questions == 0 {
            return Vec::new();
        }
        self.questions -= 1;
        (self.stands)(relations)
    }
}

impl<'e> Simplifier<'e> {
    /// For relations on these executions.
    pub fn new(executions: &'e Executions) -> Simplifier<'e> {
        Simplifier::with(executions, &Setting::of(executions))
    }

    /// For relations on these executions, of which more is known than they tell.
    pub fn with(executions: &'e Executions, setting: &Setting) -> Simplifier<'e> {
        let mut simplifier = Simplifier {
            executions,
            equivalent: Equivalent::new(setting),
            batch: Batch::new(executions.table.clone(), DEFAULT_MEMORY),
            mask: Mask::empty(executions.table.layout()),
            plain: Vec::new(),
        };
        let incorrect = executions.count(INCORRECT);
        for relation in simplifier.without_false_positives(plain::all(setting)) {
            let strength = simplifier.strength(&relation);
            let held: u32 = strength.holds.iter().map(|word| word.count_ones()).sum();
            if (held as usize) < incorrect {
                simplifier.plain.push(Plain { relation, strength, stands: None });
            }
        }
        simplifier
    }

    /// What the relations are about.
    pub fn setting(&self) -> &Setting {
        self.equivalent.setting()
    }

    /// The smallest form that has the same value on all inputs; nobody has to be asked about it.
    pub fn exactly(&self, relation: &Predicate) -> Predicate {
        self.equivalent.of(relation)
    }

    /// A relation that is smaller or plainer and does as well, or the relation itself, the right way round.
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

    /// The same, of what a relation joins by `and`, each for itself, as far as each relates an output pair: a reader takes one
    /// thing at a time. Parts that add nothing to those before them are left out.
    ///
    /// # Panics
    /// If the relation is over other variables.
    pub fn apart(
        &mut self,
        relation: &Predicate,
        keep: Keep,
        stands: &mut Stands<'_>,
    ) -> Vec<Predicate> {
        let mut parts = Vec::new();
        let whole = self.equivalent.of(relation);
        conjuncts(whole.nodes(), self.setting(), &mut parts);
        let mut said: Option<Strength> = None;
        let mut simplified: Vec<Predicate> = Vec::new();
        for part in parts {
            let part = Predicate::new(Expr(part), &self.setting().schema)
                .expect("a conjunct is a relation");
            let own = self.strength(&part);
            if said.as_ref().is_some_and(|said| said.is_as_great_as(&own, keep)) {
                continue;
            }
            let form = self.simplify(&part, keep, stands);
            let strength = self.strength(&form);
            said = Some(match said {
                Some(said) => said.with(&strength),
                None => strength,
            });
            simplified.push(form);
        }
        simplified
    }

    /// Plain relations that stand, and together kill what plain relations can kill: always the one that kills most new
    /// mutants for what it costs to read. Nobody had to find them; [`fold`](fn@super::fold) prefers them to what is hard to read.
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
            best.truncate(ASKED);
            if best.is_empty() {
                break;
            }
            let open: Vec<usize> = (best.iter().map(|(_, _, i)| *i))
                .filter(|&i| self.plain[i].stands.is_none())
                .collect();
            if !open.is_empty() {
                let asked: Vec<Predicate> =
                    open.iter().map(|&i| self.plain[i].relation.clone()).collect();
                for (&i, verdict) in open.iter().zip(stands(&asked)) {
                    self.plain[i].stands = Some(verdict);
                }
            }
            let standing = best.iter().find(|(_, _, i)| self.plain[*i].stands == Some(true));
            if let Some(&(_, _, i)) = standing {
                let plain = &self.plain[i];
                for (covered, alarms) in covered.iter_mut().zip(&plain.strength.alarms) {
                    *covered |= *alarms > 0;
                }
                chosen.push(plain.relation.clone());
            }
        }
        chosen
    }

    /// How many incorrect rows a relation takes to be correct, and the mutants that it kills, by their index.
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
        for some in fitting.chunks(ASKED) {
            let open: Vec<usize> =
                some.iter().copied().filter(|&i| self.plain[i].stands.is_none()).collect();
            let asked: Vec<Predicate> =
                open.iter().map(|&i| self.plain[i].relation.clone()).collect();
            for (&i, verdict) in open.iter().zip(inquiry.ask(&asked)) {
                self.plain[i].stands = Some(verdict);
            }
            if let Some(&i) = some.iter().find(|&&i| self.plain[i].stands == Some(true)) {
                return Some(self.plain[i].relation.clone());
            }
        }
        None
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
        for some in fitting.chunks(ASKED) {
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

    /// Forms that are better if they are true, the plainest first.
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

    /// Those that are true on every correct row, in order.
    fn without_false_positives(&mut self, relations: Vec<Predicate>) -> Vec<Predicate> {
        let correct = self.executions.count(CORRECT) as u32;
        let counts = self.batch.counts(&relations, &OneThread);
        let true_on_all: Vec<bool> =
            counts.chunks(2).map(|counts| counts[CORRECT] == correct).collect();
        relations.into_iter().zip(true_on_all).filter(|(_, all)| *all).map(|(r, _)| r).collect()
    }

    fn strength(&mut self, relation: &Predicate) -> Strength {
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

/// What `and` joins, as far as each part relates an output pair.
fn conjuncts(nodes: &[Node], setting: &Setting, parts: &mut Vec<Vec<Node>>) {
    if let Some((Node::Op(Op::And), operands)) = nodes.split_last() {
        let (a, b) = operands.split_at(subtree(operands, operands.len() - 1).start);
        if setting.relates_outputs(a) && setting.relates_outputs(b) {
            conjuncts(a, setting, parts);
            return conjuncts(b, setting, parts);
        }
    }
    parts.push(nodes.to_vec());
}
