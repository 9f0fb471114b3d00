//! The test file: its head, the function and its inputs, a test and a property per relation, and the helpers.

use std::fmt::Write;

use genmorph_jit::{Predicate, Schema, Type, Var};

use super::callee::{Callee, Function, Passing};
use super::expression::expression;
use super::follow_up::{Field, statements};
use super::helper::Helpers;
use super::literal::{double, literal};
use super::strategy::strategy;
use super::types::RustType;
use super::{RustError, Style};
use crate::claims::relation;
use crate::export::head::{comment, head};
use crate::export::names::identifiers;
use crate::export::variables::used;
use crate::export::{Part, Properties};
use crate::subject::Signature;

/// Words that cannot name a variable.
const RESERVED: [&str; 51] = [
    "abstract", "as", "async", "await", "become", "box", "break", "const", "continue", "crate",
    "do", "dyn", "else", "enum", "extern", "false", "final", "fn", "for", "gen", "if", "impl",
    "in", "let", "loop", "macro", "match", "mod", "move", "mut", "override", "priv", "pub", "ref",
    "return", "self", "static", "struct", "super", "trait", "true", "try", "type", "typeof",
    "unsafe", "unsized", "use", "virtual", "where", "while", "yield",
];

/// A tuple of strategies has at most twelve.
const MOST_STRATEGIES: usize = 10;

/// What the texts of a file have in common.
struct Writer<'w> {
    signature: &'w Signature,
    callee: &'w Callee,
    schema: Schema,
    fields: Vec<Field<'w>>,
    outputs: Vec<(String, RustType)>,
    helpers: Helpers,
}

