//! The values of terms on rows, column by column.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};

use genmorph_jit::{Class, Op, Table, Tolerance, Value, Var};

/// What a term is on every row.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Values {
    Num(Vec<f64>),
    Bool(Vec<bool>),
    /// Numbers of sequences in an [`Interner`].
    Seq(Vec<u32>),
}

impl Values {
    /// A hash that equal values share; zeros have no sign, and NaN no payload.
    pub(super) fn hash(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        match self {
            Values::Num(values) => values.iter().for_each(|x| bits(*x).hash(&mut hasher)),
            Values::Bool(values) => values.hash(&mut hasher),
            Values::Seq(values) => values.hash(&mut hasher),
        }
        hasher.finish()
    }

    /// Whether two terms have the same value on every row.
    pub(super) fn are_same(&self, other: &Values) -> bool {
        match (self, other) {
            (Values::Num(a), Values::Num(b)) => a.iter().zip(b).all(|(a, b)| bits(*a) == bits(*b)),
            (Values::Bool(_) | Values::Seq(_), _) => self == other,
            (Values::Num(_), Values::Bool(_) | Values::Seq(_)) => false,
        }
    }

    pub(super) fn numbers(&self) -> Option<&[f64]> {
        match self {
            Values::Num(values) => Some(values),
            Values::Bool(_) | Values::Seq(_) => None,
        }
    }

    pub(super) fn truths(&self) -> Option<&[bool]> {
        match self {
            Values::Bool(values) => Some(values),
            Values::Num(_) | Values::Seq(_) => None,
        }
    }

    pub(super) fn sequences(&self) -> Option<&[u32]> {
        match self {
            Values::Seq(values) => Some(values),
            Values::Num(_) | Values::Bool(_) => None,
        }
    }
}

/// The bits of a number, without the sign of a zero and the payload of a NaN.
fn bits(x: f64) -> u64 {
    if x.is_nan() { f64::NAN.to_bits() } else { (x + 0.0).to_bits() }
}

/// Sequences by number: equal numbers are equal sequences.
#[derive(Debug, Default)]
pub(super) struct Interner {
    known: HashMap<Vec<u64>, u32>,
    sequences: Vec<Vec<f64>>,
}

impl Interner {
    fn number(&mut self, sequence: &[f64]) -> u32 {
        let key: Vec<u64> = sequence.iter().map(|x| bits(*x)).collect();
        let next = self.sequences.len() as u32;
        *self.known.entry(key).or_insert_with(|| {
            self.sequences.push(sequence.to_vec());
            next
        })
    }

    /// Whether two sequences are equal by a tolerance.
    pub(super) fn are_equal(&self, a: u32, b: u32, tolerance: &Tolerance) -> bool {
        a == b || tolerance.seq_eq(&self.sequences[a as usize], &self.sequences[b as usize])
    }

    /// A variable on the given rows of a table.
    pub(super) fn variable(&mut self, table: &Table, var: Var, rows: &[usize]) -> Values {
        let values: Vec<Value<'static>> = rows.iter().map(|&row| table.value(var, row)).collect();
        self.values(&values)
    }

    /// Values of one type as a column.
    fn values(&mut self, values: &[Value<'_>]) -> Values {
        match values.first() {
            Some(Value::Bool(_)) => {
                Values::Bool(values.iter().map(|v| *v == Value::Bool(true)).collect())
            }
            Some(Value::Seq(_)) => Values::Seq(
                values
                    .iter()
                    .map(|value| match value {
                        Value::Seq(sequence) => self.number(sequence),
                        Value::Num(_) | Value::Bool(_) => unreachable!("a column has one type"),
                    })
                    .collect(),
            ),
            Some(Value::Num(_)) | None => Values::Num(
                values
                    .iter()
                    .map(|value| match value {
                        Value::Num(number) => *number,
                        Value::Bool(_) | Value::Seq(_) => unreachable!("a column has one type"),
                    })
                    .collect(),
            ),
        }
    }

    /// An operator on columns.
    ///
    /// # Panics
    /// If the operands do not have the types of the operator.
    pub(super) fn apply(&mut self, op: Op, operands: &[&Values], tolerance: &Tolerance) -> Values {
        if let (Class::Arithmetic(op), Some(Values::Num(a))) = (op.class(), operands.first()) {
            let b = operands.last().and_then(|values| values.numbers()).expect("numbers");
            return Values::Num(
                a.iter().zip(b).map(|(a, b)| op.apply(*a, *b, tolerance)).collect(),
            );
        }
        let rows = match operands[0] {
            Values::Num(values) => values.len(),
            Values::Bool(values) => values.len(),
            Values::Seq(values) => values.len(),
        };
        let value = |values: &Values, row: usize| match values {
            Values::Num(values) => Value::Num(values[row]),
            Values::Bool(values) => Value::Bool(values[row]),
            Values::Seq(values) => Value::Seq(self.sequences[values[row] as usize].clone().into()),
        };
        let results: Vec<Value<'static>> = (0..rows)
            .map(|row| {
                let operands: Vec<Value<'static>> =
                    operands.iter().map(|values| value(values, row)).collect();
                op.apply(&operands, tolerance)
            })
            .collect();
        self.values(&results)
    }
}
