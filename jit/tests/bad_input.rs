//! What the user reads when the input is wrong: whole messages, as they are shown.
//!
//! A message names the place (line and column, node, or column of the table) and what was expected
//! there; hostile input gets a short message, soon.

use std::time::{Duration, Instant};

use genmorph_jit::text::MAX_TEXT;
use genmorph_jit::{
    Column, Expr, MAX_NODES, Node, Op, Policy, Predicate, Schema, Sequences, Table, Tolerance,
    Type, Var, text,
};

fn schema() -> Schema {
    let variables = [("k_s", Type::Num), ("out_s", Type::Num), ("out_f", Type::Num)];
    let others = [("ok", Type::Bool), ("xs_s", Type::Seq), ("größe", Type::Num)];
    Schema::new(variables.into_iter().chain(others)).expect("distinct names")
}

/// What reading a text as a relation answers.
fn reading(text: &str) -> String {
    match text::parse(text, &schema()) {
        Ok(_) => "it is a relation".to_owned(),
        Err(error) => error.to_string(),
    }
}

#[test]
fn unknown_variables_are_named_with_their_neighbour() {
    for (text, message) in [
        ("ot_s < 1", "line 1, column 1: unknown variable `ot_s`; did you mean `out_s`?"),
        (
            "out_s <\n  out_f + out_g",
            "line 2, column 11: unknown variable `out_g`; did you mean `out_s`?",
        ),
        ("größe < grösse", "line 1, column 9: unknown variable `grösse`; did you mean `größe`?"),
        ("elsewhere < 1", "line 1, column 1: unknown variable `elsewhere`"),
        (
            "0 < sqrt(k_s)",
            "line 1, column 5: unknown function `sqrt`; \
             there are abs, length, sum, flip, remove, truncate, toString, min, max, floor, \
             sort, upper, lower, first, last, least, greatest, at, count, indexOf, contains, \
             startsWith, endsWith, sameElements, sorted",
        ),
    ] {
        assert_eq!(reading(text), message, "{text}");
    }
}

#[test]
fn wrong_types_are_named_with_the_right_ones() {
    for (text, message) in [
        ("k_s + ok < 1", "line 1, column 7: operand 2 of `+` must be Num, found Bool"),
        ("not\nk_s", "line 2, column 1: operand 1 of `not` must be Bool, found Num"),
        ("length(k_s) < 1", "line 1, column 8: operand 1 of `length` must be Seq, found Num"),
        (
            "xs_s == remove(xs_s, ok)",
            "line 1, column 22: operand 2 of `remove` must be Num, found Bool",
        ),
        ("xs_s < xs_s", "line 1, column 1: operand 1 of `<` must be Num, found Seq"),
        ("xs_s == k_s", "line 1, column 6: `==` compares values of one type, found Seq and Num"),
        ("ok != 1", "line 1, column 4: `!=` compares values of one type, found Bool and Num"),
        ("k_s + 1", "line 1, column 1: a relation must be Bool, found Num"),
        ("flip(xs_s)", "line 1, column 1: a relation must be Bool, found Seq"),
    ] {
        assert_eq!(reading(text), message, "{text}");
    }
}

