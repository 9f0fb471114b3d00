//! The test module of laws: a short test per law, and what they share.

use std::fmt::Write;

use super::file::{
    TOLERANCE, drawn_inputs, exactness, inputs_class, modules, named_outputs, needs,
    statements_of_call, writer,
};
use super::{PythonError, Style};
use crate::export::exact::Integers;
use crate::export::head::{commented, law_head, plain};
use crate::export::laws::{LawFrame, tests};
use crate::export::template::fill;
use crate::export::writer::Writer;
use crate::export::{Part, Properties};
use crate::subject::Signature;

static LAWS: LawFrame = LawFrame {
    integers: Integers {
        wide: |_| "{v}",
        width: |_| 64,
        constant: |number| format!("{}", number as i64),
        length: |_| "len({v})",
        own_length: None,
        length_bits: 48,
        same: None,
        flip: |_| "{v}[::-1]",
        abs: "abs({v})",
        bits: None,
        comparison: 4,
    },
    name: str::to_owned,
    law: plain,
    test: "

def test_{name}():
    \"\"\"{law}\"\"\"
    check(EXAMPLES_{examples}, follow_up_{part}, lambda s, f: {expression})
",
    examples,
    sequence: |_| "[{each} for x in {v}]",
};

/// The examples of a transformation, in as few lines as they need.
fn examples(writer: &Writer<'_>, number: usize, part: &Part<'_>) -> String {
    const WIDTH: usize = 110;
    let rows: Vec<String> =
        writer.rows(part).map(|row| format!("Inputs({})", row.join(", "))).collect();
    let line = format!("EXAMPLES_{number} = [{}]", rows.join(", "));
    let text = match line.len() <= WIDTH {
        true => line,
        false => format!(
            "EXAMPLES_{number} = [\n{}]",
            rows.iter().map(|row| format!("    {row},\n")).collect::<String>()
        ),
    };
    format!("\n\n{text}\n")
}

/// Writes laws of a function as a test module: a short test for each, named after it. Parts without pairs or relations are left out.
///
/// # Errors
/// When no test is left.
pub fn write(
    signature: &Signature,
    parts: &[Part<'_>],
    style: &Style<'_>,
) -> Result<String, PythonError> {
    let mut writer = writer(signature);
    let tests = tests(&mut writer, &LAWS, parts).ok_or(PythonError::Nothing)?;
    let (driver, drawn) = match style.properties {
        Properties::Drawn => {
            let exactness =
                exactness(&writer).replace("(pair.at_source, pair.at_follow_up)", "(s, f)");
            let exactness: String = exactness.lines().map(|line| format!("    {line}\n")).collect();
            let driver = fill(DRIVER, &[("exactness", &exactness)]);
            (driver, drawn_inputs(&writer))
        }
        Properties::None => (EXAMPLES_ONLY.to_owned(), String::new()),
    };
    let shared = inputs_class(&writer) + &call(&writer) + &driver + &drawn;
    let helpers = writer.helpers.source();
    let (needs, own) = needs(style.properties);
    let mut source = commented("#", &law_head(&signature.function, &style.origin));
    let _ = writeln!(source, "# {needs}\n");
    source += &modules(&[&shared, &tests, &helpers]);
    source += "from dataclasses import dataclass, replace\nfrom types import SimpleNamespace\n\n";
    if !own.is_empty() {
        let _ = writeln!(source, "{own}");
    }
    source += &style.callee.import();
    source += &writer.helpers.tolerance(style.tolerance, TOLERANCE);
    Ok(source + &shared + &tests + &helpers)
}

/// The function that calls the function under test.
fn call(writer: &Writer<'_>) -> String {
    let mut text = "

def call(inputs):
    \"\"\"The inputs of a call and what comes of it.\"\"\"
"
    .to_owned();
    for line in statements_of_call(writer) {
        let _ = writeln!(text, "    {line}");
    }
    let _ = writeln!(text, "    return SimpleNamespace(**vars(inputs), {})", named_outputs(writer));
    text
}

/// Tries a law on examples, then on inputs that Hypothesis draws.
const DRIVER: &str = "

def check(examples, follow_up, law):
    \"\"\"Tries a law on examples and on drawn inputs, but for those without a follow-up or on which the function raises.\"\"\"
    for source in examples:
        s, f = call(source), call(follow_up(source))
        assert law(s, f), f\"the law is false: {s}, then {f}\"

    @PROPERTY
    @given(any_inputs(examples))
    def on_drawn_inputs(source):
        next_source = follow_up(source)
        if next_source is None:
            reject()
        try:
            s, f = call(source), call(next_source)
        except Exception:
            reject()
{exactness}        assert law(s, f), f\"the law is false: {s}, then {f}\"

    on_drawn_inputs()
";

/// Tries a law on examples.
const EXAMPLES_ONLY: &str = "

def check(examples, follow_up, law):
    \"\"\"Tries a law on examples.\"\"\"
    for source in examples:
        s, f = call(source), call(follow_up(source))
        assert law(s, f), f\"the law is false: {s}, then {f}\"
";
