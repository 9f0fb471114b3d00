//! The values of all parameters of a function: rows of them, drawn at random or tried first.

use genmorph_jit::Value;

use super::error::InputsError;
use super::row::Row;
use super::space::Space;
use crate::subject::{Constant, Parameter};
use crate::support::seed::Rng;

/// The values of all parameters of a function.
#[derive(Clone, Debug)]
pub(super) struct Spaces(pub(super) Vec<Space>);

impl Spaces {
    /// The values of the parameters of a function whose code has these constants.
    ///
    /// # Errors
    /// When the domain of a parameter has no values.
    pub(super) fn new(
        parameters: &[Parameter],
        constants: &[Constant],
    ) -> Result<Spaces, InputsError> {
        let spaces = parameters.iter().map(|parameter| Space::new(parameter, constants));
        spaces.collect::<Result<_, _>>().map(Spaces)
    }

    /// Replaces -0 by 0 in integers, which have no -0.
    pub(super) fn tidy(&self, row: &mut Row) {
        let integers = |(space, _): &(&Space, _)| !space.has_fractions();
        for (_, value) in self.0.iter().zip(row).filter(integers) {
            match value {
                Value::Num(number) => *number += 0.0,
                Value::Bool(_) => {}
                Value::Seq(elements) if elements.iter().any(|e| e.to_bits() == 1 << 63) => {
                    elements.to_mut().iter_mut().for_each(|element| *element += 0.0);
                }
                Value::Seq(_) => {}
            }
        }
    }

    /// Draws a row at random.
    pub(super) fn row(&self, rng: &mut Rng) -> Row {
        let mut row: Row = self.0.iter().map(|space| space.value(rng)).collect();
        if row.len() > 1 && rng.chance(0.25) {
            super::vary::relate(self, &mut row, rng);
        }
        row
    }

    /// The first rows to try: special values of each parameter, alone and together.
    pub(super) fn first(&self, most: usize, rng: &mut Rng) -> Vec<Row> {
        let values: Vec<Vec<Value<'static>>> =
            self.0.iter().map(|space| space.first(rng)).collect();
        let mut rows = Vec::new();
        let times = if self.0.len() > 1 { 3 } else { 1 };
        for (i, values) in values.iter().enumerate() {
            for value in values {
                for _ in 0..times {
                    let mut row = self.row(rng);
                    row[i] = value.clone();
                    rows.push(row);
                }
            }
        }
        if self.0.len() > 1 && values.iter().all(|values| !values.is_empty()) {
            let together = most.saturating_sub(rows.len()).min(2 * rows.len());
            rows.extend((0..together).map(|_| {
                values.iter().map(|values| values[rng.below(values.len())].clone()).collect()
            }));
        }
        rows.truncate(most);
        rows
    }
}
