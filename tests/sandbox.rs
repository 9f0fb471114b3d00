//! What Java and Rust functions can do to the machine: each escape succeeds without the sandbox and fails in it.
//!
//! Only Linux has this sandbox. SECURITY.md names these tests.

use std::collections::BTreeMap;
use std::fs;
use std::net::TcpListener;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;

use genmorph::jit::Value;
use genmorph::subject::jvm::{self, JavaSpec, Jdk, JvmSubject, Runtime};
use genmorph::subject::rust::{self, Confinement, Place, RustSpec, RustSubject};
use genmorph::subject::{Inputs, Isolation, Outcome, Subject, Version};

use crate::jdk::jdk;

/// A language whose functions try to get out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Language {
    Java,
    Rust,
}

use Language::{Java, Rust};

/// A folder that is no function's business.
fn private(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("sandbox").join(name);
    fs::create_dir_all(&folder).unwrap();
    folder
}

/// The folder with the compiled class.
fn classes(jdk: &Jdk) -> &'static Path {
    static CLASSES: OnceLock<PathBuf> = OnceLock::new();
    CLASSES.get_or_init(|| {
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/sandbox/Escapes.java");
        let folder = private(&format!("classes-{}", std::process::id()));
        let mut command = Command::new(&jdk.javac);
        command.args(["--release", "17", "-g", "-d"]).arg(&folder).arg(source);
        assert!(command.status().unwrap().success());
        folder
    })
}

/// The crate.
fn package() -> &'static Path {
    static PACKAGE: OnceLock<PathBuf> = OnceLock::new();
    PACKAGE.get_or_init(|| {
        let folder = private("escapes");
        fs::create_dir_all(folder.join("src")).unwrap();
        let manifest =
            "[package]\nname = \"escapes\"\nversion = \"0.1.0\"\nedition = \"2021\"\n[workspace]\n";
        fs::write(folder.join("Cargo.toml"), manifest).unwrap();
        fs::write(folder.join("src/lib.rs"), include_str!("sandbox/escapes.rs")).unwrap();
        folder
    })
}

/// The function in a language; none if the language is not here.
fn function(language: Language, name: &str, isolation: Isolation) -> Option<Box<dyn Subject>> {
    match language {
        Java => {
            let jdk = jdk()?;
            let spec = JavaSpec {
                method: format!("Escapes#{name}").parse().unwrap(),
                classpath: vec![classes(jdk).to_owned()],
                names: None,
                changed: None,
                domains: BTreeMap::new(),
            };
            let cache = Path::new(env!("CARGO_MANIFEST_DIR")).join("target/jvm-cache");
            let mut runtime = Runtime::new(jdk.clone(), cache, 1);
            runtime.isolation = isolation;
            Some(Box::new(JvmSubject::new(&spec, &runtime).unwrap()))
        }
        Rust => {
            let manifest = Some(package().join("Cargo.toml"));
            let spec = RustSpec {
                place: Place { manifest, offline: true, ..Place::default() },
                function: name.to_owned(),
                ..RustSpec::default()
            };
            let (flags, confinement) = (String::new(), Confinement::Process);
            let runtime = rust::Runtime { jobs: 1, flags, confinement, isolation };
            Some(Box::new(RustSubject::new(&spec, &runtime).unwrap()))
        }
    }
}

fn row(subject: &dyn Subject, argument: &str) -> Inputs {
    let text = Value::Seq(argument.chars().map(|c| f64::from(u32::from(c))).collect());
    Inputs::from_rows(subject.signature(), [[text].as_slice()])
}

/// Whether a function does what it tries; none if its language is not here.
fn succeeds(language: Language, name: &str, argument: &str, isolation: Isolation) -> Option<bool> {
    let subject = function(language, name, isolation)?;
    let outcomes = subject.run(Version::Original, &row(&*subject, argument)).unwrap();
    assert_eq!(outcomes.outcomes()[0], Outcome::Returned, "{language:?} {name}");
    match outcomes.row(0).next() {
        Some(Value::Bool(success)) => Some(success),
        other => panic!("{language:?} {name}: {other:?}"),
    }
}

/// Tries an escape in a language, first in the sandbox, then without, where it must succeed: else the test would test nothing.
/// `intact` looks at the victim.
fn escape(language: Language, name: &str, argument: &str, intact: impl Fn() -> bool) {
    assert!(intact(), "{language:?} {name}: before");
    let Some(escaped) = succeeds(language, name, argument, Isolation::Sandbox) else { return };
    assert!(!escaped && intact(), "{language:?} {name}: out of the sandbox");
    assert_eq!(succeeds(language, name, argument, Isolation::Nothing), Some(true), "{name}");
}

