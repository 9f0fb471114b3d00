//! Equations of columns that are made for them.

use std::f64::consts::{FRAC_PI_2, PI};

use genmorph_jit::{Expr, Node, Predicate, Schema, Tolerance, Type, Var};

use super::{Equation, MOST_QUANTITIES, Quantity, Role, equations};

/// Rows that look random and are not.
fn noise(row: usize, stream: usize) -> f64 {
    let mixed = (row * 31 + stream * 17 + 7) as f64;
    (mixed * 12.9898).sin() * 43_758.547 % 1.0
}

const ROWS: usize = 200;

/// A quantity per name: `_f` is an output of the follow-up, `_s` one of the source, others are inputs.
struct Case {
    names: Vec<&'static str>,
    quantities: Vec<Quantity>,
}

impl Case {
    fn new(columns: &[(&'static str, Vec<f64>)]) -> Case {
        let role = |name: &str| match name {
            _ if name.starts_with("out") && name.ends_with("_f") => Role::FollowUp,
            _ if name.starts_with("out") => Role::Source,
            _ => Role::Input,
        };
        let quantity = |(i, (name, values)): (usize, &(&'static str, Vec<f64>))| Quantity {
            nodes: vec![Node::Var(Var(i as u16))],
            values: values.clone(),
            role: role(name),
        };
        Case {
            names: columns.iter().map(|(name, _)| *name).collect(),
            quantities: columns.iter().enumerate().map(quantity).collect(),
        }
    }

    fn found(&self) -> Vec<String> {
        let schema = Schema::new(self.names.iter().map(|name| (*name, Type::Num))).unwrap();
        let found = equations(&self.quantities, &Tolerance::default());
        assert_eq!(found, equations(&self.quantities, &Tolerance::default()), "deterministic");
        let relation = |equation: &Equation| {
            Predicate::new(Expr(equation.nodes()), &schema).expect("an equation is a relation")
        };
        found.list.iter().map(|one| relation(one).display(&schema).to_string()).collect()
    }
}

fn rows(value: impl Fn(usize) -> f64) -> Vec<f64> {
    (0..ROWS).map(value).collect()
}

#[test]
fn squares_of_sine_and_cosine_add_up_to_one() {
    let x = rows(|row| 20.0 * noise(row, 0));
    let source = x.iter().map(|x| x.sin()).collect();
    let follow_up = x.iter().map(|x| (x + FRAC_PI_2).sin()).collect();
    let case = Case::new(&[("x", x), ("out_s", source), ("out_f", follow_up)]);
    assert_eq!(case.found(), ["out_f * out_f + out_s * out_s == 1"]);
}

#[test]
fn linear_equations_have_small_integers_and_are_solved_for_the_output() {
    let (s, k) = (rows(|row| noise(row, 1)), rows(|row| noise(row, 2)));
    let f = s.iter().zip(&k).map(|(s, k)| (3.0 * s - k) / 2.0).collect();
    let case = Case::new(&[("k", k), ("out_s", s), ("out_f", f)]);
    assert_eq!(case.found(), ["2 * out_f == 3 * out_s - k"]);
}

#[test]
fn a_quadratic_equation_of_integers_up_to_a_thousand_million() {
    // (n + 1)^2 = n^2 + 2n + 1, n from 1 to 10^9.
    let n: Vec<f64> = rows(|row| 10_f64.powf(9.0 * row as f64 / ROWS as f64).floor());
    let s = n.iter().map(|n| n * n).collect();
    let f = n.iter().map(|n| (n + 1.0) * (n + 1.0)).collect();
    let found = Case::new(&[("n", n), ("out_s", s), ("out_f", f)]).found();
    assert!(found.contains(&"out_f == out_s + 2 * n + 1".to_owned()), "{found:?}");
}

#[test]
fn constants_with_a_name_are_recognised_and_others_are_not() {
    let s = rows(|row| 3.0 * noise(row, 3));
    let sum = |total: f64| s.iter().map(|s| total - s).collect::<Vec<f64>>();
    let case = |total: f64| Case::new(&[("out_s", s.clone()), ("out_f", sum(total))]);
    assert_eq!(case(PI).found(), [format!("out_f == {PI} - out_s")]);
    assert_eq!(case(-1.0).found(), ["out_f + out_s == -1"]);
    assert_eq!(case(84.0).found(), Vec::<String>::new());
    assert_eq!(case(12.57).found(), Vec::<String>::new());
}

#[test]
fn what_follows_from_a_plain_law_is_not_said() {
    let (s, k) = (rows(|row| noise(row, 4)), rows(|row| noise(row, 5)));
    let negated = s.iter().map(|s| -s).collect();
    let signs = s.iter().zip(&k).map(|(s, k)| s.abs().copysign(*k)).collect();
    for f in [s.clone(), negated, signs, vec![4.0; ROWS], vec![12.57; ROWS]] {
        let case = Case::new(&[("k", k.clone()), ("out_s", s.clone()), ("out_f", f)]);
        assert_eq!(case.found(), Vec::<String>::new());
    }
}

#[test]
fn products_that_follow_from_a_linear_equation_are_not_said() {
    let n = rows(|row| row as f64);
    let sum: Vec<f64> = n.iter().map(|n| n * (n + 1.0) / 2.0).collect();
    let next: Vec<f64> = n.iter().map(|n| n + 1.0).collect();
    let case = Case::new(&[("total", sum), ("out_s", n), ("out_f", next)]);
    assert_eq!(case.found(), ["out_f == out_s + 1"]);
}

#[test]
fn constant_inputs_and_duplicates_add_nothing() {
    let s = rows(|row| noise(row, 6));
    let f: Vec<f64> = s.iter().map(|s| 2.0 * s).collect();
    let case = Case::new(&[
        ("two", vec![2.0; ROWS]),
        ("zero", vec![0.0; ROWS]),
        ("copy", s.clone()),
        ("out_s", s.clone()),
        ("out_f", f.clone()),
        ("out2_f", f),
    ]);
    assert_eq!(case.found(), ["out_f == 2 * out_s"]);
}

#[test]
fn rows_that_are_no_numbers_neither_help_nor_hide_an_equation() {
    let mut s = rows(|row| noise(row, 7));
    let mut k = rows(|row| noise(row, 8));
    let mut f: Vec<f64> = s.iter().zip(&k).map(|(s, k)| 2.0 * s + 3.0 * k).collect();
    for (row, value) in [(3, f64::NAN), (90, f64::INFINITY), (91, f64::NEG_INFINITY)] {
        (s[row], f[row]) = (value, value);
    }
    k[150] = f64::NAN;
    f[150] = f64::NAN;
    let of = |f: &[f64]| {
        let columns = [("k", k.clone()), ("out_s", s.clone()), ("out_f", f.to_vec())];
        Case::new(&columns).found()
    };
    assert_eq!(of(&f), ["out_f == 2 * out_s + 3 * k"]);
    // The engine looks at these rows too.
    f[90] = 1.0;
    assert_eq!(of(&f), Vec::<String>::new());
}

#[test]
fn noise_and_too_few_rows_have_no_equations() {
    let columns: Vec<(&str, Vec<f64>)> = ["a", "b", "out_s", "out_f"]
        .into_iter()
        .enumerate()
        .map(|(stream, name)| (name, rows(|row| noise(row, 10 + stream))))
        .collect();
    assert_eq!(Case::new(&columns).found(), Vec::<String>::new());
    let few: Vec<(&str, Vec<f64>)> =
        columns.iter().map(|(name, values)| (*name, values[..7].to_vec())).collect();
    assert_eq!(Case::new(&few).found(), Vec::<String>::new());
    // Two values each: every monomial depends on a few others, and that is no evidence.
    let truths: Vec<(&str, Vec<f64>)> = columns
        .iter()
        .map(|(name, values)| (*name, values.iter().map(|x| f64::from(*x > 0.0)).collect()))
        .collect();
    assert_eq!(Case::new(&truths).found(), Vec::<String>::new());
}

#[test]
fn bad_columns_are_no_reason_to_stop() {
    let s = rows(|row| noise(row, 20));
    let f: Vec<f64> = s.iter().map(|s| 3.0 * s + 0.5).collect();
    let case = Case::new(&[
        ("nothing", vec![f64::NAN; ROWS]),
        ("huge", rows(|row| 1e300 * noise(row, 21))),
        ("out_s", s),
        ("out_f", f),
    ]);
    assert_eq!(case.found(), ["out_f == 3 * out_s + 0.5"]);
    assert_eq!(equations(&[], &Tolerance::default()).list, []);
    let empty = Case::new(&[("out_s", Vec::new()), ("out_f", Vec::new())]);
    assert_eq!(empty.found(), Vec::<String>::new());
}

#[test]
fn more_quantities_than_are_tried_are_counted() {
    let names = ["a", "b", "c", "d", "e", "g", "h", "i", "out_s", "out_f"];
    let columns: Vec<(&str, Vec<f64>)> = names
        .into_iter()
        .enumerate()
        .map(|(stream, name)| (name, rows(|row| noise(row, 30 + stream))))
        .collect();
    let case = Case::new(&columns);
    let found = equations(&case.quantities, &Tolerance::default());
    assert_eq!((found.list.len(), found.left_out), (0, names.len() - MOST_QUANTITIES));
    assert!(found.tried > 50_000, "{}", found.tried);
}

#[test]
fn products_are_found_beside_quotients() {
    // A law of cosines: c^2 = a^2 + b^2 under a right angle.
    let (a, b) = (rows(|row| 1.0 + noise(row, 50).abs()), rows(|row| 1.0 + noise(row, 51).abs()));
    let c = a.iter().zip(&b).map(|(a, b)| (a * a + b * b).sqrt()).collect();
    let case = Case::new(&[("b", b.clone()), ("out_s", a.clone()), ("out_f", c)]);
    assert_eq!(case.found(), ["out_f * out_f == out_s * out_s + b * b"]);
    let product = a.iter().zip(&b).map(|(a, b)| a * b / 2.0).collect();
    let case = Case::new(&[("b", b), ("out_s", a), ("out_f", product)]);
    assert_eq!(case.found(), ["2 * out_f == out_s * b"]);
}

#[test]
fn equations_of_every_shape_are_written_plainly() {
    let (s, k) = (rows(|row| 1.0 + noise(row, 60).abs()), rows(|row| noise(row, 61)));
    let of = |f: &dyn Fn(f64, f64) -> f64| {
        let f = s.iter().zip(&k).map(|(&s, &k)| f(s, k)).collect();
        Case::new(&[("k", k.clone()), ("out_s", s.clone()), ("out_f", f)]).found()
    };
    assert_eq!(of(&|s, _| 1.8 * s + 32.0), ["5 * out_f == 9 * out_s + 160"]);
    assert_eq!(of(&|s, _| 1.0 / s), ["out_f * out_s == 1"]);
    assert_eq!(of(&|s, k| -(2.0 * s + k) / 3.0), ["3 * out_f + 2 * out_s + k == 0"]);
    assert_eq!(of(&|s, k| k * k / s), ["out_f * out_s == k * k"]);
    assert_eq!(of(&|s, k| s * k + 2.0 * s - 5.0), ["out_f == 2 * out_s + out_s * k - 5"]);
    assert_eq!(of(&|s, k| s.powf(k)), Vec::<String>::new());
    assert_eq!(of(&|s, k| (13.0 * s - k) / 7.0), Vec::<String>::new(), "13 is too large");
}
