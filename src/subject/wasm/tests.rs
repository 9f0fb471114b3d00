//! Functions written as text, run by every engine there is: what they return, how they fail, and that no row
//! leaves anything behind for the next.

use genmorph_jit::Value;

use super::module::{Edit, Module, Patch};
use super::{Engine, Scope, Settings, WasmError, WasmSubject};
use crate::subject::{
    Deadline, Domain, Inputs, Outcome, Outcomes, Parameter, Scalar, Signature, Subject, Trap, Type,
    Version,
};
use crate::support::threads::Jobs;

/// All engines that were compiled in.
fn engines() -> Vec<Engine> {
    vec![
        Engine::Wasmi,
        #[cfg(feature = "wasmtime")]
        Engine::Wasmtime,
    ]
}

/// `signature("f", &[("a", S32)], Some(S32))`.
fn signature(parameters: &[(&str, Type)], result: Option<Type>) -> Signature {
    let parameter = |&(name, ty): &(&str, Type)| Parameter {
        name: name.to_owned(),
        ty,
        domain: Domain::default(),
    };
    Signature {
        function: "f".to_owned(),
        parameters: parameters.iter().map(parameter).collect(),
        result,
        changed: Vec::new(),
        ..Signature::default()
    }
}

const S32: Type = Type::Scalar(Scalar::S32);
const U64: Type = Type::Scalar(Scalar::U64);
const F32: Type = Type::Scalar(Scalar::F32);
const F64: Type = Type::Scalar(Scalar::F64);

fn number(value: f64) -> Value<'static> {
    Value::Num(value)
}

fn text(value: &str) -> Value<'static> {
    let codes: Vec<f64> = value.chars().map(|c| f64::from(u32::from(c))).collect();
    Value::Seq(codes.into())
}

fn list(values: &[f64]) -> Value<'static> {
    Value::Seq(values.to_vec().into())
}

fn subject(module: &str, signature: &Signature, engine: Engine) -> WasmSubject {
    let settings = Settings { engine, ..Settings::default() };
    WasmSubject::new(module.as_bytes(), "f", signature.clone(), &Scope::default(), settings)
        .unwrap()
}

/// What the original does on rows, which is the same in all engines, forwards and backwards.
fn run(module: &str, signature: &Signature, rows: &[Vec<Value<'static>>]) -> Outcomes {
    let forwards = Inputs::from_rows(signature, rows.iter().map(Vec::as_slice));
    let backwards = Inputs::from_rows(signature, rows.iter().rev().map(Vec::as_slice));
    let mut all: Option<Outcomes> = None;
    for engine in engines() {
        let subject = subject(module, signature, engine);
        let outcomes = subject.run(Version::Original, &forwards).unwrap();
        let reversed = subject.run(Version::Original, &backwards).unwrap();
        for row in 0..rows.len() {
            same(&outcomes, row, &reversed, rows.len() - 1 - row);
        }
        if let Some(others) = &all {
            for row in 0..rows.len() {
                same(&outcomes, row, others, row);
            }
        }
        all.get_or_insert(outcomes);
    }
    all.unwrap()
}

/// Asserts that two rows are the same, NaN included.
fn same(a: &Outcomes, i: usize, b: &Outcomes, j: usize) {
    assert_eq!((a.outcomes()[i], a.fuel()[i]), (b.outcomes()[j], b.fuel()[j]), "rows {i} and {j}");
    let bits = |outcomes: &Outcomes, row: usize| -> Vec<Vec<u64>> {
        let values = outcomes.row(row).map(|value| match value {
            Value::Num(number) => vec![number.to_bits()],
            Value::Bool(truth) => vec![u64::from(truth)],
            Value::Seq(elements) => elements.iter().map(|e| e.to_bits()).collect(),
        });
        values.collect()
    };
    assert_eq!(bits(a, i), bits(b, j), "rows {i} and {j}");
}

/// The outcome of one row.
fn outcome(module: &str, row: &[f64]) -> Outcome {
    let names = ["a", "b", "c"];
    let parameters: Vec<(&str, Type)> = names.iter().copied().zip([S32; 3]).collect();
    let signature = signature(&parameters[..row.len()], Some(S32));
    let row = row.iter().map(|&value| number(value)).collect();
    run(module, &signature, &[row]).outcomes()[0]
}

fn values(outcomes: &Outcomes, row: usize) -> Vec<Value<'_>> {
    assert_eq!(outcomes.outcomes()[row], Outcome::Returned);
    outcomes.row(row).collect()
}

