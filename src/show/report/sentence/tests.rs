//! Sentences of relations, word by word.

use genmorph_jit::oracle::{self, Choices};

use super::*;
use crate::claims::relation;
use crate::subject::kinds::{Kind, Parameter};

/// A function with a parameter of every kind, that changes its list in place.
fn signature(out: Kind) -> Interface {
    let parameter = |(name, kind): (&str, Kind)| Parameter { name: name.to_owned(), kind };
    Interface {
        function: "f".to_owned(),
        inputs: [
            ("k", Kind::Number),
            ("e", Kind::Number),
            ("p", Kind::Boolean),
            ("text", Kind::Text),
            ("x", Kind::Numbers),
        ]
        .map(parameter)
        .to_vec(),
        outputs: [("out", out), ("x_after", Kind::Numbers)].map(parameter).to_vec(),
        ..Interface::default()
    }
}

fn says(out: Kind, transformation: &str, text: &str) -> String {
    let signature = signature(out);
    let relation = relation::read(text, &signature.schema().unwrap()).unwrap();
    sentence(&relation, transformation, &signature)
}

const FEWER: &str = "NumericAddition(-1) on e";

#[test]
fn numbers_are_spoken_of() {
    let cases = [
        ("out_f * k_s == out_s", "the new result times k equals the original result"),
        ("out_f == out_s", "the result stays the same"),
        ("out_s != out_f", "the result changes"),
        ("out_f < out_s", "the new result is less than the original result"),
        ("out_f >= out_s - 2.5", "the new result is at least the original result minus 2.5"),
        ("e_f <= e_s", "the new e is at most the original e"),
        ("-2 == out_f", "the new result equals -2"),
        ("3 > out_f", "the new result is less than 3"),
        ("out_f > 0 - out_s", "the new result is greater than the negative of the original result"),
        (
            "abs(out_f) <= abs(out_s)",
            "the absolute value of the new result is at most the absolute value of the original result",
        ),
        (
            "abs(out_f - out_s) < 1",
            "the distance between the new result and the original result is less than 1",
        ),
        ("abs(out_f) * k_s == 4", "the absolute value of the new result, times k, equals 4"),
        (
            "(out_f + 1) * k_s == out_s",
            "the sum of the new result and 1, times k, equals the original result",
        ),
        (
            "out_f == out_s / (k_s * e_f)",
            "the new result equals the original result divided by the product of k and the new e",
        ),
        (
            "out_f - (out_s - k_s) == 0",
            "the new result minus the difference of the original result and k equals 0",
        ),
        (
            "abs(out_f + k_s + 1) == out_s",
            "the absolute value of the sum of the new result, k, and 1 equals the original result",
        ),
        (
            "abs(k_s) - (out_f + out_s) / k_s != 1",
            "the absolute value of k, minus the quotient of the sum of the new result and the original result and k, differs from 1",
        ),
        (
            "out_f + abs(k_s) * e_s == 2",
            "the new result plus the product of the absolute value of k and the original e equals 2",
        ),
        (
            "out_s / out_f * k_s == 1",
            "the quotient of the original result and the new result, times k, equals 1",
        ),
        (
            "out_f * out_s / k_f > 1",
            "the new result times the original result divided by k is greater than 1",
        ),
    ];
    for (text, expected) in cases {
        let expected = format!("When e is decreased by 1, {expected}.");
        assert_eq!(says(Kind::Number, FEWER, text), expected, "{text}");
    }
}

#[test]
fn sequences_are_spoken_of() {
    let cases = [
        ("out_f == flip(out_s)", "the new result equals the original result reversed"),
        (
            "out_f != remove(out_s, 0)",
            "the new result differs from the original result without its first character",
        ),
        (
            "out_f == remove(out_s, -1)",
            "the new result equals the original result without its last character",
        ),
        (
            "out_f == remove(out_s, 7)",
            "the new result equals the original result without the character at index 7",
        ),
        (
            "out_f == remove(out_s, k_s + 1)",
            "the new result equals the original result without the character at index the sum of k and 1",
        ),
        (
            "out_f == truncate(out_s, 3)",
            "the new result equals the first 3 characters of the original result",
        ),
        (
            "out_f == truncate(out_s, -1.9)",
            "the new result equals the original result without its first character",
        ),
        (
            "out_f == truncate(out_s, k_s)",
            "the new result equals the original result truncated to k",
        ),
        (
            "x_after_f == flip(remove(x_after_s, 1))",
            "the new x after the call equals the reverse of all but the second element of the original x after the call",
        ),
        ("x_after_f == x_after_s", "the x after the call stays the same"),
        (
            "length(out_f) + 1 == length(out_s)",
            "the length of the new result, plus 1, equals the length of the original result",
        ),
        (
            "sum(out_f) < sum(x_after_s)",
            "the sum of the character codes of the new result is less than the sum of the elements of the original x after the call",
        ),
        ("length(flip(text_f)) == k_s", "the length of the reverse of the new text equals k"),
        ("out_f == toString(12)", "the new result equals the text \"12\""),
        (
            "out_s == toString(length(out_f))",
            "the original result equals the decimal text of the length of the new result",
        ),
        (
            "out_s == remove(flip(out_f), 7)",
            "the original result equals all of the reverse of the new result but the character at index 7",
        ),
        (
            "out_f == truncate(flip(out_s), e_s)",
            "the new result equals the truncation of the reverse of the original result to e",
        ),
        (
            "out_f == truncate(flip(out_s), -2)",
            "the new result equals all but the first 2 characters of the reverse of the original result",
        ),
    ];
    for (text, expected) in cases {
        let expected = format!("When text is reversed, {expected}.");
        assert_eq!(says(Kind::Text, "SequenceFlip on text", text), expected, "{text}");
    }
}