pub(super) fn write(
    signature: &Signature,
    parts: &[Part<'_>],
    style: &Style<'_>,
) -> Result<String, RustError> {
    let callee = style.callee;
    let names: Vec<&str> = signature.parameters.iter().map(|p| p.name.as_str()).collect();
    let fields = identifiers(&names, &RESERVED)
        .into_iter()
        .zip(callee.types(signature))
        .zip(&signature.parameters)
        .map(|((name, ty), parameter)| Field { name, ty, parameter })
        .collect::<Vec<_>>();
    let schema = signature.of_executions().schema();
    // The outputs of changed parameters are called after these.
    let after = signature.changed.iter().map(|&i| format!("{}_after", fields[i].name));
    let outputs = signature.result.map(|_| "out".to_owned()).into_iter().chain(after);
    let mut writer = Writer {
        signature,
        callee,
        schema: schema.expect("names were checked with the signature"),
        outputs: outputs.zip(callee.outputs(signature)).collect(),
        fields,
        helpers: Helpers::default(),
    };
    let (mut bodies, mut properties, mut count) = (String::new(), String::new(), 0);
    for (number, part) in parts.iter().filter(|part| !part.is_empty()).enumerate() {
        bodies += &writer.examples(number + 1, part);
        bodies += &writer.follow_up(number + 1, part);
        bodies += &writer.related(number + 1, part);
        for relation in 0..part.relations.len() {
            count += 1;
            bodies += &writer.relation(count, part, relation);
            bodies += &writer.test(count, number + 1, part, relation);
            properties += &writer.property(count, number + 1, part, relation);
        }
    }
    if count == 0 {
        return Err(RustError::Nothing);
    }
    let mut source = String::new();
    for line in head(&signature.function, &style.origin, "f64") {
        let _ = writeln!(source, "{}", format!("// {line}").trim_end());
    }
    if style.properties == Properties::Drawn {
        source += "//\n// The properties need proptest: `cargo add --dev proptest@1`.\n";
    }
    source.push('\n');
    source += "// Names and expressions are as the relations have them.\n";
    source += "#![allow(non_snake_case, clippy::all, clippy::pedantic)]\n";
    source += "#![cfg_attr(rustfmt, rustfmt_skip)]\n";
    if style.properties == Properties::Drawn {
        source += "\nuse proptest::prelude::*;\n";
    }
    if writer.helpers.compare() {
        let (abs, rel) = (double(style.tolerance.abs()), double(style.tolerance.rel()));
        source +=
            "\n/// Numbers that differ by at most ABS + REL * (the greater magnitude) are equal.\n";
        let _ = writeln!(source, "const ABS: f64 = {abs};\nconst REL: f64 = {rel};");
    }
    source += &writer.declarations();
    source += &bodies;
    if style.properties == Properties::Drawn {
        source += &writer.strategies();
        source += &format!("\nproptest! {{\n    #![proptest_config(config())]\n{properties}}}\n");
    }
    source += &writer.helpers.source();
    Ok(source)
}

impl Writer<'_> {
    /// The types of inputs and outputs, and the call.
    fn declarations(&self) -> String {
        let field = |name: &str, ty: RustType| format!("    {name}: {},\n", ty.owned());
        let inputs: String = self.fields.iter().map(|f| field(&f.name, f.ty)).collect();
        let outputs: String = self.outputs.iter().map(|(name, ty)| field(name, *ty)).collect();
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

/// Two calls.
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

/// Calls the function.
fn call(inputs: &Inputs) -> Outputs {{
"
        );
        for line in self.call() {
            let _ = writeln!(text, "    {line}");
        }
        text + "}\n"
    }

    /// The statements of the call.
    fn call(&self) -> Vec<String> {
        let of_changed = |i: usize| self.signature.changed.contains(&i);
        let each = |of: &dyn Fn(usize, &Field<'_>) -> String| -> String {
            let all: Vec<String> = self.fields.iter().enumerate().map(|(i, f)| of(i, f)).collect();
            all.join(", ")
        };
        let bound = each(&|i, f| format!("{}{}", if of_changed(i) { "mut " } else { "" }, f.name));
        let mut lines = vec![format!("let Inputs {{ {bound} }} = inputs.clone();")];
        let arguments = each(&|i, f| match self.callee.parameters[i].passing {
            Passing::Value => f.name.clone(),
            Passing::Reference => format!("&{}", f.name),
            Passing::Mutable => format!("&mut {}", f.name),
        });
        let result = self.signature.result.is_some().then(|| self.outputs[0].1);
        let returned = self.callee.returned;
        let function = match &self.callee.function {
            Function::Path(path) => path.clone(),
            Function::Closure(closure) => {
                let types = each(&|i, f| match self.callee.parameters[i].passing {
                    Passing::Value => f.ty.owned(),
                    Passing::Reference => format!("&{}", f.ty.owned()),
                    Passing::Mutable => format!("&mut {}", f.ty.owned()),
                });
                let result = result.map(|ty| format!(" -> {}", ty.owned())).unwrap_or_default();
                lines.push(format!("let function: fn({types}){result} = {closure};"));
                "function".to_owned()
            }
        };
        let unwrapped = if returned.is_fallible { ".unwrap()" } else { "" };
        let owned = if returned.is_borrowed { ".to_owned()" } else { "" };
        let call = format!("{function}({arguments}){unwrapped}");
        lines.push(match result {
            Some(_) => format!("let out = {call}{owned};"),
            None => format!("{call};"),
        });
        let changed = self.signature.changed.iter().map(|&i| &self.fields[i].name);
        let changed = changed.map(|name| format!("{name}_after: {name}"));
        let outputs: Vec<String> =
            result.map(|_| "out".to_owned()).into_iter().chain(changed).collect();
        lines.push(format!("Outputs {{ {} }}", outputs.join(", ")));
        lines
    }

    /// The source inputs of a part.
    fn examples(&self, number: usize, part: &Part<'_>) -> String {
        let types: Vec<String> = self.fields.iter().map(|f| f.ty.constant()).collect();
        let types = tuple(&types);
        let mut text = format!(
            "\n/// Source inputs for `{}`: {}.\nconst EXAMPLES_{number}: &[{types}] = &[\n",
            part.transform.describe().name,
            self.names().join(", ")
        );
        for row in 0..part.pairs.len() {
            let values = part.pairs.sources.row(row).zip(&self.fields);
            let values: Vec<String> =
                values.map(|(value, field)| literal(&value, field.ty)).collect();
            let _ = writeln!(text, "    {},", tuple(&values));
        }
        let kept: Vec<String> = self.fields.iter().map(|f| f.ty.kept(&f.name)).collect();
        text + &format!(
            "];\n\nfn examples_{number}() -> impl Iterator<Item = Inputs> {{\n    \
             EXAMPLES_{number}.iter().map(|&{}| Inputs {{ {} }})\n}}\n",
            tuple(&self.names()),
            kept.join(", ")
        )
    }

    fn follow_up(&mut self, number: usize, part: &Part<'_>) -> String {
        let instance = part.instance();
        let mut text = format!(
            "\n/// The follow-up of inputs under `{instance}`; none if that is no input of the function, or the same.\n\
             fn follow_up_{number}(source: &Inputs) -> Option<Inputs> {{\n"
        );
        for line in statements(&instance, &self.fields, &mut self.helpers) {
            let _ = writeln!(text, "    {line}");
        }
        text + "}\n"
    }

    /// The function that says whether inputs are a source and its follow-up.
    fn related(&mut self, number: usize, part: &Part<'_>) -> String {
        let transformation = part.transform.describe();
        let relation = relation::read(&transformation.input_relation, &self.schema)
            .expect("a transformation states its input relation in the variables of the function");
        let body = self.body(&relation);
        format!(
            "\n/// `{}`\nfn related_{number}(pair: &Pair) -> bool {{\n{body}}}\n",
            transformation.input_relation
        )
    }

    fn relation(&mut self, count: usize, part: &Part<'_>, relation: usize) -> String {
        let predicate = &part.relations[relation];
        let text = predicate.display(&self.schema).to_string();
        let said = comment(part, relation, &self.signature.of_executions(), &text);
        let mut source = String::from("\n");
        for line in said {
            let _ = writeln!(source, "{}", format!("/// {line}").trim_end());
        }
        let body = self.body(predicate);
        source + &format!("fn relation_{count}(pair: &Pair) -> bool {{\n{body}}}\n")
    }

    /// The variables of a relation as numbers and sequences, and its expression.
    fn body(&mut self, predicate: &Predicate) -> String {
        let mut text = String::new();
        let mut helpers = std::mem::take(&mut self.helpers);
        for var in used(predicate) {
            let (name, place, ty) = self.variable(var);
            let value = match self.schema.type_of(var).expect("a predicate of this schema") {
                Type::Num => format!("let {name} = {};", ty.number(&place)),
                Type::Bool => format!("let {name} = {place};"),
                Type::Seq => {
                    format!("let {name}: Vec<f64> = {};", ty.sequence(&place, &mut helpers))
                }
            };
            let _ = writeln!(text, "    {value}");
        }
        let whole = expression(predicate, &|var| self.variable(var).0, &mut helpers);
        self.helpers = helpers;
        text + &format!("    {whole}\n")
    }

    fn names(&self) -> Vec<String> {
        self.fields.iter().map(|field| field.name.clone()).collect()
    }

    /// What a variable is called, where in a pair it is, and its type.
    fn variable(&self, var: Var) -> (String, String, RustType) {
        let side = self.fields.len() + self.outputs.len();
        let (letter, inputs, outputs) = match var.index() < side {
            true => ("s", "source", "at_source"),
            false => ("f", "follow_up", "at_follow_up"),
        };
        let at = var.index() % side;
        match self.fields.get(at) {
            Some(Field { name, ty, .. }) => {
                (format!("{name}_{letter}"), format!("pair.{inputs}.{name}"), *ty)
            }
            None => {
                let (name, ty) = &self.outputs[at - self.fields.len()];
                (format!("{name}_{letter}"), format!("pair.{outputs}.{name}"), *ty)
            }
        }
    }

    fn test(&self, count: usize, number: usize, part: &Part<'_>, relation: usize) -> String {
        let text = part.relations[relation].display(&self.schema).to_string();
        format!(
            "
#[test]
fn relation_{count}_on_examples() {{
    for source in examples_{number}() {{
        let follow_up = follow_up_{number}(&source).expect(\"an example has a follow-up\");
        let pair = Pair::of(source, follow_up);
        assert!(related_{number}(&pair), \"the inputs are not related: {{pair:#?}}\");
        assert!(relation_{count}(&pair), \"{text} is false: {{pair:#?}}\");
    }}
}}
"
        )
    }

    fn property(&self, count: usize, number: usize, part: &Part<'_>, relation: usize) -> String {
        let text = part.relations[relation].display(&self.schema).to_string();
        format!(
            "
    #[test]
    fn relation_{count}_on_any_inputs(source in any_inputs(examples_{number}())) {{
        let pair = pair(source, follow_up_{number})?;
        prop_assert!(related_{number}(&pair), \"the inputs are not related: {{pair:#?}}\");
        prop_assert!(relation_{count}(&pair), \"{text} is false: {{pair:#?}}\");
    }}
"
        )
    }

    /// What the properties have in common.
    fn strategies(&self) -> String {
        let strategies: Vec<String> = self.fields.iter().map(strategy).collect();
        let names = self.names();
        let tuples = |all: &[String], indent: &str| match all {
            all if all.len() <= MOST_STRATEGIES => {
                let lines: Vec<String> =
                    all.iter().map(|s| format!("{indent}    {s},\n")).collect();
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

/// The pair of a source. One without a follow-up, or on which the function panics, is passed over.
fn pair(source: Inputs, follow_up: fn(&Inputs) -> Option<Inputs>) -> Result<Pair, TestCaseError> {{
    let follow_up = follow_up(&source).ok_or_else(|| TestCaseError::reject(\"no follow-up\"))?;
    let called = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| Pair::of(source, follow_up)));
    called.map_err(|_| TestCaseError::reject(\"the function panics\"))
}}

/// Most inputs may be passed over. What fails is kept in a file next to this one.
fn config() -> ProptestConfig {{
    let persistence = proptest::test_runner::FileFailurePersistence::WithSource(\"regressions\");
    ProptestConfig {{
        max_global_rejects: 100_000,
        failure_persistence: Some(Box::new(persistence)),
        ..ProptestConfig::default()
    }}
}}
"
        )
    }
}

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

/// A tuple, of one too.
fn tuple(parts: &[String]) -> String {
    match parts {
        [one] => format!("({one},)"),
        many => format!("({})", many.join(", ")),
    }
}
