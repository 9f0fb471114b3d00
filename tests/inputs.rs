//! Source inputs of functions that are written in Rust here, with the distances of their branches.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::path::Path;

use genmorph::inputs::{self, Hunt, InputsError, Settings, Sources, Watch};
use genmorph::jit::Value;
use genmorph::subject::{
    Branch, Constant, Deadline, Domain, Group, Identity, IdentityBuilder, Inputs, MachineFailure,
    Mutant, Outcome, Outcomes, Parameter, Scalar, Signature, Subject, Traces, Trap, Type, Version,
};
use genmorph::support::seed::Seed;
use genmorph::support::threads::Jobs;

use crate::folder::Folder;

/// What a function does at its branches: hits and distances of each side.
#[derive(Default)]
struct Probe {
    sides: RefCell<Vec<(u32, f64)>>,
}

impl Probe {
    fn new(branches: usize) -> Probe {
        Probe { sides: RefCell::new(vec![(0, f64::INFINITY); 2 * branches]) }
    }

    /// A branch that is this far from being false, and from being true.
    fn branch(&self, id: usize, to_false: f64, to_true: f64) -> bool {
        let mut sides = self.sides.borrow_mut();
        for (side, distance) in [to_false, to_true].into_iter().enumerate() {
            let (hits, nearest) = &mut sides[2 * id + side];
            *hits += u32::from(distance == 0.0);
            *nearest = nearest.min(distance);
        }
        to_true == 0.0
    }

    fn eq(&self, id: usize, a: f64, b: f64) -> bool {
        let far = (a - b).abs();
        self.branch(id, f64::from(u8::from(far == 0.0)), if far.is_nan() { 1e300 } else { far })
    }

    fn lt(&self, id: usize, a: f64, b: f64) -> bool {
        let less = a < b;
        let far = (a - b).abs();
        if less { self.branch(id, far, 0.0) } else { self.branch(id, 0.0, far + 1.0) }
    }
}

/// One for every branch on the way.
fn fuel(probe: &Probe) -> u64 {
    1 + probe.sides.borrow().iter().map(|side| u64::from(side.0)).sum::<u64>()
}