#[test]
fn numbers_go_in_and_out_with_their_fuel() {
    let module = r#"(module (func (export "f") (param i32 i32) (result i32) (local i32)
        loop $next
            local.get 1 if
                local.get 0 local.get 1 i32.rem_s local.set 2
                local.get 1 local.set 0  local.get 2 local.set 1  br $next
            end
        end
        local.get 0))"#;
    let signature = signature(&[("a", S32), ("b", S32)], Some(S32));
    let rows: Vec<_> = (0..5_000).map(|i| vec![number(f64::from(i * 6)), number(18.0)]).collect();
    let outcomes = run(module, &signature, &rows);
    for i in 0..5_000 {
        let expected = [18.0, 6.0, 6.0][i % 3];
        assert_eq!(values(&outcomes, i), [number(expected)]);
    }
    // The function, and three rounds of the loop: (6, 18), (18, 6), (6, 0).
    assert_eq!(outcomes.fuel()[1], 4);
}

#[test]
fn every_trap_has_its_kind() {
    let body = |code: &str| {
        format!(
            r#"(module (memory 1) (table 2 funcref) (type $t (func))
            (func (export "f") (param i32 i32) (result i32) {code}))"#
        )
    };
    let trap = |code: &str, row: [f64; 2]| outcome(&body(code), &row);
    for (code, row, expected) in [
        ("unreachable", [0.0, 0.0], Trap::Unreachable),
        ("local.get 0 i32.load", [65_533.0, 0.0], Trap::Memory),
        ("local.get 0 local.get 1 i32.store local.get 0", [-4.0, 0.0], Trap::Memory),
        ("local.get 0 local.get 1 i32.div_s", [5.0, 0.0], Trap::DivisionByZero),
        ("local.get 0 local.get 1 i32.div_s", [-2_147_483_648.0, -1.0], Trap::Overflow),
        ("f64.const 1e300 i32.trunc_f64_s", [0.0, 0.0], Trap::Overflow),
        ("f64.const inf i32.trunc_f64_u", [0.0, 0.0], Trap::Overflow),
        ("f64.const nan i32.trunc_f64_s", [0.0, 0.0], Trap::NotANumber),
        ("i32.const 0 call_indirect (type $t) i32.const 1", [0.0, 0.0], Trap::Table),
        ("i32.const 7 call_indirect (type $t) i32.const 1", [0.0, 0.0], Trap::Table),
        ("i32.const 65530 i32.const 1 i32.const 9 memory.fill i32.const 1", [0.0; 2], Trap::Memory),
    ] {
        assert_eq!(trap(code, row), Outcome::Trapped(expected), "{code}");
    }
}

#[test]
fn a_row_that_traps_does_not_stop_the_others() {
    let module = r#"(module (func (export "f") (param i32) (result i32)
        i32.const 60 local.get 0 i32.div_s))"#;
    let signature = signature(&[("a", S32)], Some(S32));
    let rows: Vec<_> = (0..4_000).map(|i| vec![number(f64::from(i % 3))]).collect();
    let outcomes = run(module, &signature, &rows);
    for i in 0..4_000 {
        match i % 3 {
            0 => assert_eq!(outcomes.outcomes()[i], Outcome::Trapped(Trap::DivisionByZero)),
            by => assert_eq!(values(&outcomes, i), [number(60.0 / by as f64)]),
        }
    }
}

#[test]
fn an_endless_loop_runs_out_of_fuel() {
    let module = r#"(module (func (export "f") (result i32) (loop br 0) i32.const 1))"#;
    let signature = signature(&[], Some(S32));
    let outcomes = run(module, &signature, &[vec![]]);
    assert_eq!(outcomes.outcomes(), [Outcome::OutOfFuel]);
    assert_eq!(outcomes.fuel(), [Settings::default().fuel]);
}

