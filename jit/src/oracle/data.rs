//! Schemas and tables whose values sit where engines could differ.
//!
//! Three things matter more than the values themselves. Columns are related to each other, within a
//! row, so that comparisons hold on some rows and not on others. Values lie at the edge of the
//! tolerance around other values, and one ulp to either side. And whole columns, and whole tables, are
//! tame as often as not: the bytecode treats columns of integers, finite columns, separated
//! dictionaries and exact sums each in its own way.

use crate::op;
use crate::op::{Op, Type, Value};
use crate::oracle::choices::Choices;
use crate::schema::Schema;
use crate::table::{Column, Sequences, Table};
use crate::tolerance::Tolerance;

/// Tables of up to this many rows are drawn value by value, so that a fuzzer can shape each one.
/// Larger ones come from a seed, which a fuzzer can only change as a whole.
pub const SMALL_TABLE: usize = 8;

/// One to eight variables of all types.
pub fn schema(choices: &mut Choices<'_>) -> Schema {
    const NAMES: [&str; 8] = ["a", "b", "x_s", "x_f", "out_s", "out_f", "größe", "$_1"];
    let variables = 1 + choices.weighted(&[1, 2, 3, 4, 4, 3, 2, 2]);
    // Every other schema leans on one type, or else Seq against Seq is rare.
    let weights = choices.pick(&[[3, 1, 2], [5, 1, 1], [2, 1, 5], [1, 2, 1]]);
    let ty = |choices: &mut Choices<'_>| match choices.weighted(&weights) {
        0 => Type::Num,
        1 => Type::Bool,
        _ => Type::Seq,
    };
    let drawn: Vec<(&str, Type)> =
        NAMES.into_iter().take(variables).map(|name| (name, ty(choices))).collect();
    Schema::new(drawn).expect("the names are distinct identifiers")
}

/// A table over a schema: mostly few rows, but all the edges of words, blocks and strips too.
pub fn table(choices: &mut Choices<'_>, schema: &Schema) -> Table {
    let tolerance = tolerance(choices);
    let rows = rows(choices);
    let groups = groups(choices, rows);
    let mood = Mood {
        numbers: choices.pick(&[
            Numbers::Anything,
            Numbers::Integers,
            Numbers::Finite,
            Numbers::Reals,
        ]),
        elements: choices.pick(&[
            Elements::Integers,
            Elements::Digits,
            Elements::Reals,
            Elements::Anything,
            Elements::Huge,
        ]),
    };
    let mut seeded;
    let choices = if rows <= SMALL_TABLE {
        choices
    } else {
        seeded = choices.fork();
        &mut seeded
    };
    let mut drawn = Drawn { rows, tolerance, mood, columns: Vec::new() };
    for (_, _, ty) in schema.iter() {
        let column = match ty {
            Type::Num => Column::Num(drawn.numbers(choices)),
            Type::Bool => Column::Bool(drawn.bools(choices)),
            Type::Seq => Column::Seq(drawn.sequences(choices)),
        };
        drawn.columns.push(column);
    }
    Table::grouped(schema, drawn.columns, &groups, tolerance).expect("drawn for this schema")
}

fn tolerance(choices: &mut Choices<'_>) -> Tolerance {
    let of = |abs, rel| Tolerance::new(abs, rel).expect("within the bounds of a tolerance");
    match choices.weighted(&[10, 3, 3, 1, 1, 1, 1]) {
        0 => Tolerance::default(),
        1 => Tolerance::PAPER,
        2 => of(0.0, 0.0),
        // Near the point where integers stop being separated.
        3 => of(choices.pick(&[0.9, 0.9_f64.next_down(), 1.0, 2.0]), 0.0),
        4 => of(choices.pick(&[0.0, 1e-9]), choices.pick(&[0.5, 0.1, 1e-3])),
        5 => of(1e300, 0.5),
        _ => of(5e-324, 5e-324),
    }
}

