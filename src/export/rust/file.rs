//! The test file: its head, the function and its inputs, a test and a property per relation, and the helpers.

use std::fmt::Write;

use super::callee::{ArgumentMode, Callee, Function};
use super::language::{RUST, named};
use super::strategy::strategy;
use super::{RustError, Style};
use crate::export::head::{commented, head};
use crate::export::template::fill;
use crate::export::types::{Field, NamedType};
use crate::export::writer::{Frame, Writer};
use crate::export::{Part, Properties};
use crate::subject::kinds::Observed;
use crate::subject::{Scalar, Signature, Type};

/// Words that cannot name a variable.
const RESERVED: &[&str] = &[
    "abstract", "as", "async", "await", "become", "box", "break", "const", "continue", "crate",
    "do", "dyn", "else", "enum", "extern", "false", "final", "fn", "for", "gen", "if", "impl",
    "in", "let", "loop", "macro", "match", "mod", "move", "mut", "override", "priv", "pub", "ref",
    "return", "self", "static", "struct", "super", "trait", "true", "try", "type", "typeof",
    "unsafe", "unsized", "use", "virtual", "where", "while", "yield",
];

/// A tuple of strategies has at most twelve.
const MOST_STRATEGIES: usize = 10;

/// What a test file of a crate looks like.
pub(super) static FRAME: Frame = Frame {
    language: &RUST,
    reserved: RESERVED,
    examples,
    follow_up: "
/// The follow-up of inputs under `{transformation}`; none if that is no input of the function.
fn follow_up_{part}(source: &Inputs) -> Option<Inputs> {
{body}}
",
    related: "
/// `{text}`
fn related_{part}(pair: &Pair) -> bool {
{body}}
",
    relation: "
{comment}fn relation_{relation}(pair: &Pair) -> bool {
{body}}
",
    comment: |lines| {
        let line = |line: &String| format!("{}\n", format!("/// {line}").trim_end());
        lines.iter().map(line).collect()
    },
    test: "
#[test]
fn relation_{relation}_on_examples() {
    for source in examples_{part}() {
        let follow_up = follow_up_{part}(&source).expect(\"an example has a follow-up\");
        let pair = Pair::of(source, follow_up);
        assert!(related_{part}(&pair), \"the inputs are not related: {pair:#?}\");
        assert!(relation_{relation}(&pair), \"{text} is false: {pair:#?}\");
    }
}
",
    property: "
    #[test]
    fn relation_{relation}_on_any_inputs(source in any_inputs(examples_{part}())) {
        let pair = pair(source, follow_up_{part})?;
        prop_assert!(related_{part}(&pair), \"the inputs are not related: {pair:#?}\");
        prop_assert!(relation_{relation}(&pair), \"{text} is false: {pair:#?}\");
    }
",
    are_properties_apart: true,
    number: "let {name} = {value};",
    truth: "let {name} = {value};",
    sequence: |ty| match ty.ty {
        Type::String => "let {name}: Vec<f64> = @codes(&{value});",
        Type::List(Scalar::F64) => "let {name}: Vec<f64> = {value}.clone();",
        Type::Scalar(_) | Type::List(_) => {
            "let {name}: Vec<f64> = {value}.iter().map(|&x| {each}).collect();"
        }
    },
    result: "{value}",
};

/// A writer of test files that call a function.
pub(super) fn writer<'w>(signature: &'w Signature, callee: &Callee) -> Writer<'w> {
    let result = signature.result.map(|ty| named(ty, callee.returned.is_size));
    Writer::new(&FRAME, signature, callee.types(signature), result)
}

/// What stands between the head of a file and its tests: attributes, imports and the tolerance.
pub(super) fn opening(writer: &Writer<'_>, style: &Style<'_>) -> String {
    let imports = match style.properties {
        Properties::Drawn => "\nuse proptest::prelude::*;\n",
        Properties::None => "",
    };
    let tolerance = writer.helpers.tolerance(
        style.tolerance,
        "
/// Numbers that differ by at most ABS + REL * (the greater magnitude) are equal.
const ABS: f64 = {abs};
const REL: f64 = {rel};
",
    );
    format!(
        "#![allow(non_snake_case, clippy::all, clippy::pedantic)]\n\
         #![cfg_attr(rustfmt, rustfmt_skip)]\n{imports}{tolerance}"
    )
}

/// The fields of inputs, made of the constants of an example.
pub(super) fn kept(writer: &Writer<'_>) -> String {
    let kept = |Field { name, ty, .. }: &Field<'_>| match ty.ty {
        Type::Scalar(_) => name.clone(),
        Type::String => format!("{name}: {name}.to_owned()"),
        Type::List(_) => format!("{name}: {name}.to_vec()"),
    };
    writer.fields.iter().map(kept).collect::<Vec<_>>().join(", ")
}

/// The outputs of a call, by their fields.
pub(super) fn results(writer: &Writer<'_>) -> String {
    let changed = writer.signature.changed.iter().map(|&i| &writer.fields[i].name);
    let changed = changed.map(|name| format!("{name}_after: {name}"));
    let result = writer.signature.result.map(|_| writer.outputs[0].0.clone());
    result.into_iter().chain(changed).collect::<Vec<_>>().join(", ")
}

pub(super) fn write(
    signature: &Signature,
    parts: &[Part<'_>],
    style: &Style<'_>,
) -> Result<String, RustError> {
    let mut writer = writer(signature, style.callee);
    let tests = writer.tests(parts, style.properties).ok_or(RustError::Nothing)?;
    let mut source = commented("//", &head(&signature.function, &style.origin, "f64"));
    if style.properties == Properties::Drawn {
        source += "//\n// The properties need proptest: `cargo add --dev proptest@1`.\n";
    }
    source.push('\n');
    source += "// Names and expressions are as the relations have them.\n";
    source += &opening(&writer, style);
    source += &declarations(&writer, style.callee);
    source += &tests.source;
    if style.properties == Properties::Drawn {
        source += &strategies(&writer);
        source +=
            &format!("\nproptest! {{\n    #![proptest_config(config())]\n{}}}\n", tests.properties);
    }
    source += &writer.helpers.source();
    Ok(source)
}

/// The types of inputs and outputs, and the call.
fn declarations(writer: &Writer<'_>, callee: &Callee) -> String {
    let field = |name: &str, ty: &NamedType| format!("    {name}: {},\n", ty.name);
    let inputs: String = writer.fields.iter().map(|f| field(&f.name, &f.ty)).collect();
    let outputs: String = writer.outputs.iter().map(|(name, ty)| field(name, ty)).collect();
    let mut text = format!(
        "
/// What the function takes.
#[derive(Clone, Debug)]
struct Inputs {{
{inputs}}}

/// What comes of a call.
#[derive(Debug)]
#[allow(dead_code)] // What no relation speaks of is shown all the same.
struct Outputs {{
{outputs}}}

/// A source call and its follow-up call.
#[derive(Debug)]
#[allow(dead_code)]
struct Pair {{
    source: Inputs,
    at_source: Outputs,
    follow_up: Inputs,
    at_follow_up: Outputs,
}}

impl Pair {{
    fn of(source: Inputs, follow_up: Inputs) -> Pair {{
        let (at_source, at_follow_up) = (call(&source), call(&follow_up));
        Pair {{ source, at_source, follow_up, at_follow_up }}
    }}
}}

/// Calls the function with these inputs.
fn call(inputs: &Inputs) -> Outputs {{
"
    );
    for line in arguments_and_call(writer, callee) {
        let _ = writeln!(text, "    {line}");
    }
    text + &format!("    Outputs {{ {} }}\n}}\n", results(writer))
}

/// The statements that take inputs apart and call the function; the result is `out`.
pub(super) fn arguments_and_call(writer: &Writer<'_>, callee: &Callee) -> Vec<String> {
    let is_of_outcomes = writer.signature.observed == Observed::Outcomes;
    let of_changed = |i: usize| match is_of_outcomes {
        // It is changed all the same, and nobody looks at it.
        true => callee.parameters[i].passing == ArgumentMode::Mutable,
        false => writer.signature.changed.contains(&i),
    };
    let each = |of: &dyn Fn(usize, &Field<'_>) -> String| -> String {
        let all: Vec<String> = writer.fields.iter().enumerate().map(|(i, f)| of(i, f)).collect();
        all.join(", ")
    };
    let bound = each(&|i, f| format!("{}{}", if of_changed(i) { "mut " } else { "" }, f.name));
    let mut lines = vec![format!("let Inputs {{ {bound} }} = inputs.clone();")];
    let arguments = each(&|i, f| match callee.parameters[i].passing {
        ArgumentMode::Value => f.name.clone(),
        ArgumentMode::Reference => format!("&{}", f.name),
        ArgumentMode::Mutable => format!("&mut {}", f.name),
    });
    let result = writer.signature.result.is_some().then(|| &writer.outputs[0].1);
    let returned = callee.returned;
    let function = match &callee.function {
        Function::Path(path) => path.clone(),
        Function::Closure(closure) => {
            let types = each(&|i, f| match callee.parameters[i].passing {
                ArgumentMode::Value => f.ty.name.clone(),
                ArgumentMode::Reference => format!("&{}", f.ty.name),
                ArgumentMode::Mutable => format!("&mut {}", f.ty.name),
            });
            let result = match is_of_outcomes {
                true => " -> _".to_owned(),
                false => result.map(|ty| format!(" -> {}", ty.name)).unwrap_or_default(),
            };
            lines.push(format!("let function: fn({types}){result} = {closure};"));
            "function".to_owned()
        }
    };
    let unwrapped = if returned.is_fallible { ".unwrap()" } else { "" };
    let owned = if returned.is_borrowed { ".to_owned()" } else { "" };
    let call = format!("{function}({arguments}){unwrapped}");
    if is_of_outcomes {
        let closure = format!("std::panic::AssertUnwindSafe(|| {{ let _ = {call}; }})");
        lines.push(format!("let threw = std::panic::catch_unwind({closure}).is_err();"));
        return lines;
    }
    lines.push(match result {
        Some(_) => format!("let out = {call}{owned};"),
        None => format!("{call};"),
    });
    lines
}

/// The source inputs of a part.
fn examples(writer: &Writer<'_>, number: usize, part: &Part<'_>) -> String {
    let constant = |ty: &NamedType| match ty.ty {
        Type::Scalar(_) => ty.element.to_owned(),
        Type::String => "&str".to_owned(),
        Type::List(_) => format!("&[{}]", ty.element),
    };
    let types: Vec<String> = writer.fields.iter().map(|field| constant(&field.ty)).collect();
    let mut text = format!(
        "\n/// Source inputs for `{}`: {}.\nconst EXAMPLES_{number}: &[{}] = &[\n",
        part.transform.describe().name,
        writer.names().join(", "),
        tuple(&types),
    );
    for row in writer.rows(part) {
        let _ = writeln!(text, "    {},", tuple(&row));
    }
    text + &format!(
        "];\n\nfn examples_{number}() -> impl Iterator<Item = Inputs> {{\n    \
         EXAMPLES_{number}.iter().map(|&{}| Inputs {{ {} }})\n}}\n",
        tuple(&writer.names()),
        kept(writer)
    )
}

/// A function that says whether relations can speak of the outputs of a call, if they may be 64-bit integers of 2^53 or more in
/// magnitude; and the end of the function that makes pairs.
pub(super) fn exactness(writer: &Writer<'_>) -> (String, &'static str) {
    let magnitude = |value: &str, ty: &NamedType| match ty.element {
        "i64" | "isize" => format!("{value}.unsigned_abs() as u64"),
        _ => format!("{value} as u64"),
    };
    let test = |(name, ty): &(String, NamedType)| match ty.ty {
        Type::Scalar(_) | Type::String => {
            format!("({}) < 1 << 53", magnitude(&format!("outputs.{name}"), ty))
        }
        Type::List(_) => {
            format!("outputs.{name}.iter().all(|x| ({}) < 1 << 53)", magnitude("(*x)", ty))
        }
    };
    let wide = writer.outputs.iter().filter(|(_, ty)| ty.ty.scalar().is_wide());
    let tests: Vec<String> = wide.map(test).collect();
    if tests.is_empty() {
        return (
            String::new(),
            "called.map_err(|_| TestCaseError::reject(\"the function panics\"))",
        );
    }
    let function = format!(
        "
/// Whether relations can speak of what a call returns: 64-bit integers below 2^53 in magnitude are exact as f64.
fn is_exact(outputs: &Outputs) -> bool {{
    {}
}}
",
        tests.join(" && ")
    );
    let end = "let pair = called.map_err(|_| TestCaseError::reject(\"the function panics\"))?;
    match is_exact(&pair.at_source) && is_exact(&pair.at_follow_up) {
        true => Ok(pair),
        false => Err(TestCaseError::reject(\"an output is beyond 2^53\")),
    }";
    (function, end)
}

/// The strategies and functions that all properties use.
fn strategies(writer: &Writer<'_>) -> String {
    let (within, passed_over) = exactness(writer);
    mixed_inputs(writer) + &fill(PAIRS, &[("within", &within), ("passed_over", passed_over)])
}

/// The strategies of drawn inputs.
pub(super) fn mixed_inputs(writer: &Writer<'_>) -> String {
    let strategies: Vec<String> = writer.fields.iter().map(strategy).collect();
    let names = writer.names();
    let tuples = |all: &[String], indent: &str| match all {
        all if all.len() <= MOST_STRATEGIES => {
            let lines: Vec<String> = all.iter().map(|s| format!("{indent}    {s},\n")).collect();
            format!("(\n{}{indent})", lines.concat())
        }
        all => {
            let chunks =
                all.chunks(MOST_STRATEGIES).map(|chunk| format!("({},)", chunk.join(", ")));
            format!("({})", chunks.collect::<Vec<_>>().join(", "))
        }
    };
    let pattern = match names.len() <= MOST_STRATEGIES {
        true => tuple(&names),
        false => tuples(&names, ""),
    };
    let drawn = format!(
        "    {}.prop_map(|{pattern}| Inputs {{ {} }})\n",
        tuples(&strategies, "    "),
        names.join(", ")
    );
    let any = match &names[..] {
        [_] => "    prop_oneof![drawn_inputs(), examples]\n".to_owned(),
        many => mixed(many),
    };
    format!(
            "
/// Whatever inputs the domain has.
fn drawn_inputs() -> impl Strategy<Value = Inputs> {{
{drawn}}}

/// Inputs that are drawn; half of the time all of them, else those of an example but for one: inputs may have to fit together.
fn any_inputs(examples: impl Iterator<Item = Inputs>) -> impl Strategy<Value = Inputs> {{
    let examples = prop::sample::select(examples.collect::<Vec<Inputs>>());
{any}}}
"
        )
}

/// What the properties of relations need besides.
const PAIRS: &str = "
/// The pair of a source. One without a follow-up, or on which the function panics, is passed over.
fn pair(source: Inputs, follow_up: fn(&Inputs) -> Option<Inputs>) -> Result<Pair, TestCaseError> {
    let follow_up = follow_up(&source).ok_or_else(|| TestCaseError::reject(\"no follow-up\"))?;
    let called = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| Pair::of(source, follow_up)));
    {passed_over}
}
{within}
/// Most inputs may be passed over. What fails is kept in a file next to this one.
fn config() -> ProptestConfig {
    let persistence = proptest::test_runner::FileFailurePersistence::WithSource(\"regressions\");
    ProptestConfig {
        max_global_rejects: 100_000,
        failure_persistence: Some(Box::new(persistence)),
        ..ProptestConfig::default()
    }
}
";

/// A strategy for inputs that are drawn, or are an example with one of them drawn.
fn mixed(names: &[String]) -> String {
    let count = names.len();
    let mut text = format!(
        "    (drawn_inputs(), examples, 0..{}_usize).prop_map(|(drawn, example, which)| match which {{\n",
        2 * count
    );
    for (i, name) in names.iter().enumerate() {
        let number = count + i;
        let _ = writeln!(text, "        {number} => Inputs {{ {name}: drawn.{name}, ..example }},");
    }
    text + "        _ => drawn,\n    })\n"
}

/// A tuple; that of one part needs a comma.
pub(super) fn tuple(parts: &[String]) -> String {
    match parts {
        [one] => format!("({one},)"),
        many => format!("({})", many.join(", ")),
    }
}