#[test]
fn large_fills_cost_fuel() {
    let module = r#"(module (memory 16) (func (export "f") (param i32) (result i32)
        loop
            i32.const 0 i32.const 1 i32.const 1000000 memory.fill
            local.get 0 i32.const 1 i32.sub local.tee 0 br_if 0
        end
        i32.const 1048572 i32.load))"#;
    assert_eq!(outcome(module, &[1e6]), Outcome::OutOfFuel);
    assert_eq!(outcome(module, &[2.0]), Outcome::Returned);
}

#[test]
fn deep_recursion_runs_out_of_stack_and_shallow_does_not() {
    let direct = r#"(module (func $f (export "f") (param i32) (result i32)
        local.get 0 i32.eqz if (result i32) i32.const 0
        else local.get 0 i32.const 1 i32.sub call $f i32.const 1 i32.add end))"#;
    assert_eq!(outcome(direct, &[900.0]), Outcome::Returned);
    assert_eq!(outcome(direct, &[1_000_000.0]), Outcome::OutOfStack);
    assert_eq!(outcome(direct, &[-1.0]), Outcome::OutOfStack);
    let indirect = r#"(module (table funcref (elem $f)) (type $t (func (param i32) (result i32)))
        (func $f (export "f") (type $t) local.get 0 i32.const 0 call_indirect (type $t)))"#;
    assert_eq!(outcome(indirect, &[1.0]), Outcome::OutOfStack);
    // A call that is the last thing takes no stack.
    let tail = r#"(module (func $f (export "f") (param i32) (result i32)
        local.get 0 i32.eqz if i32.const 7 return end
        local.get 0 i32.const 1 i32.sub return_call $f))"#;
    assert_eq!(outcome(tail, &[100_000.0]), Outcome::Returned);
}

#[test]
fn bulk_operations_on_tables_do_not_go_on_for_ever() {
    for operation in [
        "(drop (table.grow 0 (ref.null func) (i32.const 100000)))",
        "(drop (table.grow 0 (ref.null func) (i32.const 1)))",
        "(drop (table.grow 0 (ref.null func) (i32.const 0)))",
        "(table.fill 0 (i32.const 0) (ref.null func) (i32.const 1))",
        "(table.copy 0 0 (i32.const 0) (i32.const 0) (i32.const 1))",
        "(table.init 0 0 (i32.const 0) (i32.const 0) (i32.const 1))",
    ] {
        let module = format!(
            r#"(module (table 1 200000 funcref) (elem func $f)
                 (func $f (export "f") (param i32) (result i32)
                   (loop $next {operation} (br $next)) (local.get 0)))"#
        );
        let ended = outcome(&module, &[1.0]);
        let is_end = matches!(ended, Outcome::OutOfStack | Outcome::Trapped(Trap::Table));
        assert!(is_end, "{operation}: {ended:?}");
    }
    // What takes no time may be done as often as fuel allows.
    for operation in
        ["(elem.drop 0)", "(drop (table.size 0))", "(table.set 0 (i32.const 0) (ref.null func))"]
    {
        let module = format!(
            r#"(module (table 1 funcref) (elem func $f)
                 (func $f (export "f") (param i32) (result i32)
                   (loop $next {operation} (br $next)) (local.get 0)))"#
        );
        assert_eq!(outcome(&module, &[1.0]), Outcome::OutOfFuel, "{operation}");
    }
}

#[test]
fn runaway_allocation_runs_out_of_memory() {
    let module = r#"(module (memory 1) (func (export "f") (param i32) (result i32)
        loop
            local.get 0 memory.grow i32.const -1 i32.eq if unreachable end
            br 0
        end unreachable))"#;
    assert_eq!(outcome(module, &[1.0]), Outcome::OutOfMemory);
    assert_eq!(outcome(module, &[100.0]), Outcome::OutOfMemory);
    assert_eq!(outcome(module, &[-1.0]), Outcome::OutOfMemory);
    assert_eq!(outcome(module, &[0.0]), Outcome::OutOfFuel);
}