/// A file with a secret, which is made anew.
fn secret(name: &str) -> PathBuf {
    let path = private("private").join(name);
    fs::write(&path, "a secret").unwrap();
    path
}

fn is_secret(path: &Path) -> bool {
    fs::read_to_string(path).is_ok_and(|text| text == "a secret")
}

fn shown(path: &Path) -> &str {
    path.to_str().unwrap()
}

#[test]
fn a_function_deletes_no_file_outside() {
    for language in [Java, Rust] {
        let path = secret(&format!("delete-{language:?}"));
        escape(language, "delete", shown(&path), || is_secret(&path));
    }
}

#[test]
fn a_function_writes_no_file_outside() {
    for language in [Java, Rust] {
        let path = secret(&format!("write-{language:?}"));
        escape(language, "write", shown(&path), || is_secret(&path));
        let new = private("private").join(format!("new-{language:?}"));
        let _ = fs::remove_file(&new);
        escape(language, "write", shown(&new), || !new.exists());
    }
    let path = secret("empty");
    escape(Rust, "empty", shown(&path), || is_secret(&path));
}

#[test]
fn a_function_reads_no_private_file() {
    for language in [Java, Rust] {
        let path = secret(&format!("read-{language:?}"));
        escape(language, "read", shown(&path), || true);
        escape(language, "list", shown(path.parent().unwrap()), || true);
    }
}

#[test]
fn a_function_changes_no_permissions() {
    for language in [Java, Rust] {
        let path = secret(&format!("lock-{language:?}"));
        let is_open = || fs::metadata(&path).unwrap().permissions().mode() & 0o400 != 0;
        escape(language, "lock", shown(&path), is_open);
        fs::remove_file(&path).unwrap();
    }
}

#[test]
fn a_function_opens_no_socket() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port().to_string();
    for language in [Java, Rust] {
        escape(language, "listen", "127.0.0.1", || true);
        escape(language, "connect", &port, || true);
    }
    let name = private("private").join("socket");
    let _ = fs::remove_file(&name);
    escape(Rust, "listen_here", shown(&name), || !name.exists());
    escape(Rust, "ring", "1", || true);
}

/// Whether a process with this argument is there.
fn is_running(argument: &str) -> bool {
    let processes = fs::read_dir("/proc").unwrap().flatten();
    let mut lines = processes.filter_map(|entry| fs::read(entry.path().join("cmdline")).ok());
    lines.any(|line| line.split(|byte| *byte == 0).any(|word| word == argument.as_bytes()))
}

#[test]
fn a_function_leaves_no_process_behind() {
    for (language, number) in [(Java, 1), (Rust, 2)] {
        // Long enough to be seen, and gone soon where it does get out.
        let seconds = format!("5.{}{number}", std::process::id());
        escape(language, "spawn", &seconds, || !is_running(&seconds));
    }
    escape(Rust, "split", "1", || true);
    escape(Rust, "signal", "0", || true);
}

#[test]
fn a_function_sees_no_variables_that_may_be_secrets() {
    // Cargo sets this one for tests.
    assert!(std::env::var_os("CARGO_MANIFEST_DIR").is_some());
    for language in [Java, Rust] {
        escape(language, "variable", "CARGO_MANIFEST_DIR", || true);
    }
}

#[test]
fn a_mutant_without_its_guard_does_no_harm() {
    for language in [Java, Rust] {
        let path = secret(&format!("tidy-{language:?}.txt"));
        let harmful = |isolation: Isolation| {
            let subject = function(language, "tidy", isolation)?;
            let inputs = row(&*subject, shown(&path));
            let original = subject.run(Version::Original, &inputs).unwrap();
            for number in 0..subject.mutants().len() {
                let version = Version::Mutant { number, original: &original };
                subject.run(version, &inputs).unwrap();
            }
            Some(!is_secret(&path))
        };
        let Some(harmed) = harmful(Isolation::Sandbox) else { continue };
        assert!(!harmed, "{language:?}");
        assert_eq!(harmful(Isolation::Nothing), Some(true), "{language:?}: no mutant tries");
    }
}

