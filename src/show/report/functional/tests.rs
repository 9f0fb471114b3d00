//! Functional forms, for every template, kind of result and shape of relation.

use genmorph_jit::oracle::{self, Choices};

use super::*;
use crate::claims::relation;
use crate::subject::kinds::{Kind, Parameter};
use crate::transform::Instance;

/// A function `name(x: n, s: t, …)`, by the letters of kinds: number, boolean, text, list.
fn signature(name: &str, inputs: &[(&str, char)], outputs: &[(&str, char)]) -> Interface {
    let parameters = |list: &[(&str, char)]| {
        let parameter = |&(name, letter): &(&str, char)| Parameter {
            name: name.to_owned(),
            kind: match letter {
                'n' => Kind::Number,
                'b' => Kind::Boolean,
                't' => Kind::Text,
                'l' => Kind::Numbers,
                other => panic!("no kind {other}"),
            },
        };
        list.iter().map(parameter).collect()
    };
    Interface {
        function: name.to_owned(),
        inputs: parameters(inputs),
        outputs: parameters(outputs),
        ..Interface::default()
    }
}

/// The functional form under a transformation, or an input relation.
fn form(signature: &Interface, under: &str, text: &str) -> String {
    let relation = relation::read(text, &signature.schema().unwrap()).unwrap();
    let input_relation = match under.parse::<Instance>() {
        Ok(instance) => instance.bind(signature).unwrap().input_relation(),
        Err(_) => under.to_owned(),
    };
    functional_form(&relation, &input_relation, signature)
}

fn check(signature: &Interface, cases: &[(&str, &str, &str)]) {
    for (under, text, expected) in cases {
        assert_eq!(form(signature, under, text), *expected, "{text} under {under}");
    }
}

#[test]
fn numbers_read_like_laws() {
    let pow = signature("pow", &[("k", 'n'), ("e", 'n')], &[("out", 'n')]);
    check(
        &pow,
        &[
            ("PermuteParameters on k, e", "out_f == out_s", "pow(e, k) == pow(k, e)"),
            (
                "NumericMultiplication(-1) on k",
                "abs(out_f) == abs(out_s)",
                "abs(pow(-k, e)) == abs(pow(k, e))",
            ),
            ("NumericAddition(1) on e", "out_f == out_s * k_s", "pow(k, e + 1) == pow(k, e) * k"),
            (
                "NumericAddition(-1) on e",
                "e_s > 0 implies out_f * k_f == out_s",
                "pow(k, e - 1) * k == pow(k, e)  when e > 0",
            ),
            (
                "NumericMultiplication(2) on k",
                "out_f >= out_s * 2 or e_f < 1",
                "pow(2 * k, e) >= 2 * pow(k, e) or e < 1",
            ),
            ("NumericMultiplication(-3) on k", "out_f != k_f", "pow(-3 * k, e) != -3 * k"),
            ("NumericMultiplication(0.5) on k", "out_f <= out_s", "pow(0.5 * k, e) <= pow(k, e)"),
            (
                "NumericAddition(1) on e",
                "out_f == (out_s - e_f) * e_f",
                "pow(k, e + 1) == (pow(k, e) - (e + 1)) * (e + 1)",
            ),
            ("NumericMultiplication(-1) on k", "out_f == 0 - out_s", "pow(-k, e) == -pow(k, e)"),
            ("NumericMultiplication(-1) on k", "out_f == out_s * -1", "pow(-k, e) == -pow(k, e)"),
            (
                "NumericMultiplication(-1) on k",
                "out_f == -1 * (out_s + k_f)",
                "pow(-k, e) == -(pow(k, e) + (-k))",
            ),
            ("NumericMultiplication(-1) on k", "out_f + -1 < k_f - -2", "pow(-k, e) - 1 < -k + 2"),
            (
                "NumericMultiplication(-1) on k",
                "out_f == out_s * k_f - k_f * (k_s - e_s)",
                "pow(-k, e) == pow(k, e) * (-k) - (-k * (k - e))",
            ),
            (
                "NumericAddition(1) on k",
                "k_s > 0 implies e_s > 0 or k_s > e_s implies out_f > out_s",
                "pow(k + 1, e) > pow(k, e)  when k > 0 and (e > 0 or k > e)",
            ),
            (
                "NumericAddition(1) on k",
                "not (k_s < 0) and (out_f == 1 implies e_s == 0)",
                "not (k < 0) and (pow(k + 1, e) == 1 implies e == 0)",
            ),
            ("NumericAddition(1) on k", "not out_f == out_s", "pow(k + 1, e) != pow(k, e)"),
            (
                "NumericAddition(1) on k",
                "out_f * out_s * 2 == out_s / (k_s / e_s)",
                "pow(k + 1, e) * pow(k, e) * 2 == pow(k, e) / (k / e)",
            ),
        ],
    );
}

