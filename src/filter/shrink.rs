//! A simplest counterexample: smaller numbers, shorter sequences, plainer characters, as long as the relation is false.
//!
//! Greedy: of all inputs that are a step simpler, the simplest on which the relation is still false, until there is
//! none. The reference evaluator says whether it is.

use genmorph_jit::{Predicate, Value};

use super::trial::{Ground, Pair};
use crate::inputs::Row;
use crate::subject::{MachineFailure, Parameter, Scalar, Type};

/// Inputs that are tried at a time, at most.
const BATCH: usize = 384;
/// Steps, at most. Each makes the input simpler, so few are needed; a guess.
const STEPS: usize = 60;

/// The simplest pair that can be reached from one on which a relation is false.
pub(super) fn shrink(
    ground: &Ground<'_>,
    relation: &Predicate,
    pair: &Pair,
    stop: &dyn Fn() -> bool,
) -> Result<Pair, MachineFailure> {
    let parameters = &ground.subject.signature().parameters;
    let mut best = pair.clone();
    for _ in 0..STEPS {
        if stop() {
            break;
        }
        let now = size(parameters, &best.source);
        let mut rows: Vec<(f64, Row)> = simpler(parameters, &best.source)
            .into_iter()
            .filter(|row| parameters.iter().zip(row).all(|(p, value)| p.admits(value)))
            .map(|row| (size(parameters, &row), row))
            .filter(|(other, _)| *other < now)
            .collect();
        rows.sort_by(|a, b| a.0.total_cmp(&b.0));
        rows.dedup_by(|a, b| a.1 == b.1);
        // The simplest ones hardly ever do, and the nearest ones nearly always: some of each.
        if rows.len() > BATCH {
            let step = rows.len().div_ceil(BATCH);
            rows = rows.into_iter().step_by(step).collect();
        }
        let rows: Vec<Row> = rows.into_iter().map(|(_, row)| row).collect();
        let found = ground.false_on(relation, &rows)?.into_iter().flatten().next();
        match found {
            Some(pair) => best = pair,
            None => break,
        }
    }
    Ok(best)
}

/// How simple a row is: less is simpler.
fn size(parameters: &[Parameter], row: &[Value<'_>]) -> f64 {
    let of = |parameter: &Parameter, value: &Value<'_>| match value {
        Value::Bool(truth) => f64::from(u8::from(*truth)),
        Value::Num(number) => weight(parameter, *number),
        Value::Seq(elements) => {
            elements.iter().map(|&element| 40.0 + weight(parameter, element)).sum()
        }
    };
    parameters.iter().zip(row).map(|(parameter, value)| of(parameter, value)).sum()
}

/// How simple a number is: by its digits, then by its size, then by its sign.
fn weight(parameter: &Parameter, number: f64) -> f64 {
    if parameter.ty.scalar() == Scalar::Char {
        return match char::from_u32(number as u32) {
            Some('a') => 0.0,
            Some(c) if c.is_ascii_alphanumeric() => 1.0 + number / 1_000.0,
            Some(c) if c.is_ascii_graphic() || c == ' ' => 2.0 + number / 1_000.0,
            Some(_) | None => 4.0 + number.abs().ln_1p() / 100.0,
        };
    }
    if !number.is_finite() {
        return 2_000.0;
    }
    // All digits: 1e300 is short, but no simple number.
    let digits = number.abs().to_string().len().min(100) as f64;
    let sign = if number.is_sign_negative() { 0.005 } else { 0.0 };
    10.0 * digits + number.abs().ln_1p() / 100.0 + sign
}

/// Inputs that may be simpler.
fn simpler(parameters: &[Parameter], row: &Row) -> Vec<Row> {
    let mut rows = Vec::new();
    for (at, parameter) in parameters.iter().enumerate() {
        let values: Vec<Value<'static>> = match &row[at] {
            Value::Bool(_) => vec![Value::Bool(false)],
            Value::Num(number) => numbers(parameter, *number).into_iter().map(Value::Num).collect(),
            Value::Seq(elements) => sequences(parameter, elements)
                .into_iter()
                .map(|elements| Value::Seq(elements.into()))
                .collect(),
        };
        for value in values {
            let mut other = row.clone();
            other[at] = value;
            rows.push(other);
        }
    }
    // Parameters that must stay as far apart as they are become smaller together.
    for by in [1.0, 2.0, 10.0, 100.0, 1_000.0, 1e6] {
        let nearer = |value: &Value<'static>| match value {
            Value::Num(n) if n.abs() >= by => Value::Num(n - by.copysign(*n)),
            other => other.clone(),
        };
        let less = |value: &Value<'static>| match value {
            Value::Num(n) => Value::Num((n / (1.0 + by)).trunc() + 0.0),
            other => other.clone(),
        };
        rows.push(row.iter().map(nearer).collect());
        rows.push(row.iter().map(less).collect());
    }
    rows
}

