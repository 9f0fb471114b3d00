//! Conditions on the inputs of a call under which a truth value is true: `throws iff n < 0 or n > 20`.
//!
//! A condition is one comparison of quantities of the inputs (numbers, lengths, constants), or two joined by `or` or `and`. Each is a
//! set of rows; a condition fits if it holds on exactly the rows on which the truth value is true. Where none fits, the
//! widest comparisons that imply the truth value, or its opposite, are told.

use std::collections::HashMap;

use genmorph_jit::engine::scalar;
use genmorph_jit::{
    Column, Evaluator, Node, Op, Policy, Predicate, Schema, Table, Tolerance, Type, Value, Var,
};

use super::Vocabulary;
use super::bits::Bits;
use super::bodies::{Bodies, Body, Form};
use super::cost::cost;
use super::scene::Scene;
use super::terms::joined;
use super::words::{CONSTANTS, DISTINCT, GUARDS, MOST_CONSTANTS, MOST_QUANTITIES, WIDE};

/// Rows on which a truth value must be true, and false, for anything to be said of it.
const FEWEST: usize = 3;
/// Rows that each part of a condition must add.
const ADDED: usize = 2;
/// Comparisons that are joined with each other, at most: the plainest.
const JOINED: usize = 600;
/// Conditions that fit which are handed on, at most: the plainest.
const FITTING: usize = 12;
/// How much harder to read a comparison with a constant is that neither the code nor everybody has.
const FOREIGN: u32 = 8;
/// One-sided conditions, at most.
const PARTIAL: usize = 2;

/// Calls with a truth value each: the values of all inputs, by columns.
pub(crate) struct Calls<'c> {
    /// The inputs; conditions are over these variables.
    pub(crate) schema: &'c Schema,
    pub(crate) columns: Vec<Column>,
    pub(crate) truths: Vec<bool>,
    pub(crate) tolerance: Tolerance,
}

/// A set of rows and the plainest comparison that holds on exactly these.
struct Atom {
    nodes: Vec<Node>,
    cost: u32,
    holds: Bits,
}

/// What inputs say of a truth value.
#[derive(Clone, Debug, Default)]
pub(crate) struct Conditions {
    /// Conditions that hold if and only if the truth value is true, the plainest first.
    pub(crate) exact: Vec<Vec<Node>>,
    /// Conditions that imply it, and conditions that imply its opposite.
    implies: [Vec<Vec<Node>>; 2],
    pub(crate) tried: u64,
}

/// Finds the conditions under which the truth value of calls is true.
pub(crate) fn conditions(calls: Calls<'_>, words: &Vocabulary) -> Conditions {
    let Calls { schema, columns, truths, tolerance } = calls;
    let truth = Bits::of(truths.len(), |row| truths[row]);
    let rows = truth.rows();
    if truth.count() < FEWEST || rows - truth.count() < FEWEST {
        return Conditions::default();
    }
    let Ok(table) = Table::new(schema, columns, tolerance) else { return Conditions::default() };
    let mut evaluator = Evaluator::new(Policy::Auto);
    let mut by_rows: HashMap<Bits, usize> = HashMap::new();
    let mut atoms: Vec<Atom> = Vec::new();
    let mut tried = 0;
    for nodes in comparisons(schema, &table, &truths, words) {
        let Ok(predicate) = Predicate::new(nodes.clone().into(), schema) else { continue };
        let mask = evaluator.mask(&predicate, &table);
        let bits = mask.words();
        let holds = Bits::of(rows, |row| bits[row / 64] >> (row % 64) & 1 == 1);
        tried += 1;
        let atom = Atom { cost: plainness(&nodes, words), nodes, holds };
        match by_rows.get(&atom.holds) {
            Some(&known) if atoms[known].cost <= atom.cost => {}
            Some(&known) => atoms[known] = atom,
            None => {
                by_rows.insert(atom.holds.clone(), atoms.len());
                atoms.push(atom);
            }
        }
    }
    atoms.sort_by_key(|atom| atom.cost);
    let mut found: Vec<(u32, Vec<Node>)> = Vec::new();
    found.extend(atoms.iter().filter(|a| a.holds == truth).map(|a| (a.cost, a.nodes.clone())));
    let within: Vec<&Atom> =
        atoms.iter().filter(|a| a.holds != truth && a.holds.is_within(&truth)).collect();
    let around: Vec<&Atom> =
        atoms.iter().filter(|a| a.holds != truth && truth.is_within(&a.holds)).collect();
    tried += join(Op::Or, &within, |a, b| truth.count_without_either(a, b) == 0, &mut found);
    tried += join(Op::And, &around, |a, b| a.count_with(b) == truth.count(), &mut found);
    found.sort_by_key(|(cost, _)| *cost);
    let exact: Vec<Vec<Node>> = found.into_iter().map(|(_, nodes)| nodes).take(FITTING).collect();
    let implies = match exact.is_empty() {
        false => Default::default(),
        true => {
            let opposite = Bits::of(rows, |row| !truths[row]);
            [&truth, &opposite].map(|side| partial(&atoms, side))
        }
    };
    Conditions { exact, implies, tried }
}

