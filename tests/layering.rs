//! Who may touch what, and the form that every file has. `src/ARCHITECTURE.md` gives the reasons.
//!
//! The rules are data: a room of the code, and the words that must not occur in it. Words are identifiers
//! of the code; comments and texts may say what they like.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// Files, and what they must not mention.
struct Rule {
    /// A file or folder, and everything in it…
    room: &'static str,
    /// …but for these.
    except: &'static [&'static str],
    /// Whole identifiers; one that ends in `*` stands for all that contain what is before it, in
    /// whatever case.
    forbidden: &'static [&'static str],
    because: &'static str,
}

const NATIVE: &str = "jit/src/engine/native/";
/// Asks for executable memory in a process that may not have it.
const NATIVE_TESTS: &str = "jit/src/engine/native/tests.rs";
const KERNELS: [&str; 2] = ["jit/src/engine/kernels.rs", "jit/src/engine/kernels/"];

/// The room with processes.
const JVM: &str = "src/subject/jvm/";
const JVM_TESTS: &str = "src/subject/jvm/tests/";
/// And the others.
const PIT: &str = "src/assess/pit/";
const RUST: &str = "src/subject/rust/";

const RULES: &[Rule] = &[
    Rule {
        room: "jit/src/",
        except: &[NATIVE, KERNELS[0], KERNELS[1]],
        forbidden: &["unsafe"],
        because: "unsafe code is in native/ and the kernels only",
    },
    Rule {
        room: "src/",
        // Compiled into users' modules, which run in the sandbox.
        except: &["src/subject/wasm/guest/"],
        forbidden: &["unsafe"],
        because: "src/ forbids unsafe code",
    },
    Rule {
        room: "jit/src/",
        except: &[NATIVE],
        forbidden: &["cranelift*"],
        because: "Cranelift is known in native/ only",
    },
    Rule {
        room: "jit/src/",
        except: &KERNELS,
        forbidden: &["arch", "wide", "is_x86_feature_detected", "_mm*"],
        because: "SIMD is in the kernels only",
    },
    Rule {
        room: "jit/src/",
        except: &[NATIVE_TESTS],
        forbidden: &["fs", "net", "process", "env", "stdin", "File", "TcpStream", "Command"],
        because: "the core does no input or output",
    },
    Rule {
        room: "jit/src/",
        except: &[NATIVE_TESTS],
        forbidden: &["println", "eprintln", "eprint", "stdout", "stderr", "dbg"],
        because: "only cli/ prints",
    },
    Rule {
        room: "jit/src/",
        except: &[],
        forbidden: &["rand", "RandomState", "Instant", "SystemTime"],
        because: "the core has no randomness and no clock",
    },
    Rule {
        room: "jit/src/",
        except: &[],
        forbidden: &["rayon", "spawn", "available_parallelism"],
        because: "the caller brings the threads",
    },
    Rule {
        room: "jit/src/",
        except: &[],
        forbidden: &[
            "FP",
            "FN",
            "mutant*",
            "mutation*",
            "false_positive*",
            "false_negative*",
            "falsepositive*",
            "falsenegative*",
        ],
        because: "the core knows rows and bits, not what they are for",
    },
    Rule {
        room: "jit/src/",
        except: &[],
        forbidden: &["clap", "serde"],
        because: "the core has no edge to the outside",
    },
    Rule {
        room: "src/",
        except: &["src/cli/"],
        forbidden: &["clap"],
        because: "clap is known in cli/ only",
    },
    Rule {
        room: "src/",
        // The version is known when it is compiled; tests say where they are and that they were skipped.
        // Class paths are joined as the system has them.
        // Cargo gets flags for its compiler by its environment.
        except: &[
            "src/cli/",
            "src/lib.rs",
            JVM_TESTS,
            "src/assess/pit/mod.rs",
            "src/subject/rust/build.rs",
        ],
        forbidden: &["println", "eprintln", "print", "eprint", "env", "dbg"],
        because: "only cli/ prints, and reads flags and the environment",
    },
    Rule {
        room: "src/",
        // Those of processes that it starts.
        except: &["src/cli/", JVM, PIT, RUST],
        forbidden: &["stdout", "stderr", "stdin"],
        because: "only cli/ has standard streams",
    },
    Rule {
        room: "src/",
        except: &["src/cli/", "src/main.rs", JVM, PIT, RUST],
        forbidden: &["Command", "UnixStream", "TcpStream"],
        because: "processes are in subject/jvm/, subject/rust/ and pit/ only",
    },
    Rule {
        room: "src/",
        except: &["src/cli/sweep/", "src/executions/", "src/sweep/"],
        forbidden: &["parquet*"],
        because: "what an executions file looks like is known in executions/ only; a sweep writes tables of its own",
    },
    Rule {
        room: "src/",
        except: &[
            "src/cli/",
            "src/executions/recorded/",
            "src/executions/",
            "src/inputs/read.rs",
            "src/show/report/files.rs",
            "src/evolve/scoring/",
            "src/subject/definition/",
            "src/sweep/",
            JVM,
            PIT,
            RUST,
        ],
        forbidden: &["File", "fs"],
        because: "files are read and written at the edges only",
    },
    Rule {
        room: "src/",
        except: &[
            "src/show/check/",
            "src/cli/",
            "src/executions/recorded/",
            "src/executions/",
            "src/inputs/read.rs",
            "src/show/report/",
            "src/evolve/scoring/",
            "src/subject/definition/",
            "src/sweep/",
            // What is written as it is: settings, results, and the records of a run.
            "src/assess/report.rs",
            "src/assess/scores.rs",
            "src/claims/",
            "src/evolve/config.rs",
            "src/run/minimal.rs",
            "src/run/report.rs",
            "src/record/",
            "src/evolve/checkpoint.rs",
            "src/evolve/record.rs",
            "src/evolve/score.rs",
            "src/sweep/experiment/protocol.rs",
            "src/sweep/experiment/published.rs",
            "src/sweep/experiment/run.rs",
            "src/subject/jvm/definition.rs",
            // What Cargo and its compiler say.
            "src/subject/rust/build.rs",
            "src/subject/rust/domain.rs",
            "src/subject/rust/package.rs",
        ],
        forbidden: &["serde", "serde_json"],
        because: "only what is read or written knows how",
    },
    Rule {
        room: "src/",
        except: &["src/subject/wasm/lines.rs"],
        forbidden: &["gimli"],
        because: "what debug information looks like is known in lines.rs only",
    },
    Rule {
        room: "src/",
        // A process is spawned too.
        except: &["src/support/threads.rs", JVM, RUST],
        forbidden: &["rayon", "spawn", "available_parallelism"],
        because: "threads are in threads.rs, which keeps the order of results",
    },
    Rule {
        room: "src/subject/jvm/class/",
        except: &[],
        forbidden: &["fs", "File", "process", "Command", "mutant*", "tick", "branch*"],
        because: "the editor of class files knows bytes, not what they are for",
    },
    Rule {
        room: "src/subject/jvm/mutate/",
        except: &[],
        forbidden: &["fs", "File", "process", "Command", "Instant"],
        because: "mutants are made of bytes",
    },
    Rule {
        room: "src/subject/rust/mutate/",
        except: &[],
        forbidden: &["fs", "File", "process", "Command", "Instant", "Package"],
        because: "mutants are made of texts",
    },
    Rule {
        room: "src/",
        except: &[RUST],
        forbidden: &["syn", "proc_macro2"],
        because: "how Rust is written is known in subject/rust/ only",
    },
    Rule {
        room: RUST,
        except: &[],
        forbidden: &["transform", "evolve", "score", "rayon", "Instant"],
        because: "a subject knows neither where inputs come from nor what outcomes are for, and no clock",
    },
    Rule {
        room: "src/executions/",
        except: &[],
        forbidden: &["score", "transform", "evolve", "Instant"],
        because: "the waist knows neither side",
    },
    Rule {
        room: "src/executions/recorded/",
        except: &[],
        forbidden: &["evolve", "score", "Command"],
        because: "collect runs nothing and knows no evolution",
    },
    Rule {
        room: "src/subject/definition/",
        except: &[],
        forbidden: &["wasmi", "wasmtime", "wasmparser", "mutant*", "Subject"],
        because: "a definition is read, not run",
    },
    Rule {
        room: "src/inputs/",
        except: &[],
        forbidden: &[
            "transform",
            "relation",
            "evolve",
            "score",
            "Instant",
            "SystemTime",
            "Duration",
        ],
        because: "source inputs know the subject only, and no clock",
    },
    Rule {
        room: "src/executions/live/",
        except: &[],
        forbidden: &["evolve", "relation", "Predicate", "Instant", "Duration"],
        because: "a campaign runs versions, and knows no relations",
    },
    Rule {
        room: "src/assess/",
        except: &[],
        forbidden: &["evolve", "Plan", "Instant", "Duration"],
        because: "relations are judged by what they do, not by how they were found, and without a clock",
    },
    Rule {
        room: "src/export/",
        except: &[],
        forbidden: &["evolve", "mutant*", "Instant", "Duration"],
        because: "an export is a text that says what a relation means",
    },
    Rule {
        room: "src/filter/",
        except: &[],
        forbidden: &["evolve", "mutant*", "Instant", "Duration"],
        because: "the filter knows the function and relations, not how they are found",
    },
    Rule {
        room: "src/run/",
        except: &["src/run/budget.rs", "src/run/plan.rs"],
        forbidden: &["Instant", "SystemTime", "Duration"],
        because: "only the budget looks at a clock",
    },
    Rule {
        room: "src/show/report/",
        except: &[],
        forbidden: &[
            "evolve",
            "campaign",
            "filter_",
            "assess",
            "Instant",
            "SystemTime",
            "Duration",
        ],
        because: "a report tells what a run has written, and runs nothing",
    },
    Rule {
        room: "src/show/check/",
        except: &[],
        forbidden: &["evolve", "campaign", "mutant*", "Instant", "SystemTime", "Duration"],
        because: "a check tries relations, wherever they are from, and knows no clock",
    },
    Rule {
        room: "src/",
        except: &["src/sweep/database.rs"],
        forbidden: &["rusqlite"],
        because: "SQLite is known in one file only",
    },
    Rule {
        room: "src/sweep/",
        except: &["src/sweep/journal.rs"],
        forbidden: &["Instant", "SystemTime"],
        because: "results have no clock in them; only the journal looks at one",
    },
    Rule {
        room: "src/transform/",
        except: &[],
        forbidden: &["evolve", "score", "Outcomes", "Instant"],
        because: "transformations know inputs, not what is done with them",
    },
    Rule {
        room: "src/filter/fresh.rs",
        except: &[],
        forbidden: &["Sources", "Space", "Spaces", "generate", "vary"],
        because: "fresh inputs are drawn in another way than source inputs",
    },
    Rule {
        room: "src/",
        except: &["src/bin/", "src/cli/", "src/main.rs"],
        forbidden: &["ExitCode", "exit"],
        because: "only cli/ sets exit codes",
    },
    Rule {
        room: "src/",
        except: &["src/cli/"],
        forbidden: &["indicatif", "ctrlc", "anstream", "anstyle"],
        because: "terminals and signals are known in cli/ only",
    },
    Rule {
        room: "src/cli/",
        // Those of `sbatch` and of Cargo.
        except: &[
            "src/cli/talk.rs",
            "src/cli/sweep/submit.rs",
            "src/cli/cargo/judge.rs",
            "src/cli/cargo/test.rs",
        ],
        forbidden: &["eprintln", "eprint", "stderr"],
        because: "what is said goes through talk.rs, which knows how loud it is to be",
    },
    Rule {
        room: JVM,
        except: &[],
        forbidden: &["transform", "evolve", "score", "rayon"],
        because: "a subject knows neither where inputs come from nor what outcomes are for",
    },
    Rule {
        room: "src/evolve/",
        except: &[],
        forbidden: &["fs", "net", "process", "File", "Path", "PathBuf", "TcpStream", "Command"],
        because: "the search knows no files and no processes",
    },
    Rule {
        room: "src/evolve/",
        except: &["src/evolve/stop.rs"],
        forbidden: &["Instant", "SystemTime", "Duration"],
        because: "only the stop rule looks at a clock",
    },
    Rule {
        room: "src/simplify/",
        except: &[],
        forbidden: &["subject", "Filter", "evolve", "Runner", "Instant", "SystemTime", "Duration"],
        because: "simplification knows rows and a judge; it counts its effort, and has no clock",
    },
    Rule {
        room: "src/",
        except: &["src/simplify/"],
        forbidden: &["egg"],
        because: "e-graphs are known in simplify/ only",
    },
    Rule {
        room: "src/subject/",
        // A worker that does nothing is stopped by the clock.
        except: &["src/subject/jvm/doctor.rs", "src/subject/jvm/worker.rs"],
        forbidden: &["evolve", "transform", "Instant", "SystemTime"],
        because: "subjects know no steps after them, and no clock",
    },
    Rule {
        room: "src/",
        except: &["src/subject/wasm/engine/"],
        forbidden: &["wasmtime"],
        because: "engines are behind one interface",
    },
    Rule {
        room: "src/",
        except: &[],
        forbidden: &["rand", "RandomState"],
        because: "random numbers come from a seed, by `seed.rs`",
    },
    Rule {
        room: "src/",
        // An engine for subjects has settings of that name.
        except: &["src/subject/wasm/engine/compiler.rs"],
        forbidden: &["cranelift*", "arch", "wide"],
        because: "how relations are evaluated is the core's",
    },
];

