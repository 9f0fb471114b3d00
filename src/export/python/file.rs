//! The test module: its head, the function and its inputs, a test and a property per relation, and the helpers.

use std::fmt::Write;

use genmorph_jit::{Predicate, Schema, Type, Var};

use super::expression::expression;
use super::follow_up::{Field, number, statements};
use super::helper::Helpers;
use super::literal::{float, literal};
use super::strategy::strategy;
use super::{PythonError, Style};
use crate::claims::relation;
use crate::export::head::{comment, head};
use crate::export::names::identifiers;
use crate::export::variables::used;
use crate::export::{Part, Properties};
use crate::subject::{self, Scalar, Signature};

/// Words that cannot name a variable.
const RESERVED: [&str; 35] = [
    "and", "as", "assert", "async", "await", "break", "class", "continue", "def", "del", "elif",
    "else", "except", "finally", "for", "from", "global", "if", "import", "in", "is", "lambda",
    "nonlocal", "not", "or", "pass", "raise", "return", "try", "while", "with", "yield", "None",
    "True", "False",
];

/// What the texts of a module have in common.
struct Writer<'w> {
    signature: &'w Signature,
    schema: Schema,
    fields: Vec<Field<'w>>,
    outputs: Vec<(String, subject::Type)>,
    helpers: Helpers,
}