#[test]
fn growth_is_gone_in_the_next_row() {
    // Grows by a, writes to the last word, and returns the old size and what was in the first word of the growth.
    let module = r#"(module (memory 2 40) (func (export "f") (param i32) (result i32) (local i32 i32)
        local.get 0 memory.grow local.set 1
        local.get 1 i32.const 0 i32.lt_s if i32.const -1 return end
        memory.size i32.const 16 i32.shl i32.const 4 i32.sub local.tee 2 i32.load
        local.get 2 i32.const 77 i32.store
        local.get 1 i32.add))"#;
    let signature = signature(&[("a", S32)], Some(S32));
    let rows: Vec<_> =
        [1.0, 0.0, 30.0, 1.0, 38.0, 39.0, 16.0, 17.0].map(|a| vec![number(a)]).to_vec();
    let outcomes = run(module, &signature, &rows);
    for row in 0..rows.len() {
        let expected = if row == 5 { -1.0 } else { 2.0 };
        assert_eq!(values(&outcomes, row), [number(expected)], "row {row}");
    }
}

#[test]
fn no_row_leaves_anything_behind() {
    // Counts calls in a global, in memory near and far, across the border of a page, and in a table.
    let module = r#"(module (memory 3) (global $g (mut i32) (i32.const 5)) (global $x (mut f64) (f64.const 0.5))
        (data (i32.const 8190) "\01\00\00\00\00\00\00\00")
        (func (export "f") (param i32) (result i32)
            global.get $g i32.const 1 i32.add global.set $g
            i32.const 8190 i32.const 8190 i64.load i64.const 65537 i64.add i64.store
            i32.const 100 i32.const 100 i32.load8_u i32.const 1 i32.add i32.store8
            local.get 0 i32.const 3 i32.const 9000 memory.fill
            i32.const 150000 i32.const 8190 i32.const 16 memory.copy
            global.get $g
            i32.const 8190 i32.load i32.add
            i32.const 8190 i32.load offset=4 i32.add
            i32.const 150000 i32.load i32.add
            i32.const 100 i32.load8_u i32.add
            i32.const 140000 i32.load8_u i32.add
            i32.const 123456 i32.load8_u i32.add))"#;
    let signature = signature(&[("a", S32)], Some(S32));
    let rows: Vec<_> = (0..60)
        .map(|i| vec![number(f64::from([131_072, 116_000, 160_000, 90, 8_191, 190_000][i % 6]))])
        .collect();
    let outcomes = run(module, &signature, &rows);
    for row in 6..60 {
        same(&outcomes, row, &outcomes, row % 6);
    }
    assert_eq!(outcomes.outcomes()[5], Outcome::Trapped(Trap::Memory));
    let distinct: Vec<_> = (0..5).map(|row| values(&outcomes, row)).collect();
    assert_ne!(distinct[0], distinct[3]);
}

#[test]
fn changed_tables_and_dropped_segments_are_as_before() {
    let module = r#"(module (memory 1) (table $t 2 funcref) (elem declare func $one)
        (data $d "\07") (type $f (func (result i32)))
        (func $one (result i32) i32.const 1)
        (func (export "f") (param i32) (result i32)
            local.get 0 i32.eqz if
                i32.const 0 ref.func $one table.set $t
                i32.const 0 i32.const 0 i32.const 1 memory.init $d
                data.drop $d
            end
            i32.const 0 i32.load8_u
            i32.const 0 table.get $t ref.is_null i32.add))"#;
    let signature = signature(&[("a", S32)], Some(S32));
    let rows: Vec<_> = [0.0, 1.0, 0.0, 1.0].map(|a| vec![number(a)]).to_vec();
    let outcomes = run(module, &signature, &rows);
    let found: Vec<_> = (0..4).flat_map(|row| values(&outcomes, row)).collect();
    assert_eq!(found, [7.0, 1.0, 7.0, 1.0].map(number));
}

