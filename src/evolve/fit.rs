//! Constants read off the correct rows: the bound that an expression keeps, or the value it has.
//!
//! For `e <= c` the constant becomes the largest value that `e` has on some correct rows, for `e >= c` the
//! smallest; `e == c` becomes exact where `e` has one value, and a bound where it has several. What
//! comes out is a guess from a sample. Like every offspring it has to prove itself on all rows.

use std::sync::Arc;

use genmorph_jit::engine::scalar;
use genmorph_jit::{Class, Node, Op, Table, subtree};

use crate::support::numbers::NOTABLE;
use crate::support::seed::Rng;

/// The rows that constants are read off: those of the first group of a table.
#[derive(Debug)]
pub(crate) struct Fit {
    table: Arc<Table>,
}

impl Fit {
    /// Reads constants off the first group of a table.
    pub(crate) fn new(table: Arc<Table>) -> Fit {
        Fit { table }
    }

    /// Fits the constant at a place, if it is one side of a comparison; false if it is not, or the other
    /// side has no bounds.
    pub(crate) fn fit(&self, rng: &mut Rng, nodes: &mut [Node], at: usize) -> bool {
        let Some((comparison, other, is_right)) = sides(nodes, at) else { return false };
        let Node::Op(op) = nodes[comparison] else { return false };
        let Some((least, most)) = self.range(&nodes[other]) else { return false };
        let is_one = self.table.tolerance().eq(least, most);
        // As if the constant were on the right.
        let bound = match if is_right { op } else { mirrored(op) } {
            Op::NumEq if is_one => Op::NumEq,
            Op::NumEq => rng.pick(&[Op::Le, Op::Ge]),
            Op::Lt | Op::Le => Op::Le,
            Op::Gt | Op::Ge => Op::Ge,
            _ => return false,
        };
        let value = match bound {
            Op::Ge => self.plain(rng, least, -1.0),
            Op::Le => self.plain(rng, most, 1.0),
            _ => self.plain(rng, least, 0.0),
        };
        nodes[at] = Node::Num(value);
        nodes[comparison] = Node::Op(if is_right { bound } else { mirrored(bound) });
        true
    }

    /// A plain number for a value: an integer or a named constant if it is one, else perhaps one with
    /// two digits, on the side that leaves room.
    fn plain(&self, rng: &mut Rng, value: f64, side: f64) -> f64 {
        let named = NOTABLE.into_iter().flat_map(|named| [named, -named]);
        let known = std::iter::once(value.round() + 0.0).chain(named);
        if let Some(known) =
            known.into_iter().find(|known| self.table.tolerance().eq(*known, value))
        {
            return known;
        }
        let rounded = match side {
            1.0 => (value * 100.0).ceil() / 100.0,
            -1.0 => (value * 100.0).floor() / 100.0,
            _ => value,
        };
        if rng.chance(0.5) && rounded.is_finite() { rounded } else { value }
    }

    /// The least and the largest value of an expression, if all are finite.
    fn range(&self, nodes: &[Node]) -> Option<(f64, f64)> {
        let values = scalar::numbers(nodes, &self.table, 0)?;
        let least = values.iter().copied().fold(f64::INFINITY, f64::min);
        let most = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let known = values.iter().all(|value| value.is_finite()) && !values.is_empty();
        known.then_some((least, most))
    }
}

/// The comparison that a constant is a side of, the other side, and whether the constant is the right one.
fn sides(nodes: &[Node], at: usize) -> Option<(usize, std::ops::Range<usize>, bool)> {
    let compares = |i: usize| match nodes.get(i) {
        Some(Node::Op(op)) => {
            matches!(op.class(), Class::Comparison(_)) && !matches!(op, Op::SeqEq | Op::SeqNe)
        }
        Some(Node::Var(_) | Node::Num(_) | Node::Bool(_)) | None => false,
    };
    if compares(at + 1) && at > 0 {
        return Some((at + 1, subtree(nodes, at - 1), true));
    }
    let comparison =
        (at + 2..nodes.len()).find(|&i| compares(i) && subtree(nodes, i - 1).start == at + 1)?;
    Some((comparison, at + 1..comparison, false))
}

/// The operator for exchanged sides, or the same where there is none.
fn mirrored(op: Op) -> Op {
    op.mirrored().unwrap_or(op)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evolve::example;
    use crate::support::seed::Seed;
    use genmorph_jit::{Expr, Predicate, parse};

    /// Every form that the constants of a relation are fitted to.
    fn fitted(text: &str) -> Vec<String> {
        let executions = example::power();
        let schema = executions.table.schema();
        let fit = Fit::new(Arc::clone(&executions.table));
        let mut forms = Vec::new();
        for seed in 0..40 {
            let mut rng = Seed(seed).stream("test").rng();
            let mut nodes = parse(text, schema).unwrap().nodes().to_vec();
            let at = nodes.iter().position(|node| matches!(node, Node::Num(_))).unwrap();
            if fit.fit(&mut rng, &mut nodes, at) {
                let relation = Predicate::new(Expr(nodes), schema).unwrap();
                forms.push(relation.display(schema).to_string());
            }
        }
        forms.sort();
        forms.dedup();
        forms
    }

    #[test]
    fn bounds_and_values_are_read_off_the_rows() {
        assert_eq!(fitted("e_s < 3"), ["e_s <= 7"]);
        assert_eq!(fitted("3 < e_s"), ["1 <= e_s"]);
        assert_eq!(fitted("e_s == 3"), ["e_s <= 7", "e_s >= 1"]);
        assert_eq!(fitted("e_f - e_s == 3"), ["e_f - e_s == -1"]);
        assert_eq!(
            fitted("k_s == k_s and 2 >= k_s / 3"),
            ["k_s == k_s and 3.3333333333333335 >= k_s / 3", "k_s == k_s and 3.34 >= k_s / 3"]
        );
        assert_eq!(fitted("out_s * 2 == k_s"), [""; 0]);
        assert_eq!(fitted("e_s != 3"), [""; 0]);
    }
}
