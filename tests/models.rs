//! What the example subjects should do, in plain Rust: the judge of every module that they are compiled to.
//!
//! A model takes the values of the parameters and gives the outputs in the order of the signature, or
//! nothing where the function refuses its input. Where another way to compute the same is at hand, it is taken; sums of
//! floating-point numbers are in the same order, so that all bits are equal.

use std::borrow::Cow;

use genmorph::jit::Value;
use genmorph::subject::{Domain, Parameter, Scalar, Signature, Type};
use genmorph::support::seed::Rng;

/// What a function does.
pub type Model = fn(&[Value<'static>]) -> Option<Vec<Value<'static>>>;

/// All example subjects. The flag: whether the function can take any values of its types, far beyond the
/// domain of its definition.
pub const MODELS: [(&str, Model, bool); 16] = [
    ("capitalise", capitalise, true),
    ("gcd", gcd, true),
    ("index_of", index_of, true),
    ("is_prime", is_prime, true),
    ("is_sorted", is_sorted, true),
    ("log10", log10, true),
    ("mean", mean, true),
    ("min", min, true),
    ("next_prime", next_prime, true),
    ("pad_start", pad_start, false),
    ("pow", pow, true),
    ("repeat", repeat, false),
    ("sin", sin, true),
    ("sort_range", sort_range, true),
    ("stirling2", stirling2, true),
    ("truncate", truncate, true),
];

/// The model of this name.
pub fn model(name: &str) -> Model {
    MODELS.iter().find(|(other, _, _)| *other == name).expect("there is such a subject").1
}

fn num(value: &Value<'static>) -> f64 {
    let Value::Num(number) = value else { panic!("{value:?} is no number") };
    *number
}

fn int(value: &Value<'static>) -> i32 {
    num(value) as i32
}

fn list(value: &Value<'static>) -> Vec<f64> {
    let Value::Seq(elements) = value else { panic!("{value:?} is no list") };
    elements.to_vec()
}

fn text(value: &Value<'static>) -> Vec<char> {
    let characters = list(value).into_iter().map(|code| char::from_u32(code as u32));
    characters.map(|c| c.expect("texts are made of characters")).collect()
}

fn number(number: impl Into<f64>) -> Option<Vec<Value<'static>>> {
    Some(vec![Value::Num(number.into())])
}

fn truth(truth: bool) -> Option<Vec<Value<'static>>> {
    Some(vec![Value::Bool(truth)])
}

fn sequence(elements: impl IntoIterator<Item = f64>) -> Option<Vec<Value<'static>>> {
    Some(vec![Value::Seq(Cow::Owned(elements.into_iter().collect()))])
}

fn characters(characters: impl IntoIterator<Item = char>) -> Option<Vec<Value<'static>>> {
    sequence(characters.into_iter().map(|c| f64::from(u32::from(c))))
}