type Function = fn(&[Value<'_>], &Probe) -> Result<Value<'static>, Outcome>;

/// A function written in Rust.
struct Mock {
    signature: Signature,
    identity: Identity,
    constants: Vec<Constant>,
    branches: Vec<Branch>,
    function: Function,
    mutants: Vec<Mutant>,
    faulty: Vec<Function>,
}

impl Mock {
    fn new(parameters: &[(&str, Type)], branches: usize, function: Function) -> Mock {
        let parameter = |&(name, ty): &(&str, Type)| Parameter {
            name: name.to_owned(),
            ty,
            domain: Domain::default(),
        };
        let branch = |offset| Branch { function: "f".to_owned(), offset, line: None };
        Mock {
            signature: Signature {
                function: "f".to_owned(),
                parameters: parameters.iter().map(parameter).collect(),
                result: Some(Type::Scalar(Scalar::F64)),
                changed: Vec::new(),
                ..Signature::default()
            },
            identity: IdentityBuilder::new("f").finish(),
            constants: Vec::new(),
            branches: (0..branches as u32).map(branch).collect(),
            function,
            mutants: Vec::new(),
            faulty: Vec::new(),
        }
    }

    fn returning(mut self, ty: Type) -> Mock {
        self.signature.result = Some(ty);
        self
    }

    fn with_constants(mut self, constants: &[f64]) -> Mock {
        self.constants = constants.iter().map(|&value| Constant { value, count: 1 }).collect();
        self
    }

    fn with_mutant(mut self, group: Group, faulty: Function) -> Mock {
        self.mutants.push(Mutant {
            name: format!("{group:?}{}", self.mutants.len()),
            group,
            operator: "AOR",
            function: "f".to_owned(),
            offset: 0,
            line: None,
            change: String::new(),
        });
        self.faulty.push(faulty);
        self
    }

    fn with_domain(mut self, parameter: usize, domain: Domain) -> Mock {
        self.signature.parameters[parameter].domain = domain;
        self
    }
}

impl Subject for Mock {
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

    fn run(&self, version: Version<'_>, inputs: &Inputs) -> Result<Outcomes, MachineFailure> {
        let function = match version {
            Version::Original => self.function,
            Version::Mutant { number, .. } => self.faulty[number],
        };
        Ok(self.traces(function, inputs).outcomes)
    }

    fn trace(&self, inputs: &Inputs) -> Result<Traces, MachineFailure> {
        Ok(self.traces(self.function, inputs))
    }
}

impl Mock {
    fn traces(&self, function: Function, inputs: &Inputs) -> Traces {
        let sides = 2 * self.branches.len();
        let mut outcomes = Outcomes::new(&self.signature);
        let (mut hits, mut distances) = (Vec::new(), Vec::new());
        for row in 0..inputs.len() {
            let probe = Probe::new(self.branches.len());
            let values: Vec<Value<'_>> = inputs.row(row).collect();
            for (parameter, value) in self.signature.parameters.iter().zip(&values) {
                assert!(parameter.admits(value), "{} = {value:?}", parameter.name);
            }
            match function(&values, &probe) {
                Ok(value) => outcomes.returned(&[value], fuel(&probe)),
                Err(outcome) => outcomes.failed(outcome, fuel(&probe)),
            }
            hits.extend(probe.sides.borrow().iter().map(|side| side.0));
            distances.extend(probe.sides.borrow().iter().map(|side| side.1));
        }
        Traces { outcomes, sides, hits, distances }
    }
}

const S32: Type = Type::Scalar(Scalar::S32);
const F64: Type = Type::Scalar(Scalar::F64);
const ABORT: Outcome = Outcome::Trapped(Trap::Unreachable);

fn num(value: &Value<'_>) -> f64 {
    let Value::Num(number) = value else { panic!("{value:?} is no number") };
    *number
}

fn seq<'v>(value: &'v Value<'_>) -> &'v [f64] {
    let Value::Seq(elements) = value else { panic!("{value:?} is no sequence") };
    elements
}

fn generate(subject: &dyn Subject, settings: &Settings, seed: u64) -> Result<Sources, InputsError> {
    inputs::generate(subject, settings, Seed(seed), &Jobs::new(2).unwrap(), &Watch::NOBODY)
}

fn gcd() -> Mock {
    Mock::new(&[("a", S32), ("b", S32)], 3, |values, probe| {
        let (mut a, mut b) = (num(&values[0]), num(&values[1]));
        if probe.lt(0, a, 0.0) || probe.lt(1, b, 0.0) {
            return Err(ABORT);
        }
        while !probe.eq(2, b, 0.0) {
            (a, b) = (b, a % b);
        }
        Ok(Value::Num(a))
    })
}

/// Equilateral, isosceles, right-angled, other; and what is none.
fn triangle() -> Mock {
    Mock::new(&[("a", S32), ("b", S32), ("c", S32)], 8, |values, probe| {
        let [a, b, c] = [0, 1, 2].map(|i| num(&values[i]));
        let class = if probe.lt(0, a, 1.0) || probe.lt(1, b, 1.0) || probe.lt(2, c, 1.0) {
            0.0
        } else if probe.lt(3, a + b, c) {
            1.0
        } else if probe.eq(4, a, b) {
            if probe.eq(5, b, c) { 2.0 } else { 3.0 }
        } else if probe.eq(6, b, c) {
            4.0
        } else if probe.eq(7, a * a + b * b, c * c) {
            5.0
        } else {
            6.0
        };
        Ok(Value::Num(class))
    })
}

#[test]
fn a_far_number_is_found_by_distance() {
    let magic = Mock::new(&[("x", S32), ("y", S32)], 3, |values, probe| {
        let (x, y) = (num(&values[0]), num(&values[1]));
        if probe.eq(0, x, 123_456.0) && probe.eq(1, 3.0 * y - x, 987_654_321.0) {
            return Ok(Value::Num(f64::from(u8::from(probe.lt(2, y, 0.0)))));
        }
        Ok(Value::Num(0.0))
    });
    for seed in 0..5 {
        let sources = generate(&magic, &Settings::default(), seed).unwrap();
        // 3 y = 987,777,777 makes y positive: that side cannot be taken.
        assert_eq!(sources.coverage.covered(), 5, "{}", sources.coverage);
        assert_eq!(
            sources.coverage.to_string(),
            "5 of 6 branch sides covered; not covered: true in f at offset 0x2"
        );
    }
}

#[test]
fn a_fraction_is_found_by_distance() {
    let root = Mock::new(&[("x", F64)], 2, |values, probe| {
        let x = num(&values[0]);
        let inside = probe.lt(0, (x - 1234.567).abs(), 1e-6);
        Ok(Value::Num(f64::from(u8::from(inside && probe.lt(1, x, 1234.567)))))
    });
    let sources = generate(&root, &Settings::default(), 1).unwrap();
    assert_eq!(sources.coverage.covered(), 4, "{}", sources.coverage);
}

#[test]
fn a_text_is_found_by_the_distances_of_its_characters() {
    let keyword = Mock::new(&[("s", Type::String)], 2, |values, probe| {
        let (text, wanted) = (seq(&values[0]), "metamorph");
        let far: f64 = wanted
            .chars()
            .enumerate()
            .map(|(i, c)| text.get(i).map_or(128.0, |t| (t - f64::from(u32::from(c))).abs()))
            .sum();
        let long = text.len() as f64 - 9.0;
        if probe.eq(0, far, 0.0) && probe.lt(1, 0.0, long) {
            return Ok(Value::Num(1.0));
        }
        Ok(Value::Num(0.0))
    });
    for seed in 0..3 {
        let sources = generate(&keyword, &Settings::default(), seed).unwrap();
        assert_eq!(sources.coverage.covered(), 4, "{}", sources.coverage);
    }
}

#[test]
fn small_functions_are_covered_by_a_part_of_the_effort() {
    for (name, subject) in [("gcd", gcd()), ("triangle", triangle())] {
        for seed in 0..5 {
            let settings = Settings { effort: 50_000, ..Settings::default() };
            let sources = generate(&subject, &settings, seed).unwrap();
            let coverage = &sources.coverage;
            assert_eq!(coverage.covered(), coverage.sides(), "{name} {seed}: {coverage}");
            assert_eq!(sources.inputs.len(), 2_000, "{name}");
        }
    }
}

/// `padStart`: as many characters before the text as are missing.
fn pad_start() -> Mock {
    let parameters = [("s", Type::String), ("min", S32), ("c", Type::Scalar(Scalar::Char))];
    Mock::new(&parameters, 2, |values, probe| {
        let (text, min, c) = (seq(&values[0]), num(&values[1]), num(&values[2]));
        if !probe.lt(0, text.len() as f64, min) {
            return Ok(Value::Seq(text.to_vec().into()));
        }
        let mut padded = Vec::new();
        while probe.lt(1, (padded.len() + text.len()) as f64, min) {
            padded.push(c);
            if padded.len() > 100_000 {
                return Err(Outcome::OutOfMemory);
            }
        }
        padded.extend_from_slice(text);
        Ok(Value::Seq(padded.into()))
    })
    .returning(Type::String)
}

/// Sorts the elements from an index to another, by insertion; traps outside.
fn sort_range() -> Mock {
    let parameters = [("a", Type::List(Scalar::S32)), ("from", S32), ("to", S32)];
    Mock::new(&parameters, 6, |values, probe| {
        let (list, from, to) = (seq(&values[0]), num(&values[1]), num(&values[2]));
        let mut list = list.to_vec();
        if probe.lt(0, from, 0.0) || probe.lt(1, list.len() as f64, to) || probe.lt(2, to, from) {
            return Err(ABORT);
        }
        let mut i = from;
        while probe.lt(3, i, to) {
            let mut j = i;
            while probe.lt(4, from, j) && probe.lt(5, list[j as usize], list[j as usize - 1]) {
                list.swap(j as usize, j as usize - 1);
                j -= 1.0;
            }
            i += 1.0;
        }
        Ok(Value::Seq(list.into()))
    })
    .returning(Type::List(Scalar::S32))
}

fn next_prime() -> Mock {
    Mock::new(&[("n", S32)], 4, |values, probe| {
        let n = num(&values[0]);
        if probe.lt(0, n, 2.0) {
            return Ok(Value::Num(2.0));
        }
        let mut candidate = n + 1.0;
        for _ in 0..1_000 {
            let mut divisor = 2.0;
            loop {
                if !probe.lt(1, divisor * divisor, candidate + 1.0) {
                    return Ok(Value::Num(candidate));
                }
                if probe.eq(2, candidate % divisor, 0.0) {
                    break;
                }
                divisor += 1.0;
                if probe.lt(3, 50_000.0, divisor) {
                    return Err(Outcome::OutOfFuel);
                }
            }
            candidate += 1.0;
        }
        Err(Outcome::OutOfFuel)
    })
}

/// Compares with a keyword and leaves at the first difference: no distance but that of this character.
fn keyword() -> Mock {
    Mock::new(&[("s", Type::String)], 4, |values, probe| {
        let (text, wanted) = (seq(&values[0]), "gcd(".chars());
        let mut i = 0;
        for c in wanted.map(|c| f64::from(u32::from(c))) {
            if !probe.lt(0, f64::from(i), text.len() as f64) || !probe.eq(1, text[i as usize], c) {
                break;
            }
            i += 1;
        }
        let found = probe.eq(2, f64::from(i), 4.0);
        Ok(Value::Bool(found && probe.eq(3, text.len() as f64, 4.0)))
    })
    .returning(Type::Scalar(Scalar::Bool))
    .with_constants(&[4.0, 103.0, 99.0, 100.0, 40.0])
}

#[test]
fn texts_lists_and_loops_are_covered() {
    for (name, subject) in [
        ("pad_start", pad_start()),
        ("sort_range", sort_range()),
        ("next_prime", next_prime()),
        ("keyword", keyword()),
    ] {
        for seed in 0..3 {
            let sources = generate(&subject, &Settings::default(), seed).unwrap();
            // Numbers up to 2^31 have no divisor above 50,000 that matters: the last side is out of reach.
            let most = sources.coverage.sides() - usize::from(name == "next_prime");
            assert_eq!(sources.coverage.covered(), most, "{name} {seed}: {sources}");
            assert_eq!(sources.inputs.len(), 2_000, "{name}");
            assert!(5 * sources.returned() >= 4 * 2_000, "{name}: {sources}");
        }
    }
}

#[test]
fn threads_do_not_change_the_inputs() {
    let find = |jobs, seed| {
        let jobs = Jobs::new(jobs).unwrap();
        let settings = Settings { effort: 30_000, ..Settings::default() };
        inputs::generate(&triangle(), &settings, Seed(seed), &jobs, &Watch::NOBODY).unwrap()
    };
    assert_eq!(find(1, 7), find(2, 7));
    assert_eq!(find(1, 7), find(5, 7));
    assert_ne!(find(1, 7).inputs, find(1, 8).inputs);
}

#[test]
fn at_most_a_fifth_of_the_inputs_fail() {
    // Returns only for sorted lists of at least three elements: few inputs do.
    let picky = Mock::new(&[("a", Type::List(Scalar::S32)), ("i", S32)], 2, |values, probe| {
        let (list, i) = (seq(&values[0]), num(&values[1]));
        let descents = list.windows(2).filter(|pair| pair[0] > pair[1]).count();
        if probe.lt(0, list.len() as f64, 3.0) || !probe.eq(1, descents as f64, 0.0) {
            return Err(ABORT);
        }
        list.get(i as usize).map(|&element| Value::Num(element)).ok_or(ABORT)
    });
    let sources = generate(&picky, &Settings::default(), 3).unwrap();
    let failing = sources.inputs.len() - sources.returned();
    assert!(sources.inputs.len() >= 1_900, "{}", sources.inputs.len());
    assert!(failing > 0 && 5 * failing <= sources.inputs.len(), "{failing}");
    assert_eq!(sources.coverage.covered(), 4);
}

#[test]
fn inputs_of_the_user_come_first_and_stay() {
    let supplied =
        vec![vec![Value::Num(77.0), Value::Num(-5.0)], vec![Value::Num(1e6), Value::Num(3.0)]];
    let settings =
        Settings { count: 10, effort: 2_000, supplied: supplied.clone(), ..Settings::default() };
    let sources = generate(&gcd(), &settings, 1).unwrap();
    assert_eq!(sources.supplied, 2);
    for (i, row) in supplied.iter().enumerate() {
        assert_eq!(sources.inputs.row(i).collect::<Vec<_>>(), *row);
    }
    assert!(sources.to_string().starts_with("12 source inputs (2 supplied)"), "{sources}");
}

#[test]
fn no_input_is_there_twice_and_outputs_are_of_many_kinds() {
    let sources = generate(&gcd(), &Settings::default(), 2).unwrap();
    let rows: BTreeSet<String> = (0..sources.inputs.len())
        .map(|i| format!("{:?}", sources.inputs.row(i).collect::<Vec<_>>()))
        .collect();
    assert_eq!(rows.len(), sources.inputs.len());
    let outputs: BTreeSet<u64> = (0..2_000)
        .flat_map(|i| sources.outcomes.row(i).map(|v| num(&v).to_bits()).collect::<Vec<_>>())
        .collect();
    assert!(outputs.len() > 100, "{}", outputs.len());
}

#[test]
fn small_domains_are_exhausted_and_not_overstepped() {
    let flags = [("p", Type::Scalar(Scalar::Bool)), ("x", Type::Scalar(Scalar::U8))];
    let subject = Mock::new(&flags, 0, |values, _| Ok(Value::Num(num(&values[1]))))
        .with_domain(1, Domain { range: Some((10.0, 14.5)), ..Domain::default() });
    let sources = generate(&subject, &Settings::default(), 1).unwrap();
    assert_eq!(sources.inputs.len(), 2 * 5);
    assert!(sources.to_string().ends_with("the function has no branches"), "{sources}");
}

#[test]
fn values_of_all_types_are_within_their_domains() {
    // The mock checks every value that it is called with.
    let mut rng = Seed(11).stream("test").rng();
    for _ in 0..60 {
        let types: Vec<Type> = (0..1 + rng.below(3))
            .map(|_| match rng.below(3) {
                0 => Type::String,
                1 => Type::List(rng.pick(&Scalar::ALL)),
                _ => Type::Scalar(rng.pick(&Scalar::ALL)),
            })
            .collect();
        let parameters: Vec<(&str, Type)> = ["a", "b", "c"].into_iter().zip(types).collect();
        let constants = [0.0, 7.0, -3.5, 97.0, 1e10, f64::NAN, f64::INFINITY];
        let mut subject =
            Mock::new(&parameters, 0, |_, _| Ok(Value::Num(0.0))).with_constants(&constants);
        for i in 0..parameters.len() {
            let least = rng.below(200) as f64 - 100.5;
            subject = subject.with_domain(
                i,
                Domain {
                    range: rng.chance(0.5).then(|| (least, least + rng.unit() * 300.0)),
                    min_len: rng.chance(0.3).then(|| rng.below(5)),
                    max_len: rng.chance(0.3).then(|| 4 + rng.below(5)),
                    alphabet: rng.chance(0.3).then(|| vec!['a', '0', 'é']),
                    also: Vec::new(),
                },
            );
        }
        let settings = Settings { count: 200, effort: 3_000, ..Settings::default() };
        match generate(&subject, &settings, 5) {
            Ok(sources) => assert!(!sources.inputs.is_empty()),
            Err(InputsError::Domain { .. }) => {}
            Err(error) => panic!("{error}"),
        }
    }
}

#[test]
fn a_function_that_never_returns_says_how_it_ends() {
    let never = Mock::new(&[("x", S32), ("s", Type::String)], 1, |values, probe| {
        Err(if probe.lt(0, num(&values[0]), 0.0) { Outcome::OutOfFuel } else { ABORT })
    });
    let settings = Settings { effort: 5_000, ..Settings::default() };
    let error = generate(&never, &settings, 1).unwrap_err().to_string();
    assert!(error.contains("reached unreachable code (a panic or an abort)"), "{error}");
    assert!(error.contains("ran out of fuel (an endless loop?)"), "{error}");
    assert!(error.contains("for example on x = "), "{error}");
    assert!(error.contains("give its parameters domains"), "{error}");
}

#[test]
fn an_empty_domain_is_refused_with_its_bounds() {
    let domain = Domain { range: Some((0.2, 0.8)), ..Domain::default() };
    let error = generate(&gcd().with_domain(1, domain), &Settings::default(), 1).unwrap_err();
    assert_eq!(
        error.to_string(),
        "there is no value for parameter `b`: no value of type s32 is within its domain (range 0.2 to 0.8); \
         widen the domain"
    );
    let none = Mock::new(&[], 0, |_, _| Ok(Value::Num(1.0)));
    let error = generate(&none, &Settings::default(), 1).unwrap_err();
    assert_eq!(error, InputsError::NoParameters);
}

#[test]
fn a_search_stops_when_it_is_told_to_and_keeps_what_it_has() {
    let rounds = std::cell::Cell::new(0);
    let stop = || rounds.get() >= 2;
    let progress = |_: &inputs::Progress| rounds.set(rounds.get() + 1);
    let watch = Watch { stop: &stop, deadline: Deadline::never(), progress: &progress };
    let jobs = Jobs::new(1).unwrap();
    let sources = inputs::generate(&gcd(), &Settings::default(), Seed(1), &jobs, &watch).unwrap();
    assert_eq!(rounds.get(), 2);
    assert!(!sources.inputs.is_empty() && sources.calls <= 2_048, "{}", sources.calls);
}

#[test]
fn costly_inputs_are_few_and_calls_that_cost_much_count_for_several() {
    // Counts down from x: a million steps for large ones.
    let countdown = Mock::new(&[("x", S32)], 2, |values, probe| {
        let mut x = num(&values[0]);
        for _ in 0..1_000_000 {
            if !probe.lt(0, 0.0, x) {
                return Ok(Value::Num(f64::from(u8::from(probe.lt(1, x, -1000.0)))));
            }
            x -= 1.0;
        }
        Err(Outcome::OutOfFuel)
    });
    let sources = generate(&countdown, &Settings::default(), 1).unwrap();
    let fuel = sources.outcomes.fuel();
    let costly = fuel.iter().filter(|fuel| **fuel > 20_000).count();
    assert!(costly <= 2, "{costly}");
    assert!(sources.inputs.len() > 1_000, "{}", sources.inputs.len());
    assert_eq!(sources.coverage.covered(), 4);
    assert!(sources.calls < 100_000, "{}", sources.calls);
}

#[test]
fn texts_are_of_many_kinds() {
    let echo = Mock::new(&[("s", Type::String)], 0, |values, _| {
        Ok(Value::Seq(seq(&values[0]).to_vec().into()))
    })
    .returning(Type::String);
    let sources = generate(&echo, &Settings::default(), 4).unwrap();
    let texts: Vec<Vec<f64>> = (0..sources.inputs.len())
        .flat_map(|i| sources.inputs.row(i).map(|v| seq(&v).to_vec()).collect::<Vec<_>>())
        .collect();
    let some = |kind: fn(&Vec<f64>) -> bool| texts.iter().filter(|text| kind(text)).count();
    assert_eq!(some(Vec::is_empty), 1);
    assert!(some(|text| text.len() > 20) > 10);
    assert!(some(|text| text.len() <= 20) > 1_500);
    assert!(some(|text| text.iter().any(|&c| c > 127.0)) > 20);
    assert!(some(|text| text.len() > 1 && text.is_sorted()) > 50);
    assert!(some(|text| text.contains(&32.0)) > 100);
}

#[test]
fn inputs_are_added_on_which_further_mutants_differ() {
    let double = |values: &[Value<'_>], _: &Probe| Ok(Value::Num(2.0 * num(&values[0])));
    let same: Function = double;
    let never: Function = |values, _| Ok(Value::Num(num(&values[0]) + num(&values[0])));
    let always: Function = |values, _| Ok(Value::Num(num(&values[0]) + 1.5));
    let seldom: Function = |values, _| {
        let (x, y) = (num(&values[0]), num(&values[1]));
        Ok(Value::Num(2.0 * x + f64::from(u8::from((x % 17.0).abs() == 13.0 && y > x))))
    };
    let crash: Function = |_, _| Err(ABORT);
    let subject = Mock::new(&[("x", S32), ("y", S32)], 0, same)
        .with_mutant(Group::A, always)
        .with_mutant(Group::B, never)
        .with_mutant(Group::A, seldom)
        .with_mutant(Group::A, never)
        .with_mutant(Group::A, crash);
    let find = |jobs| {
        let jobs = Jobs::new(jobs).unwrap();
        let settings = Settings { count: 10, ..Settings::default() };
        let watch = &Watch::NOBODY;
        let mut sources = inputs::generate(&subject, &settings, Seed(1), &jobs, watch).unwrap();
        let mutants = inputs::survivors(&subject, &sources, &jobs).unwrap();
        assert_eq!(mutants, [2, 3, 4]);
        let hunt = Hunt { mutants: &mutants, effort: 50_000, jobs: &jobs, watch };
        let enriched = inputs::enrich(&subject, &mut sources, &hunt, Seed(1)).unwrap();
        assert_eq!(enriched.survivors, [3, 4]);
        assert_eq!((enriched.added, sources.inputs.len()), (1, 11));
        assert_eq!(sources.outcomes.len(), 11);
        assert!(enriched.calls <= 50_000);
        assert_eq!(inputs::survivors(&subject, &sources, &jobs).unwrap(), [3, 4]);
        sources
    };
    assert_eq!(find(1), find(3));
}

#[test]
fn inputs_are_read_from_files_and_errors_name_them() {
    let folder = Folder::of("inputs");
    let signature = gcd().signature;
    let read =
        |name: &str, text: &str| inputs::read(Path::new(&folder.write(name, text)), &signature);
    let rows = vec![vec![Value::Num(4.0), Value::Num(6.0)]];
    assert_eq!(read("a.json", r#"[{"b": 6, "a": 4}]"#), Ok(rows.clone()));
    assert_eq!(read("a.ndjson", "[4, 6]\n"), Ok(rows.clone()));
    assert_eq!(read("a.csv", "a,b\n4,6\n"), Ok(rows));
    let error = read("b.csv", "a,b\n4,x\n").unwrap_err().to_string();
    assert!(error.contains("b.csv, line 2: parameter `b`: expected s32"), "{error}");
    let error =
        inputs::read(Path::new(&folder.at("none.json")), &signature).unwrap_err().to_string();
    assert!(error.starts_with("cannot read ") && error.contains("none.json"), "{error}");
}
