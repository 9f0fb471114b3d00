//! Every rule on thousands of values, and whole relations on thousands of tables.

use genmorph_jit::engine::{reference, scalar};
use genmorph_jit::oracle::{self, Choices};
use genmorph_jit::{Node, Schema, Tolerance, Type, Value, Var, parse};

use super::rules::{LETTERS, Letter, Rule, Way, all, letters};
use super::setting::{Setting, Tie};
use super::{Equivalent, orient};

/// Numbers at which arithmetic and comparisons change their ways.
const SPECIAL: [f64; 34] = [
    0.0,
    -0.0,
    1.0,
    -1.0,
    2.0,
    -2.0,
    3.0,
    0.5,
    -0.5,
    0.1,
    0.3,
    1e-9,
    -1e-9,
    1.0000000001e-9,
    2e-9,
    1e-4,
    0.00009999,
    1.0 + 1e-12,
    1.0 - 1e-12,
    1.0 + 3e-12,
    1e15,
    9_007_199_254_740_993.0,
    -9_007_199_254_740_993.0,
    4_294_967_296.0,
    1e300,
    -1e300,
    1.7e308,
    -1.7e308,
    5e-324,
    -5e-324,
    2.2e-308,
    f64::INFINITY,
    f64::NEG_INFINITY,
    f64::NAN,
];

fn tolerances() -> Vec<Tolerance> {
    let of = |abs, rel| Tolerance::new(abs, rel).unwrap();
    vec![
        Tolerance::default(),
        Tolerance::PAPER,
        of(0.0, 0.0),
        of(1.0, 0.0),
        of(0.0, 0.5),
        of(0.3, 0.1),
        of(1e300, 0.5),
    ]
}

fn number(choices: &mut Choices<'_>, near: &[f64], tolerance: &Tolerance) -> f64 {
    match choices.below(8) {
        0..=2 => choices.pick(&SPECIAL),
        3 => choices.within(-6, 6) as f64,
        4 => f64::from_bits(choices.bits(64)),
        5 => choices.within(-1_000_000, 1_000_000) as f64 / 1000.0,
        // At the edge of what is equal to another.
        6 if !near.is_empty() => {
            let x = choices.pick(near);
            let edge = x + tolerance.abs() + tolerance.rel() * x.abs();
            choices.pick(&[edge, edge.next_up(), edge.next_down(), -edge, -x])
        }
        _ if !near.is_empty() => choices.pick(near),
        _ => choices.pick(&SPECIAL),
    }
}

fn sequence(choices: &mut Choices<'_>, near: &[Vec<f64>], tolerance: &Tolerance) -> Vec<f64> {
    let length = choices.pick(&[0, 0, 1, 1, 2, 3, 5]);
    match choices.below(4) {
        0 if !near.is_empty() => near[choices.below(near.len())].clone(),
        1 if !near.is_empty() => near[choices.below(near.len())].iter().rev().copied().collect(),
        _ => (0..length).map(|_| number(choices, &[1.0, 2.0, 48.0], tolerance)).collect(),
    }
}

fn admits(letter: Letter, value: f64, tolerance: &Tolerance) -> bool {
    match letter {
        Letter::Any(_) => true,
        Letter::Number | Letter::Constant => !value.is_nan(),
        Letter::Finite => value.is_finite(),
        Letter::NotNegative => value >= 0.0 || value.is_nan(),
        Letter::NotNegativeNumber => value >= 0.0,
        Letter::NegativeConstant => value < 0.0 && !tolerance.eq(value, 0.0),
        Letter::NonZeroConstant => !value.is_nan() && !tolerance.eq(value, 0.0),
    }
}

/// A value for every letter of a rule; related to each other more often than not.
fn assignment(
    choices: &mut Choices<'_>,
    rule: &Rule,
    tolerance: &Tolerance,
) -> Option<Vec<Value<'static>>> {
    let (mut numbers, mut sequences) = (Vec::new(), Vec::new());
    let mut values = Vec::new();
    for (i, (_, letter)) in LETTERS.into_iter().enumerate() {
        if !rule.left.contains(&Node::Var(Var(i as u16))) {
            values.push(Value::Bool(false));
            continue;
        }
        values.push(match letter.ty() {
            Type::Bool => Value::Bool(choices.bool()),
            Type::Seq => {
                let drawn = sequence(choices, &sequences, tolerance);
                sequences.push(drawn.clone());
                Value::Seq(drawn.into())
            }
            Type::Num => {
                let mut drawn = (0..50).map(|_| number(choices, &numbers, tolerance));
                let drawn = drawn.find(|value| admits(letter, *value, tolerance))?;
                numbers.push(drawn);
                Value::Num(drawn)
            }
        });
    }
    Some(values)
}

