//! Tests in Rust: the same verdicts and follow-ups as ours, and real crates that pass and fail them.
//!
//! They need rustc and cargo, and its registry for proptest, once.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use genmorph::claims;
use genmorph::export::rust::{
    self, Argument, ArgumentMode, Callee, Function, RUST, ReturnStyle, RustError, Style,
};
use genmorph::export::{Helpers, Part, Properties, Variable, expression};
use genmorph::jit::{Tolerance, Type, Value, Var};
use genmorph::subject::{Inputs, Signature};

use super::differential::{Case, bytes, cases, compare};
use super::everything::{Everything, pairs};
use super::laws;
use super::run;
use crate::cli::{genmorph, refuses};
use crate::folder::{Folder, subject};

const ROWS: usize = 300_000;
const SCHEMAS: usize = 100;

/// A module with the relations of a schema as exported, that reads rows and writes verdicts.
fn judge(number: usize, case: &Case, helpers: &mut Helpers) -> String {
    let variable = |var: Var| Variable::new(format!("v{}", var.0));
    let types: Vec<Type> = case.schema.iter().map(|(_, _, ty)| ty).collect();
    let each = |of: &dyn Fn(usize, Type) -> String| -> String {
        types.iter().enumerate().map(|(i, &ty)| of(i, ty)).collect()
    };
    let parameters = each(&|i, ty| match ty {
        Type::Num => format!("v{i}: f64, "),
        Type::Bool => format!("v{i}: bool, "),
        Type::Seq => format!("v{i}: &Vec<f64>, "),
    });
    let reads = each(&|i, ty| match ty {
        Type::Num => format!("let v{i} = rows.number(); "),
        Type::Bool => format!("let v{i} = rows.byte() == 1; "),
        Type::Seq => format!("let v{i} = rows.sequence(); "),
    });
    let arguments = each(&|i, ty| match ty {
        Type::Num | Type::Bool => format!("v{i}, "),
        Type::Seq => format!("&v{i}, "),
    });
    let mut module = format!("mod s{number} {{\n    use super::*;\n");
    let mut calls = String::new();
    for (i, relation) in case.relations.iter().enumerate() {
        let holds = expression(relation, &variable, helpers);
        let _ = writeln!(module, "    fn r{i}({parameters}) -> bool {{ {holds} }}");
        let _ = write!(calls, "out.push(u8::from(r{i}({arguments}))); ");
    }
    module
        + &format!(
            "    pub fn judge(rows: &mut Rows, out: &mut Vec<u8>) {{\n        \
             for _ in 0..rows.count() {{ {reads}{calls}}}\n    }}\n}}\n"
        )
}

/// Reads what [`bytes`] writes. ABS and REL are constants in a test, and change from table to table here.
const PROGRAM: &str = "
#![allow(unused)]
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

static TOLERANCE: [AtomicU64; 2] = [AtomicU64::new(0), AtomicU64::new(0)];
#[derive(Clone, Copy)]
struct Abs;
#[derive(Clone, Copy)]
struct Rel;
const ABS: Abs = Abs;
const REL: Rel = Rel;
impl std::ops::Add<f64> for Abs {
    type Output = f64;
    fn add(self, other: f64) -> f64 { f64::from_bits(TOLERANCE[0].load(Relaxed)) + other }
}
impl std::ops::Mul<f64> for Rel {
    type Output = f64;
    fn mul(self, other: f64) -> f64 { f64::from_bits(TOLERANCE[1].load(Relaxed)) * other }
}

pub struct Rows { bytes: Vec<u8>, at: usize }
impl Rows {
    fn take<const N: usize>(&mut self) -> [u8; N] {
        self.at += N;
        self.bytes[self.at - N..self.at].try_into().unwrap()
    }
    fn byte(&mut self) -> u8 { self.take::<1>()[0] }
    fn count(&mut self) -> u32 { u32::from_be_bytes(self.take()) }
    fn number(&mut self) -> f64 { f64::from_be_bytes(self.take()) }
    fn sequence(&mut self) -> Vec<f64> { (0..self.count()).map(|_| self.number()).collect() }
}

