//! What templates compute with, in a language: constants, parameters and elements of them.

use super::{exchanged, filled};
use crate::export::helpers::Helpers;
use crate::export::types::{Field, NamedType};
use crate::subject::Type;
use crate::transform::Operand;

/// An operand that becomes part of a sequence.
pub(super) struct Value {
    /// Statements before the one that uses it.
    pub(super) before: String,
    /// As an element of the sequence.
    pub(super) element: String,
    /// As a sequence of the same type.
    pub(super) sequence: String,
}

/// Statements that come before, and an operand as a 64-bit float; none if the language has no conversion.
pub(super) fn number(
    operand: &Operand,
    fields: &[Field<'_>],
    helpers: &mut Helpers,
) -> Option<(String, String)> {
    if let Some(c) = operand.constant() {
        return Some((String::new(), helpers.language.literals.double.write(c)));
    }
    let (before, value, ty) = single(operand, fields, helpers)?;
    // Truth values and texts are no numbers in every language.
    (helpers.language.follow_ups.converted)(&ty)?;
    Some((before, helpers.number(&value, &ty)))
}

/// A parameter or an element as a value of its own type, which is returned, too.
fn single(
    operand: &Operand,
    fields: &[Field<'_>],
    helpers: &mut Helpers,
) -> Option<(String, String, NamedType)> {
    let name = operand.parameter()?;
    let field = fields.iter().find(|field| field.parameter.name == name)?;
    match operand {
        Operand::Element(_, index) => {
            let index = index.to_string();
            let (before, value) = (helpers.language.follow_ups.element)(&field.ty);
            let before = match before {
                "" => String::new(),
                before => filled(before, field, &[("i", &index)], helpers) + "\n",
            };
            let value = filled(value, field, &[("i", &index)], helpers);
            Some((before, value, field.ty.clone()))
        }
        Operand::Parameter(_) | Operand::Number(_) | Operand::Letter(_) => {
            let value = filled("{source}", field, &[], helpers);
            Some((String::new(), value, field.ty.clone()))
        }
    }
}

/// An operand as a part of the sequence of a field; `None` if the language has no conversion, `Some(None)` if the sequence can
/// never have it.
pub(super) fn value(
    operand: &Operand,
    field: &Field<'_>,
    fields: &[Field<'_>],
    helpers: &mut Helpers,
) -> Option<Option<Value>> {
    let literals = &helpers.language.literals;
    let follow_ups = &helpers.language.follow_ups;
    let scalar = field.ty.ty.scalar();
    if let Some(c) = operand.constant() {
        (follow_ups.converted)(&field.ty)?;
        if !scalar.admits(c) {
            return Some(None);
        }
        let is_alone = (literals.are_alone)(&field.ty);
        let element = literals.element(c, scalar, is_alone);
        let sequence = match field.ty.ty {
            Type::String => (literals.text)(&[c]),
            Type::Scalar(_) | Type::List(_) => helpers.fill(
                (follow_ups.single)(&field.ty),
                "",
                &[("v", &element), ("ty", &field.ty.name)],
            ),
        };
        return Some(Some(Value { before: String::new(), element, sequence }));
    }
    if let Operand::Parameter(name) = operand
        && let Some(other) = fields.iter().find(|other| other.parameter.name == *name)
        && !matches!(other.ty.ty, Type::Scalar(_))
    {
        if other.ty == field.ty {
            let sequence = filled("{source}", other, &[], helpers);
            return Some(Some(Value { before: String::new(), element: String::new(), sequence }));
        }
        let name = format!("{}_for_{}", other.name, field.name);
        let joined = Field { name, ty: field.ty.clone(), parameter: field.parameter };
        let before = exchanged(&joined, other, helpers)? + "\n";
        let sequence = format!("{}_f", joined.name);
        return Some(Some(Value { before, element: String::new(), sequence }));
    }
    let (mut before, value, ty) = single(operand, fields, helpers)?;
    let element = match is_element(&ty, &field.ty) {
        true => value,
        false => {
            (follow_ups.converted)(&ty)?;
            let (statement, element) = (follow_ups.converted)(&field.ty)?;
            let number = helpers.number(&value, &ty);
            let converted = helpers.value(&number, &field.ty);
            let values = [("number", &*number), ("value", &converted)];
            if !statement.is_empty() {
                before += &(filled(&statement, field, &values, helpers) + "\n");
            }
            filled(&element, field, &values, helpers)
        }
    };
    let template = (helpers.language.follow_ups.single)(&field.ty);
    let values = [("v", &*element), ("ty", &*field.ty.name)];
    let sequence = helpers.fill(template, "", &values);
    Some(Some(Value { before, element, sequence }))
}

/// Whether a value of the first type, or an element of it, is an element of the second as it is. Where the language names no
/// types of elements, that is Java: its lists of texts are lists of numbers here, and characters of a text are code points.
fn is_element(from: &NamedType, to: &NamedType) -> bool {
    let is_of_texts = |ty: &NamedType| ty.ty != Type::String && ty.name.contains("String");
    let is_alike = from.ty.scalar() == to.ty.scalar() && from.element == to.element;
    let is_code = from.ty == Type::String && to.ty != Type::String;
    is_alike && (!from.element.is_empty() || is_of_texts(from) == is_of_texts(to) && !is_code)
}
