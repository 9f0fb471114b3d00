//! Transformations from their texts to their follow-ups and input relations.

use genmorph_jit::engine::reference;
use genmorph_jit::{Column, Predicate, Table, Tolerance, Value, parse};

use super::*;
use crate::subject::kinds::{Interface, Kind, Parameter};

fn signature() -> Interface {
    let parameter = |(name, kind): (&str, Kind)| Parameter { name: name.to_owned(), kind };
    Interface {
        function: "f".to_owned(),
        inputs: [
            ("k", Kind::Number),
            ("e", Kind::Number),
            ("p", Kind::Boolean),
            ("s", Kind::Text),
            ("a", Kind::Numbers),
        ]
        .map(parameter)
        .to_vec(),
        outputs: Vec::new(),
        ..Interface::default()
    }
}

fn bind(text: &str) -> Result<Transform, TransformError> {
    text.parse::<Instance>()?.bind(&signature())
}

/// Transformations whose whole input relation the relation language can say.
const ALL: [(&str, &str); 14] = [
    (
        "PermuteParameters on k, e",
        "k_f == e_s and e_f == k_s and p_f == p_s and s_f == s_s and a_f == a_s",
    ),
    ("BooleanFlip on p", "k_f == k_s and e_f == e_s and p_f != p_s and s_f == s_s and a_f == a_s"),
    (
        "NumericAddition(-1) on e",
        "k_f == k_s and e_f == e_s - 1 and p_f == p_s and s_f == s_s and a_f == a_s",
    ),
    (
        "NumericAddition(0.1) on e",
        "k_f == k_s and e_f == e_s + 0.1 and p_f == p_s and s_f == s_s and a_f == a_s",
    ),
    (
        "NumericMultiplication(-2.5e-7) on k",
        "k_f == k_s * -2.5e-7 and e_f == e_s and p_f == p_s and s_f == s_s and a_f == a_s",
    ),
    (
        "SequenceRemove(-1) on s",
        "k_f == k_s and e_f == e_s and p_f == p_s and s_f == remove(s_s, -1) and a_f == a_s",
    ),
    (
        "SequenceRemove(7) on a",
        "k_f == k_s and e_f == e_s and p_f == p_s and s_f == s_s and a_f == remove(a_s, 7)",
    ),
    (
        "SequenceFlip on s",
        "k_f == k_s and e_f == e_s and p_f == p_s and s_f == flip(s_s) and a_f == a_s",
    ),
    (
        "SequenceFlip on a",
        "k_f == k_s and e_f == e_s and p_f == p_s and s_f == s_s and a_f == flip(a_s)",
    ),
    (
        "NumericAddition(e) on k",
        "k_f == k_s + e_s and e_f == e_s and p_f == p_s and s_f == s_s and a_f == a_s",
    ),
    (
        "NumericMultiplication(2) on k, e",
        "k_f == k_s * 2 and e_f == e_s * 2 and p_f == p_s and s_f == s_s and a_f == a_s",
    ),
    (
        "NumericComplement(10) on e",
        "k_f == k_s and e_f == 10 - e_s and p_f == p_s and s_f == s_s and a_f == a_s",
    ),
    (
        "SequenceTruncate(-1) on a",
        "k_f == k_s and e_f == e_s and p_f == p_s and s_f == s_s and a_f == truncate(a_s, -1)",
    ),
    (
        "SequenceFlip on s, a",
        "k_f == k_s and e_f == e_s and p_f == p_s and s_f == flip(s_s) and a_f == flip(a_s)",
    ),
];

