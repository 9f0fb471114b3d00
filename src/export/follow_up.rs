//! Transformations in a language: the statements that make follow-up inputs from source inputs.
//!
//! A source has a follow-up here where it has one in `transform/follow_ups.rs`: within the types and domains. A language that is only given inputs with a follow-up leaves out the checks.
//!
//! Statements are templates: `{x}` is the name of the parameter and `{ty}` its type, `@name` calls a helper, and a line end
//! begins another statement.

mod checks;
mod operand;

use super::helpers::Helpers;
use super::types::{Field, NamedType};
use crate::subject::Type;
use crate::transform::{Instance, Operand, Template};

/// How a language writes follow-ups.
#[derive(Clone, Copy, Debug)]
pub(super) struct FollowUps {
    /// The source input of a parameter.
    pub(super) source: &'static str,
    /// The statement for a parameter that stays, if each parameter needs one.
    pub(super) copy: Option<fn(&NamedType) -> &'static str>,
    /// The opposite of a truth value.
    pub(super) opposite: &'static str,
    /// A sequence in reverse order.
    pub(super) reversed: fn(Type) -> &'static str,
    /// A sequence without the element at `{c}`.
    pub(super) without: fn(Type) -> &'static str,
    /// Another change of a sequence, if the language has it for the type. `{a}` and `{b}` are the indices and numbers of the
    /// template, `{v}` is its operand as an element and `{values}` as a sequence, `{sum}` is arithmetic on an element
    /// `x`, and `{each}` what that gives as an element.
    pub(super) sequence: fn(&NamedType, &Template) -> Option<String>,
    /// Arithmetic with a constant, or with a number that is not known here: the statement, and the constant `{c}` if there is
    /// one. `{sum}` is the operation on the source and `{c}`.
    pub(super) arithmetic: fn(&NamedType, Operation, Option<f64>) -> (&'static str, String),
    /// The number that arithmetic begins with.
    pub(super) term: &'static str,
    /// An element of a sequence: a statement that leaves sources without it, and its value. `{i}` is the index.
    pub(super) element: fn(&NamedType) -> (&'static str, &'static str),
    /// A number `{number}` as an element of a sequence: a statement before, and its value `{value}`; none if the language has no
    /// conversion.
    pub(super) converted: fn(&NamedType) -> Option<(String, String)>,
    /// A sequence of a type with one element `{v}`.
    pub(super) single: fn(&NamedType) -> &'static str,
    /// A statement for a parameter that never has a follow-up.
    pub(super) never: &'static str,
    /// The value of a parameter of the first type as one of the second; none if the language has no conversion. `{source}` is
    /// the value, `{one}` the value and `{each}` an element `x` of it converted.
    pub(super) exchange: fn(&NamedType, &NamedType) -> Option<&'static str>,
    pub(super) conversions: Conversions,
    pub(super) checks: Option<Checks>,
}

/// What is done with a number and an operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Operation {
    Add,
    Subtract,
    Multiply,
    /// The operand minus the number.
    Complement,
}

impl Operation {
    fn symbol(self) -> &'static str {
        match self {
            Operation::Add => "+",
            Operation::Subtract | Operation::Complement => "-",
            Operation::Multiply => "*",
        }
    }

    /// The operation of a template on numbers, or on every element, and what it computes with.
    fn of(template: &Template) -> Option<(Operation, Operand)> {
        match template {
            Template::NumericAddition(Operand::Number(c))
            | Template::SequenceAdd(Operand::Number(c))
                if c.is_sign_negative() =>
            {
                Some((Operation::Subtract, Operand::Number(-c)))
            }
            Template::NumericAddition(operand) | Template::SequenceAdd(operand) => {
                Some((Operation::Add, operand.clone()))
            }
            Template::NumericMultiplication(operand) | Template::SequenceMultiply(operand) => {
                Some((Operation::Multiply, operand.clone()))
            }
            Template::NumericComplement(operand) => Some((Operation::Complement, operand.clone())),
            Template::PermuteParameters
            | Template::BooleanFlip
            | Template::SequenceRemove(_)
            | Template::SequenceFlip
            | Template::SequenceSort
            | Template::SequenceRotate(_)
            | Template::SequenceSwap(..)
            | Template::SequenceAppend(_)
            | Template::SequencePrepend(_)
            | Template::SequenceDouble
            | Template::SequenceTruncate(_)
            | Template::SequenceReplace(..)
            | Template::TextUpper
            | Template::TextLower
            | Template::TextSwapCase
            | Template::Together(_) => None,
        }
    }

    /// The operation on a number and an operand.
    fn on(self, number: &str, operand: &str) -> String {
        match self {
            Operation::Complement => format!("{operand} - {number}"),
            Operation::Add | Operation::Subtract | Operation::Multiply => {
                format!("{number} {} {operand}", self.symbol())
            }
        }
    }
}

