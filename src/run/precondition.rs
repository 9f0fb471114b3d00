//! A precondition that a first pass over the inputs shows: under which condition the function fails.
//!
//! Where many calls throw, the condition under which they do is learned from them, tried on fresh inputs, and then all inputs are
//! drawn outside of it: of a factorial 21 inputs return, and of two lists hardly ever both are equally long by chance. Where many
//! calls run out of memory or fuel on large numbers alone, small ones are drawn.

use genmorph_jit::{Column, Node, Op, Predicate, Tolerance, Var};

use super::laws;
use super::plan::Plan;
use crate::explore::Vocabulary;
use crate::explore::conditions::{Calls, conditions};
use crate::filter::fresh;
use crate::inputs::{self, InputsError, Settings, Sources, Watch};
use crate::subject::{
    Condition, Deadline, Inputs, MachineFailure, Outcome, Scalar, Signature, Subject, Type, Version,
};
use crate::support::seed::Seed;
use crate::support::threads::Jobs;

/// Inputs that are looked at first, and the calls to find them.
const SCOUTED: usize = 500;
const EFFORT: usize = 8_000;
/// The part of the time in which they are looked for: the rest is for learning from them. A guess.
const LOOKED: f64 = 0.5;
/// One in this many calls must have thrown for a condition to be learned.
const SELDOM: usize = 8;
/// One in this many calls must have run out of memory or fuel for small numbers to be preferred: such a call takes as long as a
/// hundred others. A guess.
const DEAR: usize = 50;
/// Fresh inputs that it is learned from, and as many that it is tried on, each time.
const DRAWN: usize = 2_000;
/// How often a condition is learned again with the inputs that refuted it.
const ROUNDS: usize = 6;
/// Numbers up to here are small: beyond, calls may need much memory or time.
const SMALL: f64 = 100.0;
/// Calls with small numbers that must have ended by themselves.
const ENOUGH: usize = 20;

/// Looks at some inputs, and learns from them if many fail: the signature on inputs on which the function does not, and those inputs.
///
/// # Errors
/// When the machine fails.
pub(super) fn scout(
    subject: &dyn Subject,
    plan: &Plan,
    deadline: &Deadline,
    jobs: &Jobs,
) -> Result<Option<(Signature, Sources)>, MachineFailure> {
    let settings = Settings { count: SCOUTED, effort: EFFORT, ..plan.inputs.clone() };
    let looked = &deadline.after(LOOKED);
    let watch = Watch { stop: &|| looked.is_over(), deadline: looked, progress: &|_| () };
    let seed = Seed(plan.seed.stream("scout").rng().next());
    match inputs::generate(subject, &settings, seed, jobs, &watch) {
        Ok(sources) => {
            let learned = learned(subject, plan.seed, &sources, deadline)?;
            Ok(learned.map(|signature| (signature, sources)))
        }
        Err(InputsError::Machine(failure)) => Err(failure),
        // The whole search for inputs says what is wrong.
        Err(_) => Ok(None),
    }
}

/// The signature of the function on inputs on which it does not fail; none if it seldom fails, or if no condition fits.
///
/// # Errors
/// When the machine fails.
pub fn learned(
    subject: &dyn Subject,
    seed: Seed,
    sources: &Sources,
    deadline: &Deadline,
) -> Result<Option<Signature>, MachineFailure> {
    let calls = |test: fn(Outcome) -> bool| -> usize {
        sources.ended.iter().filter(|(outcome, _)| test(*outcome)).map(|(_, calls)| calls).sum()
    };
    let is_often = |count: usize, seldom: usize| count * seldom >= sources.calls.max(1);
    let often_throws = is_often(calls(|outcome| outcome.throws() == Some(true)), SELDOM);
    let often_runs_out = is_often(calls(runs_out), DEAR);
    if !often_throws && !often_runs_out {
        return Ok(None);
    }
    let mut known = Tried::new(subject.signature());
    known.add(subject.signature(), &sources.inputs, sources.outcomes.outcomes());
    let mut signature = subject.signature().clone();
    if often_runs_out && let Some(small) = small(&known, &signature) {
        let small = Condition::new(small, &signature);
        let small = Condition::both(signature.condition.clone(), small, &signature);
        signature = signature.within(small);
    }
    let constants = laws::vocabulary(subject);
    for round in 0..ROUNDS as u64 {
        if !often_throws || deadline.is_over() {
            break;
        }
        let seed = Seed(seed.stream("precondition").at(round).rng().next());
        let drawn = fresh::inputs(&signature, subject.constants(), &sources.inputs, seed, DRAWN);
        let ran = subject.run_within(Version::Original, &drawn, deadline)?;
        let before = known.condition(&signature, &constants);
        let is_right = before.as_ref().is_some_and(|condition| {
            let told = ran.outcomes().iter().enumerate();
            let told = told.filter_map(|(row, outcome)| Some((row, outcome.throws()?)));
            let values = |row: usize| drawn.row(row).collect::<Vec<_>>();
            let mut told = told.map(|(row, throws)| condition.holds(&values(row)) != throws);
            told.all(|agrees| agrees)
        });
        // One that fresh inputs confirm; in the first round there are too few inputs to learn from.
        if is_right && round > 0 {
            return Ok(before.map(|condition| {
                let condition = Condition::both(signature.condition.clone(), condition, &signature);
                signature.within(condition)
            }));
        }
        known.add(&signature, &drawn, ran.outcomes());
    }
    Ok(signature.condition.is_some().then_some(signature))
}

