//! Exported tests: Java, Rust and Python mean what the evaluator means, and the tests run on real functions.
//!
//! Without a JDK the tests that need one say so and check nothing.

mod differential;
mod everything;
mod java_laws;
mod laws;
pub mod python;
mod rust;

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use genmorph::assess::pit::{self, HAMCREST, JUNIT_4, JUNIT_5};
use genmorph::claims;
use genmorph::export::java::{self, Assertion, JAVA, JavaError, Junit, Part, Style, Suite};
use genmorph::export::{Helpers, Pairs, Variable, expression};
use genmorph::filter::fresh;
use genmorph::jit::{Tolerance, Type, Value, Var};
use genmorph::subject::jvm::{JavaDefinition, JavaSpec, Jdk, JvmSubject, Repositories, Runtime};
use genmorph::subject::{Inputs, Subject};
use genmorph::support::seed::Seed;

use self::differential::{Case, bytes, cases, compare};
use super::cli::genmorph;
use super::folder::Folder;
use super::jdk::jdk;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The repositories of this machine; what they do not have is fetched into target/.
fn repositories() -> Repositories {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let mvn = std::env::split_paths(&path).map(|folder| folder.join("mvn")).find(|p| p.is_file());
    let home = std::env::var_os("HOME").map(PathBuf::from);
    Repositories::usual(home.as_deref(), mvn, root().join("target/jvm-jars"))
}

fn runtime(jdk: &Jdk) -> Runtime {
    Runtime::new(jdk.clone(), root().join("target/jvm-cache"), 2)
}

/// Runs a command that has to succeed, and returns what it says.
fn run(command: &mut Command) -> String {
    let out = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    let text = [out.stdout, out.stderr].concat();
    let text = String::from_utf8_lossy(&text).into_owned();
    assert!(out.status.success(), "{command:?}\n{text}");
    text
}

// Differential: the same rows, the same verdicts.

/// How many rows are drawn, over all schemas; each is judged by several relations.
const ROWS: usize = 1_000_000;
const SCHEMAS: usize = 160;

/// A class with the relations of a schema as exported, that reads rows and writes verdicts.
fn judge(number: usize, case: &Case) -> String {
    let variable = |var: Var| Variable::new(format!("v{}", var.0));
    let mut helpers = Helpers::of(&JAVA);
    let types: Vec<Type> = case.schema.iter().map(|(_, _, ty)| ty).collect();
    let each = |of: &dyn Fn(usize, Type) -> String| -> Vec<String> {
        types.iter().enumerate().map(|(i, &ty)| of(i, ty)).collect()
    };
    let parameters = each(&|i, ty| format!("{} v{i}", java::plain(ty))).join(", ");
    let arguments = each(&|i, _| format!("v{i}")).join(", ");
    let reads = each(&|i, ty| match ty {
        Type::Num => format!("double v{i} = in.readDouble();"),
        Type::Bool => format!("boolean v{i} = in.readBoolean();"),
        Type::Seq => format!("double[] v{i} = Judge.sequence(in);"),
    });
    let mut class = format!("class S{number} {{\n    static double ABS, REL;\n");
    for (i, relation) in case.relations.iter().enumerate() {
        let holds = expression(relation, &variable, &mut helpers);
        let _ = writeln!(class, "    static boolean r{i}({parameters}) {{ return {holds}; }}");
    }
    class +=
        "    static void judge(DataInputStream in, DataOutputStream out) throws IOException {\n";
    class += "        ABS = in.readDouble(); REL = in.readDouble(); int rows = in.readInt();\n";
    let _ = writeln!(class, "        for (int row = 0; row < rows; row++) {{ {}", reads.join(" "));
    for i in 0..case.relations.len() {
        let _ = writeln!(class, "            out.writeBoolean(r{i}({arguments}));");
    }
    class + "        }\n    }\n" + &helpers.source() + "}\n"
}