#[test]
fn truths_are_calls() {
    let is_prime = signature("is_prime", &[("n", 'n')], &[("out", 'b')]);
    check(
        &is_prime,
        &[
            (
                "NumericAddition(1) on n",
                "n_s > 2 implies not (out_f and out_s)",
                "not (is_prime(n + 1) and is_prime(n))  when n > 2",
            ),
            ("NumericMultiplication(-1) on n", "out_f iff out_s", "is_prime(-n) == is_prime(n)"),
            (
                "NumericMultiplication(-1) on n",
                "not (out_f iff out_s)",
                "is_prime(-n) != is_prime(n)",
            ),
            ("NumericMultiplication(2) on n", "not out_f", "not is_prime(2 * n)"),
            ("NumericMultiplication(2) on n", "not not out_f", "is_prime(2 * n)"),
            ("NumericMultiplication(2) on n", "out_f iff n_s == 1", "is_prime(2 * n) iff n == 1"),
            (
                "NumericMultiplication(2) on n",
                "out_f implies out_s",
                "is_prime(n)  when is_prime(2 * n)",
            ),
            (
                "NumericMultiplication(2) on n",
                "out_f iff not out_s",
                "is_prime(2 * n) iff not is_prime(n)",
            ),
        ],
    );
    let choose = signature("choose", &[("p", 'b'), ("x", 'n')], &[("out", 'n')]);
    check(
        &choose,
        &[
            (
                "BooleanFlip on p",
                "p_s implies out_f < out_s",
                "choose(not p, x) < choose(p, x)  when p",
            ),
            ("BooleanFlip on p", "p_f implies out_f == 0", "choose(not p, x) == 0  when not p"),
        ],
    );
}

#[test]
fn sequences_read_like_laws() {
    let repeat = signature("repeat", &[("s", 't'), ("n", 'n')], &[("out", 't')]);
    check(
        &repeat,
        &[
            (
                "NumericAddition(1) on n",
                "n_s >= 0 implies length(out_f) == length(out_s) + length(s_s)",
                "length(repeat(s, n + 1)) == length(repeat(s, n)) + length(s)  when n >= 0",
            ),
            (
                "SequenceFlip on s",
                "out_f == flip(out_s)",
                "repeat(flip(s), n) == flip(repeat(s, n))",
            ),
            (
                "SequenceRemove(-1) on s",
                "length(s_f) <= length(out_f)",
                "length(remove(s, -1)) <= length(repeat(remove(s, -1), n))",
            ),
        ],
    );
    let index_of = signature("index_of", &[("a", 'l'), ("x", 'n')], &[("out", 'n')]);
    check(
        &index_of,
        &[(
            "SequenceRemove(0) on a",
            "out_s > 0 implies out_f == out_s - 1",
            "index_of(remove(a, 0), x) == index_of(a, x) - 1  when index_of(a, x) > 0",
        )],
    );
    let min = signature("min", &[("values", 'l')], &[("out", 'n')]);
    check(
        &min,
        &[("SequenceFlip on values", "out_f == out_s", "min(flip(values)) == min(values)")],
    );
    let sort = signature("sort", &[("a", 'l')], &[("a_after", 'l')]);
    check(
        &sort,
        &[
            (
                "SequenceFlip on a",
                "a_after_f == a_after_s",
                "a after sort(flip(a)) == a after sort(a)",
            ),
            (
                "SequenceRemove(0) on a",
                "length(a_after_f) < length(a_after_s)",
                "length(a after sort(remove(a, 0))) < length(a after sort(a))",
            ),
        ],
    );
}

#[test]
fn an_operator_is_told_from_a_function_of_its_name() {
    let sum = signature("sum", &[("a", 'l')], &[("out", 'n')]);
    check(
        &sum,
        &[
            ("SequenceFlip on a", "out_f == out_s", "sum(flip(a)) == sum(a)"),
            (
                "SequenceFlip on a",
                "out_f == sum(a_s)",
                "f(flip(a)) == sum(a)  where f is the function sum",
            ),
        ],
    );
    let flip = signature("flip", &[("a", 'l')], &[("out", 'l')]);
    check(
        &flip,
        &[(
            "SequenceFlip on a",
            "length(out_f) == length(out_s)",
            "length(f(flip(a))) == length(f(a))  where f is the function flip",
        )],
    );
}

