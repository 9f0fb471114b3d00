//! Row by row, straight from `op.rs`: slow, obvious, and the judge of every other tier.

use super::scalar;
use crate::expr::Predicate;
use crate::mask::{Mask, WORD};
use crate::op::Value;
use crate::table::{Column, Table};
use crate::term::Term;

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
    match scalar::value(predicate.nodes(), table.tolerance(), |var| table.value(var, row)) {
        Value::Bool(value) => value,
        Value::Num(_) | Value::Seq(_) => unreachable!("a predicate is one Bool"),
    }
}

/// The values of a term on every row, in order.
///
/// # Panics
/// If the term was made for another schema.
pub fn values(term: &Term, table: &Table) -> Column {
    let mut values = Column::empty(term.ty());
    for row in 0..table.rows() {
        let variable = |var| table.value(var, row);
        values.push(&scalar::value(term.nodes(), table.tolerance(), variable));
    }
    values
}
