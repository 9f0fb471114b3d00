//! What mutants there are, and that the source with all of them is one.

use std::collections::{BTreeMap, BTreeSet};

use super::*;

/// The candidates of a source, and the source with all of them.
fn survey(text: &str) -> (Inventory, MutatedSource) {
    let file = syn::parse_file(text).unwrap();
    let mut found = Inventory::default();
    let mut survey = Survey::new(text, 0, &mut found);
    for item in &file.items {
        if let syn::Item::Fn(item) = item {
            survey.function(&item.sig.ident.to_string(), &item.sig, &item.block);
        }
    }
    let changes = std::mem::take(&mut survey.changes);
    let rewritten = rewrite(text, &changes, &Cuts::default(), &BTreeMap::new());
    (found, rewritten)
}

fn changes(text: &str, operator: &str) -> Vec<String> {
    let (found, rewritten) = survey(text);
    syn::parse_file(&rewritten.text).unwrap_or_else(|error| panic!("{error}: {}", rewritten.text));
    let of_rule = found.candidates.iter().filter(|candidate| candidate.rule.name() == operator);
    of_rule.map(|candidate| candidate.new.clone()).collect()
}

#[test]
fn every_operator_changes_what_it_is_named_for() {
    let text = "fn f(a: i32, b: i32) -> i32 { if a < b && a != 3 { return a + b; } let mut x = 0; \
                while x < a { x += 2; } !x << 1 & b.min(a) }";
    for (operator, expected) in [
        ("AOR", vec!["a - b", "a * b", "a / b", "a % b", "x -= 2", "x *= 2", "x /= 2", "x %= 2"]),
        ("LOR", vec!["!x << 1 | b.min(a)", "!x << 1 ^ b.min(a)"]),
        ("SOR", vec!["!x >> 1"]),
        ("ORU", vec!["x"]),
        ("STD", vec![""]),
        ("CBM", vec!["a <= b", "x <= a"]),
        ("NEG", vec!["!(a < b && a != 3)", "a >= b", "a == 3", "x >= a"]),
        ("LBM", vec!["; break; "]),
        ("RET", vec!["0", "one more", "the negative", "0", "one more", "the negative"]),
        ("MCR", vec!["b.max(a)", "b", "a"]),
    ] {
        assert_eq!(changes(text, operator), expected, "{operator}");
    }
    let cor = changes(text, "COR");
    assert_eq!(cor, ["true", "false", "a < b || a != 3", "a < b", "a != 3", "false"]);
}

#[test]
fn groups_have_no_operator_in_common() {
    for rule in Rule::ALL {
        assert_eq!(rule.group() == Group::A, rule <= Rule::Std, "{}", rule.name());
    }
    // Nothing is made twice at a place.
    let (found, _) =
        survey("fn f(a: i32, b: i32) -> i32 { if a == 0 { -1 } else { a * 2 + b * 10 } }");
    let mut seen = BTreeSet::new();
    for candidate in &found.candidates {
        assert!(
            seen.insert((candidate.range.start, candidate.range.end, candidate.new.clone())),
            "{candidate:?}"
        );
    }
}

#[test]
fn what_cannot_be_negative_gets_no_minus() {
    let unsigned = "fn f(n: usize) -> usize { let m = n + 1; m - 2 }";
    assert!(changes(unsigned, "LVR").iter().all(|new| !new.starts_with('-')));
    assert!(changes(unsigned, "UOI").iter().all(|new| !new.starts_with("(-")));
    let signed = "fn f(n: i64) -> i64 { n + 2 }";
    assert!(changes(signed, "LVR").contains(&"-2".to_owned()));
    assert!(changes(signed, "UOI").contains(&"(-n)".to_owned()));
}

#[test]
fn variables_are_exchanged_for_those_of_the_same_type_that_are_in_scope() {
    let text = "fn f(a: i32, b: i32, c: f64) -> i32 { { let d: i32 = 1; g(d); } a }";
    assert_eq!(changes(text, "VRR"), ["b", "a", "b"]);
}

#[test]
fn patterns_constants_and_macros_are_left_alone() {
    let text = "fn f(n: u8) -> u8 { const K: u8 = 3 + 4; match n { 5 => [1; 2 + 2][0], 6 | 7 => n, _ => unreachable!() } }";
    let (found, rewritten) = survey(text);
    assert!(rewritten.text.contains("const K: u8 = 3 + 4;"));
    assert!(rewritten.text.contains("; 2 + 2]"));
    assert!(rewritten.text.contains("6 | 7 =>"));
    assert_eq!(found.opaque.len(), 1);
    assert_eq!(found.opaque[0].what, "unreachable!");
    assert!(changes(text, "LVR").contains(&"0".to_owned()));
}

#[test]
fn conditions_with_let_stay_conditions_with_let() {
    let text = "fn f(a: Option<i32>) -> i32 { if let Some(x) = a && x > 2 { x } else { 0 } }";
    let (_, rewritten) = survey(text);
    syn::parse_file(&rewritten.text).unwrap();
    assert!(rewritten.text.contains("let Some(x) = a &&"), "{}", rewritten.text);
}

#[test]
fn a_mutant_owns_its_bytes() {
    let text = "fn f(a: i32, b: i32) -> bool { a + 1 < b }";
    let (found, rewritten) = survey(text);
    for candidate in &found.candidates {
        let mut owned = rewritten
            .regions
            .iter()
            .filter(|(_, owner)| *owner == Region::Mutant(candidate.number));
        let (bytes, _) = owned.next().unwrap();
        assert!(owned.next().is_none());
        assert_eq!(rewritten.owner(bytes), Some(&Region::Mutant(candidate.number)));
    }
}

#[test]
fn nested_expressions_grow_by_their_depth_only() {
    let sum = (0..60).map(|i| format!("a{i}")).collect::<Vec<_>>().join(" + ");
    let parameters = (0..60).map(|i| format!("a{i}: i32")).collect::<Vec<_>>().join(", ");
    let text = format!("fn f({parameters}) -> bool {{ {sum} > 1 }}");
    let (found, rewritten) = survey(&text);
    assert!(found.candidates.len() > 400);
    assert!(rewritten.text.len() < 400 * text.len(), "{}", rewritten.text.len());
}

#[test]
fn too_many_mutants_are_thinned_evenly() {
    let body = (0..400).map(|i| format!("if a + {i} < b {{ return a * b; }}")).collect::<String>();
    let (found, _) = survey(&format!("fn f(a: i32, b: i32) -> i32 {{ {body} a }}"));
    let gone = surplus(&found.candidates.iter().collect::<Vec<_>>(), true);
    for group in [Group::A, Group::B] {
        let left = found
            .candidates
            .iter()
            .filter(|c| c.rule.group() == group && !gone.contains(&c.number));
        assert_eq!(left.count(), MOST);
    }
}
