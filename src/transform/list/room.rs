//! Whether a transformation can lead from one value of a parameter's type and domain to another.

use crate::subject::{Parameter, Scalar, Signature, Type};
use crate::transform::{Instance, Template, TransformError};

/// The least and the greatest value of a numeric parameter.
pub(super) fn bounds(parameter: &Parameter, scalar: Scalar) -> (f64, f64) {
    let (least, most) = scalar.integers().unwrap_or((f64::NEG_INFINITY, f64::INFINITY));
    let (low, high) = parameter.domain.range.unwrap_or((least, most));
    (least.max(low), most.min(high))
}

/// Whether adding the constant can lead from one allowed value to another.
pub(super) fn adds(parameter: &Parameter, scalar: Scalar, c: f64) -> bool {
    let (least, most) = bounds(parameter, scalar);
    c != 0.0 && is_representable(scalar, c) && c.abs() <= most - least
}

/// Whether multiplying by the constant can lead from one allowed value to another.
pub(super) fn multiplies(parameter: &Parameter, scalar: Scalar, c: f64) -> bool {
    let (least, most) = bounds(parameter, scalar);
    if c == 1.0 || !is_representable(scalar, c) {
        return false;
    }
    let (a, b) = if c == 0.0 {
        if !(least..=most).contains(&0.0) {
            return false;
        }
        (least, most)
    } else {
        // Values between these have a product within the bounds.
        let (a, b) = (least / c, most / c);
        (least.max(a.min(b)), most.min(a.max(b)))
    };
    let (a, b) = if scalar.integers().is_some() { (a.ceil(), b.floor()) } else { (a, b) };
    // Multiplying 0 changes nothing, so 0 alone does not count.
    a <= b && (a != 0.0 || b != 0.0)
}

/// Whether a sum or product with this constant can be a value of the type: for integers, no fractions.
pub(super) fn is_representable(scalar: Scalar, c: f64) -> bool {
    match scalar {
        Scalar::F64 => true,
        Scalar::F32 => f64::from(c as f32) == c,
        _ => c.fract() == 0.0,
    }
}

/// Whether subtracting from the constant can lead from one allowed value to another.
pub(super) fn complements(parameter: &Parameter, scalar: Scalar, c: f64) -> bool {
    let (least, most) = bounds(parameter, scalar);
    is_representable(scalar, c) && c - most <= most && c - least >= least
}

/// Whether an element can be added to an allowed sequence.
pub(super) fn grows(parameter: &Parameter) -> bool {
    let least = parameter.domain.min_len.unwrap_or(0);
    parameter.domain.max_len.is_none_or(|most| least < most)
}

/// Whether a sequence can be joined with itself.
pub(super) fn doubles(parameter: &Parameter) -> bool {
    let least = parameter.domain.min_len.unwrap_or(0).max(1);
    parameter.domain.max_len.is_none_or(|most| 2 * least <= most)
}

/// Whether an allowed sequence can have the number as its element.
pub(super) fn holds(parameter: &Parameter, number: f64) -> bool {
    let ty = Type::Scalar(parameter.ty.scalar());
    let element = Parameter { ty, ..parameter.clone() };
    match ty {
        Type::Scalar(Scalar::Bool) => number == 0.0 || number == 1.0,
        _ => element.admits(&genmorph_jit::Value::Num(number)),
    }
}

/// Refuses a transformation by a constant that leads from no value of a parameter to another one, such as
/// `NumericAddition(1.5)` on an integer.
///
/// # Errors
/// When there is no such value.
pub fn check(instance: &Instance, signature: &Signature) -> Result<(), TransformError> {
    let Some(c) = instance.template.operand().and_then(|operand| operand.constant()) else {
        return Ok(());
    };
    for parameter in signature.parameters.iter().filter(|p| instance.parameters.contains(&p.name)) {
        let scalar = parameter.ty.scalar();
        let leads = match &instance.template {
            Template::NumericAddition(_) | Template::SequenceAdd(_) => adds(parameter, scalar, c),
            Template::NumericMultiplication(_) | Template::SequenceMultiply(_) => {
                multiplies(parameter, scalar, c)
            }
            Template::NumericComplement(_) => complements(parameter, scalar, c),
            Template::SequenceAppend(_) | Template::SequencePrepend(_) => {
                holds(parameter, c) && grows(parameter)
            }
            Template::SequenceReplace(..) => holds(parameter, c),
            Template::PermuteParameters
            | Template::BooleanFlip
            | Template::SequenceRemove(_)
            | Template::SequenceFlip
            | Template::SequenceSort
            | Template::SequenceRotate(_)
            | Template::SequenceSwap(..)
            | Template::SequenceDouble
            | Template::SequenceTruncate(_)
            | Template::TextUpper
            | Template::TextLower
            | Template::TextSwapCase
            | Template::Together(_) => true,
        };
        if leads {
            continue;
        }
        let (least, most) = bounds(parameter, scalar);
        let range = match least.is_finite() && most.is_finite() {
            true => format!(" from {least} to {most}"),
            false => String::new(),
        };
        let (name, ty) = (&parameter.name, parameter.ty);
        let problem = format!(
            "`{name}` is of type {ty}{range}, and {c} leads from no value of it to another"
        );
        return Err(TransformError::Unreachable { instance: instance.to_string(), problem });
    }
    Ok(())
}
