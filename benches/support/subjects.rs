//! Executions to evolve on: functions of numbers and of texts, each with mutants, made in code.
//!
//! | subject | follow-up | what holds |
//! |---|---|---|
//! | `pow(k, e)` by squaring | `e - 1` | `out_f * k_s == out_s` |
//! | `sin(x)` by a series | `x + pi / 2` | `out_s * out_s + out_f * out_f == 1` |
//! | `pad(text, n)` | `n + 1` | `truncate(out_f, length(text_s) …)`, many weak ones |

use std::collections::HashSet;
use std::sync::Arc;

use genmorph::executions::Executions;
use genmorph::subject::kinds::{Interface, Kind, Parameter};
use genmorph::support::seed::{Rng, Seed};
use genmorph::transform::Transformation;
use genmorph_jit::{Column, Table, Tolerance, Type};

/// A value of an execution.
#[derive(Clone, Debug, PartialEq)]
enum Item {
    Num(f64),
    Seq(Vec<f64>),
}

struct Subject {
    name: &'static str,
    inputs: &'static [(&'static str, Kind)],
    output: Kind,
    transformation: (&'static str, &'static str),
    mutants: u32,
    source: fn(&mut Rng) -> Vec<Item>,
    follow_up: fn(&[Item]) -> Vec<Item>,
    run: fn(&[Item], u32) -> Item,
}

/// Executions of `pow(k, e)`.
pub fn pow(rows: usize) -> Executions {
    executions(
        &Subject {
            name: "pow",
            inputs: &[("k", Kind::Number), ("e", Kind::Number)],
            output: Kind::Number,
            transformation: ("NumericAddition(-1) on e", "k_f == k_s and e_f == e_s - 1"),
            mutants: 10,
            source: |rng| {
                let k = rng.below(4_001) as f64 / 100.0 - 20.0;
                vec![Item::Num(k), Item::Num(1.0 + rng.below(9) as f64)]
            },
            follow_up: |source| vec![source[0].clone(), Item::Num(num(&source[1]) - 1.0)],
            run: |input, mutant| Item::Num(mutant_pow(num(&input[0]), num(&input[1]), mutant)),
        },
        rows,
    )
}

fn mutant_pow(k: f64, e: f64, mutant: u32) -> f64 {
    let mut e = e as i64;
    let mut result = match mutant {
        1 => 0.0,
        2 => 2.0,
        _ => 1.0,
    };
    let mut square = k;
    while e > i64::from(mutant == 3) {
        if (e & 1 != 0) != (mutant == 4) {
            result = if mutant == 5 { result + square } else { result * square };
        }
        square = match mutant {
            6 => square,
            7 => square * k,
            _ => square * square,
        };
        e >>= if mutant == 8 { 2 } else { 1 };
    }
    match mutant {
        9 => result.abs(),
        10 => result + 1.0,
        _ => result,
    }
}

/// Executions of `sin(x)`.
pub fn sin(rows: usize) -> Executions {
    executions(
        &Subject {
            name: "sin",
            inputs: &[("x", Kind::Number)],
            output: Kind::Number,
            transformation: (
                "NumericAddition(1.5707963267948966) on x",
                "x_f == x_s + 1.5707963267948966",
            ),
            mutants: 8,
            source: |rng| vec![Item::Num(rng.below(200_001) as f64 / 10_000.0 - 10.0)],
            follow_up: |source| vec![Item::Num(num(&source[0]) + std::f64::consts::FRAC_PI_2)],
            run: |input, mutant| Item::Num(mutant_sin(num(&input[0]), mutant)),
        },
        rows,
    )
}

fn mutant_sin(x: f64, mutant: u32) -> f64 {
    let turn = std::f64::consts::TAU;
    let turns = (x / turn).round();
    let reduced = if mutant == 1 { x.clamp(-4.0, 4.0) } else { x - turn * turns };
    let square = reduced * reduced;
    let (mut term, mut sum) = (reduced, if mutant == 2 { 0.0 } else { reduced });
    for i in 1..=14_i32 {
        let (a, b) = (2.0 * f64::from(i), 2.0 * f64::from(i) + 1.0);
        let divisor = match mutant {
            3 if i == 1 => a * (b + 1.0),
            4 => a * a,
            _ => a * b,
        };
        term *= if mutant == 5 { square } else { -square } / divisor;
        if mutant == 6 && i == 2 {
            continue;
        }
        sum += term;
    }
    match mutant {
        7 => sum.abs(),
        8 => -sum,
        _ => sum,
    }
}

