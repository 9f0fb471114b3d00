//! A relation on concrete executions: `pow(2, 5) = 32; then pow(2, 4) = 16: 16 * 2 == 32`.

use genmorph_jit::engine::scalar;
use genmorph_jit::{Node, Op, Predicate, Tolerance, Type, Value, Var};
use schemars::JsonSchema;
use serde::Serialize;

use super::tree::Tree;
use super::value;
use crate::executions::{CORRECT, Executions};
use crate::subject::kinds::{Interface, Kind};

/// Rows that are looked at for an example. The order of the file is that of the source inputs, so that these are as
/// good as any.
const LOOKED_AT: usize = 2_000;

/// A relation with values in the place of variables.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Example {
    /// The call with the source inputs, and what it gave.
    pub source: String,
    /// The call with the follow-up inputs.
    pub follow_up: String,
    /// The relation with these values.
    pub relation: String,
    /// The same with its numbers computed, where that is another text.
    pub computed: Option<String>,
    /// Whether the relation holds there.
    pub holds: bool,
}

impl Example {
    /// A relation on the execution of the original that is read most easily; none if it holds on no execution.
    pub fn of(relation: &Predicate, executions: &Executions) -> Option<Example> {
        ReadableRows::new(executions).example(relation)
    }

    /// A relation of a function on these values of its variables.
    pub(super) fn new(
        relation: &Predicate,
        signature: &Interface,
        tolerance: &Tolerance,
        variable: &dyn Fn(Var) -> Value<'static>,
    ) -> Example {
        let tree = Tree::of(relation);
        let all = signature.inputs.len() + signature.outputs.len();
        let kind = |var: Var| {
            let mut parameters = signature.inputs.iter().chain(&signature.outputs);
            parameters.nth(var.index() % all.max(1)).map_or(Kind::Number, |p| p.kind)
        };
        let shown = |tree: &Tree| match tree {
            Tree::Var(var) => Some(value::text(kind(*var), &variable(*var))),
            Tree::Op(..) | Tree::Num(_) | Tree::Bool(_) => None,
        };
        let relation = tree.text(&shown);
        let computed = tree.text(&|tree| match tree {
            Tree::Op(op, _) if op.result() == Type::Num => match tree.value(variable, tolerance) {
                Value::Num(number) => Some(value::rounded(number)),
                Value::Bool(_) | Value::Seq(_) => None,
            },
            Tree::Op(op, _) if op.result() == Type::Seq => {
                Some(value::text(kind_of(tree, &kind), &tree.value(variable, tolerance)))
            }
            tree => shown(tree),
        });
        let is_alone = signature.calls.is_empty();
        Example {
            source: if is_alone {
                call(signature, 0, variable)
            } else {
                calls(signature, variable)
            },
            follow_up: if is_alone { call(signature, all, variable) } else { String::new() },
            computed: (computed != relation).then_some(computed),
            relation,
            holds: tree.value(variable, tolerance) == Value::Bool(true),
        }
    }
}

/// What a computed sequence is shown as.
fn kind_of(tree: &Tree, kind: &dyn Fn(Var) -> Kind) -> Kind {
    match tree {
        Tree::Op(Op::ToString, _) => Kind::Text,
        Tree::Op(_, operands) => operands.first().map_or(Kind::Numbers, |t| kind_of(t, kind)),
        Tree::Var(var) => kind(*var),
        Tree::Num(_) | Tree::Bool(_) => Kind::Numbers,
    }
}

/// A call as text; its variables begin at `first`.
fn call(signature: &Interface, first: usize, variable: &dyn Fn(Var) -> Value<'static>) -> String {
    let text = |at: usize, kind: Kind| value::text(kind, &variable(Var((first + at) as u16)));
    let inputs: Vec<String> =
        signature.inputs.iter().enumerate().map(|(at, p)| text(at, p.kind)).collect();
    let mut call = format!("{}({})", short(&signature.function), inputs.join(", "));
    let mut separator = ":";
    for (at, output) in (signature.inputs.len()..).zip(&signature.outputs) {
        let value = text(at, output.kind);
        call += &match output.name.strip_suffix("_after") {
            _ if output.name == "out" => format!(" = {value}"),
            Some(changed) => format!("{separator} {changed} becomes {value}"),
            None => format!("{separator} {} is {value}", output.name),
        };
        separator = ",";
    }
    call
}

/// Calls that are made together, as text: `s = "a": encode(s) = "61", decode(encode(s)) = "a"`.
fn calls(signature: &Interface, variable: &dyn Fn(Var) -> Value<'static>) -> String {
    let text = |at: usize, kind: Kind| value::text(kind, &variable(Var(at as u16)));
    let inputs = signature.inputs.iter().enumerate();
    let inputs = inputs.map(|(at, p)| format!("{} = {}", p.name, text(at, p.kind)));
    let outputs = signature.outputs.iter().zip(&signature.calls).enumerate();
    let outputs = outputs
        .map(|(at, (p, call))| format!("{call} = {}", text(signature.inputs.len() + at, p.kind)));
    let [inputs, outputs] = [inputs.collect::<Vec<_>>(), outputs.collect::<Vec<_>>()];
    format!("{}: {}", inputs.join(", "), outputs.join(", "))
}

