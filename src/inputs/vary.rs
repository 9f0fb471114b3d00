//! Makes inputs from inputs: small changes, exchanges between parameters, and systematic steps from one place.

use genmorph_jit::Value;

use super::related;
use super::row::Row;
use super::space::Space;
use super::spaces::Spaces;
use crate::support::seed::Rng;

/// A variation of a row: one or a few changes, sometimes with values of a second row.
pub(super) fn vary(spaces: &Spaces, row: &Row, mate: &Row, rng: &mut Rng) -> Row {
    let mut varied = row.clone();
    loop {
        let at = rng.below(varied.len());
        match rng.below(20) {
            0..2 => varied[at] = mate[at].clone(),
            2..4 if varied.len() > 1 => relate(spaces, &mut varied, rng),
            4 => varied[at] = spaces.0[at].value(rng),
            _ => change(&spaces.0[at], &mut varied[at], &mate[at], rng),
        }
        if rng.chance(0.6) {
            return varied;
        }
    }
}

/// Makes one value have to do with another parameter: equal to it, its length, an element of it, a part of it.
pub(super) fn relate(spaces: &Spaces, row: &mut Row, rng: &mut Rng) {
    let at = rng.below(row.len());
    let from = (at + 1 + rng.below(row.len() - 1)) % row.len();
    let space = &spaces.0[at];
    let value = related::value(
        &row[at],
        &row[from],
        space.has_characters(),
        &mut |rng| space.number(rng),
        rng,
    );
    if let Some(value) = value.filter(|value| space.parameter.admits(value)) {
        row[at] = value;
    }
}

/// Changes a value, mostly a little.
fn change(space: &Space, value: &mut Value<'static>, mate: &Value<'static>, rng: &mut Rng) {
    match (value, mate) {
        (Value::Bool(truth), _) => *truth = !*truth,
        (Value::Num(number), _) => *number = changed(space, *number, rng),
        (Value::Seq(elements), Value::Seq(mate)) => {
            let mut other = elements.to_vec();
            change_sequence(space, &mut other, mate, rng);
            if space.fits(other.len()) {
                *elements = other.into();
            }
        }
        (Value::Seq(_), Value::Bool(_) | Value::Num(_)) => {}
    }
}

/// A number near another, or computed from it.
fn changed(space: &Space, number: f64, rng: &mut Rng) -> f64 {
    let sign = if rng.chance(0.5) { 1.0 } else { -1.0 };
    let other = match rng.below(12) {
        0..4 => number + sign * (1 + rng.below(3)) as f64,
        4 => number + sign * 2.0_f64.powi(rng.below(20) as i32),
        5 => -number,
        6 => number * 2.0,
        7 => number / 2.0,
        8 => space.special(rng),
        9 if space.has_fractions() => number + sign * 2.0_f64.powi(-(rng.below(20) as i32)),
        10 if space.has_fractions() => number.round(),
        _ => space.number(rng),
    };
    space.fit(other, rng)
}

fn change_sequence(space: &Space, elements: &mut Vec<f64>, mate: &[f64], rng: &mut Rng) {
    let length = elements.len();
    if length == 0 {
        elements.push(space.number(rng));
        return;
    }
    let (a, b) = (rng.below(length), rng.below(length));
    match rng.below(16) {
        0..2 => elements.insert(rng.below(length + 1), space.number(rng)),
        2..4 => drop(elements.remove(a)),
        4..7 => elements[a] = changed(space, elements[a], rng),
        7 => elements[a] = space.special(rng),
        8 => elements.insert(b, elements[a]),
        9 => elements[a] = elements[b],
        10 => elements.swap(a, b),
        11 => elements.sort_by(f64::total_cmp),
        12 => elements.reverse(),
        13 => elements.truncate(a),
        14 => {
            elements.truncate(a);
            elements.extend_from_slice(&mate[mate.len().min(b)..]);
        }
        _ => elements.insert(if rng.chance(0.5) { 0 } else { length }, space.special(rng)),
    }
}

/// Steps of all sizes from a row along one coordinate: a number, an element of a sequence, or the length of
/// one. Steps that double reach any integer in as many rounds as it has bits.
pub(super) fn probes(spaces: &Spaces, row: &Row, coordinate: usize, rng: &mut Rng) -> Vec<Row> {
    let at = coordinate % row.len();
    let space = &spaces.0[at];
    let with = |value: Value<'static>| {
        let mut row = row.clone();
        row[at] = value;
        row
    };
    match &row[at] {
        Value::Bool(truth) => vec![with(Value::Bool(!truth))],
        Value::Num(number) => {
            let steps = steps(space, *number);
            steps.into_iter().map(|number| with(Value::Num(number))).collect()
        }
        Value::Seq(elements) => {
            let mut probes = Vec::new();
            let mut push = |elements: Vec<f64>| {
                if space.fits(elements.len()) {
                    probes.push(with(Value::Seq(elements.into())));
                }
            };
            if !elements.is_empty() {
                let i = rng.below(elements.len());
                for number in steps(space, elements[i]) {
                    let mut other = elements.to_vec();
                    other[i] = number;
                    push(other);
                }
                push(elements[1..].to_vec());
                push(elements[..elements.len() - 1].to_vec());
                push(elements[..elements.len() / 2].to_vec());
                push([&elements[..], &elements[..]].concat());
                for j in 0..elements.len().min(8) {
                    let mut other = elements.to_vec();
                    other[i] = other[j];
                    push(other);
                }
            }
            for more in [1, 2, 4, 8] {
                let mut other = elements.to_vec();
                other.extend((0..more).map(|_| space.number(rng)));
                push(other);
            }
            for _ in 0..8 {
                let mut other = elements.to_vec();
                other.insert(rng.below(other.len() + 1), space.special(rng));
                push(other);
            }
            probes
        }
    }
}

/// Numbers at distances of powers of two from a number; for floats also its neighbours and multiples.
fn steps(space: &Space, number: f64) -> Vec<f64> {
    let mut steps = Vec::new();
    let mut push = |number: f64| {
        if space.admits(number) {
            steps.push(number);
        }
    };
    let mut step = 1.0;
    while step <= space.span() {
        push(number + step);
        push(number - step);
        step *= 2.0;
    }
    if space.has_fractions() {
        for power in 1..=30 {
            let step = 2.0_f64.powi(-power);
            push(number + step);
            push(number - step);
        }
        push(number.next_up());
        push(number.next_down());
        push(number * 2.0);
        push(number / 2.0);
        push(number.round());
    }
    push(-number);
    push(0.0);
    steps
}
