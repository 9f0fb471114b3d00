//! Probes at work: what they tell, and that they change nothing.

use wasmi::Val;

use super::*;
use crate::subject::wasm::testing::{DAYS, EXAMPLES, GCD, Machine, parse};

/// What a call did: hits and distances of all sides.
fn trace(text: &str, export: &str, arguments: &[Val]) -> (Vec<u32>, Vec<f64>) {
    let module = parse(text);
    let all: Vec<usize> = (0..module.functions.len()).collect();
    let probes = Probes::new(&module, &all);
    let mut machine = Machine::new(&probes.binary(&module));
    let blank = probes.blank();
    machine.memory(Probes::MEMORY)[..blank.len()].copy_from_slice(&blank);
    machine.call(export, arguments);
    let (mut hits, mut distances) = (Vec::new(), Vec::new());
    probes.read(machine.memory(Probes::MEMORY), &mut hits, &mut distances);
    (hits, distances)
}

/// The distances of the false and the true side of a condition on a and b, of a type.
fn distances(ty: &str, condition: &str, arguments: &[Val]) -> [f64; 2] {
    let text = format!(
        "(module (func (export \"f\") (param $a {ty}) (param $b {ty}) (if {condition} (then nop))))"
    );
    trace(&text, "f", arguments).1.try_into().unwrap()
}

#[test]
fn integers_are_as_far_as_their_difference() {
    let of = |operator: &str, a: i32, b: i32| {
        let condition = format!("(i32.{operator} (local.get $a) (local.get $b))");
        distances("i32", &condition, &[Val::I32(a), Val::I32(b)])
    };
    assert_eq!(of("eq", 3, 10), [0.0, 7.0]);
    assert_eq!(of("eq", 3, 3), [1.0, 0.0]);
    assert_eq!(of("ne", 3, 3), [0.0, 1.0]);
    assert_eq!(of("ne", -3, 3), [6.0, 0.0]);
    assert_eq!(of("lt_s", 3, 3), [0.0, 1.0]);
    assert_eq!(of("lt_s", 8, 3), [0.0, 6.0]);
    assert_eq!(of("lt_s", -8, 3), [11.0, 0.0]);
    assert_eq!(of("le_s", 3, 3), [1.0, 0.0]);
    assert_eq!(of("le_s", 5, 3), [0.0, 2.0]);
    assert_eq!(of("gt_s", 3, 5), [0.0, 3.0]);
    assert_eq!(of("ge_s", 3, 5), [0.0, 2.0]);
    assert_eq!(of("ge_s", 7, 5), [3.0, 0.0]);
    assert_eq!(of("lt_u", -1, 5), [0.0, 4_294_967_291.0], "-1 is 2^32 - 1");
    assert_eq!(of("eq", i32::MIN, i32::MAX), [0.0, 4_294_967_295.0]);
}

#[test]
fn wide_integers_and_floats_never_seem_nearer_than_they_are() {
    let long = |operator: &str, a: i64, b: i64| {
        let condition = format!("(i64.{operator} (local.get $a) (local.get $b))");
        distances("i64", &condition, &[Val::I64(a), Val::I64(b)])
    };
    assert_eq!(long("eq", i64::MAX, i64::MAX - 1), [0.0, 1.0]);
    assert_eq!(long("gt_u", 5, -1), [0.0, 18_446_744_073_709_551_616.0]);
    let float = |operator: &str, a: f64, b: f64| {
        let condition = format!("(f64.{operator} (local.get $a) (local.get $b))");
        distances("f64", &condition, &[Val::F64(a.into()), Val::F64(b.into())])
    };
    assert_eq!(float("eq", 1.5, 1.25), [0.0, 0.25]);
    assert_eq!(float("lt", 1.5, 1.25), [0.0, 1.25]);
    assert_eq!(float("eq", f64::NAN, 1.0), [0.0, distance::HUGE]);
    assert_eq!(float("le", f64::INFINITY, f64::INFINITY), [distance::HUGE, 0.0]);
    assert_eq!(float("ge", f64::NAN, f64::NAN), [0.0, distance::HUGE]);
    assert_eq!(float("gt", 1.0, f64::INFINITY), [0.0, f64::INFINITY]);
}

#[test]
fn flags_are_one_away_and_numbers_as_far_as_they_are_from_zero() {
    let of =
        |condition: &str, a: i32, b: i32| distances("i32", condition, &[Val::I32(a), Val::I32(b)]);
    assert_eq!(of("(local.get $a)", 0, 0), [0.0, 1.0]);
    assert_eq!(of("(local.get $a)", -9, 0), [9.0, 0.0]);
    assert_eq!(of("(i32.eqz (local.get $a))", -9, 0), [0.0, 9.0]);
    assert_eq!(of("(i32.eqz (local.get $a))", 0, 0), [1.0, 0.0]);
    assert_eq!(of("(i32.eqz (i32.lt_s (local.get $a) (local.get $b)))", 2, 9), [0.0, 7.0]);
}

