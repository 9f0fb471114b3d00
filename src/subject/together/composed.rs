//! Calls that are made together, as a function of its own.
//!
//! A row runs all calls, one after the other, each for all rows at a time. It returns if all of them do; an argument that a parameter
//! does not admit, because of its type or domain, ends a row as a bad output would. The mutants are those of both functions: one
//! changes all calls of its function.

use genmorph_jit::Value;

use super::layout::{Argument, Call, Layout};
use super::{Second, Together};
use crate::subject::{
    Branch, Constant, Deadline, Identity, Inputs, MachineFailure, Mutant, Outcome, Outcomes,
    Signature, Steadiness, Subject, Traces, Version,
};

/// Several calls as one function.
pub struct Composed<'s> {
    first: &'s dyn Subject,
    /// The second function, or the first once more.
    second: &'s dyn Subject,
    layout: Layout,
    signature: Signature,
    identity: Identity,
    mutants: Vec<Mutant>,
    constants: Vec<Constant>,
    branches: Vec<Branch>,
}

/// What the calls of all rows came to.
struct Progress {
    /// How each row ended, unless all of its calls have returned so far.
    failed: Vec<Option<Outcome>>,
    fuel: Vec<u64>,
    /// For each call that was made: its outcomes, and the place of each row among them.
    made: Vec<(Outcomes, Vec<usize>)>,
    hits: Vec<u32>,
    distances: Vec<f64>,
}

