//! Which values the inputs of fresh pairs had: the domain on which a relation was really tried.

use genmorph_jit::Value;

use crate::record::search::TriedInput;
use crate::subject::kinds::{Interface, Kind};

/// The inputs of a function, without any value.
pub(super) fn nothing(signature: &Interface) -> Vec<TriedInput> {
    let input = |name: &String| TriedInput { name: name.clone(), ..TriedInput::default() };
    signature.inputs.iter().map(|parameter| input(&parameter.name)).collect()
}

/// Takes in the values of one call. Characters count by how many they are, not by their codes.
pub(super) fn add<'v>(
    tried: &mut [TriedInput],
    signature: &Interface,
    values: impl Iterator<Item = Value<'v>>,
) {
    for ((input, parameter), value) in tried.iter_mut().zip(&signature.inputs).zip(values) {
        match value {
            Value::Num(number) => widen(input, number),
            Value::Bool(_) => {}
            Value::Seq(elements) => {
                input.longest = input.longest.max(Some(elements.len()));
                if parameter.kind != Kind::Text {
                    elements.iter().for_each(|&element| widen(input, element));
                }
            }
        }
    }
}

/// Takes in what was tried elsewhere on the same inputs.
pub(super) fn merge(tried: &mut Vec<TriedInput>, other: &[TriedInput]) {
    if tried.is_empty() {
        tried.extend_from_slice(other);
        return;
    }
    for (input, other) in tried.iter_mut().zip(other) {
        input.longest = input.longest.max(other.longest);
        [other.least, other.most].into_iter().flatten().for_each(|number| widen(input, number));
    }
}

/// Makes room for a number; NaN and the infinities have no place in a range.
fn widen(input: &mut TriedInput, number: f64) {
    if number.is_finite() {
        input.least = Some(input.least.map_or(number, |least| least.min(number)));
        input.most = Some(input.most.map_or(number, |most| most.max(number)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::subject::Signature;

    #[test]
    fn what_was_tried_is_the_hull_of_all_values() {
        let signature = Signature::parse("f", "func(n: s64, s: string, a: list<f64>, p: bool)");
        let signature = signature.unwrap().of_executions();
        let seq = |elements: &[f64]| Value::Seq(elements.to_vec().into());
        let mut tried = nothing(&signature);
        let rows = [
            [Value::Num(3.0), seq(&[97.0]), seq(&[]), Value::Bool(true)],
            [Value::Num(-2.0), seq(&[]), seq(&[0.5, f64::NAN]), Value::Bool(false)],
        ];
        for row in rows {
            add(&mut tried, &signature, row.into_iter());
        }
        let texts: Vec<String> = tried.iter().map(ToString::to_string).collect();
        let expected =
            ["n from -2 to 3", "s up to 1 long", "a up to 2 long, elements from 0.5 to 0.5", ""];
        assert_eq!(texts, expected);
        let mut all = Vec::new();
        merge(&mut all, &tried);
        tried[0].most = Some(4e15);
        merge(&mut all, &tried);
        assert_eq!(all[0].to_string(), "n from -2 to 4e15");
    }
}
