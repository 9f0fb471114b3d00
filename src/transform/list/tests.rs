//! Which transformations a function has, and which are chosen.

use super::*;
use crate::subject::{Domain, Parameter, Scalar, Type};
use crate::support::seed::Seed;

fn signature(parameters: &[(&str, Type)]) -> Signature {
    let parameter = |&(name, ty): &(&str, Type)| Parameter {
        name: name.to_owned(),
        ty,
        domain: Domain::default(),
    };
    Signature {
        function: "f".to_owned(),
        parameters: parameters.iter().map(parameter).collect(),
        ..Signature::default()
    }
}

fn texts(candidates: &[Candidate]) -> Vec<String> {
    candidates.iter().map(|candidate| candidate.instance.to_string()).collect()
}

fn pool(constants: &[(f64, usize)]) -> Vec<Constant> {
    constants.iter().map(|&(value, count)| Constant { value, count }).collect()
}

const S32: Type = Type::Scalar(Scalar::S32);

#[test]
fn pow_has_the_transformations_of_the_paper() {
    let pow = signature(&[("k", S32), ("e", S32)]);
    let listed = list(&pow, &pool(&[(2.0, 3), (1.0, 5), (0.0, 2), (0.5, 9)]));
    assert_eq!(
        texts(&listed),
        [
            "NumericAddition(1) on k",
            "NumericAddition(-1) on k",
            "NumericAddition(2) on k",
            "NumericMultiplication(-1) on k",
            "NumericMultiplication(2) on k",
            "NumericMultiplication(0) on k",
            "NumericAddition(1) on e",
            "NumericAddition(-1) on e",
            "NumericAddition(2) on e",
            "NumericMultiplication(-1) on e",
            "NumericMultiplication(2) on e",
            "NumericMultiplication(0) on e",
            "PermuteParameters on k, e",
        ]
    );
    assert_eq!(listed[0].weight, 10.0);
    assert_eq!(listed[2].weight, 3.0);
}

#[test]
fn every_type_has_what_it_can_represent() {
    let all = signature(&[
        ("p", Type::Scalar(Scalar::Bool)),
        ("u", Type::Scalar(Scalar::U8)),
        ("x", Type::Scalar(Scalar::F64)),
        ("s", Type::String),
        ("c", Type::Scalar(Scalar::Char)),
    ]);
    let listed = list(&all, &pool(&[(300.0, 1), (0.5, 1), (3.0, 1), (f64::NAN, 4)]));
    assert_eq!(
        texts(&listed),
        [
            "BooleanFlip on p",
            "NumericAddition(1) on u",
            "NumericAddition(-1) on u",
            "NumericAddition(3) on u",
            "NumericMultiplication(3) on u",
            "NumericAddition(1) on x",
            "NumericAddition(-1) on x",
            "NumericAddition(0.5) on x",
            "NumericAddition(3) on x",
            "NumericAddition(300) on x",
            "NumericMultiplication(-1) on x",
            "NumericMultiplication(0.5) on x",
            "NumericMultiplication(3) on x",
            "NumericMultiplication(300) on x",
            "SequenceRemove(0) on s",
            "SequenceRemove(-1) on s",
            "SequenceRemove(3) on s",
            "SequenceFlip on s",
            "NumericAddition(1) on c",
            "NumericAddition(-1) on c",
            "NumericAddition(3) on c",
            "NumericAddition(300) on c",
            "NumericMultiplication(3) on c",
            "NumericMultiplication(300) on c",
        ]
    );
    let bound = all.of_executions();
    for candidate in &listed {
        let text = candidate.instance.to_string();
        assert_eq!(text.parse::<Instance>().unwrap(), candidate.instance);
        candidate.instance.bind(&bound).unwrap();
    }
}