#[test]
fn unbalanced_and_unfinished_texts_are_placed() {
    for (text, message) in [
        ("", "line 1, column 1: the text ends where an operand is expected"),
        (" \n\t ", "line 1, column 1: the text ends where an operand is expected"),
        ("ok and", "line 1, column 7: the text ends where an operand is expected"),
        ("(ok and\n (k_s < 1)", "line 1, column 1: this parenthesis is never closed"),
        ("abs(k_s < 1", "line 1, column 4: this parenthesis is never closed"),
        ("ok) or ok", "line 1, column 3: this parenthesis was never opened"),
        ("ok ok", "line 1, column 4: expected an operator, found `ok`"),
        ("k_s * / 2 < 1", "line 1, column 7: expected an operand, found `/`"),
        ("abs k_s < 1", "line 1, column 5: expected `(` after the name of a function, found `k_s`"),
        ("abs() < 1", "line 1, column 1: `abs` takes 1 argument, found 0"),
        ("xs_s == remove(xs_s)", "line 1, column 9: `remove` takes 2 arguments, found 1"),
        ("0 < k_s < 9", "line 1, column 9: comparisons do not chain; write a < b and b < c"),
        ("k_s = 1", "line 1, column 5: unexpected character '='; did you mean `==`?"),
        ("ok & ok", "line 1, column 4: unexpected character '&'; did you mean `and`?"),
        ("ok | ok", "line 1, column 4: unexpected character '|'; did you mean `or`?"),
        ("größe < \"1\"", "line 1, column 9: unexpected character '\"'"),
        ("ok and \0", "line 1, column 8: unexpected character '\\0'"),
        ("k_s < \u{1F600}", "line 1, column 7: unexpected character '\u{1F600}'"),
    ] {
        assert_eq!(reading(text), message, "{text}");
    }
}

#[test]
fn constants_that_are_not_numbers_are_refused() {
    for (text, message) in [
        (
            "k_s < 1.2.3",
            "line 1, column 7: `1.2.3` is not a number; write it like `12`, `-0.5` or `1e-9`",
        ),
        (
            "k_s <\n\n 0x1F",
            "line 3, column 2: `0x1F` is not a number; write it like `12`, `-0.5` or `1e-9`",
        ),
        (
            "k_s < 1e",
            "line 1, column 7: `1e` is not a number; write it like `12`, `-0.5` or `1e-9`",
        ),
        ("k_s < -1e309", "line 1, column 8: `1e309` is too large for a 64-bit float; write inf"),
        ("k_s < nan", "line 1, column 7: a constant must be a number"),
    ] {
        assert_eq!(reading(text), message, "{text}");
    }
    let nodes = vec![Node::Var(Var(0)), Node::Num(f64::NAN), Node::Op(Op::Lt)];
    let error = Predicate::new(Expr(nodes), &schema()).unwrap_err();
    assert_eq!(error.to_string(), "node 1: a constant must be a number");
}

#[test]
fn nodes_that_are_no_relation_are_placed() {
    let message =
        |nodes: &[Node]| Predicate::new(Expr(nodes.to_vec()), &schema()).unwrap_err().to_string();
    let (number, truth) = (Node::Var(Var(0)), Node::Var(Var(3)));
    for (nodes, expected) in [
        (&[][..], "the expression is empty"),
        (&[Node::Var(Var(6))], "node 0: there is no variable number 6"),
        (&[truth, Node::Op(Op::And)], "node 1: `and` has too few operands"),
        (&[number, truth, Node::Op(Op::Add)], "node 2: operand 2 of `+` must be Num, found Bool"),
        (&[truth, truth], "2 expressions stand side by side; a predicate is one"),
        (&[number], "a relation must be Bool, found Num"),
        (&[truth; MAX_NODES + 1], "the expression has 1025 nodes; at most 1024 are allowed"),
    ] {
        assert_eq!(message(nodes), expected);
    }
}

#[test]
fn columns_that_make_no_table_are_named() {
    let columns = || -> Vec<Column> {
        let numbers = || Column::Num(vec![1.0, 2.0, 3.0]);
        let sequences: Sequences = [vec![1.0], vec![], vec![2.0, 3.0]].into_iter().collect();
        let truths = Column::Bool(vec![true, false, true]);
        vec![numbers(), numbers(), numbers(), truths, Column::Seq(sequences), numbers()]
    };
    let message = |columns, groups: &[usize]| {
        let table = Table::grouped(&schema(), columns, groups, Tolerance::default());
        table.map_or_else(|error| error.to_string(), |_| "it is a table".to_owned())
    };
    assert_eq!(message(columns(), &[2, 1]), "it is a table");
    assert_eq!(
        message(columns().split_off(2), &[3]),
        "the schema has 6 variables, but 4 columns were given"
    );
    let mut swapped = columns();
    swapped.swap(3, 4);
    assert_eq!(message(swapped, &[3]), "column `ok` must be Bool, found Seq");
    let mut ragged = columns();
    ragged[5] = Column::Num(vec![1.0]);
    assert_eq!(message(ragged, &[3]), "column `größe` has 1 rows; the others have 3");
    assert_eq!(
        message(columns(), &[3, 1]),
        "the groups have 4 rows together, but the columns have 3"
    );
}