fn main() {
    let files: Vec<String> = std::env::args().skip(1).collect();
    let (mut rows, mut out) = (Rows { bytes: std::fs::read(&files[0]).unwrap(), at: 0 }, Vec::new());
    for _ in 0..rows.count() {
        let case = rows.count();
        for part in &TOLERANCE { part.store(rows.number().to_bits(), Relaxed); }
        judge(case, &mut rows, &mut out);
    }
    std::fs::write(&files[1], out).unwrap();
}
";

/// Compiles a program; it is at `program` in the folder.
fn compile(folder: &Folder, source: &str) -> String {
    let (source, program) = (folder.write("program.rs", source), folder.at("program"));
    let flags = ["--edition", "2021", "--crate-name", "program", "-Awarnings", "-o", &program];
    run(Command::new("rustc").args(flags).arg(source));
    program
}

#[test]
fn three_hundred_thousand_rows_have_the_same_verdicts_in_rust() {
    let folder = Folder::of("export-rust-differential");
    let cases = cases(ROWS, SCHEMAS);
    let mut helpers = Helpers::of(&RUST);
    let mut source = PROGRAM.to_owned();
    source += "fn judge(case: u32, rows: &mut Rows, out: &mut Vec<u8>) {\n    match case {\n";
    for number in 0..cases.len() {
        let _ = writeln!(source, "        {number} => s{number}::judge(rows, out),");
    }
    source += "        _ => unreachable!(),\n    }\n}\n";
    for (number, case) in cases.iter().enumerate() {
        source += &judge(number, case, &mut helpers);
    }
    helpers.need("ge");
    let program = compile(&folder, &(source + &helpers.source()));
    let (input, output) = (folder.write("rows", bytes(&cases)), folder.at("verdicts"));
    run(Command::new(program).args([&input, &output]));
    assert!(compare(&cases, &fs::read(&output).unwrap()) >= ROWS);
}