/// On how many assignments a rule was tried, or the first on which its sides differ.
fn tried(rule: &Rule, tolerance: &Tolerance, seed: u64, times: usize) -> Result<usize, String> {
    let mut choices = Choices::from_seed(seed);
    let mut tried = 0;
    for _ in 0..times {
        let Some(values) = assignment(&mut choices, rule, tolerance) else { continue };
        let value = |var: Var| values[var.index()].clone();
        let [left, right] =
            [&rule.left, &rule.right].map(|side| scalar::value(side, tolerance, value));
        if !left.is_same(&right) {
            let used = LETTERS.iter().zip(&values).enumerate();
            let used: Vec<String> = used
                .filter(|(i, _)| rule.left.contains(&Node::Var(Var(*i as u16))))
                .map(|(_, ((name, _), value))| format!("{name} = {value:?}"))
                .collect();
            let used = used.join(", ");
            return Err(format!(
                "{} under {tolerance}: {left:?}, {right:?} with {used}",
                rule.text
            ));
        }
        tried += 1;
    }
    Ok(tried)
}

#[test]
fn every_rule_holds_on_thousands_of_values() {
    let mut wrong = Vec::new();
    for tolerance in tolerances() {
        for (seed, rule) in all(&tolerance).iter().enumerate() {
            match tried(rule, &tolerance, seed as u64, 3000) {
                // Where nearly everything is equal to 0 there is no constant that is not.
                Ok(tried) => assert!(tried > 2000 || tolerance.abs() > 1e200, "{}", rule.text),
                Err(difference) => wrong.push(difference),
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn the_test_of_rules_finds_what_only_holds_over_the_reals() {
    let schema = letters();
    for text in [
        "not a < b iff a >= b",
        "a - b == 0 iff a == b",
        "(a + b) + d == a + (b + d)",
        "(a * b) * d == a * (b * d)",
        "a * (b + d) == a * b + a * d",
        "a / b * b == a",
        "a - a == 0",
        "a * 0 == 0",
        "a / a == 1",
        "(0 - a) / b == 0 - a / b",
        "a < b iff a - b < 0",
        "m + 1 > m iff true",
        "sum(flip(s)) == sum(s)",
        "length(remove(s, 0)) == length(s) - 1",
        "abs(a) > 0 iff a != 0",
        "abs(a) >= 0 iff true",
        "a <= b and b <= d implies a <= d iff true",
        "truncate(truncate(s, a), a) == truncate(s, a)",
    ] {
        let rule = Rule::new(Way::Right, text, &schema);
        let found = (0..20).any(|seed| tried(&rule, &Tolerance::default(), seed, 3000).is_err());
        assert!(found, "{text}");
    }
}

#[test]
fn rules_are_many_and_none_stands_twice() {
    let rules = all(&Tolerance::default());
    let texts: std::collections::BTreeSet<&str> = rules.iter().map(|rule| rule.text).collect();
    assert_eq!(texts.len(), rules.len());
    assert!(rules.len() > 150, "{}", rules.len());
}

/// A setting over any variables, in which the later half is of the follow-up.
fn setting(schema: &Schema, tolerance: Tolerance) -> Setting {
    let half = schema.len() / 2;
    let outputs = (0..half.min(1)).map(|i| (Var(i as u16), Var((half + i) as u16)));
    Setting {
        schema: schema.clone(),
        tolerance,
        outputs: outputs.collect(),
        sources: half,
        ties: Vec::new(),
        finite: Vec::new(),
    }
}

#[test]
fn what_is_simplified_says_the_same_on_every_row_and_is_never_larger() {
    let mut choices = Choices::from_seed(20);
    let (mut smaller, mut rows) = (0, 0);
    for _ in 0..120 {
        let schema = oracle::schema(&mut choices);
        let tables: Vec<_> = (0..2).map(|_| oracle::table(&mut choices, &schema)).collect();
        for table in tables {
            if table.rows() > 300 {
                continue;
            }
            let setting = setting(&schema, *table.tolerance());
            let equivalent = Equivalent::new(&setting);
            for _ in 0..8 {
                let relation = oracle::predicate(&mut choices, &schema, 24);
                let form = equivalent.of(&relation);
                let texts = || [&relation, &form].map(|p| p.display(&schema).to_string());
                assert!(form.size() <= relation.size(), "{:?}", texts());
                assert_eq!(
                    reference::evaluate(&relation, &table),
                    reference::evaluate(&form, &table),
                    "{:?} under {}",
                    texts(),
                    table.tolerance()
                );
                let related = |p| setting.relates_outputs(p);
                assert!(related(form.nodes()) || !related(relation.nodes()), "{:?}", texts());
                assert_eq!(equivalent.of(&form), form, "{:?}", texts());
                smaller += usize::from(form.size() < relation.size());
                rows += table.rows();
            }
        }
    }
    assert!(smaller > 400 && rows > 20_000, "{smaller} smaller, {rows} rows");
}

/// `f(x, y, t) -> out, text`, where the follow-up has `x + 1`.
fn example() -> Setting {
    let names = ["x", "y", "out"].map(|name| (name, Type::Num));
    let names = [names[0], names[1], ("t", Type::Seq), names[2], ("text", Type::Seq)];
    let side = |suffix: &'static str| names.map(|(name, ty)| (format!("{name}_{suffix}"), ty));
    let schema = Schema::new([side("s"), side("f")].concat()).unwrap();
    let tie = |text: &str| {
        let nodes = parse(text, &schema).unwrap();
        let nodes = nodes.nodes();
        let Node::Var(var) = nodes[0] else { panic!("{text}") };
        Tie { var, is: nodes[1..nodes.len() - 1].to_vec() }
    };
    let ties = ["x_f == x_s + 1", "y_f == y_s", "t_f == t_s"].map(tie).to_vec();
    Setting {
        outputs: vec![(Var(3), Var(8)), (Var(4), Var(9))],
        sources: 5,
        ties,
        tolerance: Tolerance::default(),
        finite: Vec::new(),
        schema,
    }
}

#[test]
fn relations_become_what_a_reader_would_write() {
    let setting = example();
    let equivalent = Equivalent::new(&setting);
    let cases = [
        ("out_s == out_f * 1", "out_f == out_s"),
        ("not (out_s != out_f)", "out_f == out_s"),
        ("out_s <= out_f and out_s >= out_f", "out_f == out_s"),
        ("y_f + out_s == out_f", "out_f == out_s + y_s"),
        ("out_s + (x_s + 1) < out_f", "out_f > out_s + x_f"),
        ("0 - (out_s - out_f) >= 0 - y_f", "out_s - out_f <= y_s"),
        // Without out_s it would say the same, but relate nothing.
        ("not not (2 < out_f) or out_s < out_s - 0", "not not (2 < out_f) or out_s < out_s - 0"),
        ("abs(abs(out_f) * abs(out_s)) == y_s", "abs(out_f * out_s) == y_s"),
        ("abs(-2) != out_f / (y_s - out_s)", "out_f / (y_s - out_s) != 2"),
        ("out_f + -11 > out_s", "out_f - 11 > out_s"),
        ("out_s + out_s + (out_s + out_s) == out_f", "out_f == 4 * out_s"),
        ("flip(text_s) == flip(flip(text_f))", "text_f == flip(text_s)"),
        ("length(text_f) >= 0 and text_f == text_s", "text_f == text_s"),
        ("length(flip(text_s)) < length(text_f)", "length(text_f) > length(text_s)"),
        ("t_f == text_f implies not (t_s == text_s)", "text_f == t_s implies text_s != t_s"),
        ("y_f == out_s iff (out_f > 3 xor true)", "out_f > 3 xor out_s == y_s"),
    ];
    for (text, expected) in cases {
        let relation = parse(text, &setting.schema).unwrap();
        let expected = orient(&parse(expected, &setting.schema).unwrap(), &setting);
        let form = equivalent.of(&relation);
        let shown = |p: &genmorph_jit::Predicate| p.display(&setting.schema).to_string();
        assert_eq!(shown(&form), shown(&expected), "{text}");
    }
}

#[test]
fn every_relation_has_one_way_round() {
    let setting = example();
    let cases = [
        ("out_s == out_f", "out_f == out_s"),
        ("3 < out_f", "out_f > 3"),
        ("out_s >= 2 * out_f", "out_f * 2 <= out_s"),
        ("y_s * x_s + out_s < out_f", "out_f > out_s + x_s * y_s"),
        ("x_s > 2 and (y_s > 1 and out_f == out_s)", "out_f == out_s and x_s > 2 and y_s > 1"),
        ("1 + y_s == x_s", "x_s == y_s + 1"),
        ("text_s != flip(text_f)", "flip(text_f) != text_s"),
        ("x_s - y_s == out_f - out_s", "out_f - out_s == x_s - y_s"),
        ("x_s > 0 implies out_s < out_f", "x_s > 0 implies out_f > out_s"),
    ];
    for (text, expected) in cases {
        let relation = orient(&parse(text, &setting.schema).unwrap(), &setting);
        assert_eq!(relation.display(&setting.schema).to_string(), expected, "{text}");
        assert_eq!(orient(&relation, &setting), relation);
    }
}