/// How single values become 64-bit floats, and these become values.
#[derive(Clone, Copy, Debug)]
pub(super) struct Conversions {
    /// The value `{v}` as a number.
    pub(super) number: fn(&NamedType) -> &'static str,
    /// The number `{n}` as a value of a type with `{element}`s from `{least}` to `{most}`.
    pub(super) value: fn(&NamedType) -> &'static str,
}

/// How a language leaves sources without a follow-up.
#[derive(Clone, Copy, Debug)]
pub(super) struct Checks {
    /// Leaves the source if a `{test}` is true.
    pub(super) unless: &'static str,
    /// A test that is true where the given one is false.
    pub(super) not: fn(&str) -> String,
    pub(super) and: &'static str,
    /// Whether `{v}` is one of the characters of `{all}`.
    pub(super) alphabet: &'static str,
    /// Whether `{v}` is from `{least}` to `{most}`.
    pub(super) range: &'static str,
    /// Continues `range`: or `{v}` is the number `{n}`.
    pub(super) or_number: &'static str,
    /// Continues `range`: or `{v}` is NaN.
    pub(super) or_nan: &'static str,
    /// Whether integers are within the bounds of their type whatever is computed.
    pub(super) are_integers_bounded: bool,
    /// The last character that a character of the language can be.
    pub(super) last_character: f64,
    /// The number of elements of `{v}`.
    pub(super) count: fn(&NamedType) -> &'static str,
    /// What an element is called, and whether a `{test}` is true of all of `{v}`.
    pub(super) every: fn(&NamedType) -> (&'static str, &'static str),
    /// Whether a `{count}` is at least `{least}`.
    pub(super) at_least: &'static str,
    /// Whether a `{count}` is at most `{most}`.
    pub(super) at_most: &'static str,
    /// Whether a `{count}` is from `{least}` to `{most}`.
    pub(super) between: &'static str,
    /// The follow-up: with these parameters changed, of all.
    pub(super) result: fn(&[&str], &[&str]) -> String,
}

/// The statements that make the follow-up of a source; none if the language cannot convert between types that it needs.
pub(super) fn statements(
    instance: &Instance,
    fields: &[Field<'_>],
    helpers: &mut Helpers,
) -> Option<Vec<String>> {
    let follow_ups = &helpers.language.follow_ups;
    let of = |name: &str| fields.iter().find(|field| field.parameter.name == name);
    let place = |field: &Field<'_>| {
        instance.parameters.iter().position(|name| *name == field.parameter.name)
    };
    let mut text = String::new();
    for field in fields {
        text += &match (place(field), &instance.template, follow_ups.copy) {
            (Some(at), Template::PermuteParameters, _) => {
                exchanged(field, of(&instance.parameters[at ^ 1])?, helpers)?
            }
            (Some(_), template, _) => computed(template, field, fields, helpers)?,
            (None, _, Some(copy)) => filled(copy(&field.ty), field, &[], helpers),
            (None, _, None) => continue,
        };
        text.push('\n');
    }
    if let Some(checks) = &follow_ups.checks {
        let changed: Vec<&Field<'_>> =
            fields.iter().filter(|field| place(field).is_some()).collect();
        for test in checks::tests(instance, &changed, checks, helpers) {
            text += &helpers.fill(checks.unless, "", &[("test", &test)]);
            text.push('\n');
        }
        let names: Vec<&str> = changed.iter().map(|field| field.name.as_str()).collect();
        let all: Vec<&str> = fields.iter().map(|field| field.name.as_str()).collect();
        text += &(checks.result)(&names, &all);
    }
    Some(text.lines().map(str::to_owned).collect())
}

/// A template about a parameter.
fn filled(
    template: &str,
    field: &Field<'_>,
    values: &[(&str, &str)],
    helpers: &mut Helpers,
) -> String {
    let source = helpers.fill(helpers.language.follow_ups.source, "", &[("x", &field.name)]);
    let own = [("x", &*field.name), ("ty", &field.ty.name), ("source", &source)];
    helpers.fill(template, &field.ty.name, &[values, &own].concat())
}

/// The value of a parameter in the place of another, of whatever type.
fn exchanged(to: &Field<'_>, from: &Field<'_>, helpers: &mut Helpers) -> Option<String> {
    let follow_ups = &helpers.language.follow_ups;
    let template = (follow_ups.exchange)(&from.ty, &to.ty)?;
    let source = helpers.fill(follow_ups.source, "", &[("x", &from.name)]);
    let mut converted = |place: &str, value: &str| match template.contains(place) {
        true => {
            let number = helpers.number(value, &from.ty);
            helpers.value(&number, &to.ty)
        }
        false => String::new(),
    };
    let (one, each) = (converted("{one}", &source), converted("{each}", "x"));
    let element = to.ty.element;
    let values = [("source", &*source), ("one", &one), ("each", &each), ("element", element)];
    Some(filled(template, to, &values, helpers))
}

