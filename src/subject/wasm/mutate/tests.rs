//! Mutants of many functions: which there are, and that they run.

use std::collections::BTreeSet;

use wasmi::Val;
use wasmparser::Validator;

use super::*;
use crate::subject::wasm::module::features;
use crate::subject::wasm::splice;
use crate::subject::wasm::testing::{EXAMPLES, GCD, Machine, POW, SORT, parse};

fn all(module: &Module) -> Vec<(Mutant, Patch)> {
    mutants(module, &(0..module.functions.len()).collect::<Vec<_>>())
}

/// The changes of a function, by group: `AOR: i32.sub instead of i32.add`.
fn listed(text: &str, group: Group) -> Vec<String> {
    let mutants = all(&parse(text)).into_iter().filter(|(mutant, _)| mutant.group == group);
    mutants.map(|(mutant, _)| format!("{}: {}", mutant.operator, mutant.change)).collect()
}

/// A function of x and y, both i32, and n, f64.
fn function(body: &str) -> String {
    format!(
        "(module (memory 1) (func $f (param $x i32) (param $y i32) (param $n f64) {body})
           (func $g (param i32 i64) (result i32) (unreachable))
           (func $h (param f64)))"
    )
}

fn check(body: &str, a: &[&str], b: &[&str]) {
    let text = function(body);
    let of_f = |group| {
        let mutants = mutants(&parse(&text), &[0]).into_iter();
        let mutants = mutants.filter(move |(mutant, _)| mutant.group == group);
        // Variables have their own case.
        let mutants = mutants.filter(|(mutant, _)| !["UOI", "VRR"].contains(&mutant.operator));
        mutants.map(|(m, _)| format!("{}: {}", m.operator, m.change)).collect::<Vec<_>>()
    };
    assert_eq!(of_f(Group::A), a, "group A of {body}");
    assert_eq!(of_f(Group::B), b, "group B of {body}");
}

#[test]
fn arithmetic_is_changed_to_other_arithmetic_or_to_an_operand() {
    check(
        "(drop (i32.add (local.get $x) (local.get $y)))",
        &[
            "AOR: i32.sub instead of i32.add",
            "AOR: i32.mul instead of i32.add",
            "AOR: i32.div_s instead of i32.add",
            "AOR: i32.rem_s instead of i32.add",
        ],
        &["AOD: only the left operand of i32.add", "AOD: only the right operand of i32.add"],
    );
    check(
        "(drop (f64.div (local.get $n) (local.get $n)))",
        &[
            "AOR: f64.add instead of f64.div",
            "AOR: f64.sub instead of f64.div",
            "AOR: f64.mul instead of f64.div",
        ],
        &["AOD: only the left operand of f64.div", "AOD: only the right operand of f64.div"],
    );
}

#[test]
fn signs_are_kept() {
    check(
        "(drop (i32.rem_u (local.get $x) (local.get $y)))",
        &[
            "AOR: i32.add instead of i32.rem_u",
            "AOR: i32.sub instead of i32.rem_u",
            "AOR: i32.mul instead of i32.rem_u",
            "AOR: i32.div_u instead of i32.rem_u",
        ],
        &["AOD: only the left operand of i32.rem_u", "AOD: only the right operand of i32.rem_u"],
    );
}

#[test]
fn bits_and_shifts_are_changed() {
    check(
        "(drop (i32.shl (i32.xor (local.get $x) (local.get $y)) (local.get $y)))",
        &[
            "LOR: i32.and instead of i32.xor",
            "LOR: i32.or instead of i32.xor",
            "SOR: i32.shr_s instead of i32.shl",
            "SOR: i32.shr_u instead of i32.shl",
        ],
        &[
            "AOD: only the left operand of i32.xor",
            "AOD: only the right operand of i32.xor",
            "AOD: only the left operand of i32.shl",
            "AOD: only the right operand of i32.shl",
        ],
    );
}

#[test]
fn comparisons_are_shared_between_the_groups() {
    check(
        "(drop (i32.lt_s (local.get $x) (local.get $y)))",
        &[
            "ROR: i32.gt_s instead of i32.lt_s",
            "ROR: i32.eq instead of i32.lt_s",
            "ROR: i32.ne instead of i32.lt_s",
        ],
        &["CBM: i32.le_s instead of i32.lt_s", "NEG: i32.ge_s instead of i32.lt_s"],
    );
    check(
        "(drop (f64.eq (local.get $n) (local.get $n)))",
        &["ROR: f64.le instead of f64.eq", "ROR: f64.ge instead of f64.eq"],
        &["NEG: f64.ne instead of f64.eq"],
    );
    check(
        "(drop (i32.eqz (local.get $x)))",
        &["ROR: <= 0 instead of == 0", "ROR: >= 0 instead of == 0"],
        &["NEG: != 0 instead of == 0"],
    );
}

