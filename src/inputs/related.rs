//! Sequences and numbers that have to do with others: functions of two texts do little on texts that have nothing in common.
//!
//! One inside the other, a common beginning or end, equal but for case, in another order, repeated. Knows nothing of
//! parameters and domains: whoever calls takes what is allowed.

use genmorph_jit::Value;

use crate::support::seed::Rng;

/// Most copies of a sequence that one is made of.
const COPIES: usize = 6;
/// The longest sequence that is made of copies.
const LONGEST: usize = 400;

/// The longest sequence whose length is taken from a number.
const SIZED: f64 = 300.0;

/// A value in place of `own` that has to do with `of`, the value of another parameter; nothing if their kinds do not go together.
pub(crate) fn value(
    own: &Value<'_>,
    of: &Value<'_>,
    are_characters: bool,
    draw: &mut dyn FnMut(&mut Rng) -> f64,
    rng: &mut Rng,
) -> Option<Value<'static>> {
    Some(match (own, of) {
        (Value::Num(_), Value::Num(of)) => Value::Num(number(*of, rng)),
        (Value::Num(_), Value::Seq(of)) => Value::Num(number_of_sequence(of, rng)),
        (Value::Seq(own), Value::Num(of)) => Value::Seq(with_number(own, *of, draw, rng).into()),
        (Value::Seq(_), Value::Seq(of)) => {
            Value::Seq(sequence(of, are_characters, draw, rng).into())
        }
        (Value::Bool(_), Value::Bool(of)) => Value::Bool(*of),
        (Value::Bool(_) | Value::Num(_) | Value::Seq(_), _) => return None,
    })
}

/// A sequence that has a number, and perhaps its neighbours, among its elements; or one of that length.
fn with_number(
    own: &[f64],
    number: f64,
    draw: &mut dyn FnMut(&mut Rng) -> f64,
    rng: &mut Rng,
) -> Vec<f64> {
    let mut elements = own.to_vec();
    let length = number + rng.below(3) as f64 - 1.0;
    if rng.below(3) == 0 && (0.0..=SIZED).contains(&length) {
        elements.resize_with(length as usize, || draw(rng));
        return elements;
    }
    for _ in 0..1 + rng.below(3) {
        let near = if rng.chance(0.5) { 0.0 } else { rng.below(3) as f64 - 1.0 };
        let place = rng.below(elements.len() + 1);
        if place < elements.len() && rng.chance(0.5) {
            elements[place] = number + near;
        } else {
            elements.insert(place, number + near);
        }
    }
    elements
}

/// A sequence that has to do with another; `draw` gives an element of any kind, and characters are written in other cases.
fn sequence(
    of: &[f64],
    are_characters: bool,
    draw: &mut dyn FnMut(&mut Rng) -> f64,
    rng: &mut Rng,
) -> Vec<f64> {
    let length = of.len();
    let (a, b) = (rng.below(length + 1), rng.below(length + 1));
    let (a, b) = (a.min(b), a.max(b));
    match rng.below(18) {
        0 => of[a..b].to_vec(),
        1 => of[..b].to_vec(),
        2 => of[a..].to_vec(),
        3 => [&drawn(draw, rng)[..], of, &drawn(draw, rng)].concat(),
        4..6 => repeated(of, draw, rng),
        6 => repeated(&reversed(of), draw, rng),
        7 => [&of[..b], &drawn(draw, rng)].concat(),
        8 => [&drawn(draw, rng), &of[a..]].concat(),
        9 => shuffled(of, rng),
        10 => reversed(of),
        11..13 if are_characters => in_other_case(of, rng),
        11 => of.iter().map(|element| -element).collect(),
        12 => nearly_sorted(of, rng),
        13..15 => edited(of, draw, rng),
        15 if length > 0 => (0..length).map(|_| of[rng.below(length)]).collect(),
        16 => {
            let mut rotated = of.to_vec();
            rotated.rotate_left(a);
            rotated
        }
        _ => of.to_vec(),
    }
}

/// A sequence before or after its mirror image: one that reads the same from both ends.
pub(crate) fn mirrored(elements: &[f64], rng: &mut Rng) -> Vec<f64> {
    let reversed = reversed(elements);
    if rng.chance(0.5) { [elements, &reversed].concat() } else { [&reversed, elements].concat() }
}

/// A number that has to do with a sequence: its length, a place in it, an element.
fn number_of_sequence(of: &[f64], rng: &mut Rng) -> f64 {
    let near = rng.below(3) as f64 - 1.0;
    match rng.below(4) {
        0 => of.len() as f64 + near,
        1 => rng.below(of.len() + 1) as f64,
        2 if !of.is_empty() => of[rng.below(of.len())] + near,
        _ if !of.is_empty() => of[rng.below(of.len())],
        _ => near,
    }
}

