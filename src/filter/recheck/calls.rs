//! Calls of a run, made again on today's code: which of them end otherwise than they did.
//!
//! A call that returned and now throws is a change that no relation of values can see; so is one that threw and now returns, and one
//! that does not end any more. Other values are counted, and are no change by themselves: relations say which values are right.

use genmorph_jit::{Tolerance, Value};
use schemars::JsonSchema;
use serde::Serialize;

use crate::filter::fresh;
use crate::record::VERSION;
use crate::record::calls::{CallsFile, RecordedCall};
use crate::record::value::{from_json, to_json};
use crate::subject::kinds::{Interface, Parameter};
use crate::subject::{Deadline, Inputs, MachineFailure, Outcome, Outcomes, Subject, Version};
use crate::support::digits::grouped;
use crate::support::seed::Seed;

/// Fresh inputs that are added to the source inputs of a run.
const FRESH: usize = 4_000;
/// Calls that run away are made again without a clock; after this many that do end, all are taken to end.
const CONFIRMED: usize = 3;

/// What became of calls.
#[derive(Clone, Debug, Default, PartialEq, Serialize, JsonSchema)]
pub struct CallChanges {
    /// How many calls were made again.
    pub calls: usize,
    /// How many of them returned when they were recorded.
    pub returned: usize,
    /// How many of them return other values now; that is no violation by itself.
    pub other_values: usize,
    /// How many of them throw something else now; that is no violation either.
    pub other_exceptions: usize,
    /// The simplest call that returns other values.
    pub value_example: Option<ChangedCall>,
    /// Calls that end otherwise: each change is a violation.
    pub changes: Vec<CallChange>,
}

/// Calls that all end otherwise in the same way.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct CallChange {
    /// In which way they changed.
    pub kind: ChangeKind,
    /// What is thrown now, or was thrown before; or what happens instead of an end.
    pub what: String,
    /// How many calls changed so.
    pub count: usize,
    /// The simplest of them.
    pub example: ChangedCall,
}

/// In which way the ends of calls changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ChangeKind {
    /// They returned, and throw now.
    NowThrows,
    /// They threw, and return now.
    NowReturns,
    /// They ended, and do not any more.
    NoLongerEnds,
}

/// A call that changed.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct ChangedCall {
    /// The arguments, by their names.
    pub inputs: serde_json::Map<String, serde_json::Value>,
    /// How it ended before.
    pub before: String,
    /// How it ends now.
    pub now: String,
}

/// Makes calls on source inputs and on fresh ones, as far as the time allows, and records how they end. Calls that end by no choice of
/// the function are left out.
///
/// # Errors
/// When the machine fails.
pub fn record(
    subject: &dyn Subject,
    sources: &Inputs,
    seed: Seed,
    deadline: &Deadline,
) -> Result<CallsFile, MachineFailure> {
    let signature = subject.signature();
    let seed = Seed(seed.stream("calls").rng().next());
    let drawn = fresh::inputs(signature, subject.constants(), sources, seed, FRESH);
    let mut inputs = sources.clone();
    (0..drawn.len()).for_each(|row| inputs.push(&drawn.row(row).collect::<Vec<_>>()));
    let ran = subject.run_within(Version::Original, &inputs, deadline)?;
    let interface = signature.of_executions();
    let json = |parameters: &[Parameter], values: &mut dyn Iterator<Item = Value<'_>>| {
        parameters.iter().zip(values).map(|(p, value)| to_json(p, &value)).collect::<Vec<_>>()
    };
    let mut calls = Vec::new();
    for row in 0..inputs.len() {
        let outcome = ran.outcomes()[row];
        let Some(throws) = outcome.throws() else { continue };
        let arguments = json(&interface.inputs, &mut inputs.row(row));
        // A text that JSON cannot hold does not come back as it was.
        let back = values(&interface.inputs, &arguments);
        if !back.is_some_and(|back| same(&back, &inputs.row(row).collect::<Vec<_>>(), None)) {
            continue;
        }
        let outputs = match throws {
            true => Vec::new(),
            false => json(&interface.outputs, &mut ran.row(row)),
        };
        let threw = throws.then(|| thrown(outcome));
        calls.push(RecordedCall { inputs: arguments, threw, outputs });
    }
    let (function, signature) = (signature.function.clone(), signature.to_string());
    Ok(CallsFile { version: VERSION, function, signature, calls })
}

/// Makes recorded calls again.
///
/// # Errors
/// When the machine fails.
pub fn replay(
    subject: &dyn Subject,
    recorded: &CallsFile,
    tolerance: Tolerance,
    deadline: &Deadline,
) -> Result<CallChanges, MachineFailure> {
    let signature = subject.signature();
    let interface = signature.of_executions();
    let mut inputs = Inputs::new(signature);
    let mut calls: Vec<&RecordedCall> = Vec::new();
    for call in &recorded.calls {
        if let Some(row) = values(&interface.inputs, &call.inputs) {
            inputs.push(&row);
            calls.push(call);
        }
    }
    let ran = subject.run_within(Version::Original, &inputs, deadline)?;
    let mut found = CallChanges::default();
    let mut runaway = Vec::new();
    for (row, call) in calls.iter().enumerate() {
        let outcome = ran.outcomes()[row];
        if outcome == Outcome::NotRun {
            continue;
        }
        found.calls += 1;
        found.returned += usize::from(call.threw.is_none());
        let told = || changed(&interface, call, &inputs, &ran, row);
        match (&call.threw, outcome.throws()) {
            (_, None) => runaway.push(row),
            (None, Some(true)) => found.add(ChangeKind::NowThrows, &thrown(outcome), told()),
            (Some(before), Some(false)) => found.add(ChangeKind::NowReturns, before, told()),
            (Some(before), Some(true)) => {
                found.other_exceptions += usize::from(*before != thrown(outcome));
            }
            (None, Some(false)) => {
                let now: Vec<Value<'_>> = ran.row(row).collect();
                let before = values(&interface.outputs, &call.outputs);
                if !before.is_some_and(|before| same(&before, &now, Some(tolerance))) {
                    found.other_values += 1;
                    keep_simplest(&mut found.value_example, told());
                }
            }
        }
    }
    // A call that had little time because others took much may end after all.
    let mut ended = 0;
    for &row in &runaway {
        let one = inputs.only(signature, [row]);
        let again = subject.run_within(Version::Original, &one, Deadline::never())?;
        let outcome = again.outcomes()[0];
        if outcome.throws().is_some() {
            ended += 1;
            if ended == CONFIRMED {
                break;
            }
            continue;
        }
        let mut told = changed(&interface, calls[row], &inputs, &ran, row);
        told.now = outcome.to_string();
        found.add(ChangeKind::NoLongerEnds, &outcome.to_string(), told);
        // One that runs away for sure speaks for the others.
        if let Some(change) = found.changes.last_mut() {
            change.count = runaway.len() - ended;
        }
        break;
    }
    Ok(found)
}