#[test]
fn follow_ups_are_the_same_in_rust() {
    let folder = Folder::of("export-rust-follow-ups");
    let everything = Everything::new();
    let arguments = vec!["_"; everything.signature.parameters.len()].join(", ");
    let callee = Callee::read(&format!("|{arguments}| true"), &everything.signature).unwrap();
    let style = style(&callee, Properties::None);
    let mut source = rust::suite(&everything.signature, &everything.parts(), &style).unwrap();
    source += "
trait Shown { fn shown(&self) -> String; }
fn bits(x: f64) -> String { if x.is_nan() { \"nan\".to_owned() } else { format!(\"{:016x}\", x.to_bits()) } }
macro_rules! shown { ($($ty:ty)*) => { $(impl Shown for $ty { fn shown(&self) -> String { bits(*self as f64) } })* } }
shown! { i8 u8 i16 i32 u32 i64 u64 f32 f64 }
impl Shown for bool { fn shown(&self) -> String { bits(f64::from(u8::from(*self))) } }
impl Shown for char { fn shown(&self) -> String { bits(f64::from(u32::from(*self))) } }
impl Shown for String { fn shown(&self) -> String { self.chars().collect::<Vec<char>>().shown() } }
impl<T: Shown> Shown for Vec<T> {
    fn shown(&self) -> String {
        format!(\"[{}]\", self.iter().map(Shown::shown).collect::<Vec<_>>().join(\",\"))
    }
}
fn print(follow_up: fn(&Inputs) -> Option<Inputs>, related: fn(&Pair) -> bool) {
";
    let parameters = everything.signature.parameters.iter();
    let shown = parameters.map(|parameter| format!("f.{}.shown()", parameter.name));
    let _ = writeln!(
        source,
        "    for source in examples_1() {{
        match follow_up(&source) {{
            None => println!(\"none\"),
            Some(f) => {{
                let shown = [{}].join(\" \");
                let related = if related(&Pair::of(source, f)) {{ \"related\" }} else {{ \"unrelated\" }};
                println!(\"{{related}} {{shown}}\");
            }}
        }}
    }}
}}",
        shown.collect::<Vec<_>>().join(", "),
    );
    source += "fn main() {\n";
    for part in 1..=everything.transforms.len() {
        let _ = writeln!(source, "    print(follow_up_{part}, related_{part});");
    }
    let program = compile(&folder, &(source + "}\n"));
    everything.compare(&run(&mut Command::new(program)));
}

fn style(callee: &Callee, properties: Properties) -> Style<'_> {
    let origin = vec!["The inputs were made for a test.".to_owned()];
    Style { callee, properties, tolerance: Tolerance::default(), origin }
}

// Whole crates, tested by cargo.

/// The functions of subjects that are written in Rust, and more.
fn functions() -> String {
    let mut source = String::new();
    for name in ["pad_start", "sort_range", "truncate"] {
        let text = fs::read_to_string(subject(&format!("{name}/{name}.rs"))).unwrap();
        let begin = text.find("\nfn ").expect("it has a function");
        let end = text.find("\ngenmorph!").expect("it has a macro after the function");
        source += &format!("pub {}\n", text[begin..end].trim());
    }
    source
        + "
/// As `gcd.c` has it.
pub fn gcd(p: i32, q: i32) -> i32 {
    let (mut u, mut v) = (-p.abs(), -q.abs());
    while v != 0 {
        (u, v) = (v, u % v);
    }
    -u
}

pub fn everything() -> bool {
    true
}

pub fn is_prime(n: i32) -> bool {
    n > 1 && (2..n).take_while(|d| d * d <= n).all(|d| n % d != 0)
}

pub fn nth(values: &[usize], at: usize) -> Option<&usize> {
    values.get(at)
}

pub fn tripled(n: i64) -> i64 {
    n.wrapping_mul(3)
}

pub fn mixed(text: String, letter: &char, _: f32, _: i64, bits: &Vec<bool>, up: bool) -> Vec<char> {
    let mut letters: Vec<char> = text.chars().collect();
    letters.extend(bits.iter().filter(|bit| **bit == up).map(|_| *letter));
    letters
}
"
}

/// Faults, one per function.
const FAULTS: [(&str, &str); 8] = [
    ("missing > 0", "missing > 1"),
    ("a[j] = value;", "a[j] = value + 1;"),
    ("index - offset < max_width", "index - offset <= max_width"),
    ("(u, v) = (v, u % v);", "(u, v) = (v, u % v / 2);"),
    ("n % d != 0", "n % d != 1"),
    ("values.get(at)", "values.get(at + 1)"),
    ("n.wrapping_mul(3)", "n.wrapping_mul(3) + n % 2"),
    ("**bit == up", "**bit == up || !up"),
];

/// Relations of subjects, and how their functions are called.
const RELATIONS: [(&str, &str, &str); 4] = [
    (
        "is_prime",
        "functions::is_prime",
        "NumericMultiplication(2) on n => n_s > 1 implies not out_f",
    ),
    (
        "pad_start",
        "|text, n, c| functions::pad_start(&text, n, c)",
        "NumericAddition(1) on n => out_f == out_s or length(out_f) == n_f and truncate(out_f, -1) == out_s\n\
         SequenceFlip on text => length(out_f) == length(out_s) and sum(out_f) == sum(out_s)\n\
         PermuteParameters on n, c => true",
    ),
    (
        "sort_range",
        "functions::sort_range",
        "SequenceFlip on a => from_s == 0 and to_s == length(a_s) implies a_after_f == a_after_s\n\
         NumericAddition(-1) on from => sum(a_after_f) == sum(a_after_s)",
    ),
    (
        "truncate",
        "functions::truncate",
        "NumericAddition(1) on max_width => length(out_f) <= length(out_s) + 1 and length(out_s) <= max_width_s",
    ),
];

/// The test file of relations of a function that no subject stands for, on these inputs.
fn suite(
    signature: &Signature,
    callee: &Callee,
    text: &str,
    rows: &[Vec<Value<'static>>],
) -> String {
    let claims = claims::read("here", text, &signature.of_executions()).unwrap();
    let pairs = pairs(signature, Inputs::from_rows(signature, rows.iter().map(Vec::as_slice)));
    let parts: Vec<Part<'_>> = claims
        .groups
        .iter()
        .map(|claims::ClaimGroup { transform, relations, .. }| Part {
            transform,
            relations,
            evidence: &[],
            pairs: &pairs,
        })
        .collect();
    rust::suite(signature, &parts, &style(callee, Properties::Drawn)).unwrap()
}

fn seq(values: &[f64]) -> Value<'static> {
    Value::Seq(values.to_vec().into())
}

/// Arguments that are sizes, and a result that is borrowed and may be missing.
fn nth() -> String {
    let text = "func(values: list<u64>, at: u64) -> u64";
    let mut signature = Signature::parse("nth", text).unwrap();
    signature.parameters[1].domain.range = Some((0.0, 8.0));
    let size = |passing| Argument { passing, is_size: true };
    let callee = Callee {
        function: Function::Path("functions::nth".to_owned()),
        parameters: vec![size(ArgumentMode::Reference), size(ArgumentMode::Value)],
        returned: ReturnStyle { is_borrowed: true, is_fallible: true, is_size: true },
    };
    let relations = "\
        SequenceFlip on values => at_s == 0 implies out_f == sum(truncate(flip(values_s), 1))\n\
        NumericAddition(1) on at => length(values_s) > at_f";
    let rows = [
        vec![seq(&[3.0, 4.0, 9_007_199_254_740_991.0]), Value::Num(0.0)],
        vec![seq(&[0.0, 7.0, 1.0]), Value::Num(1.0)],
    ];
    suite(&signature, &callee, relations, &rows)
}

/// 64-bit integers: a relation that is false of outputs from 2^53 on, of which the test must not speak.
fn tripled() -> String {
    let signature = Signature::parse("tripled", "func(n: s64) -> s64").unwrap();
    let callee = Callee::read("functions::tripled", &signature).unwrap();
    let relation =
        "NumericAddition(1) on n => out_f == out_s + 3 and abs(out_s) <= 9007199254740992";
    let rows = [5.0, -3_002_399_751_580_000.0].map(|n| vec![Value::Num(n)]);
    let source = suite(&signature, &callee, relation, &rows);
    assert!(source.contains("where `|n|, |out| < 2^53`."), "{source}");
    source
}

/// Arguments by value and by reference, of many types.
fn mixed() -> String {
    let text = "func(text: string, letter: char, single: f32, wide: s64, bits: list<bool>, up: bool) -> list<char>";
    let signature = Signature::parse("mixed", text).unwrap();
    let passed = |passing| Argument { passing, is_size: false };
    use ArgumentMode::{Reference, Value as ByValue};
    let passings = [ByValue, Reference, ByValue, ByValue, Reference, ByValue];
    let callee = Callee {
        function: Function::Path("functions::mixed".to_owned()),
        parameters: passings.map(passed).to_vec(),
        returned: ReturnStyle::default(),
    };
    let relations = "\
        BooleanFlip on up => length(out_s) + length(out_f) == 2 * length(text_s) + length(bits_s)\n\
        NumericMultiplication(0.5) on single => out_f == out_s\n\
        NumericAddition(0.5) on single => single_f == single_s + 0.5 and out_f == out_s\n\
        SequenceRemove(0) on text => length(text_s) > 0 implies remove(out_s, 0) == out_f";
    let row = |text: &[f64], letter, single, wide, bits: &[f64], up| {
        let numbers = [letter, single, wide].map(Value::Num);
        let row = [seq(text)].into_iter().chain(numbers);
        row.chain([seq(bits), Value::Bool(up)]).collect::<Vec<_>>()
    };
    let least = -9_007_199_254_740_991.0;
    let rows = [
        row(&[97.0, 128_512.0, 34.0], 233.0, 0.25, least, &[1.0, 0.0, 1.0], true),
        row(&[92.0], 39.0, -8.0, 0.0, &[], false),
    ];
    suite(&signature, &callee, relations, &rows)
}

/// All types and domains, of which inputs are drawn.
fn everything() -> String {
    let everything = Everything::new();
    let arguments = vec!["_"; everything.signature.parameters.len()].join(", ");
    let call = format!("|{arguments}| functions::everything()");
    let callee = Callee::read(&call, &everything.signature).unwrap();
    let common = everything.common();
    let relations = everything.truth();
    let parts: Vec<Part<'_>> = common
        .iter()
        .map(|(transform, pairs)| Part { transform, relations, evidence: &[], pairs })
        .collect();
    assert!(parts.len() > 5, "{}", parts.len());
    rust::suite(&everything.signature, &parts, &style(&callee, Properties::Drawn)).unwrap()
}

/// A workspace with a crate that is right and one that is wrong, both with the exported tests.
fn workspace() -> &'static Path {
    static WORKSPACE: OnceLock<PathBuf> = OnceLock::new();
    WORKSPACE.get_or_init(|| {
        let folder = Folder::of("export-crates");
        let mut manifest =
            "[workspace]\nresolver = \"2\"\nmembers = [\"right\", \"wrong\"]\n\n".to_owned();
        manifest += "[profile.dev]\ndebug = false\n";
        folder.write("Cargo.toml", manifest);
        let right = functions();
        let wrong = FAULTS.iter().fold(right.clone(), |source, (from, to)| {
            assert_eq!(source.matches(from).count(), 1, "{from}");
            source.replace(from, to)
        });
        for (name, source) in [("right", &right), ("wrong", &wrong)] {
            // Without what proptest has for forks and time limits: it compiles in half the time.
            let manifest = format!(
                "[package]\nname = \"{name}\"\nversion = \"0.1.0\"\nedition = \"2021\"\n\n\
                 [lib]\nname = \"functions\"\ndoctest = false\n\n[dev-dependencies]\n\
                 proptest = {{ version = \"1\", default-features = false, features = [\"std\"] }}\n"
            );
            folder.write(&format!("{name}/Cargo.toml"), manifest);
            folder.write(&format!("{name}/src/lib.rs"), source);
        }
        for (name, source) in exported(&folder) {
            for of in ["right", "wrong"] {
                folder.write(&format!("{of}/tests/{name}.rs"), &source);
            }
        }
        folder.path().to_owned()
    })
}

/// The tests: of a real run, of written relations, and of what no subject stands for.
fn exported(folder: &Folder) -> Vec<(&'static str, String)> {
    let mut all = vec![
        ("everything", everything()),
        ("mixed", mixed()),
        ("nth", nth()),
        ("tripled", tripled()),
    ];
    let (toml, out) = (subject("gcd/subject.toml"), folder.at("gcd.out"));
    let short =
        ["--generations", "30", "--population", "200", "--sources", "200", "--fresh", "2000"];
    let few = ["--hunt", "2000", "--seed", "3", "--transformation", "PermuteParameters on p, q"];
    let made = genmorph(&[&["generate", &toml, "-o", &out][..], &short, &few].concat());
    assert_eq!(made.code, Some(0), "{}", made.err);
    without_laws(&out);
    let call = ["--to", "rust", "--call", "functions::gcd", "-o"];
    let at = folder.at("gcd.rs");
    let said = genmorph(&[&["export", &out, &toml][..], &call, &[&at]].concat());
    assert_eq!(said.code, Some(0), "{}", said.err);
    assert!(said.err.starts_with("the run has no laws: "), "{}", said.err);
    assert!(said.out.contains("cargo test --test gcd\n"), "{}", said.out);
    let source = fs::read_to_string(&at).unwrap();
    for part in [
        "\n// Written by genmorph ",
        "\n// The relations were found by genmorph 0.1.0 with seed 3.\n// The inputs are those of the run.\n",
        "\n// This file is yours",
        "/// When p and q are exchanged, ",
        "/// It held on ",
        " fresh pairs of inputs.\n",
    ] {
        assert!(source.contains(part), "{part}\n{source}");
    }
    all.push(("gcd", source));
    for (name, call, text) in RELATIONS {
        let relations = folder.write(&format!("{name}.txt"), text);
        let toml = subject(&format!("{name}/subject.toml"));
        // The folder is enough, and so is the subject: it is no Java method.
        let args = ["export", &relations, &toml, "--call", call, "-o", &folder.at("tests")];
        let said = genmorph(&args);
        assert_eq!(said.code, Some(0), "{}", said.err);
        let at = folder.at(&format!("tests/genmorph_{name}.rs"));
        assert!(said.out.starts_with(&format!("{at}: ")), "{}", said.out);
        all.push((name, fs::read_to_string(at).unwrap()));
    }
    all.extend(laws::exported(folder));
    all
}

/// Makes a run one of those that know no laws.
fn without_laws(run: &str) {
    let file = format!("{run}/report.json");
    let mut report: serde_json::Value =
        serde_json::from_str(&fs::read_to_string(&file).unwrap()).unwrap();
    report.as_object_mut().unwrap().remove("checksum");
    let of = |kind: &str| format!("\"kind\":\"{kind}\"");
    let text = report.to_string();
    let text = ["law", "postcondition"]
        .iter()
        .fold(text, |text, kind| text.replace(&of(kind), &of("detector")));
    fs::write(file, text).unwrap();
}

/// Runs the tests of a crate; what cargo says, by file of tests.
fn tested(name: &str) -> Vec<(String, String)> {
    let folder = workspace();
    // Proptest is compiled once and kept.
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).join("export-crates-target");
    let mut command = Command::new("cargo");
    command.args(["test", "-p", name, "--tests", "--no-fail-fast"]).current_dir(folder);
    command.env("CARGO_TARGET_DIR", target).env("RUSTFLAGS", "-D warnings");
    let out = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let (said, told) = (text(&out.stdout), text(&out.stderr));
    let files: Vec<&str> = told
        .lines()
        .filter_map(|line| line.trim_start().strip_prefix("Running tests/")?.split(".rs").next())
        .collect();
    assert!(
        !files.is_empty(),
        "it was not compiled; these tests need the registry of cargo\n{told}"
    );
    // The first is the crate itself, which has none.
    let parts = said.split("\nrunning ").skip(2);
    files.into_iter().map(str::to_owned).zip(parts.map(str::to_owned)).collect()
}

#[test]
fn exported_crates_pass_if_right_and_fail_if_wrong() {
    let right = tested("right");
    let names: Vec<&str> = right.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(
        names,
        [
            "everything",
            "gcd",
            "is_prime",
            "laws_gcd",
            "laws_pad_start",
            "laws_sort_range",
            "mixed",
            "nth",
            "pad_start",
            "sort_range",
            "tripled",
            "truncate"
        ]
    );
    for (name, said) in &right {
        assert!(said.contains("test result: ok.") && said.contains(" 0 failed;"), "{name}\n{said}");
    }
    let wrong = tested("wrong");
    for (name, said) in wrong.iter().filter(|(name, _)| name.starts_with("laws_")) {
        assert!(said.contains("the law is false: Call {"), "{name}\n{said}");
    }
    let is_by_number = |name: &str| name != "everything" && !name.starts_with("laws_");
    for (name, said) in wrong.iter().filter(|(name, _)| is_by_number(name)) {
        for kind in ["_on_examples", "_on_any_inputs"] {
            let failed = |line: &&str| line.contains(kind) && line.ends_with(" ... FAILED");
            assert!(said.lines().any(|line| failed(&line)), "{name}{kind}\n{said}");
        }
        // The message has the relation, both inputs and both outputs.
        for part in [" is false: Pair {", "source: Inputs {", "at_follow_up: Outputs {"] {
            assert!(said.contains(part), "{name}: {part}\n{said}");
        }
    }
}

#[test]
fn a_recording_is_replayed_in_rust() {
    let folder = Folder::of("export-rust-recorded");
    let (from, file) = (subject("pow/plain.ndjson"), folder.at("pow.parquet"));
    let step = "NumericAddition(-1) on e";
    let made = genmorph(&["collect", "--from", &from, "--transformation", step, "-o", &file]);
    assert_eq!(made.code, Some(0), "{}", made.err);
    let relations = folder.write("pow.txt", format!("{step} => out_f * k_s == out_s"));
    for (call, passes) in [("|k, e| k.pow(e as u32)", true), ("|k, e| k * e", false)] {
        let test = folder.at("pow.rs");
        let said = genmorph(&["export", &relations, &file, "--call", call, "-o", &test, "--force"]);
        assert_eq!((said.code, said.err.as_str()), (Some(0), ""), "{}", said.out);
        // Nothing is drawn, so that nothing but the standard library is needed.
        let program = folder.at("pow");
        run(Command::new("rustc").args(["--test", "--edition", "2021", "-o", &program, &test]));
        let out = Command::new(program).output().unwrap();
        let said = String::from_utf8_lossy(&out.stdout);
        assert_eq!(out.status.success(), passes, "{said}");
        assert_eq!(said.contains("relation_1_on_examples ... ok"), passes, "{said}");
    }
}

// The command.

#[test]
fn export_to_rust_says_what_is_missing() {
    let folder = Folder::of("export-rust-missing");
    let relations = folder.write("mine.txt", "NumericAddition(-1) on e => out_f * k_s == out_s");
    let (toml, out) = (subject("pow/subject.toml"), folder.at("tests"));
    let common = ["export", &relations, &toml, "-o", &out];
    for (flags, said) in [
        (vec![], "which function does the test call? say so with --call 'my_crate::gcd'"),
        (vec!["--call", "my crate"], "`my crate` is not a Rust function"),
        (vec!["--call", "f", "--junit", "4"], "--junit is for tests in Java"),
        (vec!["--call", "f", "--to", "java"], "--call is for tests in Rust and Python"),
        (vec!["--to", "java"], "tests in Java can be written for Java methods only"),
        (vec!["--to", "cobol"], "invalid value 'cobol'"),
    ] {
        let error = refuses(&[&common[..], &flags].concat());
        assert!(error.contains(said), "{flags:?}\n{error}");
    }
    assert!(!Path::new(&out).exists());

    let named = folder.at("deep/pow.rs");
    let args = ["export", &relations, &toml, "--call", "my::pow", "-o", &named, "--inputs", "3"];
    assert_eq!(genmorph(&args).code, Some(0));
    let source = fs::read_to_string(&named).unwrap();
    assert!(source.contains("// The inputs were made from seed 1.\n"), "{source}");
    let examples = source.split("EXAMPLES_1: &[(i32, i32)] = &[\n").nth(1).unwrap();
    assert_eq!(
        examples.lines().take_while(|line| line.starts_with("    (")).count(),
        3,
        "{source}"
    );
    let again = refuses(&args);
    assert!(again.contains("is there already\nuse --force to replace it"), "{again}");
    assert_eq!(genmorph(&[&args[..], &["--force"]].concat()).code, Some(0));
    assert_eq!(fs::read_to_string(&named).unwrap(), source);
}

#[test]
fn a_callee_has_the_parameters_of_the_signature() {
    let one = Signature::parse("f", "func(x: s32) -> s32").unwrap();
    let two = Signature::parse("f", "func(x: s32, y: s32) -> s32").unwrap();
    let callee = Callee::read("f", &two).unwrap();
    let error = rust::suite(&one, &[], &style(&callee, Properties::None)).unwrap_err();
    assert_eq!(error, RustError::Parameters { found: 2, wanted: 1 });
    let callee = Callee::read("f", &one).unwrap();
    let error = rust::suite(&one, &[], &style(&callee, Properties::None)).unwrap_err();
    assert_eq!(error, RustError::Nothing);
}
