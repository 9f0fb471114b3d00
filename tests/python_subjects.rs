//! Python functions as subjects: found, mutated, run, exported, and what is refused.

use std::collections::BTreeMap;
use std::process::{Command, Output};
use std::time::{Duration, Instant};

use genmorph::jit::Value;
use genmorph::subject::python::{Interpreter, PythonSpec, PythonSubject, Runtime, Search};
use genmorph::subject::{Inputs, Isolation, Outcome, Subject as _, Thrown, Version};

use crate::cli::{Run, genmorph, refuses};
use crate::export::python::tested;
use crate::folder::Folder;
use crate::tools;

/// Functions that tests are about.
const MATHS: &str = r#"
import enum
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, NamedTuple, Optional


def gcd(a: int, b: int) -> int:
    while b:
        a, b = b, a % b
    return abs(a)


def shout(s: str, mark="!") -> str:
    print("noise", s)
    return s.strip().upper() + mark


def clamp(x, low, high):
    """
    >>> clamp(5, 0, 3)
    3
    """
    if x < low:
        return low
    return high if x > high else x


def insort(a: list[int], x: int) -> None:
    a.append(x)
    a.sort()


class Side(enum.Enum):
    LEFT = 1
    RIGHT = 2


def pad(s: str, side: Side, mark: Literal["*", "-"]) -> str:
    return mark + s if side is Side.LEFT else s + mark


@dataclass
class Point:
    x: int
    y: int


def mirrored(p: Point) -> tuple[int, int]:
    return p.y, p.x


def squared(n: int) -> int:
    return n * n


def first(values: list[int]) -> Optional[int]:
    return values[0] if values else None


class Scale:
    def __init__(self, factor: int):
        self.factor = factor

    def of(self, x: int) -> int:
        return self.factor * x


def items(n: int):
    yield n


async def later(n: int) -> int:
    return n


def unknown(thing):
    return 1


def naked(a):
    return a + 1


def joined(a, b):
    return a + "-" + b


if TYPE_CHECKING:
    from maths_types import Count


def ordinal(n: "Count") -> str:
    """
    >>> ordinal(3)
    '3.'
    >>> ordinal("third")
    'third'
    """
    return f"{n}."


class Colour(NamedTuple):
    red: int
    green: int


def colour(text: str) -> Colour:
    if text[:1] != chr(35):
        raise ValueError(text)
    return Colour(len(text), 0)
"#;

/// A folder with the functions, and a run of `generate` on one of them.
fn generate(name: &str, function: &str, more: &[&str]) -> (Folder, Run) {
    let folder = Folder::of(&format!("python-subject-{name}"));
    let file = folder.write("maths.py", MATHS);
    let (function, out) = (format!("{file}:{function}"), folder.at("out"));
    let settings = ["--generations", "1", "--sources", "60", "--population", "20"];
    let effort = ["--fresh", "10000", "--hunt", "500", "--no-config", "--no-reviewed"];
    let asked = ["generate", "--python", &function, "-o", &out];
    let run = genmorph(&[&asked[..], &settings, &effort, more].concat());
    (folder, run)
}

#[test]
fn a_python_function_has_laws_mutants_and_a_test() {
    if !tools::python() {
        return;
    }
    let one = ["--transformation", "PermuteParameters on a, b"];
    let (folder, run) = generate("gcd", "gcd", &one);
    assert_eq!(run.code, Some(0), "{}{}", run.out, run.err);
    assert!(run.out.starts_with("gcd: func(a: s64, b: s64) -> s64\n"), "{}", run.out);
    assert!(run.out.contains("2 of 2 branch sides covered"), "{}", run.out);
    assert!(run.out.contains("gcd(b, a) == gcd(a, b)"), "{}", run.out);
    let mutants = std::fs::read_to_string(folder.at("out/mutants.json")).unwrap();
    for part in ["`a // b` instead of `a % b`", "`None` instead of `abs(a)`", "maths.py"] {
        assert!(mutants.contains(part), "{part} in {mutants}");
    }
    // The same run again gives the same files.
    let again = generate("gcd-again", "gcd", &[&one[..], &["--jobs", "1"]].concat()).0;
    for file in ["out/report.json", "out/mutants.json", "out/sources.ndjson"] {
        let read = |folder: &Folder| std::fs::read(folder.at(file)).unwrap();
        assert!(read(&folder) == read(&again), "{file}");
    }
    let file = format!("{}:gcd", folder.at("maths.py"));
    let (out, tests) = (folder.at("out"), folder.at("tests"));
    let exported = genmorph(&["export", &out, "--python", &file, "-o", &tests]);
    assert_eq!(exported.code, Some(0), "{}{}", exported.out, exported.err);
    let test = std::fs::read_to_string(folder.at("tests/test_genmorph_gcd.py")).unwrap();
    assert!(test.contains("from maths import gcd as function\n"), "{test}");
    let (passed, said) = tested(&folder, &["tests"]);
    assert!(passed, "{said}");

    // A definition beside the module names it, from wherever the command runs.
    folder.write("gcd.toml", "python = \"maths:gcd\"\n");
    let check = ["check", "out", "gcd.toml", "--no-config", "--fresh", "10000", "--hunt", "500"];
    let run = in_folder(&folder, &check);
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
    folder.write("maths.py", MATHS.replace("return abs(a)", "return a"));
    let run = in_folder(&folder, &check);
    assert_eq!(run.status.code(), Some(4), "{}", String::from_utf8_lossy(&run.stdout));
    let (passed, said) = tested(&folder, &["tests"]);
    assert!(!passed && said.contains("the law is false"), "{said}");
}

