//! What people have rejected: relations that hold, and that are not meant to.
//!
//! A relation is one of them, whatever it looks like, if it is true and false on the same rows; and it says one of them if it is,
//! or joins it to others by `and`. What else says more or less than a rejected relation is another one, and may be reported.

use std::collections::BTreeSet;

use genmorph_jit::{Evaluator, Expr, Mask, Node, Op, Policy, Predicate, Schema, subtree};

use super::plan::Plan;
use crate::executions::Executions;
use crate::subject::kinds::Observed;
use crate::transform::Transform;

/// A relation that a person has rejected.
#[derive(Clone, Debug, PartialEq)]
pub struct Rejection {
    /// The transformation under which it holds.
    pub transformation: String,
    /// What it speaks of.
    pub observed: Observed,
    /// The relation that was rejected.
    pub relation: Predicate,
}

/// The rejected relations of one transformation.
#[derive(Debug)]
pub(super) struct Review<'p> {
    rejected: Vec<&'p Predicate>,
    evaluator: Evaluator,
    /// The rejected relations that were found again.
    met: BTreeSet<usize>,
}

impl<'p> Review<'p> {
    /// The rejected relations of values, or of outcomes, that a plan names for a transformation.
    pub(super) fn of(plan: &'p Plan, transform: &Transform, observed: Observed) -> Review<'p> {
        let name = transform.describe().name;
        let rejected = plan
            .rejected
            .iter()
            .filter(|rejection| rejection.transformation == name && rejection.observed == observed);
        Review {
            rejected: rejected.map(|rejection| &rejection.relation).collect(),
            evaluator: Evaluator::new(Policy::default()),
            met: BTreeSet::new(),
        }
    }

    /// Which relations say something that is rejected.
    pub(super) fn says(&mut self, relations: &[Predicate], executions: &Executions) -> Vec<bool> {
        let schema = executions.table.schema();
        let says = |relation| self.is(&conjuncts(relation, schema), executions).contains(&true);
        relations.iter().map(says).collect()
    }

    /// Which relations are rejected, as far as rows tell.
    pub(super) fn is(&mut self, relations: &[Predicate], executions: &Executions) -> Vec<bool> {
        if self.rejected.is_empty() {
            return vec![false; relations.len()];
        }
        let table = &executions.table;
        // Relations of values have no meaning on outcomes, nor the other way round.
        let fits = |relation: &Predicate| {
            Predicate::new(relation.nodes().to_vec().into(), table.schema()).is_ok()
        };
        let fitting = self.rejected.iter().enumerate().filter(|(_, relation)| fits(relation));
        let rejected: Vec<(usize, Mask)> = fitting
            .map(|(number, relation)| (number, self.evaluator.mask(relation, table)))
            .collect();
        let is_rejected = |relation: &Predicate| {
            let mask = self.evaluator.mask(relation, table);
            let known = rejected.iter().find(|(_, rejected)| *rejected == mask);
            self.met.extend(known.map(|(number, _)| *number));
            known.is_some()
        };
        relations.iter().map(is_rejected).collect()
    }

    /// How many of the rejected relations were found again.
    pub(super) fn met(&self) -> usize {
        self.met.len()
    }
}

/// What a relation joins by `and`; else the relation itself.
fn conjuncts(relation: &Predicate, schema: &Schema) -> Vec<Predicate> {
    let (mut parts, mut todo) = (Vec::new(), vec![relation.nodes()]);
    while let Some(nodes) = todo.pop() {
        match nodes.split_last() {
            Some((Node::Op(Op::And), operands)) => {
                let right = subtree(operands, operands.len() - 1).start;
                todo.extend([&operands[right..], &operands[..right]]);
            }
            _ => {
                let part = Predicate::new(Expr(nodes.to_vec()), schema);
                parts.push(part.expect("a conjunct is a relation"));
            }
        }
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::claims::relation;
    use crate::executions::power;
    use crate::transform::Instance;

    #[test]
    fn a_rejected_relation_is_known_in_other_words_and_what_says_more_or_less_is_not() {
        let executions = power::executions();
        let schema = executions.table.schema();
        let read = |text: &str| relation::read(text, schema).unwrap();
        let name = "NumericAddition(-1) on e";
        let transform = name.parse::<Instance>().unwrap().bind(&executions.signature).unwrap();
        let rejection = |transformation: &str, text: &str| Rejection {
            transformation: transformation.to_owned(),
            observed: Observed::Values,
            relation: read(text),
        };
        let rejected = vec![
            rejection(name, "out_s == k_s * out_f"),
            rejection("NumericAddition(1) on e", "e_f < e_s"),
        ];
        let plan = Plan { rejected, ..Plan::default() };
        let mut review = Review::of(&plan, &transform, Observed::Values);
        let asked = [
            "out_f * k_s == out_s",
            "not (out_s != out_f * k_f)",
            "out_s >= k_s * out_f",
            "out_f < 7 and (out_f != 5 and out_s == k_s * out_f)",
            "e_f < e_s",
        ]
        .map(read);
        assert_eq!(review.is(&asked, &executions), [true, true, false, false, false]);
        assert_eq!(review.says(&asked, &executions), [true, true, false, true, false]);
        assert_eq!(review.met(), 1);
        let mut of_outcomes = Review::of(&plan, &transform, Observed::Outcomes);
        assert_eq!(of_outcomes.is(&asked, &executions), [false; 5]);
        let none = Plan::default();
        let mut none = Review::of(&none, &transform, Observed::Values);
        assert_eq!(none.says(&asked, &executions), [false; 5]);
        assert_eq!((none.is(&asked, &executions), none.met()), (vec![false; 5], 0));
    }
}
