//! A small picture of a law: result of the source call to the right, result of the follow-up call upwards, a dot for each pair of executions.
//!
//! Only where both are numbers that vary. Far values are left out, so that the middle can be seen.

use genmorph_jit::{Type, Value};

use crate::executions::{CORRECT, Executions};

/// Pairs that are drawn, at most.
const DOTS: usize = 90;
/// A picture with fewer different dots says nothing.
const DIFFERENT: usize = 4;
/// The share of the values, counted from the smallest magnitude, that the axes reach.
const NEAR: f64 = 0.8;
/// Width and height, and the margin of the dots.
const SIZE: f64 = 120.0;
const MARGIN: f64 = 7.0;

/// The picture of a law over the executions that it was found on.
pub(super) fn picture(executions: &Executions) -> Option<String> {
    let dots = dots(executions)?;
    let reach = |of: fn(&(f64, f64)) -> f64| -> Option<(f64, f64)> {
        let values = || dots.iter().map(of);
        let (low, high) =
            (values().fold(f64::INFINITY, f64::min), values().fold(f64::NEG_INFINITY, f64::max));
        (low < high).then_some((low, high))
    };
    let ((left, right), (bottom, top)) = (reach(|dot| dot.0)?, reach(|dot| dot.1)?);
    let place = |value: f64, low: f64, high: f64| {
        MARGIN + (SIZE - 2.0 * MARGIN) * (value - low) / (high - low)
    };
    let x = |value: f64| place(value, left, right);
    let y = |value: f64| SIZE - place(value, bottom, top);
    let mut places: Vec<String> =
        dots.iter().map(|&(a, b)| format!("M{:.0} {:.0}h0", x(a), y(b))).collect();
    places.sort_unstable();
    places.dedup();
    if places.len() < DIFFERENT {
        return None;
    }
    // Where a result is 0.
    let mut axes = String::new();
    if left < 0.0 && right > 0.0 {
        axes += &format!("M{:.0} 0V{SIZE}", x(0.0));
    }
    if bottom < 0.0 && top > 0.0 {
        axes += &format!("M0 {:.0}H{SIZE}", y(0.0));
    }
    Some(format!(
        "<figure class=\"picture\"><svg viewBox=\"0 0 {SIZE} {SIZE}\" role=\"img\" \
         aria-label=\"Results of follow-up calls over results of source calls\"><path class=\"axis\" d=\"{axes}\"/><path class=\"dots\" d=\"{}\"/></svg>\
         <figcaption>source → follow-up ↑</figcaption></figure>\n",
        places.concat()
    ))
}

/// Both results, evenly from all executions of the original, without those that are far from 0.
fn dots(executions: &Executions) -> Option<Vec<(f64, f64)>> {
    let table = &executions.table;
    let output = executions.signature.outputs.first()?;
    let [source, follow_up] = ["s", "f"].map(|side| {
        let var = table.schema().var(&format!("{}_{side}", output.name))?;
        (table.schema().type_of(var) == Some(Type::Num)).then_some(var)
    });
    let (source, follow_up) = (source?, follow_up?);
    let number = |value: Value<'static>| match value {
        Value::Num(number) if number.is_finite() => Some(number),
        Value::Num(_) | Value::Bool(_) | Value::Seq(_) => None,
    };
    let rows = executions.count(CORRECT);
    let mut all: Vec<(f64, f64)> = (0..rows)
        .step_by((rows / (4 * DOTS)).max(1))
        .filter_map(|row| {
            Some((number(table.value(source, row))?, number(table.value(follow_up, row))?))
        })
        .collect();
    for of in [|dot: &(f64, f64)| dot.0.abs(), |dot: &(f64, f64)| dot.1.abs()] {
        let mut far: Vec<f64> = all.iter().map(of).collect();
        far.sort_unstable_by(f64::total_cmp);
        let limit = *far.get((NEAR * far.len() as f64) as usize)?;
        all.retain(|dot| of(dot) <= limit);
    }
    let step = all.len().div_ceil(DOTS).max(1);
    Some(all.into_iter().step_by(step).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::executions::power;

    #[test]
    fn numbers_have_a_picture_that_stays_within_its_frame() {
        let svg = picture(&power::executions()).expect("pow returns numbers that vary");
        let dots = svg.split("class=\"dots\" d=\"").nth(1).and_then(|rest| rest.split('"').next());
        let dots = dots.expect("there is a path");
        assert!(dots.matches("h0").count() >= DIFFERENT);
        let places = dots.split(['M', ' ', 'h']).filter_map(|part| part.parse::<f64>().ok());
        assert!(places.into_iter().all(|place| (0.0..=SIZE).contains(&place)), "{dots}");
    }
}
