//! Laws of Java methods as short tests: they pass on the right method, fail on a wrong one, and compare integers as integers.

use std::collections::BTreeMap;
use std::fs;
use std::process::Command;

use genmorph::export::java::{self, Junit, Suite};
use genmorph::subject::Domain;
use genmorph::subject::jvm::{JavaSpec, Jdk, JvmSubject};

use super::laws::report;
use super::{ODD, odd_method, root, run, runtime, style, tested, written};
use crate::cli::genmorph;
use crate::folder::Folder;
use crate::jdk::jdk;

const RIGHT: &str = "package small;

public class Small {
    public static int gcd(int p, int q) {
        return q == 0 ? Math.abs(p) : gcd(q, p % q);
    }

    public static long power(int k, int e) {
        if (e < 0) { throw new ArithmeticException(\"a fraction\"); }
        long out = 1;
        for (int i = 0; i < e; i++) { out = Math.multiplyExact(out, k); }
        return out;
    }

    static String pad(String text, int n, char c) throws java.io.IOException {
        StringBuilder out = new StringBuilder();
        for (int i = text.codePointCount(0, text.length()); i < n; i++) { out.append(c); }
        return out + text;
    }

    public static void sort(short[] a) {
        java.util.Arrays.sort(a);
    }

    public static double half(double x) {
        return x / 2;
    }
}
";

/// A method, domains of its parameters, its laws, parts of the class, and a fault that a law is false of.
struct Case {
    method: &'static str,
    domains: &'static [(&'static str, (f64, f64))],
    laws: &'static str,
    parts: &'static [&'static str],
    fault: (&'static str, &'static str),
}

const CASES: [Case; 5] = [
    Case {
        method: "gcd",
        domains: &[],
        laws: "PermuteParameters on p, q => p_s > 0 and q_s > 0 implies out_f == out_s
            PermuteParameters on p, q => out_s >= 0 implies out_f * 2 >= out_s
            PermuteParameters on p, q => out_f - out_s <= 4294967296
            PermuteParameters on p, q => abs(out_f) == abs(out_s)
            NumericMultiplication(-1) on p => abs(out_f) == abs(out_s)
            NumericMultiplication(-1) on p => out_s > 0 implies out_f > 0
            NumericMultiplication(2) on q => abs(out_f) >= abs(out_s)
            NumericMultiplication(2) on q => abs(out_f) <= abs(out_s * 2)
            NumericMultiplication(2) on q => p_s == 1 implies out_f == 1
            NumericMultiplication(2) on q => abs(out_f) == abs(out_s) or abs(out_f) == abs(2 * out_s)",
        parts: &[
            "(s, f) -> !(s.p > 0 && s.q > 0) || f.out == s.out);",
            "(long) f.out * 2 >= (long) s.out);",
            "(long) f.out - (long) s.out <= 4294967296L);",
            "int p_f = Math.multiplyExact(source.p, -1);\n        return new Call(p_f, source.q);",
        ],
        fault: ("gcd(q, p % q)", "q > p ? p : gcd(q, p % q)"),
    },
    Case {
        method: "power",
        domains: &[("k", (-30.0, 30.0)), ("e", (-2.0, 40.0))],
        laws: "NumericAddition(1) on e => out_f == out_s * k_s
            NumericMultiplication(-1) on k => abs(out_f) == abs(out_s)
            NumericAddition(1) on e => e_s == 0 implies out_f == k_s",
        parts: &[
            "/** {@code power(k, e + 1) == power(k, e) * k} */\n",
            "(s, f) -> f.out == s.out * (long) s.k);",
            "Math.abs(f.out) == Math.abs(s.out)",
            "if (!(e_f >= -2 && e_f <= 40)) { return null; }",
        ],
        fault: ("i < e", "i < e - 9"),
    },
    Case {
        method: "pad",
        domains: &[("n", (-5.0, 50.0))],
        laws: "SequenceFlip on text => length(out_f) == length(out_s)
            SequenceFlip on text => n_s <= length(text_s) implies out_f == flip(out_s)
            NumericAddition(1) on n => n_s >= length(text_s) implies length(out_f) == length(out_s) + 1
            NumericAddition(1) on c => n_s > length(text_s) implies out_f != out_s",
        parts: &[
            "f.out.codePointCount(0, f.out.length()) == s.out.codePointCount(0, s.out.length())",
            "|| f.out.equals(reversed(s.out))",
            "|| !f.out.equals(s.out)",
        ],
        fault: ("i < n", "i <= n && i != 2"),
    },
    Case {
        method: "sort",
        domains: &[],
        laws: "SequenceFlip on a => a_after_f == a_after_s
            SequenceRemove(0) on a => length(a_s) > 0 implies length(a_after_f) == length(a_after_s) - 1",
        parts: &["(s, f) -> Arrays.equals(f.a_after, s.a_after));"],
        fault: ("java.util.Arrays.sort(a)", "java.util.Arrays.sort(a, 0, Math.min(2, a.length))"),
    },
    Case {
        method: "half",
        domains: &[],
        laws: "NumericMultiplication(-1) on x => out_f == -1 * out_s
            NumericMultiplication(2) on x => out_f == x_s",
        parts: &["ABS = 1e-9, REL = 1e-12;", "(s, f) -> eq(f.out, s.x)"],
        fault: ("x / 2", "x < 0 ? x : x / 2"),
    },
];