#[test]
fn a_function_has_a_temporary_folder_that_is_removed() {
    for language in [Java, Rust] {
        let Some(subject) = function(language, "scratch", Isolation::Sandbox) else { continue };
        let outcomes = subject.run(Version::Original, &row(&*subject, "text")).unwrap();
        assert_eq!(outcomes.row(0).next(), Some(Value::Bool(true)), "{language:?}");
        drop(subject);
    }
    // Other tests of this process have workers as well; each folder is gone with its worker.
    let own = format!("genmorph-worker-{}-", std::process::id());
    let is_left = || {
        let entries = fs::read_dir(std::env::temp_dir()).unwrap().flatten();
        let mut names = entries.filter(|entry| entry.path().join("scratch.txt").exists());
        names.any(|entry| entry.file_name().to_string_lossy().starts_with(&own))
    };
    assert!(!is_left());
}

#[test]
fn where_the_kernel_has_no_landlock_workers_are_refused() {
    let Some(jdk) = jdk() else { return };
    let folder = private("refused");
    let cache = folder.join("cache/genmorph");
    fs::create_dir_all(&cache).unwrap();
    jvm::install_harness(jdk, &cache).unwrap();
    let room = folder.join("room");
    fs::create_dir_all(&room).unwrap();
    let program = env!("CARGO_BIN_EXE_genmorph");
    let mut command = Command::new(program);
    // A sandbox has no Landlock of its own to offer.
    command.arg("sandboxed-worker").arg(&room).arg(program).arg(&folder).arg(&jdk.home).arg("--");
    command.args([program, "doctor", "--java-home"]).arg(&jdk.home);
    command.env("XDG_CACHE_HOME", folder.join("cache")).env("TMPDIR", &room);
    command.stdin(Stdio::null());
    let output = command.output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(3), "{text}");
    assert!(text.contains("Landlock is not available"), "{text}");
    assert!(text.contains("--no-sandbox runs it without one"), "{text}");
}

/// What a shell in the sandbox prints; as another user, if there is one to be.
fn shell(name: &str, script: &str, as_nobody: bool) -> String {
    let folder = std::env::temp_dir().join(format!("genmorph-test-{}-{name}", std::process::id()));
    let (room, outside) = (folder.join("room"), folder.join("outside"));
    fs::create_dir_all(&room).unwrap();
    fs::create_dir_all(&outside).unwrap();
    fs::write(outside.join("secret"), "a secret").unwrap();
    for path in [&folder, &room, &outside, &outside.join("secret")] {
        fs::set_permissions(path, fs::Permissions::from_mode(0o777)).unwrap();
    }
    // The folder that it was built in may be closed to others.
    let program = folder.join("genmorph");
    // By another process: one that another thread starts meanwhile would hold a file open that this one writes.
    let copied = Command::new("cp").arg(env!("CARGO_BIN_EXE_genmorph")).arg(&program).status();
    assert!(copied.unwrap().success());
    let mut command = match as_nobody {
        true => {
            let mut command = Command::new("setpriv");
            command.args(["--reuid=65534", "--regid=65534", "--clear-groups"]).arg(&program);
            command
        }
        false => Command::new(&program),
    };
    command.arg("sandboxed-worker").arg(&room).arg("--").args(["/bin/sh", "-c", script]);
    command.current_dir(&room).env("OUTSIDE", &outside).stdin(Stdio::null());
    let output = command.output().unwrap();
    let intact = is_secret(&outside.join("secret")) && fs::read_dir(&outside).unwrap().count() == 1;
    fs::remove_dir_all(&folder).unwrap();
    assert!(intact, "{script}");
    format!(
        "{}{}",
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    )
}

#[test]
fn the_sandbox_holds_for_root_and_for_others() {
    // Root may become nobody; nobody else may.
    let is_root = fs::metadata("/proc/self").unwrap().uid() == 0;
    let users: &[bool] = if is_root { &[false, true] } else { &[false] };
    for &as_nobody in users {
        let tried = |name: &str, script: &str| shell(name, script, as_nobody);
        assert_eq!(tried("room", "echo own > file; read word < file; echo $word"), "own\n");
        for (name, script) in [
            ("write", "echo more > $OUTSIDE/secret"),
            ("make", "echo more > $OUTSIDE/new"),
            ("read", "read word < $OUTSIDE/secret && echo $word"),
            ("delete", "exec rm -f $OUTSIDE/secret"),
            ("open", "exec chmod 0 $OUTSIDE/secret"),
            ("process", "/bin/sleep 1; echo no"),
            ("move", "exec mv $OUTSIDE/secret ."),
        ] {
            let words = tried(name, script).to_lowercase();
            let is_refused = words.contains("denied")
                || words.contains("not permitted")
                || words.contains("fork");
            assert!(is_refused && !words.contains("secret\n"), "{name}, {as_nobody}: {words}");
        }
    }
}
