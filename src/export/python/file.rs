//! The test module: its head, the function and its inputs, a test and a property per relation, and the helpers.

use std::fmt::Write;

use super::language::{PYTHON, named};
use super::strategy::strategy;
use super::{PythonError, Style};
use crate::export::head::{commented, head};
use crate::export::template::fill;
use crate::export::types::NamedType;
use crate::export::writer::{Frame, Writer};
use crate::export::{Part, Properties};
use crate::subject::kinds::Observed;
use crate::subject::{Signature, Type};

/// Words that cannot name a variable.
const RESERVED: &[&str] = &[
    "and", "as", "assert", "async", "await", "break", "class", "continue", "def", "del", "elif",
    "else", "except", "finally", "for", "from", "global", "if", "import", "in", "is", "lambda",
    "nonlocal", "not", "or", "pass", "raise", "return", "try", "while", "with", "yield", "None",
    "True", "False",
];

/// What a test module looks like.
pub(super) static FRAME: Frame = Frame {
    language: &PYTHON,
    reserved: RESERVED,
    examples,
    follow_up: "

def follow_up_{part}(source):
    \"\"\"The follow-up of inputs under {transformation}; None if that is no input of the function.\"\"\"
{body}",
    related: "

def related_{part}(pair):
    \"\"\"{text}\"\"\"
{body}",
    relation: "

def relation_{relation}(pair):
    \"\"\"{comment}    \"\"\"
{body}",
    comment: |lines| {
        let indent = |i: usize, line: &str| if i == 0 || line.is_empty() { "" } else { "    " };
        let lines = lines.iter().enumerate();
        lines.map(|(i, line)| format!("{}{line}\n", indent(i, line))).collect()
    },
    test: "

@pytest.mark.parametrize(\"source\", EXAMPLES_{part})
def test_relation_{relation}_on_examples(source):
    pair = pair_of(source, follow_up_{part}(source))
    assert related_{part}(pair), f\"the inputs are not related: {pair}\"
    assert relation_{relation}(pair), f\"{text} is false: {pair}\"
",
    property: "

@PROPERTY
@given(any_inputs(EXAMPLES_{part}))
def test_relation_{relation}_on_any_inputs(source):
    pair = drawn_pair(source, follow_up_{part})
    assert related_{part}(pair), f\"the inputs are not related: {pair}\"
    assert relation_{relation}(pair), f\"{text} is false: {pair}\"
",
    are_properties_apart: false,
    number: "{name} = {value}",
    truth: "{name} = bool({value})",
    sequence: |_| "{name} = [{each} for x in {value}]",
    result: "return {value}",
};

/// The tolerance, where numbers are compared.
pub(super) const TOLERANCE: &str = "
# Numbers that differ by at most ABS + REL * (the greater magnitude) are equal.
ABS = {abs}
REL = {rel}
";

/// A writer of test modules of a function.
pub(super) fn writer(signature: &Signature) -> Writer<'_> {
    let types = signature.parameters.iter().map(|parameter| named(parameter.ty)).collect();
    Writer::new(&FRAME, signature, types, signature.result.map(named))
}

/// What a file needs besides Python, for people and as imports.
pub(super) fn needs(properties: Properties) -> (&'static str, &'static str) {
    match properties {
        Properties::Drawn => (
            "It needs pytest and hypothesis.",
            "from hypothesis import HealthCheck, given, reject, settings\n\
             from hypothesis import strategies as st\n",
        ),
        Properties::None => ("It needs pytest.", ""),
    }
}

/// The imports of modules that the texts speak of.
pub(super) fn modules(texts: &[&str]) -> String {
    let is_used = |module: &&str| texts.iter().any(|text| text.contains(&format!("{module}.")));
    let used = ["ctypes", "math"].into_iter().filter(is_used);
    used.map(|module| format!("import {module}\n")).collect()
}

/// The outputs of a call, as named arguments.
pub(super) fn named_outputs(writer: &Writer<'_>) -> String {
    let outputs = writer.outputs.iter().map(|(name, _)| format!("{name}={name}"));
    outputs.collect::<Vec<_>>().join(", ")
}