#[test]
fn conditions_become_constant_or_are_negated_once() {
    check(
        "(if (i32.eqz (i32.eq (local.get $x) (local.get $y))) (then nop))",
        &[
            "ROR: i32.le_s instead of i32.eq",
            "ROR: i32.ge_s instead of i32.eq",
            "COR: condition always true",
            "COR: condition always false",
        ],
        &["NEG: i32.ne instead of i32.eq"],
    );
    check(
        "(if (local.get $x) (then nop))",
        &[
            "ROR: condition <= 0 instead of != 0",
            "ROR: condition >= 0 instead of != 0",
            "COR: condition always true",
            "COR: condition always false",
        ],
        &["NEG: condition negated"],
    );
    check(
        "(if (i32.and (i32.eqz (local.get $x)) (f64.lt (local.get $n) (local.get $n))) (then nop))",
        &[
            "ROR: <= 0 instead of == 0",
            "ROR: >= 0 instead of == 0",
            "ROR: f64.gt instead of f64.lt",
            "ROR: f64.eq instead of f64.lt",
            "ROR: f64.ne instead of f64.lt",
            "COR: i32.or instead of i32.and",
            "COR: only the left condition",
            "COR: only the right condition",
            "COR: condition always true",
            "COR: condition always false",
        ],
        &[
            "NEG: != 0 instead of == 0",
            "CBM: f64.le instead of f64.lt",
            "NEG: f64.ge instead of f64.lt",
            "NEG: condition negated",
        ],
    );
}

#[test]
fn constants_are_changed_by_both_groups_to_different_numbers() {
    check(
        "(drop (i32.const 5))",
        &[
            "LVR: constant 0 instead of 5",
            "LVR: constant 1 instead of 5",
            "LVR: constant -1 instead of 5",
            "LVR: constant -5 instead of 5",
        ],
        &[
            "CRCR: constant 6 instead of 5",
            "CRCR: constant 4 instead of 5",
            "CRCR: constant 10 instead of 5",
        ],
    );
}

#[test]
fn negations_and_statements_are_left_out() {
    check(
        "(local.set $x (i32.sub (i32.const 0) (local.get $y)))",
        &["ORU: negation removed", "STD: assignment to x removed"],
        &[],
    );
    check("(drop (f64.neg (local.get $n)))", &["ORU: negation removed"], &[]);
    check(
        "(i32.store8 (local.get $x) (local.get $y)) (call $h (local.get $n))",
        &["STD: assignment to memory removed", "STD: call of h removed"],
        &[],
    );
    check(
        "(drop (call $g (local.get $x) (i64.extend_i32_s (local.get $y))))",
        &["STD: call of g removed"],
        &[],
    );
    check(
        "(drop (i32.clz (call $g (local.get $x) (i64.extend_i32_s (local.get $y)))))",
        &[],
        &["MCR: first argument of g instead of its result"],
    );
}

#[test]
fn functions_are_swapped_and_loops_left() {
    check(
        "(drop (f64.floor (f64.min (local.get $n) (local.get $n))))",
        &[],
        &["MCR: f64.max instead of f64.min", "MCR: f64.ceil instead of f64.floor"],
    );
    check("(loop (br 0))", &[], &["LBM: loop left after its first iteration"]);
}

#[test]
fn variables_are_changed_a_little_or_exchanged() {
    let text = "(module (func (param $x i32) (param $y i32) (param $n f64) (local $once i32)
        (local.set $once (i32.clz (local.get $x))) (drop (local.get $once))))";
    let expected = [
        "UOI: x + 1 instead of x",
        "UOI: x - 1 instead of x",
        "UOI: -x instead of x",
        "VRR: y instead of x",
        "UOI: once + 1 instead of once",
        "UOI: once - 1 instead of once",
        "UOI: -once instead of once",
    ];
    assert_eq!(listed(text, Group::B), expected);
}

#[test]
fn results_are_changed_where_they_are_returned() {
    let text = "(module (func (param $x i64) (result i64)
        (if (i64.eqz (local.get $x)) (then (return (i64.clz (local.get $x)))))
        (i64.const 7)))";
    let returned: Vec<String> =
        listed(text, Group::B).into_iter().filter(|text| text.starts_with("RET")).collect();
    let expected = ["RET: 0 returned", "RET: one more returned", "RET: negated result returned"];
    assert_eq!(returned, expected);
}

