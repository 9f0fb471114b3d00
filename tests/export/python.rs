//! Tests in Python: the same verdicts and follow-ups as ours, and real functions that pass and fail them.
//!
//! They need Python 3 with venv, and its package index for pytest and Hypothesis, once.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use genmorph::claims;
use genmorph::export::python::{self, Callee, PYTHON, Style};
use genmorph::export::{Helpers, Part, Properties, Variable, expression};
use genmorph::jit::{Tolerance, Type, Value, Var};
use genmorph::subject::{self, Inputs, Signature};

use super::differential::{Case, bytes, cases, compare};
use super::everything::{Everything, pairs};
use super::run;
use crate::cli::{genmorph, refuses};
use crate::folder::{self, Folder};

const ROWS: usize = 60_000;
const SCHEMAS: usize = 100;

/// A function with the relations of a schema as exported, that reads rows and writes verdicts.
fn judge(number: usize, case: &Case, helpers: &mut Helpers) -> String {
    let variable = |var: Var| Variable::new(format!("v{}", var.0));
    let types: Vec<Type> = case.schema.iter().map(|(_, _, ty)| ty).collect();
    let mut function =
        format!("\n\ndef judge_{number}(rows, out):\n    for _ in range(rows.count()):\n");
    for (i, ty) in types.iter().enumerate() {
        let read = match ty {
            Type::Num => "rows.number()",
            Type::Bool => "rows.take(\">?\", 1)",
            Type::Seq => "rows.sequence()",
        };
        let _ = writeln!(function, "        v{i} = {read}");
    }
    for relation in &case.relations {
        let holds = expression(relation, &variable, helpers);
        let _ = writeln!(function, "        out.append({holds})");
    }
    function
}

/// Reads what [`bytes`] writes.
const PROGRAM: &str = "
import math
import struct
import sys


class Rows:
    def __init__(self, data):
        self.data, self.at = data, 0

    def take(self, form, size):
        self.at += size
        return struct.unpack_from(form, self.data, self.at - size)[0]

    def count(self):
        return self.take('>I', 4)

    def number(self):
        return self.take('>d', 8)

    def sequence(self):
        size = self.count()
        self.at += 8 * size
        return list(struct.unpack_from(f'>{size}d', self.data, self.at - 8 * size))
";

const MAIN: &str = "

rows, out = Rows(open(sys.argv[1], 'rb').read()), bytearray()
for _ in range(rows.count()):
    case = rows.count()
    ABS, REL = rows.number(), rows.number()
    globals()[f'judge_{case}'](rows, out)
open(sys.argv[2], 'wb').write(out)
";

#[test]
fn sixty_thousand_rows_have_the_same_verdicts_in_python() {
    if !crate::tools::python() {
        return;
    }
    let folder = Folder::of("export-python-differential");
    let cases = cases(ROWS, SCHEMAS);
    let mut helpers = Helpers::of(&PYTHON);
    let mut source = PROGRAM.to_owned();
    for (number, case) in cases.iter().enumerate() {
        source += &judge(number, case, &mut helpers);
    }
    helpers.need("ge");
    let script = folder.write("judge.py", source + &helpers.source() + MAIN);
    let (input, output) = (folder.write("rows", bytes(&cases)), folder.at("verdicts"));
    run(Command::new("python3").args([&script, &input, &output]));
    assert!(compare(&cases, &fs::read(&output).unwrap()) >= ROWS);
}

fn style(callee: &Callee, properties: Properties) -> Style<'_> {
    Style { callee, properties, tolerance: Tolerance::default(), origin: Vec::new() }
}

/// What stands for pytest where none of it is needed.
const NO_PYTEST: &str = "
class mark:
    def parametrize(name, values):
        return lambda function: function
";