#[test]
fn a_trap_that_leaves_the_stack_pointer_lowered_changes_nothing() {
    let module = r#"(module (memory 1) (global $sp (mut i32) (i32.const 1024))
        (func (export "f") (param i32) (result i32)
            global.get $sp i32.const 64 i32.sub global.set $sp
            global.get $sp local.get 0 i32.store
            local.get 0 i32.const 3 i32.rem_u i32.eqz if unreachable end
            global.get $sp i32.load
            global.get $sp i32.const 64 i32.add global.set $sp))"#;
    let signature = signature(&[("a", S32)], Some(S32));
    let rows: Vec<_> = (0..300).map(|i| vec![number(f64::from(i))]).collect();
    let outcomes = run(module, &signature, &rows);
    for i in 0..300 {
        match i % 3 {
            0 => assert_eq!(outcomes.outcomes()[i], Outcome::Trapped(Trap::Unreachable)),
            _ => assert_eq!(values(&outcomes, i), [number(i as f64)]),
        }
    }
}

#[test]
fn what_starts_first_is_the_state_of_every_row() {
    let module = r#"(module (memory 1) (global $g (mut i64) (i64.const 0)) (start $s)
        (func $s i64.const 40 global.set $g  i32.const 8 i32.const 2 i32.store)
        (func (export "_initialize") i32.const 12 i32.const 100 i32.store)
        (func (export "f") (result i64)
            global.get $g i64.const 1 i64.add global.set $g
            i32.const 8 i32.const 8 i32.load i32.const 1 i32.add i32.store
            global.get $g i32.const 8 i64.load32_u i64.add i32.const 12 i64.load32_u i64.add))"#;
    let outcomes = run(module, &signature(&[], Some(U64)), &[vec![], vec![], vec![]]);
    assert_eq!(values(&outcomes, 2), [number(144.0)]);
    let trapping = r#"(module (start $s) (func $s unreachable) (func (export "f")))"#;
    for engine in engines() {
        let settings = Settings { engine, ..Settings::default() };
        let scope = Scope::default();
        let error =
            WasmSubject::new(trapping.as_bytes(), "f", signature(&[], None), &scope, settings);
        assert_eq!(error.unwrap_err(), WasmError::Start(Outcome::Trapped(Trap::Unreachable)));
    }
}

/// Turns a text around, byte by byte; with an allocator that never frees.
const REVERSE: &str = r#"(module (memory (export "memory") 1) (global $heap (mut i32) (i32.const 4096))
    (func $alloc (export "cabi_realloc") (param i32 i32 i32 i32) (result i32)
        global.get $heap
        global.get $heap local.get 3 i32.add i32.const 7 i32.add i32.const -8 i32.and global.set $heap)
    (func (export "f") (param $p i32) (param $n i32) (result i32) (local $to i32) (local $i i32) (local $out i32)
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

#[test]
fn texts_go_in_and_out() {
    let signature = signature(&[("s", Type::String)], Some(Type::String));
    let long = "x".repeat(20_000) + "y";
    let rows: Vec<_> = ["hello", "", "a", &long, "été", "ab"].map(|s| vec![text(s)]).to_vec();
    let outcomes = run(REVERSE, &signature, &rows);
    assert_eq!(values(&outcomes, 0), [text("olleh")]);
    assert_eq!(values(&outcomes, 1), [text("")]);
    assert_eq!(values(&outcomes, 3), [text(&("y".to_owned() + &"x".repeat(20_000)))]);
    assert_eq!(outcomes.outcomes()[4], Outcome::BadOutput, "it is no UTF-8 backwards");
    assert_eq!(values(&outcomes, 5), [text("ba")]);
    assert!(outcomes.fuel()[0] > outcomes.fuel()[1]);
}

#[test]
fn without_an_allocator_lists_are_put_after_the_memory() {
    let module = r#"(module (memory 1)
        (func (export "f") (param $p i32) (param $n i32) (param $by f64) (result f64) (local $sum f64)
            block loop
                local.get $n i32.eqz br_if 1
                local.get $p local.get $p f64.load local.get $by f64.mul f64.store
                local.get $sum local.get $p f64.load f64.add local.set $sum
                local.get $p i32.const 8 i32.add local.set $p
                local.get $n i32.const 1 i32.sub local.set $n
                br 0
            end end
            local.get $sum))"#;
    let mut signature = signature(&[("v", Type::List(Scalar::F64)), ("by", F64)], Some(F64));
    signature.changed = vec![0];
    let huge = vec![1.0; 40_000];
    let rows = vec![
        vec![list(&[1.0, 2.5]), number(2.0)],
        vec![list(&[]), number(2.0)],
        vec![list(&huge), number(2.0)],
        vec![list(&[f64::NAN, -0.0, f64::INFINITY]), number(1.0)],
    ];
    let outcomes = run(module, &signature, &rows);
    assert_eq!(values(&outcomes, 0), [number(7.0), list(&[2.0, 5.0])]);
    assert_eq!(values(&outcomes, 1), [number(0.0), list(&[])]);
    assert_eq!(outcomes.outcomes()[2], Outcome::OutOfMemory);
    let [Value::Num(sum), Value::Seq(after)] = &values(&outcomes, 3)[..] else { panic!() };
    assert_eq!(sum.to_bits(), f64::NAN.to_bits());
    assert_eq!((after[0].to_bits(), after[1].to_bits()), (f64::NAN.to_bits(), (-0.0f64).to_bits()));
}