/// Transformations of a text `s` or of numbers `a`, the term that `s` or `a` becomes, and the follow-up of "Aß𝄞b" or of 3, 1, 2, with
/// k = 5 and e = 7. The relation language may not have all of the terms.
const SEQUENCES: [(&str, &str, &[f64]); 24] = [
    ("SequenceSort on a", "sort(a_s)", &[1.0, 2.0, 3.0]),
    ("SequenceSort on s", "sort(s_s)", &[65.0, 98.0, 223.0, 119_070.0]),
    ("SequenceRotate(1) on a", "rotate(a_s, 1)", &[1.0, 2.0, 3.0]),
    ("SequenceRotate(-4) on a", "rotate(a_s, -4)", &[2.0, 3.0, 1.0]),
    ("SequenceSwap(0, -1) on a", "swap(a_s, 0, -1)", &[2.0, 1.0, 3.0]),
    ("SequenceSwap(0, 3) on a", "swap(a_s, 0, 3)", &[3.0, 1.0, 2.0]),
    ("SequenceAppend(0) on a", "append(a_s, 0)", &[3.0, 1.0, 2.0, 0.0]),
    ("SequenceAppend(k) on a", "append(a_s, k_s)", &[3.0, 1.0, 2.0, 5.0]),
    ("SequenceAppend(a[-1]) on a", "append(a_s, at(a_s, -1))", &[3.0, 1.0, 2.0, 2.0]),
    ("SequenceAppend('x') on s", "append(s_s, 'x')", &[65.0, 223.0, 119_070.0, 98.0, 120.0]),
    ("SequenceAppend(a) on a", "a_s ++ a_s", &[3.0, 1.0, 2.0, 3.0, 1.0, 2.0]),
    ("SequencePrepend(s[0]) on a", "prepend(a_s, at(s_s, 0))", &[65.0, 3.0, 1.0, 2.0]),
    ("SequenceAdd(-1) on a", "add(a_s, -1)", &[2.0, 0.0, 1.0]),
    ("SequenceAdd(e) on a", "add(a_s, e_s)", &[10.0, 8.0, 9.0]),
    ("SequenceMultiply(2) on a", "multiply(a_s, 2)", &[6.0, 2.0, 4.0]),
    ("SequenceDouble on a", "a_s ++ a_s", &[3.0, 1.0, 2.0, 3.0, 1.0, 2.0]),
    ("SequenceTruncate(2) on a", "truncate(a_s, 2)", &[3.0, 1.0]),
    ("SequenceTruncate(-2) on a", "truncate(a_s, -2)", &[2.0]),
    ("SequenceTruncate(9) on a", "truncate(a_s, 9)", &[3.0, 1.0, 2.0]),
    ("SequenceReplace(1, k) on a", "replace(a_s, 1, k_s)", &[3.0, 5.0, 2.0]),
    ("TextUpper on s", "uppercase(s_s)", &[65.0, 83.0, 83.0, 119_070.0, 66.0]),
    ("TextLower on s", "lowercase(s_s)", &[97.0, 223.0, 119_070.0, 98.0]),
    ("TextSwapCase on s", "swapCase(s_s)", &[97.0, 83.0, 83.0, 119_070.0, 66.0]),
    ("SequenceFlip on s", "flip(s_s)", &[98.0, 119_070.0, 223.0, 65.0]),
];

/// k = 5, e = 7, the text "Aß𝄞b" and the numbers 3, 1, 2.
fn source() -> [Value<'static>; 5] {
    [
        Value::Num(5.0),
        Value::Num(7.0),
        Value::Bool(true),
        Value::Seq("Aß𝄞b".chars().map(|c| f64::from(u32::from(c))).collect::<Vec<_>>().into()),
        Value::Seq(vec![3.0, 1.0, 2.0].into()),
    ]
}

#[test]
fn sequences_become_what_their_terms_say() {
    for (text, term, expected) in SEQUENCES {
        let transform = bind(text).unwrap();
        let (place, name) = if text.ends_with('s') { (3, "s") } else { (4, "a") };
        assert_eq!(transform.describe().name, text);
        let relation = transform.input_relation();
        assert!(relation.contains(&format!("{name}_f == {term}")), "{relation}");
        let follow_up = transform.apply(&source()).unwrap();
        assert_eq!(follow_up[place], Value::Seq(expected.to_vec().into()), "{text}");
        let others = (0..5).filter(|at| *at != place);
        others.for_each(|at| assert_eq!(follow_up[at], source()[at], "{text}"));
        // Parts that the language cannot say are left out of what is asserted.
        let schema = signature().schema().unwrap();
        transform.said(&schema);
    }
}

#[test]
fn operators_of_ascii_do_not_say_what_unicode_does() {
    let schema = signature().schema().unwrap();
    for text in ["TextUpper on s", "TextLower on s", "TextSwapCase on s"] {
        let said = bind(text).unwrap().said(&schema).display(&schema).to_string();
        assert_eq!(said, "k_f == k_s and e_f == e_s and (p_f iff p_s) and a_f == a_s", "{text}");
    }
}

#[test]
fn a_source_without_the_element_has_no_follow_up() {
    for text in
        ["SequenceAppend(a[3]) on a", "SequenceReplace(-4, 1) on a", "NumericAddition(a[9]) on k"]
    {
        assert_eq!(bind(text).unwrap().apply(&source()), None, "{text}");
    }
}

#[test]
fn numbers_are_sorted_with_zeros_apart_and_nan_last() {
    let numbers = [0.0, f64::NAN, -0.0, f64::INFINITY, -1.0, -f64::NAN];
    let mut inputs = source();
    inputs[4] = Value::Seq(numbers.to_vec().into());
    let sorted = bind("SequenceSort on a").unwrap().apply(&inputs).unwrap();
    let Value::Seq(sorted) = &sorted[4] else { panic!("a sequence") };
    let texts: Vec<String> = sorted.iter().map(|x| format!("{x:?}")).collect();
    assert_eq!(texts, ["-1.0", "-0.0", "0.0", "inf", "NaN", "NaN"]);
}

