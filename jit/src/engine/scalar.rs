//! Values out: what an expression is on a row or on the rows of a group, not only whether it holds.
//!
//! Everything here comes from `op.rs` through a fold, like the reference tier, which is one of its users.
//! For whoever needs numbers (a bound to fit, an example to show) or another kind of truth (a distance) and
//! not the bits of thousands of relations.

use std::borrow::Cow;

use crate::expr::{Leaf, Node, Operands, Predicate, fold};
use crate::mask::WORD;
use crate::op::{Class, ComparisonOp, LogicOp, MeasureOp, TestOp, Value};
use crate::schema::Var;
use crate::table::{Extreme, SeqColumn, StoredColumn, Table};
use crate::tolerance::Tolerance;

/// The value of an expression, given those of its variables.
///
/// # Panics
/// If the nodes are not one well-typed expression, or a variable has a value of another type.
pub fn value<'v>(
    nodes: &[Node],
    tolerance: &Tolerance,
    mut variable: impl FnMut(Var) -> Value<'v>,
) -> Value<'v> {
    fold(
        nodes,
        |leaf| match leaf {
            Leaf::Var(var) => variable(var),
            Leaf::Num(value) => Value::Num(value),
            Leaf::Bool(value) => Value::Bool(value),
        },
        |op, operands| op.apply(operands.as_slice(), tolerance),
    )
}

/// What takes the place of true and false in [`truth`].
pub trait Truths {
    /// A truth: how far a relation is from being false, for instance.
    type Truth;

    /// A truth value that is known: a constant, or the value of a variable.
    fn known(&self, truth: bool) -> Self::Truth;

    /// A comparison of two numbers or two sequences.
    fn compare(&self, op: ComparisonOp, a: &Value<'_>, b: &Value<'_>) -> Self::Truth;

    /// A test of one sequence or two; of one, both are that one.
    fn test(&self, op: TestOp, s: &[f64], t: &[f64]) -> Self::Truth;

    /// A logical operator on other truths: one for `not`, else two.
    fn combine(&self, op: LogicOp, operands: Operands<Self::Truth>) -> Self::Truth;
}

/// The truth of a predicate, given the values of its variables: values up to the comparisons, truths of
/// another kind from there on.
///
/// # Panics
/// If a variable has a value of another type than in the predicate's schema.
pub fn truth<'v, T: Truths>(
    predicate: &Predicate,
    tolerance: &Tolerance,
    truths: &T,
    mut variable: impl FnMut(Var) -> Value<'v>,
) -> T::Truth {
    enum Item<'v, T> {
        Value(Value<'v>),
        Truth(T),
    }
    const TYPED: &str = "a predicate is well-typed: another schema?";
    let into_value = |item| match item {
        Item::Value(value) => value,
        Item::Truth(_) => unreachable!("{TYPED}"),
    };
    let into_truth = |item| match item {
        Item::Truth(truth) => truth,
        Item::Value(_) => unreachable!("{TYPED}"),
    };
    let root = predicate.fold(
        |leaf| match leaf {
            Leaf::Num(value) => Item::Value(Value::Num(value)),
            Leaf::Bool(value) => Item::Truth(truths.known(value)),
            Leaf::Var(var) => match variable(var) {
                Value::Bool(value) => Item::Truth(truths.known(value)),
                value @ (Value::Num(_) | Value::Seq(_)) => Item::Value(value),
            },
        },
        |op, operands| match op.class() {
            Class::Comparison(op) => match operands.map(into_value) {
                Operands::Two([a, b]) => Item::Truth(truths.compare(op, &a, &b)),
                Operands::One(_) => unreachable!("{TYPED}"),
            },
            Class::Logic(op) => Item::Truth(truths.combine(op, operands.map(into_truth))),
            Class::Test(op) => match operands.map(into_value).as_slice() {
                [Value::Seq(s)] => Item::Truth(truths.test(op, s, s)),
                [Value::Seq(s), Value::Seq(t)] => Item::Truth(truths.test(op, s, t)),
                operands => unreachable!("{TYPED} {operands:?}"),
            },
            Class::Arithmetic(_) | Class::Measure(_) | Class::Lookup(_) | Class::Sequence(_) => {
                Item::Value(op.apply(operands.map(into_value).as_slice(), tolerance))
            }
        },
    );
    into_truth(root)
}

/// The numbers that an expression has on the rows of a group of a table; `None` if it is no number, or
/// works on sequences other than to measure a variable.
///
/// # Panics
/// If there is no such group, or the nodes are not one expression over the schema of the table.
pub fn numbers(nodes: &[Node], table: &Table, group: usize) -> Option<Vec<f64>> {
    let group = &table.layout().groups()[group];
    let first = group.first_word * WORD;
    let rows = first..first + group.rows;
    let column = |values| Some(Item::Numbers(Cow::Borrowed(values)));
    let root = fold(
        nodes,
        |leaf| match leaf {
            Leaf::Num(value) => Some(Item::Numbers(vec![value; group.rows].into())),
            Leaf::Bool(_) => None,
            Leaf::Var(var) => match table.column(var) {
                StoredColumn::Num(numbers) => column(&numbers.values()[rows.clone()]),
                StoredColumn::Seq(sequences) => Some(Item::Sequences(sequences)),
                StoredColumn::Bool(_) => None,
            },
        },
        |op, operands| match (op.class(), operands) {
            (Class::Arithmetic(op), Operands::One([a])) => {
                let Some(Item::Numbers(mut a)) = a else { return None };
                a.to_mut().iter_mut().for_each(|a| *a = op.apply(*a, *a, table.tolerance()));
                Some(Item::Numbers(a))
            }
            (Class::Arithmetic(op), Operands::Two([a, b])) => {
                let (Some(Item::Numbers(mut a)), Some(Item::Numbers(b))) = (a, b) else {
                    return None;
                };
                let pairs = a.to_mut().iter_mut().zip(b.iter());
                pairs.for_each(|(a, b)| *a = op.apply(*a, *b, table.tolerance()));
                Some(Item::Numbers(a))
            }
            (Class::Measure(op), Operands::One([Some(Item::Sequences(sequences))])) => {
                let extreme =
                    |extreme| &sequences.extremes(table).column(extreme).values()[rows.clone()];
                column(match op {
                    MeasureOp::Length => &sequences.length.values()[rows.clone()],
                    MeasureOp::Sum => &sequences.sum.values()[rows.clone()],
                    MeasureOp::First => extreme(Extreme::First),
                    MeasureOp::Last => extreme(Extreme::Last),
                    MeasureOp::Least => extreme(Extreme::Least),
                    MeasureOp::Greatest => extreme(Extreme::Greatest),
                })
            }
            (Class::Measure(_), Operands::One(_) | Operands::Two(_))
            | (
                Class::Comparison(_)
                | Class::Logic(_)
                | Class::Lookup(_)
                | Class::Test(_)
                | Class::Sequence(_),
                _,
            ) => None,
        },
    );
    match root {
        Some(Item::Numbers(numbers)) => Some(numbers.into_owned()),
        Some(Item::Sequences(_)) | None => None,
    }
}

/// A part of an expression of numbers, on some rows.
enum Item<'t> {
    Numbers(Cow<'t, [f64]>),
    Sequences(&'t SeqColumn),
}
