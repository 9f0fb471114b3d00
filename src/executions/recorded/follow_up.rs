//! Finds the follow-up of each recorded execution: by its inputs, or by the names of tests.

use std::collections::HashMap;

use genmorph_jit::{Tolerance, Value};

use super::Pair;
use super::recording::{Recording, all_equal, key};
use super::summary::Summary;
use crate::transform::Transform;

/// The name of a follow-up test is the name of its source test with this suffix.
const SUFFIX: &str = "followup";

/// Largest relative error of a number that counts as merely rounded: a decimal text of 15 digits, or two
/// additions in another order. The whole tolerance would pair small numbers with their neighbours.
const ROUNDING: f64 = 1e-14;

/// Finds the follow-ups of sources in a recording.
pub(super) struct FollowUps<'r> {
    recording: &'r Recording,
    transform: &'r Transform,
    tolerance: &'r Tolerance,
    exact: HashMap<Box<[u64]>, u32>,
    /// Inputs grouped by everything but the number that the transformation computes, and sorted by that
    /// number: a recorder may have rounded it.
    rounded: HashMap<Box<[u64]>, Vec<(f64, u32)>>,
}

impl<'r> FollowUps<'r> {
    pub(super) fn new(
        recording: &'r Recording,
        transform: &'r Transform,
        tolerance: &'r Tolerance,
    ) -> FollowUps<'r> {
        let mut exact = HashMap::new();
        let mut rounded: HashMap<_, Vec<(f64, u32)>> = HashMap::new();
        for (id, inputs) in recording.inputs.iter().enumerate() {
            let id = id as u32;
            exact.entry(key(inputs)).or_insert(id);
            if let Some((others, number)) = split(inputs, transform) {
                rounded.entry(others).or_default().push((number, id));
            }
        }
        for numbers in rounded.values_mut() {
            numbers.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        }
        FollowUps { recording, transform, tolerance, exact, rounded }
    }

    /// The pairs on which the original returns for both inputs, in the order in which the sources were recorded.
    pub(super) fn pairs(&self, summary: &mut Summary) -> Vec<Pair> {
        let original = &self.recording.original;
        let mut tests = vec![None; self.recording.inputs.len()];
        for (test, &id) in &self.recording.tests {
            // An input may have several tests: use the first name in their order.
            let known: &mut Option<&String> = &mut tests[id as usize];
            *known = Some(known.map_or(test, |known| known.min(test)));
        }
        let mut pairs = Vec::new();
        for (id, inputs) in self.recording.inputs.iter().enumerate() {
            let Some(outcome) = original.outcomes.get(&(id as u32)) else { continue };
            let follow_up = self.by_inputs(inputs).or_else(|| {
                let named = format!("{}{SUFFIX}", tests[id]?);
                let follow_up = *self.recording.tests.get(&named)?;
                let recorded = &self.recording.inputs[follow_up as usize];
                let made = self.transform.apply(inputs);
                let right = made.is_some_and(|made| all_equal(&made, recorded, self.tolerance));
                summary.wrong_names += usize::from(!right);
                right.then_some(follow_up)
            });
            let returned = |id: &u32| {
                original.outcomes.get(id).is_some_and(|outcome| outcome.outputs.is_some())
            };
            match follow_up.filter(|id| original.outcomes.contains_key(id)) {
                None => summary.alone += 1,
                Some(follow_up) if outcome.outputs.is_some() && returned(&follow_up) => {
                    pairs.push((id as u32, follow_up));
                }
                Some(_) => summary.threw += 1,
            }
        }
        summary.pairs = pairs.len();
        pairs
    }

    /// The recorded inputs that equal the transformed source.
    fn by_inputs(&self, source: &[Value<'static>]) -> Option<u32> {
        let follow_up = self.transform.apply(source)?;
        if let Some(&id) = self.exact.get(&key(&follow_up)) {
            return Some(id);
        }
        let (others, number) = split(&follow_up, self.transform)?;
        let near = self.rounded.get(&others)?;
        let above = near.partition_point(|(other, _)| other.total_cmp(&number).is_lt());
        let neighbours = &near[above.saturating_sub(1)..near.len().min(above + 1)];
        let equal = neighbours.iter().filter(|(other, _)| {
            let rounding = ROUNDING * number.abs();
            (other - number).abs() <= rounding && self.tolerance.eq(*other, number)
        });
        let distance = |other: f64| (other - number).abs();
        equal.min_by(|a, b| distance(a.0).total_cmp(&distance(b.0))).map(|(_, id)| *id)
    }
}

/// The number that the transformation computes, and a key of the other inputs.
fn split(inputs: &[Value<'static>], transform: &Transform) -> Option<(Box<[u64]>, f64)> {
    let computed = transform.computed()?;
    let Value::Num(number) = inputs[computed] else { return None };
    let mut others = inputs.to_vec();
    others[computed] = Value::Num(0.0);
    Some((key(&others), number))
}