/// The name of a function without the class that it is in.
fn short(function: &str) -> &str {
    let name = function.split('(').next().unwrap_or(function);
    name.rsplit(['#', '.', '/']).next().unwrap_or(name)
}

/// Rows of executions to choose examples from, those that are easily read first.
pub(super) struct ReadableRows<'e> {
    executions: &'e Executions,
    rows: Vec<usize>,
}

impl<'e> ReadableRows<'e> {
    pub(super) fn new(executions: &'e Executions) -> ReadableRows<'e> {
        let count = executions.count(CORRECT).min(LOOKED_AT);
        let mut rows: Vec<usize> = (0..count).collect();
        rows.sort_by_cached_key(|&row| effort(executions, row));
        ReadableRows { executions, rows }
    }

    /// The example that is read most easily and says something: where there is a condition, it is met.
    pub(super) fn example(&self, relation: &Predicate) -> Option<Example> {
        let Executions { signature, table, .. } = self.executions;
        let condition = match &Tree::of(relation) {
            Tree::Op(Op::Implies, sides) => Some(sides[0].nodes()),
            Tree::Op(..) | Tree::Var(_) | Tree::Num(_) | Tree::Bool(_) => None,
        };
        let is_true = |nodes: &[Node], row: usize| {
            let value = scalar::value(nodes, table.tolerance(), |var| table.value(var, row));
            value == Value::Bool(true)
        };
        let says =
            |&row: &usize| condition.as_ref().is_none_or(|condition| is_true(condition, row));
        let holds = |&row: &usize| is_true(relation.nodes(), row);
        let fit = || self.rows.iter().copied().filter(holds);
        let row = fit().find(says).or_else(|| fit().next())?;
        let variable = |var: Var| table.value(var, row);
        Some(Example::new(relation, signature, table.tolerance(), &variable))
    }
}

/// How hard a row is to read, and how little it says.
fn effort(executions: &Executions, row: usize) -> u32 {
    let Interface { inputs, outputs, .. } = &executions.signature;
    let all = inputs.len() + outputs.len();
    let value = |at: usize| executions.table.value(Var(at as u16), row);
    let mut effort: u32 = (0..2 * all).map(|at| of_value(&value(at))).sum();
    for at in inputs.len()..all {
        effort += 3 * u32::from(value(at) == value(all + at));
    }
    // Two inputs of one value could be taken for each other.
    let sources: Vec<Value<'_>> = (0..inputs.len()).map(value).collect();
    for (i, a) in sources.iter().enumerate() {
        effort += 2 * sources[..i].iter().filter(|b| a == *b).count() as u32;
    }
    effort
}

fn of_value(value: &Value<'_>) -> u32 {
    let number = |n: f64| match n {
        _ if !n.is_finite() => 30,
        _ if n.fract() != 0.0 => 3 + n.to_string().len() as u32,
        0.0 | 1.0 => 4,
        _ => n.abs().log10() as u32 + u32::from(n < 0.0),
    };
    match value {
        Value::Num(n) => number(*n),
        Value::Bool(_) => 0,
        Value::Seq(elements) => match elements.len() {
            0 => 6,
            1 => 3,
            len @ 2..=4 => len as u32 - 1,
            len => 2 * len as u32,
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{claims::relation, executions::power};

    #[test]
    fn the_example_is_small_and_not_trivial() {
        let executions = power::executions();
        let choice = ReadableRows::new(&executions);
        let relation = |text: &str| relation::read(text, executions.table.schema()).unwrap();
        let example = choice.example(&relation("out_f * k_s == out_s")).unwrap();
        assert!(example.holds);
        assert_eq!(example.source, "pow(2, 3) = 8");
        assert_eq!(example.follow_up, "pow(2, 2) = 4");
        assert_eq!(example.relation, "4 * 2 == 8");
        assert_eq!(example.computed.as_deref(), Some("8 == 8"));
        let example = choice.example(&relation("k_s < 0 implies out_f != out_s")).unwrap();
        assert!(example.relation.starts_with("-2 < 0 implies"), "{example:?}");
        assert_eq!(choice.example(&relation("out_f == 12345.5")), None);
    }

    #[test]
    fn a_class_is_not_part_of_the_name() {
        assert_eq!(short("org.x.Arithmetic#gcd(int,int)"), "gcd");
        assert_eq!(short("pow"), "pow");
    }
}
