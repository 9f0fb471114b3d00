//! `testdata/semantics.txt`: what the operators mean, through every engine.
//!
//! Each line runs as it stands and in the company of other rows, because the bytecode treats tables of
//! integers, of finite numbers and of anything each in its own way, and with its numbers and truth
//! values written into the relation as constants, because those are folded.

use std::sync::Arc;

use genmorph_jit::engine::reference;
use genmorph_jit::oracle::{self, Engines};
use genmorph_jit::{
    Column, Expr, Node, Op, Predicate, Schema, Sequences, Table, Tolerance, Type, Value, text,
};

const SUITE: &str = include_str!("../testdata/semantics.txt");

/// The variables that a case may name, by type.
const NAMES: [(&str, Type); 9] = [
    ("a", Type::Num),
    ("b", Type::Num),
    ("c", Type::Num),
    ("p", Type::Bool),
    ("q", Type::Bool),
    ("r", Type::Bool),
    ("s", Type::Seq),
    ("t", Type::Seq),
    ("u", Type::Seq),
];

type Row = Vec<Value<'static>>;

/// A relation, rows for its variables, and where it must hold.
struct Case {
    relation: String,
    rows: Vec<Row>,
    expected: Vec<bool>,
    tolerance: Tolerance,
}

/// Numbers only, for tests in code: variables are a, b and c.
fn check(relation: &str, rows: &[&[f64]], expected: &str) {
    let number = |x: &f64| Value::Num(*x);
    let rows = rows.iter().map(|row| row.iter().map(number).collect()).collect();
    let expected = bits(expected);
    let relation = relation.to_owned();
    Case { relation, rows, expected, tolerance: Tolerance::default() }.check(&mut Engines::all());
}

impl Case {
    fn read(line: &str) -> Case {
        let fields: Vec<&str> = line.split('|').map(str::trim).collect();
        let (relation, rows, expected, tolerance) = match fields[..] {
            [relation, rows, expected] => (relation, rows, expected, Tolerance::default()),
            [relation, rows, expected, tolerance] => {
                (relation, rows, expected, tolerance.parse().expect("a tolerance"))
            }
            _ => panic!("three or four fields: {line}"),
        };
        let rows = rows.split(';').map(|row| values(row).collect()).collect();
        Case { relation: relation.to_owned(), rows, expected: bits(expected), tolerance }
    }

    fn schema(&self) -> Schema {
        let words = || self.relation.split(|c: char| !c.is_alphanumeric());
        let named = NAMES.into_iter().filter(|(name, _)| words().any(|word| word == *name));
        Schema::new(named).expect("distinct names")
    }

    /// One door: every engine, in every company.
    fn check(&self, engines: &mut Engines) {
        let schema = self.schema();
        let relation = text::parse(&self.relation, &schema)
            .unwrap_or_else(|error| panic!("{}: {error}", self.relation));
        assert_eq!(self.rows.len(), self.expected.len(), "{}: rows and bits", self.relation);
        for company in Company::ALL {
            let rows = company.around(&self.rows, &schema);
            self.check_rows(engines, &relation, &schema, &rows, &format!("amid {company:?}"));
        }
        for (row, expected) in self.rows.iter().zip(&self.expected) {
            let folded = with_constants(&relation, row, &schema);
            let table = table(&schema, std::slice::from_ref(row), self.tolerance);
            assert_eq!(
                reference::holds(&folded, &table, 0),
                *expected,
                "{}",
                folded.display(&schema)
            );
            engines.agree(&folded, &table).unwrap_or_else(|error| panic!("as constants: {error}"));
        }
    }

    /// The rows of the case are the first ones; the reference decides on the others.
    fn check_rows(
        &self,
        engines: &mut Engines,
        relation: &Predicate,
        schema: &Schema,
        rows: &[Row],
        company: &str,
    ) {
        let table = table(schema, rows, self.tolerance);
        let mask = reference::evaluate(relation, &table);
        let found: Vec<bool> = mask.iter().take(self.expected.len()).collect();
        assert_eq!(found, self.expected, "{} {company}", self.relation);
        engines.agree(relation, &table).unwrap_or_else(|error| panic!("{company}: {error}"));
        oracle::batch_equals_single(std::slice::from_ref(relation), &table)
            .unwrap_or_else(|error| panic!("{company}: {error}"));
    }
}

/// Rows that stand after those of a case, so that its columns are of another kind.
#[derive(Clone, Copy, Debug)]
enum Company {
    Nobody,
    Integers,
    Fractions,
    Huge,
    Anything,
    /// Enough rows to fill words and blocks.
    Itself,
}

impl Company {
    const ALL: [Company; 6] = [
        Company::Nobody,
        Company::Integers,
        Company::Fractions,
        Company::Huge,
        Company::Anything,
        Company::Itself,
    ];