fn pow(inputs: &[Value<'static>]) -> Option<Vec<Value<'static>>> {
    let (k, e) = (int(&inputs[0]), int(&inputs[1]));
    number(k.wrapping_pow(u32::try_from(e).ok()?))
}

fn gcd(inputs: &[Value<'static>]) -> Option<Vec<Value<'static>>> {
    let (mut u, mut v) = (int(&inputs[0]).unsigned_abs(), int(&inputs[1]).unsigned_abs());
    while v != 0 {
        (u, v) = (v, u % v);
    }
    number(i32::try_from(u).ok()?)
}

fn has_two_divisors(n: i32) -> bool {
    let limit = f64::from(n).sqrt() as i32;
    n >= 2 && (2..=limit).all(|d| n % d != 0)
}

fn is_prime(inputs: &[Value<'static>]) -> Option<Vec<Value<'static>>> {
    truth(has_two_divisors(int(&inputs[0])))
}

fn next_prime(inputs: &[Value<'static>]) -> Option<Vec<Value<'static>>> {
    let n = int(&inputs[0]);
    number((n.max(0)..=i32::MAX).find(|&m| has_two_divisors(m)).filter(|_| n >= 0)?)
}

fn stirling2(inputs: &[Value<'static>]) -> Option<Vec<Value<'static>>> {
    let (n, k) = (int(&inputs[0]), int(&inputs[1]));
    if k < 0 || k > n || n > 25 {
        return None;
    }
    let mut triangle = [[0_i64; 26]; 26];
    triangle[0][0] = 1;
    for i in 1..26 {
        for j in 1..=i {
            triangle[i][j] = j as i64 * triangle[i - 1][j] + triangle[i - 1][j - 1];
        }
    }
    number(triangle[n as usize][k as usize] as f64)
}

fn sin(inputs: &[Value<'static>]) -> Option<Vec<Value<'static>>> {
    let x = num(&inputs[0]);
    let turns = (x / std::f64::consts::PI).round_ties_even();
    let reduced = x - turns * 3.141_592_653_468_251 - turns * 1.215_420_125_655_342_6e-10;
    let (mut term, mut sum) = (reduced, reduced);
    for power in (3..=21).step_by(2) {
        term = -term * (reduced * reduced) / f64::from((power - 1) * power);
        sum += term;
    }
    number(if turns.rem_euclid(2.0) == 1.0 { -sum } else { sum })
}

fn log10(inputs: &[Value<'static>]) -> Option<Vec<Value<'static>>> {
    let mut x = num(&inputs[0]);
    let mut exponent = 0.0;
    if x < 0.0 {
        return number(f64::NAN);
    }
    if x == 0.0 {
        return number(f64::NEG_INFINITY);
    }
    if x.is_nan() || x.is_infinite() {
        return number(x);
    }
    while x > 3.162_277_660_168_379_5 {
        x /= 10.0;
        exponent += 1.0;
    }
    while x < 0.316_227_766_016_837_94 {
        x *= 10.0;
        exponent -= 1.0;
    }
    let z = (x - 1.0) / (x + 1.0);
    let (mut power, mut sum, mut n) = (z, z, 1.0);
    loop {
        let before = sum;
        power *= z * z;
        n += 2.0;
        sum += power / n;
        if sum == before {
            return number(exponent + 2.0 * sum / std::f64::consts::LN_10);
        }
    }
}

fn repeat(inputs: &[Value<'static>]) -> Option<Vec<Value<'static>>> {
    let n = usize::try_from(int(&inputs[1])).unwrap_or(0);
    characters(text(&inputs[0]).repeat(n))
}

fn pad_start(inputs: &[Value<'static>]) -> Option<Vec<Value<'static>>> {
    let text = text(&inputs[0]);
    let n = usize::try_from(int(&inputs[1])).unwrap_or(0);
    let c = char::from_u32(int(&inputs[2]) as u32)?;
    let padding = vec![c; n.saturating_sub(text.len())];
    characters(padding.into_iter().chain(text))
}

fn capitalise(inputs: &[Value<'static>]) -> Option<Vec<Value<'static>>> {
    let mut text = text(&inputs[0]);
    if let Some(first) = text.first_mut() {
        first.make_ascii_uppercase();
    }
    characters(text)
}

fn truncate(inputs: &[Value<'static>]) -> Option<Vec<Value<'static>>> {
    let offset = usize::try_from(int(&inputs[1])).ok()?;
    let max_width = usize::try_from(int(&inputs[2])).ok()?;
    characters(text(&inputs[0]).into_iter().skip(offset).take(max_width))
}

fn mean(inputs: &[Value<'static>]) -> Option<Vec<Value<'static>>> {
    let values = list(&inputs[0]);
    // `sum` begins with -0, the function with 0.
    let sum = values.iter().fold(0.0, |sum, value| sum + value);
    if values.is_empty() { None } else { number(sum / values.len() as f64) }
}

fn min(inputs: &[Value<'static>]) -> Option<Vec<Value<'static>>> {
    let values = list(&inputs[0]);
    let least = values.iter().copied().reduce(|a, b| if b < a { b } else { a })?;
    number(if values.iter().any(|value| value.is_nan()) { f64::NAN } else { least })
}

fn is_sorted(inputs: &[Value<'static>]) -> Option<Vec<Value<'static>>> {
    truth(list(&inputs[0]).is_sorted())
}

fn index_of(inputs: &[Value<'static>]) -> Option<Vec<Value<'static>>> {
    let x = num(&inputs[1]);
    number(list(&inputs[0]).iter().position(|&e| e == x).map_or(-1.0, |index| index as f64))
}

fn sort_range(inputs: &[Value<'static>]) -> Option<Vec<Value<'static>>> {
    let mut a = list(&inputs[0]);
    let (from, to) =
        (usize::try_from(int(&inputs[1])).ok()?, usize::try_from(int(&inputs[2])).ok()?);
    a.get_mut(from..to)?.sort_by(f64::total_cmp);
    sequence(a)
}

/// Random inputs: mostly of the domain; of the whole type now and then, if asked to.
pub fn random_inputs(signature: &Signature, whole: bool, rng: &mut Rng) -> Vec<Value<'static>> {
    let parameters = signature.parameters.iter();
    parameters.map(|parameter| random(parameter, whole && rng.chance(0.4), rng)).collect()
}

fn random(parameter: &Parameter, whole: bool, rng: &mut Rng) -> Value<'static> {
    let free = Domain { max_len: Some(20), ..Domain::default() };
    let domain = if whole { &free } else { &parameter.domain };
    match parameter.ty {
        Type::Scalar(Scalar::Bool) => Value::Bool(rng.chance(0.5)),
        Type::Scalar(scalar) => Value::Num(element(scalar, domain, rng)),
        Type::String | Type::List(_) => {
            let (least, most) = (domain.min_len.unwrap_or(0), domain.max_len.unwrap_or(12));
            let length = least + rng.below(most - least + 1);
            let scalar = parameter.ty.scalar();
            Value::Seq((0..length).map(|_| element(scalar, domain, rng)).collect())
        }
    }
}

fn element(scalar: Scalar, domain: &Domain, rng: &mut Rng) -> f64 {
    if let Some(alphabet) = &domain.alphabet {
        return f64::from(u32::from(rng.pick(alphabet)));
    }
    if scalar == Scalar::Char {
        let borders =
            [0, 0x41, 0x7f, 0x80, 0x7ff, 0x800, 0xd7ff, 0xe000, 0xffff, 0x10000, 0x10ffff];
        return f64::from(rng.pick(&borders));
    }
    let integers = scalar.integers();
    if let Some((least, most)) = domain.range {
        let number = least + rng.unit() * (most - least);
        // Integers have no -0.
        return if integers.is_some() { number.round() + 0.0 } else { number };
    }
    match (integers, rng.below(4)) {
        (Some((least, most)), 0) => rng.pick(&[least, least + 1.0, most - 1.0, most]),
        (Some((least, most)), 1) => (least + rng.unit() * (most - least)).round() + 0.0,
        (Some((least, _)), _) => {
            (rng.below(21) as f64 - if least < 0.0 { 10.0 } else { 0.0 }).round()
        }
        (None, 0) => {
            rng.pick(&[0.0, -0.0, f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 5e-324, -1e308])
        }
        (None, 1) => f64::from_bits(rng.next()),
        (None, _) => rng.unit() * 200.0 - 100.0,
    }
}

/// Whether two values have the same bits; NaN is NaN.
pub fn same(a: &Value<'_>, b: &Value<'_>) -> bool {
    let same = |a: f64, b: f64| a.to_bits() == b.to_bits() || a.is_nan() && b.is_nan();
    match (a, b) {
        (Value::Num(a), Value::Num(b)) => same(*a, *b),
        (Value::Bool(a), Value::Bool(b)) => a == b,
        (Value::Seq(a), Value::Seq(b)) => {
            a.len() == b.len() && a.iter().zip(b.iter()).all(|(a, b)| same(*a, *b))
        }
        _ => false,
    }
}

#[test]
fn models_of_series_are_near_the_standard_library() {
    let mut rng = genmorph::support::seed::Seed(3).stream("series").rng();
    for _ in 0..10_000 {
        let x = rng.unit() * 200.0 - 100.0;
        let sine = num(&sin(&[Value::Num(x)]).unwrap()[0]);
        assert!((sine - x.sin()).abs() < 1e-12, "{x}: {sine}");
        let x = 10_f64.powf(rng.unit() * 40.0 - 20.0);
        let logarithm = num(&log10(&[Value::Num(x)]).unwrap()[0]);
        assert!((logarithm - x.log10()).abs() < 1e-12, "{x}: {logarithm}");
    }
}

#[test]
fn models_do_what_the_paper_and_the_documentation_say() {
    let ints = |values: &[i32]| -> Vec<Value<'static>> {
        values.iter().map(|&v| Value::Num(v.into())).collect()
    };
    let one = |model: Model, inputs: &[i32]| model(&ints(inputs)).map(|out| num(&out[0]));
    assert_eq!(one(pow, &[-128, 2]), Some(16_384.0));
    assert_eq!(one(pow, &[2, -1]), None);
    assert_eq!(one(gcd, &[-12, 18]), Some(6.0));
    assert_eq!(one(gcd, &[0, i32::MIN]), None);
    assert_eq!(one(next_prime, &[14]), Some(17.0));
    assert_eq!(one(stirling2, &[5, 3]), Some(25.0));
}
