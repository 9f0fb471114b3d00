//! Columns as a caller brings them.

use crate::op::{Type, Value};

/// The values of one variable, one per row.
#[derive(Clone, Debug, PartialEq)]
pub enum Column {
    /// A number per row.
    Num(Vec<f64>),
    /// A truth value per row.
    Bool(Vec<bool>),
    /// A sequence per row.
    Seq(Sequences),
}

impl Column {
    /// The number of rows.
    pub fn len(&self) -> usize {
        match self {
            Column::Num(values) => values.len(),
            Column::Bool(values) => values.len(),
            Column::Seq(values) => values.len(),
        }
    }

    /// Whether there are no rows.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The type of the values.
    pub fn ty(&self) -> Type {
        match self {
            Column::Num(_) => Type::Num,
            Column::Bool(_) => Type::Bool,
            Column::Seq(_) => Type::Seq,
        }
    }

    /// Appends a value of the column's type.
    ///
    /// # Panics
    /// If it has another type.
    pub fn push(&mut self, value: &Value<'_>) {
        match (self, value) {
            (Column::Num(column), Value::Num(value)) => column.push(*value),
            (Column::Bool(column), Value::Bool(value)) => column.push(*value),
            (Column::Seq(column), Value::Seq(value)) => column.push(value.iter().copied()),
            (column, value) => panic!("a {} among {}s", value.ty(), column.ty()),
        }
    }

    /// An empty column of a type.
    pub fn empty(ty: Type) -> Column {
        match ty {
            Type::Num => Column::Num(Vec::new()),
            Type::Bool => Column::Bool(Vec::new()),
            Type::Seq => Column::Seq(Sequences::default()),
        }
    }
}

/// Sequences end to end: all elements in one vector, and where each sequence ends.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Sequences {
    elements: Vec<f64>,
    ends: Vec<usize>,
}

impl Sequences {
    /// Appends a sequence with these elements.
    pub fn push(&mut self, sequence: impl IntoIterator<Item = f64>) {
        self.elements.extend(sequence);
        self.ends.push(self.elements.len());
    }

    /// Appends a text as its Unicode scalar values.
    pub fn push_text(&mut self, text: &str) {
        self.push(text.chars().map(|c| f64::from(u32::from(c))));
    }

    /// The number of sequences.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The sequence at an index.
    ///
    /// # Panics
    /// If there is none.
    pub fn get(&self, i: usize) -> &[f64] {
        let start = if i == 0 { 0 } else { self.ends[i - 1] };
        &self.elements[start..self.ends[i]]
    }

    /// All sequences in order.
    pub fn iter(&self) -> impl Iterator<Item = &[f64]> {
        (0..self.len()).map(|i| self.get(i))
    }
}

impl<S: IntoIterator<Item = f64>> FromIterator<S> for Sequences {
    fn from_iter<I: IntoIterator<Item = S>>(sequences: I) -> Self {
        let mut all = Sequences::default();
        for sequence in sequences {
            all.push(sequence);
        }
        all
    }
}
