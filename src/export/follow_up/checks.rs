//! Tests that leave sources without a follow-up: outside the type or the domain of a parameter.

use super::Checks;
use crate::export::bounds::{Bounds, are_alike};
use crate::export::helpers::Helpers;
use crate::export::types::Field;
use crate::subject::{Scalar, Type};
use crate::transform::{Instance, Template};

/// What must not be true of a source and its follow-up.
pub(super) fn tests(
    instance: &Instance,
    changed: &[&Field<'_>],
    checks: &Checks,
    helpers: &mut Helpers,
) -> Vec<String> {
    let is_within = |field: &&Field<'_>, helpers: &mut Helpers| {
        within(field, checks, helpers).map(|test| (checks.not)(&test))
    };
    let is_long = |field: &&Field<'_>, bounds: &Bounds, helpers: &mut Helpers| {
        length(field, bounds, checks, helpers).map(|test| (checks.not)(&test))
    };
    let mut tests = Vec::new();
    for field in changed {
        let bounds = Bounds::of(field.parameter);
        match &instance.template {
            Template::PermuteParameters => {
                let partner = partner(instance, field, changed);
                if partner.is_none_or(|other| !are_alike(field.parameter, other.parameter)) {
                    tests.extend(is_within(field, helpers));
                }
            }
            Template::NumericAddition(_)
            | Template::NumericMultiplication(_)
            | Template::NumericComplement(_)
            | Template::SequenceAppend(_)
            | Template::SequencePrepend(_)
            | Template::SequenceAdd(_)
            | Template::SequenceMultiply(_)
            | Template::SequenceReplace(..)
            | Template::TextUpper
            | Template::TextLower
            | Template::TextSwapCase => tests.extend(is_within(field, helpers)),
            Template::SequenceRemove(_) | Template::SequenceTruncate(_) => {
                let bounds = Bounds { longest: None, ..bounds };
                tests.extend(is_long(field, &bounds, helpers));
            }
            Template::SequenceDouble => {
                let bounds = Bounds { shortest: 0, ..bounds };
                tests.extend(is_long(field, &bounds, helpers));
            }
            Template::BooleanFlip
            | Template::SequenceFlip
            | Template::SequenceSort
            | Template::SequenceRotate(_)
            | Template::SequenceSwap(..)
            | Template::Together(_) => {}
        }
    }
    tests
}

/// Whether a value is within the domain; nothing if all are that the type has.
fn within(field: &Field<'_>, checks: &Checks, helpers: &mut Helpers) -> Option<String> {
    let (name, bounds) = (format!("{}_f", field.name), Bounds::of(field.parameter));
    match field.ty.ty {
        Type::Scalar(_) => one(&name, &bounds, checks, helpers),
        Type::String | Type::List(_) => {
            let (element, every) = (checks.every)(&field.ty);
            let elements = one(element, &bounds, checks, helpers);
            let elements =
                elements.map(|test| helpers.fill(every, "", &[("v", &name), ("test", &test)]));
            let length = length(field, &bounds, checks, helpers);
            let tests: Vec<String> = length.into_iter().chain(elements).collect();
            (!tests.is_empty()).then(|| tests.join(checks.and))
        }
    }
}

/// Whether a single value is within the domain.
fn one(value: &str, bounds: &Bounds, checks: &Checks, helpers: &mut Helpers) -> Option<String> {
    let literals = helpers.language.literals;
    if let Some(alphabet) = &bounds.alphabet {
        let codes: Vec<f64> = alphabet.iter().map(|&c| f64::from(u32::from(c))).collect();
        let all = (literals.text)(&codes);
        return Some(helpers.fill(checks.alphabet, "", &[("v", value), ("all", &all)]));
    }
    let literal = |number: f64| match bounds.scalar {
        // As a number, truth values are 0 and 1.
        Scalar::Bool => format!("{number}"),
        scalar => literals.element(number, scalar, false),
    };
    // Every character is one, and floats are those of the evaluator.
    let is_bounded = checks.are_integers_bounded
        || matches!(bounds.scalar, Scalar::Char | Scalar::F32 | Scalar::F64);
    let is_all = bounds.scalar == Scalar::Char
        && bounds.range.is_some_and(|(first, last)| first <= 0.0 && last >= checks.last_character);
    let is_narrow = bounds.is_narrow && !is_all;
    let (least, most) = bounds.range.filter(|_| is_narrow || !is_bounded)?;
    let range = [("v", value), ("least", &literal(least)), ("most", &literal(most))];
    let mut test = helpers.fill(checks.range, "", &range);
    for &number in &bounds.also {
        let or = if number.is_nan() { checks.or_nan } else { checks.or_number };
        test += &helpers.fill(or, "", &[("v", value), ("n", &literal(number))]);
    }
    Some(test)
}

/// Whether a sequence is as long as the domain wants.
fn length(
    field: &Field<'_>,
    bounds: &Bounds,
    checks: &Checks,
    helpers: &mut Helpers,
) -> Option<String> {
    let name = format!("{}_f", field.name);
    let count = helpers.fill((checks.count)(&field.ty), "", &[("v", &name)]);
    let template = match (bounds.shortest, bounds.longest) {
        (0, None) => return None,
        (_, None) => checks.at_least,
        (0, Some(_)) => checks.at_most,
        (_, Some(_)) => checks.between,
    };
    let (least, most) = (bounds.shortest.to_string(), bounds.longest.unwrap_or(0).to_string());
    let values = [("count", &*count), ("least", &least), ("most", &most)];
    Some(helpers.fill(template, "", &values))
}

/// The parameter that another is exchanged with.
fn partner<'f, 'p>(
    instance: &Instance,
    field: &Field<'_>,
    changed: &[&'f Field<'p>],
) -> Option<&'f Field<'p>> {
    let at = instance.parameters.iter().position(|name| *name == field.parameter.name)?;
    let name = instance.parameters.get(at ^ 1)?;
    changed.iter().find(|other| other.parameter.name == *name).copied()
}
