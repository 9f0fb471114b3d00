//! The test file of laws: a short test per law, and what they share.

use std::fmt::Write;

use super::file::{
    arguments_and_call, exactness, kept, mixed_inputs, opening, results, tuple, writer,
};
use super::{RustError, Style};
use crate::export::exact::Integers;
use crate::export::head::{commented, law_head, plain};
use crate::export::laws::{LawFrame, is_sequence, tests};
use crate::export::template::fill;
use crate::export::types::{Field, NamedType};
use crate::export::writer::Writer;
use crate::export::{Part, Properties};
use crate::subject::{Scalar, Signature, Type};

static LAWS: LawFrame = LawFrame {
    integers: Integers {
        wide: |ty| match ty.element {
            "isize" | "usize" => "({v} as i128)",
            _ => "i128::from({v})",
        },
        width: |_| 64,
        constant: |number| format!("{}", number as i64),
        length: |ty| match ty.ty {
            Type::String => "({v}.chars().count() as i128)",
            Type::Scalar(_) | Type::List(_) => "({v}.len() as i128)",
        },
        own_length: None,
        length_bits: 48,
        same: None,
        flip: |ty| match ty.ty {
            Type::String => "{v}.chars().rev().collect::<String>()",
            Type::Scalar(_) | Type::List(_) => "{v}.iter().rev().cloned().collect::<Vec<_>>()",
        },
        abs: "{v}.abs()",
        bits: Some(126),
        comparison: 3,
    },
    name: str::to_owned,
    law: plain,
    test: "
/// {law}
#[test]
fn {name}() {
    check(EXAMPLES_{examples}, follow_up_{part}, |s, f| {expression});
}
",
    examples,
    sequence: |ty| match ty.ty {
        Type::String => "@codes(&{v})",
        Type::List(Scalar::F64) => "{v}",
        Type::Scalar(_) | Type::List(_) => "{v}.iter().map(|&x| {each}).collect::<Vec<f64>>()",
    },
};

/// The examples of a transformation, in as few lines as they need.
fn examples(writer: &Writer<'_>, number: usize, part: &Part<'_>) -> String {
    const WIDTH: usize = 110;
    let rows: Vec<String> = writer.rows(part).map(|row| tuple(&row)).collect();
    let line = format!("const EXAMPLES_{number}: &[Example] = &[{}];", rows.join(", "));
    let text = match line.len() <= WIDTH {
        true => line,
        false => format!(
            "const EXAMPLES_{number}: &[Example] = &[\n{}];",
            rows.iter().map(|row| format!("    {row},\n")).collect::<String>()
        ),
    };
    format!("\n{text}\n")
}