#[test]
fn lists_of_every_type_are_changed_in_place() {
    // Swaps the first and the last byte of the list, so that only lists of bytes mean anything; the others are
    // read back as they are when nothing is to be swapped.
    let module = r#"(module (memory 1) (func (export "f") (param $p i32) (param $n i32)))"#;
    for scalar in Scalar::ALL {
        let mut signature = signature(&[("v", Type::List(scalar))], None);
        signature.changed = vec![0];
        let (least, most) = scalar.integers().unwrap_or((-0.5, 1e30f32 as f64));
        let row = vec![list(&[least, most, 1.0])];
        let outcomes = run(module, &signature, std::slice::from_ref(&row));
        assert_eq!(values(&outcomes, 0), row, "{scalar:?}");
    }
}

#[test]
fn pointers_out_of_bounds_are_bad_outputs() {
    let module = r#"(module (memory 1) (data (i32.const 16) "\f0\ff\00\00\20\00\00\00" "\40\00\00\00\ff\ff\ff\ff")
        (func (export "f") (param i32) (result i32) local.get 0))"#;
    let signature = signature(&[("at", S32)], Some(Type::List(Scalar::U8)));
    let rows: Vec<_> = [0.0, 16.0, 24.0, 65_532.0, -8.0, 2.0].map(|at| vec![number(at)]).to_vec();
    let outcomes = run(module, &signature, &rows);
    assert_eq!(values(&outcomes, 0), [list(&[])]);
    assert_eq!(outcomes.outcomes()[1..], [Outcome::BadOutput; 5]);
}

#[test]
fn wide_integers_single_floats_and_nan_come_out_as_they_are() {
    let negated =
        r#"(module (func (export "f") (param i64) (result i64) local.get 0 i64.const -1 i64.mul))"#;
    let outcomes = run(negated, &signature(&[("a", U64)], Some(U64)), &[vec![number(1.0)]]);
    assert_eq!(values(&outcomes, 0), [number(18_446_744_073_709_551_615.0)]);
    let single = r#"(module (func (export "f") (param f32 f32) (result f32) local.get 0 local.get 1 f32.div))"#;
    let rows = [[1.0, 3.0], [0.0, 0.0], [1.0, 0.0], [f64::NAN, 1.0]];
    let rows: Vec<_> = rows.map(|row| row.map(number).to_vec()).to_vec();
    let outcomes = run(single, &signature(&[("a", F32), ("b", F32)], Some(F32)), &rows);
    assert_eq!(values(&outcomes, 0), [number(f64::from(1.0f32 / 3.0))]);
    assert_eq!(values(&outcomes, 2), [number(f64::INFINITY)]);
    for row in [1, 3] {
        let Value::Num(nan) = values(&outcomes, row)[0] else { panic!() };
        assert_eq!(nan.to_bits(), f64::NAN.to_bits());
    }
    // The bits of NaN are those of the canonical one within the code as well.
    let bits = r#"(module (func (export "f") (param f64) (result i64)
        local.get 0 f64.const 0 f64.div i64.reinterpret_f64 i64.const 51 i64.shr_u))"#;
    let outcomes = run(bits, &signature(&[("a", F64)], Some(U64)), &[vec![number(0.0)]]);
    assert_eq!(values(&outcomes, 0), [number(f64::from(0xfff))]);
}