/// Writes relations of a function as a test module. Parts without pairs or relations are left out.
///
/// # Errors
/// When no test is left.
pub fn write(
    signature: &Signature,
    parts: &[Part<'_>],
    style: &Style<'_>,
) -> Result<String, PythonError> {
    let mut writer = writer(signature);
    let tests = writer.tests(parts, style.properties).ok_or(PythonError::Nothing)?;
    let mut source = commented("#", &head(&signature.function, &style.origin, "floats"));
    let declarations = declarations(&writer);
    let drawn = match style.properties {
        Properties::Drawn => strategies(&writer),
        Properties::None => String::new(),
    };
    let helpers = writer.helpers.source();
    let (needs, own) = needs(style.properties);
    let _ = writeln!(source, "#\n# {needs}\n");
    source += &modules(&[&declarations, &tests.source, &drawn, &helpers]);
    let _ = writeln!(source, "from dataclasses import dataclass, replace\n\nimport pytest\n{own}");
    source += &style.callee.import();
    source += &writer.helpers.tolerance(style.tolerance, TOLERANCE);
    source += &declarations;
    source += &drawn;
    source += &tests.source;
    source += &helpers;
    Ok(source)
}

/// The types of inputs and outputs, and the call.
fn declarations(writer: &Writer<'_>) -> String {
    let lines = |names: Vec<String>| -> String {
        names.iter().map(|name| format!("    {name}\n")).collect()
    };
    let annotated = |name: &str, ty: &NamedType| format!("{name}: {}", ty.name);
    let inputs = writer.fields.iter().map(|f| annotated(&f.name, &f.ty)).collect();
    let outputs = writer.outputs.iter().map(|(name, ty)| annotated(name, ty)).collect();
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
    \"\"\"A source call and its follow-up call.\"\"\"

    source: Inputs
    at_source: Outputs
    follow_up: Inputs
    at_follow_up: Outputs


def pair_of(source, follow_up):
    return Pair(source, call(source), follow_up, call(follow_up))


def call(inputs):
    \"\"\"Calls the function with these inputs.\"\"\"
",
        lines(inputs),
        lines(outputs)
    );
    for line in statements_of_call(writer) {
        let _ = writeln!(text, "    {line}");
    }
    text + &format!("    return Outputs({})\n", named_outputs(writer))
}

/// The statements that call the function; the result is `out`.
pub(super) fn statements_of_call(writer: &Writer<'_>) -> Vec<String> {
    let mut lines = Vec::new();
    let mut arguments = Vec::new();
    for (i, field) in writer.fields.iter().enumerate() {
        let name = &field.name;
        let is_list = matches!(field.ty.ty, Type::List(_));
        arguments.push(match writer.signature.changed.contains(&i) {
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
    if writer.signature.observed == Observed::Outcomes {
        let caught =
            ["try:", "    {call}", "    threw = False", "except Exception:", "    threw = True"];
        lines.extend(caught.map(|line| line.replace("{call}", &call)));
        return lines;
    }
    lines.push(match writer.signature.result {
        Some(_) => format!("out = {call}"),
        None => call,
    });
    lines
}

/// The source inputs of a part.
fn examples(writer: &Writer<'_>, number: usize, part: &Part<'_>) -> String {
    let name = part.transform.describe().name;
    let mut text = format!("\n\n# Source inputs for {name}.\nEXAMPLES_{number} = [\n");
    for row in writer.rows(part) {
        let _ = writeln!(text, "    Inputs({}),", row.join(", "));
    }
    text + "]\n"
}

/// The class of inputs.
pub(super) fn inputs_class(writer: &Writer<'_>) -> String {
    let fields = writer.fields.iter().map(|f| format!("    {}: {}\n", f.name, f.ty.name));
    format!("\n\n@dataclass(frozen=True)\nclass Inputs:\n{}", fields.collect::<String>())
}

/// The strategies and functions that all properties use.
fn strategies(writer: &Writer<'_>) -> String {
    drawn_inputs(writer) + &fill(PAIRS, &[("exactness", &exactness(writer))])
}

/// The strategies of drawn inputs, and how many may be passed over.
pub(super) fn drawn_inputs(writer: &Writer<'_>) -> String {
    let names = writer.fields.iter().map(|field| format!("\"{}\"", field.name));
    let strategies = writer
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
",
            strategies.collect::<String>(),
            names.collect::<Vec<_>>().join(", ")
        )
}

/// What the properties of relations need besides.
const PAIRS: &str = "

def drawn_pair(source, follow_up):
    \"\"\"The pair of a source. One without a follow-up, or on which the function raises, is passed over.\"\"\"
    follow_up_inputs = follow_up(source)
    if follow_up_inputs is None:
        reject()
    try:
        pair = pair_of(source, follow_up_inputs)
    except Exception:
        reject()
{exactness}    return pair
";

/// The lines that pass over pairs with outputs that relations cannot speak of: 64-bit integers of 2^53 or more in magnitude.
pub(super) fn exactness(writer: &Writer<'_>) -> String {
    let test = |(name, ty): &(String, NamedType)| match ty.ty {
        Type::Scalar(_) | Type::String => format!("abs(outputs.{name}) < 2**53"),
        Type::List(_) => format!("all(abs(x) < 2**53 for x in outputs.{name})"),
    };
    let wide = writer.outputs.iter().filter(|(_, ty)| ty.ty.scalar().is_wide());
    let tests: Vec<String> = wide.map(test).collect();
    match tests.join(" and ") {
        tests if tests.is_empty() => tests,
        tests => format!(
            "    # Integers from 2**53 on are not exact as floats.\n    \
             for outputs in (pair.at_source, pair.at_follow_up):\n        \
             if not ({tests}):\n            reject()\n"
        ),
    }
}
