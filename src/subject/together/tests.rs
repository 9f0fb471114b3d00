//! Which calls fit, and what they come to.

use genmorph_jit::Value;

use super::*;
use crate::subject::wasm::{Engine, WasmDefinition, WasmSubject};
use crate::subject::{Inputs, Subject, Version};

fn signature(text: &str) -> Signature {
    Signature::parse("f", text).unwrap()
}

fn on(names: &[&str]) -> Vec<String> {
    names.iter().map(|name| (*name).to_owned()).collect()
}

#[test]
fn a_second_source_has_a_name_of_its_own_and_what_is_made_of_both_stays_in_the_domain() {
    let mut f = signature("func(s: string, n: s32) -> s32");
    f.parameters[0].domain.max_len = Some(9);
    let both = f.together(&Together::Concat, &on(&["s"])).unwrap();
    assert_eq!(both.calls(), "out = f(s, n), out2 = f(t, n), out_both = f(s ++ t, n)");
    let longest: Vec<_> = both.parameters.iter().map(|p| p.domain.max_len).collect();
    assert_eq!(longest, [Some(4), None, Some(4)]);
    assert!(f.together(&Together::Concat, &on(&["n"])).is_err());
    assert!(f.together(&Together::Associate, &on(&["s", "n"])).is_err());
}

#[test]
fn what_fits_is_found_by_the_kinds_of_parameters_and_result() {
    let names = |text: &str| -> Vec<String> {
        let fitting = signature(text).of_executions().compositions();
        fitting.iter().map(|(how, on)| format!("{} {}", how.name(), on.join(","))).collect()
    };
    assert_eq!(
        names("func(a: s32, b: s32) -> s32"),
        ["Associate a,b", "Triangle a,b", "Sum a", "Sum b"]
    );
    assert_eq!(
        names("func(a: string, b: string) -> u32"),
        ["Triangle a,b", "Concat a", "Concat b"]
    );
    assert_eq!(names("func(p: bool) -> bool"), [""; 0]);
}

#[test]
fn an_inverse_takes_the_result_and_further_parameters_of_the_first() {
    let encode = signature("func(s: string, key: s32) -> list<u8>");
    let decode = Signature::parse("decode", "func(b: list<u8>, key: s32) -> string").unwrap();
    let both = encode.with_second(Role::Inverse, &decode).unwrap();
    let how = Together::Second(Role::Inverse, "decode".to_owned());
    let calls = both.together(&how, &on(&["s", "key"])).unwrap().calls();
    assert_eq!(calls, "out = f(s, key), out_g = decode(f(s, key), key)");
    let wrong = Signature::parse("g", "func(s: string) -> string").unwrap();
    assert_eq!(
        encode.with_second(Role::Inverse, &wrong),
        Err("`g` takes a text, and `f` gives a list of numbers".to_owned())
    );
    let floats = Signature::parse("g", "func(b: list<f64>, key: s32) -> string").unwrap();
    assert!(encode.with_second(Role::Inverse, &floats).is_err());
}

#[test]
fn all_calls_of_a_row_are_made_and_one_that_traps_ends_it() {
    let pow = WasmSubject::defined(&WasmDefinition::demo(), Engine::default()).unwrap();
    let composed = Composed::new(&pow, &Together::Sum, &on(&["e"])).unwrap();
    let signature = composed.signature();
    assert_eq!(signature.calls(), "out = pow(k, e), out2 = pow(k, e2), out_both = pow(k, e + e2)");
    let row = |k: f64, e: f64, e2: f64| vec![Value::Num(k), Value::Num(e), Value::Num(e2)];
    let rows = [row(2.0, 1.0, 2.0), row(2.0, -1.0, 2.0)];
    let inputs = Inputs::from_rows(signature, rows.iter().map(Vec::as_slice));
    let ran = composed.run(Version::Original, &inputs).unwrap();
    let first: Vec<_> = ran.row(0).collect();
    assert_eq!(first, [2.0, 4.0, 8.0].map(Value::Num));
    assert!(!ran.is_returned(1));
    assert_eq!(composed.trace(&inputs).unwrap().outcomes.columns(), ran.columns());
    // A mutant is one in all calls.
    let returns = |number: &usize| {
        let version = Version::Mutant { number: *number, original: &ran };
        composed.run(version, &inputs).unwrap().is_returned(0)
    };
    assert!((0..composed.of_first()).any(|number| returns(&number)));
}
