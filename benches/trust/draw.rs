//! Inputs of the judge, drawn by code of its own: it shares no generator with the search, the filter and the hunt, so that what these
//! never try can come up here.

use genmorph::jit::Value;
use genmorph::subject::{Constant, Inputs, Parameter, Scalar, Signature, Type};

/// A generator of its own: xorshift64* by Marsaglia and Vigna.
pub struct Dice(u64);

impl Dice {
    pub fn new(seed: u64) -> Dice {
        Dice(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    fn below(&mut self, n: usize) -> usize {
        ((u128::from(self.next()) * n.max(1) as u128) >> 64) as usize
    }

    fn unit(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1_u64 << 53) as f64
    }

    fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }

    fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())]
    }
}

/// Draws rows of values that are admitted and satisfy the condition on inputs; half of the rows have values that are made from each
/// other. Rows that do not satisfy the condition are brought nearer to it, and dropped if that does not help.
pub fn rows(
    signature: &Signature,
    constants: &[Constant],
    count: usize,
    dice: &mut Dice,
) -> Inputs {
    let mut inputs = Inputs::new(signature);
    let mut row: Vec<Value<'static>> = Vec::new();
    for _ in 0..count {
        row.clear();
        for parameter in &signature.parameters {
            row.push(value(parameter, constants, dice));
        }
        if row.len() > 1 && dice.one_in(2) {
            for _ in 0..1 + dice.below(2) {
                relate(signature, &mut row, dice);
            }
        }
        signature.fit(&mut row);
        if signature.satisfied_by(&row) {
            inputs.push(&row);
        }
    }
    inputs
}

/// A value that a parameter admits: the last of several tries, if the others are refused.
fn value(parameter: &Parameter, constants: &[Constant], dice: &mut Dice) -> Value<'static> {
    for _ in 0..40 {
        let value = match parameter.ty {
            Type::Scalar(Scalar::Bool) => Value::Bool(dice.one_in(2)),
            Type::Scalar(_) => Value::Num(number(parameter, constants, dice)),
            Type::String | Type::List(_) => Value::Seq(sequence(parameter, constants, dice).into()),
        };
        if parameter.admits(&value) {
            return value;
        }
    }
    match parameter.ty {
        Type::Scalar(Scalar::Bool) => Value::Bool(false),
        Type::Scalar(_) => Value::Num(within(parameter, dice)),
        Type::String | Type::List(_) => {
            let least = parameter.domain.min_len.unwrap_or(0);
            Value::Seq((0..least).map(|_| within(parameter, dice)).collect::<Vec<_>>().into())
        }
    }
}

/// A number between the ends of the domain or of the type, or a letter of the alphabet.
fn within(parameter: &Parameter, dice: &mut Dice) -> f64 {
    if let Some(alphabet) = parameter.domain.alphabet.as_ref().filter(|letters| !letters.is_empty())
    {
        return f64::from(u32::from(dice.pick(alphabet)));
    }
    let scalar = parameter.ty.scalar();
    let (low, high) = scalar.integers().unwrap_or((-1e6, 1e6));
    let (least, most) = parameter.domain.range.unwrap_or((low, high));
    let number = least + dice.unit() * (most - least);
    if scalar.integers().is_some() {
        number.round().clamp(least.ceil(), most.floor())
    } else {
        rounded(scalar, number)
    }
}

fn rounded(scalar: Scalar, number: f64) -> f64 {
    match scalar {
        Scalar::F64 => number,
        Scalar::F32 => f64::from(number as f32),
        // Integers have no -0.
        _ => number.trunc() + 0.0,
    }
}

fn number(parameter: &Parameter, constants: &[Constant], dice: &mut Dice) -> f64 {
    let scalar = parameter.ty.scalar();
    let (least, most) = parameter.domain.range.unwrap_or((f64::MIN, f64::MAX));
    let sign = if dice.one_in(2) { 1.0 } else { -1.0 };
    let number = match dice.below(12) {
        0 => dice.below(10) as f64 - 4.0,
        1 => sign * 2_f64.powi(dice.below(64) as i32) + dice.below(3) as f64 - 1.0,
        2 => sign * 10_f64.powi(dice.below(10) as i32),
        3 => dice.pick(&[least, most]) + dice.below(5) as f64 - 2.0,
        4 if !constants.is_empty() => {
            constants[dice.below(constants.len())].value + dice.below(5) as f64 - 2.0
        }
        5 => sign * dice.below(1_000) as f64 / dice.pick(&[2.0, 3.0, 7.0, 16.0]),
        6 if scalar.integers().is_none() => f64::from_bits(dice.next()),
        7 if scalar.integers().is_none() => dice.pick(&[
            f64::NAN,
            f64::INFINITY,
            -f64::INFINITY,
            0.0,
            -0.0,
            5e-324,
            f64::MIN_POSITIVE,
        ]),
        8 => sign * (dice.unit() * 30.0).exp(),
        9 => dice.below(2_001) as f64 - 1_000.0,
        10 if scalar == Scalar::Char => 32.0 + dice.below(95) as f64,
        _ => within(parameter, dice),
    };
    rounded(scalar, number)
}

