//! State that changes slowly: whether a function answers as it did at the beginning.
//!
//! Three runs of a few inputs, each from a clean state, show functions that depend on chance or on the call before. A counter that
//! matters at every thousandth call, or a result that depends on the hour, shows only when early calls are made again much later, after
//! many others and in another order.

use genmorph_jit::Value;

use crate::record::value::to_json;
use crate::subject::kinds::{Interface, Parameter};
use crate::subject::{Inputs, MachineFailure, Outcome, Outcomes, Subject, Version};

/// Calls that are made again, at least: enough for a state that shows at every thousandth call.
const CALLS: usize = 2_000;

/// A function that does not answer as it did before.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "the function does not answer as it did before: {input} gave {early} at first and {late} after many other calls; \
     its results depend on earlier calls or on the time, so no relation between its calls can be trusted"
)]
pub struct Drift {
    /// The input, by the names of the parameters.
    pub input: String,
    /// What the call gave at first.
    pub early: String,
    /// What it gave later.
    pub late: String,
}

/// Makes early calls again, last ones first, and compares the results. Rows for which there is no time are left out.
///
/// # Errors
/// When the machine fails.
pub fn of(
    subject: &dyn Subject,
    inputs: &Inputs,
    early: &Outcomes,
) -> Result<Option<Drift>, MachineFailure> {
    let known: Vec<usize> =
        (0..inputs.len()).rev().filter(|&row| ends_by_itself(early.outcomes()[row])).collect();
    let times = CALLS.div_ceil(known.len().max(1));
    let order: Vec<usize> = known.iter().copied().cycle().take(known.len() * times).collect();
    let again = inputs.only(subject.signature(), order.iter().copied());
    let late = subject.run(Version::Original, &again)?;
    let differs = |&(place, &row): &(usize, &usize)| {
        ends_by_itself(late.outcomes()[place]) && !is_same((early, row), (&late, place))
    };
    let found = order.iter().enumerate().find(differs);
    let signature = subject.signature().of_executions();
    Ok(found.map(|(place, &row)| Drift {
        input: named(&signature.inputs, inputs.row(row)),
        early: shown(&signature, early, row),
        late: shown(&signature, &late, place),
    }))
}

/// Whether a call ended by itself; how far others come depends on the machine.
fn ends_by_itself(outcome: Outcome) -> bool {
    match outcome {
        Outcome::Returned | Outcome::Trapped(_) | Outcome::Threw(_) | Outcome::BadOutput => true,
        Outcome::OutOfFuel
        | Outcome::OutOfMemory
        | Outcome::OutOfStack
        | Outcome::Exited
        | Outcome::Hung
        | Outcome::Crashed
        | Outcome::NotRun => false,
    }
}

fn is_same((a, a_row): (&Outcomes, usize), (b, b_row): (&Outcomes, usize)) -> bool {
    let same = |a: f64, b: f64| a.to_bits() == b.to_bits() || a.is_nan() && b.is_nan();
    a.outcomes()[a_row] == b.outcomes()[b_row]
        && a.row(a_row).zip(b.row(b_row)).all(|(a, b)| a.agrees(&b, same))
}

/// What a call did, for people.
fn shown(signature: &Interface, outcomes: &Outcomes, row: usize) -> String {
    match outcomes.outcomes()[row] {
        Outcome::Returned => named(&signature.outputs, outcomes.row(row)),
        failure => format!("a call that {failure}"),
    }
}

/// Values with the names of their parameters.
fn named<'v>(parameters: &[Parameter], values: impl Iterator<Item = Value<'v>>) -> String {
    let named = parameters.iter().zip(values);
    let named = named.map(|(p, value)| format!("{} = {}", p.name, to_json(p, &value)));
    named.collect::<Vec<_>>().join(", ")
}