#[test]
fn an_inverse_leads_back() {
    for (text, expected) in [
        ("PermuteParameters on k, e", Some("PermuteParameters on k, e")),
        ("NumericAddition(3) on k, e", Some("NumericAddition(-3) on k, e")),
        ("NumericMultiplication(-1) on k", Some("NumericMultiplication(-1) on k")),
        ("NumericMultiplication(4) on k", Some("NumericMultiplication(0.25) on k")),
        ("NumericMultiplication(3) on k", None),
        ("NumericMultiplication(0) on k", None),
        ("NumericComplement(e) on k", Some("NumericComplement(e) on k")),
        ("NumericComplement(k) on k", None),
        ("SequenceRotate(2) on a", Some("SequenceRotate(-2) on a")),
        ("SequenceAppend(9) on a", Some("SequenceRemove(-1) on a")),
        ("SequencePrepend('x') on s", Some("SequenceRemove(0) on s")),
        ("SequenceAdd(2) on a", Some("SequenceAdd(-2) on a")),
        ("SequenceSort on a", None),
    ] {
        let transform = bind(text).unwrap();
        let inverse = transform.instance().inverse();
        assert_eq!(inverse.as_ref().map(ToString::to_string).as_deref(), expected, "{text}");
        if let Some(inverse) = inverse {
            let back = inverse.bind(&signature()).unwrap();
            let there = transform.apply(&source()).unwrap();
            assert_eq!(back.apply(&there).unwrap(), source(), "{text}");
        }
    }
}

#[test]
fn every_template_reads_back_from_its_text() {
    for (text, relation) in ALL {
        let transform = bind(text).unwrap();
        assert_eq!(transform.describe().name, text);
        assert_eq!(transform.input_relation(), relation);
    }
}

#[test]
fn what_a_transformation_makes_satisfies_its_relation_and_nothing_else_does() {
    let schema = signature().schema().unwrap();
    let holds = |source: &[Value<'static>], follow_up: &[Value<'static>], text: &str| {
        let column = |value: &Value<'static>| match value {
            Value::Num(value) => Column::Num(vec![*value]),
            Value::Bool(value) => Column::Bool(vec![*value]),
            Value::Seq(value) => Column::Seq([value.to_vec()].into_iter().collect()),
        };
        let columns = source.iter().chain(follow_up).map(column).collect();
        let table = Table::new(&schema, columns, Tolerance::default()).unwrap();
        let predicate: Predicate = parse(text, &schema).unwrap();
        reference::holds(&predicate, &table, 0)
    };
    let sequence = |numbers: &[f64]| Value::Seq(numbers.to_vec().into());
    let source = [
        Value::Num(3.7),
        Value::Num(-12.0),
        Value::Bool(true),
        sequence(&[97.0, 98.0, 99.0]),
        sequence(&[1.0, f64::NAN, f64::INFINITY]),
    ];
    for (text, relation) in ALL {
        let follow_up = bind(text).unwrap().apply(&source).unwrap();
        assert!(holds(&source, &follow_up, relation), "{text}: {follow_up:?}");
        for changed in 0..source.len() {
            let mut other = follow_up.clone();
            other[changed] = match &other[changed] {
                Value::Num(value) => Value::Num(value + 1.0),
                Value::Bool(value) => Value::Bool(!value),
                Value::Seq(_) => sequence(&[1.0]),
            };
            assert!(!holds(&source, &other, relation), "{text}: {other:?}");
        }
    }
}

#[test]
fn what_fits_no_function_or_no_template_is_refused() {
    let refused = |text: &str| bind(text).unwrap_err().to_string();
    for text in [
        "",
        "Foo on k",
        "NumericAddition on e",
        "NumericAddition(1)",
        "NumericAddition(1, 2) on e",
        "BooleanFlip(1) on p",
        "PermuteParameters on k",
        "PermuteParameters on k, e and s",
        "SequenceFlip on s and a",
        "NumericAddition(1 on k",
        "SequenceFlip on ",
        "SequenceSwap(1) on a",
    ] {
        assert!(refused(text).contains("NumericAddition(-1) on x"), "{text}");
    }
    assert!(refused("NumericAddition(1e999) on e").contains("write a number"));
    assert!(refused("NumericAddition('a') on e").contains("write a number"));
    assert!(refused("NumericAddition(x) on e").contains("`f` has no parameter `x`"));
    assert!(refused("SequenceRemove(0.5) on s").contains("write an index"));
    assert!(refused("SequenceAppend('ab') on s").contains("a character such as 'a'"));
    assert!(refused("PermuteParameters on k, k").contains("with itself"));
    assert!(refused("SequenceFlip on s, s").contains("`s` is named twice"));
    assert!(refused("SequenceFlip on q").contains("parameters are k, e, p, s, a"));
    assert!(refused("SequenceFlip on k").contains("`k` is number"));
    assert!(refused("BooleanFlip on k").contains("needs a boolean"));
    assert!(refused("SequenceAdd(1) on s").contains("needs a list of numbers, but `s` is text"));
    assert!(refused("TextUpper on a").contains("needs a text, but `a` is numbers"));
    assert!(refused("NumericAddition(s) on k").contains("`s` is text"));
    assert!(refused("NumericAddition(k[0]) on e").contains("`k` is number"));
    assert!(refused("SequenceAppend(p) on a").contains("`p` is boolean"));
    assert!(
        refused("SequenceAppend(s) on a").contains("a sequence of the same kind, but `s` is text")
    );
    assert!(
        refused("SequenceAppend('x') on a").contains("a text for a character, but `a` is numbers")
    );
    assert!(refused("PermuteParameters on s, a").contains("`s` (text) and `a` (numbers)"));
}