/// The packages that the core may build on.
const CORE_DEPENDENCIES: [&str; 9] = [
    "bumpalo",
    "cranelift-codegen",
    "cranelift-frontend",
    "cranelift-jit",
    "cranelift-module",
    "cranelift-native",
    "hashbrown",
    "thiserror",
    "wide",
];

/// A file with more lines wants to be two.
const MOST_LINES: usize = 900;

#[test]
fn nobody_touches_what_is_not_theirs() {
    let mut broken = Vec::new();
    for rule in RULES {
        for (path, text) in sources(rule.room) {
            if rule.except.iter().any(|room| path.starts_with(room)) {
                continue;
            }
            for word in words(&code(&text)).collect::<BTreeSet<_>>() {
                if rule.forbidden.iter().any(|forbidden| matches(forbidden, word)) {
                    broken.push(format!("{path} mentions `{word}`: {}", rule.because));
                }
            }
        }
    }
    assert!(broken.is_empty(), "{}", broken.join("\n"));
}

#[test]
fn every_rule_and_exception_is_about_files_that_exist() {
    for rule in RULES {
        assert!(!sources(rule.room).is_empty(), "{}", rule.room);
        for except in rule.except {
            assert!(root().join(except).exists(), "{except}");
        }
    }
}

#[test]
fn all_parts_of_the_root_package_forbid_unsafe_code() {
    for path in ["src/lib.rs", "src/main.rs", "src/bin/cargo-genmorph.rs"] {
        let text = fs::read_to_string(root().join(path)).unwrap();
        assert!(text.contains("\n#![forbid(unsafe_code)]\n"), "{path}");
    }
}