/// How hard a comparison is to read, beside others that hold on the same rows: `n < 0` rather than `n <= -1`, `n > 20` rather than
/// `n >= 21` if 20 is a constant of the code, and that a number has one value only if that is 0 or a constant of the code.
fn plainness(nodes: &[Node], words: &Vocabulary) -> u32 {
    let is_equation = matches!(nodes.last(), Some(Node::Op(Op::NumEq | Op::NumNe)));
    let of_constant = |node: &Node| match node {
        Node::Num(constant) if words.constants.contains(constant) => 0,
        Node::Num(0.0) => 0,
        Node::Num(constant) if *constant < 0.0 || is_equation => FOREIGN,
        Node::Num(_) => FOREIGN / 2,
        Node::Var(_) | Node::Op(_) | Node::Bool(_) => 0,
    };
    // Two bounds of a quantity differ by this little where one of them is strict.
    let is_strict = matches!(nodes.last(), Some(Node::Op(Op::Lt | Op::Gt)));
    cost(nodes) + nodes.iter().map(of_constant).sum::<u32>() - u32::from(is_strict)
}

/// Joins comparisons that add to each other; returns how many pairs were tried.
fn join(
    op: Op,
    atoms: &[&Atom],
    fits: impl Fn(&Bits, &Bits) -> bool,
    found: &mut Vec<(u32, Vec<Node>)>,
) -> u64 {
    let atoms = &atoms[..atoms.len().min(JOINED)];
    let mut tried = 0;
    for (i, a) in atoms.iter().enumerate() {
        for b in &atoms[i + 1..] {
            tried += 1;
            let adds = |a: &Bits, b: &Bits| a.count_without(b) >= ADDED;
            if fits(&a.holds, &b.holds) && adds(&a.holds, &b.holds) && adds(&b.holds, &a.holds) {
                found.push((a.cost + b.cost, joined(op, &a.nodes, &b.nodes)));
            }
        }
    }
    tried
}

/// The widest comparisons that hold on some of the rows of a set and on no others.
fn partial(atoms: &[Atom], side: &Bits) -> Vec<Vec<Node>> {
    let is_wide = |atom: &&Atom| {
        let count = atom.holds.count();
        count >= DISTINCT && count as f64 >= WIDE * side.rows() as f64
    };
    let mut within: Vec<&Atom> =
        atoms.iter().filter(|atom| atom.holds.is_within(side)).filter(is_wide).collect();
    within.sort_by_key(|atom| (std::cmp::Reverse(atom.holds.count()), atom.cost));
    let mut told: Vec<&Atom> = Vec::new();
    for atom in within {
        if told.len() < PARTIAL && !told.iter().any(|known| atom.holds.is_within(&known.holds)) {
            told.push(atom);
        }
    }
    told.into_iter().map(|atom| atom.nodes.clone()).collect()
}

/// A number that is read off the inputs.
struct Quantity {
    nodes: Vec<Node>,
    /// Whether it is compared with constants: nobody does that with the code of a character.
    is_number: bool,
    values: Vec<f64>,
}

impl Quantity {
    fn is_whole(&self) -> bool {
        self.values.iter().all(|value| value.fract() == 0.0)
    }

    /// The ends of what it is where the truth value is false, and where it is true, if the integer beyond is on the other side alone.
    fn ends(&self, truths: &[bool]) -> Vec<f64> {
        let mut ends = Vec::new();
        if !self.is_whole() {
            return ends;
        }
        for side in [false, true] {
            let of = |wanted: bool| {
                let rows = self.values.iter().zip(truths);
                rows.filter(move |(_, truth)| **truth == wanted).map(|(value, _)| *value)
            };
            let least = of(side).fold(f64::INFINITY, f64::min);
            let most = of(side).fold(f64::NEG_INFINITY, f64::max);
            let is_other = |value: f64| of(!side).any(|other| other == value);
            ends.extend(
                is_other(least - 1.0).then_some([least, least - 1.0]).into_iter().flatten(),
            );
            ends.extend(is_other(most + 1.0).then_some([most, most + 1.0]).into_iter().flatten());
        }
        ends
    }
}

