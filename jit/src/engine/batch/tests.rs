//! What the graph makes one, what it decides, and what it must leave alone.

use std::sync::Arc;

use super::graph::{Graph, Ref};
use super::{Batch, DEFAULT_MEMORY, OneThread, Table};
use crate::op::Type;
use crate::schema::Schema;
use crate::table::{Column, Sequences};
use crate::text;
use crate::tolerance::Tolerance;

/// `x` in 1..=4 and its copy `y`; `r` real; `z` with NaN and infinities; `s`, `t` of letters, 2 to 4 long.
fn table() -> Table {
    use Type::{Bool, Num, Seq};
    let schema = Schema::new([
        ("x", Num),
        ("y", Num),
        ("r", Num),
        ("z", Num),
        ("c", Num),
        ("p", Bool),
        ("q", Bool),
        ("s", Seq),
        ("t", Seq),
    ]);
    let texts = |texts: [&str; 4]| {
        let mut all = Sequences::default();
        texts.iter().for_each(|text| all.push_text(text));
        Column::Seq(all)
    };
    let columns = vec![
        Column::Num(vec![1.0, 2.0, 3.0, 4.0]),
        Column::Num(vec![1.0, 2.0, 3.0, 4.0]),
        Column::Num(vec![0.5, -2.5, 1e-3, 7.25]),
        Column::Num(vec![f64::NAN, f64::INFINITY, 0.0, f64::NEG_INFINITY]),
        Column::Num(vec![6.0; 4]),
        Column::Bool(vec![true, false, true, false]),
        Column::Bool(vec![true; 4]),
        texts(["ab", "abc", "abcd", "ba"]),
        texts(["ba", "cba", "xy", "ab"]),
    ];
    Table::new(&schema.unwrap(), columns, Tolerance::default()).unwrap()
}

fn relation(graph: &mut Graph, table: &Table, relation: &str) -> Ref {
    let parsed = text::parse(relation, table.schema());
    let parsed = parsed.unwrap_or_else(|error| panic!("{relation}: {error}"));
    graph.relation(parsed.nodes())
}

#[test]
fn relations_that_cannot_differ_are_one() {
    let table = table();
    let mut graph = Graph::new(&table);
    for (a, b) in [
        ("x < r", "r > x"),
        ("x <= r", "not (r < x)"),
        ("x != r", "not (r == x)"),
        ("x + r == 1", "1 == r + x"),
        ("y * r < 3", "r * x < 3"),
        ("r - 2 == x", "r + -2 == y"),
        ("r / 4 < x", "r * 0.25 < x"),
        ("r * -1 < x", "0 - r < x"),
        ("r / -1 < x", "-r < x"),
        ("abs(r - x) < 1", "abs(x - r) < 1"),
        ("abs(0 - r) < 1", "abs(r) < 1"),
        ("abs(abs(r)) < 1", "abs(r) < 1"),
        ("abs(x) < r", "x < r"),
        ("x + 0 == r / 1", "r == x * 1"),
        ("c + x < r", "x + 6 < r"),
        ("p and r < x", "not (not p or r >= x)"),
        ("p implies r < x", "r < x or not p"),
        ("p iff r < x", "not (p xor r < x)"),
        ("(not p) xor r < x", "p iff r < x"),
        ("p and q", "p"),
        ("p and p or false", "p"),
        ("flip(s) == t", "s == flip(t)"),
        ("flip(s) == flip(t)", "t == s"),
        ("flip(flip(s)) == t", "s == t"),
        ("length(flip(s)) < x", "length(s) < y"),
        ("sum(flip(s)) < x * 100", "sum(s) < x * 100"),
        ("truncate(s, x + 9) == t", "s == t"),
        ("remove(s, 4) == t", "s == t"),
        ("remove(s, -5) == t", "s == t"),
    ] {
        let [left, right] = [a, b].map(|text| relation(&mut graph, &table, text));
        assert_eq!(left, right, "{a}  |  {b}");
        assert_ne!(left.truth(), Ref::TRUE.truth(), "{a} is not decided");
    }
}

