//! What a transformation does to values.

use genmorph_jit::Value;
use genmorph_jit::op::removed_index;

use super::bind::With;
use super::{Template, Transform};

/// What a template computes with, of one source.
#[derive(Clone, Debug)]
enum Amount {
    Number(f64),
    Elements(Vec<f64>),
}

impl Transform {
    /// Transforms one source input; none if it does not have an element that the transformation computes with or replaces. Changing nothing
    /// (an index out of bounds) gives the source again.
    ///
    /// # Panics
    /// If these are not the inputs of the function.
    pub fn apply(&self, source: &[Value<'static>]) -> Option<Vec<Value<'static>>> {
        let mut inputs = source.to_vec();
        self.change(&mut inputs).then_some(inputs)
    }

    /// Turns inputs into their follow-up; false if there is none.
    pub(super) fn change(&self, values: &mut [Value<'_>]) -> bool {
        if self.instance.template == Template::PermuteParameters {
            for pair in self.indices.chunks(2) {
                values.swap(pair[0], pair[1]);
            }
            return true;
        }
        if self.together().is_some() {
            return true;
        }
        let amount = match self.with {
            None => Amount::Number(0.0),
            Some(with) => match amount(with, values) {
                Some(amount) => amount,
                None => return false,
            },
        };
        let template = &self.instance.template;
        self.indices.iter().all(|&at| change_one(template, &mut values[at], &amount))
    }
}

/// What an operand is on a source.
fn amount(with: With, values: &[Value<'_>]) -> Option<Amount> {
    match with {
        With::Constant(number) => Some(Amount::Number(number)),
        With::Input(at) => Some(match &values[at] {
            Value::Num(number) => Amount::Number(*number),
            Value::Seq(elements) => Amount::Elements(elements.to_vec()),
            Value::Bool(truth) => Amount::Number(f64::from(u8::from(*truth))),
        }),
        With::Element(at, index) => {
            let Value::Seq(elements) = &values[at] else { unreachable!("a sequence, by its kind") };
            let place = removed_index(elements.len(), index as f64)?;
            Some(Amount::Number(elements[place]))
        }
    }
}

/// Changes one value; false if it has no follow-up.
fn change_one(template: &Template, value: &mut Value<'_>, amount: &Amount) -> bool {
    let number = match amount {
        Amount::Number(number) => *number,
        Amount::Elements(_) => f64::NAN,
    };
    match value {
        Value::Bool(truth) => match template {
            Template::BooleanFlip => *truth = !*truth,
            other => unreachable!("{} of a boolean", other.name()),
        },
        Value::Num(value) => match template {
            Template::NumericAddition(_) => *value += number,
            Template::NumericMultiplication(_) => *value *= number,
            Template::NumericComplement(_) => *value = number - *value,
            other => unreachable!("{} of a number", other.name()),
        },
        Value::Seq(elements) => {
            return change_sequence(template, elements.to_mut(), number, amount);
        }
    }
    true
}

fn change_sequence(
    template: &Template,
    elements: &mut Vec<f64>,
    number: f64,
    amount: &Amount,
) -> bool {
    let place = |elements: &[f64], index: i64| removed_index(elements.len(), index as f64);
    let added = || match amount {
        Amount::Number(number) => vec![*number],
        Amount::Elements(elements) => elements.clone(),
    };
    match template {
        Template::SequenceRemove(index) => {
            if let Some(place) = place(elements, *index) {
                elements.remove(place);
            }
        }
        Template::SequenceFlip => elements.reverse(),
        Template::SequenceSort => {
            elements.sort_by(|a, b| a.is_nan().cmp(&b.is_nan()).then(a.total_cmp(b)));
        }
        Template::SequenceRotate(by) => {
            if !elements.is_empty() {
                let by = by.rem_euclid(elements.len() as i64);
                elements.rotate_left(by as usize);
            }
        }
        Template::SequenceSwap(a, b) => {
            if let (Some(a), Some(b)) = (place(elements, *a), place(elements, *b)) {
                elements.swap(a, b);
            }
        }
        Template::SequenceAppend(_) => elements.extend(added()),
        Template::SequencePrepend(_) => {
            elements.splice(0..0, added());
        }
        Template::SequenceAdd(_) => elements.iter_mut().for_each(|element| *element += number),
        Template::SequenceMultiply(_) => {
            elements.iter_mut().for_each(|element| *element *= number);
        }
        Template::SequenceDouble => elements.extend_from_within(..),
        Template::SequenceTruncate(count) => {
            let kept =
                elements.len().min(usize::try_from(count.unsigned_abs()).unwrap_or(usize::MAX));
            if *count < 0 {
                elements.drain(..kept);
            } else {
                elements.truncate(kept);
            }
        }
        Template::SequenceReplace(index, _) => {
            let Some(place) = place(elements, *index) else { return false };
            elements[place] = number;
        }
        Template::TextUpper => respell(elements, |c| c.to_uppercase().collect()),
        Template::TextLower => respell(elements, |c| c.to_lowercase().collect()),
        Template::TextSwapCase => respell(elements, |c| {
            let upper: Vec<char> = c.to_uppercase().collect();
            if upper == [c] { c.to_lowercase().collect() } else { upper }
        }),
        Template::PermuteParameters
        | Template::BooleanFlip
        | Template::NumericAddition(_)
        | Template::NumericMultiplication(_)
        | Template::NumericComplement(_)
        | Template::Together(_) => unreachable!("{} of a sequence", template.name()),
    }
    true
}

/// Spells each character otherwise, whatever stands beside it: the last sigma of a word is one like others. One character may
/// become several, as Unicode has it: ß becomes SS.
fn respell(elements: &mut Vec<f64>, spelled: fn(char) -> Vec<char>) {
    let codes = elements.iter().flat_map(|&code| {
        let letter = (code.fract() == 0.0).then(|| char::from_u32(code as u32)).flatten();
        match letter {
            Some(letter) => spelled(letter).into_iter().map(|c| f64::from(u32::from(c))).collect(),
            None => vec![code],
        }
    });
    *elements = codes.collect();
}