impl CallChanges {
    fn add(&mut self, kind: ChangeKind, what: &str, example: ChangedCall) {
        match self.changes.iter_mut().find(|change| change.kind == kind && change.what == what) {
            Some(change) => {
                change.count += 1;
                let mut simplest = Some(change.example.clone());
                keep_simplest(&mut simplest, example);
                change.example = simplest.expect("there was one");
            }
            None => {
                self.changes.push(CallChange { kind, what: what.to_owned(), count: 1, example });
            }
        }
    }

    /// Whether all calls end as they did.
    pub fn is_unchanged(&self) -> bool {
        self.changes.is_empty()
    }

    /// The changes as sentences, each with its example.
    pub fn sentences(&self) -> Vec<String> {
        let all = grouped(self.calls as u64);
        self.changes.iter().map(|change| change.sentence(&all)).collect()
    }
}

impl CallChange {
    /// `27 of 5,000 accepted inputs now throw java.lang.X, e.g. n = 3  (returned 4)`.
    fn sentence(&self, all: &str) -> String {
        let CallChange { kind, what, count, example } = self;
        let what = match kind {
            ChangeKind::NowThrows => format!("now throw: {what}"),
            ChangeKind::NowReturns => format!("now return, where they were refused: {what}"),
            ChangeKind::NoLongerEnds => format!("now do not end by themselves: {what}"),
        };
        let count = grouped(*count as u64);
        format!("{count} of {all} accepted inputs {what}; e.g. {example}")
    }
}

impl std::fmt::Display for ChangedCall {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let named = self.inputs.iter().map(|(name, value)| format!("{name} = {value}"));
        let named = named.collect::<Vec<_>>().join(", ");
        write!(f, "{named}  ->  {}, before {}", self.now, self.before)
    }
}

/// What a call threw, or why it trapped.
fn thrown(outcome: Outcome) -> String {
    match outcome {
        Outcome::Threw(exception) => exception.to_string(),
        other => other.to_string(),
    }
}

fn changed(
    interface: &Interface,
    call: &RecordedCall,
    inputs: &Inputs,
    ran: &Outcomes,
    row: usize,
) -> ChangedCall {
    let names = interface.inputs.iter().zip(inputs.row(row));
    let inputs = names.map(|(p, value)| (p.name.clone(), to_json(p, &value))).collect();
    let list = |values: &[serde_json::Value]| {
        values.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
    };
    let before = match &call.threw {
        Some(what) => format!("threw {what}"),
        None => list(&call.outputs),
    };
    let now = match ran.is_returned(row) {
        true => {
            let values = interface.outputs.iter().zip(ran.row(row));
            list(&values.map(|(p, value)| to_json(p, &value)).collect::<Vec<_>>())
        }
        false => ran.outcomes()[row].to_string(),
    };
    ChangedCall { inputs, before, now }
}

/// Keeps the call with the shorter text, of two equally long ones the first in order.
fn keep_simplest(known: &mut Option<ChangedCall>, other: ChangedCall) {
    let rank = |call: &ChangedCall| {
        let text = serde_json::to_string(&call.inputs).unwrap_or_default();
        (text.len(), text)
    };
    match known {
        Some(known) if rank(known) <= rank(&other) => {}
        _ => *known = Some(other),
    }
}

fn values(parameters: &[Parameter], json: &[serde_json::Value]) -> Option<Vec<Value<'static>>> {
    if parameters.len() != json.len() {
        return None;
    }
    parameters.iter().zip(json).map(|(p, json)| from_json(p.kind, json)).collect()
}

/// Whether values are equal: to the last bit, or within a tolerance; NaN is equal to itself.
fn same(a: &[Value<'_>], b: &[Value<'_>], tolerance: Option<Tolerance>) -> bool {
    let number = |a: f64, b: f64| match tolerance {
        Some(tolerance) => a == b || a.is_nan() && b.is_nan() || tolerance.eq(a, b),
        None => a.to_bits() == b.to_bits() || a.is_nan() && b.is_nan(),
    };
    let value = |(a, b): (&Value<'_>, &Value<'_>)| match (a, b) {
        (Value::Num(a), Value::Num(b)) => number(*a, *b),
        (Value::Bool(a), Value::Bool(b)) => a == b,
        (Value::Seq(a), Value::Seq(b)) => {
            a.len() == b.len() && a.iter().zip(b.iter()).all(|(a, b)| number(*a, *b))
        }
        _ => false,
    };
    a.len() == b.len() && a.iter().zip(b).all(value)
}