    fn around(self, rows: &[Row], schema: &Schema) -> Vec<Row> {
        let (numbers, elements): (&[f64], &[f64]) = match self {
            Company::Nobody => (&[], &[]),
            Company::Integers => (&[1.0, -2.0], &[1.0, 2.0]),
            Company::Fractions => (&[0.5], &[0.5, 0.500_000_000_1, 48.000_000_000_01]),
            Company::Huge => (&[1e299, 2e300, f64::MAX], &[1e16, -1e16]),
            Company::Anything => (&[f64::NAN, f64::INFINITY], &[f64::NAN, f64::NEG_INFINITY]),
            Company::Itself => {
                return rows
                    .iter()
                    .cycle()
                    .take(rows.len() * (1 + 600 / rows.len()))
                    .cloned()
                    .collect();
            }
        };
        let guest = |x: &f64| {
            let value = |(_, _, ty)| match ty {
                Type::Num => Value::Num(*x),
                Type::Bool => Value::Bool(*x > 0.0),
                Type::Seq => Value::Seq(elements.to_vec().into()),
            };
            schema.iter().map(value).collect()
        };
        rows.iter().cloned().chain(numbers.iter().map(guest)).collect()
    }
}

fn table(schema: &Schema, rows: &[Row], tolerance: Tolerance) -> Arc<Table> {
    let column = |i: usize, ty: Type| {
        let (mut numbers, mut bools, mut sequences) = (vec![], vec![], Sequences::default());
        for row in rows {
            match &row[i] {
                Value::Num(x) => numbers.push(*x),
                Value::Bool(x) => bools.push(*x),
                Value::Seq(s) => sequences.push(s.iter().copied()),
            }
        }
        match ty {
            Type::Num => Column::Num(numbers),
            Type::Bool => Column::Bool(bools),
            Type::Seq => Column::Seq(sequences),
        }
    };
    assert!(rows.iter().all(|row| row.len() == schema.len()), "a value per variable: {rows:?}");
    let columns: Vec<Column> = schema.iter().map(|(var, _, ty)| column(var.index(), ty)).collect();
    let table = Table::grouped(schema, columns, &[rows.len()], tolerance);
    Arc::new(table.expect("values of the types of their variables"))
}

/// The relation with the numbers and truth values of a row in place of its variables.
fn with_constants(relation: &Predicate, row: &Row, schema: &Schema) -> Predicate {
    let mut nodes = Vec::new();
    for &node in relation.nodes() {
        match node {
            Node::Var(var) => match row[var.index()] {
                // NaN cannot be a constant, but its computation is folded to one.
                Value::Num(x) if x.is_nan() => {
                    let infinity = Node::Num(f64::INFINITY);
                    nodes.extend([infinity, infinity, Node::Op(Op::Sub)]);
                }
                Value::Num(x) => nodes.push(Node::Num(x)),
                Value::Bool(x) => nodes.push(Node::Bool(x)),
                Value::Seq(_) => nodes.push(node),
            },
            Node::Op(_) | Node::Num(_) | Node::Bool(_) => nodes.push(node),
        }
    }
    Predicate::new(Expr(nodes), schema).expect("constants have the types of their variables")
}

/// The values of one row.
fn values(row: &str) -> impl Iterator<Item = Value<'static>> {
    let mut rest = row.trim();
    std::iter::from_fn(move || {
        rest = rest.trim_start();
        let (word, after) = if let Some(inner) = rest.strip_prefix('[') {
            inner.split_once(']').expect("a closing bracket")
        } else if let Some(inner) = rest.strip_prefix('"') {
            inner.split_once('"').expect("a closing quote")
        } else {
            rest.split_at(rest.find(' ').unwrap_or(rest.len()))
        };
        let value = match (rest.chars().next()?, word) {
            ('_', _) => return None,
            ('[', numbers) => Value::Seq(numbers.split_whitespace().map(number).collect()),
            ('"', text) => Value::Seq(text.chars().map(|c| f64::from(u32::from(c))).collect()),
            (_, "T") => Value::Bool(true),
            (_, "F") => Value::Bool(false),
            (_, word) => Value::Num(number(word)),
        };
        rest = after;
        Some(value)
    })
}

fn number(word: &str) -> f64 {
    if let Some(word) = word.strip_suffix('↑') {
        number(word).next_up()
    } else if let Some(word) = word.strip_suffix('↓') {
        number(word).next_down()
    } else {
        word.parse().unwrap_or_else(|_| panic!("`{word}` is not a number"))
    }
}

fn bits(text: &str) -> Vec<bool> {
    let bit = |c| match c {
        '1' => true,
        '0' => false,
        _ => panic!("`{text}` is not a row of bits"),
    };
    text.chars().map(bit).collect()
}

fn suite() -> impl Iterator<Item = Case> {
    let lines = SUITE.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines.map(Case::read)
}

#[test]
fn every_engine_means_what_the_suite_says() {
    let mut engines = Engines::all();
    suite().for_each(|case| case.check(&mut engines));
}

#[test]
fn every_operator_has_at_least_three_cases() {
    let mut cases = [0; Op::ALL.len()];
    for case in suite() {
        let relation = text::parse(&case.relation, &case.schema()).expect("a relation");
        for op in Op::ALL {
            cases[op as usize] += usize::from(relation.nodes().contains(&Node::Op(op)));
        }
    }
    for op in Op::ALL {
        assert!(cases[op as usize] >= 3, "{op:?} has {} cases", cases[op as usize]);
    }
}

#[test]
fn rows_written_in_code_go_through_the_same_door() {
    check("a < b", &[&[1., 2.], &[2., 2.]], "10");
    check("a / b == c", &[&[1., 0., 1.], &[1., f64::NAN, f64::NAN]], "11");
}