fn sequence(parameter: &Parameter, constants: &[Constant], dice: &mut Dice) -> Vec<f64> {
    let least = parameter.domain.min_len.unwrap_or(0);
    let most =
        parameter.domain.max_len.unwrap_or(if dice.one_in(50) { 300 } else { 40 }).max(least);
    let length = match dice.below(6) {
        0 => least + dice.below(3),
        1 => most - dice.below(3).min(most - least),
        _ => least + dice.below((most - least + 1).min(14)),
    };
    let length = length.clamp(least, most);
    let element = |dice: &mut Dice| match parameter.ty {
        Type::String if parameter.domain.alphabet.is_none() => match dice.below(8) {
            0 => dice.pick(&[32.0, 9.0, 10.0, 46.0, 45.0, 48.0, 57.0, 0.0]),
            1 => dice.pick(&[223.0, 304.0, 233.0, 8_364.0, 128_512.0, 64_257.0, 931.0]),
            2 => 65.0 + dice.below(26) as f64,
            3..6 => 97.0 + dice.below(3) as f64,
            _ => 97.0 + dice.below(26) as f64,
        },
        Type::String => within(parameter, dice),
        Type::List(_) | Type::Scalar(_) => number(parameter, constants, dice),
    };
    let mut elements: Vec<f64> = match dice.below(3) {
        0 => {
            let few = [element(dice), element(dice)];
            (0..length).map(|_| dice.pick(&few)).collect()
        }
        _ => (0..length).map(|_| element(dice)).collect(),
    };
    arrange(&mut elements, dice);
    elements
}

/// Sorts, mirrors or doubles some sequences.
fn arrange(elements: &mut Vec<f64>, dice: &mut Dice) {
    match dice.below(9) {
        0 => elements.sort_by(f64::total_cmp),
        1 => elements.sort_by(|a, b| b.total_cmp(a)),
        2 => {
            let half = elements.len() / 2;
            let start: Vec<f64> = elements[..half].to_vec();
            elements.truncate(elements.len() - half);
            elements.extend(start.iter().rev());
        }
        3 => {
            let half = elements.len() / 2;
            elements.truncate(half);
            elements.extend_from_within(..);
        }
        _ => {}
    }
}

/// Makes a value of the row from another one.
fn relate(signature: &Signature, row: &mut [Value<'static>], dice: &mut Dice) {
    let to = dice.below(row.len());
    let from = (to + 1 + dice.below(row.len() - 1)) % row.len();
    let scalar = signature.parameters[to].ty.scalar();
    let made = match (&row[from], &row[to]) {
        (Value::Num(a), Value::Num(b)) => Value::Num(rounded(
            scalar,
            match dice.below(8) {
                0 | 1 => *a,
                2 => a + dice.pick(&[-1.0, 1.0]),
                3 => -a,
                4 => a * dice.pick(&[2.0, 3.0, 10.0]),
                5 => a / dice.pick(&[2.0, 3.0, 10.0]),
                6 => a + b,
                _ => f64::from_bits(a.to_bits() ^ 1),
            },
        )),
        (Value::Seq(a), Value::Seq(b)) => {
            let mut made = a.to_vec();
            match dice.below(9) {
                0 => {}
                1 => made.truncate(dice.below(made.len() + 1)),
                2 => drop(made.drain(..dice.below(a.len() + 1))),
                3 => made.extend_from_slice(b),
                4 => made.splice(0..0, b.iter().copied()).for_each(drop),
                5 => made.reverse(),
                6 => shuffle(&mut made, dice),
                7 if !made.is_empty() => {
                    let at = dice.below(made.len());
                    made[at] = rounded(scalar, made[at] + 1.0);
                }
                _ => made.iter_mut().for_each(|code| *code = other_case(*code)),
            }
            Value::Seq(made.into())
        }
        (Value::Seq(a), Value::Num(_)) if !a.is_empty() && dice.one_in(2) => {
            Value::Num(rounded(scalar, a[dice.below(a.len())]))
        }
        (Value::Seq(a), Value::Num(_)) => {
            Value::Num(rounded(scalar, a.len() as f64 + dice.below(3) as f64 - 1.0))
        }
        (Value::Num(a), Value::Seq(b)) => {
            let mut made = b.to_vec();
            let at = dice.below(made.len() + 1);
            if signature.parameters[to].ty == Type::String && dice.one_in(2) {
                let digits: Vec<f64> =
                    a.to_string().chars().map(|c| f64::from(u32::from(c))).collect();
                made.splice(at..at, digits);
            } else {
                made.insert(at, rounded(scalar, *a));
            }
            Value::Seq(made.into())
        }
        (Value::Bool(_), _) | (_, Value::Bool(_)) => return,
    };
    if signature.parameters[to].admits(&made) {
        row[to] = made;
    }
}

fn shuffle(elements: &mut [f64], dice: &mut Dice) {
    for i in (1..elements.len()).rev() {
        elements.swap(i, dice.below(i + 1));
    }
}

fn other_case(code: f64) -> f64 {
    match code as u32 {
        65..=90 => code + 32.0,
        97..=122 => code - 32.0,
        _ => code,
    }
}
