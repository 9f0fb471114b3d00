//! What users write in C, Zig, Rust and AssemblyScript becomes subjects, with the flags of the guide.
//!
//! The compilers come from the package indexes of Python (zig, which has clang), Node and rustup, once, into the
//! target folder.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use genmorph::subject::wasm::WasmDefinition;

use crate::cli::{genmorph, succeeds};
use crate::folder::{Folder, subject};
use crate::guest::Guest;
use crate::models::model;
use crate::tools;

/// As many random inputs for each module.
const CALLS: usize = 1_000;

const ZIG: &str = "ziglang==0.17.0";
const ASSEMBLYSCRIPT: &str = "assemblyscript@0.28.20";
const TARGET: &str = "wasm32-unknown-unknown";

/// The guide that has the flags, and the folder of what it describes.
const GUIDE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/src/subject/wasm/guest");

/// Makes a folder for tools once: `install` fills it, and it is kept until `packages` is another.
fn installed(name: &str, packages: &str, install: impl FnOnce(&Path)) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let ready = folder.join("ready");
    if fs::read_to_string(&ready).is_ok_and(|made_with| made_with == packages) {
        return folder;
    }
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("the target folder can be written");
    install(&folder);
    fs::write(ready, packages).expect("the target folder can be written");
    folder
}

/// Zig, with what it remembers in the target folder.
fn zig() -> Command {
    static FOLDER: OnceLock<PathBuf> = OnceLock::new();
    let folder = FOLDER.get_or_init(|| {
        let install = |folder: &Path| {
            run(Command::new("python3").args(["-m", "venv"]).arg(folder));
            let pip = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", ZIG];
            run(Command::new(folder.join("bin/python")).args(pip));
        };
        installed("zig", ZIG, install)
    });
    let mut command = Command::new(folder.join("bin/python"));
    command.env("ZIG_GLOBAL_CACHE_DIR", folder.join("cache"));
    command.env("ZIG_LOCAL_CACHE_DIR", folder.join("cache"));
    command.args(["-m", "ziglang"]);
    command
}

/// The AssemblyScript compiler.
fn asc() -> &'static Path {
    static ASC: OnceLock<PathBuf> = OnceLock::new();
    ASC.get_or_init(|| {
        let install = |folder: &Path| {
            let npm = ["install", "--silent", "--no-audit", "--no-fund", "--prefix", "."];
            run(Command::new("npm").args(npm).arg(ASSEMBLYSCRIPT).current_dir(folder));
        };
        installed("assemblyscript", ASSEMBLYSCRIPT, install).join("node_modules/.bin/asc")
    })
}

/// Makes sure that the Rust compiler has WebAssembly as a target.
pub(crate) fn rust_target() {
    static READY: OnceLock<()> = OnceLock::new();
    READY.get_or_init(|| {
        let libraries =
            run(Command::new("rustc").args(["--print", "target-libdir", "--target", TARGET]));
        if !Path::new(libraries.trim()).exists() {
            run(Command::new("rustup").args(["target", "add", TARGET]));
        }
    });
}

/// The output of a command that must succeed.
fn run(command: &mut Command) -> String {
    const NEEDS: &str =
        "these tests need Python 3 with venv, npm and rustup, and their package indexes";
    let output = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}\n{NEEDS}"));
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let (out, err) = (text(&output.stdout), text(&output.stderr));
    assert!(output.status.success(), "{command:?} fails; {NEEDS}\n{out}{err}");
    out
}

/// The flags of a command line in the guide: what stands between the compiler and the files.
fn flags(compiler: &str) -> Vec<String> {
    let guide = fs::read_to_string(format!("{GUIDE}/README.md")).unwrap();
    let joined = guide.replace("\\\n", " ");
    let line = joined.lines().find(|line| line.starts_with(compiler));
    let line =
        line.unwrap_or_else(|| panic!("the guide has no line that begins with `{compiler}`"));
    let words = line[compiler.len()..].split_whitespace();
    words.take_while(|word| !word.starts_with("SUBJECT")).map(str::to_owned).collect()
}

/// A folder of a test with a module of this name, compiled from C.
fn from_c(test: &str, name: &str) -> Folder {
    let folder = Folder::of(&format!("{test}-c-{name}"));
    let source = subject(&format!("{name}/{name}.c"));
    let module = folder.at(&format!("{name}.wasm"));
    let mut command = zig();
    command.arg("cc").args(flags("zig cc ")).arg(source).arg("-I").arg(GUIDE);
    run(command.args(["-Wall", "-Wextra", "-Werror", "-o", &module]));
    folder
}