#[test]
fn follow_ups_are_the_same_in_python() {
    if !crate::tools::python() {
        return;
    }
    let folder = Folder::of("export-python-follow-ups");
    let everything = Everything::new();
    let callee = Callee::read("anything:anything").unwrap();
    folder.write("anything.py", "def anything(*inputs):\n    return True\n");
    folder.write("pytest.py", NO_PYTEST);
    let style = style(&callee, Properties::None);
    let mut source = python::suite(&everything.signature, &everything.parts(), &style).unwrap();
    source += "
import struct

def bits(x):
    return \"nan\" if x != x else struct.pack(\">d\", float(x)).hex()

def letter(x):
    return bits(ord(x))

def sequence(one):
    return lambda values: \"[\" + \",\".join(one(x) for x in values) + \"]\"

def show(follow_up, related):
    for source in EXAMPLES_1:
        f = follow_up(source)
        if f is None:
            print(\"none\")
            continue
        word = \"related\" if related(pair_of(source, f)) else \"unrelated\"
";
    let shown = everything.signature.parameters.iter().map(|parameter| {
        let one = match parameter.ty.scalar() {
            subject::Scalar::Char => "letter",
            _ => "bits",
        };
        match parameter.ty {
            subject::Type::Scalar(_) => format!("{one}(f.{})", parameter.name),
            _ => format!("sequence({one})(f.{})", parameter.name),
        }
    });
    let _ = writeln!(source, "        print(word, {})\n", shown.collect::<Vec<_>>().join(", "));
    for part in 1..=everything.transforms.len() {
        let _ = writeln!(source, "show(follow_up_{part}, related_{part})");
    }
    let script = folder.write("follow_ups.py", source);
    everything.compare(&run(Command::new("python3").arg(script)));
}

// Whole modules, run by pytest.

const PACKAGES: [&str; 2] = ["pytest>=8", "hypothesis>=6.100"];

/// A Python that has the packages, in an environment that is made once and kept in the target folder.
fn pytest() -> &'static Path {
    static PYTHON: OnceLock<PathBuf> = OnceLock::new();
    PYTHON.get_or_init(|| {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("python-export");
        let (python, ready) = (folder.join("bin/python"), folder.join("ready"));
        let packages = PACKAGES.join("\n");
        if fs::read_to_string(&ready).is_ok_and(|made_with| made_with == packages) {
            return python;
        }
        run(Command::new("python3").args(["-m", "venv", "--clear"]).arg(&folder));
        let pip = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check"];
        run(Command::new(&python).args(pip).args(PACKAGES));
        fs::write(ready, packages).expect("the environment can be written");
        python
    })
}

/// Whether the tests of a folder pass, and what pytest says.
pub fn tested(folder: &Folder, tests: &[&str]) -> (bool, String) {
    let mut command = Command::new(pytest());
    command.args(["-m", "pytest", "-q", "-p", "no:cacheprovider"]).args(tests);
    let out = command.current_dir(folder.path()).output().unwrap();
    let text = String::from_utf8_lossy(&[out.stdout, out.stderr].concat()).into_owned();
    (out.status.success(), text)
}

pub const RIGHT: &str = "
from math import gcd


def pad_start(text, n, c):
    return text.rjust(n, c)


def sort_range(a, start, end):
    if not 0 <= start <= end <= len(a):
        raise ValueError
    a[start:end] = sorted(a[start:end])


def power(k, e):
    return k**e


def tripled(n):
    return 3 * n


def everything(*inputs):
    return True
";

/// Faults, one per function.
pub const FAULTS: [(&str, &str); 4] = [
    ("from math import gcd", "def gcd(p, q):\n    return abs(p)"),
    ("text.rjust(n, c)", "text.ljust(n, c)"),
    ("sorted(a[start:end])", "sorted(a[start:end])[1:]"),
    ("return k**e", "return k**e + (k == 3)"),
];

/// Subjects with their relations.
const RELATIONS: [(&str, &str); 3] = [
    (
        "gcd",
        "PermuteParameters on p, q => out_f == out_s\nNumericMultiplication(2) on p => out_f >= out_s",
    ),
    (
        "pad_start",
        "NumericAddition(1) on n => out_f == out_s or truncate(out_f, -1) == out_s\n\
         SequenceRemove(-1) on text => length(out_s) == n_s implies length(out_f) == length(out_s)",
    ),
    ("sort_range", "NumericAddition(-1) on from => sum(a_after_f) == sum(a_after_s)"),
];

#[test]
fn exported_modules_pass_if_right_and_fail_if_wrong() {
    if !crate::tools::python() {
        return;
    }
    let wrong = FAULTS.iter().fold(RIGHT.to_owned(), |source, (from, to)| {
        assert_eq!(source.matches(from).count(), 1, "{from}");
        source.replace(from, to)
    });
    let folder = Folder::of("export-python");
    for (name, text) in RELATIONS {
        let relations = folder.write(&format!("{name}.txt"), text);
        let toml = folder::subject(&format!("{name}/subject.toml"));
        let call = format!("functions:{name}");
        let args = ["export", &relations, &toml, "--to", "python", "--call", &call, "-o"];
        let said = genmorph(&[&args[..], &[folder.at("").as_str(), "--inputs", "30"]].concat());
        assert_eq!(said.code, Some(0), "{}", said.err);
    }
    recorded(&folder);
    everything(&folder);
    tripled(&folder);
    folder.write("functions.py", RIGHT);
    let (passed, said) = tested(&folder, &["."]);
    assert!(passed, "{said}");
    // A test per example, and a property for all but the recorded one.
    let written = 5 * 30 + 5 + 40;
    let drawn = Everything::new().common().len();
    let count = written + drawn * (3 + 1) + 3;
    assert!(said.contains(&format!("\n{count} passed")), "{count}\n{said}");

    folder.write("functions.py", wrong);
    for name in ["gcd", "pad_start", "sort_range", "pow"] {
        let (passed, said) = tested(&folder, &[&format!("test_genmorph_{name}.py")]);
        assert!(!passed, "{said}");
        let kinds: &[&str] =
            if name == "pow" { &["_on_examples"] } else { &["_on_examples", "_on_any_inputs"] };
        for kind in kinds {
            let failed = |line: &str| line.starts_with("FAILED ") && line.contains(kind);
            assert!(said.lines().any(failed), "{name}{kind}\n{said}");
        }
        for part in [" is false: Pair(source=Inputs(", "at_follow_up=Outputs("] {
            assert!(said.contains(part), "{name}: {part}\n{said}");
        }
    }
}