#[test]
fn a_signature_that_does_not_fit_is_refused_with_both() {
    let error = |module: &str, signature: Signature| {
        let (scope, settings) = (Scope::default(), Settings::default());
        WasmSubject::new(module.as_bytes(), "f", signature, &scope, settings)
            .unwrap_err()
            .to_string()
    };
    let module = r#"(module (func (export "f") (param i32 i64) (result i32) i32.const 0))"#;
    assert_eq!(
        error(module, signature(&[("k", S32)], Some(S32))),
        "`f` is declared as func(k: s32) -> s32, which is (i32) -> i32, but the module has (i32, i64) -> i32"
    );
    let text = Type::String;
    let module = r#"(module (func (export "f") (param i32 i32)))"#;
    assert!(error(module, signature(&[("s", text)], None)).contains("no memory"));
    let module =
        r#"(module (memory 1) (func (export "cabi_realloc")) (func (export "f") (param i32 i32)))"#;
    assert!(error(module, signature(&[("s", text)], None)).contains("as (), but it must be"));
    let many: Vec<_> = (0..9).map(|_| ("s", text)).collect();
    assert!(error(module, signature(&many, None)).contains("18 core values"));
    let module = r#"(module (memory 2000) (func (export "f")))"#;
    assert!(error(module, signature(&[], None)).contains("2000 pages"));
    assert!(error("(module", signature(&[], None)).contains("not a valid WebAssembly module"));
    assert!(error("(module)", signature(&[], None)).contains("no function `f`; there are none"));
}

/// Replaces instructions of the only function of a module by others, one at a time.
fn patches(module: &str) -> Vec<Patch> {
    let module = Module::parse(wat::parse_str(module).unwrap()).unwrap();
    let mut patches = Vec::new();
    for (function, body) in module.functions.iter().enumerate() {
        for (i, place) in body.code[..body.code.len() - 1].iter().enumerate() {
            let others: &[u8] = match module.bytes[*place as usize] {
                // Arithmetic by other arithmetic, comparisons by other comparisons.
                0x6a | 0x6b | 0x6d..=0x76 => &[0x6a, 0x6b, 0x6c, 0x6f, 0x74],
                0x46..=0x4f => &[0x46, 0x47, 0x48, 0x4b, 0x4e],
                _ => &[],
            };
            for &with in others {
                let edit = Edit { at: i..i + 1, with: vec![with] };
                let patch =
                    Patch { function: function as u32, locals: Vec::new(), edits: vec![edit] };
                patches.push(patch);
            }
        }
    }
    patches
}

#[test]
fn mutants_do_the_same_whatever_ran_before() {
    let signature = signature(&[("s", Type::String)], Some(Type::String));
    let rows: Vec<_> =
        ["hello", "", "a", "metamorphic relations", "zz"].map(|s| vec![text(s)]).to_vec();
    let forwards = Inputs::from_rows(&signature, rows.iter().map(Vec::as_slice));
    let backwards = Inputs::from_rows(&signature, rows.iter().rev().map(Vec::as_slice));
    let patches = patches(REVERSE);
    assert!(patches.len() > 40);
    let mut seen = [0; 4];
    let mut first = Vec::new();
    for engine in engines() {
        let subject = subject(REVERSE, &signature, engine);
        let originals = [&forwards, &backwards].map(|i| subject.run(Version::Original, i).unwrap());
        for (number, patch) in patches.iter().enumerate() {
            let run = |inputs: &Inputs, original: &Outcomes| {
                let limit = |row: usize| 10 * original.fuel()[row] + 500;
                subject.run_patched(patch, inputs, &limit, Deadline::never())
            };
            let outcomes = run(&forwards, &originals[0]);
            let reversed = run(&backwards, &originals[1]);
            for row in 0..rows.len() {
                same(&outcomes, row, &reversed, rows.len() - 1 - row);
                seen[match outcomes.outcomes()[row] {
                    Outcome::Returned => 0,
                    Outcome::Trapped(_) => 1,
                    Outcome::OutOfFuel => 2,
                    _ => 3,
                }] += 1;
            }
            if engine == Engine::Wasmi {
                first.push(outcomes);
            } else {
                (0..rows.len()).for_each(|row| same(&outcomes, row, &first[number], row));
            }
        }
    }
    assert!(seen.iter().all(|&count| count > 0), "{seen:?}");
}