/// All comparisons of quantities of the inputs with each other and with constants, truth values, and equal sequences.
fn comparisons(
    schema: &Schema,
    table: &Table,
    truths: &[bool],
    words: &Vocabulary,
) -> Vec<Vec<Node>> {
    let mut all = Vec::new();
    let mut quantities: Vec<Quantity> = Vec::new();
    let mut sequences: Vec<Node> = Vec::new();
    for (var, name, ty) in schema.iter() {
        let node = Node::Var(var);
        match ty {
            Type::Bool => all.extend([vec![node], vec![node, Node::Op(Op::Not)]]),
            Type::Num => {
                let is_number = !words.characters.iter().any(|character| character == name);
                quantities.push(quantity(vec![node], is_number, table));
            }
            Type::Seq => {
                sequences.push(node);
                quantities.push(quantity(vec![node, Node::Op(Op::Length)], true, table));
            }
        }
    }
    quantities.truncate(MOST_QUANTITIES);
    let further = words.constants.iter().copied().filter(|c| !CONSTANTS.contains(c));
    let known: Vec<f64> = CONSTANTS.into_iter().chain(further.take(MOST_CONSTANTS)).collect();
    for (i, a) in quantities.iter().enumerate() {
        // That real numbers are equal holds by rounding, or by special values.
        let fitting = |are_whole: bool| {
            let is_exact = move |op: &Op| are_whole || !matches!(op, Op::NumEq | Op::NumNe);
            GUARDS.into_iter().filter(is_exact)
        };
        if a.is_number {
            let mut constants = known.clone();
            for end in a.ends(truths) {
                if !constants.contains(&end) {
                    constants.push(end + 0.0);
                }
            }
            for constant in constants {
                let compared = |op| joined(op, &a.nodes, &[Node::Num(constant)]);
                all.extend(fitting(a.is_whole()).map(compared));
            }
        }
        for b in &quantities[i + 1..] {
            let are_whole = a.is_whole() && b.is_whole();
            all.extend(fitting(are_whole).map(|op| joined(op, &a.nodes, &b.nodes)));
        }
    }
    for (i, a) in sequences.iter().enumerate() {
        for b in &sequences[i + 1..] {
            all.extend([Op::SeqEq, Op::SeqNe].map(|op| joined(op, &[*a], &[*b])));
        }
    }
    all
}

fn quantity(nodes: Vec<Node>, is_number: bool, table: &Table) -> Quantity {
    let number =
        |row: usize| match scalar::value(&nodes, table.tolerance(), |var| table.value(var, row)) {
            Value::Num(number) => number,
            Value::Bool(_) | Value::Seq(_) => f64::NAN,
        };
    let values = (0..table.rows()).map(number).collect();
    Quantity { nodes, is_number, values }
}