#[test]
fn a_million_rows_have_the_same_verdicts_in_java() {
    let Some(jdk) = jdk() else { return };
    let folder = Folder::of("export-differential");
    let cases = cases(ROWS, SCHEMAS);
    let mut source = String::from(
        "import java.io.*;\nimport java.util.Arrays;\n\npublic class Judge {\n\
         static double[] sequence(DataInputStream in) throws IOException {\n\
         double[] s = new double[in.readInt()];\n\
         for (int i = 0; i < s.length; i++) { s[i] = in.readDouble(); }\n\
         return s;\n}\n\
         public static void main(String[] files) throws IOException {\n\
         DataInputStream in = new DataInputStream(new BufferedInputStream(new FileInputStream(files[0]), 1 << 16));\n\
         DataOutputStream out = new DataOutputStream(new BufferedOutputStream(new FileOutputStream(files[1]), 1 << 16));\n\
         for (int left = in.readInt(); left > 0; left--) {\n\
         switch (in.readInt()) {\n",
    );
    for number in 0..cases.len() {
        let _ = writeln!(source, "case {number}: S{number}.judge(in, out); break;");
    }
    source += "}\n}\nout.close();\n}\n}\n";
    for (number, case) in cases.iter().enumerate() {
        source += &judge(number, case);
    }
    let java = folder.write("Judge.java", source);
    let (input, output) = (folder.write("rows", bytes(&cases)), folder.at("verdicts"));
    let flags = ["--release", "8", "-Xlint:-options", "-nowarn", "-d"];
    run(Command::new(&jdk.javac).args(flags).arg(folder.path()).arg(java));
    run(Command::new(&jdk.java).arg("-cp").arg(folder.path()).args(["Judge", &input, &output]));
    let verdicts = fs::read(&output).unwrap();
    assert!(compare(&cases, &verdicts) >= ROWS);
}

// Whole classes, run by JUnit.

/// A method of the paper.
fn paper(jdk: &Jdk, name: &str) -> JvmSubject {
    let file = root().join(format!("tests/subjects/paper/{name}.toml"));
    let spec = JavaDefinition::read(file).unwrap().resolve(&repositories()).unwrap();
    JvmSubject::new(&spec, &runtime(jdk)).unwrap()
}

/// Inputs of a method, without a search.
fn inputs(subject: &JvmSubject, count: usize) -> Inputs {
    let signature = subject.signature();
    fresh::inputs(signature, subject.constants(), &Inputs::new(signature), Seed(1), count)
}

/// The class that states relations of a method.
fn suite(subject: &JvmSubject, text: &str, style: &Style<'_>) -> Result<Suite, JavaError> {
    written(subject, text, 40, |parts| java::suite(subject, parts, style))
}

