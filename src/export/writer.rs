//! A test file with a function per relation, as Rust and Python have it: source inputs, follow-ups, relations and tests of
//! each transformation. A [`Frame`] says what these look like; a language adds what stands before and after them.

use genmorph_jit::{Predicate, Schema, Type, Var};

use super::expression::{Variable, expression};
use super::follow_up::statements;
use super::head::comment;
use super::helpers::Helpers;
use super::language::Language;
use super::names::identifiers;
use super::template::fill;
use super::types::{Field, NamedType};
use super::variables::used;
use super::{Part, Properties};
use crate::subject::Signature;
use crate::subject::kinds::Observed;

/// The texts around statements and expressions. `{part}` and `{relation}` are numbers, `{body}` are lines, and `{text}` is
/// the relation as it is written.
#[derive(Clone, Copy, Debug)]
pub(super) struct Frame {
    pub(super) language: &'static Language,
    /// Words that cannot name a variable.
    pub(super) reserved: &'static [&'static str],
    /// The source inputs of a part.
    pub(super) examples: fn(&Writer<'_>, usize, &Part<'_>) -> String,
    /// The function that makes follow-ups under `{transformation}`.
    pub(super) follow_up: &'static str,
    /// The function that says whether two inputs are related by `{text}`.
    pub(super) related: &'static str,
    /// The function that says whether a relation holds; `{comment}` says what it is.
    pub(super) relation: &'static str,
    pub(super) comment: fn(&[String]) -> String,
    /// The test of a relation on source inputs of the run.
    pub(super) test: &'static str,
    /// The test of a relation on inputs that are drawn.
    pub(super) property: &'static str,
    /// Whether properties stand after all tests.
    pub(super) are_properties_apart: bool,
    /// A variable that is a number, or a truth value, for `{value}`…
    pub(super) number: &'static str,
    pub(super) truth: &'static str,
    /// …or a sequence, for `{value}` and an element `{each}`.
    pub(super) sequence: fn(&NamedType) -> &'static str,
    /// The last line of a function.
    pub(super) result: &'static str,
}

/// What the texts of a file have in common.
pub(super) struct Writer<'w> {
    frame: &'static Frame,
    pub(super) signature: &'w Signature,
    pub(super) schema: Schema,
    pub(super) fields: Vec<Field<'w>>,
    pub(super) outputs: Vec<(String, NamedType)>,
    pub(super) helpers: Helpers,
}

/// The tests of all relations.
pub(super) struct Tests {
    pub(super) source: String,
    /// Properties that stand apart.
    pub(super) properties: String,
}

