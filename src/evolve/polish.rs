//! Smaller and plainer forms of relations that are about to be reported.
//!
//! What is joined by `and` is taken apart: a reader takes one thing at a time.
//! A part is replaced by a part of itself, or a constant by a rounder one, as long as the relation
//! stays without false positives and alarms wherever it did. Judged by the rows, not by algebra.

use genmorph_jit::{Node, Op, Predicate, subtree};

use super::archive::Entry;
use super::grammar::Grammar;
use super::grow::predicate;
use super::score::Score;
use super::scorer::Scorer;
use crate::simplify::forms;

/// What a relation joins by `and`, each for itself, as long as each relates an output pair and alarms
/// somewhere: together they say the same.
pub(crate) fn apart(entry: &Entry, grammar: &Grammar, scorer: &mut Scorer) -> Vec<Entry> {
    let mut parts = Vec::new();
    conjuncts(entry.relation.nodes(), grammar, &mut parts);
    if parts.len() == 1 {
        return vec![entry.clone()];
    }
    let scores = scorer.scores(&parts, grammar);
    let missing_all = scorer.rows.incorrect as u32;
    let parts = parts.into_iter().zip(scores).filter(|(_, score)| score.fn_ < missing_all);
    parts.map(|(part, score)| Entry::new(part, score, scorer)).collect()
}

/// Of parts that together say something, those that it takes: each alarms on a row on which none
/// before it does. The best come first.
pub(crate) fn needed(mut parts: Vec<Entry>, scorer: &mut Scorer) -> Vec<Entry> {
    parts.sort_by(Entry::compare);
    let mut alarms: Vec<u64> = Vec::new();
    parts.retain(|part| {
        let (rows, mask) = scorer.mask(&part.relation);
        let holds = rows.incorrect_words(mask);
        alarms.resize(holds.len(), 0);
        // Bits past the end of a group are 0 in a mask; they alarm for the first part already.
        let adds = alarms.iter().zip(holds).any(|(alarm, holds)| !alarm & !holds != 0);
        alarms.iter_mut().zip(holds).for_each(|(alarm, holds)| *alarm |= !holds);
        adds
    });
    parts
}

fn conjuncts(nodes: &[Node], grammar: &Grammar, parts: &mut Vec<Predicate>) {
    if let Some((Node::Op(Op::And), operands)) = nodes.split_last() {
        let second = subtree(operands, operands.len() - 1);
        let (first, second) = operands.split_at(second.start);
        if grammar.relates_outputs(first) && grammar.relates_outputs(second) {
            conjuncts(first, grammar, parts);
            return conjuncts(second, grammar, parts);
        }
    }
    parts.push(predicate(nodes, grammar));
}

/// A smaller or plainer form of a relation, or the relation itself.
pub(crate) fn polish(mut entry: Entry, grammar: &Grammar, scorer: &mut Scorer) -> Entry {
    while let Some(better) = step(&entry, grammar, scorer) {
        entry = better;
    }
    entry
}

/// The best single improvement.
fn step(entry: &Entry, grammar: &Grammar, scorer: &mut Scorer) -> Option<Entry> {
    let nodes = entry.relation.nodes();
    let mut forms = forms::reductions(nodes, &|node| grammar.type_of(node));
    forms.extend(forms::rounder(nodes));
    let forms: Vec<Predicate> = forms.iter().map(|form| predicate(form, grammar)).collect();
    let scores = scorer.scores(&forms, grammar);
    let cost = |relation: &Predicate| {
        (relation.size(), relation.display(grammar.schema()).to_string().len())
    };
    let mut best: Option<(Entry, (usize, usize))> = None;
    for (form, score) in forms.into_iter().zip(scores) {
        let cost = cost(&form);
        if is_as_strong(&score, &entry.score)
            && best.as_ref().is_none_or(|(_, least)| cost < *least)
        {
            let form = Entry::new(form, score, scorer);
            if form.killed.iter().zip(&entry.killed).all(|(new, old)| new >= old) {
                best = Some((form, cost));
            }
        }
    }
    let (better, least) = best?;
    (least < cost(&entry.relation)).then_some(better)
}

fn is_as_strong(new: &Score, old: &Score) -> bool {
    new.fp == 0 && new.related && new.missed <= old.missed
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evolve::config::{Config, Weights};
    use crate::evolve::example;
    use crate::evolve::rows::Rows;
    use crate::evolve::scorer::Machine;
    use crate::support::seed::Seed;
    use genmorph_jit::parse;

    #[test]
    fn what_adds_nothing_is_taken_out() {
        let rows = Rows::new(&example::power(), Weights::Rows, Some(8), Seed(1).stream("sample"));
        let mut scorer = Scorer::new(rows, Machine::default(), 10).unwrap();
        let grammar = example::grammar(&Config::default());
        let mut polished = |text| {
            let relation = parse(text, grammar.schema()).unwrap();
            let score = scorer.scores(std::slice::from_ref(&relation), &grammar)[0];
            let entry = Entry::new(relation, score, &mut scorer);
            polish(entry, &grammar, &mut scorer).relation.display(grammar.schema()).to_string()
        };
        let relation = "out_f * k_s == out_s";
        assert_eq!(polished("out_f * k_s == out_s and (e_s > -3 or k_s == 2)"), relation);
        assert_eq!(
            polished("abs(out_f * k_s - out_s) <= 0.12345"),
            "abs(out_f * k_s - out_s) <= 0"
        );
        assert_eq!(polished(relation), relation);
    }

    #[test]
    fn what_relates_outputs_on_its_own_stands_on_its_own() {
        let grammar = example::grammar(&Config::default());
        let parts = |text| {
            let relation = parse(text, grammar.schema()).unwrap();
            let mut parts = Vec::new();
            conjuncts(relation.nodes(), &grammar, &mut parts);
            parts.iter().map(|part| part.display(grammar.schema()).to_string()).collect::<Vec<_>>()
        };
        assert_eq!(
            parts("out_f < out_s and (out_f > -out_s and out_s != 3 * out_f)"),
            ["out_f < out_s", "out_f > 0 - out_s", "out_s != 3 * out_f"]
        );
        let whole = "out_f < out_s and out_f > 3";
        assert_eq!(parts(whole), [whole]);
        assert_eq!(parts("out_f < out_s or out_f > 3"), ["out_f < out_s or out_f > 3"]);
    }
}