fn rows(choices: &mut Choices<'_>) -> usize {
    match choices.weighted(&[1200, 150, 450, 200, 12, 1]) {
        0 => 2 + choices.below(SMALL_TABLE - 1),
        1 => choices.below(2),
        2 => choices.pick(&[63, 64, 65, 127, 128, 129]),
        3 => 9 + choices.below(192),
        // Around the edges of blocks of 512 rows.
        4 => 512 * (1 + choices.below(4)) + choices.below(3) - 1,
        // Around the edge of a strip of 32,768 rows.
        _ => 32_768 + choices.pick(&[0, 1, 63, 64, 65, 512, 700]),
    }
}

/// One to three groups, some of them empty.
fn groups(choices: &mut Choices<'_>, rows: usize) -> Vec<usize> {
    let mut groups = Vec::new();
    let mut left = rows;
    for _ in 0..choices.below(3) {
        let group = match choices.below(4) {
            0 => 0,
            1 => left.min(64),
            _ => choices.below(left + 1),
        };
        groups.push(group);
        left -= group;
    }
    groups.push(left);
    groups
}

/// How wild the values of a whole table are.
#[derive(Clone, Copy, Debug)]
struct Mood {
    numbers: Numbers,
    elements: Elements,
}

/// What a column of numbers is made of.
#[derive(Clone, Copy, Debug)]
enum Numbers {
    Integers,
    /// Of everyday magnitude, with all their bits in use: divisions take a short cut on these.
    Reals,
    Finite,
    Anything,
}

/// What sequences are made of. One dictionary serves a table, so it is one choice for the table.
#[derive(Clone, Copy, Debug)]
enum Elements {
    Integers,
    /// Characters of decimal texts, so that `toString` can match.
    Digits,
    /// With near twins within the tolerance.
    Reals,
    /// NaN and infinities too.
    Anything,
    /// Integers whose sums leave the exact range of f64, so that the order of adding shows.
    Huge,
}

/// The columns so far.
struct Drawn {
    rows: usize,
    tolerance: Tolerance,
    mood: Mood,
    columns: Vec<Column>,
}

impl Drawn {
    fn earlier<'d, T>(&'d self, of: impl Fn(&'d Column) -> Option<T>) -> Vec<T> {
        self.columns.iter().filter_map(of).collect()
    }

    fn earlier_numbers(&self) -> Vec<&[f64]> {
        self.earlier(|column| match column {
            Column::Num(values) => Some(&values[..]),
            Column::Bool(_) | Column::Seq(_) => None,
        })
    }

    fn earlier_sequences(&self) -> Vec<&Sequences> {
        self.earlier(|column| match column {
            Column::Seq(values) => Some(values),
            Column::Num(_) | Column::Bool(_) => None,
        })
    }

    fn numbers(&self, choices: &mut Choices<'_>) -> Vec<f64> {
        let (numbers, sequences) = (self.earlier_numbers(), self.earlier_sequences());
        let kind = match self.mood.numbers {
            Numbers::Integers => Numbers::Integers,
            Numbers::Reals => choices.pick(&[Numbers::Reals, Numbers::Reals, Numbers::Integers]),
            Numbers::Finite => choices.pick(&[Numbers::Finite, Numbers::Integers]),
            Numbers::Anything => {
                choices.pick(&[Numbers::Anything, Numbers::Finite, Numbers::Integers])
            }
        };
        let weights = [
            3,
            8 * usize::from(!numbers.is_empty()),
            2 * usize::from(!sequences.is_empty()),
            4 * usize::from(numbers.len() >= 2),
        ];
        match choices.weighted(&weights) {
            0 => (0..self.rows).map(|_| number(choices, kind)).collect(),
            1 => {
                let base = numbers[choices.below(numbers.len())];
                let bend = Bend::any(choices, kind);
                base.iter().map(|&x| bend.apply(x, &self.tolerance, kind, choices)).collect()
            }
            2 => {
                let base = sequences[choices.below(sequences.len())];
                let by_sum = choices.bool();
                let bend = Bend::any(choices, kind);
                let of = |s: &[f64]| if by_sum { op::sum(s) } else { s.len() as f64 };
                base.iter().map(|s| bend.apply(of(s), &self.tolerance, kind, choices)).collect()
            }
            // What arithmetic makes of two others, to the last bit, or nearly.
            _ => {
                let a = numbers[choices.below(numbers.len())];
                let b = numbers[choices.below(numbers.len())];
                let op = choices.pick(&[Op::Div, Op::Mul, Op::Add, Op::Sub]);
                let bend = choices.pick(&[Bend::Copy, Bend::Edge]);
                let rows = a.iter().zip(b);
                rows.map(|(&a, &b)| {
                    match op.apply(&[Value::Num(a), Value::Num(b)], &self.tolerance) {
                        Value::Num(x) => bend.apply(x, &self.tolerance, kind, choices),
                        Value::Bool(_) | Value::Seq(_) => unreachable!("arithmetic gives numbers"),
                    }
                })
                .collect()
            }
        }
    }

