//! Steps from one input to others: along one number or element by all sizes, and small changes of anything.
//!
//! Knows the types and domains of parameters, and which numbers may matter. Everything it makes is allowed.

use genmorph_jit::Value;

use crate::inputs::{Row, related};
use crate::subject::{Constant, Parameter, Scalar, Signature, Type};
use crate::support::seed::Rng;

/// The longest sequence that is made where no domain says otherwise.
const LONGEST: usize = 400;
/// Elements that others are made of, and elements that are inserted, in a step.
const KIN: usize = 8;
const INSERTED: usize = 32;
/// Sequences of a step that have to do with another parameter, for each of these; and those with a number spelled in them.
const RELATIVES: usize = 6;
const SPELLED: usize = 12;

/// What steps are made of.
#[derive(Debug)]
pub(super) struct Moves<'m> {
    signature: &'m Signature,
    parameters: &'m [Parameter],
    /// For each parameter: numbers that may matter, all of them allowed.
    telling: Vec<Vec<f64>>,
    /// Numbers that may matter, as texts.
    spelled: Vec<Vec<f64>>,
}

impl<'m> Moves<'m> {
    /// Steps among the inputs of a function. `others` are further numbers that may matter.
    pub(super) fn new(
        signature: &'m Signature,
        constants: &[Constant],
        others: &[f64],
    ) -> Moves<'m> {
        let given = constants.iter().map(|constant| constant.value).chain(others.iter().copied());
        let given: Vec<f64> = given.collect();
        let telling = |parameter: &Parameter| {
            let scalar = parameter.ty.scalar();
            let (low, high) = scalar.integers().unwrap_or((-f64::MAX, f64::MAX));
            let (least, most) = parameter.domain.range.unwrap_or((low, high));
            let ends = [least, most, least + 1.0, most - 1.0];
            let plain = [0.0, 1.0, -1.0, 2.0, 10.0, 97.0];
            let odd = [-0.0, 0.5, 1e-9, -1e-9, 1e-300, -1e-300, 1e300, f64::INFINITY];
            let odd = odd.into_iter().chain([f64::NEG_INFINITY, f64::NAN, f64::MIN_POSITIVE]);
            let odd = odd.filter(|_| scalar.integers().is_none());
            let around = given.iter().flat_map(|c| [*c, c + 1.0, c - 1.0, -c]);
            let mut numbers: Vec<f64> = Vec::new();
            for number in plain.into_iter().chain(ends).chain(odd).chain(around) {
                let number = tidy(scalar, number);
                let known = numbers.iter().any(|known| known.to_bits() == number.to_bits());
                if !known && allowed(parameter, number) {
                    numbers.push(number);
                }
            }
            numbers
        };
        let telling = signature.parameters.iter().map(telling).collect();
        let mut spelled: Vec<Vec<f64>> = Vec::new();
        for &number in others.iter().chain(&given) {
            let text = related::spelled(number);
            if number.is_finite() && text.len() <= 12 && !spelled.contains(&text) {
                spelled.push(text);
            }
        }
        Moves { signature, parameters: &signature.parameters, telling, spelled }
    }

    /// Inputs at steps of all sizes from a row, along one of its numbers, or one element and the length of a sequence.
    /// Doubling steps reach any integer in as many rounds as it has bits.
    ///
    /// `hints` are sequences that may matter here.
    pub(super) fn probes(
        &self,
        row: &Row,
        coordinate: usize,
        hints: &[Vec<f64>],
        rng: &mut Rng,
    ) -> Vec<Row> {
        let at = coordinate % row.len();
        let parameter = &self.parameters[at];
        let mut values: Vec<Value<'static>> = Vec::new();
        match &row[at] {
            Value::Bool(truth) => values.push(Value::Bool(!truth)),
            Value::Num(number) => {
                let steps = self.steps(at, *number).into_iter().chain(self.related(row, at));
                values.extend(steps.map(Value::Num));
            }
            Value::Seq(elements) => {
                // One after the other, with the ends in between: what is at an end often counts alone.
                let place = match coordinate / row.len() % 4 {
                    0 => 0,
                    1 => elements.len().saturating_sub(1),
                    _ => (coordinate / row.len()) % (elements.len() + 1),
                };
                let mut sequences = self.sequences(row, at, elements, place, rng);
                self.relatives(row, at, &mut sequences, rng);
                self.compose(at, elements, place, hints, &mut sequences, rng);
                values.extend(sequences.into_iter().map(|elements| Value::Seq(elements.into())));
            }
        }
        let with = |value: Value<'static>| {
            let mut row = row.clone();
            row[at] = value;
            self.signature.fit(&mut row);
            row
        };
        values.into_iter().filter(|value| parameter.admits(value)).map(with).collect()
    }

    /// Numbers at distances of powers of two from a number, and those that may matter.
    fn steps(&self, at: usize, number: f64) -> Vec<f64> {
        let scalar = self.parameters[at].ty.scalar();
        let mut steps = Vec::new();
        if let Some((least, most)) = scalar.integers() {
            let mut step = 1.0;
            while step <= most - least {
                steps.extend([number + step, number - step]);
                step *= 2.0;
            }
        } else if number.is_finite() {
            for power in -30..=20 {
                let step = 2.0_f64.powi(power);
                steps.extend([number + step, number - step]);
            }
            for power in 1..=52 {
                let factor = 2.0_f64.powi(-power);
                steps.extend([number * (1.0 + factor), number * (1.0 - factor)]);
            }
            steps.extend([number.next_up(), number.next_down(), number.round(), number.trunc()]);
        }
        steps.extend([-number, number * 2.0, number / 2.0, number * 10.0, number / 10.0]);
        steps.extend(self.telling[at].iter().copied());
        self.fitting(at, steps, number)
    }

    /// What is allowed of numbers, but for one.
    fn fitting(&self, at: usize, numbers: Vec<f64>, but: f64) -> Vec<f64> {
        let parameter = &self.parameters[at];
        let scalar = parameter.ty.scalar();
        let tidied = numbers.into_iter().map(|number| tidy(scalar, number));
        tidied
            .filter(|number| number.to_bits() != but.to_bits() && allowed(parameter, *number))
            .collect()
    }

    /// Numbers that the other parameters suggest: theirs, their opposites, multiples and neighbours, lengths and elements.
    fn related(&self, row: &Row, at: usize) -> Vec<f64> {
        let mut numbers = Vec::new();
        for (other, value) in row.iter().enumerate() {
            match value {
                Value::Num(n) if other != at => {
                    numbers.extend([*n, -n, n + 1.0, n - 1.0, 2.0 * n, n / 2.0, 3.0 * n]);
                    numbers.extend([n.next_up(), n.next_down(), -n.next_up(), -n.next_down()]);
                }
                Value::Seq(elements) if other != at => {
                    let length = elements.len() as f64;
                    numbers.extend([length, length - 1.0, length + 1.0]);
                    for &n in elements.iter().take(12) {
                        numbers.extend([n, n - 1.0, n + 1.0]);
                    }
                }
                Value::Num(_) | Value::Seq(_) | Value::Bool(_) => {}
            }
        }
        self.fitting(at, numbers, f64::NAN)
    }

    /// Sequences a step away: another element at a place, a different length, another order.
    fn sequences(
        &self,
        row: &Row,
        at: usize,
        elements: &[f64],
        place: usize,
        rng: &mut Rng,
    ) -> Vec<Vec<f64>> {
        let mut made: Vec<Vec<f64>> = Vec::new();
        let related = self.related(row, at);
        let telling = &self.telling[at];
        if let Some(&element) = elements.get(place) {
            let mut others = self.steps(at, element);
            others.extend(&related);
            let some = (0..KIN.min(elements.len())).map(|_| rng.pick(elements));
            let relatives = some.flat_map(|e| [e, -e, e + 1.0, e - 1.0]);
            others.extend(self.fitting(at, relatives.collect(), element));
            for other in others {
                let mut changed = elements.to_vec();
                changed[place] = other;
                made.push(changed);
            }
            made.push([&elements[..place], &elements[place + 1..]].concat());
            made.push(elements[..place].to_vec());
            made.push(elements[place..].to_vec());
        }
        let all: Vec<f64> = telling.iter().chain(&related).chain(elements).copied().collect();
        for _ in 0..INSERTED.min(all.len()) {
            let number = rng.pick(&all);
            let mut longer = elements.to_vec();
            longer.insert(place.min(elements.len()), number);
            made.push(longer);
        }
        if 2 * elements.len() <= LONGEST {
            made.push([elements, elements].concat());
            let mirrored: Vec<f64> = elements.iter().rev().copied().collect();
            made.push([elements, &mirrored].concat());
            made.push(mirrored);
        }
        for value in row.iter().enumerate().filter(|(i, _)| *i != at).map(|(_, value)| value) {
            if let Value::Seq(other) = value {
                made.push(other.to_vec());
                made.push([elements, &other[..]].concat());
            }
        }
        let mut sorted = elements.to_vec();
        sorted.sort_by(f64::total_cmp);
        if elements.len() > 1 {
            let mut swapped = elements.to_vec();
            swapped.swap(rng.below(elements.len()), rng.below(elements.len()));
            made.push(swapped);
            made.push(sorted.iter().rev().copied().collect());
            let mut rotated = elements.to_vec();
            rotated.rotate_left(1);
            made.push(rotated);
        }
        made.push(sorted);
        made.retain(|made| made.len() <= LONGEST.max(elements.len()) && made != elements);
        made
    }

    /// Adds sequences that have to do with those of other parameters.
    fn relatives(&self, row: &Row, at: usize, made: &mut Vec<Vec<f64>>, rng: &mut Rng) {
        let others = row.iter().enumerate().filter(|(i, _)| *i != at);
        for of in others.map(|(_, value)| value).filter(|of| !matches!(of, Value::Bool(_))) {
            for _ in 0..RELATIVES {
                if let Some(Value::Seq(made_of_it)) = self.relative(row, at, of, rng) {
                    made.push(made_of_it.into_owned());
                }
            }
        }
    }

    /// A value of a parameter that has to do with another value.
    fn relative(
        &self,
        row: &Row,
        at: usize,
        of: &Value<'static>,
        rng: &mut Rng,
    ) -> Option<Value<'static>> {
        let are_characters = self.parameters[at].ty.scalar() == Scalar::Char;
        let telling = &self.telling[at];
        let mut draw = |rng: &mut Rng| match &row[at] {
            Value::Seq(elements) if !elements.is_empty() && rng.chance(0.5) => rng.pick(elements),
            _ if !telling.is_empty() => rng.pick(telling),
            Value::Seq(_) | Value::Num(_) | Value::Bool(_) => 0.0,
        };
        related::value(&row[at], of, are_characters, &mut draw, rng)
    }

    /// Adds sequences with parts that may matter instead of all, of the beginning or of the end: hints, and in texts numbers.
    fn compose(
        &self,
        at: usize,
        elements: &[f64],
        place: usize,
        hints: &[Vec<f64>],
        made: &mut Vec<Vec<f64>>,
        rng: &mut Rng,
    ) {
        let mut parts: Vec<&Vec<f64>> = hints.iter().collect();
        if self.parameters[at].ty.scalar() == Scalar::Char && !self.spelled.is_empty() {
            parts.extend((0..SPELLED).map(|_| &self.spelled[rng.below(self.spelled.len())]));
        }
        let place = place.min(elements.len());
        for part in parts {
            made.push(part.clone());
            made.push([&elements[..place], part].concat());
            made.push([part, &elements[place..]].concat());
        }
    }

    /// A row like another: one or a few changes, some of them values of a mate.
    pub(super) fn vary(&self, row: &Row, mate: &Row, rng: &mut Rng) -> Row {
        let mut varied = row.clone();
        loop {
            let at = rng.below(varied.len());
            let value = if varied.len() > 1 && rng.below(6) == 0 {
                let from = (at + 1 + rng.below(varied.len() - 1)) % varied.len();
                self.relative(&varied, at, &varied[from], rng)
            } else {
                self.changed(&varied, mate, at, rng)
            };
            if let Some(value) = value.filter(|value| self.parameters[at].admits(value)) {
                varied[at] = value;
            }
            if rng.chance(0.5) {
                self.signature.fit(&mut varied);
                return varied;
            }
        }
    }

    fn changed(&self, row: &Row, mate: &Row, at: usize, rng: &mut Rng) -> Option<Value<'static>> {
        if rng.below(6) == 0 {
            return Some(mate[at].clone());
        }
        Some(match &row[at] {
            Value::Bool(truth) => Value::Bool(!truth),
            Value::Num(number) => Value::Num(self.number(row, at, *number, rng)?),
            Value::Seq(elements) => {
                let mut elements = elements.to_vec();
                let length = elements.len();
                let telling = &self.telling[at];
                let related = self.related(row, at);
                match rng.below(14) {
                    10 if self.parameters[at].ty.scalar() == Scalar::Char
                        && !self.spelled.is_empty() =>
                    {
                        let text = &self.spelled[rng.below(self.spelled.len())];
                        let place = rng.below(length + 1);
                        elements.splice(place..place, text.iter().copied());
                    }
                    // What one element gains another loses, so that the sum stays.
                    11..13 if length > 1 => {
                        let (from, to) = (rng.below(length), rng.below(length));
                        let part = 2.0_f64.powi(rng.below(8) as i32);
                        let part = if rng.chance(0.5) { part } else { elements[from] };
                        let changed = [elements[from] - part, elements[to] + part];
                        let [less, more] =
                            changed.map(|n| self.fitting(at, vec![n], f64::NAN).pop());
                        (elements[from], elements[to]) = (less?, more?);
                    }
                    0..3 if length > 0 => {
                        let place = rng.below(length);
                        elements[place] = self.number(row, at, elements[place], rng)?;
                    }
                    3 if length > 0 => drop(elements.remove(rng.below(length))),
                    4 if !telling.is_empty() => {
                        elements.insert(rng.below(length + 1), rng.pick(telling));
                    }
                    5 if !related.is_empty() => {
                        elements.insert(rng.below(length + 1), rng.pick(&related));
                    }
                    6 if length > 0 => {
                        let copied = elements[rng.below(length)];
                        elements.insert(rng.below(length + 1), copied);
                    }
                    7 if length > 1 => elements.swap(rng.below(length), rng.below(length)),
                    8 if length > 0 => {
                        let (from, to) = (rng.below(length), rng.below(length));
                        let sign = if rng.chance(0.5) { 1.0 } else { -1.0 };
                        elements[to] =
                            self.fitting(at, vec![sign * elements[from]], f64::NAN).pop()?;
                    }
                    13 => elements = related::mirrored(&elements, rng),
                    9 => {
                        let Value::Seq(mate) = &mate[at] else { return None };
                        elements.truncate(rng.below(length + 1));
                        elements.extend_from_slice(&mate[rng.below(mate.len() + 1)..]);
                    }
                    _ => return None,
                }
                if elements.len() > LONGEST.max(length) {
                    return None;
                }
                Value::Seq(elements.into())
            }
        })
    }

    /// A number near another, or one that may matter.
    fn number(&self, row: &Row, at: usize, number: f64, rng: &mut Rng) -> Option<f64> {
        let some = match rng.below(8) {
            0 => self.telling[at].clone(),
            1 => self.related(row, at),
            2..5 => {
                let sign = if rng.chance(0.5) { 1.0 } else { -1.0 };
                vec![number + sign * (1 + rng.below(3)) as f64]
            }
            _ => self.steps(at, number),
        };
        let some = self.fitting(at, some, number);
        (!some.is_empty()).then(|| rng.pick(&some))
    }
}