/// …from Zig.
fn from_zig(test: &str, name: &str) -> Folder {
    let folder = Folder::of(&format!("{test}-zig-{name}"));
    let source = subject(&format!("{name}/{name}.zig"));
    let mut command = zig();
    command.arg("build-exe").args(flags("zig build-exe ")).arg(source);
    run(command.current_dir(folder.path()));
    folder
}

/// …from Rust.
fn from_rust(test: &str, name: &str) -> Folder {
    rust_target();
    let folder = Folder::of(&format!("{test}-rust-{name}"));
    for source in [subject(&format!("{name}/{name}.rs")), format!("{GUIDE}/genmorph.rs")] {
        let file = Path::new(&source).file_name().expect("it is a file");
        fs::copy(&source, folder.path().join(file)).unwrap();
    }
    let files = [folder.at(&format!("{name}.rs")), folder.at(&format!("{name}.wasm"))];
    let mut command = Command::new("rustc");
    command.args(flags("rustc ")).args(["-D", "warnings", &files[0], "-o", &files[1]]);
    run(&mut command);
    folder
}

/// …from AssemblyScript, whose modules do not say signatures.
fn from_assemblyscript(test: &str, name: &str) -> Folder {
    let folder = Folder::of(&format!("{test}-assemblyscript-{name}"));
    let source = subject(&format!("{name}/{name}.ts"));
    let module = folder.at(&format!("{name}.wasm"));
    let mut command = Command::new(asc());
    command.args(flags("asc ")).arg(source).args(["--outFile", &module]);
    run(&mut command);
    folder
}

/// Writes a definition with the domains of the example of this name; `more` comes first.
fn define(folder: &Folder, name: &str, more: &str) -> WasmDefinition {
    let example = fs::read_to_string(subject(&format!("{name}/subject.toml"))).unwrap();
    let (_, domain) = example.split_once("[domain]").unwrap();
    let text = format!("module = \"{name}.wasm\"\n{more}\n[domain]{domain}");
    WasmDefinition::read(folder.write("subject.toml", text))
        .unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn c_becomes_subjects() {
    if !tools::python() {
        return;
    }
    for (name, more, whole) in [
        ("gcd", "", true),
        ("mean", "", true),
        ("pad_start", "", false),
        ("sort_range", "changed = [\"a\"]", true),
    ] {
        let definition = define(&from_c("toolchain", name), name, more);
        Guest::new(&definition).agrees_with(model(name), whole, CALLS);
    }
}

#[test]
fn the_help_of_init_has_the_flags_of_the_guide() {
    let help = succeeds(&["init", "--help"]);
    let help: Vec<&str> = help.split_whitespace().filter(|word| *word != "\\").collect();
    let flags = flags("zig cc ");
    assert!(help.windows(flags.len()).any(|words| words == flags), "{help:?}");
}

#[test]
fn zig_becomes_a_subject() {
    if !tools::python() {
        return;
    }
    let definition = define(&from_zig("toolchain", "gcd"), "gcd", "");
    Guest::new(&definition).agrees_with(model("gcd"), true, CALLS);
}

#[test]
fn rust_becomes_subjects() {
    for (name, more, whole) in [
        ("pow", "", true),
        ("pad_start", "", false),
        ("sort_range", "changed = [\"a\"]", true),
        ("truncate", "", true),
    ] {
        let definition = define(&from_rust("toolchain", name), name, more);
        Guest::new(&definition).agrees_with(model(name), whole, CALLS);
    }
}

#[test]
fn assemblyscript_becomes_subjects() {
    if !tools::node() {
        return;
    }
    for (name, more) in [
        ("gcd", ""),
        ("min", "signature = \"func(values: list<f64>) -> f64\""),
        ("capitalise", "signature = \"func(s: string) -> string\""),
    ] {
        let definition = define(&from_assemblyscript("toolchain", name), name, more);
        Guest::new(&definition).agrees_with(model(name), true, CALLS);
    }
}

#[test]
fn init_reads_signatures_of_compiled_modules() {
    if !tools::python() || !tools::node() {
        return;
    }
    let folder = from_c("init", "pad_start");
    let run = genmorph(&["init", &folder.at("pad_start.wasm")]);
    assert_eq!(run.code, Some(0), "{}", run.err);
    let definition = WasmDefinition::read(folder.at("subject.toml")).unwrap();
    assert_eq!(definition.signature.to_string(), "func(text: string, n: s32, c: char) -> string");
    // Names of parameters are in the debug information of AssemblyScript, but not their meaning.
    let folder = from_assemblyscript("init", "gcd");
    let run = genmorph(&["init", &folder.at("gcd.wasm")]);
    assert_eq!(run.code, Some(0), "{}", run.err);
    let definition = WasmDefinition::read(folder.at("subject.toml")).unwrap();
    assert_eq!(definition.signature.to_string(), "func(p: s32, q: s32) -> s32");
}
