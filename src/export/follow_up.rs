//! Transformations in a language: the statements that make follow-up inputs from source inputs.
//!
//! A source has a follow-up here where it has one in `transform/follow_ups.rs`: within the types and domains. A language that is only given inputs with a follow-up leaves out the checks.
//!
//! Statements are templates: `{x}` is the name of the parameter and `{ty}` its type, `@name` calls a helper, and a line end
//! begins another statement.

use super::bounds::{Bounds, are_alike};
use super::helpers::Helpers;
use super::types::{Field, NamedType};
use crate::subject::{Scalar, Type};
use crate::transform::{Instance, Template};

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
    /// A sum, difference or product with a constant: the statement and the constant `{c}`.
    pub(super) arithmetic: fn(&NamedType, Operation, f64) -> (&'static str, String),
    /// The number that an operation `{symbol}` with a constant `{c}` gives, for `{converted}`.
    pub(super) changed: &'static str,
    /// The value of a parameter of the first type as one of the second; none if the language has no conversion. `{source}` is
    /// the value, `{one}` the value and `{each}` an element `x` of it converted.
    pub(super) exchange: fn(&NamedType, &NamedType) -> Option<&'static str>,
    pub(super) conversions: Conversions,
    pub(super) checks: Option<Checks>,
}

/// What is done with a number and a constant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Operation {
    Add,
    Subtract,
    Multiply,
}

