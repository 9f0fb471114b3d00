//! Functions of WebAssembly modules: calls, with fuel and with everything undone after each.
//!
//! `cargo bench --bench subject` (thorough) or `cargo bench --bench subject -- --quick`. With
//! `--features wasmtime` the other engine is measured beside it. Seconds are those of this thread.

mod support;

use std::hint::black_box;
use std::time::Instant;

use genmorph::jit::Value;
use genmorph::subject::wasm::{Engine, Scope, Settings, WasmSubject};
use genmorph::subject::{
    Domain, Inputs, Outcomes, Parameter, Scalar, Signature, Subject, Type, Version,
};

use support::stopwatch::{cpu, quick, running};

const BATCH: usize = 10_000;

/// Euclid's algorithm, as a compiler that keeps variables in locals writes it.
const GCD: &str = r#"(module (func (export "gcd") (param i32 i32) (result i32) (local i32)
    loop
        local.get 1 if
            local.get 0 local.get 1 i32.rem_s local.set 2
            local.get 1 local.set 0  local.get 2 local.set 1  br 1
        end
    end
    local.get 0))"#;

/// A text turned around, with an allocator that never frees.
const REVERSE: &str = r#"(module (memory (export "memory") 2) (global $heap (mut i32) (i32.const 4096))
    (func $alloc (export "cabi_realloc") (param i32 i32 i32 i32) (result i32)
        global.get $heap
        global.get $heap local.get 3 i32.add i32.const 7 i32.add i32.const -8 i32.and global.set $heap)
    (func (export "reverse") (param $p i32) (param $n i32) (result i32) (local $to i32) (local $i i32) (local $out i32)
        i32.const 0 i32.const 0 i32.const 1 local.get $n call $alloc local.set $to
        block loop
            local.get $i local.get $n i32.ge_u br_if 1
            local.get $to local.get $n i32.add local.get $i i32.sub i32.const 1 i32.sub
            local.get $p local.get $i i32.add i32.load8_u
            i32.store8
            local.get $i i32.const 1 i32.add local.set $i
            br 0
        end end
        i32.const 0 i32.const 0 i32.const 4 i32.const 8 call $alloc local.tee $out
        local.get $to i32.store
        local.get $out local.get $n i32.store offset=4
        local.get $out))"#;

/// The mean of a list, in place of the module's own memory: no allocator.
const MEAN: &str = r#"(module (memory 1)
    (func (export "mean") (param $p i32) (param $n i32) (result f64) (local $sum f64) (local $i i32)
        block loop
            local.get $i local.get $n i32.ge_u br_if 1
            local.get $sum local.get $p local.get $i i32.const 3 i32.shl i32.add f64.load f64.add local.set $sum
            local.get $i i32.const 1 i32.add local.set $i
            br 0
        end end
        local.get $sum local.get $n f64.convert_i32_u f64.div))"#;

/// Primes up to n by trial division: long loops.
const PRIMES: &str = r#"(module (func (export "primes") (param $n i32) (result i32) (local $i i32) (local $d i32) (local $count i32)
    i32.const 2 local.set $i
    block $done loop $next
        local.get $i local.get $n i32.gt_s br_if $done
        i32.const 2 local.set $d
        block $composite block $prime loop $try
            local.get $d local.get $d i32.mul local.get $i i32.gt_s br_if $prime
            local.get $i local.get $d i32.rem_s i32.eqz br_if $composite
            local.get $d i32.const 1 i32.add local.set $d
            br $try
        end end
        local.get $count i32.const 1 i32.add local.set $count
        end
        local.get $i i32.const 1 i32.add local.set $i
        br $next
    end end
    local.get $count))"#;

struct Case {
    name: &'static str,
    module: &'static str,
    signature: Signature,
    inputs: Inputs,
}

fn main() {
    println!("{}", cpu());
    let engines = [
        ("wasmi", Engine::Wasmi),
        #[cfg(feature = "wasmtime")]
        ("wasmtime", Engine::Wasmtime),
    ];
    for case in cases() {
        let mut rates = Vec::new();
        for (name, engine) in engines {
            let subject = case.subject(engine);
            let seconds = calls(&subject, &case.inputs);
            let rate = case.inputs.len() as f64 / seconds;
            println!(
                "RESULT subject_{}_{name} calls_per_second={rate:.0} ns_per_call={:.0} fuel_per_call={:.1}",
                case.name,
                1e9 / rate,
                mean_fuel(&subject.run(Version::Original, &case.inputs).unwrap()),
            );
            rates.push(rate);
        }
        if let [wasmi, wasmtime] = rates[..] {
            println!(
                "RESULT subject_{}_wasmtime_over_wasmi ratio={:.2}",
                case.name,
                wasmtime / wasmi
            );
        }
    }
    // Long loops would take minutes, and say no more than above.
    for case in cases().into_iter().filter(|case| case.name != "primes") {
        for (name, engine) in engines {
            campaign(&case, name, engine);
        }
    }
}