#[test]
fn what_the_compiler_added_stays_as_it_is() {
    let frame = all(&parse(crate::subject::wasm::testing::FRAME));
    let changes: Vec<&str> = frame.iter().map(|(mutant, _)| &*mutant.change).collect();
    assert!(changes.iter().all(|change| !change.contains("16") && !change.contains("fp")));
    assert!(changes.contains(&"constant 6 instead of 5"), "{changes:?}");
    let sort = all(&parse(SORT));
    let changes = sort.iter().map(|(mutant, _)| &*mutant.change);
    assert!(changes.clone().all(|change| !change.ends_with("instead of 2")), "sizes of elements");
    assert!(changes.clone().all(|change| !change.contains("list + 1")), "bases of lists");
    assert!(changes.clone().any(|change| change == "j + 1 instead of j"));
}

#[test]
fn unreachable_code_has_no_mutants() {
    let round = all(&parse(crate::subject::wasm::testing::ROUND));
    assert!(round.iter().all(|(mutant, _)| !mutant.change.contains("7")));
}

#[test]
fn every_mutant_is_valid_and_no_two_have_the_same_code() {
    for (name, text) in EXAMPLES {
        let module = parse(text);
        let mut seen = BTreeSet::from([splice::module(&module, &[], None)]);
        for (mutant, patch) in all(&module) {
            let binary = splice::module(&module, std::slice::from_ref(&patch), None);
            let valid = Validator::new_with_features(features()).validate_all(&binary);
            assert!(valid.is_ok(), "{name}: {mutant}: {:?}", valid.err());
            assert!(seen.insert(binary), "{name}: {mutant} is there already");
        }
    }
}

#[test]
fn the_groups_have_no_operator_in_common_and_all_operators_are_used() {
    let mut used = [BTreeSet::new(), BTreeSet::new()];
    for (_, text) in EXAMPLES {
        for (mutant, _) in all(&parse(text)) {
            used[mutant.group as usize].insert(mutant.operator);
        }
    }
    assert!(used[0].is_disjoint(&used[1]));
    let names: BTreeSet<&str> = Rule::ALL.iter().map(|rule| rule.name()).collect();
    assert_eq!(used[0].union(&used[1]).copied().collect::<BTreeSet<_>>(), names);
}

#[test]
fn names_count_in_the_order_of_the_code() {
    let mutants = all(&parse(POW));
    for group in [Group::A, Group::B] {
        let of_group: Vec<&Mutant> =
            mutants.iter().map(|(mutant, _)| mutant).filter(|m| m.group == group).collect();
        assert!(of_group.is_sorted_by_key(|mutant| mutant.offset));
        for (number, mutant) in of_group.iter().enumerate() {
            assert_eq!(mutant.name, format!("{group:?}{}", number + 1));
        }
    }
    assert_eq!(mutants, all(&parse(POW)), "the same every time");
}

#[test]
fn small_functions_have_some_dozens_of_mutants_in_each_group() {
    for (name, text) in EXAMPLES {
        let mutants = all(&parse(text));
        for group in [Group::A, Group::B] {
            let count = mutants.iter().filter(|(mutant, _)| mutant.group == group).count();
            assert!((8..=200).contains(&count), "{name} has {count} in {group:?}");
        }
    }
}

#[test]
fn mutants_do_what_they_say() {
    let module = parse(GCD);
    let run = |change: &str| {
        let mutants = all(&module);
        let found = mutants.iter().find(|(mutant, _)| mutant.change == change);
        let (_, patch) = found.unwrap_or_else(|| panic!("no mutant has {change}"));
        let binary = splice::module(&module, std::slice::from_ref(patch), None);
        let results = Machine::new(&binary).call("gcd", &[Val::I32(12), Val::I32(18)]);
        results.map(|results| results[0].i32().unwrap())
    };
    assert_eq!(run("i32.div_u instead of i32.rem_u"), Some(18));
    assert_eq!(run("condition always false"), Some(12));
    assert_eq!(run("condition always true"), None, "division by zero");
    assert_eq!(run("loop left after its first iteration"), Some(18));
    assert_eq!(run("0 returned"), Some(0));
    assert_eq!(run("only the left operand of i32.rem_u"), None, "does not end");
    assert_eq!(run("assignment to b removed"), None, "does not end");
    assert_eq!(run("i32.eq instead of i32.ne"), Some(12));
}

#[test]
fn most_mutants_of_a_power_differ_from_it_somewhere() {
    let module = parse(POW);
    let outcomes = |binary: &[u8]| {
        let mut machine = Machine::new(binary);
        let mut results = Vec::new();
        for k in -3..4 {
            for e in 0..6 {
                let result = machine.call("pow", &[Val::I32(k), Val::I64(e)]);
                results.push(result.map(|result| result[0].i32().unwrap()));
            }
        }
        results
    };
    let original = outcomes(&module.bytes);
    let mutants = all(&module);
    let differ = mutants.iter().filter(|(_, patch)| {
        outcomes(&splice::module(&module, std::slice::from_ref(patch), None)) != original
    });
    let differ = differ.count();
    assert!(differ * 10 > mutants.len() * 7, "{differ} of {}", mutants.len());
}