impl Operation {
    fn symbol(self) -> &'static str {
        match self {
            Operation::Add => "+",
            Operation::Subtract => "-",
            Operation::Multiply => "*",
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

/// The statements that make the follow-up of a source; none if the language cannot convert parameters that are exchanged.
pub(super) fn statements(
    instance: &Instance,
    fields: &[Field<'_>],
    helpers: &mut Helpers,
) -> Option<Vec<String>> {
    let follow_ups = &helpers.language.follow_ups;
    let is_changed = |field: &Field<'_>| instance.parameters.contains(&field.parameter.name);
    let changed: Vec<&Field<'_>> = fields.iter().filter(|field| is_changed(field)).collect();
    let mut text = String::new();
    for field in fields {
        text += &match (is_changed(field), &changed[..], follow_ups.copy) {
            (true, [a, b], _) => {
                exchanged(field, if field.name == a.name { b } else { a }, helpers)?
            }
            (true, ..) => computed(instance.template, field, helpers),
            (false, _, Some(copy)) => filled(copy(&field.ty), field, &[], helpers),
            (false, _, None) => continue,
        };
        text.push('\n');
    }
    if let Some(checks) = &follow_ups.checks {
        for test in tests(instance.template, &changed, checks, helpers) {
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
fn computed(template: Template, field: &Field<'_>, helpers: &mut Helpers) -> String {
    let follow_ups = &helpers.language.follow_ups;
    match template {
        Template::BooleanFlip => filled(follow_ups.opposite, field, &[], helpers),
        Template::NumericAddition(c) if c.is_sign_negative() => {
            arithmetic(field, Operation::Subtract, -c, helpers)
        }
        Template::NumericAddition(c) => arithmetic(field, Operation::Add, c, helpers),
        Template::NumericMultiplication(c) => arithmetic(field, Operation::Multiply, c, helpers),
        Template::SequenceRemove(index) => {
            let index = index.to_string();
            filled((follow_ups.without)(field.ty.ty), field, &[("c", &index)], helpers)
        }
        Template::SequenceFlip => filled((follow_ups.reversed)(field.ty.ty), field, &[], helpers),
        Template::PermuteParameters => unreachable!("it has two parameters"),
    }
}

/// The evaluator computes with 64-bit floats. On integers whose result is one that is the language's own arithmetic.
fn arithmetic(
    field: &Field<'_>,
    operation: Operation,
    constant: f64,
    helpers: &mut Helpers,
) -> String {
    let follow_ups = &helpers.language.follow_ups;
    let (template, constant) = (follow_ups.arithmetic)(&field.ty, operation, constant);
    let constant = [("symbol", operation.symbol()), ("c", &*constant)];
    let (mut number, mut converted) = (String::new(), String::new());
    if template.contains("{converted}") {
        let source = filled("{source}", field, &[], helpers);
        number = helpers.number(&source, &field.ty);
        let changed = filled(follow_ups.changed, field, &constant, helpers);
        converted = helpers.value(&changed, &field.ty);
    }
    let values = [("number", &*number), ("converted", &*converted)];
    filled(template, field, &[&constant[..], &values].concat(), helpers)
}

/// What must not be true of a source and its follow-up.
fn tests(
    template: Template,
    changed: &[&Field<'_>],
    checks: &Checks,
    helpers: &mut Helpers,
) -> Vec<String> {
    let is_within = |field: &&Field<'_>, helpers: &mut Helpers| {
        within(field, checks, helpers).map(|test| (checks.not)(&test))
    };
    let mut tests = Vec::new();
    match (template, changed) {
        (Template::PermuteParameters, [a, b]) => {
            if !are_alike(a.parameter, b.parameter) {
                tests.extend(changed.iter().filter_map(|field| is_within(field, helpers)));
            }
        }
        (Template::NumericAddition(_) | Template::NumericMultiplication(_), [field]) => {
            tests.extend(is_within(field, helpers));
        }
        (Template::SequenceRemove(_), [field]) => {
            let bounds = Bounds { longest: None, ..Bounds::of(field.parameter) };
            let test = length(field, &bounds, checks, helpers);
            tests.extend(test.map(|test| (checks.not)(&test)));
        }
        (Template::BooleanFlip | Template::SequenceFlip, _) => {}
        (template, _) => unreachable!("{template:?} of {} parameters", changed.len()),
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
    fn value(&mut self, number: &str, ty: &NamedType) -> String {
        let template = (self.language.follow_ups.conversions.value)(ty);
        let (least, most) = ty.ty.scalar().integers().unwrap_or_default();
        let double = self.language.literals.double;
        let (least, most) = (double.write(least), double.write(most));
        let values = [("n", number), ("element", ty.element), ("least", &least), ("most", &most)];
        self.fill(template, &ty.name, &values)
    }
}

#[cfg(test)]
mod tests {
    use super::super::java;
    use super::*;
    use crate::subject::{Domain, Parameter};

    /// The statements in Java, of parameters of these types.
    fn java(instance: &str, types: &[(&str, Type, &str)]) -> Option<String> {
        let parameters: Vec<Parameter> = types
            .iter()
            .map(|&(name, ty, _)| Parameter {
                name: name.to_owned(),
                ty,
                domain: Domain::default(),
            })
            .collect();
        let fields: Vec<Field<'_>> = types
            .iter()
            .zip(&parameters)
            .map(|(&(name, ty, written), parameter)| Field {
                name: name.to_owned(),
                ty: NamedType { ty, name: written.to_owned(), element: "" },
                parameter,
            })
            .collect();
        let mut helpers = Helpers::of(&java::JAVA);
        let lines = statements(&instance.parse().unwrap(), &fields, &mut helpers);
        lines.map(|lines| lines.join(" "))
    }

    #[test]
    fn numbers_are_computed_as_the_evaluator_does() {
        let one =
            |instance, scalar, name| java(instance, &[("x", Type::Scalar(scalar), name)]).unwrap();
        let int = |instance| one(instance, Scalar::S32, "int");
        assert_eq!(int("NumericAddition(-1) on x"), "int x_f = x_s - 1;");
        assert_eq!(int("NumericMultiplication(0.5) on x"), "int x_f = (int) (x_s * 0.5);");
        assert_eq!(int("NumericMultiplication(-3) on x"), "int x_f = x_s * -3;");
        let long = one("NumericAddition(2) on x", Scalar::S64, "long");
        assert_eq!(long, "long x_f = (long) (x_s + 2.0);");
        let byte = one("NumericAddition(2) on x", Scalar::S8, "byte");
        assert_eq!(byte, "byte x_f = (byte) (x_s + 2);");
        let double = one("NumericAddition(0.1) on x", Scalar::F64, "double");
        assert_eq!(double, "double x_f = x_s + 0.1;");
        let float = one("NumericMultiplication(2) on x", Scalar::F32, "float");
        assert_eq!(float, "float x_f = (float) (x_s * 2.0);");
    }

    #[test]
    fn parameters_that_stay_are_copied() {
        let types =
            [("a", Type::List(Scalar::S32), "int[]"), ("l", Type::List(Scalar::S64), "List<Long>")];
        let text = java("SequenceFlip on a", &types).unwrap();
        assert_eq!(text, "int[] a_f = reversed(a_s); List<Long> l_f = new ArrayList<Long>(l_s);");
    }

    #[test]
    fn only_what_java_converts_is_exchanged() {
        let numbers =
            [("a", Type::Scalar(Scalar::S32), "int"), ("b", Type::Scalar(Scalar::S64), "long")];
        let text = java("PermuteParameters on a, b", &numbers).unwrap();
        assert_eq!(text, "int a_f = (int) b_s; long b_f = (long) a_s;");
        let arrays =
            [("a", Type::List(Scalar::S32), "int[]"), ("b", Type::List(Scalar::S64), "long[]")];
        assert_eq!(java("PermuteParameters on a, b", &arrays), None);
    }
}