/// Seconds for a run of all inputs, the best of several times. The system counts in ticks of some milliseconds, so each
/// is of many runs.
fn calls(subject: &WasmSubject, inputs: &Inputs) -> f64 {
    let (times, runs) = if quick() { (3, 50) } else { (10, 100) };
    let mut best = f64::INFINITY;
    for _ in 0..times {
        best = best.min(seconds(|| {
            for _ in 0..runs {
                black_box(subject.run(Version::Original, black_box(inputs)).unwrap());
            }
        }));
    }
    best / f64::from(runs)
}

/// 800,000 calls of mutants, 4,000 of each, on one thread; and how long one takes to be made runnable.
fn campaign(case: &Case, name: &str, engine: Engine) {
    const ROWS: usize = 4_000;
    const CALLS: usize = 800_000;
    let subject = case.subject(engine);
    let count = subject.mutants().len();
    if count == 0 {
        return;
    }
    let rows: Vec<Vec<Value<'static>>> = (0..ROWS)
        .map(|row| case.inputs.row(row % case.inputs.len()).map(owned).collect())
        .collect();
    let inputs = Inputs::from_rows(&case.signature, rows.iter().map(Vec::as_slice));
    let original = subject.run(Version::Original, &inputs).unwrap();
    let mut returned = 0;
    let total = seconds(|| {
        for i in 0..CALLS / ROWS {
            let version = Version::Mutant { number: i % count, original: &original };
            let outcomes = subject.run(version, &inputs).unwrap();
            returned += (0..ROWS).filter(|&row| outcomes.is_returned(row)).count();
        }
    });
    let none = Inputs::new(&case.signature);
    let nothing = subject.run(Version::Original, &none).unwrap();
    let rounds = if quick() { 10 } else { 50 };
    let ready = seconds(|| {
        for i in 0..rounds * count {
            let version = Version::Mutant { number: i % count, original: &nothing };
            black_box(subject.run(version, &none).unwrap());
        }
    });
    println!(
        "RESULT campaign_{}_{name} seconds={total:.3} calls_per_second={:.0} mutants={count} \
         returned={:.2} us_per_mutant_made_runnable={:.1}",
        case.name,
        CALLS as f64 / total,
        returned as f64 / CALLS as f64,
        ready * 1e6 / (rounds * count) as f64,
    );
}

impl Case {
    fn subject(&self, engine: Engine) -> WasmSubject {
        let settings = Settings { engine, ..Settings::default() };
        let (module, scope) = (self.module.as_bytes(), Scope::default());
        WasmSubject::new(module, self.name, self.signature.clone(), &scope, settings)
            .expect("it is one of the functions above")
    }
}

fn cases() -> Vec<Case> {
    let case =
        |name, module, types: &[Type], result, row: &dyn Fn(usize) -> Vec<Value<'static>>| {
            let parameter = |(i, ty): (usize, &Type)| Parameter {
                name: format!("p{i}"),
                ty: *ty,
                domain: Domain::default(),
            };
            let signature = Signature {
                function: String::from(name),
                parameters: types.iter().enumerate().map(parameter).collect(),
                result: Some(result),
                changed: Vec::new(),
                ..Signature::default()
            };
            let batch = if name == "primes" { 100 } else { BATCH };
            let rows: Vec<_> = (0..batch).map(row).collect();
            let inputs = Inputs::from_rows(&signature, rows.iter().map(Vec::as_slice));
            Case { name, module, signature, inputs }
        };
    let s32 = Type::Scalar(Scalar::S32);
    // Spread over 0..1000 without a generator.
    let small = |i: usize, by: usize| (i * by % 1_000) as f64;
    vec![
        case("gcd", GCD, &[s32, s32], s32, &|i| {
            vec![Value::Num(small(i, 7_919)), Value::Num(small(i, 104_729))]
        }),
        case("reverse", REVERSE, &[Type::String], Type::String, &|i| {
            vec![Value::Seq((0..i % 24).map(|k| 97.0 + (k % 26) as f64).collect())]
        }),
        case("mean", MEAN, &[Type::List(Scalar::F64)], Type::Scalar(Scalar::F64), &|i| {
            vec![Value::Seq((0..i % 24).map(|k| small(i + k, 7_919)).collect())]
        }),
        case("primes", PRIMES, &[s32], s32, &|i| vec![Value::Num((1_000 + i) as f64)]),
    ]
}

fn owned(value: Value<'_>) -> Value<'static> {
    match value {
        Value::Num(number) => Value::Num(number),
        Value::Bool(truth) => Value::Bool(truth),
        Value::Seq(elements) => Value::Seq(elements.into_owned().into()),
    }
}

fn mean_fuel(outcomes: &Outcomes) -> f64 {
    outcomes.fuel().iter().sum::<u64>() as f64 / outcomes.len() as f64
}

/// The seconds that this thread runs meanwhile.
fn seconds(work: impl FnOnce()) -> f64 {
    let start = Instant::now();
    let before = running(start);
    work();
    running(start) - before
}