pub(super) fn write(
    signature: &Signature,
    parts: &[Part<'_>],
    style: &Style<'_>,
) -> Result<String, RustError> {
    let mut writer = writer(signature, style.callee);
    let tests = tests(&mut writer, &LAWS, parts).ok_or(RustError::Nothing)?;
    let mut source = commented("//", &law_head(&signature.function, &style.origin));
    if style.properties == Properties::Drawn {
        source += "// It needs proptest: `cargo add --dev proptest@1`.\n";
    }
    source.push('\n');
    source += &opening(&writer, style);
    source += &tests;
    source += &shared(&writer, style);
    source += &writer.helpers.source();
    Ok(source)
}

/// The types, the call, and the function that tries a law.
fn shared(writer: &Writer<'_>, style: &Style<'_>) -> String {
    let constant = |field: &Field<'_>| match field.ty.ty {
        Type::Scalar(_) => field.ty.element.to_owned(),
        Type::String => "&'static str".to_owned(),
        Type::List(_) => format!("&'static [{}]", field.ty.element),
    };
    let typed = |(name, ty): (&str, &NamedType)| format!("{name}: {}", ty.name);
    let fields: Vec<String> = writer.fields.iter().map(|f| typed((&f.name, &f.ty))).collect();
    let outputs: Vec<String> = writer.outputs.iter().map(|(n, ty)| typed((n, ty))).collect();
    let names = writer.names();
    let constants: Vec<String> = writer.fields.iter().map(constant).collect();
    let lines = arguments_and_call(writer, style.callee);
    let again: Vec<String> = writer
        .fields
        .iter()
        .map(|Field { name, ty, .. }| match is_sequence(ty) {
            true => format!("{name}: inputs.{name}.clone()"),
            false => format!("{name}: inputs.{name}"),
        })
        .collect();
    let mut text = format!(
        "
#[derive(Clone, Debug)]
struct Inputs {{ {fields} }}

/// A call: what the function takes, and what comes of it.
#[derive(Debug)]
#[allow(dead_code)] // A failure shows all of it.
struct Call {{ {fields}, {outputs} }}

type Example = {example};

fn inputs(&{pattern}: &Example) -> Inputs {{
    Inputs {{ {kept} }}
}}

fn call(inputs: &Inputs) -> Call {{
",
        fields = fields.join(", "),
        outputs = outputs.join(", "),
        example = tuple(&constants),
        pattern = tuple(&names),
        kept = kept(writer),
    );
    for line in lines {
        let _ = writeln!(text, "    {line}");
    }
    let _ = writeln!(text, "    Call {{ {}, {} }}\n}}", again.join(", "), results(writer));
    if style.properties == Properties::None {
        return text + EXAMPLES_ONLY;
    }
    let (within, _) = exactness(writer);
    let unless = match within.is_empty() {
        true => "",
        false => {
            "        if !(is_exact(&s) && is_exact(&f)) {\n            \
             return Err(TestCaseError::reject(\"an output is beyond 2^53\"));\n        }\n"
        }
    };
    text += &fill(DRIVER, &[("unless", unless)]);
    text += &within.replace("&Outputs", "&Call");
    text + &mixed_inputs(writer)
}

/// Tries a law on examples, then on inputs that proptest draws.
const DRIVER: &str = "
/// Tries a law on the examples and on inputs that are drawn. Drawn inputs without a follow-up, or on which the function
/// panics, are passed over.
fn check(examples: &[Example], follow_up: fn(&Inputs) -> Option<Inputs>, law: fn(&Call, &Call) -> bool) {
    let examples: Vec<Inputs> = examples.iter().map(inputs).collect();
    for source in &examples {
        let (s, f) = (call(source), call(&follow_up(source).expect(\"an example has a follow-up\")));
        assert!(law(&s, &f), \"the law is false: {s:?}, then {f:?}\");
    }
    let config = ProptestConfig { max_global_rejects: 100_000, failure_persistence: None, ..ProptestConfig::default() };
    let mut runner = proptest::test_runner::TestRunner::new(config);
    let drawn = runner.run(&any_inputs(examples.into_iter()), |source| {
        let next = follow_up(&source).ok_or_else(|| TestCaseError::reject(\"no follow-up\"))?;
        let calls = std::panic::AssertUnwindSafe(|| (call(&source), call(&next)));
        let (s, f) = std::panic::catch_unwind(calls).map_err(|_| TestCaseError::reject(\"the function panics\"))?;
{unless}        prop_assert!(law(&s, &f), \"the law is false: {s:?}, then {f:?}\");
        Ok(())
    });
    if let Err(failure) = drawn {
        panic!(\"{failure}\");
    }
}
";

/// Tries a law on examples.
const EXAMPLES_ONLY: &str = "
/// Tries a law on the examples.
fn check(examples: &[Example], follow_up: fn(&Inputs) -> Option<Inputs>, law: fn(&Call, &Call) -> bool) {
    for source in examples.iter().map(inputs) {
        let (s, f) = (call(&source), call(&follow_up(&source).expect(\"an example has a follow-up\")));
        assert!(law(&s, &f), \"the law is false: {s:?}, then {f:?}\");
    }
}
";