#[test]
fn names_that_cannot_be_variables_are_named() {
    let message = |names: &[&str]| {
        Schema::new(names.iter().map(|name| (*name, Type::Num))).unwrap_err().to_string()
    };
    let advice =
        "use letters, digits, `_` and `$`, not first a digit, and none of the language's own words";
    for name in ["", "1x", "a b", "a-b", "not", "inf", "x\n"] {
        assert_eq!(message(&[name]), format!("`{name}` cannot name a variable: {advice}"));
    }
    assert_eq!(message(&["k_s", "k_f", "k_s"]), "the variable `k_s` is declared twice");
}

#[test]
fn settings_that_are_none_say_what_they_could_be() {
    for (text, message) in [
        ("1e-9", "a tolerance is `paper` or `ABS,REL` (such as `1e-9,1e-12`), not `1e-9`"),
        ("a,b", "a tolerance is `paper` or `ABS,REL` (such as `1e-9,1e-12`), not `a,b`"),
        ("-1,0", "the absolute tolerance must be in [0, 1e300], not -1"),
        ("nan,0", "the absolute tolerance must be in [0, 1e300], not NaN"),
        ("0,1", "the relative tolerance must be in [0, 0.5], not 1"),
    ] {
        assert_eq!(text.parse::<Tolerance>().unwrap_err().to_string(), message);
    }
    assert_eq!(
        "jit".parse::<Policy>().unwrap_err().to_string(),
        "a tier is `auto`, `reference`, `bytecode` or `native`, not `jit`"
    );
}

#[test]
fn a_megabyte_of_hostility_gets_a_short_answer_soon() {
    let repeat = |piece: &str| piece.repeat(1_000_000 / piece.len());
    let deep = "nested too deeply: more than 2048 operators and parentheses are open";
    let large = "the relation has more than 1024 operators, variables and constants";
    let ones = "1".repeat(64);
    let long = "ä".repeat(64);
    for (text, message) in [
        (repeat("("), format!("line 1, column 2049: {deep}")),
        (repeat("not\n"), format!("line 2049, column 1: {deep}")),
        (repeat("abs("), format!("line 1, column 8193: {deep}")),
        (repeat("k_s+"), format!("line 1, column 2048: {large}")),
        (repeat("ok=>"), format!("line 1, column 4097: {large}")),
        (repeat("- "), format!("line 1, column 2049: {large}")),
        (
            repeat("1"),
            format!("line 1, column 1: `{ones}…` is too large for a 64-bit float; write inf"),
        ),
        (repeat("ä"), format!("line 1, column 1: unknown variable `{long}…`")),
        (repeat(" \n"), "line 1, column 1: the text ends where an operand is expected".to_owned()),
        (repeat(")"), "line 1, column 1: expected an operand, found `)`".to_owned()),
        (repeat("\0"), "line 1, column 1: unexpected character '\\0'".to_owned()),
        (
            " ".repeat(MAX_TEXT + 1),
            "line 1, column 1048577: the text has 1048577 bytes; at most 1048576 are allowed"
                .to_owned(),
        ),
    ] {
        let start = Instant::now();
        assert_eq!(reading(&text), message, "{:?}…", &text[..8]);
        // It takes milliseconds; work that grows with the square of the length would take hours.
        assert!(start.elapsed() < Duration::from_secs(60), "{:?}…", &text[..8]);
    }
}