    fn bools(&self, choices: &mut Choices<'_>) -> Vec<bool> {
        let numbers = self.earlier_numbers();
        match choices.below(if numbers.len() < 2 { 3 } else { 4 }) {
            0 | 1 => (0..self.rows).map(|_| choices.bool()).collect(),
            2 => vec![choices.bool(); self.rows],
            // What a comparison of earlier columns says, so that `iff` and `implies` may hold.
            _ => {
                let a = numbers[choices.below(numbers.len())];
                let b = numbers[choices.below(numbers.len())];
                a.iter().zip(b).map(|(&a, &b)| self.tolerance.lt(a, b)).collect()
            }
        }
    }

    fn sequences(&self, choices: &mut Choices<'_>) -> Sequences {
        let (numbers, sequences) = (self.earlier_numbers(), self.earlier_sequences());
        let texts = match self.mood.elements {
            Elements::Digits | Elements::Anything => 3 * usize::from(!numbers.is_empty()),
            Elements::Integers => usize::from(!numbers.is_empty()),
            Elements::Reals | Elements::Huge => 0,
        };
        let long = choices.one_in(6);
        match choices.weighted(&[3, 8 * usize::from(!sequences.is_empty()), texts]) {
            0 => (0..self.rows).map(|_| self.sequence(choices, long)).collect(),
            1 => {
                let base = sequences[choices.below(sequences.len())];
                let bend = SeqBend::any(choices);
                base.iter()
                    .map(|s| match choices.weighted(&[5, 2]) {
                        0 => bend.apply(s, self, choices),
                        _ => SeqBend::any(choices).apply(s, self, choices),
                    })
                    .collect()
            }
            _ => {
                let base = numbers[choices.below(numbers.len())];
                base.iter()
                    .map(|&n| match choices.weighted(&[3, 1]) {
                        0 => text(op::index(n)),
                        _ => self.sequence(choices, false),
                    })
                    .collect()
            }
        }
    }

    fn sequence(&self, choices: &mut Choices<'_>, long: bool) -> Vec<f64> {
        if matches!(self.mood.elements, Elements::Digits) && choices.bool() {
            return text(choices.within(-120, 1200));
        }
        let len = match choices.weighted(&[1, 1, 5, 2 * usize::from(long)]) {
            0 => 0,
            1 => 1,
            2 => 2 + choices.below(5),
            _ => 7 + choices.below(34),
        };
        let mut sequence: Vec<f64> = Vec::with_capacity(len);
        for _ in 0..len {
            let element = match sequence.last() {
                Some(&last) if choices.one_in(4) => last,
                _ => self.element(choices),
            };
            sequence.push(element);
        }
        sequence
    }