/// A number as the type has it, if it is near one.
fn tidy(scalar: Scalar, number: f64) -> f64 {
    match scalar {
        Scalar::F64 => number,
        Scalar::F32 => f64::from(number as f32),
        // Integers have no -0.
        _ => number.trunc() + 0.0,
    }
}

/// Whether a number may be a value, or an element of one.
fn allowed(parameter: &Parameter, number: f64) -> bool {
    match parameter.ty {
        Type::Scalar(_) => parameter.admits(&Value::Num(number)),
        Type::String | Type::List(_) => {
            let scalar = parameter.ty.scalar();
            let range = parameter.domain.range;
            let spelled = parameter.domain.alphabet.as_ref();
            scalar.admits(number)
                && range.is_none_or(|(least, most)| (least..=most).contains(&number))
                && spelled.is_none_or(|all| all.iter().any(|&c| f64::from(u32::from(c)) == number))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::filter::fresh;
    use crate::subject::{Domain, Inputs};
    use crate::support::seed::Seed;

    fn signature() -> Signature {
        let parameter = |(name, ty, domain): (&str, Type, Domain)| Parameter {
            name: name.to_owned(),
            ty,
            domain,
        };
        let few = Domain { max_len: Some(9), min_len: Some(2), ..Domain::default() };
        let some = Domain { range: Some((-5.0, 77.0)), ..Domain::default() };
        Signature {
            function: "f".to_owned(),
            parameters: [
                ("i", Type::Scalar(Scalar::S32), Domain::default()),
                ("j", Type::Scalar(Scalar::U8), some),
                ("x", Type::Scalar(Scalar::F64), Domain::default()),
                ("y", Type::Scalar(Scalar::F32), Domain::default()),
                ("p", Type::Scalar(Scalar::Bool), Domain::default()),
                ("s", Type::String, few),
                ("a", Type::List(Scalar::S16), Domain::default()),
            ]
            .map(parameter)
            .to_vec(),
            result: None,
            changed: Vec::new(),
            ..Signature::default()
        }
    }

    #[test]
    fn every_step_stays_within_types_and_domains() {
        let signature = signature();
        let moves = Moves::new(&signature, &[Constant { value: 4711.5, count: 1 }], &[33.0]);
        let none = Inputs::new(&signature);
        let inputs = fresh::inputs(&signature, &[], &none, Seed(4), 60);
        let rows: Vec<Row> = (0..inputs.len())
            .map(|row| inputs.row(row).map(super::super::trial::owned).collect())
            .collect();
        let mut rng = Seed(1).stream("test").rng();
        let mut made = 0;
        for (i, row) in rows.iter().enumerate() {
            let mut others = moves.probes(row, i, &[vec![52.0, 50.0]], &mut rng);
            others.extend((0..20).map(|j| moves.vary(row, &rows[j], &mut rng)));
            for other in &others {
                let admitted = signature.parameters.iter().zip(other).all(|(p, v)| p.admits(v));
                assert!(admitted, "{other:?}");
            }
            made += others.len();
        }
        assert!(made > 2_000, "{made}");
    }

    #[test]
    fn any_integer_is_a_few_steps_away() {
        let signature = signature();
        let moves = Moves::new(&signature, &[], &[]);
        let mut at = 0.0_f64;
        let wanted = 1_234_567_891.0;
        for _ in 0..32 {
            let near = |n: &f64| (n - wanted).abs();
            let best = moves.steps(0, at).into_iter().min_by(|a, b| near(a).total_cmp(&near(b)));
            at = best.filter(|best| near(best) < near(&at)).unwrap_or(at);
        }
        assert_eq!(at, wanted);
    }
}