#[test]
fn what_the_columns_decide_is_not_evaluated() {
    let table = table();
    let mut graph = Graph::new(&table);
    for (text, expected) in [
        ("x == y", true),
        ("x < 5", true),
        ("x >= 1", true),
        ("x > 4", false),
        ("x == 2.5", false),
        ("x * r / 0 == 1", true),
        ("(x - y) * r == 0", true),
        ("x / y == 1", true),
        ("x * x + 1 > 1.5", true),
        ("abs(r) < 0", false),
        ("abs(z) < 0", false),
        ("z == z", true),
        ("z < z", false),
        ("2 + 2 == 4", true),
        ("c == 6", true),
        ("length(s) > 1", true),
        ("length(remove(s, x)) >= 1", true),
        ("length(truncate(s, x)) <= 4", true),
        ("length(toString(x)) == 1", true),
        ("sum(s) > 100", true),
        ("sum(s) < 409", true),
        ("toString(x) == s", false),
        ("toString(12) == toString(12.5)", true),
        ("remove(toString(12), 0) == toString(2)", true),
        ("truncate(s, 0) == truncate(t, -9)", true),
        ("s == toString(123456)", false),
        ("q", true),
    ] {
        assert_eq!(relation(&mut graph, &table, text), Ref::of(expected), "{text}");
    }
}

#[test]
fn what_only_holds_over_the_reals_is_left_alone() {
    let table = table();
    let mut graph = Graph::new(&table);
    for text in [
        // NaN and infinities.
        "z - z == 0",
        "z / z == 1",
        "z * 0 == 0",
        "abs(z) >= 0",
        "z <= 1",
        // Within the tolerance of a bound.
        "x < 4",
        "x < 4 + 0.0000000001",
        "x == 4 + 0.0000000001",
        // A text of digits only where numbers are.
        "truncate(s, x) == t",
    ] {
        let truth = relation(&mut graph, &table, text).truth();
        assert_ne!(truth, Ref::TRUE.truth(), "{text}");
    }
    for (a, b) in [
        ("z <= r", "not (r < z)"),
        ("r + x + x == 1", "r + (x + x) == 1"),
        ("r / 3 < x", "r * 0.3333333333333333 < x"),
        ("r == x", "r - x == 0"),
    ] {
        let [left, right] = [a, b].map(|text| relation(&mut graph, &table, text));
        assert_ne!(left, right, "{a}  |  {b}");
    }
}

#[test]
fn forgetting_what_was_said_does_not_change_what_is_said_next() {
    let table = table();
    let mut graph = Graph::new(&table);
    let texts = ["x + 6 < r", "c + x < r and p", "length(s) == 3 or r < 2"];
    let first = texts.map(|text| relation(&mut graph, &table, text));
    graph.clear();
    assert_eq!(texts.map(|text| relation(&mut graph, &table, text)), first);
}

#[test]
fn what_is_decided_or_seen_before_costs_no_rows() {
    let table = Arc::new(table());
    let parse = |text| text::parse(text, table.schema()).unwrap();
    let mut batch = Batch::new(Arc::clone(&table), DEFAULT_MEMORY);
    let counts = batch.counts(&[parse("x < 5 and toString(x) != s"), parse("x == r")], &OneThread);
    assert_eq!(counts, [4, 0]);
    assert_eq!(batch.counters().memo_misses, 1);
    assert_eq!(batch.counts(&[parse("r != y")], &OneThread), [4]);
    assert_eq!(batch.counters().memo_misses, 1);
}

#[test]
fn rows_that_an_atom_cannot_tell_apart_are_evaluated_once() {
    let schema = Schema::new([("x", Type::Num), ("y", Type::Num)]).unwrap();
    let rows = 5_000;
    let columns = vec![
        Column::Num((0..rows).map(|row| f64::from(row % 10)).collect()),
        Column::Num((0..rows).map(f64::from).collect()),
    ];
    let table = Table::new(&schema, columns, Tolerance::default()).unwrap();
    let mut batch = Batch::new(Arc::new(table), DEFAULT_MEMORY);
    for i in 0..40 {
        let relation = text::parse(&format!("x * x / {} < x", i + 2), &schema).unwrap();
        let expected = (0..10).filter(|x| x * x < x * (i + 2)).count() as u32 * 500;
        assert_eq!(batch.counts(&[relation], &OneThread), [expected]);
    }
    let counters = batch.counters();
    assert!(counters.digested >= 30, "{counters:?}");
    assert!(counters.node_rows < 15 * 7 * 5_000, "{counters:?}");
}
