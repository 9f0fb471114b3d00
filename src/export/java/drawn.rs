//! The inputs that a test draws: an expression per parameter, from its domain.

use super::language::JAVA_LAWS;
use crate::export::bounds::Bounds;
use crate::export::helpers::Helpers;
use crate::export::types::Field;
use crate::subject::{Scalar, ScalarClass, Type};

/// An expression that draws a value of a parameter from `random`.
pub(super) fn drawn(field: &Field<'_>, helpers: &mut Helpers) -> String {
    let bounds = Bounds::of(field.parameter);
    let (least, most) = bounds.lengths();
    let length = |helpers: &mut Helpers| {
        let integer = helpers.need("integer");
        format!("{integer}(random, {least}, {most})")
    };
    match field.ty.ty {
        Type::Scalar(_) => single(&bounds, helpers),
        Type::String => {
            let (text, length) = (helpers.need("text"), length(helpers));
            format!("{text}({length}, () -> {})", code(&bounds, helpers))
        }
        Type::List(_) => {
            let length = length(helpers);
            let element = single(&bounds, helpers);
            match field.ty.name.strip_suffix("[]") {
                Some(name) => {
                    let array = helpers.need("array");
                    format!("({name}[]) {array}({name}.class, {length}, () -> {element})")
                }
                None => format!("{}({length}, () -> {element})", helpers.need("list")),
            }
        }
    }
}

/// Draws a single value: of the parameter, or of its elements.
fn single(bounds: &Bounds, helpers: &mut Helpers) -> String {
    let scalar = bounds.scalar;
    let literal = |number: f64| JAVA_LAWS.literals.element(number, scalar, true);
    let usual = match scalar.class() {
        ScalarClass::Bool => "random.nextBoolean()".to_owned(),
        ScalarClass::Char => format!("(char) {}", code(bounds, helpers)),
        ScalarClass::Float => {
            let real = helpers.need("real");
            let cast = if scalar == Scalar::F32 { "(float) " } else { "" };
            let (least, most) = bounds.range.unwrap_or((f64::NEG_INFINITY, f64::INFINITY));
            let [least, most] = [least, most].map(|n| JAVA_LAWS.literals.double.write(n));
            format!("{cast}{real}(random, {least}, {most})")
        }
        ScalarClass::Integer => {
            let integer = helpers.need("integer");
            let cast = match scalar {
                Scalar::S8 => "(byte) ",
                Scalar::S16 => "(short) ",
                Scalar::S64 => "",
                _ => "(int) ",
            };
            let (least, most) = bounds.range.expect("integers have bounds");
            let [least, most] = [least, most].map(|n| JAVA_LAWS.literals.element(n, scalar, false));
            format!("{cast}{integer}(random, {least}, {most})")
        }
    };
    // A float without a range may be NaN, too.
    let is_any = scalar.class() == ScalarClass::Float && bounds.range.is_none();
    let also = bounds.also.iter().copied().chain(is_any.then_some(f64::NAN));
    also.fold(usual, |usual, number| {
        format!("(random.nextInt(16) == 0 ? {} : {usual})", literal(number))
    })
}

/// Draws a character.
fn code(bounds: &Bounds, helpers: &mut Helpers) -> String {
    match (&bounds.alphabet, bounds.range) {
        (Some(alphabet), _) if !alphabet.is_empty() => {
            let codes: Vec<f64> = alphabet.iter().map(|&c| f64::from(u32::from(c))).collect();
            let one_of = helpers.need("one_of");
            format!("{one_of}(random, {})", (JAVA_LAWS.literals.text)(&codes))
        }
        (_, range) => {
            let (least, most) = range.unwrap_or((0.0, 65_535.0));
            format!("{}(random, {least}, {most})", helpers.need("code"))
        }
    }
}