    fn element(&self, choices: &mut Choices<'_>) -> f64 {
        match self.mood.elements {
            Elements::Integers if choices.one_in(40) => number(choices, Numbers::Integers),
            Elements::Integers => choices.within(-3, 9) as f64,
            Elements::Digits => f64::from(choices.pick(b"0123456789-a")),
            Elements::Reals => {
                let base = choices.pick(&[0.0, 1.0, 0.5, -2.25, 1e6, 48.0]);
                if choices.bool() { base } else { edge(base, &self.tolerance, choices) }
            }
            Elements::Huge => {
                // Few of them: one is enough, and the range is left by what is added to it.
                if choices.one_in(12) {
                    choices.pick(&[1.0, -1.0, 0.5]) * 9_007_199_254_740_992.0
                } else {
                    choices.pick(&[1.0, -1.0])
                }
            }
            Elements::Anything if choices.bool() => choices.within(-3, 9) as f64,
            Elements::Anything => number(choices, Numbers::Anything),
        }
    }
}

/// How a number column follows an earlier one.
#[derive(Clone, Copy, Debug)]
enum Bend {
    Copy,
    Shift(f64),
    Scale(f64),
    /// To the edge of what equals it, and a few ulps to either side.
    Edge,
}

impl Bend {
    fn any(choices: &mut Choices<'_>, kind: Numbers) -> Bend {
        match choices.below(4) {
            0 => Bend::Copy,
            1 => Bend::Shift(choices.pick(&[1.0, -1.0, 2.0])),
            2 => Bend::Scale(choices.pick(&[-1.0, 2.0, -3.0, 0.0])),
            _ => match kind {
                Numbers::Integers => Bend::Shift(choices.pick(&[0.0, 1.0])),
                Numbers::Reals | Numbers::Finite | Numbers::Anything => Bend::Edge,
            },
        }
    }

    /// The value of a row that follows `x`, or not: two rows in seven do as they like.
    fn apply(self, x: f64, tolerance: &Tolerance, kind: Numbers, choices: &mut Choices<'_>) -> f64 {
        let followed = match choices.weighted(&[5, 1, 1]) {
            0 => match self {
                Bend::Copy => x,
                Bend::Shift(by) => x + by,
                Bend::Scale(by) => x * by,
                Bend::Edge => edge(x, tolerance, choices),
            },
            1 => x,
            _ => number(choices, kind),
        };
        // The column stays what it was drawn to be.
        match kind {
            Numbers::Integers if followed.fract() != 0.0 => number(choices, kind),
            Numbers::Reals | Numbers::Finite if !followed.is_finite() => number(choices, kind),
            Numbers::Integers | Numbers::Reals | Numbers::Finite | Numbers::Anything => followed,
        }
    }
}

/// How a sequence column follows an earlier one.
#[derive(Clone, Copy, Debug)]
enum SeqBend {
    Copy,
    Flip,
    Remove(i64),
    Truncate(i64),
    /// Every element replaced by one that equals it, or nearly does.
    Twin,
    /// A sequence that has nothing to do with the first.
    New,
}

impl SeqBend {
    fn any(choices: &mut Choices<'_>) -> SeqBend {
        match choices.below(6) {
            0 => SeqBend::Copy,
            1 => SeqBend::Flip,
            2 => SeqBend::Remove(choices.within(-3, 3)),
            3 => SeqBend::Truncate(choices.within(-3, 3)),
            4 => SeqBend::Twin,
            _ => SeqBend::New,
        }
    }

    fn apply(self, s: &[f64], drawn: &Drawn, choices: &mut Choices<'_>) -> Vec<f64> {
        match self {
            SeqBend::Copy => s.to_vec(),
            SeqBend::Flip => s.iter().rev().copied().collect(),
            SeqBend::Remove(n) => {
                let mut s = s.to_vec();
                if let Some(i) = op::removed_index(s.len(), n as f64) {
                    s.remove(i);
                }
                s
            }
            SeqBend::Truncate(n) => s[op::truncated_span(s.len(), n as f64)].to_vec(),
            SeqBend::Twin => match drawn.mood.elements {
                Elements::Integers | Elements::Digits | Elements::Huge => s.to_vec(),
                Elements::Reals | Elements::Anything => {
                    s.iter().map(|&x| edge(x, &drawn.tolerance, choices)).collect()
                }
            },
            SeqBend::New => drawn.sequence(choices, false),
        }
    }
}

