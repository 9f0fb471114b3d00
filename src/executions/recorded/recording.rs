//! A recording: the outcome of each version of the function on each input, with values of known kinds.
//!
//! Each input is kept once, no matter how many versions ran on it.

use std::collections::HashMap;
use std::path::Path;

use genmorph_jit::{Tolerance, Value};

use super::error::{CollectError, Place, Problem};
use super::files::{self, Fields, Record};
use super::value::{Class, Kinds, read_value};
use crate::executions::Warning;
use crate::subject::kinds::{Interface, Kind, Observed, Parameter};
use crate::support::numbers::NOT_IN_JSON;

/// The outcomes of a function and its mutants.
#[derive(Debug)]
pub(super) struct Recording {
    pub(super) signature: Interface,
    /// The distinct inputs, in order of appearance.
    pub(super) inputs: Vec<Vec<Value<'static>>>,
    pub(super) original: Version,
    pub(super) mutants: Vec<Version>,
    /// The input of each test of the original.
    pub(super) tests: HashMap<String, u32>,
    pub(super) files: usize,
    pub(super) warnings: Vec<Warning>,
}

/// The outcomes of one version of the function.
#[derive(Debug, Default)]
pub(super) struct Version {
    pub(super) name: String,
    /// The outcome for each input, by its index.
    pub(super) outcomes: HashMap<u32, Outcome>,
    /// Number of its recorded executions.
    pub(super) executions: usize,
}

/// The outputs of an execution; `None` if it threw.
#[derive(Debug)]
pub(super) struct Outcome {
    pub(super) outputs: Option<Vec<Value<'static>>>,
    place: (u32, u32),
}

/// The version that is not a mutant.
const ORIGINAL: &str = "original";

/// Reads all files of a recording.
pub(super) fn read(path: &Path, tolerance: &Tolerance) -> Result<Recording, CollectError> {
    let files = files::find(path)?;
    let mut reading = RecordingBuilder::default();
    for file in &files {
        reading.file += 1;
        files::read(file, |record, place| {
            let problem = |problem| CollectError::Record { place: place.clone(), problem };
            reading.admit(record, &place, tolerance).map_err(problem)
        })?;
        reading.files.push(file.clone());
    }
    reading.finish(path)
}

/// What has been read so far.
#[derive(Default)]
struct RecordingBuilder {
    files: Vec<std::path::PathBuf>,
    /// Number of the file that is being read, from 1.
    file: u32,
    function: Option<(String, Place)>,
    input_kinds: Option<Kinds>,
    output_kinds: Option<Kinds>,
    inputs: Vec<Vec<Value<'static>>>,
    known: HashMap<Box<[u64]>, u32>,
    versions: Vec<Version>,
    by_name: HashMap<String, usize>,
    tests: HashMap<String, u32>,
    inexact: Option<Warning>,
}

impl RecordingBuilder {
    fn admit(
        &mut self,
        record: Record,
        place: &Place,
        tolerance: &Tolerance,
    ) -> Result<(), Problem> {
        let name = self.version(&record.system_id, place)?;
        let inputs = self.values("input", record.variables.inputs, place)?;
        let has_outputs = record.variables.outputs.as_ref().is_some_and(|all| !all.0.is_empty());
        if let Some(threw) = record.threw.filter(|_| has_outputs) {
            return Err(Problem::ThrewAndReturned(threw));
        }
        let outputs = match record.variables.outputs {
            // An exception may leave some outputs behind: ignore them.
            Some(outputs) if record.exception.is_none() && !outputs.0.is_empty() => {
                Some(self.values("output", outputs, place)?)
            }
            _ => None,
        };
        let next = self.inputs.len() as u32;
        let id = *self.known.entry(key(&inputs)).or_insert(next);
        if id == next {
            self.inputs.push(inputs);
        }
        if name == ORIGINAL {
            self.tests.entry(record.test_id).or_insert(id);
        }
        let index = *self.by_name.entry(name).or_insert_with_key(|name| {
            self.versions.push(Version { name: name.clone(), ..Version::default() });
            self.versions.len() - 1
        });
        let version = &mut self.versions[index];
        version.executions += 1;
        let outcome = Outcome { outputs, place: (self.file - 1, place.line as u32) };
        match version.outcomes.get(&id) {
            None => drop(version.outcomes.insert(id, outcome)),
            Some(first) if first.same(&outcome, tolerance) => {}
            Some(first) => {
                let (file, line) = first.place;
                let file = self.files.get(file as usize).unwrap_or(&place.file).clone();
                return Err(Problem::Nondeterministic {
                    version: record.system_id,
                    first: Place { file, line: line as usize },
                });
            }
        }
        Ok(())
    }