/// Whether a call needed more memory or time than it had.
fn runs_out(outcome: Outcome) -> bool {
    match outcome {
        Outcome::OutOfFuel | Outcome::OutOfMemory | Outcome::Hung => true,
        Outcome::Returned
        | Outcome::Trapped(_)
        | Outcome::Threw(_)
        | Outcome::OutOfStack
        | Outcome::BadOutput
        | Outcome::Exited
        | Outcome::Crashed
        | Outcome::NotRun => false,
    }
}

/// Calls, and how they ended.
struct Tried {
    inputs: Inputs,
    outcomes: Vec<Outcome>,
}

impl Tried {
    fn new(signature: &Signature) -> Tried {
        Tried { inputs: Inputs::new(signature), outcomes: Vec::new() }
    }

    /// Adds the calls that were made, as far as they satisfy what is known already.
    fn add(&mut self, signature: &Signature, inputs: &Inputs, outcomes: &[Outcome]) {
        for (row, outcome) in outcomes.iter().enumerate() {
            let values: Vec<_> = inputs.row(row).collect();
            if *outcome != Outcome::NotRun && signature.satisfied_by(&values) {
                self.inputs.push(&values);
                self.outcomes.push(*outcome);
            }
        }
    }

    /// The plainest condition under which these calls do not throw.
    fn condition(&self, signature: &Signature, words: &Vocabulary) -> Option<Condition> {
        let schema = signature.inputs_schema();
        let mut columns: Vec<Column> = schema.iter().map(|(_, _, ty)| Column::empty(ty)).collect();
        let mut truths = Vec::new();
        for (row, outcome) in self.outcomes.iter().enumerate() {
            if let Some(throws) = outcome.throws() {
                let values = self.inputs.row(row);
                columns.iter_mut().zip(values).for_each(|(column, value)| column.push(&value));
                truths.push(throws);
            }
        }
        let tolerance = Tolerance::default();
        let found = conditions(Calls { schema: &schema, columns, truths, tolerance }, words);
        found.exact.first().map(|nodes| Condition::opposite(nodes, signature))
    }
}

/// That an integer is small, or that all are, if calls run out of memory or fuel only where they are not.
fn small(known: &Tried, signature: &Signature) -> Option<Predicate> {
    let schema = signature.inputs_schema();
    let is_integer = |ty: Type| match ty {
        Type::Scalar(Scalar::Bool | Scalar::Char) | Type::String | Type::List(_) => false,
        Type::Scalar(scalar) => scalar.integers().is_some(),
    };
    let integers = schema.iter().filter_map(|(var, _, _)| {
        let column = known.inputs.columns().get(var.index())?;
        match column {
            Column::Num(values) if is_integer(signature.parameters[var.index()].ty) => {
                Some((var, values.as_slice()))
            }
            Column::Num(_) | Column::Bool(_) | Column::Seq(_) => None,
        }
    });
    let integers: Vec<(Var, &[f64])> = integers.collect();
    let fits = |chosen: &[(Var, &[f64])]| {
        let is_small = |row: usize| chosen.iter().all(|(_, values)| values[row] <= SMALL);
        let outcomes = known.outcomes.iter().enumerate();
        let small = outcomes.filter(|(row, _)| is_small(*row)).map(|(_, outcome)| *outcome);
        let (mut ended, mut ran_out) = (0, 0);
        for outcome in small {
            ended += usize::from(outcome.throws().is_some());
            ran_out += usize::from(runs_out(outcome));
        }
        ended >= ENOUGH && ran_out == 0
    };
    let one = integers.iter().map(std::slice::from_ref).find(|one| fits(one));
    let chosen = one.or_else(|| fits(&integers).then_some(&integers[..]))?;
    let mut nodes = Vec::new();
    for (place, (var, _)) in chosen.iter().enumerate() {
        nodes.extend([Node::Var(*var), Node::Num(SMALL), Node::Op(Op::Le)]);
        nodes.extend((place > 0).then_some(Node::Op(Op::And)));
    }
    Predicate::new(nodes.into(), &schema).ok()
}