#[test]
fn the_name_of_a_function_is_the_last_part_of_its_path() {
    let cases = [
        ("gcd", "gcd"),
        ("org.example.ArithmeticUtils#gcd(int,int)", "gcd"),
        ("my_crate::numbers::gcd", "gcd"),
        ("pad-start", "pad_start"),
        ("example:text/pad#pad-start", "pad_start"),
        ("", "f"),
    ];
    for (path, name) in cases {
        assert_eq!(plain_name(path), name, "{path}");
    }
}

#[test]
fn an_input_relation_of_any_kind_is_told() {
    let f = signature("f", &[("x", 'n'), ("p", 'b')], &[("out", 'n')]);
    check(
        &f,
        &[
            ("x_f > x_s and p_f == p_s", "out_f >= out_s", "f(x', p) >= f(x, p)  when x' > x"),
            (
                "x_f > x_s and p_f == p_s",
                "x_s > 0 implies out_f >= out_s",
                "f(x', p) >= f(x, p)  when x' > x and x > 0",
            ),
            ("x_f == out_s and p_f == p_s", "out_f == out_s", "f(f(x, p), p) == f(x, p)"),
            ("out_s == x_f and not p_s == p_f", "out_f == 1", "f(f(x, p), p') == 1  when p != p'"),
            ("x_f == 3.14 - x_s and p_s != p_f", "out_f == 1", "f(3.14 - x, not p) == 1"),
            ("x_f == x_s and x_f == 2 and p_f == p_s", "out_f == 1", "f(x, p) == 1  when x == 2"),
            ("true", "out_f == out_s", "f(x', p') == f(x, p)"),
            ("no relation at all", "out_f == out_s", "f(x', p') == f(x, p)"),
        ],
    );
}

#[test]
fn there_is_a_text_for_whatever_a_relation_says() {
    let f = signature(
        "f",
        &[("k", 'n'), ("p", 'b'), ("s", 't'), ("a", 'l')],
        &[("out", 'n'), ("a_after", 'l')],
    );
    let schema = f.schema().unwrap();
    for seed in 0..2_000 {
        let relation = oracle::predicate(&mut Choices::from_seed(seed), &schema, 24);
        let text = functional_form(
            &relation,
            "k_f == k_s - 1 and p_f == p_s and s_f == s_s and a_f == a_s",
            &f,
        );
        assert!(!text.contains('?') && !text.contains("_s") && !text.contains("_f"), "{text}");
        let depth = text.chars().try_fold(0_i32, |depth, c| match c {
            '(' => Some(depth + 1),
            ')' => Some(depth - 1).filter(|&depth| depth >= 0),
            _ => Some(depth),
        });
        assert_eq!(depth, Some(0), "{text}");
    }
}

#[test]
fn other_parameters_and_changes_without_an_operator_are_arguments() {
    let gcd = signature("gcd", &[("a", 'n'), ("b", 'n')], &[("out", 'n')]);
    check(
        &gcd,
        &[
            ("NumericAddition(b) on a", "out_f == out_s", "gcd(a + b, b) == gcd(a, b)"),
            ("NumericComplement(b) on a", "out_f == out_s", "gcd(b - a, b) == gcd(a, b)"),
            (
                "NumericMultiplication(2) on a, b",
                "out_f == out_s * 2",
                "gcd(2 * a, 2 * b) == 2 * gcd(a, b)",
            ),
        ],
    );
    let largest = signature("max", &[("s", 'l'), ("k", 'n')], &[("out", 'n')]);
    check(
        &largest,
        &[
            ("SequenceSort on s", "out_f == out_s", "max(sort(s), k) == max(s, k)"),
            ("SequenceRotate(1) on s", "out_f == out_s", "max(rotate(s, 1), k) == max(s, k)"),
            ("SequenceAppend(k) on s", "out_f >= out_s", "max(append(s, k), k) >= max(s, k)"),
            (
                "SequenceAppend(s[0]) on s",
                "out_f == out_s",
                "max(append(s, at(s, 0)), k) == max(s, k)",
            ),
            ("SequenceDouble on s", "out_f == out_s", "max(s ++ s, k) == max(s, k)"),
            ("SequenceAdd(k) on s", "out_f == out_s + k_s", "max(add(s, k), k) == max(s, k) + k"),
        ],
    );
    // A character of a name's letters is none of its name.
    let count = signature("count", &[("x", 't')], &[("out", 'n')]);
    check(
        &count,
        &[("SequenceAppend('x') on x", "out_f >= out_s", "count(append(x, 'x')) >= count(x)")],
    );
    let sort = signature("sort", &[("s", 'l')], &[("out", 'l')]);
    check(
        &sort,
        &[(
            "SequenceSort on s",
            "out_f == out_s",
            "f(sort(s)) == f(s)  where f is the function sort",
        )],
    );
}