    /// The version in a systemId, after checking that the function is the same in all records.
    fn version(&mut self, system: &str, place: &Place) -> Result<String, Problem> {
        let parts = system.rsplit_once('@').map(|(f, v)| (f.trim(), v.trim()));
        let Some((function, version)) = parts.filter(|(f, v)| !f.is_empty() && !v.is_empty())
        else {
            return Err(Problem::SystemId(system.to_owned()));
        };
        if version == "correct" {
            return Err(Problem::Label(system.to_owned()));
        }
        let (expected, first) =
            self.function.get_or_insert_with(|| (function.to_owned(), place.clone()));
        if expected != function {
            return Err(Problem::Function {
                expected: expected.clone(),
                found: function.to_owned(),
                first: first.clone(),
            });
        }
        Ok(version.to_owned())
    }

    /// The values of a record's inputs or outputs, in the order of the first record.
    fn values(
        &mut self,
        side: &'static str,
        Fields(fields): Fields,
        place: &Place,
    ) -> Result<Vec<Value<'static>>, Problem> {
        let kinds = if side == "input" { &mut self.input_kinds } else { &mut self.output_kinds };
        let kinds = kinds.get_or_insert_with(|| {
            Kinds::new(side, fields.iter().map(|(name, _)| name.clone()), place)
        });
        let mut values: Vec<Option<Value<'static>>> = vec![None; kinds.len()];
        for (name, value) in fields {
            let index = kinds.index(&name)?;
            let read = read_value(&name, value)?;
            kinds.note(index, read.class, place)?;
            if let (Some(integer), None) = (read.inexact, &self.inexact) {
                let place = format!("{place}, `{name}`");
                self.inexact = Some(Warning::Inexact { place, integer });
            }
            values[index] = Some(read.value);
        }
        let missing = values.iter().position(Option::is_none);
        match missing {
            Some(index) => Err(kinds.missing(index)),
            None => Ok(values.into_iter().flatten().collect()),
        }
    }

    fn finish(mut self, path: &Path) -> Result<Recording, CollectError> {
        let Some((function, _)) = self.function else {
            return Err(CollectError::Empty(path.to_owned()));
        };
        let Some(&original) = self.by_name.get(ORIGINAL) else {
            let versions = self.versions.into_iter();
            let versions = versions.map(|v| format!("{function}@{}", v.name)).collect();
            return Err(CollectError::NoOriginal { function, versions });
        };
        let original = self.versions.remove(original);
        let without_mutants =
            self.versions.is_empty().then(|| Warning::NoMutants(function.clone()));
        let returned = original.outcomes.values().any(|outcome| outcome.outputs.is_some());
        let (Some(inputs), Some(outputs), true) = (self.input_kinds, self.output_kinds, returned)
        else {
            return Err(CollectError::NoOutputs(function));
        };
        let signature = Interface {
            function,
            inputs: inputs.parameters(),
            outputs: outputs.parameters(),
            ..Interface::default()
        };
        let mut recording = Recording {
            signature,
            inputs: self.inputs,
            original,
            mutants: self.versions,
            tests: self.tests,
            files: self.files.len(),
            warnings: self.inexact.into_iter().chain(without_mutants).collect(),
        };
        recording.name_numbers(&inputs, &outputs);
        recording.name_outputs()?;
        Ok(recording)
    }
}

impl Recording {
    /// The same executions, of which only whether they threw is known.
    pub(super) fn of_outcomes(mut self) -> Recording {
        self.signature = self.signature.observing(Observed::Outcomes);
        for version in self.versions_mut() {
            for outcome in version.outcomes.values_mut() {
                outcome.outputs = Some(vec![Value::Bool(outcome.outputs.is_none())]);
            }
        }
        self
    }

    fn versions_mut(&mut self) -> impl Iterator<Item = &mut Version> {
        [&mut self.original].into_iter().chain(&mut self.mutants)
    }

