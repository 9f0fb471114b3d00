//! The built `genmorph` as users run it: what goes to which stream, and the exit codes.

use std::io::Write;
use std::process::{Command, Stdio};

use genmorph::executions::power;

/// What a run leaves behind.
#[derive(Debug)]
pub struct Run {
    pub code: Option<i32>,
    pub out: String,
    pub err: String,
}

pub fn genmorph(args: &[&str]) -> Run {
    fed(args, "")
}

/// Runs the command with a text at its standard input.
pub fn fed(args: &[&str], input: &str) -> Run {
    let mut child = Command::new(env!("CARGO_BIN_EXE_genmorph"))
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("cargo has built the command");
    // A command that does not want its input, or not all of it, is fine.
    let _ = child.stdin.take().expect("it is piped").write_all(input.as_bytes());
    let output = child.wait_with_output().expect("the command ends");
    let text = |bytes| String::from_utf8(bytes).expect("the command writes UTF-8");
    Run { code: output.status.code(), out: text(output.stdout), err: text(output.stderr) }
}

/// The output of a run that must succeed.
pub fn succeeds(args: &[&str]) -> String {
    let run = genmorph(args);
    assert_eq!((run.code, run.err.as_str()), (Some(0), ""), "{args:?}\n{}", run.out);
    run.out
}

/// The error of a run on bad input: nothing else may be printed.
pub fn refuses(args: &[&str]) -> String {
    let run = genmorph(args);
    assert_eq!((run.code, run.out.as_str()), (Some(2), ""), "{args:?}\n{}", run.err);
    run.err
}

/// The commands that there are, as the help lists them.
pub fn commands() -> Vec<String> {
    let help = succeeds(&["--help"]);
    let (_, list) = help.split_once("Commands:\n").expect("the help lists commands");
    let (list, _) = list.split_once("\n\n").expect("the list ends");
    let names = list.lines().filter(|line| line.starts_with("  ") && !line.starts_with("   "));
    let names = names.filter_map(|line| line.split_whitespace().next().map(str::to_owned));
    names.filter(|name| name != "help").collect()
}

#[test]
fn explain_shows_the_papers_relation_in_every_form() {
    let out = succeeds(&["explain"]);
    for expected in [
        "relation\n  out_f == out_s / k_s\n",
        "  == → Bool\n  ├── out_f\n  └── / → Num\n",
        "  n0 = div out_s, k_s\n",
        "Cranelift IR\n",
        "correct, of 149 incorrect, of 115\n",
        "  reference                          143                57\n",
        "  bytecode, portable                 143                57\n",
        "the tiers agree on every row\n",
    ] {
        assert!(out.contains(expected), "{expected}\nis not in\n{out}");
    }
    let compiles = cfg!(feature = "native");
    assert_eq!(out.contains("function u0:0"), compiles, "{out}");
    assert_eq!(out.contains("this build has no `native` feature"), !compiles, "{out}");
}

#[test]
fn explain_prints_a_relation_with_the_fewest_parentheses() {
    let out = succeeds(&["explain", "((k_s)>0)=>((out_f)==(out_s/k_s))", "--no-ir"]);
    assert!(out.contains("relation\n  k_s > 0 implies out_f == out_s / k_s\n"), "{out}");
    assert!(!out.contains("Cranelift"), "{out}");
}

#[test]
fn explain_asks_one_tier_besides_the_reference() {
    let out = succeeds(&["explain", "--no-ir", "--tier", "bytecode", "e_f < e_s"]);
    assert!(out.contains("  reference "), "{out}");
    assert!(out.contains("  bytecode, portable "), "{out}");
    assert!(!out.contains("native"), "{out}");
}

#[test]
fn explain_says_why_the_native_tier_declines() {
    let out = succeeds(&["explain", "length(toString(out_s)) > 2"]);
    assert!(out.contains("none: the native tier declines this relation ("), "{out}");
    assert!(out.contains("the tiers agree on every row"), "{out}");
}

