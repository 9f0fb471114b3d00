//! Laws of two functions and of two sources, as users find and check them.

use std::fs;

use serde_json::Value;

use crate::cli::{Run, genmorph, refuses};
use crate::folder::{Folder, subject};

/// A step ahead, a step back, a step back that fails at one input, twice the number, a trap, and a text in place of a number.
const STEPS: &str = r#"(module
    (func (export "ahead") (param i32) (result i32) (i32.add (local.get 0) (i32.const 7)))
    (func (export "back") (param i32) (result i32) (i32.sub (local.get 0) (i32.const 7)))
    (func (export "faulty") (param i32) (result i32)
        (if (i32.gt_s (local.get 0) (i32.const 500)) (then (return (i32.const 0))))
        (i32.sub (local.get 0) (i32.const 7)))
    (func (export "even") (param i32) (result i32) (i32.eqz (i32.and (local.get 0) (i32.const 1))))
    (func (export "odd") (param i32) (result i32) (i32.and (local.get 0) (i32.const 1)))
    (func (export "never") (param i32) (result i32) unreachable)
    (func (export "largest") (param i32) (param i32) (result i32)
        (select (local.get 0) (local.get 1) (i32.gt_s (local.get 0) (local.get 1)))))"#;

/// Definitions of all of them.
fn steps(test: &str) -> Folder {
    let folder = Folder::of(test);
    folder.write("steps.wat", STEPS);
    let domain = "range = [-1000, 1000]";
    for (name, result) in [
        ("ahead", "s32"),
        ("back", "s32"),
        ("faulty", "s32"),
        ("even", "bool"),
        ("odd", "bool"),
        ("never", "s32"),
    ] {
        let definition = format!(
            "module = \"steps.wat\"\nexport = \"{name}\"\nsignature = \"func(n: s32) -> {result}\"\n\
             [domain]\nn = {{ {domain} }}\n"
        );
        folder.write(&format!("{name}.toml"), definition);
    }
    let definition = format!(
        "module = \"steps.wat\"\nexport = \"largest\"\nsignature = \"func(a: s32, b: s32) -> s32\"\n\
         [domain]\na = {{ {domain} }}\nb = {{ {domain} }}\n"
    );
    folder.write("largest.toml", definition);
    folder
}

/// A run with few calls.
fn generate(folder: &Folder, function: &str, more: &[&str]) -> Run {
    let definition = folder.at(&format!("{function}.toml"));
    let output = folder.at("out");
    let few = ["--generations", "1", "--sources", "200", "--fresh", "40000", "--hunt", "4000"];
    let args = ["generate", &definition, "--force", "-o", &output];
    genmorph(&[&args[..], &few, more].concat())
}

/// The search of a run under a transformation.
fn search(folder: &Folder, transformation: &str) -> Value {
    let report = fs::read_to_string(folder.path().join("out/report.json")).unwrap();
    let report: Value = serde_json::from_str(&report).unwrap();
    let searches = report["transformations"].as_array().unwrap();
    let is_it = |search: &&Value| search["transformation"] == transformation;
    searches.iter().find(is_it).unwrap_or_else(|| panic!("{transformation}: {report}")).clone()
}

/// Its relations.
fn relations(search: &Value) -> Vec<String> {
    let relations = search["results"]["relations"].as_array();
    let text = |found: &Value| found["relation"].as_str().unwrap().to_owned();
    relations.into_iter().flatten().map(text).collect()
}

#[test]
fn a_round_trip_is_found_reported_and_checked() {
    let folder = steps("together-inverse");
    let back = folder.at("back.toml");
    let run =
        generate(&folder, "ahead", &["--inverse", &back, "--transformation", "Inverse(back) on n"]);
    assert_eq!(run.code, Some(0), "{}{}", run.out, run.err);
    assert!(run.out.contains("  back(ahead(n)) == n\n"), "{}", run.out);
    assert!(run.out.contains("out = ahead(n), out_g = back(ahead(n))"), "{}", run.out);
    let found = search(&folder, "Inverse(back) on n");
    assert_eq!(relations(&found), ["out_g_s == n_s"]);
    assert_eq!(found["observed"], "together");
    // The mutants of both functions count.
    let killed: Vec<&str> = found["results"]["relations"][0]["killed"]
        .as_array()
        .unwrap()
        .iter()
        .map(|name| name.as_str().unwrap())
        .collect();
    assert!(killed.iter().any(|name| name.starts_with("back:")), "{killed:?}");
    assert!(killed.iter().any(|name| !name.contains(':')), "{killed:?}");
    let page = fs::read_to_string(folder.path().join("out/report.html")).unwrap();
    assert!(page.contains("back(ahead(n)) == n"));

    let ahead = folder.at("ahead.toml");
    let check = |relation: &str, inverse: &str| {
        let inverse = folder.at(inverse);
        genmorph(&["check", relation, &ahead, "--inverse", &inverse, "--hunt", "500"])
    };
    let whole = check(&folder.at("out"), "back.toml");
    assert_eq!(whole.code, Some(0), "{}{}", whole.out, whole.err);
    let fault = check("Inverse(faulty) on n => out_g_s == n_s", "faulty.toml");
    assert_eq!(fault.code, Some(4), "{}{}", fault.out, fault.err);
    assert!(fault.out.contains("n = 494  ->  out = 501, out_g = 0"), "{}", fault.out);
}