#[test]
fn conditions_of_several_parts_add_up_or_take_the_nearer_one() {
    let of = |operator: &str, a: i32, b: i32| {
        let condition = format!(
            "(i32.{operator} (i32.gt_s (local.get $a) (i32.const 10)) (i32.eq (local.get $b) (i32.const 20)))"
        );
        distances("i32", &condition, &[Val::I32(a), Val::I32(b)])
    };
    assert_eq!(of("and", 7, 15), [0.0, 4.0 + 5.0]);
    assert_eq!(of("and", 11, 15), [0.0, 5.0]);
    assert_eq!(of("and", 13, 20), [1.0, 0.0], "3 to the left, 1 to the right");
    assert_eq!(of("or", 7, 15), [0.0, 4.0]);
    assert_eq!(of("or", 13, 20), [3.0 + 1.0, 0.0]);
    assert_eq!(of("or", 7, 20), [1.0, 0.0]);
}

#[test]
fn loops_count_their_iterations() {
    let (hits, distances) = trace(GCD, "gcd", &[Val::I32(12), Val::I32(18)]);
    assert_eq!((hits, distances), (vec![1, 3], vec![0.0, 0.0]));
    let (hits, distances) = trace(GCD, "gcd", &[Val::I32(12), Val::I32(0)]);
    assert_eq!((hits, distances), (vec![1, 0], vec![0.0, 1.0]));
}

#[test]
fn a_table_is_a_branch_for_every_target() {
    let (hits, distances) = trace(DAYS, "days", &[Val::I32(4), Val::I32(0)]);
    // February to June: 2, 3, 4, 5, 6; then the leap year.
    assert_eq!(hits[..10], [1, 0, 1, 0, 0, 1, 1, 0, 1, 0]);
    assert_eq!(distances[..10], [0.0, 2.0, 0.0, 1.0, 1.0, 0.0, 0.0, 1.0, 0.0, 2.0]);
    assert_eq!((&hits[10..], &distances[10..]), (&[0, 0][..], &[f64::INFINITY; 2][..]));
}

#[test]
fn the_nearest_of_many_visits_counts() {
    let text = "(module (func (export \"f\") (param $n i32)
        (loop $next
          (local.set $n (i32.sub (local.get $n) (i32.const 7)))
          (drop (select (i32.const 1) (i32.const 2) (i32.eq (local.get $n) (i32.const 50))))
          (br_if $next (i32.gt_s (local.get $n) (i32.const 0))))))";
    let (hits, distances) = trace(text, "f", &[Val::I32(100)]);
    assert_eq!((hits, distances), (vec![15, 0, 1, 14], vec![0.0, 1.0, 0.0, 0.0]));
}

#[test]
fn probes_do_not_change_what_functions_do() {
    let values = [-7, -1, 0, 1, 2, 3, 6, 12, 100];
    for (name, text) in EXAMPLES {
        let module = parse(text);
        let all: Vec<usize> = (0..module.functions.len()).collect();
        let probes = Probes::new(&module, &all);
        let mut original = Machine::new(&module.bytes);
        let mut probed = Machine::new(&probes.binary(&module));
        let params = &module.functions[0].params;
        for a in values {
            for b in values {
                let arguments: Vec<Val> = params
                    .iter()
                    .zip([a, b, 5])
                    .map(|(ty, value)| match ty {
                        ValType::I32 => Val::I32(value),
                        ValType::I64 => Val::I64(value.into()),
                        ValType::F32 => Val::F32((value as f32 / 2.0).into()),
                        _ => Val::F64((f64::from(value) / 2.0).into()),
                    })
                    .collect();
                let [first, second] = [&mut original, &mut probed]
                    .map(|machine| format!("{:?}", machine.call(name, &arguments)));
                // What takes long may take too long with probes.
                if first != "None" && second != "None" {
                    assert_eq!(first, second, "{name}({a}, {b})");
                }
            }
        }
    }
}

#[test]
fn locals_are_used_again() {
    let branch = "(if (i32.lt_s (local.get 0) (i32.const 3)) (then nop))";
    let text = format!("(module (func (param i32) {}))", branch.repeat(50));
    let module = parse(&text);
    let probes = Probes::new(&module, &[0]);
    assert_eq!((probes.branches.len(), probes.patches[0].locals.len()), (50, 5));
}
