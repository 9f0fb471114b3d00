//! The example subjects as subjects: the same as their models, whatever ran before, and with all branches reached.

use genmorph::inputs::{self, Settings, Watch};
use genmorph::jit::Value;
use genmorph::subject::wasm::{Engine, WasmSubject};
use genmorph::subject::{Inputs, Outcomes, Subject, Version, wasm::WasmDefinition};
use genmorph::support::seed::Seed;
use genmorph::support::threads::Jobs;

use crate::folder::subject;
use crate::models::{MODELS, random_inputs, same};

fn example(name: &str) -> WasmSubject {
    let definition = WasmDefinition::read(subject(&format!("{name}/subject.toml"))).unwrap();
    WasmSubject::defined(&definition, Engine::default()).unwrap()
}

/// Random inputs of an example.
fn inputs_of(subject: &WasmSubject, whole: bool, count: usize) -> Inputs {
    let mut rng = Seed(11).stream("examples").rng();
    let mut inputs = Inputs::new(subject.signature());
    for _ in 0..count {
        inputs.push(&random_inputs(subject.signature(), whole, &mut rng));
    }
    inputs
}

fn owned(value: Value<'_>) -> Value<'static> {
    match value {
        Value::Num(number) => Value::Num(number),
        Value::Bool(truth) => Value::Bool(truth),
        Value::Seq(elements) => Value::Seq(elements.into_owned().into()),
    }
}

/// The rows of some inputs, the last one first.
fn reversed(inputs: &Inputs, subject: &WasmSubject) -> Inputs {
    let mut turned = Inputs::new(subject.signature());
    for row in (0..inputs.len()).rev() {
        turned.push(&inputs.row(row).collect::<Vec<_>>());
    }
    turned
}

/// Whether two runs did the same with the same fuel, each row and the one that `other` says.
fn agree(a: &Outcomes, b: &Outcomes, other: impl Fn(usize) -> usize) -> bool {
    a.len() == b.len()
        && (0..a.len()).all(|row| {
            let other = other(row);
            a.outcomes()[row] == b.outcomes()[other]
                && a.fuel()[row] == b.fuel()[other]
                && a.row(row).zip(b.row(other)).all(|(a, b)| same(&a, &b))
        })
}

/// Whether a run did the same as one on the same inputs in reverse order.
fn mirrored(forwards: &Outcomes, backwards: &Outcomes) -> bool {
    agree(forwards, backwards, |row| forwards.len() - 1 - row)
}

#[test]
fn every_example_does_what_its_model_does_when_many_rows_are_run_at_a_time() {
    for (name, model, whole) in MODELS {
        let subject = example(name);
        let inputs = inputs_of(&subject, whole, 2_000);
        let outcomes = subject.run(Version::Original, &inputs).unwrap();
        for row in 0..inputs.len() {
            let values: Vec<Value<'static>> = inputs.row(row).map(owned).collect();
            let expected = model(&values);
            let returned = outcomes.is_returned(row).then(|| outcomes.row(row).collect::<Vec<_>>());
            let agree = match (&expected, &returned) {
                (Some(a), Some(b)) => {
                    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b))
                }
                (a, b) => a.is_none() && b.is_none(),
            };
            assert!(agree, "{name}{values:?}: {expected:?}, but {returned:?}");
        }
    }
}

#[test]
fn no_outcome_of_any_mutant_depends_on_the_order_of_inputs() {
    for (name, _, whole) in MODELS {
        let subject = example(name);
        let forwards = inputs_of(&subject, whole, 60);
        let backwards = reversed(&forwards, &subject);
        let original =
            [&forwards, &backwards].map(|inputs| subject.run(Version::Original, inputs).unwrap());
        assert!(mirrored(&original[0], &original[1]), "{name}");
        for (number, mutant) in subject.mutants().iter().enumerate() {
            let run = |original, inputs| {
                subject.run(Version::Mutant { number, original }, inputs).unwrap()
            };
            let (a, b) = (run(&original[0], &forwards), run(&original[1], &backwards));
            assert!(mirrored(&a, &b), "{name}: {mutant}");
        }
    }
}

#[test]
fn a_traced_call_does_what_a_plain_one_does() {
    for (name, _, whole) in MODELS {
        let subject = example(name);
        let inputs = inputs_of(&subject, whole, 300);
        let plain = subject.run(Version::Original, &inputs).unwrap();
        let traces = subject.trace(&inputs).unwrap();
        assert_eq!(traces.outcomes.outcomes(), plain.outcomes(), "{name}");
        assert_eq!(traces.outcomes.fuel(), plain.fuel(), "{name}");
        for row in 0..inputs.len() {
            assert!(traces.outcomes.row(row).zip(plain.row(row)).all(|(a, b)| same(&a, &b)));
            for (hits, distance) in traces.hits(row).iter().zip(traces.distances(row)) {
                assert_eq!(*hits > 0, *distance == 0.0, "{name}");
            }
        }
    }
}

/// Sides of branches that no input within the domain can take: a divisor of 2^31, an infinite number, more than
/// 25 things.
const OUT_OF_REACH: [(&str, usize); 3] = [("gcd", 1), ("log10", 1), ("stirling2", 1)];

#[test]
fn nearly_all_branches_of_every_example_are_reached() {
    let jobs = Jobs::new(1).unwrap();
    let mut missed = Vec::new();
    for (name, _, _) in MODELS {
        let subject = example(name);
        let settings = Settings::default();
        let sources =
            inputs::generate(&subject, &settings, Seed(3), &jobs, &Watch::NOBODY).unwrap();
        let beyond = OUT_OF_REACH.iter().find(|(subject, _)| *subject == name);
        let sides = sources.coverage.sides() - beyond.map_or(0, |(_, sides)| *sides);
        let covered = sources.coverage.covered();
        if covered * 100 < sides * 95 {
            missed.push(format!("{name}: {}", sources.coverage));
        }
    }
    assert!(missed.is_empty(), "{}", missed.join("\n"));
}

#[test]
fn every_mutant_of_the_examples_says_where_it_is_and_what_it_changes() {
    for (name, _, _) in MODELS {
        let subject = example(name);
        let mutants = subject.mutants();
        assert!(mutants.len() >= 20, "{name} has {} mutants", mutants.len());
        for mutant in mutants {
            assert!(!mutant.change.is_empty() && !mutant.function.is_empty());
            let line = mutant.line.as_ref().expect("texts have lines");
            assert_eq!(line.file, format!("{name}.wat"), "{mutant}");
        }
    }
}

#[cfg(feature = "wasmtime")]
#[test]
fn both_engines_give_the_same_outcomes() {
    for (name, _, whole) in MODELS {
        let definition = WasmDefinition::read(subject(&format!("{name}/subject.toml"))).unwrap();
        let [a, b] = [Engine::Wasmi, Engine::Wasmtime]
            .map(|engine| WasmSubject::defined(&definition, engine).unwrap());
        let inputs = inputs_of(&a, whole, 60);
        let original = a.run(Version::Original, &inputs).unwrap();
        let agree = |a: &Outcomes, b: &Outcomes| agree(a, b, |row| row);
        assert!(agree(&original, &b.run(Version::Original, &inputs).unwrap()), "{name}");
        // Each takes milliseconds to compile.
        for number in (0..a.mutants().len()).step_by(7) {
            let version = Version::Mutant { number, original: &original };
            assert!(
                agree(&a.run(version, &inputs).unwrap(), &b.run(version, &inputs).unwrap()),
                "{name}: {number}"
            );
        }
    }
}
