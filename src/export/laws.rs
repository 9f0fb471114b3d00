//! Tests of laws, as a person would write them: each has the name and the functional form of its law, a few examples and
//! inputs that are drawn, and compares integers as integers.
//!
//! `s` and `f` are the source call and the follow-up call: inputs and outputs by their names, as in `f.out == s.out * s.k`.

use std::collections::BTreeMap;

use genmorph_jit::{Predicate, Tolerance, Var};

use super::Part;
use super::bounds::Bounds;
use super::exact::{Integers, exact};
use super::expression::{Variable, expression};
use super::template::fill;
use super::title::titles;
use super::types::{Field, NamedType};
use super::variables::used;
use super::writer::Writer;
use crate::show::report::functional_form;
use crate::subject::Type;

/// What the tests of laws look like in a language.
#[derive(Clone, Copy, Debug)]
pub(super) struct LawFrame {
    pub(super) integers: Integers,
    /// The name of a test, from one in snake case.
    pub(super) name: fn(&str) -> String,
    /// The functional form of a law as a comment has it.
    pub(super) law: fn(&str) -> String,
    /// The test of a law: its `{name}`, its functional form `{law}`, its `{part}`, the part whose
    /// `{examples}` it has, and the `{expression}` over `s` and `f`.
    pub(super) test: &'static str,
    /// The examples of a part.
    pub(super) examples: fn(&Writer<'_>, usize, &Part<'_>) -> String,
    /// The sequence `{v}` as floats, by elements `{each}` called `x`.
    pub(super) sequence: fn(&NamedType) -> &'static str,
}

/// The tests of all parts that have some; none if there are none.
pub(super) fn tests(
    writer: &mut Writer<'_>,
    frame: &LawFrame,
    parts: &[Part<'_>],
) -> Option<String> {
    let parts: Vec<Part<'_>> = parts.iter().copied().filter(|part| !part.is_empty()).collect();
    let signature = writer.signature.of_executions();
    let names = titles(&parts, &signature);
    let mut source = String::new();
    // The examples of each part: several may have the same.
    let mut known: Vec<String> = Vec::new();
    for (i, (part, names)) in parts.iter().zip(&names).enumerate() {
        let number = (i + 1).to_string();
        let own = (frame.examples)(writer, 0, part);
        let first = known.iter().position(|earlier| *earlier == own).unwrap_or(i);
        if first == i {
            source += &(frame.examples)(writer, i + 1, part);
        }
        known.push(own);
        let examples = (first + 1).to_string();
        source += &writer.follow_up(&number, part);
        let input_relation = part.transform.input_relation();
        for (relation, name) in part.relations.iter().zip(names) {
            let law = (frame.law)(&functional_form(relation, &input_relation, &signature));
            let name = (frame.name)(name);
            let text = of_calls(writer, frame, part, relation);
            let values = [
                ("name", &*name),
                ("law", &law),
                ("part", &number),
                ("examples", &examples),
                ("expression", &text),
            ];
            source += &fill(frame.test, &values);
        }
    }
    (!parts.is_empty()).then_some(source)
}

/// The expression of a relation over the calls `s` and `f`.
fn of_calls(
    writer: &mut Writer<'_>,
    frame: &LawFrame,
    part: &Part<'_>,
    relation: &Predicate,
) -> String {
    let mut places = BTreeMap::new();
    for var in used(relation) {
        let (text, ty) = place(writer, var);
        let kind = writer.schema.type_of(var).expect("a predicate of this schema");
        places.insert(var.index(), (text, ty, kind, greatest(writer, var)));
    }
    let variable = |var: Var| places[&var.index()].clone();
    let zero = Tolerance::new(0.0, 0.0).unwrap_or_default();
    let is_exact = part.pairs.refutes(writer.signature, relation, zero).is_none();
    if is_exact && let Some(text) = exact(relation, &variable, &frame.integers, &mut writer.helpers)
    {
        return text;
    }
    let mut texts = BTreeMap::new();
    for (&at, (text, ty, kind, _)) in &places {
        let text = match kind {
            genmorph_jit::Type::Num => {
                let number = writer.helpers.number(text, ty);
                if number.contains(' ') { format!("({number})") } else { number }
            }
            genmorph_jit::Type::Seq => {
                let template = (frame.sequence)(ty);
                let each = match template.contains("{each}") {
                    true => writer.helpers.number("x", ty),
                    false => String::new(),
                };
                let values = [("v", &**text), ("each", &*each)];
                writer.helpers.fill(template, &ty.name, &values)
            }
            genmorph_jit::Type::Bool => text.clone(),
        };
        texts.insert(at, text);
    }
    let variable = |var: Var| Variable::new(&*texts[&var.index()]);
    expression(relation, &variable, &mut writer.helpers)
}

/// The greatest magnitude of a number that is a parameter, by its domain; infinity for what has no bounds.
fn greatest(writer: &Writer<'_>, var: Var) -> f64 {
    let at = var.index() % (writer.fields.len() + writer.outputs.len());
    let bounds = writer.fields.get(at).map(|field| Bounds::of(field.parameter));
    match bounds.as_ref().and_then(|bounds| Some((bounds.range?, &bounds.also))) {
        Some(((least, most), also)) => {
            also.iter().fold(least.abs().max(most.abs()), |greatest, also| greatest.max(also.abs()))
        }
        None => f64::INFINITY,
    }
}

/// Where a variable is, and its type.
fn place(writer: &Writer<'_>, var: Var) -> (String, NamedType) {
    let side = writer.fields.len() + writer.outputs.len();
    let call = if var.index() < side { "s" } else { "f" };
    let at = var.index() % side;
    let (name, ty) = match writer.fields.get(at) {
        Some(Field { name, ty, .. }) => (name, ty),
        None => {
            let (name, ty) = &writer.outputs[at - writer.fields.len()];
            (name, ty)
        }
    };
    (format!("{call}.{name}"), ty.clone())
}

/// Whether values of a type are kept in a list or a text.
pub(super) fn is_sequence(ty: &NamedType) -> bool {
    match ty.ty {
        Type::Scalar(_) => false,
        Type::String | Type::List(_) => true,
    }
}