/// Executions of `pad(text, n)`, which writes `a`s before a text up to a length of n.
pub fn pad(rows: usize) -> Executions {
    executions(
        &Subject {
            name: "pad",
            inputs: &[("text", Kind::Text), ("n", Kind::Number)],
            output: Kind::Text,
            transformation: ("NumericAddition(1) on n", "text_f == text_s and n_f == n_s + 1"),
            mutants: 8,
            source: |rng| {
                let length = rng.below(10);
                let text = (0..length).map(|_| 97.0 + rng.below(6) as f64).collect();
                vec![Item::Seq(text), Item::Num(rng.below(16) as f64 - 2.0)]
            },
            follow_up: |source| vec![source[0].clone(), Item::Num(num(&source[1]) + 1.0)],
            run: |input, mutant| Item::Seq(mutant_pad(&input[0], num(&input[1]), mutant)),
        },
        rows,
    )
}

fn mutant_pad(text: &Item, n: f64, mutant: u32) -> Vec<f64> {
    let Item::Seq(text) = text else { return Vec::new() };
    let wanted = n as i64 + i64::from(mutant == 1) - text.len() as i64;
    let padding = wanted.max(i64::from(mutant == 2)) as usize;
    let mut out = vec![if mutant == 3 { 98.0 } else { 97.0 }; padding];
    let kept = match mutant {
        4 => &text[text.len().min(1)..],
        5 => &text[..text.len().saturating_sub(1)],
        _ => text,
    };
    match mutant {
        6 => out.splice(0..0, kept.iter().copied()).for_each(drop),
        7 => out.truncate(1),
        _ => {}
    }
    if mutant != 6 {
        out.extend_from_slice(kept);
    }
    if mutant == 8 {
        out.reverse();
    }
    out
}

fn num(item: &Item) -> f64 {
    match item {
        Item::Num(value) => *value,
        Item::Seq(_) => f64::NAN,
    }
}

/// Half of the rows correct, half of mutants in turn; all of them different.
fn executions(subject: &Subject, rows: usize) -> Executions {
    let mut rng = Seed(11).stream(subject.name).rng();
    let mut seen: HashSet<String> = HashSet::new();
    let mut all: Vec<Vec<Item>> = Vec::new();
    let mut row_mutants = Vec::new();
    let mut turn = 0;
    let half = rows / 2;
    for _ in 0..rows * 400 {
        let is_correct = all.len() < half;
        if all.len() == rows {
            break;
        }
        let version = if is_correct { 0 } else { 1 + turn % subject.mutants };
        turn += u32::from(!is_correct);
        let source = (subject.source)(&mut rng);
        let follow_up = (subject.follow_up)(&source);
        let outputs = |version| [&source, &follow_up].map(|input| (subject.run)(input, version));
        if version > 0 && outputs(version) == outputs(0) {
            continue;
        }
        let [out_s, out_f] = outputs(version);
        let row: Vec<Item> =
            source.into_iter().chain([out_s]).chain(follow_up).chain([out_f]).collect();
        if seen.insert(format!("{version} {row:?}")) {
            all.push(row);
            if version > 0 {
                row_mutants.push(version - 1);
            }
        }
    }
    let parameter = |&(name, kind): &(&str, Kind)| Parameter { name: name.to_owned(), kind };
    let signature = Interface {
        function: subject.name.to_owned(),
        inputs: subject.inputs.iter().map(parameter).collect(),
        outputs: vec![parameter(&("out", subject.output))],
        ..Interface::default()
    };
    let schema = signature.schema().expect("the names are fine");
    let columns = schema
        .iter()
        .map(|(var, _, ty)| {
            let mut column = Column::empty(ty);
            for row in &all {
                match (&mut column, &row[var.index()]) {
                    (Column::Num(to), Item::Num(value)) => to.push(*value),
                    (Column::Seq(to), Item::Seq(values)) => to.push(values.iter().copied()),
                    _ => panic!("{} has {ty} where it has {:?}", subject.name, Type::Num),
                }
            }
            column
        })
        .collect();
    let groups = [all.len() - row_mutants.len(), row_mutants.len()];
    let table = Table::grouped(&schema, columns, &groups, Tolerance::default());
    Executions {
        signature,
        transformation: Transformation {
            name: subject.transformation.0.to_owned(),
            input_relation: subject.transformation.1.to_owned(),
        },
        table: Arc::new(table.expect("the columns fit the schema")),
        mutants: (1..=subject.mutants).map(|mutant| format!("m{mutant}")).collect(),
        row_mutants,
        also: Vec::new(),
        seed: 11,
    }
}
