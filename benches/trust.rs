//! How far reported relations can be trusted: what `generate` reports with its loop, and with one filter at the end, put before a
//! judge that shares nothing with either: other seeds, ten times the inputs, another mix of generators.
//!
//! `cargo bench --bench trust` (3 seeds, 6 s each) or `-- --quick` (1 seed, 4 s each, three
//! transformations, a fifth of the pairs). Names after `--` are subjects.

mod support;

use std::path::Path;
use std::time::{Duration, Instant};

use genmorph::filter::Filter;
use genmorph::inputs::{self, Watch};
use genmorph::jit::{Predicate, Value};
use genmorph::run::{Plan, Transformations, run};
use genmorph::subject::wasm::{Engine, WasmSubject};
use genmorph::subject::{
    Inputs, Parameter, Scalar, Signature, Subject, Type, wasm::WasmDefinition,
};
use genmorph::support::seed::Seed;
use genmorph::support::threads::Jobs;
use genmorph::transform::Transform;

use support::stopwatch::{cpu, quick};

const SUBJECTS: [&str; 10] = [
    "gcd/subject",
    "log10/subject",
    "mean/subject",
    "min/subject",
    "pad_start/subject",
    "sin/subject",
    "sort_range/subject",
    "truncate/subject",
    "wide/gcd",
    "wide/index_of",
];

/// The judge has so many times the inputs that a relation is tried on before it is reported.
const TIMES: usize = 10;

fn main() {
    println!("{}", cpu());
    let asked: Vec<String> =
        std::env::args().skip(1).filter(|arg| !arg.starts_with("--")).collect();
    let (seeds, seconds) = if quick() { (1, 4) } else { (3, 6) };
    println!(
        "{:<20} {:>4} {:>5} {:>8} {:>8} {:>8} {:>7}",
        "subject", "seed", "loop", "refuted", "reported", "wrong", "seconds"
    );
    // Reported and wrong, with the loop and without.
    let mut totals = [[0_usize; 2]; 2];
    for name in SUBJECTS.iter().filter(|n| asked.is_empty() || asked.iter().any(|a| a == *n)) {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/subjects");
        let definition = WasmDefinition::read(path.join(format!("{name}.toml")));
        let definition = definition.expect("an example subject can be read");
        let subject = WasmSubject::defined(&definition, Engine::default())
            .expect("an example subject can be run");
        for seed in 1..=seeds {
            for (feedback, total) in [true, false].into_iter().zip(&mut totals) {
                let start = Instant::now();
                let time = Some(Duration::from_secs(seconds));
                let mut plan = Plan { seed: Seed(seed), time, feedback, ..Plan::default() };
                if quick() {
                    plan.fresh /= 5;
                    plan.transformations = Transformations::Sampled(3);
                }
                let generated = run(&subject, &plan, &mut |_| ()).expect("it has relations");
                let elapsed = start.elapsed().as_secs_f64();
                let refuted: usize =
                    generated.report.transformations.iter().map(|t| t.refuted.len()).sum();
                let (mut reported, mut wrong) = (0, 0);
                for searched in generated.searched.iter().filter(|s| !s.relations.is_empty()) {
                    reported += searched.relations.len();
                    wrong += judge(&subject, &searched.transform, &searched.relations, &plan);
                }
                println!(
                    "{name:<20} {seed:>4} {:>5} {refuted:>8} {reported:>8} {wrong:>8} {elapsed:>7.1}",
                    if feedback { "yes" } else { "no" }
                );
                total[0] += reported;
                total[1] += wrong;
            }
        }
    }
    for (name, [reported, wrong]) in ["loop", "once"].into_iter().zip(totals) {
        let share = 100.0 * (reported - wrong) as f64 / reported.max(1) as f64;
        println!("RESULT trust {name} reported={reported} wrong={wrong} share={share:.1}");
    }
}

/// How many of the relations an independent judge refutes.
fn judge(
    subject: &WasmSubject,
    transform: &Transform,
    relations: &[Predicate],
    plan: &Plan,
) -> usize {
    let jobs = Jobs::new(0).expect("threads");
    let signature = subject.signature();
    let other = Seed(1_000_003 * plan.seed.0 + 17);
    let settings = inputs::Settings { count: 5_000, ..inputs::Settings::default() };
    let sources =
        inputs::generate(subject, &settings, other, &jobs, &Watch::NOBODY).expect("it has inputs");
    let tolerance = plan.tolerance;
    let pairs = TIMES * plan.fresh;
    let seen = Inputs::new(signature);
    // Half of the pairs know nothing of the function, the other half what another search for inputs has found.
    let mut blind = Filter::new(subject, transform, &seen, tolerance, other, &jobs);
    let next = Seed(other.0 + 1);
    let mut informed = Filter::new(subject, transform, &sources.inputs, tolerance, next, &jobs);
    let verdicts = [
        informed.judge_on(relations, &sources.inputs).unwrap(),
        informed.judge_on(relations, &grid(signature)).unwrap(),
        blind.judge(relations, pairs / 2, &|| false).unwrap(),
        informed.judge(relations, pairs / 2, &|| false).unwrap(),
    ];
    (0..relations.len()).filter(|&r| verdicts.iter().any(|v| v[r].is_refuted())).count()
}

/// The ends and the middle of every domain, in all combinations, up to a bound.
fn grid(signature: &Signature) -> Inputs {
    let mut rows: Vec<Vec<Value<'static>>> = vec![Vec::new()];
    for parameter in &signature.parameters {
        let values = corners(parameter);
        rows = rows
            .iter()
            .flat_map(|row| {
                values.iter().map(|value| [&row[..], std::slice::from_ref(value)].concat())
            })
            .take(50_000)
            .collect();
    }
    Inputs::from_rows(signature, rows.iter().map(Vec::as_slice))
}

/// What is at the corners of a parameter.
fn corners(parameter: &Parameter) -> Vec<Value<'static>> {
    let element = Parameter { ty: Type::Scalar(parameter.ty.scalar()), ..parameter.clone() };
    let numbers: Vec<f64> = {
        let (low, high) = element.ty.scalar().integers().unwrap_or((-1e308, 1e308));
        let (least, most) = parameter.domain.range.unwrap_or((low, high));
        let letters = parameter.domain.alphabet.iter().flatten().map(|&c| f64::from(u32::from(c)));
        let near = [-3.0, -2.0, -1.0, 0.0, 1.0, 2.0, 3.0, 7.0, 0.5, 97.0];
        let ends = [least, least + 1.0, most, most - 1.0, (least / 2.0 + most / 2.0).floor()];
        let all = near.into_iter().chain(ends).chain(letters.take(12));
        all.filter(|&number| element.admits(&Value::Num(number))).collect()
    };
    let values: Vec<Value<'static>> = match parameter.ty {
        Type::Scalar(Scalar::Bool) => vec![Value::Bool(false), Value::Bool(true)],
        Type::Scalar(_) => numbers.into_iter().map(Value::Num).collect(),
        Type::String | Type::List(_) => {
            let longest = parameter.domain.max_len.unwrap_or(20);
            let mut lists = vec![Vec::new(), numbers.clone()];
            lists.push(numbers.iter().rev().copied().collect());
            for &number in &numbers {
                lists.extend([1, 2, 3, longest].map(|length| vec![number; length]));
            }
            for pair in numbers.windows(2) {
                lists.push(pair.to_vec());
            }
            lists.into_iter().map(|list| Value::Seq(list.into())).collect()
        }
    };
    values.into_iter().filter(|value| parameter.admits(value)).collect()
}