impl<'w> Writer<'w> {
    /// Of a function with these types of parameters, and of its result.
    pub(super) fn new(
        frame: &'static Frame,
        signature: &'w Signature,
        types: Vec<NamedType>,
        result: Option<NamedType>,
    ) -> Writer<'w> {
        let names: Vec<&str> = signature.parameters.iter().map(|p| p.name.as_str()).collect();
        let fields: Vec<Field<'_>> = identifiers(&names, frame.reserved)
            .into_iter()
            .zip(types)
            .zip(&signature.parameters)
            .map(|((name, ty), parameter)| Field { name, ty, parameter })
            .collect();
        let name = match signature.observed {
            Observed::Values | Observed::Together => "out",
            // In Java `throws` is no name.
            Observed::Outcomes => "threw",
        };
        let result = result.map(|ty| (name.to_owned(), ty));
        // The outputs of changed parameters are named after these.
        let changed = signature.changed.iter().map(|&i| &fields[i]);
        let after = changed.map(|field| (format!("{}_after", field.name), field.ty.clone()));
        let schema = signature.of_executions().schema();
        Writer {
            frame,
            signature,
            schema: schema.expect("names were checked with the signature"),
            outputs: result.into_iter().chain(after).collect(),
            fields,
            helpers: Helpers::of(frame.language),
        }
    }

    /// The tests of all parts; `None` if no part has a test.
    pub(super) fn tests(&mut self, parts: &[Part<'_>], properties: Properties) -> Option<Tests> {
        let frame = self.frame;
        let (mut source, mut apart, mut count) = (String::new(), String::new(), 0_usize);
        for (part_number, part) in parts.iter().filter(|part| !part.is_empty()).enumerate() {
            let number = (part_number + 1).to_string();
            source += &(frame.examples)(self, part_number + 1, part);
            source += &self.follow_up(&number, part);
            source += &self.related(&number, part);
            for (i, predicate) in part.relations.iter().enumerate() {
                count += 1;
                let text = predicate.display(&self.schema).to_string();
                let lines = comment(part, i, self.signature, &text);
                let (comment, body) = ((frame.comment)(&lines), self.body(predicate));
                let relation = count.to_string();
                let values = [
                    ("part", &*number),
                    ("relation", &relation),
                    ("comment", &comment),
                    ("body", &body),
                    ("text", &text),
                ];
                source += &fill(frame.relation, &values);
                source += &fill(frame.test, &values);
                match (properties, frame.are_properties_apart) {
                    (Properties::None, _) => {}
                    (Properties::Drawn, true) => apart += &fill(frame.property, &values),
                    (Properties::Drawn, false) => source += &fill(frame.property, &values),
                }
            }
        }
        (count > 0).then_some(Tests { source, properties: apart })
    }

    pub(super) fn follow_up(&mut self, number: &str, part: &Part<'_>) -> String {
        let instance = part.instance();
        let lines = statements(&instance, &self.fields, &mut self.helpers);
        let lines = lines.expect("numbers and sequences have conversions in these languages");
        let body: String = lines.iter().map(|line| format!("    {line}\n")).collect();
        let transformation = instance.to_string();
        let values = [("part", number), ("transformation", &transformation), ("body", &body)];
        fill(self.frame.follow_up, &values)
    }

    fn related(&mut self, number: &str, part: &Part<'_>) -> String {
        let text = part.transform.describe().input_relation;
        let body = self.body(&part.transform.said(&self.schema));
        fill(self.frame.related, &[("part", number), ("text", &text), ("body", &body)])
    }

    /// The variables of a relation as numbers and sequences, and its expression.
    fn body(&mut self, predicate: &Predicate) -> String {
        let frame = self.frame;
        let mut text = String::new();
        for var in used(predicate) {
            let (name, place, ty) = self.variable(var);
            let (template, value) = match self.schema.type_of(var) {
                Some(Type::Num) => (frame.number, self.helpers.number(&place, &ty)),
                Some(Type::Bool) => (frame.truth, place),
                Some(Type::Seq) => ((frame.sequence)(&ty), place),
                None => unreachable!("a predicate of this schema"),
            };
            let each = match template.contains("{each}") {
                true => self.helpers.number("x", &ty),
                false => String::new(),
            };
            let values = [("name", &*name), ("value", &value), ("each", &each)];
            text += &format!("    {}\n", self.helpers.fill(template, "", &values));
        }
        let names: Vec<String> = self.schema.iter().map(|(var, ..)| self.variable(var).0).collect();
        let variable = |var: Var| Variable::new(&*names[var.index()]);
        let whole = expression(predicate, &variable, &mut self.helpers);
        text + "    " + &fill(frame.result, &[("value", &whole)]) + "\n"
    }

    /// The name of a variable, where in a pair it is, and its type.
    fn variable(&self, var: Var) -> (String, String, NamedType) {
        let side = self.fields.len() + self.outputs.len();
        let (letter, inputs, outputs) = match var.index() < side {
            true => ("s", "source", "at_source"),
            false => ("f", "follow_up", "at_follow_up"),
        };
        let at = var.index() % side;
        let (place, name, ty) = match self.fields.get(at) {
            Some(Field { name, ty, .. }) => (inputs, name, ty),
            None => {
                let (name, ty) = &self.outputs[at - self.fields.len()];
                (outputs, name, ty)
            }
        };
        (format!("{name}_{letter}"), format!("pair.{place}.{name}"), ty.clone())
    }

    /// The literals of source inputs, row by row.
    pub(super) fn rows(&self, part: &Part<'_>) -> impl Iterator<Item = Vec<String>> {
        let literals = &self.frame.language.literals;
        (0..part.pairs.len()).map(move |row| {
            let values = part.pairs.sources.row(row).zip(&self.fields);
            values.map(|(value, field)| literals.write(&value, &field.ty)).collect()
        })
    }

    /// The identifiers of the parameters.
    pub(super) fn names(&self) -> Vec<String> {
        self.fields.iter().map(|field| field.name.clone()).collect()
    }
}