#[test]
fn a_fault_in_one_of_two_equivalents_is_shown_on_the_smallest_input() {
    let folder = steps("together-same");
    let faulty = folder.at("faulty.toml");
    let same = ["--same-as", &faulty, "--transformation", "SameAs(faulty) on n"];
    let run = generate(&folder, "back", &same);
    assert!(run.out.contains("not always: faulty(n) == back(n)"), "{}{}", run.out, run.err);
    assert!(run.out.contains("for n = 501: back(n) = 494, faulty(n) = 0"), "{}", run.out);
    let found = search(&folder, "SameAs(faulty) on n");
    assert_eq!(found["unexpected"]["source"]["n"], 501);
    assert!(relations(&found).iter().all(|relation| relation != "out_g_s == out_s"));

    let definition = fs::read_to_string(folder.path().join("even.toml")).unwrap();
    folder.write("even.toml", format!("same_as = \"odd.toml\"\n{definition}"));
    let run = generate(&folder, "even", &["--transformation", "SameAs(odd) on n"]);
    assert!(run.out.contains("even(n) != odd(n)"), "{}{}", run.out, run.err);
}

#[test]
fn two_sources_are_related_to_what_is_made_of_both() {
    let folder = steps("together-sources");
    let run = generate(&folder, "largest", &[]);
    assert!(
        run.out.contains("largest(largest(a, b), c) == largest(a, largest(b, c))"),
        "{}",
        run.out
    );
    let folder = Folder::of("together-gcd");
    let (definition, output) = (subject("gcd/subject.toml"), folder.at("out"));
    let args = ["generate", &definition, "-o", &output, "--generations", "1", "--sources", "200"];
    let more = ["--fresh", "40000", "--hunt", "4000", "--transformation", "Associate on p, q"];
    let run = genmorph(&[&args[..], &more].concat());
    let law = "gcd(gcd(p, q), r) == gcd(p, gcd(q, r))";
    assert!(run.out.contains(law), "{}{}", run.out, run.err);
    assert!(!run.out.contains("unexpected"), "{}", run.out);
}

#[test]
fn a_second_function_that_cannot_be_one_is_refused_or_leaves_the_results_of_the_first() {
    let folder = steps("together-bad");
    let ahead = folder.at("ahead.toml");
    let of = |flag: &str, name: &str| {
        let name = if name.ends_with(".toml") { folder.at(name) } else { name.to_owned() };
        refuses(&["generate", &ahead, flag, &name, "-o", &folder.at("none")])
    };
    assert!(of("--same-as", "largest.toml").contains("`largest` takes a number and a number"));
    assert!(of("--then", "missing.toml").contains("missing.toml"));
    assert!(of("--same-as", "nowhere").contains("nowhere"));
    assert!(of("--inverse", "ahead.toml").contains("it is the function itself"));
    let both = refuses(&["generate", &ahead, "--inverse", "a", "--then", "b"]);
    assert!(both.contains("cannot be used with"), "{both}");
    let unknown = refuses(&["check", "Inverse(back) on n => out_g_s == n_s", &ahead]);
    assert!(unknown.contains("--inverse"), "{unknown}");

    let never = folder.at("never.toml");
    let more = ["--inverse", &never, "--transformation", "Inverse(never) on n"];
    let run = generate(
        &folder,
        "ahead",
        &[&more[..], &["--transformation", "NumericAddition(1) on n"]].concat(),
    );
    assert_eq!(run.code, Some(3), "{}{}", run.out, run.err);
    assert!(run.out.contains("only 0 of"), "{}", run.out);
    let own = search(&folder, "NumericAddition(1) on n");
    assert!(relations(&own).contains(&"out_f == out_s + 1".to_owned()));
}

#[test]
fn pairs_of_a_crate_are_proposed_by_names_and_types_and_tried() {
    let folder = Folder::of("together-pairs");
    folder.write(
        "Cargo.toml",
        "[package]\nname = \"steps\"\nversion = \"0.1.0\"\nedition = \"2021\"\n[workspace]\n",
    );
    let source = "pub fn encode(n: i32) -> i32 { n.wrapping_mul(3) ^ 5 }\n\
        pub fn decode(n: i32) -> i32 { (n ^ 5).wrapping_mul(-1431655765) }\n\
        pub fn twice(n: i32) -> i32 { n.wrapping_mul(2) }\n";
    folder.write("src/lib.rs", source);
    let place = folder.path().to_str().unwrap();
    let listed = genmorph(&["pairs", place, "--list"]);
    assert_eq!(
        listed.out, "encode and decode: the second may undo what the first does\n",
        "{}",
        listed.err
    );
    let found = genmorph(&["pairs", place, "--budget", "30s"]);
    assert!(found.out.contains("decode(encode(n)) == n"), "{}{}", found.out, found.err);
    assert_eq!(found.code, Some(0));

    folder.write("src/lib.rs", "pub fn twice(n: i32) -> i32 { n.wrapping_mul(2) }\n");
    let none = genmorph(&["pairs", place]);
    assert_eq!(none.code, Some(3), "{}", none.out);
    assert!(none.err.contains("has no pairs"), "{}", none.err);
}
