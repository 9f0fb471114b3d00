//! Every exit code that is documented, provoked.

use std::fs::{self, OpenOptions};
use std::path::Path;
use std::process::{Command, Stdio};

use crate::cli::{genmorph, refuses, succeeds};
use crate::folder::Folder;
use crate::jdk::jdk;
use crate::wait;

const TRUE: &str = "NumericAddition(1) on e => e_f > e_s\n";
const FALSE: &str = "NumericAddition(1) on e => out_f > 1000\n";

/// Tries relations of the built-in function.
fn filtered(name: &str, relations: &str) -> Option<i32> {
    let file = Folder::of(name).write("relations.txt", relations);
    genmorph(&["filter", &file, "--hunt", "100", "--fresh", "1000"]).code
}

#[test]
fn help_and_manual_have_all_codes() {
    let help = succeeds(&["--help"]);
    let table = help.split("Exit codes:\n").nth(1).expect("there is a table");
    let codes: Vec<&str> =
        table.lines().filter_map(|line| line.split_whitespace().next()).collect();
    assert_eq!(codes, ["0", "1", "2", "3", "4", "130"]);
    let manual = succeeds(&["man"]);
    for line in table.lines() {
        let words = line.trim().split_once(' ').expect("a code and words").1.trim();
        let start = words.split(';').next().unwrap_or(words).replace('-', "\\-");
        assert!(manual.contains(&start), "{start}\n{manual}");
    }
}

#[test]
fn done_is_0() {
    assert_eq!(filtered("exit-done", TRUE), Some(0));
}

#[cfg(target_os = "linux")]
#[test]
fn not_written_is_1() {
    let full = OpenOptions::new().write(true).open("/dev/full").expect("Linux has one");
    let output = Command::new(env!("CARGO_BIN_EXE_genmorph"))
        .args(["explain", "--no-ir"])
        .stdout(Stdio::from(full))
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(1));
    let err = String::from_utf8(output.stderr).unwrap();
    assert!(err.starts_with("error: cannot write the result: "), "{err}");
}

#[cfg(unix)]
#[test]
fn no_worker_any_more_is_1() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let Some(jdk) = jdk() else { return };
    let scratch = Folder::of("exit-no-worker");
    let source = scratch.write("F.java", "class F { static int f(int n) { return n + n; } }");
    let javac = Command::new(&jdk.javac).args(["-d", &scratch.at("classes"), &source]).status();
    assert!(javac.unwrap().success());
    let toml = scratch.write(
        "subject.toml",
        "java = \"F#f(int)\"\nclasspath = [\"classes\"]\nparameters = [\"n\"]\n",
    );
    // A launcher that removes itself when the first worker is started.
    let home = scratch.path().join("jdk");
    fs::create_dir_all(home.join("bin")).unwrap();
    symlink(&jdk.javac, home.join("bin/javac")).unwrap();
    let script = format!(
        "#!/bin/sh\ncase \"$*\" in *-version*) ;; *) rm \"$0\" ;; esac\nexec '{}' \"$@\"\n",
        jdk.java.display()
    );
    let launcher = home.join("bin/java");
    fs::write(&launcher, script).unwrap();
    fs::set_permissions(&launcher, fs::Permissions::from_mode(0o755)).unwrap();
    let relation = "NumericAddition(1) on n => out_f > out_s";
    let output = Command::new(env!("CARGO_BIN_EXE_genmorph"))
        .args(["check", relation, &toml, "--no-sandbox", "--fresh", "500"])
        .env("JAVA_HOME", &home)
        .output()
        .unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{errors}");
    assert!(errors.contains("cannot start another worker process"), "{errors}");
    assert!(errors.contains(&launcher.display().to_string()), "{errors}");
}

#[test]
fn bad_input_is_2() {
    refuses(&["explain", "k_s +"]);
    refuses(&["filter", "no such file", "--hunt", "100"]);
}

#[test]
fn nothing_found_is_3() {
    assert_eq!(filtered("exit-nothing", FALSE), Some(3));
}

#[test]
fn refuted_is_4() {
    assert_eq!(filtered("exit-refuted", &format!("{TRUE}{FALSE}")), Some(4));
}

#[cfg(unix)]
#[test]
fn interrupted_is_130() {
    let folder = Folder::of("exit-interrupted");
    let out = folder.at("out");
    let mut child = Command::new(env!("CARGO_BIN_EXE_genmorph"))
        .args(["evolve", "--example", "--paper", "--budget", "10m", "-o", &out])
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    // It listens before its first generation, and a checkpoint is after that.
    let checkpoint = Path::new(&out).join("checkpoint.bin");
    wait::while_running(&mut child, "a first checkpoint", || checkpoint.is_file());
    let kill = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(kill.success());
    assert_eq!(child.wait().unwrap().code(), Some(130));
    assert!(Path::new(&out).join("relations.json").is_file());
}