#[test]
fn the_tolerance_changes_the_answer() {
    let holds = |args: &[&str]| {
        let out = succeeds(&[&["explain", "k_s == k_s + 0.00001", "--no-ir"], args].concat());
        let reference = out.lines().find(|line| line.starts_with("  reference")).unwrap();
        reference.split_whitespace().map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(holds(&[])[1..], ["0", "0"]);
    assert_eq!(holds(&["--tolerance", "paper"])[1..], ["149", "115"]);
    assert_eq!(holds(&["--tolerance", "1e-3,0"])[1..], ["149", "115"]);
}

#[test]
fn a_tolerance_that_is_none_is_refused() {
    assert!(refuses(&["explain", "--tolerance", "tiny"]).contains("`paper` or `ABS,REL`"));
    assert!(refuses(&["explain", "--tolerance", "0,7"]).contains("[0, 0.5]"));
    assert!(refuses(&["explain", "--tolerance", "nan,0"]).contains("absolute"));
}

#[test]
fn an_unknown_variable_is_pointed_at() {
    let err = refuses(&["explain", "out_f == out_x / k_s"]);
    let expected = "\
error: line 1, column 10: unknown variable `out_x`; did you mean `out_s`?

    out_f == out_x / k_s
             ^

variables: k_s: Num, e_s: Num, out_s: Num, k_f: Num, e_f: Num, out_f: Num
";
    assert_eq!(err, expected);
}

#[test]
fn a_wrong_type_is_pointed_at_on_its_line() {
    let err = refuses(&["explain", "k_s > 0\nand length(k_s) == 1"]);
    assert!(
        err.contains("line 2, column 12: operand 1 of `length` must be Seq, found Num"),
        "{err}"
    );
    assert!(err.contains("\n    and length(k_s) == 1\n               ^\n"), "{err}");
    assert!(refuses(&["explain", "k_s + 1"]).contains("a relation must be Bool, found Num"));
}

#[test]
fn texts_that_are_no_relations_are_refused() {
    for text in
        ["", " ", "(", "k_s <", "k_s < 1)", "1 < k_s < 2", "k_s == nan", "k_s == 1e999", "é"]
    {
        let err = refuses(&["explain", text]);
        assert!(err.starts_with("error: line 1, column "), "{text}: {err}");
        assert!(err.contains("^\n"), "{text}: {err}");
    }
}

#[test]
fn a_hostile_text_gets_a_short_error() {
    for text in ["(".repeat(120_000), "not ".repeat(30_000), "k_s+".repeat(30_000)] {
        let err = refuses(&["explain", &text]);
        assert!(err.len() < 1000, "{} bytes", err.len());
        assert!(err.contains('^'), "{err}");
    }
}

#[test]
fn a_relation_can_come_from_standard_input() {
    let run = fed(&["explain", "--no-ir", "-"], "e_f\n  < e_s\n");
    assert_eq!(run.code, Some(0), "{run:?}");
    assert!(run.out.starts_with("relation\n  e_f < e_s\n"), "{run:?}");
    for input in ["(".repeat(1 << 20), "(".repeat((1 << 20) + 9), "k_s + k_s + ".repeat(80_000)] {
        let run = fed(&["explain", "-"], &input);
        assert_eq!((run.code, run.out.as_str()), (Some(2), ""), "{}", run.err);
        assert!(run.err.len() < 1000, "{} bytes", run.err.len());
    }
}

#[test]
fn without_arguments_there_is_help_and_a_usage_error() {
    let run = genmorph(&[]);
    assert_eq!((run.code, run.out.as_str()), (Some(2), ""));
    assert!(run.err.contains("Usage: genmorph [OPTIONS] <COMMAND>"), "{run:?}");
    assert!(run.err.contains("Exit codes:"), "{run:?}");
}

#[test]
fn wrong_usage_exits_with_2() {
    for args in [
        &["discover"][..],
        &["explain", "--nope"],
        &["explain", "--tier", "gpu"],
        &["explain", "a", "b"],
    ] {
        assert!(refuses(args).contains("error:"), "{args:?}");
    }
}

#[test]
fn help_and_version_go_to_standard_output() {
    let version = succeeds(&["--version"]);
    assert_eq!(version, concat!("genmorph ", env!("CARGO_PKG_VERSION"), "\n"));
    assert!(succeeds(&["--help"]).contains("explain"));
    let help = succeeds(&["explain", "--help"]);
    for word in power::VARIABLES.into_iter().chain(["Exit codes:", power::RELATION, "toString"]) {
        assert!(help.contains(word), "{word}\n{help}");
    }
}

#[test]
fn a_reader_that_has_seen_enough_is_no_failure() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_genmorph"))
        .arg("explain")
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("cargo has built the command");
    drop(child.stdout.take());
    let output = child.wait_with_output().expect("the command ends");
    assert_eq!(output.status.code(), Some(0));
    assert!(output.stderr.is_empty());
}

#[test]
fn the_help_of_every_command_has_examples() {
    let all = commands();
    assert!(all.len() >= 17, "{all:?}");
    for command in all {
        let help = succeeds(&[&command, "--help"]);
        let examples = help.split("Examples:\n").nth(1).unwrap_or_default();
        assert!(examples.contains(&format!("genmorph {command}")), "{command}\n{help}");
    }
}

#[test]
fn names_that_a_subject_chose_do_not_steer_the_terminal() {
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("hostile-names");
    std::fs::create_dir_all(&folder).unwrap();
    let function = "(param i32) (result i32) (local.get 0)";
    // A title for the window, and a text that reads backwards.
    let module = format!(
        r#"(module (func (export "f\1b]0;owned\07") {function}) (func (export "g\e2\80\aefdp.exe") {function}))"#
    );
    let path = folder.join("names.wat");
    std::fs::write(&path, module).unwrap();
    let _ = std::fs::remove_file(folder.join("subject.toml"));
    let is_hidden = |c: char| (c.is_control() && c != '\n') || c == '\u{202e}';
    let listed = refuses(&["init", path.to_str().unwrap()]);
    assert!(listed.contains("f\\u001b]0;owned\\u0007") && !listed.contains(is_hidden), "{listed}");
    assert!(listed.contains("g\\u202efdp.exe"), "{listed}");
    let file = refuses(&["--color", "always", "generate", "no\u{1b}[2J\u{202e}such.toml"]);
    assert!(file.contains("no\\u001b[2J\\u202esuch.toml"), "{file:?}");
    assert!(!file.contains("\u{1b}[2J"), "{file:?}");
}