/// A run with names of files in the folder.
fn in_folder(folder: &Folder, args: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_genmorph"));
    command.args(args).current_dir(folder.path()).output().unwrap()
}

/// A function of a file, ready to be run.
fn subject(folder: &Folder, text: &str, function: &str) -> PythonSubject {
    let file = folder.write("functions.py", text);
    let path = std::env::var_os("PATH").unwrap_or_default();
    let search = Search { path: std::env::split_paths(&path).collect(), ..Search::default() };
    let interpreter = Interpreter::find(&search).unwrap();
    let runtime = Runtime { interpreter, jobs: 1, isolation: Isolation::default() };
    let name = format!("{file}:{function}").parse().unwrap();
    let (paths, with, domains) = (Vec::new(), Vec::new(), BTreeMap::new());
    PythonSubject::new(&PythonSpec { name, paths, with, domains }, &runtime).unwrap()
}

fn number(n: f64) -> Value<'static> {
    Value::Num(n)
}

fn text(s: &str) -> Value<'static> {
    Value::Seq(s.chars().map(|c| f64::from(u32::from(c))).collect())
}

fn list(elements: &[f64]) -> Value<'static> {
    Value::Seq(elements.to_vec().into())
}

/// What calls of the original come to.
fn call(
    subject: &PythonSubject,
    rows: &[Vec<Value<'static>>],
) -> Vec<Result<Value<'static>, Outcome>> {
    let inputs = Inputs::from_rows(subject.signature(), rows.iter().map(Vec::as_slice));
    let ran = subject.run(Version::Original, &inputs).unwrap();
    let value = |row: usize| match ran.outcomes()[row] {
        Outcome::Returned => Ok(match ran.row(row).next().unwrap() {
            Value::Num(number) => Value::Num(number),
            Value::Bool(truth) => Value::Bool(truth),
            Value::Seq(elements) => Value::Seq(elements.into_owned().into()),
        }),
        outcome => Err(outcome),
    };
    (0..rows.len()).map(value).collect()
}

#[test]
fn all_forms_of_values_go_to_python_and_back() {
    if !tools::python() {
        return;
    }
    let folder = Folder::of("python-forms");
    for (function, signature, row, expected) in [
        (
            "shout",
            "func(s: string, mark: string) -> string",
            vec![text(" zoë "), text("?")],
            text("ZOË?"),
        ),
        (
            "clamp",
            "func(x: s64, low: s64, high: s64) -> s64",
            vec![number(7.0), number(0.0), number(3.0)],
            number(3.0),
        ),
        (
            "insort",
            "func(a: list<s64>, x: s64)",
            vec![list(&[3.0, 1.0]), number(2.0)],
            list(&[1.0, 2.0, 3.0]),
        ),
        (
            "pad",
            "func(s: string, side: s32, mark: s32) -> string",
            vec![text("a"), number(1.0), number(0.0)],
            text("a*"),
        ),
        (
            "mirrored",
            "func(p_x: s64, p_y: s64) -> list<s64>",
            vec![number(1.0), number(2.0)],
            list(&[2.0, 1.0]),
        ),
        ("first", "func(values: list<s64>) -> s64", vec![list(&[4.0, 5.0])], number(4.0)),
        ("ordinal", "func(n: s64) -> string", vec![number(4.0)], text("4.")),
        ("colour", "func(text: string) -> list<s64>", vec![text("#a")], list(&[2.0, 0.0])),
        (
            "of",
            "func(self_factor: s64, x: s64) -> s64",
            vec![number(3.0), number(-2.0)],
            number(-6.0),
        ),
    ] {
        let asked = if function == "of" { "Scale.of" } else { function };
        let subject = subject(&folder, MATHS, asked);
        assert_eq!(subject.signature().to_string(), signature, "{function}");
        assert_eq!(call(&subject, &[row]), [Ok(expected)], "{function}");
    }
}