/// Adds what inputs say of every truth value that the function returns, as bodies of single executions.
pub(super) fn bodies(scene: &Scene<'_>, words: &Vocabulary, sample: usize, bodies: &mut Bodies) {
    let table = &scene.executions.table;
    let setting = &scene.setting;
    let inputs = scene.executions.signature.inputs.len();
    let is_truth = |var: Var| setting.schema.type_of(var) == Some(Type::Bool);
    for &(source, follow_up) in setting.outputs.iter().filter(|(source, _)| is_truth(*source)) {
        let names = setting.schema.iter().take(inputs);
        let names = names.enumerate().map(|(at, (var, _, ty))| {
            debug_assert_eq!(var.index(), at, "inputs of the source come first");
            (scene.name(var).to_owned(), ty)
        });
        let Ok(schema) = Schema::new(names) else { return };
        let mut columns: Vec<Column> = schema.iter().map(|(_, _, ty)| Column::empty(ty)).collect();
        let mut truths = Vec::new();
        // Both executions of a pair are single executions.
        for row in 0..scene.correct() {
            for (first, output) in [(0, source), (setting.sources, follow_up)] {
                for (at, column) in columns.iter_mut().enumerate() {
                    column.push(&table.value(Var((first + at) as u16), row));
                }
                truths.push(table.value(output, row) == Value::Bool(true));
            }
        }
        let tolerance = setting.tolerance;
        let found = conditions(Calls { schema: &schema, columns, truths, tolerance }, words);
        bodies.tried += found.tried;
        let output = [Node::Var(source)];
        let negated = [Node::Var(source), Node::Op(Op::Not)];
        let exact = found.exact.iter().map(|condition| joined(Op::Iff, &output, condition));
        let [implied, opposed] = &found.implies;
        let implied = implied.iter().map(|condition| joined(Op::Implies, condition, &output));
        let opposed = opposed.iter().map(|condition| joined(Op::Implies, condition, &negated));
        for nodes in exact.chain(implied).chain(opposed) {
            bodies.list.push(Body::of(nodes, Form::Truth, None, Bits::all(sample)));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The plainest condition under which a truth value of numbers and lists is true.
    fn found(
        variables: &[(&str, Type)],
        rows: &[Vec<Value<'static>>],
        truth: impl Fn(&[Value<'static>]) -> bool,
    ) -> Vec<String> {
        let schema = Schema::new(variables.iter().copied()).unwrap();
        let mut columns: Vec<Column> = variables.iter().map(|v| Column::empty(v.1)).collect();
        for row in rows {
            columns.iter_mut().zip(row).for_each(|(column, value)| column.push(value));
        }
        let truths = rows.iter().map(|row| truth(row)).collect();
        let tolerance = Tolerance::default();
        let calls = Calls { schema: &schema, columns, truths, tolerance };
        let found = conditions(calls, &Vocabulary::default());
        let text = |nodes: &Vec<Node>| {
            Predicate::new(nodes.clone().into(), &schema).unwrap().display(&schema).to_string()
        };
        found.exact.iter().chain(found.implies.iter().flatten()).map(text).collect()
    }

    fn number(value: &Value<'_>) -> f64 {
        match value {
            Value::Num(number) => *number,
            Value::Bool(_) | Value::Seq(_) => f64::NAN,
        }
    }

    fn length(value: &Value<'_>) -> f64 {
        match value {
            Value::Seq(elements) => elements.len() as f64,
            Value::Num(_) | Value::Bool(_) => f64::NAN,
        }
    }

    #[test]
    fn the_ends_of_a_range_are_read_off_the_calls() {
        let rows: Vec<_> = (-30..60).map(|n| vec![Value::Num(f64::from(n))]).collect();
        let n = [("n", Type::Num)];
        let valid = |row: &[Value<'static>]| !(0.0..=20.0).contains(&number(&row[0]));
        assert_eq!(found(&n, &rows, valid)[0], "n < 0 or n > 20");
        assert_eq!(found(&n, &rows, |row| number(&row[0]) < 0.0)[0], "n < 0");
        // A gap between what was tried on both sides leaves the end open.
        let sparse: Vec<_> = rows.iter().step_by(7).cloned().collect();
        assert!(found(&n, &sparse, |row| number(&row[0]) > 19.0).is_empty());
    }

    #[test]
    fn lengths_are_compared_with_each_other_and_with_numbers() {
        let list = |length: usize, of: usize| Value::Seq(vec![of as f64; length].into());
        let row = |i: usize| {
            vec![list(i % 6, i), list(i / 6 % 5, 2 * i), Value::Num((i % 11) as f64 - 3.0)]
        };
        let rows: Vec<_> = (0..144).map(row).collect();
        let variables = [("a", Type::Seq), ("b", Type::Seq), ("n", Type::Num)];
        let differ = |row: &[Value<'static>]| length(&row[0]) != length(&row[1]);
        assert_eq!(found(&variables, &rows, differ)[0], "length(a) != length(b)");
        let outside =
            |row: &[Value<'static>]| number(&row[2]) < 0.0 || number(&row[2]) >= length(&row[0]);
        assert_eq!(found(&variables, &rows, outside)[0], "n < 0 or length(a) <= n");
    }

    #[test]
    fn where_nothing_fits_the_widest_implications_are_told() {
        let rows: Vec<_> = (-60..60).map(|n| vec![Value::Num(f64::from(n))]).collect();
        let odd = |row: &[Value<'static>]| number(&row[0]) < 0.0 || number(&row[0]) % 2.0 == 1.0;
        assert_eq!(found(&[("n", Type::Num)], &rows, odd), ["n < 0"]);
    }
}
