//! Generated terms through every tier and every instruction set: numbers, bits and sequences.

use genmorph_jit::oracle::{self, Choices};
use genmorph_jit::{
    Column, Columns, Expr, Leaf, Node, Op, Schema, Sequences, Table, Term, Tolerance, Type, Values,
    text,
};

const TABLES: u64 = 4_000;
const TERMS: usize = 4;

#[test]
fn every_term_has_the_values_of_the_reference() {
    let mut types = [0; 3];
    let mut ops = [0; Op::ALL.len()];
    for seed in 0..TABLES {
        let mut choices = Choices::from_seed(seed);
        let schema = oracle::schema(&mut choices);
        let table = oracle::table(&mut choices, &schema);
        for _ in 0..TERMS {
            let term = oracle::term(&mut choices, &schema, 40);
            types[term.ty() as usize] += 1;
            for node in term.nodes() {
                if let Node::Op(op) = node {
                    ops[*op as usize] += 1;
                }
            }
            if let Err(disagreement) = oracle::terms_agree(&term, &table) {
                panic!("seed {seed}: {disagreement}");
            }
        }
    }
    assert!(types.iter().all(|&terms| terms > 1_000), "{types:?}");
    assert!(ops.iter().all(|&seen| seen > 100), "{ops:?}");
}

fn texts(all: &[&str]) -> Column {
    let mut sequences = Sequences::default();
    all.iter().for_each(|text| sequences.push_text(text));
    Column::Seq(sequences)
}

fn example() -> Table {
    let schema = Schema::new([("n", Type::Num), ("p", Type::Bool), ("s", Type::Seq)]).unwrap();
    let columns = vec![
        Column::Num(vec![1.0, -2.0, 0.0, 1.0]),
        Column::Bool(vec![true, false, true, true]),
        texts(&["abc", "", "cba", "abc"]),
    ];
    Table::grouped(&schema, columns, &[1, 3], Tolerance::default()).unwrap()
}

#[test]
fn rows_are_chosen_in_any_order_and_more_than_once() {
    let table = example();
    let term = |text: &str| {
        Term::new(text::parse_expr(text, table.schema()).unwrap(), table.schema()).unwrap()
    };
    let mut columns = Columns::of_rows(&table, &[3, 1, 3, 2]);
    assert_eq!(columns.rows(), 4);
    assert_eq!(columns.term(&term("n + length(s)")), Values::Num(vec![4.0, -2.0, 4.0, 3.0]));
    assert_eq!(columns.term(&term("not p")), Values::Bool(vec![0b0010]));
    let Values::Seq(ids) = columns.term(&term("flip(s)")) else { panic!("sequences") };
    assert_eq!(ids[0], ids[2]);
    assert_eq!(ids[1], 0);
    let Values::Seq(plain) = columns.leaf(Leaf::Var(table.schema().var("s").unwrap())) else {
        panic!("sequences")
    };
    assert_eq!((plain[0], plain[3]), (ids[3], ids[0]), "a flipped sequence is found again");
    assert_eq!(columns.sequence(ids[0]), [99.0, 98.0, 97.0]);
    assert_eq!(Columns::of_rows(&table, &[]).term(&term("n < 1")), Values::Bool(Vec::new()));
}

#[test]
fn buffers_of_any_type_are_reused() {
    let table = example();
    let mut columns = Columns::new(&table);
    let [n, p, s] = ["n", "p", "s"].map(|name| table.schema().var(name).unwrap());
    let [n, p, s] = [n, p, s].map(|var| columns.leaf(Leaf::Var(var)));
    let mut to = Values::empty(Type::Seq);
    columns.apply_into(Op::Add, &[&n, &n], &mut to);
    assert_eq!(to, Values::Num(vec![2.0, -4.0, 0.0, 2.0]));
    columns.apply_into(Op::Iff, &[&p, &p], &mut to);
    assert_eq!(to, Values::Bool(vec![0b1111]));
    columns.apply_into(Op::Truncate, &[&s, &n], &mut to);
    columns.apply_into(Op::Length, &[&to.clone()], &mut to);
    assert_eq!(to, Values::Num(vec![1.0, 0.0, 0.0, 1.0]));
}

#[test]
fn sequences_within_the_tolerance_are_equal_but_not_the_same() {
    let schema = Schema::new([("s", Type::Seq), ("t", Type::Seq)]).unwrap();
    let [s, t] = [1.0, 1.0 + 1e-12].map(|x| Column::Seq([vec![x], vec![x]].into_iter().collect()));
    let table = Table::new(&schema, vec![s, t], Tolerance::default()).unwrap();
    let mut columns = Columns::new(&table);
    let [s, t] = ["s", "t"].map(|name| columns.leaf(Leaf::Var(schema.var(name).unwrap())));
    assert_ne!(s, t);
    assert_eq!(columns.apply(Op::SeqEq, &[&s, &t]), Values::Bool(vec![0b11]));
    assert_eq!(columns.apply(Op::SeqNe, &[&s, &t]), Values::Bool(vec![0]));
}

#[test]
#[should_panic(expected = "Add applied to columns of [Num, Bool]")]
fn operands_of_another_type_are_a_mistake_of_the_caller() {
    let table = example();
    let mut columns = Columns::new(&table);
    let [n, p] = [Leaf::Num(1.0), Leaf::Bool(true)].map(|leaf| columns.leaf(leaf));
    columns.apply(Op::Add, &[&n, &p]);
}

#[test]
fn the_text_of_a_term_reads_back() {
    for seed in 0..500 {
        let mut choices = Choices::from_seed(seed);
        let schema = oracle::schema(&mut choices);
        let term = oracle::term(&mut choices, &schema, 40);
        let text = term.display(&schema).to_string();
        let Expr(nodes) = text::parse_expr(&text, &schema).unwrap();
        assert!(Node::are_same(&nodes, term.nodes()), "{text}");
    }
}