/// A number that has to do with another: equal, opposite, next to it, a multiple of it.
fn number(of: f64, rng: &mut Rng) -> f64 {
    match rng.below(10) {
        0 => of + 1.0,
        1 => of - 1.0,
        2 => -of,
        3 => of.next_up(),
        4 => of.next_down(),
        5 => of * (2 + rng.below(4)) as f64,
        6 => of / (2 + rng.below(4)) as f64,
        7 if of != 0.0 => 1.0 / of,
        _ => of,
    }
}

/// The characters that spell a number, as `toString` in relations does for integers.
pub(crate) fn spelled(number: f64) -> Vec<f64> {
    let text = if number.fract() == 0.0 && number.abs() < 1e15 {
        format!("{number:.0}")
    } else {
        number.to_string()
    };
    text.bytes().map(f64::from).collect()
}

/// A text with letters in other cases; some letters become two, such as `ß` and `SS`.
fn in_other_case(of: &[f64], rng: &mut Rng) -> Vec<f64> {
    let style = rng.below(4);
    let mut text = Vec::with_capacity(of.len());
    for &code in of {
        let Some(character) = char::from_u32(code as u32) else {
            text.push(code);
            continue;
        };
        let upper = match style {
            0 => true,
            1 => false,
            2 => character.is_lowercase(),
            _ => rng.chance(0.5),
        };
        if upper {
            text.extend(character.to_uppercase().map(|c| f64::from(u32::from(c))));
        } else {
            text.extend(character.to_lowercase().map(|c| f64::from(u32::from(c))));
        }
    }
    text
}

/// A few drawn elements.
fn drawn(draw: &mut dyn FnMut(&mut Rng) -> f64, rng: &mut Rng) -> Vec<f64> {
    let count = rng.below(4);
    (0..count).map(|_| draw(rng)).collect()
}

/// Copies of a sequence, with or without an element in between.
fn repeated(of: &[f64], draw: &mut dyn FnMut(&mut Rng) -> f64, rng: &mut Rng) -> Vec<f64> {
    let most = (LONGEST / of.len().max(1)).clamp(1, COPIES);
    let copies = 1 + rng.below(most);
    let between = rng.chance(0.5).then(|| if rng.chance(0.5) { 32.0 } else { draw(rng) });
    let mut all = of.to_vec();
    for _ in 1..copies {
        all.extend(between);
        all.extend_from_slice(of);
    }
    all
}

fn reversed(of: &[f64]) -> Vec<f64> {
    of.iter().rev().copied().collect()
}

fn shuffled(of: &[f64], rng: &mut Rng) -> Vec<f64> {
    let mut all = of.to_vec();
    for i in (1..all.len()).rev() {
        all.swap(i, rng.below(i + 1));
    }
    all
}

/// In order, but for one exchange at most.
fn nearly_sorted(of: &[f64], rng: &mut Rng) -> Vec<f64> {
    let mut all = of.to_vec();
    all.sort_by(f64::total_cmp);
    if all.len() > 1 && rng.chance(0.7) {
        all.swap(rng.below(of.len()), rng.below(of.len()));
    }
    all
}

/// One element more, less or different.
fn edited(of: &[f64], draw: &mut dyn FnMut(&mut Rng) -> f64, rng: &mut Rng) -> Vec<f64> {
    let mut all = of.to_vec();
    let place = rng.below(all.len() + 1);
    match rng.below(3) {
        0 => all.insert(place, draw(rng)),
        1 if place < all.len() => drop(all.remove(place)),
        _ if place < all.len() => all[place] = draw(rng),
        _ => {}
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::support::seed::Seed;

    fn codes(text: &str) -> Vec<f64> {
        text.chars().map(|c| f64::from(u32::from(c))).collect()
    }

    #[test]
    fn every_kind_of_kinship_comes_up() {
        let mut rng = Seed(1).stream("test").rng();
        let of = codes("ab");
        let mut draw = |rng: &mut Rng| 97.0 + rng.below(26) as f64;
        let made: Vec<Vec<f64>> =
            (0..4_000).map(|_| sequence(&of, true, &mut draw, &mut rng)).collect();
        for expected in ["", "a", "b", "ab", "ba", "AB", "Ab", "abab", "ab ab", "ba ba ba"] {
            assert!(made.contains(&codes(expected)), "{expected:?}");
        }
        let sharp: Vec<Vec<f64>> =
            (0..400).map(|_| sequence(&codes("ß"), true, &mut draw, &mut rng)).collect();
        assert!(sharp.contains(&codes("SS")));
    }

    #[test]
    fn numbers_are_spelled_as_relations_do() {
        assert_eq!(spelled(-60.0), codes("-60"));
        assert_eq!(spelled(2.5), codes("2.5"));
        assert_eq!(spelled(0.0), codes("0"));
    }
}