pub(super) fn write(
    signature: &Signature,
    parts: &[Part<'_>],
    style: &Style<'_>,
) -> Result<String, PythonError> {
    let names: Vec<&str> = signature.parameters.iter().map(|p| p.name.as_str()).collect();
    let fields = identifiers(&names, &RESERVED)
        .into_iter()
        .zip(&signature.parameters)
        .map(|(name, parameter)| Field { name, parameter })
        .collect::<Vec<_>>();
    let schema = signature.of_executions().schema();
    // The outputs of changed parameters are called after these.
    let result = signature.result.map(|ty| ("out".to_owned(), ty));
    let after = signature.changed.iter().map(|&i| &fields[i]);
    let after = after.map(|field| (format!("{}_after", field.name), field.parameter.ty));
    let mut writer = Writer {
        signature,
        schema: schema.expect("names were checked with the signature"),
        outputs: result.into_iter().chain(after).collect(),
        fields,
        helpers: Helpers::default(),
    };
    let (mut bodies, mut count) = (String::new(), 0);
    for (part_number, part) in parts.iter().filter(|part| !part.is_empty()).enumerate() {
        let of = part_number + 1;
        bodies += &writer.examples(of, part);
        bodies += &writer.follow_up(of, part);
        bodies += &writer.related(of, part);
        for relation in 0..part.relations.len() {
            count += 1;
            bodies += &writer.relation(count, part, relation);
            bodies += &writer.tests(count, of, part, relation, style.properties);
        }
    }
    if count == 0 {
        return Err(PythonError::Nothing);
    }
    let mut source = String::new();
    for line in head(&signature.function, &style.origin, "floats") {
        let _ = writeln!(source, "{}", format!("# {line}").trim_end());
    }
    let declarations = writer.declarations();
    let drawn = match style.properties {
        Properties::Drawn => writer.strategies(),
        Properties::None => String::new(),
    };
    let helpers = writer.helpers.source();
    source += &imports(style.properties, &[&declarations, &bodies, &drawn, &helpers]);
    source += &style.callee.import();
    if writer.helpers.compare() {
        let (abs, rel) = (float(style.tolerance.abs()), float(style.tolerance.rel()));
        source +=
            "\n# Numbers that differ by at most ABS + REL * (the greater magnitude) are equal.\n";
        let _ = writeln!(source, "ABS = {abs}\nREL = {rel}");
    }
    source += &declarations;
    source += &drawn;
    source += &bodies;
    source += &helpers;
    Ok(source)
}

fn imports(properties: Properties, texts: &[&str]) -> String {
    let (needs, own) = match properties {
        Properties::Drawn => (
            "It needs pytest and hypothesis.",
            "from hypothesis import HealthCheck, given, reject, settings\n\
             from hypothesis import strategies as st\n",
        ),
        Properties::None => ("It needs pytest.", ""),
    };
    let mut text = format!("#\n# {needs}\n\n");
    for module in ["ctypes", "math"] {
        if texts.iter().any(|text| text.contains(&format!("{module}."))) {
            let _ = writeln!(text, "import {module}");
        }
    }
    text + "from dataclasses import dataclass, replace\n\nimport pytest\n" + own + "\n"
}

impl Writer<'_> {
    /// The types of inputs and outputs, and the call.
    fn declarations(&self) -> String {
        let lines = |names: Vec<String>| -> String {
            names.iter().map(|name| format!("    {name}\n")).collect()
        };
        let annotated = |name: &str, ty| format!("{name}: {}", annotation(ty));
        let inputs = self.fields.iter().map(|f| annotated(&f.name, f.parameter.ty)).collect();
        let outputs = self.outputs.iter().map(|(name, ty)| annotated(name, *ty)).collect();
        let mut text = format!(
            "

@dataclass(frozen=True)
class Inputs:
    \"\"\"What the function takes.\"\"\"

{}

@dataclass(frozen=True)
class Outputs:
    \"\"\"What comes of a call.\"\"\"

{}

@dataclass(frozen=True)
class Pair:
    \"\"\"Two calls.\"\"\"

    source: Inputs
    at_source: Outputs
    follow_up: Inputs
    at_follow_up: Outputs


def pair_of(source, follow_up):
    return Pair(source, call(source), follow_up, call(follow_up))


def call(inputs):
    \"\"\"Calls the function.\"\"\"
",
            lines(inputs),
            lines(outputs)
        );
        for line in self.call() {
            let _ = writeln!(text, "    {line}");
        }
        text
    }

    /// The statements of the call.
    fn call(&self) -> Vec<String> {
        let mut lines = Vec::new();
        let mut arguments = Vec::new();
        for (i, field) in self.fields.iter().enumerate() {
            let name = &field.name;
            let is_list = matches!(field.parameter.ty, subject::Type::List(_));
            arguments.push(match self.signature.changed.contains(&i) {
                true => {
                    lines.push(format!("{name}_after = list(inputs.{name})"));
                    format!("{name}_after")
                }
                // What the function does to a list of its own is nobody's business.
                false if is_list => format!("list(inputs.{name})"),
                false => format!("inputs.{name}"),
            });
        }
        let call = format!("function({})", arguments.join(", "));
        lines.push(match self.signature.result {
            Some(_) => format!("out = {call}"),
            None => call,
        });
        let outputs: Vec<String> =
            self.outputs.iter().map(|(name, _)| format!("{name}={name}")).collect();
        lines.push(format!("return Outputs({})", outputs.join(", ")));
        lines
    }

    /// The source inputs of a part.
    fn examples(&self, number: usize, part: &Part<'_>) -> String {
        let mut text = format!(
            "\n\n# Source inputs for {}.\nEXAMPLES_{number} = [\n",
            part.transform.describe().name
        );
        for row in 0..part.pairs.len() {
            let values = part.pairs.sources.row(row).zip(&self.fields);
            let values = values.map(|(value, field)| literal(&value, field.parameter.ty));
            let _ = writeln!(text, "    Inputs({}),", values.collect::<Vec<_>>().join(", "));
        }
        text + "]\n"
    }

    fn follow_up(&mut self, number: usize, part: &Part<'_>) -> String {
        let instance = part.instance();
        let mut text = format!(
            "\n\ndef follow_up_{number}(source):\n    \
             \"\"\"The follow-up of inputs under {instance}; None if that is no input of the function, or the same.\"\"\"\n"
        );
        for line in statements(&instance, &self.fields, &mut self.helpers) {
            let _ = writeln!(text, "    {line}");
        }
        text
    }

    /// The function that says whether inputs are a source and its follow-up.
    fn related(&mut self, number: usize, part: &Part<'_>) -> String {
        let transformation = part.transform.describe();
        let relation = relation::read(&transformation.input_relation, &self.schema)
            .expect("a transformation states its input relation in the variables of the function");
        let body = self.body(&relation);
        format!(
            "\n\ndef related_{number}(pair):\n    \"\"\"{}\"\"\"\n{body}",
            transformation.input_relation
        )
    }

    fn relation(&mut self, count: usize, part: &Part<'_>, relation: usize) -> String {
        let predicate = &part.relations[relation];
        let text = predicate.display(&self.schema).to_string();
        let said = comment(part, relation, &self.signature.of_executions(), &text);
        let mut source = format!("\n\ndef relation_{count}(pair):\n    \"\"\"");
        for (i, line) in said.iter().enumerate() {
            let indent = if i == 0 || line.is_empty() { "" } else { "    " };
            let _ = writeln!(source, "{indent}{line}");
        }
        let body = self.body(predicate);
        source + "    \"\"\"\n" + &body
    }

    /// The variables of a relation as numbers and sequences, and its expression.
    fn body(&mut self, predicate: &Predicate) -> String {
        let mut text = String::new();
        let mut helpers = std::mem::take(&mut self.helpers);
        for var in used(predicate) {
            let (name, place, ty) = self.variable(var);
            let value = match self.schema.type_of(var).expect("a predicate of this schema") {
                Type::Num => number(&place, ty.scalar(), &mut helpers),
                Type::Bool => format!("bool({place})"),
                Type::Seq => {
                    let one = number("x", ty.scalar(), &mut helpers);
                    format!("[{one} for x in {place}]")
                }
            };
            let _ = writeln!(text, "    {name} = {value}");
        }
        let whole = expression(predicate, &|var| self.variable(var).0, &mut helpers);
        self.helpers = helpers;
        text + &format!("    return {whole}\n")
    }

    /// What a variable is called, where in a pair it is, and its type.
    fn variable(&self, var: Var) -> (String, String, subject::Type) {
        let side = self.fields.len() + self.outputs.len();
        let (letter, inputs, outputs) = match var.index() < side {
            true => ("s", "source", "at_source"),
            false => ("f", "follow_up", "at_follow_up"),
        };
        let at = var.index() % side;
        match self.fields.get(at) {
            Some(Field { name, parameter }) => {
                (format!("{name}_{letter}"), format!("pair.{inputs}.{name}"), parameter.ty)
            }
            None => {
                let (name, ty) = &self.outputs[at - self.fields.len()];
                (format!("{name}_{letter}"), format!("pair.{outputs}.{name}"), *ty)
            }
        }
    }

    /// The tests of a relation: on examples, and on whatever inputs.
    fn tests(
        &self,
        count: usize,
        number: usize,
        part: &Part<'_>,
        relation: usize,
        properties: Properties,
    ) -> String {
        let text = part.relations[relation].display(&self.schema).to_string();
        let asserted = format!(
            "    assert related_{number}(pair), f\"the inputs are not related: {{pair}}\"\n    \
             assert relation_{count}(pair), f\"{text} is false: {{pair}}\"\n"
        );
        let on_examples = format!(
            "

@pytest.mark.parametrize(\"source\", EXAMPLES_{number})
def test_relation_{count}_on_examples(source):
    pair = pair_of(source, follow_up_{number}(source))
{asserted}"
        );
        let on_any_inputs = match properties {
            Properties::None => String::new(),
            Properties::Drawn => format!(
                "

@PROPERTY
@given(any_inputs(EXAMPLES_{number}))
def test_relation_{count}_on_any_inputs(source):
    pair = drawn_pair(source, follow_up_{number})
{asserted}"
            ),
        };
        on_examples + &on_any_inputs
    }

    /// What the properties have in common.
    fn strategies(&self) -> String {
        let names = self.fields.iter().map(|field| format!("\"{}\"", field.name));
        let strategies = self
            .fields
            .iter()
            .map(|field| format!("    {}={},\n", field.name, strategy(field.parameter)));
        format!(
            "

# Whatever inputs the domain has.
DRAWN_INPUTS = st.builds(
    Inputs,
{})


def any_inputs(examples):
    \"\"\"All inputs drawn, or one, and the others of an example: inputs may have to fit together.\"\"\"
    names = st.sampled_from([{}])
    some = st.builds(
        lambda example, drawn, name: replace(example, **{{name: getattr(drawn, name)}}),
        st.sampled_from(examples),
        DRAWN_INPUTS,
        names,
    )
    return DRAWN_INPUTS | some


# Most inputs may be passed over, and a call may take its time.
PROPERTY = settings(
    deadline=None,
    suppress_health_check=[HealthCheck.filter_too_much, HealthCheck.too_slow],
)


def drawn_pair(source, follow_up):
    \"\"\"The pair of a source. One without a follow-up, or on which the function raises, is passed over.\"\"\"
    follow_up_inputs = follow_up(source)
    if follow_up_inputs is None:
        reject()
    try:
        return pair_of(source, follow_up_inputs)
    except Exception:
        reject()
",
            strategies.collect::<String>(),
            names.collect::<Vec<_>>().join(", ")
        )
    }
}

/// The type of values, for people.
fn annotation(ty: subject::Type) -> String {
    let one = match ty.scalar() {
        Scalar::Bool => "bool",
        Scalar::Char => "str",
        Scalar::F32 | Scalar::F64 => "float",
        Scalar::S8
        | Scalar::U8
        | Scalar::S16
        | Scalar::U16
        | Scalar::S32
        | Scalar::U32
        | Scalar::S64
        | Scalar::U64 => "int",
    };
    match ty {
        subject::Type::Scalar(_) | subject::Type::String => one.to_owned(),
        subject::Type::List(_) => format!("list[{one}]"),
    }
}