    /// Turns strings such as `NaN` into numbers where the other values of the variable are numbers.
    fn name_numbers(&mut self, inputs: &Kinds, outputs: &Kinds) {
        let named = |kinds: &Kinds, parameters: &[Parameter]| -> Vec<usize> {
            let number = |i: &usize| parameters[*i].kind == Kind::Number;
            (0..kinds.len()).filter(number).filter(|&i| kinds.has(i, Class::NamedNumber)).collect()
        };
        let (named_inputs, named_outputs) =
            (named(inputs, &self.signature.inputs), named(outputs, &self.signature.outputs));
        for values in &mut self.inputs {
            named_inputs.iter().for_each(|&i| name_number(&mut values[i]));
        }
        if named_outputs.is_empty() {
            return;
        }
        for version in self.versions_mut() {
            let outputs = version.outcomes.values_mut().filter_map(|o| o.outputs.as_mut());
            for values in outputs {
                named_outputs.iter().for_each(|&i| name_number(&mut values[i]));
            }
        }
    }

    /// Names the outputs: `return` becomes `out`; an argument becomes `x_after`, and is an output only if
    /// some version changes it.
    fn name_outputs(&mut self) -> Result<(), CollectError> {
        let input = |name: &str| self.signature.inputs.iter().position(|i| i.name == name);
        let arguments: Vec<Option<usize>> =
            self.signature.outputs.iter().map(|output| input(&output.name)).collect();
        let changed = |output: usize, argument: usize| {
            let same = |(id, outcome): (&u32, &Outcome)| {
                let Some(outputs) = &outcome.outputs else { return true };
                let before = &self.inputs[*id as usize][argument];
                key(std::slice::from_ref(before)) == key(std::slice::from_ref(&outputs[output]))
            };
            let versions = [&self.original].into_iter().chain(&self.mutants);
            !versions.flat_map(|version| &version.outcomes).all(same)
        };
        let kept: Vec<bool> = (arguments.iter().enumerate())
            .map(|(output, argument)| argument.is_none_or(|argument| changed(output, argument)))
            .collect();
        for (output, argument) in self.signature.outputs.iter_mut().zip(&arguments) {
            if argument.is_some() {
                output.name += "_after";
            } else if output.name == "return" {
                "out".clone_into(&mut output.name);
            }
        }
        if kept.iter().all(|kept| *kept) {
            return Ok(());
        }
        let keep = |i: &mut usize| {
            *i += 1;
            kept[*i - 1]
        };
        let mut i = 0;
        self.signature.outputs.retain(|_| keep(&mut i));
        for version in self.versions_mut() {
            for outputs in version.outcomes.values_mut().filter_map(|o| o.outputs.as_mut()) {
                let mut i = 0;
                outputs.retain(|_| keep(&mut i));
            }
        }
        if self.signature.outputs.is_empty() {
            return Err(CollectError::NothingChanges(self.signature.function.clone()));
        }
        Ok(())
    }
}

impl Outcome {
    fn same(&self, other: &Outcome, tolerance: &Tolerance) -> bool {
        match (&self.outputs, &other.outputs) {
            (Some(a), Some(b)) => all_equal(a, b, tolerance),
            (a, b) => a.is_none() && b.is_none(),
        }
    }
}

/// Whether two lists of values are pairwise equal within the tolerance.
pub(super) fn all_equal(a: &[Value<'_>], b: &[Value<'_>], tolerance: &Tolerance) -> bool {
    let equal = |(a, b): (&Value<'_>, &Value<'_>)| match (a, b) {
        (Value::Num(a), Value::Num(b)) => tolerance.eq(*a, *b),
        (Value::Seq(a), Value::Seq(b)) => tolerance.seq_eq(a, b),
        (a, b) => a == b,
    };
    a.len() == b.len() && a.iter().zip(b).all(equal)
}

/// A hash key: equal for values that no operator can tell apart.
pub(super) fn key(values: &[Value<'_>]) -> Box<[u64]> {
    // Adding 0 turns -0 into 0.
    let number = |n: f64| if n.is_nan() { f64::NAN.to_bits() } else { (n + 0.0).to_bits() };
    let mut words = Vec::with_capacity(values.len());
    for value in values {
        match value {
            Value::Num(n) => words.push(number(*n)),
            Value::Bool(b) => words.push(u64::from(*b)),
            Value::Seq(elements) => {
                words.push(elements.len() as u64);
                words.extend(elements.iter().map(|n| number(*n)));
            }
        }
    }
    words.into_boxed_slice()
}

fn name_number(value: &mut Value<'static>) {
    if let Value::Seq(codes) = value {
        let same = |name: &str| name.bytes().map(f64::from).eq(codes.iter().copied());
        if let Some((_, number)) = NOT_IN_JSON.iter().find(|(name, _)| same(name)) {
            *value = Value::Num(*number);
        }
    }
}