/// What becomes of relations with at most so many inputs each.
fn written(
    subject: &JvmSubject,
    text: &str,
    most: usize,
    write: impl FnOnce(&[Part<'_>]) -> Result<Suite, JavaError>,
) -> Result<Suite, JavaError> {
    let claims = claims::read("here", text, &subject.signature().of_executions()).unwrap();
    let sources = inputs(subject, 400);
    let pairs: Vec<Pairs> = claims
        .groups
        .iter()
        .map(|stated| Pairs::choose(subject, &stated.transform, &sources, most).unwrap())
        .collect();
    let parts: Vec<Part<'_>> = claims
        .groups
        .iter()
        .zip(&pairs)
        .map(|(stated, pairs)| {
            assert!(!pairs.is_empty(), "{}", stated.transform.describe().name);
            let (transform, relations) = (&stated.transform, &stated.relations[..]);
            Part { transform, relations, evidence: &[], pairs }
        })
        .collect();
    write(&parts)
}

fn style(junit: Junit) -> Style<'static> {
    Style {
        junit,
        assertion: Assertion::Relation,
        package: None,
        name: None,
        tolerance: Tolerance::default(),
        origin: vec!["A test of genmorph.".to_owned()],
    }
}

fn jars(junit: Junit) -> Vec<PathBuf> {
    let coordinates: &[&str] = match junit {
        Junit::Four => &[JUNIT_4, HAMCREST],
        Junit::Five => &[JUNIT_5],
    };
    pit::fetch(coordinates, &repositories()).unwrap()
}

/// What JUnit says of classes, and whether all is well.
fn tested(jdk: &Jdk, suites: &[(&JvmSubject, Suite)], junit: Junit) -> (bool, String) {
    let name: Vec<&str> = suites.iter().map(|(_, suite)| suite.class.as_str()).collect();
    let folder = Folder::of(&format!("export-{}-{junit:?}", name[0]));
    let mut classpath = jars(junit);
    for (subject, _) in suites {
        classpath.extend(subject.classpath().iter().cloned());
    }
    let classes: Vec<&Suite> = suites.iter().map(|(_, suite)| suite).collect();
    pit::compile(jdk, &classes, &classpath, folder.path()).unwrap();
    classpath.push(folder.path().to_owned());
    let joined = std::env::join_paths(&classpath).unwrap();
    let mut command = Command::new(&jdk.java);
    command.arg("-cp").arg(joined);
    match junit {
        Junit::Four => command.arg("org.junit.runner.JUnitCore").args(&name),
        Junit::Five => {
            command.arg("org.junit.platform.console.ConsoleLauncher");
            command.args(["--disable-banner", "--details", "tree", "--fail-if-no-tests"]);
            command.args(name.iter().flat_map(|name| ["--select-class", name]))
        }
    };
    let out = command.output().unwrap();
    let text = String::from_utf8_lossy(&[out.stdout, out.stderr].concat()).into_owned();
    (out.status.success(), text)
}

#[test]
fn relations_of_the_papers_methods_pass_in_both_junits() {
    let Some(jdk) = jdk() else { return };
    let names = ["gcd", "padStart", "isSorted", "sort", "isPrime", "truncate"];
    let subjects = names.map(|name| (name, paper(jdk, name)));
    for junit in [Junit::Four, Junit::Five] {
        let suites: Vec<(&JvmSubject, Suite)> = subjects
            .iter()
            .map(|(name, subject)| {
                let file = root().join(format!("tests/export/relations/{name}.txt"));
                let text = fs::read_to_string(file).unwrap();
                (subject, suite(subject, &text, &style(junit)).unwrap())
            })
            .collect();
        let (passed, said) = tested(jdk, &suites, junit);
        assert!(passed, "{said}");
        let tests: usize = suites.iter().map(|(_, suite)| suite.tests.len()).sum();
        let inputs: usize = suites.iter().map(|(_, suite)| rows(&suite.source)).sum();
        let count = match junit {
            Junit::Four => format!("OK ({tests} tests)"),
            Junit::Five => format!("{inputs} tests successful"),
        };
        assert!(said.contains(&count), "{count}\n{said}");
        assert!(suites.iter().all(|(_, suite)| suite.source.is_ascii()));
    }
}

/// How many tests JUnit 5 sees in a class: the inputs of each relation.
fn rows(source: &str) -> usize {
    let inputs = |name: &str| {
        let provider = source.split(&format!("Stream<Arguments> {name}()")).nth(1).unwrap_or("");
        provider.split("\n    }").next().unwrap_or("").matches(" arguments(").count()
    };
    let sources = source.split("@MethodSource(\"").skip(1);
    sources.map(|rest| inputs(rest.split('"').next().unwrap())).sum()
}

#[test]
fn a_false_relation_fails_and_names_the_pair() {
    let Some(jdk) = jdk() else { return };
    let subject = paper(jdk, "sort");
    let text = "SequenceFlip on array => array_after_f == array_s and length(array_s) > 100";
    for junit in [Junit::Four, Junit::Five] {
        let suite = suite(&subject, text, &style(junit)).unwrap();
        let (passed, said) = tested(jdk, &[(&subject, suite)], junit);
        assert!(!passed, "{said}");
        let message = "array_after_f == array_s and length(array_s) > 100 is false: array_s = [";
        assert!(said.contains(message), "{said}");
        // The array before the call and after it are both there.
        assert!(said.contains("array_after_s = ["), "{said}");
        let vacuous = Style { assertion: Assertion::Nothing, ..style(junit) };
        let vacuous = self::suite(&subject, text, &vacuous).unwrap();
        assert!(tested(jdk, &[(&subject, vacuous)], junit).0);
    }
}

/// The folder with the classes of `tests/export/Odd.java`.
fn odd(jdk: &Jdk) -> PathBuf {
    static CLASSES: OnceLock<PathBuf> = OnceLock::new();
    let classes = CLASSES.get_or_init(|| {
        let folder = Folder::of("export-odd");
        let source = root().join("tests/export/Odd.java");
        let flags = ["--release", "8", "-Xlint:-options", "-g", "-d"];
        run(Command::new(&jdk.javac).args(flags).arg(folder.path()).arg(source));
        folder.path().to_owned()
    });
    classes.clone()
}

fn odd_method(jdk: &Jdk, method: &str) -> JvmSubject {
    let spec = JavaSpec {
        method: format!("odd.{method}").parse().unwrap(),
        classpath: vec![odd(jdk)],
        names: None,
        changed: None,
        domains: BTreeMap::new(),
    };
    JvmSubject::new(&spec, &runtime(jdk)).unwrap()
}

/// Methods of `tests/export/Odd.java`, with relations that hold.
const ODD: [(&str, &str); 12] = [
    ("Odd#size(CharSequence)", "SequenceFlip on text => out_f == out_s and out_s >= 0"),
    ("Odd#boxed", "PermuteParameters on x, y => out_f == out_s"),
    (
        "Odd#hidden",
        "SequenceRemove(-1) on values => out_f != out_s or out_f == out_s\n\
         NumericMultiplication(2) on factor => abs(out_f) >= 0 or out_f != out_f or true",
    ),
    (
        "Odd#sorted",
        "SequenceFlip on values => out_f == out_s\n\
         SequenceRemove(0) on values => length(out_s) == 0 or length(out_f) == length(out_s) - 1",
    ),
    ("Odd#drained", "SequenceFlip on letters => out_f == out_s and out_s == length(letters_s)"),
    (
        "Odd#shifted",
        "BooleanFlip on up => length(out_f) == length(out_s)\n\
         NumericAddition(1) on by => length(out_f) == length(letters_s)\n\
         NumericMultiplication(2) on again => length(out_f) == length(letters_s)\n\
         SequenceFlip on letters => flip(out_f) == out_s\n\
         SequenceRemove(1) on letters => out_f == remove(out_s, 1)",
    ),
    ("Odd#half", "SequenceFlip on text => length(out_f) <= length(text_s)"),
    (
        "Odd#shouted",
        "SequenceFlip on words => flip(out_f) == out_s and sum(out_s) >= -length(words_s)\n\
         SequenceRemove(0) on words => remove(out_s, 0) == out_f and words_f == remove(words_s, 0)",
    ),
    ("Odd#letters", "SequenceFlip on words => out_f == out_s"),
    (
        "Odd#kept",
        "SequenceFlip on words => out_f == words_f and out_s == words_s\n\
         SequenceRemove(1) on others => out_f == out_s and length(others_f) <= length(others_s)",
    ),
    ("Odd.Inner#twice", "NumericMultiplication(3) on x => out_f == 3 * out_s"),
    (
        "Odd.Nested#opposite",
        "SequenceFlip on bits => flip(out_f) == out_s and sum(out_s) + sum(bits_s) == length(out_s)\n\
         NumericAddition(1) on c => out_f == out_s and c_f == c_s + 1",
    ),
];

#[test]
fn methods_of_all_types_and_places_can_be_tested() {
    let Some(jdk) = jdk() else { return };
    let subjects = ODD.map(|(method, text)| (odd_method(jdk, method), text));
    for junit in [Junit::Four, Junit::Five] {
        let suites: Vec<(&JvmSubject, Suite)> = subjects
            .iter()
            .map(|(subject, text)| (subject, suite(subject, text, &style(junit)).unwrap()))
            .collect();
        // 64-bit integers are tried up to 2^53, and the test says so.
        let twice = suites.iter().find(|(_, suite)| suite.source.contains("twice"));
        let (_, twice) = twice.expect("a method with a long");
        assert!(twice.source.contains("where {@code |x|, |out| < 2^53}."), "{}", twice.source);
        let (passed, said) = tested(jdk, &suites, junit);
        assert!(passed, "{said}");
    }
}

#[test]
fn texts_have_the_numbers_of_the_run() {
    let Some(jdk) = jdk() else { return };
    let subject = odd_method(jdk, "Odd#shouted");
    let number = |text: &str| subject.texts().iter().position(|known| known == text).unwrap();
    // The hash of "a!" is 31 * 97 + 33, and it has none of the first numbers.
    let first = |text, out| {
        let given =
            format!("length(words_s) > 0 and sum(truncate(words_s, 1)) == {}", number(text));
        format!("SequenceFlip on words => {given} implies sum(truncate(out_s, 1)) == {out}\n")
    };
    let right = first("a", 4040) + &first("", -1);
    let right = suite(&subject, &right, &style(Junit::Five)).unwrap();
    let (passed, said) = tested(jdk, &[(&subject, right)], Junit::Five);
    assert!(passed, "{said}");
    // There are inputs that begin with these texts.
    for wrong in [first("a", 4041), first("", 0)] {
        let wrong = suite(&subject, &wrong, &style(Junit::Five)).unwrap();
        let (passed, said) = tested(jdk, &[(&subject, wrong)], Junit::Five);
        assert!(!passed && said.contains(" is false: words_s = ["), "{said}");
    }
}

#[test]
fn a_package_must_be_one_that_the_method_can_be_called_from() {
    let Some(jdk) = jdk() else { return };
    let elsewhere = |junit| Style { package: Some("some.place"), ..style(junit) };
    let subject = odd_method(jdk, "Odd#half");
    let text = "SequenceFlip on text => length(out_f) <= length(text_s)";
    let error = suite(&subject, text, &elsewhere(Junit::Four)).unwrap_err().to_string();
    assert!(error.starts_with("odd.Odd.half can be called from its own package only"), "{error}");
    let bad = Style { package: Some("a..b"), ..style(Junit::Four) };
    assert!(matches!(suite(&subject, text, &bad), Err(JavaError::Name(_))));
    for (subject, text) in [
        (paper(jdk, "min"), "SequenceFlip on array => out_f == out_s"),
        (odd_method(jdk, "Odd.Inner#twice"), "NumericMultiplication(3) on x => out_f == 3 * out_s"),
    ] {
        let suite = suite(&subject, text, &elsewhere(Junit::Five)).unwrap();
        assert!(suite.path.starts_with("some/place"), "{:?}", suite.path);
        let (passed, said) = tested(jdk, &[(&subject, suite)], Junit::Five);
        assert!(passed, "{said}");
    }
}

#[test]
fn many_long_inputs_are_spread_over_methods() {
    let Some(jdk) = jdk() else { return };
    let subject = odd_method(jdk, "Odd#hidden");
    let claims = claims::read(
        "here",
        "SequenceFlip on values => true",
        &subject.signature().of_executions(),
    );
    let claims = claims.unwrap();
    let row = |i: u32| {
        let values: Vec<f64> = (0..400).map(|j| f64::from(i) / 7.0 + f64::from(j)).collect();
        vec![Value::Seq(values.into()), Value::Num(1.0)]
    };
    let rows: Vec<Vec<Value<'static>>> = (0..60).map(row).collect();
    let sources = Inputs::from_rows(subject.signature(), rows.iter().map(Vec::as_slice));
    let stated = &claims.groups[0];
    let pairs = Pairs::choose(&subject, &stated.transform, &sources, 60).unwrap();
    assert_eq!(pairs.len(), 60);
    let (transform, relations) = (&stated.transform, &stated.relations[..]);
    let part = Part { transform, relations, evidence: &[], pairs: &pairs };
    for junit in [Junit::Four, Junit::Five] {
        let suite = java::suite(&subject, &[part], &style(junit)).unwrap();
        assert_eq!(suite.tests[0].methods.len() > 5, junit == Junit::Four);
        let (passed, said) = tested(jdk, &[(&subject, suite)], junit);
        assert!(passed, "{said}");
    }
}

/// Whether the real PIT gives the mutants of a method the fates that we give them; how many have which.
fn agreed_with_pit(jdk: &Jdk, method: &str, claim: &str) -> [usize; 3] {
    let subject = paper(jdk, method);
    let claims = claims::read("here", claim, &subject.signature().of_executions()).unwrap();
    let stated = &claims.groups[0];
    let pairs = Pairs::choose(&subject, &stated.transform, &inputs(&subject, 400), 40).unwrap();
    let (transform, relations) = (&stated.transform, &stated.relations[..]);
    let part = Part { transform, relations, evidence: &[], pairs: &pairs };
    let folder = Folder::of(&format!("export-pit-{method}"));
    let coordinates = [&pit::PIT[..], &[JUNIT_4, HAMCREST]].concat();
    let judge = pit::Judge {
        jdk,
        jars: &pit::fetch(&coordinates, &repositories()).unwrap(),
        folder: folder.path(),
        isolation: pit::Isolation::Shared,
        patience: 1_000,
        jobs: 2,
        tolerance: Tolerance::default(),
    };
    let judged = pit::judge(&subject, &[part], &judge).unwrap();
    let ours = pit::fates(&subject, &pairs, relations, Tolerance::default()).unwrap();
    assert_eq!(pit::disagreements(&ours[0], &judged.verdicts), [], "{method}");
    let count = |fate| judged.count(fate);
    [judged.verdicts.len(), count(pit::Fate::Asserted), count(pit::Fate::Crashed)]
}

#[test]
fn pit_kills_what_we_say_it_kills() {
    let Some(jdk) = jdk() else { return };
    let pow = agreed_with_pit(jdk, "pow", "NumericAddition(-1) on e => out_f * k_s == out_s");
    assert!(pow[0] == 10 && pow[1] > 0 && pow[2] > 0, "{pow:?}");
    let gcd = agreed_with_pit(jdk, "gcd", "PermuteParameters on p, q => out_f == out_s");
    assert!(gcd[0] == 25 && gcd[2] > 0, "{gcd:?}");
}

// The command.

#[test]
fn export_writes_a_class_once() {
    if jdk().is_none() {
        return;
    }
    let folder = Folder::of("export-command");
    let text = "SequenceFlip on array => out_f == out_s\nSequenceFlip on array => out_f > out_s\n";
    let (relations, out) = (folder.write("mine.txt", text), folder.at("tests"));
    let subject = format!("{}/tests/subjects/paper/min.toml", root().display());
    let args = ["export", &relations, &subject, "-o", &out, "--junit", "4", "--inputs", "5"];
    let run = genmorph(&args);
    assert_eq!(run.code, Some(0), "{}", run.err);
    let class = format!("{out}/com/google/common/primitives/MinGenmorphTest.java");
    assert!(run.out.starts_with(&format!("{class}: 1 relation, 5 pairs")), "{}", run.out);
    assert!(run.err.contains("out_f > out_s: left out, it is false for ("), "{}", run.err);
    let source = fs::read_to_string(&class).unwrap();
    assert_eq!(
        source.matches("\n        reversingArrayKeepsTheResult(new int[] {").count(),
        5,
        "{source}"
    );
    assert!(source.contains("Written by genmorph ") && source.contains("This file is yours"));
    assert!(source.contains("The inputs were made from seed 1."), "{source}");

    let again = genmorph(&args);
    assert_eq!(again.code, Some(2));
    assert!(again.err.contains("is there already"), "{}", again.err);
    let forced = genmorph(&[&args[..], &["--force"]].concat());
    assert_eq!(forced.code, Some(0), "{}", forced.err);
    assert_eq!(fs::read_to_string(&class).unwrap(), source);

    let wrong = folder.write("wrong.txt", "SequenceFlip on array => out_f > out_s");
    let run = genmorph(&["export", &wrong, &subject, "-o", &out, "--force"]);
    assert_eq!(run.code, Some(3), "{}", run.err);
    assert_eq!(fs::read_to_string(&class).unwrap(), source);
}

#[test]
fn a_run_gives_its_inputs_and_what_speaks_for_its_relations() {
    if jdk().is_none() {
        return;
    }
    let folder = Folder::of("export-run");
    let report = r#"{"tool": "genmorph 0.0.7", "seed": 42, "function": "min",
        "tolerance": {"abs": 0.25, "rel": 0}, "transformations": [
        {"transformation": "SequenceRemove(0) on array", "results": null},
        {"transformation": "SequenceFlip on array", "tried": [77], "judging_kills": [3], "results":
            {"mutants": ["A1", "A2", "A3"], "relations": [{"relation": "out_f == out_s", "kind": "law", "killed": ["A2"]}]}}]}"#;
    folder.write("run/report.json", report);
    folder.write(
        "run/sources.ndjson",
        "{\"array\": [5, -7]}\n{\"array\": [3]}\n{\"array\": [1, 2]}\n",
    );
    let (run, out) = (folder.at("run"), folder.at("tests"));
    let subject = format!("{}/tests/subjects/paper/min.toml", root().display());
    // Tests of laws alone are short, and leave the evidence to the report.
    let args = ["export", &run, &subject, "-o", &out, "--name", "Mine", "--detectors"];
    let said = genmorph(&args);
    assert_eq!((said.code, said.err.as_str()), (Some(0), ""), "{}", said.out);
    let source = fs::read_to_string(format!("{out}/com/google/common/primitives/Mine.java"));
    let source = source.unwrap();
    for part in [
        "The relations were found by genmorph 0.0.7 with seed 42.",
        "The inputs are those of the run.",
        "double ABS = 0.25;",
        "It held on 77 fresh pairs of inputs.",
        "It is false of 1 of the 3 mutants that it was found with.",
        "It kills 3 mutants of other operators.",
        // One element reversed is the same, and a pair like any other.
        "arguments(new int[] {5, -7}),\n            arguments(new int[] {3}),\n            arguments(new int[] {1, 2}));",
    ] {
        assert!(source.contains(part), "{part}\n{source}");
    }
}

#[test]
fn export_says_what_is_missing() {
    let folder = Folder::of("export-missing");
    let relations = folder.write("mine.txt", "NumericAddition(-1) on e => out_f * k_s == out_s");
    let out = folder.at("tests");
    for (args, said) in [
        (vec!["export", &relations, "-o", &out], "of which function are the relations?"),
        (vec!["export", "nowhere.txt", "x.toml", "-o", &out], "cannot read nowhere.txt"),
        (vec!["export", folder.path().to_str().unwrap(), "x.toml", "-o", &out], "no report.json"),
        (vec!["export", &relations, "x.toml", "-o", &out, "--junit", "3"], "write 4 or 5"),
        (vec!["export", &relations, "x.toml", "-o", &out, "--inputs", "0"], "from 1 to 10000"),
    ] {
        let run = genmorph(&args);
        assert_eq!(run.code, Some(2), "{args:?}\n{}", run.err);
        assert!(run.err.contains(said), "{args:?}\n{}", run.err);
    }
}