/// The statements that make the follow-up of one parameter.
fn computed(
    template: &Template,
    field: &Field<'_>,
    fields: &[Field<'_>],
    helpers: &mut Helpers,
) -> Option<String> {
    let follow_ups = &helpers.language.follow_ups;
    match (template, field.ty.ty) {
        (Template::BooleanFlip, _) => Some(filled(follow_ups.opposite, field, &[], helpers)),
        (Template::SequenceRemove(index), ty) => {
            let index = index.to_string();
            Some(filled((follow_ups.without)(ty), field, &[("c", &index)], helpers))
        }
        (Template::SequenceFlip, ty) => {
            Some(filled((follow_ups.reversed)(ty), field, &[], helpers))
        }
        (_, Type::Scalar(_)) => arithmetic(template, field, fields, helpers),
        (_, Type::String | Type::List(_)) => sequence(template, field, fields, helpers),
    }
}

/// The evaluator computes with 64-bit floats. On integers whose result is one that is the language's own arithmetic.
fn arithmetic(
    template: &Template,
    field: &Field<'_>,
    fields: &[Field<'_>],
    helpers: &mut Helpers,
) -> Option<String> {
    let follow_ups = &helpers.language.follow_ups;
    let (operation, operand) = Operation::of(template)?;
    let known = operand.constant();
    let (statement, constant) = (follow_ups.arithmetic)(&field.ty, operation, known);
    let (before, operand) = match known {
        Some(_) => (String::new(), constant),
        None => operand::number(&operand, fields, helpers)?,
    };
    let term = filled(follow_ups.term, field, &[], helpers);
    let sum = operation.on(&term, &operand);
    let (mut number, mut converted) = (String::new(), String::new());
    if statement.contains("{converted}") {
        let source = filled("{source}", field, &[], helpers);
        number = helpers.number(&source, &field.ty);
        converted = helpers.value(&sum, &field.ty);
    }
    let values = [("number", &*number), ("converted", &*converted), ("sum", &sum), ("c", &operand)];
    Some(before + &filled(statement, field, &values, helpers))
}

/// The statements that make the follow-up of a sequence.
fn sequence(
    template: &Template,
    field: &Field<'_>,
    fields: &[Field<'_>],
    helpers: &mut Helpers,
) -> Option<String> {
    let statement = (helpers.language.follow_ups.sequence)(&field.ty, template)?;
    let (a, b) = match template {
        Template::SequenceRotate(a)
        | Template::SequenceTruncate(a)
        | Template::SequenceReplace(a, _) => (a.to_string(), String::new()),
        Template::SequenceSwap(a, b) => (a.to_string(), b.to_string()),
        _ => Default::default(),
    };
    let (mut before, mut sum, mut each) = Default::default();
    let (mut v, mut values) = Default::default();
    if let Some((operation, operand)) = Operation::of(template) {
        let operand = match operand.constant() {
            Some(c) => (String::new(), helpers.language.literals.double.write(c)),
            None => operand::number(&operand, fields, helpers)?,
        };
        before = operand.0;
        sum = operation.on("x", &operand.1);
        if statement.contains("{each}") {
            let number = helpers.number("x", &field.ty);
            each = helpers.value(&operation.on(&number, &operand.1), &field.ty);
        }
    } else if let Some(operand) = template.operand() {
        match operand::value(operand, field, fields, helpers)? {
            Some(value) => (before, v, values) = (value.before, value.element, value.sequence),
            None => return Some(filled(helpers.language.follow_ups.never, field, &[], helpers)),
        }
    }
    let element = field.ty.element;
    let values = [
        ("a", &*a),
        ("b", &b),
        ("v", &v),
        ("values", &values),
        ("each", &each),
        ("sum", &sum),
        ("element", element),
    ];
    Some(before + &filled(&statement, field, &values, helpers))
}

impl Helpers {
    /// A template with its helpers called, for values of a type, and its places filled in.
    pub(super) fn fill(&mut self, template: &str, ty: &str, values: &[(&str, &str)]) -> String {
        let mut parts = template.split('@');
        let mut text = parts.next().unwrap_or_default().to_owned();
        for part in parts {
            let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
            let end = part.find(|c| !is_name(c)).unwrap_or(part.len());
            text += self.need_for(&part[..end], ty);
            text += &part[end..];
        }
        super::template::fill(&text, values)
    }

    /// A single value of a type as a number.
    pub(super) fn number(&mut self, value: &str, ty: &NamedType) -> String {
        let template = (self.language.follow_ups.conversions.number)(ty);
        self.fill(template, &ty.name, &[("v", value)])
    }

    /// A number as a single value of a type.
    pub(super) fn value(&mut self, number: &str, ty: &NamedType) -> String {
        let template = (self.language.follow_ups.conversions.value)(ty);
        let (least, most) = ty.ty.scalar().integers().unwrap_or_default();
        let double = self.language.literals.double;
        let (least, most) = (double.write(least), double.write(most));
        let values = [("n", number), ("element", ty.element), ("least", &least), ("most", &most)];
        self.fill(template, &ty.name, &values)
    }
}

#[cfg(test)]
mod tests;