impl<'s> Composed<'s> {
    /// Calls of a function, and of its second one, on these parameters.
    ///
    /// # Errors
    /// When the types do not fit; says which.
    pub fn new(
        subject: &'s dyn Subject,
        how: &Together,
        on: &[String],
    ) -> Result<Composed<'s>, String> {
        let signature = subject.signature().together(how, on)?;
        let layout = Layout::of(how, on, &subject.signature().of_executions())?;
        let (mut mutants, mut constants) =
            (subject.mutants().to_vec(), subject.constants().to_vec());
        let mut branches = subject.branches().to_vec();
        let second = match (how, subject.second()) {
            (Together::Second(..), Some(second)) => {
                let of =
                    subject.signature().second.as_deref().map_or("g", |Second { name, .. }| name);
                mutants.extend(second.mutants().iter().map(|mutant| Mutant {
                    name: format!("{of}:{}", mutant.name),
                    ..mutant.clone()
                }));
                constants.extend(second.constants());
                branches.extend_from_slice(second.branches());
                second
            }
            _ => subject,
        };
        let identity = *subject.identity();
        Ok(Composed {
            first: subject,
            second,
            layout,
            signature,
            identity,
            mutants,
            constants,
            branches,
        })
    }

    /// How many of the mutants are those of the first function: they come first, with the same numbers.
    pub fn of_first(&self) -> usize {
        self.first.mutants().len()
    }

    /// Rows of inputs of the first function as inputs of all calls: what a parameter is another value of comes from another row.
    pub fn sources(&self, inputs: &Inputs) -> Inputs {
        let count = inputs.len();
        let mut sources = Inputs::new(&self.signature);
        for row in 0..count {
            let mut values: Vec<Value<'_>> = inputs.row(row).collect();
            for (place, (of, _)) in self.layout.copies.iter().enumerate() {
                // Any step that has no divisor in common with most counts; every seventh row is combined with itself.
                let other = if row % 7 == 0 { row } else { (row * 31 + 17 * (place + 1)) % count };
                values.extend(inputs.row(other).nth(*of));
            }
            if values
                .iter()
                .zip(&self.signature.parameters)
                .all(|(value, parameter)| parameter.admits(value))
            {
                sources.push(&values);
            }
        }
        sources
    }

    fn function(&self, call: &Call) -> &'s dyn Subject {
        if call.is_second { self.second } else { self.first }
    }

    /// The inputs of a call on all rows that have come so far, and these rows; the others end here.
    fn arguments(
        &self,
        call: &Call,
        inputs: &Inputs,
        progress: &mut Progress,
    ) -> (Inputs, Vec<usize>) {
        let signature = self.function(call).signature();
        let mut arguments = Inputs::new(signature);
        let mut rows = Vec::new();
        for row in 0..inputs.len() {
            if progress.failed[row].is_some() {
                continue;
            }
            let given: Vec<Value<'_>> = inputs.row(row).collect();
            let values = call.arguments.iter().map(|argument| match *argument {
                Argument::Input(at) => given[at].clone(),
                Argument::Result(at) => {
                    let (outcomes, places) = &progress.made[at];
                    outcomes.row(places[row]).next().expect("a call has a result")
                }
                Argument::Joined(one, other) => joined(&given[one], &given[other]),
                Argument::Added(one, other) => added(&given[one], &given[other]),
            });
            let mut values: Vec<Value<'_>> = values.collect();
            for (value, parameter) in values.iter_mut().zip(&signature.parameters) {
                if let Value::Num(number) = value
                    && parameter.ty.scalar().integers().is_some()
                {
                    *number += 0.0;
                }
            }
            let is_admitted = values
                .iter()
                .zip(&signature.parameters)
                .all(|(value, parameter)| parameter.admits(value));
            if is_admitted && signature.satisfied_by(&values) {
                arguments.push(&values);
                rows.push(row);
            }
        }
        let mut admitted = rows.iter().peekable();
        for row in 0..inputs.len() {
            if admitted.peek() == Some(&&row) {
                admitted.next();
            } else {
                progress.failed[row].get_or_insert(Outcome::BadOutput);
            }
        }
        (arguments, rows)
    }

    /// Makes all calls; `run` makes one of them.
    fn make(
        &self,
        inputs: &Inputs,
        mut run: impl FnMut(
            &Call,
            &Inputs,
            &[usize],
        ) -> Result<(Outcomes, Option<Traces>), MachineFailure>,
        is_traced: bool,
    ) -> Result<Progress, MachineFailure> {
        let (count, sides) = (inputs.len(), if is_traced { 2 * self.branches.len() } else { 0 });
        let mut progress = Progress {
            failed: vec![None; count],
            fuel: vec![0; count],
            made: Vec::new(),
            hits: vec![0; count * sides],
            distances: vec![f64::INFINITY; count * sides],
        };
        for call in &self.layout.calls {
            let (arguments, rows) = self.arguments(call, inputs, &mut progress);
            let (outcomes, traces) = run(call, &arguments, &rows)?;
            let mut places = vec![usize::MAX; count];
            let from = if call.is_second { 2 * self.first.branches().len() } else { 0 };
            for (place, &row) in rows.iter().enumerate() {
                places[row] = place;
                progress.fuel[row] += outcomes.fuel()[place];
                if !outcomes.is_returned(place) {
                    progress.failed[row] = Some(outcomes.outcomes()[place]);
                }
                let Some(traces) = &traces else { continue };
                let at = row * sides + from;
                let (hits, distances) = (&mut progress.hits[at..], &mut progress.distances[at..]);
                hits.iter_mut().zip(traces.hits(place)).for_each(|(all, hits)| *all += hits);
                distances
                    .iter_mut()
                    .zip(traces.distances(place))
                    .for_each(|(all, d)| *all = all.min(*d));
            }
            progress.made.push((outcomes, places));
        }
        Ok(progress)
    }

    /// The outputs of the calls that have names.
    fn told(&self, progress: &Progress) -> Outcomes {
        let mut told = Outcomes::new(&self.signature);
        let named =
            || progress.made.iter().zip(&self.layout.calls).filter(|(_, call)| call.name.is_some());
        for (row, failed) in progress.failed.iter().enumerate() {
            let fuel = progress.fuel[row];
            match failed {
                Some(failed) => told.failed(*failed, fuel),
                None => {
                    let values = named().map(|((outcomes, places), _)| {
                        outcomes.row(places[row]).next().expect("a call has a result")
                    });
                    told.returned(&values.collect::<Vec<_>>(), fuel);
                }
            }
        }
        told
    }
}