fn text(n: i64) -> Vec<f64> {
    n.to_string().bytes().map(f64::from).collect()
}

/// A value at the edge of what equals `x`, or up to two ulps to either side of the edge.
fn edge(x: f64, tolerance: &Tolerance, choices: &mut Choices<'_>) -> f64 {
    let allowed = tolerance.abs() + tolerance.rel() * x.abs();
    let mut y = match choices.below(4) {
        0 => x + allowed,
        1 => x - allowed,
        // Or to what x is itself at the edge of, where the relative part is y's.
        2 => x + allowed / (1.0 - tolerance.rel()),
        _ => x + allowed / 2.0,
    };
    for _ in 0..choices.below(3) {
        y = y.next_up();
    }
    for _ in 0..choices.below(3) {
        y = y.next_down();
    }
    y
}

/// Numbers that something could go wrong with, the finite ones.
pub(super) const NASTY: [f64; 34] = [
    0.0,
    -0.0,
    1.0,
    -1.0,
    0.5,
    1e-9,
    1e-9_f64.next_up(),
    1e-9_f64.next_down(),
    -1e-9,
    1e-4,
    1e-4_f64.next_down(),
    5e-324,
    -5e-324,
    f64::MIN_POSITIVE,
    f64::MIN_POSITIVE.next_down(),
    1e-310,
    1.0 + f64::EPSILON,
    549_755_813_888.0, // 2^39
    549_755_813_887.0,
    549_755_813_889.0,
    -549_755_813_888.0,
    9_007_199_254_740_992.0, // 2^53
    9_007_199_254_740_991.0,
    9_007_199_254_740_994.0,
    -9_007_199_254_740_992.0,
    9_223_372_036_854_775_807.0, // 2^63 as an f64
    9_223_372_036_854_774_784.0, // and the one below
    -9_223_372_036_854_775_808.0,
    1e19,
    1e300,
    -1e300,
    1e154,
    f64::MAX,
    f64::MIN,
];

fn number(choices: &mut Choices<'_>, kind: Numbers) -> f64 {
    match kind {
        Numbers::Integers => match choices.weighted(&[16, 3, 1]) {
            0 => choices.within(-6, 6) as f64,
            1 => choices.within(-1000, 1000) as f64,
            // Around the magnitudes where tolerances and f64s stop telling integers apart.
            _ => {
                let base = choices.pick(&[549_755_813_888.0, 9_007_199_254_740_992.0, 1e12, 1e17]);
                let sign = choices.pick(&[1.0, -1.0]);
                sign * (base + choices.within(-3, 3) as f64)
            }
        },
        Numbers::Reals => {
            let one_to_two = f64::from_bits(1.0_f64.to_bits() | choices.bits(52));
            let scale = choices.pick(&[1.0, 0.125, 8.0, 4096.0]);
            choices.pick(&[1.0, -1.0]) * scale * one_to_two
        }
        Numbers::Finite => match choices.weighted(&[4, 4, 3]) {
            0 => choices.within(-6, 6) as f64,
            1 => choices.within(-4000, 4000) as f64 / 64.0 + choices.pick(&[0.0, 0.1]),
            _ => choices.pick(&NASTY),
        },
        Numbers::Anything => match choices.weighted(&[3, 3, 2, 1]) {
            0 => choices.within(-6, 6) as f64,
            1 => choices.pick(&[f64::NAN, f64::INFINITY, f64::NEG_INFINITY, -f64::NAN]),
            2 => choices.pick(&NASTY),
            _ => f64::from_bits(choices.bits(64)),
        },
    }
}
