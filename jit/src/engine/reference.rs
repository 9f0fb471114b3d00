//! Row by row, straight from `op.rs`: slow, obvious, and the judge of every other tier.

use crate::expr::{Node, Predicate};
use crate::mask::{Mask, WORD};
use crate::op::Value;
use crate::table::Table;

/// Where a predicate holds.
pub fn evaluate(predicate: &Predicate, table: &Table) -> Mask {
    let mut mask = Mask::empty(table.layout());
    evaluate_into(predicate, table, &mut mask);
    mask
}

pub(crate) fn evaluate_into(predicate: &Predicate, table: &Table, mask: &mut Mask) {
    mask.fill(table.layout(), |words| {
        words.fill(0);
        for row in 0..table.rows() {
            let position = table.layout().position(row);
            words[position / WORD] |= u64::from(holds(predicate, table, row)) << (position % WORD);
        }
    });
}

/// Whether a predicate holds on one row.
///
/// # Panics
/// If there is no such row, or the predicate was made for another schema.
pub fn holds(predicate: &Predicate, table: &Table, row: usize) -> bool {
    let mut stack: Vec<Value<'static>> = Vec::new();
    for &node in predicate.nodes() {
        let value = match node {
            Node::Num(value) => Value::Num(value),
            Node::Bool(value) => Value::Bool(value),
            Node::Var(var) => table.value(var, row),
            Node::Op(op) => {
                let operands = stack.split_off(stack.len() - op.arity());
                op.apply(&operands, table.tolerance())
            }
        };
        stack.push(value);
    }
    match stack[..] {
        [Value::Bool(value)] => value,
        _ => unreachable!("a predicate is one Bool"),
    }
}