#[test]
fn domains_leave_out_what_can_never_be() {
    let mut narrow = signature(&[("x", S32), ("s", Type::String), ("t", Type::String)]);
    narrow.parameters[0].domain.range = Some((5.0, 9.0));
    narrow.parameters[1].domain.min_len = Some(4);
    narrow.parameters[1].domain.max_len = Some(4);
    narrow.parameters[2].domain.max_len = Some(2);
    let listed = list(&narrow, &pool(&[(4.0, 1), (100.0, 1), (0.0, 1), (2.0, 1), (1.0, 1)]));
    assert_eq!(
        texts(&listed),
        [
            "NumericAddition(1) on x",
            "NumericAddition(-1) on x",
            "NumericAddition(2) on x",
            "NumericAddition(4) on x",
            "SequenceFlip on s",
            "SequenceRemove(0) on t",
            "SequenceRemove(-1) on t",
            "SequenceRemove(1) on t",
            "SequenceFlip on t",
            "PermuteParameters on s, t",
        ]
    );
}

#[test]
fn a_sample_has_every_template_and_parameter_if_it_can() {
    let f = signature(&[("a", S32), ("b", S32), ("s", Type::String)]);
    let constants: Vec<(f64, usize)> = (2..40).map(|c| (f64::from(c), 1)).collect();
    let all = list(&f, &pool(&constants));
    for seed in 0..50 {
        let some = sample(&all, 6, Seed(seed));
        assert_eq!(some.len(), 6);
        assert_eq!(some, sample(&all, 6, Seed(seed)));
        let text = texts(&some).join("; ");
        for name in [
            "PermuteParameters",
            "NumericAddition",
            "NumericMultiplication",
            "SequenceRemove",
            "SequenceFlip",
        ] {
            assert!(text.contains(name), "{text}");
        }
        for parameter in ["a", "b", "s"] {
            assert!(some.iter().any(|c| c.instance.parameters.iter().any(|p| p == parameter)));
        }
    }
    assert_eq!(sample(&all, 1_000, Seed(1)), all);
    assert_eq!(sample(&all, 0, Seed(1)), []);
    assert_eq!(sample(&[], 5, Seed(1)), []);
}

#[test]
fn the_plainest_come_first_and_bit_patterns_never() {
    let f = signature(&[("a", S32), ("x", Type::Scalar(Scalar::F64)), ("s", Type::String)]);
    let constants = pool(&[(4_607_182_418_800_017_400.0, 90), (7.0, 3)]);
    let first = texts(&plainest(&f, &constants, 13));
    assert_eq!(
        first,
        [
            "NumericMultiplication(-1) on a",
            "NumericMultiplication(-1) on x",
            "SequenceFlip on s",
            "SequenceSort on s",
            "NumericAddition(1) on a",
            "NumericAddition(1) on x",
            "SequenceRemove(0) on s",
            "TextUpper on s",
            "SequenceRemove(-1) on s",
            "TextLower on s",
            "NumericMultiplication(2) on a",
            "NumericMultiplication(2) on x",
            "SequenceRotate(1) on s",
        ]
    );
    let all = texts(&plainest(&f, &constants, 1_000));
    assert!(!all.iter().any(|text| text.contains("4607182418800017")), "{all:?}");
    let place = |text: &str| all.iter().position(|known| known == text).unwrap();
    assert!(place("NumericAddition(-1) on a") < place("NumericAddition(7) on a"));
}

#[test]
fn parameters_of_a_type_are_operands_of_each_other_and_change_together() {
    let gcd = signature(&[("a", S32), ("b", S32)]);
    let first = texts(&plainest(&gcd, &pool(&[(3.0, 9)]), 12));
    assert_eq!(
        first,
        [
            "PermuteParameters on a, b",
            "NumericMultiplication(-1) on a",
            "NumericMultiplication(-1) on b",
            "NumericAddition(1) on a",
            "NumericAddition(1) on b",
            "NumericMultiplication(2) on a",
            "NumericMultiplication(2) on b",
            "NumericAddition(b) on a",
            "NumericAddition(a) on b",
            "NumericMultiplication(2) on a, b",
            "NumericMultiplication(-1) on a, b",
            "NumericAddition(1) on a, b",
        ]
    );
    let points = signature(&[("a", S32), ("b", S32), ("c", S32), ("d", S32)]);
    let all = texts(&fitting(&points, &[]));
    assert!(all.contains(&"PermuteParameters on a, c and b, d".to_owned()), "{all:?}");
}

