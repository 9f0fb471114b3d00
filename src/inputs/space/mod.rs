//! The values that a parameter may have. Knows nothing of what the function does with them; how they are drawn is `draw.rs`.

mod draw;
mod special;

use super::error::InputsError;
use crate::subject::{Constant, Domain, Parameter, Scalar, Type};

/// The longest sequence that is drawn if the domain has no bound.
const LONG: usize = 300;

/// The values of one parameter.
#[derive(Clone, Debug)]
pub(super) struct Space {
    pub(super) parameter: Parameter,
    scalar: Scalar,
    /// Bounds of all numbers or elements; infinite for floats without a domain.
    least: f64,
    most: f64,
    shortest: usize,
    longest: usize,
    /// The only allowed elements, if the domain has an alphabet.
    alphabet: Option<Vec<f64>>,
    /// Constants of the function, their neighbours and negatives.
    constants: Vec<f64>,
    /// The ends of the type and of the domain, and special values in between.
    limits: Vec<f64>,
    /// Lengths that the constants suggest.
    lengths: Vec<usize>,
    /// Some number that is allowed.
    one: f64,
}

impl Space {
    /// The values of a parameter of a function whose code has these constants.
    ///
    /// # Errors
    /// When the domain has no values.
    pub(super) fn new(parameter: &Parameter, constants: &[Constant]) -> Result<Space, InputsError> {
        let scalar = parameter.ty.scalar();
        let Domain { range, max_len, min_len, alphabet, .. } = &parameter.domain;
        let whole = scalar.integers().unwrap_or((f64::NEG_INFINITY, f64::INFINITY));
        // A truth value has two values, whatever the domain says.
        let range = if parameter.ty == Type::Scalar(Scalar::Bool) { None } else { *range };
        let (least, most) = range.unwrap_or(whole);
        let (mut least, mut most) = (least.max(whole.0), most.min(whole.1));
        if scalar.integers().is_some() {
            (least, most) = (least.ceil(), most.floor());
        }
        let shortest = min_len.unwrap_or(0);
        let mut space = Space {
            parameter: parameter.clone(),
            scalar,
            least,
            most,
            shortest,
            longest: max_len.unwrap_or(LONG.max(shortest.saturating_add(20))),
            alphabet: None,
            constants: Vec::new(),
            limits: Vec::new(),
            lengths: Vec::new(),
            one: 0.0,
        };
        if let Some(alphabet) = alphabet
            && (scalar == Scalar::Char || space.is_sequence())
        {
            let codes = alphabet.iter().map(|&c| f64::from(u32::from(c)));
            space.alphabet = Some(codes.filter(|&code| space.admits(code)).collect());
        }
        let nothing = || InputsError::Domain { parameter: Box::new(parameter.clone()) };
        if space.is_sequence() && space.shortest > space.longest {
            return Err(nothing());
        }
        space.limits = space.find_limits();
        match space.limits.first() {
            Some(&one) => space.one = one,
            None if space.is_sequence() && space.shortest == 0 => space.longest = 0,
            None => return Err(nothing()),
        }
        space.find_constants(constants);
        Ok(space)
    }

    fn is_sequence(&self) -> bool {
        !matches!(self.parameter.ty, Type::Scalar(_))
    }

    /// Whether elements are characters.
    pub(super) fn has_characters(&self) -> bool {
        self.scalar == Scalar::Char
    }

    /// Whether a number may be a value, or an element of one.
    pub(super) fn admits(&self, number: f64) -> bool {
        let domain = &self.parameter.domain;
        let odd = number.is_nan() && domain.range.is_none() || domain.names(number);
        let within = (self.least..=self.most).contains(&number) || odd;
        let spelled = self.alphabet.as_ref().is_none_or(|codes| codes.contains(&number));
        within && spelled && self.scalar.admits(number)
    }

    /// Rounds a number to the type: to an integer, or to 24 bits.
    fn rounded(&self, number: f64) -> f64 {
        match self.scalar {
            Scalar::F64 => number,
            Scalar::F32 => f64::from(number as f32),
            _ => number.round(),
        }
    }

    /// Whether a sequence may have this length.
    pub(super) fn fits(&self, length: usize) -> bool {
        (self.shortest..=self.longest).contains(&length)
    }

    /// The largest step that is worth trying.
    pub(super) fn span(&self) -> f64 {
        (self.most - self.least).min(1e18)
    }

    /// Whether the type has fractions.
    pub(super) fn has_fractions(&self) -> bool {
        matches!(self.scalar, Scalar::F32 | Scalar::F64)
    }
}
