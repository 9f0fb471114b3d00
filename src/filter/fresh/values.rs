//! The values that a parameter may have, and what fresh ones are drawn from: its type, its domain, the function's constants, values that
//! were seen.

use genmorph_jit::{Column, Value};

use super::sequences::LONGEST;
use super::special::SPECIAL;
use crate::subject::{Constant, Domain, Parameter, Scalar, Type};
use crate::support::seed::Rng;

/// What values of a parameter are drawn from.
pub(super) struct Values<'o> {
    pub(super) parameter: &'o Parameter,
    pub(super) scalar: Scalar,
    pub(super) column: &'o Column,
    /// Ends of the domain, or of the type; infinite for floats.
    pub(super) least: f64,
    pub(super) most: f64,
    /// Whether numbers may be anything that the type has.
    pub(super) is_free: bool,
    pub(super) shortest: usize,
    pub(super) longest: usize,
    pub(super) alphabet: Option<Vec<f64>>,
    /// Special numbers of the type, and constants with their neighbours: all are allowed.
    pub(super) special: Vec<f64>,
    pub(super) harvested: Vec<f64>,
}

impl<'o> Values<'o> {
    pub(super) fn new(
        parameter: &'o Parameter,
        constants: &[Constant],
        column: &'o Column,
    ) -> Values<'o> {
        let scalar = parameter.ty.scalar();
        let Domain { range, also, max_len, min_len, alphabet } = &parameter.domain;
        let (low, high) = scalar.integers().unwrap_or((f64::NEG_INFINITY, f64::INFINITY));
        let (least, most) = range.unwrap_or((low, high));
        let (mut least, mut most) = (least.max(low), most.min(high));
        if scalar.integers().is_some() {
            (least, most) = (least.ceil(), most.floor());
        }
        let shortest = min_len.unwrap_or(0);
        let mut values = Values {
            parameter,
            scalar,
            column,
            least,
            most,
            is_free: range.is_none(),
            shortest,
            longest: max_len.unwrap_or(LONGEST.max(shortest)).max(shortest),
            alphabet: None,
            special: Vec::new(),
            harvested: Vec::new(),
        };
        if let Some(alphabet) = alphabet
            && (scalar == Scalar::Char || !matches!(parameter.ty, Type::Scalar(_)))
        {
            let codes = alphabet.iter().map(|&c| f64::from(u32::from(c)));
            values.alphabet = Some(codes.filter(|&code| values.admits(code)).collect());
        }
        let special = SPECIAL.iter().copied().chain([least, most, least + 1.0, most - 1.0]);
        let special = special.chain(also.iter().copied());
        values.special = special.filter(|&number| values.admits(number)).collect();
        let around = constants.iter().flat_map(|c| [c.value, c.value + 1.0, c.value - 1.0]);
        values.harvested = around.filter(|&number| values.admits(number)).collect();
        values
    }

    pub(super) fn admits(&self, number: f64) -> bool {
        let odd = self.is_free && number.is_nan() || self.parameter.domain.names(number);
        let within = (self.least..=self.most).contains(&number) || odd;
        let spelled = self.alphabet.as_ref().is_none_or(|codes| codes.contains(&number));
        within && spelled && self.scalar.admits(number)
    }

    /// The value of a row that was seen.
    pub(super) fn seen(&self, row: usize) -> Value<'static> {
        match self.column {
            Column::Num(values) => Value::Num(values[row]),
            Column::Bool(values) => Value::Bool(values[row]),
            Column::Seq(values) => Value::Seq(values.get(row).to_vec().into()),
        }
    }

    pub(super) fn draw(&self, rng: &mut Rng) -> Value<'static> {
        match self.parameter.ty {
            Type::Scalar(Scalar::Bool) => Value::Bool(rng.next() & 1 == 1),
            Type::Scalar(_) => Value::Num(self.number(rng)),
            Type::String | Type::List(_) => Value::Seq(self.sequence(rng).into()),
        }
    }
}