#[test]
fn every_listed_transformation_fits_and_reads_back() {
    let mut all = signature(&[
        ("p", Type::Scalar(Scalar::Bool)),
        ("q", Type::Scalar(Scalar::Bool)),
        ("n", S32),
        ("m", S32),
        ("x", Type::Scalar(Scalar::F64)),
        ("c", Type::Scalar(Scalar::Char)),
        ("s", Type::String),
        ("t", Type::String),
        ("a", Type::List(Scalar::S32)),
        ("b", Type::List(Scalar::Bool)),
    ]);
    all.parameters[2].domain.range = Some((0.0, 10.0));
    let listed = fitting(&all, &pool(&[(3.0, 1), (0.5, 2)]));
    let bound = all.of_executions();
    let mut seen: Vec<String> = Vec::new();
    for candidate in &listed {
        let text = candidate.instance.to_string();
        assert_eq!(text.parse::<Instance>().unwrap(), candidate.instance);
        candidate.instance.bind(&bound).unwrap();
        check(&candidate.instance, &all).unwrap();
        assert!(!seen.contains(&text), "{text} is listed twice");
        seen.push(text);
    }
    for text in [
        "NumericComplement(10) on n",
        "NumericComplement(m) on n",
        "NumericMultiplication(n) on x",
        "SequenceAppend('a') on s",
        "SequenceAppend(c) on s",
        "SequenceAppend(t) on s",
        "SequenceAppend(n) on a",
        "SequenceAdd(m) on a",
        "SequenceSort on b",
        "TextLower on s, t",
        "BooleanFlip on p, q",
    ] {
        assert!(seen.iter().any(|known| known == text), "{text} is not listed: {seen:#?}");
    }
    assert!(!seen.iter().any(|text| text.starts_with("SequenceAdd") && text.ends_with("on b")));
    let list = list(&all, &pool(&[(3.0, 1), (0.5, 2)]));
    assert_eq!(listed[..list.len()], list, "the paper's come first");
}

#[test]
fn changes_that_a_domain_never_allows_are_not_listed() {
    let mut narrow = signature(&[("s", Type::String), ("a", Type::List(Scalar::U8))]);
    narrow.parameters[0].domain.alphabet = Some(vec!['0', '1']);
    narrow.parameters[1].domain.max_len = Some(1);
    let all = texts(&fitting(&narrow, &[]));
    let has = |start: &str, end: &str| {
        all.iter().any(|text| text.starts_with(start) && text.ends_with(end))
    };
    assert!(!has("Text", "on s") && !has("SequenceSort", "on a") && !has("SequenceDouble", "on a"));
    assert!(has("SequenceAppend('0')", "on s") && has("SequenceAppend(0)", "on a"));
    assert!(!has("SequenceMultiply(-1)", "on a") && has("SequenceMultiply(2)", "on a"));
}

#[test]
fn constants_that_lead_nowhere_are_refused() {
    let f = signature(&[("n", S32), ("a", Type::List(Scalar::U8)), ("b", Type::List(Scalar::U8))]);
    let refused = |text: &str| check(&text.parse().unwrap(), &f).unwrap_err().to_string();
    assert!(refused("NumericComplement(0.5) on n").contains("`n` is of type s32"));
    assert!(refused("SequenceAppend(300) on a").contains("`a` is of type list<u8> from 0 to 255"));
    assert!(refused("SequenceAdd(0.5) on b, a").contains("`a` is of type list<u8>"));
    assert!(check(&"SequenceAdd(1) on a, b".parse().unwrap(), &f).is_ok());
}

#[test]
fn frequent_constants_are_preferred() {
    let f = signature(&[("a", S32)]);
    let all = list(&f, &pool(&[(7.0, 50), (11.0, 1), (13.0, 1), (17.0, 1)]));
    let with = |text: &str| {
        let has = |seed| texts(&sample(&all, 5, Seed(seed))).iter().any(|t| t.contains(text));
        (0..200).filter(|&seed| has(seed)).count()
    };
    let (often, seldom) = (with("Addition(7)"), with("Addition(11)"));
    assert!(often > 4 * seldom, "{often} {seldom}");
}