/// 64-bit integers: a relation that is false of outputs from 2^53 on, of which the test must not speak.
fn tripled(folder: &Folder) {
    let signature = Signature::parse("tripled", "func(n: s64) -> s64").unwrap();
    let relation =
        "NumericAddition(1) on n => out_f == out_s + 3 and abs(out_s) <= 9007199254740992";
    let claims = claims::read("here", relation, &signature.of_executions()).unwrap();
    let group = &claims.groups[0];
    let rows = [5.0, -3_002_399_751_580_000.0].map(|n| vec![Value::Num(n)]);
    let pairs = pairs(&signature, Inputs::from_rows(&signature, rows.iter().map(Vec::as_slice)));
    let part = Part {
        transform: &group.transform,
        relations: &group.relations,
        evidence: &[],
        pairs: &pairs,
    };
    let callee = Callee::read("functions:tripled").unwrap();
    let source = python::suite(&signature, &[part], &style(&callee, Properties::Drawn)).unwrap();
    assert!(source.contains("where `|n|, |out| < 2^53`."), "{source}");
    folder.write("test_tripled.py", source);
}

/// A test of all types and domains, of which inputs are drawn.
fn everything(folder: &Folder) {
    let everything = Everything::new();
    let common = everything.common();
    let parts: Vec<Part<'_>> = common
        .iter()
        .map(|(transform, pairs)| Part {
            transform,
            relations: everything.truth(),
            evidence: &[],
            pairs,
        })
        .collect();
    let callee = Callee::read("functions:everything").unwrap();
    let style = style(&callee, Properties::Drawn);
    let source = python::suite(&everything.signature, &parts, &style).unwrap();
    folder.write("test_everything.py", source);
}

/// A test that replays recorded executions of `pow`, with relations of a search on these.
fn recorded(folder: &Folder) {
    let (from, file) = (folder::subject("pow/plain.ndjson"), folder.at("pow.parquet"));
    let step = "NumericAddition(-1) on e";
    let made = genmorph(&["collect", "--from", &from, "--transformation", step, "-o", &file]);
    assert_eq!(made.code, Some(0), "{}", made.err);
    let text = "NumericAddition(-1) on e => out_f * k_s == out_s\nNumericAddition(1) on e => true";
    let relations = folder.write("pow.txt", text);
    let args = ["export", &relations, &file, "--to", "python", "--call", "functions:power", "-o"];
    let said = genmorph(&[&args[..], &[folder.at("").as_str(), "--inputs", "40"]].concat());
    assert_eq!(said.code, Some(0), "{}", said.err);
    let why =
        "NumericAddition(1) on e: left out, the recorded follow-ups are of another transformation";
    assert!(said.err.contains(why), "{}", said.err);
    let source = fs::read_to_string(folder.at("test_genmorph_pow.py")).unwrap();
    assert!(source.contains("\n# The inputs were recorded.\n"), "{source}");
    assert!(source.contains("    k: int\n    e: int\n"), "{source}");
    assert!(!source.contains("hypothesis"), "{source}");
}

// The command.

#[test]
fn export_to_python_says_what_is_missing() {
    let folder = Folder::of("export-python-missing");
    let relations = folder.write("mine.txt", "NumericAddition(-1) on e => out_f * k_s == out_s");
    let (toml, out) = (folder::subject("pow/subject.toml"), folder.at("test_pow.py"));
    let common = ["export", &relations, &toml, "-o", &out];
    for (flags, said) in [
        // The name of the file says the language.
        (vec![], "which function does the test call? say so with --call 'package.module:gcd'"),
        (vec!["--call", "my::pow"], "`my::pow` is not a Python function"),
        (vec!["--call", "m:f", "--package", "p"], "--package is for tests in Java"),
    ] {
        let error = refuses(&[&common[..], &flags].concat());
        assert!(error.contains(said), "{flags:?}\n{error}");
    }
    let file = folder.write("nothing.parquet", "no parquet");
    let error = refuses(&["export", &relations, &file, "-o", &folder.at("tests")]);
    assert!(error.contains("in which language? a recording does not say"), "{error}");
    let error = refuses(&["export", &relations, &file, "-o", &out, "--call", "m:f"]);
    assert!(error.contains("nothing.parquet"), "{error}");
}