#[test]
fn logic_is_spoken_of() {
    let cases = [
        ("out_f", ", the new result is true"),
        ("not out_f", ", the new result is false"),
        ("not not out_f", ", the new result is true"),
        ("out_f iff out_s", ", the result stays the same"),
        ("out_f != out_s", ", the result changes"),
        ("not (out_f iff out_s)", ", the result changes"),
        ("out_f iff p_s", ", the new result is true exactly when the original p is true"),
        ("k_s > 0 and out_f", ", k is greater than 0 and the new result is true"),
        (
            "k_s > 0 and e_s > 0 and out_f",
            ", k is greater than 0, e is greater than 0 and the new result is true",
        ),
        ("k_s > 0 or out_f", ", either k is greater than 0 or the new result is true"),
        (
            "k_s > 0 xor out_f",
            ", either k is greater than 0 or the new result is true, but not both",
        ),
        ("k_s > 0 implies out_f", " and k is greater than 0, the new result is true"),
        (
            "k_s > 0 or e_s < 1 implies out_f",
            ": if either k is greater than 0 or e is less than 1, then the new result is true",
        ),
        (
            "k_s > 0 and (out_f or out_s)",
            ", k is greater than 0 and either the new result is true or the original result is true",
        ),
        (
            "k_s > 0 and e_s < 1 or out_f",
            ", either both k is greater than 0 and e is less than 1 or the new result is true",
        ),
        (
            "out_f and (k_s > 0 implies out_s)",
            ", the new result is true, and (if k is greater than 0, then the original result is true)",
        ),
        ("not (k_s > 0)", ", k is not greater than 0"),
        ("not k_s == 0", ", k differs from 0"),
        ("not (1 <= k_s)", ", k is not at least 1"),
        (
            "not (out_f and out_s)",
            ", it is not so that both the new result is true and the original result is true",
        ),
        (
            "not (out_f or out_s)",
            ", neither the new result is true nor the original result is true",
        ),
        ("true", ", true holds"),
    ];
    for (text, expected) in cases {
        let expected = format!("When p is negated{expected}.");
        assert_eq!(says(Kind::Boolean, "BooleanFlip on p", text), expected, "{text}");
    }
}

#[test]
fn every_transformation_is_spoken_of() {
    let cases = [
        ("PermuteParameters on k, e", "When k and e are exchanged"),
        ("NumericAddition(0.1) on k", "When k is increased by 0.1"),
        ("NumericMultiplication(-1) on k", "When the sign of k is changed"),
        ("NumericMultiplication(0) on k", "When k is replaced by 0"),
        ("NumericMultiplication(2) on k", "When k is doubled"),
        ("NumericMultiplication(0.5) on k", "When k is halved"),
        ("NumericMultiplication(-3) on k", "When k is multiplied by -3"),
        ("SequenceRemove(0) on text", "When the first character of text is removed"),
        ("SequenceRemove(-1) on x", "When the last element of x is removed"),
        ("SequenceRemove(9) on x", "When the element of x at index 9 is removed"),
        ("SequenceFlip on x", "When x is reversed"),
        ("NumericAddition(e) on k", "When k is increased by e"),
        ("NumericAddition(-1) on k, e", "When k and e are decreased by 1"),
        ("NumericMultiplication(-1) on k, e", "When the signs of k and e are changed"),
        ("NumericComplement(10) on k", "When k is subtracted from 10"),
        ("SequenceSort on x", "When x is sorted"),
        ("SequenceRotate(-2) on x", "When x is rotated to the right by 2"),
        (
            "SequenceSwap(0, -1) on text",
            "When the first character of text and the last character of text are exchanged",
        ),
        ("SequenceAppend(x[0]) on x", "When the first element of x is appended to x"),
        ("SequencePrepend('a') on text", "When 'a' is put before text"),
        ("SequenceAdd(-1) on x", "When every element of x is decreased by 1"),
        ("SequenceMultiply(3) on x", "When every element of x is multiplied by 3"),
        ("SequenceDouble on x", "When x is joined with itself"),
        ("SequenceTruncate(2) on text", "When text is cut to the first 2 characters"),
        ("SequenceTruncate(-1) on x", "When x is shortened by the first element"),
        ("SequenceReplace(1, k) on x", "When the second element of x is replaced by k"),
        ("TextUpper on text", "When text is turned into upper case"),
        ("TextSwapCase on text", "When the case of every character of text is changed"),
        ("Something else", "Under Something else"),
    ];
    for (transformation, expected) in cases {
        let expected = format!("{expected}, the result stays the same.");
        assert_eq!(says(Kind::Number, transformation, "out_f == out_s"), expected);
    }
    assert_eq!(change(FEWER, &signature(Kind::Number)), "e is decreased by 1");
}

#[test]
fn there_are_words_for_whatever_a_relation_says() {
    let signature = signature(Kind::Number);
    let schema = signature.schema().unwrap();
    let mut lengths = 0;
    for seed in 0..2_000 {
        let relation = oracle::predicate(&mut Choices::from_seed(seed), &schema, 24);
        let said = sentence(&relation, FEWER, &signature);
        let starts = ["When e is decreased by 1", "Whatever the input"];
        assert!(starts.iter().any(|start| said.starts_with(start)), "{said}");
        assert!(said.ends_with('.'), "{said}");
        assert!(!said.contains("  ") && !said.contains('?'), "{said}");
        lengths += said.len();
    }
    assert!(lengths > 2_000 * 60, "{lengths}");
}

#[test]
fn what_is_too_long_for_words_is_a_formula() {
    let text = vec!["out_f == k_s"; 40].join(" or ");
    let said = says(Kind::Number, FEWER, &text);
    assert_eq!(said, format!("When e is decreased by 1, this holds: {text}."));
}