/// One sequence after the other.
fn joined<'v>(one: &Value<'_>, other: &Value<'_>) -> Value<'v> {
    match (one, other) {
        (Value::Seq(one), Value::Seq(other)) => Value::Seq([&one[..], &other[..]].concat().into()),
        _ => unreachable!("sequences are joined"),
    }
}

fn added<'v>(one: &Value<'_>, other: &Value<'_>) -> Value<'v> {
    match (one, other) {
        (Value::Num(one), Value::Num(other)) => Value::Num(one + other),
        _ => unreachable!("numbers are added"),
    }
}

impl Subject for Composed<'_> {
    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn identity(&self) -> &Identity {
        &self.identity
    }

    fn mutants(&self) -> &[Mutant] {
        &self.mutants
    }

    fn constants(&self) -> &[Constant] {
        &self.constants
    }

    fn branches(&self) -> &[Branch] {
        &self.branches
    }

    fn deadline(&self) -> &Deadline {
        self.first.deadline()
    }

    fn run(&self, version: Version<'_>, inputs: &Inputs) -> Result<Outcomes, MachineFailure> {
        self.run_within(version, inputs, self.deadline())
    }

    fn trace(&self, inputs: &Inputs) -> Result<Traces, MachineFailure> {
        self.trace_within(inputs, self.deadline())
    }

    fn run_within(
        &self,
        version: Version<'_>,
        inputs: &Inputs,
        deadline: &Deadline,
    ) -> Result<Outcomes, MachineFailure> {
        let run = |call: &Call, inputs: &Inputs, rows: &[usize]| {
            let function = self.function(call);
            let ran = match version {
                Version::Original => function.run_within(Version::Original, inputs, deadline),
                Version::Mutant { number, original } => {
                    let (is_second, number) = match number.checked_sub(self.of_first()) {
                        Some(number) => (true, number),
                        None => (false, number),
                    };
                    if is_second == call.is_second {
                        // What the original spent on all calls of the row: no call of it spent more.
                        let mut known = Outcomes::new(function.signature());
                        rows.iter()
                            .for_each(|&row| known.failed(Outcome::NotRun, original.fuel()[row]));
                        function.run_within(
                            Version::Mutant { number, original: &known },
                            inputs,
                            deadline,
                        )
                    } else {
                        function.run_within(Version::Original, inputs, deadline)
                    }
                }
            };
            Ok((ran?, None))
        };
        Ok(self.told(&self.make(inputs, run, false)?))
    }

    fn trace_within(&self, inputs: &Inputs, deadline: &Deadline) -> Result<Traces, MachineFailure> {
        let run = |call: &Call, inputs: &Inputs, _: &[usize]| {
            let traces = self.function(call).trace_within(inputs, deadline)?;
            Ok((traces.outcomes.clone(), Some(traces)))
        };
        let progress = self.make(inputs, run, true)?;
        let outcomes = self.told(&progress);
        let Progress { hits, distances, .. } = progress;
        Ok(Traces { outcomes, sides: 2 * self.branches.len(), hits, distances })
    }

    fn steadiness(
        &self,
        inputs: &Inputs,
        deadline: &Deadline,
    ) -> Result<Steadiness, MachineFailure> {
        let mut found = Steadiness::Steady;
        let run = |call: &Call, inputs: &Inputs, rows: &[usize]| {
            let function = self.function(call);
            if found == Steadiness::Steady {
                found = match function.steadiness(inputs, deadline)? {
                    Steadiness::Steady => Steadiness::Steady,
                    Steadiness::Unsteady(place) => Steadiness::Unsteady(rows[place]),
                    Steadiness::Remembers(place) => Steadiness::Remembers(rows[place]),
                };
            }
            Ok((function.run_within(Version::Original, inputs, deadline)?, None))
        };
        self.make(inputs, run, false)?;
        Ok(found)
    }
}