#[test]
fn threads_may_share_a_subject() {
    let signature = signature(&[("s", Type::String)], Some(Type::String));
    let subject = subject(REVERSE, &signature, Engine::Wasmi);
    let inputs = Inputs::from_rows(&signature, [&[text("abc")][..]; 50]);
    let expected = subject.run(Version::Original, &inputs).unwrap();
    let jobs = Jobs::new(2).unwrap();
    let all =
        jobs.map(&[(); 16], 1, || (), |(), ()| subject.run(Version::Original, &inputs).unwrap());
    assert!(all.iter().all(|outcomes| *outcomes == expected));
}

#[test]
fn patches_may_bring_locals_of_their_own() {
    // f(a) = a * 3, patched to a * 3 + a through a local that the function did not have.
    let module = r#"(module (memory 1) (func (export "f") (param i32) (result i32)
        i32.const 0 local.get 0 i32.const 3 i32.mul i32.store
        i32.const 0 i32.load))"#;
    let signature = signature(&[("a", S32)], Some(S32));
    let inputs = Inputs::from_rows(&signature, [&[number(5.0)][..]]);
    // local.get 0; local.set 1; local.get 1; i32.add
    let code = vec![0x20, 0, 0x21, 1, 0x20, 1, 0x6a];
    let edit = Edit { at: 7..7, with: code };
    let patch = Patch { function: 0, locals: vec![wasmparser::ValType::I32], edits: vec![edit] };
    for engine in engines() {
        let subject = subject(module, &signature, engine);
        let outcomes = subject.run_patched(&patch, &inputs, &|_| 1_000, Deadline::never());
        assert_eq!(values(&outcomes, 0), [number(20.0)]);
    }
}

#[test]
fn what_a_watched_version_notes_is_read_after_every_row() {
    use super::abi::{Abi, find};
    use super::engine::Loader;
    use super::run::Watch;
    use super::watched::WatchedModule;
    // Counts the rounds of its loop in a second memory; its own memory grows.
    let version = r#"(module (memory 0) (memory $notes 1)
        (func (export "f") (param i32) (result i32)
            i32.const 20 memory.grow drop
            loop
                i32.const 8 i32.const 8 i32.load $notes i32.const 1 i32.add i32.store $notes
                local.get 0 i32.const 1 i32.sub local.tee 0 br_if 0
            end
            local.get 0))"#;
    let signature = signature(&[("a", S32)], Some(S32));
    let one = version.replace("(memory $notes 1)", "").replace(
        "i32.const 8 i32.const 8 i32.load $notes i32.const 1 i32.add i32.store $notes",
        "",
    );
    let module = Module::parse(wat::parse_str(one).unwrap()).unwrap();
    let export = find(&module, "f").unwrap();
    let (abi, plan) = Abi::new(&module, export, &signature, 1_000).unwrap();
    let inputs = Inputs::from_rows(&signature, [3.0, 1.0, 7.0, 0.0].map(number).chunks(1));
    for engine in engines() {
        let loader = Loader::new(engine).unwrap();
        let watched = WatchedModule::new(wat::parse_str(version).unwrap(), &plan, &loader).unwrap();
        for _ in 0..2 {
            let mut seen = Vec::new();
            let mut outcomes = Outcomes::new(&signature);
            let read = &mut |memory: &[u8]| seen.push(memory[8]);
            let watch = Watch { memory: 1, blank: &[0, 0, 0, 0, 0, 0, 0, 0, 10, 0, 0, 0], read };
            watched.run(&abi, &inputs, (1_000, Deadline::never()), watch, &mut outcomes);
            assert_eq!(seen[..3], [13, 11, 17]);
            assert_eq!(outcomes.outcomes()[2..], [Outcome::Returned, Outcome::OutOfFuel]);
        }
    }
}