/// The method of a case in a version of the class, below a folder.
fn method(jdk: &Jdk, folder: &str, source: &str, case: &Case) -> JvmSubject {
    let folder = Folder::of(folder);
    let file = folder.write("Small.java", source);
    let flags = ["--release", "8", "-Xlint:-options", "-g", "-d"];
    run(Command::new(&jdk.javac).args(flags).arg(folder.path()).arg(file));
    let bounded = |&(name, range): &(&str, (f64, f64))| {
        (name.to_owned(), Domain { range: Some(range), ..Domain::default() })
    };
    let spec = JavaSpec {
        method: format!("small.Small#{}", case.method).parse().unwrap(),
        classpath: vec![folder.path().to_owned()],
        names: None,
        changed: None,
        domains: case.domains.iter().map(bounded).collect::<BTreeMap<_, _>>(),
    };
    JvmSubject::new(&spec, &runtime(jdk)).unwrap()
}

fn laws(subject: &JvmSubject, text: &str, junit: Junit) -> Suite {
    let text = text.replace("            ", "");
    written(subject, &text, 5, |parts| java::laws(subject, parts, &style(junit))).unwrap()
}

#[test]
fn short_tests_pass_on_the_right_method_and_fail_on_a_wrong_one() {
    let Some(jdk) = jdk() else { return };
    let right =
        CASES.map(|case| (method(jdk, &format!("laws-right-{}", case.method), RIGHT, &case), case));
    for junit in [Junit::Four, Junit::Five] {
        let mut suites = Vec::new();
        for (subject, case) in &right {
            let suite = laws(subject, case.laws, junit);
            let source = &suite.source;
            for part in case.parts {
                assert!(source.contains(part), "{part}\n{source}");
            }
            assert!(source.is_ascii() && source.lines().count() < 150, "{source}");
            assert_eq!(suite.tests.len(), case.laws.lines().count());
            assert_eq!(source.matches("@Test ").count(), suite.tests.len());
            assert_eq!(source.contains("REL"), case.method == "half");
            suites.push((subject, suite));
        }
        let tests: usize = suites.iter().map(|(_, suite)| suite.tests.len()).sum();
        let count = match junit {
            Junit::Four => format!("OK ({tests} tests)"),
            Junit::Five => format!("{tests} tests successful"),
        };
        let (passed, said) = tested(jdk, &suites, junit);
        assert!(passed && said.contains(&count), "{count}\n{said}");
    }
    for (subject, case) in &right {
        let (from, to) = case.fault;
        assert!(RIGHT.contains(from));
        let wrong = RIGHT.replace(from, to);
        let wrong = method(jdk, &format!("laws-wrong-{}", case.method), &wrong, case);
        let suite = laws(subject, case.laws, Junit::Five);
        let (passed, said) = tested(jdk, &[(&wrong, suite)], Junit::Five);
        assert!(!passed && said.contains("the law is false: "), "{}: {said}", case.method);
    }
}

#[test]
fn drawn_inputs_find_what_examples_do_not() {
    let Some(jdk) = jdk() else { return };
    let case = &CASES[4];
    let subject = method(jdk, "laws-drawn-right", RIGHT, case);
    let suite = laws(&subject, case.laws, Junit::Five);
    // The examples are left with one input.
    let (before, rest) = suite.source.split_once("EXAMPLES_1 = {").unwrap();
    let after = &rest[rest.find("};").unwrap()..];
    let source = format!("{before}EXAMPLES_1 = {{ new Call(0.0) {after}");
    let wrong = RIGHT.replace("x / 2", "x > 1 && x < 90 ? x : x / 2");
    let wrong = method(jdk, "laws-drawn-wrong", &wrong, case);
    let (passed, said) = tested(jdk, &[(&wrong, Suite { source, ..suite })], Junit::Five);
    assert!(!passed && said.contains("the law is false: x = "), "{said}");
}

#[test]
fn methods_of_all_types_and_places_have_short_tests() {
    let Some(jdk) = jdk() else { return };
    let subjects = ODD.map(|(method, text)| (odd_method(jdk, method), text));
    for junit in [Junit::Four, Junit::Five] {
        let suites: Vec<(&JvmSubject, Suite)> = subjects
            .iter()
            .map(|(subject, text)| {
                let suite = laws(subject, text, junit);
                // Elements that are texts are numbers in relations.
                let is_short = suite.source.contains("private static final class Call {");
                assert_eq!(is_short, !java::has_texts(subject), "{}", suite.source);
                (subject, suite)
            })
            .collect();
        let (passed, said) = tested(jdk, &suites, junit);
        assert!(passed, "{said}");
    }
}

#[test]
fn laws_of_a_run_are_short_unless_detectors_are_asked_for() {
    if jdk().is_none() {
        return;
    }
    let folder = Folder::of("export-java-laws");
    let laws =
        [("SequenceFlip on array", "out_f == out_s"), ("SequenceFlip on array", "out_f <= out_s")];
    let (report, out) = (report(&folder, "min", &laws), folder.at("tests"));
    let toml = format!("{}/tests/subjects/paper/min.toml", root().display());
    let class = format!("{out}/com/google/common/primitives/MinGenmorphTest.java");
    let args = ["export", &report, &toml, "-o", &out, "--force"];
    for (more, is_short, tests) in [(&[][..], true, 2), (&["--detectors"], false, 3)] {
        let said = genmorph(&[&args[..], more].concat());
        assert_eq!(said.code, Some(0), "{}", said.err);
        let source = fs::read_to_string(&class).unwrap();
        assert_eq!(source.contains("final class Call {"), is_short, "{source}");
        assert_eq!(source.matches("Test void ").count() == tests, is_short, "{source}");
        assert_eq!(source.matches("@ParameterizedTest").count() == tests, !is_short, "{source}");
    }
}