/// Numbers that may be simpler than one.
fn numbers(parameter: &Parameter, number: f64) -> Vec<f64> {
    if parameter.ty.scalar() == Scalar::Char {
        return vec![97.0, 98.0, 65.0, 48.0, 32.0];
    }
    let mut simpler = vec![0.0, 1.0, -1.0, 2.0, 3.0, 10.0, 100.0, 1e6, -number];
    if let Some((least, most)) = parameter.domain.range {
        simpler.extend([least, most]);
    }
    if number.is_finite() {
        simpler.extend([number.trunc(), number.round(), number.ceil(), number.floor()]);
        for places in 0..12 {
            let scale = 10.0_f64.powi(places);
            simpler.extend([
                (number * scale).trunc() / scale,
                (number / scale).trunc() * scale,
                (number / scale).trunc(),
            ]);
        }
        if number != 0.0 {
            // One to three digits, wherever they are.
            let first = number.abs().log10().floor();
            for digits in 0..3 {
                let scale = 10.0_f64.powf(first - f64::from(digits));
                simpler.push((number / scale).trunc() * scale);
            }
            simpler.push(10.0_f64.powf(first).copysign(number));
            simpler.extend([1e-3, 1e-6, 1e-10].map(|small: f64| small.copysign(number)));
        }
        let mut step = 1.0;
        while step <= number.abs() && step < 1e18 {
            simpler.push(number - step.copysign(number));
            step *= 2.0;
        }
        simpler.extend([number / 2.0, (number / 2.0).trunc()]);
    }
    let float = parameter.ty.scalar().integers().is_none();
    simpler.iter_mut().for_each(|number| *number += 0.0);
    simpler.retain(|number| float || number.fract() == 0.0);
    simpler
}

/// Sequences that may be simpler than one.
fn sequences(parameter: &Parameter, elements: &[f64]) -> Vec<Vec<f64>> {
    let length = elements.len();
    let mut simpler = vec![Vec::new()];
    // Runs of half, a quarter, … of the length are left out, down to single elements.
    let mut run = length.div_ceil(2);
    while run > 0 {
        for start in (0..length).step_by(run) {
            simpler.push([&elements[..start], &elements[length.min(start + run)..]].concat());
        }
        run = if run == 1 { 0 } else { run.div_ceil(2) };
    }
    let element = Parameter { ty: Type::Scalar(parameter.ty.scalar()), ..parameter.clone() };
    for place in 0..length.min(24) {
        for number in numbers(&element, elements[place]) {
            let mut other = elements.to_vec();
            other[place] = number;
            simpler.push(other);
        }
    }
    // Two become one that has their sum, or both their mean.
    for place in 1..length.min(24) {
        let sum = elements[place - 1] + elements[place];
        let rest = [&elements[..place - 1], &elements[place + 1..]].concat();
        simpler.push([&[sum], &rest[..]].concat());
        simpler.push([&rest[..], &[sum]].concat());
    }
    // All that are equal become another together.
    for (place, &number) in elements.iter().enumerate().take(8) {
        if elements[..place].contains(&number) {
            continue;
        }
        for other in numbers(&element, number).into_iter().take(6) {
            simpler.push(elements.iter().map(|&e| if e == number { other } else { e }).collect());
        }
    }
    simpler
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::subject::Domain;

    fn parameter(ty: Type) -> Parameter {
        Parameter { name: "x".to_owned(), ty, domain: Domain::default() }
    }

    #[test]
    fn short_small_and_plain_is_simple() {
        let float = parameter(Type::Scalar(Scalar::F64));
        let order = [0.0, 1.0, -1.0, 7.0, -7.0, 12.0, 0.25, 1234.5, 1e300, f64::NAN];
        assert!(order.is_sorted_by(|a, b| weight(&float, *a) < weight(&float, *b)));
        let text = parameter(Type::String);
        let text_size = |t: &str| {
            let codes: Vec<f64> = t.chars().map(|c| f64::from(u32::from(c))).collect();
            size(std::slice::from_ref(&text), &[Value::Seq(codes.into())])
        };
        let order = ["", "a", "b", "é", "aa", "日本"];
        assert!(order.is_sorted_by(|a, b| text_size(a) < text_size(b)));
    }

    #[test]
    fn every_element_can_go() {
        let list = parameter(Type::List(Scalar::S32));
        let shorter = sequences(&list, &[5.0, 6.0, 7.0]);
        for expected in [&[][..], &[6.0, 7.0], &[5.0, 7.0], &[5.0, 6.0], &[7.0], &[5.0, 0.0, 7.0]] {
            assert!(shorter.iter().any(|s| s == expected), "{expected:?}");
        }
    }
}
