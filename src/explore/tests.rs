//! Laws of functions whose laws are known, from executions made here.

use genmorph_jit::{Schema, Tolerance, Value, parse};

use super::*;
use crate::executions::Rows;
use crate::subject::kinds::{Interface, Kind, Parameter};
use crate::transform::{Instance, Transform};

/// Executions of a function of numbers under a transformation.
fn executions(
    inputs: &[(&str, Kind)],
    output: Kind,
    transformation: &str,
    sources: Vec<Vec<Value<'static>>>,
    function: impl Fn(&[Value<'static>]) -> Value<'static>,
) -> Executions {
    let parameter = |&(name, kind): &(&str, Kind)| Parameter { name: name.to_owned(), kind };
    let signature = Interface {
        function: "f".to_owned(),
        inputs: inputs.iter().map(parameter).collect(),
        outputs: vec![parameter(&("out", output))],
        ..Interface::default()
    };
    let instance: Instance = transformation.parse().unwrap();
    let transform: Transform = instance.bind(&signature).unwrap();
    let mut rows = Rows::new(&signature, Vec::new()).unwrap();
    for source in sources {
        let follow_up = transform.apply(&source).unwrap();
        let outs = [function(&source), function(&follow_up)];
        let [out_s, out_f] = outs;
        let row: Vec<Value<'static>> =
            source.into_iter().chain([out_s]).chain(follow_up).chain([out_f]).collect();
        rows.push(None, row).unwrap();
    }
    rows.into_executions(&signature, &transform.describe(), Tolerance::default(), 7).unwrap()
}

fn grid(low: i32, high: i32) -> Vec<Vec<Value<'static>>> {
    let range = || (low..=high).map(f64::from);
    range().flat_map(|a| range().map(move |b| vec![Value::Num(a), Value::Num(b)])).collect()
}

fn number(value: &Value<'_>) -> f64 {
    match value {
        Value::Num(x) => *x,
        other => panic!("{other:?} is no number"),
    }
}

fn laws(executions: &Executions) -> Vec<String> {
    let found = explore(executions, &Vocabulary::default());
    let schema: &Schema = executions.table.schema();
    for law in &found.laws {
        // Every law reads back.
        let text = law.relation.display(schema).to_string();
        assert_eq!(parse(&text, schema).unwrap(), law.relation);
    }
    found.laws.iter().map(|law| law.relation.display(schema).to_string()).collect()
}

fn gcd(a: f64, b: f64) -> f64 {
    let (mut a, mut b) = (a.abs(), b.abs());
    while b != 0.0 {
        (a, b) = (b, a % b);
    }
    a
}

const TWO: [(&str, Kind); 2] = [("a", Kind::Number), ("b", Kind::Number)];

#[test]
fn a_symmetric_function_is_symmetric_and_nothing_else_is_said() {
    let of = |row: &[Value<'static>]| Value::Num(gcd(number(&row[0]), number(&row[1])));
    let swapped = executions(&TWO, Kind::Number, "PermuteParameters on a, b", grid(-20, 20), of);
    assert_eq!(laws(&swapped), ["out_f == out_s"]);
}

#[test]
fn powers_multiply() {
    let power = |row: &[Value<'static>]| Value::Num(number(&row[0]).powi(number(&row[1]) as i32));
    let sources: Vec<_> = grid(-6, 9).into_iter().filter(|row| number(&row[1]) >= 0.0).collect();
    let more = executions(&TWO, Kind::Number, "NumericAddition(1) on b", sources.clone(), power);
    assert_eq!(laws(&more)[0], "out_f == out_s * a_s");
    let negated = executions(&TWO, Kind::Number, "NumericMultiplication(-1) on a", sources, power);
    assert_eq!(laws(&negated)[0], "abs(out_f) == abs(out_s)");
}

#[test]
fn a_constant_that_people_know_is_read_off() {
    let one = [("x", Kind::Number)];
    let sources = (0..400).map(|i| vec![Value::Num(f64::from(i) / 200.0 - 1.0)]).collect();
    let arc = |row: &[Value<'static>]| Value::Num(number(&row[0]).acos());
    let negated = executions(&one, Kind::Number, "NumericMultiplication(-1) on x", sources, arc);
    assert_eq!(laws(&negated), ["out_f + out_s == 3.141592653589793"]);
}

#[test]
fn a_guard_says_where_a_law_holds() {
    let one = [("n", Kind::Number)];
    let sources: Vec<_> = (0..600).map(|i| vec![Value::Num(f64::from(i))]).collect();
    let is_prime = |row: &[Value<'static>]| {
        let n = number(&row[0]) as u32;
        Value::Bool(n > 1 && (2..n).take_while(|d| d * d <= n).all(|d| !n.is_multiple_of(d)))
    };
    let next = executions(&one, Kind::Boolean, "NumericAddition(1) on n", sources, is_prime);
    let found = laws(&next);
    assert_eq!(found[0], "n_s != 2 implies not (out_s and out_f)", "{found:?}");
}

#[test]
fn an_odd_function_of_numbers_of_all_sizes_is_odd() {
    let one = [("x", Kind::Number)];
    let sizes = (-40..40).map(|i| 1.7_f64.powi(i)).flat_map(|x| [x, -x, x + 1.0]);
    let sources = sizes.map(|x| vec![Value::Num(x)]).collect();
    let sine = |row: &[Value<'static>]| Value::Num(number(&row[0]).sin());
    let negated = executions(&one, Kind::Number, "NumericMultiplication(-1) on x", sources, sine);
    assert_eq!(laws(&negated), ["out_f == 0 - out_s"]);
}

#[test]
fn what_has_no_law_has_none() {
    let one = [("x", Kind::Number)];
    let sources =
        (0..500).map(|i| vec![Value::Num(f64::from(i * 7919 % 500) / 37.0 - 6.5)]).collect();
    let sine = |row: &[Value<'static>]| Value::Num(number(&row[0]).sin());
    let next = executions(&one, Kind::Number, "NumericAddition(1) on x", sources, sine);
    assert_eq!(laws(&next), Vec::<String>::new());
}

#[test]
fn texts_have_laws_of_their_own() {
    let inputs = [("s", Kind::Text), ("n", Kind::Number)];
    let texts = ["", "a", "ab", "abc", "hello", "xyxy", "zz", "racecar", "w o r d s"];
    let mut sources = Vec::new();
    for text in texts {
        for n in -2..9 {
            let text: Vec<f64> = text.chars().map(|c| f64::from(u32::from(c))).collect();
            sources.push(vec![Value::Seq(text.into()), Value::Num(f64::from(n))]);
        }
    }
    let repeat = |row: &[Value<'static>]| match &row[0] {
        Value::Seq(s) => Value::Seq(s.repeat(number(&row[1]).max(0.0) as usize).into()),
        other => panic!("{other:?} is no text"),
    };
    let flipped = executions(&inputs, Kind::Text, "SequenceFlip on s", sources.clone(), repeat);
    assert_eq!(laws(&flipped)[0], "out_f == flip(out_s)");
    let more = executions(&inputs, Kind::Text, "NumericAddition(1) on n", sources, repeat);
    let expected = "n_s >= 0 implies out_f == s_s ++ out_s";
    let found = laws(&more);
    assert!(found.iter().any(|law| law == expected), "{found:?}");
}

#[test]
fn lists_have_the_same_elements_and_extremes_where_that_is_all_there_is() {
    let inputs = [("s", Kind::Numbers)];
    let lists =
        (0..600_u32).map(|n| (0..n % 7).map(move |place| f64::from((n * 31) >> place) % 11.0));
    let sources: Vec<Vec<Value<'static>>> =
        lists.map(|list| vec![Value::Seq(list.collect())]).collect();
    let sequence = |row: &[Value<'static>]| match &row[0] {
        Value::Seq(s) => s.to_vec(),
        other => panic!("{other:?} is no list"),
    };
    // Its first element goes to the end.
    let rotate = |row: &[Value<'static>]| {
        let mut s = sequence(row);
        if !s.is_empty() {
            s.rotate_left(1);
        }
        Value::Seq(s.into())
    };
    let flipped = executions(&inputs, Kind::Numbers, "SequenceFlip on s", sources.clone(), rotate);
    let found = laws(&flipped);
    assert!(found.iter().any(|law| law == "sameElements(out_f, out_s)"), "{found:?}");
    let ascending = |row: &[Value<'static>]| {
        let mut s = sequence(row);
        s.sort_by(f64::total_cmp);
        Value::Seq(s.into())
    };
    let sorted = executions(&inputs, Kind::Numbers, "SequenceFlip on s", sources, ascending);
    let found = explore(&sorted, &Vocabulary::default());
    let schema = sorted.table.schema();
    let said: Vec<String> =
        found.postconditions.iter().map(|law| law.relation.display(schema).to_string()).collect();
    assert_eq!(said, ["out_s == sort(s_s)"]);
    assert_eq!(laws(&sorted), ["out_f == out_s"]);
}

#[test]
fn nothing_is_divided_only_to_be_multiplied_again() {
    let inputs = [("s", Kind::Text)];
    let letters = |n: u32| (0..n % 6).map(move |place| f64::from(97 + n / 3u32.pow(place) % 3));
    let sources = (0..700).map(|n| vec![Value::Seq(letters(n).collect())]).collect();
    // Drops every `a`, and moves the other letters by their places.
    let moved = |row: &[Value<'static>]| match &row[0] {
        Value::Seq(s) => {
            let kept = s.iter().filter(|letter| **letter != 97.0).enumerate();
            Value::Seq(kept.map(|(place, letter)| letter + place as f64).collect())
        }
        other => panic!("{other:?} is no text"),
    };
    let flipped = executions(&inputs, Kind::Text, "SequenceFlip on s", sources, moved);
    let found = laws(&flipped);
    assert_eq!(found[0], "length(out_f) == length(out_s)");
    assert!(!found.iter().any(|law| law.contains('/')), "{found:?}");
}

#[test]
fn special_cases_are_said_of_single_executions_and_not_in_disguise() {
    let rest = |row: &[Value<'static>]| Value::Num((number(&row[0]) - number(&row[1])).max(0.0));
    for transformation in ["NumericAddition(-1) on a", "NumericAddition(1) on b"] {
        let executions = executions(&TWO, Kind::Number, transformation, grid(-15, 15), rest);
        let found = explore(&executions, &Vocabulary::default());
        let text = |law: &Law| law.relation.display(executions.table.schema()).to_string();
        let postconditions: Vec<String> = found.postconditions.iter().map(text).collect();
        for expected in ["a_s <= b_s implies out_s == 0", "a_s >= b_s implies out_s == a_s - b_s"] {
            assert!(postconditions.iter().any(|law| law == expected), "{postconditions:?}");
        }
        let laws = laws(&executions);
        assert!(!laws.iter().any(|law| law.contains('*')), "{laws:?}");
    }
}

#[test]
fn without_rows_there_are_no_laws() {
    let one = [("x", Kind::Number)];
    let none =
        executions(&one, Kind::Number, "NumericAddition(1) on x", Vec::new(), |row| row[0].clone());
    assert_eq!(explore(&none, &Vocabulary::default()), Exploration::default());
    let of_one = |x: f64| {
        let rows = vec![vec![Value::Num(x)]];
        executions(&one, Kind::Number, "NumericAddition(1) on x", rows, |row| row[0].clone())
    };
    assert!(explore(&of_one(1.0), &Vocabulary::default()).tally.tried > 0);
    // What is no number is not changed by adding 1.
    assert_eq!(explore(&of_one(f64::NAN), &Vocabulary::default()), Exploration::default());
}