#[test]
fn the_core_depends_on_few_packages() {
    let manifest = fs::read_to_string(root().join("jit/Cargo.toml")).unwrap();
    let section = manifest.split("\n[").find_map(|part| part.strip_prefix("dependencies]"));
    let lines = section.expect("the core has dependencies").lines();
    let names =
        lines.filter_map(|line| line.split(['=', '.', ' ']).next()).filter(|name| !name.is_empty());
    for name in names.filter(|name| !name.starts_with('#')) {
        assert!(CORE_DEPENDENCIES.contains(&name), "{name}");
    }
}

#[test]
fn every_file_begins_by_saying_what_it_is_for() {
    for (path, text) in
        ["jit/", "src/", "tests/", "benches/", "fuzz/"].iter().flat_map(|room| sources(room))
    {
        let begins = ["//! ", "#![doc = include_str!("].iter().any(|start| text.starts_with(start));
        assert!(begins, "{path}");
    }
}

#[test]
fn no_file_is_too_long() {
    for (path, text) in
        ["jit/", "src/", "tests/", "benches/", "fuzz/"].iter().flat_map(|room| sources(room))
    {
        let lines = text.lines().count();
        assert!(lines <= MOST_LINES, "{path} has {lines} lines");
    }
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The Rust files of a room, by their path from the root, in order.
fn sources(room: &str) -> Vec<(String, String)> {
    let mut files = BTreeSet::new();
    let mut todo: Vec<PathBuf> = vec![root().join(room)];
    while let Some(path) = todo.pop() {
        if path.is_dir() {
            // What tools leave behind is not ours.
            let ours = |path: &PathBuf| {
                let name = path.file_name().unwrap_or_default().to_string_lossy();
                !name.starts_with('.') && !["target", "corpus", "artifacts"].contains(&&*name)
            };
            todo.extend(
                fs::read_dir(&path).unwrap().map(|entry| entry.unwrap().path()).filter(ours),
            );
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.insert(path);
        }
    }
    let relative =
        |path: &Path| path.strip_prefix(root()).unwrap().to_string_lossy().replace('\\', "/");
    files.iter().map(|path| (relative(path), fs::read_to_string(path).unwrap())).collect()
}

/// A text without its comments and literals.
fn code(text: &str) -> String {
    let mut code = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let skipped = match c {
            '/' => comment(rest),
            '"' => Some(quoted(rest)),
            '\'' => character(rest),
            'r' | 'b' if !code.ends_with(is_word) => raw(rest),
            _ => None,
        };
        code.push(if skipped.is_some() { ' ' } else { c });
        rest = &rest[skipped.unwrap_or(c.len_utf8())..];
    }
    code
}