#[test]
fn integers_that_are_rounded_are_marked_and_none_is_thrown() {
    if !tools::python() {
        return;
    }
    let folder = Folder::of("python-exact");
    let squared = subject(&folder, MATHS, "squared");
    let rows = [vec![number(3.0)], vec![number(1e8)], vec![number(9e15)]];
    let inputs = Inputs::from_rows(squared.signature(), rows.iter().map(Vec::as_slice));
    let ran = squared.run(Version::Original, &inputs).unwrap();
    assert_eq!([0, 1, 2].map(|row| ran.is_exact(row)), [true, false, false]);
    let first = subject(&folder, MATHS, "first");
    let none = Err(Outcome::Threw(Thrown::new("None")));
    assert_eq!(call(&first, &[vec![list(&[])], vec![list(&[2.0])]]), [none, Ok(number(2.0))]);
}

/// Functions that do no good.
const HOSTILE: &str = r#"
import builtins, os, sys, threading, time


def loops(n: int) -> int:
    while n > 50:
        pass
    return n


def recurses(n: int) -> int:
    return recurses(n + 1) if n > 50 else n


def exits(n: int) -> int:
    if n > 50:
        os._exit(0)
    return n


def ends(n: int) -> int:
    return sys.exit(1) if n > 50 else n


def hoards(n: int) -> int:
    return len([0] * 10**10) if n > 50 else n


def starts(n: int) -> int:
    if n > 50:
        threading.Thread(target=time.sleep, args=(100,), daemon=True).start()
    return n


def asks(n: int) -> int:
    return int(input()) if n > 50 else n


def patches(n: int) -> int:
    builtins.len = builtins.zip = builtins.min = None
    print("noise", file=sys.stderr)
    return n


def removes(n: int) -> int:
    if n > 50:
        os.remove(__file__)
    return n
"#;

#[test]
fn hostile_functions_are_contained() {
    if !tools::python() {
        return;
    }
    let folder = Folder::of("python-hostile");
    let threw = |name: &str| Err(Outcome::Threw(Thrown::new(name)));
    let mut cases = vec![
        ("loops", Err(Outcome::OutOfFuel)),
        ("recurses", Err(Outcome::OutOfStack)),
        ("exits", Err(Outcome::Exited)),
        ("ends", Err(Outcome::Exited)),
        ("starts", Err(Outcome::Crashed)),
        ("asks", threw("EOFError")),
        ("patches", Ok(number(60.0))),
    ];
    if cfg!(target_os = "linux") {
        cases.push(("hoards", Err(Outcome::OutOfMemory)));
        cases.push(("removes", threw("PermissionError")));
    }
    for (function, expected) in cases {
        let subject = subject(&folder, HOSTILE, function);
        let rows = [1.0, 60.0, 2.0].map(|n| vec![number(n)]);
        let results = call(&subject, &rows);
        assert_eq!(results, [Ok(number(1.0)), expected, Ok(number(2.0))], "{function}");
    }
    assert!(std::path::Path::new(&folder.at("functions.py")).is_file());
}

#[test]
fn what_cannot_be_a_subject_is_refused_with_what_to_do() {
    if !tools::python() {
        return;
    }
    let folder = Folder::of("python-refused");
    let maths = folder.write("maths.py", MATHS);
    folder.write("broken.py", "import maths\nmaths.gcd(1, 2)\nraise RuntimeError('no licence')\n");
    folder.write("ends.py", "import os\nos._exit(3)\n");
    folder.write("needs.py", "import numpi\n");
    let broken = folder.at("broken.py");
    for (name, expected) in [
        (format!("{maths}:gdc"), "there is no function `gdc` in maths; did you mean gcd?"),
        (format!("{maths}:items"), "`items` is a generator: a call gives no value"),
        (format!("{maths}:later"), "`later` is a coroutine"),
        (format!("{maths}:unknown"), "the parameter `thing` of `unknown` has no annotation"),
        (format!("{maths}:unknown"), "--with thing="),
        (format!("{maths}:naked"), "--with a=int"),
        (format!("{maths}:joined"), "the parameters `a` and `b` of `joined` have no annotation"),
        (format!("{maths}:joined"), "--with a=str --with b=str"),
        (format!("{maths}:Side"), "--with"),
        (format!("{broken}:f"), "RuntimeError: no licence"),
        (format!("{broken}:f"), "line 3"),
        (format!("{}:f", folder.at("ends.py")), "ends the process"),
        (format!("{}:f", folder.at("needs.py")), "No module named 'numpi'"),
        ("texwrap:fill".to_owned(), "there is no module `texwrap`; did you mean textwrap"),
        ("textwrap".to_owned(), "names no Python function"),
    ] {
        let start = Instant::now();
        let error = refuses(&["generate", "--python", &name, "-o", &folder.at("out")]);
        assert!(error.contains(expected), "{name}: {error}");
        assert!(!error.contains("<genmorph>"), "{name}: {error}");
        assert!(start.elapsed() < Duration::from_secs(20), "{name}: {:?}", start.elapsed());
    }
    let error =
        refuses(&["generate", "--python", "textwrap:fill", "--python-home", &folder.at("")]);
    assert!(error.contains("has no Python"), "{error}");
}