/// The length of the comment that a text begins with.
fn comment(text: &str) -> Option<usize> {
    if text.starts_with("//") {
        return Some(text.find('\n').unwrap_or(text.len()));
    }
    text.starts_with("/*").then(|| text.find("*/").map_or(text.len(), |end| end + 2))
}

/// The length of the quoted text, or character, that a text begins with.
fn quoted(text: &str) -> usize {
    let mut escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            _ if text.starts_with(c) => return at + 1,
            _ => {}
        }
    }
    text.len()
}

/// The length of the character that a text begins with, if it is not a lifetime.
fn character(text: &str) -> Option<usize> {
    let mut after = text.chars().skip(1);
    let (first, second) = (after.next(), after.next());
    (first == Some('\\') || second == Some('\'')).then(|| quoted(text))
}

/// The length of the raw literal that a text begins with.
fn raw(text: &str) -> Option<usize> {
    let body = text.strip_prefix('b').unwrap_or(text).strip_prefix('r')?;
    let fence = body.len() - body.trim_start_matches('#').len();
    let inside = body[fence..].strip_prefix('"')?;
    let close = format!("\"{}", "#".repeat(fence));
    let end = inside.find(&close).map_or(inside.len(), |end| end + close.len());
    Some(text.len() - inside.len() + end)
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

fn words(code: &str) -> impl Iterator<Item = &str> {
    code.split(|c| !is_word(c)).filter(|word| !word.is_empty())
}

fn matches(forbidden: &str, word: &str) -> bool {
    match forbidden.strip_suffix('*') {
        Some(part) => word.to_lowercase().contains(part),
        None => word == forbidden,
    }
}

#[test]
fn words_are_those_of_the_code() {
    let text = r##"
        //! unsafe
        fn f<'a>(x: &'a str) -> char { /* unsafe */ g("unsafe \" unsafe", r#"unsafe " unsafe"#, b'u');
        let r = '"'; let rate = '\''; bar(br"unsafe") } // unsafe
    "##;
    let code = code(text);
    let found: Vec<&str> = words(&code).collect();
    let expected = "fn f a x a str char g b let r let rate bar";
    assert_eq!(found.join(" "), expected);
}

#[test]
fn a_forbidden_word_is_whole_or_a_part() {
    assert!(matches("FP", "FP") && !matches("FP", "FPS"));
    assert!(matches("mutant*", "KilledMutants") && !matches("mutant*", "mutable"));
}
